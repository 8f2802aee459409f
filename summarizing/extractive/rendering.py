"""Chosen segments as text: in their order, as they stand in the document, with marks for what was left out beside them.

A line is indented only under what it hangs on, so its indentation is right whatever stands above it in the result. Does not choose,
or add words of its own, except the marks. JSON is written by summarizing/extractive/json_rendering.py.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from types import MappingProxyType

from summarizing.extractive.json_rendering import GAP, KnownTexts, compact, counted, render_json
from summarizing.extractive.rendered_indentation import DocumentIndentation, RenderedIndentation
from summarizing.extractive.section_marks import SectionMarks
from summarizing.text.blocks.fences import closing_line
from summarizing.text.document import NO_SEGMENT, Document, Segment, SegmentKind
from summarizing.text.excerpt import (
    BLANK_LINE,
    block_sizes,
    gap_in_line,
    is_end_cut,
    is_start_cut,
    left_out,
    size_of,
    underline,
)
from summarizing.text.indentation import leads_of
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.tokenizer import Tokenizer

NO_MARKS: SectionMarks = MappingProxyType({})

_NAMES = {
    SegmentKind.ITEM: "item",
    SegmentKind.ROW: "row",
    SegmentKind.LINE: "line",
    SegmentKind.CODE: "part",
}
# Two statements, or one and what closes it.
_IN_CODE = ({SegmentKind.CODE}, {SegmentKind.CODE, SegmentKind.FRAME})
# Chinese and Japanese stand without blanks, Korean does not; nor is there one in a word that a hyphen divides.
_WIDE = "[\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff9f]"
_UNSPACED_WRAP = re.compile(rf"(?<={_WIDE})[^\S\n]*+\n\s*+(?={_WIDE})|(?<=\u2010)\n\s*+")
# A word that was divided at a line's end: these signs do nothing else between small letters.
_DIVIDED = re.compile(r"(?<=[^\W\d_])[\u2010\u00ad]\n\s*+(?=[^\W\d_])")
_HYPHEN = re.compile(r"[^\W\d_]\u2010[^\W\d_]")
# A title in comments keeps their signs, so its lines are not joined into one.
_COMMENT_SIGNS = "#;/"
_MARGIN = re.compile(r"\n[^\S\n]*+(?:>[ \t]?+|\|(?:[ \t]|$))++", re.MULTILINE)


class Rendering:
    """Writes segments of one document."""

    def __init__(self, document: Document, kinds: Mapping[int, Hashable] | None = None) -> None:
        """`kinds`: of each line of a log, what kind of line it is: marks count how many others of its kind are left out."""
        self._document = document
        self._kinds = kinds or {}
        self._known_texts = KnownTexts(document)

    @cached_property
    def _indents(self) -> list[str]:
        """Of each segment, its indentation on a line of its own; not of JSON."""
        return self._indentation.all()

    @cached_property
    def _indentation(self) -> DocumentIndentation:
        return DocumentIndentation(self._document, self.leads)

    @cached_property
    def leads(self) -> list[str]:
        """Of each segment, what stands before the text of the line that it begins on."""
        return leads_of(self._document)

    @cached_property
    def _block_sizes(self) -> Mapping[int, int]:
        return block_sizes(self._document)

    def render(
        self, kept: Collection[int], *, marks: bool = True, of_sections: SectionMarks = NO_MARKS
    ) -> str:
        """Return kept segments as one text: JSON where the document is that, with its marks in any case.

        Without `marks`, nothing says what was left out: for facts that are put back into a summary of the same text. `of_sections`: the
        marks of sections that are left out whole.
        """
        document = self._document
        if document.is_json:
            return render_json(document, kept, self._known_texts)
        order = sorted(kept)
        behind = self._marks_behind(order) if marks else {}
        gap = f" {GAP} " if marks else "\n"
        written = RenderedIndentation(self._indentation)
        parts: list[str] = [f"{of_sections[0]}\n\n"] if 0 in of_sections else []
        last, separator = NO_SEGMENT, "\n"
        for place, (index, following) in enumerate(
            zip_longest(order, order[1:], fillvalue=NO_SEGMENT), start=1
        ):
            is_cut = marks and _begins_cut(document, last, index, separator)
            begins_line = separator.endswith("\n")
            parts.append(separator if last != NO_SEGMENT else "")
            parts.append(self._shown(index, written, begins_line=begins_line, is_cut=is_cut))
            separator = _separator(document, index, following, gap) if following != NO_SEGMENT else ""
            if marks and _ends_cut(document, index, following, separator):
                parts.append(f" {GAP}")
            of_own, of_others = behind.get(index, ((), ()))
            parts += [*of_own, *self._closing_lines(index, following, written), *of_others]
            if place in of_sections:
                parts.append(f"\n\n{of_sections[place]}")
                separator = "\n\n"
            last = index
        return "".join(parts)

    def _shown(self, index: int, written: RenderedIndentation, *, begins_line: bool, is_cut: bool) -> str:
        """Return a segment with what stands before it on its line, and a mark where the start of its paragraph is left out."""
        indent = written.indent_of(index) if begins_line else written.beside(index)
        lead = self._lead_of(index, indent) if begins_line else ""
        return (
            f"{lead}{GAP} {self._text_of(index, indent)}" if is_cut else lead + self._text_of(index, indent)
        )

    def _marks_behind(self, order: Sequence[int]) -> Mapping[int, tuple[list[str], list[str]]]:
        """Return the lines that count what is left out behind kept segments: of each one's own block, and of those that it ends."""
        document = self._document
        # Lines that share a segment may be of several kinds.
        has_kinds = bool(self._kinds) and not document.is_joined
        like_it = self._left_out_like(order) if has_kinds else {}
        behind: dict[int, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
        for index, ones in _places_after(document, order, like_it).items():
            behind[index][0].extend(
                f"\n[{counted(like_it[one], _NAMES[document.segments[one].kind])} like this left out]"
                for one in ones
            )
        for index, marks in _marks(document, order, self._block_sizes, like_it).items():
            for block, mark in marks.items():
                behind[index][block != document.segments[index].block].append(f"\n{mark}")
        return behind

    def _left_out_like(self, order: Sequence[int]) -> dict[int, int]:
        """Return how many lines of its kind its block lacks, by the last line of each kind that is kept."""
        last = {self._kind_in_block(index): index for index in order if index in self._kinds}
        shown = self._sizes_of_kinds(index for index in order if index in self._kinds)
        counts = {index: self._kind_sizes[kind] - shown[kind] for kind, index in last.items()}
        return {index: count for index, count in counts.items() if count}

    @cached_property
    def _kind_sizes(self) -> Counter[Hashable]:
        return self._sizes_of_kinds(self._kinds)

    def _sizes_of_kinds(self, indices: Iterable[int]) -> Counter[Hashable]:
        """Return how many lines there are of each kind in each block."""
        sizes = Counter[Hashable]()
        for index in indices:
            sizes[self._kind_in_block(index)] += size_of(self._document, self._document.segments[index])
        return sizes

    def _kind_in_block(self, index: int) -> Hashable:
        return self._document.segments[index].block, self._kinds[index]

    def _closing_lines(self, index: int, following: int, written: RenderedIndentation) -> Iterator[str]:
        """Yield what closes the fenced blocks that a segment stands in and the one after it does not."""
        document = self._document
        frames = [
            at for at in (index, *document.above(index)) if document.segments[at].kind is SegmentKind.FRAME
        ]
        if not frames:
            return
        goes_on = {following, *document.above(following)} if following != NO_SEGMENT else set()
        for at in frames:
            if at not in goes_on and (closing := closing_line(document.of(at))):
                yield f"\n{self._lead_of(at, written.indent_of(at))}{closing}"

    def texts_of(self, indices: Iterable[int]) -> list[str]:
        """Return segments as `text_of` does."""
        if self._document.is_json:
            return list(map(self.text_of, indices))
        text, segments, leads, indents = (
            self._document.text,
            self._document.segments,
            self.leads,
            self._indents,
        )
        found: list[str] = []
        for index in indices:
            segment = segments[index]
            own = text[segment.start : segment.end]
            is_plain = "\n" not in own and ">" not in leads[index] and segment.kind is not SegmentKind.HEADING
            found.append(indents[index] + own if is_plain else self.text_of(index))
        return found

    def text_of(self, index: int) -> str:
        """Return a segment as it is rendered on a line of its own.

        A sentence in one line, JSON without white space, anything else in its own lines.
        """
        if self._document.is_json:
            return compact(self._document, index)
        indent, text = self._indents[index], self._text_of(index, self._indents[index])
        return self._lead_of(index, indent) + text if self.leads[index] else indent + text

    def _lead_of(self, index: int, indent: str) -> str:
        """Return what stands before a segment's first line: its indentation, in a quotation as in the document with its signs."""
        lead = self.leads[index]
        if not _is_quotation(lead):
            return indent
        signs = lead.lstrip()
        return indent[: max(0, len(indent) - len(signs))] + signs

    def _text_of(self, index: int, indent: str) -> str:
        segment = self._document.segments[index]
        text = self._document.text[segment.start : segment.end]
        if segment.kind is SegmentKind.HEADING and (below := underline(self._document, index)):
            return " ".join(text.split()) + below
        if "\n" not in text:
            return text
        lead = self.leads[index]
        if not lead.isspace() and lead:
            text = _MARGIN.sub("\n", text)
        is_title = segment.kind is SegmentKind.HEADING and text[0] not in _COMMENT_SIGNS
        if is_title or segment.kind is SegmentKind.SENTENCE:
            text = _UNSPACED_WRAP.sub("", self._with_whole_words(text))
            return " ".join(line.strip() for line in text.split("\n"))
        if _is_quotation(lead):
            return self._document.of(index)
        return _with_indent(text, lead, indent)

    def _with_whole_words(self, text: str) -> str:
        """Return a text with the words that a hyphen divides at a line's end in one, unless the document writes that sign within lines."""
        return _DIVIDED.sub(_joined, text) if self._divides_words else text

    @cached_property
    def _divides_words(self) -> bool:
        text = self._document.text
        return any(map(text.__contains__, "\u2010\u00ad")) and not _HYPHEN.search(text)


class ChosenText:
    """Chosen segments as text, with what each requires: the headings, head row, name of the record and sentence it depends on."""

    def __init__(
        self,
        rendering: Rendering,
        required: Mapping[int, Collection[int]],
        tokenizer: Tokenizer,
        *,
        marks: bool = True,
    ) -> None:
        """`required`: what must be kept with each segment that may be chosen; `marks` as in `Rendering.render`."""
        self._rendering = rendering
        self._required = required
        self._tokenizer = tokenizer
        self._marks = marks
        self._counted: dict[tuple[int, ...], int] = {}

    def with_required(self, chosen: Iterable[int]) -> set[int]:
        """Return them with what they require."""
        return {part for index in chosen for part in (index, *self._required[index])}

    def text(self, chosen: Sequence[int]) -> str:
        """Return them as text."""
        return self._rendering.render(self.with_required(chosen), marks=self._marks)

    def tokens(self, chosen: Sequence[int]) -> int:
        """Return the tokens of that text; those of the same choice are counted once."""
        key = tuple(chosen)
        if key not in self._counted:
            self._counted[key] = self._tokenizer.count(self.text(chosen))
        return self._counted[key]


def _joined(division: re.Match[str]) -> str:
    """Return what stands between the parts of a divided word: nothing before a small letter; a name keeps its sign."""
    return "" if division.string[division.end()].islower() else division[0]


def _is_quotation(lead: str) -> bool:
    """Whether lines behind a lead are quoted; bars alone are a margin."""
    return ">" in lead and "|" not in lead


def render(document: Document, kept: Collection[int]) -> str:
    """Return kept segments as one text: JSON where the document is that."""
    return Rendering(document).render(kept)


def _with_indent(text: str, lead: str, indent: str) -> str:
    """Return a text whose lines but the first stood behind `lead` with those behind `indent`; a line less indented loses as much."""
    if len(lead) == len(indent):
        return text
    surplus = max(0, len(lead.expandtabs()) - len(indent.expandtabs()))
    first, *others = text.split("\n")
    return "\n".join(
        [
            first,
            *(
                indent + line[len(lead) :] if line.startswith(lead) else _moved_out(line, surplus)
                for line in others
            ),
        ]
    )


def _moved_out(line: str, columns: int) -> str:
    """Return a line with so many columns less before its text, or as many as there are."""
    text = line.lstrip()
    return line[: len(line) - len(text)].expandtabs()[columns:] + text


def _places_after(document: Document, order: Sequence[int], marked: Collection[int]) -> dict[int, list[int]]:
    """Return the segments with a mark by the segment that this stands after: the last of those kept that hang on them, the inner ones first."""
    last: dict[int, int] = {}
    for index in order if marked else ():
        for at in (index, *document.above(index)):
            if at in marked:
                last[at] = index
    after: dict[int, list[int]] = {}
    for of, index in sorted(last.items(), reverse=True):
        after.setdefault(index, []).append(of)
    return after


def _marks(
    document: Document, order: Sequence[int], sizes: Mapping[int, int], like_it: Mapping[int, int]
) -> dict[int, dict[int, str]]:
    """Return the marks of blocks of rows, items or lines of which only some are kept, by the segment that each stands after.

    That is the last of those kept, or what hangs on it. `order`: what is kept; `sizes`: how many each block has; `like_it`: how
    many lines marks of their own count.
    """
    segments = document.segments
    names = {
        segment.block: "line" if document.is_joined else _NAMES[segment.kind]
        for segment in map(segments.__getitem__, order)
        if segment.kind in _NAMES
    }
    told = Counter[int]()
    for index, count in like_it.items():
        told[segments[index].block] += count
    counts = {
        block: count - told[block]
        for block, count in left_out(document, order, sizes).items()
        if block in names and count > told[block]
    }
    last: dict[int, int] = {}
    for index in order if counts else ():
        for at in (index, *document.above(index)):
            if segments[at].block in counts:
                last[segments[at].block] = index
    marks: dict[int, dict[int, str]] = {}
    for block, index in last.items():
        name = ("other " if told[block] else "") + names[block]
        marks.setdefault(index, {})[block] = f"[{counted(counts[block], name)} left out]"
    return marks


def _begins_cut(document: Document, last: int, index: int, separator: str) -> bool:
    """Whether the start of a segment's paragraph is left out, and no mark says so yet."""
    is_sentence = document.segments[index].kind is SegmentKind.SENTENCE
    return is_sentence and GAP not in separator and is_start_cut(document, last, index)


def _ends_cut(document: Document, index: int, following: int, separator: str) -> bool:
    """Whether the end of a segment's paragraph is left out, and no mark says so behind it or before what else is said of it."""
    if GAP in separator or not is_end_cut(document, index, following):
        return False
    is_said_of_it = following != NO_SEGMENT and document.segments[following].parent == index
    return not is_said_of_it or not _begins_cut(document, index, following, separator)


def _separator(document: Document, last: int, index: int, mark: str) -> str:
    """Return what stands between two segments: white space as in the document, and a mark inside a paragraph or in code."""
    one, other = document.segments[last], document.segments[index]
    gap = document.text[one.end : other.start]
    is_cut = one.block == other.block and (index > last + 1 or index in document.gaps)
    if is_cut and {one.kind, other.kind} in _IN_CODE and "\n" in gap:
        return f"\n{mark.strip()}\n" if mark.strip() else "\n"
    is_next = index == last + 1 and index not in document.gaps
    if is_cut and other.kind is SegmentKind.CONTINUATION and "\n" in gap:
        return f"{mark.rstrip()}\n"
    is_paragraph = other.kind is one.kind is SegmentKind.SENTENCE and not _is_term(document, last, other, gap)
    if one.block == other.block and (is_paragraph or "\n" not in gap):
        return gap_in_line(document, last, index) if is_next else mark
    if is_next and not gap.strip(" \t"):
        return gap_in_line(document, last, index)
    if SegmentKind.HEADING in (one.kind, other.kind) or BLANK_LINE.search(gap):
        return "\n\n" if other.kind is SegmentKind.HEADING or BLANK_LINE.search(gap) else "\n"
    return "\n" if "\n" in gap else " "


def _is_term(document: Document, last: int, other: Segment, gap: str) -> bool:
    """Whether a segment is a term on a line of its own, over what the next one says of it."""
    return other.parent == last and "\n" in gap and not ends_sentence(document.of(last))
