"""A budget for the bytes of requests in memory: reserved as they are received, released when no longer needed.

Knows nothing of requests; an owner stands for the key that they come with, "" where no keys are required. How many requests are
worked on at once, and in which order, is up to transport/request_queue.py.
"""

import asyncio
from typing import Any


class BudgetFull(Exception):
    """The bytes do not fit into the rest of the budget. Nothing waits for room: bodies that did could each wait for what another holds."""


class BudgetFullForOwner(BudgetFull):
    """They would fit, but the rest is kept for owners that hold less."""


class ByteBudget:
    """At most `limit` bytes at once.

    An owner that holds more than `kept_free` bytes may not use the last `kept_free` of them: so another owner finds room for one
    request of that size, however many the first one sends. The rule does not apply to the owner "" (callers cannot be told apart).
    """

    def __init__(self, limit: int, kept_free: int = 0) -> None:
        self._limit = limit
        self._kept_free = kept_free
        self._used = 0
        self._held: dict[str, int] = {}

    @property
    def used(self) -> int:
        """How many bytes are reserved."""
        return self._used

    @property
    def largest(self) -> int:
        """The most that one request counts with, if it takes more than was sent: alone it always fits, and it leaves room for another."""
        return max(self._limit - self._kept_free, self._kept_free)

    def check_room(self, owner: str, size: int) -> None:
        """Raise BudgetFull unless this many bytes more fit now. Reserves none."""
        left = self._limit - self._used - size
        if left < 0:
            raise BudgetFull(f"requests of {self._used} bytes are under way already")
        if owner and self._held.get(owner, 0) + size > self._kept_free > left:
            raise BudgetFullForOwner("this key's requests leave room to others")

    def add(self, owner: str, size: int) -> None:
        """Count bytes that are in memory already, whether they fit or not; a negative size releases some."""
        self._used += size
        self._held[owner] = self._held.get(owner, 0) + size
        if not self._held[owner]:
            del self._held[owner]


class Reservation:
    """One request's share of a budget, held for as long as anything works on the request."""

    def __init__(self, budget: ByteBudget, owner: str = "") -> None:
        self._budget = budget
        self.owner = owner
        self._size = 0
        self._users = 1

    @property
    def size(self) -> int:
        """How many bytes it holds."""
        return self._size

    def may_grow_to(self, size: int) -> bool:
        """Whether it could hold this many bytes now."""
        try:
            self.check_room_to_grow(size)
        except BudgetFull:
            return False
        return True

    def check_room_to_grow(self, size: int) -> None:
        """Raise BudgetFull unless it could hold this many bytes now."""
        if size > self._size:
            self._budget.check_room(self.owner, size - self._size)

    def grow_to(self, size: int) -> None:
        """Hold at least this many bytes. Raises BudgetFull, and then holds as many as before."""
        self.check_room_to_grow(size)
        self.set_size(max(size, self._size))

    def become(self, size: int) -> None:
        """Hold this many bytes, into which those it holds were made, but at most the budget's `largest`. Raises BudgetFull."""
        size = min(size, self._budget.largest)
        self.check_room_to_grow(size)
        self.set_size(size)

    def set_size(self, size: int) -> None:
        """Hold exactly this many bytes, which are in memory already."""
        if size != self._size:
            self._budget.add(self.owner, size - self._size)
            self._size = size

    def keep_until_done(self, work: "asyncio.Task[Any]") -> None:
        """Hold the bytes until this work, too, is over."""
        self._users += 1
        work.add_done_callback(lambda done: self.release())

    def release(self) -> None:
        """Say that one user no longer needs the bytes; the last one releases them."""
        self._users -= 1
        if not self._users:
            self.set_size(0)
