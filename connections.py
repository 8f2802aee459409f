"""Connections to the model's API that are given back whoever is cancelled meanwhile.

httpcore gives a connection back in several awaits, and shields them from anyio's cancellation alone. A task of asyncio that is
cancelled just then leaves its connection taken for ever, and with enough of them no call gets one any more.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import httpx


class Connections(httpx.AsyncBaseTransport):
    """A transport over another, whose responses are closed to the end, in a task that nobody cancels."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner
        self._closing: set[asyncio.Task[None]] = set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
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

    async def to_the_end(self, closing: Coroutine[Any, Any, None]) -> None:
        """Await something that goes on even where whoever awaits it is cancelled."""
        task = asyncio.create_task(closing)
        self._closing.add(task)  # the loop alone would forget it
        task.add_done_callback(self._closing.discard)
        await asyncio.shield(task)


class _Stream(httpx.AsyncByteStream):
    def __init__(self, inner: Any, connections: Connections) -> None:
        self._inner = inner
        self._connections = connections

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._inner:
            yield part

    async def aclose(self) -> None:
        await self._connections.to_the_end(self._inner.aclose())
