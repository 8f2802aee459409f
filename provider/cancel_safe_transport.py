"""An httpx transport whose connections return to the pool even when a call is cancelled.

httpcore takes a connection from its pool and returns it over several awaits, and shields these only from anyio's cancellation.
An asyncio task that is cancelled just then leaves its connection open and in use for ever: the process runs out of file
descriptors, and before that keep-alive ends, since leaked connections count as kept. A task that is cancelled during a TLS
handshake leaves the socket open.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable, Mapping
from typing import Any

import httpx


class CancelSafeTransport(httpx.AsyncBaseTransport):
    """Wraps a transport; closes and returns its connections in tasks that the caller's cancellation does not reach."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner
        # httpx has no public name for the pool; a transport without connections has no pool.
        self._pool: Any = getattr(inner, "_pool", None)
        self._closing: set[asyncio.Task[None]] = set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions = {**request.extensions, "trace": _HandshakeGuard()}
        await (
            self.reclaim()
        )  # httpcore does this too, but a cancellation there would leave the other connections open
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
        """Remove the connections that cancelled requests leaked, and the expired ones, from the pool and close them."""
        if self._pool is None:
            return
        in_use = {id(request.connection) for request in self._pool._requests}  # noqa: SLF001 - httpcore has no public name
        unused = [each for each in self._pool.connections if id(each) not in in_use]
        stale = [each for each in unused if each.has_expired() or not each.is_idle()]
        for connection in stale:
            self._pool._connections.remove(connection)  # noqa: SLF001
        if stale:
            await self.finish(_close_all(stale))

    async def finish(self, closing: Coroutine[Any, Any, None]) -> None:
        """Await a coroutine that runs to its end even if the caller is cancelled."""
        task = asyncio.create_task(closing)
        self._closing.add(task)  # the event loop keeps only a weak reference
        task.add_done_callback(self._closing.discard)
        await asyncio.shield(task)


async def _close_all(connections: Iterable[Any]) -> None:
    for connection in connections:
        await connection.aclose()


class _Stream(httpx.AsyncByteStream):
    def __init__(self, inner: Any, transport: CancelSafeTransport) -> None:
        self._inner = inner
        self._transport = transport

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._inner:
            yield part

    async def aclose(self) -> None:
        await self._transport.finish(self._close())

    async def _close(self) -> None:
        await self._inner.aclose()
        await self._transport.reclaim()


class _HandshakeGuard:
    """Follows a request's events (httpcore's "trace" extension) and closes its socket if the TLS handshake is cancelled.

    httpcore closes it only if the handshake fails; a cancelled one would wait for the garbage collector, which rarely runs
    here.
    """

    def __init__(self) -> None:
        self._stream: Any = None

    async def __call__(self, event: str, info: Mapping[str, Any]) -> None:
        if event == "connection.connect_tcp.complete":
            self._stream = info["return_value"]
        elif event == "connection.start_tls.failed":
            await self._stream.aclose()
