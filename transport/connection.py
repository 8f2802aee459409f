"""A client's connection, where aiohttp's own does otherwise than this service needs. Knows nothing of what is served.

- A client that closes its sending side after its request gets its answer; one that closes all of it is found out.
- What cannot be read as HTTP is refused as everything else is: as JSON-RPC.
- No answer says which software, in which version, has made it.
"""

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from weakref import ref

from aiohttp import hdrs, http_exceptions, web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.http import HttpVersion11, RawRequestMessage, StreamWriter
from aiohttp.streams import StreamReader
from aiohttp.web_protocol import RequestHandler

from transport.http_checks import Refusal, RefusalLog, fault_response, refusal_response

if TYPE_CHECKING:
    from multidict import CIMultiDict

# Both kinds of close look the same until something is sent: a client that has gone answers the first probe with a reset, and
# the next write fails. The reset takes a round trip; a proxy between us passes the close on a little later.
PROBE_AFTER_SECONDS = (0.01, 0.05, 1.0, 5.0)

# RFC 9110, 15.2: "A client MUST be able to parse one or more 1xx responses received prior to a final response, even if the
# client does not expect one." Go's client takes five of them at most.
INTERIM = b"HTTP/1.1 100 Continue\r\n\r\n"

Probe = Callable[[], None]

PROBE: web.RequestKey[Probe] = web.RequestKey("probe")
"""What writes something harmless where a response has begun already: for handlers whose response is a stream."""

Factory = Callable[
    [RawRequestMessage, StreamReader, RequestHandler, AbstractStreamWriter, "asyncio.Task[None]"],
    web.BaseRequest,
]


class Connection(web.RequestHandler):
    """One connection of a client."""

    __slots__ = ("_has_ended", "_probing", "_refusals")

    def __init__(self, manager: web.Server, refusals: RefusalLog, **options: Any) -> None:
        super().__init__(manager, **options)
        self._refusals = refusals
        self._has_ended = False
        self._probing: asyncio.TimerHandle | None = None

    def eof_received(self) -> bool:  # type: ignore[override] # aiohttp's own returns nothing: the connection closes at once
        """Hear that the client sends no more; return whether the connection stays open for answers."""
        if self._is_idle() or not self._has_whole_requests():
            return False
        self._has_ended = True
        self._close_after_last()
        self._probe_later(0)
        return True

    def connection_lost(self, exc: BaseException | None) -> None:
        """Hear that the connection is closed both ways."""
        super().connection_lost(exc)
        if self._probing is not None:
            self._probing.cancel()
            self._probing = None

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """Send what is left of a response."""
        if self._has_ended:
            self._close_after_last()
        return await super().finish_response(request, resp, start_time)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = HTTPStatus.INTERNAL_SERVER_ERROR,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Return the answer to what is no HTTP, or to a request whose handler has failed."""
        if status != HTTPStatus.BAD_REQUEST:
            super().handle_error(
                request, status, exc, message
            )  # it logs, and raises where a response has begun
            return fault_response()
        refusal = Refusal(HTTPStatus.BAD_REQUEST, _what_is_wrong(exc, self.max_field_size))
        self._refusals.note(refusal.status, str(refusal), "unknown", "unknown")
        return refusal_response(refusal)

    def _is_idle(self) -> bool:
        return self._waiter is not None and not self._waiter.done()

    def _has_whole_requests(self) -> bool:
        try:
            if self._parser is not None:
                self._parser.feed_eof()
        except (http_exceptions.ContentLengthError, http_exceptions.TransferEncodingError):
            return False
        except http_exceptions.HttpProcessingError:
            pass  # no HTTP: that is told where it was read
        return True

    def _close_after_last(self) -> None:
        if not self._messages:  # requests that came one behind the other
            self.close()

    def _probe_later(self, number: int) -> None:
        # Not a task: cancelled, it would hold this connection and its request until a full garbage collection.
        if number < len(PROBE_AFTER_SECONDS):
            self._probing = self._loop.call_later(PROBE_AFTER_SECONDS[number], self._probe_client, number)

    def _probe_client(self, number: int) -> None:
        self._probe_later(number + 1)
        request, transport = self._current_request, self.transport
        if request is None or transport is None or transport.is_closing():
            return
        # Not from here: the traceback of a write that fails would hold this frame, and the connection that keeps the error.
        if not request.writer.output_size:
            if request.version >= HttpVersion11:
                self._loop.call_soon(_write_interim, ref(request.writer), transport)
        elif probe := request.get(PROBE):
            self._loop.call_soon(probe)


def _write_interim(writer: "ref[AbstractStreamWriter]", transport: asyncio.Transport) -> None:
    """Write an interim response, unless the final one has begun since this was called for."""
    if not _has_begun(writer):
        transport.write(INTERIM)


def _has_begun(writer: "ref[AbstractStreamWriter]") -> bool:
    there = writer()
    return there is None or there.output_size > 0


def _what_is_wrong(problem: BaseException | None, longest: int) -> str:
    if isinstance(problem, http_exceptions.LineTooLong):
        return f"the request's head: expected lines of at most {longest} bytes (MAX_HEADER_BYTES), got a longer one"
    return "the request: expected HTTP/1.1, got what cannot be read as that"


class AnonymousWriter(StreamWriter):
    """Writes answers without the header that names the software."""

    async def write_headers(self, status_line: str, headers: "CIMultiDict[str]") -> None:
        """Write the head of an answer."""
        headers.popall(hdrs.SERVER, None)
        await super().write_headers(status_line, headers)


def anonymous(make: Factory) -> Factory:
    """Return what makes requests as `make` does, and has their answers written by an AnonymousWriter."""

    def make_request(
        message: RawRequestMessage,
        payload: StreamReader,
        protocol: RequestHandler,
        writer: AbstractStreamWriter,
        task: "asyncio.Task[None]",
    ) -> web.BaseRequest:
        return make(message, payload, protocol, AnonymousWriter(protocol, asyncio.get_running_loop()), task)

    return make_request
