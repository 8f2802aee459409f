"""The facts of many parts, counted and looked up like a set of their keys, in little memory."""

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from summarizing.facts.fact import FactKey
from summarizing.facts.fact_sets import FactSet

KEYS = st.builds(FactKey, st.sampled_from(["num", "date", "num day"]), st.integers(0, 60).map(str))


@given(st.lists(st.lists(KEYS, max_size=30), max_size=6), KEYS)
def test_it_counts_and_has_what_a_set_of_the_keys_would(parts: list[list[FactKey]], sought: FactKey) -> None:
    facts = FactSet.together(map(FactSet.of, parts))
    keys = {key for part in parts for key in part}
    assert len(facts) == len(keys)
    assert all(key in facts for key in keys)
    assert (sought in facts) == (sought in keys)


def test_many_facts_take_little_memory_and_counting_them_little_more() -> None:
    """A set of keys takes 250 bytes for each."""
    count, parts = 40_000, 4
    tracemalloc.start()
    try:
        facts = FactSet.together(
            [
                FactSet.of(FactKey("num", f"{part} {number}") for number in range(count // parts))
                for part in range(parts)
            ]
        )
        tracemalloc.reset_peak()
        held = tracemalloc.get_traced_memory()[0]
        assert len(facts) == count
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert held < 12 * count
    assert peak < 24 * count
