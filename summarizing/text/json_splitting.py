"""Takes segments of a JSON document apart that are too large for an answer: every member and item in them becomes one of its own.

Does not choose which: summarizing/extractive/scored_text.py does. Reading is json_records.py's work.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from summarizing.text.document import NO_SEGMENT, Document, Segment, SegmentKind
from summarizing.text.json_records import MAX_RUN_CHARS, Values


class _Parts(Values):
    """Reads a segment of a document that was parsed: the members or items that it has, each as a segment of its own."""

    def __init__(self, document: Document, number: int) -> None:
        segment = document.segments[number]
        opening = document.of(segment.parent)[-1:]
        # Between short values of JSON Lines that share a segment stand no commas.
        super().__init__(document.text, slips=0 if opening else MAX_RUN_CHARS, is_fine=True)
        self.at, self.end = segment.start, segment.end
        self.is_array = opening in ("[", "")


def split_further(document: Document, numbers: Iterable[int]) -> Document:
    """Return a document with some of its segments taken apart: every member and item in them is one of its own."""
    parts = {number: found for number in numbers if len(found := _parts(document, number)) > 1}
    if not parts:
        return document
    # The new number of each segment; of one that was taken apart, of its first part.
    lengths = (len(parts[number]) if number in parts else 1 for number in range(len(document.segments)))
    moved = [0, *accumulate(lengths)]
    blocks = 1 + max(segment.block for segment in document.segments)
    segments: list[Segment] = []
    for number, segment in enumerate(document.segments):
        parent, anchor = (
            one if one == NO_SEGMENT else moved[one] for one in (segment.parent, segment.anchor)
        )
        outer = segment._replace(parent=parent, anchor=anchor)
        if number in parts:
            segments += _in_place_of(outer, parts[number], len(segments), blocks)
            blocks += len(parts[number])
        else:
            segments.append(outer)
    return Document(document.text, segments, is_json=True)


def _parts(document: Document, number: int) -> list[Segment]:
    """Return the members or items of a segment; their parent 0 is its parent, others are counted from 1."""
    segment = document.segments[number]
    if segment.kind in (SegmentKind.FRAME, SegmentKind.SENTENCE) or segment.parent == NO_SEGMENT:
        return []
    reader = _Parts(document, number)
    return list(reader.segments())[1:] if reader.reads() else []


def _in_place_of(outer: Segment, parts: Sequence[Segment], first: int, blocks: int) -> Iterator[Segment]:
    """Yield a segment's parts as the document's: the first has the number `first`, their own blocks begin at `blocks`."""
    for part in parts:
        yield part._replace(
            parent=part.parent - 1 + first if part.parent else outer.parent,
            anchor=part.anchor - 1 + first if part.anchor != NO_SEGMENT else outer.anchor,
            block=blocks + part.block if part.parent else outer.block,
        )
