"""Real requests of every kind, and how a message is spoilt: the one half of what test_fuzz.py sends.

A `Random` goes in and an `Input` comes out: the same one for the same seed. An input says what the service must make of it,
as far as that is certain: what judges the answer (response_judge.py) reads it anew, with a reader of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import isfinite
from random import Random
from typing import Any, NoReturn

from tests.support.messages import LEGACY, META_CAPABILITIES, MODERN, Message, call, legacy, modern

Pairs = tuple[tuple[bytes, bytes], ...]
"""Headers in the order in which they are sent."""

TASKS: dict[str, Any] = {META_CAPABILITIES: {"extensions": {"io.modelcontextprotocol/tasks": {}}}}

LOGGING: dict[str, Any] = {"io.modelcontextprotocol/logLevel": "debug"}

# Stands for the id of a task that is really there, until it is sent: ids are random, and as long as this.
TASK_ID = "task-id-of-22-letters."

# Above it, calls with TASKS become tasks: see SETTINGS in test_fuzz.py.
LONG_CONTENT = "Adeline counted 12 boats at Ashmere. Bertram sold none of them in 1204. " * 20


class Unreadable:
    """What a body is that holds no JSON."""


UNREADABLE = Unreadable()


class Unknown:
    """What a body is of which nobody can tell what the service reads in it."""


UNKNOWN = Unknown()


@dataclass(frozen=True, repr=False)
class Input:
    """What is sent over one connection."""

    wire: bytes
    method: str = "POST"
    headers: Pairs = ()
    body: bytes = b""
    message: Any = UNKNOWN
    """What the service reads in the body."""
    framed: bool = True
    """Whether it is one whole HTTP request: the connection can be used again."""
    due: int | None = 1
    """How many answers must come; None where nobody can tell."""

    def with_task(self, task_id: str) -> Input:
        """Return it with the id of a task that is there; it is as long, so that every length holds."""
        wire, body = (data.replace(TASK_ID.encode(), task_id.encode()) for data in (self.wire, self.body))
        # A compressed body, or one in chunks, stays as it is.
        if TASK_ID.encode() in self.body and self.body in self.wire and self.message is not UNKNOWN:
            return replace(self, wire=wire, body=body, message=understood(body))
        return replace(self, wire=wire)


def understood(body: bytes) -> Any:
    """Read a body as JSON (RFC 8259): UTF-8, no NaN, no more digits than Python bears, and no number beyond the range of 64 bits."""

    def refuse(name: str) -> NoReturn:
        raise ValueError(name)

    def finite(digits: str) -> float:
        number = float(digits)
        return number if isfinite(number) else refuse(digits)

    try:
        return json.loads(body.decode("utf-8"), parse_constant=refuse, parse_float=finite)
    except (ValueError, RecursionError):
        return UNREADABLE


class Raw(str):
    """JSON text that is written as it stands."""

    __slots__ = ()


# --- Real requests ---------------------------------------------------------------------------------------------

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


# --- JSON that may be wrong ------------------------------------------------------------------------------------


class Object(list[list[Any]]):
    """A JSON object as its members, each a name and a value: a name may come twice."""


def tree(value: Any) -> Any:
    """Return a JSON value with its objects as Object, all of it new."""
    if isinstance(value, dict):
        return Object([name, tree(member)] for name, member in value.items())
    if isinstance(value, Object):
        return Object([name, tree(member)] for name, member in value)
    return [tree(item) for item in value] if isinstance(value, list) else value


def written(value: Any, *, ascii_only: bool = True) -> str:
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, Object):
        return "{" + ",".join(f"{json.dumps(n)}:{written(v, ascii_only=ascii_only)}" for n, v in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(written(item, ascii_only=ascii_only) for item in value) + "]"
    return json.dumps(value, ensure_ascii=ascii_only)


def nested(opening: str, closing: str, depth: int) -> Raw:
    return Raw(opening * depth + "1" + closing * depth)


NAMES = (
    *("jsonrpc", "id", "method", "params", "result", "error", "_meta", "name", "arguments", "cursor", "uri"),
    *("content", "max_output_tokens", "taskId", "notifications", "progressToken", "inputResponses"),
    *("io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"),
    *("io.modelcontextprotocol/logLevel", "io.modelcontextprotocol/tasks", "requestState", "extensions"),
    *("__proto__", "__class__", "", "\ud800", "x" * 3_000),
)
METHODS = (
    *("tools/call", "tools/list", "ping", "initialize", "server/discover", "tasks/get", "tasks/update"),
    *("notifications/initialized", "prompts/get", "completion/complete", "resources/read"),
    *("TOOLS/LIST", "tools/call ", "tools/call\u0000", "rpc.discover", "__init__", "notifications/x"),
)
SCALARS: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 15, 16, 2**31, 2**53 + 1, -(2**63), 10**60, 0.5, 1.0, -0.0, 1e308, 800.0),
    *("", " ", "1", "a", "\x00", "\r\n", "é", "字😉", "\u2028", "\ud800", "a\udfff", "null", "2.0", "1.0"),
    *("v9",),
    *(MODERN, *LEGACY, TASK_ID, *METHODS, "summarize", "info", "semantic", "../../etc/passwd"),
    *("{0.__class__}",),
    *("%s%n", "${x}", "a" * 101, "x" * 30_000, "字" * 5_000, "\ud83d" * 200),
)
NUMBERS = tuple(
    map(
        Raw,
        ("1e999", "-1E999", "NaN", "Infinity", "-Infinity", "01", "+1", ".5", "1.", "0x10", "1e", "-", "1_0"),
    )
)
BROKEN = tuple(
    map(
        Raw,
        (
            *("", "truE", "undefined", "'a'", '"\\x"', '"\n"', '"', '"\\', '"\\ud800\\u0041"', '"\\u12"'),
            *("{,}", "[1,]"),
            *("{1:2}", '{"a"}', '{"a":}', "[", "]", "}", "/*c*/1", "1 2", '{"a":1,"a":[]}'),
            *('"\\ud83d\\ude09"',),
        ),
    )
)
DIGITS = (100, 4_300, 4_301, 50_000)
DEPTHS = (10, 50, 64, 65, 100, 500, 1_000, 5_000, 100_000)


def _big(random: Random) -> Any:
    return random.choice(
        (
            lambda: [None] * 2_000,
            lambda: [[]] * 500,
            lambda: Object([f"k{number}", number] for number in range(500)),
            lambda: ["file:///a"] * 1_025,
            lambda: Raw("7" * random.choice(DIGITS)),
            lambda: Raw("0." + "3" * random.choice(DIGITS)),
            lambda: nested("[", "]", random.choice(DEPTHS)),
            lambda: nested('{"a":', "}", random.choice(DEPTHS)),
            lambda: nested("[", "", random.choice(DEPTHS)),
            lambda: Raw("[" + "{}," * 100_000 + "1]"),
        )
    )()


def odd_value(random: Random) -> Any:
    """Return a value that hardly belongs where it is put."""
    kinds: tuple[tuple[float, Callable[[], Any]], ...] = (
        (0.72, lambda: random.choice(SCALARS)),
        (0.80, lambda: random.choice(([], [[]], Object(), [None], Object([["a", []]]), [Object()]))),
        (0.86, lambda: random.choice(NUMBERS)),
        (0.92, lambda: random.choice(BROKEN)),
        (1.00, lambda: _big(random)),
    )
    at = random.random()
    return next(make for limit, make in kinds if at < limit)()


def _containers(value: Any) -> Iterator[list[Any]]:
    """Yield every object and array in a tree."""
    if isinstance(value, list):
        yield value
        for item in value:
            yield from _containers(item[1] if isinstance(value, Object) else item)


@dataclass
class Slot:
    """A place in a tree: a member of an object or an item of an array."""

    holder: list[Any]
    at: int

    @property
    def value(self) -> Any:
        return self.holder[self.at][1] if isinstance(self.holder, Object) else self.holder[self.at]

    @value.setter
    def value(self, value: Any) -> None:
        if isinstance(self.holder, Object):
            self.holder[self.at][1] = value
        else:
            self.holder[self.at] = value


def _drop(slot: Slot, random: Random) -> None:
    del slot.holder[slot.at]


def _duplicate(slot: Slot, random: Random) -> None:
    again = tree(slot.holder[slot.at : slot.at + 1])[0] if not isinstance(slot.holder, Object) else None
    if isinstance(slot.holder, Object):
        name, value = slot.holder[slot.at]
        again = [name, odd_value(random) if random.random() < 0.5 else tree(value)]
    slot.holder.insert(random.randint(0, len(slot.holder)), again)


def _retype(slot: Slot, random: Random) -> None:
    value = slot.value
    others: tuple[Any, ...] = (str(value)[:200], [value], Object([["x", value]]), bool(value), 1.0, 1, None)
    slot.value = random.choice(others)


def _replace(slot: Slot, random: Random) -> None:
    slot.value = odd_value(random)


def _rename(slot: Slot, random: Random) -> None:
    if isinstance(slot.holder, Object):
        name = slot.holder[slot.at][0]
        slot.holder[slot.at][0] = random.choice((*NAMES, name.upper(), name + " ", name[:-1]))


def _add(slot: Slot, random: Random) -> None:
    new = odd_value(random)
    slot.holder.append([random.choice(NAMES), new] if isinstance(slot.holder, Object) else new)


OPERATIONS = (_drop, _duplicate, _retype, _replace, _replace, _rename, _add)


def spoilt(message: Any, random: Random) -> Any:
    """Return a message with something else at one place, however deep."""
    if random.random() < 0.03:
        return odd_value(random)
    message = tree(message)
    slots = [Slot(holder, at) for holder in _containers(message) for at in range(len(holder))]
    if not slots:
        return odd_value(random)
    # A value in a batch of a hundred is as likely as in a request: the first are as good as any.
    slot = random.choice(slots[:60])
    if random.random() < 0.1:
        slot.value = tree(random.choice(slots[:60]).value)
    else:
        random.choice(OPERATIONS)(slot, random)
    return message


# --- Bytes -----------------------------------------------------------------------------------------------------


def garbled(data: bytes, random: Random) -> bytes:
    """Return bytes with something wrong in them."""
    at, end = sorted((random.randint(0, len(data)), random.randint(0, len(data))))
    noise = random.randbytes(random.randint(1, 8))
    mistakes: tuple[Callable[[], bytes], ...] = (
        lambda: data[:at],
        lambda: data[at:],
        lambda: data[:at] + noise + data[at:],
        lambda: data[:at] + noise + data[at + len(noise) :],
        lambda: data[:at] + data[end:],
        lambda: data[:end] + data[at:],
        lambda: data + data,
        lambda: data + b"\n" + data,
        lambda: data + random.choice((b"\x00", b",", b"}", b"]", b" \r\n\t ", b"\xff", b"//")),
        lambda: b"\xef\xbb\xbf" + data,
        lambda: data.decode("utf-8", "replace").encode("utf-16"),
        lambda: data.decode("utf-8", "replace").encode("utf-32-be"),
        lambda: b" " * random.choice((1, 1_000, 300_000)) + data,
        lambda: data.replace(b'"', b"'"),
        lambda: bytes(byte ^ 0x80 if random.random() < 0.01 else byte for byte in data[:10_000]),
        lambda: random.randbytes(random.randint(0, 2_000)),
        lambda: b"",
    )
    return random.choice(mistakes)()
