"""A page of an original: how long it is, and where it ends."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.parts import prose, the_tokenizer
from tools.original_pages import MAX_SHORTENING, OriginalPage, read_page


def page(content: str, offset: int = 0, max_tokens: int = 100) -> OriginalPage:
    return read_page(content, offset, max_tokens, the_tokenizer())


TEXTS = st.lists(
    st.sampled_from(["word ", "One. ", "a\n", "\n\n", "字。", "😀", "\ud800", "3.5", "\r\n", "x" * 90])
).map("".join)


@given(TEXTS, st.integers(16, 40))
@example("a\r\n" * 100, 16)
@example("😀" * 100, 16)
def test_pages_are_within_their_size_and_joined_they_are_the_text(content: str, size: int) -> None:
    at, parts = 0, []
    while True:
        read = page(content, at, size)
        assert the_tokenizer().count(read.text) <= size
        assert (read.start, read.total) == (at, len(content))
        parts.append(read.text)
        at = read.end
        if at == len(content):
            break
        assert read.text  # it always comes further
    assert "".join(parts) == content


def test_a_page_that_reaches_the_end_is_whole() -> None:
    assert page("A line.\nAnd no end") == OriginalPage("A line.\nAnd no end", 0, 18)


def test_a_page_ends_at_a_line_end_near_its_limit() -> None:
    content = "The keeper noted. " * 22 + "in the evening\n" + "the next line goes on and on " * 40
    assert page(content).text.endswith("in the evening\n")


def test_without_a_line_end_a_page_ends_at_a_sentence_end() -> None:
    read = page(prose(1) * 20)
    assert read.text.endswith(".")
    assert page(prose(1) * 20, read.end).text.startswith(" The keeper")


def test_the_point_of_a_number_is_not_a_sentence_end() -> None:
    content = "all the words before it " * 19 + "cost 3.5 marks and more " * 40
    assert not page(content).text.endswith("3.")


def test_a_line_end_far_before_the_limit_is_ignored() -> None:
    content = "First line.\n" + "word " * 1_000
    read = page(content)
    assert the_tokenizer().count(read.text) == 100
    assert len(read.text) * (1 - MAX_SHORTENING) > len("First line.\n")


@pytest.mark.parametrize("offset", [0, 3])
def test_a_page_of_an_empty_text_is_empty(offset: int) -> None:
    assert page("abc"[:offset], offset).text == ""


@pytest.mark.parametrize("size", [2**31, 2**63, 10**30])
def test_a_page_larger_than_any_text_is_the_whole_text(size: int) -> None:
    assert page("\U0001f43f" * 50, 0, size).text == "\U0001f43f" * 50
