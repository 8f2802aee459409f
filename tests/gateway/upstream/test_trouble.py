"""Servers that change, refuse, or break off where others do not: one of them takes nothing else down."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Any

import pytest

from gateway.upstream.errors import UpstreamError, UpstreamFault
from gateway.upstream.reconnecting_session import FIRST_WAIT_SECONDS, STABLE_SECONDS
from gateway.upstream.session import Session
from protocol.messages import Era, Message
from tests.support.manual_time import LetPass, until
from tests.support.upstream_http import Answer, Breaks, Hangs, HttpStandIn, Says, Status, Streams
from tests.support.upstream_stand_in import LEGACY, MODERN, a_tool, error, event, note
from tests.support.upstreams import over_http, over_stdio, ready, status

Script = dict[str, list[Answer]]

CHANGED = event(note("notifications/tools/list_changed", {}))


class Waits(list[float]):
    """Notes each wait; at one of them it stays."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)
        if len(self) >= self.most:
            await asyncio.Event().wait()


def logged(caplog: pytest.LogCaptureFixture, event_name: str) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.getMessage() == event_name]


async def test_a_server_that_was_replaced_by_one_of_the_other_era_is_asked_again() -> None:
    async with HttpStandIn(era="legacy") as server, over_http(server) as upstream:
        await ready(upstream)
        server.forget_sessions()
        server.era = "modern"
        with pytest.raises(UpstreamError, match="has forgotten its session and refuses a new one") as caught:
            await upstream.call("write", {})
        assert caught.value.fault is UpstreamFault.DOWN
        await until(lambda: upstream.state.era is Era.MODERN, "the modern era")
        assert await upstream.call("write", {})


async def test_a_server_that_refuses_both_eras_says_why() -> None:
    def refuse(message: Message) -> Message:
        return error(message, -32603, "licence expired")

    script: Script = {"server/discover": [Status(200, refuse)] * 9, "initialize": [Status(200, refuse)] * 9}
    async with HttpStandIn(script) as server, over_http(server, sleep=Waits(1)) as upstream:
        await status(upstream, "down")
        assert upstream.state.error == "refuses to initialize: licence expired"


async def test_a_session_that_is_forgotten_at_once_is_an_error() -> None:
    script: Script = {"tools/call": [Status(404), Status(404)]}
    async with HttpStandIn(script, era="legacy") as server, over_http(server) as upstream:
        with pytest.raises(UpstreamError, match="forgets its session at once"):
            await upstream.call("write", {})
        assert await upstream.call("write", {})


async def test_a_body_that_breaks_off_is_a_lost_answer() -> None:
    class BreaksOff(Says):
        async def give(self, request: Any, message: Message, server: HttpStandIn) -> Any:
            whole = await super().give(request, message, server)
            response = type(whole)(body=whole.body + b" " * 1_000_000, content_type="application/json")
            await response.prepare(request)
            request.transport.abort()
            return response

    async with HttpStandIn({"tools/call": [BreaksOff({})]}) as server, over_http(server) as upstream:
        with pytest.raises(UpstreamError) as caught:
            await upstream.call("write", {})
        assert caught.value.fault is UpstreamFault.OUTCOME_UNKNOWN
        assert len(server.sent("tools/call")) == 1


async def test_a_stream_of_notifications_is_opened_again_after_its_last_event() -> None:
    waits = Waits(9)
    first = Streams(event(note("x", {}), event_id="7", retry=5_000))
    script: Script = {
        "GET": [Status(503), Breaks(), first, Streams(b"data: {\n\n"), Streams(CHANGED, then="hangs")]
    }
    async with HttpStandIn(script, era="legacy") as server, over_http(server, sleep=waits) as upstream:
        await ready(upstream)
        await server.until(lambda: len(server.sent("tools/list")) == 2)
        opened = [head for head, each in zip(server.headers, server.messages, strict=True) if not each]
    assert [head.get("last-event-id") for head in opened[:5]] == [None, None, None, "7", "7"]
    # Longer each time, until something comes; and as long as the server asks for.
    assert waits[0] <= 1 < waits[1] + 0.001
    assert waits[1] <= 2
    assert waits[2] == 5


async def test_a_session_that_cannot_be_deleted_ends_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with HttpStandIn({"DELETE": [Breaks()]}, era="legacy") as server, over_http(server) as upstream:
        await ready(upstream)
    assert len(logged(caplog, "upstream_session_not_closed")) == 1


async def test_tools_that_cannot_be_read_again_are_tried_when_they_are_asked_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    lists: list[Answer] = [
        Says({"tools": [a_tool("a")]}),
        Status(500),
        Status(500),
        Says({"tools": [a_tool("b")]}),
    ]
    script: Script = {"tools/list": lists, "subscriptions/listen": [Streams(CHANGED, then="hangs")]}
    async with HttpStandIn(script) as server, over_http(server) as upstream:
        await until(lambda: bool(logged(caplog, "upstream_tools_not_read")), "a failed reading")
        assert [tool["name"] for tool in upstream.known_tools] == ["a"]
        with pytest.raises(UpstreamError, match="test: answers HTTP 500"):
            await upstream.tools()
        assert [tool["name"] for tool in await upstream.tools()] == ["b"]


async def test_tools_that_are_not_listed_in_time_are_an_error(let_pass: LetPass) -> None:
    lists: list[Answer] = [Says({"tools": [], "ttlMs": 0}), Hangs(), Says({"tools": [a_tool("b")]})]
    async with (
        HttpStandIn({"tools/list": lists}) as server,
        over_http(server, timeout_seconds=30) as upstream,
    ):
        await status(upstream, "ready")
        asking = asyncio.create_task(upstream.tools())
        await server.until(lambda: len(server.sent("tools/list")) == 2)
        let_pass(30)
        with pytest.raises(UpstreamError, match=r"test: .* within 30 seconds") as caught:
            await asking
        assert caught.value.fault is UpstreamFault.TIMEOUT
        await server.seen("tools/list > cancelled")
        assert [tool["name"] for tool in await upstream.tools()] == ["b"]


async def test_a_start_that_takes_too_long_is_given_up(let_pass: LetPass) -> None:
    async with over_stdio(discover="silent", era="modern", sleep=Waits(1)) as upstream:
        call = asyncio.create_task(upstream.call("echo", {}))
        await until(
            lambda: any("discover" in str(each.get_coro()) for each in asyncio.all_tasks()), "a probe"
        )
        let_pass(121)
        with pytest.raises(UpstreamError):
            await call
        await status(upstream, "down")
        assert upstream.state.error == "did not start within 120 seconds (timeout_seconds)"


async def test_the_wait_grows_while_a_server_does_not_start_in_time(let_pass: LetPass) -> None:
    waits = Waits(2)

    async def run_out_of_time(start: int) -> None:
        await until(lambda: len(server.sent("server/discover")) == start, "a start")
        let_pass(2 * STABLE_SECONDS + 1)
        await until(lambda: len(waits) == start, "the wait after it")

    async with (
        HttpStandIn({"server/discover": [Hangs(), Hangs()]}) as server,
        over_http(server, timeout_seconds=2 * STABLE_SECONDS, sleep=waits) as upstream,
    ):
        await run_out_of_time(1)
        await run_out_of_time(2)
        assert "did not start within" in upstream.state.error
    assert waits[0] <= FIRST_WAIT_SECONDS <= waits[1]


@pytest.mark.parametrize(
    "seconds_up, least, most",
    [
        (STABLE_SECONDS - 1, 2 * FIRST_WAIT_SECONDS, 4 * FIRST_WAIT_SECONDS),
        (STABLE_SECONDS, 0, FIRST_WAIT_SECONDS),
    ],
)
async def test_the_wait_begins_anew_after_a_server_was_up_for_long(
    let_only_this_pass: LetPass, seconds_up: float, least: float, most: float
) -> None:
    waits = Waits(9)
    script: Script = {"server/discover": [Breaks(), Breaks()]}
    async with HttpStandIn(script, era="legacy") as server, over_http(server, sleep=waits) as upstream:
        await status(upstream, "ready")
        assert len(waits) == 2
        let_only_this_pass(seconds_up)
        server.forget_sessions()
        server.era = "modern"
        with pytest.raises(UpstreamError, match="has forgotten its session"):
            await upstream.call("write", {})
        await until(lambda: len(waits) == 3, "the next wait")
    assert least <= waits[2] <= most


async def test_a_fault_of_ours_with_one_server_is_logged_and_tried_again(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = Session.begin
    times: list[int] = []

    async def fail_once(session: Session, remembered: Era | None) -> None:
        times.append(1)
        if len(times) == 1:
            raise ExceptionGroup("several", [ZeroDivisionError("hunter2canary")])
        await begin(session, remembered)

    monkeypatch.setattr(Session, "begin", fail_once)
    async with HttpStandIn() as server, over_http(server) as upstream:
        await status(upstream, "ready")
        assert await upstream.call("echo", {})
    (failed,) = logged(caplog, "upstream_failed")
    assert re.fullmatch(r"ZeroDivisionError( at \w+\.py:\d+)?", vars(failed)["error"])
    assert "hunter2canary" not in logging.Formatter().format(failed) + str(vars(failed))


async def test_a_subscription_that_a_server_does_not_keep_is_made_ever_more_rarely() -> None:
    waits = Waits(8)
    failing: list[Answer] = [Breaks(), Status(500), Says({})] * 4
    async with (
        HttpStandIn({"subscriptions/listen": failing}) as server,
        over_http(server, sleep=waits) as upstream,
    ):
        await ready(upstream)
        await until(lambda: len(waits) == 8, "eight waits")
    assert waits == [5, 10, 20, 40, 80, 160, 300, 300]


async def test_a_server_without_subscriptions_is_not_asked_again() -> None:
    answer = Status(404, lambda message: error(message, -32601, "no"))
    waits = Waits(1)
    async with (
        HttpStandIn({"subscriptions/listen": [answer]}) as server,
        over_http(server, sleep=waits) as upstream,
    ):
        await ready(upstream)
        await server.seen("subscriptions/listen > 404")
        assert await upstream.call("echo", {})
    assert waits == []


@pytest.mark.parametrize(
    "script",
    [
        {"server/discover": [Says({"supportedVersions": [MODERN], "capabilities": {}})]},
        {"server/discover": [Says({"supportedVersions": [MODERN]})]},
        {"tools/list": [Status(200, lambda message: error(message, -32601, "no"))]},
    ],
)
async def test_a_server_without_tools_has_none(script: Script) -> None:
    async with HttpStandIn(script) as server, over_http(server) as upstream:
        assert await upstream.tools() == ()


async def test_a_list_that_is_none_is_an_error() -> None:
    async with (
        HttpStandIn({"tools/list": [Says({"tools": {}})]}) as server,
        over_http(server, sleep=Waits(1)) as upstream,
    ):
        await status(upstream, "down")
        assert upstream.state.error == "answers tools/list without a list of tools"


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", LEGACY])
async def test_every_legacy_revision_is_spoken(version: str) -> None:
    answer = Says({"protocolVersion": version, "capabilities": {"tools": {}}}, mcp_session_id="1")
    async with (
        HttpStandIn({"initialize": [answer]}, era="legacy") as server,
        over_http(server) as upstream,
    ):
        assert await upstream.call("echo", {})
        assert upstream.state.version == version
        assert server.headers_of("tools/call")[0]["mcp-protocol-version"] == version


async def test_changes_of_other_lists_are_told_and_no_tools_are_read_for_them() -> None:
    told: list[str] = []
    changes = [event(note(f"notifications/{kind}/list_changed", {})) for kind in ("prompts", "resources")]
    script: Script = {"subscriptions/listen": [Streams(*changes, then="hangs")]}
    declared: dict[str, Message] = {"prompts": {"listChanged": True}, "resources": {"listChanged": True}}
    async with (
        HttpStandIn(script=script, capabilities=declared) as server,
        over_http(server, on_others_changed=told.append) as upstream,
    ):
        await ready(upstream)
        await until(lambda: len(told) == 2, "both changes")
        assert told == ["prompts", "resources"]
        assert len(server.sent("tools/list")) == 1
