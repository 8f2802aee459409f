"""Some segments of a document as a document of their own, and several documents as one.

What was left out is remembered, to be marked when the excerpt is rendered. Does not choose or render.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from operator import attrgetter
from typing import Any

from summarizing.text.document import NO_SEGMENT, SENTENCES, Document, HeadingLeftOut, Segment, SegmentKind
from summarizing.text.indentation import leads_of
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.left_out_sections import headings_left_out
from summarizing.text.lines import COLONS

# White space or signs of a quotation alone, or a sign that parts records or paragraphs (lines.py, without_separators).
BLANK_LINE = re.compile(r"\n[ \t\r>|]*+(?:[%.]\r?)?\n")
# More blanks than these between two sentences are the gap of a column.
MAX_SENTENCE_GAP = 3

_TERMS = (SegmentKind.ITEM, SegmentKind.LINE)

# A heading of CommonMark (4.3) or reStructuredText without its underline would be a line like any other.
_UNDERLINE = re.compile(r"[^\S\n]*+\n[^\S\n]*+(=++|-++|([~^\"'+*.:#])\2{2,}+)[^\S\n]*+(?:\n|\Z)")


class ExcerptBuilder:
    """An excerpt that is put together from segments, and where it leaves something out: the fields of `Document`."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self._texts: list[str] = []
        self._length = 0
        self._left_out = Counter[int]()
        self._gaps: set[int] = set()
        self._cut_starts: set[int] = set()
        self._cut_ends: set[int] = set()

    def append(self, before: str, text: str, segment: Segment) -> int:
        """Add a segment, and what stands before it; return its number."""
        start = self._length + len(before)
        self._texts += [before, text]
        self._length = start + len(text)
        self.segments.append(segment._replace(start=start, end=self._length))
        return len(self.segments) - 1

    def note_gap(self, index: int) -> None:
        """Note that something is left out before a segment."""
        self._gaps.add(index)

    def note_cut_start(self, index: int) -> None:
        """Note that the start of a segment's paragraph is left out."""
        self._cut_starts.add(index)

    def note_cut_end(self, index: int) -> None:
        """Note that the end of a segment's paragraph is left out."""
        self._cut_ends.add(index)

    def note_left_out(self, of: int, count: int) -> None:
        """Note how many parts of a block, or of a container of JSON, are left out."""
        self._left_out[of] += count

    def carry_marks(self, document: Document, numbers: Mapping[int, int]) -> None:
        """Note what a document leaves out that is an excerpt itself, by the new numbers of its segments."""
        self._gaps.update(numbers[index] for index in document.gaps if index in numbers)
        self._cut_starts.update(numbers[index] for index in document.cut_starts if index in numbers)
        self._cut_ends.update(numbers[index] for index in document.cut_ends if index in numbers)

    def document(self, tail: str = "", **fields: Any) -> Document:
        """Return what was put together; `tail`: what stands after the last segment, `fields`: the other ones of the document."""
        return Document(
            "".join([*self._texts, tail]),
            self.segments,
            left_out=dict(self._left_out),
            gaps=frozenset(self._gaps),
            cut_starts=frozenset(self._cut_starts),
            cut_ends=frozenset(self._cut_ends),
            **fields,
        )


def excerpt(document: Document, kept: Collection[int], leads: Sequence[str]) -> Document:
    """Return a document of the kept segments. `kept` has what each of them requires, too; `leads`: of all segments."""
    order = sorted(kept)
    number = {index: at for at, index in enumerate(order)}
    builder = ExcerptBuilder()
    for at, (index, following) in enumerate(zip_longest(order, order[1:], fillvalue=NO_SEGMENT)):
        segment = document.segments[index]
        last = order[at - 1] if at else NO_SEGMENT
        is_gap = index > last + 1 and at > 0 and document.segments[last].block == segment.block
        if is_gap or index in document.gaps:
            builder.note_gap(at)
        if is_start_cut(document, last, index):
            builder.note_cut_start(at)
        if is_end_cut(document, index, following):
            builder.note_cut_end(at)
        moved = segment._replace(
            parent=number.get(segment.parent, NO_SEGMENT), anchor=number.get(segment.anchor, NO_SEGMENT)
        )
        gap = underline(document, last) + _gap(document, last, index, leads[index])
        builder.append(gap, document.of(index), moved)
    for block, count in left_out(document, number, block_sizes(document)).items():
        builder.note_left_out(block, count)
    return builder.document(
        underline(document, order[-1]) if order else "",
        is_joined=document.is_joined,
        headings_left_out=headings_left_out(document, order),
        repeated=frozenset(number[index] for index in document.repeated if index in number),
    )


def is_end_cut(document: Document, index: int, following: int) -> bool:
    """Whether the paragraph of a kept segment goes on, or it is a term that is described, or announces code, and the next one kept is not what comes next."""
    is_cut = _runs_on(document, index + 1) or _announces_code(document, index, following)
    return index in document.cut_ends or (following != index + 1 and is_cut)


def _announces_code(document: Document, index: int, following: int) -> bool:
    """Whether words announce code below them ("Set it so:") that the next one kept is no part of, so that no count stands for the rest of it."""
    segments, below = document.segments, index + 1
    if below == len(segments) or segments[below].parent != index:
        return False
    is_other = segments[below].kind is SegmentKind.CODE is not segments[index].kind
    is_of_code = following != NO_SEGMENT and segments[following].block == segments[below].block
    return is_other and not is_of_code and document.text[segments[index].end - 1] in COLONS


def is_start_cut(document: Document, last: int, index: int) -> bool:
    """Whether a kept segment goes on with a paragraph, or with the description of a term, and the last one kept is not what comes before."""
    return index in document.cut_starts or (last != index - 1 and _runs_on(document, index))


def _runs_on(document: Document, index: int) -> bool:
    """Whether a segment goes on with the paragraph of the one before it, or describes the term that this is."""
    if not 0 < index < len(document.segments):
        return False
    one, other = document.segments[index - 1], document.segments[index]
    if other.kind not in SENTENCES:
        return False
    if one.kind in _TERMS and other.parent == index - 1 and not ends_sentence(document.of(index - 1)):
        return True
    is_sentence = one.kind is other.kind is SegmentKind.SENTENCE
    if one.block == other.block:
        return is_sentence or other.kind is SegmentKind.CONTINUATION
    # The items of a list with blank lines between them are of one block, what goes on in one of them is not.
    is_of_item = other.kind is SegmentKind.CONTINUATION and other.parent == index - 1
    return is_of_item and not BLANK_LINE.search(document.text, one.end, other.start)


def underline(document: Document, index: int) -> str:
    """Return the underline of a heading, with the line end before it; nothing where there is none or it is a segment of its own."""
    segments = document.segments
    if index == NO_SEGMENT or segments[index].kind is not SegmentKind.HEADING:
        return ""
    found = _UNDERLINE.match(document.text, segments[index].end)
    is_segment = found and index + 1 < len(segments) and segments[index + 1].start < found.end(1)
    return f"\n{found[1]}" if found and not is_segment else ""


NOTHING = Document("", ())

# Makes a segment of its fields in order: a text has many, and this is the quickest way.
_new = tuple.__new__


def stretch(document: Document, start: int, end: int, lead: Document = NOTHING) -> Document:
    """Return a stretch of a document, to the character, after a lead.

    Segments that cross the edges are cut there. What hangs on a head row or an opening line outside hangs on that of the lead, if
    it has one; what else segments hang on outside is lost.
    """
    segments = document.segments
    first = bisect_left(segments, start, key=attrgetter("start"))
    first -= first > 0 and segments[first - 1].end > start
    last = bisect_left(segments, end, lo=first, key=attrgetter("start"))
    frames = [index for index, one in enumerate(lead.segments) if one.kind is SegmentKind.FRAME]
    outside = document.above(first) if frames and first < last else ()
    numbers = {index: frames[-1] for index in outside if segments[index].kind is SegmentKind.FRAME}
    shift, moved = len(lead.text) - start, len(lead.segments) - first
    part = [
        _new(
            Segment,
            (
                at + shift,
                stop + shift,
                kind,
                parent + moved if parent >= first else numbers.get(parent, NO_SEGMENT),
                block,
                level,
                follows,
                is_marginal,
                anchor + moved if first <= anchor < last else NO_SEGMENT,
            ),
        )
        for at, stop, kind, parent, block, level, follows, is_marginal, anchor in segments[first:last]
    ]
    if part:
        part[0] = part[0]._replace(start=max(part[0].start, start + shift))
        part[-1] = part[-1]._replace(end=min(part[-1].end, end + shift))
    return Document(lead.text + document.text[start:end], [*lead.segments, *part])


def joined(documents: Sequence[Document]) -> Document:
    """Return several documents as one, in their order."""
    builder, blocks, tail = ExcerptBuilder(), 0, ""
    headings: list[HeadingLeftOut] = []
    repeated: set[int] = set()
    for document in documents:
        shift = len(builder.segments)
        headings += (one._replace(place=one.place + shift) for one in document.headings_left_out)
        repeated.update(index + shift for index in document.repeated)
        if not document.segments:
            continue
        for index, segment in enumerate(document.segments):
            if index:
                gap = document.text[document.segments[index - 1].end : segment.start]
            else:
                gap = tail + ("\n\n" if builder.segments else "") + leads_of(document)[0]
            builder.append(gap, document.of(index), _moved(segment, shift, blocks))
        tail = underline(document, len(document.segments) - 1)
        for block, count in document.left_out.items():
            builder.note_left_out(block + blocks, count)
        builder.carry_marks(document, dict(enumerate(range(shift, len(builder.segments)))))
        blocks += 1 + max(segment.block for segment in document.segments)
    return builder.document(
        tail,
        is_joined=any(document.is_joined for document in documents),
        headings_left_out=headings,
        repeated=frozenset(repeated),
    )


def _moved(segment: Segment, shift: int, blocks: int) -> Segment:
    return segment._replace(
        parent=segment.parent + shift if segment.parent != NO_SEGMENT else NO_SEGMENT,
        anchor=segment.anchor + shift if segment.anchor != NO_SEGMENT else NO_SEGMENT,
        block=segment.block + blocks,
    )


def _gap(document: Document, last: int, index: int, lead: str) -> str:
    """Return the white space before a segment: as the document has it, a blank line where there is one anywhere between."""
    if last == NO_SEGMENT:
        return lead
    between = document.text[document.segments[last].end : document.segments[index].start]
    if BLANK_LINE.search(between):
        return f"\n\n{lead}"
    return f"\n{lead}" if "\n" in between else gap_in_line(document, last, index)


def gap_in_line(document: Document, last: int, index: int) -> str:
    """Return the white space between two segments of one line: in a column, or where there is none, as in the document.

    Elsewhere one blank: sentences are often parted by several, in lines that are spread to one width.
    """
    between = document.text[document.segments[last].end : document.segments[index].start]
    if index > last + 1 or between.strip(" \t"):
        return " "
    is_column = "\t" in between or len(between) > MAX_SENTENCE_GAP
    return between if not between or is_column else " "


# What is counted where some of a block are left out.
COUNTED = frozenset((SegmentKind.ITEM, SegmentKind.ROW, SegmentKind.LINE, SegmentKind.CODE))


_NEXT_LINE = re.compile(r"[\r\n]\s*+(?=\S)")


def block_sizes(document: Document) -> Counter[int]:
    """Return how many rows, items, lines and parts each block has: those that share a segment, too."""
    return _sizes(document, document.segments)


def _sizes(document: Document, segments: Iterable[Segment]) -> Counter[int]:
    sizes = Counter[int]()
    for segment in segments:
        if segment.kind in COUNTED:
            sizes[segment.block] += size_of(document, segment)
    return sizes


def size_of(document: Document, segment: Segment) -> int:
    """Return how many lines a segment is counted as: a row, an item or a part is one, unless the document has several in a segment."""
    if segment.kind is not SegmentKind.LINE and not document.is_joined:
        return 1
    return 1 + len(_NEXT_LINE.findall(document.text, segment.start, segment.end))


def left_out(document: Document, kept: Collection[int], sizes: Mapping[int, int]) -> dict[int, int]:
    """Return how many rows, items, lines and parts of each block that has some kept are missing, now or before; `sizes`: how many each block has."""
    shown = _sizes(document, map(document.segments.__getitem__, kept))
    missing = {
        block: sizes[block] - count + document.left_out.get(block, 0) for block, count in shown.items()
    }
    return {block: count for block, count in missing.items() if count}
