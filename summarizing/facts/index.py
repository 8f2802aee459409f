"""What a text states, to be asked often: whether it keeps a fact of another text, and whether it supports one.

`Index` is built once, in time linear in the text, and knows usual spellings: "three" for 3, a date in words, a part of
a name. Refuses to find facts (summarizing/facts/finding.py), and to guess: what is not in the text in some spelling is not stated.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from summarizing.facts.finding import Fact, Kind, find
from summarizing.facts.normalizing import WORD, nfkc, stems, word_stem
from summarizing.facts.patterns import UNSPACED
from summarizing.facts.vocabulary import NUMBER_WORDS, UNIT_NAMES

# A shorter number occurs by chance: alone it proves nothing.
SHORT_NUMBER_DIGITS = 2

# Words that may stand among those of a name or a term: "Voss, captain Marla" states Marla Voss, "Ann and Bert Voss"
# does not state Ann Voss.
SLACK_WORDS = 1

_OF_LITERALS = (Kind.URL, Kind.PATH, Kind.ID, Kind.VERSION)
_TOKEN_SPLIT = re.compile(r"[^\s\"'`<>()\[\]{}|,;=«»“”‘’「」]+")

# 1,250 and 1.250: the mark is a point in one language and groups digits in another.
_AMBIGUOUS = re.compile(r"\D*(\d{1,3})[.,](\d{3})\D*")


class Index:
    """What a text states, to be asked often; built once, in time linear in the text."""

    def __init__(self, text: str, facts: Sequence[Fact] | None = None) -> None:
        """`facts`: what `find` has found in the text, where that is known already."""
        self._text = nfkc(text)
        self._words: list[str] = []
        self._at: dict[str, list[int]] = defaultdict(list)
        self._line_at: list[int] = []  # the first word of each line
        self._numbers: dict[str, set[int]] = defaultdict(set)  # the lines of each number
        self._labelled: set[tuple[str, str]] = set()
        self._stated: dict[Kind, set[str]] = {kind: set() for kind in Kind}
        self._spans: dict[tuple[str, int], bool] = {}
        self._read_words()
        self._read_facts(text, find(text) if facts is None else facts)
        self._dates = {part for key in self._stated[Kind.DATE] for part in _date_parts(key)}
        self._literals = set[str]().union(*(self._stated[kind] for kind in _OF_LITERALS))
        self._parts = {part for key in self._literals for part in _literal_parts(key)}
        self._initials = {
            "".join(word[0] for word in key.split()) for key in self._stated[Kind.NAME] if " " in key
        }

    @cached_property
    def _folded(self) -> str:
        return " ".join(self._text.casefold().split())

    @cached_property
    def _tokens(self) -> set[str]:
        return {token.rstrip(".:!?*_") for token in _TOKEN_SPLIT.findall(self._text.casefold())}

    def _read_words(self) -> None:
        """Remember where each word stands, as its stem; a number in words is a number."""
        known: dict[str, str] = {}
        numerals: set[str] = set()

        def learn(word: str) -> str:
            if word.casefold() in NUMBER_WORDS:
                numerals.add(word)
            stem = known[word] = word_stem(word)
            return stem

        for line, part in enumerate(self._text.split("\n")):
            self._line_at.append(len(self._words))
            words = WORD.findall(part)
            self._words.extend([known.get(word) or learn(word) for word in words])
            if not numerals.isdisjoint(words):
                for word in numerals.intersection(words):
                    self._numbers[NUMBER_WORDS[word.casefold()]].add(line)
        for at, stem in enumerate(self._words):
            self._at[stem].append(at)

    def _read_facts(self, text: str, facts: Sequence[Fact]) -> None:
        """Remember what the text states; of a number its lines too, and of a number or a date its labels."""
        breaks = [match.start() for match in re.finditer("\n", text)]
        known: dict[tuple[str, str], tuple[str, ...]] = {}
        line = 0
        for kind, start, end, key, label in facts:
            self._stated[kind].add(key)
            if kind is not Kind.NUMBER and kind is not Kind.DATE:
                continue
            self._labelled.add((key, label))
            if kind is Kind.NUMBER or key.isdecimal():
                line = bisect_right(breaks, start - 1, line)
                spelling = text[start:end], key
                keys = known.get(spelling)
                if keys is None:
                    keys = known[spelling] = tuple(_number_keys(*spelling))
                for one in keys:
                    self._numbers[one].add(line)

    def has(self, fact: Fact) -> bool:
        """Whether the text supports a fact that somebody wrote after reading it, in any usual spelling."""
        if fact.kind is Kind.NUMBER:
            return self._has_number(fact)
        if fact.kind is Kind.DATE:
            return self._has_date(fact.key) or fact.key in self._numbers
        if fact.kind is Kind.NAME and fact.key in self._initials:
            return True
        return self._states(fact) or fact.key in self._parts

    def keeps(self, fact: Fact) -> bool:
        """Whether the text still states a fact of what it summarizes: a short number only with what it counts."""
        if fact.kind is Kind.NUMBER:
            is_short = fact.key.isdecimal() and len(fact.key) <= SHORT_NUMBER_DIGITS
            return self.binds(fact) if is_short and fact.label else bool(self._numbers.get(fact.key))
        if fact.kind is Kind.DATE:
            return all(part in self._dates for part in fact.key.split("t"))
        return self._states(fact)

    def binds(self, fact: Fact) -> bool:
        """Whether a number or date stands in one line, or one column, with its label; True of one without a label."""
        if not fact.label or (fact.key, fact.label) in self._labelled:
            return self.has(fact)
        lines = self._numbers.get(fact.key, set())
        return bool(lines) and all(self._lines_of(word) & lines for word in fact.label.split())

    def _lines_of(self, stem: str) -> set[int]:
        return {bisect_right(self._line_at, at) - 1 for at in self._at.get(stem, ())}

    def _has_number(self, fact: Fact) -> bool:
        value, _, unit = fact.key.partition(" ")
        if fact.key in self._numbers or (not unit and f"{value} " in self._numbers):
            return True
        if unit and value in self._numbers:
            return any(word_stem(name) in self._at for name in UNIT_NAMES.get(unit, unit).split())
        return fact.key in self._tokens or fact.key in self._dates

    def _has_date(self, key: str) -> bool:
        if all(part in self._dates for part in key.split("t")):
            return True
        year, _, rest = key.partition("-")
        return bool(year) and f"--{rest}" in self._dates and year in self._dates

    def _states(self, fact: Fact) -> bool:
        """Whether the text has these very words: as a token, or beside each other in any order."""
        if fact.key in self._stated[fact.kind]:
            return True
        if fact.kind in _OF_LITERALS:
            return fact.key in self._literals or fact.key in self._tokens
        if fact.kind is Kind.ERROR:
            return fact.key in self._folded
        words = fact.key.split() if fact.kind is Kind.NAME else stems(fact.key).split()
        if not words or (not fact.key.isascii() and any(map(is_unspaced, fact.key))):
            return fact.key in self._folded
        return self._stand_together(words)

    def _stand_together(self, words: list[str]) -> bool:
        needed = set(words)
        if len(needed) == 1:
            return words[0] in self._at
        key = " ".join(words), len(words)
        if key not in self._spans:
            rarest = min(words, key=lambda word: len(self._at.get(word, ())))
            width = len(words) + max(SLACK_WORDS, len(words) // 2)
            self._spans[key] = any(
                needed <= set(self._words[start : start + width])
                for at in self._at.get(rarest, ())
                for start in range(max(at - width + 1, 0), at + 1)
            )
        return self._spans[key]


def is_unspaced(character: str) -> bool:
    return re.match(f"[{UNSPACED}]", character) is not None


def _number_keys(spelling: str, key: str) -> Iterator[str]:
    """Yield the keys under which a number is asked for: with its unit, whatever its unit, in another reading."""
    value = key.partition(" ")[0]
    yield key
    yield f"{value} "
    for reading in _readings(spelling):
        yield reading + key[len(value) :]


def _readings(text: str) -> Iterator[str]:
    """Yield both values of an amount like 1,250, whose mark is a point in one language and groups digits in another."""
    found = _AMBIGUOUS.fullmatch(nfkc(text))
    if found:
        yield found[1] + found[2]
        yield f"{found[1]}.{found[2]}"
        yield f"{found[1]}.{found[2]}".rstrip("0").rstrip(".")


def _date_parts(key: str) -> Iterator[str]:
    """Yield what a date states besides itself: its year, its month, its day in any year, its time without seconds."""
    yield key
    day, _, clock = key.partition("t")
    if clock:
        yield from (clock, clock[:5])
    elif ":" in key:
        yield key[:5]
    if day[:4].isdecimal() and day[4:5] == "-":
        yield from (day, day[:4], day[:7])
        if len(day) == 10:
            yield f"--{day[5:]}"


def _literal_parts(key: str) -> Iterator[str]:
    """Yield what may stand for an address or a path: without its scheme, or its last part alone."""
    yield key.partition("://")[2] or key
    yield key.rstrip("/").rpartition("/")[2]
