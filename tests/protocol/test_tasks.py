"""Calls that go on as tasks: who gets one, what it tells on its way, and how it ends; on a clock that tests turn."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

import mcp_protocol
from mcp_protocol import Incoming
from protocol.context import Context, InputRequired
from protocol.messages import Reply, RpcError
from protocol.methods import Server, TaskUse, Unknown
from protocol.subscriptions import Hub
from protocol.tasks import MAX_ANNOUNCED_CHARS, TaskStore, new_task_id, utc_now
from tests.support.messages import LEGACY, Message, legacy, modern

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021

CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
TASKS: Message = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
DECLARED: Message = {**TASKS, "elicitation": {}}

NAME = {"method": "elicitation/create", "params": {"message": "Who?"}}
AGE = {"method": "elicitation/create", "params": {"message": "How old?"}}
MODEL = {"method": "sampling/createMessage", "params": {"maxTokens": 9}}

DONE: Message = {"content": [{"type": "text", "text": "done"}]}
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TTL = 60

Work = Callable[[Context], Awaitable[Message]]


async def done(context: Context) -> Message:
    return DONE


async def forever(context: Context) -> Message:
    await asyncio.Event().wait()
    return DONE


def fails(error: Exception) -> Work:
    async def work(context: Context) -> Message:
        raise error

    return work


def asks(*rounds: Mapping[str, Message]) -> Work:
    """Return work that asks in so many rounds, and answers with all the answers."""

    async def work(context: Context) -> Message:
        answers: Message = {}
        for requests in rounds:
            answers |= await context.ask(requests)
        return {"content": [], "structuredContent": answers}

    return work


class Watched(Hub):
    """A hub that remembers, as bytes on the wire do, what it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Message] = []

    def publish(self, member: str, params: Message | None = None, name: str | None = None) -> None:
        self.told.append(deepcopy(params or {}))
        super().publish(member, params, name)


@dataclass
class Desk:
    """A server with one tool, whose calls go on as tasks; its clock stands until a test turns it."""

    work: Work = done
    use: TaskUse = TaskUse.PREFERRED
    limit: int = 4
    seconds: float = 0
    hub: Watched = field(default_factory=Watched)
    calls: int = 0

    def __post_init__(self) -> None:
        ids = count(1)
        self.store = TaskStore(
            self.limit,
            TTL,
            self.hub,
            clock=lambda: self.seconds,
            now=lambda: NOON + timedelta(seconds=self.seconds),
            new_id=lambda: f"task-{next(ids)}",
        )
        self.server = Server("x", "1", "", self, tasks=self.store, hub=self.hub)

    def describe(self) -> list[Message]:
        return []

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        return self.use

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> Message:
        self.calls += 1
        if name != "t":
            raise Unknown(f"Unknown tool: {name}")
        return await self.work(context)

    async def ask(
        self, method: str, params: Message, declared: Message = DECLARED, owner: str = "ada"
    ) -> Reply:
        meta: Message = {CAPABILITIES: declared}
        message = modern(method, params, **meta)
        named = params.get("name", params.get("taskId"))
        headers = {"mcp-protocol-version": ["2026-07-28"], "mcp-method": [method], "mcp-name": [str(named)]}
        return await mcp_protocol.answer(Incoming.of(message, headers), self.server, None, owner)

    async def result(self, method: str, params: Message, **how: Any) -> Message:
        """Ask, and return the result without who gave it."""
        reply = await self.ask(method, params, **how)
        assert isinstance(reply.body, dict)
        result: Message = reply.body["result"]
        assert result.pop("_meta") == {"io.modelcontextprotocol/serverInfo": {"name": "x", "version": "1"}}
        return result

    async def error(self, method: str, params: Message, **how: Any) -> Message:
        reply = await self.ask(method, params, **how)
        assert isinstance(reply.body, dict)
        error: Message = reply.body["error"]
        return error

    async def start(self, **params: Any) -> Message:
        return await self.result("tools/call", {"name": "t", **params})

    async def get(self, task_id: str = "task-1") -> Message:
        return await self.result("tasks/get", {"taskId": task_id})

    async def update(self, responses: Message) -> None:
        ack = await self.result("tasks/update", {"taskId": "task-1", "inputResponses": responses})
        assert ack == {"resultType": "complete"}

    async def cancel(self) -> None:
        assert await self.result("tasks/cancel", {"taskId": "task-1"}) == {"resultType": "complete"}

    async def until(self, status: str) -> Message:
        """Return the task as soon as it has a status, which takes a few turns of the loop."""
        for _ in range(20):
            task = await self.get()
            if task["status"] == status:
                return task
            await asyncio.sleep(0)
        raise AssertionError(f"it never was {status}")


# Beginning.


async def test_a_task_is_told_flat_and_is_there_before_it_is_told() -> None:
    desk = Desk(forever)
    assert await desk.start() == {
        "resultType": "task",
        "taskId": "task-1",
        "status": "working",
        "statusMessage": "kept in memory only: it is lost if the service restarts",
        "createdAt": "2026-11-21T12:00:00.000Z",
        "lastUpdatedAt": "2026-11-21T12:00:00.000Z",
        "ttlMs": 60_000,
        "pollIntervalMs": 1_000,
    }
    task = await desk.get()
    assert task["status"] == "working"


@pytest.mark.parametrize(
    "declared",
    [
        {},
        {"tasks": {}},
        {"extensions": {}},
        {"extensions": {"io.modelcontextprotocol/tasks": None}},
        {"extensions": ["io.modelcontextprotocol/tasks"]},
    ],
)
async def test_a_client_that_declares_no_tasks_gets_the_answer_itself(declared: Message) -> None:
    desk = Desk()
    params = {"name": "t", "task": {"ttl": 60_000}}
    assert await desk.result("tools/call", params, declared=declared) == {"resultType": "complete", **DONE}
    assert not list(desk.store.running())


async def test_a_tool_that_is_never_a_task_answers_at_once_whatever_the_client_declares() -> None:
    assert await Desk(use=TaskUse.NEVER).start() == {"resultType": "complete", **DONE}


async def test_a_tool_that_must_be_a_task_is_one_for_clients_that_can_follow() -> None:
    assert (await Desk(use=TaskUse.REQUIRED).start())["resultType"] == "task"


async def test_a_tool_that_must_be_a_task_is_refused_to_the_others() -> None:
    desk = Desk(use=TaskUse.REQUIRED)
    assert await desk.error("tools/call", {"name": "t"}, declared={"sampling": {}}) == {
        "code": MISSING_CAPABILITY,
        "message": "Missing required client capability: t needs io.modelcontextprotocol/tasks "
        "in _meta io.modelcontextprotocol/clientCapabilities",
        "data": {"requiredCapabilities": TASKS},
    }
    assert desk.calls == 0


async def test_a_full_store_gives_the_answer_itself() -> None:
    desk = Desk(forever, limit=1)
    assert (await desk.start())["resultType"] == "task"
    desk.work = done
    assert await desk.start() == {"resultType": "complete", **DONE}


async def test_a_full_store_refuses_what_must_be_a_task() -> None:
    desk = Desk(forever, use=TaskUse.REQUIRED, limit=1)
    await desk.start()
    error = await desk.error("tools/call", {"name": "t"})
    assert error == {"code": INTERNAL_ERROR, "message": "No room for another task; call again later"}
    assert desk.store._tasks.keys() == {"task-1"}


async def test_the_result_that_its_caller_has_had_longest_makes_room() -> None:
    desk = Desk(limit=3)
    for _ in range(3):
        await desk.start()
    await asyncio.sleep(0)
    for seconds, number in enumerate((2, 1)):
        desk.seconds = seconds
        assert (await desk.get(f"task-{number}"))["status"] == "completed"
    assert (await desk.start())["taskId"] == "task-4"
    assert desk.store._tasks.keys() == {"task-1", "task-3", "task-4"}


async def test_a_result_that_was_not_fetched_is_not_deleted_for_another_task() -> None:
    desk = Desk(limit=1)
    await desk.start()
    await asyncio.sleep(0)
    assert (await desk.start())["resultType"] == "complete"
    assert (await desk.get())["status"] == "completed"


async def test_what_was_cancelled_makes_room() -> None:
    desk = Desk(forever, limit=1)
    await desk.start()
    await desk.cancel()
    assert (await desk.start())["taskId"] == "task-2"


async def test_what_is_forgotten_makes_room() -> None:
    desk = Desk(forever, limit=1)
    await desk.start()
    desk.seconds = TTL + 1
    assert (await desk.start())["taskId"] == "task-2"


async def test_a_server_without_a_store_has_no_tasks() -> None:
    desk = Desk(use=TaskUse.REQUIRED)
    desk.server = Server("x", "1", "", desk)
    assert await desk.start() == {"resultType": "complete", **DONE}
    assert (await desk.error("tasks/get", {"taskId": "task-1"}))["code"] == METHOD_NOT_FOUND


def test_ids_have_128_bits_and_fit_a_header() -> None:
    ids = {new_task_id() for _ in range(100)}
    assert len(ids) == 100
    for task_id in ids:
        assert len(base64.urlsafe_b64decode(task_id + "==")) == 16
        assert task_id.isascii()
        assert " " not in task_id


def test_the_calendar_is_that_of_greenwich() -> None:
    assert utc_now().utcoffset() == timedelta(0)


# On its way.


async def test_progress_is_told_as_the_message_of_the_status() -> None:
    desk = Desk()
    steps: list[Any] = [(1,), (2, 4), (3, 4, "three of four"), (3.5, None, "")]
    seen: list[Message] = []

    async def work(context: Context) -> Message:
        context.log("info", "nobody hears", "x")
        for desk.seconds, step in enumerate(steps, 1):
            context.progress(*step)
            seen.append(await desk.get())
        return DONE

    desk.work = work
    await desk.start()
    await desk.until("completed")
    assert [task["statusMessage"] for task in seen] == ["1", "2 of 4", "three of four", "3.5"]
    assert [task["lastUpdatedAt"] for task in seen] == [f"2026-11-21T12:00:0{n}.000Z" for n in (1, 2, 3, 4)]
    assert {task["status"] for task in seen} == {"working"}
    assert {task["createdAt"] for task in seen} == {"2026-11-21T12:00:00.000Z"}


async def test_a_task_that_waits_shows_what_it_asks_for() -> None:
    desk = Desk(asks({"name": NAME, "age": AGE}))
    await desk.start()
    assert await desk.until("input_required") == {
        "resultType": "complete",
        "taskId": "task-1",
        "status": "input_required",
        "statusMessage": "waits for input",
        "createdAt": "2026-11-21T12:00:00.000Z",
        "lastUpdatedAt": "2026-11-21T12:00:00.000Z",
        "ttlMs": 60_000,
        "pollIntervalMs": 1_000,
        "inputRequests": {"name": NAME, "age": AGE},
    }


async def test_answers_may_come_one_by_one_and_unrequested_ones_are_ignored() -> None:
    desk = Desk(asks({"name": NAME, "age": AGE}))
    await desk.start()
    await desk.until("input_required")
    await desk.update({"unknown": {"action": "accept"}})
    await desk.update({"name": {"action": "accept"}, "other": {}})
    await desk.update({"name": {"action": "too late"}})
    task = await desk.get()
    assert (task["status"], task["inputRequests"]) == ("input_required", {"age": AGE})
    await desk.update({"age": {"action": "decline"}})
    task = await desk.until("completed")
    answers = {"name": {"action": "accept"}, "age": {"action": "decline"}}
    assert task["result"]["structuredContent"] == answers


async def test_with_the_last_answer_a_task_works_again_at_once() -> None:
    desk = Desk(asks({"name": NAME}))
    await desk.start()
    await desk.until("input_required")
    await desk.update({"name": {}})
    task = await desk.get()
    assert task["status"] == "working"
    assert "inputRequests" not in task
    assert "statusMessage" not in task


@pytest.mark.parametrize("responses", [{}, {"name": {}}])
async def test_answers_to_a_task_that_asks_nothing_are_ignored(responses: Message) -> None:
    desk = Desk(forever)
    await desk.start()
    before = await desk.get()
    await desk.update(responses)
    assert await desk.get() == before


async def test_an_update_without_answers_is_refused() -> None:
    desk = Desk(asks({"name": NAME}))
    await desk.start()
    error = await desk.error("tasks/update", {"taskId": "task-1"})
    expected = "Invalid params: tasks/update needs an object inputResponses"
    assert error == {"code": INVALID_PARAMS, "message": expected}


@pytest.mark.parametrize("responses", [None, [], "x", {"name": None}, {"name": "Ada"}])
async def test_answers_without_a_shape_are_refused(responses: Any) -> None:
    desk = Desk(asks({"name": NAME}))
    await desk.start()
    before = await desk.until("input_required")
    error = await desk.error("tasks/update", {"taskId": "task-1", "inputResponses": responses})
    assert error["code"] == INVALID_PARAMS
    assert await desk.get() == before


async def test_a_task_may_ask_again_with_other_keys() -> None:
    desk = Desk(asks({"name": NAME}, {}, {"age": AGE}))
    await desk.start()
    await desk.until("input_required")
    await desk.update({"name": {"n": 1}})
    await desk.until("working")
    assert (await desk.until("input_required"))["inputRequests"] == {"age": AGE}
    await desk.update({"name": {"n": 2}, "age": {"n": 3}})
    task = await desk.until("completed")
    assert task["result"]["structuredContent"] == {"name": {"n": 1}, "age": {"n": 3}}


async def test_a_key_is_never_used_again(caplog: pytest.LogCaptureFixture) -> None:
    """MCP tasks: each key MUST be unique over the lifetime of a task."""
    desk = Desk(asks({"name": NAME}, {"name": AGE}))
    await desk.start()
    await desk.until("input_required")
    await desk.update({"name": {}})
    task = await desk.until("failed")
    assert task["error"]["code"] == INTERNAL_ERROR
    assert "used once" in caplog.text


async def test_two_questions_at_once_are_both_open_until_both_are_answered() -> None:
    async def work(context: Context) -> Message:
        first, second = await asyncio.gather(context.ask({"name": NAME}), context.ask({"age": AGE}))
        return {"content": [], "structuredContent": {**first, **second}}

    desk = Desk(work)
    await desk.start()
    await desk.until("input_required")
    await asyncio.sleep(0)
    assert (await desk.get())["inputRequests"] == {"name": NAME, "age": AGE}
    await desk.update({"age": {"n": 2}})
    assert (await desk.get())["inputRequests"] == {"name": NAME}
    await desk.update({"name": {"n": 1}})
    task = await desk.until("completed")
    assert task["result"]["structuredContent"] == {"name": {"n": 1}, "age": {"n": 2}}


async def test_what_the_call_brought_along_is_not_asked_for() -> None:
    desk = Desk(asks({"name": NAME, "age": AGE}, {"more": NAME}))
    await desk.start(inputResponses={"name": {"n": 1}, "more": {"n": 3}}, requestState="s")
    assert (await desk.until("input_required"))["inputRequests"] == {"age": AGE}
    await desk.update({"age": {"n": 2}})
    task = await desk.until("completed")
    assert task["result"]["structuredContent"] == {"name": {"n": 1}, "age": {"n": 2}, "more": {"n": 3}}


async def test_a_task_asks_only_for_what_the_client_has_declared() -> None:
    desk = Desk(asks({"model": MODEL}))
    await desk.start()
    task = await desk.until("failed")
    assert task["error"]["code"] == MISSING_CAPABILITY
    assert task["error"]["data"] == {"requiredCapabilities": {"sampling": {}}}


# Its end.


async def test_a_completed_task_holds_the_result() -> None:
    desk = Desk()
    await desk.start()
    desk.seconds = 2.5
    assert await desk.until("completed") == {
        "resultType": "complete",
        "taskId": "task-1",
        "status": "completed",
        "createdAt": "2026-11-21T12:00:00.000Z",
        "lastUpdatedAt": "2026-11-21T12:00:02.500Z",
        "ttlMs": 60_000,
        "pollIntervalMs": 1_000,
        "result": DONE,
    }
    assert not list(desk.store.running())


async def test_a_tool_that_reports_an_error_has_completed() -> None:
    broken = {"content": [], "isError": True}

    async def work(context: Context) -> Message:
        return broken

    desk = Desk(work)
    await desk.start()
    task = await desk.until("completed")
    assert task["result"] == broken
    assert "error" not in task


async def test_an_error_of_the_protocol_fails_the_task() -> None:
    desk = Desk(fails(RpcError(-32000, "The model is away", {"for": "long"})))
    await desk.start()
    task = await desk.until("failed")
    assert task["error"] == {"code": -32000, "message": "The model is away", "data": {"for": "long"}}
    assert task["statusMessage"] == "The model is away"
    assert "result" not in task


async def test_a_task_that_ends_with_a_question_instead_of_asking_it_fails() -> None:
    desk = Desk(fails(InputRequired({"name": NAME}, None)))
    await desk.start()
    task = await desk.until("failed")
    assert task["error"]["code"] == INTERNAL_ERROR


async def test_an_unknown_tool_fails_its_task() -> None:
    desk = Desk()
    await desk.result("tools/call", {"name": "u"})
    task = await desk.until("failed")
    assert task["error"] == {"code": INVALID_PARAMS, "message": "Unknown tool: u"}


async def test_a_fault_of_ours_tells_the_task_nothing_and_the_log_everything(
    caplog: pytest.LogCaptureFixture,
) -> None:
    desk = Desk(fails(LookupError("the secret is 42")))
    await desk.start()
    task = await desk.until("failed")
    message = "Internal error: the service failed; its log says why"
    assert task["error"] == {"code": INTERNAL_ERROR, "message": message}
    assert task["statusMessage"] == message
    (record,) = caplog.records
    assert (record.levelno, record.getMessage()) == (logging.ERROR, "internal_error")
    assert "the secret is 42" in caplog.text


# Cancelling.


@pytest.mark.parametrize("work", [forever, asks({"name": NAME})])
async def test_a_cancelled_task_is_stopped_and_stays_cancelled(work: Work) -> None:
    desk = Desk(work)
    await desk.start()
    await desk.until("working" if work is forever else "input_required")
    (running,) = desk.store.running()
    desk.seconds = 1
    await desk.cancel()
    task = await desk.get()
    assert task == {
        "resultType": "complete",
        "taskId": "task-1",
        "status": "cancelled",
        "statusMessage": "cancelled by the client",
        "createdAt": "2026-11-21T12:00:00.000Z",
        "lastUpdatedAt": "2026-11-21T12:00:01.000Z",
        "ttlMs": 60_000,
        "pollIntervalMs": 1_000,
    }
    await asyncio.wait([running])
    assert running.cancelled()
    desk.seconds = 2
    await desk.cancel()
    await desk.update({"name": {}})
    assert await desk.get() == task


async def test_a_task_cancelled_before_its_first_step_never_starts() -> None:
    desk = Desk()
    await desk.start()
    await desk.cancel()
    await asyncio.wait(list(desk.store.running()))
    assert desk.calls == 0
    assert (await desk.get())["status"] == "cancelled"


@pytest.mark.parametrize("work", [done, fails(RpcError(-32000, "no"))])
async def test_cancelling_what_is_over_is_acknowledged_and_changes_nothing(work: Work) -> None:
    desk = Desk(work)
    await desk.start()
    task = await desk.until("completed" if work is done else "failed")
    await desk.cancel()
    assert await desk.get() == task


@pytest.mark.parametrize("then", ["returns", "reports", "asks", "refuses", "breaks"])
async def test_nothing_that_a_cancelled_tool_still_does_is_seen(
    then: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(context: Context) -> Message:
        try:
            await asyncio.Event().wait()
        finally:
            if then == "reports":
                context.progress(1)
            if then == "asks":
                await context.ask({"name": NAME})
            if then == "refuses":
                raise RpcError(-32000, "too late")
            if then == "breaks":
                raise LookupError
            return DONE  # noqa: B012 - a tool that makes nothing of its cancellation

    desk = Desk(work)
    await desk.start()
    await asyncio.sleep(0)
    (running,) = desk.store.running()
    await desk.cancel()
    task, told = await desk.get(), len(desk.hub.told)
    await asyncio.wait([running], timeout=5)
    assert running.done()
    assert await desk.get() == task
    assert len(desk.hub.told) == told


# Forgetting.


async def test_a_task_lives_as_long_as_somebody_asks_about_it() -> None:
    desk = Desk(forever)
    await desk.start()
    for method in ("tasks/get", "tasks/update", "tasks/get"):
        desk.seconds += TTL
        await desk.result(method, {"taskId": "task-1", "inputResponses": {}})
    (running,) = desk.store.running()
    desk.seconds += TTL + 0.001
    error = await desk.error("tasks/get", {"taskId": "task-1"})
    assert error["code"] == INVALID_PARAMS
    await asyncio.wait([running])
    assert running.cancelled()
    assert not desk.store._tasks


async def test_a_task_lives_as_long_as_somebody_listens_to_it() -> None:
    desk = Desk(forever)
    await desk.start()
    meta: Message = {CAPABILITIES: DECLARED}
    request = modern("subscriptions/listen", {"notifications": {"taskIds": ["task-1"]}}, **meta)
    headers = {"mcp-protocol-version": ["2026-07-28"], "mcp-method": ["subscriptions/listen"]}
    heard: list[Message] = []
    stream = asyncio.create_task(
        mcp_protocol.answer(Incoming.of(request, headers), desk.server, heard.append, "ada")
    )
    await asyncio.sleep(0)
    assert heard[0]["params"]["notifications"] == {"taskIds": ["task-1"]}
    desk.seconds = 5 * TTL
    desk.store.expire()
    desk.hub.close()
    await stream
    desk.seconds += TTL
    assert (await desk.get())["status"] == "working"
    desk.seconds += TTL + 1
    assert (await desk.error("tasks/get", {"taskId": "task-1"}))["code"] == INVALID_PARAMS


async def test_asking_about_one_task_keeps_no_other() -> None:
    desk = Desk(forever)
    await desk.start()
    await desk.start()
    desk.seconds = TTL
    await desk.get("task-2")
    desk.seconds += 1
    await desk.get("task-2")
    assert desk.store._tasks.keys() == {"task-2"}


async def test_requests_of_other_callers_do_not_keep_a_task() -> None:
    desk = Desk(forever)
    await desk.start()
    desk.seconds = TTL
    await desk.error("tasks/get", {"taskId": "task-1"}, owner="bob")
    desk.seconds += 1
    assert (await desk.error("tasks/get", {"taskId": "task-1"}))["code"] == INVALID_PARAMS


@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
@pytest.mark.parametrize("reason", ["foreign", "unknown", "expired"])
async def test_a_task_that_is_not_there_is_answered_with_why_it_may_be_gone(method: str, reason: str) -> None:
    desk = Desk(forever)
    await desk.start()
    if reason == "expired":
        desk.seconds = TTL + 1
    task_id = "task-7" if reason == "unknown" else "task-1"
    params = {"taskId": task_id, "inputResponses": {}}
    error = await desk.error(method, params, owner="bob" if reason == "foreign" else "ada")
    assert error == {
        "code": INVALID_PARAMS,
        "message": f"Unknown task: {task_id}; it was never this caller's, nobody asked about it for 60 s, "
        "or the service has restarted",
    }


async def test_what_others_ask_of_a_task_changes_nothing() -> None:
    desk = Desk(asks({"name": NAME}))
    await desk.start()
    task = await desk.until("input_required")
    for method in ("tasks/update", "tasks/cancel"):
        await desk.error(method, {"taskId": "task-1", "inputResponses": {"name": {}}}, owner="bob")
    assert await desk.get() == task


@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
async def test_a_client_that_declares_no_tasks_may_not_ask_about_one(method: str) -> None:
    desk = Desk(forever)
    await desk.start()
    for task_id in ("task-1", "task-7", None):
        error = await desk.error(method, {"taskId": task_id}, declared={"elicitation": {}})
        assert error["code"] == MISSING_CAPABILITY
        assert error["data"] == {"requiredCapabilities": TASKS}
    assert (await desk.get())["status"] == "working"


@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
@pytest.mark.parametrize(
    "params, got", [({}, "none"), ({"taskId": 7}, "a number"), ({"taskId": None}, "null")]
)
async def test_a_task_is_asked_for_by_its_id(method: str, params: Message, got: str) -> None:
    error = await Desk().error(method, params)
    assert error == {
        "code": INVALID_PARAMS,
        "message": f"Invalid params: {method} needs a string taskId, got {got}",
    }


async def test_a_long_id_is_not_repeated_whole() -> None:
    assert len((await Desk().error("tasks/get", {"taskId": "x" * 5_000}))["message"]) < 300


@pytest.mark.parametrize("method", ["tasks/list", "tasks/result"])
async def test_what_tasks_were_before_they_were_an_extension_is_unknown(method: str) -> None:
    assert (await Desk().error(method, {"taskId": "task-1"}))["code"] == METHOD_NOT_FOUND


async def test_running_work_is_listed_for_the_shutdown() -> None:
    desk = Desk(asks({"name": NAME}))
    await desk.start()
    await desk.start()
    assert len(list(desk.store.running())) == 2
    await desk.until("input_required")
    await desk.update({"name": {}})
    await desk.until("completed")
    (running,) = desk.store.running()
    assert not running.done()


# Telling.


async def test_every_change_is_told_as_asking_would_have_told_it() -> None:
    desk = Desk()
    asked: list[Message] = []

    async def work(context: Context) -> Message:
        context.progress(1, 2)
        asked.append(await desk.get())
        await context.ask({"name": NAME, "age": AGE})
        return DONE

    desk.work = work
    await desk.start()
    asked.append(await desk.until("input_required"))
    await desk.update({"age": {}})
    asked.append(await desk.get())
    await desk.update({"name": {}, "age": {}})
    asked.append(await desk.get())
    await desk.update({"name": {}})
    asked.append(await desk.until("completed"))
    assert [{"resultType": "complete", **told} for told in desk.hub.told] == asked


async def test_what_is_told_does_not_change_afterwards() -> None:
    """It may wait to be sent, and an answer while it is being written."""
    desk = Desk(asks({"name": NAME}))
    await desk.start()
    task = await desk.until("input_required")
    before = deepcopy(task)
    await desk.update({"name": {}})
    await desk.until("completed")
    assert task == before


async def test_a_result_too_long_for_an_event_is_told_without_it() -> None:
    async def work(context: Context) -> Message:
        return {"content": [{"type": "text", "text": "x" * MAX_ANNOUNCED_CHARS}, 7], "_meta": {"n": ["y"]}}

    desk = Desk(work)
    await desk.start()
    task = await desk.until("completed")
    (told,) = desk.hub.told
    assert told == {name: value for name, value in task.items() if name not in ("result", "resultType")}
    assert len(json.dumps(task["result"])) > MAX_ANNOUNCED_CHARS


# The legacy era.


@pytest.mark.parametrize("version", LEGACY)
async def test_the_legacy_era_has_no_tasks(version: str) -> None:
    desk = Desk()
    headers = {"mcp-protocol-version": [version]}
    meta = {CAPABILITIES: DECLARED}

    async def ask(method: str, params: Message) -> Message:
        message = legacy(method, {**params, "_meta": meta, "capabilities": DECLARED})
        reply = await mcp_protocol.answer(Incoming.of(message, headers), desk.server)
        assert isinstance(reply.body, dict)
        return reply.body

    assert (await ask("tools/call", {"name": "t", "task": {}}))["result"] == DONE
    for method in ("tasks/get", "tasks/update", "tasks/cancel", "tasks/list", "tasks/result"):
        assert (await ask(method, {"taskId": "task-1"}))["error"]["code"] == METHOD_NOT_FOUND
    capabilities = (await ask("initialize", {"protocolVersion": version}))["result"]["capabilities"]
    assert capabilities == {"tools": {}}


async def test_a_tool_that_must_be_a_task_tells_legacy_clients_where_it_is_one() -> None:
    """The code of a missing capability is not theirs."""
    incoming = Incoming.of(legacy("tools/call", {"name": "t"}), {})
    reply = await mcp_protocol.answer(incoming, Desk(use=TaskUse.REQUIRED).server)
    assert isinstance(reply.body, dict)
    assert reply.body["error"] == {
        "code": INVALID_PARAMS,
        "message": "t goes on as a task: call with revision 2026-07-28",
    }
