"""What a source has word for word."""

from typing import SupportsIndex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.faithfulness.answer_check import Evidence
from summarizing.faithfulness.verbatim import TAIL_CHARS, VerbatimSource
from tests.support.timing import is_linear


@pytest.mark.parametrize("part", ["Fee: 5", "Fee: 50", "Fee: 50.2", "ee: 50.25", "Fee: 50.25 EU"])
def test_a_part_of_a_word_or_a_number_is_not_word_for_word_in_the_text(part: str) -> None:
    content = "- Fee: 50.25 EUR a night\n- Fee of rooms: 12\n"
    assert Evidence(content).check(f"- {part}", True).dropped == 1
    assert Evidence(content).check("- Fee: 50.25 EUR", True).dropped == 0


def has_at_some_place(text: str, sentence: str) -> bool:
    """Try every place of a text: a sentence is there word for word where no word or number goes on around it."""
    for at in range(len(text) - len(sentence) + 1):
        end = at + len(sentence)
        before, behind = text[max(at - 1, 0) : at], text[end : end + 2]
        is_inside = before.isalnum() or (before == "." and sentence[:1].isdigit())
        goes_on = behind[:1].isalnum() or (behind[:1] in (".", ",", ":", "-") and behind[1:].isdigit())
        if text.startswith(sentence, at) and not is_inside and not goes_on:
            return True
    return False


@given(st.text("a1_.! -é²中", max_size=30), st.text("a1_.! -é²中", min_size=1, max_size=4))
def test_a_sentence_is_found_word_for_word_wherever_it_stands(text: str, sentence: str) -> None:
    source = VerbatimSource(text)
    assert source.has(sentence) == has_at_some_place(source.unmarked_text, sentence)


@given(st.text("a1, ", min_size=1, max_size=3), st.integers(20, 60), st.text("a1,. ", max_size=4), st.data())
def test_a_long_sentence_is_found_in_a_text_that_repeats_itself(
    motif: str, times: int, end: str, data: st.DataObject
) -> None:
    source = VerbatimSource(motif * times + end)
    start = data.draw(st.integers(0, 4))
    sentence = source.unmarked_text[start : data.draw(st.integers(start + 1, len(source.unmarked_text) + 5))]
    assert source.has(sentence) == has_at_some_place(source.unmarked_text, sentence)


class Searched(str):
    """A text that counts the characters that it is searched for."""

    __slots__ = ("sought",)

    sought: int

    def find(self, part: str, start: SupportsIndex | None = None, end: SupportsIndex | None = None, /) -> int:
        self.sought += len(part)
        return super().find(part, start, end)


def test_all_of_a_long_sentence_is_looked_for_once_where_a_text_repeats_it() -> None:
    source = VerbatimSource("a," * 1_000)
    source.unmarked_text = text = Searched(source.unmarked_text)
    text.sought = 0
    sentence = ",a" * 500
    assert not source.has(sentence)
    assert text.sought <= len(sentence) + TAIL_CHARS * 1_000


@pytest.mark.timed
def test_a_sentence_of_one_letter_is_looked_for_in_linear_time_in_a_run_of_it() -> None:
    def look(length: int) -> None:
        VerbatimSource("a" * length).has("a" * (length // 100))

    assert is_linear(look, 50_000)
