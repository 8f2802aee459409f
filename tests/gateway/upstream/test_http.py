"""Upstream servers over Streamable HTTP: both eras, sessions, streams that break off, answers that are none."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

from gateway.server_spec import ServerSpec
from gateway.upstream.errors import UpstreamError, UpstreamFault
from gateway.upstream.upstream_server import Upstream
from protocol.messages import META_CAPABILITIES, META_CLIENT_INFO, META_VERSION, Era, Message
from tests.support.manual_time import LetPass, until
from tests.support.upstream_http import Answer, Breaks, Hangs, HttpStandIn, Says, Status, Streams, replied
from tests.support.upstream_stand_in import LEGACY, MODERN, a_tool, error, event, note, ok, text_result
from tests.support.upstreams import CLIENT_INFO, opened, over_http, ready, status

DONE = text_result("done")


def text_of(result: Message) -> str:
    return str(result["content"][0]["text"])


async def fault_of(upstream: Upstream, tool: str = "write") -> UpstreamError:
    """Return the error of a call."""
    with pytest.raises(UpstreamError) as caught:
        await upstream.call(tool, {})
    assert str(caught.value).startswith("test: ")
    return caught.value


# --- The two eras ----------------------------------------------------------------------------------------------


async def test_a_modern_request_carries_its_version_and_its_routing_headers() -> None:
    async with HttpStandIn() as server, over_http(server, headers={"X-Key": "k"}) as upstream:
        assert text_of(await upstream.call("echo", {"a": 1})) == '{"a": 1}'
        assert upstream.state.era is Era.MODERN
        (message,), (headers,) = server.sent("tools/call"), server.headers_of("tools/call")
    assert message["params"] == {
        "name": "echo",
        "arguments": {"a": 1},
        "_meta": {META_VERSION: MODERN, META_CAPABILITIES: {}, META_CLIENT_INFO: CLIENT_INFO},
    }
    expected = {"mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": "echo", "x-key": "k"}
    assert {name: headers.get(name) for name in expected} == expected
    assert "mcp-session-id" not in headers
    assert "DELETE" not in server.log


async def test_a_legacy_session_is_begun_kept_and_deleted() -> None:
    async with HttpStandIn(era="legacy") as server:
        async with over_http(server) as upstream:
            assert text_of(await upstream.call("echo", {"a": 1})) == '{"a": 1}'
            assert (upstream.state.era, upstream.state.version) == (Era.LEGACY, LEGACY)
            await server.seen("GET > 405")
        assert server.log[:3] == ["server/discover", "initialize", "notifications/initialized"]
        assert server.log[-1] == "DELETE > 405"
        # That there is no stream is final.
        assert server.log.count("GET > 405") == 1
        (first,), (call,) = server.headers_of("initialize"), server.headers_of("tools/call")
    assert "mcp-session-id" not in first
    assert "mcp-protocol-version" not in first
    assert (call["mcp-session-id"], call["mcp-protocol-version"]) == ("1", LEGACY)
    assert server.sent("initialize")[0]["params"]["capabilities"] == {}
    assert "_meta" not in server.sent("tools/call")[0]["params"]


@pytest.mark.parametrize(
    "answer",
    [
        Status(400),
        Status(404, b"no such page"),
        Status(405),
        Status(500),
        Status(200, lambda message: error(message, -32601, "no")),
        Status(400, lambda message: error(message, -32020, "no")),
        Status(400, lambda message: error(message, -32022, "no", {"supported": [LEGACY]})),
        Says({"supportedVersions": [LEGACY]}),
        Says({"supportedVersions": "all"}),
        Status(200, b"<html>", content_type="text/html"),
    ],
)
async def test_a_server_that_does_not_discover_is_initialized(answer: Answer) -> None:
    async with HttpStandIn({"server/discover": [answer]}, era="legacy") as server, over_http(server) as up:
        await ready(up)
        assert up.state.era is Era.LEGACY


async def test_a_silent_probe_is_initialized_after_ten_seconds(let_pass: LetPass) -> None:
    async with HttpStandIn({"server/discover": [Hangs()]}, era="legacy") as server, over_http(server) as up:
        await server.until(lambda: bool(server.sent("server/discover")))
        let_pass(10)
        await ready(up)
        assert up.state.era is Era.LEGACY


@pytest.mark.parametrize(
    "code, fault", [(401, "HTTP 401"), (403, "HTTP 403"), (503, "HTTP 503"), (502, "HTTP 502")]
)
async def test_an_outage_or_other_credentials_decide_nothing(code: int, fault: str) -> None:
    waiting = asyncio.Event()

    async def wait(seconds: float) -> None:
        await waiting.wait()

    async with (
        HttpStandIn({"server/discover": [Status(code)]}) as server,
        over_http(server, sleep=wait) as upstream,
    ):
        await status(upstream, "down")
        assert fault in upstream.state.error
        assert server.log == [f"server/discover > {code}"]
        waiting.set()
        await status(upstream, "ready")
        assert upstream.state.era is Era.MODERN


async def test_no_common_version_is_an_error_that_names_them() -> None:
    answer = Status(400, lambda message: error(message, -32022, "no", {"supported": ["2031-01-01"]}))
    async with HttpStandIn({"server/discover": [answer] * 9}) as server, over_http(server) as upstream:
        await status(upstream, "down")
        assert "speaks MCP 2031-01-01 only" in upstream.state.error
        assert "initialize" not in server.log


async def test_a_server_that_is_not_there_is_down_and_comes_back() -> None:
    waiting = asyncio.Event()

    async def wait(seconds: float) -> None:
        await waiting.wait()

    async with HttpStandIn() as server:
        url = server.url
    async with opened(ServerSpec("test", url=url), sleep=wait) as upstream:
        await status(upstream, "down")
        error = await fault_of(upstream)
        assert error.fault is UpstreamFault.DOWN
        said = str(error)
    address = url.removeprefix("http://").partition("/")[0]
    assert said.endswith(
        f"is down and is tried again in the background: cannot be reached: no connection to {address} (Connection refused); "
        "see whether a server listens there, or set another url"
    )


async def test_a_server_without_tls_at_an_https_url_is_told_as_such() -> None:
    waiting = asyncio.Event()

    async def wait(seconds: float) -> None:
        await waiting.wait()

    async with HttpStandIn() as server:
        url = server.url.replace("http://", "https://")
        async with opened(ServerSpec("test", url=url), sleep=wait) as upstream:
            await status(upstream, "down")
            error = upstream.state.error
    address = url.removeprefix("https://").partition("/")[0]
    assert re.fullmatch(rf"cannot be reached: no connection to {address} \(TLS: [a-z ]+\); see .*", error)


# --- Sessions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("refusal", [None, Status(400, b"Bad Request: No valid session ID provided")])
async def test_a_forgotten_session_is_begun_again_and_the_call_sent_again(refusal: Answer | None) -> None:
    script = {"tools/call": [refusal]} if refusal else {}
    async with HttpStandIn(script, era="legacy") as server, over_http(server) as upstream:
        await ready(upstream)
        if refusal is None:
            server.forget_sessions()
        assert text_of(await upstream.call("write", {"a": 1})) == '{"a": 1}'
        assert [head.get("mcp-session-id") for head in server.headers_of("tools/call")] == ["1", "2"]
        # Its tools may be others.
        await server.seen("tools/list", 2)


async def test_calls_that_find_their_session_forgotten_begin_one_together() -> None:
    async with HttpStandIn(era="legacy") as server, over_http(server) as upstream:
        await ready(upstream)
        server.forget_sessions()
        await asyncio.gather(*(upstream.call("write", {}) for _ in range(5)))
        assert server.log.count("initialize") == 2


# --- Lost answers ----------------------------------------------------------------------------------------------


async def test_a_stream_that_ends_early_is_resumed_by_its_last_event() -> None:
    waits: list[float] = []

    async def noted(seconds: float) -> None:
        waits.append(seconds)

    script: dict[str, list[Answer]] = {
        "tools/call": [Streams(event(event_id="e1"), event(event_id="e2", retry=250), then="breaks")],
        "GET": [Status(405)],
    }
    async with HttpStandIn(script, era="legacy") as server, over_http(server, sleep=noted) as upstream:
        await ready(upstream)
        await server.seen("GET > 405")
        answer = Streams(lambda _: event(ok(server.sent("tools/call")[0], DONE)))
        server.script["GET"] = [Streams(event(event_id="e3")), answer]
        assert text_of(await upstream.call("write", {})) == "done"
        resumed = [head["last-event-id"] for head in server.headers if "last-event-id" in head]
        assert resumed == ["e2", "e3"]
        assert waits == [0.25, 0.25]
        assert len(server.sent("tools/call")) == 1


@pytest.mark.parametrize("era", ["modern", "legacy"])
@pytest.mark.parametrize("answer", [Breaks(), Streams(event(note("x", {})), then="breaks"), Status(502)])
async def test_a_lost_answer_is_an_unknown_outcome_unless_the_call_may_be_repeated(
    answer: Answer, era: str
) -> None:
    async with HttpStandIn({"tools/call": [answer] * 3}, era=era) as server, over_http(server) as upstream:
        assert (await fault_of(upstream)).fault is UpstreamFault.OUTCOME_UNKNOWN
        assert len(server.sent("tools/call")) == 1
        server.script["tools/call"] = [answer]
        assert await upstream.call("echo", {"a": 1}) == {**text_result('{"a": 1}'), "resultType": "complete"}
        server.script["tools/call"] = [answer]
        assert await upstream.call("tidy", {})
        assert len(server.sent("tools/call")) == 5
        server.script["tools/call"] = [answer, answer]
        assert (await fault_of(upstream, "echo")).fault is UpstreamFault.OUTCOME_UNKNOWN
        assert len(server.sent("tools/call")) == 7


async def test_a_stream_that_cannot_be_resumed_is_a_lost_answer() -> None:
    script: dict[str, list[Answer]] = {"tools/call": [Streams(event(event_id="e1"))]}
    async with HttpStandIn(script, era="legacy") as server, over_http(server) as upstream:
        error = await fault_of(upstream)
        assert error.fault is UpstreamFault.OUTCOME_UNKNOWN
        assert "could not be resumed" in str(error)


# --- Answers ---------------------------------------------------------------------------------------------------


async def test_a_stream_has_comments_empty_events_and_progress_before_its_reply() -> None:
    def progress(message: Message) -> bytes:
        token = message["params"]["_meta"]["progressToken"]
        others = note("notifications/progress", {"progressToken": 99, "progress": 9})
        ours = note("notifications/progress", {"progressToken": token, "progress": 1, "total": 2})
        return event(others) + event(ours)

    stream = Streams(b": hello\n\n", event(), event(event_id="7", retry=1), progress, replied(DONE))
    seen: list[Message] = []
    async with HttpStandIn({"tools/call": [stream]}) as server, over_http(server) as upstream:
        assert text_of(await upstream.call("write", {}, on_progress=seen.append)) == "done"
    assert [(each["progress"], each["total"]) for each in seen] == [(1, 2)]


async def test_progress_may_come_on_the_stream_of_notifications() -> None:
    seen: list[Message] = []

    class Progress:
        async def give(self, request: Any, message: Message, server: HttpStandIn) -> Any:
            await server.until(lambda: bool(server.sent("tools/call")))
            token = server.sent("tools/call")[0]["params"]["_meta"]["progressToken"]
            progress = event(note("notifications/progress", {"progressToken": token, "progress": 1}))
            return await Streams(progress, then="hangs").give(request, message, server)

    class AfterIt(Says):
        async def give(self, request: Any, message: Message, server: HttpStandIn) -> Any:
            await until(lambda: bool(seen), "progress")
            return await super().give(request, message, server)

    script: dict[str, list[Answer]] = {"GET": [Progress()], "tools/call": [AfterIt(DONE)]}
    async with HttpStandIn(script, era="legacy") as server, over_http(server) as upstream:
        assert await upstream.call("write", {}, on_progress=seen.append)
    assert [each["progress"] for each in seen] == [1]


async def test_a_reply_is_not_kept_waiting_by_a_stream_that_does_not_end() -> None:
    stream = Streams(replied(DONE), then="hangs")
    async with HttpStandIn({"tools/call": [stream]}) as server, over_http(server) as upstream:
        assert text_of(await upstream.call("write", {})) == "done"


@pytest.mark.parametrize("make", [Says, lambda result: Streams(replied(result))])
async def test_an_answer_may_be_large_up_to_a_limit(make: Any) -> None:
    large = text_result("x" * 3_000_000)
    async with (
        HttpStandIn({"tools/call": [make(large), make(large)]}) as server,
        over_http(server) as upstream,
        over_http(server, max_result_bytes=1_000_000) as limited,
    ):
        await ready(limited)
        assert text_of(await upstream.call("write", {})) == "x" * 3_000_000
        error = await fault_of(limited)
        assert error.fault is UpstreamFault.TOO_LARGE
        assert "larger than 1000000 bytes (max_result_bytes" in str(error)


@pytest.mark.parametrize(
    "answer, said",
    [
        (Status(202), "accepted a request (HTTP 202) without answering it"),
        (
            Status(200, b"<html>", content_type="text/html"),
            "answers with text/html, expected application/json",
        ),
        (Status(200, b"{", content_type="application/json"), "answers with what is not JSON"),
        (Status(200, b"[]", content_type="application/json"), "JSON that is no reply"),
        (
            Status(200, b"x", content_type="application/json", content_encoding="br"),
            "compresses its answer (br)",
        ),
        (Streams(b"data: {\n\n"), "answers with what is not JSON"),
        (Says({"resultType": "task", "taskId": "1"}), "no result of one: 'task'"),
        (Says({"content": "text"}), "no result of one"),
    ],
)
async def test_an_answer_that_is_none_is_named(answer: Answer, said: str) -> None:
    async with HttpStandIn({"tools/call": [answer]}) as server, over_http(server) as upstream:
        error = await fault_of(upstream)
        assert error.fault is UpstreamFault.INVALID
        assert said in str(error)


async def test_an_error_of_the_server_is_handed_on_with_its_code() -> None:
    answers = [
        Status(200, lambda message: error(message, -32602, "Unknown tool", {"name": "x"})),
        Status(400, lambda message: error(message, -32602, "Unknown tool", {"name": "x"})),
    ]
    async with HttpStandIn({"tools/call": answers}) as server, over_http(server) as upstream:
        for _ in answers:
            refused = await fault_of(upstream)
            assert (refused.fault, refused.code, refused.data) == (
                UpstreamFault.REFUSED,
                -32602,
                {"name": "x"},
            )
            assert str(refused) == "test: Unknown tool"


async def test_an_error_of_http_is_shown_without_the_servers_secrets() -> None:
    answers = [Status(500, b"bad key sk-123456789\x1b[31m, in full: Bearer sk-123456789")]
    async with (
        HttpStandIn({"tools/call": answers}) as server,
        over_http(server, headers={"Authorization": "Bearer sk-123456789"}) as upstream,
    ):
        assert str(await fault_of(upstream)) == "test: answers HTTP 500: bad key ***, in full: ***"


async def test_a_redirect_within_the_origin_is_followed() -> None:
    moved = Status(307, location="/mcp/")
    async with HttpStandIn({"server/discover": [moved]}) as server, over_http(server) as upstream:
        assert await upstream.call("echo", {})
        assert server.log[:3] == ["server/discover > 307", "server/discover", "tools/list"]


@pytest.mark.parametrize(
    "code, location",
    [
        (307, "http://other.example/mcp?key=1"),
        (308, "https://127.0.0.1/mcp"),
        (302, "/mcp/"),
        (307, "http://www.xn--a/mcp?key=1"),
    ],
)
async def test_a_redirect_to_elsewhere_is_refused(code: int, location: str) -> None:
    answers = [Status(code, location=location)]
    async with HttpStandIn({"tools/call": answers}) as server, over_http(server) as upstream:
        error = await fault_of(upstream)
        assert f"redirects (HTTP {code}) to " in str(error)
        assert "key=1" not in str(error)
        assert len(server.sent("tools/call")) == 1


async def test_a_redirect_to_a_host_that_is_no_name_is_told() -> None:
    answers = [Status(307, location="http://xn--a/mcp?key=1")]
    async with HttpStandIn({"tools/call": answers}) as server, over_http(server) as upstream:
        error = await fault_of(upstream)
        assert error.fault is UpstreamFault.DOWN
        assert "redirects to a host that is no valid name" in str(error)
        assert "set the right address as url" in str(error)


# --- Cancelling, timeouts, places ------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [Hangs(), Streams(event(note("x", {})), then="hangs")])
async def test_a_cancelled_modern_call_closes_its_response(answer: Answer) -> None:
    async with HttpStandIn({"tools/call": [answer]}) as server, over_http(server) as upstream:
        call = asyncio.create_task(upstream.call("write", {}))
        await server.until(lambda: bool(server.sent("tools/call")))
        call.cancel()
        await server.seen("tools/call > cancelled")
        assert "notifications/cancelled" not in server.log


async def test_a_cancelled_legacy_call_is_cancelled_by_a_notification() -> None:
    async with HttpStandIn({"tools/call": [Hangs()]}, era="legacy") as server, over_http(server) as upstream:
        call = asyncio.create_task(upstream.call("write", {}))
        await server.until(lambda: bool(server.sent("tools/call")))
        call.cancel()
        await server.seen("notifications/cancelled")
        (sent,), (cancelled,) = server.sent("tools/call"), server.sent("notifications/cancelled")
        assert cancelled["params"]["requestId"] == sent["id"]


async def test_a_late_call_ends_and_its_response_is_closed(let_pass: LetPass) -> None:
    async with (
        HttpStandIn({"tools/call": [Hangs()]}) as server,
        over_http(server, timeout_seconds=30) as upstream,
    ):
        call = asyncio.create_task(upstream.call("write", {}))
        await server.until(lambda: bool(server.sent("tools/call")))
        let_pass(30)
        with pytest.raises(UpstreamError, match="test: no answer within 30 seconds") as caught:
            await call
        assert caught.value.fault is UpstreamFault.TIMEOUT
        await server.seen("tools/call > cancelled")


async def test_so_many_calls_run_at_once_and_no_more() -> None:
    async with (
        HttpStandIn({"tools/call": [Hangs(), Hangs()]}) as server,
        over_http(server, max_concurrency=2) as upstream,
    ):
        calls = [asyncio.create_task(upstream.call("write", {})) for _ in range(3)]
        await server.until(lambda: len(server.sent("tools/call")) == 2)
        calls[0].cancel()
        assert await calls[2]
        assert len(server.sent("tools/call")) == 3
        calls[1].cancel()


async def test_a_server_that_is_closed_ends_the_calls_to_it() -> None:
    async with HttpStandIn({"tools/call": [Hangs()]}) as server:
        async with over_http(server) as upstream:
            call = asyncio.create_task(upstream.call("write", {}))
            await server.until(lambda: bool(server.sent("tools/call")))
        with pytest.raises(UpstreamError):
            await call
        with pytest.raises(UpstreamError, match="was closed"):
            await upstream.call("write", {})


# --- Tools -----------------------------------------------------------------------------------------------------


def page(name: str, cursor: str | None = None, **more: Any) -> Says:
    following = {} if cursor is None else {"nextCursor": cursor}
    return Says({"tools": [a_tool(name)], **following, **more})


async def test_every_page_of_tools_is_read_and_a_repeated_cursor_ends_the_list() -> None:
    pages: list[Answer] = [page("a", ""), page("b", "2"), page("c", "2"), page("d")]
    async with HttpStandIn({"tools/list": pages}) as server, over_http(server) as upstream:
        assert [tool["name"] for tool in await upstream.tools()] == ["a", "b", "c"]
        assert [each["params"].get("cursor") for each in server.sent("tools/list")] == [None, "", "2"]


async def test_tools_are_read_again_when_they_have_run_out(let_pass: LetPass) -> None:
    pages: list[Answer] = [page("a", ttlMs=60_000), page("b")]
    async with HttpStandIn({"tools/list": pages}) as server, over_http(server) as upstream:
        for _ in range(2):
            assert [tool["name"] for tool in await upstream.tools()] == ["a"]
        let_pass(60)
        assert [tool["name"] for tool in await upstream.tools()] == ["b"]


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_tools_are_read_again_when_the_server_says_that_they_changed(era: str) -> None:
    announced: list[int] = []
    changed = Streams(event(note("notifications/tools/list_changed", {})), then="hangs")
    stream = "subscriptions/listen" if era == "modern" else "GET"
    script: dict[str, list[Answer]] = {"tools/list": [page("a"), page("b")], stream: [changed]}
    async with (
        HttpStandIn(script, era=era) as server,
        over_http(server, on_tools_changed=lambda: announced.append(1)) as upstream,
    ):
        await until(lambda: len(announced) == 2, "two announcements")
        assert [tool["name"] for tool in upstream.known_tools] == ["b"]
        if era == "modern":
            (listen,) = server.sent("subscriptions/listen")
            assert listen["params"]["notifications"] == {"toolsListChanged": True}


async def test_tools_that_cannot_be_offered_are_left_out_and_named() -> None:
    task_only = a_tool("slow", execution={"taskSupport": "required"})
    twice = {"type": "string", "x-mcp-header": "Region"}
    wrong = a_tool("wrong", inputSchema={"type": "object", "properties": {"a": twice, "b": twice}})
    bare = {"name": "bare"}
    tools = [a_tool("fine", execution={"taskSupport": "optional"}), task_only, wrong, bare, a_tool("fine")]
    async with HttpStandIn(tools=tools) as server, over_http(server) as upstream:
        assert [tool["name"] for tool in await upstream.tools()] == ["fine"]
        left_out = upstream.state.left_out or {}
        assert left_out.keys() == {"slow", "wrong", "bare"}
        assert left_out["slow"] == "it can be called as a task only"


async def test_arguments_that_a_tool_marks_go_into_headers() -> None:
    schema = {
        "type": "object",
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "many": {"type": "integer", "x-mcp-header": "Many"},
            "none": {"type": "boolean", "x-mcp-header": "None"},
        },
    }
    async with (
        HttpStandIn(tools=[a_tool("über", inputSchema=schema)]) as server,
        over_http(server) as upstream,
    ):
        await upstream.call("über", {"region": "Zürich", "many": 3})
        (headers,) = server.headers_of("tools/call")
    assert headers["mcp-param-region"] == "=?base64?WsO8cmljaA==?="
    assert headers["mcp-param-many"] == "3"
    assert "mcp-param-none" not in headers
    assert headers["mcp-name"] == "=?base64?w7xiZXI=?="


async def test_only_the_configured_headers_of_a_client_are_sent_on() -> None:
    given = {
        "x-tenant": ["t1", "tëst", "t2"],
        "authorization": ["Bearer client"],
        "cookie": ["c"],
        "x-other": ["o"],
        "mcp-name": ["n"],
    }
    allowed = ("x-tenant", "authorization", "cookie", "mcp-name")
    async with HttpStandIn() as server, over_http(server, forward_headers=allowed) as upstream:
        await upstream.call("echo", {}, headers=given)
        (headers,) = server.headers_of("tools/call")
    assert headers["x-tenant"] == "t1, t2"
    assert headers["mcp-name"] == "echo"
    assert not {"authorization", "cookie", "x-other"} & {name.lower() for name in headers}


# --- Input -----------------------------------------------------------------------------------------------------

STATE = 'a"\\ü\u2028 \ud83d=='
ASKS = {
    "resultType": "input_required",
    "inputRequests": {"name": {"method": "elicitation/create", "params": {"message": "Who?"}}},
    "requestState": STATE,
}


async def test_a_question_passes_to_clients_that_declared_it_and_its_state_comes_back_as_it_was() -> None:
    declared: Message = {"elicitation": {"form": {}}, "experimental": {}}
    responses = {"name": {"action": "accept", "content": {"name": "me"}}}
    async with HttpStandIn({"tools/call": [Says(ASKS)]}) as server, over_http(server) as upstream:
        asked = await upstream.call("write", {}, capabilities=declared)
        assert asked == ASKS
        await upstream.call(
            "write",
            {},
            capabilities=declared,
            input_responses=responses,
            request_state=asked["requestState"],
        )
        first, second = server.sent("tools/call")
    assert first["params"]["_meta"][META_CAPABILITIES] == {"elicitation": {"form": {}}}
    assert second["params"]["requestState"] == STATE
    assert second["params"]["inputResponses"] == responses
    assert second["id"] != first["id"]


@pytest.mark.parametrize("declared", [None, {"sampling": {}}])
async def test_a_question_that_the_client_cannot_answer_is_an_error(declared: Message | None) -> None:
    async with HttpStandIn({"tools/call": [Says(ASKS)]}) as server, over_http(server) as upstream:
        with pytest.raises(UpstreamError, match="elicitation/create") as caught:
            await upstream.call("write", {}, capabilities=declared)
        assert caught.value.fault is UpstreamFault.INPUT_REQUIRED
        sent = server.sent("tools/call")[0]["params"]["_meta"][META_CAPABILITIES]
        assert sent == (declared or {})


async def test_requests_of_a_legacy_server_on_its_stream_are_refused() -> None:
    question = event({"jsonrpc": "2.0", "id": "q", "method": "roots/list"})
    ping = event({"jsonrpc": "2.0", "id": 5, "method": "ping"})
    script: dict[str, list[Answer]] = {"tools/call": [Streams(question, ping, replied(DONE))]}
    async with HttpStandIn(script, era="legacy") as server, over_http(server) as upstream:
        await upstream.call("write", {})
        await server.seen("reply", 2)
        replies = {json.dumps(each["id"]): each for each in server.messages if "method" not in each and each}
    assert replies['"q"']["error"]["code"] == -32601
    assert replies["5"]["result"] == {}


# --- Other requests --------------------------------------------------------------------------------------------


async def test_prompts_are_listed_and_got() -> None:
    script: dict[str, list[Answer]] = {
        "prompts/list": [
            Says({"prompts": [{"name": "p"}], "nextCursor": "1"}),
            Says({"prompts": [{"name": "q"}]}),
        ],
        "prompts/get": [Says({"messages": []})],
    }
    async with HttpStandIn(script) as server, over_http(server) as upstream:
        assert await upstream.list_all("prompts/list", "prompts") == [{"name": "p"}, {"name": "q"}]
        assert (await upstream.request("prompts/get", {"name": "p"}))["messages"] == []
        assert server.headers_of("prompts/get")[0]["mcp-name"] == "p"
        assert await upstream.list_all("resources/list", "resources") == []
