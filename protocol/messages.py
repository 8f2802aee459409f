"""The vocabulary of MCP and JSON-RPC: versions, names, error codes, requests and replies.

Rules are quoted where they are obeyed, from https://modelcontextprotocol.io/specification/ ("MCP") and
https://www.jsonrpc.org/specification ("JSON-RPC"). No I/O here, and no checks of requests: those are in mcp_protocol.py.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

MODERN_VERSIONS = ("2026-07-28",)
# Newest first: `initialize` answers with the first if it does not know the requested version.
LEGACY_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
# MCP 2025-06-18, Transports: without the header, the server SHOULD assume this one.
VERSION_WITHOUT_HEADER = "2025-03-26"

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022
LEGACY_RESOURCE_NOT_FOUND = -32002
# Ours: MCP 2026-07-28 asks servers for codes outside of -32768 to -32000.
TOO_BUSY = 503

# Calls take seconds: a client that retries sooner finds the same queue.
RETRY_AFTER_SECONDS = 5

META_VERSION = "io.modelcontextprotocol/protocolVersion"
META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META_LOG_LEVEL = "io.modelcontextprotocol/logLevel"
META_SERVER_INFO = "io.modelcontextprotocol/serverInfo"
META_CLIENT_INFO = "io.modelcontextprotocol/clientInfo"
META_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
TASKS_EXTENSION = "io.modelcontextprotocol/tasks"

HEADER_VERSION = "mcp-protocol-version"
HEADER_METHOD = "mcp-method"
HEADER_NAME = "mcp-name"
HEADER_PARAM_PREFIX = "mcp-param-"
# Of clients in the legacy era that have one, which this service does not give them: it says what belongs together.
HEADER_SESSION = "mcp-session-id"
ROUTING_HEADERS = (HEADER_VERSION, HEADER_METHOD, HEADER_NAME)

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")

# The longest id or progress token: every notification repeats it, and an event has at most 1 MiB.
MAX_NAME_CHARS = 1024

# How much of a wrong value an error message shows: enough to recognise it.
SHOWN_CHARS = 100

Message = dict[str, Any]


class PreEncodedList(list[Any]):
    """A list in messages that never changes, as the definitions of the tools: it is written as JSON once."""

    @cached_property
    def json_bytes(self) -> bytes:
        """Its JSON."""
        return to_json(self)


_write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def to_json(value: Any) -> bytes:
    """Return a value as JSON."""
    try:
        return _write(value).encode()
    except UnicodeEncodeError:  # a lone surrogate, which only an escape can carry
        return json.dumps(value, separators=(",", ":")).encode()


Headers = Mapping[str, Sequence[str]]
"""Lower-case header names with every value that was sent, stripped of outer white space."""

Notify = Callable[[Message], None]
"""Takes a call's notifications; for a call on a connection it is `Outbox.put` (transport/responses.py), given by `CallRunner.start`."""


class Era(Enum):
    """Which of the two protocols a message uses."""

    MODERN = "modern"
    LEGACY = "legacy"


class RpcError(Exception):
    """A JSON-RPC error; its message is written for the caller."""

    is_logged = False
    """Whether the log has a line about it already, as about a tool's own errors."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data

    def as_json(self) -> Message:
        """Return the `error` member of a reply."""
        body: Message = {"code": self.code, "message": str(self)}
        return body if self.data is None else {**body, "data": self.data}


class TooBusy(RpcError):
    """The service is overloaded: nothing of this request was done, and it may be sent again in a moment."""

    is_logged = True

    def __init__(self, message: str) -> None:
        super().__init__(TOO_BUSY, message, {"retryAfterSeconds": RETRY_AFTER_SECONDS})


class MissingCapability(RpcError):
    """The request needs a capability that the client did not declare with it.

    MCP 2026-07-28: `requiredCapabilities` MUST be an object, as in the client's own declaration.
    """

    def __init__(self, required: Message, what: str) -> None:
        names = ", ".join(_capability_names(required))
        super().__init__(
            MISSING_CAPABILITY,
            f"Missing required client capability: {what} needs {names} in _meta {META_CAPABILITIES}",
            {"requiredCapabilities": required},
        )


def _capability_names(required: Message) -> list[str]:
    return [*(name for name in required if name != "extensions"), *required.get("extensions", {})]


_NOTHING: Mapping[str, Any] = MappingProxyType({})


class RpcRequest(NamedTuple):
    """A request that has passed its era's checks."""

    id: str | int
    method: str
    params: Mapping[str, Any]
    era: Era
    meta: Mapping[str, Any] = _NOTHING
    """The `_meta` of the parameters."""
    version: str = ""
    """The revision it is written in."""
    headers: Headers = _NOTHING
    owner: str = ""
    """The caller, as the transport knows it: what is kept for later is kept for this caller alone."""
    arrived: float | None = None
    """When its headers had been read, on the service's clock (time.monotonic): since then the caller has been waiting. None if not known."""

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """What the client declares with this request; {} in the legacy era, which declares once per session."""
        declared = self.meta.get(META_CAPABILITIES)
        return declared if self.era is Era.MODERN and isinstance(declared, dict) else {}

    @property
    def declares_tasks(self) -> bool:
        """Whether the client can follow a task."""
        extensions = self.capabilities.get("extensions")
        return isinstance(extensions, dict) and isinstance(extensions.get(TASKS_EXTENSION), dict)


class Reply(NamedTuple):
    """The answer to a message: a JSON-RPC message, a list of them to a batch, None to a notification.

    The HTTP status of an error depends on the era.
    """

    body: Message | list[Message] | None
    era: Era
    is_logged: bool = False
    """Whether the log has a line about the error already."""

    @property
    def error_code(self) -> int | None:
        """The code of a single JSON-RPC error; None for a result, a batch or nothing."""
        error = self.body.get("error") if isinstance(self.body, dict) else None
        return error["code"] if error else None


def result_reply(result: Message, request: RpcRequest) -> Reply:
    """Return the reply that carries a result."""
    return Reply({"jsonrpc": "2.0", "id": request.id, "result": result}, request.era)


def error_reply(error: RpcError, request_id: str | int | None, era: Era) -> Reply:
    """Return an error as a reply; its id is null if the request's id could not be read.

    JSON-RPC 5: "This member is REQUIRED. [...] If there was an error in detecting the id in the Request object (e.g. Parse
    error/Invalid Request), it MUST be Null." MCP would let it be left out, but clients then drop the whole message.
    """
    return Reply({"jsonrpc": "2.0", "id": request_id, "error": error.as_json()}, era, error.is_logged)


def notification(method: str, params: Message) -> Message:
    """Return a notification as it is sent."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def id_of(message: Any) -> str | int | None:
    """Return the id of a request if it is valid: a string or an integer (MCP: not null, not a fraction)."""
    value = message.get("id") if isinstance(message, dict) else None
    return value if is_name(value) else None


def is_name(value: Any) -> bool:
    """Whether a value can be an id or a progress token: an integer, or a string short enough to repeat in every event."""
    if isinstance(value, str):
        return len(value) <= MAX_NAME_CHARS
    return isinstance(value, int) and not isinstance(value, bool)


def json_type(value: Any) -> str:
    """Return the JSON name of a value's type, for messages."""
    return _KINDS[type(value)]


_KINDS = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
}


def shown(members: Mapping[str, Any], name: str) -> str:
    """Return what an object has as a member, for errors: "none", a short value as JSON, else the kind of it."""
    if name not in members:
        return "none"
    value = members[name]
    if isinstance(value, str) and len(value) > SHOWN_CHARS:
        return f"a string of {len(value)} characters"
    return json_type(value) if isinstance(value, list | dict) else json.dumps(value)[:SHOWN_CHARS]


def string_param(request: RpcRequest, name: str) -> str:
    """Return a parameter that must be a string. Raises RpcError INVALID_PARAMS."""
    value = request.params.get(name)
    if not isinstance(value, str):
        got = json_type(value) if name in request.params else "none"
        raise RpcError(INVALID_PARAMS, f"Invalid params: {request.method} needs a string {name}, got {got}")
    return value


def object_param(request: RpcRequest, name: str) -> Message:
    """Return a parameter that must be an object, {} where it is absent or null. Raises RpcError INVALID_PARAMS."""
    value = request.params.get(name)
    if not isinstance(value, dict | None):
        raise RpcError(
            INVALID_PARAMS, f"Invalid params: expected {name} to be an object, got {json_type(value)}"
        )
    return value or {}
