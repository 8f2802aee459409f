"""Who may call next: so many places at once for everybody, shared fairly between the jobs that wait for them.

Knows nothing of what the places are for, nor why there are now more of them, now fewer, and at times none to be had.
"""

import asyncio
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from itertools import count
from typing import NamedTuple


class _Turn(NamedTuple):
    ticket: float
    given: asyncio.Future[None]


class FairGate:
    """At most `places` holders at once. A place that falls free goes to the waiting job that holds the fewest.

    Where several hold equally few, the one that has held places for the shortest time goes first, if `leave` is told for how long.
    Being idle earns nothing: a job that comes back starts at the time of the job served last (as Linux's CFS does with vruntime).
    After that, and between the calls of one job, the lower ticket goes first.
    """

    def __init__(self, places: int) -> None:
        self._places = places
        self._tickets = count()
        self._held: Counter[Hashable] = Counter()
        self._spent: defaultdict[Hashable, float] = defaultdict(float)
        self._least_spent = 0.0
        self._in_use = 0
        self._waiting: dict[Hashable, list[_Turn]] = {}
        self._closed = 0

    @property
    def places(self) -> int:
        """How many may hold a place. Where it falls under those who do, they keep theirs, and nobody enters."""
        return self._places

    @places.setter
    def places(self, places: int) -> None:
        self._places = places
        self._hand_out()

    @property
    def in_use(self) -> int:
        """How many places are held."""
        return self._in_use

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return sum(map(len, self._waiting.values()))

    def ticket(self) -> int:
        """Draw a ticket. Who comes again with the one it had does not stand at the end of the queue."""
        return next(self._tickets)

    def close(self) -> None:
        """Give out no place until `open` was called as often as this."""
        self._closed += 1

    def open(self) -> None:
        """Take one `close` back."""
        self._closed -= 1
        self._hand_out()

    @asynccontextmanager
    async def place(self, job: Hashable) -> AsyncIterator[None]:
        """Wait for a place, hold it, give it back."""
        await self.enter(job, self.ticket())
        try:
            yield
        finally:
            self.leave(job)

    async def enter(self, job: Hashable, ticket: float) -> None:
        """Wait for a place. Who got one must `leave`."""
        turn = _Turn(ticket, asyncio.get_running_loop().create_future())
        if job not in self._waiting and not self._held[job] and self._time_of(job) < self._least_spent:
            self._spent[job] = self._least_spent
        insort(self._waiting.setdefault(job, []), turn, key=lambda waiting: waiting.ticket)
        self._hand_out()
        try:
            await turn.given
        except asyncio.CancelledError:
            if turn.given.cancelled():
                self._drop(job, turn)
            else:  # cancelled after the place was given: pass it on
                self.leave(job)
            raise
        finally:
            # The future keeps the error that it was cancelled with, and its traceback this frame.
            del turn

    def leave(self, job: Hashable, seconds: float = 0.0) -> None:
        """Give a place back that was held for so long."""
        if seconds:
            self._spent[job] += seconds
        self._in_use -= 1
        self._held[job] -= 1
        if not self._held[job]:
            del self._held[job]
        self._hand_out()

    def _hand_out(self) -> None:
        while self._waiting and self._in_use < self._places and not self._closed:
            job = min(self._waiting, key=self._rank)
            turn = self._waiting[job][0]
            self._drop(job, turn)
            if turn.given.done():
                continue
            self._in_use += 1
            self._held[job] += 1
            self._least_spent = max(self._least_spent, self._time_of(job))
            turn.given.set_result(None)

    def _rank(self, job: Hashable) -> tuple[int, float, float]:
        return self._held[job], self._time_of(job), self._waiting[job][0].ticket

    def _time_of(self, job: Hashable) -> float:
        return self._spent.get(job, 0.0)

    def _drop(self, job: Hashable, turn: _Turn) -> None:
        turns = self._waiting.get(job, [])
        if turn in turns:
            turns.remove(turn)
            if not turns:
                del self._waiting[job]
