"""MCP messages, both eras: a message and its headers in, a reply or notifications out. No I/O, no HTTP, no summaries.

The modern era is revision 2026-07-28: stateless, every request says in `_meta` what it needs. The legacy era is the
handshake of 2024-11-05 to 2025-11-25, served without sessions. Rules are quoted where they are obeyed, from
https://modelcontextprotocol.io/specification/ ("MCP") and https://www.jsonrpc.org/specification ("JSON-RPC").

Reading order: `parse` (bytes to message), `era_of`, the checks of each era in their order, the method tables, `answer`.

Not here on purpose: sessions, requests to the client (sampling, elicitation, roots), resources, prompts, logging.
"""

import base64
import binascii
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NoReturn, Protocol

MODERN_VERSIONS = ("2026-07-28",)
# Newest first: `initialize` answers the first where it does not know the version asked for.
LEGACY_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022

META_VERSION = "io.modelcontextprotocol/protocolVersion"
META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META_LOG_LEVEL = "io.modelcontextprotocol/logLevel"
META_SERVER_INFO = "io.modelcontextprotocol/serverInfo"

HEADER_VERSION = "mcp-protocol-version"
HEADER_METHOD = "mcp-method"
HEADER_NAME = "mcp-name"
ROUTING_HEADERS = (HEADER_VERSION, HEADER_METHOD, HEADER_NAME)

# The tools never change while a process runs; a minute keeps a restarted service from being misread for long.
LIST_TTL_MS = 60_000

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")

# Of a value that does not fit: enough to recognise it.
SHOWN_CHARS = 100

Message = dict[str, Any]
Headers = Mapping[str, Sequence[str]]
"""Lower-case header names with every value that was sent, stripped of outer white space."""

Notify = Callable[[Message], None]


class Era(Enum):
    """Which of the two protocols a message speaks."""

    MODERN = "modern"
    LEGACY = "legacy"


class RpcError(Exception):
    """A JSON-RPC error for the caller to see: the message is made for that."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


@dataclass(frozen=True)
class Reply:
    """What goes back: a JSON-RPC message or, to a notification, nothing. `era` decides how a transport shows errors."""

    body: Message | None
    era: Era

    @property
    def error_code(self) -> int | None:
        """The JSON-RPC error code, None for a result or nothing."""
        error = (self.body or {}).get("error")
        return error["code"] if error else None


class UnknownTool(Exception):
    """What a registry raises for a tool it does not have; the message is for the caller."""


class Registry(Protocol):
    """What the protocol serves."""

    def describe(self) -> list[dict[str, Any]]:
        """Return the tools as `tools/list` shows them."""
        ...

    async def call(
        self, name: str, arguments: Mapping[str, Any], progress: Callable[[int, int, str], None]
    ) -> dict[str, Any]:
        """Return a CallToolResult; raises UnknownTool."""
        ...


@dataclass(frozen=True)
class Server:
    """Who answers: name and version are for display only."""

    name: str
    version: str
    instructions: str
    registry: Registry

    @property
    def info(self) -> dict[str, str]:
        """The implementation info that clients show."""
        return {"name": self.name, "version": self.version}


@dataclass(frozen=True)
class Request:
    """A request that has passed its era's checks."""

    id: str | int
    method: str
    params: Mapping[str, Any]
    era: Era

    @property
    def meta(self) -> Mapping[str, Any]:
        """The `_meta` of the parameters."""
        return self.params.get("_meta") or {}


# --- Reading ---------------------------------------------------------------------------------------------------


def parse(body: bytes) -> Any:
    """Return the JSON value that a body holds. Raises RpcError PARSE_ERROR."""
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except RecursionError:
        raise RpcError(PARSE_ERROR, "Parse error: the JSON is nested too deeply") from None
    except UnicodeDecodeError as broken:
        raise RpcError(PARSE_ERROR, f"Parse error: the body is not UTF-8 (byte {broken.start})") from None
    except json.JSONDecodeError as broken:
        raise RpcError(PARSE_ERROR, f"Parse error: {broken.msg} at character {broken.pos}") from None
    except ValueError as broken:  # NaN, or an integer with thousands of digits
        raise RpcError(PARSE_ERROR, f"Parse error: {str(broken)[:100]}") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def era_of(message: Any, headers: Headers) -> Era:
    """Tell the era by what the body says, then by the version header; without either it is legacy."""
    if META_VERSION in _meta_of(message):
        return Era.MODERN
    # MCP 2025-06-18, Transports: without the header, the server SHOULD assume 2025-03-26.
    versions = headers.get(HEADER_VERSION, ())
    return Era.LEGACY if all(version in LEGACY_VERSIONS for version in versions) else Era.MODERN


def _meta_of(message: Any) -> Mapping[str, Any]:
    params = message.get("params") if isinstance(message, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta if isinstance(meta, dict) else {}


def id_of(message: Any) -> str | int | None:
    """Return the id of a request where it has a valid one: a string or an integer (MCP: not null, not a fraction)."""
    value = message.get("id") if isinstance(message, dict) else None
    return value if isinstance(value, str | int) and not isinstance(value, bool) else None


def _read(message: Any, headers: Headers, era: Era) -> Request | None:
    """Check a message in its era's order; None where it asks for no answer."""
    if not isinstance(message, dict):
        raise RpcError(
            INVALID_REQUEST, "Invalid request: expected one JSON-RPC object, not a batch or a bare value"
        )
    if message.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, 'Invalid request: expected "jsonrpc": "2.0"')
    if era is Era.LEGACY and "method" not in message and ("result" in message or "error" in message):
        return None  # MCP 2025-11-25, Transports: a response posted to the server is accepted with 202
    method = message.get("method")
    if not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, 'Invalid request: expected a string "method"')
    # JSON-RPC 4.1: "The Server MUST NOT reply to a Notification", not even with an error.
    if "id" not in message:
        return None
    request_id = id_of(message)
    if request_id is None:
        raise RpcError(INVALID_REQUEST, 'Invalid request: expected a string or an integer as "id"')
    params = message.get("params")  # null counts as absent: some clients write every optional member
    if not isinstance(params, dict | None):
        raise RpcError(INVALID_PARAMS, 'Invalid params: expected "params" to be an object')
    request = Request(request_id, method, params or {}, era)
    for check in CHECKS[era]:
        check(request, headers)
    return request


# --- Checks, in their order ------------------------------------------------------------------------------------


def _check_no_header_twice(request: Request, headers: Headers) -> None:
    for name in ROUTING_HEADERS:
        if len(headers.get(name, ())) > 1:
            # Whoever routes by the first and whoever answers by the last would disagree.
            raise RpcError(HEADER_MISMATCH, f"Header mismatch: {name} was sent {len(headers[name])} times")


def _check_meta(request: Request, headers: Headers) -> None:
    meta = _meta_of({"params": request.params})
    if not isinstance(meta.get(META_VERSION), str):
        raise RpcError(INVALID_PARAMS, f"Invalid params: _meta needs a string {META_VERSION}")
    if not isinstance(meta.get(META_CAPABILITIES), dict):
        raise RpcError(INVALID_PARAMS, f"Invalid params: _meta needs an object {META_CAPABILITIES}")


def _check_headers_match(request: Request, headers: Headers) -> None:
    """MCP 2026-07-28, Streamable HTTP: the headers are required and must equal the body."""
    _check_header(headers, HEADER_VERSION, request.meta[META_VERSION])
    _check_header(headers, HEADER_METHOD, request.method)
    if request.method == "tools/call" and isinstance(request.params.get("name"), str):
        _check_header(headers, HEADER_NAME, request.params["name"])


def _check_header(headers: Headers, name: str, expected: str) -> None:
    values = headers.get(name, ())
    if not values:
        raise RpcError(HEADER_MISMATCH, f"Header mismatch: {name} is missing")
    given = _decode_sentinel(values[0]) if name == HEADER_NAME else values[0]
    if given != expected:
        raise RpcError(
            HEADER_MISMATCH,
            f"Header mismatch: {name}: expected {expected[:SHOWN_CHARS]!r} as in the body, got {given[:SHOWN_CHARS]!r}",
        )


_SENTINEL = re.compile(r"=\?base64\?(.*)\?=")


def _decode_sentinel(value: str) -> str:
    """Read a header value that may be written as `=?base64?...?=` since it is not plain ASCII."""
    sentinel = _SENTINEL.fullmatch(value)
    if sentinel is None:
        return value
    try:
        decoded = base64.b64decode(sentinel[1], validate=True)
        # Two spellings of one name could be routed in two ways: only the canonical one counts.
        if base64.b64encode(decoded).decode() == sentinel[1]:
            return decoded.decode("utf-8")
    except (binascii.Error, ValueError):
        pass
    raise RpcError(HEADER_MISMATCH, f"Header mismatch: {HEADER_NAME} is not valid base64 of UTF-8")


def _check_version(request: Request, headers: Headers) -> None:
    requested = request.meta[META_VERSION]
    if requested not in MODERN_VERSIONS:
        supported = [*MODERN_VERSIONS, *LEGACY_VERSIONS]
        data = {"supported": supported, "requested": requested}
        raise RpcError(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def _check_method(request: Request, headers: Headers) -> None:
    if request.method not in METHODS[request.era]:
        raise RpcError(METHOD_NOT_FOUND, f"Method not found: {request.method[:100]}")


def _check_progress_token(request: Request, headers: Headers) -> None:
    token = request.meta.get("progressToken")
    if token is not None and (isinstance(token, bool) or not isinstance(token, str | int)):
        raise RpcError(INVALID_PARAMS, "Invalid params: expected a string or an integer as progressToken")


def _check_log_level(request: Request, headers: Headers) -> None:
    level = request.meta.get(META_LOG_LEVEL, "info")
    if level not in LOG_LEVELS:
        got = _kind(level) if isinstance(level, list | dict) else json.dumps(level)[:SHOWN_CHARS]
        raise RpcError(
            INVALID_PARAMS,
            f"Invalid params: {META_LOG_LEVEL}: expected one of {', '.join(LOG_LEVELS)}, got {got}",
        )


def _kind(value: Any) -> str:
    """Say what a JSON value is, in JSON's words."""
    kinds = {
        type(None): "null",
        bool: "a boolean",
        int: "a number",
        float: "a number",
        str: "a string",
        list: "an array",
        dict: "an object",
    }
    return kinds[type(value)]


def _check_meta_is_object(request: Request, headers: Headers) -> None:
    if not isinstance(request.params.get("_meta"), dict | None):
        raise RpcError(INVALID_PARAMS, "Invalid params: expected _meta to be an object")


Check = Callable[[Request, Headers], None]

CHECKS: dict[Era, tuple[Check, ...]] = {
    Era.MODERN: (
        _check_no_header_twice,
        _check_meta,
        _check_headers_match,
        _check_version,
        _check_method,
        _check_progress_token,
        _check_log_level,
    ),
    Era.LEGACY: (_check_method, _check_meta_is_object, _check_progress_token),
}


# --- Methods ---------------------------------------------------------------------------------------------------


async def _discover(request: Request, server: Server, notify: Notify | None) -> Message:
    return {
        "supportedVersions": [*MODERN_VERSIONS, *LEGACY_VERSIONS],
        "capabilities": {"tools": {}},
        "instructions": server.instructions,
    }


async def _initialize(request: Request, server: Server, notify: Notify | None) -> Message:
    requested = request.params.get("protocolVersion")
    if not isinstance(requested, str):
        raise RpcError(INVALID_PARAMS, "Invalid params: initialize needs a string protocolVersion")
    return {
        "protocolVersion": requested if requested in LEGACY_VERSIONS else LEGACY_VERSIONS[0],
        "capabilities": {"tools": {}},
        "serverInfo": server.info,
        "instructions": server.instructions,
    }


async def _ping(request: Request, server: Server, notify: Notify | None) -> Message:
    return {}


async def _list_tools(request: Request, server: Server, notify: Notify | None) -> Message:
    if request.params.get("cursor") is not None:
        raise RpcError(INVALID_PARAMS, "Invalid params: unknown cursor; the list has one page")
    return {"tools": server.registry.describe()}


async def _call_tool(request: Request, server: Server, notify: Notify | None) -> Message:
    name, arguments = request.params.get("name"), request.params.get("arguments")
    if not isinstance(name, str):
        got = _kind(name) if "name" in request.params else "none"
        raise RpcError(INVALID_PARAMS, f"Invalid params: tools/call needs a string name, got {got}")
    if not isinstance(arguments, dict | None):
        raise RpcError(INVALID_PARAMS, "Invalid params: expected arguments to be an object")
    try:
        return await server.registry.call(name, arguments or {}, _progress(request, notify))
    except UnknownTool as unknown:
        raise RpcError(INVALID_PARAMS, str(unknown)) from None


def _progress(request: Request, notify: Notify | None) -> Callable[[int, int, str], None]:
    """Return what turns a tool's progress into notifications, where the client asked for them."""
    token = request.meta.get("progressToken")
    last = 0

    def report(done: int, total: int, message: str) -> None:
        nonlocal last
        # MCP, Progress: "The progress value MUST increase with each notification".
        if token is None or notify is None or done <= last:
            return
        last = done
        params = {"progressToken": token, "progress": done, "total": total, "message": message}
        notify({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})

    return report


Handler = Callable[[Request, Server, Notify | None], Awaitable[Message]]

METHODS: dict[Era, dict[str, Handler]] = {
    Era.MODERN: {"server/discover": _discover, "tools/list": _list_tools, "tools/call": _call_tool},
    Era.LEGACY: {
        "initialize": _initialize,
        "ping": _ping,
        "tools/list": _list_tools,
        "tools/call": _call_tool,
    },
}

# MCP 2026-07-28, Caching: these results carry how long and by whom they may be kept.
CACHEABLE = frozenset({"server/discover", "tools/list"})


def _stamp(result: Message, request: Request, server: Server) -> Message:
    """Add what every result of an era carries; legacy results carry nothing."""
    if request.era is Era.LEGACY:
        return result
    hints = {"ttlMs": LIST_TTL_MS, "cacheScope": "private"} if request.method in CACHEABLE else {}
    meta = {**result.get("_meta", {}), META_SERVER_INFO: server.info}
    return {"resultType": "complete", **result, **hints, "_meta": meta}


# --- Answering -------------------------------------------------------------------------------------------------


async def answer(message: Any, headers: Headers, server: Server, notify: Notify | None = None) -> Reply:
    """Answer one message. `notify`, where the transport can carry them, gets this request's notifications before that.

    Never raises RpcError: it becomes the reply.
    """
    era = era_of(message, headers)
    try:
        request = _read(message, headers, era)
        if request is None:
            return Reply(None, era)
        result = await METHODS[era][request.method](request, server, notify)
        return Reply({"jsonrpc": "2.0", "id": request.id, "result": _stamp(result, request, server)}, era)
    except RpcError as error:
        return error_reply(error, id_of(message), era)


def error_reply(error: RpcError, request_id: str | int | None, era: Era) -> Reply:
    """Return an error as a reply. Where the id could not be read there is none: `null` is no id in MCP."""
    body: Message = {"code": error.code, "message": str(error)}
    if error.data is not None:
        body["data"] = error.data
    envelope: Message = {"jsonrpc": "2.0"} if request_id is None else {"jsonrpc": "2.0", "id": request_id}
    return Reply({**envelope, "error": body}, era)
