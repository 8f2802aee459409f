"""The words of a text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.text.language.stemming import (
    SIGNS,
    Stems,
    blanked,
    blanks_for,
    has_digit,
    parts_of,
    terms_of,
    terms_of_each,
    words_of,
    words_of_each,
)


@given(st.text(max_size=40), st.text("aB0_ .-'\x1f\x7f\n", max_size=40), st.data())
def test_a_word_is_the_same_in_a_text_of_ascii_as_beside_other_letters(
    other: str, text: str, data: st.DataObject
) -> None:
    """A text of ASCII is split in another way than others."""
    start = data.draw(st.integers(0, len(text)))
    whole = f"{text} é{other}"
    stretches = [(0, start), (start, len(whole))]
    assert list(words_of_each(whole, stretches)) == [words_of(whole[a:b]) for a, b in stretches]
    assert list(terms_of_each(whole, stretches, Stems())) == [
        terms_of(whole[a:b], Stems()) for a, b in stretches
    ]
    assert words_of(text) + words_of(f"é {other}") == words_of(f"{text} é {other}")
    terms = terms_of(text, Stems())
    assert [*terms, "e"] == terms_of(f"{text} é", Stems())


@pytest.mark.parametrize("word", ["lamp", "лодка", "漢字"])
def test_a_word_that_is_its_own_stem_is_held_once(word: str) -> None:
    stems = Stems()
    assert stems.add(word) is word
    assert stems.known[word] is word


@given(st.text(max_size=20))
def test_the_stem_of_a_word_has_a_digit_where_the_word_has_one(word: str) -> None:
    assert has_digit(Stems().add(word)) == any(map(str.isdigit, word))


@given(st.text("aé中々 Б.'_-", max_size=300))
def test_a_text_has_the_words_that_a_pattern_finds_however_many_of_its_letters_are_beyond_ascii(
    text: str,
) -> None:
    pattern = re.compile(r"[^\W_中々]+|[中々]+")
    text = blanked(text, blanks_for(SIGNS))
    assert parts_of(text, pattern) == pattern.findall(text)
