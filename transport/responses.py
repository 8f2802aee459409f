"""The responses to MCP clients: JSON, or an event stream that is kept alive, once there is anything to send before the answer.

Knows nothing of MCP methods. Follows the MCP specification 2026-07-28, "Streamable HTTP", and the HTML Standard, "Server-sent
events", for the form of an event.
"""

import asyncio
import logging
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import count
from typing import Any

from aiohttp import hdrs, web

from protocol import messages
from protocol.messages import Era, Message, PreEncodedList, Reply, RpcError, to_json
from transport.connection import PROBE

logger = logging.getLogger(__name__)

# Encoding this much text as JSON takes about a third of a millisecond.
PIECE_CHARS = 64 * 1024

# Bytes per write: as many as aiohttp buffers before it waits for the client to read.
SLICE_BYTES = 64 * 1024

# More than the headers of any response here; the one part that a client chooses, its Origin, is limited as a header line.
HEAD_BYTES = 32 * 1024

# The official Python client aborts a stream at an event over 1 MiB; a JSON body has no such limit.
MAX_EVENT_BYTES = 1024 * 1024

# Slower than any real link. Without a least rate, a client that reads a byte now and then would hold its place for hours.
LEAST_BYTES_PER_SECOND = 64 * 1024

# Notifications that may wait for a slow client; with more, its stream is ended.
MAX_PENDING = 1024

# A refused call is done after one turn of the event loop, a small content that fits after three: such a call is answered without
# waiting on the outbox.
TURNS_OF_LITTLE_WORK = 3

SSE_HEADERS = {
    hdrs.CONTENT_TYPE: "text/event-stream",
    hdrs.CACHE_CONTROL: "no-cache, no-transform",
    "X-Accel-Buffering": "no",  # nginx would buffer progress until the end
}
PING = b": ping\n\n"

# MCP 2026-07-28, Streamable HTTP: these errors have a status of their own. -32603 stays 200: at a 5xx some clients give up the
# whole endpoint.
MODERN_STATUS = {
    messages.METHOD_NOT_FOUND: HTTPStatus.NOT_FOUND,
    messages.INTERNAL_ERROR: HTTPStatus.OK,
    messages.TOO_BUSY: HTTPStatus.SERVICE_UNAVAILABLE,
}
# Legacy clients take any status but 2xx for a broken transport, so only messages that are no request at all get one.
LEGACY_STATUS = {
    messages.PARSE_ERROR: HTTPStatus.BAD_REQUEST,
    messages.INVALID_REQUEST: HTTPStatus.BAD_REQUEST,
    messages.TOO_BUSY: HTTPStatus.SERVICE_UNAVAILABLE,
}

# A later notification about the same topic replaces one that was not sent yet; by method, the parameter that names the topic.
_TOPICS = {
    "notifications/progress": "progressToken",
    "notifications/tasks": "taskId",
    "notifications/resources/updated": "uri",
}
_LIST_CHANGED = "/list_changed"


class SlowReader(ConnectionError):
    """The client does not read, or too slowly."""


class Outbox:
    """The notifications waiting to be sent to one client. Outdated ones are replaced; too many end the stream."""

    def __init__(self) -> None:
        self._pending: dict[Any, Message] = {}
        self._numbers = count()
        self._changed = asyncio.Event()
        self._closed = False
        self._overrun = False
        self._is_probed = False

    def put(self, message: Message) -> None:
        """Add a notification; after `close` it is dropped."""
        if self._closed:
            return
        topic = self._topic(message)
        # Remove first: a dict would keep the old position, before notifications that came in between.
        self._pending.pop(topic, None)
        self._pending[topic] = message
        self._overrun = len(self._pending) > MAX_PENDING
        self._closed = self._overrun
        self._changed.set()

    @property
    def is_empty(self) -> bool:
        """Whether none is waiting."""
        return not self._pending

    def probe(self) -> None:
        """Make `get` report silence at once: the ping that follows shows whether the client has left (transport/connection.py)."""
        self._is_probed = True
        self._changed.set()

    def close(self) -> None:
        """Say that no more will come."""
        self._closed = True
        self._changed.set()

    async def get(self, within: float) -> Message | None:
        """Return the next notification, None once there are no more.

        Raises TimeoutError if none comes within `within` seconds or before a `probe`, and SlowReader if too many are waiting.
        """
        if not self._pending and not self._closed and not self._is_probed:
            self._changed.clear()
            async with asyncio.timeout(within):
                await self._changed.wait()
        if self._overrun:
            raise SlowReader
        if self._is_probed and not self._pending and not self._closed:
            self._is_probed = False
            raise TimeoutError
        first = next(iter(self._pending), None)
        return None if first is None else self._pending.pop(first)

    def _topic(self, message: Message) -> Any:
        method = message["method"]
        if method.endswith(_LIST_CHANGED):
            return method
        name = _TOPICS.get(method)
        return next(self._numbers) if name is None else (method, message["params"].get(name))


@dataclass(frozen=True)
class Sender:
    """Sends the answers to one request."""

    request: web.Request
    headers: Mapping[str, str]
    """Headers of every response."""
    ping_seconds: float
    send_seconds: float

    async def send(self, outbox: Outbox, call: "asyncio.Task[Reply]", *, pings: bool) -> web.StreamResponse:
        """Send the reply of a call: as JSON or, from the first notification or long silence on, as an event stream.

        `outbox` is closed by `CallRunner._track` (call_runner.py) when the call is over. `pings`: whether silence may open a stream.
        Raises ConnectionError if the client does not read, and what the call raises.
        """
        for _ in range(TURNS_OF_LITTLE_WORK):
            await asyncio.sleep(0)
            if call.done() and outbox.is_empty:
                return await self.send_reply(call.result())
        stream: web.StreamResponse | None = None
        # transport/connection.py calls it when the client may have left; the ping that follows shows whether it has.
        self.request[PROBE] = outbox.probe
        while True:
            try:
                notification = await outbox.get(self.ping_seconds)
            except TimeoutError:
                # A client that asked for no stream, and for which no progress has opened one, hears nothing.
                if pings or stream:
                    stream = stream or await self._open()
                    await self._write(stream, PING)
                continue
            if notification is None:
                break
            stream = stream or await self._open()
            if len(data := event(await encode(notification))) <= MAX_EVENT_BYTES:
                await self._write(stream, data)
            else:
                logger.warning(
                    "notification_too_large", extra={"bytes": len(data), "method": notification["method"]}
                )
        if stream is None:
            return await self.send_reply(call.result())
        for body in await _events(call.result()):
            await self._write(stream, body)
        await self._within(stream.write_eof())
        return stream

    async def send_reply(self, reply: Reply) -> web.StreamResponse:
        """Send a reply as JSON; 202 for no reply at all. Raises ConnectionError if the client does not read."""
        if reply.body is None:
            return await self.deliver(web.Response(status=HTTPStatus.ACCEPTED))
        parts = await encode_parts(reply.body)
        if sum(map(len, parts)) <= SLICE_BYTES:
            response = web.Response(
                body=b"".join(parts), status=status_of(reply), content_type="application/json"
            )
            if reply.error_code == messages.TOO_BUSY:
                response.headers[hdrs.RETRY_AFTER] = str(messages.RETRY_AFTER_SECONDS)
            return await self.deliver(response)
        return await self._send_long(parts, status_of(reply))

    async def _send_long(self, parts: Sequence[bytes], status: HTTPStatus) -> web.StreamResponse:
        headers = {**self.headers, hdrs.CONTENT_TYPE: "application/json"}
        response = web.StreamResponse(status=status, headers=headers)
        response.content_length = sum(map(len, parts))
        await response.prepare(self.request)
        await self._write(response, *parts)
        await self._within(response.write_eof())
        return response

    async def deliver(self, response: web.Response) -> web.Response:
        """Send a short response as a whole. Raises ConnectionError if the client does not read."""
        for name, value in self.headers.items():
            response.headers.setdefault(name, value)
        await response.prepare(self.request)
        if self._is_taken_at_once(response.content_length or 0):
            await response.write_eof()
        else:
            await self._within(response.write_eof())
        return response

    def _is_taken_at_once(self, size: int) -> bool:
        """Whether writing this much will not wait for the client: then it needs no timeout, which costs as much as the write."""
        transport = self.request.transport
        return transport is not None and transport.get_write_buffer_size() + size + HEAD_BYTES <= SLICE_BYTES

    async def _open(self) -> web.StreamResponse:
        stream = web.StreamResponse(headers={**SSE_HEADERS, **self.headers})
        await stream.prepare(self.request)
        return stream

    async def _write(self, response: web.StreamResponse, *parts: bytes) -> None:
        # In slices, each with its own timeout, since a slow client differs from one that does not read; with one for all as well.
        seconds = sum(map(len, parts)) / LEAST_BYTES_PER_SECOND
        await self._within(self._write_slices(response, parts), more=seconds)

    async def _write_slices(self, response: web.StreamResponse, parts: Sequence[bytes]) -> None:
        for part in parts:
            for start in range(0, len(part), SLICE_BYTES):
                await self._within(response.write(part[start : start + SLICE_BYTES]))

    async def _within(self, sending: Awaitable[None], more: float = 0.0) -> None:
        try:
            async with asyncio.timeout(self.send_seconds + more):
                await sending
        except TimeoutError:
            raise SlowReader from None


def status_of(reply: Reply) -> HTTPStatus:
    """Return the HTTP status of a reply in its era."""
    if reply.error_code is None:
        return HTTPStatus.OK
    if reply.era is Era.MODERN:
        return MODERN_STATUS.get(reply.error_code, HTTPStatus.BAD_REQUEST)
    return LEGACY_STATUS.get(reply.error_code, HTTPStatus.OK)


# --- Events ----------------------------------------------------------------------------------------------------


def event(data: bytes) -> bytes:
    """Return one line of JSON as a server-sent event."""
    return b"event: message\ndata: " + data + b"\n\n"


async def _events(reply: Reply) -> list[bytes]:
    """Return the last events of a stream: the answer or, to a batch, one answer each."""
    bodies = reply.body if isinstance(reply.body, list) else [reply.body] if reply.body else []
    return [await _answer_event(body, reply.era) for body in bodies]


async def _answer_event(body: Message, era: Era) -> bytes:
    parts = await encode_parts(body)
    size = sum(map(len, parts)) + len(event(b""))
    if size <= MAX_EVENT_BYTES:
        return event(b"".join(parts))
    error = RpcError(
        messages.INTERNAL_ERROR,
        f"The answer has {size} bytes, and one event of a stream at most {MAX_EVENT_BYTES}: call again "
        'with "Accept: application/json" alone, and it comes as JSON, or as a task, or ask for a shorter one',
    )
    short = messages.error_reply(error, body["id"], era).body
    return event(await encode(short))


# --- JSON ------------------------------------------------------------------------------------------------------


async def encode(body: Any) -> bytes:
    """Encode a message as JSON; the event loop runs between the pieces of a long text."""
    return b"".join(await encode_parts(body))


async def encode_parts(body: Any) -> list[bytes]:
    """Encode a message as JSON, a long one in parts: to join them all would take a hundredth of a second for 16 MB."""
    parts: list[bytes] = []
    waiting: list[bytes] = []
    size = 0
    for piece in _pieces(body):
        waiting.append(piece)
        size += len(piece)
        if size >= PIECE_CHARS:
            parts.append(b"".join(waiting))
            waiting, size = [], 0
            await asyncio.sleep(0)
    return [*parts, b"".join(waiting)]


def _pieces(value: Any) -> Iterator[bytes]:
    if isinstance(value, PreEncodedList):
        yield value.json_bytes
    elif isinstance(value, dict):
        yield from _members(value)
    elif _weight(value) < PIECE_CHARS:
        yield to_json(value)
    elif isinstance(value, str):
        yield b'"'
        for start in range(0, len(value), PIECE_CHARS):
            yield to_json(value[start : start + PIECE_CHARS])[1:-1]
        yield b'"'
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield b"," if number else b"["
            yield from _pieces(item)
        yield b"]" if value else b"[]"
    else:
        yield to_json(value)


def _members(value: Message) -> Iterator[bytes]:
    """Encode the members of a message; small members between two large ones at once."""
    light: Message = {}
    before = b"{"
    for name, member in value.items():
        if _weight(member) < PIECE_CHARS:
            light[name] = member
            continue
        light[name] = None
        yield before + to_json(light)[1 : -len(b"null}")]
        yield from _pieces(member)
        light, before = {}, b","
    yield before + to_json(light)[1:] if light or before == b"{" else b"}"


# About the length of a number or of a member's name.
_WORD_CHARS = 8


def _weight(value: Any) -> int:
    """Estimate the characters of a value as JSON; a part that is kept encoded counts as large, so that its bytes are used."""
    kind = type(value)  # quicker than isinstance: JSON values have one Python type each
    if kind is str:
        return len(value)
    if kind is PreEncodedList:
        return PIECE_CHARS
    if kind is not dict and kind is not list:
        return _WORD_CHARS
    weight = _WORD_CHARS * len(value) + _WORD_CHARS
    for member in value.values() if kind is dict else value:
        kind = type(member)
        if kind is str:
            weight += len(member)
        elif kind in _CONTAINERS:
            weight += _weight(member)
    return weight


_CONTAINERS = frozenset((dict, list, PreEncodedList))
