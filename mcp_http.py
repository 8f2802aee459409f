"""Streamable HTTP on aiohttp: limits, Host and Origin, JSON or SSE, and close means cancel. No tools, no summaries.

Follows the MCP specification 2026-07-28, "Streamable HTTP", and its predecessors since 2025-03-26, sessionless. One POST,
one message, one answer: a JSON body or, as soon as there is progress to tell, an event stream.

Not here on purpose: the GET stream (nothing to send on it), resumption (a summary is cheap to ask for again), the old
HTTP+SSE transport of 2024-11-05.
"""

import asyncio
import ipaddress
import json
import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from aiohttp import hdrs, http_exceptions, web

import mcp_protocol
from mcp_protocol import Era, Message, Reply, RpcError, Server
from serving import Worker

logger = logging.getLogger(__name__)

# A body of this size parses in about a millisecond; larger ones are parsed on a worker.
INLINE_BODY_BYTES = 256 * 1024

# Of a header that is refused: enough to recognise it.
SHOWN_CHARS = 100

# Writing this much of a text as JSON takes about a third of a millisecond.
PIECE_CHARS = 64 * 1024

SSE_HEADERS = {
    hdrs.CONTENT_TYPE: "text/event-stream",
    hdrs.CACHE_CONTROL: "no-cache, no-transform",
    "X-Accel-Buffering": "no",  # nginx would hold progress back until the end
}

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")

# MCP 2026-07-28, Streamable HTTP: these errors have a status of their own. -32603 stays 200: a 5xx would make some
# clients take the whole endpoint for dead.
MODERN_STATUS = {
    mcp_protocol.METHOD_NOT_FOUND: HTTPStatus.NOT_FOUND,
    mcp_protocol.INTERNAL_ERROR: HTTPStatus.OK,
}
# Legacy clients take any status but 2xx for a broken transport, so only what is no request at all gets one.
LEGACY_STATUS = {
    mcp_protocol.PARSE_ERROR: HTTPStatus.BAD_REQUEST,
    mcp_protocol.INVALID_REQUEST: HTTPStatus.BAD_REQUEST,
}


@dataclass(frozen=True)
class Access:
    """Who may call: the Host and Origin values that are allowed; `hosts` None allows any Host."""

    hosts: tuple[str, ...] | None
    origins: tuple[str, ...]

    @classmethod
    def for_address(cls, address: str, hosts: tuple[str, ...], origins: tuple[str, ...]) -> "Access":
        """Return the rules for a service that listens on an address.

        On loopback only loopback names are served, so that a web page whose host name was bent to 127.0.0.1 (DNS rebinding)
        gets nothing; elsewhere the Host is checked once names are given.
        """
        own = (in_url(address),) if is_loopback(address) else ()  # 127.0.0.2 is a loopback address too
        loopback = tuple(f"{name}:*" for name in (*LOOPBACK_NAMES, *own))
        if not is_loopback(address):
            return cls((*hosts, *loopback) if hosts else None, origins)
        return cls((*hosts, *loopback), (*origins, *(f"http://{host}" for host in loopback)))

    def admits_host(self, host: str | None) -> bool:
        """Whether a Host header's value may call."""
        return self.hosts is None or (host is not None and any(_matches(host, known) for known in self.hosts))

    def admits_origin(self, origin: str | None) -> bool:
        """Whether an Origin header's value may call; programs send none, and `null` is a value."""
        return origin is None or any(_matches(origin, known) for known in self.origins)


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def in_url(address: str) -> str:
    """Return an address as URLs and Host headers write it: IPv6 in brackets."""
    return f"[{address}]" if ":" in address else address


def _matches(value: str, known: str) -> bool:
    """Compare host:port values; `*` as the port admits any port, and none."""
    value, known = value.lower(), known.lower()
    if not known.endswith(":*"):
        return value == known
    name = known.removesuffix(":*")
    port = value.removeprefix(name)
    return value == name or (value.startswith(name) and port[:1] == ":" and port[1:].isdecimal())


class Refusal(Exception):
    """A request that is refused before it is read as MCP."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class Endpoint:
    """The MCP endpoint: `handle` is the handler of every method on its path."""

    def __init__(self, server: Server, access: Access, worker: Worker) -> None:
        """`worker(function, *arguments)` runs CPU work off the event loop."""
        self._server = server
        self._access = access
        self._worker = worker
        self._in_flight: set[asyncio.Task[Any]] = set()
        self._draining = False

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one HTTP request."""
        self._register(asyncio.current_task())  # from here on, and not from its last byte, it is in flight
        try:
            self._check(request)
            body = await _read_body(request)
        except Refusal as refusal:
            return _refuse(refusal)
        try:
            message = await self._parse(body)
        except RpcError as error:
            return await _json_response(mcp_protocol.error_reply(error, None, Era.LEGACY))
        return await self._respond(request, message)

    async def drain(self, grace: float) -> None:
        """Let the calls in flight finish, uploads too, and cancel those that have not after so many seconds.

        Calls that come after this are refused: a connection may have been kept.
        """
        self._draining = True
        with suppress(TimeoutError):
            async with asyncio.timeout(grace):
                while self._in_flight:  # an upload becomes work, and that may outlive its connection
                    await asyncio.wait(self._in_flight)
        late = list(self._in_flight)
        for work in late:
            work.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _register(self, task: asyncio.Task[Any] | None) -> None:
        if task is not None:  # there always is one; the type of current_task() allows for callbacks
            self._in_flight.add(task)
            task.add_done_callback(self._in_flight.discard)

    def _check(self, request: web.Request) -> None:
        """The order is that of the specification's security section first, then HTTP's."""
        if not self._access.admits_host(request.headers.get(hdrs.HOST)):
            raise Refusal(
                HTTPStatus.MISDIRECTED_REQUEST,
                f"Host: expected a loopback name or one of ALLOWED_HOSTS, got {_shown(request, hdrs.HOST)}",
            )
        if not self._access.admits_origin(request.headers.get(hdrs.ORIGIN)):
            raise Refusal(
                HTTPStatus.FORBIDDEN,
                f"Origin: expected none or one of ALLOWED_ORIGINS, got {_shown(request, hdrs.ORIGIN)}",
            )
        if self._draining:
            raise Refusal(HTTPStatus.SERVICE_UNAVAILABLE, "the service is stopping; call again in a moment")
        if request.method != hdrs.METH_POST:
            raise Refusal(HTTPStatus.METHOD_NOT_ALLOWED, f"expected POST, got {request.method}")
        if request.content_type != "application/json":
            raise Refusal(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
                f"Content-Type: expected application/json, got {_shown(request, hdrs.CONTENT_TYPE)}",
            )
        if not _accepts(request, "application/json"):
            raise Refusal(
                HTTPStatus.NOT_ACCEPTABLE,
                "Accept: expected application/json and text/event-stream, "
                f"got {_shown(request, hdrs.ACCEPT)}",
            )

    async def _parse(self, body: bytes) -> Any:
        if len(body) <= INLINE_BODY_BYTES:
            return mcp_protocol.parse(body)
        return await self._worker(mcp_protocol.parse, body)

    async def _respond(self, request: web.Request, message: Any) -> web.StreamResponse:
        headers = _headers(request)
        era = mcp_protocol.era_of(message, headers)
        outbox: asyncio.Queue[Message | None] = asyncio.Queue()
        notify = outbox.put_nowait if _accepts(request, "text/event-stream") else None
        work = asyncio.create_task(self._answer(message, headers, era, notify))
        work.add_done_callback(lambda done: outbox.put_nowait(None))
        self._register(work)
        try:
            return await _send(request, outbox, work)
        except (asyncio.CancelledError, ConnectionError):
            # MCP 2026-07-28: closing the response stream is the cancellation. Before, it "SHOULD NOT be interpreted as the
            # client cancelling its request": the work goes on, though nobody hears of it.
            if era is Era.MODERN:
                work.cancel()
            raise

    async def _answer(
        self, message: Any, headers: mcp_protocol.Headers, era: Era, notify: mcp_protocol.Notify | None
    ) -> Reply:
        try:
            return await mcp_protocol.answer(message, headers, self._server, notify)
        except Exception:
            # The edge of the service: a fault of ours becomes an answer, and its traceback a log line.
            logger.exception("internal_error")
            error = RpcError(
                mcp_protocol.INTERNAL_ERROR, "Internal error: the service failed; its log says why"
            )
            return mcp_protocol.error_reply(error, mcp_protocol.id_of(message), era)


async def _send(
    request: web.Request, outbox: asyncio.Queue[Message | None], work: asyncio.Task[Reply]
) -> web.StreamResponse:
    """Send an answer as JSON or, from its first notification on, as an event stream."""
    stream: web.StreamResponse | None = None
    while (notification := await outbox.get()) is not None:
        if stream is None:
            stream = web.StreamResponse(headers=SSE_HEADERS)
            await stream.prepare(request)
        await stream.write(await _event(notification))
    reply = work.result()
    if stream is None:
        return await _json_response(reply)
    if reply.body is not None:
        await stream.write(await _event(reply.body))
    await stream.write_eof()
    return stream


async def _read_body(request: web.Request) -> bytes:
    limit = request.client_max_size
    if (request.content_length or 0) <= limit:
        try:
            return await request.read()
        except web.HTTPRequestEntityTooLarge:
            pass
        except (http_exceptions.HttpProcessingError, web.RequestPayloadError):
            encoding = request.headers.get(hdrs.CONTENT_ENCODING, "identity")[:SHOWN_CHARS]
            raise Refusal(
                HTTPStatus.BAD_REQUEST,
                f"body: expected it to be in its Content-Encoding, {encoding}; it is not",
            ) from None
    raise Refusal(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        f"body: expected at most {limit} bytes, got {_size(request, limit)}; send less or raise MAX_BODY_BYTES",
    )


def _size(request: web.Request, limit: int) -> int | str:
    """Return the size of a body that is too large, as far as it is known: a compressed one tells less than it has."""
    length = request.content_length or 0
    return length if length > limit else "more"


def _shown(request: web.Request, name: str) -> str:
    return request.headers.get(name, "none")[:SHOWN_CHARS]


def _headers(request: web.Request) -> mcp_protocol.Headers:
    return {name: request.headers.getall(name, []) for name in mcp_protocol.ROUTING_HEADERS}


def _accepts(request: web.Request, media_type: str) -> bool:
    """Whether the Accept header admits a type; without one, everything goes (RFC 9110, 12.5.1)."""
    accept = ",".join(request.headers.getall(hdrs.ACCEPT, ["*/*"]))
    ranges = {part.partition(";")[0].strip().lower() for part in accept.split(",")}
    return not ranges.isdisjoint({media_type, media_type.partition("/")[0] + "/*", "*/*"})


async def _json_response(reply: Reply) -> web.Response:
    if reply.body is None:
        return web.Response(status=HTTPStatus.ACCEPTED)
    statuses = MODERN_STATUS if reply.era is Era.MODERN else LEGACY_STATUS
    otherwise = HTTPStatus.BAD_REQUEST if reply.era is Era.MODERN else HTTPStatus.OK
    status = HTTPStatus.OK if reply.error_code is None else statuses.get(reply.error_code, otherwise)
    return web.Response(status=status, body=await _encode(reply.body), content_type="application/json")


def _refuse(refusal: Refusal) -> web.Response:
    error = RpcError(mcp_protocol.INVALID_REQUEST, f"{refusal.status.phrase}: {refusal}")
    body = mcp_protocol.error_reply(error, None, Era.LEGACY).body
    headers = {hdrs.ALLOW: hdrs.METH_POST} if refusal.status == HTTPStatus.METHOD_NOT_ALLOWED else {}
    response = web.json_response(body, status=refusal.status, headers=headers)
    if refusal.status == HTTPStatus.SERVICE_UNAVAILABLE:
        response.force_close()
    return response


async def _encode(body: Message) -> bytes:
    """Write a message as JSON; other requests get their turn between the pieces of a long text."""
    pieces = []
    for piece in _write(body):
        pieces.append(piece)
        if len(piece) >= PIECE_CHARS:
            await asyncio.sleep(0)
    return b"".join(pieces)


def _write(value: Any) -> Iterator[bytes]:
    if isinstance(value, str):
        yield b'"'
        for start in range(0, len(value), PIECE_CHARS):
            yield _dumps(value[start : start + PIECE_CHARS])[1:-1]
        yield b'"'
    elif isinstance(value, dict):
        for number, (name, member) in enumerate(value.items()):
            yield b"," if number else b"{"
            yield _dumps(name) + b":"
            yield from _write(member)
        yield b"}" if value else b"{}"
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield b"," if number else b"["
            yield from _write(item)
        yield b"]" if value else b"[]"
    else:
        yield _dumps(value)


def _dumps(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # a lone surrogate, which only an escape can carry
        return json.dumps(value).encode()


async def _event(body: Message) -> bytes:
    return b"event: message\ndata: " + await _encode(body) + b"\n\n"
