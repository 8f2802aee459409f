"""The words of a query that a text has nowhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.relevance.missing_words import MAX_IDENTIFIERS, missing_words, names_in_message
from summarizing.relevance.query_numbers import OVERLAP_CHARS, STRETCH_CHARS
from tests.support.timing import is_linear

ZONES = "CN Asia/Shanghai Beijing time\nCL Pacific/Easter Easter Island\n"


@pytest.mark.parametrize(
    "query, missing",
    [
        ("time zones of Canada", ("zones", "Canada")),
        ("times of islands", ()),
        ('the "Easter" time, (Quito)?', ("Quito",)),
        ("", ()),
        ("what is it about", ()),
        ("dates of the island", ()),  # names a kind of value: whether the text has one is not known
        ('{"canada": "string"}', ()),
        ("islands other than Malta", ()),
    ],
)
def test_words_that_a_text_has_nowhere_are_named_as_they_are_written(
    query: str, missing: tuple[str, ...]
) -> None:
    assert missing_words(query, ZONES).words == missing


@pytest.mark.parametrize(
    "query, answered, missing, are_all",
    [
        ("dates", (), ("dates",), True),
        ("dates", ("dates",), (), False),
        ("dates of the island", (), ("dates",), False),
        ("dates of Malta", ("dates",), ("Malta",), False),
    ],
)
def test_a_word_for_a_kind_of_value_is_missing_where_the_text_has_neither(
    query: str, answered: tuple[str, ...], missing: tuple[str, ...], *, are_all: bool
) -> None:
    assert missing_words(query, ZONES, answered) == (missing, are_all)


@given(before=st.integers(0, 2 * OVERLAP_CHARS), word=st.sampled_from(["Canada", "カナダ"]))
def test_a_word_across_the_edge_of_a_stretch_is_found(before: int, word: str) -> None:
    text = "x " * ((STRETCH_CHARS - OVERLAP_CHARS) // 2) + " " * before + word + " y" * STRETCH_CHARS
    assert missing_words(f"x {word} Malta", text).words == ("Malta",)


@pytest.mark.parametrize("query", ["2024", "2,024", "2'024", "2.024"])
@pytest.mark.parametrize("text", ["in 2024", "of 2,024 boats", "2\u202f024", "2.024", "2 024"])
def test_a_number_is_found_with_marks_between_its_thousands_or_without_them(query: str, text: str) -> None:
    assert missing_words(query, f"{'boats ' * STRETCH_CHARS}{text}").words == ()


@pytest.mark.parametrize("text", ["12,024", "2,0245", "2.02.4", "20 24", "2,02"])
def test_a_number_is_not_found_in_another_one(text: str) -> None:
    assert missing_words("boats of 2024", f"boats {text}").words == ("2024",)


@pytest.mark.parametrize(
    "query, are_all",
    [
        ("Malta", True),
        ("Malta and Gozo", True),
        ("Malta time", False),
        ("time", False),
        ("dates", False),
        ("what", False),
    ],
)
def test_it_is_known_whether_a_text_has_none_of_the_words(query: str, *, are_all: bool) -> None:
    assert missing_words(query, ZONES).are_all is are_all


def test_names_in_a_message_are_words_with_capitals_that_no_sentence_begins_with() -> None:
    message = 'Compare it. Which time is it in Malta, NASA or K8s?\nThanks. "Please" answer: Gozo'
    words = ["Compare", "Malta", "NASA", "K8s", "Thanks", "Please", "answer", "Gozo"]
    assert names_in_message(words, message) == ("Malta", "NASA")


@pytest.mark.timed
def test_many_numbers_are_looked_for_at_once() -> None:
    def work(size: int) -> None:
        numbers = " ".join(str(1_000 + number) for number in range(size))
        assert len(missing_words(numbers, "3 boats of 17.\n" * 60 * size).words) == size

    assert is_linear(work, 40)


@pytest.mark.parametrize(
    "query, missing",
    [
        ("CVE-1999-0001", ("CVE-1999-0001",)),
        ("severity of CVE-2023-0361", ("severity",)),
        ("cve_2023_0361", ()),
        ("CVE-2023-036", ("CVE-2023-036",)),
        ("fixes of 3.7.9", ()),
        ("/etc/shadow", ("/etc/shadow",)),
        ("/etc/passwd and src/app.py", ()),
        ("src/fixes.py", ("src/fixes.py",)),
        ("fixes/repairs", ()),
    ],
)
def test_an_identifier_is_found_whole_or_not_at_all(query: str, missing: tuple[str, ...]) -> None:
    text = (
        "Version 3.7.9: fixes a timing attack (CVE-2023-0361), found in 1999.\nCVE 0001 was none.\n"
        "It reads /etc/passwd (src/app.py), etc.\n"
    )
    assert missing_words(query, text).words == missing


@pytest.mark.parametrize(
    "query, are_all",
    [("v1.2.3", True), ("/etc/shadow", True), ("/etc/shadow v1.2.3", True), ("fix v1.2.3", False)],
)
def test_identifiers_that_are_all_of_a_query_are_all_that_is_missing(query: str, *, are_all: bool) -> None:
    assert missing_words(query, "A fix of 1.2, etc.\n").are_all is are_all


def test_of_many_identifiers_the_first_are_looked_for_whole() -> None:
    asked = [f"A-{number}" for number in range(40)]
    text = "A was tried with " + ", ".join(map(str, range(40)))
    assert missing_words(" ".join(asked), text).words == tuple(asked[:MAX_IDENTIFIERS])
