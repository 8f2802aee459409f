"""The words by which facts are recognized: months, units, numbers in words, titles.

Data: value_words.toml, and languages_generated.toml of summarizing/text/language/.

Decides nothing: date_keys.py, number_keys.py, names.py and their neighbours use the words.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from summarizing.text.data_files import table
from summarizing.text.language.language_words import languages

V = TypeVar("V")


@dataclass(frozen=True)
class ValueWords:
    """The words, as their readers look them up."""

    function_words: frozenset[str]
    """Beside a number they are no unit, at the start of a sentence no name."""
    titles: tuple[str, ...]
    name_particles: tuple[str, ...]
    file_endings: tuple[str, ...]
    generic_labels: tuple[str, ...]
    negations: tuple[str, ...]
    months: Mapping[str, int]
    """The number of each month, by its names."""
    capital_months: frozenset[str]
    """Those of these names that are other words in lower case."""
    ordinal_signs: tuple[str, ...]
    """Letters behind a number, the longest first."""
    scales: Mapping[str, int]
    """The power of ten of each word."""
    scale_signs: Mapping[str, int]
    """The power of ten of each letter that may stand for one."""
    units: Mapping[str, str]
    """What a unit is called here, by its names and signs; a currency by its code."""
    numbers: Mapping[str, str]
    """The digits of each number in words."""
    languages_of_numbers: Mapping[str, frozenset[str]]
    """The languages in which a word is that number."""


@cache
def value_words() -> ValueWords:
    """Return the words; read when the first text needs them."""
    data, made = table("facts/value_words.toml"), languages()
    more_numbers = {"en": data["more_numbers"]}
    spoken = [*made["numbers"].items(), *more_numbers.items()]
    return ValueWords(
        function_words=frozenset(" ".join(data["function_words"].values()).split()),
        titles=tuple(data["titles"].split()),
        name_particles=tuple(data["name_particles"].split()),
        file_endings=tuple(data["file_endings"].split()),
        generic_labels=tuple(data["generic_labels"].split()),
        negations=tuple(data["negations"].split()),
        months=_months(made["months"].values()),
        capital_months=frozenset(data["capital_months"].split()),
        ordinal_signs=tuple(sorted(made["ordinal_signs"].split(), key=len, reverse=True)),
        scales=_without(_powers(made["scales"], data["more_scales"]), data["not_scales"]),
        scale_signs=_powers(made["scale_signs"]),
        units=_without(dict(_by_word(made["units"], data["more_units"])), data["not_units"]),
        numbers=dict(_by_word(*(words for _, words in spoken))),
        languages_of_numbers=_languages_of(spoken),
    )


def _months(by_language: Iterable[Sequence[str]]) -> dict[str, int]:
    return {
        name: number
        for months in by_language
        for number, names in enumerate(months, 1)
        for name in names.split()
    }


def _powers(*tables: Mapping[str, str]) -> dict[str, int]:
    return {word: int(power) for word, power in _by_word(*tables)}


def _without(table: Mapping[str, V], words: str) -> dict[str, V]:
    return {word: entry for word, entry in table.items() if word not in words.split()}


def _languages_of(spoken: Iterable[tuple[str, Mapping[str, str]]]) -> dict[str, frozenset[str]]:
    languages_of: dict[str, set[str]] = defaultdict(set)
    for language, words in spoken:
        for word, _ in _by_word(words):
            languages_of[word].add(language)
    return {word: frozenset(each) for word, each in languages_of.items()}


def _by_word(*tables: Mapping[str, str | Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield each word with the key that it stands under."""
    for words in tables:
        for key, entry in words.items():
            for word in entry.split() if isinstance(entry, str) else entry:
                yield word, key
