"""Tasks over HTTP from end to end: a long call goes on by itself, is asked about, listened to, cancelled, forgotten."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

import app as application
import protocol.tasks
from config import Config
from protocol.tasks import TaskStore
from summarizing.text.tokenizer import Tokenizer
from tests.support.messages import Message, call, modern, routing
from tests.support.service import PATIENCE_S, Run, Service, a_client, listening, prose, with_model
from tests.support.stand_in import StandIn
from tests.support.stand_in_answers import Gate, Hangs, Summarizes
from tests.support.wire import SUBSCRIPTION, TASKS, declaring_tasks, streaming, with_routing
from transport.endpoint import Endpoint
from transport.routes import ENDPOINT

pytestmark = pytest.mark.usefixtures("nothing_is_logged_as_a_fault")

MODEL_CALL = "POST /api/v1/chat/completions"
LONG = call(content=prose(60), max_output_tokens=200)
SETTINGS = {"TASK_CONTENT_CHARS": "1000"}


@dataclass(frozen=True)
class Client:
    """A client that can follow tasks, on a connection of its own for every request."""

    service: Service

    async def ask(self, method: str, params: Message) -> Message:
        """Return the whole answer to a request."""
        message = declaring_tasks(method, params)
        async with a_client() as http:
            answer = await http.post(self.service.url, json=message, headers=with_routing(message))
        assert answer.headers["content-type"] == "application/json"
        body: Message = answer.json()
        assert body["id"] == 1
        return body

    async def begin(self, params: Message = LONG) -> Message:
        """Call a tool; return the task that is made of it."""
        task: Message = (await self.ask("tools/call", params))["result"]
        assert task["resultType"] == "task"
        return task

    async def get(self, task: Message) -> Message:
        result: Message = (await self.ask("tasks/get", {"taskId": task["taskId"]}))["result"]
        assert result["resultType"] == "complete"
        return result

    async def ended(self, task: Message) -> Message:
        """Ask until it is over; each time is a request that must be answered at once."""
        async with asyncio.timeout(PATIENCE_S):
            while (told := await self.get(task))["status"] == "working":
                pass
        return told

    async def told(self, task: Message, pattern: str) -> Message:
        """Ask until the task's message is this: what has been answered is still read when the next question comes."""
        async with asyncio.timeout(PATIENCE_S):
            while not re.fullmatch(pattern, (told := await self.get(task)).get("statusMessage", "")):
                assert told["status"] == "working"
        return told

    async def forgotten(self, task: Message) -> None:
        error = (await self.ask("tasks/get", {"taskId": task["taskId"]}))["error"]
        assert error["code"] == -32602

    def listening(self, *tasks: Message) -> Any:
        wanted = {"notifications": {"taskIds": [task["taskId"] for task in tasks]}}
        return streaming(self.service, declaring_tasks("subscriptions/listen", wanted, request_id="L1"))


@asynccontextmanager
async def client(run: Run, model: StandIn, **settings: str) -> AsyncIterator[Client]:
    async with run(**with_model(model, **{**SETTINGS, **settings})) as service:
        yield Client(service)


def held_after(calls: int, go_on: asyncio.Event) -> StandIn:
    """Return a model that answers so many calls, and the others once it may go on."""
    return StandIn(lambda number, _: Summarizes() if number <= calls else Gate(Summarizes(), go_on))


async def test_the_extension_is_announced_to_modern_clients(service: Service) -> None:
    discovered = (await service.post_modern(modern("server/discover"))).json()["result"]
    assert discovered["capabilities"]["extensions"] == {TASKS: {}}


async def test_a_long_call_becomes_a_task_that_tells_how_far_it_is_and_has_the_result_in_the_end(
    run: Run,
) -> None:
    go_on = asyncio.Event()
    async with held_after(2, go_on) as model, client(run, model) as caller:
        task = await caller.begin()
        assert task["status"] == "working"
        assert task["pollIntervalMs"] > 0
        assert task["ttlMs"] == 3_600_000
        await model.called(3)
        working = await caller.told(task, r"2 of \d+ chunks")
        assert working["status"] == "working"
        assert "result" not in working
        go_on.set()
        done = await caller.ended(task)
        assert (done["status"], done["taskId"]) == ("completed", task["taskId"])
        assert done["result"]["content"][0]["text"]
        assert done["result"]["_meta"]["mcp-summarizer/outcome"]["status"] == "summarized"
        assert await caller.get(task) == done  # it may be asked for again
    assert set(model.log) == {f"{MODEL_CALL} > 200"}


async def test_a_client_without_the_extension_gets_the_result_itself(run: Run, model: StandIn) -> None:
    async with client(run, model) as caller:
        answer = (await caller.service.post_modern(modern("tools/call", LONG))).json()
    assert answer["result"]["resultType"] == "complete"
    assert answer["result"]["content"][0]["text"]


async def test_a_short_call_is_answered_itself(run: Run, model: StandIn) -> None:
    async with client(run, model) as caller:
        answer = await caller.ask("tools/call", call(content="short"))
    assert answer["result"]["resultType"] == "complete"


async def test_a_task_whose_client_has_gone_goes_on(run: Run) -> None:
    go_on = asyncio.Event()
    async with held_after(0, go_on) as model, client(run, model) as caller:
        task = await caller.begin()  # the connection is closed by now
        await model.called(1)
        assert (await caller.service.http.get(f"{caller.service.origin}/health")).status_code == 200
        assert model.log == []
        go_on.set()
        assert (await caller.ended(task))["status"] == "completed"


async def test_a_task_takes_no_place_once_it_has_begun(run: Run) -> None:
    places = {"MAX_CONCURRENT_REQUESTS": "1", "MAX_QUEUED_REQUESTS": "0"}
    async with StandIn([Hangs()]) as model, client(run, model, **places) as caller:
        await caller.begin()
        await model.called(1)
        assert (await caller.ask("tools/call", call(content="short")))["result"]["resultType"] == "complete"


async def test_cancelling_stops_the_call_to_the_model_and_nothing_is_told_after_it(run: Run) -> None:
    async with StandIn([Hangs()]) as model, client(run, model, PING_SECONDS="0.05") as caller:
        task = await caller.begin()
        async with caller.listening(task) as events:
            await events.message()
            await model.called(1)
            cancelled = await caller.ask("tasks/cancel", {"taskId": task["taskId"]})
            assert cancelled["result"]["resultType"] == "complete"
            await model.finished(1)
            assert (await caller.get(task))["status"] == "cancelled"
            again = await caller.ask("tasks/cancel", {"taskId": task["taskId"]})
            assert again["result"]["resultType"] == "complete"
            told = await events.message()
            while told["params"]["status"] == "working":
                told = await events.message()
            assert (told["params"]["taskId"], told["params"]["status"]) == (task["taskId"], "cancelled")
            # Had anything been told since, it would come before this.
            assert [await events.next() for _ in range(2)] == [": ping"] * 2
    assert model.log == [f"{MODEL_CALL} > cancelled"]
    assert len(model.payloads) == 1


async def test_a_listening_client_gets_a_tasks_progress_and_its_end(run: Run) -> None:
    go_on = asyncio.Event()
    async with held_after(0, go_on) as model, client(run, model) as caller:
        task = await caller.begin()
        await model.called(1)
        async with caller.listening(task) as events:
            acknowledged = await events.message()
            assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
            assert acknowledged["params"]["notifications"] == {"taskIds": [task["taskId"]]}
            go_on.set()
            told = [await events.message()]
            while told[-1]["params"]["status"] == "working":
                told.append(await events.message())
    assert {each["method"] for each in told} == {"notifications/tasks"}
    assert {each["params"]["taskId"] for each in told} == {task["taskId"]}
    assert {each["params"]["_meta"][SUBSCRIPTION] for each in (acknowledged, *told)} == {"L1"}
    assert any("chunks" in each["params"].get("statusMessage", "") for each in told)
    assert told[-1]["params"]["status"] == "completed"
    assert told[-1]["params"]["result"]["content"][0]["text"]


async def test_a_task_not_asked_about_expires_and_its_work_is_stopped(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol.tasks, "EXPIRE_EVERY_SECONDS", 0.01)
    async with (
        StandIn([Hangs()]) as model,
        with_endpoint(tokenizer, model, TASK_TTL_SECONDS="60") as (caller, _, store),
    ):
        task = await caller.begin()
        assert task["ttlMs"] == 60_000
        await model.called(1)
        now = store._clock
        monkeypatch.setattr(store, "_clock", lambda: now() + 60)
        await model.finished(1)
        await caller.forgotten(task)
    assert model.log == [f"{MODEL_CALL} > cancelled"]


async def test_with_no_room_for_a_task_the_call_is_answered_itself(run: Run) -> None:
    go_on = asyncio.Event()
    async with held_after(0, go_on) as model, client(run, model, MAX_TASKS="1") as caller:
        task = await caller.begin()
        asking = asyncio.create_task(caller.ask("tools/call", LONG))
        await model.called(1)
        go_on.set()
        assert (await asking)["result"]["resultType"] == "complete"
        assert (await caller.ended(task))["status"] == "completed"


async def test_the_name_header_of_a_task_must_match(run: Run, model: StandIn) -> None:
    message = declaring_tasks("tasks/get", {"taskId": "t"})
    async with client(run, model) as caller:
        for headers in (routing(message), {**routing(message), "mcp-name": "u"}):
            answer = await caller.service.post(message, headers)
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32020)


async def test_a_tool_error_is_a_task_that_has_completed(run: Run) -> None:
    async with StandIn([Summarizes()]) as model, client(run, model) as caller:
        task = await caller.begin({**LONG, "arguments": {**LONG["arguments"], "max_output_tokens": 1}})
        done = await caller.ended(task)
    assert (done["status"], done["result"]["isError"]) == ("completed", True)
    assert model.log == []


@asynccontextmanager
async def with_endpoint(
    tokenizer: Tokenizer, model: StandIn, **settings: str
) -> AsyncIterator[tuple[Client, Endpoint, TaskStore]]:
    """Run the service, and look behind its counter."""
    config = Config.from_env(with_model(model, **{**SETTINGS, "SHUTDOWN_GRACE_SECONDS": "0.01", **settings}))
    server = application.build(config, tokenizer)
    async with listening(server, config) as service:
        endpoint = server[ENDPOINT]
        assert endpoint.server.tasks is not None
        yield Client(service), endpoint, endpoint.server.tasks


async def test_where_no_task_is_kept_clients_hear_of_none_and_get_their_answer(
    run: Run, model: StandIn
) -> None:
    async with client(run, model, MAX_TASKS="0") as caller:
        declared = (await caller.ask("server/discover", {}))["result"]["capabilities"]
        assert "extensions" not in declared
        answer = (await caller.ask("tools/call", LONG))["result"]
        assert answer["resultType"] == "complete"
        unknown = (await caller.ask("tasks/get", {"taskId": "any"}))["error"]
        assert unknown["code"] == -32601


async def test_draining_waits_for_tasks_that_finish_in_time(tokenizer: Tokenizer) -> None:
    go_on = asyncio.Event()
    async with (
        held_after(0, go_on) as model,
        with_endpoint(tokenizer, model) as (caller, endpoint, store),
    ):
        task = await caller.begin()
        await model.called(1)
        draining = asyncio.create_task(endpoint.drain(PATIENCE_S))
        go_on.set()
        await draining
        assert store.get(task["taskId"], "")["status"] == "completed"
    assert set(model.log) == {f"{MODEL_CALL} > 200"}


async def test_draining_stops_tasks_that_have_not_finished_in_time(tokenizer: Tokenizer) -> None:
    async with StandIn([Hangs()]) as model, with_endpoint(tokenizer, model) as (caller, endpoint, store):
        await caller.begin()
        await model.called(1)
        await endpoint.drain(0.01)
        assert list(store.running()) == []
        await model.finished(1)
        assert model.log == [f"{MODEL_CALL} > cancelled"]
