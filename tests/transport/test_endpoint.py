"""Streamable HTTP on a real socket: the ladder of refusals, statuses, JSON or SSE, and what a closed connection means."""

from __future__ import annotations

import asyncio
import gzip
import json
import time
import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from typing import Any

import httpx
import pytest

from protocol import json_parsing
from protocol.methods import Server
from tests.support.manual_time import until
from tests.support.messages import (
    LEGACY,
    META_CAPABILITIES,
    META_VERSION,
    MODERN,
    Message,
    call,
    legacy,
    modern,
    routing,
)
from tests.support.service import PATIENCE_S, Run, Service, prose, with_model
from tests.support.stand_in import StandIn
from tests.support.stand_in_answers import Gate, Hangs, Summarizes
from tests.support.wire import (
    JSON,
    Report,
    connected,
    endpoint_of,
    frames_of,
    head,
    raw,
    request,
    serving,
    streaming,
    text_result,
)
from transport import request_body
from transport.auth import Keys
from transport.responses import Outbox

PING = json.dumps(legacy("ping"))
MODEL_CALL = "POST /api/v1/chat/completions"


# Who may call.


@pytest.mark.parametrize(
    "host, status",
    [
        ("127.0.0.1:8007", 200),
        ("127.0.0.1", 200),
        ("localhost:1", 200),
        ("LocalHost:65535", 200),
        ("[::1]:8007", 200),
        ("evil.example", 421),
        ("evil.example:8007", 421),
        ("localhost.evil.example:8007", 421),
        ("localhostevil:80", 421),
        ("localhost:80.evil.example", 421),
        ("evil.example:80@localhost", 421),
        ("127.0.0.2:8007", 421),
        ("", 421),
    ],
)
async def test_on_loopback_only_loopback_hosts_are_served(service: Service, host: str, status: int) -> None:
    response = await service.post(legacy("ping"), {"Host": host})
    assert response.status_code == status


async def test_a_request_without_host_is_refused(service: Service) -> None:
    answer = await raw(service, b"POST /mcp HTTP/1.0\r\nContent-Type: application/json\r\n\r\n")
    assert answer.startswith(b"HTTP/1.0 421 ")


@pytest.mark.parametrize(
    "settings, host, status",
    [
        ({"MCP_SUMMARIZER_HOST": "0.0.0.0"}, "anything.example:80", 200),
        ({"MCP_SUMMARIZER_HOST": "0.0.0.0", "ALLOWED_HOSTS": "sum:8007, x.example:*"}, "sum:8007", 200),
        ({"MCP_SUMMARIZER_HOST": "0.0.0.0", "ALLOWED_HOSTS": "sum:8007, x.example:*"}, "X.example:9", 200),
        ({"MCP_SUMMARIZER_HOST": "0.0.0.0", "ALLOWED_HOSTS": "sum:8007, x.example:*"}, "localhost:80", 200),
        ({"MCP_SUMMARIZER_HOST": "0.0.0.0", "ALLOWED_HOSTS": "sum:8007, x.example:*"}, "sum:8008", 421),
        ({"MCP_SUMMARIZER_HOST": "0.0.0.0", "ALLOWED_HOSTS": "sum:8007, x.example:*"}, "sum", 421),
        ({"MCP_SUMMARIZER_HOST": "0.0.0.0", "ALLOWED_HOSTS": "sum:8007, x.example:*"}, "other", 421),
        ({"ALLOWED_HOSTS": "sum:8007"}, "sum:8007", 200),
        ({"ALLOWED_HOSTS": "sum:8007"}, "127.0.0.1:8007", 200),
        ({"ALLOWED_HOSTS": "sum:8007"}, "other:8007", 421),
        ({"MCP_SUMMARIZER_HOST": "127.0.0.2"}, "127.0.0.2:8007", 200),
        ({"MCP_SUMMARIZER_HOST": "::1"}, "[::1]:8007", 200),
        ({"MCP_SUMMARIZER_HOST": "localhost"}, "evil.example", 421),
    ],
)
async def test_hosts_are_those_of_loopback_and_of_the_setting(
    run: Run, settings: dict[str, str], host: str, status: int
) -> None:
    async with run(**settings) as service:
        response = await service.post(legacy("ping"), {"Host": host})
    assert response.status_code == status


@pytest.mark.parametrize(
    "settings, origin, status",
    [
        ({}, "http://localhost:3000", 200),
        ({}, "http://127.0.0.1:8007", 200),
        ({}, "http://[::1]:1", 200),
        ({}, "https://localhost:3000", 403),
        ({}, "null", 403),
        ({}, "", 403),
        ({}, "http://evil.example", 403),
        ({}, "http://localhost.evil.example", 403),
        ({}, "http://localhost:3000.evil.example", 403),
        ({"ALLOWED_ORIGINS": "https://page.example"}, "https://page.example", 200),
        ({"ALLOWED_ORIGINS": "https://page.example"}, "https://page.example:8443", 403),
        ({"ALLOWED_ORIGINS": "https://page.example"}, "http://page.example", 403),
        ({"MCP_SUMMARIZER_HOST": "0.0.0.0"}, "http://localhost:3000", 403),
        ({"MCP_SUMMARIZER_HOST": "0.0.0.0"}, "http://0.0.0.0:8007", 403),
    ],
)
async def test_an_origin_must_be_allowed(
    run: Run, settings: dict[str, str], origin: str, status: int
) -> None:
    async with run(**settings) as service:
        response = await service.post(legacy("ping"), {"Origin": origin})
    assert response.status_code == status


# The ladder before MCP.


async def test_a_refusal_is_a_json_rpc_error_with_id_null(service: Service) -> None:
    response = await service.post(legacy("ping"), {"Origin": "null"})
    assert response.json() == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {
            "code": -32600,
            "message": "Forbidden: Origin: expected none or one of ALLOWED_ORIGINS, got null",
        },
    }


@pytest.mark.parametrize("header, setting", [("Host", "ALLOWED_HOSTS"), ("Origin", "ALLOWED_ORIGINS")])
async def test_a_refusal_shows_what_was_given_up_to_a_length(
    service: Service, header: str, setting: str
) -> None:
    message = (await service.post(legacy("ping"), {header: "e" * 5_000})).json()["error"]["message"]
    assert setting in message
    assert message.endswith("got " + "e" * 100)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD"])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
async def test_only_post_is_allowed(service: Service, method: str, path: str) -> None:
    response = await service.http.request(
        method, service.origin + path, headers={"Accept": "text/event-stream"}
    )
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"


@pytest.mark.parametrize(
    "content_type", ["application/json; charset=utf-8", "Application/JSON", "application/json;x=y"]
)
async def test_json_is_the_content_type(service: Service, content_type: str) -> None:
    response = await service.http.post(service.url, content=PING, headers={"Content-Type": content_type})
    assert response.status_code == 200


@pytest.mark.parametrize(
    "content_type", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonx"]
)
async def test_other_content_types_are_refused_by_name(service: Service, content_type: str | None) -> None:
    headers = {} if content_type is None else {"Content-Type": content_type}
    response = await service.http.post(service.url, content=PING, headers=headers)
    assert response.status_code == 415
    assert f"expected application/json, got {content_type or 'none'}" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    "accept, status",
    [
        ("application/json, text/event-stream", 200),
        ("text/event-stream, application/json", 200),
        ("application/json;q=0.9, text/event-stream;q=0.1", 200),
        ("Application/JSON", 200),
        ("application/json", 200),
        ("application/*", 200),
        ("*/*", 200),
        ("text/event-stream", 406),
        ("text/*", 406),
        ("text/html", 406),
        ("application/json;q=0", 406),
        ("text/event-stream, application/json; q=0.0", 406),
    ],
)
async def test_json_must_be_acceptable(service: Service, accept: str, status: int) -> None:
    response = await service.post(legacy("ping"), {"Accept": accept})
    assert response.status_code == status


async def test_accept_headers_add_up(service: Service) -> None:
    headers = [
        ("Content-Type", "application/json"),
        ("Accept", "text/event-stream"),
        ("Accept", "application/json"),
    ]
    response = await service.http.post(service.url, content=PING, headers=headers)
    assert response.status_code == 200


async def test_the_order_of_refusals_is_host_origin_method_type_accept_size(run: Run) -> None:
    wrong = {"Host": "x", "Origin": "null", "Content-Type": "text/plain", "Accept": "text/html"}
    right = {"Content-Type": "application/json", "Accept": "application/json"}
    big = "1" * 2_000
    async with run(MAX_BODY_BYTES="1024") as service:
        seen = []
        for method, mended in (("PUT", []), ("PUT", ["Host"]), ("PUT", ["Host", "Origin"])):
            headers = {name: value for name, value in wrong.items() if name not in mended}
            seen.append(await service.http.request(method, service.url, content=big, headers=headers))
        for names in ([], ["Content-Type"], ["Content-Type", "Accept"]):
            headers = {name: (right if name in names else wrong)[name] for name in right}
            seen.append(await service.http.post(service.url, content=big, headers=headers))
    assert [answer.status_code for answer in seen] == [421, 403, 405, 415, 406, 413]
    assert [answer.json()["id"] for answer in seen] == [None] * 6


async def test_an_expectation_that_nobody_can_meet_is_refused_as_any_header_is(service: Service) -> None:
    """Not in the plain text of the web server, of which a client of JSON-RPC would see nothing."""
    answer = await service.http.post(service.url, content=PING, headers={**JSON, "Expect": "the-moon"})
    assert (answer.status_code, answer.json()["id"]) == (417, None)
    assert "the-moon" in answer.json()["error"]["message"]


def padded(size: int) -> bytes:
    """Write a ping of exactly so many bytes."""
    return PING.encode().ljust(size)


async def in_chunks(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), 100):
        yield body[start : start + 100]


@pytest.mark.parametrize("write", [bytes, in_chunks])
async def test_a_body_may_be_as_large_as_the_setting_and_not_one_byte_larger(
    run: Run, write: Callable[[bytes], Any]
) -> None:
    async with run(MAX_BODY_BYTES="1024") as service:
        fits = await service.http.post(service.url, content=write(padded(1024)), headers=JSON)
        exceeds = await service.http.post(service.url, content=write(padded(1025)), headers=JSON)
    assert (fits.status_code, exceeds.status_code) == (200, 413)
    assert "MAX_BODY_BYTES" in exceeds.json()["error"]["message"]


async def test_a_body_that_is_announced_too_large_is_refused_before_it_is_read(run: Run) -> None:
    async with run(MAX_BODY_BYTES="1024") as service, connected(service) as connection:
        connection.send(head("Content-Length: 99999"))
        status, _, body = await connection.answer()
    assert status == 413
    assert b"expected at most 1024 bytes, got 99999" in body


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, gzip", "Identity, gzip"])
async def test_a_compressed_body_is_refused_before_it_is_read(service: Service, encoding: str) -> None:
    body = gzip.compress(json.dumps(legacy("ping")).encode())
    answer = await service.http.post(
        service.url, content=body, headers={**JSON, "Content-Encoding": encoding}
    )
    assert (answer.status_code, answer.headers["accept-encoding"]) == (415, "identity")
    assert "Content-Encoding: expected none" in answer.json()["error"]["message"]
    assert (await service.post(legacy("ping"), {"Content-Encoding": "identity"})).status_code == 200


async def test_an_encoding_on_a_second_line_is_seen(service: Service) -> None:
    body = zlib.compress(json.dumps(legacy("ping")).encode())
    lines = [*JSON.items(), ("Content-Encoding", "identity"), ("Content-Encoding", "deflate")]
    answer = await service.http.post(service.url, content=body, headers=lines)
    assert (answer.status_code, answer.headers["accept-encoding"]) == (415, "identity")
    assert "Content-Encoding: expected none, got identity, deflate" in answer.json()["error"]["message"]


async def test_an_empty_encoding_is_told_as_one(service: Service) -> None:
    answer = await service.http.post(service.url, content=b"{}", headers={**JSON, "Content-Encoding": ""})
    assert answer.status_code == 415
    assert answer.json()["error"]["message"].endswith("Content-Encoding: expected none, got an empty value")


@pytest.mark.unmeasured
async def test_what_is_not_read_is_not_inflated_either(run: Run) -> None:
    bomb = gzip.compress(bytes(200_000_000))
    async with run(MCP_SUMMARIZER_API_KEYS="the-key-of-a-caller") as service:
        before = time.process_time()
        answer = await service.http.post(
            service.url, content=bomb, headers={**JSON, "Content-Encoding": "gzip"}
        )
        assert (await service.http.get(f"{service.origin}/health")).status_code == 200
    assert answer.status_code == 401
    spent = time.process_time() - before
    # To throw it away takes some milliseconds of the processor.
    before = time.process_time()
    gzip.decompress(bomb)
    assert spent < (time.process_time() - before) / 3


async def test_the_next_request_after_a_refusal_is_served(run: Run) -> None:
    async with run(MAX_BODY_BYTES="1024") as service:
        await service.http.post(service.url, content=padded(100_000), headers=JSON)
        assert (await service.post(legacy("ping"))).status_code == 200


# Statuses.


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"",
        b"\xff",
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}',
        b"[" * 100_000,
        b"1" * 5_000,
    ],
)
@pytest.mark.parametrize("headers", [{}, {"mcp-protocol-version": MODERN}])
async def test_a_parse_error_is_400_with_id_null_in_either_era(
    service: Service, body: bytes, headers: dict[str, str]
) -> None:
    response = await service.http.post(service.url, content=body, headers={**JSON, **headers})
    assert response.status_code == 400
    assert response.json()["error"]["code"] == -32700
    assert response.json()["id"] is None


async def test_a_large_body_that_does_not_parse_is_a_parse_error_too(service: Service) -> None:
    response = await service.http.post(service.url, content=b"[" * 1_000_000, headers=JSON)
    assert (response.status_code, response.json()["error"]["code"]) == (400, -32700)


@pytest.mark.parametrize(
    "message, code, modern_status, legacy_status",
    [
        ({"method": "no/such"}, -32601, 404, 200),
        ({"method": "tools/list", "params": {"cursor": "x"}}, -32602, 400, 200),
        ({"method": "tools/call", "params": {"name": "burn"}}, -32602, 400, 200),
        ({"id": None}, -32600, 400, 400),
        ({"jsonrpc": "1.0"}, -32600, 400, 400),
        ({"params": []}, -32602, 400, 200),
    ],
)
async def test_errors_have_the_status_that_clients_of_their_era_expect(
    service: Service, message: Message, code: int, modern_status: int, legacy_status: int
) -> None:
    old = {**legacy("tools/list"), **message}
    params = message.get("params", {})
    new = {**modern("tools/list", params or None), **message}
    if isinstance(params, dict):
        new["params"] = {**params, "_meta": {META_VERSION: MODERN, META_CAPABILITIES: {}}}
    headers = routing({**new, "params": params if isinstance(params, dict) else {}})
    for response, status in (
        (await service.post(old), legacy_status),
        (await service.post(new, headers), modern_status),
    ):
        assert (response.status_code, response.json()["error"]["code"]) == (status, code)
        assert response.headers["content-type"].startswith("application/json")


@pytest.mark.parametrize(
    "message, headers, code",
    [
        (modern("tools/list"), {}, -32020),
        (modern("tools/list"), {"mcp-protocol-version": "2025-11-25", "mcp-method": "tools/list"}, -32020),
        (modern("tools/list"), {"mcp-protocol-version": MODERN}, -32020),
        (modern("tools/list"), {"mcp-protocol-version": MODERN, "mcp-method": "ping"}, -32020),
        (
            modern("tools/list", version="v9"),
            {"mcp-protocol-version": "v9", "mcp-method": "tools/list"},
            -32022,
        ),
        (legacy("tools/list"), {"mcp-protocol-version": "1999-01-01"}, -32022),
        (
            legacy("server/discover"),
            {"mcp-protocol-version": MODERN, "mcp-method": "server/discover"},
            -32602,
        ),
    ],
)
async def test_errors_that_only_modern_knows_are_400(
    service: Service, message: Message, headers: dict[str, str], code: int
) -> None:
    response = await service.post(message, headers)
    assert (response.status_code, response.json()["error"]["code"], response.json()["id"]) == (400, code, 1)


@pytest.mark.parametrize("name", ["Mcp-Method", "mcp-name", "MCP-Protocol-Version"])
async def test_a_routing_header_twice_is_400_even_if_both_agree(service: Service, name: str) -> None:
    message = modern("tools/call", call(content="short"))
    given = {name.lower(): value for name, value in routing(message).items()}
    headers = [*JSON.items(), *given.items(), (name, given[name.lower()])]
    response = await service.http.post(service.url, content=json.dumps(message), headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (400, -32020)


async def test_header_names_may_be_written_in_any_case_with_space_around_values(service: Service) -> None:
    body = json.dumps(modern("tools/list")).encode()
    head = (
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\nCONTENT-TYPE: application/json\r\nConnection: close\r\n"
        f"MCP-PROTOCOL-VERSION: \t {MODERN} \t\r\nmCP-mETHOD:tools/list\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    answer = await raw(service, head.encode() + body)
    assert answer.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    "headers", [{}, {"mcp-protocol-version": LEGACY[0]}, {"mcp-protocol-version": MODERN}]
)
async def test_notifications_are_accepted_with_an_empty_body(
    service: Service, headers: dict[str, str]
) -> None:
    response = await service.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, headers)
    assert (response.status_code, response.content) == (202, b"")


async def test_posted_responses_are_accepted_on_legacy(service: Service) -> None:
    response = await service.post({"jsonrpc": "2.0", "id": 3, "result": {}})
    assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize("request_id", [None, True, 1.5, [], {}])
@pytest.mark.parametrize("write", [legacy, modern])
async def test_a_bad_id_is_an_invalid_request_and_is_not_echoed(
    service: Service, write: Any, request_id: Any
) -> None:
    message = write("tools/list", request_id=request_id)
    answer = await service.post(message, routing(message) if write is modern else {})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32600)
    assert answer.json()["id"] is None


async def test_a_batch_is_answered_in_its_order_and_only_what_asks_for_an_answer(service: Service) -> None:
    notification = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    batch = [legacy("ping", request_id="b"), notification, legacy("no/such", request_id="a"), 7]
    response = await service.post(batch)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert [(each.get("id"), each.get("error", {}).get("code")) for each in response.json()] == [
        ("b", None),
        ("a", -32601),
        (None, -32600),
    ]


async def test_a_batch_of_notifications_is_accepted_with_an_empty_body(service: Service) -> None:
    batch = [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
    ]
    response = await service.post(batch)
    assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize("headers", [{"mcp-protocol-version": LEGACY[0]}, {"mcp-protocol-version": MODERN}])
async def test_later_revisions_have_no_batches(service: Service, headers: dict[str, str]) -> None:
    response = await service.post([legacy("ping")], headers)
    assert (response.status_code, response.json()["error"]["code"]) == (400, -32600)


async def test_no_session_is_made_and_one_that_comes_in_is_ignored(service: Service) -> None:
    response = await service.post(
        legacy("initialize", {"protocolVersion": "2025-06-18"}), {"Mcp-Session-Id": "x", "Last-Event-ID": "y"}
    )
    assert response.status_code == 200
    assert "mcp-session-id" not in response.headers


async def test_the_path_may_end_in_a_slash(service: Service) -> None:
    response = await service.http.post(service.url + "/", content=PING, headers=JSON)
    assert response.json()["result"] == {}


@pytest.mark.parametrize("path", ["/sse", "/index.html", "/.well-known/oauth-protected-resource", "/mcp/x"])
async def test_there_is_nothing_at_other_paths(service: Service, path: str) -> None:
    assert (await service.http.get(service.origin + path)).status_code == 404


async def test_an_unexpected_exception_is_an_internal_error_that_tells_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail(progress: Report) -> Message:
        raise LookupError("the secret of /etc")

    async with serving(endpoint_of(fail)) as service:
        message = modern("tools/call", call("x"))
        answers = [await service.post(legacy("tools/call", call("x"))), await service.post_modern(message)]
    for answer in answers:
        assert answer.status_code == 200
        assert answer.json()["id"] == 1
        assert answer.json()["error"].keys() == {"code", "message"}
        assert answer.json()["error"]["code"] == -32603
        assert "secret" not in answer.text
        assert "LookupError" not in answer.text
    assert caplog.text.count("LookupError: the secret of /etc") == 2


async def test_an_exception_after_progress_ends_the_stream_with_an_error() -> None:
    async def fail(progress: Report) -> Message:
        progress(1, 2, "half")
        await asyncio.sleep(0)
        raise LookupError("secret")

    async with serving(endpoint_of(fail)) as service:
        response = await service.post(legacy("tools/call", {**call("x"), "_meta": {"progressToken": 1}}))
    assert [
        frame.get("method", frame.get("error", {}).get("code")) for frame in frames_of(response.text)
    ] == [
        "notifications/progress",
        -32603,
    ]


# JSON or SSE.


def a_call_with_progress(write: Callable[..., Message]) -> Message:
    params = call(content=prose(60), max_output_tokens=200)
    if write is modern:
        return modern("tools/call", params, progressToken="t")
    return legacy("tools/call", {**params, "_meta": {"progressToken": "t"}})


@pytest.mark.parametrize("write", [legacy, modern])
async def test_without_a_progress_token_the_answer_is_json(service_with_model: Service, write: Any) -> None:
    message = write("tools/call", call(content=prose(60), max_output_tokens=200))
    response = await service_with_model.post(message, routing(message) if write is modern else {})
    assert response.headers["content-type"] == "application/json"
    assert response.json()["result"]["_meta"]["mcp-summarizer/outcome"]["status"] == "summarized"


@pytest.mark.parametrize("write", [legacy, modern])
async def test_progress_turns_the_answer_into_a_stream_that_ends_with_the_response(
    service_with_model: Service, write: Any
) -> None:
    message = a_call_with_progress(write)
    headers = {
        "Accept": "application/json, text/event-stream",
        **(routing(message) if write is modern else {}),
    }
    response = await service_with_model.post(message, headers)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/event-stream"
    assert response.headers["cache-control"] == "no-cache, no-transform"
    assert response.headers["x-accel-buffering"] == "no"
    *notifications, last = frames_of(response.text)
    told = [each["params"]["progress"] for each in notifications]
    assert len(told) >= 2
    assert told == sorted(set(told))
    assert all(each["method"] == "notifications/progress" for each in notifications)
    assert all(each["params"]["progressToken"] == "t" for each in notifications)
    assert all("id" not in each for each in notifications)
    assert last["id"] == message["id"]
    assert last["result"]["_meta"]["mcp-summarizer/outcome"]["status"] == "summarized"


async def test_a_client_that_accepts_json_alone_gets_json(service_with_model: Service) -> None:
    response = await service_with_model.post(a_call_with_progress(legacy), {"Accept": "application/json"})
    assert response.headers["content-type"] == "application/json"
    assert response.json()["result"]["content"][0]["text"]


@pytest.mark.parametrize(
    "arguments, waits",
    [({"content": 3}, False), ({"content": prose(2)}, False), ({"content": prose(60)}, True)],
    ids=["refused", "passed through", "summarized"],
)
async def test_a_call_of_little_work_is_answered_without_a_wait_for_notifications(
    service_with_model: Service, monkeypatch: pytest.MonkeyPatch, arguments: Message, *, waits: bool
) -> None:
    waited: list[float] = []
    get = Outbox.get

    async def noted(outbox: Outbox, within: float) -> Message | None:
        waited.append(within)
        return await get(outbox, within)

    monkeypatch.setattr(Outbox, "get", noted)
    message = modern("tools/call", call(**arguments, max_output_tokens=200))
    assert (await service_with_model.post_modern(message)).status_code == 200
    assert bool(waited) is waits


async def test_a_call_with_a_token_and_nothing_to_report_is_answered_in_json(service: Service) -> None:
    message = legacy("tools/call", {**call(content="short"), "_meta": {"progressToken": 1}})
    response = await service.post(message)
    assert response.headers["content-type"] == "application/json"


async def test_an_early_error_keeps_its_status_although_progress_was_asked_for(service: Service) -> None:
    message = modern("tools/call", call("burn"), progressToken=1)
    assert (await service.post_modern(message)).status_code == 400


async def test_the_first_progress_arrives_while_the_work_goes_on() -> None:
    seen = asyncio.Event()

    async def work(progress: Report) -> Message:
        progress(1, 2, "half")
        await seen.wait()
        return text_result("done")

    async with serving(endpoint_of(work)) as service:
        message = legacy("tools/call", {**call("x"), "_meta": {"progressToken": 1}})
        async with (
            asyncio.timeout(PATIENCE_S),
            service.http.stream("POST", service.url, json=message) as response,
        ):
            lines = response.aiter_lines()
            assert await anext(lines) == "event: message"
            seen.set()
            rest = [line async for line in lines]
    assert json.loads(rest[-2].removeprefix("data: "))["result"] == text_result("done")


# Texts on the wire.


async def test_lone_surrogates_come_back_as_they_came(service: Service) -> None:
    response = await service.post(legacy("tools/call", call(content="a \ud800 b é \udfff")))
    assert json.loads(response.content)["result"]["content"][0]["text"] == "a \ud800 b é \udfff"


async def test_lone_surrogates_pass_through_a_stream() -> None:
    async def work(progress: Report) -> Message:
        progress(1, 1, "\ud800")
        return text_result("\udfff\u2028\r\n😉")

    async with serving(endpoint_of(work)) as service:
        response = await service.post(
            legacy("tools/call", {**call("x"), "_meta": {"progressToken": "\ud801"}})
        )
    first, last = frames_of(response.text)
    assert (first["params"]["message"], first["params"]["progressToken"]) == ("\ud800", "\ud801")
    assert last["result"] == text_result("\udfff\u2028\r\n😉")


async def test_a_long_text_comes_back_whole(service: Service) -> None:
    content = "a 字 😉 \n" * 60_000
    response = await service.post(legacy("tools/call", call(content=content, max_output_tokens=10_000_000)))
    assert response.json()["result"]["content"][0]["text"] == content


# A connection that closes.


async def left_in_the_middle(
    service: Service, model: StandIn, message: Message, headers: Mapping[str, str]
) -> None:
    """Post a call, and close the connection once the model has been asked."""
    async with httpx.AsyncClient(trust_env=False, verify=False) as http:
        posting = asyncio.create_task(http.post(service.url, json=message, headers=dict(headers)))
        await model.called(1)
        posting.cancel()
        await asyncio.gather(posting, return_exceptions=True)
    # By the time another connection has been served, the service has seen the end of that one.
    assert (await service.http.get(f"{service.origin}/health")).status_code == 200


@pytest.mark.parametrize("headers", [{}, {"Accept": "application/json"}])
async def test_closing_a_modern_connection_cancels_the_work_and_the_call_to_the_model(
    run: Run, headers: dict[str, str]
) -> None:
    async with StandIn([Hangs()]) as model, run(**with_model(model)) as service:
        message = a_call_with_progress(modern)
        await left_in_the_middle(service, model, message, {**routing(message), **headers})
        await model.finished(1)
        assert (await service.post(legacy("ping"))).status_code == 200
        assert model.log == [f"{MODEL_CALL} > cancelled"]
        assert len(model.payloads) == 1


async def test_closing_a_modern_stream_after_progress_cancels_too(run: Run) -> None:
    def answers(number: int, payload: Message) -> Summarizes | Hangs:
        return Summarizes() if number == 1 else Hangs()

    async with StandIn(answers) as model, run(**with_model(model)) as service:
        message = a_call_with_progress(modern)
        async with service.http.stream(
            "POST", service.url, json=message, headers=routing(message)
        ) as response:
            assert await anext(response.aiter_lines()) == "event: message"
            await model.called(2)
        await model.finished(2)
        assert model.log == [f"{MODEL_CALL} > 200", f"{MODEL_CALL} > cancelled"]


async def test_closing_a_legacy_connection_lets_the_work_go_on(run: Run) -> None:
    go_on = asyncio.Event()
    async with StandIn([Gate(Summarizes(), go_on)]) as model, run(**with_model(model)) as service:
        message = legacy("tools/call", call(content=prose(60), max_output_tokens=200))
        await left_in_the_middle(service, model, message, {})
        assert model.log == []
        go_on.set()
        await model.finished(2)
        assert set(model.log) == {f"{MODEL_CALL} > 200"}


async def test_closing_a_legacy_stream_after_progress_lets_the_work_go_on_too(run: Run) -> None:
    go_on = asyncio.Event()

    def answers(number: int, payload: Message) -> Summarizes | Gate:
        return Summarizes() if number == 1 else Gate(Summarizes(), go_on)

    async with StandIn(answers) as model, run(**with_model(model)) as service:
        message = a_call_with_progress(legacy)
        async with service.http.stream("POST", service.url, json=message) as response:
            assert await anext(response.aiter_lines()) == "event: message"
            await model.called(2)
        assert (await service.http.get(f"{service.origin}/health")).status_code == 200
        assert model.log == [f"{MODEL_CALL} > 200"]
        go_on.set()
        await model.finished(3)
        assert set(model.log) == {f"{MODEL_CALL} > 200"}


class Held:
    """A tool that reports progress, and ends when it is let go."""

    def __init__(self) -> None:
        self.started, self.cancelled = 0, 0
        self.has_begun, self.let_go = asyncio.Event(), asyncio.Event()

    async def work(self, progress: Report) -> Message:
        self.started += 1
        self.has_begun.set()
        progress(1, 2, "half")
        try:
            await self.let_go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return text_result("done")

    async def begun(self, times: int = 1) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while self.started < times:
                self.has_begun.clear()
                await self.has_begun.wait()


def cancelled(request_id: Any) -> Message:
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": request_id}}


WITH_PROGRESS = {**call("x"), "_meta": {"progressToken": "t"}}


@pytest.mark.parametrize("params, status", [(call("x"), 202), (WITH_PROGRESS, 200)])
async def test_a_cancelled_notification_of_an_older_revision_cancels_the_call_which_gets_no_answer(
    params: Message, status: int
) -> None:
    tool = Held()
    async with serving(endpoint_of(tool.work)) as service:
        posting = asyncio.create_task(service.post(legacy("tools/call", params)))
        await tool.begun()
        for _ in range(2):  # the second one comes too late, and is taken all the same
            assert (await service.post(cancelled(1))).status_code == 202
        answer = await posting
        assert tool.cancelled == 1
        assert answer.status_code == status
        assert '"id"' not in answer.text


KEYS = ("the-key-of-this-caller", "another-key-of-a-caller")


@pytest.mark.parametrize(
    "request_id, headers, calls",
    [
        ("1", {}, 1),
        (True, {}, 1),
        (None, {}, 1),
        ([1], {}, 1),
        (2, {}, 1),
        (1, {"Mcp-Session-Id": "another"}, 1),
        (1, {"User-Agent": "another"}, 1),
        (1, {"Authorization": f"Bearer {KEYS[1]}"}, 1),
        (1, {}, 2),
    ],
)
async def test_a_cancelled_notification_cancels_no_other_call(
    request_id: Any, headers: dict[str, str], calls: int
) -> None:
    tool = Held()
    key = {"Authorization": f"Bearer {KEYS[0]}"}
    async with serving(replace(endpoint_of(tool.work), keys=Keys(KEYS))) as service:
        message = legacy("tools/call", call("x"))
        posting = [asyncio.create_task(service.post(message, key)) for _ in range(calls)]
        await tool.begun(calls)
        assert (await service.post(cancelled(request_id), {**key, **headers})).status_code == 202
        tool.let_go.set()
        for each in posting:
            assert "result" in (await each).json()
        assert tool.cancelled == 0


# Draining.


@pytest.mark.parametrize("write", [legacy, modern])
async def test_draining_cancels_what_has_not_finished_in_time_and_says_so(write: Any) -> None:
    started, cancelled = asyncio.Event(), asyncio.Event()

    async def work(progress: Report) -> Message:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        return text_result("never")

    endpoint = endpoint_of(work)
    async with serving(endpoint) as service:
        message = write("tools/call", call("x"))
        posting = asyncio.create_task(service.post(message, routing(message) if write is modern else {}))
        await started.wait()
        await endpoint.drain(0.001)
        assert cancelled.is_set()
        answer = await posting
    assert (answer.status_code, answer.json()["id"]) == (200, 1)
    assert answer.json()["error"]["code"] == -32603
    assert "call again" in answer.json()["error"]["message"]


async def test_a_call_that_streams_is_told_on_its_stream_that_the_service_stops() -> None:
    async def work(report: Report) -> Message:
        report(1, 2, "half")
        await asyncio.Event().wait()
        return text_result("never")

    endpoint = endpoint_of(work)
    async with (
        serving(endpoint) as service,
        streaming(service, modern("tools/call", call("x"), progressToken=1)) as events,
    ):
        assert (await events.message())["method"] == "notifications/progress"
        await endpoint.drain(0.001)
        (last,) = await events.rest()
    assert (last["id"], last["error"]["code"]) == (1, -32603)


@pytest.mark.parametrize("received", [1, request_body.SMALL_BODY_BYTES + 1])
async def test_an_upload_that_the_end_cuts_off_is_told_so(received: int) -> None:
    async def work(report: Report) -> Message:
        return text_result("never")

    endpoint = endpoint_of(work)
    async with serving(endpoint) as service, connected(service) as connection:
        connection.send(head(f"Content-Length: {received + 1}") + b" " * received)
        async with asyncio.timeout(PATIENCE_S):
            while not endpoint.load.reading:
                await service.post(legacy("ping"))
        await endpoint.drain(0.001)
        status, headers, answer = await connection.answer()
    assert (status, headers["connection"]) == (503, "close")
    assert int(headers["retry-after"]) > 0
    assert "the service is stopping" in json.loads(answer)["error"]["message"]
    assert endpoint.load.reading == 0


async def test_an_upload_that_is_complete_after_the_grace_time_is_told_that_the_service_stops() -> None:
    async def work(report: Report) -> Message:
        await asyncio.Event().wait()
        return text_result("never")

    message = request(legacy("tools/call", call("x")))
    endpoint = endpoint_of(work)
    async with serving(endpoint) as service, connected(service) as connection:
        connection.send(message[:-1])
        await until(lambda: endpoint.load.reading == 1, "the upload to begin")
        draining = asyncio.create_task(endpoint.drain(0.001))
        await until(lambda: endpoint._stopped, "the end of the grace time")
        connection.send(message[-1:])
        status, _, answer = await connection.answer()
        await draining
    assert status == 503
    assert "the service is stopping" in json.loads(answer)["error"]["message"]


async def test_a_call_that_is_cancelled_before_its_first_step_is_told_that_the_service_stops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    endpoint = endpoint_of(raises)
    start = endpoint._calls.start

    def start_and_stop(*given: Any, **named: Any) -> Any:
        started = start(*given, **named)
        endpoint._stopping = True
        started.cancel()
        return started

    monkeypatch.setattr(endpoint._calls, "start", start_and_stop)
    async with serving(endpoint) as service:
        answer = await service.post(legacy("tools/call", call("x")))
    assert (answer.status_code, answer.json()["id"]) == (503, None)
    assert int(answer.headers["retry-after"]) > 0


async def raises(report: Report) -> Message:
    raise AssertionError


@pytest.mark.parametrize("hangs", [True, False])
async def test_a_request_whose_server_is_still_chosen_when_the_time_is_over_is_told_that_the_service_stops(
    *, hangs: bool
) -> None:
    choosing, chosen = asyncio.Event(), asyncio.Event()

    async def choose(_: object) -> Server:
        choosing.set()
        if hangs:
            await asyncio.Event().wait()
        await chosen.wait()
        return endpoint.server

    endpoint = replace(endpoint_of(raises), servers_of_paths={"/mcp": choose})
    async with serving(endpoint) as service, connected(service) as connection:
        message = request(legacy("tools/call", call("x")))
        connection.send(message[:-1])
        await choosing.wait()
        draining = asyncio.create_task(endpoint.drain(0.001))
        await until(lambda: endpoint._stopped, "the end of the grace time")
        chosen.set()
        connection.send(message[-1:])
        assert (await connection.answer())[0] == 503
        await draining


async def test_a_client_that_does_not_read_does_not_hold_the_end_up() -> None:
    async def work(report: Report) -> Message:
        return text_result("x" * 30_000_000)

    endpoint = endpoint_of(work)
    async with serving(endpoint) as service, connected(service, receive_buffer=64 * 1024) as connection:
        connection.send(request(legacy("tools/call", call("x"))))
        await connection.head()
        async with asyncio.timeout(PATIENCE_S):
            await endpoint.drain(0.001)
        assert not endpoint._handlers


async def test_draining_lets_finish_what_finishes_in_time() -> None:
    started, finish = asyncio.Event(), asyncio.Event()

    async def work(progress: Report) -> Message:
        started.set()
        await finish.wait()
        return text_result("done")

    endpoint = endpoint_of(work)
    async with serving(endpoint) as service:
        posting = asyncio.create_task(service.post(legacy("tools/call", call("x"))))
        await started.wait()
        draining = asyncio.create_task(endpoint.drain(PATIENCE_S))
        finish.set()
        await draining
        assert (await posting).json()["result"] == text_result("done")


async def test_a_call_that_comes_while_others_are_finished_is_answered_and_its_connection_closed() -> None:
    started, finish = asyncio.Event(), asyncio.Event()

    async def work(progress: Report) -> Message:
        started.set()
        await finish.wait()
        return text_result("done")

    endpoint = endpoint_of(work)
    async with serving(endpoint) as service, connected(service) as kept:
        kept.send(request(legacy("ping")))
        assert (await kept.answer())[0] == 200
        posting = asyncio.create_task(service.post(legacy("tools/call", call("x"))))
        await started.wait()
        draining = asyncio.create_task(endpoint.drain(PATIENCE_S))
        await asyncio.sleep(0)  # it begins
        kept.send(request(legacy("ping")))
        assert (await kept.answer())[0] == 200
        assert await kept.rest() == b""
        assert not draining.done()
        finish.set()
        assert (await posting).json()["result"] == text_result("done")
        await draining


async def test_a_call_that_has_arrived_but_was_not_read_when_draining_begins_is_answered() -> None:
    async def work(progress: Report) -> Message:
        raise AssertionError

    endpoint = endpoint_of(work)
    async with serving(endpoint) as service, connected(service) as connection:
        connection.send(request(legacy("ping")))
        await endpoint.drain(PATIENCE_S)
        assert (await connection.answer())[0] == 200
        assert await connection.rest() == b""


async def test_once_draining_is_over_a_kept_connection_gets_no_further_call_through() -> None:
    async def work(progress: Report) -> Message:
        return text_result("done")

    endpoint = endpoint_of(work)
    async with serving(endpoint) as service:
        assert (await service.post(legacy("ping"))).status_code == 200
        await endpoint.drain(PATIENCE_S)
        response = await service.post(legacy("ping"))
    assert response.status_code == 503
    assert "stopping" in response.json()["error"]["message"]
    assert response.headers["connection"] == "close"


# Health.


@pytest.mark.parametrize(
    "settings, backend, model",
    [
        ({}, "extractive", None),
        ({"OPENROUTER_API_KEY": "k", "LLM_MODEL": "some/model"}, "openrouter", "some/model"),
    ],
)
async def test_health_names_service_version_backend_and_model(
    run: Run, settings: dict[str, str], backend: str, model: str | None
) -> None:
    async with run(**settings) as service:
        response = await service.http.get(f"{service.origin}/health")
    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "service": "mcp-summarizer",
        "version": "0.1.0",
        "backend": backend,
        "model": model,
    }


@pytest.mark.parametrize(
    "begin, unit, end",
    [
        ("[", "[],", "0]"),
        ("[", "{},", "0]"),
        ("[", '"",', "0]"),
        ("[", "9,", "0]"),
        ("[", "1e9,", "0]"),
        ("[", '{"":0},', "0]"),
        ('"\N{WINKING FACE}', "a", '"'),
    ],
)
def test_the_value_of_a_body_that_is_not_measured_takes_no_more_memory_than_a_small_body(
    begin: str, unit: str, end: str
) -> None:
    fits = (request_body.UNMEASURED_BODY_BYTES - len((begin + end).encode())) // len(unit)
    value = json.loads(begin + unit * fits + end)
    assert json_parsing.memory_of(value) <= request_body.SMALL_BODY_BYTES


@pytest.mark.parametrize("begin, end", [("[", "]"), ('{"":', "}")])
def test_nesting_takes_less_memory_than_a_body_that_is_not_measured_may(begin: str, end: str) -> None:
    depth = 400
    value = json.loads(begin * depth + "0" + end * depth)
    assert json_parsing.memory_of(value) <= 64 * depth * len(begin + end)
