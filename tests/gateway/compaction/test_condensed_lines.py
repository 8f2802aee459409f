"""Of a text that is too long to be read, every kind of line is there, the rare ones first, and what is missing is counted."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gateway.compaction import short_form
from gateway.compaction.condensed_lines import BLOCK_CHARS, Condensed, condensed, stretches
from summarizing.text.tokenizer import Tokenizer
from tests.support.timing import is_linear

LINES = st.lists(
    st.sampled_from(["pod 1 is up", "pod 2 is up", "pod 1 is down", "", "y 7", "y 8"]),
    min_size=1,
    max_size=60,
)
MARK = re.compile(r"\[([\d,]+) lines? left out\]")


def log(count: int) -> str:
    lines = [f"12:00:{number % 60:02} GET /orders/{number} 200" for number in range(count)]
    lines[count // 2] = "12:30:00 orders-3 refused: out of memory"
    return "\n".join(lines)


def rows_of(text: str, chars: int, asked: str = "") -> Condensed:
    found = condensed(text, chars, asked)
    assert found is not None
    return found


def without_marks(text: str) -> tuple[list[str], int]:
    """Return the lines that are no marks, and how many lines the marks stand for."""
    lines = text.split("\n")
    marks = [found for line in lines if (found := MARK.fullmatch(line))]
    left_out = sum(int(found[1].replace(",", "")) for found in marks)
    return [line for line in lines if not MARK.fullmatch(line)], left_out


@given(LINES, st.integers(20, 400), st.sampled_from(["", "down", "pod orders"]))
def test_every_line_is_one_of_the_text_in_its_order_and_the_others_are_counted(
    lines: list[str], chars: int, asked: str
) -> None:
    text = "\n".join(lines)
    assume(text)  # of an empty one nothing is left out
    shown, left_out = without_marks(rows_of(text, chars, asked).text)
    rest = iter(lines)
    assert all(line in rest for line in shown)
    assert left_out + len(shown) == len(lines) - text.endswith("\n")
    assert sum(len(line) + 1 for line in shown) <= max(chars, 1)


def test_a_line_that_stands_once_is_there_among_thousands() -> None:
    found = rows_of(log(20_000), 1_000)
    assert "orders-3 refused: out of memory" in found.text
    assert found.share == "5 of its 20,000 lines"
    assert found.text.startswith("12:00:00 GET /orders/0 200\n")
    assert found.text.endswith("\n12:00:19 GET /orders/19999 200")


def test_lines_with_a_word_that_is_asked_for_are_there() -> None:
    assert "GET /orders/12345 200" in rows_of(log(20_000), 1_000, "what of /orders/12345").text


@pytest.mark.unmeasured
def test_a_line_over_the_end_of_a_block_is_whole() -> None:
    text = "a" * (BLOCK_CHARS - 3) + "\nsecond 1\n" + "b\n" * BLOCK_CHARS
    assert "second 1" in rows_of(text, 100).text.split("\n")


@pytest.mark.parametrize(
    "text", ["x" * 100_000, "\n".join(f"{chr(0x4E00 + number)}" * 9 for number in range(9_000))]
)
def test_of_a_text_that_has_no_rows_stretches_at_even_distances_are_there(text: str) -> None:
    assert condensed(text, 3_200) is None
    found = stretches(text, 3_200)
    assert found.share == f"3,200 of its {len(text):,} characters"
    assert found.text.startswith(text[:100])
    assert found.text.endswith(text[-100:])
    assert len(found.text) < 5_000


def test_the_time_grows_with_the_text() -> None:
    assert is_linear(lambda count: condensed(log(count), 1_000, "orders"), 5_000)


def test_a_text_that_is_too_long_to_be_summarized_is_condensed_first(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(short_form, "MAX_ROWS_CHARS", 10_000)
    monkeypatch.setattr(short_form, "MAX_SUMMARIZED_CHARS", 100_000)
    text = "".join(
        f"{number} {word}\n" for number in range(3_000) for word in ("started a run", "failed: no disk")
    )
    short = short_form.short_form([text], 1_000, tokenizer, False)
    assert short.tokens is None
    assert short.read == "8 of its 6,000 lines"
    assert len(short.text) < 1_000


def test_a_long_text_that_has_no_rows_is_summarized_whole_up_to_a_size(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(short_form, "MAX_ROWS_CHARS", 10_000)
    monkeypatch.setattr(short_form, "MAX_SUMMARIZED_CHARS", 100_000)
    short = short_form.short_form(["x" * 100_000], 1_000, tokenizer, False)
    assert (short.text, short.read) == ("x" * 100_000, "")
    short = short_form.short_form(["x" * 100_001], 1_000, tokenizer, False)
    assert short.read == "9,984 of its 100,001 characters"
