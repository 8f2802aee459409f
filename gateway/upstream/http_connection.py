"""MCP over Streamable HTTP: a request, a POST, answered with JSON or with a stream of events. Knows not what a message means.

Follows "Streamable HTTP" of the specification from 2025-03-26 to 2026-07-28. A session id is kept where the server gives one; a stream
that ends before its reply is taken up again by Last-Event-ID. Redirects are followed within one origin only, since the headers may
hold keys. Nothing is sent a second time here.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx

from concurrency.worker_threads import Worker
from gateway.server_spec import ServerSpec
from gateway.upstream.aiohttp_transport import AiohttpTransport
from gateway.upstream.channel import OnMessage, SessionGone, replies_and_others
from gateway.upstream.error_redaction import Redaction
from gateway.upstream.errors import AnswerLost, UpstreamError, UpstreamFault, too_large
from gateway.upstream.http_answers import (
    EventStream,
    close_response,
    content_coding,
    is_event_stream,
    media_type,
    parsed,
    whole_body,
)
from gateway.upstream.notification_stream import NotificationStream
from gateway.upstream.oauth import BearerAuth, TokenSource
from gateway.upstream.parsing import parse_message
from protocol.messages import HEADER_VERSION, Message, RpcError, to_json

logger = logging.getLogger(__name__)

HEADER_SESSION = "mcp-session-id"
HEADER_LAST_EVENT = "last-event-id"

# /mcp to /mcp/ is one.
MAX_REDIRECTS = 3

# Only a sentence of an error is shown.
MAX_ERROR_BYTES = 64 * 1024

# Before a stream is taken up again, if the server does not say how long.
DEFAULT_RETRY_SECONDS = 1.0
# How often it is tried while the server cannot be reached.
MAX_RESUME_FAILURES = 3

CLOSE_SESSION_SECONDS = 2.0

Sleep = Callable[[float], Awaitable[None]]


class HttpConnection:
    """A server that is called at a URL. A Channel."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        spec: ServerSpec,
        worker: Worker,
        redaction: Redaction,
        *,
        sleep: Sleep,
        uniform: Callable[[float, float], float],
    ) -> None:
        self._http = http
        self._spec = spec
        self._url = httpx.URL(spec.url or "")
        self._worker = worker
        self._redaction = redaction
        self._sleep, self._uniform = sleep, uniform
        self._on_message: OnMessage = lambda message: None
        self._version = ""
        self._session_id = ""
        self._background: set[asyncio.Task[None]] = set()
        self._listening: asyncio.Task[None] | None = None
        self._ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @property
    def closing_cancels(self) -> bool:
        """Whether closing the response cancels a request: only in the modern era; in the legacy one a notification does."""
        return not self._version

    @property
    def session_id(self) -> str:
        """The session that the server has given; "" for none."""
        return self._session_id

    def deliver_to(self, on_message: OnMessage) -> None:
        """Give what the server sends by itself to `on_message`."""
        self._on_message = on_message

    def begin_session(self, version: str) -> None:
        """Send the headers of this legacy revision from now on."""
        self._version = version

    def listen(self) -> None:
        """Open the stream of what the server sends by itself (legacy), in place of a former session's."""
        if self._listening is not None:
            self._listening.cancel()
        self._listening = self._in_background(self._listen())

    @property
    def is_over(self) -> bool:
        """Whether the server could not be reached, or was given up."""
        return self._ended.done()

    async def ended(self) -> str:
        """Wait until the server could not be reached, or was given up; return why."""
        return await asyncio.shield(self._ended)

    def give_up(self, why: str) -> None:
        """Say that this connection is of no more use."""
        if not self._ended.done():
            self._ended.set_result(why)

    async def request(self, message: Message, headers: Mapping[str, str]) -> Message:
        """POST a request; return its reply, from the answer or, where its stream breaks off, from one that continues it."""
        is_first = message["method"] == "initialize"
        all_headers = headers if is_first else self._headers(headers)
        response = await self._send("POST", all_headers, message)
        if is_first and response.is_success:
            self._session_id = response.headers.get(HEADER_SESSION, "")
        if is_event_stream(response):
            return await self._streamed_reply(response, message["id"])
        try:
            self._check_status(response, all_headers.get(HEADER_SESSION))
            if response.is_success:
                return await self._whole_reply(response, message["id"])
            return await self._error(response, message["id"], all_headers.get(HEADER_SESSION))
        finally:
            await close_response(response)

    async def notify(self, message: Message) -> None:
        """POST a notification, or a reply to a request of the server."""
        response = await self._send("POST", self._headers({}), message)
        await close_response(response)
        if not response.is_success:
            logger.info(
                "upstream_notification_refused",
                extra={"upstream": self._spec.name, "status": response.status_code},
            )

    async def close(self) -> None:
        """End the session, and what runs in the background."""
        for task in self._background:
            task.cancel()
        if self._background:
            await asyncio.wait(self._background)
        if not self._session_id:
            return
        try:
            async with asyncio.timeout(CLOSE_SESSION_SECONDS):
                # MCP: "The server MAY respond to this request with HTTP 405".
                await close_response(await self._send("DELETE", self._headers({})))
        except (TimeoutError, UpstreamError):
            logger.info("upstream_session_not_closed", extra={"upstream": self._spec.name})

    # --- Sending -----------------------------------------------------------------------------------------------

    def _headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        legacy = {HEADER_VERSION: self._version} if self._version else {}
        session = {HEADER_SESSION: self._session_id} if self._session_id else {}
        return {**headers, **legacy, **session}

    async def _send(
        self, method: str, headers: Mapping[str, str], message: Message | None = None
    ) -> httpx.Response:
        """Send an HTTP request; return the response once its headers are there, after redirects within the origin."""
        content = None if message is None else to_json(message)
        accept = "text/event-stream" if method == "GET" else "application/json, text/event-stream"
        all_headers = {
            **{name.lower(): value for name, value in self._spec.headers.items()},
            "accept": accept,
            "accept-encoding": "identity",  # a small compressed body can inflate to a large one
            **({} if content is None else {"content-type": "application/json"}),
            **headers,
        }
        for _ in range(MAX_REDIRECTS + 1):
            request = self._http.build_request(method, self._url, content=content, headers=all_headers)
            response = await self._send_once(request)
            if not response.is_redirect:
                return response
            await close_response(response)
            self._follow_redirect(response)
        raise UpstreamError(UpstreamFault.DOWN, f"answers with more than {MAX_REDIRECTS} redirects")

    async def _send_once(self, request: httpx.Request) -> httpx.Response:
        """Send an HTTP request, without redirects. Raises UpstreamError."""
        try:
            return await self._http.send(request, stream=True)
        except (
            httpx.ConnectError,
            httpx.ConnectTimeout,
            httpx.UnsupportedProtocol,
            httpx.LocalProtocolError,
        ) as error:
            # h11 quotes a header that it refuses to send.
            text = "" if isinstance(error, httpx.LocalProtocolError) else str(error)
            why = self._redaction.shown(f"cannot be reached: {text or type(error).__name__}")
            self.give_up(why)
            raise UpstreamError(UpstreamFault.DOWN, why) from None
        except UnicodeError as error:  # from idna: httpx reads where an answer redirects to
            raise UpstreamError(
                UpstreamFault.DOWN,
                self._redaction.shown(
                    f"redirects to a host that is no valid name ({error}); set the right address as url"
                ),
            ) from None
        except httpx.TransportError as error:
            raise AnswerLost(
                self._redaction.shown(f"the connection broke: {str(error) or type(error).__name__}")
            ) from None

    def _follow_redirect(self, response: httpx.Response) -> None:
        """Take over the address of a redirect within the origin. Raises UpstreamError for any other."""
        target = response.url.join(response.headers["location"])
        keeps_method = response.status_code in (307, 308)
        if keeps_method and _origin(target) == _origin(response.url):
            self._url = target
            return
        address = self._redaction.shown(str(target.copy_with(query=None, fragment=None, userinfo=b"")))
        raise UpstreamError(
            UpstreamFault.DOWN,
            f"redirects (HTTP {response.status_code}) to {address}, which is not followed: keys in headers would go there too; "
            "if the address is right, set it as url",
        )

    # --- Reading -----------------------------------------------------------------------------------------------

    def _check_status(self, response: httpx.Response, session_id: str | None) -> None:
        """Raise what a status means whatever the body says."""
        status = response.status_code
        if status in (401, 403):
            raise UpstreamError(
                UpstreamFault.UNAUTHORIZED,
                f"answers HTTP {status}: check the headers of this server in the gateway's configuration",
            )
        if status == 404 and session_id:
            raise SessionGone(session_id)
        if status in (429, 503):
            raise UpstreamError(UpstreamFault.DOWN, f"answers HTTP {status}: it is too busy or starting")
        if status in (502, 504):  # a proxy, which may have passed the request on
            raise AnswerLost(f"a proxy before it answers HTTP {status}")

    async def _error(self, response: httpx.Response, request_id: int, session_id: str | None) -> Message:
        """Return the JSON-RPC error in the body of a response; else raise UpstreamError."""
        try:
            body = await whole_body(response, MAX_ERROR_BYTES) or bytearray()
        except httpx.TransportError:
            body = bytearray()
        try:
            error = await parse_message(body, self._worker)
        except RpcError:
            error = None
        has_error = isinstance(error, dict) and isinstance(error.get("error"), dict)
        text = str(error["error"].get("message")) if has_error else body.decode("utf-8", "replace")
        # The specification says 404; many servers built on its TypeScript example answer an unknown session so.
        if response.status_code == 400 and session_id and "session" in text.lower():
            raise SessionGone(session_id)
        if has_error and error.get("id", request_id) in (request_id, None):
            return dict(error)
        shown = self._redaction.shown(text)
        raise UpstreamError(
            UpstreamFault.REFUSED, f"answers HTTP {response.status_code}{f': {shown}' if shown else ''}"
        )

    async def _whole_reply(self, response: httpx.Response, request_id: int) -> Message:
        kind = media_type(response)
        if coding := content_coding(response):
            raise _invalid(
                f"compresses its answer ({self._redaction.shown(coding)}), which was not asked for"
            )
        if response.status_code == 202:
            raise _invalid("accepted a request (HTTP 202) without answering it")
        if kind != "application/json":
            raise _invalid(
                f"answers with {self._redaction.shown(kind) or 'no content type'}, "
                "expected application/json or text/event-stream; is the url right?"
            )
        try:
            body = await whole_body(response, self._spec.max_result_bytes)
        except httpx.TransportError:
            raise AnswerLost("the connection broke in the middle of the answer") from None
        if body is None:
            raise too_large(self._spec)
        reply = self._delivered(await parsed(body, self._worker), request_id)
        if reply is None:
            raise _invalid("answers with JSON that is no reply to the request")
        return reply

    def _delivered(self, message: Any, request_id: int) -> Message | None:
        """Return the reply if this is it; hand on what the server sent beside it."""
        reply, others = replies_and_others(message, request_id)
        for each in others:
            self._on_message(each)
        return reply

    async def _streamed_reply(self, response: httpx.Response, request_id: int) -> Message:
        """Return the reply from a stream of events, and from those that continue it."""
        last_id, retry_seconds = "", None
        while True:
            events = EventStream(response, self._spec, self._worker)
            try:
                async for message in events:
                    if (reply := self._delivered(message, request_id)) is not None:
                        self._in_background(events.drain())
                        return reply
            except BaseException:
                await events.close()
                raise
            await events.close()
            last_id = events.last_event_id or last_id
            retry_seconds = events.retry_seconds or retry_seconds
            # The modern era has no resumption.
            if not self._version or not last_id:
                raise AnswerLost("the stream ended before the answer")
            response = await self._resumed(last_id, retry_seconds)

    async def _resumed(self, last_id: str, retry_seconds: float | None) -> httpx.Response:
        """Return the stream that continues after an event."""
        wait = DEFAULT_RETRY_SECONDS if retry_seconds is None else retry_seconds
        for failures in range(MAX_RESUME_FAILURES):
            await self._sleep(wait * 2**failures)
            try:
                response = await self._send("GET", self._headers({HEADER_LAST_EVENT: last_id}))
            except UpstreamError:
                continue
            if is_event_stream(response):
                return response
            await close_response(response)
            if response.status_code < 500:
                break
        raise AnswerLost("the stream ended before the answer and could not be resumed")

    # --- Notifications (legacy) --------------------------------------------------------------------------------

    async def _listen(self) -> None:
        stream = NotificationStream(
            lambda last_id: self._send("GET", self._headers({HEADER_LAST_EVENT: last_id} if last_id else {})),
            lambda response: EventStream(response, self._spec, self._worker),
            self._on_message,
            sleep=self._sleep,
            uniform=self._uniform,
        )
        await stream.follow()

    # --- Background --------------------------------------------------------------------------------------------

    def _in_background(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task


def _invalid(what: str) -> UpstreamError:
    return UpstreamError(UpstreamFault.INVALID, what)


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


@asynccontextmanager
async def open_http(
    spec: ServerSpec,
    worker: Worker,
    redaction: Redaction,
    *,
    sleep: Sleep,
    uniform: Callable[[float, float], float],
    tokens: TokenSource | None = None,
) -> AsyncIterator[HttpConnection]:
    """Open the connections to a server; end its session after the block."""
    transport = AiohttpTransport(is_secure=httpx.URL(spec.url or "").scheme == "https")
    auth = BearerAuth(tokens) if tokens else None
    async with httpx.AsyncClient(transport=transport, auth=auth) as http:
        connection = HttpConnection(http, spec, worker, redaction, sleep=sleep, uniform=uniform)
        try:
            yield connection
        finally:
            await connection.close()
