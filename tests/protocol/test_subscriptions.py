"""Streams that a client holds open: they hear what they asked for and may hear, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mcp_protocol
from mcp_protocol import Incoming
from protocol.context import Context
from protocol.messages import Reply, RpcError
from protocol.methods import Server, TaskUse
from protocol.subscriptions import MAX_NAMED, Filter, Hub
from protocol.tasks import MAX_ANNOUNCED_CHARS, TaskStore
from tests.support.messages import Message, legacy, modern

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
MISSING_CAPABILITY = -32021

CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
TASKS: Message = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
HEADERS = {"mcp-protocol-version": ["2026-07-28"], "mcp-method": ["subscriptions/listen"]}

KINDS = {
    "toolsListChanged": "notifications/tools/list_changed",
    "promptsListChanged": "notifications/prompts/list_changed",
    "resourcesListChanged": "notifications/resources/list_changed",
}
ALL = frozenset({*KINDS, "resourceSubscriptions"})


class Parts:
    """A tool, a prompt and a resource, of which nothing is asked here but that they exist."""

    def __init__(self) -> None:
        self.go_on = asyncio.Event()
        self.text = "done"

    def describe(self) -> list[Message]:
        return []

    async def resources(self) -> list[Message]:
        return []

    async def prompts(self) -> list[Message]:
        return []

    async def templates(self) -> list[Message]:
        return []

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        return TaskUse.PREFERRED

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> Message:
        context.progress(1)
        await self.go_on.wait()
        return {"content": [{"type": "text", "text": self.text}]}

    async def read(self, uri: str, context: Context) -> list[Message]:
        return []

    async def get(self, name: str, arguments: Mapping[str, str], context: Context) -> Message:
        return {}


def _modern(method: str, params: Message, meta: Message, request_id: str | int = 1) -> Message:
    return modern(method, params, request_id=request_id, **meta)


@dataclass
class Line:
    """A stream that is open: what it has heard, and the answer that will end it."""

    heard: list[Message]
    work: asyncio.Task[Reply]

    @property
    def methods(self) -> list[str]:
        return [frame["method"] for frame in self.heard]

    async def reply(self) -> Message:
        reply = await self.work
        assert isinstance(reply.body, dict)
        return reply.body


@dataclass
class Station:
    """A server that announces everything, and the streams to it."""

    announces: frozenset[str] = ALL
    parts: Parts = field(default_factory=Parts)
    hub: Hub = field(default_factory=Hub)

    def __post_init__(self) -> None:
        ids = count(1)
        self.store = TaskStore(9, 60, self.hub, clock=lambda: 0, new_id=lambda: f"task-{next(ids)}")
        self.server = Server(
            "x",
            "1",
            "",
            self.parts,
            resources=self.parts,
            prompts=self.parts,
            tasks=self.store,
            hub=self.hub,
            announces=self.announces,
        )

    @asynccontextmanager
    async def listening(
        self, notifications: Any, request_id: str | int = 1, owner: str = "ada", declared: Message = TASKS
    ) -> AsyncIterator[Line]:
        """Open a stream; at the end its client goes away."""
        heard: list[Message] = []
        params, meta = {"notifications": notifications}, {CAPABILITIES: declared}
        message = _modern("subscriptions/listen", params, meta, request_id)
        work = asyncio.create_task(
            mcp_protocol.answer(Incoming.of(message, HEADERS), self.server, heard.append, owner)
        )
        await asyncio.sleep(0)  # one turn, and it is open or refused
        yield Line(heard, work)
        work.cancel()
        await asyncio.wait([work])

    async def refusal(self, notifications: Any, **how: Any) -> Message:
        async with self.listening(notifications, **how) as line:
            assert line.heard == []
            error: Message = (await line.reply())["error"]
            return error

    async def call(self, owner: str = "ada") -> str:
        """Call the tool as a task; return its id."""
        result = await self._ask("tools/call", {"name": "t"}, "t", owner)
        assert result["resultType"] == "task"
        task_id: str = result["taskId"]
        return task_id

    async def get(self, task_id: str) -> Message:
        """Return a task as tasks/get tells it, without the envelope of results."""
        task = await self._ask("tasks/get", {"taskId": task_id}, task_id, "ada")
        return {name: value for name, value in task.items() if name not in ("_meta", "resultType")}

    async def cancel(self, task_id: str) -> None:
        await self._ask("tasks/cancel", {"taskId": task_id}, task_id, "ada")

    async def _ask(self, method: str, params: Message, name: str, owner: str) -> Message:
        message = _modern(method, params, {CAPABILITIES: TASKS})
        headers = {"mcp-protocol-version": ["2026-07-28"], "mcp-method": [method], "mcp-name": [name]}
        reply = await mcp_protocol.answer(Incoming.of(message, headers), self.server, None, owner)
        assert isinstance(reply.body, dict)
        result: Message = reply.body["result"]
        return result


def acknowledged(frame: Message) -> Message:
    """Return what a stream's first frame says is honoured."""
    assert frame["method"] == "notifications/subscriptions/acknowledged"
    honoured: Message = frame["params"]["notifications"]
    return honoured


# The acknowledgement.


@pytest.mark.parametrize("request_id", [0, 1, "1", "", "L1", 2**60])
async def test_the_acknowledgement_comes_first_and_every_frame_carries_the_id_as_it_came(
    request_id: str | int,
) -> None:
    station = Station()
    async with station.listening({"toolsListChanged": True}, request_id) as line:
        station.hub.publish("toolsListChanged")
        station.hub.publish("toolsListChanged", {"_meta": {"ours": 1}})
        station.hub.close()
        reply = await line.reply()
    assert line.heard == [
        {
            "jsonrpc": "2.0",
            "method": "notifications/subscriptions/acknowledged",
            "params": {"notifications": {"toolsListChanged": True}, "_meta": {SUBSCRIPTION: request_id}},
        },
        {
            "jsonrpc": "2.0",
            "method": "notifications/tools/list_changed",
            "params": {"_meta": {SUBSCRIPTION: request_id}},
        },
        {
            "jsonrpc": "2.0",
            "method": "notifications/tools/list_changed",
            "params": {"_meta": {"ours": 1, SUBSCRIPTION: request_id}},
        },
    ]
    assert reply == {
        "jsonrpc": "2.0",
        "id": request_id,
        "result": {
            "resultType": "complete",
            "_meta": {
                SUBSCRIPTION: request_id,
                "io.modelcontextprotocol/serverInfo": {"name": "x", "version": "1"},
            },
        },
    }
    frames = [*(frame["params"] for frame in line.heard), reply["result"]]
    assert {type(frame["_meta"][SUBSCRIPTION]) for frame in frames} == {type(request_id)}


@pytest.mark.parametrize("announced", [frozenset(), *({name} for name in sorted(ALL)), ALL])
async def test_only_what_the_server_announces_is_honoured(announced: frozenset[str]) -> None:
    wanted = {**dict.fromkeys(KINDS, True), "resourceSubscriptions": ["b", "a"]}
    async with Station(frozenset(announced)).listening(wanted) as line:
        assert acknowledged(line.heard[0]) == {
            name: ["a", "b"] if name == "resourceSubscriptions" else True for name in announced
        }


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"toolsListChanged": False, "promptsListChanged": None},
        {"resourceSubscriptions": [], "taskIds": None},
        {"somethingElse": True, "progress": 7},
    ],
)
async def test_what_was_not_asked_for_is_not_honoured(wanted: Message) -> None:
    async with Station().listening(wanted) as line:
        assert acknowledged(line.heard[0]) == {}


async def test_nothing_is_announced_of_parts_that_are_not_there() -> None:
    station = Station()
    station.server = Server("x", "1", "", station.parts, hub=station.hub, announces=ALL | {"noSuch"})
    async with station.listening({**dict.fromkeys(KINDS, True), "resourceSubscriptions": ["a"]}) as line:
        assert acknowledged(line.heard[0]) == {"toolsListChanged": True}


# Filters that make no sense.


@pytest.mark.parametrize("wanted", [None, [], "tools", True, 7])
async def test_a_filter_must_be_an_object(wanted: Any) -> None:
    assert await Station().refusal(wanted) == {
        "code": INVALID_PARAMS,
        "message": "Invalid params: subscriptions/listen needs an object notifications",
    }


async def test_a_filter_must_be_there() -> None:
    reply = await mcp_protocol.answer(
        Incoming.of(modern("subscriptions/listen"), HEADERS), Station().server, print
    )
    assert reply.error_code == INVALID_PARAMS


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(
    "value, got", [(1, "a number"), ("true", "a string"), ([], "an array"), ({}, "an object")]
)
async def test_a_kind_is_wanted_or_not(name: str, value: Any, got: str) -> None:
    assert await Station().refusal({name: value}) == {
        "code": INVALID_PARAMS,
        "message": f"Invalid params: notifications.{name}: expected true or false, got {got}",
    }


@pytest.mark.parametrize("name", ["resourceSubscriptions", "taskIds"])
@pytest.mark.parametrize(
    "value, got",
    [
        (True, "a boolean"),
        (False, "a boolean"),
        (0, "a number"),
        ("", "a string"),
        ("a", "a string"),
        ({}, "an object"),
        ([1], "an array"),
        (["a", None], "an array"),
    ],
)
async def test_what_is_named_is_a_list_of_strings(name: str, value: Any, got: str) -> None:
    assert await Station().refusal({name: value}) == {
        "code": INVALID_PARAMS,
        "message": f"Invalid params: notifications.{name}: expected an array of strings, got {got}",
    }


@pytest.mark.parametrize("name", ["resourceSubscriptions", "taskIds"])
async def test_a_stream_names_a_bounded_number_of_things(name: str) -> None:
    names = [str(number) for number in range(MAX_NAMED + 1)]
    assert await Station().refusal({name: names}) == {
        "code": INVALID_PARAMS,
        "message": f"Invalid params: notifications.{name}: at most {MAX_NAMED}",
    }
    async with Station().listening({name: names[1:]}) as line:
        assert len(acknowledged(line.heard[0]).get(name, [])) == (MAX_NAMED if name != "taskIds" else 0)


async def test_a_transport_that_cannot_stream_cannot_listen() -> None:
    message = modern("subscriptions/listen", {"notifications": {}})
    assert (
        await mcp_protocol.answer(Incoming.of(message, HEADERS), Station().server)
    ).error_code == INVALID_PARAMS


async def test_the_legacy_era_has_no_such_streams() -> None:
    message = legacy("subscriptions/listen", {"notifications": {}})
    reply = await mcp_protocol.answer(Incoming.of(message, {}), Station().server, print)
    assert reply.error_code == METHOD_NOT_FOUND


filters = st.dictionaries(
    st.sampled_from([*KINDS, "resourceSubscriptions", "taskIds", "x"]),
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=2)
    | st.lists(st.text(max_size=2) | st.none()),
)


@given(filters, st.frozensets(st.sampled_from(sorted(ALL))), st.frozensets(st.text(max_size=2)))
def test_a_filter_is_refused_or_honoured_in_part(
    wanted: Message, announced: frozenset[str], mine: frozenset[str]
) -> None:
    try:
        honoured = Filter.read(wanted).within(announced, mine)
    except RpcError as error:
        assert error.code == INVALID_PARAMS  # noqa: PT017 - both outcomes are right, this one only with this code
        return
    told = honoured.as_json()
    assert told.keys() <= (announced | {"taskIds"}) & wanted.keys()
    for name, value in told.items():
        assert value is True or set(value) <= set(wanted[name])
        assert value is not True or honoured.wants(name, None)
    assert set(told.get("taskIds", [])) <= mine


# Changes.


@pytest.mark.parametrize("wanted", KINDS)
async def test_a_stream_hears_the_kinds_it_asked_for_and_no_others(wanted: str) -> None:
    station = Station()
    async with station.listening({wanted: True}) as line:
        for kind in KINDS:
            station.hub.publish(kind)
        station.hub.publish("resourceSubscriptions", {"uri": "a"}, "a")
        assert line.methods[1:] == [KINDS[wanted]]


async def test_a_stream_hears_of_the_resources_it_names_and_no_others() -> None:
    station = Station()
    async with station.listening({"resourceSubscriptions": ["a", "b"]}) as line:
        for uri in ("a", "c", "b"):
            station.hub.publish("resourceSubscriptions", {"uri": uri}, uri)
        station.hub.publish("toolsListChanged")
        assert line.methods[1:] == ["notifications/resources/updated"] * 2
        assert [frame["params"]["uri"] for frame in line.heard[1:]] == ["a", "b"]


async def test_every_stream_hears_under_its_own_id() -> None:
    station = Station()
    async with (
        station.listening({"toolsListChanged": True}, "a") as first,
        station.listening({"toolsListChanged": True}, "b") as second,
        station.listening({"promptsListChanged": True}, "c") as third,
    ):
        station.hub.publish("toolsListChanged")
        assert [frame["params"]["_meta"][SUBSCRIPTION] for frame in first.heard] == ["a", "a"]
        assert [frame["params"]["_meta"][SUBSCRIPTION] for frame in second.heard] == ["b", "b"]
        assert len(third.heard) == 1


# Tasks.


async def test_a_stream_hears_of_a_task_what_asking_would_tell() -> None:
    station = Station()
    task_id = await station.call()
    async with station.listening({"taskIds": [task_id]}) as line:
        assert acknowledged(line.heard[0]) == {"taskIds": [task_id]}
        told = [await station.get(task_id)]
        station.parts.go_on.set()
        await asyncio.wait(list(station.store.running()))
        told.append(await station.get(task_id))
        assert told[-1]["result"] == {"content": [{"type": "text", "text": "done"}]}
        frames = [frame["params"] for frame in line.heard[1:]]
        assert {frame["method"] for frame in line.heard[1:]} == {"notifications/tasks"}
        assert all(frame.pop("_meta") == {SUBSCRIPTION: 1} for frame in frames)
        assert frames[0] == told[0]
        assert frames[-1] == told[-1]


async def test_how_a_task_stands_is_told_at_once_as_it_may_have_ended_before() -> None:
    station = Station()
    first, second = await station.call(), await station.call()
    await station.cancel(first)
    async with station.listening({"taskIds": [second, first]}) as line:
        tasks = [await station.get(task_id) for task_id in (first, second)]
        frames = [{**frame["params"]} for frame in line.heard[1:]]
        assert all(frame.pop("_meta") == {SUBSCRIPTION: 1} for frame in frames)
        assert frames[:2] == tasks
        assert [task["status"] for task in tasks] == ["cancelled", "working"]


async def test_tasks_of_other_callers_and_unknown_tasks_are_not_honoured() -> None:
    station = Station()
    mine, others = await station.call("ada"), await station.call("bob")
    async with station.listening({"taskIds": [mine, others, "task-9"]}) as line:
        assert acknowledged(line.heard[0]) == {"taskIds": [mine]}
        station.parts.go_on.set()
        await asyncio.wait(list(station.store.running()))
        assert {frame["params"]["taskId"] for frame in line.heard[1:]} == {mine}


async def test_a_client_that_declares_no_tasks_hears_of_none() -> None:
    station = Station()
    task_id = await station.call()
    error = await station.refusal({"taskIds": [task_id]}, declared={})
    assert error["code"] == MISSING_CAPABILITY
    assert error["data"] == {"requiredCapabilities": TASKS}
    async with station.listening({"taskIds": [], "toolsListChanged": True}, declared={}) as line:
        assert acknowledged(line.heard[0]) == {"toolsListChanged": True}


async def test_a_server_without_tasks_honours_none() -> None:
    station = Station()
    station.server = Server("x", "1", "", station.parts, hub=station.hub)
    async with station.listening({"taskIds": ["task-1"]}) as line:
        assert line.methods == ["notifications/subscriptions/acknowledged"]
        assert acknowledged(line.heard[0]) == {}


async def test_a_result_too_long_for_an_event_is_left_to_tasks_get() -> None:
    station = Station()
    station.parts.text = "x" * (MAX_ANNOUNCED_CHARS + 1)
    station.parts.go_on.set()
    task_id = await station.call()
    await asyncio.wait(list(station.store.running()))
    async with station.listening({"taskIds": [task_id]}) as line:
        assert line.heard[1]["params"]["status"] == "completed"
        assert "result" not in line.heard[1]["params"]
    assert "result" in await station.get(task_id)


# The end.


async def test_closing_ends_every_stream_and_those_to_come() -> None:
    station = Station()
    async with (
        station.listening({"toolsListChanged": True}, "a") as first,
        station.listening({}, "b") as second,
    ):
        station.hub.close()
        station.hub.close()
        assert (await first.reply())["result"]["_meta"][SUBSCRIPTION] == "a"
        assert (await second.reply())["result"]["_meta"][SUBSCRIPTION] == "b"
        assert station.hub.open_streams == 0
        async with station.listening({"toolsListChanged": True}, "c") as late:
            assert late.methods == ["notifications/subscriptions/acknowledged"]
            assert (await late.reply())["id"] == "c"
    assert station.hub.open_streams == 0


async def test_a_stream_whose_client_is_gone_leaves_nothing_behind() -> None:
    station = Station()
    async with station.listening({"toolsListChanged": True}) as line:
        assert station.hub.open_streams == 1
    assert line.work.cancelled()
    assert station.hub.open_streams == 0
    station.hub.publish("toolsListChanged")
    assert len(line.heard) == 1


async def test_a_task_has_a_listener_until_the_last_stream_is_closed() -> None:
    station = Station()
    task_id = await station.call()
    async with station.listening({"taskIds": [task_id]}, "a"):
        async with station.listening({"taskIds": [task_id]}, "b"):
            assert station.hub.has_listener("taskIds", task_id)
        assert station.hub.has_listener("taskIds", task_id)
    assert not station.hub.has_listener("taskIds", task_id)


async def test_a_stream_that_cannot_even_be_acknowledged_leaves_nothing_behind() -> None:
    def broken(frame: Message) -> None:
        raise ConnectionResetError

    station = Station()
    message = modern("subscriptions/listen", {"notifications": {}})
    reply = await mcp_protocol.answer(Incoming.of(message, HEADERS), station.server, broken)
    assert reply.error_code == -32603
    assert station.hub.open_streams == 0
