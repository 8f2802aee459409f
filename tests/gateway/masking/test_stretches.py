"""A search in stretches finds what one search finds, wherever a match lies."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.masking.stretches import (
    FEW_CHARS,
    LONGEST_CHARS,
    SEARCHED_CHARS,
    STRETCH_CHARS,
    matches,
    words_in,
)

WORD = re.compile(r"(?<!\w)ab{1,30}c(?=,)")


@pytest.mark.parametrize("at", [0, 1, *range(STRETCH_CHARS - 40, STRETCH_CHARS + 3), 3 * STRETCH_CHARS])
def test_every_place_of_a_match_is_found_once(at: int) -> None:
    text = "." * at + "abbbbbbbbbc,abc,abb," + "." * STRETCH_CHARS
    assert [found.span() for found in matches(WORD, text)] == [found.span() for found in WORD.finditer(text)]


def test_matches_do_not_overlap() -> None:
    text = "." * (STRETCH_CHARS - 3) + "aaaaaaaa" + "." * STRETCH_CHARS
    pattern = re.compile("a{2,6}")
    assert [found.span() for found in matches(pattern, text)] == [
        found.span() for found in pattern.finditer(text)
    ]


def test_no_search_goes_over_more_than_a_stretch_and_a_match() -> None:
    class Recording:
        def __init__(self) -> None:
            self.spans: list[int] = []

        def finditer(self, text: str, start: int, end: int) -> list[re.Match[str]]:
            self.spans.append(end - start)
            return []

    pattern = Recording()
    assert list(matches(pattern, "x" * 10 * STRETCH_CHARS)) == []  # type: ignore[arg-type]
    assert max(pattern.spans) < 2 * STRETCH_CHARS
    assert len(pattern.spans) == 10


def test_stretches_without_a_word_are_not_searched_and_those_around_one_are() -> None:
    far = STRETCH_CHARS + 2 * LONGEST_CHARS
    text = "abc," + "." * far + "WORD abbc," + "." * far + "abbbc,"
    found = matches(WORD, text, ("word", "other"))
    assert [each[0] for each in found] == ["abbc"]
    near = "abbc," + "." * (LONGEST_CHARS - 10) + "word"
    assert [each[0] for each in matches(WORD, near, ("word",))] == ["abbc"]


@pytest.mark.parametrize(
    "at", [0, 5, SEARCHED_CHARS - 2, SEARCHED_CHARS - 1, SEARCHED_CHARS, 2 * SEARCHED_CHARS + 7]
)
def test_a_word_is_found_wherever_it_stands(at: int) -> None:
    text = "." * at + "GhP_" + "." * 10
    assert words_in(text, ["ghp_", "xox", "..."]) == {"ghp_", "..."}


PARTS = st.lists(st.sampled_from(["ab", "AB", "a b", "a", "b", "é", "=", "<", " ", "\n", '"', ",", "/", "'"]))


@given(PARTS, st.integers(0, 2), st.frozensets(PARTS.map("".join).filter(bool)))
def test_which_words_a_text_has_does_not_depend_on_its_length_or_on_what_the_words_are_of(
    parts: list[str], times: int, words: frozenset[str]
) -> None:
    words = frozenset(map(str.lower, words))
    text = "".join(parts) + " -" * times * FEW_CHARS
    assert words_in(text, words) == {word for word in words if word in text.lower()}
