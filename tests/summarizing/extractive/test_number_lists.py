"""Lists of numbers in two arrays: what was added comes back."""

from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive.number_lists import NumberLists


@given(st.lists(st.lists(st.integers(0, 2**32 - 1))))
def test_each_list_comes_back_as_it_was_added(lists: list[list[int]]) -> None:
    kept = NumberLists(lists)
    kept.add([7, 7])
    assert [list(kept[at]) for at in range(len(kept))] == [*lists, [7, 7]]
