"""The beginning and the end of a text: within the tokens, each a part of the text, with what is missing counted."""

import re

from hypothesis import given
from hypothesis import strategies as st

from gateway.head_and_tail import LEAST_TOKENS, head_and_tail
from tests.support.parts import the_tokenizer

LINES = "".join(f"line {number}: pod-{number} is Running\n" for number in range(500))


@given(
    st.lists(
        st.sampled_from(["words and more words", "\n", "日本語", "😀", "x" * 70, " "]), max_size=200
    ).map("".join),
    st.integers(LEAST_TOKENS, 200),
)
def test_the_result_is_within_its_tokens_and_made_of_the_text(text: str, tokens: int) -> None:
    tokenizer = the_tokenizer()
    shown = head_and_tail(text, tokens, tokenizer)
    assert tokenizer.count(shown) <= tokens
    if shown != text:
        head, missing, tail = re.split(r"\n\[([\d,]+) characters left out\]\n", shown)
        assert text.startswith(head)
        assert text.endswith(tail)
        assert len(head) + int(missing.replace(",", "")) + len(tail) <= len(text)


def test_a_text_that_fits_is_whole() -> None:
    assert head_and_tail("short", LEAST_TOKENS, the_tokenizer()) == "short"


def test_lines_stay_whole() -> None:
    shown = head_and_tail(LINES, 200, the_tokenizer())
    head, _, tail = shown.partition("\n[")
    assert set(head.splitlines()) <= set(LINES.splitlines())
    assert set(tail.partition("]\n")[2].splitlines()) <= set(LINES.splitlines())
    assert head.startswith("line 0:")
    assert tail.endswith("pod-499 is Running\n")
