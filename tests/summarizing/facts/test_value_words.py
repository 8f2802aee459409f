"""The words that facts are read by: each means one thing, and each list says where more of them are."""

import tomllib
from collections import Counter

import pytest

from summarizing.facts.value_words import WORDS, value_words

DATA = tomllib.loads(WORDS.read_text("utf-8"))


def words_in(entry: str | list[str]) -> list[str]:
    return entry.split() if isinstance(entry, str) else entry


@pytest.mark.parametrize("name", ["months", "scales", "units", "numbers"])
def test_a_word_stands_under_one_key(name: str) -> None:
    table = dict(enumerate(DATA[name])) if isinstance(DATA[name], list) else DATA[name]
    times = Counter(word for entry in table.values() for word in words_in(entry))
    assert [word for word, count in times.items() if count > 1] == []
    assert len(getattr(value_words(), name)) == len(times) >= len(table)


def test_a_word_is_looked_up_as_it_is_spelled_in_lower_case() -> None:
    words = value_words()
    for known in (words.function_words, words.months, words.scales, words.numbers, words.units):
        assert [word for word in known if word != word.lower()] == []


def test_what_is_said_of_a_word_is_said_of_a_listed_one() -> None:
    words = value_words()
    assert words.capital_months <= words.months.keys()
    assert words.homographs.keys() <= words.numbers.keys()
    assert set(words.homographs.values()) <= words.words_of_language.keys()


@pytest.mark.parametrize("name", DATA)
def test_each_list_says_in_a_comment_what_it_is(name: str) -> None:
    lines = WORDS.read_text("utf-8").splitlines()
    (at,) = [number for number, line in enumerate(lines) if line.startswith((f"{name} =", f"[{name}]"))]
    assert lines[at - 1].startswith("# ")
