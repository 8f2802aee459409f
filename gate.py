"""How many requests are worked on at once, and how many may wait for that: first come, first served.

Knows nothing of requests. Fair shares between the callers of a model are fairness.py's.
"""

import asyncio
from collections import deque


class Full(Exception):
    """Every place is taken, and as many wait already as may."""


class Gate:
    """At most `places` holders at once, and at most `waiting` who wait: a place that falls free goes to the first."""

    def __init__(self, places: int, waiting: int) -> None:
        self._places = places
        self._most_waiting = waiting
        self._taken = 0
        self._turns: deque[asyncio.Future[None]] = deque()

    @property
    def taken(self) -> int:
        """How many places are held."""
        return self._taken

    @property
    def waiting(self) -> int:
        """How many wait; who was cancelled does not, even before hearing of it."""
        return sum(not turn.done() for turn in self._turns)

    async def take(self) -> None:
        """Wait for a place and hold it until `release`. Raises Full, at once."""
        if self._taken < self._places:  # then nobody waits: a place is never free while somebody does
            self._taken += 1
            return
        if self.waiting >= self._most_waiting:
            raise Full(f"{self._places} are worked on and {self._most_waiting} wait")
        self._turns.append(turn := asyncio.get_running_loop().create_future())
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # cancelled after the place was given: pass it on
                self.release()
            elif turn in self._turns:
                self._turns.remove(turn)
            raise

    def release(self) -> None:
        """Give a place back: to the first who waits, or to whoever comes."""
        while self._turns:
            turn = self._turns.popleft()
            if not turn.done():
                turn.set_result(None)  # the place changes hands and stays taken
                return
        self._taken -= 1


class Place:
    """One request's claim to a place of a gate, which it holds once or not at all."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._held = False

    @property
    def is_held(self) -> bool:
        """Whether the place is held."""
        return self._held

    async def take(self) -> None:
        """Wait for the place, where it is not held already. Raises Full, at once."""
        if self._held:
            return
        await self._gate.take()
        self.free()  # where two calls waited at once: one place is enough
        self._held = True

    def free(self) -> None:
        """Give the place back, where it is held. A `take` that waits goes on waiting: cancel it."""
        if self._held:
            self._held = False
            self._gate.release()
