"""The words of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.text.stemming import Stems, terms_of, terms_of_each, words_of, words_of_each


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


def test_numbers_asked_for_while_they_are_looked_for_are_all_there() -> None:
    """As by a second thread: the checks of two answers share the stems of a text."""
    stems, asked = Stems(), list[set[str]]()

    class Word(str):
        __slots__ = ()

        def isalpha(self) -> bool:
            if not asked:
                asked.append(set())
                asked[0] = set(stems.numbers)
            return super().isalpha()

    stems.known.update({Word("v2"): "v2", Word("b7"): "b7"})
    assert stems.numbers == {"v2", "b7"}
    stems.add("c9")
    assert asked == [{"v2", "b7"}]
    assert stems.numbers == {"v2", "b7", "c9"}
