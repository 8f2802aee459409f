"""A search for many literals at once finds what a search for each finds."""

from hypothesis import given
from hypothesis import strategies as st

from summarizing.sanitizing.suspicious import wordings
from summarizing.text.literal_search import LiteralSearch

# Literals that hold, overlap and repeat one another, of few signs so that most texts have some.
LITERALS = st.text("ab |[.", min_size=1, max_size=4)


@given(st.lists(LITERALS, min_size=1, max_size=8, unique=True), st.text("ab |[.", max_size=30))
def test_each_literal_that_a_text_has_is_found_and_no_other(literals: list[str], text: str) -> None:
    assert LiteralSearch(literals).found(text) == {one for one in literals if one in text}


@given(st.data())
def test_the_literals_of_the_wordings_are_found_wherever_one_runs_into_another(data: st.DataObject) -> None:
    literals = sorted({need for wording in wordings() for need in wording.needs})
    parts = data.draw(st.lists(st.sampled_from(literals), max_size=6))
    text = "".join(part[: data.draw(st.integers(1, len(part)))] for part in parts)
    assert LiteralSearch(literals).found(text) == {one for one in literals if one in text}


def test_a_text_of_any_characters_can_be_searched() -> None:
    search = LiteralSearch(["<|im_start|>", "(a)"])
    assert search.found("\ud800中 <|im_start|>\0") == {"<|im_start|>"}
    assert search.found("") == set()
