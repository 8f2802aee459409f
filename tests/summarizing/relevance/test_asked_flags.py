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


JOBS = """\
JOB       STATE      QUEUE    TOOK
index     finished   nights   4m
prices    failed     nights   1m
mails     finished   days     2m
backup    waiting    nights   0m
images    finished   days     9m
"""


def _best_rows(query: str) -> set[str]:
    source = parse(JOBS)
    relevance = Scorer(source, query, rarity_of=the_tokenizer().rarity).relevance
    best = sorted(range(1, len(relevance)), key=lambda index: -relevance[index])[:2]
    return {source.of(index).split()[0] for index in best}


@pytest.mark.parametrize(
    "query", ["which jobs did not finish", "jobs that aren't finished", "which jobs haven’t finished?"]
)
def test_where_a_query_denies_a_cell_rows_with_another_one_come_first(query: str) -> None:
    assert _best_rows(query) == {"prices", "backup"}


def test_where_it_denies_none_rows_with_the_cell_come_first() -> None:
    assert _best_rows("which jobs are finished") <= {"index", "mails", "images"}


def test_where_each_row_has_the_cell_that_is_denied_they_are_told_all_the_same() -> None:
    source = parse(JOBS.replace("failed  ", "finished").replace("waiting ", "finished"))
    scorer = Scorer(source, "which jobs are not finished", rarity_of=the_tokenizer().rarity)
    assert all(scorer.own[1:])


def test_a_word_behind_the_negation_that_few_rows_have_names_these() -> None:
    assert "backup" in _best_rows("why has backup not finished")
    assert "backup" in _best_rows("why is the backup not done")
