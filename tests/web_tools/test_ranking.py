"""Passages ranked by their words, and rankings fused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.timing import is_linear
from web_tools.pages import PagePassage, ScoredPassage
from web_tools.ranking import RANKED_PASSAGES, PassageIndex, best_first, fused


def a_passage(text: str, *path: str) -> PagePassage:
    return PagePassage(f"{path}{text}", text, path, len(text.split()))


PASSAGES = [
    a_passage("The server listens on a port of your choice.", "Guide", "Start"),
    a_passage("Connections time out after thirty seconds, retries included.", "Guide", "Limits"),
    a_passage("Each retry waits twice as long as the one before.", "Guide", "Limits", "Retries"),
    a_passage("ERR_STREAM_CLOSED: the peer has gone away.", "Guide", "Errors"),
    a_passage("How to bake bread in a wood oven.", "Guide", "Cooking"),
]


def texts_for(query: str) -> list[str]:
    return [each.passage.text for each in PassageIndex(PASSAGES).ranked(query)]


@pytest.mark.parametrize(
    "query, best",
    [
        ("on which port does the server listen", 0),
        ("timeout of connections", 1),
        ("how long does a retry wait", 2),
        ("ERR_STREAM_CLOSED", 3),
        ("cooking", 4),  # the title alone has it
    ],
)
def test_the_passage_that_answers_is_the_first(query: str, best: int) -> None:
    assert texts_for(query)[0] == PASSAGES[best].text


def test_passages_without_a_word_of_the_query_are_left_out() -> None:
    assert texts_for("bread") == [PASSAGES[4].text]
    assert texts_for("zebra") == []
    assert texts_for("") == []
    assert PassageIndex([]).ranked("bread") == []


def test_equally_good_passages_stay_in_the_order_of_the_page() -> None:
    same = [a_passage(f"number {each} apples") for each in ("one", "two", "three")]
    assert [each.passage for each in PassageIndex(same).ranked("apples")] == same


def test_one_index_answers_any_number_of_queries_alike() -> None:
    index = PassageIndex(PASSAGES)
    first = index.ranked("retries")
    index.ranked("bread")
    assert index.ranked("retries") == first == PassageIndex(PASSAGES).ranked("retries")


@pytest.mark.timed
def test_an_index_and_a_query_take_time_linear_in_the_page() -> None:
    def work(count: int) -> None:
        passages = [a_passage(f"apples and pears {each} " * 20, f"Part {each // 9}") for each in range(count)]
        PassageIndex(passages).ranked("how many pears")

    assert is_linear(work, 300)


# --- Fusion ----------------------------------------------------------------------------------------------------

BY_ID = {name: a_passage(name) for name in "abcdefgh"}


def ids(ranked: list[ScoredPassage]) -> str:
    return "".join(each.passage.text for each in ranked)


def test_what_both_rankings_have_high_comes_first() -> None:
    ranked = fused(["abc", "bcd"], BY_ID)
    assert ids(ranked) == "bcad"
    assert [round(each.score, 4) for each in ranked] == [
        round((61 / 62 + 1) / 2, 4),
        round((61 / 63 + 61 / 62) / 2, 4),
        0.5,
        round(61 / 63 / 2, 4),
    ]


def test_the_first_of_all_rankings_has_the_score_one() -> None:
    assert fused(["ab", "ac"], BY_ID)[0].score == 1.0


def test_an_empty_ranking_leaves_the_order_of_the_other() -> None:
    assert ids(fused(["", "hgf"], BY_ID)) == "hgf"
    assert fused(["", ""], BY_ID) == []


def test_far_down_a_ranking_passages_take_no_part() -> None:
    many = {str(each): a_passage(str(each)) for each in range(300)}
    assert len(fused([list(many)], many)) == RANKED_PASSAGES


@given(st.permutations("abcdefgh"), st.permutations("abcdefgh"))
def test_fusion_keeps_every_passage_once_and_an_agreed_order(one: list[str], other: list[str]) -> None:
    ranked = fused([one, other], BY_ID)
    assert sorted(ids(ranked)) == sorted(BY_ID)
    places = {each.passage.text: each.score for each in ranked}
    for better in BY_ID:
        for worse in BY_ID:
            if one.index(better) < one.index(worse) and other.index(better) < other.index(worse):
                assert places[better] > places[worse]


def test_best_first_keeps_equally_good_ones_in_their_order() -> None:
    scored = [ScoredPassage(BY_ID[name], score) for name, score in zip("abcd", (1, 2, 1, 2), strict=True)]
    assert ids(best_first(scored)) == "bdac"
