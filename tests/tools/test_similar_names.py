"""Which of some known names an unknown one may mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.similar_names import MAX_COMPARED, MAX_COMPARED_CHARS, did_you_mean, likeliest

KNOWN = ["summarize", "summarize_for_extraction", "read_original", "search_original"]


@pytest.mark.parametrize(
    "name, meant",
    [
        ("sumarize", "summarize"),
        ("SUMMARIZE", "summarize"),
        ("summarise", "summarize"),
        ("readOrignal", "read_original"),
        ("mcp__summarizer__read_original", "read_original"),
        ("read-original", "read_original"),
    ],
)
def test_the_name_that_a_nearly_right_one_means(name: str, meant: str) -> None:
    assert did_you_mean(name, KNOWN).rstrip("?").split(" or ")[0] == f"; did you mean {meant}"


@pytest.mark.parametrize("name", ["", "burn", "日历", "summarize" * MAX_COMPARED_CHARS])
def test_other_names_mean_none(name: str) -> None:
    assert did_you_mean(name, KNOWN) == ""


def test_of_many_long_names_a_few_are_compared_letter_by_letter() -> None:
    alike = [f"{'a' * 90}{number:04}" for number in range(2000)]
    assert len(likeliest(f"{'a' * 90}0029x", alike)) == MAX_COMPARED


@given(
    st.text("abc_", max_size=12), st.lists(st.text("abc_", max_size=12), unique=True, max_size=MAX_COMPARED)
)
def test_where_few_names_are_known_each_is_compared(name: str, known: list[str]) -> None:
    assert sorted(likeliest(name, known)) == sorted(known)
