"""Where the words of a query stand first: a quick look by their letters, for the order in which slices are read."""

from collections.abc import Sequence

import pytest

from summarizing.relevance.first_places import MAX_SOUGHT, FirstPlaces
from tests.support.parts import the_tokenizer


def order(query: str, slices: Sequence[str]) -> list[int]:
    places = FirstPlaces(query, the_tokenizer().rarity)
    for text in slices:
        places.look(text)
    return places.order(len(slices))


@pytest.mark.parametrize(
    "query, slices, expected",
    [
        ("zebra walrus otter", ["a gnu", "a zebra", "an otter and a walrus"], [2, 1, 0]),
        ("zebra walrus otter", ["a zebra", "a zebra", "a zebra, an otter, a walrus"], [2, 0, 1]),
        ("zebra walrus", ["the zebra", "the walrus", "the zebra, the walrus"], [0, 1, 2]),
        ("stopped cities and Zebras", ["a stop", "stop", "ZEBRA of the City"], [2, 0, 1]),
        ("city life", ["none", "in CITIES"], [1, 0]),  # "y" is "ies" there
        ("retry zebra", ["none", "maxRetryPolicy"], [1, 0]),  # a part of a name
        ("art zebra", ["none", "a start", "the art."], [2, 0, 1]),  # a short word is no part of another one
        ("\u9867\u5ba2\u306e\u30bf\u30a4\u30e0\u30a2\u30a6\u30c8", ["none", "\u5f0f\u306e\u30bf\u30a4\u30e0\u30a2\u30a6\u30c8\u3002"], [1, 0]),
        ("zebra walrus other than otters", ["none", "an otter", "a zebra"], [2, 0, 1]),
        ("the walrus event", ["first in event", "a walrus"], [1, 0]),  # what is rare counts more
        ("", ["none", "a zebra"], [0, 1]),
    ],
)  # fmt: skip
def test_slices_with_words_that_stand_in_none_before_them_come_first(
    query: str, slices: Sequence[str], expected: list[int]
) -> None:
    assert order(query, slices) == expected


def test_slices_that_were_not_looked_through_come_in_their_order() -> None:
    places = FirstPlaces("zebra walrus", the_tokenizer().rarity)
    places.look("none")
    places.look("a zebra")
    assert places.order(4) == [1, 0, 2, 3]


@pytest.mark.parametrize("query", ["", "the", "zebras"])
def test_where_no_text_can_be_said_to_be_about_something_else_nothing_is_sought(query: str) -> None:
    assert not FirstPlaces(query, the_tokenizer().rarity)


def test_a_word_that_was_found_is_not_sought_again() -> None:
    places = FirstPlaces("zebra walrus", the_tokenizer().rarity)
    places.look("a zebra")
    assert places
    places.look("a walrus")
    assert not places


def test_of_a_long_hint_the_first_words_are_sought() -> None:
    words = [f"word{number}x" for number in range(MAX_SOUGHT + 1)]
    assert order(" ".join(words), ["none", words[-1], words[-2]]) == [2, 0, 1]
