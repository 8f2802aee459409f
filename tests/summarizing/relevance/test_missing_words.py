"""The words of a query that a text has nowhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.relevance.missing_words import OVERLAP_CHARS, STRETCH_CHARS, missing_words

ZONES = "CN Asia/Shanghai Beijing time\nCL Pacific/Easter Easter Island\n"


@pytest.mark.parametrize(
    "query, missing",
    [
        ("time zones of Canada", ("zones", "Canada")),
        ("times of islands", ()),
        ('the "Easter" time, (Quito)?', ("Quito",)),
        ("", ()),
        ("what is it about", ()),
        ("dates of the island", ()),  # names a kind of value, which no text has by that name
        ('{"canada": "string"}', ()),
        ("islands other than Malta", ()),
    ],
)
def test_words_that_a_text_has_nowhere_are_named_as_they_are_written(
    query: str, missing: tuple[str, ...]
) -> None:
    assert missing_words(query, ZONES) == missing


@given(before=st.integers(0, 2 * OVERLAP_CHARS), word=st.sampled_from(["Canada", "カナダ"]))
def test_a_word_across_the_edge_of_a_stretch_is_found(before: int, word: str) -> None:
    text = "x " * ((STRETCH_CHARS - OVERLAP_CHARS) // 2) + " " * before + word + " y" * STRETCH_CHARS
    assert missing_words(f"x {word} Malta", text) == ("Malta",)
