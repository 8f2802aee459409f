"""Normalization a stretch at a time comes out as that of the whole text, and runs of marks cost no more than their length."""

import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.text.language.normalization import STRETCH_CHARS, normalized
from tests.support.timing import is_linear

LETTERS = [
    "e\u0301",
    "ｗ",
    "ﬁ",
    "½",
    "中",
    "\u1100\u1161\u11a8",
    "\u0fb2\u0f80",
    "a\u05b7\u05b0",
    " ",
    "\n",
    "b",
]


@given(st.lists(st.sampled_from(LETTERS), max_size=1_200).map("".join), st.sampled_from(["NFKC", "NFKD"]))
def test_words_come_out_as_in_one_piece(text: str, form: Literal["NFKC", "NFKD"]) -> None:
    spaced = " ".join(text[at : at + STRETCH_CHARS // 4] for at in range(0, len(text), STRETCH_CHARS // 4))
    assert normalized(form, spaced) == unicodedata.normalize(form, spaced)


@pytest.mark.parametrize("motif", ["\u05b7\u05b0", "\u0315\u0300", "a\u0323\u0301"])
def test_time_is_linear_in_a_run_of_marks(motif: str) -> None:
    assert is_linear(lambda count: normalized("NFKD", motif * count), 16_000)
