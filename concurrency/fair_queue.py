"""A fair queue: a limited number of places, shared between the owners that wait for them.

It serves requests that wait to be worked on (transport/request_queue.py), calls to the model (provider/admission.py) and CPU
work on texts (summarizing/offload.py). Knows nothing of what a place is for, and has no limit on its length: its users
refuse what they do not want to wait.
"""

import asyncio
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from itertools import count
from typing import NamedTuple


class _Turn(NamedTuple):
    ticket: float
    given: asyncio.Future[None]

    @property
    def is_waiting(self) -> bool:
        """Whether the place was neither given nor given up; a cancelled task no longer waits, even before it has run."""
        return not self.given.done()


class FairQueue:
    """At most `places` are held at once. A place that falls free goes to the waiting owner that holds the fewest.

    Between owners that hold equally few, the one that has held places for the shortest time goes first, if `leave` is told for
    how long. Being idle earns nothing: an owner that comes back starts at the time of the owner served last (as Linux's CFS
    does with vruntime). After that, and between the turns of one owner, the lower ticket goes first.

    An owner is the API key's hash for requests and CPU work, a job for calls to the model.

    `places_per_owner`, unless 0, is the most that one owner may hold. It does not bind the owner "", which stands for callers
    that cannot be told apart.
    """

    def __init__(self, places: int, places_per_owner: int = 0) -> None:
        self._places = places
        self._places_per_owner = places_per_owner
        self._tickets = count()
        self._held: Counter[Hashable] = Counter()
        self._seconds: defaultdict[Hashable, float] = defaultdict(float)
        self._least_seconds = 0.0
        self._in_use = 0
        self._turns: dict[Hashable, list[_Turn]] = {}
        self._pauses = 0

    @property
    def places(self) -> int:
        """How many may be held."""
        return self._places

    def resize(self, places: int) -> None:
        """Change how many may be held. Below the number in use no place is taken away; none is given until enough are free."""
        self._places = places
        self._give_places()

    @property
    def in_use(self) -> int:
        """How many places are held."""
        return self._in_use

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        # Asked for each request of a burst: a list is counted in a third of the time of a sum over the property.
        return [turn.given.done() for turns in self._turns.values() for turn in turns].count(False)

    @property
    def is_empty(self) -> bool:
        """Whether none waits; cheaper than counting them."""
        return not any(turn.is_waiting for turns in self._turns.values() for turn in turns)

    def held_by(self, owner: Hashable) -> int:
        """Return how many places an owner holds."""
        return self._held[owner]

    def waiting_of(self, owner: Hashable) -> int:
        """Return how many turns of an owner wait."""
        return sum(turn.is_waiting for turn in self._turns.get(owner, ()))

    def limits(self, owner: Hashable) -> bool:
        """Whether the limit for one owner binds this one."""
        return owner != "" and self._places_per_owner > 0

    def has_place_for(self, owner: Hashable) -> bool:
        """Whether `enter` would give this owner a place at once."""
        return self._in_use < self._places and not self._pauses and self._may_hold_more(owner)

    def ticket(self) -> int:
        """Draw a ticket. To enter again with the same one keeps its position in the queue."""
        return next(self._tickets)

    def pause(self) -> None:
        """Give no place until `resume` was called as often as this."""
        self._pauses += 1

    def resume(self) -> None:
        """Take one `pause` back."""
        self._pauses -= 1
        self._give_places()

    async def enter(self, owner: Hashable, ticket: float | None = None) -> None:
        """Wait for a place and hold it until `leave`; without a ticket, one is drawn now."""
        if owner not in self._turns and not self._held[owner] and self._time_of(owner) < self._least_seconds:
            self._seconds[owner] = self._least_seconds
        # Overtakes no turn: while a place is free, only owners wait that may hold no more.
        if self.has_place_for(owner):
            self._hold(owner)
            return
        turn = _Turn(self.ticket() if ticket is None else ticket, asyncio.get_running_loop().create_future())
        insort(self._turns.setdefault(owner, []), turn, key=lambda waiting: waiting.ticket)
        try:
            await turn.given
        except asyncio.CancelledError:
            if turn.given.cancelled():
                self._drop(owner, turn)
            else:  # cancelled after the place was given: pass it on
                self.leave(owner)
            raise

    def leave(self, owner: Hashable, seconds: float = 0.0) -> None:
        """Give back a place that was held for so long."""
        if seconds:
            self._seconds[owner] += seconds
        self._in_use -= 1
        self._held[owner] -= 1
        if not self._held[owner]:
            del self._held[owner]
        self._give_places()

    def _give_places(self) -> None:
        while self._turns and self._in_use < self._places and not self._pauses:
            owners = [*self._owners_in_turn()]
            if not owners:
                return
            owner = min(owners, key=self._rank)
            turn = self._turns[owner][0]
            self._drop(owner, turn)
            if turn.is_waiting:
                self._hold(owner)
                turn.given.set_result(None)

    def _hold(self, owner: Hashable) -> None:
        self._in_use += 1
        self._held[owner] += 1
        self._least_seconds = max(self._least_seconds, self._time_of(owner))

    def _owners_in_turn(self) -> Iterator[Hashable]:
        return (owner for owner in self._turns if self._may_hold_more(owner))

    def _may_hold_more(self, owner: Hashable) -> bool:
        return not self.limits(owner) or self._held[owner] < self._places_per_owner

    def _rank(self, owner: Hashable) -> tuple[int, float, float]:
        return self._held[owner], self._time_of(owner), self._turns[owner][0].ticket

    def _time_of(self, owner: Hashable) -> float:
        return self._seconds.get(owner, 0.0)

    def _drop(self, owner: Hashable, turn: _Turn) -> None:
        turns = self._turns.get(owner, [])
        if turn in turns:
            turns.remove(turn)
            if not turns:
                del self._turns[owner]
