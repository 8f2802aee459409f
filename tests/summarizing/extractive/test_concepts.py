"""How much each kind of fact is asked for: learnt from where it stands, and the surer the more often it was seen."""

from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive.concepts import (
    concepts_without_query,
    signature_weights,
)
from summarizing.extractive.importance import TOTAL_IMPORTANCE, importance
from summarizing.extractive.line_kinds import LineKinds
from summarizing.facts.fact import FactKey
from summarizing.facts.text_reading import Reading
from summarizing.text.parsing import parse

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


def test_without_a_query_a_segment_has_each_concept_once_and_the_total_weighs_what_it_matters() -> None:
    document = parse("The mill grinds all night. Nobody sleeps in it. Four stones are worn.\n")
    kinds = LineKinds({}, {0: 2.0}, {}, ends=frozenset({0, 2}), total=2)
    matters = importance(document, kinds)
    candidates = concepts_without_query(Reading(document), matters, (), kinds)
    found = [list(candidates.concepts[index]) for index in range(len(document.segments))]
    assert all(len(set(each)) == len(each) for each in found)
    assert 2.0 in [candidates.weights[concept] for concept in found[0]]
    assert TOTAL_IMPORTANCE in [candidates.weights[concept] for concept in found[2]]
