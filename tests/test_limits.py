"""What one service bears: places and those who wait for them, slow senders, open streams, heads and nesting."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest
from aiohttp import web

import app as application
from config import Config
from observability.metric_catalogue import Metrics
from protocol.context import Context
from protocol.methods import TaskUse
from protocol.subscriptions import Hub
from protocol.tasks import TaskStore
from tests.support.laws import scaled
from tests.support.manual_time import LetPass, until
from tests.support.messages import Message, call, legacy, modern, routing
from tests.support.service import PATIENCE_S, Run, Service, listening, prose, with_model
from tests.support.stand_in import StandIn
from tests.support.stand_in_answers import Gate, Summarizes
from tests.support.wire import (
    BOTH,
    JSON,
    Connection,
    Report,
    Tool,
    begin,
    connected,
    declaring_tasks,
    endpoint_of,
    head,
    inline,
    raw,
    request,
    serving,
    streaming,
    text_result,
    until_over,
)
from transport.auth import Keys
from transport.endpoint import MAX_LISTEN_BYTES, Endpoint, EndpointLoad
from transport.http_limits import HttpLimits
from transport.process import allow_connections
from transport.request_body import SMALL_BODY_BYTES
from transport.uploads import PART_BYTES, SLOW_PART_SECONDS

pytestmark = pytest.mark.usefixtures("nothing_is_logged_as_a_fault")

TINY_S = 0.05
CHUNKED = "Transfer-Encoding: chunked"
LISTEN = modern("subscriptions/listen", {"notifications": {}})


class Held:
    """Work that a test lets go on."""

    def __init__(self, let_pass: LetPass | None = None) -> None:
        self.let_pass = let_pass
        self.go_on = asyncio.Event()
        self._begun = asyncio.Semaphore(0)

    async def work(self, report: Report) -> Message:
        self._begun.release()
        await self.go_on.wait()
        return text_result("done")

    async def begun(self) -> None:
        """Wait for one more call to have begun."""
        async with asyncio.timeout(PATIENCE_S):
            await self._begun.acquire()


A_CALL = legacy("tools/call", call("x"))
A_MODERN_CALL = modern("tools/call", call("x"))


async def one_waits(service: Service, endpoint: Endpoint) -> None:
    """Wait until a request waits for a place."""
    async with asyncio.timeout(PATIENCE_S):
        while endpoint.load.waiting < 1:
            await service.post(legacy("ping"))


def is_busy(answer: httpx.Response) -> bool:
    assert int(answer.headers["retry-after"]) > 0
    assert (answer.json()["id"], answer.json()["error"]["code"]) == (None, -32600)
    return answer.status_code == 503


def test_each_limit_has_its_setting() -> None:
    settings = {
        "MAX_JSON_DEPTH": "17",
        "MAX_CONCURRENT_REQUESTS": "2",
        "MAX_QUEUED_REQUESTS": "3",
        "MAX_OPEN_STREAMS": "4",
        "MAX_CONCURRENT_REQUESTS_PER_KEY": "1",
        "MAX_BYTES_UNDER_WAY": "2048",
        "MAX_BODY_BYTES": "1024",
        "BODY_TIMEOUT_SECONDS": "5.5",
        "BODY_STALL_SECONDS": "4.5",
        "SEND_TIMEOUT_SECONDS": "6.5",
        "PING_SECONDS": "7.5",
        "SUMMARIZE_DEADLINE_SECONDS": "8.5",
    }
    endpoint = application.make_endpoint(
        Config.from_env(settings), endpoint_of(done).server, inline, Metrics()
    )
    assert endpoint.limits == HttpLimits(
        17, 2, 3, 4, 5.5, 6.5, 7.5, 1, 2048, 1024, call_seconds=8.5, stall_seconds=4.5
    )


def test_limits_are_by_default_what_the_settings_are_by_default() -> None:
    assert application.make_endpoint(
        Config.from_env({}), endpoint_of(done).server, inline, Metrics()
    ).limits == HttpLimits(call_seconds=Config().summarize_deadline_seconds)


@asynccontextmanager
async def posted(service: Service, message: Message) -> AsyncIterator[None]:
    """Post a message on a connection of its own, which is closed after."""
    headers = routing(message) if "_meta" in message.get("params", {}) else {}
    async with connected(service) as connection:
        connection.send(request(message, headers))
        yield


# Places.


async def test_with_every_place_and_the_queue_taken_a_call_is_told_to_come_again_at_once() -> None:
    held = Held()
    endpoint = endpoint_of(held.work, HttpLimits(places=1, waiting=1))
    ended: list[str] = []
    async with serving(endpoint) as service:
        first = asyncio.create_task(service.post(A_CALL))
        first.add_done_callback(lambda _: ended.append("first"))
        await held.begun()
        second = asyncio.create_task(service.post(A_CALL))
        second.add_done_callback(lambda _: ended.append("second"))
        await one_waits(service, endpoint)
        third = await service.post(A_CALL)
        assert is_busy(third)
        assert "MAX_QUEUED_REQUESTS" in third.json()["error"]["message"]
        assert ended == []
        held.go_on.set()
        answers = [await first, await second]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert ended == ["first", "second"]


async def test_the_settings_say_how_many_are_worked_on_and_how_many_wait(run: Run) -> None:
    go_on = asyncio.Event()
    message = legacy("tools/call", call(content=prose(12), max_output_tokens=100))
    settings = {"MAX_CONCURRENT_REQUESTS": "1", "MAX_QUEUED_REQUESTS": "1"}
    async with StandIn([Gate(Summarizes(), go_on)]) as model, run(**with_model(model, **settings)) as service:
        first = asyncio.create_task(service.post(message))
        await model.called(1)
        others = {asyncio.create_task(service.post(message)) for _ in range(2)}
        (refused,), (waiting,) = await asyncio.wait(others, return_when=asyncio.FIRST_COMPLETED)
        assert is_busy(refused.result())
        assert len(model.payloads) == 1
        await quick_methods_are_answered(service)
        assert [each.done() for each in (first, waiting)] == [False, False]
        go_on.set()
        assert [(await each).json().keys() for each in (first, waiting)] == [{"jsonrpc", "id", "result"}] * 2


async def quick_methods_are_answered(service: Service) -> None:
    """Insist that what takes no time waits for nobody."""
    assert (await service.post(legacy("ping"))).json()["result"] == {}
    assert (await service.post(legacy("tools/list"))).json()["result"]["tools"]
    assert (await service.post_modern(modern("tools/list"))).json()["result"]["tools"]
    assert (await service.post_modern(modern("server/discover"))).json()["result"]["supportedVersions"]
    assert (await service.post(legacy("initialize", {"protocolVersion": "2025-06-18"}))).json()["result"]
    headers = {**routing(modern("tasks/get")), "mcp-name": "t"}
    task = await service.post(modern("tasks/get", {"taskId": "t"}), headers)
    assert task.json()["error"]["code"] == -32021  # what is missing is told at once, too
    assert (await service.post({"jsonrpc": "2.0", "method": "notifications/initialized"})).status_code == 202
    assert (await service.http.get(f"{service.origin}/health")).json()["status"] == "ok"
    async with streaming(service, LISTEN) as events:
        assert (await events.message())["method"] == "notifications/subscriptions/acknowledged"


async def test_a_batch_is_work_and_waits_for_its_turn() -> None:
    held = Held()
    endpoint = endpoint_of(held.work, HttpLimits(places=1, waiting=1))
    async with serving(endpoint) as service:
        first = asyncio.create_task(service.post(A_CALL))
        await held.begun()
        batch = asyncio.create_task(service.post([legacy("ping")]))
        await one_waits(service, endpoint)
        assert is_busy(await service.post([legacy("ping")]))
        held.go_on.set()
        assert (await batch).json() == [{"jsonrpc": "2.0", "id": 1, "result": {}}]
        await first


async def test_a_call_that_waits_is_told_when_the_service_stops() -> None:
    held = Held()
    endpoint = endpoint_of(held.work, HttpLimits(places=1, waiting=1))
    async with serving(endpoint) as service:
        calls = [asyncio.create_task(service.post(A_CALL, {"Accept": "application/json"}))]
        await held.begun()
        calls.append(asyncio.create_task(service.post(A_CALL, {"Accept": "application/json"})))
        await one_waits(service, endpoint)
        assert await endpoint.drain(0.001) == {"cancelled_calls": 2, "cancelled_tasks": 0}
        messages = [(await each).json()["error"]["message"] for each in calls]
    assert all("stopped before" in message for message in messages)


# Keys.


ANN, BEN = "key-of-ann-0123456789", "key-of-ben-0123456789"


def by(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def with_keys(held: Held, limits: HttpLimits) -> Endpoint:
    endpoint = endpoint_of(held.work, limits, Hub())
    return Endpoint(endpoint.server, endpoint.access, Keys((ANN, BEN)), inline, limits)


def is_too_many(answer: httpx.Response) -> bool:
    assert int(answer.headers["retry-after"]) > 0
    assert "MAX_CONCURRENT_REQUESTS_PER_KEY" in answer.json()["error"]["message"]
    assert answer.json()["id"] is None
    return answer.status_code == 429


async def test_a_flood_from_one_key_waits_behind_itself_and_others_get_places() -> None:
    held = Held()
    endpoint = with_keys(held, HttpLimits(places=4, waiting=4, places_per_key=2))
    async with serving(endpoint) as service:
        flood = [asyncio.create_task(service.post(A_CALL, by(ANN))) for _ in range(4)]
        await held.begun()
        await held.begun()
        await two_wait(service, endpoint)
        assert is_too_many(await service.post(A_CALL, by(ANN)))
        others = [asyncio.create_task(service.post(A_CALL, by(BEN))) for _ in range(2)]
        await held.begun()
        await held.begun()
        assert (await service.post(legacy("ping"), by(ANN))).json()["result"] == {}
        held.go_on.set()
        assert {(await each).status_code for each in (*flood, *others)} == {200}


async def two_wait(service: Service, endpoint: Endpoint) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while endpoint.load.waiting < 2:
            await service.post(legacy("ping"), by(BEN))


async def test_slow_uploads_of_one_key_delay_no_large_request_of_another() -> None:
    # As many uploads as fill the key's share of the bytes; there are fewer places than that, and none of them is taken.
    half = SMALL_BODY_BYTES + 1
    limits = HttpLimits(
        places=2, waiting=0, places_per_key=1, bytes_under_way=11 * half, bytes_kept_free=2 * half
    )
    endpoint = with_keys(Held(), limits)
    async with serving(endpoint) as service, AsyncExitStack() as stack:
        for number in range(8):
            slow = await stack.enter_async_context(connected(service))
            slow.send(head(f"Content-Length: {half + 1}", by(ANN)) + b" " * half)
            await until_received(endpoint, (number + 1) * half)
        assert endpoint.load == EndpointLoad(0, 0, reading=8, open_streams=0, bytes_under_way=8 * half)
        assert (await service.post(legacy("ping"), by(ANN))).json()["result"] == {}
        assert is_over_budget(await service.post(large(legacy("ping")), by(ANN)))
        assert (await service.post(large(legacy("ping")), by(BEN))).json()["result"] == {}


async def test_streams_of_one_key_leave_room_for_those_of_others() -> None:
    endpoint = with_keys(Held(), HttpLimits(places=4, open_streams=8, places_per_key=1))
    async with serving(endpoint) as service, AsyncExitStack() as stack:
        # A quarter, as of the places.
        opened = [await stack.enter_async_context(streaming(service, LISTEN, by(ANN))) for _ in range(2)]
        for events in opened:
            await events.message()
        answer = await service.post(LISTEN, {**BOTH, **routing(LISTEN), **by(ANN)})
        assert is_too_many(answer)
        async with streaming(service, LISTEN, by(BEN)) as events:
            await events.message()
            assert endpoint.load.open_streams == 3


# Large bodies.


def large(message: Message) -> Message:
    """Add to a message what makes it large, and means nothing."""
    return {**message, "params": {**message.get("params", {}), "padding": "x" * SMALL_BODY_BYTES}}


def plain(body: bytes, headers: Mapping[str, str] | None = None) -> bytes:
    return head(f"Content-Length: {len(body)}", headers) + body


def chunked(body: bytes) -> bytes:
    return head(CHUNKED) + f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"


@pytest.mark.parametrize("write", [plain, chunked])
async def test_a_large_body_is_read_while_every_place_is_taken(write: Callable[[bytes], bytes]) -> None:
    held = Held()
    endpoint = endpoint_of(held.work, HttpLimits(places=1, waiting=1))
    async with serving(endpoint) as service, connected(service) as connection, posted(service, A_CALL):
        await held.begun()
        async with posted(service, large(A_CALL)):
            await one_waits(service, endpoint)
            connection.send(write(json.dumps(large(legacy("ping"))).encode()))
            status, _, answer = await connection.answer()
            assert is_busy(await service.post(large(A_CALL)))
    assert (status, json.loads(answer)["result"]) == (200, {})


# Bytes under way.


LARGE_BYTES = len(json.dumps(large(legacy("ping"))))
ONE_LARGE = HttpLimits(bytes_under_way=2 * SMALL_BODY_BYTES)


def received_by(endpoint: Endpoint) -> int:
    """Return how many bytes of bodies there are."""
    return endpoint.load.bytes_under_way + endpoint._bodies.small_bodies.used


async def until_received(endpoint: Endpoint, size: int) -> None:
    """Wait until there are so many bytes of bodies."""
    await until(lambda: received_by(endpoint) == size, f"{size} bytes to be received")


def is_over_budget(answer: httpx.Response) -> bool:
    assert "MAX_BYTES_UNDER_WAY" in answer.json()["error"]["message"]
    return is_busy(answer)


@pytest.mark.parametrize("body_headers", [f"Content-Length: {LARGE_BYTES}", CHUNKED])
async def test_what_is_announced_and_not_sent_takes_no_room_from_others(body_headers: str) -> None:
    endpoint = endpoint_of(done, ONE_LARGE)
    async with serving(endpoint) as service, AsyncExitStack() as stack:
        for _ in range(3):
            connection = await stack.enter_async_context(connected(service))
            await begin(connection, body_headers)
            connection.send(b"100\r\n")  # the beginning of a body, or of a chunk
        assert (await service.post(large(legacy("ping")))).status_code == 200
        assert endpoint.load.bytes_under_way < 100


async def test_a_body_that_does_not_fit_is_refused_before_it_is_read() -> None:
    endpoint = endpoint_of(done, ONE_LARGE)
    async with serving(endpoint) as service, connected(service) as first, connected(service) as second:
        first.send(head(f"Content-Length: {LARGE_BYTES}") + b" " * (LARGE_BYTES - 1))
        await until_received(endpoint, LARGE_BYTES - 1)
        second.send(head(f"Content-Length: {LARGE_BYTES}"))
        status, headers, answer = await second.answer()
        assert (status, "retry-after" in headers) == (503, True)
        said = f"requests of {LARGE_BYTES - 1} bytes are under way already (MAX_BYTES_UNDER_WAY)"
        assert said in json.loads(answer)["error"]["message"]
        assert (await service.post(legacy("ping"))).status_code == 200


async def test_a_body_in_chunks_is_counted_as_it_grows() -> None:
    endpoint = endpoint_of(done, ONE_LARGE)
    async with serving(endpoint) as service, connected(service) as first:
        first.send(head(CHUNKED) + f"{3 * SMALL_BODY_BYTES:x}\r\n".encode() + b" " * (SMALL_BODY_BYTES + 1))
        await until_received(endpoint, SMALL_BODY_BYTES + 1)
        first.send(b" " * SMALL_BODY_BYTES)
        status, headers, answer = await first.answer()
        assert (status, "retry-after" in headers, "MAX_BYTES_UNDER_WAY" in str(answer)) == (503, True, True)
        await until_over(endpoint)
        assert endpoint.load.bytes_under_way == 0


async def test_a_client_that_is_refused_in_the_middle_of_its_body_is_told_so() -> None:
    async def body() -> AsyncIterator[bytes]:
        for _ in range(64):
            yield b" " * SMALL_BODY_BYTES

    async with serving(endpoint_of(done, ONE_LARGE)) as service:
        assert is_over_budget(await service.http.post(service.url, content=body(), headers=JSON))


@pytest.mark.parametrize("write", [plain, chunked])
async def test_of_bodies_that_fill_the_budget_half_received_some_are_refused_and_the_others_read(
    write: Callable[[bytes], bytes],
) -> None:
    whole = write(json.dumps({**legacy("ping"), "padding": "x" * (2 * SMALL_BODY_BYTES)}).encode())
    half = SMALL_BODY_BYTES + SMALL_BODY_BYTES // 2
    endpoint = endpoint_of(done, HttpLimits(bytes_under_way=8 * half))
    async with serving(endpoint) as service, AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(connected(service)) for _ in range(8)]
        for connection in opened:
            connection.send(whole[:half])
        # The headers are part of what was sent, and of no body.
        await until(lambda: endpoint.load.bytes_under_way > 8 * (half - 1_000), "every half to be received")
        for connection in opened:
            connection.send(whole[half:])
        answers = [await connection.answer() for connection in opened]
        assert {status for status, _, _ in answers} == {200, 503}
        assert all("retry-after" in headers for status, headers, _ in answers if status == 503)
        await until_over(endpoint)
        assert endpoint.load.bytes_under_way == 0


async def test_small_bodies_have_a_budget_of_their_own_while_they_are_received() -> None:
    endpoint = endpoint_of(done, ONE_LARGE)
    nearly = head(f"Content-Length: {SMALL_BODY_BYTES}") + b" " * (SMALL_BODY_BYTES - 1)
    async with serving(endpoint) as service, AsyncExitStack() as stack:
        for number in range(2):
            (await stack.enter_async_context(connected(service))).send(nearly)
            await until_received(endpoint, (number + 1) * (SMALL_BODY_BYTES - 1))
        third = await stack.enter_async_context(connected(service))
        third.send(nearly)
        status, headers, answer = await third.answer()
        assert (status, "retry-after" in headers, "MAX_BYTES_UNDER_WAY" in str(answer)) == (503, True, True)
        # What comes at once, and large bodies, are received as ever.
        assert (await service.post(legacy("ping"))).status_code == 200
        assert (await service.post(large(legacy("ping")))).status_code == 200
        assert endpoint._bodies.small_bodies.used == 2 * (SMALL_BODY_BYTES - 1)
    await until_over(endpoint)
    assert received_by(endpoint) == 0


@pytest.mark.parametrize("write", [plain, chunked])
async def test_the_bytes_of_a_call_are_held_until_it_is_answered(write: Callable[[bytes], bytes]) -> None:
    held = Held()
    endpoint = endpoint_of(held.work, HttpLimits(bytes_under_way=3 * LARGE_BYTES))
    async with serving(endpoint) as service, connected(service) as connection:
        connection.send(write(json.dumps(large(A_CALL)).encode()))
        await held.begun()
        assert SMALL_BODY_BYTES < endpoint.load.bytes_under_way < LARGE_BYTES * 2
        others = [service.post(large(legacy("ping"))) for _ in range(4)]
        assert {(await each).status_code for each in others} == {200}
        held.go_on.set()
        assert (await connection.answer())[0] == 200
        await until_over(endpoint)
        assert endpoint.load.bytes_under_way == 0


async def test_a_call_goes_on_without_its_legacy_client_and_holds_its_place_and_bytes_to_its_end() -> None:
    held = Held()
    endpoint = endpoint_of(held.work)
    async with serving(endpoint) as service:
        async with posted(service, large(A_CALL)):
            await held.begun()
        await until(lambda: not endpoint._handlers, "the client's end to be seen")
        assert (await service.post(legacy("ping"))).status_code == 200
        assert endpoint.load.working == 1
        assert endpoint.load.bytes_under_way > SMALL_BODY_BYTES
        held.go_on.set()
        await until_over(endpoint)
        assert endpoint.load.bytes_under_way == 0


async def test_a_text_counts_with_the_memory_that_it_takes() -> None:
    held = Held()
    endpoint = endpoint_of(held.work)
    wide = legacy("tools/call", call("x" * SMALL_BODY_BYTES + "😀"))
    async with serving(endpoint) as service:
        answer = asyncio.create_task(service.post(wide))
        await held.begun()
        assert 0 <= endpoint.load.bytes_under_way - 4 * SMALL_BODY_BYTES < 5_000
        held.go_on.set()
        assert (await answer).status_code == 200


async def test_names_of_members_count_with_the_memory_that_they_take() -> None:
    held = Held()
    endpoint = endpoint_of(held.work, HttpLimits(places=1))
    names = {f"{number:010000}": 1 for number in range(40)}
    async with serving(endpoint) as service, posted(service, A_CALL):
        await held.begun()
        async with posted(service, legacy("tools/call", {**call("x"), "named": names})):
            await one_waits(service, endpoint)
            assert 0 <= endpoint.load.bytes_under_way - 40 * 10_000 < 5_000


# What JSON takes most for its size, once it is parsed: objects within objects, up to the deepest nesting, then the next to them.
NESTED = '{"":' * 50 + "0" + "}" * 50
GROWING = {"empty": "{}", "nested": NESTED, "lists": "[0]", "numbers": "1e1", "names": '{"ab":300}'}


def of_values(value: str, method: str) -> bytes:
    """Write a small request with as many values of this kind as it may hold."""
    values = ",".join([value] * (120_000 // (len(value) + 1)))
    message = json.dumps(legacy(method, {**call("x"), "values": []})).replace("[]", f"[{values}]")
    assert len(message) < SMALL_BODY_BYTES
    return head(f"Content-Length: {len(message)}") + message.encode()


def allocated(make: Callable[[], Any]) -> int:
    """Return how much memory a thing takes, as Python's own allocator counts it."""
    tracemalloc.start()
    try:
        kept = make()
        taken = tracemalloc.get_traced_memory()[0]
        del kept
        return taken
    finally:
        tracemalloc.stop()


@pytest.mark.unmeasured
@pytest.mark.parametrize("kind", GROWING)
async def test_a_small_body_counts_with_the_memory_that_its_values_take(kind: str) -> None:
    held = Held()
    endpoint = endpoint_of(held.work, HttpLimits(places=1))
    whole = of_values(GROWING[kind], "tools/call")
    taken = allocated(lambda: json.loads(whole.partition(b"\r\n\r\n")[2]))
    async with serving(endpoint) as service, posted(service, A_CALL), connected(service) as connection:
        await held.begun()
        connection.send(whole)
        await one_waits(service, endpoint)
        assert taken > 4 * len(whole)
        assert 0.9 * taken < endpoint.load.bytes_under_way < 3 * taken


@pytest.mark.unmeasured
async def test_of_many_small_bodies_that_grow_as_many_wait_as_there_is_room_for() -> None:
    held = Held()
    whole = of_values("{}", "tools/call")
    taken = allocated(lambda: json.loads(whole.partition(b"\r\n\r\n")[2]))
    # However busy the machine: no body is late.
    limits = HttpLimits(places=1, waiting=32, bytes_under_way=9 * taken, body_seconds=600, stall_seconds=600)
    endpoint = endpoint_of(held.work, limits)
    async with serving(endpoint) as service, AsyncExitStack() as stack:
        await stack.enter_async_context(posted(service, A_CALL))
        await held.begun()
        opened = [await stack.enter_async_context(connected(service)) for _ in range(32)]
        for connection in opened:
            connection.send(whole)
        statuses = statuses_of(opened)
        await until(
            lambda: endpoint.load.waiting + sum(each.done() for each in statuses) == 32,
            "each to wait or be refused",
        )
        assert {each.result() for each in statuses if each.done()} == {503}
        assert 4 <= endpoint.load.waiting <= 9
        assert endpoint.load.bytes_under_way <= limits.bytes_under_way
        # A call that is as long in one text waits as ever.
        assert (await service.post(legacy("ping"))).status_code == 200
        held.go_on.set()
        assert sorted(set(await asyncio.gather(*statuses))) == [200, 503]
        await until_over(endpoint)
        assert endpoint.load.bytes_under_way == 0


async def test_commas_and_brackets_in_a_text_count_as_any_other_signs() -> None:
    held = Held()
    endpoint = endpoint_of(held.work, HttpLimits(places=1))
    text = "{},[]:" * 100_000
    async with serving(endpoint) as service, posted(service, A_CALL):
        await held.begun()
        async with posted(service, legacy("tools/call", call(text))):
            await one_waits(service, endpoint)
            assert 0 <= endpoint.load.bytes_under_way - len(text) < 5_000


# A text of one byte for each character and one emoji, which makes it take four.


def wide(chars: int) -> Message:
    return legacy("tools/call", call("x" * chars + "😀"))


async def test_a_text_that_takes_more_than_its_bytes_is_read_where_no_other_needs_the_room() -> None:
    body = 4 * SMALL_BODY_BYTES
    held = Held()
    endpoint = endpoint_of(held.work, HttpLimits(bytes_under_way=4 * body, bytes_kept_free=body))
    chars = body - 10_000
    async with serving(endpoint) as service:
        first = asyncio.create_task(service.post(wide(chars)))
        await held.begun()
        # It takes four times its bytes, and counts three: room is left for the largest body of somebody else.
        assert endpoint.load.bytes_under_way == 3 * body
        assert is_over_budget(await service.post(wide(chars)))
        second = asyncio.create_task(service.post(legacy("tools/call", call("x" * chars))))
        await held.begun()
        assert endpoint.load.bytes_under_way <= 4 * body
        held.go_on.set()
        assert {(await each).status_code for each in (first, second)} == {200}


async def test_a_text_that_grows_is_refused_and_not_those_that_came_before_or_after_it() -> None:
    body = 4 * SMALL_BODY_BYTES
    held = Held()
    endpoint = with_keys(held, HttpLimits(bytes_under_way=4 * body, bytes_kept_free=body))
    chars = body - 10_000
    narrow = legacy("tools/call", call("x" * chars))
    async with serving(endpoint) as service:
        calls = [asyncio.create_task(service.post(narrow, by(ANN)))]
        await held.begun()
        assert is_over_budget(await service.post(wide(chars), by(ANN)))
        for key in (ANN, ANN, BEN):
            calls.append(asyncio.create_task(service.post(narrow, by(key))))
            await held.begun()
        held.go_on.set()
        assert {(await each).status_code for each in calls} == {200}


class LongTool(Tool):
    """A tool whose every call goes on as a task."""

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        return TaskUse.PREFERRED


async def test_the_bytes_of_a_task_are_held_until_its_work_is_over() -> None:
    held, hub = Held(), Hub()
    tasks = TaskStore(1, 60.0, hub)
    endpoint = endpoint_of(done, ONE_LARGE)
    server = replace(endpoint.server, tools=LongTool(held.work), tasks=tasks, hub=hub)
    endpoint = replace(endpoint, server=server)
    message = declaring_tasks("tools/call", large(A_CALL)["params"])
    async with serving(endpoint) as service:
        assert (await service.post_modern(message)).json()["result"]["resultType"] == "task"
        await held.begun()
        assert endpoint.load.bytes_under_way > SMALL_BODY_BYTES
        assert is_over_budget(await service.post(large(legacy("ping"))))
        (work,) = tasks.running()
        held.go_on.set()
        await work
        assert (await service.post(large(legacy("ping")))).status_code == 200
        assert endpoint.load.bytes_under_way == 0


async def test_a_key_with_large_bodies_under_way_leaves_room_for_one_of_another_key() -> None:
    budget = HttpLimits(bytes_under_way=3 * LARGE_BYTES, bytes_kept_free=3 * LARGE_BYTES // 2)
    endpoint = with_keys(Held(), budget)
    nearly = b" " * (LARGE_BYTES - 1)
    async with serving(endpoint) as service, connected(service) as first, connected(service) as second:
        first.send(head(f"Content-Length: {LARGE_BYTES}", by(ANN)) + nearly)
        await until_received(endpoint, LARGE_BYTES - 1)
        refused = await service.post(large(legacy("ping")), by(ANN))
        assert is_over_budget(refused)
        assert "leave room to others" in refused.json()["error"]["message"]
        assert (await service.post(large(legacy("ping")), by(BEN))).status_code == 200
        second.send(head(f"Content-Length: {LARGE_BYTES}", by(BEN)) + nearly)
        await until_received(endpoint, 2 * (LARGE_BYTES - 1))


async def test_a_stream_keeps_no_long_request_for_as_long_as_it_is_open() -> None:
    async with serving(endpoint_of(done, hub=Hub())) as service:
        answer = await service.post(large(LISTEN), routing(LISTEN))
    assert answer.status_code == 413
    assert f"at most {MAX_LISTEN_BYTES} bytes for this method" in answer.json()["error"]["message"]


async def done(report: Report) -> Message:
    return text_result("done")


# Slow senders.


@pytest.mark.parametrize("body_headers", ["Content-Length: 100", "Content-Length: 999999", CHUNKED])
async def test_a_body_that_does_not_come_is_a_408_and_its_place_is_free_again(
    run: Run, body_headers: str
) -> None:
    settings = {
        "BODY_TIMEOUT_SECONDS": str(TINY_S),
        "MAX_CONCURRENT_REQUESTS": "1",
        "MAX_QUEUED_REQUESTS": "0",
    }
    async with run(**settings) as service, connected(service) as connection:
        connection.send(head(body_headers))
        status, headers, body = await connection.answer()
        assert (status, headers["connection"]) == (408, "close")
        assert json.loads(body)["id"] is None
        assert "BODY_TIMEOUT_SECONDS" in json.loads(body)["error"]["message"]
        assert (await service.post(legacy("tools/call", call(content="short")))).status_code == 200


RECEIVED = [PART_BYTES, SMALL_BODY_BYTES + PART_BYTES]


@pytest.mark.parametrize("received", RECEIVED)
@pytest.mark.parametrize("more", [0, 1], ids=["stops", "goes on byte by byte"])
async def test_a_body_that_stalls_is_a_408_long_before_the_end_of_its_time(
    let_pass: LetPass, received: int, more: int
) -> None:
    endpoint = endpoint_of(done)
    stall = endpoint.limits.stall_seconds
    async with serving(endpoint) as service, connected(service) as connection:
        connection.send(head("Content-Length: 999999") + b" " * received)
        await until_received(endpoint, received)
        for number in range(2):
            assert len(endpoint._handlers) == 1
            let_pass(0.4 * stall)
            connection.send(b" " * more)
            await until_received(endpoint, received + (number + 1) * more)
        let_pass(0.4 * stall)
        status, headers, answer = await connection.answer()
        assert (status, headers["connection"]) == (408, "close")
        assert "BODY_STALL_SECONDS" in json.loads(answer)["error"]["message"]
        await until_over(endpoint)
        assert received_by(endpoint) == endpoint.load.reading == 0


@pytest.mark.parametrize("in_chunks", [False, True])
async def test_a_body_that_comes_slowly_but_steadily_is_read(let_pass: LetPass, in_chunks: bool) -> None:
    endpoint = endpoint_of(done)
    data = json.dumps({**legacy("ping"), "padding": "x" * 6 * PART_BYTES}).encode()
    async with serving(endpoint) as service, connected(service) as connection:
        connection.send(head(CHUNKED if in_chunks else f"Content-Length: {len(data)}"))
        for at in range(0, len(data), PART_BYTES):
            await until_received(endpoint, at)
            let_pass(0.8 * endpoint.limits.stall_seconds)
            part = data[at : at + PART_BYTES]
            connection.send(b"%x\r\n%s\r\n" % (len(part), part) if in_chunks else part)
        connection.send(b"0\r\n\r\n" if in_chunks else b"")
        assert (await connection.answer())[0] == 200


# Slow senders where there is no room for others.


@asynccontextmanager
async def stalled(
    service: Service,
    endpoint: Endpoint,
    received: int,
    owner: Mapping[str, str] | None = None,
    missing: int = 1,
) -> AsyncIterator[Connection]:
    """Begin an upload that stalls once so many bytes were received."""
    before = received_by(endpoint)
    async with connected(service) as connection:
        connection.send(head(f"Content-Length: {received + missing}", owner) + b" " * received)
        await until_received(endpoint, before + received)
        yield connection


def of_size(message: Message, size: int) -> bytes:
    """Write a message with so many bytes."""
    body = json.dumps({**message, "padding": ""}).encode()
    return body.replace(b'""}', b'"%s"}' % (b"x" * (size - len(body))))


SIZES = {"small": SMALL_BODY_BYTES - 1, "large": SMALL_BODY_BYTES + 1}


@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize("in_chunks", [False, True])
async def test_slow_uploads_give_way_where_there_is_no_room_and_no_more_of_them_than_needed(
    let_pass: LetPass, kind: str, in_chunks: bool
) -> None:
    size = SIZES[kind]
    endpoint = endpoint_of(done, HttpLimits(bytes_under_way=4 * size + 1_000))
    body = of_size(legacy("ping"), size)
    async with serving(endpoint) as service, AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(stalled(service, endpoint, size)) for _ in range(4)]
        let_pass(1.5 * SLOW_PART_SECONDS)
        fast = await stack.enter_async_context(connected(service))
        await begin(fast, CHUNKED if in_chunks else f"Content-Length: {size}")
        fast.send(b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body) if in_chunks else body)
        assert json.loads((await fast.answer())[2])["result"] == {}
        status, headers, answer = await opened[0].answer()
        assert (status, headers["connection"], "retry-after" in headers) == (503, "close", True)
        assert "others needed its room (MAX_BYTES_UNDER_WAY)" in json.loads(answer)["error"]["message"]
        assert received_by(endpoint) == 3 * size
        for connection in opened[1:]:
            connection.send(b" ")
            assert (await connection.answer())[0] == 400


@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize("kind_before", SIZES)
async def test_slow_uploads_give_way_also_behind_one_that_began_before_them_and_comes_steadily(
    let_pass: LetPass, kind: str, kind_before: str
) -> None:
    size, before = SIZES[kind], SIZES[kind_before]
    endpoint = endpoint_of(done, HttpLimits(bytes_under_way=4 * size + 2 * PART_BYTES + 1_000))
    async with serving(endpoint) as service, AsyncExitStack() as stack:
        missing = before - PART_BYTES
        steady = await stack.enter_async_context(stalled(service, endpoint, PART_BYTES, missing=missing))
        opened = [await stack.enter_async_context(stalled(service, endpoint, size)) for _ in range(4)]
        let_pass(0.75 * SLOW_PART_SECONDS)
        steady.send(b" " * PART_BYTES)
        await until_received(endpoint, 4 * size + 2 * PART_BYTES)
        let_pass(0.75 * SLOW_PART_SECONDS)
        fast = await stack.enter_async_context(connected(service))
        fast.send(head(f"Content-Length: {size}") + of_size(legacy("ping"), size))
        assert json.loads((await fast.answer())[2])["result"] == {}
        assert (await opened[0].answer())[0] == 503
        steady.send(b" " * (missing - PART_BYTES))
        assert (await steady.answer())[0] == 400


@pytest.mark.parametrize("kind", SIZES)
async def test_uploads_that_are_not_slow_give_way_to_none(let_pass: LetPass, kind: str) -> None:
    size = SIZES[kind]
    endpoint = endpoint_of(done, HttpLimits(bytes_under_way=4 * size + 1_000))
    async with serving(endpoint) as service, AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(stalled(service, endpoint, size)) for _ in range(4)]
        let_pass(0.5 * SLOW_PART_SECONDS)
        fast = await stack.enter_async_context(connected(service))
        fast.send(head(f"Content-Length: {size}") + b" " * (size - 1))
        assert (await fast.answer())[0] == 503
        for connection in opened:
            connection.send(b" ")
            assert (await connection.answer())[0] == 400


async def test_none_is_ended_for_a_body_that_would_not_fit_all_the_same(let_pass: LetPass) -> None:
    held, size = Held(), SMALL_BODY_BYTES + 1
    endpoint = endpoint_of(held.work, HttpLimits(bytes_under_way=4 * LARGE_BYTES))
    async with serving(endpoint) as service, AsyncExitStack() as stack:
        await stack.enter_async_context(posted(service, large(A_CALL)))
        await held.begun()
        slow = await stack.enter_async_context(stalled(service, endpoint, size))
        let_pass(1.5 * SLOW_PART_SECONDS)
        huge = await stack.enter_async_context(connected(service))
        huge.send(head(f"Content-Length: {4 * LARGE_BYTES - 1_000}"))
        assert (await huge.answer())[0] == 503
        slow.send(b" ")
        assert (await slow.answer())[0] == 400


async def test_slow_uploads_of_one_key_give_way_to_its_own_and_not_to_those_of_another(
    let_pass: LetPass,
) -> None:
    size = SMALL_BODY_BYTES + 1
    limits = HttpLimits(bytes_under_way=4 * LARGE_BYTES, bytes_kept_free=LARGE_BYTES)
    endpoint = with_keys(Held(), limits)
    message = large(legacy("ping"))
    async with serving(endpoint) as service, AsyncExitStack() as stack:
        other = await stack.enter_async_context(stalled(service, endpoint, size, by(BEN)))
        opened = [
            await stack.enter_async_context(stalled(service, endpoint, size, by(ANN))) for _ in range(2)
        ]
        assert is_over_budget(await service.post(message, by(ANN)))
        let_pass(1.5 * SLOW_PART_SECONDS)
        assert (await service.post(message, by(ANN))).json()["result"] == {}
        assert (await opened[0].answer())[0] == 503
        for connection in (other, opened[1]):
            connection.send(b" ")
            assert (await connection.answer())[0] == 400


async def test_an_upload_that_was_ended_is_not_read_on_though_more_of_it_comes(let_pass: LetPass) -> None:
    size = SMALL_BODY_BYTES + 1
    endpoint = endpoint_of(done, HttpLimits(bytes_under_way=LARGE_BYTES + 1_000))
    async with serving(endpoint) as service, AsyncExitStack() as stack:
        slow = await stack.enter_async_context(stalled(service, endpoint, size, missing=500))
        let_pass(1.5 * SLOW_PART_SECONDS)
        fast = await stack.enter_async_context(connected(service))
        fast.send(head(f"Content-Length: {LARGE_BYTES}") + json.dumps(large(legacy("ping"))).encode())
        slow.send(b" " * 400)
        assert [(await connection.answer())[0] for connection in (fast, slow)] == [200, 503]
        await until_over(endpoint)
        assert received_by(endpoint) == 0


@pytest.mark.parametrize("begun", [b"", b"P", b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-"])
async def test_a_connection_without_a_complete_head_is_closed(run: Run, begun: bytes) -> None:
    async with run(IDLE_CONNECTION_SECONDS=str(TINY_S)) as service:
        assert await raw(service, begun) == b""


async def test_a_kept_connection_without_a_complete_next_head_is_closed(run: Run) -> None:
    async with run(IDLE_CONNECTION_SECONDS=str(TINY_S)) as service, connected(service) as connection:
        connection.send(request(legacy("ping")) + head()[:40])
        assert (await connection.answer())[0] == 200
        assert await connection.rest() == b""


async def test_a_connection_whose_call_takes_longer_than_a_head_may_is_not_closed(
    run: Run, let_pass: LetPass
) -> None:
    go_on = asyncio.Event()
    message = modern("tools/call", call(content=prose(12), max_output_tokens=100))
    settings = {"IDLE_CONNECTION_SECONDS": "10", "PING_SECONDS": str(TINY_S)}
    async with (
        StandIn([Gate(Summarizes(), go_on)]) as model,
        run(**with_model(model, **settings)) as service,
        streaming(service, message) as events,
    ):
        assert await events.next() == ": ping"
        let_pass(20.0)
        assert [await events.next() for _ in range(3)] == [": ping"] * 3
        go_on.set()
        assert "result" in await events.message()


async def test_a_head_line_over_the_limit_is_refused_and_one_below_is_not(run: Run) -> None:
    async with run(MAX_HEADER_BYTES="1024") as service:
        fits = await service.post(legacy("ping"), {"X-Long": "x" * 1000})
        exceeds = await service.post(legacy("ping"), {"X-Long": "x" * 1100})
        path = await service.http.get(f"{service.origin}/{'x' * 1100}")
        assert (await service.post(legacy("ping"))).status_code == 200
    assert fits.status_code == 200
    assert (exceeds.status_code, path.status_code) == (400, 400)


async def test_the_default_takes_a_head_line_of_16_kib(run: Run) -> None:
    async with run() as service:
        assert (await service.post(legacy("ping"), {"X-Long": "x" * 16_000})).status_code == 200


# A thousand of them.

CROWD = scaled(1_000)

HALVES = {
    "nothing at all": b"",
    "half a head": b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-",
    "a head": head("Content-Length: 400"),
    "half a body": request(legacy("ping"))[:-10],
    "half a chunk": head(CHUNKED) + b"40\r\n{",
    "half a large body": head("Content-Length: 500000") + b" " * (SMALL_BODY_BYTES + 1),
}


@asynccontextmanager
async def halves(service: Service, kinds: Sequence[str]) -> AsyncIterator[list[Connection]]:
    """Open a thousand connections, on each of which half a request comes, of one of these kinds."""
    allow_connections()
    async with AsyncExitStack() as stack:
        opened = []
        for number in range(CROWD):
            connection = await stack.enter_async_context(connected(service))
            connection.send(HALVES[kinds[number % len(kinds)]])
            opened.append(connection)
        yield opened


@pytest.mark.thorough
async def test_many_half_requests_delay_no_other(run: Run) -> None:
    settings = {"MAX_CONCURRENT_REQUESTS": "1", "MAX_QUEUED_REQUESTS": "0"}
    async with run(**settings) as service, halves(service, list(HALVES)[:-1]):
        await quick_methods_are_answered(service)
        for content in ("short", prose(60)):
            answer = await service.post(legacy("tools/call", call(content=content, max_output_tokens=100)))
            assert answer.status_code == 200


@pytest.mark.parametrize("kind", ["nothing at all", "half a head"])
@pytest.mark.thorough
async def test_many_half_heads_are_closed(run: Run, kind: str) -> None:
    async with run(IDLE_CONNECTION_SECONDS="0.3") as service, halves(service, [kind]) as opened:
        assert {await connection.rest() for connection in opened} == {b""}
        assert (await service.post(legacy("ping"))).status_code == 200


def statuses_of(opened: list[Connection]) -> list[asyncio.Task[int]]:
    """Return what becomes the status of each answer."""

    async def status_of(connection: Connection) -> int:
        line = await connection.reader.readuntil(b"\r\n")
        return int(line.split()[1])

    return [asyncio.create_task(status_of(connection)) for connection in opened]


@pytest.mark.parametrize("kind", list(HALVES)[2:-1])
@pytest.mark.thorough
async def test_many_half_bodies_are_told_that_they_are_late(let_pass: LetPass, kind: str) -> None:
    endpoint = endpoint_of(done)
    async with serving(endpoint) as service, halves(service, [kind]) as opened:
        statuses = statuses_of(opened)
        await until(lambda: len(endpoint._handlers) == CROWD, "all requests to have begun")
        let_pass(endpoint.limits.body_seconds)
        assert set(await asyncio.gather(*statuses)) == {408}
        assert (await service.post(A_CALL)).status_code == 200


@pytest.mark.thorough
async def test_of_many_half_large_bodies_as_many_are_received_as_there_is_room_for(let_pass: LetPass) -> None:
    half = SMALL_BODY_BYTES + 1
    limits = HttpLimits(places=1, waiting=0, bytes_under_way=30 * half)
    endpoint = endpoint_of(done, limits)
    async with serving(endpoint) as service, halves(service, ["half a large body"]) as opened:
        statuses = statuses_of(opened)

        def received() -> int:
            return CROWD - sum(each.done() for each in statuses)

        await until(
            lambda: received() <= 30 and endpoint.load.bytes_under_way == received() * half,
            "the others to be refused",
        )
        assert {each.result() for each in statuses if each.done()} == {503}
        count = received()
        assert count == endpoint.load.reading > 0
        let_pass(limits.body_seconds)
        assert sorted(await asyncio.gather(*statuses)) == [408] * count + [503] * (CROWD - count)
        assert (await service.post(A_CALL)).status_code == 200
        assert endpoint.load.bytes_under_way == 0


@pytest.mark.unmeasured
@pytest.mark.thorough
async def test_many_clients_that_never_read_their_answers_are_all_given_up() -> None:
    async def work(report: Report) -> Message:
        return text_result("x" * 300_000)

    endpoint = endpoint_of(work, HttpLimits(places=64, waiting=CROWD, send_seconds=0.05))

    async def handle(request: web.Request) -> web.StreamResponse:
        # The kernel would take some megabytes off our hands.
        assert request.transport is not None
        request.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        return await endpoint.handle(request)

    app = web.Application()
    app.router.add_post("/mcp", handle)
    allow_connections()
    async with listening(app) as service, AsyncExitStack() as stack:
        opened = []
        for _ in range(CROWD):
            connection = await stack.enter_async_context(connected(service, receive_buffer=4096))
            connection.send(request(A_CALL))
            opened.append(connection)
        answered = await service.post(legacy("ping"))
        assert answered.json()["result"] == {}
        heads = [await connection.head() for connection in opened]
        await until_over(endpoint)
        assert {status for status, _ in heads} == {200}
        assert endpoint.load == EndpointLoad(0, 0, 0, 0)
        assert max([len(await connection.rest()) for connection in opened]) < 300_000


@pytest.mark.unmeasured
async def test_a_client_that_sends_on_and_never_reads_is_given_up() -> None:
    endpoint = endpoint_of(done, HttpLimits(send_seconds=0.05))
    one = request(legacy("ping", request_id="x" * 1000))
    async with serving(endpoint) as service, connected(service, receive_buffer=4096) as connection:
        connection.writer.transport.set_write_buffer_limits(high=0)
        with pytest.raises(ConnectionError):
            for _ in range(100_000):
                connection.send(one)
                await connection.writer.drain()
        assert (await service.post(legacy("ping"))).status_code == 200


# No place is lost.


Outcome = Callable[[Service, Endpoint, Held], Awaitable[None]]


async def leaves_while_working(service: Service, endpoint: Endpoint, held: Held) -> None:
    async with posted(service, A_MODERN_CALL):
        await held.begun()


async def leaves_while_working_legacy(service: Service, endpoint: Endpoint, held: Held) -> None:
    async with posted(service, A_CALL):
        await held.begun()
    held.go_on.set()


async def leaves_the_queue(service: Service, endpoint: Endpoint, held: Held) -> None:
    async with posted(service, A_MODERN_CALL):
        await held.begun()
        async with posted(service, A_MODERN_CALL):
            await one_waits(service, endpoint)


async def both_leave(service: Service, endpoint: Endpoint, held: Held) -> None:
    async with posted(service, A_MODERN_CALL), posted(service, A_MODERN_CALL):
        await held.begun()
        await one_waits(service, endpoint)


async def leaves_the_queue_legacy(service: Service, endpoint: Endpoint, held: Held) -> None:
    async with posted(service, A_MODERN_CALL):
        await held.begun()
        async with posted(service, A_CALL):
            await one_waits(service, endpoint)
    await held.begun()
    held.go_on.set()


async def is_refused(service: Service, endpoint: Endpoint, held: Held) -> None:
    async with posted(service, A_MODERN_CALL):
        await held.begun()
        async with posted(service, A_MODERN_CALL):
            await one_waits(service, endpoint)
            assert is_busy(await service.post(A_CALL))


async def upload_times_out(service: Service, endpoint: Endpoint, held: Held) -> None:
    async with connected(service) as connection:
        await begin(connection, CHUNKED)
        connection.send(b"5\r\n")
        assert held.let_pass is not None
        held.let_pass(endpoint.limits.body_seconds)
        assert (await connection.answer())[0] == 408


async def upload_is_left(service: Service, endpoint: Endpoint, held: Held) -> None:
    async with connected(service) as connection:
        await begin(connection, "Content-Length: 999999")


async def large_call_leaves_the_queue(service: Service, endpoint: Endpoint, held: Held) -> None:
    async with posted(service, A_MODERN_CALL):
        await held.begun()
        async with posted(service, large(A_MODERN_CALL)):
            await one_waits(service, endpoint)


async def chunks_are_broken(service: Service, endpoint: Endpoint, held: Held) -> None:
    assert b" 400 " in (await raw(service, head(CHUNKED + "\r\nConnection: close") + b"no size\r\n"))[:20]


def answered(content: bytes, status: int, headers: dict[str, str] | None = None) -> Outcome:
    async def post(service: Service, endpoint: Endpoint, held: Held) -> None:
        response = await service.http.post(service.url, content=content, headers={**JSON, **(headers or {})})
        assert response.status_code == status, response.text

    return post


OUTCOMES: dict[str, Outcome] = {
    "a modern client leaves while its call is worked on": leaves_while_working,
    "a legacy client leaves while its call is worked on": leaves_while_working_legacy,
    "a modern client leaves the queue": leaves_the_queue,
    "a legacy client leaves the queue": leaves_the_queue_legacy,
    "who works and who waits leave at once": both_leave,
    "a third is refused": is_refused,
    "an upload times out": upload_times_out,
    "an upload is left in the middle": upload_is_left,
    "a large call leaves the queue": large_call_leaves_the_queue,
    "the chunks of a body are broken": chunks_are_broken,
    "a large body does not parse": answered(b"[" * (SMALL_BODY_BYTES + 1), 400),
    "a large body is no request": answered(b"1".ljust(SMALL_BODY_BYTES + 1), 400),
    "a large body asks for something quick": answered(json.dumps(large(legacy("ping"))).encode(), 200),
    "a large body asks for what nobody knows": answered(json.dumps(large(legacy("no/such"))).encode(), 200),
    "a large body is a notification": answered(
        json.dumps(large({"jsonrpc": "2.0", "method": "x"})).encode(), 202
    ),
    "a body is too large": answered(b" " * 2_000_000, 413),
    "a body is compressed": answered(b"x", 415, {"Content-Encoding": "gzip"}),
    "a stream is not acceptable": answered(
        json.dumps(LISTEN).encode(), 406, {**routing(LISTEN), "Accept": "application/json"}
    ),
    "a stream is asked for at length": answered(json.dumps(large(LISTEN)).encode(), 413, routing(LISTEN)),
    "a call names no tool": answered(json.dumps(legacy("tools/call", {})).encode(), 200),
}


@pytest.mark.unmeasured
@pytest.mark.parametrize("outcome", OUTCOMES.values(), ids=OUTCOMES.keys())
async def test_no_place_is_lost_when(let_pass: LetPass, outcome: Outcome) -> None:
    held = Held(let_pass)
    endpoint = endpoint_of(held.work, HttpLimits(places=1, waiting=1), Hub())
    async with serving(endpoint) as service:
        await outcome(service, endpoint, held)
        await until_over(endpoint)
        assert endpoint.load == EndpointLoad(
            working=0, waiting=0, reading=0, open_streams=0, bytes_under_way=0
        )
        held.go_on.set()
        both = await asyncio.gather(service.post(large(A_CALL)), service.post(large(A_CALL)))
        assert [answer.status_code for answer in both] == [200, 200]


async def test_a_call_that_fails_gives_its_place_back() -> None:
    async def fail(report: Report) -> Message:
        raise LookupError

    endpoint = endpoint_of(fail, HttpLimits(places=1, waiting=0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logging.getLogger("protocol.context"), "disabled", True)
        async with serving(endpoint) as service:
            codes = [(await service.post(A_CALL)).json()["error"]["code"] for _ in range(3)]
    assert codes == [-32603] * 3


# Streams.


async def test_streams_over_the_limit_are_told_to_come_again_and_closing_one_makes_room(run: Run) -> None:
    async with run(MAX_OPEN_STREAMS="1") as service:
        async with streaming(service, LISTEN) as events:
            await events.message()
            refused = await service.post(LISTEN, {**BOTH, **routing(LISTEN)})
            assert is_busy(refused)
            assert "MAX_OPEN_STREAMS" in refused.json()["error"]["message"]
            assert (await service.post_modern(modern("tools/list"))).status_code == 200
        async with asyncio.timeout(PATIENCE_S):
            while not await can_listen(service):
                pass


async def can_listen(service: Service) -> bool:
    headers = {**BOTH, **routing(LISTEN)}
    async with service.http.stream("POST", service.url, json=LISTEN, headers=headers) as response:
        return response.status_code == 200


# Nesting, batches.


def nested(depth: int) -> Message:
    """Write a ping whose JSON is nested so deep."""
    value: Any = 1
    for _ in range(depth - 2):
        value = [value]
    return legacy("ping", {"x": value})


async def test_json_may_be_nested_as_deep_as_the_setting_says_and_no_deeper(run: Run) -> None:
    async with run(MAX_JSON_DEPTH="16") as service:
        fits, exceeds = await service.post(nested(16)), await service.post(nested(17))
    assert (fits.status_code, fits.json()["result"]) == (200, {})
    assert (exceeds.status_code, exceeds.json()["error"]["code"]) == (400, -32700)
    assert "MAX_JSON_DEPTH" in exceeds.json()["error"]["message"]


async def test_a_batch_may_have_as_many_messages_as_the_setting_says_and_no_more(run: Run) -> None:
    async with run(MAX_BATCH_SIZE="2") as service:
        fits = await service.post([legacy("ping")] * 2)
        exceeds = await service.post([legacy("ping")] * 3)
    assert len(fits.json()) == 2
    assert (exceeds.status_code, exceeds.json()["error"]["code"]) == (400, -32600)
    assert "MAX_BATCH_SIZE" in exceeds.json()["error"]["message"]
