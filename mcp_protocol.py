"""MCP messages, both eras: a message and its headers in, a reply or notifications out. No I/O, no HTTP, no summaries.

The modern era is revision 2026-07-28: stateless, every request says in `_meta` what it needs. The legacy era is the
handshake of 2024-11-05 to 2025-11-25, served without sessions. Rules are quoted where they are obeyed, from
https://modelcontextprotocol.io/specification/ ("MCP") and https://www.jsonrpc.org/specification ("JSON-RPC").

Reading order: `era_of`, `_read`, the checks of each era in their order, the methods of each revision, `_stamp`, `answer`.
The words are in protocol/messages.py, what each method does in protocol/methods.py, the modern routing headers in protocol/headers.py.

Not here on purpose: sessions, and requests to the client outside of a call's own result.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from observability import tracing
from protocol import methods
from protocol.context import InputRequired, guarded
from protocol.headers import check_headers_match, check_mirrored, check_no_header_twice
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
    Request,
    RpcError,
    error_reply,
    id_of,
    is_name,
    kind,
    result_reply,
)
from protocol.methods import Handler, Server

# The tools never change while a process runs; a minute keeps a restarted service from being misread for long.
LIST_TTL_MS = 60_000

_NAME = f"a string of at most {MAX_NAME_CHARS} characters or an integer"

# MCP 2025-03-26 brought batches into the text, 2025-06-18 took them out again.
BATCH_VERSIONS = ("2025-03-26", "2024-11-05")


# --- Eras ------------------------------------------------------------------------------------------------------


def era_of(message: Any, headers: Headers) -> Era:
    """Tell the era by what the body says, then by the version header; without either it is legacy."""
    if META_VERSION in _meta_of(message):
        return Era.MODERN
    versions = headers.get(HEADER_VERSION, ())
    return Era.LEGACY if all(version in LEGACY_VERSIONS for version in versions) else Era.MODERN


def _meta_of(message: Any) -> Mapping[str, Any]:
    params = message.get("params") if isinstance(message, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta if isinstance(meta, dict) else {}


def _version_of(headers: Headers) -> str:
    return next(iter(headers.get(HEADER_VERSION, ())), VERSION_WITHOUT_HEADER)


# --- Reading ---------------------------------------------------------------------------------------------------


def _read(
    message: Any, headers: Headers, server: Server, owner: str, arrived: float | None
) -> Request | None:
    """Check a message in its era's order; None where it asks for no answer."""
    era = era_of(message, headers)
    if META_VERSION not in _meta_of(message):
        _check_served(headers)
    if not isinstance(message, dict):
        raise RpcError(INVALID_REQUEST, f"Invalid request: expected one JSON-RPC object, got {kind(message)}")
    if message.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, 'Invalid request: expected "jsonrpc": "2.0"')
    if era is Era.LEGACY and "method" not in message and ("result" in message or "error" in message):
        return None  # MCP 2025-11-25, Transports: a response posted to the server is accepted with 202
    method = message.get("method")
    if not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, 'Invalid request: expected a string "method"')
    # JSON-RPC 4.1: "The Server MUST NOT reply to a Notification", not even with an error. But MCP 2025-06-18, Transports: a
    # version that is not served MUST be answered with 400.
    if "id" not in message:
        _check_version_headers(headers)
        return None
    request_id = id_of(message)
    if request_id is None:
        raise RpcError(INVALID_REQUEST, f'Invalid request: expected {_NAME} as "id"')
    params = message.get("params")  # null counts as absent: some clients write every optional member
    if not isinstance(params, dict | None):
        raise RpcError(INVALID_PARAMS, 'Invalid params: expected "params" to be an object')
    version = _version_of(headers) if era is Era.LEGACY else MODERN_VERSIONS[0]
    request = Request(request_id, method, params or {}, era, version, headers, owner, arrived)
    for check in CHECKS[era]:
        check(request, server)
    return request


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


def _check_meta(request: Request, server: Server) -> None:
    meta = _meta_of({"params": request.params})
    if not isinstance(meta.get(META_VERSION), str):
        raise RpcError(INVALID_PARAMS, f"Invalid params: _meta needs a string {META_VERSION}")
    if not isinstance(meta.get(META_CAPABILITIES), dict):
        raise RpcError(INVALID_PARAMS, f"Invalid params: _meta needs an object {META_CAPABILITIES}")


def _check_version(request: Request, server: Server) -> None:
    requested = request.meta[META_VERSION]
    if requested not in MODERN_VERSIONS:
        raise _unsupported(requested)


def _check_method(request: Request, server: Server) -> None:
    method = METHODS[request.version].get(request.method)
    if method is None or (method.needs and not getattr(server, method.needs)):
        where = [version for version in METHODS if request.method in METHODS[version] and method is None]
        hint = f"; it is one of revision {where[0]} (header MCP-Protocol-Version)" if where else ""
        raise RpcError(METHOD_NOT_FOUND, f"Method not found: {request.method[:SHOWN_CHARS]}{hint}")


def _check_mirrored(request: Request, server: Server) -> None:
    name, arguments = request.params.get("name"), request.params.get("arguments")
    # Whatever else is wrong with name and arguments, the method will say.
    if request.method == "tools/call" and isinstance(name, str) and isinstance(arguments, dict | None):
        check_mirrored(server.mirrored.get(name, {}), arguments or {}, request.headers)


def _check_progress_token(request: Request, server: Server) -> None:
    token = request.meta.get("progressToken")
    if token is not None and not is_name(token):
        raise RpcError(INVALID_PARAMS, f"Invalid params: expected {_NAME} as progressToken")


def _check_log_level(request: Request, server: Server) -> None:
    level = request.meta.get(META_LOG_LEVEL, "info")
    if level not in LOG_LEVELS:
        got = kind(level) if isinstance(level, list | dict) else json.dumps(level)[:SHOWN_CHARS]
        raise RpcError(
            INVALID_PARAMS,
            f"Invalid params: {META_LOG_LEVEL}: expected one of {', '.join(LOG_LEVELS)}, got {got}",
        )


def _check_one_version(request: Request, server: Server) -> None:
    _check_version_headers(request.headers)  # two of them: which one is spoken?


def _check_meta_is_object(request: Request, server: Server) -> None:
    if not isinstance(request.params.get("_meta"), dict | None):
        raise RpcError(INVALID_PARAMS, "Invalid params: expected _meta to be an object")


Check = Callable[[Request, Server], None]

CHECKS: dict[Era, tuple[Check, ...]] = {
    Era.MODERN: (
        check_no_header_twice,
        _check_meta,
        check_headers_match,
        _check_version,
        _check_method,
        _check_mirrored,
        _check_progress_token,
        _check_log_level,
    ),
    Era.LEGACY: (_check_one_version, _check_method, _check_meta_is_object, _check_progress_token),
}


# --- Methods ---------------------------------------------------------------------------------------------------


class Pace(Enum):
    """How long a request may take: what a transport needs to know to share its places out."""

    QUICK = "quick"
    WORK = "work"
    STREAM = "stream"
    """Open until one side ends it."""


@dataclass(frozen=True)
class Method:
    """A method of a revision."""

    handler: Handler
    needs: str = ""
    """The part of the server without which the method does not exist."""
    pace: Pace = Pace.QUICK
    cacheable: bool = False
    """MCP 2026-07-28, Caching: such a result carries how long and by whom it may be kept."""


_LISTS = {
    "tools/list": Method(methods.list_tools, cacheable=True),
    "resources/list": Method(methods.list_resources, "resources", cacheable=True),
    "resources/templates/list": Method(methods.list_templates, "resources", cacheable=True),
    "prompts/list": Method(methods.list_prompts, "prompts", cacheable=True),
}
_WORK = {
    "tools/call": Method(methods.call_tool, pace=Pace.WORK),
    "resources/read": Method(methods.read_resource, "resources", Pace.WORK, cacheable=True),
    "prompts/get": Method(methods.get_prompt, "prompts", Pace.WORK),
    "completion/complete": Method(methods.complete, "completions", Pace.WORK),
}
_HANDSHAKE = {
    "initialize": Method(methods.initialize),
    "ping": Method(methods.ping),
    "logging/setLevel": Method(methods.set_log_level, "logging"),
    "resources/subscribe": Method(methods.acknowledge, "acknowledges"),
    "resources/unsubscribe": Method(methods.acknowledge, "acknowledges"),
}
_STATELESS = {
    "server/discover": Method(methods.discover, cacheable=True),
    "subscriptions/listen": Method(methods.listen, "hub", Pace.STREAM),
    "tasks/get": Method(methods.get_task, "tasks"),
    "tasks/update": Method(methods.update_task, "tasks"),
    "tasks/cancel": Method(methods.cancel_task, "tasks"),
}

METHODS: dict[str, dict[str, Method]] = {
    "2026-07-28": {**_STATELESS, **_LISTS, **_WORK},
    "2025-11-25": {**_HANDSHAKE, **_LISTS, **_WORK},
    "2025-06-18": {**_HANDSHAKE, **_LISTS, **_WORK},
    "2025-03-26": {**_HANDSHAKE, **_LISTS, **_WORK},
    "2024-11-05": {**_HANDSHAKE, **_LISTS, **_WORK},
}


def pace_of(message: Any, headers: Headers) -> Pace:
    """Tell how long a message may take, before it is checked: a batch is work, what nobody knows or answers is quick."""
    if isinstance(message, list):
        return Pace.WORK if any(isinstance(each, dict) and "id" in each for each in message) else Pace.QUICK
    if not isinstance(message, dict) or "id" not in message:
        return Pace.QUICK
    version = MODERN_VERSIONS[0] if era_of(message, headers) is Era.MODERN else _version_of(headers)
    method = message.get("method")
    known = METHODS[version].get(method) if isinstance(method, str) else None
    return known.pace if known else Pace.QUICK


# --- Answering -------------------------------------------------------------------------------------------------


async def answer(
    message: Any,
    headers: Headers,
    server: Server,
    notify: Notify | None = None,
    owner: str = "",
    *,
    arrived: float | None = None,
) -> Reply:
    """Answer a message or, in the revisions that have them, a batch.

    `notify`, where the transport can carry them, gets this request's notifications before that. `arrived`: when the message
    came, on the tools' clock. Never raises: an error becomes the reply.
    """
    if isinstance(message, list) and era_of(message, headers) is Era.LEGACY:
        return await _answer_batch(message, headers, server, notify, owner, arrived=arrived)
    return await _answer_one(message, headers, server, notify, owner, arrived=arrived)


async def _answer_one(
    message: Any,
    headers: Headers,
    server: Server,
    notify: Notify | None,
    owner: str,
    *,
    arrived: float | None,
) -> Reply:
    try:
        request = _read(message, headers, server, owner, arrived)
        if request is None:
            return Reply(None, era_of(message, headers))
        with tracing.following(tracing.find(request.meta, headers)):
            return result_reply(await guarded(_result(request, server, notify)), request)
    except RpcError as error:
        return error_reply(error, id_of(message), era_of(message, headers))


async def _result(request: Request, server: Server, notify: Notify | None) -> Message:
    method = METHODS[request.version][request.method]
    try:
        result = await method.handler(request, server, notify)
    except InputRequired as unanswered:
        return _stamp(unanswered.as_result(), request, server)
    return _stamp(result, request, server, cacheable=method.cacheable)


async def _answer_batch(
    batch: list[Any],
    headers: Headers,
    server: Server,
    notify: Notify | None,
    owner: str,
    *,
    arrived: float | None,
) -> Reply:
    """Answer one message after the other: a batch is one request, and takes no more than one's share, nor than one's time."""
    try:
        _check_batch(batch, headers, server)
    except RpcError as error:
        return error_reply(error, None, Era.LEGACY)
    replies = [
        await _answer_one(message, headers, server, notify, owner, arrived=arrived) for message in batch
    ]
    # JSON-RPC 6: nothing at all where there is nothing to answer, not an empty array.
    return Reply([reply.body for reply in replies if isinstance(reply.body, dict)] or None, Era.LEGACY)


def _check_batch(batch: list[Any], headers: Headers, server: Server) -> None:
    _check_version_headers(headers)
    version = _version_of(headers)
    if version not in BATCH_VERSIONS:
        raise RpcError(
            INVALID_REQUEST, f"Invalid request: revision {version} has no batches; send one object"
        )
    if not 1 <= len(batch) <= server.max_batch:
        raise RpcError(
            INVALID_REQUEST,
            f"Invalid request: expected a batch of 1 to {server.max_batch} (MAX_BATCH_SIZE), got {len(batch)}",
        )
    # MCP 2025-03-26, Lifecycle: "The initialize request MUST NOT be part of a JSON-RPC batch".
    if any(isinstance(message, dict) and message.get("method") == "initialize" for message in batch):
        raise RpcError(INVALID_REQUEST, "Invalid request: initialize must not be part of a batch")
    if any(META_VERSION in _meta_of(message) for message in batch):
        raise RpcError(INVALID_REQUEST, f"Invalid request: revision {MODERN_VERSIONS[0]} has no batches")


def _stamp(result: Message, request: Request, server: Server, *, cacheable: bool = False) -> Message:
    """Add what every result of an era carries; legacy results carry nothing."""
    if request.era is Era.LEGACY:
        return result
    hints = {"ttlMs": LIST_TTL_MS, "cacheScope": "private"} if cacheable else {}
    meta = {**(result.get("_meta") or {}), META_SERVER_INFO: server.info}
    return {"resultType": "complete", **hints, **result, "_meta": meta}
