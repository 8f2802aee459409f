"""The body of a request: received within limits of time and memory, then parsed. Knows nothing of MCP methods."""

import asyncio
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from aiohttp import http_exceptions, web

from concurrency.worker_threads import Worker
from protocol import json_parsing
from transport.byte_budget import ByteBudget, Reservation
from transport.http_checks import too_large
from transport.refusals import Refusal

# Larger bodies count towards MAX_BYTES_UNDER_WAY until they are answered; small ones have a budget of their own, while they are received.
SMALL_BODY_BYTES = 256 * 1024

# So much of a body, or the rest of it, must arrive within BODY_STALL_SECONDS. A limit for the time between two bytes would let a body
# last that sends one of them now and then; one for the mean rate (as Kestrel's and Apache's are) would let one stall for long that
# began quickly. At the default this is 13 kbit/s.
PART_BYTES = 16 * 1024

# A call's body of this size parses in a sixth of a millisecond; of a larger one the structure is checked first
# (protocol/json_parsing.py), which takes up to three times as long as parsing. Since hundreds may come at once, larger ones, and those
# with many brackets, are parsed off the event loop.
QUICK_BODY_BYTES = json_parsing.UNCHECKED_BODY_BYTES
FEW_BRACKETS = 2_000


class Body:
    """The bytes of a request. `taken` hands them over to the parser, so that they are freed as soon as it is done."""

    def __init__(self, data: bytes | bytearray) -> None:
        self._data = data

    def __len__(self) -> int:
        return len(self._data)

    def is_quick_to_parse(self) -> bool:
        """Whether parsing takes less time than handing the bytes to a thread and back."""
        data = self._data
        return len(data) <= QUICK_BODY_BYTES and data.count(b"{") + data.count(b"[") <= FEW_BRACKETS

    def taken(self) -> bytes | bytearray:
        """Return the bytes, and drop the reference to them."""
        data, self._data = self._data, b""
        return data


class ArrivalLimit:
    """The time limits of a body that is being received: of the whole, and of each part."""

    def __init__(self, seconds: float, stall_seconds: float) -> None:
        self._seconds = seconds
        self._stall_seconds = stall_seconds
        self._clock = asyncio.get_running_loop().time
        self._end = self._clock() + seconds
        self._wanted = PART_BYTES
        self.timeout = asyncio.timeout_at(self._part_end())

    def on_received(self, received: int) -> None:
        """Give the next part its time, if this one is complete."""
        if received >= self._wanted:
            self._wanted = received + PART_BYTES
            self.timeout.reschedule(self._part_end())

    def _part_end(self) -> float:
        return min(self._end, self._clock() + self._stall_seconds)

    def refusal(self) -> Refusal:
        """Return the refusal of a body that is late."""
        if self._clock() >= self._end:
            expected = f"all of it within {self._seconds:g} s (BODY_TIMEOUT_SECONDS)"
        else:
            expected = f"the next {PART_BYTES} bytes, or the rest of it, within {self._stall_seconds:g} s (BODY_STALL_SECONDS)"
        return Refusal(HTTPStatus.REQUEST_TIMEOUT, f"body: expected {expected}")


@dataclass(frozen=True)
class BodyReader:
    """Receives and parses bodies; the JSON may be nested `json_depth` deep, and must arrive within `seconds`."""

    parse_worker: Worker
    json_depth: int
    seconds: float
    stall_seconds: float
    """Time for each part of a body."""
    small_bodies: ByteBudget
    """Bounds the memory of many small bodies that are half received."""

    async def receive(self, request: web.Request, reservation: Reservation) -> Body:
        """Return a body. Raises Refusal if it is too large, late or broken, and as the budgets do."""
        content = request.content
        # All of it came together with the headers: nothing to wait for.
        if content.is_eof() and content.total_bytes <= min(SMALL_BODY_BYTES, request.client_max_size):
            return Body(content.read_nowait())
        limit = ArrivalLimit(self.seconds, self.stall_seconds)
        small = Reservation(self.small_bodies, reservation.owner)
        try:
            return await _received(request, reservation, small, limit)
        except TimeoutError:
            raise limit.refusal() from None
        except (http_exceptions.HttpProcessingError, web.RequestPayloadError):
            raise Refusal(
                HTTPStatus.BAD_REQUEST,
                "body: expected it whole, as its length or its chunks announce; it is not",
            ) from None
        finally:
            small.release()

    async def parse(self, body: Body, reservation: Reservation) -> Any:
        """Return the JSON value of a body, off the event loop unless it is small. Raises RpcError PARSE_ERROR."""
        if body.is_quick_to_parse():
            return json_parsing.parse_json(body.taken(), self.json_depth)
        message, size = await self.parse_worker(_parse_and_measure, body, self.json_depth)
        # From here on the parsed strings are held, not the body.
        reservation.set_size(size if size > SMALL_BODY_BYTES else 0)
        return message


def _parse_and_measure(body: Body, max_depth: int) -> tuple[Any, int]:
    message = json_parsing.parse_json(body.taken(), max_depth)
    return message, json_parsing.bytes_of_strings(message)


async def _received(
    request: web.Request, large: Reservation, small: Reservation, limit: ArrivalLimit
) -> Body:
    """Return a body, of which every byte that was read is reserved: a slow one keeps nothing but these bytes from others."""
    announced = request.content_length or 0
    if announced > SMALL_BODY_BYTES:
        # Better refused as soon as its headers are read. What was only announced is not reserved: it would cost its sender nothing.
        large.check_room_to_grow(announced)
    # A growing buffer: joining chunks at the end would hold the body twice.
    data = bytearray()
    async with limit.timeout:
        async for chunk in request.content.iter_any():
            data += chunk
            if len(data) > request.client_max_size:
                raise too_large(request)
            if max(announced, len(data)) > SMALL_BODY_BYTES:
                small.set_size(0)
                large.grow_to(len(data))
            else:
                small.grow_to(len(data))
            limit.on_received(len(data))
    return Body(data)
