"""The transport returns its connections to the pool at whatever moment a call is cancelled."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import httpx
import pytest

from provider.cancel_safe_transport import CancelSafeTransport
from tests.support.manual_time import until
from tests.support.stand_in import PATIENCE_S, StandIn
from tests.support.stand_in_answers import Says


class Held(httpx.AsyncByteStream):
    """A body whose end takes until the test says so."""

    def __init__(self) -> None:
        self.closing, self.go_on = asyncio.Event(), asyncio.Event()
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"all of it"

    async def aclose(self) -> None:
        self.closing.set()
        await self.go_on.wait()
        self.closed = True


async def test_a_response_is_closed_completely_though_its_reader_is_cancelled() -> None:
    body = Held()
    inner = httpx.MockTransport(lambda request: httpx.Response(200, stream=body))
    client = httpx.AsyncClient(transport=CancelSafeTransport(inner))
    reading = asyncio.create_task(client.get("http://model.example/"))
    await body.closing.wait()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert not body.closed
    body.go_on.set()
    await client.aclose()
    assert body.closed


class Line:
    """A server on a real socket that speaks as the test says, and counts what clients send and close."""

    def __init__(self) -> None:
        self.port = self.heard = self.closed = 0
        self._writers: list[asyncio.StreamWriter] = []

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Line]:
        server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        async with server:
            yield self

    def say(self, words: bytes) -> None:
        for writer in self._writers:
            writer.write(words)

    def end(self) -> None:
        """Send nothing more, and wait for the client's end."""
        for writer in self._writers:
            writer.write_eof()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        try:
            while await reader.read(65_536):
                self.heard += 1
        except ConnectionError:
            pass  # an aborted connection is a closed one
        self.closed += 1
        writer.close()


def _all_is_back(pool: Any) -> bool:
    return not pool._requests and all(connection.is_idle() for connection in pool.connections)


@pytest.fixture
def uncollected() -> Iterator[None]:
    """No garbage is collected: what is closed in time is closed by somebody."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.unmeasured
@pytest.mark.parametrize("times", [1, 2, 3])
async def test_a_connection_returns_to_the_pool_at_whatever_step_its_call_is_cancelled(times: int) -> None:
    payload: dict[str, Any] = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "x"}]}
    tls = httpx.create_ssl_context(verify=False)  # takes longer than all the rest of a turn
    cancelled = 0
    async with StandIn([Says("one two three")]) as model:
        for steps in range(120):
            transport = httpx.AsyncHTTPTransport(verify=tls)
            async with httpx.AsyncClient(transport=CancelSafeTransport(transport)) as client:
                calling = asyncio.create_task(client.post(f"{model.base_url}/chat/completions", json=payload))
                for _ in range(steps):
                    await asyncio.sleep(0)
                for _ in range(times):  # each comes while what the one before has begun is under way
                    cancelled += calling.cancel()
                    await asyncio.sleep(0)
                await asyncio.wait([calling])
                # Without another call, whose coming would have them closed as well.
                async with asyncio.timeout(PATIENCE_S):
                    await until(partial(_all_is_back, transport._pool), "all connections to be given back")
    assert cancelled > 10


@pytest.mark.usefixtures("uncollected")
async def test_a_cancelled_tls_handshake_closes_its_socket() -> None:
    transport = httpx.AsyncHTTPTransport(verify=False)
    async with Line().open() as line, httpx.AsyncClient(transport=CancelSafeTransport(transport)) as client:
        async with asyncio.timeout(PATIENCE_S):
            calling = asyncio.create_task(client.get(f"https://127.0.0.1:{line.port}/"))
            await until(lambda: line.heard == 1, "the call to come in")
            calling.cancel()
            await asyncio.wait([calling])
            await until(lambda: line.closed == 1, "the socket to be closed")
        assert transport._pool.connections == []


@pytest.mark.usefixtures("uncollected")
async def test_all_connections_that_the_server_closed_are_closed_though_the_next_call_is_cancelled() -> None:
    kept = 4
    transport = httpx.AsyncHTTPTransport(verify=False)
    async with Line().open() as line, httpx.AsyncClient(transport=CancelSafeTransport(transport)) as client:
        async with asyncio.timeout(PATIENCE_S):
            url = f"http://127.0.0.1:{line.port}/"
            calls = [asyncio.create_task(client.get(url)) for _ in range(kept)]
            await until(lambda: line.heard == kept, f"{kept} calls to come in")
            line.say(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await asyncio.wait(calls)
            line.end()
            await until(
                lambda: all(each.has_expired() for each in transport._pool.connections),
                "the server's end of all connections to be noticed",
            )
            assert len(transport._pool.connections) == kept
            calling = asyncio.create_task(client.get(url))
            await until(lambda: len(transport._pool.connections) != kept, "the next call to drop connections")
            calling.cancel()
            await asyncio.wait([calling])
            await until(lambda: line.closed == kept, f"{kept} sockets to be closed")
        assert transport._pool.connections == []


async def test_a_reader_that_is_cancelled_twice_closes_its_socket() -> None:
    transport = httpx.AsyncHTTPTransport(verify=False)
    begun = asyncio.Event()
    async with Line().open() as line, httpx.AsyncClient(transport=CancelSafeTransport(transport)) as client:

        async def read() -> None:
            async with client.stream("GET", f"http://127.0.0.1:{line.port}/") as response:
                async for _ in response.aiter_raw():
                    begun.set()

        async with asyncio.timeout(PATIENCE_S):
            reading = asyncio.create_task(read())
            await until(lambda: line.heard == 1, "the call to come in")
            line.say(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nnot all")
            await begun.wait()
            for _ in range(2):
                reading.cancel()
                await asyncio.sleep(0)
            await asyncio.wait([reading])
            await until(lambda: line.closed == 1, "the socket to be closed")
        assert transport._pool.connections == []
