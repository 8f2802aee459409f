"""The evidence: a text that a model was given, to judge by what the model wrote of it.

Finds facts, links and commands that the text does not have, values that it gives to something else, and answers that are
not about it. Pure, and without a model; refuses to rewrite: a sentence stands as it is, or goes.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher
from math import log
from typing import NamedTuple

from commands import commands
from cutting import sentences
from extractive import Reading
from fact_names import is_german
from facts import Fact, Kind, find
from guard import LEAST_STRENGTH
from hidden import drop_hidden
from kinds import kinds
from records import merge
from stating import Index
from units import NONE, Form, read
from words import Stems, terms_of

# What a value belongs to may stand so far before it, in running text or in the lines of a listing.
NEAR_CHARS = 600

# So much of what a line says beside its values (its words, by their rarity) must stand where they do.
TOGETHER = 0.7
# A row is copied, not told in other words.
ROW_TOGETHER = 0.95

# Two sentences that have so much in common, in the same order, are one and its copy; what is in so few units is telling.
COPIED = 0.5
RARE_SHARE = 0.1

# So many rare words of a sentence find the one that it may copy.
PROBES = 6

# An answer of which one line of a text, and what follows it at once, has so many words is no summary of so many lines.
NARROW_SHARE = 0.9
ALONE_SHARE = 0.5
NARROW_UNITS = 20
NARROW_REACH = 4

# Who finds one answer among so many has not looked for them.
MANY_ANSWERS = 5

# So many of the words that a model wrote must be the text's: less is not about the text.
LEAST_GROUNDED = 0.5

# A value is looked for at so many of its places.
MAX_PLACES = 20

# An outcome names an invention in so many characters.
MAX_NAMED_CHARS = 60

# Rare or not, they tell nothing: a name may stand in place of each.
_GRAMMAR = (
    "he she it they him them her his its their this that these those who which the a an and or of in on at to by for "
    "with from is are was were wa ha er sie es ihn ihm ihr ihre sein seine dies diese der die das den dem ein eine und "
    "von im am zu bei ist war il elle ils elles lui leur son sa ses ce cette le la les un une et de du des en au est "
    "el ella ello ellos su sus este esta los las y del con es era"
)

_VALUES = frozenset({Kind.NUMBER, Kind.DATE, Kind.VERSION, Kind.ID, Kind.TERM, Kind.PATH})
_NAMES = frozenset({Kind.NAME, Kind.TERM, Kind.ID, Kind.PATH})

_LINE = re.compile(r"[^\n]+")
_RULE = re.compile(r"[ \t]*+\|?[ \t|:\-]*-[ \t|:\-]*+")
# "registry.example/web:1.4.2", "10.0.0.7:8080": parts that are somewhere each are not yet the whole.
_COMPOUND = re.compile(r"(?<![\w/:@.-])(?=\S*\d)(?=\S*[^\W\d])\w++(?:[/:@.-]++\w++){3,}+")
# A telephone number or an account's, in groups: each of them is in many others.
_GROUPS = re.compile(r"(?<![\w.,])\+?\d{2,5}(?:[ ./-]\d{2,5}){2,}(?![\w,])")
# Cells between bars or wide gaps, or what begins with a time stamp.
_ROW = re.compile(r"[\s*-]*+(?:\||\S+(?: \S+)*+ {2,}+\S+(?: \S+)*+ {2,}+\S|\[?\d{4}-\d\d-\d\d[T ]\d\d:)")
_FULL_NAME = re.compile(r"[^\W\d_a-zß-ÿ]\w*+ [^\W\d_a-zß-ÿ]")
_HOST_AND_PATH = re.compile(r"(?://)?[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/")
# A code span of several words is something to type.
_CODE_OF_WORDS = re.compile(r"`[^`\n]*[^`\s] [^`\n]+`")
# What is left of an item whose sentences all went.
_EMPTY_ITEM = re.compile(r"[ \t]*+(?:[-*+\u2022]|\d{1,3}[.)])[ \t]*+")


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
        self._grammar = frozenset(_GRAMMAR.split())
        self._text, self._brief = text, brief
        self._plain = _plain(text)
        self._units = read(text).units
        self._terms = [
            frozenset(terms_of(text[start:end], self._stems))
            for start, end in zip(self._units.start, self._units.end, strict=True)
        ]
        self._having: dict[str, list[int]] = defaultdict(list)
        for unit, terms in enumerate(self._terms):
            for term in terms:
                self._having[term].append(unit)
        self._frequency = {term: len(units) for term, units in self._having.items()}
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
        return not (self._inventions(sentence) or self._is_altered(sentence)) and self._is_together(sentence)

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
        compounds = [match[0] for pattern in (_COMPOUND, _GROUPS) for match in pattern.finditer(text)]
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

    def _is_altered(self, sentence: str) -> bool:
        """Whether a sentence copies one of the text but for a telling word, in whose place it has another one of the text's."""
        words = [term for term in terms_of(sentence, self._stems) if term not in self._asked]
        telling = Counter(term for term in words if self._is_telling(term))
        altered = False
        for unit in self._units_with(telling):
            own = self._terms_of(unit)
            if telling <= Counter(own) + Counter(
                term for above in self._above(unit) for term in self._terms_of(above)
            ):
                return False
            altered = altered or self._is_replaced(own, words)
        return altered

    def _is_replaced(self, one: list[str], other: list[str]) -> bool:
        """Whether two texts are much the same, and have different telling words in one place."""
        if 2 * len(set(one) & set(other)) < COPIED * (len(set(one)) + len(set(other))):
            return False
        matcher = SequenceMatcher(None, one, other, autojunk=False)
        return matcher.ratio() >= COPIED and any(
            tag == "replace"
            and any(map(self._is_telling, one[start:end]))
            and any(map(self._is_telling, other[there:stop]))
            for tag, start, end, there, stop in matcher.get_opcodes()
        )

    def _is_telling(self, term: str) -> bool:
        most = len(self._units) if term in self._stems.numbers else max(1, RARE_SHARE * len(self._units))
        return term not in self._grammar and 0 < self._frequency.get(term, 0) <= most

    def _terms_of(self, unit: int) -> list[str]:
        """Return a unit's terms in their order, without those that were asked for."""
        terms = terms_of(self._units.text(self._text, unit), self._stems)
        return [term for term in terms if term not in self._asked]

    def _units_with(self, terms: Iterable[str]) -> set[int]:
        """Return the units that have one of the rarest of some terms."""
        rarest = sorted(terms, key=lambda term: (self._frequency[term], term))[:PROBES]
        return {unit for term in rarest for unit in self._having[term][:MAX_PLACES]}

    def _above(self, unit: int) -> Iterator[int]:
        """Return the units that a unit hangs on."""
        above = self._units.parent[unit]
        while above != NONE:
            yield above
            above = self._units.parent[above]

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
        parts += [units.text(self._text, above) for above in self._above(index)]
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
        """Whether a unit may be all that the text has to say on the brief: it answers, and few others do; or none does."""
        reading = Reading(self._text, self._brief)
        answers = [strength >= LEAST_STRENGTH for strength in reading.scorer.strength]
        reading.close()
        return not any(answers) or (answers[index] and sum(answers) < MANY_ANSWERS)


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
    """Yield the sentences of each line; a number alone says nothing, and belongs to the one before ("tel. 07 31 90")."""
    for line in _LINE.finditer(text):
        found: list[tuple[int, int]] = []
        for start, end in sentences(text, *line.span()):
            is_rest = found and not any(map(str.isalpha, text[start:end]))
            found.append((found.pop()[0] if is_rest else start, end))
        yield from found


def shown(text: str) -> str:
    """Return a fact as an outcome names it: one line, not long."""
    text = " ".join(text.split())
    return text if len(text) <= MAX_NAMED_CHARS else text[: MAX_NAMED_CHARS - 1] + "…"
