"""Some segments of a document as a document of their own, and several documents as one.

What was left out is remembered, to be marked when the excerpt is rendered. Does not choose or render.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from operator import attrgetter

from summarizing.text.document import NO_SEGMENT, Document, HeadingLeftOut, Segment, SegmentKind
from summarizing.text.indentation import leads_of
from summarizing.text.left_out_sections import headings_left_out
from summarizing.text.sentence_spans import ends_sentence

# White space or signs of a quotation alone.
BLANK_LINE = re.compile(r"\n[ \t\r>|]*+\n")
# More blanks than these between two sentences are the gap of a column.
MAX_SENTENCE_GAP = 3

_SENTENCES = (SegmentKind.SENTENCE, SegmentKind.CONTINUATION)
_TERMS = (SegmentKind.ITEM, SegmentKind.LINE)

# A setext heading (CommonMark 4.3) without its underline would be a line like any other.
_UNDERLINE = re.compile(r"[^\S\n]*+\n[^\S\n]*+(=++|-++)[^\S\n]*+(?:\n|\Z)")


def excerpt(document: Document, kept: Collection[int], leads: Sequence[str]) -> Document:
    """Return a document of the kept segments. `kept` has what each of them requires, too; `leads`: of all segments."""
    order = sorted(kept)
    number = {index: at for at, index in enumerate(order)}
    builder = _Builder()
    gaps: set[int] = set()
    cut_starts: set[int] = set()
    cut_ends: set[int] = set()
    for at, (index, following) in enumerate(zip_longest(order, order[1:], fillvalue=NO_SEGMENT)):
        segment = document.segments[index]
        last = order[at - 1] if at else NO_SEGMENT
        is_gap = index > last + 1 and at > 0 and document.segments[last].block == segment.block
        if is_gap or index in document.gaps:
            gaps.add(at)
        if is_start_cut(document, last, index):
            cut_starts.add(at)
        if is_end_cut(document, index, following):
            cut_ends.add(at)
        moved = segment._replace(
            parent=number.get(segment.parent, NO_SEGMENT), anchor=number.get(segment.anchor, NO_SEGMENT)
        )
        gap = underline(document, last) + _gap(document, last, index, leads[index])
        builder.append(gap, document.of(index), moved)
    builder.tail = underline(document, order[-1]) if order else ""
    return Document(
        builder.text,
        builder.segments,
        is_joined=document.is_joined,
        left_out=left_out(document, number, block_sizes(document)),
        gaps=frozenset(gaps),
        cut_starts=frozenset(cut_starts),
        cut_ends=frozenset(cut_ends),
        headings_left_out=headings_left_out(document, order),
        repeated=frozenset(number[index] for index in document.repeated if index in number),
    )


def is_end_cut(document: Document, index: int, following: int) -> bool:
    """Whether the paragraph of a kept segment goes on, or it is a term that is described, and the next one kept is not what comes next."""
    return index in document.cut_ends or (following != index + 1 and _runs_on(document, index + 1))


def is_start_cut(document: Document, last: int, index: int) -> bool:
    """Whether a kept segment goes on with a paragraph, or with the description of a term, and the last one kept is not what comes before."""
    return index in document.cut_starts or (last != index - 1 and _runs_on(document, index))


def _runs_on(document: Document, index: int) -> bool:
    """Whether a segment goes on with the paragraph of the one before it, or describes the term that this is."""
    if not 0 < index < len(document.segments):
        return False
    one, other = document.segments[index - 1], document.segments[index]
    if other.kind not in _SENTENCES:
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
    builder = _Builder()
    left_out: dict[int, int] = {}
    gaps: set[int] = set()
    cut_starts: set[int] = set()
    cut_ends: set[int] = set()
    headings: list[HeadingLeftOut] = []
    repeated: set[int] = set()
    for document in documents:
        shift, blocks = len(builder.segments), builder.next_block
        headings += (one._replace(place=one.place + shift) for one in document.headings_left_out)
        repeated.update(index + shift for index in document.repeated)
        if not document.segments:
            continue
        for index, segment in enumerate(document.segments):
            if index:
                gap = document.text[document.segments[index - 1].end : segment.start]
            else:
                gap = builder.tail + ("\n\n" if builder.segments else "") + leads_of(document)[0]
            builder.append(gap, document.of(index), _moved(segment, shift, blocks))
        builder.tail = underline(document, len(document.segments) - 1)
        left_out |= {block + blocks: count for block, count in document.left_out.items()}
        gaps.update(index + shift for index in document.gaps)
        cut_starts.update(index + shift for index in document.cut_starts)
        cut_ends.update(index + shift for index in document.cut_ends)
        builder.next_block = 1 + max((segment.block for segment in builder.segments), default=-1)
    return Document(
        builder.text,
        builder.segments,
        is_joined=any(document.is_joined for document in documents),
        left_out=left_out,
        gaps=frozenset(gaps),
        cut_starts=frozenset(cut_starts),
        cut_ends=frozenset(cut_ends),
        headings_left_out=headings,
        repeated=frozenset(repeated),
    )


class _Builder:
    """A text that is put together from segments."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self.segments: list[Segment] = []
        self.next_block = 0
        self.tail = ""
        """What stands after the last segment."""

    def append(self, gap: str, text: str, segment: Segment) -> None:
        """Add a segment after some white space."""
        start = self._length + len(gap)
        self._parts += [gap, text]
        self._length = start + len(text)
        self.segments.append(segment._replace(start=start, end=self._length))

    @property
    def text(self) -> str:
        """Return what was put together."""
        return "".join([*self._parts, self.tail])


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
