"""Message catalogues as gettext has them (PO files): a message with its comments, its context and its translations is one entry.

https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html. Pure; linear in the lines. Does not interpret what strings say.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from summarizing.text.document import SegmentKind
from summarizing.text.document_builder import Builder, span_of
from summarizing.text.formats.source_code import MAX_WHOLE_CODE_CHARS
from summarizing.text.lines import Line, share

# Obsolete entries, and what a message was before, are comments: "#~ msgid", "#| msgid".
_KEYWORD = re.compile(r"(?:#[~|]\s{0,9}+)?(msgctxt|msgid(?:_plural)?|msgstr(?:\[\d{1,2}\])?)\s{0,9}+\"")
_STRING = re.compile(r"(?:#[~|]\s{0,9}+)?\"")
# Nearly all lines of a catalogue are of one of its kinds; somebody may have put a note between them.
_LEAST = 0.95


def is_catalog(lines: Sequence[Line]) -> bool:
    """Whether nearly all lines are keywords with strings, strings that go on with one, or comments, and one is a message."""
    has_message = any(line.text.startswith("msgid ") for line in lines)
    return (
        has_message and share([line.text[0] == "#" or _part_of(line) is not None for line in lines]) >= _LEAST
    )


def put_catalog(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add the entries: each whole, but for long ones and the one that says what the file is."""
    builder.begin_block()
    for entry in _entries(lines):
        if _is_head(entry) or entry[-1].end - entry[0].start > MAX_WHOLE_CODE_CHARS:
            _put_lines(builder, entry, parent)
        else:
            builder.put(span_of(entry), SegmentKind.LINE, parent)


def _part_of(line: Line) -> str | None:
    """Return the keyword that a line begins with; "" where it goes on with a string, None where it is neither."""
    if keyword := _KEYWORD.match(line.text):
        return keyword[1]
    return "" if _STRING.match(line.text) else None


def _is_head(entry: Sequence[Line]) -> bool:
    """Whether what is translated is the empty string: then the translation says what the file is."""
    return any(
        line.text == 'msgid ""' and _part_of(following) == "msgstr" for line, following in pairwise(entry)
    )


def _entries(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Yield the entries: one begins behind a translation, and at a blank line behind comments alone."""
    first, has_string, is_translated = 0, False, False
    for number, line in enumerate(lines):
        part = _part_of(line)
        is_translation = part is not None and part.startswith("msgstr")
        is_behind = is_translated and part != "" and not is_translation
        if number > first and (is_behind or (line.gap and not has_string)):
            yield lines[first:number]
            first, has_string, is_translated = number, False, False
        has_string = has_string or part is not None
        is_translated = is_translated or is_translation
    yield lines[first:]


def _put_lines(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add the lines of an entry: a string hangs on its keyword, and what comes behind the message on that."""
    message = keyword = parent
    for line in lines:
        part = _part_of(line)
        above = keyword if part == "" else message if part else parent
        index = builder.put_item(line.span, SegmentKind.LINE, above)
        if part:
            keyword = index
            is_former = line.text[0] == "#"  # "#| msgid": what the message was before
            message = index if part == "msgid" and not is_former else message
