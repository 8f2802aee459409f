"""The timeline over HTTP: sessions and events as JSON, and a stream of server-sent events that a listener may come back to.

Under the same rules as calls: host, origin, key; whoever has a key sees the sessions of that key. Knows nothing of what an event says.
The form of a stream is that of the HTML Standard, "Server-sent events".
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from difflib import get_close_matches
from http import HTTPStatus
from typing import Any, Protocol

from aiohttp import hdrs, web

from protocol.messages import SHOWN_CHARS, to_json
from transport.access_checks import check_host_and_origin, is_preflight, owner_of, preflight_response
from transport.auth import Access, Keys, cors_headers
from transport.http_limits import HttpLimits
from transport.refusals import Refusal, RefusalLog, unavailable
from transport.responses import PING, SSE_HEADERS, SlowReader

SESSIONS = "/api/v1/sessions"
SESSION = f"{SESSIONS}/{{session}}"
TIMELINE = f"{SESSION}/timeline"
EVENT = f"{SESSION}/events/{{event}}"
SESSION_STREAM = f"{SESSION}/stream"
STREAM = "/api/v1/stream"
PATHS = (SESSIONS, SESSION, TIMELINE, EVENT, SESSION_STREAM, STREAM)

LAST_EVENT_ID = "Last-Event-ID"

LAST_EVENT_PARAMETER = "last_event_id"

# The parameters of each path: what is not among them would be passed over.
PARAMETERS: Mapping[str, Sequence[str]] = {
    SESSIONS: ("limit", "cursor", "text", "failed"),
    TIMELINE: ("limit", "after"),
    SESSION_STREAM: (LAST_EVENT_PARAMETER,),
    STREAM: (LAST_EVENT_PARAMETER,),
}

# A browser waits so long before it connects again: a listener that was cut off should not come back at once.
RETRY = b"retry: 1000\n\n"

# The ids are integers of 64 bits.
MAX_ID_DIGITS = 18

NOTHING = "there is nothing of that name"
NOTHING_FOR_KEY = f"{NOTHING} for this key"

OFF = "the timeline is off (MAX_TIMELINE_BYTES is 0, or its file cannot be used: see the log)"

Body = dict[str, Any]


class Message(Protocol):
    """What a listener gets."""

    @property
    def kind(self) -> str: ...
    @property
    def data(self) -> Body: ...
    @property
    def change(self) -> int | None: ...


class Following(Protocol):
    """A timeline as one listener follows it: `LiveTimeline` (gateway/timeline/reading.py)."""

    def missed(self, after: int) -> AsyncGenerator[Message, None]: ...
    async def next(self, within: float) -> Message | None: ...
    def close(self) -> None: ...


class Reader(Protocol):
    """What is read: `TimelineReader` (gateway/timeline/reading.py).

    Raises ValueError for a page that cannot be given, OSError where the timeline cannot be read, and LookupError where too many listen.
    """

    async def sessions(self, owner: str, query: Mapping[str, str]) -> Body: ...
    async def session(self, owner: str, name: str) -> Body | None: ...
    async def timeline(self, owner: str, name: str, query: Mapping[str, str]) -> Body | None: ...
    async def event(self, owner: str, name: str, event_id: str) -> Body | None: ...
    def listen(self, owner: str, session_id: str | None) -> Following: ...


@dataclass(frozen=True)
class TimelineEndpoint:
    """Answers the requests below `/api/v1`."""

    reader: Reader | None
    """None where there is no timeline."""
    access: Access
    keys: Keys
    limits: HttpLimits
    refusals: RefusalLog = field(default_factory=RefusalLog)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        origins = request.headers.getall(hdrs.ORIGIN, [])
        try:
            if is_preflight(request, self.access):
                return preflight_response(request)
            check_host_and_origin(request, self.access)
            owner = owner_of(request, self.keys)
            _check_method(request)
            cors = cors_headers(origins[0]) if origins else {}
            return await self._answer(request, owner, cors)
        except Refusal as refusal:
            self.refusals.note(refusal.status, str(refusal), request.method, request.path)
            cors = cors_headers(origins[0]) if origins and self.access.admits_origins(origins) else {}
            body = {"error": str(refusal)}
            return _json(body, refusal.status, {**refusal.headers, **cors})

    async def _answer(
        self, request: web.Request, owner: str, headers: Mapping[str, str]
    ) -> web.StreamResponse:
        reader, path = self.reader, _path_of(request)
        _check_parameters([name for name, _ in request.query.items()], PARAMETERS.get(path, ()))
        if reader is None:
            raise unavailable(OFF)
        if path in (STREAM, SESSION_STREAM):
            return await self._stream(request, reader, owner, headers)
        found = await _read(self._page(request, reader, owner, path))
        if found is None:
            raise self._nothing()
        return _json(found, HTTPStatus.OK, headers)

    def _nothing(self) -> Refusal:
        return Refusal(HTTPStatus.NOT_FOUND, NOTHING_FOR_KEY if self.keys.required else NOTHING)

    async def _page(self, request: web.Request, reader: Reader, owner: str, path: str) -> Body | None:
        if path == SESSIONS:
            return await reader.sessions(owner, request.query)
        session = request.match_info["session"]
        if path == EVENT:
            return await reader.event(owner, session, request.match_info["event"])
        if path == TIMELINE:
            return await reader.timeline(owner, session, request.query)
        return await reader.session(owner, session)

    # --- Live --------------------------------------------------------------------------------------------------

    async def _stream(
        self, request: web.Request, reader: Reader, owner: str, headers: Mapping[str, str]
    ) -> web.StreamResponse:
        """Send what happens from now on; with a last event's id, first what has happened since."""
        session_id = None
        if name := request.match_info.get("session"):
            session = await _read(reader.session(owner, name))
            if session is None:
                raise self._nothing()
            session_id = session["id"]
        last = _last_event_id(request)
        try:
            following = reader.listen(owner, session_id)
        except LookupError as problem:
            raise unavailable(str(problem)) from None
        try:
            response = web.StreamResponse(headers={**SSE_HEADERS, **headers})
            if request.method == hdrs.METH_HEAD:
                return response
            await response.prepare(request)
            await self._send_events(response, following, last)
            return response
        except ConnectionError:  # the listener has left, or does not read
            if request.transport is not None:
                request.transport.abort()
            return web.Response()  # aiohttp requires one; it is not sent
        finally:
            following.close()

    async def _send_events(
        self, response: web.StreamResponse, following: Following, last: int | None
    ) -> None:
        await self._write(response, RETRY)
        if last is not None:
            async with aclosing(following.missed(last)) as missed:
                async for message in missed:
                    await self._write(response, _event(message))
        while True:
            try:
                news = await following.next(self.limits.ping_seconds)
            except TimeoutError:
                await self._write(response, PING)
                continue
            if news is None:
                break
            await self._write(response, _event(news))
        await response.write_eof()

    async def _write(self, response: web.StreamResponse, data: bytes) -> None:
        """Send a part. Raises ConnectionError if the listener does not read."""
        try:
            async with asyncio.timeout(self.limits.send_seconds):
                await response.write(data)
        except TimeoutError:
            raise SlowReader from None


def _check_method(request: web.Request) -> None:
    if request.method not in (hdrs.METH_GET, hdrs.METH_HEAD):
        allow = {str(hdrs.ALLOW): "GET, HEAD"}
        raise Refusal(HTTPStatus.METHOD_NOT_ALLOWED, "expected GET", allow)


def _check_parameters(given: Collection[str], known: Sequence[str]) -> None:
    for name, times in Counter(given).items():
        if name not in known:
            wanted = " or ".join(filter(None, [", ".join(known[:-1]), *known[-1:]])) or "no parameters"
            near = get_close_matches(name[:SHOWN_CHARS], known, 1)
            meant = f"; did you mean {near[0]}?" if near else ""
            said = f"expected {wanted} in the URL, got {name[:SHOWN_CHARS]}{meant}"
            raise Refusal(HTTPStatus.BAD_REQUEST, said)
        if times > 1:
            raise Refusal(HTTPStatus.BAD_REQUEST, f"{name}: expected once in the URL, got {times}")


async def _read(reading: Awaitable[Body | None]) -> Body | None:
    """Return what is read. Raises Refusal."""
    try:
        return await reading
    except ValueError as problem:
        raise Refusal(HTTPStatus.BAD_REQUEST, str(problem)) from None
    except OSError as problem:
        raise unavailable(f"the timeline cannot be read now ({problem})") from None


def _path_of(request: web.Request) -> str:
    resource = request.match_info.route.resource
    return resource.canonical if resource else ""


def _last_event_id(request: web.Request) -> int | None:
    """Return the id of the last event that a listener has; None where it has none. Raises Refusal.

    In the query for the first connection, since a browser sends the header only when it comes back.
    """
    given = request.headers.get(LAST_EVENT_ID) or request.query.get(LAST_EVENT_PARAMETER, "")
    if not given:
        return None
    if not (given.isascii() and given.isdecimal() and len(given) <= MAX_ID_DIGITS):
        raise Refusal(
            HTTPStatus.BAD_REQUEST,
            f"{LAST_EVENT_ID}: expected the id of an event of this stream, got {given[:SHOWN_CHARS]!r}",
        )
    return int(given)


def _event(message: Message) -> bytes:
    """Return a message as a server-sent event; one that is not kept has no id, so that nobody comes back to it."""
    number = b"" if message.change is None else b"id: %d\n" % message.change
    return b"%sevent: %s\ndata: %s\n\n" % (number, message.kind.encode(), to_json(message.data))


def _json(body: Body, status: HTTPStatus, headers: Mapping[str, str]) -> web.Response:
    return web.Response(
        body=to_json(body),
        status=status,
        content_type="application/json",
        headers={
            **headers,
            hdrs.CACHE_CONTROL: "no-store",
            "X-Content-Type-Options": "nosniff",
        },
    )
