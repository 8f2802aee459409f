"""A text's words as an index: words meet across their endings, accents and order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.facts.script_letters import folded
from summarizing.facts.word_index import WordIndex
from summarizing.text.language.stemming import Stems

SPACED = "aesiydgnéßŕИ"
LETTERS = f"{SPACED}中々"
SIGNS = "_'.-"
WORDS = st.text(SPACED, min_size=1, max_size=6)
PARTS = st.text(LETTERS + SIGNS, min_size=1, max_size=6)
TEXTS = st.text(f"{LETTERS}{SIGNS}AÉ \n", max_size=60)


def index_of(text: str) -> WordIndex:
    return WordIndex(text, Stems())


@st.composite
def texts_with_parts(draw: st.DrawFn) -> tuple[str, str]:
    """A text, and words that may stand in it as they are, in another order or with other endings."""
    words = draw(st.lists(PARTS, min_size=1, max_size=3))
    endings = st.sampled_from(["", "s", "es", "ed", "ing", "ies"])
    said = draw(st.permutations([word + draw(endings) for word in words]))
    return draw(TEXTS) + draw(st.sampled_from(["", " ", "-"])).join(said) + draw(TEXTS), folded(
        " ".join(words)
    )


@given(texts_with_parts())
def test_a_text_states_what_stands_in_it_as_a_part_of_its_own(case: tuple[str, str]) -> None:
    text, key = case
    assert index_of(text).states(key) or not index_of(text).has_part(key)


@given(st.lists(WORDS, min_size=1, max_size=20), WORDS)
def test_a_text_has_the_stems_of_its_words_and_no_others(words: list[str], other: str) -> None:
    index, stems = index_of(" ".join(words)), set(map(Stems().add, map(folded, words)))
    assert all(map(index.has_stem, stems))
    assert index.has_stem(other) == (other in stems)


@pytest.mark.parametrize(
    "text, key",
    [
        ("Two queries of the Voss family.", "query"),
        ("It stopped twice.", "stop"),
        ("Voss, captain Marla", "marla voss"),
        ("le CAFÉ noir", "cafe"),
    ],
)
def test_words_meet_across_their_endings_accents_and_order(text: str, key: str) -> None:
    assert index_of(text).says(key)
    assert not index_of(text).says(f"{key} elsewhere")
