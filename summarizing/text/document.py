"""A text that was parsed once: its segments, in order, and what each of them hangs on.

Data alone: summarizing/text/parsing.py makes it. Knows nothing of facts, queries and budgets.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

NO_SEGMENT = -1

Span = tuple[int, int]
"""Where a stretch of the text begins and ends."""


class SegmentKind(IntEnum):
    """What a segment is; every kind is kept whole or not at all."""

    HEADING = 0
    """A title: it stands over what follows, up to the next of its level or a higher one."""
    SENTENCE = 1
    """A sentence of a paragraph, over as many lines as it has."""
    ITEM = 2
    """A list item with the lines that continue it."""
    ROW = 3
    """A row of a table, of columns or of CSV; its parent is the head row."""
    LINE = 4
    """A line that says something by itself: of a log, a configuration, a listing, a poem; a member of a record."""
    CODE = 5
    """A whole statement or block of code."""
    FRAME = 6
    """What makes sense only with what it frames: a head row, the opening line of a fence, an opening bracket with its key."""
    CONTINUATION = 7
    """A further sentence of a long item or line: it hangs on the first one, and is not counted as an item or line."""


SENTENCES = (SegmentKind.SENTENCE, SegmentKind.CONTINUATION)
FRAMES = (SegmentKind.HEADING, SegmentKind.FRAME)


class Spelling(IntEnum):
    """How values are written that are JSON, or as good as that."""

    JSON = 0
    SLIPS = 1
    """Some commas are missing or spare, or comments stand between the values."""
    OTHER = 2
    """As Python or JavaScript write them, which may have slips, too."""


class Segment(NamedTuple):
    """A stretch of a text that is kept or left out as a whole."""

    start: int
    end: int
    kind: SegmentKind
    parent: int = NO_SEGMENT
    """The segment without which it makes no sense: heading, head row, lead-in, speaker, shorter-indented line; NO_SEGMENT at the top."""
    block: int = 0
    """The number of its block (paragraph, list, table, fence, record): neighbours within one are marked where some are left out."""
    level: int = 0
    """Of a heading: 1 is the highest within a file, 0 the name of one of several."""
    follows: bool = False
    """Whether it begins with a reference to the segment before it ("This"), or is announced by it: it comes only with that."""
    is_marginal: bool = False
    """Whether it is front matter, navigation or a licence header: it gets little weight, but is not deleted."""
    anchor: int = NO_SEGMENT
    """In a record: the member that names the record (name, id, title) and comes with this one. NO_SEGMENT: none, or it is that member."""

    @property
    def stands_alone(self) -> bool:
        """Whether it requires no other segment."""
        return self.parent == self.anchor == NO_SEGMENT and not self.follows


class HeadingLeftOut(NamedTuple):
    """A heading that an excerpt does not have."""

    place: int
    """Before which segment of the excerpt it stood; the number of segments stands for the end."""
    level: int
    is_repeated: bool
    """Whether it stood in the context of a slice, which repeats headings of the text before that."""


@dataclass(frozen=True, slots=True)
class Document:
    """A text and its segments. Segments do not overlap, and between them stands white space or markup alone."""

    text: str
    segments: Sequence[Segment]
    is_json: bool = False
    """Whether the whole text is one JSON value: then what is chosen of it is written as JSON."""
    spelling: Spelling = Spelling.JSON
    """Of JSON: how it is written."""
    presented: tuple[str, str] = ("", "")
    """Of JSON: the few words before it and behind it that present it, such as a fence."""
    is_joined: bool = False
    """Whether a segment may be several short lines: then what is left out is counted in lines."""
    open_before: int = 0
    """Of a part of a JSON text: so many containers are open before it; its first segments are their brackets."""
    open_after: int = 0
    """Of a part of a JSON text: so many containers are open after it."""
    parts: Sequence[int] = ()
    """Of JSON: how many items or members each segment holds."""
    left_out: Mapping[int, int] = field(default_factory=dict)
    """Of an excerpt: how many rows, items or lines of a block it leaves out; of JSON, how many parts of a container, by its segment."""
    gaps: frozenset[int] = frozenset()
    """Of an excerpt: the segments before which it leaves out something of their block."""
    cut_starts: frozenset[int] = frozenset()
    """Of an excerpt: the segments before which it leaves out the start of their paragraph, or what is said before them of a term."""
    cut_ends: frozenset[int] = frozenset()
    """Of an excerpt: the segments behind which it leaves out the end of their paragraph, or what is said of them."""
    headings_left_out: Sequence[HeadingLeftOut] = ()
    """Of an excerpt: the headings that it leaves out, in their order."""
    repeated: frozenset[int] = frozenset()
    """Of a slice: the headings in its context, which stand in the text before it."""

    def of(self, index: int) -> str:
        """Return a segment's text, as the document has it."""
        segment = self.segments[index]
        return self.text[segment.start : segment.end]

    def above(self, index: int) -> Iterator[int]:
        """Yield what a segment hangs on, the nearest first."""
        parent = self.segments[index].parent
        while parent != NO_SEGMENT:
            yield parent
            parent = self.segments[parent].parent

    def sections(self) -> list[int]:
        """Return for each segment the number of the heading that it stands under, of a heading its own; NO_SEGMENT before the first."""
        found: list[int] = []
        for index, segment in enumerate(self.segments):
            if segment.kind is SegmentKind.HEADING:
                found.append(index)
            else:
                found.append(found[segment.parent] if segment.parent != NO_SEGMENT else NO_SEGMENT)
        return found

    def requirements(self, index: int) -> list[int]:
        """Return every segment that must be kept for one to be true: what it hangs on, its anchor, what it refers to."""
        segment = self.segments[index]
        if segment.stands_alone:
            return []
        is_tied = segment.follows or segment.anchor != NO_SEGMENT
        if not is_tied and self.segments[segment.parent].stands_alone:
            return [segment.parent]  # as of most
        found: list[int] = []
        open_ends, seen = [index], {index, NO_SEGMENT}
        while open_ends:
            segment = self.segments[at := open_ends.pop()]
            for one in (segment.parent, segment.anchor, at - 1 if segment.follows else NO_SEGMENT):
                if one not in seen:
                    seen.add(one)
                    open_ends.append(one)
                    found.append(one)
        return found

    def between(self, start: int, end: int) -> range:
        """Return the numbers of the segments that begin in a stretch of the text."""
        return range(
            bisect_left(self.segments, start, key=_start), bisect_left(self.segments, end, key=_start)
        )


def _start(segment: Segment) -> int:
    return segment.start
