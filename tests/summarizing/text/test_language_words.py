"""The words that sentences are told apart by: looked up as they are spelled, and each list says what it is."""

import tomllib

import pytest

from summarizing.text.language_words import WORDS

DATA: dict[str, str] = tomllib.loads(WORDS.read_text("utf-8"))


@pytest.mark.parametrize("kind", DATA)
def test_each_word_stands_once_in_lower_case(kind: str) -> None:
    words = DATA[kind].split()
    assert [word for word in words if word != word.lower()] == []
    assert len(set(words)) == len(words) > 1


@pytest.mark.parametrize("kind", [kind for kind in DATA if kind.endswith("_unspaced")])
def test_only_scripts_without_spaces_are_looked_for_inside_of_words(kind: str) -> None:
    assert all(word[0] > "\u2fff" for word in DATA[kind].split())
    assert all(word[0] <= "\u2fff" for word in DATA[kind.removesuffix("_unspaced")].split())
