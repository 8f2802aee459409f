"""The evidence: a text that a model was given, to judge by what the model wrote of it.

Finds facts, links and commands that the text does not have, values that it gives to something else, and answers that are
not about it. Pure, and without a model; refuses to rewrite: a sentence stands as it is, or goes.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from summarizing.extractive.selection import Reading
from summarizing.facts.commands import commands
from summarizing.facts.finding import Fact, Kind, find
from summarizing.facts.index import Index
from summarizing.facts.names import is_german
from summarizing.facts.records import merge
from summarizing.faithfulness.coverage import LEAST_STRENGTH
from summarizing.faithfulness.passages import MAX_PLACES, Passages
from summarizing.relevance.kinds import kinds
from summarizing.sanitizing.hidden import drop_hidden
from summarizing.text.segments import NONE
from summarizing.text.sentences import sentences
from summarizing.text.stemming import Stems, terms_of

# So much of what a line says beside its values (its words, by their rarity) must stand where they do.
TOGETHER = 0.7
# A row is copied, not told in other words.
ROW_TOGETHER = 0.95

# Each different value of a sentence is held against each other one; a sentence with more of them is a run of numbers.
MAX_VALUES = 100

# Returning one of so many matches means that the model did not search.
MANY_ANSWERS = 5

# So many of the words that a model wrote must be the text's: less is not about the text.
LEAST_GROUNDED = 0.5

# So many characters may stand between two groups of a number.
MAX_GROUP_GAP = 3

# An outcome names an invention in so many characters.
MAX_NAMED_CHARS = 60

_VALUES = frozenset({Kind.NUMBER, Kind.DATE, Kind.VERSION, Kind.ID, Kind.TERM, Kind.PATH})
_NAMES = frozenset({Kind.NAME, Kind.TERM, Kind.ID, Kind.PATH})

_LINE = re.compile(r"[^\n]+")
_RULE = re.compile(r"(?=[ \t|:]*+-)[ \t|:\-]++")
# "registry.example/web:1.4.2", "10.0.0.7:8080": parts that are somewhere each are not yet the whole.
_COMPOUND = re.compile(r"(?<![\w/:@.-])\w++(?:[/:@.-]++\w++){3,}+")
# A telephone number or an account's, in groups: each of them is in many others.
_GROUPS = re.compile(r"(?<![\w.,])\+?\d{2,5}(?:[ ./-]\d{2,5}(?![\w,])){2,}+")
_GAP = re.compile(r"\D+")
_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]")
# Cells between bars or wide gaps, or what begins with a time stamp.
_ROW = re.compile(r"[\s*-]*+(?:\||\S+(?: \S+)*+ {2,}+\S+(?: \S+)*+ {2,}+\S|\[?\d{4}-\d\d-\d\d[T ]\d\d:)")
_FULL_NAME = re.compile(r"[^\W\d_a-zß-ÿ]\w{0,60}+ [^\W\d_a-zß-ÿ]")
_HOST_AND_PATH = re.compile(r"(?://)?[\w-]++(?:\.[\w-]++){0,40}?\.[a-z]{2,}+/")
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
        self._is_german = is_german(text)
        facts = find(text, german=self._is_german)
        self._index = Index(text, facts)
        self._stems = Stems()
        self._asked = frozenset(terms_of(f"{brief} {above}", self._stems))
        # Words by which one asks are words for labels.
        self._labels = frozenset[str]().union(*(kind.asked for kind in kinds()))
        self._text, self._brief = text, brief
        self._plain = _plain(text)
        self._passages = Passages(text, self._stems, self._asked)
        self._places: dict[tuple[Kind, str], list[int]] = defaultdict(list)
        for fact in facts:
            if fact.kind in _VALUES:
                self._places[fact.kind, fact.key].append(fact.start)

    def _share_of_words(self, answer: str) -> float:
        """Return the share of an answer's different words that the text or the brief has; 1 where it has none."""
        words = set(terms_of(answer, self._stems))
        known = sum(word in self._passages.frequency or word in self._asked for word in words)
        return known / len(words) if words else 1.0

    def check(self, answer: str, is_extraction: bool) -> Checked:  # noqa: FBT001 -- runs as a worker's call, by position
        """Return a model's answer without what may not stand in it."""
        answer = drop_hidden(answer).text
        if is_extraction:
            answer = merge([answer])
        checked = self.facts_only(answer) if is_extraction else self.without_orders(answer)
        about = self._share_of_words(answer) >= LEAST_GROUNDED
        # So answers a model that obeys an order in the text: whatever it was told to say stands there.
        first, last = self._passages.only_one(answer)
        if first == NONE or (self._brief and self._answers(first)):
            return checked._replace(about=about)
        return checked._replace(about=False, rest=self._passages.without(first, last))

    def facts_only(self, answer: str) -> Checked:
        """Drop from an extraction each line, or sentence of a long one, that states what the text does not."""
        return self._without(answer, lambda sentence: not self._is_supported(sentence))

    def _is_supported(self, sentence: str) -> bool:
        if self._has_word_for_word(" ".join(sentence.split())):
            return True
        return not (self._inventions(sentence) or self._passages.is_altered(sentence)) and self._is_together(
            sentence
        )

    def _has_word_for_word(self, sentence: str) -> bool:
        """Whether the text has a sentence as it is: not "Fee: 5" of "Fee: 50", nor of "Fee: 5.50"."""
        at = self._plain.find(sentence)
        while at >= 0:
            end = at + len(sentence)
            before, behind = self._plain[max(at - 1, 0) : at], self._plain[end : end + 2]
            if before.isalnum():
                # No later place in the same word begins a word.
                gap = _NO_LETTER_OR_DIGIT.search(self._plain, at)
                at = self._plain.find(sentence, gap.end()) if gap else NONE
                continue
            goes_on = behind[:1].isalnum() or (behind[:1] in (".", ",", ":", "-") and behind[1:].isdigit())
            if not goes_on:
                return True
            at = self._plain.find(sentence, at + 1)
        return False

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
        facts = find(text, german=self._is_german)
        found = [
            _Invention(written, _is_address(fact, written), fact.kind in (Kind.NAME, Kind.TERM))
            for fact in facts
            if not self._supports(fact, text) and (written := text[fact.start : fact.end])
        ]
        compounds = [word for word in _compounds(text) if not self._has_word_for_word(word)]
        dates = [(fact.start, fact.end) for fact in facts if fact.kind is Kind.DATE]
        compounds += [
            match[0]
            for match in _GROUPS.finditer(text)
            if not any(start <= match.start() and match.end() <= end for start, end in dates)
            and not self._has_groups(match[0])
        ]
        found += [_Invention(word, is_order=False) for word in compounds]
        spans = [text[start:end] for start, end in commands(text)]
        spans += [match[0] for match in _CODE_OF_WORDS.finditer(text)]
        plain = (_plain(span) for span in spans)
        return found + [_Invention(span, is_order=True) for span in plain if span not in self._plain]

    def _has_groups(self, number: str) -> bool:
        """Whether the text has a telephone number or an account's, however its groups are parted."""
        groups = re.findall(r"\d+", number)
        # Nearly always no, and quick to tell: a pattern of its own for each number is not.
        if "".join(groups) not in self._digits:
            return False
        return (
            re.search(r"(?<!\d)" + rf"\D{{0,{MAX_GROUP_GAP}}}".join(groups) + r"(?!\d)", self._text)
            is not None
        )

    @cached_property
    def _digits(self) -> str:
        """The text's digits, those as one that groups of a number may stand as far apart as."""
        return _GAP.sub(lambda gap: " " if len(gap[0]) > MAX_GROUP_GAP else "", self._text)

    def _supports(self, fact: Fact, text: str) -> bool:
        if fact.kind is Kind.ERROR or self._index.has(fact):
            return True
        # A label ("Role:") names what was asked for; it states nothing.
        words = set(terms_of(text[fact.start : fact.end], self._stems))
        of_the_text = {word for word in words if word in self._passages.frequency}
        known = all(word in of_the_text or word in self._asked or word in self._labels for word in words)
        if (
            fact.kind is Kind.NAME
            and _is_label(text, fact)
            and not _FULL_NAME.search(text, fact.start, fact.end)
        ):
            # "Monthly rent:" names what the text calls the rent; one word that the text does not have may be anything.
            known = known or (len(words) > 1 and bool(of_the_text))
        # A German word with a capital is a noun, sooner than a name, where no other stands beside it.
        is_noun = (
            self._is_german and fact.kind is Kind.NAME and not _FULL_NAME.search(text, fact.start, fact.end)
        )
        return is_noun or (fact.kind in _NAMES and known and _is_label(text, fact))

    def _is_together(self, sentence: str) -> bool:
        """Whether each part of a sentence, as semicolons part it, says of its values what the text says of them."""
        return all(map(self._is_part_together, sentence.split(";")))

    def _is_part_together(self, sentence: str) -> bool:
        """Whether each value of a sentence stands in the text beside what the sentence gives it to.

        That is, beside most of its words by their rarity, and beside half of its other values.
        """
        facts = find(sentence, german=self._is_german)
        known = {(fact.kind, fact.key): fact for fact in facts if (fact.kind, fact.key) in self._places}
        found = list(islice(known.values(), MAX_VALUES))
        values = [frozenset(terms_of(sentence[fact.start : fact.end], self._stems)) for fact in found]
        words = set(terms_of(sentence, self._stems)).difference(self._asked, *values)
        weights = {term: self._passages.rarity(term) for term in words if term in self._passages.frequency}
        least = (ROW_TOGETHER if _ROW.match(sentence) else TOGETHER) * sum(weights.values())
        return all(
            self._stands_beside(fact, weights, least, [other for other in values if not own & other])
            for fact, own in zip(found, values, strict=True)
        )

    def _stands_beside(
        self, value: Fact, weights: dict[str, float], least: float, others: list[frozenset[str]]
    ) -> bool:
        """Whether one of a value's places has enough of some words, by their weights, and half of the other values."""
        for place in self._places[value.kind, value.key][:MAX_PLACES]:
            near = self._passages.around(place)
            beside = sum(other <= near for other in others)
            if sum(weights[term] for term in weights.keys() & near) >= least and 2 * beside >= len(others):
                return True
        return False

    def _answers(self, index: int) -> bool:
        """Whether a unit may be all that the text has to say on the brief: it answers, and few others do; or none does."""
        reading = Reading(self._text, self._brief)
        answers = [strength >= LEAST_STRENGTH for strength in reading.scorer.strength]
        reading.close()
        return not any(answers) or (answers[index] and sum(answers) < MANY_ANSWERS)


def _compounds(text: str) -> Iterator[str]:
    """Yield what is joined of four parts or more and has digits and letters, without a look ahead from each word."""
    for match in _COMPOUND.finditer(text):
        if any(map(str.isdecimal, match[0])) and any(map(str.isalpha, match[0])):
            yield match[0]


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
