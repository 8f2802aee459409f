"""The words that facts are read by: each means one thing, and each list says where more of them are."""

import tomllib
from collections import Counter

import pytest

from summarizing.facts.fact import Fact
from summarizing.facts.fact_finder import find_facts
from summarizing.facts.fact_index import FactIndex
from summarizing.facts.number_keys import number_key
from summarizing.facts.value_words import value_words
from summarizing.text.data_files import FOLDER
from summarizing.text.language.language_words import language_words, languages

# Other tests cover the same branches.
pytestmark = pytest.mark.unmeasured

WORDS = FOLDER / "facts/value_words.toml"
DATA = tomllib.loads(WORDS.read_text("utf-8"))
MADE = languages()


def words_in(entry: str | list[str]) -> list[str]:
    return entry.split() if isinstance(entry, str) else entry


@pytest.mark.parametrize("name", ["scales", "scale_signs", "units"])
def test_a_word_stands_under_one_key(name: str) -> None:
    tables = [MADE[name], DATA.get(f"more_{name}", {})]
    times = Counter(word for table in tables for entry in table.values() for word in words_in(entry))
    assert [word for word, count in times.items() if count > 1] == []
    left_out = DATA.get(f"not_{name}", "").split()
    assert len(getattr(value_words(), name)) == len(times) - len(left_out) >= len(MADE[name])
    assert times.keys() >= set(left_out)


@pytest.mark.parametrize(
    "text, key",
    [
        ("Of 20 games, 12 won and 8 lost.", "12 won"),
        ("They sold 3 bio eggs.", "3 bio"),
        ("It takes 5 md of work.", "5 md"),
        ("The fields cover 12 ha today.", "12 ha"),
        ("It took 3 tries.", "3 try"),
        ("It was read by Sean Miller.", "sean miller"),
        ("It was read by Ella Hart.", "ella hart"),
        ("It costs .$5 today.", "5 usd"),
    ],
)
def test_a_word_of_one_language_is_no_unit_or_particle_of_another(text: str, key: str) -> None:
    assert key in [fact.key for fact in find_facts(text)]


def test_three_tries_are_no_three_liras() -> None:
    assert find_facts("It took 3 tries.")[0].key != find_facts("It took 3 ₺.")[0].key


def test_a_word_is_the_same_month_and_the_same_number_in_all_languages() -> None:
    months = {
        (word, at)
        for names in MADE["months"].values()
        for at, each in enumerate(names)
        for word in each.split()
    }
    numbers = {
        (word, key)
        for table in MADE["numbers"].values()
        for key, each in table.items()
        for word in each.split()
    }
    assert len(value_words().months) == len(months) > 100
    assert len({word for word, _ in numbers}) == len(numbers) > 100


def test_a_word_is_looked_up_as_it_is_spelled_in_lower_case() -> None:
    words = value_words()
    for known in (words.function_words, words.months, words.scales, words.numbers, words.units):
        assert [word for word in known if word != word.lower()] == []


def test_what_is_said_of_a_word_is_said_of_a_listed_one() -> None:
    words = value_words()
    assert words.capital_months <= words.months.keys()
    assert words.languages_of_numbers.keys() == words.numbers.keys()
    assert set().union(*words.languages_of_numbers.values()) <= language_words().only_in.keys()


def test_each_language_has_every_kind_of_words() -> None:
    assert MADE["function_words"].keys() == MADE["numbers"].keys() <= MADE["months"].keys()
    for language, names in MADE["months"].items():
        assert len(names) == 12, language
    for table in MADE["numbers"].values():
        assert {"10", "20", "100", "1000"} <= table.keys()


@pytest.mark.parametrize("name", DATA)
def test_each_list_says_in_a_comment_what_it_is(name: str) -> None:
    lines = WORDS.read_text("utf-8").splitlines()
    (at,) = [number for number, line in enumerate(lines) if line.startswith((f"{name} =", f"[{name}]"))]
    assert lines[at - 1].startswith("# ")


# Each list by what its words come to in a text.


def keys_in(text: str) -> list[str]:
    return [fact.key for fact in find_facts(text)]


def states(text: str, number: str) -> bool:
    return FactIndex(text).has(Fact(0, 0, f"{number} boat", "num boat"))


@pytest.mark.parametrize("name, unit", value_words().units.items())
def test_a_unit_has_one_key_by_all_its_names(name: str, unit: str) -> None:
    assert number_key("11", name) == f"11 {unit}"
    if name.isascii() and name.replace(" ", "").isalpha():
        assert keys_in(f"so 11 {name}") == [f"11 {unit}"]


@pytest.mark.parametrize("word, digits", value_words().numbers.items())
def test_a_word_states_a_number_but_not_as_another_word_of_another_language(word: str, digits: str) -> None:
    spoken = value_words().languages_of_numbers[word]
    for language in spoken:
        of_grammar = " ".join(sorted(language_words().only_in[language]))
        assert states(f"{of_grammar}\n{word} boats", digits)
    if "en" not in spoken:
        assert not states(f"This is the {word} of the boats and of the quay.", digits)


@pytest.mark.parametrize("name, number", value_words().months.items())
def test_a_month_makes_a_date_but_not_where_it_may_be_another_word(name: str, number: int) -> None:
    date = f"--{number:02}-12"
    assert date in keys_in(f"so 12 {name.capitalize()}")
    assert (date in keys_in(f"up to 12 {name} attend")) == (name not in value_words().capital_months)
    assert keys_in(f"on 12 {name} 2026") == [f"2026-{number:02}-12"]


@pytest.mark.parametrize("text", ["once a day", "up to 12 may attend", "MS DOS", "a few per cent", "an elf"])
def test_what_must_be_no_number_and_no_date(text: str) -> None:
    assert not any(states(f"It is so in the house: {text}.", number) for number in ("2", "11", "100"))
    assert "--05-12" not in keys_in(text)
