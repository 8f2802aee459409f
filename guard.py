"""The guard: which facts of a content a summary keeps and which it loses, and what a model adds to them.

A content's side is `Survey`: its units that matter for the brief, and the facts in them; what a summary lost is put
back in the content's own lines. A model's side is `Evidence`: a chunk, to judge by what a model wrote of it. Pure, and
without a model; refuses to rewrite: a line stands as it is, or goes.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from math import log
from typing import NamedTuple

from commands import commands
from cutting import is_sentence_end, sentences
from extractive import READING_TOKENS, Reading
from fact_names import is_german
from facts import Fact, Kind, find
from hidden import drop_hidden
from kinds import kinds
from records import merge
from stating import Index
from tokens import Tokenizer
from units import NONE, Form, read
from words import Stems, terms_of

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

# So many telling words of a unit find the lines that could say the same.
PROBES = 4

# What a value belongs to may stand so far before it, in running text or in the lines of a listing.
NEAR_CHARS = 600

# So much of what a line says beside its values (its words, by their rarity) must stand where they do.
TOGETHER = 0.7
# A row is copied, not told in other words.
ROW_TOGETHER = 0.95

# An answer of which one line of a text, and what follows it at once, has so many words is no summary of so many lines.
NARROW_SHARE = 0.9
ALONE_SHARE = 0.5
NARROW_UNITS = 20
NARROW_REACH = 4

# So many of the words that a model wrote must be the text's: less is not about the text.
LEAST_GROUNDED = 0.5

# A value is looked for at so many of its places.
MAX_PLACES = 20

# An outcome names an invention in so many characters.
MAX_NAMED_CHARS = 60

_KEPT_FORMS = frozenset({Form.SENTENCE, Form.ITEM, Form.LINE, Form.ROW, Form.CODE})
_VALUES = frozenset({Kind.NUMBER, Kind.DATE, Kind.VERSION, Kind.ID, Kind.TERM, Kind.PATH})
_NAMES = frozenset({Kind.NAME, Kind.TERM, Kind.ID, Kind.PATH})

_LINE = re.compile(r"[^\n]+")
_RULE = re.compile(r"[ \t]*+\|?[ \t|:\-]*-[ \t|:\-]*+")
# "registry.example/web:1.4.2", "10.0.0.7:8080": parts that are somewhere each are not yet the whole.
_COMPOUND = re.compile(r"(?<![\w/:@.-])(?=\S*\d)(?=\S*[^\W\d])\w++(?:[/:@.-]++\w++){3,}+")
# Cells between bars or wide gaps, or what begins with a time stamp.
_ROW = re.compile(r"[\s*-]*+(?:\||\S+(?: \S+)*+ {2,}+\S+(?: \S+)*+ {2,}+\S|\[?\d{4}-\d\d-\d\d[T ]\d\d:)")
_FULL_NAME = re.compile(r"[^\W\d_a-zß-ÿ]\w*+ [^\W\d_a-zß-ÿ]")
_HOST_AND_PATH = re.compile(r"(?://)?[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/")
# A code span of several words is something to type.
_CODE_OF_WORDS = re.compile(r"`[^`\n]*[^`\s] [^`\n]+`")
# What is left of an item whose sentences all went.
_EMPTY_ITEM = re.compile(r"[ \t]*+(?:[-*+\u2022]|\d{1,3}[.)])[ \t]*+")

# Two spellings are one fact; the same number under another label is another.
Key = tuple[Kind, str, str]


def _key(fact: Fact) -> Key:
    return fact.kind, fact.key, fact.label


# --- What the content has ---------------------------------------------------------------------------------------


class Check(NamedTuple):
    """What a summary keeps: of how many facts how many, and the units of which it lost something."""

    had: int
    kept: int
    lost: list[int]


class Guarded(NamedTuple):
    """A summary after the guard, and its facts: how many the content had, it kept, and of these were put back."""

    text: str
    had: int
    kept: int
    put_back: int


class Survey:
    """A content's units that matter for a brief, and the facts in them."""

    def __init__(self, content: str, brief: str) -> None:
        """`brief` in plain words; "" makes every unit matter."""
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
        self._facts = self._by_unit(find(content))

    def _by_unit(self, facts: Iterable[Fact]) -> dict[int, list[Fact]]:
        """Return the facts of the units that may come back."""
        units = self._reading.document.units
        matter = set(self._candidates)
        found: dict[int, list[Fact]] = defaultdict(list)
        for fact in facts:
            index = bisect_right(units.start, fact.start) - 1
            if index in matter and fact.start < units.end[index]:
                found[index].append(fact)
        return found

    def summary(self, target: int, tokenizer: Tokenizer) -> Guarded:
        """Return an extractive summary in at most `target` tokens; lets go of what is large."""
        try:
            text = self._reading.summary(target, tokenizer)
            check = self.check(text)
        finally:
            self._reading.close()
        return Guarded(text, check.had, check.kept, 0)

    def check(self, summary: str) -> Check:
        """Find out what of the content a summary keeps."""
        index = Index(summary)
        lines = _Lines(summary) if self._least else None
        kept: dict[Key, bool] = {}
        matter: set[Key] = set()
        lost: list[int] = []
        for unit in self._candidates:
            keys = {_key(fact): fact for fact in self._facts.get(unit, ())}
            for key, fact in keys.items():
                # subtle: a difference of the two would go through all that is known, each time.
                if key not in kept:
                    kept[key] = index.keeps(fact)
            if self._reading.scorer.strength[unit] >= self._least:
                matter.update(keys)
            # Where something was asked for, an answer without a single fact in it can be lost too.
            if not all(map(kept.__getitem__, keys)) or (lines and not self._is_said(unit, lines)):
                lost.append(unit)
        return Check(len(matter), sum(map(kept.__getitem__, matter)), lost)

    def _is_said(self, unit: int, lines: "_Lines") -> bool:
        scorer = self._reading.scorer
        terms, weights = scorer.terms[unit], scorer.weights(unit)
        return lines.share({term: weights[term] for term in terms}) >= SAID_SHARE

    def complete(self, summary: str, target: int, share: float, tokenizer: Tokenizer) -> Guarded:
        """Put back what a summary lost, in at most a share of `target` and all in at most that; lets go of what is large.

        A summary that is over the target already is returned as it is.
        """
        try:
            before = self.check(summary)
            left = target - tokenizer.count(summary) - SEPARATOR_TOKENS
            added = self._put_back(before.lost, min(left, int(target * share)), tokenizer)
            text = f"{summary}\n\n{added}" if added else summary
            if not added or tokenizer.count(text) > target:
                return Guarded(summary, before.had, before.kept, 0)
            kept = self.check(text).kept
            return Guarded(text, before.had, kept, kept - before.kept)
        finally:
            self._reading.close()

    def _put_back(self, lost: list[int], room: int, tokenizer: Tokenizer) -> str:
        """Return what was lost in the content's own lines, the most relevant first; "" where none fits the room.

        What meets the brief but a little has no more room than TRACE_SHARE leaves it.
        """
        content, units = self._reading.content, self._reading.document.units
        strength = self._reading.scorer.strength
        lost = [unit for unit in lost if _is_whole(content, units.start[unit], units.end[unit])]
        relevant = [units.text(content, unit) for unit in lost if strength[unit] >= self._least]
        needed = sum(tokenizer.count_each(relevant)) + READING_TOKENS * len(relevant)
        room = min(room, int(needed + TRACE_SHARE * room))
        return self._reading.lines(lost, room, tokenizer) if room >= LEAST_ROOM_TOKENS else ""


def _is_whole(content: str, start: int, end: int) -> bool:
    """Whether a stretch is a line, a sentence or an object, rather than a piece of a long one."""
    before = content[max(start - MAX_GAP_CHARS, 0) : start]
    begins = start == 0 or "\n" in before or is_sentence_end(before.rstrip())
    ends = end == len(content) or content[end] in "\r\n" or is_sentence_end(content[start:end])
    return (begins and ends) or content[start] in "{["


def extract(content: str, target: int, brief: str, tokenizer: Tokenizer) -> Guarded:
    """Return an extractive summary in at most `target` tokens, and its facts."""
    return Survey(content, brief).summary(target, tokenizer)


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
                self._having[term].append(index)

    def share(self, weights: dict[str, float]) -> float:
        """Return how much of some terms' weight is in the line that has most of it, from 0 to 1."""
        whole = sum(weights.values())
        if not whole:
            return 1.0
        telling = sorted(weights, key=lambda term: (-weights[term], term))[:PROBES]
        near = {index for term in telling for index in self._having.get(term, ())[:MAX_LINES_OF_TERM]}
        said = (sum(weights[term] for term in weights.keys() & self._terms[index]) for index in near)
        return max(said, default=0.0) / whole


# --- What a model wrote -----------------------------------------------------------------------------------------


class Checked(NamedTuple):
    """A model's text without what was taken out, how many lines that was, and what else the evidence does not have.

    `about`: whether enough of its words are the evidence's for it to be about that at all. `rest`: where it says but one
    passage of the evidence, the evidence without that passage.
    """

    text: str
    dropped: int = 0
    unsupported: tuple[str, ...] = ()
    about: bool = True
    rest: str = ""


class _Invention(NamedTuple):
    """What a model wrote and its text does not have; `is_order`: a link or a command, which somebody may follow.

    `is_name`: nothing but a name, as a heading has one.
    """

    text: str
    is_order: bool
    is_name: bool = False


class Evidence:
    """A text that a model was given, to judge by what it wrote of it."""

    def __init__(self, text: str, brief: str = "", above: str = "") -> None:
        """The words of the brief, and of the headings above the text, may stand in an answer too."""
        self._index = Index(text)
        self._stems = Stems()
        self._asked = set(terms_of(f"{brief} {above}", self._stems))
        # Words by which one asks are words for labels.
        self._labels = frozenset[str]().union(*(kind.asked for kind in kinds()))
        self._text, self._brief = text, brief
        self._plain = _plain(text)
        self._units = read(text).units
        self._terms = [
            frozenset(terms_of(text[start:end], self._stems))
            for start, end in zip(self._units.start, self._units.end, strict=True)
        ]
        self._frequency = Counter(term for terms in self._terms for term in terms)
        self._places: dict[tuple[Kind, str], list[int]] = defaultdict(list)
        self._is_german = is_german(text)
        for fact in find(text, german=self._is_german):
            if fact.kind in _VALUES:
                self._places[fact.kind, fact.key].append(fact.start)

    def _share_of_words(self, answer: str) -> float:
        """Return the share of an answer's different words that the text or the brief has; 1 where it has none."""
        words = set(terms_of(answer, self._stems))
        return len(words & (self._frequency.keys() | self._asked)) / len(words) if words else 1.0

    def check(self, answer: str, is_extraction: bool) -> Checked:  # noqa: FBT001 -- runs as a worker's call, by position
        """Return a model's answer without what may not stand in it."""
        answer = drop_hidden(answer).text
        if is_extraction:
            answer = merge([answer])
        checked = self.facts_only(answer) if is_extraction else self.without_orders(answer)
        about = self._share_of_words(answer) >= LEAST_GROUNDED
        start, end = self._only_passage(answer)
        rest = self._text[:start] + self._text[end:] if end else ""
        return checked._replace(about=about and not end, rest=rest)

    def facts_only(self, answer: str) -> Checked:
        """Drop from an extraction each line, or sentence of a long one, that states what the text does not."""
        return self._without(answer, lambda sentence: not self._is_supported(sentence))

    def _is_supported(self, sentence: str) -> bool:
        if " ".join(sentence.split()) in self._plain:
            return True
        return not self._inventions(sentence) and self._is_together(sentence)

    def without_orders(self, answer: str) -> Checked:
        """Drop sentences with links and commands that the text does not have; name what else it does not have."""
        checked = self._without(
            answer, lambda sentence: any(found.is_order for found in self._inventions(sentence))
        )
        names = dict.fromkeys(invention.text for invention in self._inventions(checked.text))
        return checked._replace(unsupported=tuple(names))

    def _without(self, answer: str, is_out: Callable[[str], bool]) -> Checked:
        """Drop the sentences and lines for which something holds; what only frames others (headings, head rows) stays."""
        kept: list[str] = []
        dropped, last = 0, 0
        for start, end in _sentences(answer):
            sentence = answer[start:end]
            if is_out(sentence) and not (_is_frame(answer, start, end) and self._names_only(sentence)):
                kept.append(answer[last:start].rstrip(" \t"))
                dropped, last = dropped + 1, end
        text = "".join(kept) + answer[last:]
        return Checked(
            "\n".join(line for line in text.splitlines() if not _EMPTY_ITEM.fullmatch(line)).strip(), dropped
        )

    def _names_only(self, sentence: str) -> bool:
        """Whether a sentence invents nothing but names, as a heading or a head row may."""
        return all(found.is_name for found in self._inventions(sentence))

    def _inventions(self, text: str) -> list[_Invention]:
        """Return the facts and commands in a model's text that the evidence does not have."""
        found = [
            _Invention(written, _is_address(fact, written), fact.kind in (Kind.NAME, Kind.TERM))
            for fact in find(text, german=self._is_german)
            if not self._supports(fact, text) and (written := text[fact.start : fact.end])
        ]
        compounds = (match[0] for match in _COMPOUND.finditer(text))
        found += [_Invention(word, is_order=False) for word in compounds if word not in self._text]
        spans = [text[start:end] for start, end in commands(text)]
        spans += [match[0] for match in _CODE_OF_WORDS.finditer(text)]
        plain = (_plain(span) for span in spans)
        return found + [_Invention(span, is_order=True) for span in plain if span not in self._plain]

    def _supports(self, fact: Fact, text: str) -> bool:
        if fact.kind is Kind.ERROR or self._index.has(fact):
            return True
        # A label ("Role:") names what was asked for; it states nothing.
        words = set(terms_of(text[fact.start : fact.end], self._stems))
        known = words <= self._asked | self._labels | self._frequency.keys()
        # A German word with a capital is a noun, sooner than a name, where no other stands beside it.
        is_noun = (
            self._is_german and fact.kind is Kind.NAME and not _FULL_NAME.search(text, fact.start, fact.end)
        )
        return is_noun or (fact.kind in _NAMES and known and _is_label(text, fact))

    def _is_together(self, sentence: str) -> bool:
        """Whether each value of a sentence stands in the text beside what the sentence gives it to.

        That is, beside most of its words by their rarity, and beside half of its other values.
        """
        facts = find(sentence, german=self._is_german)
        found = [fact for fact in facts if (fact.kind, fact.key) in self._places]
        values = [frozenset(terms_of(sentence[fact.start : fact.end], self._stems)) for fact in found]
        words = set(terms_of(sentence, self._stems)).difference(self._asked, *values)
        weights = {term: self._rarity(term) for term in words if term in self._frequency}
        least = (ROW_TOGETHER if _ROW.match(sentence) else TOGETHER) * sum(weights.values())
        return all(
            self._stands_beside(fact, weights, least, [other for other in values if not own & other])
            for fact, own in zip(found, values, strict=True)
        )

    def _rarity(self, term: str) -> float:
        return log(1 + len(self._units) / self._frequency[term])

    def _stands_beside(
        self, value: Fact, weights: dict[str, float], least: float, others: list[frozenset[str]]
    ) -> bool:
        """Whether one of a value's places has enough of some words, by their weights, and half of the other values."""
        for place in self._places[value.kind, value.key][:MAX_PLACES]:
            near = set(terms_of(self._around(place), self._stems))
            beside = sum(other <= near for other in others)
            if sum(weights[term] for term in weights.keys() & near) >= least and 2 * beside >= len(others):
                return True
        return False

    def _around(self, place: int) -> str:
        """Return what a value at a place belongs to: its unit with those above it, and in running text what is before."""
        units = self._units
        index = bisect_right(units.start, place) - 1
        if index < 0:
            return self._text
        start, above = units.start[index], units.parent[index]
        if units.form[index] is Form.SENTENCE and index:
            start = max(units.start[index - 1], start - NEAR_CHARS)
        elif units.form[index] is Form.CODE and above == NONE:
            start = max(0, start - NEAR_CHARS)
        parts = [self._text[start : units.end[index]]]
        while above != NONE:
            parts.append(units.text(self._text, above))
            above = units.parent[above]
        return "\n".join(parts)

    def _only_passage(self, answer: str) -> tuple[int, int]:
        """Return the one passage of a long text that an answer only says again, where nobody asked for that; else (0, 0).

        So answers a model that obeys an order in the text: whatever it was told to say stands there.
        """
        words = set(terms_of(answer, self._stems)) - self._asked
        said = words & self._frequency.keys()
        if len(self._units) < NARROW_UNITS or not said:
            return 0, 0
        best = max(range(len(self._units)), key=lambda index: len(said & self._terms[index]))
        window = self._terms[best : best + 1 + NARROW_REACH]
        beside = frozenset[str]().union(*window)
        # An even text has the same words everywhere; what one passage alone has is nowhere else.
        alone = {
            term for term in said & beside if self._frequency[term] == sum(term in terms for terms in window)
        }
        is_all = len(said & beside) >= NARROW_SHARE * len(words) and len(alone) >= ALONE_SHARE * len(words)
        if not is_all or (self._brief and self._answers(best)):
            return 0, 0
        last = max(number for number, terms in enumerate(window) if terms & alone)
        return self._units.start[best], self._units.end[best + last]

    def _answers(self, index: int) -> bool:
        """Whether a unit is as good an answer to the brief as the text has, or the text has none."""
        reading = Reading(self._text, self._brief)
        strength = reading.scorer.strength
        reading.close()
        return strength[index] >= LEAST_STRENGTH or max(strength, default=0.0) < LEAST_STRENGTH


def _plain(text: str) -> str:
    """Return a command, or what it may stand in, without marks and with single spaces."""
    return " ".join(text.replace("`", " ").split()).removeprefix("$ ")


def _is_address(fact: Fact, written: str) -> bool:
    """Whether a fact is one that somebody could go or write to."""
    return fact.kind is Kind.URL or "@" in written or _HOST_AND_PATH.match(written) is not None


def _is_label(text: str, fact: Fact) -> bool:
    return text[fact.end : fact.end + 4].lstrip("*_`\"'").startswith(":")


def _is_frame(text: str, start: int, end: int) -> bool:
    """Whether a line is a heading, or a table's head row or the rule below it."""
    line = text[start:end].lstrip()
    following = text[end:].lstrip().partition("\n")[0]
    return line.startswith("#") or (line.startswith("|") and _RULE.fullmatch(following or line) is not None)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    for line in _LINE.finditer(text):
        yield from sentences(text, *line.span())


def shown(text: str) -> str:
    """Return a fact as an outcome names it: one line, not long."""
    text = " ".join(text.split())
    return text if len(text) <= MAX_NAMED_CHARS else text[: MAX_NAMED_CHARS - 1] + "…"
