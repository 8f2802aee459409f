"""Collects the segments of a document while it is read: keeps which headings are open, and what the next segment hangs on.

Knows no format: the readers of lists, tables, code and prose put their segments here.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from summarizing.text.document import NO_SEGMENT, Segment, SegmentKind, Span
from summarizing.text.language.sentence_spans import SentenceFinder
from summarizing.text.language.sentence_ties import is_fragment, is_question, is_tied, is_title
from summarizing.text.lines import Line, parted

# An item or a comment is one segment up to this size; a longer one is cut into its sentences.
MAX_ITEM_CHARS = 400

# In Markdown (CommonMark 6.3).
_LINK_ALONE = re.compile(r"\[[^\[\]]{1,100}+\]\((?:[^()\s]|\([^()\s]{0,100}+\)){1,500}+\)[.:]?+\Z")

# Makes a segment of its fields in order: a text has many, and this is the quickest way.
_new = tuple.__new__

# Of sentences that each refer to the one before, so many come together at most: each needs all before it.
MAX_TIED = 16


class Outline:
    """The segments that later ones may hang on, each indented further than the one before it."""

    def __init__(self) -> None:
        self._open: list[tuple[float, int]] = []

    def above(self, indent: float, top: int) -> int:
        """Return what a line with this indentation hangs on, `top` where nothing is indented less; forget what is indented as far or further."""
        while self._open and self._open[-1][0] >= indent:
            self._open.pop()
        return self._open[-1][1] if self._open else top

    def add(self, indent: float, index: int) -> None:
        """Let what is indented further hang on a segment."""
        self._open.append((indent, index))

    def has_last_at(self, indent: float) -> bool:
        """Whether the last one is indented just so far."""
        return bool(self._open) and self._open[-1][0] == indent

    def without_last(self, top: int) -> int:
        """Forget the last one, and return the one before it; `top` where there is none."""
        self._open.pop()
        return self._open[-1][1] if self._open else top

    def clear(self) -> None:
        """Forget all of them."""
        self._open.clear()


class Builder:
    """The segments of a text, in their order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.segments: list[Segment] = []
        self.width = 0
        """The column where the text's lines are wrapped; 0 while it is not known."""
        self.next_line: Line | None = None
        """What comes after the paragraph that is read; None where a title or nothing does."""
        self.next_indent = -1
        """How far that is indented; -1 where nothing goes on there."""
        self.tagged: Collection[int] = ()
        """Where lines begin that have a term and its description."""
        self._sentences = SentenceFinder(text)
        self._has_gutters = False
        self._block = 0
        self._is_marginal = False
        self._marks: dict[int, str] = {}
        self._headings: list[tuple[int, int]] = []
        self._unmarked: set[int] = set()
        self._closings: set[int] = set()
        # The segments that deeper-indented lines hang on, with their indentation; an introductory line counts as half a column less.
        self._hangers = Outline()
        self._question = NO_SEGMENT
        # How many of the last sentences each come only with the one before.
        self._tied = 0

    def put(
        self,
        span: Span,
        kind: SegmentKind,
        parent: int,
        *,
        level: int = 0,
        follows: bool = False,
        anchor: int = NO_SEGMENT,
    ) -> int:
        """Add a segment and return its number."""
        fields = (*span, kind, parent, self._block, level, follows, self._is_marginal, anchor)
        self.segments.append(_new(Segment, fields))
        return len(self.segments) - 1

    def look_ahead(self, line: Line | None, indent: int) -> None:
        """Note which line comes next, if any, and how far it is indented: -1 where it does not go on with what comes before it."""
        self.next_line, self.next_indent = line, indent

    def set_layout(self, *, width: int, has_gutters: bool, tagged: Collection[int]) -> None:
        """Say where lines are wrapped, whether signs of a quotation or a margin stand before them, and which begin with a term."""
        self.width, self.tagged = width, tagged
        self._has_gutters = has_gutters

    def begin_block(self) -> None:
        """Let the segments that come next be a block of their own."""
        self._block += 1

    @contextmanager
    def marginal(self) -> Iterator[None]:
        """Mark the segments of this `with` block as marginal: a licence, navigation, a table of contents."""
        before, self._is_marginal = self._is_marginal, True
        try:
            yield
        finally:
            self._is_marginal = before

    def mark_marginal(self, index: int) -> None:
        """Let a segment that is there already weigh little."""
        self.segments[index] = self.segments[index]._replace(is_marginal=True)

    def anchor(self, index: int, anchor: int) -> None:
        """Let a segment come only with another one that says what it is about; one that is closed below, by way of what closes it."""
        while self.segments[index].anchor in self._closings:
            index = self.segments[index].anchor
        self.segments[index] = self.segments[index]._replace(anchor=anchor)

    def enclose(self, opening: int, span: Span, *, is_bare: bool = False) -> int:
        """Add what closes a segment, which comes only with that: so brackets stay in pairs. `is_bare`: nothing but a key stands before its bracket."""
        first = self.segments[opening]
        closing = self.put(span, SegmentKind.FRAME, opening, anchor=first.anchor)
        kind = SegmentKind.FRAME if is_bare else first.kind
        self.segments[opening] = first._replace(anchor=closing, kind=kind)
        self._closings.add(closing)
        return closing

    @property
    def heading(self) -> int:
        """Return the heading that is open; NO_SEGMENT before the first."""
        return self._headings[-1][1] if self._headings else NO_SEGMENT

    def above(self, segment: Segment) -> Iterator[Segment]:
        """Yield what a segment hangs on, the nearest first."""
        while segment.parent != NO_SEGMENT:
            yield (segment := self.segments[segment.parent])

    def put_heading(self, span: Span, level: int, *, is_marked: bool = True) -> int:
        """Add a heading, which closes those of its level and below; a rule closes it if no sign marks it."""
        self._close(level)
        index = self.put(span, SegmentKind.HEADING, self.heading, level=level)
        self._headings.append((level, index))
        if not is_marked:
            self._unmarked.add(index)
        return index

    def hang_section_on(self, index: int) -> None:
        """Let the rest of the open section hang on another segment than its heading, such as the last field of a mail's head."""
        self._headings[-1] = (self._headings[-1][0], index)

    def put_statement(self, span: Span, level: int) -> int:
        """Add what stands where a heading may, and says something by itself."""
        self._close(level)
        index = self.put_item(span, SegmentKind.ITEM, self.heading)
        self._headings.append((level, index))
        self._unmarked.add(index)
        return index

    def _close(self, level: int) -> None:
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._block += 1
        self._hangers.clear()

    def end_section(self, level: int, sign: Span | None) -> None:
        """Close the headings of a level and below; what comes next hangs on the sign that ended them, if one is given."""
        self._close(level)
        if sign:
            self._headings.append((level, self.put(sign, SegmentKind.FRAME, self.heading)))

    def put_rule(self, span: Span) -> None:
        """Close the headings that no sign marks: what comes next is not part of them, and hangs on the rule that ended them."""
        highest = 0
        while self._headings and self._headings[-1][1] in self._unmarked:
            highest = self._headings.pop()[0]
        self._hangers.clear()
        if highest:
            self._block += 1
            # A deeper heading than those that end here is not part of them either, and hangs on the rule, too.
            index = self.put(span, SegmentKind.FRAME, self.heading)
            self._headings.append((highest, index))
            self._unmarked.add(index)

    def parent_at(self, indent: float) -> int:
        """Return what a line with this indentation hangs on, and forget what is indented as far or further."""
        return self._hangers.above(indent, self.heading)

    def parent_of_block(self, indent: float) -> int:
        """Return what a block that is not a list hangs on; on an introductory line only directly after it."""
        parent = self.parent_at(indent)
        is_announced = self._hangers.has_last_at(indent - 0.5)
        return self.parent_at(indent - 0.5) if is_announced and parent != len(self.segments) - 1 else parent

    def parent_of_item(self, indent: float, mark: str) -> int:
        """Return what an item hangs on; items with the same sign do not hang on one another."""
        parent = self.parent_at(indent)
        while self._hangers.has_last_at(indent - 0.5) and self._marks.get(parent) == mark:
            parent = self._hangers.without_last(self.heading)
        return parent

    def hang_items_below(self, indent: float, index: int, mark: str) -> None:
        """Let items with another sign than `mark` hang on an item that introduces them."""
        self._marks[index] = mark
        self._hangers.add(indent - 0.5, index)

    def hang_below_item(self, indent: float, index: int, mark: str) -> None:
        """Let what is indented further than an item hang on it, but not an item with the same sign that stands one column to the right."""
        self._marks[index] = mark
        self.hang_below(indent + 0.5, index)

    def hang_below(self, indent: float, index: int) -> None:
        """Let what is indented further than `indent` hang on a segment."""
        self._hangers.above(indent, NO_SEGMENT)
        self._hangers.add(indent, index)

    def asked(self, question: int, indent: float) -> None:
        """Let the next answer, and what is indented further than `indent`, hang on a question."""
        self._question = question
        self.hang_below(indent, question)

    def take_question(self, parent: int) -> int:
        """Return the question that is to be answered, if it hangs on `parent`; else that."""
        question, self._question = self._question, NO_SEGMENT
        return question if question != NO_SEGMENT and self.segments[question].parent == parent else parent

    def put_sentences(self, stretch: Span, parent: int, *, continues: bool, resumes: bool) -> list[int]:
        """Add the sentences of a paragraph.

        `continues`: what stands before it is a sentence of the same section, or a list that one introduces; `resumes`: the first of them began above that.
        A link alone, before others, names what they are about: "[Allegro](https://example.org). The site went down."
        """
        found: list[int] = []
        for span in self.sentence_spans(stretch):
            if not found and span[1] < stretch[1] and _LINK_ALONE.match(self.text, *span):
                parent = self.put(span, SegmentKind.FRAME, parent)
                found.append(parent)
                continue
            is_inside = bool(found)
            comes_with_last = (
                ((is_inside or continues) and self._is_tied(span))
                or (is_inside and self._is_answer(span))
                or (resumes and not is_inside)
            )
            follows = self._comes_with_last(is_tied=comes_with_last)
            found.append(self.put(span, SegmentKind.SENTENCE, parent, follows=follows))
        return found

    def _comes_with_last(self, *, is_tied: bool) -> bool:
        """Return whether the next segment comes only with the one before it: if it is tied to it and not to too many."""
        follows = is_tied and self._tied < MAX_TIED
        self._tied = self._tied + 1 if follows else 0
        return follows

    def sentence_spans(self, stretch: Span) -> Iterator[Span]:
        """Yield the spans of the sentences of a stretch."""
        return self._sentences.spans(*stretch, has_gutters=self._has_gutters)

    def ties(self, span: Span) -> bool:
        """Return whether the next segment, a sentence or line, comes only with the one before it, and note it."""
        return self._comes_with_last(is_tied=self._is_tied(span))

    def _is_tied(self, span: Span) -> bool:
        before = self.segments[-1]
        return is_tied(self._text_of(span), self.text[before.start : before.end])

    def _is_answer(self, span: Span) -> bool:
        """Whether a sentence answers the question before it in its paragraph, or says nothing without what stands before it."""
        before = self.segments[-1]
        return is_question(self.text, before.start, before.end) or is_fragment(self._text_of(span))

    def _text_of(self, span: Span) -> str:
        return self.text[span[0] : span[1]]

    def put_item(self, span: Span, kind: SegmentKind, parent: int, *, follows: bool = False) -> int:
        """Add an item: whole if it is short, otherwise its sentences, of which the others hang on the first; return the first.

        A first sentence that is a title says nothing alone, and comes with the second: "7. Disclaimer of Warranty. Unless required by law, ...".
        """
        if span[1] - span[0] <= MAX_ITEM_CHARS:
            return self.put(span, kind, parent, follows=follows)
        rest = kind if kind in (SegmentKind.CODE, SegmentKind.FRAME) else SegmentKind.CONTINUATION
        spans = self.sentence_spans(span)
        begin = next(spans)
        if is_title(self._text_of(begin)):
            begin = begin[0], next(spans, begin)[1]
        first = self.put(begin, kind, parent, follows=follows)
        for other in spans:
            self.put(other, rest, first, follows=self.ties(other))
        return first


def span_of(lines: Sequence[Line]) -> Span:
    """Return where the first of some lines begins and the last ends."""
    return lines[0].start, lines[-1].end


def groups(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Yield the stretches between blank lines."""
    return parted(lines, lambda _, line: line.gap)
