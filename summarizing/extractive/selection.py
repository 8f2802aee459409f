"""The summarizer that needs no model: it keeps the units of a text that say most for their tokens.

A pure function of its arguments, linear in the content. Units are kept whole or not at all: none is rewritten,
reordered or invented. Refuses to know models, chunks and tasks.

The story: summarizing/text/segments.py finds the units and what each makes no sense without, summarizing/relevance/weights.py says what each is worth by
itself; here `_Chooser` fills the target with what is worth most beside what it has already, and `_join` puts it
together.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush

from summarizing.relevance.weights import LEAD_IN_WORTH, Scorer, release
from summarizing.text.segments import NONE, Document, Form, Units, read
from summarizing.text.sentences import is_sentence_end
from summarizing.text.stemming import is_unspaced
from summarizing.text.tokenizer import Tokenizer

# --- Choice -----------------------------------------------------------------------------------------------

# Added to each unit's tokens: what it costs a reader to begin anew. Keeps fragments from winning by being
# short.
READING_TOKENS = 6

# The part of a heading's or head row's cost that the first unit under it is charged with; the next ones
# share it.
SHARE_OF_PARENTS = 0.25

# A unit whose worth has changed by less since it was last weighed is taken without weighing the others again.
TOLERANCE = 0.85

# With less room than this no unit is left that says anything.
MIN_ROOM_TOKENS = 4

# A sentence whose words are so far those of one already kept, and that has no number of its own, repeats it.
REPEATED_SHARE = 0.8

# Documents without headings are covered evenly in stretches of this part of the whole, but of at least so
# many characters.
CELLS = 40
MIN_CELL_CHARS = 1_500

# A section with four times as much to say gets about three times the room.
CELL_EXPONENT = 0.75

# A common word is in many kept units; any few of them show whether one of them says the same.
MAX_KEEPERS = 20

# How fast an answer loses its worth with the news in it.
NEWS_EXPONENT = 3.0

# Where something is asked for, spreading over sections and areas matters less than finding it.
EASE_WITH_BRIEF = 20.0


# A unit whose worth has changed is put back and the next one weighed. Where all are much alike, each that is kept changes the worth
# of thousands: so many in a row are weighed again, and few once there were so many weighings, and one more for each unit.
MAX_STALE = 500
FEW_STALE = 4
MIN_WEIGHINGS = 2_000

# Where so many in a row do not fit the room that is left, it stays empty.
MAX_MISSES = 1_000

SAMPLES = 8
SAMPLE_CHARS = 2_000


class _Queue:
    """Units by worth, the best first: a heap that is built one by one, since building it at once is one long step."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int]] = []

    def __bool__(self) -> bool:
        return bool(self._heap)

    def push(self, worth: float, index: int) -> None:
        """Add a unit."""
        heappush(self._heap, (-worth, index))

    def pop(self) -> int:
        """Take out the best unit."""
        return heappop(self._heap)[1]

    def best(self) -> float:
        """Return the worth of the best unit."""
        return -self._heap[0][0]

    def clear(self) -> None:
        """Let go of the rest."""
        release(self._heap)


class _Chooser:
    """Fills the target: next comes what is worth most a token beside what is kept (lazy greedy)."""

    def __init__(
        self, content: str, document: Document, scorer: Scorer, target: int, tokenizer: Tokenizer
    ) -> None:
        self._content, self._document, self._scorer, self._tokenizer = content, document, scorer, tokenizer
        self._units = document.units
        self._left = target
        self._tokens: dict[int, int] = {}
        self._kept: set[int] = set()
        self._said: Counter[str] = Counter()
        self._keepers: dict[str, list[int]] = defaultdict(list)
        self._cells = _cells(content, document.units)
        self._spent: Counter[tuple[str, int]] = Counter()
        self._room: dict[tuple[str, int], float] = {}
        self._weighings = 0

    def choose(self, among: Iterable[int]) -> list[int]:
        """Return which of some units to keep, the most valuable first, without what they hang on."""
        queue = self._first_weighing(among)
        order: list[int] = []
        stale = misses = 0
        while queue and self._left >= MIN_ROOM_TOKENS and misses < MAX_MISSES:
            index = queue.pop()
            # What does not fit now never will: what is kept of its needs takes as much of the room.
            if index in self._kept or not self._fits(index):
                misses += index not in self._kept
                continue
            misses = 0
            worth = self._weigh(index)
            if queue and stale < self._most_stale() and worth < TOLERANCE * queue.best():
                queue.push(worth, index)
                stale += 1
                continue
            stale = 0
            if not self._repeats(index):
                self._keep(index)
                order.append(index)
                if self._is_announced(index):
                    queue.push(self._weigh(index - 1), index - 1)
        queue.clear()
        return order

    def _most_stale(self) -> int:
        """Return how many units in a row may be weighed again before one is kept."""
        return MAX_STALE if self._weighings < MIN_WEIGHINGS + len(self._units) else FEW_STALE

    def _first_weighing(self, among: Iterable[int]) -> _Queue:
        """Weigh units by estimate, and share the target out to sections and areas."""
        scorer, target = self._scorer, self._left
        per_char = _tokens_per_char(self._content, self._tokenizer)
        in_cells: dict[int, float] = defaultdict(float)
        queue = _Queue()
        for index in among:
            worth = scorer.values[index]
            if worth > 0:
                in_cells[self._cells[index]] += worth
                chars = self._units.end[index] - self._units.start[index]
                queue.push(worth / (chars * per_char + READING_TOKENS), index)
        shares = {cell: worth**CELL_EXPONENT for cell, worth in in_cells.items()}
        whole = sum(shares.values()) or 1.0
        areas = set(scorer.areas) - {NONE}
        ease = EASE_WITH_BRIEF if areas else 1.0
        self._room = {("cell", cell): ease * target * share / whole + 1 for cell, share in shares.items()}
        self._room |= {("area", area): ease * target / len(areas) for area in areas}
        return queue

    def _weigh(self, index: int) -> float:
        """Return what a unit is worth a token now."""
        self._weighings += 1
        said, weights = self._said, self._scorer.weights(index)
        floor = self._scorer.floor(index)
        says = sum(
            [
                weights[term] * max(floor, 1 / (1 + said[term])) if term in said else weights[term]
                for term in self._scorer.terms[index]
            ]
        )
        answer = self._scorer.answer[index]
        worth = self._scorer.worth[index] * (says + (answer and answer * self._news(index)))
        if index + 1 in self._kept and self._scorer.is_lead_in(index):
            worth /= LEAD_IN_WORTH
        for place in self._places(index):
            worth /= 1 + self._spent[place] / self._room[place]
        parents = sum(map(self._count, self._needs(index)))
        return worth / (self._count(index) + READING_TOKENS + SHARE_OF_PARENTS * parents)

    def _news(self, index: int) -> float:
        """Return how new a sentence's newest word is, from 0 to 1: an answer that brings none was given before."""
        # What a record answers with may be usual: what it hangs on tells it from others.
        if self._units.form[index] is not Form.SENTENCE:
            return 1.0
        rarity, said = self._scorer.rarity, self._said
        terms = self._scorer.terms[index]
        news = max([rarity[term] / (1 + said.get(term, 0)) for term in terms], default=0.0)
        return float(news**NEWS_EXPONENT)

    def _is_announced(self, index: int) -> bool:
        """Whether the unit before announces this one, and may still be kept."""
        before = index - 1
        may = before >= 0 and before not in self._kept and self._scorer.worth[before] > 0
        return may and self._scorer.is_lead_in(before)

    def _places(self, index: int) -> list[tuple[str, int]]:
        area = self._scorer.areas[index]
        return [("cell", self._cells[index])] + ([("area", area)] if area != NONE else [])

    def _count(self, index: int) -> int:
        if index not in self._tokens:
            # One more for the white space before it.
            self._tokens[index] = 1 + self._tokenizer.count(self._units.text(self._content, index))
        return self._tokens[index]

    def _needs(self, index: int) -> list[int]:
        return [need for need in self._document.needs(index) if need not in self._kept]

    def _fits(self, index: int) -> bool:
        return self._count(index) + sum(map(self._count, self._needs(index))) <= self._left

    def _repeats(self, index: int) -> bool:
        """Whether a unit says, in other words or fewer, what a single unit says that is kept already."""
        terms, facts = self._scorer.terms[index], self._scorer.facts
        if self._units.form[index] is not Form.SENTENCE or any(
            term in facts and not self._said[term] for term in terms
        ):
            return False
        shared = Counter(keeper for term in terms for keeper in self._keepers[term][:MAX_KEEPERS])
        share = REPEATED_SHARE + (1 - REPEATED_SHARE) / 2 * (self._scorer.strength[index] > 0)
        return bool(shared) and max(shared.values()) >= share * len(terms)

    def _keep(self, index: int) -> None:
        for part in [index, *self._needs(index)]:
            self._left -= self._count(part)
            self._kept.add(part)
        for place in self._places(index):
            self._spent[place] += self._count(index)
        for term in self._scorer.terms[index]:
            self._said[term] += 1
            self._keepers[term].append(index)


def _cells(content: str, units: Units) -> list[int]:
    """Return for each unit the number of its section, or of its stretch of a long section."""
    size = max(MIN_CELL_CHARS, len(content) // CELLS)
    cell, start = 0, 0
    cells: list[int] = []
    for form, unit_start, end in zip(units.form, units.start, units.end, strict=True):
        if form is Form.HEADING or end - start > size:
            cell, start = cell + 1, unit_start
        cells.append(cell)
    return cells


def _tokens_per_char(content: str, tokenizer: Tokenizer) -> float:
    """Measure a text's own ratio on samples: 0.25 for English, over 1 for some scripts."""
    step = max(len(content) // SAMPLES, SAMPLE_CHARS)
    samples = [content[at : at + SAMPLE_CHARS] for at in range(0, len(content), step)]
    return sum(tokenizer.count_each(samples)) / max(sum(map(len, samples)), 1)


# --- Summary ----------------------------------------------------------------------------------------------

# Text of more characters a token than this is rare, and may be summarized although it would fit.
MAX_CHARS_PER_TOKEN = 8


def summarize(content: str, target: int, brief: str, tokenizer: Tokenizer) -> str:
    """Return the most telling units of a content, in their order, in at most `target` tokens (16 or more).

    `brief` says in plain words what to keep, "" for a general summary. What fits is returned as it is.
    The result is never longer than the content, and never empty where that has anything but white space.
    """
    if not content or content.isspace():
        return ""
    if len(content) <= target * MAX_CHARS_PER_TOKEN and tokenizer.count(content) <= target:
        return content
    reading = Reading(content, brief)
    try:
        return reading.summary(target, tokenizer)
    finally:
        reading.close()


class Reading:
    """A content that was read once: its units, and what each is worth by itself and for the brief."""

    def __init__(self, content: str, brief: str) -> None:
        self.content = content
        document = read(content)
        self.scorer = Scorer(content, document.units, brief)
        self.document = document._replace(alone=self.scorer.alone)

    def weigh(self) -> None:
        """Weigh every unit by itself now, rather than when the first of them are chosen."""
        _ = self.scorer.values

    def close(self) -> None:
        """Let go of what is large."""
        self.scorer.close()

    def summary(self, target: int, tokenizer: Tokenizer) -> str:
        """Return the most telling units in their order, in at most `target` tokens: of the best one a part at least."""
        return self._best(range(len(self.document.units)), target, tokenizer) or self._cut_best(
            target, tokenizer
        )

    def only(self, among: Sequence[int]) -> str:
        """Return some units, with what they hang on, in their order."""
        return _join(self.content, self.document, among)

    def lines(self, among: Iterable[int], room: int, tokenizer: Tokenizer) -> str:
        """Return the most telling of some units, with what they hang on, in at most `room` tokens; "" where none fits."""
        return self._best(among, room, tokenizer)

    def _best(self, among: Iterable[int], target: int, tokenizer: Tokenizer) -> str:
        order = _Chooser(self.content, self.document, self.scorer, target, tokenizer).choose(among)
        while order:
            summary = _join(self.content, self._with_headings(order), order)
            excess = tokenizer.count(summary) - target
            if excess <= 0:
                return summary
            order.pop()  # what was taken last is worth least
        return ""

    def _with_headings(self, order: Sequence[int]) -> Document:
        """Let units that make sense without their heading hang on it where, of these units, another would stand above."""
        units, alone = self.document.units, bytearray(self.scorer.alone)
        printed = NONE
        for index in sorted({part for kept in order for part in [kept, *self.document.needs(kept)]}):
            if units.form[index] is Form.HEADING:
                printed = index
            elif alone[index] and printed not in (NONE, *self._headings(index)):
                alone[index] = False
                printed = next(self._headings(index), NONE)
        return self.document._replace(alone=alone)

    def _headings(self, index: int) -> Iterator[int]:
        """Yield the headings above a unit, the nearest first."""
        above = self.document.units.parent[index]
        while above != NONE:
            if self.document.units.form[above] is Form.HEADING:
                yield above
            above = self.document.units.parent[above]

    def _cut_best(self, target: int, tokenizer: Tokenizer) -> str:
        """Return the start of the best unit, cut at the end of a word or, where there is none, of a character."""
        content, units, scorer = self.content, self.document.units, self.scorer
        if len(units):
            best = max(
                range(len(units)), key=lambda index: (scorer.worth[index], scorer.value(index), -index)
            )
            content = units.text(content, best)
        content = content.strip()
        kept = tokenizer.cut(content, target)
        if len(kept) == len(content) or is_unspaced(kept[-1]):
            return kept
        word_end = max(kept.rfind(" "), kept.rfind("\n"))
        whole = kept[:word_end] if word_end > 0 and not content[len(kept)].isspace() else kept
        whole = whole.rstrip()
        # subtle: a sign cut off from its line end may take a token more.
        return whole if tokenizer.count(whole) <= target else kept


def _join(content: str, document: Document, order: Sequence[int]) -> str:
    """Put units and what they hang on together, with no more white space than the content has."""
    indexes = sorted({part for index in order for part in [index, *document.needs(index)]})
    units = document.units
    parts: list[str] = []
    last = NONE
    for index in indexes:
        if last != NONE:
            separator = _separator(content, units.end[last], units.start[index])
            parts.append("\n\n" if _breaks_off(content, units, last, index, separator) else separator)
        parts.append(units.text(content, index))
        last = index
    return "".join(parts)


def _breaks_off(content: str, units: Units, last: int, index: int, separator: str) -> bool:
    """Whether a piece of a cut sentence would run on into a unit that it does not stand beside."""
    gap = content[units.end[last] : units.start[index]].rstrip()
    if index == last + 1 or len(gap) < len("\n\n") or Form.CODE in (units.form[last], units.form[index]):
        return False
    if separator == "\n" and not units.form[last] is units.form[index] is Form.SENTENCE:
        return False
    return not (is_sentence_end(content[units.start[last] : units.end[last]]) and is_sentence_end(gap))


def _separator(content: str, start: int, end: int) -> str:
    for separator, signs in (("\n\n", ("\n\n", "\n\r\n")), ("\n", ("\n",)), (" ", (" ", "\t"))):
        if any(content.find(sign, start, end) >= 0 for sign in signs):
            return separator
    return ""
