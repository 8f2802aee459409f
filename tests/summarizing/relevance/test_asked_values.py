"""Which kinds of value a query names, by the beginnings of the signatures that find_facts gives."""

import pytest

from summarizing.facts.fact_finder import find_facts
from summarizing.relevance.asked_values import asked_values, is_asked


@pytest.mark.parametrize(
    "query, text",
    [
        ("what does it cost", "It is $20."),
        ("Preis der Boote", "Das Boot kostet 3,5 Mio €."),
        ("prix du bateau", "Le bateau coûte 20 £."),
        ("price in Japan", "本の値段は1200円です。"),
        ("which percentage", "It fell by 20 %."),
        ("when did it open", "It opened on 3 May 2024."),
        ("cuándo abrió", "Abrió el 3 de mayo de 2024."),
        ("who wrote it", "It was written by Ann Lee."),
        ("error codes", "The call fails with CVE-2024-1234."),
        ("security fixes", "It prevents CVE-2024-1234."),
        ("constants", "PGRES_TUPLES_OK means that rows came."),
        ("environment variables", "PGHOST is read, and $HOME."),
        ("variables d'environnement", "MAKE_FLAGS est lu."),
        ("definitions", 'The "Invariant Sections" are certain Secondary Sections.'),
        ("further reading on the internet", "See https://example.org/guide."),
        ("addresses of web pages", "See https://example.org/guide."),
        ("how long does it take", "It is over after 30 days."),
        ("Wie lange dauert es", "Es dauert 3 Stunden."),
        ("combien de temps", "Il faut 5 minutes."),
        ("manual pages to read", "See printf(3)."),
        ("the glossary", 'The "Invariant Sections" are certain Secondary Sections.'),
        ("who was there, with handles", "@ann and @ben."),
        ("which signals are sent", "It is ended by SIGTERM."),
        ("issue numbers", "Fixed #1234."),
        ("checksums", "It is 3f2a9bc."),
        ("exceptions", "It raises TypeError."),
    ],
)
def test_a_query_asks_for_the_values_that_answer_it(query: str, text: str) -> None:
    asked = asked_values(query)
    assert any(is_asked(fact.signature, one) for fact in find_facts(text) for one in asked)


@pytest.mark.parametrize("query", ["a long way", "a page of the book", "the request of a user"])
def test_a_word_of_a_phrase_asks_for_nothing_by_itself(query: str) -> None:
    assert not asked_values(query)


def test_a_phrase_is_named_by_all_its_words() -> None:
    assert asked_values("addresses of web pages") == {"url": frozenset({"address", "web", "page"})}


def test_a_number_without_a_unit_of_time_is_no_duration() -> None:
    assert is_asked("num day", "num duration")
    assert not is_asked("num kg", "num duration")
    assert not is_asked("num", "num duration")


def test_an_identifier_is_no_id() -> None:
    assert is_asked("id CVE-#", "id")
    assert is_asked("id CVE-#", "id CVE")
    assert not is_asked("ident camel", "id")


@pytest.mark.parametrize("query", ["", "boats in the harbour", "what it is like", "names of the boats"])
def test_a_query_without_such_a_word_asks_for_no_kind_of_value(query: str) -> None:
    assert not asked_values(query)


@pytest.mark.parametrize(
    "query, asked",
    [
        ("how many connections are allowed", ("num",)),
        ("how much memory", ("num",)),
        ("how do I leave something out", ()),
        ("fixes with their issue numbers", ("num #", "id")),
    ],
)
def test_a_number_is_asked_for_by_how_many_and_not_by_how(query: str, asked: tuple[str, ...]) -> None:
    assert tuple(asked_values(query)) == asked


@pytest.mark.parametrize("query", ["--retry options", "the flag -v", "options: --fail"])
def test_a_query_with_an_option_asks_for_no_others(query: str) -> None:
    assert "flag" not in asked_values(query)


@pytest.mark.parametrize("query", ["options", "well-known options", "options - which are there", "flag -1"])
def test_a_query_without_one_asks_for_options(query: str) -> None:
    assert "flag" in asked_values(query)
