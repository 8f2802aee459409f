"""Of a text that is too long, whole lines stay, in their order, within the tokens that are allowed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.compaction.whole_lines import mark, whole_lines
from summarizing.text.tokenizer import Tokenizer

LINES = st.lists(st.text(st.characters(exclude_characters="\n", codec="utf-8"), max_size=60), max_size=40)


@given(lines=LINES, tokens=st.integers(30, 400))
def test_every_line_is_one_of_the_text_in_its_order(
    tokenizer: Tokenizer, lines: list[str], tokens: int
) -> None:
    text = "\n".join(lines)
    found = whole_lines(text, tokens, tokenizer)
    assert tokenizer.count(found.text) <= tokens or not found.left_out
    if found.left_out:
        shown = found.text.split("\n")
        at = next(at for at, line in enumerate(shown) if line == mark(found.left_out))
        given_lines = text.split("\n")
        assert given_lines[:at] == shown[:at]
        assert given_lines[len(given_lines) - len(shown) + at + 1 :] == shown[at + 1 :]
        assert found.left_out == len(given_lines) - len(shown) + 1
    else:
        assert found.text == text


def test_a_line_that_is_too_long_is_left_out_whole(tokenizer: Tokenizer) -> None:
    found = whole_lines("head\n" + "x" * 1_000_000 + "\ntail", 100, tokenizer)
    assert found.text == "head\n[1 line left out]\ntail"


@pytest.mark.parametrize("line", ["pod 1 Running", "a", ""])
def test_much_of_what_is_allowed_is_used(tokenizer: Tokenizer, line: str) -> None:
    found = whole_lines("\n".join([f"{line}{number}" for number in range(10_000)]), 1_000, tokenizer)
    assert 900 < tokenizer.count(found.text) <= 1_000
