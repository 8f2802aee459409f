"""The time that a call has, over HTTP: it runs from the arrival of the request, whatever that waits for afterwards."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from functools import partial

import httpx
from messages import Message, call, legacy
from passing import LetPass, Outlasts
from service import PATIENCE_S, listening, prose, with_model
from stand_in import Hangs, StandIn, Summarizes

import app as application
from config import Config
from job import TIME_IS_OVER
from mcp_http import Endpoint
from summarizer import MODEL_SHARE_OF_TIME
from tokens import Tokenizer

A_CALL = legacy("tools/call", call(content=prose(60), max_output_tokens=200))


def outcome_of(response: httpx.Response) -> Message:
    outcome: Message = response.json()["result"]["_meta"]["mcp-summarizer/outcome"]
    return outcome


async def test_the_wait_for_a_turn_is_time_of_the_call_that_waits(
    tokenizer: Tokenizer, let_pass: LetPass
) -> None:
    """The first spends its time with the model, from when the second waits; that has none left when its turn comes."""
    seconds = 20.0  # less than the test's own client waits
    settings = {
        "MAX_CONCURRENT_REQUESTS": "1",
        "SUMMARIZE_DEADLINE_SECONDS": str(seconds),
        "LLM_FIRST_BYTE_TIMEOUT_SECONDS": "3000",
        "LLM_TOTAL_TIMEOUT_SECONDS": "3000",
    }
    endpoints: list[Endpoint] = []
    hangs = Outlasts(Hangs(), partial(let_pass, seconds), lambda _: endpoints[0].load.waiting == 1)
    async with StandIn([hangs]) as model:
        config = Config.from_env(with_model(model, **settings))
        app = application.build(config, tokenizer)
        async with listening(app, config) as service:
            endpoints.append(app[application.ENDPOINT])
            endpoints[0].clock = time.monotonic  # the one that the test moves
            first = asyncio.create_task(service.post(A_CALL))
            await model.called(1)
            outcomes = [outcome_of(await service.post(A_CALL)), outcome_of(await first)]
    assert [outcome["status"] for outcome in outcomes] == ["partial", "partial"]
    assert all(TIME_IS_OVER in outcome["reason"] for outcome in outcomes)
    waited, had_its_turn = (outcome["duration_ms"] for outcome in outcomes)
    assert [outcome["llm_calls"] for outcome in outcomes] == [0, 1]
    assert waited < 1_000 * seconds * MODEL_SHARE_OF_TIME <= had_its_turn


async def test_a_call_has_arrived_when_its_head_has(tokenizer: Tokenizer) -> None:
    arrived = asyncio.Event()

    def clock() -> float:
        arrived.set()
        return time.monotonic() - 100.0

    async with StandIn([Summarizes()]) as model:
        config = Config.from_env(with_model(model))
        app = application.build(config, tokenizer)
        async with listening(app, config) as service:
            app[application.ENDPOINT].clock = clock

            async def body() -> AsyncIterator[bytes]:
                async with asyncio.timeout(PATIENCE_S):
                    await arrived.wait()
                yield json.dumps(A_CALL).encode()

            headers = {"Content-Type": "application/json"}
            outcome = outcome_of(await service.http.post(service.url, content=body(), headers=headers))
    assert (outcome["status"], outcome["llm_calls"], model.log) == ("partial", 0, [])
    assert TIME_IS_OVER in outcome["reason"]
