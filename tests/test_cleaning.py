"""What is dropped before an extraction, and what never is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleaning import clean

LONG = "The keeper of the north tower noted that forty barrels of oil had come in."
OTHER = "The keeper of the south tower noted that sixty barrels of oil had gone out."
LINKS = "[Home](/) | [Forum](/forum) | [Log in](https://example.org/login?next=%2F)"


def test_a_long_paragraph_that_comes_again_is_dropped_and_counted() -> None:
    assert clean(f"{LONG}\n\n{OTHER}\n\n{LONG}\n") == (f"{LONG}\n\n{OTHER}\n\n", 1)


def test_a_long_line_that_comes_again_inside_another_paragraph_is_dropped() -> None:
    assert clean(f"{LONG}\n\nAnn:\n{LONG}\nBert.\n") == (f"{LONG}\n\nAnn:\nBert.\n", 1)


def test_white_space_makes_no_difference_to_a_repeat_and_one_letter_does() -> None:
    assert clean(f"{LONG}\n\n  {LONG.replace(' ', '  ')}\n").dropped == 1
    assert clean(f"{LONG}\n\n{LONG.replace('forty', 'fifty')}\n").dropped == 0


def test_short_lines_may_come_again() -> None:
    text = "Status: open\n\nStatus: open\n\n+ 10 gold\n+ 10 gold\n"
    assert clean(text) == (text, 0)


def test_a_block_of_nothing_but_links_is_dropped() -> None:
    assert clean(f"{LINKS}\n\n{LONG}\n") == (f"{LONG}\n", 1)


@pytest.mark.parametrize(
    "text",
    [
        "See [the list](/a), [the map](/b) and [the register of every keeper](/c) for what was moved in winter.\n",
        "[One](/1) [Two](/2)\n",
        f"```\n{LONG}\n{LONG}\n```\n",
        f"| a | b |\n|---|---|\n| {LONG} | 1 |\n| {LONG} | 1 |\n",
        "| [a](/a) | [b](/b) |\n|---|---|\n| [c](/c) | [d](/d) |\n",
        f"# {LONG}\n\n# {LONG}\n",
        "",
        "\n\n",
    ],
    ids=["sentence", "two links", "fence", "table", "table of links", "headings", "nothing", "blank"],
)
def test_what_may_have_a_meaning_of_its_own_is_never_touched(text: str) -> None:
    assert clean(text) == (text, 0)


@given(
    st.lists(
        st.sampled_from([LONG, OTHER, LINKS, "short", "# H", "```", "- item", "", "| a | b |"]), max_size=30
    )
)
def test_only_repeats_and_links_go_and_of_every_line_one_stays(lines: list[str]) -> None:
    text = "\n\n".join(lines)
    cleaned = clean(text)
    kept = cleaned.text.splitlines()
    left = iter(text.splitlines())
    assert all(any(line == other for other in left) for line in kept)
    assert (cleaned.dropped == 0) == (cleaned.text == text)
    for line in ("short", "# H", "- item", "```", "| a | b |"):
        assert kept.count(line) == lines.count(line)
    assert {LONG, OTHER} & set(kept) == {LONG, OTHER} & set(lines)
