"""A budget for the bytes of large requests in memory: reserved before they are read, released when no longer needed.

Knows nothing of requests; an owner stands for the key that they come with, "" where no keys are required. How many requests are
worked on at once, and in which order, is up to transport/request_queue.py.
"""

import asyncio
from typing import Any


class BudgetFull(Exception):
    """The bytes do not fit into the rest of the budget."""


class BudgetFullForOwner(BudgetFull):
    """They would fit, but the rest is kept for owners that hold nothing."""


class ByteBudget:
    """At most `limit` bytes at once.

    An owner that already holds some must leave `kept_free` bytes to others, so that an owner that holds nothing finds room for
    one request of that size, however many another owner sends. The owner "" (callers cannot be told apart) leaves none.
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

    def reserve(self, owner: str, size: int) -> None:
        """Reserve this many bytes. Raises BudgetFull, and then reserves none."""
        left = self._limit - self._used - size
        if left < 0:
            raise BudgetFull
        if owner and owner in self._held and left < self._kept_free:
            raise BudgetFullForOwner
        self.add(owner, size)

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
        self._owner = owner
        self._size = 0
        self._users = 1

    def grow_to(self, size: int) -> None:
        """Hold at least this many bytes. Raises BudgetFull."""
        if size > self._size:
            self._budget.reserve(self._owner, size - self._size)
            self._size = size

    def set_size(self, size: int) -> None:
        """Hold exactly this many bytes, which are in memory already."""
        self._budget.add(self._owner, size - self._size)
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
