"""Keeps the number of segments in proportion to a text: lines of a few letters are not worth a segment each.

Pure; linear in the text.
"""

from collections.abc import Sequence

from summarizing.text.document import NO_SEGMENT, Segment, SegmentKind

# A text longer than MIN_DENSE_CHARS whose lines or paragraphs are shorter than this on average is read by stretches of lines.
DENSE_LINE_CHARS = 12
DENSE_PARAGRAPH_CHARS = 20
MIN_DENSE_CHARS = 20_000
DENSE_STRETCH_CHARS = 60


def is_dense(text: str) -> bool:
    """Whether the lines or paragraphs of a long text have only a few letters each."""
    if len(text) <= MIN_DENSE_CHARS:
        return False
    if "\n" not in text:
        return text.count("\r") > len(text) / DENSE_LINE_CHARS
    gaps = text.count("\n\n") + text.count("\n\r\n")
    return text.count("\n") - gaps > len(text) / DENSE_LINE_CHARS or gaps > len(text) / DENSE_PARAGRAPH_CHARS


def line_stretches(text: str) -> list[Segment]:
    """Return stretches of whole lines: lines of a few letters are not worth a segment each."""
    found: list[Segment] = []
    at, end = 0, len(text)
    newline = "\n" if "\n" in text else "\r"
    while at < end:
        stop = text.find(newline, at + DENSE_STRETCH_CHARS)
        stop = end if stop < 0 else stop
        stripped = text[at:stop].strip()
        if stripped:
            start = text.index(stripped[0], at)
            found.append(Segment(start, start + len(stripped), SegmentKind.LINE))
        at = stop + 1
    return found


# A text has at most one segment for this many characters;
_CHARS_PER_SEGMENT = 20
# where there are more, neighbours are joined up to this size.
_JOINED_CHARS = 60


def join_short_neighbours(segments: list[Segment], length: int) -> list[Segment]:
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
