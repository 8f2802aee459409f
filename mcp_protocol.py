"""MCP messages, both eras: a message and its headers in, a reply or notifications out. No I/O, no HTTP, no summaries.

The modern era is revision 2026-07-28: stateless, every request says in `_meta` what it needs. The legacy era is the
handshake of 2024-11-05 to 2025-11-25, served without sessions. Rules are quoted where they are obeyed, from
https://modelcontextprotocol.io/specification/ ("MCP") and https://www.jsonrpc.org/specification ("JSON-RPC").

Reading order: `Incoming` (what a message is), `_checked_request` and the checks of each era in their order, `answer`. The vocabulary
is in protocol/messages.py, the methods of each revision in protocol/revisions.py, what each method does in protocol/methods.py, the
modern routing headers in protocol/routing_headers.py.

Not here on purpose: sessions, and requests to the client outside of a call's own result.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from observability import tracing
from protocol.context import InputRequired, internal_errors
from protocol.messages import (
    HEADER_VERSION,
    INVALID_PARAMS,
    INVALID_REQUEST,
    LEGACY_VERSIONS,
    LOG_LEVELS,
    MAX_NAME_CHARS,
    META_CAPABILITIES,
    META_LOG_LEVEL,
    META_SERVER_INFO,
    META_VERSION,
    METHOD_NOT_FOUND,
    MODERN_VERSIONS,
    SHOWN_CHARS,
    UNSUPPORTED_VERSION,
    VERSION_WITHOUT_HEADER,
    Era,
    Headers,
    Message,
    Notify,
    Reply,
    RpcError,
    RpcRequest,
    error_reply,
    id_of,
    is_name,
    json_type,
    result_reply,
    shown,
)
from protocol.methods import Server
from protocol.revisions import BATCH_VERSIONS, METHODS, Duration, Method
from protocol.routing_headers import check_headers_match, check_mirrored, check_no_header_twice

# The lists never change while a process runs; after a restart with another version, caches are outdated for a minute at most.
LIST_TTL_MS = 60_000

_NAME = f"a string of at most {MAX_NAME_CHARS} characters or an integer"


# --- Incoming messages -----------------------------------------------------------------------------------------


class Incoming(NamedTuple):
    """A parsed message, with everything that its body and headers say about it: found out once, before any check."""

    message: Any
    headers: Headers
    era: Era
    version: str
    """The revision whose methods it can call."""
    id: str | int | None
    """The message's id where it has a valid one; else None."""
    method_name: str | None
    """As the message has it; None without one."""
    params: Mapping[str, Any]
    """{} if they are missing or not an object; so is `meta`."""
    meta: Mapping[str, Any]
    method: Method | None
    """The method of that name; None if the revision has none."""
    duration: Duration

    @classmethod
    def of(cls, message: Any, headers: Headers, revision: tuple[Era, str] | None = None) -> "Incoming":
        """Read a message; `revision` is given for the messages of a batch, which have that of the batch."""
        params = _object_in(message, "params")
        meta = _object_in(params, "_meta")
        era, version = revision or _revision_of(meta, headers)
        name = message.get("method") if isinstance(message, dict) else None
        method = METHODS[version].get(name) if isinstance(name, str) else None
        return cls(
            message=message,
            headers=headers,
            era=era,
            version=version,
            id=id_of(message),
            method_name=name if isinstance(name, str) else None,
            params=params,
            meta=meta,
            method=method,
            duration=_duration_of(message, method),
        )

    @property
    def names_version(self) -> bool:
        """Whether the body names a revision, as modern messages do."""
        return META_VERSION in self.meta

    def members(self) -> "list[Incoming]":
        """Return the messages of a batch."""
        return [self.of(each, self.headers, (self.era, self.version)) for each in self.message]


def _object_in(value: Any, name: str) -> Mapping[str, Any]:
    """Return the member of an object if it is an object, too; else {}."""
    member = value.get(name) if isinstance(value, dict) else None
    return member if isinstance(member, dict) else {}


def _revision_of(meta: Mapping[str, Any], headers: Headers) -> tuple[Era, str]:
    """Return the era and the revision: by the body, then by the version header; without either, it is legacy."""
    versions = headers.get(HEADER_VERSION, ())
    if META_VERSION in meta or any(version not in LEGACY_VERSIONS for version in versions):
        return Era.MODERN, MODERN_VERSIONS[0]
    return Era.LEGACY, versions[0] if versions else VERSION_WITHOUT_HEADER


def _duration_of(message: Any, method: Method | None) -> Duration:
    """Return how long a message may take: a batch with requests is long; unknown methods and notifications are short."""
    if isinstance(message, list):
        has_requests = any(isinstance(each, dict) and "id" in each for each in message)
        return Duration.LONG if has_requests else Duration.SHORT
    return method.duration if method and "id" in message else Duration.SHORT


# --- Checking --------------------------------------------------------------------------------------------------


def _checked_request(
    incoming: Incoming, server: Server, owner: str, arrived: float | None
) -> RpcRequest | None:
    """Check a message in its era's order; return the request, or None if the message needs no answer."""
    if not incoming.names_version:
        _check_served(incoming.headers)
    message = incoming.message
    if not isinstance(message, dict):
        raise RpcError(
            INVALID_REQUEST, f"Invalid request: expected one JSON-RPC object, got {json_type(message)}"
        )
    if message.get("jsonrpc") != "2.0":
        got = shown(message, "jsonrpc")
        raise RpcError(INVALID_REQUEST, f'Invalid request: expected "jsonrpc": "2.0", got {got}')
    is_response = "method" not in message and ("result" in message or "error" in message)
    if incoming.era is Era.LEGACY and is_response:
        return None  # MCP 2025-11-25, Transports: a response posted to the server is accepted with 202
    if incoming.method_name is None:
        got = shown(message, "method")
        raise RpcError(INVALID_REQUEST, f'Invalid request: expected a string "method", got {got}')
    # JSON-RPC 4.1: "The Server MUST NOT reply to a Notification", not even with an error. But MCP 2025-06-18, Transports: a
    # version that is not served MUST be answered with 400.
    if "id" not in message:
        _check_version_headers(incoming.headers)
        return None
    if incoming.id is None:
        raise RpcError(
            INVALID_REQUEST, f'Invalid request: expected {_NAME} as "id", got {shown(message, "id")}'
        )
    if not isinstance(message.get("params"), dict | None):  # some clients write null for "none"
        got = shown(message, "params")
        raise RpcError(INVALID_PARAMS, f'Invalid params: expected "params" to be an object, got {got}')
    for check in CHECKS[incoming.era]:
        check(incoming, server)
    return RpcRequest(
        id=incoming.id,
        method=incoming.method_name,
        params=incoming.params,
        meta=incoming.meta,
        era=incoming.era,
        version=incoming.version,
        headers=incoming.headers,
        owner=owner,
        arrived=arrived,
    )


def _check_served(headers: Headers) -> None:
    for version in headers.get(HEADER_VERSION, ()):
        if version not in (*MODERN_VERSIONS, *LEGACY_VERSIONS):
            raise _unsupported(version)


def _check_version_headers(headers: Headers) -> None:
    _check_served(headers)
    versions = headers.get(HEADER_VERSION, ())
    if len(versions) > 1:
        raise RpcError(INVALID_REQUEST, f"Invalid request: {HEADER_VERSION} was sent {len(versions)} times")


def _unsupported(requested: str) -> RpcError:
    supported = [*MODERN_VERSIONS, *LEGACY_VERSIONS]
    return RpcError(
        UNSUPPORTED_VERSION,
        f"Unsupported protocol version: expected one of {', '.join(supported)}, got {requested[:SHOWN_CHARS]!r}",
        {"supported": supported, "requested": requested},
    )


# --- Checks, in their order ------------------------------------------------------------------------------------


def _check_no_header_twice(incoming: Incoming, server: Server) -> None:
    check_no_header_twice(incoming.headers)


def _check_meta(incoming: Incoming, server: Server) -> None:
    meta = incoming.meta
    if not isinstance(meta.get(META_VERSION), str):
        raise RpcError(INVALID_PARAMS, f"Invalid params: _meta needs a string {META_VERSION}")
    if not isinstance(meta.get(META_CAPABILITIES), dict):
        raise RpcError(INVALID_PARAMS, f"Invalid params: _meta needs an object {META_CAPABILITIES}")


def _check_headers_match(incoming: Incoming, server: Server) -> None:
    version, name = incoming.meta[META_VERSION], incoming.method_name or ""
    check_headers_match(incoming.headers, version, name, incoming.params)


def _check_version(incoming: Incoming, server: Server) -> None:
    requested = incoming.meta[META_VERSION]
    if requested not in MODERN_VERSIONS:
        raise _unsupported(requested)


def _check_method(incoming: Incoming, server: Server) -> None:
    if incoming.method and incoming.method.is_served_by(server):
        return
    name = incoming.method_name or ""
    served = {
        version: [each for each, method in methods_there.items() if method.is_served_by(server)]
        for version, methods_there in METHODS.items()
    }
    where = next((version for version, names in served.items() if name in names), None)
    hint = (
        f"it is one of revision {where} (header MCP-Protocol-Version)"
        if where
        else f"revision {incoming.version} has {', '.join(served[incoming.version])} here"
    )
    raise RpcError(METHOD_NOT_FOUND, f"Method not found: {name[:SHOWN_CHARS]}; {hint}")


def _check_mirrored(incoming: Incoming, server: Server) -> None:
    """Check that the headers which repeat arguments of a tool (`x-mcp-header` in its schema) say the same."""
    name, arguments = incoming.params.get("name"), incoming.params.get("arguments")
    # A name or arguments of the wrong type are refused by the method itself.
    if incoming.method_name == "tools/call" and isinstance(name, str) and isinstance(arguments, dict | None):
        check_mirrored(server.mirrored.get(name, {}), arguments or {}, incoming.headers)


def _check_progress_token(incoming: Incoming, server: Server) -> None:
    token = incoming.meta.get("progressToken")
    if token is not None and not is_name(token):
        got = shown(incoming.meta, "progressToken")
        raise RpcError(INVALID_PARAMS, f"Invalid params: expected {_NAME} as progressToken, got {got}")


def _check_log_level(incoming: Incoming, server: Server) -> None:
    level = incoming.meta.get(META_LOG_LEVEL, "info")
    if level not in LOG_LEVELS:
        got = shown(incoming.meta, META_LOG_LEVEL)
        raise RpcError(
            INVALID_PARAMS,
            f"Invalid params: {META_LOG_LEVEL}: expected one of {', '.join(LOG_LEVELS)}, got {got}",
        )


def _check_one_version(incoming: Incoming, server: Server) -> None:
    _check_version_headers(incoming.headers)


def _check_meta_is_object(incoming: Incoming, server: Server) -> None:
    if not isinstance(incoming.params.get("_meta"), dict | None):
        raise RpcError(INVALID_PARAMS, "Invalid params: expected _meta to be an object")


Check = Callable[[Incoming, Server], None]

CHECKS: dict[Era, tuple[Check, ...]] = {
    Era.MODERN: (
        _check_no_header_twice,
        _check_meta,
        _check_headers_match,
        _check_version,
        _check_method,
        _check_mirrored,
        _check_progress_token,
        _check_log_level,
    ),
    Era.LEGACY: (_check_one_version, _check_method, _check_meta_is_object, _check_progress_token),
}


# --- Answering -------------------------------------------------------------------------------------------------


async def answer(
    incoming: Incoming,
    server: Server,
    notify: Notify | None = None,
    owner: str = "",
    *,
    arrived: float | None = None,
) -> Reply:
    """Answer a message or, in the revisions that have them, a batch.

    `notify` gets this request's notifications, which go out before the reply; None where the transport cannot carry any.
    `arrived`: when its headers had been read, on the service's clock; a slow upload counts, too. Never raises: an error becomes the reply.
    """
    if incoming.era is Era.MODERN or not isinstance(incoming.message, list):
        return await _answer_one(incoming, server, notify, owner, arrived)
    try:
        batch = _check_batch(incoming, server)
    except RpcError as error:
        return error_reply(error, None, Era.LEGACY)
    # One after the other: a batch is one HTTP request, and must not use more of the server than another one.
    replies = [await _answer_one(each, server, notify, owner, arrived) for each in batch]
    # JSON-RPC 6: nothing at all if there is nothing to answer, not an empty array.
    return Reply([reply.body for reply in replies if isinstance(reply.body, dict)] or None, Era.LEGACY)


async def _answer_one(
    incoming: Incoming, server: Server, notify: Notify | None, owner: str, arrived: float | None
) -> Reply:
    """Answer one message: check it, and have its method's handler answer it. An error becomes the reply."""
    try:
        request = _checked_request(incoming, server, owner, arrived)
        if (
            request is None or incoming.method is None
        ):  # the latter for the types: `_checked_request` has raised
            return Reply(None, incoming.era)
        with tracing.use_trace(tracing.extract(incoming.meta, incoming.headers)), internal_errors():
            result = await _call_method(incoming.method, request, server, notify)
        return result_reply(result, request)
    except RpcError as error:
        return error_reply(error, incoming.id, incoming.era)


async def _call_method(method: Method, request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """Return the result of a method's handler, or the questions of a call that needs input."""
    try:
        result = await method.handler(request, server, notify)
    except InputRequired as unanswered:
        return _stamp(unanswered.as_result(), request, server)
    return _stamp(result, request, server, cacheable=method.cacheable)


def _check_batch(incoming: Incoming, server: Server) -> list[Incoming]:
    """Return the messages of a batch. Raises RpcError if the batch as a whole is not allowed."""
    _check_version_headers(incoming.headers)
    if incoming.version not in BATCH_VERSIONS:
        raise RpcError(
            INVALID_REQUEST, f"Invalid request: revision {incoming.version} has no batches; send one object"
        )
    size = len(incoming.message)
    if not 1 <= size <= server.max_batch:
        raise RpcError(
            INVALID_REQUEST,
            f"Invalid request: expected a batch of 1 to {server.max_batch} (MAX_BATCH_SIZE), got {size}",
        )
    batch = incoming.members()
    # MCP 2025-03-26, Lifecycle: "The initialize request MUST NOT be part of a JSON-RPC batch".
    if any(each.method_name == "initialize" for each in batch):
        raise RpcError(INVALID_REQUEST, "Invalid request: initialize must not be part of a batch")
    if any(each.names_version for each in batch):
        raise RpcError(INVALID_REQUEST, f"Invalid request: revision {MODERN_VERSIONS[0]} has no batches")
    return batch


def _stamp(result: Message, request: RpcRequest, server: Server, *, cacheable: bool = False) -> Message:
    """Add the members that every modern result has; a legacy result stays as it is."""
    if request.era is Era.LEGACY:
        return result
    hints = {"ttlMs": LIST_TTL_MS, "cacheScope": "private"} if cacheable else {}
    meta = {**(result.get("_meta") or {}), META_SERVER_INFO: server.info}
    return {"resultType": "complete", **hints, **result, "_meta": meta}
