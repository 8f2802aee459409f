"""Some segments of a part of a JSON text as a document of their own, and several such parts as one JSON document.

What was left out is counted for each container, so that the marks in a summary of all parts tell how much. Does not choose or render.
"""

from collections.abc import Iterable, Mapping, Sequence

from summarizing.text.document import NO_SEGMENT, Document, SegmentKind, Spelling
from summarizing.text.excerpt import ExcerptBuilder


def json_excerpt(document: Document, kept: Iterable[int]) -> Document:
    """Return a document of the kept segments, with what each requires, and of the brackets that are open before and after."""
    order = sorted(_with_edges(document, kept))
    builder, parts, last = ExcerptBuilder(), list[int](), NO_SEGMENT
    numbers: dict[int, int] = {}
    for index in order:
        segment = document.segments[index]
        is_next = index == last + 1 and last != NO_SEGMENT
        before = document.text[document.segments[last].end : segment.start] if is_next else "\n"
        numbers[index] = _append(builder, before, document, index, numbers)
        parts.append(document.parts[index])
        if segment.kind is SegmentKind.SENTENCE and not is_next:
            builder.note_gap(numbers[index])
        last = index
    # What a document lacks that is itself an excerpt.
    for index, count in document.left_out.items():
        if index in numbers:
            builder.note_left_out(numbers[index], count)
    builder.carry_marks(document, numbers)
    _note_left_out(builder, document, numbers)
    return builder.document(
        is_json=True,
        spelling=document.spelling,
        presented=document.presented,
        parts=parts,
        open_before=document.open_before,
        open_after=document.open_after,
    )


def _note_left_out(builder: ExcerptBuilder, document: Document, numbers: Mapping[int, int]) -> None:
    """Note what is left out of the containers and strings that are kept; `numbers`: the new ones of what is kept."""
    for index, segment in enumerate(document.segments):
        if index in numbers or segment.parent not in numbers:
            continue
        if segment.kind is not SegmentKind.SENTENCE:
            builder.note_left_out(numbers[segment.parent], document.parts[index])
        elif index - 1 in numbers and segment.parent in (index - 1, document.segments[index - 1].parent):
            builder.note_cut_end(numbers[index - 1])


def _append(
    builder: ExcerptBuilder, before: str, document: Document, index: int, numbers: Mapping[int, int]
) -> int:
    """Add a segment of a document, and return its number; `numbers`: the new ones of what it requires."""
    segment = document.segments[index]
    parent = numbers.get(segment.parent, NO_SEGMENT)
    anchor = numbers.get(segment.anchor, NO_SEGMENT)
    moved = segment._replace(parent=parent, block=parent + 1, anchor=anchor)
    return builder.append(before, document.of(index), moved)


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
    builder, parts, open_ones = ExcerptBuilder(), list[int](), list[int]()
    for document in documents:
        numbers = dict(enumerate(open_ones))
        for index, segment in enumerate(document.segments):
            if index not in numbers:
                before = document.text[document.segments[index - 1].end : segment.start] if index else ""
                numbers[index] = _append(builder, before, document, index, numbers)
                parts.append(document.parts[index])
        for index, count in document.left_out.items():
            builder.note_left_out(numbers[index], count)
        builder.carry_marks(document, numbers)
        open_ones = [numbers[index] for index in _open_after(document)]
    spelling = max((document.spelling for document in documents), default=Spelling.JSON)
    presented = tuple("".join(one.presented[side] for one in documents) for side in (0, 1))
    return builder.document(is_json=True, spelling=spelling, presented=presented, parts=parts)
