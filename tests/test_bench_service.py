"""The parts of the service's bench that need no process: the ideal schedule, the faults, what the model writes."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from service import prose

from bench.evaluation.personalities import room_in
from bench.service.author import LEAST_USED, Author, holds
from bench.service.faults import DECK, RATES, faults
from bench.service.jobs import lateness, measured, steps_of
from bench.service.provider import Behaviour
from bench.service.schedule import Step, lower_bound, planned
from bench.service.texts import handbook
from prompting import Brief, Prompts
from tokens import Tokenizer

# --- The ideal schedule ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "durations, places, seconds",
    [
        ((), 5, 0),
        ((3,), 5, 3),
        ((1, 1, 1, 1), 2, 2),
        # Five rounds: 21 on five places leave one over.
        ((1,) * 21, 5, 5),
        ((5, 1, 1, 1), 2, 5),
    ],
)
def test_independent_calls_of_known_schedules(
    durations: tuple[float, ...], places: int, seconds: float
) -> None:
    steps = [Step(duration) for duration in durations]
    assert lower_bound(steps, places) == seconds
    assert planned(steps, places) == seconds


def test_a_merge_waits_for_its_parts_and_for_no_other() -> None:
    steps = [Step(2), Step(2), Step(6), Step(1, after=(0, 1))]
    assert lower_bound(steps, 3) == planned(steps, 3) == 6
    chained = [Step(2), Step(2), Step(2), Step(1, after=(0, 1, 2)), Step(1, after=(3,))]
    assert lower_bound(chained, 3) == planned(chained, 3) == 4
    # What comes behind a full round is added to it.
    assert lower_bound([Step(1), Step(1), Step(1), Step(3, after=(0, 1, 2))], 2) == 5


@st.composite
def some_steps(draw: st.DrawFn) -> list[Step]:
    steps: list[Step] = []
    for at in range(draw(st.integers(1, 12))):
        after = draw(st.sets(st.integers(0, at - 1), max_size=3)) if at else set()
        steps.append(Step(draw(st.integers(1, 20)), tuple(after)))
    return steps


@given(some_steps(), st.integers(1, 5))
def test_no_schedule_beats_the_bound(steps: list[Step], places: int) -> None:
    bound, reached = lower_bound(steps, places), planned(steps, places)
    assert bound <= reached
    assert bound >= max(*(step.seconds for step in steps), sum(step.seconds for step in steps) / places)
    # Graham's bound: a schedule that leaves no place idle that has work takes less than twice the best.
    assert reached <= 2 * bound * (1 + 1e-9) + max(step.seconds for step in steps)


# --- The model -------------------------------------------------------------------------------------------------


def test_an_answer_uses_its_room_keeps_to_it_and_copies_what_it_read(tokenizer: Tokenizer) -> None:
    content = prose(400)
    for length in ("200 words", "900 words"):
        prompt = Prompts.load().map(content, (), Brief(), length)
        answer = Author(tokenizer).answer(list(prompt), 5_000)
        words = len(answer.text.split())
        room = room_in("\n".join(prompt), 5_000)
        assert room.stated is not None
        assert LEAST_USED * room.stated - 20 <= words <= room.stated
        assert all(line in content for line in answer.text.splitlines())
        assert answer.finish_reason == "stop"
        assert len(answer.pieces) == tokenizer.count(answer.text)


def test_an_extraction_is_facts_under_a_heading(tokenizer: Tokenizer) -> None:
    prompt = Prompts.load().map(prose(100), (), Brief(schema_hint="who went where"), "100 words")
    heading, *facts = Author(tokenizer).answer(list(prompt), 5_000).text.splitlines()
    assert heading == "## Facts"
    assert facts
    assert all(fact.startswith("- In the year") for fact in facts)


def test_an_answer_is_cut_at_max_tokens(tokenizer: Tokenizer) -> None:
    prompt = Prompts.load().map(prose(100), (), Brief(), "100 words")
    answer = Author(tokenizer).answer(list(prompt), 3)
    assert answer.finish_reason == "length"
    assert tokenizer.count(answer.text) == 3


def test_a_merge_is_told_by_the_answers_in_its_prompt(tokenizer: Tokenizer) -> None:
    content, author = prose(400), Author(tokenizer)
    half = content.index("In the year 1400")
    parts = [content[:half], content[half:]]
    prompts = [Prompts.load().map(part, (), Brief(), "200 words") for part in parts]
    answers = [author.answer(list(prompt), 5_000) for prompt in prompts]
    merge = Prompts.load().merge("\n\n".join(answer.text for answer in answers), Brief(), "100 words")
    assert all(holds(merge.user, answer.marks) for answer in answers)
    assert not holds(prompts[1].user, answers[0].marks)
    assert not holds("NONE", author.answer(["", ""], 10).marks)


@pytest.mark.parametrize("seed", [1, 2])
def test_faults_come_at_their_rates_and_the_same_for_a_seed(seed: int) -> None:
    dealt = list(islice(faults(RATES, seed), 3 * DECK))
    assert dealt == list(islice(faults(RATES, seed), 3 * DECK))
    for name, rate in RATES.items():
        assert dealt[:DECK].count(name) == rate * DECK
    assert set(islice(faults({}, seed), DECK)) == {""}


# --- The jobs --------------------------------------------------------------------------------------------------


def a_call(
    number: int, begin: float, end: float, status: str = "200", after: tuple[int, ...] = ()
) -> dict[str, object]:
    return {
        "number": number,
        "begin": begin,
        "end": end,
        "status": status,
        "after": list(after),
        "at_once": number + 1,
        "prompt_tokens": 100,
        "completion_tokens": 81,
    }


def test_a_job_is_put_together_from_the_records_of_the_model() -> None:
    calls = [
        a_call(0, 10.0, 11.5),
        a_call(1, 10.0, 10.0, "429"),
        a_call(2, 10.0, 12.0),
        a_call(3, 12.0, 13.5, after=(0, 1, 2)),
    ]
    assert steps_of(calls) == [Step(1.5), Step(2.0), Step(1.5, after=(0, 1))]
    assert lateness(calls, Behaviour()) == pytest.approx(2.0 / 1.5 - 1)
    job = measured(
        calls,
        Behaviour(),
        5,
        method="ours",
        content_tokens=200,
        target=100,
        seconds=4.2,
        status="summarized",
        output_tokens=99,
    )
    assert (job.calls, job.refused, job.most_at_once) == (3, 1, 4)
    assert job.ideal_s == pytest.approx(3.5)
    assert job.ratio == pytest.approx(1.2)
    assert job.prompt_share == 2.0
    assert job.completion_share == pytest.approx(3.24)


def test_a_handbook_is_of_its_size_and_ends_with_a_paragraph(tokenizer: Tokenizer) -> None:
    text = handbook(5_000, tokenizer)
    assert 4_500 < text.tokens <= 5_000
    assert text.content.endswith("\n")
    assert text == handbook(5_000, tokenizer)
