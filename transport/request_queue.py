"""How many requests are worked on at once, how many may wait for that, and whose turn it is: fair between their owners.

Knows nothing of requests; an owner is whoever they come from, "" where nobody can be told apart. Fair shares between the callers
of a model are fair_queue.py's.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple


class Full(Exception):
    """Every place is taken, and as many wait already as may."""


class TooMany(Exception):
    """One owner has its share of the places and of the queue; others' may still come."""


class _Turn(NamedTuple):
    owner: str
    given: asyncio.Future[None]

    @property
    def waits(self) -> bool:
        """Whether nothing has come of it yet; who was cancelled does not wait, even before hearing of it."""
        return not self.given.done()


class Gate:
    """At most `places` holders at once, and at most `waiting` who wait.

    A place that falls free goes to the owner that holds the fewest of those who wait, and of its own to the first: who floods
    the gate waits for itself. `places_per_owner`, where it is not 0, is the most that one owner holds, and as much of the queue
    is for it as of the places; where owners cannot be told apart ("") it does not count.
    """

    def __init__(
        self,
        places: int,
        waiting: int,
        places_per_owner: int = 0,
        *,
        waited: Callable[[float], None] = lambda seconds: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`waited` hears how long each wait was, in seconds, 0 for none: of who got a place, and of who left the queue."""
        self._places = places
        self._most_waiting = waiting
        self._per_owner = places_per_owner
        self._waited, self._clock = waited, clock
        self._share = places_per_owner + -(-waiting * places_per_owner // places)
        self._taken = 0
        self._held: dict[str, int] = {}
        self._turns: deque[_Turn] = deque()

    @property
    def taken(self) -> int:
        """How many places are held."""
        return self._taken

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(turn.waits for turn in self._turns)

    async def take(self, owner: str = "") -> None:
        """Wait for a place and hold it until `release`. Raises Full and TooMany, at once."""
        # Then it overtakes nobody: while a place is free, only those wait who may hold no more.
        if self._taken < self._places and self._may_hold(owner):
            self._hold(owner)
            self._waited(0.0)
            return
        self._check_queue(owner)
        came = self._clock()
        turn = _Turn(owner, asyncio.get_running_loop().create_future())
        self._turns.append(turn)
        try:
            await turn.given
        except asyncio.CancelledError:
            if not turn.given.cancelled():  # cancelled after the place was given: pass it on
                self.release(owner)
            elif turn in self._turns:
                self._turns.remove(turn)
            raise
        finally:
            self._waited(self._clock() - came)

    def release(self, owner: str = "") -> None:
        """Give a place back: to who is next, or to whoever comes."""
        self._taken -= 1
        self._held[owner] -= 1
        if not self._held[owner]:
            del self._held[owner]
        following = self._following() if self._turns else None
        if following:
            self._turns.remove(following)
            self._hold(following.owner)
            following.given.set_result(None)

    def _following(self) -> _Turn | None:
        turns = (turn for turn in self._turns if turn.waits and self._may_hold(turn.owner))
        return min(turns, key=lambda turn: self._held.get(turn.owner, 0), default=None)  # of equals the first

    def _may_hold(self, owner: str) -> bool:
        return not self._has_share(owner) or self._held.get(owner, 0) < self._per_owner

    def _has_share(self, owner: str) -> bool:
        return bool(owner and self._per_owner)

    def _hold(self, owner: str) -> None:
        self._taken += 1
        self._held[owner] = self._held.get(owner, 0) + 1

    def _check_queue(self, owner: str) -> None:
        if self._has_share(owner):
            held = self._held.get(owner, 0)
            own = held + sum(turn.owner == owner and turn.waits for turn in self._turns)
            if own >= self._share:
                raise TooMany(f"{held} of one owner are worked on and {own - held} wait")
        if self.waiting >= self._most_waiting:
            raise Full(f"{self._places} are worked on and {self._most_waiting} wait")


class Place:
    """One request's claim to a place of a gate, which it holds once or not at all."""

    def __init__(self, gate: Gate, owner: str = "") -> None:
        self._gate = gate
        self._owner = owner
        self._held = False

    @property
    def is_held(self) -> bool:
        """Whether the place is held."""
        return self._held

    async def take(self) -> None:
        """Wait for the place, where it is not held already. Raises Full and TooMany, at once."""
        if self._held:
            return
        await self._gate.take(self._owner)
        self.free()  # where two calls waited at once: one place is enough
        self._held = True

    def free(self) -> None:
        """Give the place back, where it is held. A `take` that waits goes on waiting: cancel it."""
        if self._held:
            self._held = False
            self._gate.release(self._owner)
