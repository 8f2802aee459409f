"""The MCP endpoint, Streamable HTTP on aiohttp: admits a request, reads its message, sends the answer; stops in an orderly way.

Follows the MCP specification 2026-07-28, "Streamable HTTP", and its predecessors since 2025-03-26, sessionless. One POST,
one message, one answer. Knows no tools. Beside it in transport/: access_checks.py (host, origin, key; auth.py has what is allowed),
http_checks.py (the other headers), request_body.py (reading and parsing a body), call_runner.py (running the message's call),
request_queue.py, responses.py (sending the answer), refusals.py (requests that are refused, and their log lines).

Reading order: `Endpoint.handle`, then `_serve`: admission, reading, answering.

Not here on purpose: the GET stream (nothing to send on it), resumption (a summary is cheap to ask for again), the old
HTTP+SSE transport of 2024-11-05.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, cast

from aiohttp import hdrs, web

from concurrency.worker_threads import Worker
from mcp_protocol import Incoming
from observability import tracing
from protocol import messages
from protocol.messages import (
    HEADER_PARAM_PREFIX,
    HEADER_SESSION,
    ROUTING_HEADERS,
    Era,
    Headers,
    RpcError,
)
from protocol.methods import Server
from protocol.revisions import Duration
from transport.access_checks import (
    check_host_and_origin,
    hosts_of,
    is_preflight,
    owner_of,
    preflight_response,
)
from transport.auth import Access, Keys, cors_headers
from transport.byte_budget import BudgetFull, ByteBudget, Reservation
from transport.call_runner import CallRunner, ClientIdentity, ReceivedMessage
from transport.http_checks import (
    EVENT_STREAM,
    HTTP_CHECKS,
    accepts,
    asks_for,
)
from transport.http_limits import HttpLimits
from transport.process import TURNS_TO_A_HANDLER
from transport.refusals import (
    Refusal,
    RefusalLog,
    refusal_response,
    stopping,
    too_many_requests,
    unavailable,
)
from transport.request_body import BodyReader
from transport.request_queue import QueueFull, QueueFullForOwner, RequestQueue, Slot
from transport.responses import Outbox, Sender

# For subscriptions/listen: a filter that names a thousand tasks takes half of this.
MAX_LISTEN_BYTES = 64 * 1024

# After the grace time: time to send the answers that say that the service is stopping.
FAREWELL_SECONDS = 1.0


ServerChooser = Callable[[web.Request], Awaitable[Server]]
"""Returns the MCP server that a request is for. Raises Refusal."""


@dataclass(frozen=True)
class EndpointLoad:
    """How many requests an endpoint has in each stage, and how many bytes of large ones."""

    working: int
    waiting: int
    reading: int
    open_streams: int
    bytes_under_way: int = 0

    @property
    def is_idle(self) -> bool:
        """Whether no request is waiting for an answer."""
        return not (self.working or self.waiting or self.reading)


@dataclass
class Endpoint:
    """The MCP endpoint: `handle` is the handler of every HTTP method on its path."""

    server: Server
    access: Access
    keys: Keys
    parse_worker: Worker
    """A worker of its own: parsing must not queue behind the work on texts."""
    limits: HttpLimits = field(default_factory=HttpLimits)
    clock: Callable[[], float] = time.monotonic
    """The service's, in seconds. The tools must use the same clock: each call brings its time of arrival."""
    observe_wait: Callable[[float], None] = field(default=lambda seconds: None)
    """Called with the seconds that each request waited in the queue: the histogram `Metrics.waits`, given by app.py."""
    servers_of_paths: Mapping[str, ServerChooser] = field(default_factory=dict)
    """Other paths, each with the function that chooses its server for a request: `choose_server` of gateway_service.py."""

    def __post_init__(self) -> None:
        shares = self.limits.places, self.limits.waiting, self.limits.places_per_key
        self._queue = RequestQueue(*shares, observe_wait=self.observe_wait, clock=self.clock)
        self._reading: set[asyncio.Task[Any]] = set()
        self._budget = ByteBudget(self.limits.bytes_under_way, self.limits.bytes_kept_free)
        self._bodies = BodyReader(
            self.parse_worker,
            self.limits.json_depth,
            self.limits.body_seconds,
            self.limits.stall_seconds,
            ByteBudget(self.limits.bytes_under_way, self.limits.bytes_kept_free),
        )
        self._refusals = RefusalLog(self.clock)
        self._calls = CallRunner(self.limits, self._refusals, self.clock)
        self._handlers: set[asyncio.Task[Any]] = set()
        self._stopping = False
        self._stopped = False

    @property
    def load(self) -> EndpointLoad:
        """The load at this moment."""
        queue, streams = self._queue, self._calls.open_streams
        return EndpointLoad(queue.in_use, queue.waiting, len(self._reading), streams, self._budget.used)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one HTTP request."""
        # In flight from its headers on, not only from its last byte: `drain` waits for uploads too.
        handler = cast("asyncio.Task[Any]", asyncio.current_task())
        self._handlers.add(handler)
        origins = request.headers.getall(hdrs.ORIGIN, [])
        cors = (
            cors_headers(origins[0])
            if origins and self.access.admits_origins(origins, hosts_of(request))
            else {}
        )
        sender = Sender(request, cors, self.limits.ping_seconds, self.limits.send_seconds)
        try:
            response = await self._answer_or_refuse(request, sender)
            if self._stopping:  # the next request on this connection would be refused
                response.force_close()
            return response
        except ConnectionError:
            # The client has left, or does not read: aiohttp would log that as an error of the service.
            if request.transport is not None:
                request.transport.abort()  # close() would wait for the client to read
            return web.Response()  # aiohttp requires a response; it is not sent
        finally:
            self._handlers.discard(handler)

    async def _answer_or_refuse(self, request: web.Request, sender: Sender) -> web.StreamResponse:
        """Answer one HTTP request; what a check or a limit refuses is answered with a status and its reason."""
        try:
            if is_preflight(request, self.access):
                return await sender.deliver(preflight_response(request))
            return await self._serve(request, sender)
        except Refusal as refusal:
            return await self._refuse(request, sender, refusal)
        except (QueueFull, QueueFullForOwner, BudgetFull) as problem:
            return await self._refuse(request, sender, self._refusal_of(problem))
        except asyncio.CancelledError:
            # Not where the client has left, nor where its answer has begun.
            if not self._stopping or request.transport is None or request.writer.output_size:
                raise
            return await self._refuse(request, sender, stopping())

    async def _serve(self, request: web.Request, sender: Sender) -> web.StreamResponse:
        """Admit a request, read its message, send the answer. Raises Refusal, QueueFull, QueueFullForOwner and BudgetFull."""
        owner = self._admit(request)
        reservation = Reservation(self._budget, owner)
        try:
            server = await self._choose_server(request)
            received = await self._read_message(request, owner, reservation, server)
            return await self._send_answer(request, sender, received, reservation)
        except RpcError as error:
            self._refusals.note(HTTPStatus.BAD_REQUEST, str(error), request.method, request.path)
            # Before a message is parsed its era is unknown; both answer 400.
            return await sender.send_reply(messages.error_reply(error, None, Era.LEGACY))
        finally:
            # A call that goes on without its client holds a share of its own (`Reservation.keep_until_done`).
            reservation.release()

    # --- Admission ---------------------------------------------------------------------------------------------

    def _admit(self, request: web.Request) -> str:
        """Return the caller's owner id. First the checks of MCP's security section in its order, then those of HTTP."""
        check_host_and_origin(request, self.access)
        self._check_is_open()
        owner = owner_of(request, self.keys)
        for check in HTTP_CHECKS:
            check(request)
        return owner

    def _check_is_open(self) -> None:
        if self._stopped:
            raise stopping()

    async def _choose_server(self, request: web.Request) -> Server:
        """Return the MCP server that a request is for. Raises Refusal."""
        choose = self.servers_of_paths.get(request.path)
        return self.server if choose is None else await choose(request)

    # --- Reading -----------------------------------------------------------------------------------------------

    async def _read_message(
        self, request: web.Request, owner: str, reservation: Reservation, server: Server
    ) -> ReceivedMessage:
        """Return the message of a request. Raises RpcError, and Refusal."""
        self._check_is_open()
        arrived = self.clock()
        handler = cast("asyncio.Task[Any]", asyncio.current_task())
        self._reading.add(handler)
        try:
            message, size = await self._bodies.read(request, reservation)
            incoming = Incoming.of(message, _headers_of(request, server.client_headers))
        finally:
            self._reading.discard(handler)
        if incoming.duration is Duration.OPEN_ENDED and size > MAX_LISTEN_BYTES:
            # Such a request is kept for as long as its stream is open.
            raise Refusal(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"body: expected at most {MAX_LISTEN_BYTES} bytes for this method, got {size}",
            )
        client = ClientIdentity(owner, request.remote, request.headers.get(hdrs.USER_AGENT, ""))
        return ReceivedMessage(incoming, client, arrived, request.path, server)

    # --- Answering ---------------------------------------------------------------------------------------------

    async def _send_answer(
        self,
        request: web.Request,
        sender: Sender,
        received: ReceivedMessage,
        reservation: Reservation,
    ) -> web.StreamResponse:
        """Send the answer, as JSON or as an event stream; the call of a long message (`Duration.LONG`) waits for a place first."""
        if received.incoming.duration is Duration.SHORT:
            reply = await self._calls.reply_to(received, None)
            if reply.body is None:
                self._calls.cancel_named(received)
            return await sender.send_reply(reply)
        streams = accepts(request, EVENT_STREAM)
        outbox = Outbox()
        slot = Slot(self._queue, received.owner)
        call = self._calls.start(received, slot, reservation, outbox, streams=streams)
        try:
            # A client that accepts anything, as curl does, did not ask for a stream: silence alone does not open one, only
            # progress does.
            return await sender.send(outbox, call, pings=asks_for(request, EVENT_STREAM))
        except (asyncio.CancelledError, ConnectionError):
            # MCP 2026-07-28: closing the response stream is the cancellation. Before, it "SHOULD NOT be interpreted as the
            # client cancelling its request": the call continues without a reader.
            outbox.close()
            if received.incoming.era is Era.MODERN:
                call.cancel()
            raise
        finally:
            # Only once the answer is sent: else answers to slow readers would fill the memory.
            if call.done():
                slot.free()
            else:
                call.add_done_callback(lambda done: slot.free())

    # --- Refusing ----------------------------------------------------------------------------------------------

    async def _refuse(self, request: web.Request, sender: Sender, refusal: Refusal) -> web.StreamResponse:
        self._refusals.note(refusal.status, str(refusal), request.method, request.path)
        return await sender.deliver(refusal_response(refusal))

    def _refusal_of(self, problem: Exception) -> Refusal:
        """Return the refusal that says which limit a request has met."""
        if isinstance(problem, QueueFull):
            return unavailable("too many requests are waiting (MAX_QUEUED_REQUESTS)")
        if isinstance(problem, QueueFullForOwner):
            return too_many_requests("requests of this key are under way")
        return unavailable(f"{problem} (MAX_BYTES_UNDER_WAY)")

    # --- Stopping ----------------------------------------------------------------------------------------------

    async def drain(self, grace: float) -> dict[str, int]:
        """Let the calls in flight finish, with uploads and tasks; after the grace time, in seconds, cancel the rest.

        Return how many were cancelled. A request that has arrived but has no handler yet is in flight as well; later requests
        are refused.
        """
        self._stopping = True
        self._calls.begin_stop()
        if self.server.hub is not None:
            self.server.hub.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(grace):
                # Requests that have arrived get their handlers while idle connections are closed.
                for _ in range(2 * TURNS_TO_A_HANDLER):
                    await asyncio.sleep(0)
                while unfinished := self._unfinished():  # an upload turns into work, and work into a task
                    await asyncio.wait(unfinished)
        self._stopped = True
        # Now, with the calls: a body that is complete later would begin one that nobody waits for.
        for handler in self._reading:
            handler.cancel()
        late = {"cancelled_calls": len(self._calls.running), "cancelled_tasks": len(self._tasks())}
        await _cancel(self._calls.running | self._tasks())
        if self._handlers:
            await asyncio.wait(self._handlers, timeout=FAREWELL_SECONDS)
        await _cancel(self._handlers)
        self._refusals.tell_left_out()
        return late

    def _unfinished(self) -> set[asyncio.Task[Any]]:
        return self._handlers | self._calls.running | self._tasks()

    def _tasks(self) -> set[asyncio.Task[Any]]:
        return set(self.server.tasks.running()) if self.server.tasks else set()


async def _cancel(tasks: set[asyncio.Task[Any]]) -> None:
    late = list(tasks)
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)


def _headers_of(request: web.Request, wanted: Collection[str]) -> Headers:
    """Return MCP's own headers of a request, and those of these names."""
    headers: dict[str, list[str]] = {}
    for name, value in request.headers.items():
        lower = name.lower()
        if lower in _KNOWN_HEADERS or lower in wanted or lower.startswith(HEADER_PARAM_PREFIX):
            headers.setdefault(lower, []).append(value)
    return headers


_KNOWN_HEADERS = frozenset((*ROUTING_HEADERS, HEADER_SESSION, *tracing.HEADERS))
