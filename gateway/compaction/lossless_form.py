"""The shortest form of a tool's texts from which they can be read back, by what they are: JSON, or lines that have much in common. Pure.

Prose, source code and CSV stay as they are. Chooses nothing and leaves nothing out but members that are null, where they need not be kept.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gateway.compaction.json_tables import NotWritable, ParsedJson, Writer, parsed_json
from gateway.compaction.line_headings import with_headings
from gateway.compaction.line_templates import with_templates

# A form that is harder to read must be shorter by as much.
MIN_SAVED = 0.2


class LosslessForm(NamedTuple):
    """A shorter text, and what was done."""

    text: str
    done: tuple[str, ...]
    """For a note, such as `one header for 412 rows`."""


def lossless_form(texts: Sequence[str], *, keeps_nulls: bool) -> LosslessForm | None:
    """Return the texts of a result in their compact forms, one below the other; None where none has one."""
    forms = [_form_of(text, keeps_nulls=keeps_nulls) for text in texts]
    if not any(forms):
        return None
    done = dict.fromkeys(each for form in forms if form for each in form.done)
    written = (form.text if form else text for form, text in zip(forms, texts, strict=True))
    return LosslessForm("\n\n".join(written), tuple(done))


def self_contained(texts: Sequence[str], *, keeps_nulls: bool) -> str:
    """Return texts of which each line can be read alone: JSON without white space, every name beside its value; others as they are."""
    return "\n\n".join(_minified(text, keeps_nulls=keeps_nulls) for text in texts)


def _minified(text: str, *, keeps_nulls: bool) -> str:
    parsed = parsed_json(text, keeps_nulls=keeps_nulls)
    form = _written(parsed, with_tables=False) if parsed else None
    return form.text if form and len(form.text) < len(text) else text


def _form_of(text: str, *, keeps_nulls: bool) -> LosslessForm | None:
    if parsed := parsed_json(text, keeps_nulls=keeps_nulls):
        form = _written(parsed, with_tables=True)
        return form if form and len(form.text) < len(text) else None
    forms = [form for form in (_headed(text), _templates(text)) if form]
    best = min(forms, key=lambda form: len(form.text), default=None)
    return best if best and len(best.text) <= (1 - MIN_SAVED) * len(text) else None


def _headed(text: str) -> LosslessForm | None:
    headed = with_headings(text)
    return (
        LosslessForm(headed.text, (f"{headed.headings:,} heading{'s' * (headed.headings != 1)}",))
        if headed
        else None
    )


def _templates(text: str) -> LosslessForm | None:
    found = with_templates(text)
    if found is None:
        return None
    done = f"{found.templates} template{'s' * (found.templates != 1)} for {found.rows:,} lines, {found.place} for a value"
    return LosslessForm(found.text, (done,))


def _written(parsed: ParsedJson, *, with_tables: bool) -> LosslessForm | None:
    writer = Writer(with_tables=with_tables)
    try:
        as_lines = parsed.are_lines and not with_tables
        text = writer.lines(parsed.value) if as_lines else writer.text(parsed.value)
    except NotWritable:
        return _written(parsed, with_tables=False) if with_tables else None
    done = [f"one header for {writer.rows:,} rows" if writer.rows else "without white space"]
    done += [f"without {parsed.nulls:,} null{'s' * (parsed.nulls != 1)}"] if parsed.nulls else []
    return LosslessForm(text, tuple(done))
