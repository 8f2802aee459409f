"""The deadline of a call over HTTP: it starts when the request arrives, whatever it waits for afterwards."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator
from functools import partial

import httpx
import pytest

import app as application
from config import Config
from protocol.messages import RETRY_AFTER_SECONDS, TOO_BUSY
from summarizing.deadline import MODEL_SHARE_OF_TIME, TIME_IS_OVER
from summarizing.extractive import extractive_summary
from summarizing.text.tokenizer import Tokenizer
from tests.support.manual_time import LetPass, Outlasts, until
from tests.support.messages import Message, call, legacy
from tests.support.service import PATIENCE_S, listening, prose, with_model
from tests.support.stand_in import StandIn
from tests.support.stand_in_answers import Hangs, Summarizes
from transport.endpoint import Endpoint
from transport.routes import ENDPOINT

SECONDS = 20.0  # less than the tests' own client waits
A_CALL = legacy("tools/call", call(content=prose(60), max_output_tokens=200))


def outcome_of(response: httpx.Response) -> Message:
    outcome: Message = response.json()["result"]["_meta"]["mcp-summarizer/outcome"]
    return outcome


async def test_time_in_the_queue_counts_for_the_deadline(tokenizer: Tokenizer, let_pass: LetPass) -> None:
    """The first spends its time with the model, from when the second waits; that has none left when its turn comes."""
    settings = {
        "MAX_CONCURRENT_REQUESTS": "1",
        "SUMMARIZE_DEADLINE_SECONDS": str(SECONDS),
        "LLM_FIRST_BYTE_TIMEOUT_SECONDS": "3000",
        "LLM_TOTAL_TIMEOUT_SECONDS": "3000",
    }
    endpoints: list[Endpoint] = []
    models_time = SECONDS * MODEL_SHARE_OF_TIME
    hangs = Outlasts(Hangs(), partial(let_pass, models_time), lambda _: endpoints[0].load.waiting == 1)
    async with StandIn([hangs]) as model:
        config = Config.from_env(with_model(model, **settings))
        app = application.build(config, tokenizer)
        async with listening(app, config) as service:
            endpoints.append(app[ENDPOINT])
            endpoints[0].clock = time.monotonic  # the one that the test moves
            first = asyncio.create_task(service.post(A_CALL))
            await model.called(1)
            outcomes = [outcome_of(await service.post(A_CALL)), outcome_of(await first)]
    assert [outcome["status"] for outcome in outcomes] == ["partial", "partial"]
    assert all(TIME_IS_OVER in outcome["reason"] for outcome in outcomes)
    waited, had_its_turn = (outcome["duration_ms"] for outcome in outcomes)
    assert [outcome["llm_calls"] for outcome in outcomes] == [0, 1]
    assert waited < 1_000 * models_time <= had_its_turn


async def test_a_call_arrives_with_its_request_head(tokenizer: Tokenizer) -> None:
    arrived = asyncio.Event()

    def clock() -> float:
        arrived.set()
        return time.monotonic() - 100.0

    async with StandIn([Summarizes()]) as model:
        config = Config.from_env(with_model(model))
        app = application.build(config, tokenizer)
        async with listening(app, config) as service:
            app[ENDPOINT].clock = clock

            async def body() -> AsyncIterator[bytes]:
                async with asyncio.timeout(PATIENCE_S):
                    await arrived.wait()
                yield json.dumps(A_CALL).encode()

            headers = {"Content-Type": "application/json"}
            outcome = outcome_of(await service.http.post(service.url, content=body(), headers=headers))
    assert (outcome["status"], outcome["llm_calls"], model.log) == ("partial", 0, [])
    assert TIME_IS_OVER in outcome["reason"]


def refusal_of(response: httpx.Response) -> str:
    error: Message = response.json()["error"]
    assert (response.status_code, error["code"]) == (503, TOO_BUSY)
    assert response.headers["Retry-After"] == str(RETRY_AFTER_SECONDS)
    assert error["data"] == {"retryAfterSeconds": RETRY_AFTER_SECONDS}
    message: str = error["message"]
    return message


async def test_a_call_whose_deadline_passes_in_the_queue_gets_503(
    tokenizer: Tokenizer, let_pass: LetPass, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    settings = {"MCP_SUMMARIZER_PORT": "0", "MAX_CONCURRENT_REQUESTS": "1"}
    config = Config.from_env({**settings, "SUMMARIZE_DEADLINE_SECONDS": str(SECONDS)})
    app = application.build(config, tokenizer)
    async with listening(app, config) as service:
        endpoint = app[ENDPOINT]
        await endpoint._queue.enter()
        call = asyncio.create_task(service.post(A_CALL))
        await until(lambda: endpoint.load.waiting == 1, "the call to wait")
        let_pass(SECONDS)
        message = refusal_of(await call)
        assert endpoint.load.waiting == 0
        endpoint._queue.leave()
    assert message == (
        "the call waited for its turn for all of its 20 s (SUMMARIZE_DEADLINE_SECONDS), with 1 of MAX_CONCURRENT_REQUESTS "
        "at work; call again in 5 s"
    )
    (line,) = [vars(record) for record in caplog.records if record.getMessage() == "request_refused"]
    assert (line["status"], line["reason"], line["path"]) == (503, message, "/mcp")


async def test_a_call_whose_time_went_by_while_its_body_came_does_not_wait_in_the_queue(
    tokenizer: Tokenizer,
) -> None:
    settings = {"MCP_SUMMARIZER_PORT": "0", "MAX_CONCURRENT_REQUESTS": "1"}
    config = Config.from_env({**settings, "SUMMARIZE_DEADLINE_SECONDS": str(2 * PATIENCE_S)})
    app = application.build(config, tokenizer)
    async with listening(app, config) as service:
        endpoint = app[ENDPOINT]
        await endpoint._queue.enter()
        endpoint.clock = lambda: time.monotonic() - 2 * PATIENCE_S  # it asks only when a call arrives
        message = refusal_of(await service.post(A_CALL))
        endpoint._queue.leave()
    assert message.startswith("the call waited for its turn for all of its 240 s")


async def test_a_call_with_nothing_finished_at_its_deadline_gets_503(
    tokenizer: Tokenizer, let_pass: LetPass, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()
    ends = threading.Event()

    def never(*arguments: object) -> None:
        begun.set()
        ends.wait(PATIENCE_S)

    monkeypatch.setattr(extractive_summary, "extract", never)
    config = Config.from_env({"MCP_SUMMARIZER_PORT": "0", "SUMMARIZE_DEADLINE_SECONDS": str(SECONDS)})
    async with listening(application.build(config, tokenizer), config) as service:
        call = asyncio.create_task(service.post(A_CALL))
        await until(begun.is_set, "the extraction to begin")
        let_pass(SECONDS)
        message = refusal_of(await call)
        ends.set()
    assert message.startswith("summarize: the service has too much to do")


@pytest.mark.parametrize("tool, arguments", [("read_original", {}), ("search_original", {"query": "keeper"})])
async def test_reading_and_searching_an_original_obey_the_deadline_from_arrival(
    tokenizer: Tokenizer, tool: str, arguments: Message
) -> None:
    settings = {"MCP_SUMMARIZER_PORT": "0", "SUMMARIZE_DEADLINE_SECONDS": str(SECONDS)}
    config = Config.from_env(settings)
    app = application.build(config, tokenizer)
    async with listening(app, config) as service:
        kept = await service.post(legacy("tools/call", call(content=prose(60), keep_original=True)))
        named = {**arguments, "result_id": outcome_of(kept)["result_id"]}
        app[ENDPOINT].clock = lambda: time.monotonic() - SECONDS
        message = refusal_of(await service.post(legacy("tools/call", call(tool, **named))))
    assert message.startswith(f"{tool}: the service has too much to do")
