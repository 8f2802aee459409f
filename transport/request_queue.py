"""The request queue: limits how many requests are worked on at once, and how many may wait; others are refused.

The order is that of concurrency/fair_queue.py. Knows nothing of requests; an owner stands for the API key that they come with (a
hash of it), "" where callers cannot be told apart. Bodies that are being received take no place: transport/byte_budget.py bounds them.
"""

import asyncio
import time
from collections.abc import Callable

from concurrency.fair_queue import FairQueue


class QueueFull(Exception):
    """Every place is taken, and the queue is as long as it may be."""


class QueueFullForOwner(Exception):
    """One owner has its share of the places and of the queue; others may still come."""


class RequestQueue:
    """At most `places` requests at once, and at most `waiting` in the queue.

    `places_per_owner`, unless 0, is the most that one owner may hold; its share of the queue is as large as its share of the
    places. It does not bind the owner "".
    """

    def __init__(
        self,
        places: int,
        waiting: int,
        places_per_owner: int = 0,
        *,
        observe_wait: Callable[[float], None] = lambda seconds: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`observe_wait` is called with the seconds of each wait: 0 for a free place; also for a request that left the queue.

        For calls it is `Metrics.waits` (observability/metric_catalogue.py), a histogram (observability/metrics.py).
        """
        self._queue = FairQueue(places, places_per_owner)
        self._most_waiting = waiting
        self._share = places_per_owner + -(-waiting * places_per_owner // places)
        self._observe_wait, self._clock = observe_wait, clock

    @property
    def in_use(self) -> int:
        """How many places are held."""
        return self._queue.in_use

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return self._queue.waiting

    async def enter(self, owner: str = "", within: float | None = None) -> None:
        """Wait for a place and hold it until `leave`. Raises QueueFull and QueueFullForOwner, at once, and TimeoutError.

        `within` limits the wait, in seconds: a free place is given whatever it is.
        """
        if self._queue.has_place_for(owner):
            await self._queue.enter(owner)
            self._observe_wait(0.0)
            return
        self._check_length(owner)
        came = self._clock()
        try:
            async with asyncio.timeout(within):
                await self._queue.enter(owner)
        finally:
            self._observe_wait(self._clock() - came)

    def leave(self, owner: str = "") -> None:
        """Give a place back."""
        self._queue.leave(owner)

    def _check_length(self, owner: str) -> None:
        queue = self._queue
        if queue.limits(owner):
            held, waiting = queue.held_by(owner), queue.waiting_of(owner)
            if held + waiting >= self._share:
                raise QueueFullForOwner(f"{held} of one owner are worked on and {waiting} wait")
        if queue.waiting >= self._most_waiting:
            raise QueueFull(f"{queue.places} are worked on and {self._most_waiting} wait")


class Slot:
    """A place in a queue for one request, which it holds once or not at all."""

    def __init__(self, queue: RequestQueue, owner: str = "") -> None:
        self._queue = queue
        self._owner = owner
        self._held = False

    async def take(self, within: float | None = None) -> None:
        """Wait for the place, unless it is held already. Raises what `RequestQueue.enter` raises."""
        if self._held:
            return
        await self._queue.enter(self._owner, within)
        # Two tasks may have waited in `take` on one slot (in the service none do): give back the place of the first.
        self.free()
        self._held = True

    def free(self) -> None:
        """Give the place back, if it is held. A `take` that waits goes on waiting: cancel it."""
        if self._held:
            self._held = False
            self._queue.leave(self._owner)
