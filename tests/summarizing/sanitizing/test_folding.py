"""Folding: what a search for plain words must not be deceived by, and that its quick first look misses none of them."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.sanitizing.folding import ascii_of, folded, folded_ends

# What is read as a letter, an ending, a space or nothing at all.
DISGUISES = [
    "\uff49", "\U0001d422", "ﬁ", "\u2170", "İ", "\u212a", "é", "e\u0301", "\u0301", "\u0345", "\u200b", "\u00ad", "\ufe0f",
    "\u00a0", "\u3000", "…", "½", "℅", "ß", "ẞ", "Σ", "中", "한", "\u1100\u1161", "\ud800", "\U000e0041", "\u0f77", "\ufdfa",
]  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from([*DISGUISES, *"aEiſ ."]), st.characters()), max_size=40).map(
    "".join
)


def ascii_runs(text: str) -> list[str]:
    return re.findall(r"[\x00-\x7f]+", text)


@given(TEXTS)
def test_each_ascii_run_of_the_folded_text_is_in_the_quick_look(text: str) -> None:
    assert all(run in ascii_of(text) for run in ascii_runs(folded(text)))


@pytest.mark.unmeasured
def test_no_character_hides_the_word_that_it_stands_in() -> None:
    """Every code point, inside a word, before it and after it."""
    for start in range(0, sys.maxunicode + 1, 0x400):
        text = "中".join(f"to{char}the {char}ai{char}" for char in map(chr, range(start, start + 0x400)))
        found = ascii_of(text)
        assert all(run in found for run in ascii_runs(folded(text))), hex(start)


@given(TEXTS)
def test_the_ends_are_those_of_each_character_folded_by_itself(text: str) -> None:
    ends = folded_ends(text)
    assert len(ends) == len(text)
    assert (ends[-1] if text else 0) == len(folded(text))
