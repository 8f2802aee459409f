"""The body of a request: received within limits of time and memory, then parsed. Knows nothing of MCP methods.

How much of a body is read from its connection at a time: transport/connection.py.
"""

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, cast

from aiohttp import http_exceptions, web

from concurrency.worker_threads import Worker
from protocol import json_parsing
from transport.byte_budget import ByteBudget, Reservation
from transport.connection import Connection
from transport.refusals import Refusal, too_large
from transport.uploads import ArrivalLimit, Uploads

# Larger bodies count towards MAX_BYTES_UNDER_WAY until they are answered; small ones have a budget of their own, while they are received.
SMALL_BODY_BYTES = 256 * 1024

# A call's body of this size parses in a sixth of a millisecond; of a larger one the structure is checked first
# (protocol/json_parsing.py), which takes up to three times as long as parsing. Since hundreds may come at once, larger ones, and those
# with many brackets or commas, are parsed off the event loop.
QUICK_BODY_BYTES = json_parsing.UNCHECKED_BODY_BYTES
FEW_BRACKETS = 2_000
FEW_COMMAS = 16_000
_ALL_BUT_THESE = bytes(set(range(256)) - set(b"{[,"))

# A value takes less than 64 times the bytes of its JSON (`[[[[`: 44 times), so that of a smaller body takes less than SMALL_BODY_BYTES.
UNMEASURED_BODY_BYTES = SMALL_BODY_BYTES // 64


class Body:
    """The bytes of a request. `taken` hands them over to the parser, so that they are freed as soon as it is done."""

    def __init__(self, data: bytes | bytearray) -> None:
        self._data = data

    def __len__(self) -> int:
        return len(self._data)

    def is_quick_to_parse(self) -> bool:
        """Whether parsing takes less time than handing the bytes to a thread and back."""
        if len(self._data) > QUICK_BODY_BYTES:
            return False
        # One pass over all of it, then one over the little that is left.
        signs = self._data.translate(None, delete=_ALL_BUT_THESE)
        commas = signs.count(b",")
        return len(signs) - commas <= FEW_BRACKETS and commas <= FEW_COMMAS

    def taken(self) -> bytes | bytearray:
        """Return the bytes, and drop the reference to them."""
        data, self._data = self._data, b""
        return data


@dataclass(frozen=True)
class BodyReader:
    """Receives and parses bodies; the JSON may be nested `json_depth` deep, and must arrive within `seconds`."""

    parse_worker: Worker
    json_depth: int
    seconds: float
    stall_seconds: float
    """Time for each part of a body."""
    small_bodies: ByteBudget
    """Bounds the memory of many small bodies that are half received, or not parsed yet."""
    large_uploads: Uploads = field(default_factory=Uploads)
    small_uploads: Uploads = field(default_factory=Uploads)

    async def read(self, request: web.Request, reservation: Reservation) -> tuple[Any, int]:
        """Return the JSON value of a body, and the body's length.

        Raises RpcError PARSE_ERROR, Refusal if the body is too large, late or broken, and BudgetFull as the budgets do.
        """
        small = Reservation(self.small_bodies, reservation.owner)
        try:
            body = await self._receive(request, reservation, small)
            size = len(body)
            return await self._parse(body, reservation), size
        finally:
            small.release()

    async def _receive(self, request: web.Request, large: Reservation, small: Reservation) -> Body:
        content = request.content
        # All of it came together with the headers: nothing to wait for.
        if content.is_eof() and content.total_bytes <= min(SMALL_BODY_BYTES, request.client_max_size):
            small.set_size(content.total_bytes)
            return Body(content.read_nowait())
        limit = ArrivalLimit(self.seconds, self.stall_seconds)
        try:
            with self.large_uploads.receiving(large, limit), self.small_uploads.receiving(small, limit):
                return await self._received_in_parts(request, large, small, limit)
        except TimeoutError:
            raise limit.refusal() from None
        except (http_exceptions.HttpProcessingError, web.RequestPayloadError):
            raise Refusal(
                HTTPStatus.BAD_REQUEST,
                "body: expected it whole, as its length or its chunks announce; it is not",
            ) from None

    async def _received_in_parts(
        self, request: web.Request, large: Reservation, small: Reservation, limit: ArrivalLimit
    ) -> Body:
        """Return a body, of which every byte that was read is reserved: a slow one keeps nothing but these bytes from others."""
        announced = request.content_length or 0
        if announced > SMALL_BODY_BYTES:
            # Better refused as soon as its headers are read. What was only announced is not reserved: it would cost its sender nothing.
            self.large_uploads.check_room(large, announced)
        # A growing buffer: joining chunks at the end would hold the body twice.
        data = bytearray()
        while True:
            try:
                async with limit.timeout:
                    await self._receive_into(data, request, large, small, limit)
                return Body(data)
            except TimeoutError:
                if not _has_unread_bytes(request, len(data)):
                    raise
                limit.extend_part()

    async def _receive_into(
        self,
        data: bytearray,
        request: web.Request,
        large: Reservation,
        small: Reservation,
        limit: ArrivalLimit,
    ) -> None:
        announced = request.content_length or 0
        async for chunk in request.content.iter_any():
            limit.check()
            data += chunk
            if len(data) > request.client_max_size:
                raise too_large(request)
            if max(announced, len(data)) > SMALL_BODY_BYTES:
                small.set_size(0)
                self.large_uploads.grow(large, len(data))
            else:
                self.small_uploads.grow(small, len(data))
            if limit.is_part_complete(len(data)):
                limit.begin_part(len(data))
                self.large_uploads.on_part_began(large)
                self.small_uploads.on_part_began(small)

    async def _parse(self, body: Body, reservation: Reservation) -> Any:
        """Return the JSON value of a body, off the event loop unless it is small; the reservation then holds the value's memory."""
        if body.is_quick_to_parse():
            message, memory = _parse_and_measure(body, self.json_depth)
        else:
            message, memory = await self.parse_worker(_parse_and_measure, body, self.json_depth)
        _hold_parsed(reservation, memory)
        return message


def _has_unread_bytes(request: web.Request, received: int) -> bool:
    """Whether more of a body has come than these bytes: then it is the service that is late."""
    return request.content.total_bytes > received or cast("Connection", request.protocol).has_unread_bytes()


def _parse_and_measure(body: Body, max_depth: int) -> tuple[Any, int]:
    size = len(body)
    message = json_parsing.parse_json(body.taken(), max_depth)
    return message, json_parsing.memory_of(message) if size > UNMEASURED_BODY_BYTES else 0


def _hold_parsed(reservation: Reservation, memory: int) -> None:
    """Hold what a body has become: 40 times its size where it is all brackets. Raises BudgetFull."""
    if memory <= SMALL_BODY_BYTES:
        reservation.set_size(0)
    elif memory - reservation.size <= SMALL_BODY_BYTES:
        # So much more is no reason to refuse a body that was let in: any small request takes as much, uncounted.
        reservation.set_size(memory)
    else:
        reservation.become(memory)
