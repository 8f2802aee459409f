"""What a call leaves in memory: nothing that waits for a full garbage collection, whatever became of the call.

The service makes those collections rare, and a call's texts are large.
"""

from __future__ import annotations

import asyncio
import gc
import time
import types
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from llm import ChatModel
from provider.model import Model
from provider.response_cache import CacheBounds, CacheCounts, ResponseCache
from summarizer import Settings, SummarizationFailed, Summarizer
from summarizing.job import Request
from tests.support import parts
from tests.support.manual_time import LetPass, Outlasts
from tests.support.messages import call, legacy, modern
from tests.support.parts import ENDLESS, PATIENT, a_summarizer, prose
from tests.support.recording import modules
from tests.support.service import ROOT, Run, with_model
from tests.support.stand_in import Answer, Payload, StandIn
from tests.support.stand_in_answers import (
    Empty,
    ErrorMidStream,
    Fails,
    Filtered,
    Hangs,
    NotJson,
    Resets,
    ResetsMidStream,
    Says,
    StallsMidStream,
    Summarizes,
)


@contextmanager
def garbage() -> Iterator[list[str]]:
    """Give, behind the block, what of the project's own only a collection can free: frames and objects, by name."""
    found: list[str] = []
    gc.collect()
    gc.freeze()  # what was there before is not looked at again: that would take most of the time
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found += filter(None, map(name_if_ours, gc.garbage))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.unfreeze()
        gc.enable()


OURS = frozenset(ROOT / path for path in modules())


def name_if_ours(thing: Any) -> str | None:
    if isinstance(thing, types.FrameType):
        code = thing.f_code
        return f"frame of {code.co_name}" if Path(code.co_filename) in OURS else None
    module = type(thing).__module__
    return f"{module}.{type(thing).__name__}" if ROOT / f"{module.replace('.', '/')}.py" in OURS else None


async def settled() -> None:
    """Let what has ended be cleared away."""
    for _ in range(100):
        await asyncio.sleep(0)


def cached(model: ChatModel) -> Model:
    return ResponseCache(model, CacheBounds(1_000_000, 60), clock=time.monotonic, counts=CacheCounts())


def as_it_is(model: ChatModel) -> Model:
    return model


FAILURES: list[Answer] = [
    Fails(400),
    Fails(401),
    Fails(429),
    Fails(500),
    Empty(),
    Filtered(),
    NotJson(),
    Says("Done."),
    ErrorMidStream(502, "sorry"),
    Resets(),
    ResetsMidStream(),
]


async def summarize(summarizer: Summarizer, number: int) -> str:
    summary = await summarizer.summarize(Request(f"Call {number}.\n\n{prose(20)}", 200))
    return summary.outcome.status


async def fail(summarizer: Summarizer) -> None:
    with suppress(SummarizationFailed):
        await summarize(summarizer, 1)


async def cancelled(call: Coroutine[Any, Any, object], model: StandIn) -> None:
    """Cancel a call once the model has been asked, and wait until all of it has ended."""
    asked = asyncio.create_task(call)
    await model.called(len(model.payloads) + 1)
    asked.cancel()
    with suppress(asyncio.CancelledError):
        await asked
    await model.finished(len(model.payloads))
    await settled()


def test_objects_that_only_a_collection_frees_are_found() -> None:
    with garbage() as found:
        counts = CacheCounts()
        counts.hits = [counts]  # type: ignore[assignment]
        del counts
    assert found == ["provider.response_cache.CacheCounts"]


@pytest.mark.parametrize("before", [as_it_is, cached])
@pytest.mark.parametrize("answer", FAILURES, ids=repr)
async def test_a_call_that_the_model_fails_leaves_nothing_to_collect(
    answer: Answer, before: Callable[[ChatModel], Model]
) -> None:
    async with StandIn([answer]) as server, a_summarizer(server.base_url, before=before) as summarizer:
        await summarize(summarizer, 1)
        with garbage() as found:
            assert await summarize(summarizer, 2) == "unsummarized"
    assert found == []


@pytest.mark.parametrize("before", [as_it_is, cached])
async def test_a_call_that_the_breaker_fails_leaves_nothing_to_collect(
    before: Callable[[ChatModel], Model],
) -> None:
    limits = replace(PATIENT, breaker_failures=1)
    async with (
        StandIn([Fails(500)]) as server,
        a_summarizer(server.base_url, limits=limits, before=before) as summarizer,
    ):
        with garbage() as found_when_it_opens:
            assert await summarize(summarizer, 1) == "unsummarized"
        with garbage() as found:
            assert await summarize(summarizer, 2) == "unsummarized"
    assert (found_when_it_opens, found) == ([], [])


async def test_a_call_of_which_some_chunks_and_merges_fail_leaves_nothing_to_collect() -> None:
    failures: list[Answer] = [Fails(400), Filtered(), Says("Done.")]

    def script(number: int, _: Payload) -> Answer:
        return failures[number % 3] if number % 4 == 0 else Summarizes(words=300)

    async with StandIn(script) as server, a_summarizer(server.base_url, chunk_size=400) as summarizer:
        await summarize(summarizer, 1)
        with garbage() as found:
            assert await summarize(summarizer, 2) == "partial"
    assert found == []


async def test_a_call_that_ends_as_an_error_leaves_nothing_to_collect() -> None:
    async with (
        StandIn([Fails(401)]) as server,
        a_summarizer(server.base_url, on_failure="error") as summarizer,
    ):
        await fail(summarizer)
        with garbage() as found:
            await fail(summarizer)
    assert found == []


@pytest.mark.parametrize("before", [as_it_is, cached])
@pytest.mark.parametrize("answer", [Hangs(), StallsMidStream()], ids=repr)
async def test_a_call_whose_time_is_over_leaves_nothing_to_collect(
    answer: Answer, before: Callable[[ChatModel], Model], let_pass: LetPass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "Settings", partial(Settings, deadline=20.0))
    late = Outlasts(answer, partial(let_pass, 30.0))
    async with (
        StandIn([late]) as server,
        a_summarizer(server.base_url, before=before) as summarizer,
    ):
        await summarize(summarizer, 1)
        with garbage() as found:
            assert await summarize(summarizer, 2) == "partial"
    assert found == []


@pytest.mark.parametrize("before", [as_it_is, cached])
async def test_a_call_whose_model_is_silent_leaves_nothing_to_collect(
    before: Callable[[ChatModel], Model], let_pass: LetPass
) -> None:
    silent = Outlasts(Hangs(), partial(let_pass, 25.0))
    async with (
        StandIn([silent]) as server,
        a_summarizer(server.base_url, before=before, limits=ENDLESS) as summarizer,
    ):
        await summarize(summarizer, 1)
        with garbage() as found:
            assert await summarize(summarizer, 2) == "unsummarized"
    assert found == []


@pytest.mark.parametrize("before", [as_it_is, cached])
async def test_a_call_that_is_cancelled_leaves_nothing_to_collect(
    before: Callable[[ChatModel], Model],
) -> None:
    async with StandIn([Hangs()]) as server, a_summarizer(server.base_url, before=before) as summarizer:
        await cancelled(summarize(summarizer, 1), server)
        with garbage() as found:
            await cancelled(summarize(summarizer, 2), server)
    assert found == []


async def test_two_calls_that_share_their_requests_leave_nothing_to_collect() -> None:
    async with StandIn([Fails(400)]) as server, a_summarizer(server.base_url, before=cached) as summarizer:
        await summarize(summarizer, 1)
        with garbage() as found:
            both = await asyncio.gather(summarize(summarizer, 2), summarize(summarizer, 2))
            assert set(both) == {"unsummarized"}
    assert found == []


@pytest.mark.parametrize("cache_seconds", ["0", "60"])
async def test_a_call_over_http_whose_client_leaves_leaves_nothing_to_collect(
    run: Run, cache_seconds: str
) -> None:
    async with (
        StandIn([Hangs()]) as model,
        run(**with_model(model, ANSWER_CACHE_SECONDS=cache_seconds)) as service,
    ):
        request = modern("tools/call", call(content=prose(20), max_output_tokens=200))
        await cancelled(service.post_modern(request), model)
        with garbage() as found:
            await cancelled(service.post_modern(request), model)
    assert found == []


@pytest.mark.parametrize("tool", ["summarize", "summarize_for_extraction"])
async def test_a_call_over_http_that_the_model_fails_leaves_nothing_to_collect(run: Run, tool: str) -> None:
    hint = {"schema_hint": "barrels"} if tool == "summarize_for_extraction" else {}
    async with StandIn([Fails(401)]) as model, run(**with_model(model, ON_FAILURE="error")) as service:
        request = legacy("tools/call", call(tool, content=prose(20), max_output_tokens=200, **hint))
        await service.post(request)
        with garbage() as found:
            assert (await service.post(request)).json()["result"]["isError"]
            await settled()
    assert found == []
