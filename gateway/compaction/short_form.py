"""What code alone makes of a result that is too long: a compact form that fits, else what a summary is made of. Pure.

Of an exact result whole lines are left out, with a mark, where no form fits: it is never summarized.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gateway.compaction.compact_form import compact_form, self_contained
from gateway.compaction.whole_lines import whole_lines
from summarizing.text.tokenizer import Tokenizer


class ShortForm(NamedTuple):
    """A result's texts, made shorter."""

    text: str
    tokens: int | None = None
    """None: it has too many, and is to be summarized."""
    done: str = ""
    """What was done, for a note."""


def short_form(texts: Sequence[str], tokens: int, tokenizer: Tokenizer, is_exact: bool) -> ShortForm:  # noqa: FBT001 - a worker takes no names
    """Return texts in at most `tokens` tokens if code can do that; an exact result always."""
    form = compact_form(texts, keeps_nulls=is_exact)
    if form is not None and (count := tokenizer.count(form.text)) <= tokens:
        return ShortForm(form.text, count, ", ".join(form.done))
    # Not the compact form: its header would be far from most lines, or left out.
    text = self_contained(texts, keeps_nulls=is_exact)
    if not is_exact:
        return ShortForm(text)
    lines = whole_lines(text, tokens, tokenizer)
    done = f"{lines.left_out:,} of its lines left out" if lines.left_out else "without white space"
    return ShortForm(lines.text, tokenizer.count(lines.text), done)
