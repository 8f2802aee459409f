"""Sessions of an isolated server share no connection; idle ones are closed, and no more than a number of them are open."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from concurrency.worker_threads import open_worker
from gateway.server_spec import ServerSpec
from gateway.upstream import session_connections
from gateway.upstream.errors import UpstreamError
from gateway.upstream.session_connections import IDLE_SECONDS, open_session_upstream
from gateway.upstream.upstream_server import Upstream
from tests.support.manual_time import until
from tests.support.upstream_stand_in import Hangs, HttpStandIn, Says
from tests.support.upstreams import CLIENT_INFO


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
async def isolated(server: HttpStandIn, hand: Hand, **spec: Any) -> AsyncIterator[Upstream]:
    async with (
        open_worker(1) as worker,
        open_session_upstream(
            ServerSpec("browser", url=server.url, **spec),
            environment={},
            worker=worker,
            client_info=CLIENT_INFO,
            clock=hand.clock,
            sleep=hand.sleep,
        ) as upstream,
    ):
        yield upstream


def legacy_sessions(server: HttpStandIn) -> list[str | None]:
    """Return the session ids of the calls, as the server got them."""
    return [sent.get("mcp-session-id") for sent in server.headers_of("tools/call")]


def a_server() -> HttpStandIn:
    return HttpStandIn(era="legacy")


async def test_each_session_has_a_connection_of_its_own_and_keeps_it() -> None:
    async with a_server() as server, isolated(server, Hand()) as upstream:
        assert [tool["name"] for tool in await upstream.tools()] == ["echo", "write", "tidy"]
        for session in ("alice", "bob", "alice"):
            assert json.loads(
                (await upstream.call("echo", {"a": 1}, session=session))["content"][0]["text"]
            ) == {"a": 1}
        one, two, three = legacy_sessions(server)
        assert one == three
        assert len({one, two, "1"}) == 3  # the first one lists the tools


async def test_a_resource_is_read_over_the_connection_of_its_session() -> None:
    async with a_server() as server, isolated(server, Hand()) as upstream:
        server.script["resources/read"] = [Says({"contents": []}) for _ in range(2)]
        await upstream.call("echo", {}, session="alice")
        for session in ("alice", "bob"):
            await upstream.request("resources/read", {"uri": "a:b"}, session=session)
        (called,) = legacy_sessions(server)
        alice, bob = (sent["mcp-session-id"] for sent in server.headers_of("resources/read"))
        assert (alice, bob) == (called, "3")


async def test_two_first_calls_of_a_session_open_one_connection() -> None:
    async with a_server() as server, isolated(server, Hand()) as upstream:
        await asyncio.gather(*(upstream.call("echo", {}, session="alice") for _ in range(5)))
        assert len(set(legacy_sessions(server))) == 1


async def test_an_idle_connection_is_closed_and_the_next_call_opens_another() -> None:
    hand = Hand()
    async with a_server() as server, isolated(server, hand) as upstream:
        await upstream.call("echo", {}, session="alice")
        hand.let_pass(IDLE_SECONDS - 1)
        await upstream.call("echo", {}, session="bob")
        hand.let_pass(1)
        await until(lambda: any("DELETE" in line for line in server.log), "an idle connection that is closed")
        await upstream.call("echo", {}, session="bob")
        await upstream.call("echo", {}, session="alice")
        alice, bob, bob_again, alice_again = legacy_sessions(server)
        assert bob == bob_again
        assert alice != alice_again


async def test_the_longest_idle_connection_makes_room_and_none_that_is_in_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session_connections, "MAX_SESSIONS", 2)
    hand = Hand()
    async with a_server() as server, isolated(server, hand) as upstream:
        for session in ("alice", "bob", "carol", "bob", "alice"):
            hand.now += 1
            await upstream.call("echo", {}, session=session)
        alice, bob, _, bob_again, alice_again = legacy_sessions(server)
        assert bob == bob_again
        assert alice != alice_again
        server.script["tools/call"] = [Hangs(), Hangs()]
        hanging = [asyncio.create_task(upstream.call("echo", {}, session=each)) for each in ("alice", "bob")]
        await until(lambda: len(server.sent("tools/call")) == 7, "two calls that hang")
        with pytest.raises(UpstreamError, match="2 sessions use it already"):
            await upstream.call("echo", {}, session="dave")
        for each in hanging:
            each.cancel()
        await asyncio.wait(hanging)


async def test_the_rate_is_that_of_all_sessions_together() -> None:
    async with a_server() as server, isolated(server, Hand(), max_calls_per_minute=2) as upstream:
        await upstream.call("echo", {}, session="alice")
        await upstream.call("echo", {}, session="bob")
        with pytest.raises(UpstreamError, match="2 times a minute"):
            await upstream.call("echo", {}, session="carol")
