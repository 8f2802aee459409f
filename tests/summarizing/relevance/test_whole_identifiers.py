"""Identifiers of a query count as a whole beside their parts."""

import pytest

from summarizing.relevance.bm25f import Scorer
from summarizing.relevance.query_terms import QueryTerms
from summarizing.relevance.whole_identifiers import MAX_WHOLE, whole_identifiers
from tests.support.handmade_documents import document
from tests.support.timing import is_linear


def _found(query: str, text: str) -> list[str]:
    return [found for one in whole_identifiers(query, QueryTerms(query)) for found in one.findall(text)]


@pytest.mark.parametrize(
    "query, text",
    [
        ("--retry options", "Use --retry, see --retry-delay, --noretry and retry."),
        ("what is Restart=on-failure?", "Restart=on-failure, not Restart=on-failures"),
        ("the range ~1.2.", "as ~1.2 does, ~1.20 does not"),
        ("wl_pointer events", "WL_POINTER, wl_pointers"),
        ("settings: 'log.level', other", "log.level is not log.levels"),
    ],
)
def test_an_identifier_is_found_whole_and_not_within_a_longer_one(query: str, text: str) -> None:
    assert len(_found(query, text)) == 1


@pytest.mark.parametrize(
    "query", ["", "retry options", "what doesn't retry", "l'état", "and/or", '{"a_b": {"type": "string"}}']
)
def test_words_without_a_sign_and_those_that_ask_for_nothing_are_no_identifiers(query: str) -> None:
    assert not whole_identifiers(query, QueryTerms(query))


def test_no_more_are_looked_for_than_the_limit() -> None:
    query = " ".join(f"--option-{number}" for number in range(3 * MAX_WHOLE))
    assert len(whole_identifiers(query, QueryTerms(query))) == MAX_WHOLE


@pytest.mark.parametrize("query", ["--retry", "options of --retry"])
def test_the_option_that_is_asked_for_comes_before_others_with_its_parts(query: str) -> None:
    source = document(
        "$ --retry-delay retries",
        "$ --retry <num> transfers",
        "$ --max-time",
        "$ options of a retry",
        "$ --fail",
    )
    relevance = Scorer(source, query).relevance
    assert source.of(max(range(len(relevance)), key=relevance.__getitem__)) == "$ --retry <num> transfers"


def test_what_stands_under_it_comes_before_what_stands_under_others() -> None:
    source = document(
        "# --retry", "$ how often", "", "# --retry-delay", "$ how long", "", "# --fail", "$ why"
    )
    scores = Scorer(source, "--retry").scores
    assert scores[1] > scores[3] > scores[5]


def test_time_is_linear_in_the_segments() -> None:
    def score(count: int) -> None:
        Scorer(document(*["$ --retry-delay retries"] * count), "--retry --delay a-b-c retry")

    assert is_linear(score, 1000)
