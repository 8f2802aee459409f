"""Who may call next: so many places at once for everybody, shared fairly between the jobs that wait for them.

Knows nothing of what the places are for.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager


class FairGate:
    """At most `places` holders at once. A place that falls free goes to the waiting job that holds the fewest."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._held: Counter[Hashable] = Counter()
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def place(self, job: Hashable) -> AsyncIterator[None]:
        """Wait for a place, hold it, give it back."""
        await self._enter(job)
        try:
            yield
        finally:
            self._leave(job)

    async def _enter(self, job: Hashable) -> None:
        self._waiting.setdefault(job, deque()).append(turn := asyncio.get_running_loop().create_future())
        self._hand_out()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._drop(job, turn)
            else:  # cancelled after the place was given: pass it on
                self._leave(job)
            raise

    def _leave(self, job: Hashable) -> None:
        self._free += 1
        self._held[job] -= 1
        if not self._held[job]:
            del self._held[job]
        self._hand_out()

    def _hand_out(self) -> None:
        while self._free and self._waiting:
            job = min(self._waiting, key=lambda waiting: self._held[waiting])
            turn = self._waiting[job].popleft()
            if not self._waiting[job]:
                del self._waiting[job]
            if turn.done():
                continue
            self._free -= 1
            self._held[job] += 1
            turn.set_result(None)

    def _drop(self, job: Hashable, turn: asyncio.Future[None]) -> None:
        if turn in self._waiting.get(job, ()):
            self._waiting[job].remove(turn)
            if not self._waiting[job]:
                del self._waiting[job]
