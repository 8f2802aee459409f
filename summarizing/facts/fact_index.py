"""An index of what a text states: whether it supports a fact that a model wrote, and whether it keeps a fact of another text.

Built once, in time linear in the text; knows usual spellings: another unit's name, a date in words, a part of a path or of a name,
initials, a number in words. Does not find facts (summarizing/facts/fact_finder.py), or guess: what is not in the text in some
spelling is not stated. Whether values belong together, summarizing/faithfulness/misattributed_values.py judges.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, cached_property
from itertools import chain, pairwise

from summarizing.facts.date_keys import date_parts
from summarizing.facts.fact import Fact, FactKey
from summarizing.facts.fact_finder import find_facts
from summarizing.facts.number_keys import is_short_for, readings, unit_key
from summarizing.facts.value_words import value_words
from summarizing.facts.word_index import UNSPACED_SIGN, WordIndex
from summarizing.text.language.language_words import prevailing_language
from summarizing.text.language.stemming import Stems

# Whole numbers of no more digits occur by chance: one counts as kept only in a text with what it counts.
SHORT_NUMBER_DIGITS = 2

# A longer "unit" is the word for what is counted.
MAX_UNIT_CHARS = 3

# A shorter prefix does not identify a hash.
MIN_HASH_CHARS = 7

# Values belong to names, and an address stands for itself.
NO_VALUES = frozenset(("name", "acronym", "url", "email"))
_DATES = ("date", "time")
_NO_OTHER_VALUES = NO_VALUES.union(_DATES, ("num",))
# The parts of these may stand in the text as separate words.
_OF_WORDS = frozenset(("ident header", "ident slash", "ident colon", "ident call"))

# For each of some values, where the facts stand that have it.
_Places = dict[str, list[int]]
_NOWHERE: _Places = {}

# A number with any signs between its digits.
SPELLED_NUMBER = re.compile(r"\d[\d.,'’ \u00a0\u2009\u202f]*\d|\d")
# A number that nobody reads in another way, whatever stands behind it but digits: no comma, no three decimals, no last zero.
_ONE_READING = re.compile(r"([0-9]++(?:\.(?:[0-9]?[1-9]|[0-9]{3,}[1-9]))?)(?!\d)\D*+")


class FactIndex:
    """What a text states; built once, in time linear in the text."""

    def __init__(
        self,
        text: str,
        facts: Sequence[Fact] | None = None,
        stems: Stems | None = None,
        shift: int = 0,
    ) -> None:
        """`facts`: what `find_facts` has found in the text, where that is known already; `stems`: of other texts with the same words.

        Of a part of a text the facts are those of the whole one: each stands `shift` characters further in the part.
        """
        self._text, self._shift = text, shift
        self._facts = find_facts(text) if facts is None else facts
        self._keys = {key for _, _, key, _ in self._facts}
        # All else is read when it is first asked for: most facts of an answer are spelled as the text spells them.
        self._words = WordIndex(text, stems or Stems())

    def has(self, fact: Fact) -> bool:
        """Whether the text supports a fact that a model wrote after reading it, in any usual spelling."""
        kind = fact.kind
        if fact.key in self._keys:
            return True
        if kind == "num":
            return self._has_number(fact.key)
        if kind in _DATES:
            return self._has_date(fact.key)
        if kind in ("name", "acronym"):
            return fact.key in self._initials or self._has_words(fact.key)
        if kind in ("quote", "code"):
            return self._words.states(fact.key) or self._words.says(fact.key)
        return self._has_literal(fact) or (fact.signature in _OF_WORDS and self._words.says(fact.key))

    def keeps(self, fact: Fact | FactKey) -> bool:
        """Whether the text still states a fact of what it summarizes: a short number only with what it counts."""
        kind = fact.signature.partition(" ")[0]
        if kind == "num":
            return self._keeps_number(fact.key)
        if fact.key in self._keys:
            return True
        if kind in _DATES:
            return all(part in self._dates for part in fact.key.split("t"))
        if kind in ("name", "acronym", "quote", "code"):
            return self._words.states(fact.key) or self._words.says(fact.key)
        return self._words.states(fact.key)

    def places(self, value: str) -> list[int]:
        """Return where the text has a value in any of its readings, alone or as a part of a date; names and addresses are no values."""
        numbers = self._numbers.get(value, _NOWHERE).values()
        places = set[int]().union(*numbers, self._dates.get(value, ()), self._other_values.get(value, ()))
        return [place + self._shift for place in sorted(places)]

    # --- What the text has ---

    @cached_property
    def _by_signature(self) -> dict[str, list[Fact]]:
        facts: dict[str, list[Fact]] = defaultdict(list)
        for fact in self._facts:
            facts[fact[3]].append(fact)
        return facts

    def _facts_of(self, is_of: Callable[[str], bool]) -> Iterator[Fact]:
        """Yield the facts of some signatures."""
        facts = self._by_signature
        return chain.from_iterable(map(facts.__getitem__, filter(is_of, facts)))

    @cached_property
    def _numbers(self) -> dict[str, _Places]:
        """Of each number, in any of its readings, where it stands with each unit; "" is that of one without."""
        text, shift = self._text, self._shift
        spellings: dict[tuple[str, str], list[int]] = defaultdict(list)
        for start, end, key, _ in self._facts_of(_is_number):
            spellings[key, text[start + shift : end + shift]].append(start)
        numbers: dict[str, _Places] = {}
        for (key, spelled), starts in spellings.items():
            value, _, unit = key.partition(" ")
            is_plain = value == spelled and value.isdecimal()
            for reading in (value,) if is_plain else readings_of(value, spelled):
                # Most numbers stand with one unit.
                if (units := numbers.get(reading)) is None:
                    numbers[reading] = {unit: starts}
                else:
                    units[unit] = units.get(unit, []) + starts
        return numbers

    @cached_property
    def _values(self) -> AbstractSet[str]:
        """The values of all numbers, in digits and in words."""
        return self._numbers.keys() | self._spelled

    @cached_property
    def _dates(self) -> _Places:
        """For each part of a date, where the dates stand that have it."""
        starts: _Places = defaultdict(list)
        for start, _, key, _ in self._facts_of(_is_date):
            starts[key].append(start)
        dates: _Places = defaultdict(list)
        for key, found in starts.items():
            for part in date_parts(key):
                dates[part] += found
        return dates

    @cached_property
    def _other_values(self) -> _Places:
        """Where each value stands that is no number and no date."""
        places: _Places = defaultdict(list)
        for start, _, key, _ in self._facts_of(_is_other_value):
            places[key].append(start)
        return places

    @cached_property
    def _initials(self) -> set[str]:
        """The initials of each name of several words."""
        names = {key for _, _, key, _ in self._facts_of(_is_name) if " " in key}
        return {"".join([word[0] for word in name.split()]) for name in names}

    def _is_spelled(self, value: str) -> bool:
        """Whether the text has a number in words."""
        return value in _spelled_values() and value in self._spelled

    @cached_property
    def _spelled(self) -> frozenset[str]:
        """The numbers that the text has in words."""
        numbers = value_words().numbers
        spelled = _numbers_among(self._words.written, self._words.different & numbers.keys())
        return frozenset(map(numbers.__getitem__, spelled))

    # --- Sorts of facts ---

    def _has_number(self, key: str) -> bool:
        value, _, unit = key.partition(" ")
        units = self._numbers.get(value, _NOWHERE)
        if _is_one_of(unit, units):
            return True
        is_spelled = self._is_spelled(value)
        if not (units or is_spelled):
            return (
                (not unit and self._words.has_token(key))
                or value in self._dates
                or self._is_unspaced_part(key)
            )
        if not unit:
            return True
        if len(unit) <= MAX_UNIT_CHARS and not UNSPACED_SIGN.match(unit):
            return (is_spelled or "" in units) and self._has_unit(unit)
        return self._has_unit(unit)

    def _has_unit(self, unit: str) -> bool:
        """Whether the text has a unit anywhere: over a column, in another sentence."""
        return (
            self._words.has_stem(unit)
            or unit in self._spelled_units
            or ((not unit.isascii() or not unit.isalnum()) and self._words.has_letters(unit))
        )

    @cached_property
    def _spelled_units(self) -> set[str]:
        """The units that the text says in words."""
        return {unit_key(word) for word in self._words.different & value_words().units.keys()}

    def _is_unspaced_part(self, key: str) -> bool:
        return UNSPACED_SIGN.search(key) is not None and self._words.has_letters(key)

    def _keeps_number(self, key: str) -> bool:
        value, _, unit = key.partition(" ")
        # The quick test first: most numbers of a text are not in its summary.
        if value not in self._values:
            return False
        if _is_one_of(unit, self._numbers.get(value, _NOWHERE)):
            return True
        is_short = value.isdecimal() and len(value) <= SHORT_NUMBER_DIGITS
        return not unit or (not is_short and len(unit) > MAX_UNIT_CHARS) or self._has_unit(unit)

    def _has_date(self, key: str) -> bool:
        if all(map(self._has_part_of_date, key.split("t"))):
            return True
        year, _, rest = key.partition("-")
        return bool(year) and f"--{rest}" in self._dates and self._has_part_of_date(year)

    def _has_part_of_date(self, part: str) -> bool:
        return part in self._dates or part in self._numbers or self._is_spelled(part)

    def _has_literal(self, fact: Fact) -> bool:
        """Whether a fact stands in the text as it is, but for a "v" before its number, or as the beginning of a hash."""
        key = fact.key
        other = key[1:] if key[:1] == "v" else f"v{key}"
        is_version = (key[:1].isdecimal() or other[:1].isdecimal()) and self._words.has_token(other)
        return self._words.states(key) or is_version or self._has_longer_hash(fact)

    def _has_words(self, key: str) -> bool:
        """Whether the text has a name, as it is written or in other forms."""
        return self._words.has_part(key) or self._words.says(key)

    def _has_longer_hash(self, fact: Fact) -> bool:
        """Whether a short hash is the beginning of one in the text."""
        if not fact.signature.startswith("hex") or len(fact.key) < MIN_HASH_CHARS:
            return False
        return self._words.has_token_with(fact.key)


@cache
def _spelled_values() -> frozenset[str]:
    return frozenset(value_words().numbers.values())


def _is_one_of(unit: str, units: Collection[str]) -> bool:
    """Whether one of the units that a number has is this one, in any spelling; "" is any of them."""
    return bool(units) and (not unit or unit in units or any(is_short_for(unit, other) for other in units))


def _numbers_among(words: Sequence[str], spelled: AbstractSet[str]) -> Iterator[str]:
    """Yield the spelled numbers of a text without those of another language ("once a day"), or that are a part of a unit ("per cent")."""
    languages_of = value_words().languages_of_numbers
    language = prevailing_language(words) if spelled else ""
    for word in spelled:
        if (not language or language in languages_of[word]) and not _is_only_unit(word, words):
            yield word


def _is_only_unit(word: str, words: Sequence[str]) -> bool:
    """Whether each time a word stands in a text it is the end of a unit of two words."""
    units = value_words().units
    if not any(unit.endswith(f" {word}") for unit in units):
        return False
    return all(f"{before} {word}" in units for before, each in pairwise(("", *words)) if each == word)


def readings_of(value: str, spelled: str) -> Collection[str]:
    """Return the values that a number in a text may have, as it is spelled there."""
    if spelled[:1] == ".":
        spelled = f"0{spelled}"
    # Most numbers have one reading, and the quick tests find that.
    if value.isdecimal() and value == spelled:
        return (value,)
    plain = _ONE_READING.fullmatch(spelled)
    if plain and plain[1] == value:
        return (value,)
    found = SPELLED_NUMBER.search(spelled)
    return {value, *readings(found[0])} if found else (value,)


def _is_number(signature: str) -> bool:
    kind, _, rest = signature.partition(" ")
    return kind == "num" or rest == "year"


def _is_name(signature: str) -> bool:
    return signature.partition(" ")[0] == "name"


def _is_date(signature: str) -> bool:
    return signature.startswith(_DATES)


def _is_other_value(signature: str) -> bool:
    return signature.partition(" ")[0] not in _NO_OTHER_VALUES
