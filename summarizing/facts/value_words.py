"""The words that facts are read by: months, units, numbers in words, words of grammar. Data with its sources: value_words.toml.

Refuses to decide anything: value_keys.py, names.py and their neighbours use the words.
"""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

WORDS = Path(__file__).with_name("value_words.toml")


@dataclass(frozen=True)
class ValueWords:
    """The words, as their readers look them up."""

    function_words: frozenset[str]
    titles: tuple[str, ...]
    name_particles: tuple[str, ...]
    file_endings: tuple[str, ...]
    generic_labels: tuple[str, ...]
    negations: tuple[str, ...]
    months: Mapping[str, int]
    """The number of each month, by its names."""
    capital_months: frozenset[str]
    """Those of these names that are other words in lower case."""
    scales: Mapping[str, int]
    """The power of ten of each word."""
    units: Mapping[str, str]
    """What a unit is called here, by its names and signs."""
    numbers: Mapping[str, str]
    """The digits of each number in words."""
    homographs: Mapping[str, str]
    """The language in which a word is a number, of those that are another word elsewhere."""
    words_of_language: Mapping[str, frozenset[str]]
    """The words of grammar that a language has alone."""


@cache
def value_words() -> ValueWords:
    """Return the words; read when the first text needs them."""
    data: dict[str, Any] = tomllib.loads(WORDS.read_text("utf-8"))
    months = {str(number): names for number, names in enumerate(data["months"], 1)}
    return ValueWords(
        function_words=frozenset(_by_word(data["function_words"])),
        titles=tuple(data["titles"].split()),
        name_particles=tuple(data["name_particles"].split()),
        file_endings=tuple(data["file_endings"].split()),
        generic_labels=tuple(data["generic_labels"].split()),
        negations=tuple(data["negations"].split()),
        months={name: int(number) for name, number in _by_word(months).items()},
        capital_months=frozenset(data["capital_months"].split()),
        scales={name: int(power) for name, power in _by_word(data["scales"]).items()},
        units=_by_word(data["units"]),
        numbers={word.casefold(): digits for word, digits in _by_word(data["numbers"]).items()},
        homographs=_by_word(data["homographs"]),
        words_of_language=_told_apart(data["function_words"]),
    )


def _told_apart(words: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Return the words of each language that no other one has."""
    times = Counter(word for listed in words.values() for word in listed.split())
    return {
        language: frozenset(word for word in listed.split() if times[word] == 1)
        for language, listed in words.items()
    }


def _by_word(words: Mapping[str, str | Sequence[str]]) -> dict[str, str]:
    """Return the key that each word stands under."""
    split = ((key, each.split() if isinstance(each, str) else each) for key, each in words.items())
    return {word: key for key, each in split for word in each}
