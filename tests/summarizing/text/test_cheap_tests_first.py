"""Laws of the cheap tests that stand before patterns: none of them hides what the pattern behind it would find."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from summarizing.text import lines, logs_and_field_lists, sentence_spans
from summarizing.text.navigation import Titles, title_words

BEGINNINGS = st.text("aoivxIVX12.)(]:-* \t\u30fbé", max_size=12)
ENDS = st.text(".!?\u2026\u3002\uff01\uff61\"')]* \na1é", max_size=40)
TITLES = st.text("ab1. ()[]:é", max_size=12)
STAMPS = st.text("0123456789-/:.[(<]T Mayerorinfo\u0664", max_size=40)


@given(BEGINNINGS)
@example("viii. Terms")
@example("o  An item")
@example("aa) An item")
def test_the_sign_of_an_item_is_what_the_pattern_says(text: str) -> None:
    mark = lines._ITEM.match(text)
    assert lines.item_mark(text) == (mark.end() if mark else 0)


@given(ENDS, st.integers(0, 40), st.integers(0, 40))
def test_the_ends_of_sentences_in_any_stretch_are_those_that_the_pattern_finds(
    text: str, start: int, end: int
) -> None:
    marks = sentence_spans._END.finditer(text, start, end)
    found = sentence_spans._ends(text, start, end)
    assert [mark.span() for mark in found] == [mark.span() for mark in marks]


@given(st.lists(TITLES, max_size=3), TITLES)
@example(["1. A title"], "a title")
@example(["[a](b)"], "a")
def test_a_text_is_among_titles_if_one_has_the_same_words(titles: list[str], text: str) -> None:
    assert (text in Titles(titles)) == (title_words(text) in set(map(title_words, titles)))


@given(STAMPS)
@example("[12345678901 May  1 10:00 started")
@example("- 1234567890 2026-01-02 started")
def test_a_digit_far_from_the_beginning_is_part_of_no_stamp(text: str) -> None:
    pattern = logs_and_field_lists._stamp().pattern
    dear = re.compile(pattern.replace(r"(?=\D{0,18}+\d)", ""))
    assert dear.pattern != pattern
    assert logs_and_field_lists.is_stamped(text) == (dear.match(text) is not None)
