"""The MCP endpoint, Streamable HTTP on aiohttp: admission, limits, and cancelling when a client leaves. No tools, no summaries.

Follows the MCP specification 2026-07-28, "Streamable HTTP", and its predecessors since 2025-03-26, sessionless. One POST,
one message, one answer. Beside it in transport/: http_checks.py (the checks of a request's headers), auth.py (access and keys),
refusals.py (their answers and log lines), request_body.py (reading and parsing a body), request_queue.py, responses.py (sending
the answer).

Reading order: `Endpoint.handle`, then `_serve`: admission, reading, and answering, where mcp_protocol.answer is called.

Not here on purpose: the GET stream (nothing to send on it), resumption (a summary is cheap to ask for again), the old
HTTP+SSE transport of 2024-11-05.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, NamedTuple, cast

from aiohttp import hdrs, web

import mcp_protocol
from concurrency.worker_threads import Worker
from mcp_protocol import Duration, Incoming
from observability import tracing
from protocol import messages
from protocol.messages import (
    HEADER_PARAM_PREFIX,
    RETRY_AFTER_SECONDS,
    ROUTING_HEADERS,
    Era,
    Headers,
    Notify,
    Reply,
    RpcError,
    TooBusy,
)
from protocol.methods import Server
from transport.auth import Access, Keys, Unauthorized, cors_headers, preflight_headers
from transport.byte_budget import BudgetFull, BudgetFullForOwner, ByteBudget, Reservation
from transport.http_checks import (
    EVENT_STREAM,
    HTTP_CHECKS,
    accepts,
    asks_for,
    header_text,
    hosts_of,
    wrong_host,
)
from transport.process import TURNS_TO_A_HANDLER
from transport.refusals import Refusal, RefusalLog, refusal_response, too_many_requests, unavailable
from transport.request_body import Body, BodyReader
from transport.request_queue import QueueFull, QueueFullForOwner, RequestQueue, Slot
from transport.responses import Outbox, Sender, status_of

# For subscriptions/listen: a filter that names a thousand tasks takes half of this.
MAX_LISTEN_BYTES = 64 * 1024

# After the grace time: time to send the answers that say that the service is stopping.
FAREWELL_SECONDS = 1.0


@dataclass(frozen=True)
class HttpLimits:
    """The limits of the endpoint; config.py has the reasons."""

    json_depth: int = 64
    places: int = 64
    waiting: int = 256
    open_streams: int = 1024
    body_seconds: float = 60.0
    send_seconds: float = 60.0
    ping_seconds: float = 15.0
    places_per_key: int = 0
    bytes_under_way: int = 64 * 1024 * 1024
    body_bytes: int = 16 * 1024 * 1024
    """The largest body. A key that already has bytes under way must leave this many to other keys."""
    call_seconds: float = 0.0

    @property
    def streams_per_key(self) -> int:
        """One key's share of the open streams: the same as its share of the places."""
        return -(-self.open_streams * (self.places_per_key or self.places) // self.places)


@dataclass(frozen=True)
class EndpointLoad:
    """How many requests an endpoint has in each stage, and how many bytes of large bodies."""

    working: int
    waiting: int
    bodies_read: int
    bodies_waiting: int
    open_streams: int
    bytes_under_way: int = 0

    @property
    def is_idle(self) -> bool:
        """Whether no request is waiting for an answer."""
        return not (self.working or self.waiting or self.bodies_read or self.bodies_waiting)


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
    """In seconds. The tools must use the same clock: each call brings its time of arrival."""
    waited: Callable[[float], None] = field(default=lambda seconds: None)
    """Called with the seconds that each request waited in the queue: the histogram `Metrics.waits`, given by app.py."""

    def __post_init__(self) -> None:
        shares = self.limits.places, self.limits.waiting, self.limits.places_per_key
        self._queue = RequestQueue(*shares, waited=self.waited, clock=self.clock)
        # A separate queue: slow uploads delay only other large uploads.
        self._upload_queue = RequestQueue(*shares)
        self._budget = ByteBudget(self.limits.bytes_under_way, self.limits.body_bytes)
        self._bodies = BodyReader(self.parse_worker, self.limits.json_depth, self.limits.body_seconds)
        self._refusals = RefusalLog(self.clock)
        self._open_streams: Counter[str] = Counter()
        self._handlers: set[asyncio.Task[Any]] = set()
        self._running_calls: set[asyncio.Task[Any]] = set()
        self._stopping = False
        self._stopped = False

    @property
    def load(self) -> EndpointLoad:
        """The load at this moment."""
        queue, uploads = self._queue, self._upload_queue
        requests = queue.in_use, queue.waiting, uploads.in_use, uploads.waiting
        return EndpointLoad(*requests, self._open_streams.total(), self._budget.used)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one HTTP request."""
        # In flight from its headers on, not only from its last byte: `drain` waits for uploads too.
        handler = cast("asyncio.Task[Any]", asyncio.current_task())
        self._handlers.add(handler)
        origins = request.headers.getall(hdrs.ORIGIN, [])
        cors = cors_headers(origins[0]) if origins and self.access.admits_origins(origins) else {}
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
        try:
            if self._is_preflight(request):
                return await sender.deliver(_preflight(request))
            return await self._serve(request, sender)
        except Refusal as refusal:
            return await self._refuse(request, sender, refusal)
        except (QueueFull, QueueFullForOwner, BudgetFull) as problem:
            return await self._refuse(request, sender, self._refusal_of(problem))

    async def _serve(self, request: web.Request, sender: Sender) -> web.StreamResponse:
        """Admit a request, read its message, send the answer. Raises Refusal, QueueFull, QueueFullForOwner and BudgetFull."""
        owner = self._admit(request)
        upload = Slot(self._upload_queue, owner)
        reservation = Reservation(self._budget, owner)
        try:
            received = await self._read_message(request, owner, upload, reservation)
            return await self._send_answer(request, sender, received, upload, reservation)
        except RpcError as error:
            self._refusals.note(HTTPStatus.BAD_REQUEST, str(error), request.method, request.path)
            # Before a message is parsed its era is unknown; both answer 400.
            return await sender.send_reply(messages.error_reply(error, None, Era.LEGACY))
        finally:
            upload.free()
            reservation.release()

    # --- Admission ---------------------------------------------------------------------------------------------

    def _admit(self, request: web.Request) -> str:
        """Return the caller's owner id. First the checks of MCP's security section in its order, then those of HTTP."""
        self._check_host(request)
        self._check_origin(request)
        if self._stopped:
            raise unavailable("the service is stopping")
        owner = self._check_key(request)
        for check in HTTP_CHECKS:
            check(request)
        return owner

    def _check_host(self, request: web.Request) -> None:
        if not self.access.admits_hosts(hosts_of(request)):
            raise Refusal(HTTPStatus.MISDIRECTED_REQUEST, wrong_host(request))

    def _check_origin(self, request: web.Request) -> None:
        if not self.access.admits_origins(request.headers.getall(hdrs.ORIGIN, [])):
            raise Refusal(
                HTTPStatus.FORBIDDEN,
                f"Origin: expected none or one of ALLOWED_ORIGINS, got {header_text(request, hdrs.ORIGIN)}",
            )

    def _check_key(self, request: web.Request) -> str:
        try:
            return self.keys.owner_of(request.headers)
        except Unauthorized as unknown:
            challenge = {str(hdrs.WWW_AUTHENTICATE): unknown.challenge}
            raise Refusal(HTTPStatus.UNAUTHORIZED, str(unknown), challenge) from None

    def _is_preflight(self, request: web.Request) -> bool:
        """Whether this is a CORS preflight from an allowed origin; browsers send no key with one."""
        if request.method != hdrs.METH_OPTIONS or hdrs.ACCESS_CONTROL_REQUEST_METHOD not in request.headers:
            return False
        self._check_host(request)
        self._check_origin(request)
        return hdrs.ORIGIN in request.headers

    # --- Reading -----------------------------------------------------------------------------------------------

    async def _read_message(
        self, request: web.Request, owner: str, upload: Slot, reservation: Reservation
    ) -> "_Received":
        """Return the message of a request. Raises RpcError, and Refusal."""
        arrived = self.clock()
        body = await self._receive(request, upload, reservation)
        size = len(body)
        incoming = Incoming.of(await self._bodies.parse(body, reservation), _mcp_headers(request))
        if incoming.duration is Duration.OPEN_ENDED and size > MAX_LISTEN_BYTES:
            # Such a request is kept for as long as its stream is open.
            raise Refusal(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"body: expected at most {MAX_LISTEN_BYTES} bytes for this method, got {size}",
            )
        return _Received(incoming, owner, arrived, request.path)

    async def _receive(self, request: web.Request, upload: Slot, reservation: Reservation) -> Body:
        try:
            return await self._bodies.receive(request, upload, reservation)
        except asyncio.CancelledError:
            if not self._stopping:
                raise
            raise unavailable("the service is stopping") from None

    # --- Answering ---------------------------------------------------------------------------------------------

    async def _send_answer(
        self,
        request: web.Request,
        sender: Sender,
        received: "_Received",
        upload: Slot,
        reservation: Reservation,
    ) -> web.StreamResponse:
        """Send the answer, as JSON or as an event stream; the work on a long message waits for a place first."""
        if received.incoming.duration is Duration.SHORT:
            upload.free()
            return await sender.send_reply(await self._mcp_reply(received, None))
        streams = accepts(request, EVENT_STREAM)
        self._check_may_stream(received, streams=streams)
        outbox = Outbox()
        slot = Slot(self._queue, received.owner)
        work = asyncio.create_task(
            self._run_call(received, slot, upload, reservation, outbox.put if streams else None)
        )
        reservation.keep_until_done(work)
        self._track(work, received, outbox)
        try:
            # A client that accepts anything, as curl does, did not ask for a stream: silence alone does not open one, only
            # progress does.
            return await sender.send(outbox, work, pings=asks_for(request, EVENT_STREAM))
        except (asyncio.CancelledError, ConnectionError):
            # MCP 2026-07-28: closing the response stream is the cancellation. Before, it "SHOULD NOT be interpreted as the
            # client cancelling its request": the work continues without a reader.
            outbox.close()
            if received.incoming.era is Era.MODERN:
                work.cancel()
            raise
        finally:
            # Only once the answer is sent: else answers to slow readers would fill the memory.
            if work.done():
                slot.free()
            else:
                work.add_done_callback(lambda done: slot.free())

    async def _run_call(
        self, received: "_Received", slot: Slot, upload: Slot, reservation: Reservation, notify: Notify | None
    ) -> Reply:
        """Wait for a place, if the call is long, and return its reply."""
        try:
            if received.incoming.duration is Duration.LONG:
                await self._take_place(slot, received)
            # Only now: else bodies that were read would pile up while their calls wait.
            upload.free()
            reply = await self._mcp_reply(received, notify)
            if (task := self._task_of(reply)) is not None:
                reservation.keep_until_done(task)
            return reply
        except TooBusy as busy_now:
            return messages.error_reply(busy_now, received.incoming.id, received.incoming.era)
        except asyncio.CancelledError:
            if not self._stopping:
                raise
            error = RpcError(
                messages.INTERNAL_ERROR,
                "The service stopped before this was done; call again in a moment",
            )
            return messages.error_reply(error, received.incoming.id, received.incoming.era)

    async def _take_place(self, slot: Slot, received: "_Received") -> None:
        """Wait for a place, but no longer than the call has time. Raises TooBusy, QueueFull and QueueFullForOwner."""
        seconds = self.limits.call_seconds
        left = received.arrived + seconds - self.clock() if seconds else None
        try:
            async with asyncio.timeout(left):
                await slot.take()
        except TimeoutError:
            why = (
                f"the call waited for its turn for all of its {seconds:g} s (SUMMARIZE_DEADLINE_SECONDS), with "
                f"{self.limits.places} of MAX_CONCURRENT_REQUESTS at work; call again in {RETRY_AFTER_SECONDS} s"
            )
            self._refusals.note(HTTPStatus.SERVICE_UNAVAILABLE, why, hdrs.METH_POST, received.path)
            raise TooBusy(why) from None

    async def _mcp_reply(self, received: "_Received", notify: Notify | None) -> Reply:
        """Return the reply of mcp_protocol.answer; log an error that nothing else has logged."""
        incoming = received.incoming
        reply = await mcp_protocol.answer(
            incoming, self.server, notify, received.owner, arrived=received.arrived
        )
        if not reply.is_logged and reply.error_code is not None:
            # Its code alone: the message may quote what was sent. The older revisions get many errors with status 200.
            why = f"JSON-RPC error {reply.error_code}"
            self._refusals.note(status_of(reply), why, hdrs.METH_POST, received.path)
        return reply

    def _task_of(self, reply: Reply) -> "asyncio.Task[None] | None":
        """Return the work of the task that a reply announces, if it announces one."""
        result = reply.body.get("result") if isinstance(reply.body, dict) else None
        if self.server.tasks is None or result is None or result.get("resultType") != "task":
            return None
        return self.server.tasks.work(result["taskId"])

    def _check_may_stream(self, received: "_Received", *, streams: bool) -> None:
        if received.incoming.duration is not Duration.OPEN_ENDED:
            return
        if not streams:
            raise Refusal(
                HTTPStatus.NOT_ACCEPTABLE, f"Accept: expected {EVENT_STREAM} for this method, got none of it"
            )
        if received.owner and self._open_streams[received.owner] >= self.limits.streams_per_key:
            raise too_many_requests("streams of this key are open")
        if self._open_streams.total() >= self.limits.open_streams:
            raise unavailable(f"{self.limits.open_streams} streams are open already (MAX_OPEN_STREAMS)")

    def _track(self, work: "asyncio.Task[Reply]", received: "_Received", outbox: Outbox) -> None:
        """Count the work, and its stream, until it is over; then close its outbox."""
        self._count_streams(received, 1)
        self._running_calls.add(work)

        def forget(done: "asyncio.Task[Reply]") -> None:
            self._running_calls.discard(done)
            self._count_streams(received, -1)
            outbox.close()
            if not done.cancelled():
                done.exception()  # retrieved, or asyncio logs it; once the client has left, nothing else does

        work.add_done_callback(forget)

    def _count_streams(self, received: "_Received", by: int) -> None:
        if received.incoming.duration is Duration.OPEN_ENDED:
            self._open_streams[received.owner] += by
            self._open_streams += Counter()  # drops owners without any

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
        if isinstance(problem, BudgetFullForOwner):
            return unavailable("this key's large requests leave room to others (MAX_BYTES_UNDER_WAY)")
        return unavailable(
            f"large requests of {self._budget.used} bytes are under way already (MAX_BYTES_UNDER_WAY)"
        )

    # --- Stopping ----------------------------------------------------------------------------------------------

    async def drain(self, grace: float) -> dict[str, int]:
        """Let the calls in flight finish, with uploads and tasks; after the grace time, in seconds, cancel the rest.

        Return how many were cancelled. A request that has arrived but has no handler yet is in flight as well; later requests
        are refused.
        """
        self._stopping = True
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
        late = {"cancelled_calls": len(self._running_calls), "cancelled_tasks": len(self._tasks())}
        await _cancel(self._running_calls | self._tasks())
        if self._handlers:
            await asyncio.wait(self._handlers, timeout=FAREWELL_SECONDS)
        await _cancel(self._handlers)
        self._refusals.tell_left_out()
        return late

    def _unfinished(self) -> set[asyncio.Task[Any]]:
        return self._handlers | self._running_calls | self._tasks()

    def _tasks(self) -> set[asyncio.Task[Any]]:
        return set(self.server.tasks.running()) if self.server.tasks else set()


class _Received(NamedTuple):
    """A message that was read, and where it came from."""

    incoming: Incoming
    owner: str
    arrived: float
    path: str


async def _cancel(tasks: set[asyncio.Task[Any]]) -> None:
    late = list(tasks)
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)


def _mcp_headers(request: web.Request) -> Headers:
    headers: dict[str, list[str]] = {}
    for name, value in request.headers.items():
        lower = name.lower()
        if lower in _KNOWN_HEADERS or lower.startswith(HEADER_PARAM_PREFIX):
            headers.setdefault(lower, []).append(value)
    return headers


_KNOWN_HEADERS = frozenset((*ROUTING_HEADERS, *tracing.HEADERS))


def _preflight(request: web.Request) -> web.Response:
    wanted = request.headers.getall(hdrs.ACCESS_CONTROL_REQUEST_HEADERS, [])
    headers = preflight_headers(request.headers[hdrs.ORIGIN], wanted)
    return web.Response(status=HTTPStatus.NO_CONTENT, headers=headers)
