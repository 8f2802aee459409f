"""The body of a request: received within limits of time and memory, then parsed. Knows nothing of MCP methods."""

import asyncio
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from aiohttp import http_exceptions, web

from concurrency.worker_threads import Worker
from protocol import json_parsing
from transport.byte_budget import Reservation
from transport.http_checks import too_large
from transport.refusals import Refusal
from transport.request_queue import Slot

# Larger bodies count towards MAX_BYTES_UNDER_WAY, and wait in the upload queue before the rest of them is read.
SMALL_BODY_BYTES = 256 * 1024

# A chunked body does not announce its length: it reserves this much at a time.
RESERVED_AT_A_TIME = 1024 * 1024

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


@dataclass(frozen=True)
class BodyReader:
    """Receives and parses bodies; the JSON may be nested `json_depth` deep, and must arrive within `seconds`."""

    parse_worker: Worker
    json_depth: int
    seconds: float

    async def receive(self, request: web.Request, upload: Slot, reservation: Reservation) -> Body:
        """Return a body. Raises Refusal if it is too large, late or broken, and as the queue and the budget do."""
        try:
            return await self._receive(request, upload, reservation)
        except TimeoutError:
            raise Refusal(
                HTTPStatus.REQUEST_TIMEOUT,
                f"body: expected all of it within {self.seconds:g} s (BODY_TIMEOUT_SECONDS)",
            ) from None
        except (http_exceptions.HttpProcessingError, web.RequestPayloadError):
            raise Refusal(
                HTTPStatus.BAD_REQUEST,
                "body: expected it whole, as its length or its chunks announce; it is not",
            ) from None

    async def _receive(self, request: web.Request, upload: Slot, reservation: Reservation) -> Body:
        """Return a body. A large one waits in the upload queue, which does not count towards its time limit. Raises BudgetFull."""
        content = request.content
        # All of it came together with the headers: nothing to wait for.
        if content.is_eof() and content.total_bytes <= min(SMALL_BODY_BYTES, request.client_max_size):
            return Body(content.read_nowait())
        announced = request.content_length or 0
        if announced > SMALL_BODY_BYTES:
            reservation.grow_to(announced)
        # A growing buffer: joining chunks at the end would hold the body twice.
        data = bytearray()
        clock = asyncio.get_running_loop().time
        async with asyncio.timeout(self.seconds) as limit:
            async for chunk in content.iter_any():
                data += chunk
                if len(data) > request.client_max_size:
                    raise too_large(request)
                if len(data) <= SMALL_BODY_BYTES:
                    continue
                if len(data) > announced:
                    whole = _rounded_up(len(data), RESERVED_AT_A_TIME)
                    reservation.grow_to(min(whole, request.client_max_size))
                if not upload.is_held:
                    limit.reschedule(None)
                    await upload.take()
                    limit.reschedule(clock() + self.seconds)
        return Body(data)

    async def parse(self, body: Body, reservation: Reservation) -> Any:
        """Return the JSON value of a body, off the event loop unless it is small. Raises RpcError PARSE_ERROR."""
        if body.is_quick_to_parse():
            return json_parsing.parse_json(body.taken(), self.json_depth)
        message, size = await self.parse_worker(_parse_and_measure, body, self.json_depth)
        reservation.set_size(size if size > SMALL_BODY_BYTES else 0)
        return message


def _parse_and_measure(body: Body, max_depth: int) -> tuple[Any, int]:
    message = json_parsing.parse_json(body.taken(), max_depth)
    return message, json_parsing.bytes_of_strings(message)


def _rounded_up(size: int, step: int) -> int:
    return -(-size // step) * step
