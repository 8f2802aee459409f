"""A job's first requests leave before the background work that their answers will need."""

import asyncio
from typing import Any

import pytest

from provider.head_start import HEAD_START_SECONDS, HeadStart
from provider.model import JobRequests
from summarizing import fact_recovery, work_in_slices
from summarizing.faithfulness.answer_check import Evidence
from summarizing.faithfulness.lost_facts import Survey
from summarizing.query import Query
from tests.support.manual_time import LetPass, until
from tests.support.parts import PATIENT, KeepsToLength, prose, summarize
from tests.support.stand_in import Answer, Payload
from tests.support.stand_in_answers import Fails, Gate, Summarizes

CALLS = PATIENT.concurrency
LINE = "The harbour master of Tarrow asks every keeper to write down each of the 12 barrels."


async def test_it_is_over_when_it_is_ended_for_all_that_wait_and_for_later_ones(
    let_only_this_pass: LetPass,
) -> None:
    head_start = HeadStart()
    waiting = [asyncio.create_task(head_start.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    head_start.end()
    await asyncio.gather(*waiting, head_start.wait())


async def test_it_is_over_after_its_time_which_begins_with_the_first_request(
    let_only_this_pass: LetPass,
) -> None:
    head_start = HeadStart()
    waiting = asyncio.create_task(head_start.wait())
    await asyncio.sleep(0)
    let_only_this_pass(2 * HEAD_START_SECONDS)
    await a_few_turns()
    head_start.begin()
    await a_few_turns()
    assert not waiting.done()
    let_only_this_pass(HEAD_START_SECONDS / 2)
    head_start.begin()  # a later request does not prolong it
    let_only_this_pass(HEAD_START_SECONDS / 2)
    await waiting


async def test_time_that_passes_before_the_first_request_does_not_count(
    monkeypatch: pytest.MonkeyPatch, let_only_this_pass: LetPass
) -> None:
    """Cleaning a large text takes longer than the head start, which must not be over before the first request has left."""
    order: list[str] = []
    clean = work_in_slices.clean

    async def slow_clean(*arguments: Any, **options: Any) -> Any:
        await a_few_turns()  # what waits for the head start begins to wait
        let_only_this_pass(2 * HEAD_START_SECONDS)
        await a_few_turns()
        return await clean(*arguments, **options)

    def note(owner: Any, name: str, event: str) -> None:
        original = getattr(owner, name)

        def noted(*arguments: Any, **options: Any) -> Any:
            order.append(event)
            return original(*arguments, **options)

        monkeypatch.setattr(owner, name, noted)

    monkeypatch.setattr(work_in_slices, "clean", slow_clean)
    note(work_in_slices, "search_for_suspicious", "searched")
    note(fact_recovery, "Survey", "surveyed")
    note(JobRequests, "count_request", "sent")
    run = await summarize(Summarizes(), prose(60), target=300)
    assert run.summary.outcome.facts is not None
    assert order[0] == "sent"
    assert {"searched", "surveyed"} < set(order)


@pytest.mark.parametrize(
    "content, target",
    [("\n\n".join([LINE] * 90), 100), (LINE, 10)],
    ids=["fits once it is cleaned", "is no longer than a tiny chunk"],
)
async def test_where_no_request_is_sent_the_background_work_is_done_all_the_same(
    let_only_this_pass: LetPass, content: str, target: int
) -> None:
    """Time stands still here: the work would wait for ever for a request."""
    query = Query(schema_hint="barrels")
    running = asyncio.create_task(summarize(Fails(500), content, target=target, query=query))
    await until(running.done, "the summary")
    assert (await running).summary.outcome.facts is not None
    assert (await running).server.log == []


async def a_few_turns() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_neither_evidence_nor_survey_is_worked_on_before_every_request_of_the_first_round_is_there(
    monkeypatch: pytest.MonkeyPatch, let_only_this_pass: LetPass
) -> None:
    """Time stands still here: the head start ends with the first answer, which waits for the last of the first requests."""
    arrived: list[int] = []
    seen: list[tuple[str, int]] = []
    all_there = asyncio.Event()

    def script(number: int, _: Payload) -> Answer:
        arrived.append(number)
        if len(arrived) == CALLS:
            all_there.set()
        return Gate(KeepsToLength(), all_there)

    for kind in (Evidence, Survey):
        original = kind.__init__

        def noted(self: Any, *arguments: Any, original: Any = original, **options: Any) -> None:
            seen.append((type(self).__name__, len(arrived)))
            original(self, *arguments, **options)

        monkeypatch.setattr(kind, "__init__", noted)
    run = await summarize(script, prose(60))
    assert run.summary.outcome.status == "summarized"
    assert {name for name, _ in seen} == {"Evidence", "Survey"}
    assert min(number for _, number in seen) >= CALLS
