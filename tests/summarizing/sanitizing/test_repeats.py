"""Repeated blocks: which go, and that nothing that may be data does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.sanitizing.repeats import Repeats

LONG = "The keeper of the north tower noted that forty barrels of oil had come in."
OTHER = "The keeper of the south tower noted that sixty barrels of oil had gone out."
THIRD = "The keeper of the lighthouse noted that the lamp had burned through the night."
HEADER = f"{LONG}\n\n{OTHER}\n\n"


def drop(text: str) -> tuple[str, int]:
    left, dropped = Repeats().drop(text)
    return left, dropped


def test_two_paragraphs_in_a_row_that_come_again_are_dropped_and_counted() -> None:
    assert drop(f"{HEADER}{THIRD}\n\n{HEADER}End.\n") == (f"{HEADER}{THIRD}\n\nEnd.\n", 2)


def test_a_header_that_comes_with_every_page_stays_once() -> None:
    pages = [f"Page {number} tells of other things.\n\n" for number in range(5)]
    assert drop("".join(HEADER + page for page in pages)) == (HEADER + "".join(pages), 8)


def test_white_space_makes_no_difference_to_a_repeat_and_one_letter_does() -> None:
    assert drop(HEADER + HEADER.replace(" the", "\nthe"))[1] == 2
    assert drop(HEADER + HEADER.replace("forty", "fifty"))[1] == 0


def test_repeats_are_found_in_a_later_stretch() -> None:
    repeats = Repeats()
    assert repeats.drop(f"{HEADER}{THIRD}\n\n").dropped == 0
    assert repeats.drop(HEADER) == ("", 2)


LINKS = "[Home](/) [Forum](/forum) [Log in](https://example.org/login?next=%2F)"


@pytest.mark.parametrize(
    "block",
    [
        f"{LONG}\n\n",
        f"- {LONG}\n- {OTHER}\n\n- {LONG}\n\n",
        f"1. {LONG}\n\n2. {OTHER}\n\n",
        f"| a | b |\n|---|---|\n| {LONG} | 1 |\n\n| {OTHER} | 1 |\n\n",
        f"2024-05-01 12:00:01 {LONG}\n\n2024-05-01 12:00:02 {OTHER}\n\n",
        f"ERROR {LONG}\n\nWARN {OTHER}\n\n",
        f"# {LONG}\n\n## {OTHER}\n\n",
        f"```\n{LONG}\n\n{OTHER}\n```\n\n",
        f"~~~\n{LONG}\n\n{OTHER}\n\n",
        f"    {LONG}\n\n    {OTHER}\n\n",
        "Status: open\n\nOwner: nobody\n\n",
        f"{LINKS}\n\n{LINKS}\n\n",
        "title = a long line of configuration that ends in no sentence at all\n\nname = another long line of the configuration of it\n\n",
        "\n\n",
    ],
)
def test_what_may_be_data_is_never_dropped_however_often_it_comes(block: str) -> None:
    text = block + f"{THIRD}\n\n" + block + block
    assert drop(text) == (text, 0)


@given(
    st.lists(
        st.sampled_from([LONG, OTHER, THIRD, LINKS, "short", "# H", "```", "- item", "", "| a | b |"]),
        max_size=30,
    )
)
def test_only_whole_paragraphs_go_and_of_each_the_first_stays(parts: list[str]) -> None:
    text = "\n\n".join(parts)
    left, dropped = drop(text)
    kept = [part for part in left.split("\n\n") if part]
    given_parts = iter(text.split("\n\n"))
    assert all(any(part.strip() == other.strip() for other in given_parts) for part in kept)
    assert (dropped == 0) == (left == text)
    assert {part for part in text.split("\n\n") if part} == set(kept)
    for part in ("short", "# H", "- item", "```", "| a | b |", LINKS):
        assert left.split("\n\n").count(part) == parts.count(part)
