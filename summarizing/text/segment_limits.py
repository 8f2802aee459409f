"""Keeps the number of segments in proportion to a text: lines of a few letters are not worth a segment each.

Pure; linear in the text.
"""

from collections.abc import Sequence

from summarizing.text.document import NO_SEGMENT, Segment, SegmentKind

# A text has at most one segment for this many characters;
CHARS_PER_SEGMENT = 20
# where there are more, neighbours are joined up to this size.
_JOINED_CHARS = 60


def join_short_neighbours(segments: Sequence[Segment], length: int) -> Sequence[Segment]:
    """Join short neighbours where a text would have too many segments; what hung on one hangs on the joined one."""
    if len(segments) < 1_000 or len(segments) * CHARS_PER_SEGMENT <= length:
        return segments
    return joined(segments)


def joined(segments: Sequence[Segment]) -> Sequence[Segment]:
    """Return segments of which neighbours of one kind that hang on the same segment are one, while these are short."""
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
