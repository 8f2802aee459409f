"""Real requests of both eras, of every kind, as clients write them. Not here: how they are spoilt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.support.fuzzing.inputs import TASK_ID, Pairs
from tests.support.fuzzing.json_trees import Raw, tree
from tests.support.messages import LEGACY, META_CAPABILITIES, MODERN, Message, call, legacy, modern

TASKS: dict[str, Any] = {META_CAPABILITIES: {"extensions": {"io.modelcontextprotocol/tasks": {}}}}

LOGGING: dict[str, Any] = {"io.modelcontextprotocol/logLevel": "debug"}

# Above it, calls with TASKS become tasks: see SETTINGS in test_fuzz.py.
LONG_CONTENT = "Adeline counted 12 boats at Ashmere. Bertram sold none of them in 1204. " * 20


USUAL: Pairs = (
    (b"Host", b"127.0.0.1"),
    (b"User-Agent", b"fuzz"),
    (b"Content-Type", b"application/json"),
    (b"Accept", b"application/json, text/event-stream"),
)


@dataclass(frozen=True)
class Request:
    """A request as a client writes it; the message is in the form of `tree`."""

    message: Any
    headers: Pairs
    method: bytes = b"POST"
    target: bytes = b"/mcp"
    http: bytes = b"HTTP/1.1"


def _versioned(message: Any, version: str | None) -> Request:
    more: Pairs = () if version is None else ((b"MCP-Protocol-Version", version.encode()),)
    return Request(tree(message), USUAL + more)


def _routed(message: Message) -> Request:
    params = message.get("params", {})
    named = params.get("name") or params.get("uri") or params.get("taskId")
    routing = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", message["method"])]
    routing += [("Mcp-Name", named)] if named else []
    return Request(tree(message), USUAL + tuple((name.encode(), value.encode()) for name, value in routing))


NOTIFICATIONS: tuple[Message, ...] = (
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1, "reason": "late"}},
    {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}},
)
HANDSHAKE = {"capabilities": {"roots": {}}, "clientInfo": {"name": "fuzz", "version": "1"}}
# The third is cut, and tells its progress.
CALLS: tuple[Message, ...] = (
    call(content="a short text"),
    call(content="short", max_output_tokens=100, focus_areas=["boats"], strategy="token"),
    {**call(content=LONG_CONTENT, max_output_tokens=30), "_meta": {"progressToken": "t"}},
    call("summarize_for_extraction", content=LONG_CONTENT, schema_hint="names, boats", max_output_tokens=40),
)
LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
OTHERS: tuple[tuple[str, Message], ...] = (
    ("resources/read", {"uri": "file:///a"}),
    ("prompts/get", {"name": "p", "arguments": {"a": "b"}}),
    (
        "completion/complete",
        {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": "v"}},
    ),
    ("no/such", {"x": [1, {"y": None}]}),
)


def _legacy_requests() -> Iterator[tuple[Message, str | None]]:
    for version in LEGACY:
        yield legacy("initialize", {"protocolVersion": version, **HANDSHAKE}, request_id=0), None
        yield legacy("ping", request_id=version), version
    for method in LISTS:
        yield legacy(method, {}, request_id=2**40), LEGACY[1]
    for number, params in enumerate(CALLS):
        yield legacy("tools/call", params, request_id=f"call {number}"), LEGACY[number % 4]
    for method, params in OTHERS:
        yield legacy(method, params, request_id=-7), LEGACY[0]
    yield legacy("logging/setLevel", {"level": "info"}), LEGACY[0]
    yield legacy("resources/subscribe", {"uri": "file:///a"}), LEGACY[0]
    yield legacy("resources/unsubscribe", {"uri": "file:///a"}), None
    yield legacy("server/discover"), LEGACY[0]
    yield legacy("tasks/get", {"taskId": TASK_ID}), LEGACY[0]
    for notification in NOTIFICATIONS:
        yield notification, LEGACY[0]
    yield {"jsonrpc": "2.0", "id": 9, "result": {"roots": []}}, LEGACY[2]
    yield {"jsonrpc": "2.0", "id": 9, "error": {"code": 1, "message": "m"}}, None


def _modern_requests() -> Iterator[Message]:
    yield modern("server/discover", request_id="server-discover-probe-1")
    for method in LISTS:
        yield modern(method, {"cursor": None}, request_id=0)
    for number, params in enumerate(CALLS):
        yield modern(
            "tools/call", {"name": params["name"], "arguments": params["arguments"]}, request_id=number
        )
        yield modern(
            "tools/call", {**params, "requestState": "s", "inputResponses": {"k": {}}}, progressToken=1
        )
        yield modern("tools/call", params, request_id=f"task {number}", **TASKS)
    for method, params in OTHERS:
        yield modern(method, params, request_id=2**60, traceparent="00-0-0-01")
    for method in ("tasks/get", "tasks/update", "tasks/cancel"):
        yield modern(method, {"taskId": TASK_ID, "inputResponses": {"k": {"action": "accept"}}}, **TASKS)
    for wanted in (
        {},
        {"toolsListChanged": True, "resourceSubscriptions": ["file:///a"]},
        {"taskIds": [TASK_ID]},
    ):
        yield modern("subscriptions/listen", {"notifications": wanted}, request_id="s", **TASKS)
    yield from NOTIFICATIONS
    yield modern("initialize", {"protocolVersion": MODERN, **HANDSHAKE})
    yield modern("ping", {}, **LOGGING)
    yield modern("tools/list", version="2099-01-01")


def _batches() -> Iterator[tuple[list[Any], str | None]]:
    ping, listing = legacy("ping", request_id="b"), legacy("tools/list", request_id=3)
    yield [ping, NOTIFICATIONS[0], listing], None
    yield [ping, legacy("tools/call", CALLS[0]), {"jsonrpc": "2.0", "id": 1, "result": {}}], "2025-03-26"
    yield [NOTIFICATIONS[0], NOTIFICATIONS[1]], "2024-11-05"
    yield [ping] * 100, None
    yield [ping, listing], LEGACY[0]
    yield [modern("tools/list")], MODERN


# What a browser asks before a page may call.
PREFLIGHT = Request(
    Raw(""),
    (
        *USUAL[:2],
        (b"Origin", b"http://localhost:3000"),
        (b"Access-Control-Request-Method", b"POST"),
        (b"Access-Control-Request-Headers", b"content-type, mcp-method, mcp-param-region"),
    ),
    b"OPTIONS",
)


@cache
def corpus() -> tuple[Request, ...]:
    """Return real requests of both eras: every method, notifications, responses, batches."""
    old = [_versioned(message, version) for message, version in _legacy_requests()]
    new = [_routed(message) for message in _modern_requests()]
    batches = [_versioned(batch, version) for batch, version in _batches()]
    return (*old, *new, *batches, PREFLIGHT, PREFLIGHT)
