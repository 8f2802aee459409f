"""Laws of the cheap tests that stand before patterns: none of them hides what the pattern behind it would find."""

import re

import pytest
from hypothesis import HealthCheck, assume, example, given
from hypothesis import strategies as st

from summarizing.facts import fact_finder
from summarizing.facts.value_words import value_words
from summarizing.text import lines
from summarizing.text.blocks import fences, logs_and_field_lists
from summarizing.text.blocks.navigation import Titles, title_words
from summarizing.text.headings import unmarked as unmarked_headings
from summarizing.text.headings.looks import look_of
from summarizing.text.language import sentence_spans
from tests.support.cheap_tests import CheapTest, cheap_tests
from tests.support.laws import examples

# These decide by themselves, before a pattern that does not look for their signs: a title of the lowest level is told from a comment, and a line that
# is text from one that is a link.
CONDITIONS = ("text.startswith('##')", "'](' not in text")
CHEAP_TESTS = [test for test in cheap_tests("summarizing") if test.condition not in CONDITIONS]
LEAST_FOUND = 40

BEGINNINGS = st.text("aoivxIVX12.)(]:-* \t\u30fbé", max_size=12)
ENDS = st.text(".!?\u2026\u3002\uff01\uff61\"')]* \na1é", max_size=40)
TITLES = st.text("ab1. ()[]:é", max_size=12)
FENCES = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "", "- ", "* ", "+ ", "1. ", "10)\t", "\u0664. ", "> ", "a. ", " "]),
    st.sampled_from(
        [
            "```",
            "~~~",
            "#+begin_src",
            "#+BEGIN_quote",
            "----",
            "|===",
            "``",
            "====",
            "....",
            "'''",
        ]
    ),
    st.text("`~-|= apy", max_size=5),
)
BLOCKS = st.sampled_from(
    [
        *(
            "",
            "",
            "A title",
            "1. First",
            "  A part",
            "====",
            "----",
            "- - -",
            "***",
            "NAME",
            "Why is it so?",
            "Term:",
        ),
        *(
            "- an item",
            "This is a sentence of some words.",
            "#",
            "é",
            "\u0664",
            "_____",
            "--- A ---",
            "2",
            "~~~~",
        ),
    ]
)
BEFORE_VALUES = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["Port", "port", "x Port", "the", "The", "É", "P1", "Po\u0664", ""]),
    st.text("*_)]`. ", max_size=2),
    st.sampled_from(["", ":", "=", "#", ".", ",", ")"]),
    st.text(" \"'`\xa0", max_size=2),
)
STAMPS = st.text("0123456789-/:.[(<]T Mayerorinfo\u0664", max_size=40)


def test_cheap_tests_are_found() -> None:
    assert len(CHEAP_TESTS) >= LEAST_FOUND


@pytest.mark.parametrize("cheap", CHEAP_TESTS, ids=lambda cheap: f"{cheap.place} {cheap.condition}")
@examples(40, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.data())
def test_a_cheap_test_refuses_nothing_that_the_pattern_behind_it_finds(
    cheap: CheapTest, data: st.DataObject
) -> None:
    is_whole = cheap.method == "fullmatch"
    text = data.draw(st.from_regex(cheap.pattern, fullmatch=is_whole)).strip()
    find = getattr(cheap.pattern, cheap.method if cheap.method in ("match", "fullmatch") else "search")
    assume(find(text))
    assert eval(cheap.condition, dict(cheap.names), {"text": text})  # noqa: S307 -- of our own code


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
    found: list[tuple[int, int]] = []
    while mark := sentence_spans._next_end(text, start, end):
        found.append(mark.span())
        start = mark.end()
    assert found == [mark.span() for mark in marks]


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


@given(FENCES)
@example("10) ```")
@example("+ ~~~")
@example("#+BEGIN_SRC python")
@example("-----")
@example("|===")
def test_a_fence_begins_with_one_of_the_signs_that_are_looked_for(text: str) -> None:
    if fences._FENCE.match(text):
        assert text[0] in fences._BEGINNINGS or text[0].isdigit()


@given(st.lists(BLOCKS, min_size=1, max_size=12), st.sets(st.integers(0, 11), max_size=3))
@example(["a", "----", "A title", "", "b"], set())
@example(["a", "A title", "", "b"], {0})
def test_a_line_with_the_look_of_a_heading_may_begin_one(texts: list[str], taken: set[int]) -> None:
    text = "\n".join(texts)
    assume(text.strip())
    read = lines.read_lines(text)
    for number in range(len(read)):
        if look_of(read, number, taken):
            assert unmarked_headings._may_begin(read, number, taken)


@given(BEFORE_VALUES)
@example("Port: ")
@example("**Port**: ")
@example("Port# ")
@example("Port ")
def test_the_cheap_test_before_a_label_hides_none(before: str) -> None:
    text = before + "8007"
    found = fact_finder._before_value().match(before[-fact_finder._LABEL_CHARS :][::-1])
    expected = ""
    if found and before[-1:] in fact_finder._BEFORE_LABELLED:
        label = found["label"][::-1]
        is_label = found["is_key"] or label[0].isupper()
        expected = label if is_label and label.casefold() not in value_words().function_words else ""
    assert fact_finder._Finder(text)._label(len(before)) == expected
