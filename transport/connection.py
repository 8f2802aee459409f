"""A client's connection, where this service must differ from aiohttp. Knows nothing of what is served.

- A client that half-closes its connection after a request gets its answer; one that closes it fully is detected.
- A client that gets an answer before it has sent all of its request is told at once that the connection ends, and may send on.
- A request that is not valid HTTP is refused as every other one is: with a JSON-RPC error.
- No response names the server software and its version.
- Of bodies that arrive at the same time a few pieces are read in each turn of the event loop (read_turns.py).
"""

import asyncio
import math
import select
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from weakref import ref

from aiohttp import hdrs, http_exceptions, web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.http import HttpVersion11, RawRequestMessage, StreamWriter
from aiohttp.streams import StreamReader
from aiohttp.web_protocol import RequestHandler

from transport.read_turns import ReadTurns
from transport.refusals import Refusal, RefusalLog, fault_response, refusal_response

if TYPE_CHECKING:
    from multidict import CIMultiDict, MultiMapping

# A half and a full close look the same until something is sent: a client that has left answers the first probe with a reset, and
# the next write fails. The reset takes a round trip, and a proxy in between passes the close on a little later.
PROBE_AFTER_SECONDS = (0.01, 0.05, 1.0, 5.0)

# RFC 9110, 15.2: "A client MUST be able to parse one or more 1xx responses received prior to a final response, even if the
# client does not expect one." Go's client takes five of them at most.
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"

Probe = Callable[[], None]

PROBE: web.RequestKey[Probe] = web.RequestKey("probe")
"""Called when the client may have left; has a stream send a ping, if it has begun or silence may open one. Set by `Sender.send` (transport/responses.py)."""

OwnerOf = Callable[["MultiMapping[str]"], str]
"""Returns the owner of a request with these headers, "" where that is not known."""

Factory = Callable[
    [RawRequestMessage, StreamReader, RequestHandler, AbstractStreamWriter, "asyncio.Task[None]"],
    web.BaseRequest,
]


# How much is read from a socket at once. A body that is sent in chunks of one byte takes many times as long as others: with asyncio's
# 256 KiB, ten of them kept all other requests waiting for a second.
READ_BYTES = 16 * 1024

# Of a body whose length is announced nothing is parsed, and each read makes the event loop wait for the worker threads: more at once.
LONG_READ_BYTES = 64 * 1024

# And so much from one whose body comes in chunks of less than 60 bytes: to parse a chunk costs half a microsecond, so that forty
# connections with chunks of a byte took 50 ms of each turn of the event loop.
CHUNKY_READ_BYTES = 1024
LINES_OF_A_HEAD = 32
BYTES_PER_LINE = 32


@dataclass(frozen=True, slots=True)
class _Body:
    """A body that is arriving."""

    payload: StreamReader
    length: float
    """In bytes; infinite where it comes in chunks."""
    number: int
    """Its place in the order of `ReadTurns`."""
    owner: str

    @property
    def rest(self) -> float:
        """How many bytes are still to come."""
        return self.length - self.payload.total_bytes


class Connection(web.RequestHandler):
    """One connection of a client."""

    __slots__ = (
        "_arriving",
        "_has_ended",
        "_owner_of",
        "_probing",
        "_read_turns",
        "_refusals",
        "_waits_for_turn",
    )

    def __init__(
        self,
        manager: web.Server,
        refusals: RefusalLog,
        read_turns: ReadTurns,
        owner_of: OwnerOf,
        **options: Any,
    ) -> None:
        super().__init__(manager, **options)
        self._refusals = refusals
        self._read_turns = read_turns
        self._owner_of = owner_of
        self._waits_for_turn = False
        self._has_ended = False
        self._arriving: _Body | None = None
        self._probing: asyncio.TimerHandle | None = None
        self._msg_queue_resume_size = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called when the connection is open."""
        super().connection_made(transport)
        transport.max_size = READ_BYTES  # type: ignore[attr-defined] # of asyncio's transports, not of their base

    def data_received(self, data: bytes) -> None:
        """Called with what was taken from the socket."""
        # aiohttp takes up to 32 requests of a connection at once, each with half a MiB of its body, which no budget counts. Reading
        # pauses once one waits for the one at work; not for the first, which is taken up in the loop's next turn.
        self._max_msg_queue_size = 2 if self._current_request is None else 1
        super().data_received(data)
        if data and self.transport is not None:
            self._note_arriving_body()
            self.transport.max_size = self._bytes_to_read(data)  # type: ignore[attr-defined] # as above
            self._wait_for_turn()

    def _note_arriving_body(self) -> None:
        if self._messages and isinstance(self._messages[-1][0], RawRequestMessage):
            self._note_body(self._messages[-1][0].headers, self._messages[-1][1])
        elif self._current_request is not None:
            self._note_body(self._current_request.headers, self._current_request.content)
        # Else what a refused request has not sent yet: aiohttp reads it for a while, so that the client gets the refusal (RFC 9112, 9.6).
        if self._arriving is not None and self._arriving.payload.is_eof():
            self._arriving = None

    def _note_body(self, headers: "MultiMapping[str]", payload: StreamReader) -> None:
        if not payload.is_eof() and (self._arriving is None or self._arriving.payload is not payload):
            length = float(headers.get(hdrs.CONTENT_LENGTH, math.inf))
            self._arriving = _Body(payload, length, self._read_turns.number(), self._owner_of(headers))

    def _bytes_to_read(self, data: bytes) -> int:
        """Return how much to take from the socket next, by what came last."""
        if self._arriving is not None and READ_BYTES < self._arriving.rest < math.inf:
            return min(int(self._arriving.rest), LONG_READ_BYTES)
        return CHUNKY_READ_BYTES if _is_chunky(data) else READ_BYTES

    def _wait_for_turn(self) -> None:
        """Read no more of a body until it is its turn; the rest that one short read takes keeps none waiting."""
        body = self._arriving
        if body is None or body.rest <= READ_BYTES or self._waits_for_turn:
            return
        if not self._read_turns.reads_on(body.number, body.owner, self._read_on):
            self._waits_for_turn = True
            self._pause_transport_reading()

    def _read_on(self) -> bool:
        """Read on; return whether anything has come that can be read."""
        self._waits_for_turn = False
        transport = self.transport
        if self._reading_paused or self._buffer_paused or transport is None or transport.is_closing():
            return False
        self._resume_transport_reading()
        return _has_come(transport.get_extra_info("socket").fileno(), if_unknown=True)

    def has_unread_bytes(self) -> bool:
        """Whether more has come than was taken from the socket."""
        transport = self.transport
        if transport is None or transport.is_closing():
            return False
        return _has_come(transport.get_extra_info("socket").fileno(), if_unknown=self._waits_for_turn)

    def _resume_transport_reading(self) -> None:
        """Called by aiohttp when it has room again for what comes."""
        if not self._waits_for_turn:
            super()._resume_transport_reading()

    def resume_reading(self, resume_parser: bool = True) -> None:  # noqa: FBT001, FBT002, aiohttp's signature
        """Called for each piece of a body that is taken; aiohttp's own parses anew each time, also where nothing was paused."""
        if self._reading_paused:
            super().resume_reading(resume_parser)

    def eof_received(self) -> bool:  # type: ignore[override] # aiohttp's own returns nothing: the connection closes at once
        """Called when the client closes its sending side; return whether the connection stays open for answers."""
        if self._is_idle() or not self._has_whole_requests():
            return False
        self._has_ended = True
        self._close_after_last()
        self._probe_later(0)
        return True

    def connection_lost(self, exc: BaseException | None) -> None:
        """Called when the connection is closed in both directions."""
        super().connection_lost(exc)
        if self._probing is not None:
            self._probing.cancel()
            self._probing = None

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        """Send the rest of a response."""
        if self._has_ended:
            self._close_after_last()
        finished = await super().finish_response(request, resp, start_time)
        # RFC 9112, 9.6: closed at once, the connection would be reset by what the client still sends, and the answer may be lost. So
        # this side closes first; aiohttp reads on for a while.
        if not resp.keep_alive and not request.content.is_eof() and self.transport is not None:
            with suppress(OSError):  # the client has left
                self.transport.write_eof()
        return finished

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = HTTPStatus.INTERNAL_SERVER_ERROR,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Return the answer to a request that is not valid HTTP, or whose handler has failed."""
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
            pass  # not valid HTTP: reported where it was read
        return True

    def _close_after_last(self) -> None:
        if not self._messages:  # no pipelined requests are left
            self.close()

    def _probe_later(self, number: int) -> None:
        # Not a task: a cancelled one would keep this connection and its request alive until a full garbage collection.
        if number < len(PROBE_AFTER_SECONDS):
            self._probing = self._loop.call_later(PROBE_AFTER_SECONDS[number], self._probe_client, number)

    def _probe_client(self, number: int) -> None:
        self._probe_later(number + 1)
        request, transport = self._current_request, self.transport
        if request is None or transport is None or transport.is_closing():
            return
        # Later, not in this frame: the traceback of a failed write would keep the frame alive, and the connection with it.
        if not request.writer.output_size:
            if request.version >= HttpVersion11:
                self._loop.call_soon(_write_continue, ref(request.writer), transport)
        elif probe := request.get(PROBE):
            self._loop.call_soon(probe)


def _has_come(file: int, *, if_unknown: bool) -> bool:
    """Whether there is anything to read from a socket; `if_unknown` where the system cannot tell."""
    if not hasattr(select, "poll"):  # Windows
        return if_unknown
    waiting = select.poll()
    waiting.register(file, select.POLLIN)
    return bool(waiting.poll(0))


def _is_chunky(data: bytes) -> bool:
    """Whether most of these bytes are lines of chunks; nearly all that comes has few lines of any kind, which is found out sooner."""
    most = max(LINES_OF_A_HEAD, len(data) // BYTES_PER_LINE)
    return len(data.split(b"\n", most)) > most and data.count(b"\r\n") > most


def _write_continue(writer: "ref[AbstractStreamWriter]", transport: asyncio.Transport) -> None:
    """Write "100 Continue", unless the final one has begun meanwhile."""
    if not _has_begun(writer):
        transport.write(CONTINUE)


def _has_begun(writer: "ref[AbstractStreamWriter]") -> bool:
    there = writer()
    return there is None or there.output_size > 0


def _what_is_wrong(problem: BaseException | None, longest: int) -> str:
    if isinstance(problem, http_exceptions.LineTooLong):
        return f"the request's head: expected lines of at most {longest} bytes (MAX_HEADER_BYTES), got a longer one"
    return "the request: expected HTTP/1.1, got what cannot be read as that"


class AnonymousWriter(StreamWriter):
    """Writes responses without the Server header, which names the software."""

    async def write_headers(self, status_line: str, headers: "CIMultiDict[str]") -> None:
        """Write the status line and the headers."""
        headers.popall(hdrs.SERVER, None)
        await super().write_headers(status_line, headers)


def anonymous(make: Factory) -> Factory:
    """Return a request factory like `make` whose responses are written by an AnonymousWriter."""

    def make_request(
        message: RawRequestMessage,
        payload: StreamReader,
        protocol: RequestHandler,
        writer: AbstractStreamWriter,
        task: "asyncio.Task[None]",
    ) -> web.BaseRequest:
        return make(message, payload, protocol, AnonymousWriter(protocol, asyncio.get_running_loop()), task)

    return make_request
