"""Collects the segments of a document while it is read: keeps which headings are open, and what the next segment hangs on.

Knows no format: the readers of lists, tables, code and prose put their segments here.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cache

from summarizing.text.document import NO_SEGMENT, Segment, SegmentKind
from summarizing.text.language_words import language_words
from summarizing.text.lines import COLONS, Line
from summarizing.text.sentence_spans import SentenceFinder

# An item or a comment is one segment up to this size; a longer one is cut into its sentences.
MAX_ITEM_CHARS = 400

# Makes a segment of its fields in order: a text has many, and this is the quickest way.
_new = tuple.__new__

_COLONS = tuple(COLONS)
# A line of text, and half of the next one.
ANNOUNCING_CHARS = 120

# A sentence with fewer words, and no more characters, is a fragment of what stands before it.
MIN_WORDS = 3
MAX_FRAGMENT_CHARS = 40

# Words of titles in English that may begin with a small letter have so many letters at most.
MAX_SMALL_WORD_CHARS = 3
# Chinese and Japanese, which do not part their words, begin here.
WIDE = "\u2e80"

QUESTIONS = "?\uff1f"

# Of sentences that each refer to the one before, so many come together at most: each needs all before it.
MAX_TIED = 16

# So much of a sentence is looked at to see what it refers to: three words.
OPENING_CHARS = 32

_NOT_WORDS = " \t\n\"'“”„«»‘’([*_¿¡"

_STOPS = ",;:.)]"


def refers_back(text: str) -> bool:
    """Whether a sentence begins with words that refer to the one before it, has such a word right behind ("Previously it", "To do this"), or ends with one.

    `text`: the sentence; of its beginning only so many characters are looked at, and half a word at their end is none.
    """
    first = text[:OPENING_CHARS].lstrip(_NOT_WORDS)
    known = language_words()
    if first[:1] > "\u2fff":
        return first.startswith(known.referring_unspaced)
    words = _plain_words(first)
    edge = text[OPENING_CHARS - 1 : OPENING_CHARS + 1]
    is_cut = len(edge) > 1 and not any(map(str.isspace, edge))
    words = (words[:-1] if is_cut else words)[:3]
    if not words or words[0] in known.referring or " ".join(words[:2]) in known.referring_phrases:
        return bool(words)
    has_pronoun = not known.pronouns.isdisjoint(words[1:2])
    has_demonstrative = not known.demonstratives.isdisjoint(
        words[1:] + _plain_words(text[-OPENING_CHARS:])[-1:]
    )
    return words[0].isalpha() and (has_pronoun or has_demonstrative)


def _plain_words(text: str) -> list[str]:
    """Return the words of a text in small letters, without the signs around them and what is contracted with them: "that" of "That's"."""
    return [word.rstrip(_STOPS).partition("'")[0] for word in text.lower().replace("\u2019", "'").split()]


def points_elsewhere(text: str) -> bool:
    """Whether a sentence says nothing but where in the same text more is said: "See Types below."; it is short, as what announces is.

    The word of place is its last or its second one. Behind a second one ("See above 40 euros a month") no number stands but at the end.
    """
    if len(text) > ANNOUNCING_CHARS:
        return False
    text, known = text.lstrip(_NOT_WORDS).lower(), language_words()
    # Most sentences begin with another word.
    if not text or text.split(None, 1)[0].rstrip(_STOPS) not in known.pointing:
        return False
    words = [word.rstrip(_STOPS) for word in text.split()]
    if words[-1] in known.places:
        return True
    return not known.places.isdisjoint(words[1:2]) and not any(map(str.isdigit, "".join(words[:-1])))


def _is_fragment(text: str) -> bool:
    """Whether a sentence has so few words that it says nothing without those before it: "See Types.", "Thanks."."""
    return len(text) <= MAX_FRAGMENT_CHARS and max(text) < WIDE and len(text.split()) < MIN_WORDS


def _is_title(text: str) -> bool:
    """Whether a sentence is a title: a fragment, or each word begins with a capital, a digit or a sign, but for short ones ("of", "and")."""
    words = text.split()
    has_plain_word = any(word[0].islower() for word in words if len(word) > MAX_SMALL_WORD_CHARS)
    return _is_fragment(text) or (max(text) < WIDE and not has_plain_word)


def announces(text: str) -> bool:
    """Whether a sentence or line announces the next one, which says something else without it: "Print the following sentence."."""
    if text.endswith(_COLONS):
        return True
    end = text[-ANNOUNCING_CHARS:]
    if end[-1:] > "\u2fff":
        return any(word in end for word in language_words().announcing_unspaced)
    end = end.lower()
    # Most sentences have none of them anywhere.
    if not any(map(end.__contains__, _announcing())):
        return False
    return not language_words().announcing.isdisjoint(word.strip(",;.!?") for word in end.split())


@cache
def _announcing() -> Sequence[str]:
    """Return the shortest of the words that announce: each of the others has one of them in it."""
    words = language_words().announcing
    return [word for word in words if not any(other in word for other in words - {word})]


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
        # The segments that deeper-indented lines hang on, with their indentation; an introductory line counts as half a column less.
        self._hangers: list[tuple[float, int]] = []
        self._question = NO_SEGMENT
        # How many of the last sentences each come only with the one before.
        self._tied = 0

    def put(
        self,
        span: tuple[int, int],
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

    def anchor(self, index: int, anchor: int) -> None:
        """Let a segment come only with another one that says what it is about."""
        self.segments[index] = self.segments[index]._replace(anchor=anchor)

    @property
    def heading(self) -> int:
        """Return the heading that is open; NO_SEGMENT before the first."""
        return self._headings[-1][1] if self._headings else NO_SEGMENT

    def above(self, segment: Segment) -> Iterator[Segment]:
        """Yield what a segment hangs on, the nearest first."""
        while segment.parent != NO_SEGMENT:
            yield (segment := self.segments[segment.parent])

    def put_heading(self, span: tuple[int, int], level: int, *, is_marked: bool = True) -> int:
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

    def put_statement(self, span: tuple[int, int], level: int) -> int:
        """Add what stands where a heading may, and says something by itself."""
        self._close(level)
        index = self.put_item(*span, SegmentKind.ITEM, self.heading)
        self._headings.append((level, index))
        self._unmarked.add(index)
        return index

    def _close(self, level: int) -> None:
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._block += 1
        self._hangers.clear()

    def put_rule(self, span: tuple[int, int]) -> None:
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
        while self._hangers and self._hangers[-1][0] >= indent:
            self._hangers.pop()
        return self._hangers[-1][1] if self._hangers else self.heading

    def parent_of_block(self, indent: float) -> int:
        """Return what a block that is not a list hangs on; on an introductory line only directly after it."""
        parent = self.parent_at(indent)
        is_announced = bool(self._hangers) and self._hangers[-1][0] == indent - 0.5
        return self.parent_at(indent - 0.5) if is_announced and parent != len(self.segments) - 1 else parent

    def parent_of_item(self, indent: float, mark: str) -> int:
        """Return what an item hangs on; items with the same sign do not hang on one another."""
        parent = self.parent_at(indent)
        while self._hangers and self._hangers[-1][0] == indent - 0.5 and self._marks.get(parent) == mark:
            self._hangers.pop()
            parent = self._hangers[-1][1] if self._hangers else self.heading
        return parent

    def hang_items_below(self, indent: float, index: int, mark: str) -> None:
        """Let items with another sign than `mark` hang on an item that introduces them."""
        self._marks[index] = mark
        self._hangers.append((indent - 0.5, index))

    def hang_below_item(self, indent: float, index: int, mark: str) -> None:
        """Let what is indented further than an item hang on it, but not an item with the same sign that stands one column to the right."""
        self._marks[index] = mark
        self.hang_below(indent + 0.5, index)

    def hang_below(self, indent: float, index: int) -> None:
        """Let what is indented further than `indent` hang on a segment."""
        while self._hangers and self._hangers[-1][0] >= indent:
            self._hangers.pop()
        self._hangers.append((indent, index))

    def asked(self, question: int, indent: float) -> None:
        """Let the next answer, and what is indented further than `indent`, hang on a question."""
        self._question = question
        self.hang_below(indent, question)

    def take_question(self, parent: int) -> int:
        """Return the question that is to be answered, if it hangs on `parent`; else that."""
        question, self._question = self._question, NO_SEGMENT
        return question if question != NO_SEGMENT and self.segments[question].parent == parent else parent

    def put_sentences(
        self, start: int, end: int, parent: int, *, continues: bool = False, resumes: bool = False
    ) -> list[int]:
        """Add the sentences of a paragraph.

        `continues`: what stands before it is a sentence of the same section, or a list that one introduces; `resumes`: the first of them began above that.
        """
        found: list[int] = []
        for span in self.sentence_spans(start, end):
            is_tied = (bool(found) or continues) and self._is_tied(*span)
            is_tied = is_tied or (bool(found) and self._is_answer(*span))
            follows = self._comes_with_last(is_tied=is_tied or (resumes and not found))
            found.append(self.put(span, SegmentKind.SENTENCE, parent, follows=follows))
        return found

    def _comes_with_last(self, *, is_tied: bool) -> bool:
        """Return whether the next segment comes only with the one before it: if it is tied to it and not to too many."""
        follows = is_tied and self._tied < MAX_TIED
        self._tied = self._tied + 1 if follows else 0
        return follows

    def sentence_spans(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the spans of the sentences of a stretch."""
        return self._sentences.spans(start, end, has_gutters=self._has_gutters)

    def ties(self, start: int, end: int) -> bool:
        """Return whether the next segment, a sentence or line, comes only with the one before it, and note it."""
        return self._comes_with_last(is_tied=self._is_tied(start, end))

    def _is_tied(self, start: int, end: int) -> bool:
        """Whether a sentence comes only with the one before it: it refers to that, or that announces it.

        One in parentheses or brackets says something of the one before: who said it, where it stands, since when it is so.
        """
        before = self.segments[-1]
        return (
            self.text[start] in "(\uff08"
            or (self.text[start] == "[" and self.text[start:end].endswith(("]", "].")))
            or refers_back(self.text[start:end])
            or announces(self.text[before.start : before.end])
            or points_elsewhere(self.text[start:end])
        )

    def _is_answer(self, start: int, end: int) -> bool:
        """Whether a sentence answers the question before it in its paragraph, or says nothing without what stands before it."""
        return self.text[self.segments[-1].end - 1] in QUESTIONS or _is_fragment(self.text[start:end])

    def put_item(self, start: int, end: int, kind: SegmentKind, parent: int, *, follows: bool = False) -> int:
        """Add an item: whole if it is short, otherwise its sentences, of which the others hang on the first; return the first.

        A first sentence that is a title says nothing alone, and comes with the second: "7. Disclaimer of Warranty. Unless required by law, ...".
        """
        if end - start <= MAX_ITEM_CHARS:
            return self.put((start, end), kind, parent, follows=follows)
        rest = kind if kind in (SegmentKind.CODE, SegmentKind.FRAME) else SegmentKind.CONTINUATION
        spans = self.sentence_spans(start, end)
        begin, stop = next(spans)
        if _is_title(self.text[begin:stop]):
            _, stop = next(spans, (begin, stop))
        first = self.put((begin, stop), kind, parent, follows=follows)
        for span in spans:
            self.put(span, rest, first, follows=self.ties(*span))
        return first


def span_of(lines: Sequence[Line]) -> tuple[int, int]:
    """Return where the first of some lines begins and the last ends."""
    return lines[0].start, lines[-1].end


def groups(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Yield the stretches between blank lines."""
    first = 0
    for number in range(1, len(lines)):
        if lines[number].gap:
            yield lines[first:number]
            first = number
    if lines:
        yield lines[first:]
