"""Runs the call of one message: waits for its place in the queue, counts its open stream, and hands it to mcp_protocol.answer.

Knows nothing of HTTP but what a refusal says. Reading the message and sending the reply are transport/endpoint.py's part.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable
from http import HTTPStatus
from typing import Any, NamedTuple

from aiohttp import hdrs

import mcp_protocol
from mcp_protocol import Incoming
from protocol import messages
from protocol.messages import (
    HEADER_SESSION,
    RETRY_AFTER_SECONDS,
    Era,
    Notify,
    Reply,
    RpcError,
    TooBusy,
    is_name,
)
from protocol.methods import Server
from protocol.revisions import Duration
from transport.byte_budget import Reservation
from transport.http_checks import EVENT_STREAM
from transport.http_limits import HttpLimits
from transport.refusals import Refusal, RefusalLog, too_many_requests, unavailable
from transport.request_queue import Slot
from transport.responses import Outbox, status_of

CANCELLED = "notifications/cancelled"


class ClientIdentity(NamedTuple):
    """Who has sent a message, as far as that is known without sessions."""

    owner: str
    address: str | None
    program: str
    """As its User-Agent names it."""


class ReceivedMessage(NamedTuple):
    """A message that was read, and where it came from."""

    incoming: Incoming
    client: ClientIdentity
    arrived: float
    path: str
    server: Server
    """The MCP server that answers it."""

    @property
    def owner(self) -> str:
        """The owner id of its key."""
        return self.client.owner

    def request_named(self, request_id: Any) -> Hashable:
        """Return what tells a request of the same client from all others, as long as clients give their requests different ids."""
        # True == 1, but no client means that.
        name = (type(request_id), request_id)
        return self.path, self.client, tuple(self.incoming.headers.get(HEADER_SESSION, ())), name


class CallRunner:
    """Runs calls, and knows those that are running."""

    def __init__(self, limits: HttpLimits, refusals: RefusalLog, clock: Callable[[], float]) -> None:
        """`clock`: the service's, in seconds, which says when a message arrived."""
        self._limits = limits
        self._refusals = refusals
        self._clock = clock
        self._open_streams: Counter[str] = Counter()
        self._stopping = False
        self.running: set[asyncio.Task[Reply]] = set()
        self._by_name: dict[Hashable, set[asyncio.Task[Reply]]] = {}
        """Calls of the older revisions, which a notification cancels."""
        self._cancelled: set[asyncio.Task[Reply]] = set()
        """Those that their client has cancelled."""

    @property
    def open_streams(self) -> int:
        """How many streams are open."""
        return self._open_streams.total()

    def begin_stop(self) -> None:
        """From now on, a call that is cancelled replies that the service stopped."""
        self._stopping = True

    def start(
        self,
        received: ReceivedMessage,
        slot: Slot,
        reservation: Reservation,
        outbox: Outbox,
        *,
        streams: bool,
    ) -> "asyncio.Task[Reply]":
        """Start the call of a message; its notifications go to the outbox if the client takes a stream. Raises Refusal."""
        self._check_may_stream(received, streams=streams)
        call = asyncio.create_task(self._run(received, slot, reservation, outbox.put if streams else None))
        reservation.keep_until_done(call)
        self._track(call, received, outbox)
        return call

    def cancel_named(self, notification: ReceivedMessage) -> None:
        """Cancel the call that a notification of the older revisions names, if exactly one of that name is running.

        Two clients of one key may give their requests the same ids: neither's call is cancelled then.
        """
        incoming = notification.incoming
        request_id = incoming.params.get("requestId")
        if incoming.era is Era.MODERN or incoming.method_name != CANCELLED or not is_name(request_id):
            return
        calls = self._by_name.get(notification.request_named(request_id), ())
        if len(calls) == 1:
            self._cancelled.update(calls)
            for call in calls:
                call.cancel()

    async def _run(
        self,
        received: ReceivedMessage,
        slot: Slot,
        reservation: Reservation,
        notify: Notify | None,
    ) -> Reply:
        """Wait for a place, if the call is long, and return its reply."""
        try:
            if received.incoming.duration is Duration.LONG:
                await self._take_place(slot, received)
            reply = await self.reply_to(received, notify)
            if (task := _task_of(reply, received.server)) is not None:
                reservation.keep_until_done(task)
            return reply
        except TooBusy as busy_now:
            return messages.error_reply(busy_now, received.incoming.id, received.incoming.era)
        except asyncio.CancelledError:
            if asyncio.current_task() in self._cancelled:
                # MCP 2025-11-25, Cancellation: "Receivers of cancellation notifications SHOULD [...] not send a response".
                return Reply(None, received.incoming.era)
            if not self._stopping:
                raise
            error = RpcError(
                messages.INTERNAL_ERROR,
                "The service stopped before this was done; call again in a moment",
            )
            return messages.error_reply(error, received.incoming.id, received.incoming.era)

    async def _take_place(self, slot: Slot, received: ReceivedMessage) -> None:
        """Wait for a place, but no longer than the call has time. Raises TooBusy, QueueFull and QueueFullForOwner."""
        seconds = self._limits.call_seconds
        left = received.arrived + seconds - self._clock() if seconds else None
        try:
            await slot.take(left)
        except TimeoutError:
            why = (
                f"the call waited for its turn for all of its {seconds:g} s (SUMMARIZE_DEADLINE_SECONDS), with "
                f"{self._limits.places} of MAX_CONCURRENT_REQUESTS at work; call again in {RETRY_AFTER_SECONDS} s"
            )
            self._refusals.note(HTTPStatus.SERVICE_UNAVAILABLE, why, hdrs.METH_POST, received.path)
            raise TooBusy(why) from None

    async def reply_to(self, received: ReceivedMessage, notify: Notify | None) -> Reply:
        """Return the reply of mcp_protocol.answer; log an error that nothing else has logged."""
        incoming = received.incoming
        reply = await mcp_protocol.answer(
            incoming, received.server, notify, received.owner, arrived=received.arrived
        )
        if not reply.is_logged and reply.error_code is not None:
            # Its code alone: the message may quote what was sent. The older revisions get many errors with status 200.
            why = f"JSON-RPC error {reply.error_code}"
            self._refusals.note(status_of(reply), why, hdrs.METH_POST, received.path)
        return reply

    def _check_may_stream(self, received: ReceivedMessage, *, streams: bool) -> None:
        if received.incoming.duration is not Duration.OPEN_ENDED:
            return
        if not streams:
            raise Refusal(
                HTTPStatus.NOT_ACCEPTABLE, f"Accept: expected {EVENT_STREAM} for this method, got none of it"
            )
        if received.owner and self._open_streams[received.owner] >= self._limits.streams_per_key:
            raise too_many_requests("streams of this key are open")
        if self._open_streams.total() >= self._limits.open_streams:
            raise unavailable(f"{self._limits.open_streams} streams are open already (MAX_OPEN_STREAMS)")

    def _track(self, call: "asyncio.Task[Reply]", received: ReceivedMessage, outbox: Outbox) -> None:
        """Count the call, and its stream, until it is over; then close its outbox."""
        self._count_streams(received, 1)
        self.running.add(call)
        name = received.request_named(received.incoming.id)
        if is_nameable := received.incoming.era is Era.LEGACY and received.incoming.id is not None:
            self._by_name.setdefault(name, set()).add(call)

        def forget(done: "asyncio.Task[Reply]") -> None:
            self.running.discard(done)
            self._cancelled.discard(done)
            if is_nameable:
                self._by_name[name].discard(done)
                if not self._by_name[name]:
                    del self._by_name[name]
            self._count_streams(received, -1)
            outbox.close()
            if not done.cancelled():
                done.exception()  # retrieved, or asyncio logs it; once the client has left, nothing else does

        call.add_done_callback(forget)

    def _count_streams(self, received: ReceivedMessage, by: int) -> None:
        if received.incoming.duration is Duration.OPEN_ENDED:
            self._open_streams[received.owner] += by
            self._open_streams += Counter()  # drops owners without any


def _task_of(reply: Reply, server: Server) -> "asyncio.Task[None] | None":
    """Return the work of the task that a reply announces, if it announces one."""
    result = reply.body.get("result") if isinstance(reply.body, dict) else None
    if server.tasks is None or result is None or result.get("resultType") != "task":
        return None
    return server.tasks.work(result["taskId"])
