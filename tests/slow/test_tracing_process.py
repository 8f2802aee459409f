"""Traces in the log lines of a process and at its model."""

from __future__ import annotations

import asyncio
import json
import signal

import pytest

from tests.observability.test_tracing import ID, PARENT, SPAN, parent_of
from tests.support.messages import Message, call, modern, routing
from tests.support.service import ServiceProcess, a_client, process, prose, with_model
from tests.support.stand_in import StandIn
from tests.support.stand_in_answers import Fails, Gate, Summarizes
from tests.support.wire import declaring_tasks


@pytest.fixture(params=["of the message", "of the request"])
def where(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def traced(message: Message, parent: str, where: str) -> tuple[Message, dict[str, str]]:
    """Return a modern message that carries a trace, in its `_meta` or beside it, with its headers."""
    said = {"traceparent": parent, "tracestate": "vendor=opaque"}
    if where == "of the request":
        return message, {**routing(message), **said}
    params = {**message["params"], "_meta": {**message["params"]["_meta"], **said}}
    return {**message, "params": params}, routing(message)


def summary(word: str) -> Message:
    """Write a call whose content has a word of its own in each chunk."""
    return modern("tools/call", call(content=prose(60).replace("boats", word), max_output_tokens=200))


def lines_of(output: str) -> list[Message]:
    return [json.loads(line) for line in output.splitlines()]


def stopped(service: ServiceProcess) -> list[Message]:
    """Stop a service; return what it has logged since its start."""
    service.stop(signal.SIGTERM)
    _, out, _ = service.ended()
    return lines_of(out)


async def test_each_call_has_its_own_trace_in_its_log_lines_and_at_the_model(where: str) -> None:
    go_on = asyncio.Event()
    words = {parent_of(number): f"word{number}" for number in (1, 2, 3)}
    async with StandIn([Gate(Summarizes(), go_on)]) as model, a_client() as http:
        with process(with_model(model, MAX_CONCURRENT_LLM_CALLS="4", LLM_CONCURRENCY_CEILING="4")) as service:
            calls = []
            for parent, word in words.items():
                message, headers = traced(summary(word), parent, where)
                calls.append(asyncio.create_task(http.post(service.url, json=message, headers=headers)))
            untraced = summary("nowhere")
            calls.append(
                asyncio.create_task(http.post(service.url, json=untraced, headers=routing(untraced)))
            )
            await model.called(4)
            assert model.in_flight == 4
            go_on.set()
            for answer in await asyncio.gather(*calls):
                assert "result" in answer.json()
            lines = await asyncio.to_thread(stopped, service)
    spans: dict[str, set[str]] = {}
    for payload, sent in zip(model.payloads, model.headers, strict=True):
        words_there = [parent for parent, word in words.items() if word in payload["messages"][-1]["content"]]
        if not words_there:
            assert "traceparent" not in sent
            assert "tracestate" not in sent
            continue
        (parent,) = words_there
        version, trace_id, span, flags = sent["traceparent"].split("-")
        assert (version, trace_id, flags) == ("00", parent[3:35], "01")
        assert sent["tracestate"] == "vendor=opaque"
        assert span != SPAN
        spans.setdefault(trace_id, set()).add(span)
    assert [len(own) for own in spans.values()] == [1, 1, 1]
    done = [line for line in lines if line["event"] == "summarization_complete"]
    assert len(done) == 4
    logged = {line["trace_id"]: line for line in done if "trace_id" in line}
    assert {trace: {line["span_id"]} for trace, line in logged.items()} == spans
    assert {line["parent_span_id"] for line in logged.values()} == {SPAN}


async def test_a_task_has_the_trace_of_the_call_that_started_it() -> None:
    message = declaring_tasks("tools/call", call(content=prose(60), max_output_tokens=200))
    message, headers = traced(message, PARENT, "of the message")
    async with StandIn([Fails(500), Summarizes()]) as model, a_client() as http:
        with process(with_model(model, TASK_CONTENT_CHARS="1000", SHUTDOWN_GRACE_SECONDS="30")) as service:
            answer = await http.post(service.url, json=message, headers=headers)
            assert answer.json()["result"]["resultType"] == "task"
            await model.called(2)
            lines = await asyncio.to_thread(stopped, service)
    assert {sent["traceparent"].split("-")[1] for sent in model.headers} == {ID}
    assert {line["event"] for line in lines} >= {"llm_retry", "summarization_complete"}
    assert {line["trace_id"] for line in lines} == {ID}
