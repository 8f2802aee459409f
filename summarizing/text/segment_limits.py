"""Keeps the number of segments in proportion to a text: lines of a few letters are not worth a segment each.

Pure; linear in the text.
"""

import re
from collections.abc import Sequence

from summarizing.text.document import NO_SEGMENT, Segment, SegmentKind
from summarizing.text.document_builder import Builder
from summarizing.text.lines import COLONS, Line, item_mark

# A text longer than MIN_DENSE_CHARS is read by stretches of lines if each of its lines would have to be so long on average, and each gap
# between paragraphs be that much more: what a line costs, and what a paragraph does. Of 10,658 texts of that size that came with a Linux
# system and packages of Python and Node eleven are so, tables and lists; twenty with 14 and 23, rows of CSV and headed lists among them.
DENSE_LINE_CHARS = 13
DENSE_PARAGRAPH_CHARS = 22
MIN_DENSE_CHARS = 20_000

# The first end of a line after so many characters ends a stretch; the end of a paragraph before that, if it is at least so long.
DENSE_STRETCH_CHARS = 60
LEAST_STRETCH_CHARS = 30

_HASHES = re.compile(r"(#{1,6})[ \t]++[^\s#][^\n]*+")


def is_dense(text: str) -> bool:
    """Whether the lines and paragraphs of a long text have only a few letters each."""
    if len(text) <= MIN_DENSE_CHARS:
        return False
    if "\n" not in text:
        return text.count("\r") * DENSE_LINE_CHARS > len(text)
    gaps = text.count("\n\n") + text.count("\n\r\n")
    lines = text.count("\n") - gaps
    return lines * DENSE_LINE_CHARS + gaps * DENSE_PARAGRAPH_CHARS > len(text)


def line_stretches(text: str) -> list[Segment]:
    """Return the headings that hashes mark, and stretches of whole lines between them; of whole paragraphs where these are as short."""
    builder = Builder(text)
    at = 0
    for start, end, level in _marked_headings(text):
        _put_stretches(builder, at, start)
        builder.put_heading((start, end), level)
        at = end
    _put_stretches(builder, at, len(text))
    return builder.segments


def _marked_headings(text: str) -> list[tuple[int, int, int]]:
    """Return where lines with hashes begin and end that stand after a blank line, and the level of each; none where there are too many."""
    found = [
        (mark.start(), mark.start() + len(mark[0].rstrip()), len(mark[1]))
        for mark in _HASHES.finditer(text)
        if text[max(mark.start() - 2, 0) : mark.start()] in ("", "\n\n", "\r\n")
    ]
    return found if len(found) * DENSE_STRETCH_CHARS <= len(text) else []


def _put_stretches(builder: Builder, at: int, end: int) -> None:
    text = builder.text
    newline = "\n" if "\n" in text else "\r"
    while at < end:
        stop = text.find(newline, at + DENSE_STRETCH_CHARS, end)
        stop = end if stop < 0 else stop
        gap = text.rfind("\n\n", at + LEAST_STRETCH_CHARS, min(stop + 2, end))
        stop = gap if gap >= 0 else stop
        stripped = text[at:stop].strip()
        if stripped:
            start = text.index(stripped[0], at)
            kind = SegmentKind.ITEM if item_mark(stripped) else SegmentKind.LINE
            builder.put((start, start + len(stripped)), kind, builder.heading)
        at = stop + 1


# A text has at most one segment for this many characters;
_CHARS_PER_SEGMENT = 20
# where there are more, neighbours are joined up to this size.
_JOINED_CHARS = 60

# Lines as short as this that stand side by side are no wrapped text where most lines are shorter.
_SHORT_LINE_CHARS = 30


def is_terse(text: str, lines: Sequence[Line]) -> bool:
    """Whether the lines of a long text are so short that most of them share a segment with their neighbours, however they are read."""
    return len(text) > MIN_DENSE_CHARS and len(lines) * _CHARS_PER_SEGMENT > len(text)


def are_short_lines(lines: Sequence[Line]) -> bool:
    """Whether lines begin at one column with a letter or a digit, and none is long, announces the next or has columns."""
    indent = lines[0].indent
    return all(
        line_indent == indent
        and end - start <= _SHORT_LINE_CHARS
        and text[0].isalnum()
        and text[-1] not in COLONS
        and "  " not in text
        for start, end, line_indent, text, _, _, _, _ in lines
    )


def put_short_lines(builder: Builder, lines: Sequence[Line]) -> None:
    """Add short lines, joined to segments at once; what is indented further hangs on the last."""
    builder.begin_block()
    indent = lines[0].indent
    parent = builder.parent_of_block(indent)
    first, last = lines[0], lines[0]
    for line in (*lines[1:], None):
        if line is None or line.end - first.start > _JOINED_CHARS:
            kind = SegmentKind.ITEM if item_mark(first.text) else SegmentKind.LINE
            index = builder.put((first.start, last.end), kind, parent)
            builder.hang_below(indent, index)
            first = line or first
        last = line or last


def join_short_neighbours(segments: Sequence[Segment], length: int) -> Sequence[Segment]:
    """Join short neighbours of one kind that hang on the same segment, where a text would have too many.

    What hung on one hangs on the joined one.
    """
    if len(segments) < 1_000 or len(segments) * _CHARS_PER_SEGMENT <= length:
        return segments
    firsts: list[Segment] = []
    ends: list[int] = []
    new: list[int] = []
    first_start, first_kind, last_parent = -_JOINED_CHARS, SegmentKind.HEADING, NO_SEGMENT
    for segment in segments:
        start, end, kind, parent = segment[:4]
        if (
            end - first_start <= _JOINED_CHARS
            and parent == last_parent
            and first_kind is kind is not SegmentKind.HEADING
        ):
            ends[-1] = end
        else:
            firsts.append(segment)
            ends.append(end)
            first_start, first_kind = start, kind
        last_parent = parent
        new.append(len(firsts) - 1)
    return [_joined(one, ends[index], index, new) for index, one in enumerate(firsts)]


def _joined(first: Segment, end: int, index: int, new: Sequence[int]) -> Segment:
    """Return a segment up to an end, with the new numbers of what it hangs on; `index`: its own new number."""
    parent = NO_SEGMENT if first.parent == NO_SEGMENT else new[first.parent]
    anchor = NO_SEGMENT if first.anchor == NO_SEGMENT or new[first.anchor] == index else new[first.anchor]
    if (end, parent, anchor) == (first.end, first.parent, first.anchor):
        return first
    return first._replace(end=end, parent=parent, anchor=anchor)
