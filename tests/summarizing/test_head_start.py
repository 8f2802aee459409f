"""A job's first requests leave before the background work that their answers will need."""

import asyncio
from typing import Any

import pytest

from summarizing import fact_recovery, model_writer
from summarizing.head_start import HEAD_START_SECONDS, HeadStart
from tests.support.parts import PATIENT, KeepsToLength, prose, summarize
from tests.support.passing import LetPass
from tests.support.stand_in import Answer, Gate, Payload

CALLS = PATIENT.concurrency


async def test_it_is_over_when_it_is_ended_for_all_that_wait_and_for_later_ones(
    let_only_this_pass: LetPass,
) -> None:
    head_start = HeadStart()
    waiting = [asyncio.create_task(head_start.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    head_start.end()
    await asyncio.gather(*waiting, head_start.wait())


async def test_it_is_over_after_its_time(let_only_this_pass: LetPass) -> None:
    waiting = asyncio.create_task(HeadStart().wait())
    await asyncio.sleep(0)
    assert not waiting.done()
    let_only_this_pass(HEAD_START_SECONDS)
    await waiting


async def test_who_gives_up_waiting_leaves_no_alarm(let_only_this_pass: LetPass) -> None:
    head_start = HeadStart()
    waiting = asyncio.create_task(head_start.wait())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    let_only_this_pass(2 * HEAD_START_SECONDS)
    later = asyncio.create_task(head_start.wait())
    await asyncio.sleep(0)
    assert not later.done()
    head_start.end()
    await later


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

    for module, name in ((model_writer, "Evidence"), (fact_recovery, "Survey")):
        original = getattr(module, name)

        def noted(*arguments: Any, name: str = name, original: Any = original) -> Any:
            seen.append((name, len(arrived)))
            return original(*arguments)

        monkeypatch.setattr(module, name, noted)
    run = await summarize(script, prose(60))
    assert run.summary.outcome.status == "summarized"
    assert {name for name, _ in seen} == {"Evidence", "Survey"}
    assert min(number for _, number in seen) >= CALLS
