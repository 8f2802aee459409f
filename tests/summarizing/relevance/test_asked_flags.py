"""Records where a key that the query names is false come behind those where it is true."""

import json

import pytest

from summarizing.relevance.bm25f import Scorer
from summarizing.text.parsing import parse
from tests.support.parts import the_tokenizer


def _best(query: str, archived: list[bool]) -> set[str]:
    records = [
        {"name": f"repo-{at}", "open_issues": at * 37 % 11, "archived": is_set}
        for at, is_set in enumerate(archived)
    ]
    source = parse(json.dumps(records))
    relevance = Scorer(source, query, rarity_of=the_tokenizer().rarity).relevance
    rows = [index for index in range(len(relevance)) if "repo-" in source.of(index)]
    best = max(relevance[index] for index in rows)
    return {json.loads(source.of(index).rstrip(","))["name"] for index in rows if relevance[index] == best}


@pytest.mark.parametrize("query", ["archived repositories", "which of them are archived"])
def test_records_where_the_key_is_true_come_first(query: str) -> None:
    assert _best(query, [False, False, True, False, False, False]) == {"repo-2"}


def test_where_none_is_true_all_are_alike() -> None:
    assert len(_best("archived repositories", [False] * 6)) == 6


def test_a_key_that_the_query_does_not_name_changes_nothing() -> None:
    assert len(_best("issues", [False, True, False, False, False, False])) == 6


@pytest.mark.parametrize(
    "query",
    ["repositories that are not archived", "which aren't archived?", "non-archived", "archived: false"],
)
def test_a_query_that_denies_has_none_first(query: str) -> None:
    assert "repo-0" in _best(query, [False, False, True, False, False, False])
