"""The one decision about what a model wrote: it stands, nothing matches, or it is refused and the reason says why."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.model_writer import LEAST_ANSWER_TOKENS, Assignment, Draft, Source, Verdict, verdict_on
from summarizing.query import Query
from tests.support.laws import examples

law = examples(200)

A_CHUNK = Assignment(
    source=Source("text", Query()),
    source_tokens=1_000,
    budget=300,
    stated_length="225 words",
    max_tokens=500,
)
FACTS = replace(A_CHUNK, source=Source("text", Query(schema_hint="ports")))
MERGE_OF_FACTS = replace(FACTS, is_merge=True)

NOT_SHORTER = "the model's answer is not shorter than what it was to shorten"
TOO_SHORT = "the model's answer is too short to be a summary"
OFF_TOPIC = "the model's answer is not about the text"
NO_FACTS = "the model's answer has none of the facts that it was to join"


@pytest.mark.parametrize(
    "assignment, draft, tokens, has_facts, verdict",
    [
        (A_CHUNK, Draft("A summary."), 200, True, Verdict("A summary.")),
        (A_CHUNK, Draft("All of it."), 1_000, True, Verdict(refusal=NOT_SHORTER)),
        (A_CHUNK, Draft("Done."), 2, True, Verdict(refusal=TOO_SHORT)),
        (A_CHUNK, Draft("Done.", dropped=1), 2, True, Verdict(refusal=OFF_TOPIC)),
        (A_CHUNK, Draft("A poem.", may_stand=False), 200, True, Verdict(refusal=OFF_TOPIC)),
        (A_CHUNK, Draft("=" * 900), 200, True, Verdict(refusal=OFF_TOPIC)),
        (FACTS, Draft("*** | ***"), 5, True, Verdict(refusal=OFF_TOPIC)),
        (FACTS, Draft("- Port: 8007"), 2, True, Verdict("- Port: 8007")),
        (FACTS, Draft("none"), 1, False, Verdict()),
        # What was there was dropped as unsupported: that is not "nothing matches".
        (FACTS, Draft("", dropped=1), 0, False, Verdict(refusal=OFF_TOPIC)),
        (MERGE_OF_FACTS, Draft("## Ports"), 3, False, Verdict(refusal=NO_FACTS)),
        (MERGE_OF_FACTS, Draft("- Port: 8007"), 2, True, Verdict("- Port: 8007")),
    ],
)
def test_an_answer_stands_matches_nothing_or_is_refused_for_a_reason(
    assignment: Assignment, draft: Draft, tokens: int, has_facts: bool, verdict: Verdict
) -> None:
    assert verdict_on(draft, assignment, tokens, has_facts=has_facts) == verdict


@law
@given(
    st.builds(Draft, st.text(min_size=1), st.integers(0, 2), may_stand=st.booleans()),
    st.sampled_from([A_CHUNK, FACTS, MERGE_OF_FACTS]),
    st.integers(1, 2_000),
    st.booleans(),
)
def test_only_a_shorter_answer_about_its_source_stands(
    draft: Draft, assignment: Assignment, tokens: int, has_facts: bool
) -> None:
    verdict = verdict_on(draft, assignment, tokens, has_facts=has_facts)
    assert not (verdict.text and verdict.refusal)
    if verdict.text:
        assert verdict.text == draft.text
        assert tokens < assignment.source_tokens
        assert draft.may_stand
        assert assignment.wants_facts or tokens >= LEAST_ANSWER_TOKENS
    if not (verdict.text or verdict.refusal):
        assert assignment.wants_facts
        assert not assignment.is_merge
        assert not has_facts
