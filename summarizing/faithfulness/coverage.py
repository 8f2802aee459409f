"""The guard: which facts of a content a summary keeps and which it loses; the lost ones come back in the content's own lines.

Pure, and without a model; refuses to rewrite: a line comes back as it stands, or not at all. What a model adds to a content
is summarizing/faithfulness/evidence.py's to find.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, compress
from typing import NamedTuple

from summarizing.extractive.selection import READING_TOKENS, Reading
from summarizing.facts.finding import Fact, Kind, find
from summarizing.facts.index import Index
from summarizing.relevance.weights import release
from summarizing.text.segments import NONE, Form, read
from summarizing.text.sentences import is_sentence_end
from summarizing.text.stemming import Stems, terms_of
from summarizing.text.tokenizer import Tokenizer

# Nothing is put back in less: a line with its heading takes about as much.
LEAST_ROOM_TOKENS = 8

# An empty line parts what was put back from the summary: at most so many tokens.
SEPARATOR_TOKENS = 2

# A unit meets the brief from here on; 1 is met by two of an area's words, or by its only one.
LEAST_STRENGTH = 0.3

# Where there is room, what meets it less comes back too: a brief's words are not all that may tell of what it asks for.
TRACE_STRENGTH = 0.05
TRACE_SHARE = 0.5

# A line that has so much of what a unit says (its words, by their weight) says the same.
SAID_SHARE = 0.5

# Common words are in many lines of a summary; any few of them show whether one says the same.
MAX_LINES_OF_TERM = 8

# Between two sentences stands no more white space than that.
MAX_GAP_CHARS = 8

# A common word is in many units; some of them show which one a line tells of.
MAX_UNITS_OF_TERM = 50

# A summary line whose source scores lower is off topic.
BABBLE_STRENGTH = 0.1

# So many telling words of a unit find the lines that could say the same.
PROBES = 4

_HEADING = re.compile(r"^#", re.MULTILINE)

_KEPT_FORMS = frozenset({Form.SENTENCE, Form.ITEM, Form.LINE, Form.ROW, Form.CODE})

# Two spellings are one fact; the same number under another label is another.
Key = tuple[Kind, str, str]


def _key(fact: Fact) -> Key:
    return fact.kind, fact.key, fact.label


class Check(NamedTuple):
    """What a summary keeps: of how many facts how many, and the units of which it lost something."""

    had: int
    kept: int
    lost: list[int]


class Guarded(NamedTuple):
    """A summary after the guard, and its facts: how many the content had, it kept, and of these were put back.

    `replaced`: how many of its lines made room. `stated`: of an extractive summary, the facts that the content had.
    """

    text: str
    had: int
    kept: int
    put_back: int
    replaced: int = 0
    stated: frozenset[Key] = frozenset()


class Survey:
    """A content's units that matter for a brief, and the facts in them."""

    def __init__(self, content: str, brief: str) -> None:
        """`brief` in plain words; "" makes every unit matter."""
        self._brief = brief
        self._reading = Reading(content, brief)
        units, scorer = self._reading.document.units, self._reading.scorer
        self._least = LEAST_STRENGTH if brief else 0.0
        self._candidates = [
            index
            for index, form in enumerate(units.form)
            if form in _KEPT_FORMS
            and scorer.worth[index] > 0
            and (scorer.strength[index] >= TRACE_STRENGTH or not brief)
        ]
        self._facts: list[Fact] = []
        self._stated = self._by_unit(find(content))
        strength = scorer.strength
        self._matter = set[int]().union(
            *(stated for unit, stated in self._stated.items() if strength[unit] >= self._least)
        )
        # What every check asks for is found out here, once: a job has several, and waits for each.
        self._sayings = [self._saying(unit) for unit in self._candidates] if brief else []
        self._are_whole = {
            unit for unit in self._candidates if _is_whole(content, units.start[unit], units.end[unit])
        }
        self._reading.weigh()

    def _by_unit(self, facts: Iterable[Fact]) -> dict[int, list[int]]:
        """Return the facts of the units that may come back, as places in a list where each is once."""
        units = self._reading.document.units
        matter = set(self._candidates)
        places: dict[Key, int] = {}
        found: dict[int, list[int]] = defaultdict(list)
        for fact in facts:
            index = bisect_right(units.start, fact.start) - 1
            if index in matter and fact.start < units.end[index]:
                place = places.setdefault(_key(fact), len(self._facts))
                if place == len(self._facts):
                    self._facts.append(fact)
                found[index].append(place)
        return dict(found)

    def _saying(self, unit: int) -> "_Saying":
        scorer = self._reading.scorer
        return _Saying.of(scorer.terms[unit], scorer.weights(unit))

    def summary(self, target: int, tokenizer: Tokenizer) -> Guarded:
        """Return an extractive summary in at most `target` tokens; lets go of what is large."""
        try:
            text = self._reading.summary(target, tokenizer)
            check = self.check(text)
        finally:
            self._close()
        stated = frozenset(_key(self._facts[place]) for place in self._matter)
        return Guarded(text, check.had, check.kept, 0, stated=stated)

    def _close(self) -> None:
        self._reading.close()
        release(self._sayings)

    def check(self, summary: str) -> Check:
        """Find out what of the content a summary keeps."""
        index = Index(summary)
        kept = list(map(index.keeps, self._facts))
        lost = {unit for unit, stated in self._stated.items() if not all(map(kept.__getitem__, stated))}
        if self._sayings:
            # Where something was asked for, an answer without a single fact in it can be lost too.
            lines = _Lines(summary)
            lost.update(
                unit
                for unit, saying in zip(self._candidates, self._sayings, strict=True)
                if not (unit in lost or lines.say(saying))
            )
        return Check(len(self._matter), sum(map(kept.__getitem__, self._matter)), sorted(lost))

    def complete(self, summary: str, target: int, share: float, tokenizer: Tokenizer) -> Guarded:
        """Put back what a summary lost, in at most a share of `target` and all in at most that; lets go of what is large.

        A summary that is over the target already is returned as it is.
        """
        try:
            before = self.check(summary)
            left = target - tokenizer.count(summary) - SEPARATOR_TOKENS
            added = self._put_back(before.lost, min(left, int(target * share)), tokenizer)
            longer = f"{summary}\n\n{added}"
            if not added or tokenizer.count(longer) > target:
                return Guarded(summary, before.had, before.kept, 0)
            now = self.check(longer)
        finally:
            self._close()
        return Guarded(longer, now.had, now.kept, max(0, now.kept - before.kept))

    def complete_facts(self, facts: str, target: int, tokenizer: Tokenizer) -> Guarded:
        """Put back what a list of facts lost; where that is more than fits, what answers nothing of the brief makes room.

        Lets go of what is large. A list that is over the target already is returned as it is.
        """
        try:
            before = self.check(facts)
            whole = self._filled(facts, before, target, tokenizer)
            room = target - tokenizer.count(facts)
            if not self._brief or not 0 <= room < self._needed(before.lost, tokenizer):
                return whole
            better = self._with_answers_first(facts, target, tokenizer)
        finally:
            self._close()
        return better if better.kept > whole.kept else whole

    def put_back(self, summary: str, target: int, tokenizer: Tokenizer, *, is_list: bool) -> Guarded:
        """Put back what a summary lost, in at most `target` tokens in all; nothing of it makes room. Lets go of what is large.

        For a summary of more than this content: what it says of the rest is not judged. `is_list`: of a list of facts, above its headings.
        """
        if not is_list:
            return self.complete(summary, target, 1.0, tokenizer)
        try:
            return self._filled(summary, self.check(summary), target, tokenizer)
        finally:
            self._close()

    def _with_answers_first(self, facts: str, target: int, tokenizer: Tokenizer) -> Guarded:
        """Put back what a list of facts lost before its remarks: these keep the room that is left, the nearest to the brief first."""
        reading = Reading(facts, self._brief)
        strength = self._strengths(reading)
        answers = [unit for unit, met in strength.items() if met >= BABBLE_STRENGTH]
        only = reading.only(answers)
        check = self.check(only)
        longer = self._longer(only, check, target, tokenizer)
        left = target - tokenizer.count(longer) - SEPARATOR_TOKENS
        kept = set(answers)
        for unit in sorted(strength.keys() - kept, key=lambda unit: (-strength[unit], unit)):
            cost = SEPARATOR_TOKENS + tokenizer.count(reading.document.units.text(facts, unit))
            if cost <= left:
                kept.add(unit)
                left -= cost
        text = reading.only(sorted(kept))
        reading.close()
        # What is filled is read again to judge it, which is most of the work: once, when it is whole.
        if len(kept) > len(answers):
            filled = self._filled(text, self.check(text), target, tokenizer)
        else:
            filled = self._judged(only, check, longer)
        return filled._replace(replaced=_lines(facts) - _lines(text))

    def _strengths(self, reading: Reading) -> dict[int, float]:
        """Return how near what each unit of a summary tells of is to the brief; 0 where it tells of nothing."""
        scorer, terms = self._reading.scorer, reading.scorer.terms
        told = _Told(scorer.terms, terms)
        of = {
            unit: told.by(terms[unit], scorer.weights)
            for unit, form in enumerate(reading.document.units.form)
            if form in _KEPT_FORMS
        }
        return {unit: scorer.strength[by] if by != NONE else 0.0 for unit, by in of.items()}

    def _filled(self, facts: str, check: Check, target: int, tokenizer: Tokenizer) -> Guarded:
        """Put back what a list of facts lost, in at most `target` tokens."""
        return self._judged(facts, check, self._longer(facts, check, target, tokenizer))

    def _judged(self, facts: str, check: Check, longer: str) -> Guarded:
        """Return a list of facts with what was put back, which is nothing where it is no longer than before."""
        if longer == facts:
            return Guarded(facts, check.had, check.kept, 0)
        now = self.check(longer)
        return Guarded(longer, now.had, now.kept, max(0, now.kept - check.kept))

    def _longer(self, facts: str, check: Check, target: int, tokenizer: Tokenizer) -> str:
        """Return a list of facts with what it lost under none of its headings; as it is where that does not fit."""
        left = target - tokenizer.count(facts) - SEPARATOR_TOKENS
        added = self._put_back(check.lost, left, tokenizer)
        heading = _HEADING.search(facts)
        first, rest = (facts[: heading.start()], facts[heading.start() :]) if heading else (facts, "")
        longer = "\n\n".join(part for part in (first.strip(), added, rest) if part)
        return longer if added and tokenizer.count(longer) <= target else facts

    def _put_back(self, lost: list[int], room: int, tokenizer: Tokenizer) -> str:
        """Return what was lost in the content's own lines, the most relevant first; "" where none fits the room.

        What meets the brief but a little has no more room than TRACE_SHARE leaves it.
        """
        room = min(room, int(self._needed(lost, tokenizer) + TRACE_SHARE * room))
        lines = self._whole(lost)
        return self._reading.lines(lines, room, tokenizer) if room >= LEAST_ROOM_TOKENS else ""

    def _needed(self, lost: list[int], tokenizer: Tokenizer) -> int:
        """Return how many tokens the relevant ones of lost units take."""
        content, units, strength = (
            self._reading.content,
            self._reading.document.units,
            self._reading.scorer.strength,
        )
        relevant = [units.text(content, unit) for unit in self._whole(lost) if strength[unit] >= self._least]
        return sum(tokenizer.count_each(relevant)) + READING_TOKENS * len(relevant)

    def _whole(self, among: Iterable[int]) -> list[int]:
        """Return the units that are no pieces of longer lines."""
        return [unit for unit in among if unit in self._are_whole]


def _is_whole(content: str, start: int, end: int) -> bool:
    """Whether a stretch is a line, a sentence or an object, rather than a piece of a long one."""
    before = content[max(start - MAX_GAP_CHARS, 0) : start]
    begins = start == 0 or "\n" in before or is_sentence_end(before.rstrip())
    ends = end == len(content) or content[end] in "\r\n" or is_sentence_end(content[start:end])
    return (begins and ends) or content[start] in "{["


def extract(content: str, target: int, brief: str, tokenizer: Tokenizer) -> Guarded:
    """Return an extractive summary in at most `target` tokens, and its facts."""
    return Survey(content, brief).summary(target, tokenizer)


def tally(content: str, brief: str) -> Guarded:
    """Return a content as the summary of itself: it keeps what it has."""
    check = Survey(content, brief).check(content)
    return Guarded(content, check.had, check.kept, 0)


def _lines(text: str) -> int:
    return sum(1 for line in text.splitlines() if line.strip())


class _Told:
    """The units of a content by their terms, to ask of which one a line of a summary tells."""

    def __init__(self, content: Sequence[Iterable[str]], summary: Iterable[Iterable[str]]) -> None:
        """Both as the terms of their units."""
        said = frozenset[str]().union(*summary)
        self._having: dict[str, list[int]] = defaultdict(list)
        for index, terms in enumerate(content):
            for term in terms:
                if term in said:
                    self._having[term].append(index)

    def by(self, line: Iterable[str], weights: Callable[[int], dict[str, float]]) -> int:
        """Return the unit that has most of a line's rarest terms by their weight in it; NONE where no unit has any."""
        rarest = sorted((len(self._having[term]), term) for term in line if term in self._having)[:PROBES]
        shared: dict[int, float] = defaultdict(float)
        for _, term in rarest:
            for index in self._having[term][:MAX_UNITS_OF_TERM]:
                shared[index] += weights(index)[term]
        return max(shared, key=lambda index: (shared[index], -index), default=NONE)


class _Lines:
    """A summary's lines as terms, each with those of its headings, to ask whether one of them says something."""

    def __init__(self, summary: str) -> None:
        units = read(summary).units
        stems = Stems()
        own = [
            frozenset(terms_of(summary[start:end], stems))
            for start, end in zip(units.start, units.end, strict=True)
        ]
        self._terms: list[frozenset[str]] = []
        self._having: dict[str, list[int]] = defaultdict(list)
        before: frozenset[str] = frozenset()
        for index, terms in enumerate(own):
            above = units.parent[index]
            # What one line of the content says, a summary may say in two sentences.
            whole = terms | before | (self._terms[above] if above != NONE else before)
            before = terms
            self._terms.append(whole)
            for term in whole:
                if len(self._having[term]) < MAX_LINES_OF_TERM:
                    self._having[term].append(index)

    def say(self, saying: "_Saying") -> bool:
        """Whether a line has so much of what a unit says, by the weight of its words, that it says the same."""
        terms, weights, least = saying.terms, saying.weights, saying.least
        having = self._having
        # Most of what a text says no line of its summary comes near: the others need not be looked at.
        known = list(map(having.__contains__, terms))
        weights = tuple(compress(weights, known))
        if sum(weights) < least:
            return False
        terms = tuple(compress(terms, known))
        near = set(chain.from_iterable(having[term] for term in saying.telling if term in having))
        said = (sum(compress(weights, map(self._terms[index].__contains__, terms))) for index in near)
        return not least or any(share >= least for share in said)


class _Saying(NamedTuple):
    """What a unit says: its terms, the weight of each, how much of that says the same, and the terms that tell it from others."""

    terms: Sequence[str]
    weights: Sequence[float]
    least: float
    telling: Sequence[str]

    @classmethod
    def of(cls, terms: Sequence[str], weight_of: Mapping[str, float]) -> "_Saying":
        """Return what a unit with these terms says."""
        weights = tuple(map(weight_of.__getitem__, terms))
        telling = sorted(terms, key=lambda term: (-weight_of[term], term))[:PROBES]
        return cls(terms, weights, SAID_SHARE * sum(weights), tuple(telling))
