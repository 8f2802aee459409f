"""Connections to the model's API that are given back whoever is cancelled meanwhile.

httpcore takes a connection and gives it back in several awaits, and shields them from anyio's cancellation alone. A task of
asyncio that is cancelled just then leaves its connection open and taken for ever: the process runs out of files, and before
that no connection is kept for a next call, since those count as kept. Cancelled in a TLS handshake, it leaves the socket open.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable, Mapping
from typing import Any

import httpx


class Connections(httpx.AsyncBaseTransport):
    """A transport over another, whose connections are given back to the end, in a task that nobody cancels."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner
        # httpx has no word for it; a transport without connections has none.
        self._pool: Any = getattr(inner, "_pool", None)
        self._closing: set[asyncio.Task[None]] = set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions = {**request.extensions, "trace": _Handshake()}
        await self.reclaim()  # or httpcore would, where a cancellation leaves the others open
        try:
            response = await self._inner.handle_async_request(request)
        except asyncio.CancelledError:
            await self.reclaim()
            raise
        return httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=_Stream(response.stream, self),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        if self._closing:
            await asyncio.wait(self._closing)
        await self._inner.aclose()

    async def reclaim(self) -> None:
        """Close what cancelled requests have left and what is kept no longer, and make its places free."""
        if self._pool is None:
            return
        taken = {id(request.connection) for request in self._pool._requests}  # noqa: SLF001 - httpcore has no word for it
        free = [each for each in self._pool.connections if id(each) not in taken]
        left = [each for each in free if each.has_expired() or not each.is_idle()]
        for connection in left:
            self._pool._connections.remove(connection)  # noqa: SLF001
        if left:
            await self.to_the_end(_close_all(left))

    async def to_the_end(self, closing: Coroutine[Any, Any, None]) -> None:
        """Await something that goes on even where whoever awaits it is cancelled."""
        task = asyncio.create_task(closing)
        self._closing.add(task)  # the loop alone would forget it
        task.add_done_callback(self._closing.discard)
        await asyncio.shield(task)


async def _close_all(connections: Iterable[Any]) -> None:
    for connection in connections:
        await connection.aclose()


class _Stream(httpx.AsyncByteStream):
    def __init__(self, inner: Any, connections: Connections) -> None:
        self._inner = inner
        self._connections = connections

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._inner:
            yield part

    async def aclose(self) -> None:
        await self._connections.to_the_end(self._close())

    async def _close(self) -> None:
        await self._inner.aclose()
        await self._connections.reclaim()


class _Handshake:
    """Hears how a request goes (httpcore's "trace"), and closes its socket where the TLS handshake was cut.

    httpcore does so only where it failed; what is cancelled would wait for the collector, which is rare here.
    """

    def __init__(self) -> None:
        self._stream: Any = None

    async def __call__(self, event: str, info: Mapping[str, Any]) -> None:
        if event == "connection.connect_tcp.complete":
            self._stream = info["return_value"]
        elif event == "connection.start_tls.failed":
            await self._stream.aclose()
