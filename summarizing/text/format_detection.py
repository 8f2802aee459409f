"""What form lines have that are data or code as a whole: a diff, a message catalogue, results of tests, subtitles, a terminal session, a chat, CSV,
a log, configuration, source code, SQL.

Pure; most are judged by a sample of evenly spread lines, by the share that look so. How each form is read stands in the module of that form.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache

from summarizing.text.blocks import csv_tables, logs_and_field_lists, turns
from summarizing.text.blocks.logs_and_field_lists import is_stamped, names_place
from summarizing.text.document_builder import Builder
from summarizing.text.format_words import format_words
from summarizing.text.formats import source_code
from summarizing.text.formats.comments import CLOSING, outside_of_comments
from summarizing.text.formats.config_scalars import without_scalars
from summarizing.text.formats.config_trees import has_groups, is_config, put_config
from summarizing.text.formats.diffs import is_diff, put_diff
from summarizing.text.formats.dockerfiles import is_dockerfile, put_dockerfile
from summarizing.text.formats.front_matter import head_of_fields
from summarizing.text.formats.message_catalogs import is_catalog, put_catalog
from summarizing.text.formats.subtitles import is_subtitles, put_subtitles
from summarizing.text.formats.tap import is_tap, put_tap
from summarizing.text.headings.looks import has_ruled_titles
from summarizing.text.lines import (
    SAMPLE_LINES,
    Line,
    item_mark,
    looks_like_code,
    looks_like_prose,
    sample_of,
    share,
)

Put = Callable[[Builder, Sequence[Line], int], None]

# Statements that define or fill tables (ISO/IEC 9075-2, SQL), which look like sentences to any other rule.
_SQL = re.compile(
    r"(?:create\s(?:or\sreplace\s)?(?:unique\s|temporary\s)?(?:table|index|view|sequence|function|trigger|procedure|type|schema)"
    r"|alter\s(?:table|sequence)|drop\s(?:table|index|view|sequence|trigger)|insert\sinto|update\s\S+\sset|delete\sfrom)\b",
    re.IGNORECASE,
)
# So many of them, and so large a part of all that begins at the margin behind blank lines or a semicolon.
_MIN_STATEMENTS = 3
_MIN_SHARE_OF_STATEMENTS = 0.5


def is_sql(lines: Sequence[Line]) -> bool:
    """Whether most of what begins at the margin of the first lines are statements of SQL; comments count as nothing."""
    plain = [line for line in outside_of_comments(lines[:SAMPLE_LINES]) if not line.indent]
    return _are_most(
        _SQL,
        [
            line
            for before, line in zip([None, *plain], plain, strict=False)
            if line.text[0].isalpha() and (before is None or line.gap or before.tail[-1] == ";")
        ],
    )


def is_lisp(lines: Sequence[Line]) -> bool:
    """Whether most paragraphs at the margin of the first lines are forms of Lisp; comments count as nothing."""
    outside = outside_of_comments(lines[:SAMPLE_LINES])
    before = [None, *outside]
    return _are_most(
        _lisp(),
        [
            line
            for above, line in zip(before, outside, strict=False)
            if not line.indent and (line.gap or above is None or line.text[0] == "(")
        ],
    )


@cache
def _lisp() -> re.Pattern[str]:
    """Return the beginning of a form: "(defun launch ()"."""
    forms = "|".join(map(re.escape, format_words().lisp_forms)).replace(r"\*", r"[\w*-]{0,30}")
    return re.compile(rf"\((?:{forms})[\s)]")


def _are_most(statement: re.Pattern[str], lines: Sequence[Line]) -> bool:
    begun = [statement.match(line.text) is not None for line in lines]
    return sum(begun) >= _MIN_STATEMENTS and share(begun) >= _MIN_SHARE_OF_STATEMENTS


def is_script(lines: Sequence[Line]) -> bool:
    """Whether the first line names the program that runs the others."""
    return lines[0].text.startswith("#!/")


def is_code(lines: Sequence[Line]) -> bool:
    """Whether more lines look like code than like prose, be they quoted or not; comments, items and lines with a bar before them count as neither."""
    bare = (line.text.lstrip("> ") for line in outside_of_comments(lines[:SAMPLE_LINES]))
    plain = [text for text in bare if text and not (item_mark(text) or text[0] == "|")]
    code = share([looks_like_code(text) or CLOSING.match(text) for text in plain])
    return code >= 0.25 and code > share([looks_like_prose(text) or text[-1] == "." for text in plain])


# Forms that say what they are: the first that lines have is theirs.
_FORMS: Sequence[tuple[Callable[[Sequence[Line]], bool], Put]] = (
    (is_diff, put_diff),
    (is_catalog, put_catalog),
    (is_tap, put_tap),
    (is_subtitles, put_subtitles),
    (turns.is_session, turns.put_session),
    (turns.is_chat, turns.put_chat),
    (is_dockerfile, put_dockerfile),
    (is_script, source_code.put_code),
)


def form_of(text: str, lines: Sequence[Line]) -> Put | None:
    """Return how lines that are data or code as a whole are read; None where they are text."""
    if not lines:
        return None
    if put := next((put for is_form, put in _FORMS if is_form(lines)), None):
        return put
    is_csv = csv_tables.delimiter_of(text, lines) and not is_sql(lines)
    return csv_tables.put_csv if is_csv else _form_of_sample(lines)


def _form_of_sample(lines: Sequence[Line]) -> Put | None:
    """Return how lines are read that are neither a diff, a catalogue nor CSV."""
    sample = sample_of(lines)
    if _is_log(sample):
        return logs_and_field_lists.put_log
    outside = without_scalars(lines)
    has_keys = is_config(sample_of(outside)) and not head_of_fields(outside)
    if has_keys:
        return source_code.put_code if has_groups(outside) else put_config
    is_source = source_code.is_markup(sample) or is_code(sample) or is_sql(lines) or is_lisp(lines)
    return source_code.put_code if is_source and not has_ruled_titles(lines) else None


def _is_log(lines: Sequence[Line]) -> bool:
    outer = [line for line in lines if line.indent == 0]
    if len(outer) < 2 or not _is_most(outer, is_stamped):
        return False
    return not _is_change_log(lines) or _is_most(outer, names_place)


def _is_most(outer: Sequence[Line], test: Callable[[str], bool]) -> bool:
    """Whether a test is true of so many of the lines at the margin as have a stamp in a log."""
    return share([test(line.text) for line in outer]) >= _MIN_STAMPED


# At least this share of a log's lines at the margin have a stamp.
_MIN_STAMPED = 0.4

# In a change log at least this share of the indented lines is prose or items, and more where they are few; in a log indented lines
# are traces.
_MIN_PROSE = 0.25
_MIN_PROSE_OF_FEW = 0.5


def _is_change_log(lines: Sequence[Line]) -> bool:
    """Whether the indented lines below dates are prose or items."""
    inner = [line for line in lines if line.indent]
    least = _MIN_PROSE if len(inner) * 2 > len(lines) else _MIN_PROSE_OF_FEW
    return (
        len(inner) * 10 > len(lines)
        and share([looks_like_prose(line.text) or item_mark(line.text) for line in inner]) >= least
    )
