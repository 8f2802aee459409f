"""The calls of a job: those that were planned, in the order that ends soonest, and none after its time is over."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pytest
from aiohttp import web

import chunking
from concurrency.worker_threads import open_worker
from summarizer import Settings, Summarizer
from summarizing import deadline
from summarizing.budgets import Plan, Window, chunk_count
from summarizing.chunk_plan import PromptCosts
from summarizing.deadline import MODEL_SHARE_OF_TIME, TIME_IS_OVER
from summarizing.fact_recovery import PUT_BACK_SHARE
from summarizing.faithfulness import answer_check
from summarizing.job import Request
from summarizing.model_calls import ModelCalls
from summarizing.offload import THREADS, Offload
from summarizing.prompt_templates import Prompts
from summarizing.query import Query
from tests.support import parts
from tests.support.manual_time import LetPass, Outlasts
from tests.support.parts import (
    PATIENT,
    KeepsToLength,
    Run,
    a_model,
    a_summarizer,
    count,
    marked,
    prose,
    summarize,
    the_tokenizer,
)
from tests.support.stand_in import Answer, Call, Payload, StandIn
from tests.support.stand_in_answers import Fails, Gate, Hangs, Says, Summarizes

# Other tests cover the same branches.
pytestmark = pytest.mark.unmeasured

CHUNK = 1_000

# The deadline of a call, and a model's client that would wait for longer: what ends a call is the deadline.
SECONDS = 60.0
STEADFAST = replace(PATIENT, silence=90.0, total=90.0)
ONE_BY_ONE = replace(STEADFAST, concurrency=1, ceiling=1)

CANCELLED = "POST /api/v1/chat/completions > cancelled"

ProgressReport = tuple[int, int, str]
"""The steps done, the steps known so far, and a line for people."""


def is_merge(payload: Payload) -> bool:
    return "Join what stands" in str(payload)


def planned(text: str, target: int, chunk_size: int) -> int:
    """Return the calls that the planner sees coming."""
    costs = PromptCosts.of(Prompts.load(), Query(), the_tokenizer(), percent=15)
    tokens, written = count(text), int(target * (1 - PUT_BACK_SHARE))
    affordable = costs.allowed(tokens) // costs.tokens_of_prompts([()])
    chunks = chunk_count(tokens, written, chunk_size, PATIENT.concurrency, affordable)
    sizes = [tokens // chunks] * chunks
    return Plan.of(sizes, written, target, Window.for_query(0, 128_000).merge_size()).calls


def with_deadline(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr(parts, "Settings", partial(Settings, deadline=seconds))


def chunks_left(progress: Sequence[ProgressReport]) -> int:
    """Return how many chunks have nothing written of them, where one has; merges that hang are no steps."""
    return progress[0][1] - len(progress) if progress else -1


async def with_a_chunk_that_hangs(
    let_time_pass: Callable[[], None], others: Answer | None = None, query: Query | None = None
) -> Run:
    """Summarize a text of which the first chunk is never answered; once all others are, let the time pass."""
    progress: list[ProgressReport] = []
    hangs = Outlasts(Hangs(), let_time_pass, lambda _: chunks_left(progress) == 1)

    def script(_: int, payload: Payload) -> Answer:
        is_first = "house 0 " in marked(payload["messages"][1]["content"])
        return hangs if is_first else others or Summarizes()

    return await summarize(script, prose(24), query=query, limits=STEADFAST, progress=progress)


# --- The plan --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "paragraphs, target, chunk_size",
    [
        (24, 800, 4_000),
        (120, 600, 4_000),
        (120, 300, 4_000),
        (200, 2_000, 8_000),
        (90, 900, 8_000),
        (300, 300, 8_000),
    ],
)
async def test_the_calls_are_those_that_were_planned_for_so_many_tokens(
    paragraphs: int, target: int, chunk_size: int
) -> None:
    text = prose(paragraphs)
    run = await summarize(KeepsToLength(), text, target=target, chunk_size=chunk_size)
    assert run.summary.outcome.status == "summarized"
    assert run.summary.outcome.llm_calls == planned(text, target, chunk_size)


@pytest.mark.parametrize("paragraphs, target", [(24, 800), (60, 800), (120, 600), (120, 300)])
async def test_where_blocks_are_large_for_the_chunks_the_plan_made_of_them_is_kept(
    caplog: pytest.LogCaptureFixture, paragraphs: int, target: int
) -> None:
    caplog.set_level("INFO")
    run = await summarize(KeepsToLength(), prose(paragraphs), target=target, chunk_size=CHUNK)
    plans = [each.planned_calls for each in caplog.records if each.message == "map_phase_started"]  # type: ignore[attr-defined]
    assert plans == [run.summary.outcome.llm_calls]


async def test_what_takes_longest_is_asked_first() -> None:
    run = await summarize(KeepsToLength(), prose(60), limits=PATIENT)
    limits = [payload["max_tokens"] for payload in run.server.payloads]
    assert len(limits) > 5
    assert sorted(limits[:5], reverse=True) == sorted(limits, reverse=True)[:5]


# --- Merges ----------------------------------------------------------------------------------------------------


async def test_neighbours_are_merged_before_the_last_chunk_is_there() -> None:
    """The last chunk is answered only once a merge has been asked for."""
    merging = asyncio.Event()

    @dataclass(frozen=True)
    class Tells(KeepsToLength):
        event: asyncio.Event = field(default_factory=asyncio.Event, kw_only=True)

        async def give(self, call: Call) -> web.StreamResponse:
            self.event.set()
            return await super().give(call)

    def script(_: int, payload: Payload) -> Answer:
        if is_merge(payload):
            return Tells(event=merging)
        is_last = "house 119 " in marked(payload["messages"][1]["content"])
        return Gate(KeepsToLength(), merging) if is_last else KeepsToLength()

    run = await summarize(script, prose(120), target=600)
    outcome = run.summary.outcome
    assert (outcome.status, outcome.passes) == ("summarized", 1)
    merges = [number for number, payload in enumerate(run.server.payloads) if is_merge(payload)]
    assert len(merges) >= 2


async def test_where_the_answers_are_short_no_planned_merge_is_made() -> None:
    run = await summarize(KeepsToLength(factor=0.15), prose(120), target=600)
    outcome = run.summary.outcome
    assert planned(prose(120), 600, CHUNK) > outcome.chunks
    assert (outcome.status, outcome.passes, outcome.llm_calls) == ("summarized", 0, outcome.chunks)


async def test_a_chunk_that_fails_is_in_its_merge_all_the_same() -> None:
    def script(_: int, payload: Payload) -> Answer:
        asked = "house 0 " in marked(payload["messages"][1]["content"])
        return Fails(400) if asked and not is_merge(payload) else KeepsToLength()

    run = await summarize(script, prose(120), target=600)
    outcome = run.summary.outcome
    assert (outcome.status, outcome.failed_chunks, outcome.passes) == ("partial", 1, 1)
    assert "1 of " in (outcome.reason or "")
    assert any("house 0 " in marked(p["messages"][1]["content"]) for p in run.server.payloads if is_merge(p))
    assert run.progress[-1][0] == run.progress[-1][1]


async def test_facts_that_are_the_same_in_all_chunks_are_merged_by_code_though_merges_were_planned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The guard would drop what a chunk does not have.
    monkeypatch.setattr(parts, "Settings", partial(Settings, guard=False))
    query = Query(schema_hint="keepers, barrels of oil")
    facts = "\n".join(f"- Keeper {number} of Emberwick moved {number * 31} barrels" for number in range(10))
    run = await summarize(Says(f"## Keepers\n{facts}"), prose(120), target=600, query=query)
    outcome = run.summary.outcome
    assert outcome.chunks * count(facts) > 2 * 600
    assert planned(prose(120), 600, CHUNK) > outcome.chunks
    assert run.summary.text == f"## Keepers\n{facts}"
    assert (outcome.status, outcome.passes, outcome.llm_calls) == ("summarized", 0, outcome.chunks)


async def test_a_merge_of_facts_that_answers_with_headings_alone_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parts, "Settings", partial(Settings, guard=False))
    towns = ("Emberwick", "Saltmere", "Coldharbour", "Vennholm", "Tarrow")
    headings = "\n".join(f"## Barrels of lamp oil that keepers moved in {town}" for town in towns)

    def script(_: int, payload: Payload) -> Answer:
        return Says(headings) if "Shorten the list" in str(payload) else KeepsToLength()

    run = await summarize(script, prose(120), target=600, query=Query(schema_hint="keepers, barrels of oil"))
    outcome = run.summary.outcome
    assert outcome.status == "partial"
    assert "merges failed: the model's answer has none of the facts that it was to join" in (
        outcome.reason or ""
    )
    assert 300 < outcome.output_tokens <= 600


# --- The deadline ----------------------------------------------------------------------------------------------


async def test_at_the_deadline_what_is_finished_is_kept_and_the_rest_is_done_without_the_model(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass
) -> None:
    with_deadline(monkeypatch, SECONDS)
    run = await with_a_chunk_that_hangs(partial(let_pass, SECONDS * MODEL_SHARE_OF_TIME))
    outcome = run.summary.outcome
    assert (outcome.status, outcome.failed_chunks) == ("partial", 1)
    assert outcome.reason == f"1 of {outcome.chunks} chunks summarized without the model: {TIME_IS_OVER}"
    assert run.server.log.count(CANCELLED) == 1
    assert outcome.output_tokens <= 800
    assert run.progress[-1][0] == run.progress[-1][1]


async def test_when_all_of_the_time_is_over_what_is_finished_comes_back_alone(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass
) -> None:
    with_deadline(monkeypatch, SECONDS)
    run = await with_a_chunk_that_hangs(partial(let_pass, SECONDS))
    outcome = run.summary.outcome
    assert (outcome.status, outcome.failed_chunks) == ("partial", 1)
    assert f"{outcome.chunks - 1} of {outcome.chunks} chunks came back, since {TIME_IS_OVER}" in (
        outcome.reason or ""
    )
    assert 0 < outcome.output_tokens <= 800


async def test_an_extraction_says_which_chunks_are_missing_where_no_time_is_left_to_put_back_their_lines(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass
) -> None:
    with_deadline(monkeypatch, SECONDS)
    run = await with_a_chunk_that_hangs(
        partial(let_pass, SECONDS),
        Says("- The keeper in Emberwick has barrels of oil"),
        Query(schema_hint="keepers, barrels of oil"),
    )
    outcome = run.summary.outcome
    chunks = f"1 of {outcome.chunks} chunks"
    assert (outcome.status, outcome.failed_chunks) == ("partial", 1)
    assert outcome.reason == (
        f"{chunks} failed: {TIME_IS_OVER}; {chunks} are missing, and it was not checked for lost facts, since {TIME_IS_OVER}"
    )


@pytest.mark.parametrize("on_failure", ["original", "extractive", "error"])
async def test_a_model_that_is_only_slow_gives_a_summary_without_it_and_no_failure(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass, on_failure: str
) -> None:
    with_deadline(monkeypatch, SECONDS)
    last = Outlasts(Hangs(), partial(let_pass, SECONDS))
    script: list[Answer] = [*[Hangs()] * (STEADFAST.concurrency - 1), last]
    run = await summarize(script, prose(24), on_failure=on_failure, limits=STEADFAST)
    outcome = run.summary.outcome
    assert (outcome.status, outcome.failed_chunks) == ("partial", outcome.chunks)
    assert TIME_IS_OVER in (outcome.reason or "")
    assert 0 < outcome.output_tokens <= 800
    assert outcome.facts is not None
    assert run.server.log == [CANCELLED] * STEADFAST.concurrency


@pytest.mark.parametrize("query", [Query(), Query(schema_hint="keepers, barrels of oil")])
async def test_a_merge_that_the_deadline_ends_loses_nothing_but_what_does_not_fit(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass, query: Query
) -> None:
    with_deadline(monkeypatch, SECONDS)
    progress: list[ProgressReport] = []
    hangs = Outlasts(Hangs(), partial(let_pass, SECONDS), lambda _: chunks_left(progress) == 0)

    def script(_: int, payload: Payload) -> Answer:
        merging = is_merge(payload) or "Shorten the list" in str(payload)
        return hangs if merging else KeepsToLength()

    run = await summarize(script, prose(120), target=600, query=query, limits=ONE_BY_ONE, progress=progress)
    outcome = run.summary.outcome
    assert (outcome.status, outcome.failed_chunks) == ("partial", 0)
    assert f"merges failed: {TIME_IS_OVER}" in (outcome.reason or "")
    assert 300 < outcome.output_tokens <= 600


async def test_a_text_that_takes_long_without_the_model_leaves_it_less_time(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass
) -> None:
    """The model never answers: at four fifths of this time there would not be enough left for the text."""
    text, reserve = prose(24), 0.75 * SECONDS
    assert SECONDS * (1 - MODEL_SHARE_OF_TIME) < reserve < SECONDS
    monkeypatch.setattr(deadline, "CHARS_PER_SECOND_WITHOUT_MODEL", len(text) / reserve)
    with_deadline(monkeypatch, SECONDS)
    stops: list[float | None] = []
    real = ModelCalls.end_at

    def end_at(self: ModelCalls, until: float | None) -> None:
        stops.append(None if until is None else until - asyncio.get_running_loop().time())
        real(self, until)

    monkeypatch.setattr(ModelCalls, "end_at", end_at)
    hangs = Outlasts(Hangs(), partial(let_pass, SECONDS - reserve))
    outcome = (await summarize(hangs, text, limits=ONE_BY_ONE)).summary.outcome
    assert (outcome.status, outcome.failed_chunks, outcome.llm_calls) == ("partial", outcome.chunks, 1)
    assert len(stops) == 1
    assert stops[0] is not None
    assert stops[0] <= SECONDS - reserve
    assert outcome.output_tokens <= 800


async def test_a_call_for_which_nobody_waits_has_no_deadline(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass
) -> None:
    """Each answer takes as long as a call may that somebody waits for."""
    with_deadline(monkeypatch, SECONDS)
    slow = Outlasts(Summarizes(), partial(let_pass, SECONDS))
    async with (
        StandIn([slow]) as server,
        a_summarizer(server.base_url, limits=ONE_BY_ONE) as summarizer,
    ):
        hurried = await summarizer.summarize(Request(prose(24), 800))
        calm = await summarizer.summarize(Request(prose(24), 800, has_deadline=False))
    assert (hurried.outcome.status, calm.outcome.status) == ("partial", "summarized")
    assert (hurried.outcome.llm_calls, calm.outcome.failed_chunks) == (1, 0)


def when_measured(monkeypatch: pytest.MonkeyPatch, tell: Callable[[], None]) -> None:
    """Tell each time that a text is about to be cut into chunks."""
    measure = chunking.measure

    def told(*arguments: Any) -> chunking.Layout:
        tell()
        return measure(*arguments)

    monkeypatch.setattr(chunking, "measure", told)


async def test_a_call_that_comes_when_its_time_is_over_is_not_even_cut_into_chunks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_deadline(monkeypatch, SECONDS)
    cut: list[None] = []
    when_measured(monkeypatch, lambda: cut.append(None))
    async with StandIn([Summarizes()]) as server, a_summarizer(server.base_url) as summarizer:
        late = await summarizer.summarize(Request(prose(24), 800, arrived=time.monotonic() - SECONDS))
        assert (late.outcome.status, late.outcome.llm_calls, cut) == ("partial", 0, [])
        assert TIME_IS_OVER in (late.outcome.reason or "")
        early = await summarizer.summarize(Request(prose(24), 800, arrived=time.monotonic()))
    assert early.outcome.status == "summarized"
    assert len(server.log) == early.outcome.llm_calls
    assert len(cut) == 1


@pytest.mark.parametrize("guard", [True, False])
async def test_a_call_whose_time_ends_while_it_is_cut_into_chunks_asks_no_model(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass, *, guard: bool
) -> None:
    monkeypatch.setattr(parts, "Settings", partial(Settings, deadline=SECONDS, guard=guard))
    when_measured(monkeypatch, partial(let_pass, SECONDS * (MODEL_SHARE_OF_TIME + 0.05)))
    async with StandIn([Summarizes()]) as server, a_summarizer(server.base_url) as summarizer:
        late = await summarizer.summarize(Request(prose(24), 800))
    assert (late.outcome.status, late.outcome.llm_calls, server.log) == ("partial", 0, [])
    assert late.outcome.failed_chunks == late.outcome.chunks > 1


async def test_an_answer_that_has_come_is_kept_though_nothing_more_is_asked() -> None:
    """The credit ends while three answers are still held against their text."""
    read = asyncio.Event()

    def script(number: int, _: Payload) -> Answer:
        return Summarizes() if number <= 3 else Fails(402)

    async with (
        StandIn(script) as server,
        open_worker(THREADS) as worker,
        a_model(server.base_url, limits=replace(PATIENT, concurrency=1, ceiling=1)) as model,
    ):

        async def busy_worker(function: Callable[..., Any], *arguments: Any) -> Any:
            if function is answer_check.Evidence:
                await read.wait()
            return await worker(function, *arguments)

        summarizer = Summarizer(
            settings=Settings(CHUNK, 100, 800, 128_000, "original"),
            tokenizer=the_tokenizer(),
            prompts=Prompts.load(),
            model=model,
            offload=Offload(busy_worker),
            clock=time.monotonic,
        )
        job = asyncio.create_task(summarizer.summarize(Request(prose(24), 800)))
        await server.finished(4)
        read.set()
        outcome = (await job).outcome
    assert (outcome.status, outcome.chunks, outcome.failed_chunks) == ("partial", 5, 2)
