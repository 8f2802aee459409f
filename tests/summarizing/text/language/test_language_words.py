"""The words that sentences are told apart by: looked up as they are spelled, and each list says what it is."""

import pytest

from summarizing.text.data_files import table
from summarizing.text.language.language_words import languages, prevailing_language

DATA = dict(table("text/language/languages_by_hand.toml"))
MORE: dict[str, str] = DATA.pop("more_function_words")


@pytest.mark.parametrize("kind", DATA)
def test_each_word_stands_once_in_lower_case(kind: str) -> None:
    listed = DATA[kind]
    words = listed.split() if isinstance(listed, str) else listed
    assert [word for word in words if word != word.lower()] == []
    assert len(set(words)) == len(words) > 1


@pytest.mark.parametrize("language, listed", MORE.items())
def test_what_is_added_by_hand_is_not_in_the_published_list(language: str, listed: str) -> None:
    words = listed.split()
    assert [word for word in words if word != word.lower() or words.count(word) > 1] == []
    assert not set(words) & set(languages()["function_words"][language].split())


@pytest.mark.parametrize(
    "text, language",
    [
        ("the boats are in the harbour", "en"),
        ("die boote sind nicht im hafen", "de"),
        ("les bateaux sont dans le port", "fr"),
        ("los barcos están en el puerto", "es"),
        ("boats, harbour", ""),
    ],
)
def test_function_words_tell_which_language_prevails(text: str, language: str) -> None:
    assert prevailing_language(text.split()) == language


@pytest.mark.parametrize("kind", [kind for kind in DATA if kind.endswith("_unspaced")])
def test_only_scripts_without_spaces_are_looked_for_inside_of_words(kind: str) -> None:
    assert all(word[0] > "\u2fff" for word in DATA[kind].split())
    assert all(word[0] <= "\u2fff" for word in DATA[kind.removesuffix("_unspaced")].split())
