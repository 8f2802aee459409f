"""Sessions of an isolated server share no connection; idle ones are closed, and no more than a number of them are open."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest

from concurrency.worker_threads import open_worker
from gateway.server_spec import ServerSpec
from gateway.upstream import session_connections
from gateway.upstream.errors import UpstreamError
from gateway.upstream.session_connections import (
    IDLE_SECONDS,
    SessionConnections,
    open_session_connections,
)
from gateway.upstream.upstream_server import open_upstream
from tests.support.manual_time import until
from tests.support.upstream_http import Hangs, HttpStandIn, Says
from tests.support.upstreams import CLIENT_INFO, isolated_server


class Hand:
    """A clock, and waits for it, that a test lets pass."""

    def __init__(self) -> None:
        self.now = 0.0
        self._looks = asyncio.Event()

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        await self._looks.wait()
        self._looks = asyncio.Event()

    def let_pass(self, seconds: float) -> None:
        self.now += seconds
        self._looks.set()


@asynccontextmanager
async def isolated(server: HttpStandIn, hand: Hand) -> AsyncIterator[SessionConnections]:
    async with open_worker(1) as worker:
        open_one = partial(
            open_upstream,
            ServerSpec("browser", url=server.url),
            environment={},
            worker=worker,
            client_info=CLIENT_INFO,
            clock=hand.clock,
            sleep=hand.sleep,
        )
        async with open_session_connections(
            "browser", open_one, clock=hand.clock, sleep=hand.sleep
        ) as connections:
            yield connections


async def called(
    connections: SessionConnections, session: str, arguments: dict[str, Any] | None = None
) -> Any:
    """Return what `echo` answers over a session's connection."""
    async with connections.of(session) as upstream:
        result = await upstream.call("echo", arguments or {})
    return json.loads(result["content"][0]["text"])


def legacy_sessions(server: HttpStandIn) -> list[str | None]:
    """Return the session ids of the calls, as the server got them."""
    return [sent.get("mcp-session-id") for sent in server.headers_of("tools/call")]


def a_server() -> HttpStandIn:
    return HttpStandIn(era="legacy")


async def test_each_session_has_a_connection_of_its_own_and_keeps_it() -> None:
    async with a_server() as server, isolated(server, Hand()) as connections:
        for session in ("alice", "bob", "alice"):
            assert await called(connections, session, {"a": 1}) == {"a": 1}
        one, two, three = legacy_sessions(server)
        assert one == three
        assert one != two


async def test_a_resource_is_read_over_the_connection_of_its_session() -> None:
    async with a_server() as server, isolated(server, Hand()) as connections:
        server.script["resources/read"] = [Says({"contents": []}) for _ in range(2)]
        await called(connections, "alice")
        for session in ("alice", "bob"):
            async with connections.of(session) as upstream:
                await upstream.request("resources/read", {"uri": "a:b"})
        (of_call,) = legacy_sessions(server)
        alice, bob = (sent["mcp-session-id"] for sent in server.headers_of("resources/read"))
        assert alice == of_call != bob


async def test_two_first_calls_of_a_session_open_one_connection() -> None:
    async with a_server() as server, isolated(server, Hand()) as connections:
        await asyncio.gather(*(called(connections, "alice") for _ in range(5)))
        assert len(set(legacy_sessions(server))) == 1


async def test_an_idle_connection_is_closed_and_the_next_call_opens_another() -> None:
    hand = Hand()
    async with a_server() as server, isolated(server, hand) as connections:
        await called(connections, "alice")
        hand.let_pass(IDLE_SECONDS - 1)
        await called(connections, "bob")
        hand.let_pass(1)
        await until(lambda: any("DELETE" in line for line in server.log), "an idle connection that is closed")
        await called(connections, "bob")
        await called(connections, "alice")
        alice, bob, bob_again, alice_again = legacy_sessions(server)
        assert bob == bob_again
        assert alice != alice_again


async def test_the_longest_idle_connection_makes_room_and_none_that_is_in_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session_connections, "MAX_SESSIONS", 2)
    hand = Hand()
    async with a_server() as server, isolated(server, hand) as connections:
        for session in ("alice", "bob", "carol", "bob", "alice"):
            hand.now += 1
            await called(connections, session)
        alice, bob, _, bob_again, alice_again = legacy_sessions(server)
        assert bob == bob_again
        assert alice != alice_again
        server.script["tools/call"] = [Hangs(), Hangs()]
        hanging = [asyncio.create_task(called(connections, each)) for each in ("alice", "bob")]
        await until(lambda: len(server.sent("tools/call")) == 7, "two calls that hang")
        with pytest.raises(UpstreamError, match="2 keys or sessions use it already"):
            await called(connections, "dave")
        for each in hanging:
            each.cancel()
        await asyncio.wait(hanging)


async def test_the_rate_is_that_of_all_sessions_together() -> None:
    async with (
        a_server() as server,
        isolated_server({"url": server.url, "max_calls_per_minute": 2}) as running,
    ):
        for session in ("alice", "bob"):
            async with running.connection("test", "", session) as upstream:
                await upstream.call("echo", {})
        async with running.connection("test", "", "carol") as upstream:
            with pytest.raises(UpstreamError, match="2 times a minute"):
                await upstream.call("echo", {})


async def test_once_closed_it_opens_no_connection_that_nothing_would_close() -> None:
    async with a_server() as server:
        async with isolated(server, Hand()) as connections:
            await called(connections, "alice")
        with pytest.raises(UpstreamError, match="browser: was closed"):
            await called(connections, "bob")
        assert len(legacy_sessions(server)) == 1
