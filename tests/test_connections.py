"""Connections to the model come back whenever a call is cancelled, in the middle of being given back too."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from stand_in import Says, StandIn

from connections import Connections


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


async def test_a_response_is_closed_to_the_end_though_its_reader_is_cancelled() -> None:
    body = Held()
    inner = httpx.MockTransport(lambda request: httpx.Response(200, stream=body))
    client = httpx.AsyncClient(transport=Connections(inner))
    reading = asyncio.create_task(client.get("http://model.example/"))
    await body.closing.wait()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert not body.closed
    body.go_on.set()
    await client.aclose()
    assert body.closed


async def test_a_connection_comes_back_at_whatever_step_its_call_is_cancelled() -> None:
    payload: dict[str, Any] = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "x"}]}
    transport = httpx.AsyncHTTPTransport(verify=False)
    cancelled = 0
    async with (
        StandIn([Says("one two three")]) as model,
        httpx.AsyncClient(transport=Connections(transport)) as client,
    ):
        for steps in range(120):
            calling = asyncio.create_task(client.post(f"{model.base_url}/chat/completions", json=payload))
            for _ in range(steps):
                await asyncio.sleep(0)
            cancelled += calling.cancel()
            await asyncio.wait([calling])
        # What was being closed has its time to end: another call takes longer.
        assert (await client.post(f"{model.base_url}/chat/completions", json=payload)).status_code == 200
        assert transport._pool._requests == []
    assert cancelled > 10
