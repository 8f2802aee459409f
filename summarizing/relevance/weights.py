"""What each unit is worth by itself: the words it has, what they say in this text, and how far it is what was asked for.

All weights come from the text and the brief. Refuses stop lists for the content, grammars of single languages and
embeddings; knows nothing of targets, nor of what is kept already: that is summarizing/extractive/selection.py's choice.
"""

from array import array
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from math import log
from typing import Any, NamedTuple

from summarizing.relevance import scoring
from summarizing.relevance.listed_names import Match, cells_of
from summarizing.relevance.log_levels import asked_levels, level_of
from summarizing.relevance.scoring import INHERITED, INHERITED_BY_SENTENCE, UNWANTED, Asked, Found
from summarizing.text.segments import NONE, Form, Units
from summarizing.text.stemming import Stems, is_hiragana, terms_of

# A sentence that meets the brief so far by itself needs no heading.
ALONE_SHARE = 0.7

# A table of so many rows shows which of a column's values are usual, where these are no more than so many.
MIN_ROWS = 9
MAX_VALUES = 12
ODD_WORTH = 3.0

# How often a kind of value is seen shows in so many units.
SAMPLE_UNITS = 1_000

# Answers that are remembered of one text.
MAX_KNOWN_ANSWERS = 10_000

# Numbers that are counted in one step.
BLOCK = 4_096

# What each form is worth beside a sentence: in a general summary, and where facts were asked for.
_FORM_WORTH = {Form.SENTENCE: 1.0, Form.ITEM: 0.9, Form.LINE: 0.8, Form.ROW: 0.7, Form.CODE: 0.4}
_FORM_WORTH_FOR_BRIEF = {Form.SENTENCE: 0.9, Form.ITEM: 1.1, Form.LINE: 1.0, Form.ROW: 1.1, Form.CODE: 0.9}

# Forms of which a document has many of one make.
_RECORDS = frozenset({Form.LINE, Form.ROW, Form.CODE})

# Forms that may announce what follows.
_WORDS = frozenset({Form.SENTENCE, Form.ITEM, Form.LINE})

# How much more a unit is worth that meets a brief fully; the exponent sets strong matches apart from weak ones.
BRIEF_WORTH = 300.0
BRIEF_EXPONENT = 2.0
# What such an answer is worth beside its words (a telling word has about ten), so that short facts can win.
ANSWER_WORTH = 80.0
# A word that was said is worth less each time, down to the floor; in a unit that answers, the floor is higher.
FLOOR_OF_REPETITION = 0.3
LIFT = 0.5
# How much more a unit is worth ...
# ... that is the first under its heading, or the first of all.
OPENING_WORTH = 1.4
# A word that is a number, an id or a name carries a fact.
FACT_WORTH = 1.6
# Every line of a log has new numbers, which says little for the single line; the scale is that of prose.
NUMBER_IN_RECORD = 0.7
WORD_IN_RECORD = 2.0
# Pairs of hiragana are grammar more often than words.
GRAMMAR_WORTH = 0.3

# Text that stands this often in a document, word for word, is a banner of its pages.
BANNER_REPEATS = 4
BANNER_WORTH = 0.1
# "The table lists:" says nothing without what it announces.
LEAD_IN_WORTH = 0.02
# A short line may say something different under each heading ("Level: 12"); a long one is a repeat.
MIN_REPEAT_CHARS = 60


class Scorer:
    """The `terms` of each unit, its `worth` (0: not to be kept) and its best area, by index."""

    def __init__(self, content: str, units: Units, brief: str) -> None:
        self._content = content
        self._units = units
        self._stems = stems = Stems()
        self.terms = [tuple(dict.fromkeys(terms_of(text, stems))) for text in self._texts()]
        frequency = _frequency(self.terms)
        self._in_prose = _weights_in_prose(frequency, len(units), stems)
        self._in_records = _weights_in_records(frequency, len(units), stems)
        self.facts = stems.numbers
        self.rarity = _rarity(frequency, len(units))
        self.worth = self._worth()
        self._divide_by_likes(stems.numbers)
        self._lower_lead_ins()
        self.areas = array("q", [NONE]) * len(units)
        asked = (
            Asked(
                brief, stems, self._in_or_above(frequency), len(units), sample=self._sample(), content=content
            )
            if brief
            else None
        )
        self.answer = array("d", [0.0]) * len(units)
        self.strength = array("d", [0.0]) * len(units)
        # Where facts are asked for, a sentence that says one by itself needs no heading.
        self.alone = bytearray(len(units))
        if asked:
            asked.learn(content, units)
            self._ask(asked)
            self._lower_other_levels(asked_levels(brief))
            self._raise_odd_rows()

    def close(self) -> None:
        """Let go of what is large, in blocks: freeing it at once is one long step."""
        release(self.terms)
        for large in (self._in_prose, self._in_records, self.rarity, self._stems.known):
            while large:
                large.popitem()

    def _texts(self) -> Iterator[str]:
        return (
            self._content[start:end] for start, end in zip(self._units.start, self._units.end, strict=True)
        )

    def _lower_other_levels(self, asked: frozenset[str]) -> None:
        """Lower the lines of a log that are of another level than the brief asks for, where it has some that are of that."""
        units = self._units
        records = (index for index, form in enumerate(units.form) if form in _RECORDS) if asked else ()
        levels = {index: level for index in records if (level := level_of(units.text(self._content, index)))}
        if asked & set(levels.values()):
            for index, level in levels.items():
                self.worth[index] *= 1.0 if level in asked else UNWANTED

    def _raise_odd_rows(self) -> None:
        """Raise rows with a rare value in a column of few: who asks for some of them seldom means the usual ones."""
        under: dict[int, list[int]] = {}
        for index, form in enumerate(self._units.form):
            if form is Form.ROW:
                under.setdefault(self._units.parent[index], []).append(index)
        for rows in under.values():
            if len(rows) >= MIN_ROWS:
                # Of rows that were read as one, the first stands for them.
                firsts = (self._units.text(self._content, index).partition("\n")[0] for index in rows)
                for index, oddness in zip(rows, _oddness(list(map(cells_of, firsts))), strict=True):
                    self.worth[index] *= 1 + ODD_WORTH * oddness

    def _in_or_above(self, frequency: dict[str, int]) -> dict[str, int]:
        """Return in or above how many units each term stands: a head row's words do not tell one of its rows from another."""
        whole = frequency.copy()
        for above, number in _count(self._units.parent).items():
            if above != NONE:
                for term in self.terms[above]:
                    whole[term] += number
        return whole

    def _sample(self) -> list[str]:
        step = len(self._units) // SAMPLE_UNITS + 1
        return [self._units.text(self._content, index) for index in range(0, len(self._units), step)]

    @cached_property
    def values(self) -> "array[float]":
        """What each unit is worth before anything is kept, by index."""
        return array("d", map(self.value, range(len(self._units))))

    def value(self, index: int) -> float:
        """Return what a unit is worth before anything is kept."""
        says = sum(map(self.weights(index).__getitem__, self.terms[index]))
        return self.worth[index] * (says + self.answer[index])

    def floor(self, index: int) -> float:
        """Return what a word of a unit is worth at least that was said before."""
        return min(1.0, FLOOR_OF_REPETITION + LIFT * self.strength[index])

    def weights(self, index: int) -> dict[str, float]:
        """Return what each word says in a unit of this form."""
        return self._in_records if self._units.form[index] in _RECORDS else self._in_prose

    def _worth(self) -> "array[float]":
        units = self._units
        # Hashes rather than texts: a number takes no collector's time.
        hashes = array("q", map(hash, self._texts()))
        repeats = _count(hashes)
        seen: set[int] = set()
        worths = array("d")
        for index, form in enumerate(units.form):
            short = units.end[index] - units.start[index] < MIN_REPEAT_CHARS
            above = units.parent[index] if short else NONE
            key = hash((hashes[index], hashes[above])) if above != NONE else hashes[index]
            worth = _FORM_WORTH.get(form, 0.0) * (key not in seen and not units.noise[index])
            seen.add(key)
            is_banner = repeats[hashes[index]] >= BANNER_REPEATS and form in (Form.SENTENCE, Form.LINE)
            worths.append(
                worth * (BANNER_WORTH if is_banner else 1) * (OPENING_WORTH if units.opens[index] else 1)
            )
        return worths

    def _divide_by_likes(self, numbers: set[str]) -> None:
        """Lower the worth of records that differ in their numbers only, the more of them there are."""
        makes = array("q")
        for index, form in enumerate(self._units.form):
            is_record = form in _RECORDS
            words = (term for term in self.terms[index] if term not in numbers)
            makes.append(hash(tuple(words)) if is_record else index)
        likes = _count(makes)
        for index, make in enumerate(makes):
            if likes[make] > 1:
                self.worth[index] /= 1 + log(likes[make])

    def is_lead_in(self, index: int) -> bool:
        """Whether a unit only announces what follows."""
        if self._units.form[index] not in _WORDS:
            return False
        end = self._units.end[index]
        last = self._content[max(self._units.start[index], end - 4) : end]
        return last.rstrip("*_").endswith((":", "\uff1a"))

    def _lower_lead_ins(self) -> None:
        for index in filter(self.is_lead_in, range(len(self._units) - 1)):
            self.worth[index] *= LEAD_IN_WORTH

    def _ask(self, asked: Asked) -> None:
        units = self._units
        # Only what others hang on is remembered.
        parents = dict.fromkeys(units.parent, Match())
        parents.setdefault(NONE, {})
        known: dict[tuple[Found, int, Form], _Answer] = {}
        for index, text in enumerate(self._texts()):
            form, terms, above = units.form[index], self.terms[index], units.parent[index]
            # Lines of a log or a table that answer with the same words and kinds of values answer the same.
            asks = asked.find(terms, text), above if parents[above] else NONE, form
            answer = known.get(asks)
            if answer is None:
                if len(known) >= MAX_KNOWN_ANSWERS:
                    known.clear()
                answer = known[asks] = _answer(asked, asks[0], parents[above], form)
            if index in parents:
                parents[index] = asked.inherited(answer.whole)
            self.alone[index] = answer.alone
            self.areas[index] = answer.area
            self.strength[index] = answer.best
            self.answer[index] = ANSWER_WORTH * answer.best * bool(terms)
            likes = _FORM_WORTH_FOR_BRIEF.get(form, 0) / _FORM_WORTH.get(form, 1)
            likes *= UNWANTED if asked.is_unwanted(terms) else 1.0
            self.worth[index] *= likes * (1 + BRIEF_WORTH * answer.met**BRIEF_EXPONENT)


class _Answer(NamedTuple):
    """How a unit answers: what it meets, how far its best area and all of them, and whether it needs nothing above it."""

    whole: Match
    best: float
    area: int
    met: float
    alone: bool


def _answer(asked: Asked, found: Found, inherited: Match, form: Form) -> _Answer:
    share = INHERITED_BY_SENTENCE if form is Form.SENTENCE else INHERITED
    whole, own, valued = asked.match(found, inherited, share)
    scores = asked.relevance(whole, whole if form is Form.ROW else own, valued)
    best = max(scores.values(), default=0.0)
    if not best:
        return _Answer(whole, 0.0, NONE, 0.0, alone=False)
    area = next(area for area, met in scores.items() if met == best)
    by_itself = 0.0
    if form is Form.SENTENCE:
        by_itself = best if whole == own else max(asked.relevance(own, own, valued).values(), default=0.0)
    met = best + scoring.MORE_AREAS * (sum(scores.values()) - best)
    return _Answer(whole, best, area, met, alone=by_itself >= ALONE_SHARE * best)


def _oddness(rows: list[list[str]]) -> list[float]:
    """Return for each row how rare its rarest value is in a column of few values, from 0 to 1."""
    oddness = [0.0] * len(rows)
    for column in range(min(map(len, rows))):
        values = [row[column].strip() for row in rows]
        counts = Counter(values)
        if 2 <= len(counts) <= min(MAX_VALUES, len(rows) // 3):
            for index, value in enumerate(values):
                oddness[index] = max(oddness[index], log(len(rows) / counts[value]) / log(len(rows)))
    return oddness


def _count(numbers: "array[int]") -> Counter[int]:
    """Count numbers, in blocks: counting is one step, in which no other thread runs."""
    counts: Counter[int] = Counter()
    for at in range(0, len(numbers), BLOCK):
        counts.update(numbers[at : at + BLOCK])
    return counts


def _frequency(units: list[tuple[str, ...]]) -> dict[str, int]:
    """Count in how many units each term is. A plain dict: the garbage collector visits all of a Counter."""
    frequency: dict[str, int] = {}
    for terms in units:
        for term in terms:
            frequency[term] = frequency.get(term, 0) + 1
    return frequency


def release(items: list[Any]) -> None:
    """Empty a long list in blocks."""
    while items:
        del items[-BLOCK:]


def _rarity(frequency: dict[str, int], units: int) -> dict[str, float]:
    """Return how rare each term is: 1 in one unit, 0 in all."""
    most = log(units + 1)
    return {term: log((units + 1) / count) / most for term, count in frequency.items()}


def _weights_in_prose(frequency: dict[str, int], units: int, stems: Stems) -> dict[str, float]:
    """Weigh a term high that stands in several units but not in all: what the text is about."""
    weights = {term: (1 + log(count)) * log((units + 1) / count) for term, count in frequency.items()}
    for term in weights:
        if term in stems.numbers or term not in stems.lower:
            weights[term] *= FACT_WORTH
        elif is_hiragana(term):
            weights[term] *= GRAMMAR_WORTH
    return weights


def _weights_in_records(frequency: dict[str, int], units: int, stems: Stems) -> dict[str, float]:
    """Weigh a term high that is rare: among records that are all alike, what is different is the news."""
    return {
        term: log((units + 1) / count) * (NUMBER_IN_RECORD if term in stems.numbers else WORD_IN_RECORD)
        for term, count in frequency.items()
    }
