"""How much each kind of fact is asked for: learnt from where it stands, and the surer the more often it was seen."""

from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive.concepts import signature_weights
from summarizing.facts.fact import FactKey

# Of each segment.
RELEVANCE = [1.0] * 10 + [0.0] * 40
CODE = FactKey("id E#", "E1")


def _weight(segments: range) -> float:
    """Return the weight of a kind of fact that these segments have, one each."""
    facts = [[CODE] if at in segments else [] for at in range(len(RELEVANCE))]
    return signature_weights(facts, RELEVANCE, "")[CODE.signature]


@given(st.integers(1, 8))
def test_a_kind_weighs_more_the_more_of_it_relevant_segments_have(count: int) -> None:
    assert 1 < _weight(range(count)) < _weight(range(count + 1))


@given(st.integers(1, 39))
def test_a_kind_weighs_less_the_more_of_it_other_segments_have(count: int) -> None:
    assert 1 > _weight(range(10, 10 + count)) >= _weight(range(10, 11 + count))
