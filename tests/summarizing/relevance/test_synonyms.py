"""What texts say in place of the words that people ask with, and that the rules are such as can be met."""

import pytest

from summarizing.relevance.query_terms import QueryTerms
from summarizing.relevance.synonyms import said_instead
from summarizing.text import data_files
from summarizing.text.language.stemming import stem_of, stems_of, words_of

MOST_RULES = 25


def rules() -> list[tuple[list[str], list[str]]]:
    """Return the words and phrases on the left and on the right of each rule."""
    lines = data_files.lines("relevance/synonyms.txt")
    return [
        ([each.strip() for each in asked.split(",")], [each.strip() for each in said.split(",")])
        for asked, _, said in (line.partition("=>") for line in lines)
    ]


@pytest.mark.parametrize(
    "query, text",
    [
        ("what can go wrong", "It raises an exception where the file is empty."),
        ("has it been repaired since", "The bug was fixed in 3.7.0."),
        ("what if I leave it out", "The default is 30."),
        ("Was gilt von Haus aus?", "Die Vorgabe ist 30."),
        ("what is not set", "The default is 30."),
        ("in which folder", "It looks into the directory first."),
        ("¿qué pasa si falla?", "Se devuelve un error."),
        ("quels problèmes", "Une erreur est rendue."),
        ("Welche Ordner", "目录 /etc 中"),
    ],
)
def test_a_text_answers_a_query_in_its_own_words(query: str, text: str) -> None:
    assert QueryTerms(query).matches(words_of(text))


@pytest.mark.parametrize(
    "query, text",
    [
        ("which errors are there", "That would be wrong."),
        ("a long way to go", "The option is deprecated."),
        ("leave the room", "The default is 30."),
        ("boxes in the street", "The default is 30."),
    ],
)
def test_neither_the_other_way_round_nor_for_a_part_of_a_phrase(query: str, text: str) -> None:
    assert not QueryTerms(query).matches(words_of(text))


def test_a_word_that_the_query_has_stands_for_itself() -> None:
    terms = QueryTerms("trouble with the default error handler")
    (match,) = terms.matches(["error"])["error"]
    assert terms.words[match.term] == "error"


def test_what_is_excluded_asks_for_nothing() -> None:
    assert QueryTerms("boats with trouble").matches(["error"])
    assert not QueryTerms("boats except trouble").matches(["error"])


def test_a_query_without_such_words_means_what_it_says() -> None:
    assert not said_instead(stems_of("boats in the harbour"))


def test_every_phrase_of_a_rule_has_a_word_that_counts_in_a_query() -> None:
    idle = [phrase for asked, _ in rules() for phrase in asked if not QueryTerms(phrase).terms]
    assert not idle


def test_what_texts_say_is_single_words() -> None:
    assert not [word for _, said in rules() for word in said if len(words_of(word)) != 1]


def test_each_word_that_texts_say_is_found_in_them() -> None:
    lost = [
        (asked[0], word)
        for asked, said in rules()
        for word in said
        if not QueryTerms(asked[0]).matches([word])
    ]
    assert not lost


def test_a_rule_adds_something_and_there_are_few() -> None:
    assert len(rules()) <= MOST_RULES
    for asked, said in rules():
        assert set(map(stem_of, said)).difference(map(stem_of, asked))
