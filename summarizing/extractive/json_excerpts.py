"""Some segments of a part of a JSON text as a document of their own, and several such parts as one JSON document.

What was left out is counted for each container, so that the marks in a summary of all parts tell how much. Does not choose or render.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from summarizing.text.document import NO_SEGMENT, Document, Segment, SegmentKind


@dataclass(slots=True)
class _Builder:
    """A JSON document that is put together from segments."""

    texts: list[str] = field(default_factory=list)
    length: int = 0
    segments: list[Segment] = field(default_factory=list)
    parts: list[int] = field(default_factory=list)
    left_out: Counter[int] = field(default_factory=Counter)
    gaps: set[int] = field(default_factory=set)
    cut_ends: set[int] = field(default_factory=set)

    def add(self, before: str, document: Document, index: int, numbers: dict[int, int]) -> int:
        """Add a segment of a document, whose requirements have new numbers; return its own."""
        text, segment = document.of(index), document.segments[index]
        parent = numbers.get(segment.parent, NO_SEGMENT)
        start = self.length + len(before)
        self.texts += [before, text]
        self.length = start + len(text)
        self.segments.append(
            segment._replace(
                start=start,
                end=self.length,
                parent=parent,
                block=parent + 1,
                anchor=numbers.get(segment.anchor, NO_SEGMENT),
            )
        )
        self.parts.append(document.parts[index])
        return len(self.segments) - 1

    def document(self, open_before: int, open_after: int) -> Document:
        """Return what was put together."""
        return Document(
            "".join(self.texts),
            self.segments,
            is_json=True,
            parts=self.parts,
            open_before=open_before,
            open_after=open_after,
            left_out=dict(self.left_out),
            gaps=frozenset(self.gaps),
            cut_ends=frozenset(self.cut_ends),
        )


def json_excerpt(document: Document, kept: Iterable[int]) -> Document:
    """Return a document of the kept segments, with what each requires, and of the brackets that are open before and after."""
    order = sorted(_with_edges(document, kept))
    shown = set(order)
    builder, numbers, last = _Builder(), dict[int, int](), NO_SEGMENT
    for index in order:
        segment = document.segments[index]
        is_next = index == last + 1 and last != NO_SEGMENT
        before = document.text[document.segments[last].end : segment.start] if is_next else "\n"
        numbers[index] = builder.add(before, document, index, numbers)
        if segment.kind is SegmentKind.SENTENCE and not is_next:
            builder.gaps.add(numbers[index])
        last = index
    # What a document lacks that is itself an excerpt.
    for index, parts in document.left_out.items():
        if index in shown:
            builder.left_out[numbers[index]] += parts
    builder.gaps.update(_numbered(document.gaps & shown, numbers))
    builder.cut_ends.update(_numbered(document.cut_ends & shown, numbers))
    for index, segment in enumerate(document.segments):
        if index in shown or segment.parent not in shown:
            continue
        if segment.kind is not SegmentKind.SENTENCE:
            builder.left_out[numbers[segment.parent]] += document.parts[index]
        elif index - 1 in shown and segment.parent in (index - 1, document.segments[index - 1].parent):
            builder.cut_ends.add(numbers[index - 1])
    return builder.document(document.open_before, document.open_after)


def _with_edges(document: Document, kept: Iterable[int]) -> set[int]:
    """Return what is kept with all that it requires, and the containers that are open at the edges."""
    shown = {*range(max(document.open_before, 1)), *_open_after(document)}
    for index in kept:
        shown |= {index, *document.requirements(index)}
    return shown


def _open_after(document: Document) -> list[int]:
    """Return the containers that are open after a part, the outermost first: what its last segment hangs on, or is."""
    last = len(document.segments) - 1
    return [last, *document.above(last)][::-1][: document.open_after]


def joined_json(documents: Sequence[Document]) -> Document:
    """Return excerpts of the consecutive parts of a JSON text as one document; what is open between two of them is one container."""
    builder, open_ones = _Builder(), list[int]()
    for document in documents:
        numbers = dict(enumerate(open_ones))
        for index, segment in enumerate(document.segments):
            if index not in numbers:
                before = document.text[document.segments[index - 1].end : segment.start] if index else ""
                numbers[index] = builder.add(before, document, index, numbers)
        for index, parts in document.left_out.items():
            builder.left_out[numbers[index]] += parts
        builder.gaps.update(_numbered(document.gaps, numbers))
        builder.cut_ends.update(_numbered(document.cut_ends, numbers))
        open_ones = [numbers[index] for index in _open_after(document)]
    return builder.document(0, 0)


def _numbered(indices: Collection[int], numbers: dict[int, int]) -> Iterable[int]:
    return (numbers[index] for index in indices)
