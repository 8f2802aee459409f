"""One client's connection: closed on one side or on both, and what goes over it that is no request."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from itertools import accumulate
from typing import Any

import pytest
from multidict import CIMultiDict

from protocol.methods import Server
from protocol.subscriptions import Hub
from tests.support.manual_time import LetPass, until
from tests.support.messages import Message, call, legacy, modern, routing
from tests.support.service import PATIENCE_S, Run, Service
from tests.support.wire import (
    Connection,
    Report,
    connected,
    endpoint_of,
    head,
    raw,
    request,
    serving,
    text_result,
    until_over,
)
from tests.test_limits import CHUNKED, Held, chunked, plain
from transport import connection as http_connection
from transport.auth import Access, Keys
from transport.connection import CONTINUE, PROBE_AFTER_SECONDS
from transport.http_limits import HttpLimits
from transport.read_turns import PIECES_PER_TURN, GoOn, ReadTurns
from transport.refusals import unavailable

pytestmark = pytest.mark.usefixtures("nothing_is_logged_as_a_fault")

PING = request(legacy("ping"))
A_CALL = legacy("tools/call", call("x"))
A_MODERN_CALL = modern("tools/call", call("x"))
WRITE = {"legacy": request(A_CALL), "modern": request(A_MODERN_CALL, routing(A_MODERN_CALL))}
KEYS = ("the-key-of-the-first", "the-key-of-the-second")
HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
LISTEN = modern("subscriptions/listen", {"notifications": {"toolsListChanged": True}})


async def answered(service: Service, data: bytes) -> bytes:
    """Send bytes and close the sending side; return the answers up to the end of the connection."""
    async with connected(service) as connection:
        connection.send(data)
        connection.writer.write_eof()
        return await connection.rest()


def without_interim(answer: bytes) -> bytes:
    while answer.startswith(CONTINUE):
        answer = answer.removeprefix(CONTINUE)
    return answer


# A client that closes its sending side.


@pytest.mark.parametrize("data", [PING, HEALTH, PING * 3, PING + HEALTH])
async def test_a_client_that_sends_no_more_gets_every_answer_and_the_end(run: Run, data: bytes) -> None:
    async with run() as service:
        answer = await answered(service, data)
    assert without_interim(answer).count(b"HTTP/1.1 200 OK\r\n") == data.count(b" HTTP/1.1\r\n")


@pytest.mark.parametrize("era", WRITE)
async def test_a_call_goes_on_for_a_client_that_sends_no_more(era: str) -> None:
    held = Held()
    async with serving(endpoint_of(held.work)) as service, connected(service) as connection:
        connection.send(WRITE[era])
        connection.writer.write_eof()
        await held.begun()
        # It is asked whether it is still there, and is.
        async with asyncio.timeout(PATIENCE_S):
            assert await connection.reader.readexactly(2 * len(CONTINUE)) == 2 * CONTINUE
        held.go_on.set()
        answer = without_interim(await connection.rest())
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b'"text":"done"' in answer


async def test_an_http_1_0_client_is_not_probed(let_pass: LetPass) -> None:
    # RFC 9110, 15.2: "A server MUST NOT send a 1xx response to an HTTP/1.0 client."
    held = Held()
    async with serving(endpoint_of(held.work)) as service, connected(service) as connection:
        connection.send(request(A_CALL).replace(b"HTTP/1.1", b"HTTP/1.0"))
        connection.writer.write_eof()
        await held.begun()
        for seconds in PROBE_AFTER_SECONDS:
            let_pass(seconds)
            await service.post(legacy("ping"))
        held.go_on.set()
        answer = await connection.rest()
    assert answer.startswith(b"HTTP/1.0 200 OK\r\n")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        PING[:20],
        PING[:-5],
        head(CHUNKED) + b"40\r\n{",
        head("Content-Length: 500000") + b" " * 400_000,
        PING.replace(b"}", b"", 1)[:-1],
    ],
)
async def test_what_can_never_become_whole_is_closed_at_once(data: bytes) -> None:
    endpoint = endpoint_of(Held().work)
    async with serving(endpoint) as service:
        assert await answered(service, data) == b""
        await until_over(endpoint)
        assert endpoint.load.bytes_under_way == 0


async def test_no_probe_falls_into_an_answer_that_begins_at_the_same_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    probe_client = http_connection.Connection._probe_client

    def probe_and_answer(self: http_connection.Connection, number: int) -> None:
        probe_client(self, number)
        request = self._current_request
        if number == 0 and request is not None:
            at_once(request.writer.write_headers("HTTP/1.1 200 OK", CIMultiDict(Answer="begun")))
            at_once(request.writer.write(b"and goes on"))

    monkeypatch.setattr(http_connection.Connection, "_probe_client", probe_and_answer)
    held = Held()
    async with serving(endpoint_of(held.work)) as service, connected(service) as connection:
        connection.send(WRITE["legacy"])
        connection.writer.write_eof()
        await held.begun()
        read = await until_read(connection, b"and goes on")
        held.go_on.set()
        read += await connection.rest()
    assert b'"text":"done"' in read
    assert CONTINUE not in read


def at_once(writing: Coroutine[Any, Any, None]) -> None:
    """Run what waits for nobody."""
    with pytest.raises(StopIteration):
        writing.send(None)


async def test_a_stream_goes_on_for_a_client_that_sends_no_more() -> None:
    hub = Hub()
    endpoint = endpoint_of(Held().work, hub=hub)
    async with serving(endpoint) as service, connected(service) as connection:
        connection.send(request(LISTEN, {**routing(LISTEN), "Accept": "text/event-stream, application/json"}))
        connection.writer.write_eof()
        assert without_interim(await until_read(connection, b": ping")).startswith(b"HTTP/1.1 200 OK\r\n")
        hub.publish("toolsListChanged", {})
        assert b"list_changed" in await until_read(connection, b"list_changed")


async def until_read(connection: Connection, what: bytes) -> bytes:
    read = b""
    async with asyncio.timeout(PATIENCE_S):
        while what not in read:
            read += await connection.reader.read(65_536)
    return read


# A client that closes all of it: the same to see, until something is sent.


async def test_a_modern_call_whose_client_has_gone_is_cancelled() -> None:
    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def work(report: Report) -> Message:
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return text_result("never")

    async with serving(endpoint_of(work)) as service:
        async with connected(service) as connection:
            connection.send(WRITE["modern"])
            async with asyncio.timeout(PATIENCE_S):
                await begun.wait()
            assert not cancelled.is_set()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                await cancelled.wait()
        assert cancelled.is_set()


# Whole URLs as targets.


@pytest.mark.parametrize(
    "target, host, status",
    [
        ("/mcp", "localhost", 200),
        ("http://localhost/mcp", "localhost", 200),
        ("http://localhost:8007/mcp", "evil.example", 200),
        ("http://evil.example/mcp", "localhost", 421),
        ("http://localhost@evil.example/mcp", "localhost", 421),
        ("https://evil.example:443/mcp", "localhost", 421),
        ("http://localhost.evil.example/mcp", "localhost", 421),
    ],
)
async def test_the_host_of_a_whole_url_replaces_the_header(
    run: Run, target: str, host: str, status: int
) -> None:
    data = PING.replace(b"/mcp", target.encode(), 1).replace(b"Host: localhost", f"Host: {host}".encode())
    async with run() as service:
        answer = await answered(service, data)
        metrics = await answered(
            service,
            f"GET {target.replace('/mcp', '/metrics')} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode(),
        )
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())
    assert metrics.startswith(f"HTTP/1.1 {status} ".encode())


async def test_a_whole_url_needs_its_host_header_all_the_same(run: Run) -> None:
    data = PING.replace(b"POST /mcp", b"POST http://localhost/mcp").replace(b"Host: localhost\r\n", b"")
    async with run() as service:
        assert b" 400 Bad Request" in await answered(service, data)


# What aiohttp says.

AIOHTTPS_OWN = {
    "no HTTP": b"GARBAGE\r\n\r\n",
    "a line too long": b"POST /mcp HTTP/1.1\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",
    "no such path": b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n",
    "no such method": b"POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
    "an expectation": b"GET /health HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n",
    "CONNECT": b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
}
OURS = {
    "an answer": PING,
    "a refusal": PING.replace(b"localhost", b"evil.example"),
    "health": HEALTH,
    "metrics": HEALTH.replace(b"/health", b"/metrics"),
}


@pytest.mark.parametrize("data", [*AIOHTTPS_OWN.values(), *OURS.values()], ids=[*AIOHTTPS_OWN, *OURS])
async def test_no_answer_names_the_software(run: Run, data: bytes) -> None:
    async with run() as service:
        answer = await answered(service, data)
    assert answer.startswith(b"HTTP/1.")
    assert not re.search(rb"(?i)server:|python|aiohttp|llhttp", answer)


@pytest.mark.parametrize(
    "name, said", [("no HTTP", "expected HTTP/1.1"), ("a line too long", "MAX_HEADER_BYTES")]
)
async def test_what_is_no_http_is_refused_in_json_rpc(run: Run, name: str, said: str) -> None:
    async with run() as service:
        head, _, body = (await raw(service, AIOHTTPS_OWN[name])).partition(b"\r\n\r\n")
    assert b" 400 " in head
    refused = json.loads(body)
    assert (refused["id"], refused["error"]["code"]) == (None, -32600)
    assert said in refused["error"]["message"]


async def test_a_handler_that_fails_says_so_and_no_more(caplog: pytest.LogCaptureFixture) -> None:
    endpoint = endpoint_of(Held().work, HttpLimits())
    endpoint.access, endpoint.keys = Access(None, ()), Broken(())
    async with serving(endpoint) as service:
        answer = await service.post(legacy("ping"))
    assert (answer.status_code, answer.json()["id"]) == (500, None)
    assert answer.json()["error"] == {"code": -32603, "message": "Internal error"}
    assert "secret" in caplog.text
    caplog.clear()


class Broken(Keys):
    def owner_of(self, headers: object) -> str:
        raise LookupError("secret")


@pytest.mark.parametrize(
    "chunk, most",
    [
        (1, http_connection.CHUNKY_READ_BYTES),
        (50, http_connection.CHUNKY_READ_BYTES),
        (80, http_connection.READ_BYTES),
        (4_000, http_connection.READ_BYTES),
    ],
)
async def test_little_is_taken_from_a_socket_at_once_and_parsed_once(
    service: Service, monkeypatch: pytest.MonkeyPatch, chunk: int, most: int
) -> None:
    taken = []
    parse = http_connection.Connection.data_received

    def count(self: http_connection.Connection, data: bytes) -> None:
        taken.append(len(data))
        parse(self, data)

    monkeypatch.setattr(http_connection.Connection, "data_received", count)
    body = json.dumps(legacy("ping")).encode().rjust(60_000)
    pieces = [body[at : at + chunk] for at in range(0, len(body), chunk)]
    wire = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    answer = await answered(service, head(CHUNKED) + wire)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert max(taken) <= http_connection.READ_BYTES
    # The first piece, or the first after the head, shows how the body comes.
    assert max(taken[2:]) <= most
    assert taken.count(0) <= len(wire) / most


async def test_of_pipelined_requests_the_next_is_read_when_the_one_before_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: dict[http_connection.Connection, int] = {}
    parse = http_connection.Connection.data_received

    def count(self: http_connection.Connection, data: bytes) -> None:
        taken[self] = taken.get(self, 0) + len(data)
        parse(self, data)

    monkeypatch.setattr(http_connection.Connection, "data_received", count)
    held, number = Held(), 60
    one = request(legacy("tools/call", call("x" * 200_000)))
    async with serving(endpoint_of(held.work)) as service, connected(service) as connection:
        connection.send(one * number)
        await held.begun()
        (served,) = taken
        await until(lambda: not is_read(served), "its socket to be left alone")
        # The first, and the beginning of the second.
        assert len(one) <= taken[served] <= len(one) + 2 * http_connection.READ_BYTES
        held.go_on.set()
        assert [(await connection.answer())[0] for _ in range(number)] == [200] * number
        assert taken[served] == number * len(one)


def is_read(connection: http_connection.Connection) -> bool:
    assert connection.transport is not None
    return connection.transport.is_reading()


async def test_reading_is_not_paused_for_one_request_after_the_other(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    paused = []
    pause = http_connection.Connection._pause_reading_for_buffer

    def note(self: http_connection.Connection) -> None:
        paused.append(self)
        pause(self)

    monkeypatch.setattr(http_connection.Connection, "_pause_reading_for_buffer", note)
    async with connected(service) as connection:
        for _ in range(3):
            connection.send(PING)
            assert (await connection.answer())[0] == 200
    assert not paused


def count_taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the size of each piece of bytes that a connection takes from its socket."""
    taken: list[int] = []
    parse = http_connection.Connection.data_received

    def count(self: http_connection.Connection, data: bytes) -> None:
        taken.append(len(data))
        parse(self, data)

    monkeypatch.setattr(http_connection.Connection, "data_received", count)
    return taken


@pytest.mark.unmeasured
async def test_of_a_body_whose_length_is_announced_more_is_taken_at_once_but_little_after_its_end(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = count_taken(monkeypatch)
    one = request(legacy("tools/call", call("x" * 300_000)))
    answer = await answered(service, one + PING * 1_000)
    assert answer.count(b"HTTP/1.1 200 ") == 1_001
    ends = list(accumulate(taken))
    assert http_connection.READ_BYTES < max(taken) <= http_connection.LONG_READ_BYTES
    assert min(end for end in ends if end >= len(one)) <= len(one) + http_connection.READ_BYTES
    assert (
        max(size for size, end in zip(taken, ends, strict=True) if end > len(one))
        <= http_connection.READ_BYTES
    )


async def test_a_client_that_is_told_that_its_connection_ends_may_send_on_what_it_had_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """RFC 9112, 9.6: "the server performs a lingering close": it closes its own side, and reads what the client still sends."""
    served = connections_served(monkeypatch)
    endpoint = endpoint_of(Held().work, HttpLimits(bytes_under_way=300_000))
    async with serving(endpoint) as service, connected(service) as connection:
        connection.send(head("Content-Length: 500000"))
        assert (await connection.answer())[0] == 503
        assert await connection.rest() == b""
        assert served[0].transport is not None
        connection.send(b" " * 500_000)
        await connection.writer.drain()
        await until(lambda: served[0].transport is None, "the end of the connection")
        assert not connection.writer.is_closing()


def connections_served(monkeypatch: pytest.MonkeyPatch) -> list[http_connection.Connection]:
    """Return a list that gets each connection of the service."""
    served: list[http_connection.Connection] = []
    begin = http_connection.Connection.connection_made

    def note(self: http_connection.Connection, transport: asyncio.BaseTransport) -> None:
        served.append(self)
        begin(self, transport)

    monkeypatch.setattr(http_connection.Connection, "connection_made", note)
    return served


async def test_a_client_that_has_left_unnoticed_is_refused_without_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen, served = asyncio.Event(), connections_served(monkeypatch)

    async def choose(_: object) -> Server:
        await chosen.wait()
        raise unavailable("no server")

    endpoint = replace(endpoint_of(Held().work), servers_of_paths={"/mcp": choose})
    async with serving(endpoint) as service:
        async with connected(service) as connection:
            # Nobody takes the body, so that reading has stopped, and the end of the connection is not seen.
            connection.send(head("Content-Length: 900000") + b" " * 600_000)
            await until(lambda: bool(served) and not is_read(served[0]), "its socket to be left alone")
        chosen.set()
        await until(lambda: served[0].transport is None, "the end of the connection")


async def test_what_a_refused_request_still_sends_is_taken_in_long_pieces(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that has not sent its body when the time for it is over gets a reset, and not the refusal."""
    taken = count_taken(monkeypatch)
    body = b" " * 1_000_000
    async with connected(service) as connection:
        connection.send(head(f"Content-Length: {len(body)}", {"Content-Encoding": "gzip"}) + body[:1_000])
        assert (await connection.answer())[0] == 415
        taken.clear()
        connection.send(body[1_000:] + PING)
        assert (await connection.answer())[0] == 200
    # The first was asked for before anything was refused.
    assert http_connection.READ_BYTES < max(taken[1:]) <= http_connection.LONG_READ_BYTES
    assert taken[-1] <= http_connection.READ_BYTES


class Turns:
    """Counts, in each turn of the event loop, the pieces that connections take of bodies that go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pieces: Counter[int] = Counter()
        self._turn = 0
        self._begun: set[http_connection.Connection] = set()
        parse = http_connection.Connection.data_received

        def count(connection: http_connection.Connection, data: bytes) -> None:
            # The first piece has the head: which request it is of is not known before.
            if connection in self._begun and len(data) >= http_connection.READ_BYTES:
                self.pieces[self._turn] += 1
            self._begun.add(connection)
            parse(connection, data)

        monkeypatch.setattr(http_connection.Connection, "data_received", count)

    @asynccontextmanager
    async def counted(self) -> AsyncIterator[None]:
        async def count() -> None:
            while True:
                self._turn += 1
                await asyncio.sleep(0)

        counting = asyncio.create_task(count())
        try:
            yield
        finally:
            counting.cancel()


async def connections_to(service: Service, number: int, stack: AsyncExitStack) -> list[Connection]:
    return [await stack.enter_async_context(connected(service)) for _ in range(number)]


LONG_PING = json.dumps(legacy("ping", {"padding": "x" * 200_000})).encode()


@pytest.mark.parametrize("write", [plain, chunked])
async def test_of_bodies_that_come_at_the_same_time_a_few_pieces_are_read_in_a_turn_of_the_event_loop(
    service: Service, monkeypatch: pytest.MonkeyPatch, write: Callable[[bytes], bytes]
) -> None:
    turns = Turns(monkeypatch)
    async with turns.counted(), AsyncExitStack() as stack:
        clients = await connections_to(service, 40, stack)
        for client in clients:
            client.send(write(LONG_PING))
        answers = [await client.answer() for client in clients]
    assert {status for status, *_ in answers} == {200}
    assert 1 < max(turns.pieces.values()) <= PIECES_PER_TURN


async def test_bodies_that_stop_half_way_keep_none_from_being_read(service: Service) -> None:
    async with AsyncExitStack() as stack:
        for client in await connections_to(service, 3 * PIECES_PER_TURN, stack):
            client.send(plain(LONG_PING)[:100_000])
        (other,) = await connections_to(service, 1, stack)
        other.send(plain(LONG_PING))
        assert (await other.answer())[0] == 200


async def test_clients_that_leave_while_their_bodies_wait_to_be_read_on_keep_none_from_being_read(
    service: Service,
) -> None:
    async with AsyncExitStack() as stack:
        for client in await connections_to(service, 3 * PIECES_PER_TURN, stack):
            client.send(plain(LONG_PING)[:-1])
            client.writer.transport.abort()
        (other,) = await connections_to(service, 1, stack)
        other.send(plain(LONG_PING))
        assert (await other.answer())[0] == 200


@pytest.mark.parametrize("given", [(), KEYS])
async def test_bodies_are_read_in_turns_of_the_keys_that_they_come_with(
    run: Run, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...]
) -> None:
    owners = set()
    reads_on = ReadTurns.reads_on

    def note(self: ReadTurns, number: int, owner: str, go_on: GoOn) -> bool:
        owners.add(owner)
        return reads_on(self, number, owner, go_on)

    monkeypatch.setattr(ReadTurns, "reads_on", note)
    async with run(MCP_SUMMARIZER_API_KEYS=",".join(given)) as service, AsyncExitStack() as stack:
        for key, status in (*((key, 200) for key in given), ("another-key", 401 if given else 200)):
            (client,) = await connections_to(service, 1, stack)
            client.send(plain(LONG_PING, {"Authorization": f"Bearer {key}"}))
            assert (await client.answer())[0] == status
    headers = (CIMultiDict(Authorization=f"Bearer {key}") for key in given)
    assert owners == {"", *map(Keys(given).owner_of, headers)}


def test_it_is_seen_whether_anything_has_come_of_a_body() -> None:
    there, here = socket.socketpair()

    def has_come() -> bool:
        return http_connection._has_come(here.fileno(), if_unknown=False)

    with there, here:
        assert not has_come()
        there.send(b"x")
        assert has_come()
        here.recv(1)
        assert not has_come()
        there.close()
        assert has_come()


async def test_bodies_that_never_end_keep_none_from_being_read(service: Service) -> None:
    async def send_on(client: Connection) -> None:
        with suppress(ConnectionError):
            client.send(head(CHUNKED))
            while True:
                client.send(b"1\r\n \r\n" * 1_000)
                await client.writer.drain()

    async with AsyncExitStack() as stack:
        senders = await connections_to(service, 3 * PIECES_PER_TURN, stack)
        sending = [asyncio.create_task(send_on(sender)) for sender in senders]
        (other,) = await connections_to(service, 1, stack)
        for one in sending:
            stack.callback(one.cancel)
        other.send(plain(LONG_PING))
        answer = await other.answer()
    assert answer[0] == 200
