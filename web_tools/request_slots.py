"""The limit on requests under way (CONCURRENCY): a fair queue of slots, in which no wait is longer than REQUEST_TIMEOUT_MS.

A free slot goes to the caller that holds the fewest. Of one caller, requests for different purposes take turns, so that a site that does not
answer delays other pages and nothing else. Sends nothing.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from enum import StrEnum

from concurrency.fair_queue import FairQueue
from web_tools.pages import WebError

# A context variable is no shared state: each call has its own value, and the tasks it starts inherit it.
_CALLER: ContextVar[str] = ContextVar("caller", default="")


class Purpose(StrEnum):
    """What a request is for."""

    PAGE = "page"
    SEARCH = "search"
    EMBEDDING = "embedding"


class SlotsTaken(WebError):
    """Other requests held every slot for as long as a request may wait."""


@contextmanager
def requests_of(caller: str) -> Iterator[None]:
    """Count the requests of this block, and of the tasks that start in it, as this caller's; "": callers without a key, all alike."""
    before = _CALLER.set(caller)
    try:
        yield
    finally:
        _CALLER.reset(before)


def current_caller() -> str:
    """Return the caller whose requests these are."""
    return _CALLER.get()


class RequestSlots:
    """The slots of all requests of the web tools."""

    def __init__(self, slots: int, wait_ms: int, clock: Callable[[], float] = time.monotonic) -> None:
        """`wait_ms`: the longest wait for a slot, in milliseconds; `clock` counts seconds from any moment."""
        self._queue = FairQueue(slots)
        self._wait_ms = wait_ms
        self._clock = clock
        self._under_way: Counter[tuple[str, Purpose]] = Counter()
        # Start-time fair queueing (Goyal, Vin, Cheng, 1996): each slot that a caller is given is a step of its own; a request's ticket lies
        # as many steps ahead as its caller has others for the same purpose. A caller without requests has no steps.
        self._steps: Counter[str] = Counter()

    @asynccontextmanager
    async def slot(self, purpose: Purpose) -> AsyncIterator[None]:
        """Wait for a slot of the current caller and hold it within the block. Raises SlotsTaken."""
        caller = current_caller()
        ticket = self._steps[caller] + self._under_way[caller, purpose]
        self._under_way[caller, purpose] += 1
        try:
            async with self._held_slot(caller, ticket):
                yield
        finally:
            self._under_way[caller, purpose] -= 1
            if not self._under_way[caller, purpose]:
                del self._under_way[caller, purpose]
            if not any(self._under_way[caller, each] for each in Purpose):
                del self._steps[caller]

    @asynccontextmanager
    async def _held_slot(self, caller: str, ticket: int) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self._wait_ms / 1000):
                await self._queue.enter(caller, ticket)
        except TimeoutError:
            raise SlotsTaken(
                f"no request could be sent within {self._wait_ms} ms (REQUEST_TIMEOUT_MS), since as many are under way as CONCURRENCY "
                f"allows ({self._queue.places}): try later; whoever runs this service can raise CONCURRENCY"
            ) from None
        self._steps[caller] = max(self._steps[caller], ticket) + 1
        began = self._clock()
        try:
            yield
        finally:
            self._queue.leave(caller, self._clock() - began)
