"""Turns at reading: of all bodies that arrive at the same time, a few pieces are read in each turn of the event loop.

A request waits for the end of a turn some six times until it is answered. When each turn read a piece of every body, 300 bodies of
250 KB kept /health waiting for 150 ms of processor time. Reads no socket itself: transport/connection.py asks here.
"""

from bisect import bisect_left, insort
from collections.abc import Callable
from itertools import count

# At LONG_READ_BYTES each (transport/connection.py), 256 KiB a turn: half a millisecond of processor time, some more while threads work.
PIECES_PER_TURN = 4

# To look whether anything has come of a body takes some microseconds, and thousands may have stopped half-way.
LOOKS_PER_TURN = 64

GoOn = Callable[[], bool]
"""Lets a body be read on; returns whether anything of it has come."""


class ReadTurns:
    """Decides which bodies are read on in the event loop's next turn: at most `pieces`, of those that wait.

    The owners of waiting bodies go on one after the other, however many bodies each has. A body of which nothing has come takes no
    turn: it is read on when something does.
    """

    def __init__(
        self, call_soon: Callable[[Callable[[], None]], object], pieces: int = PIECES_PER_TURN
    ) -> None:
        """`call_soon` is the event loop's: it calls back in its next turn, before anything is read."""
        self._call_soon = call_soon
        self._pieces = pieces
        self._numbers = count()
        self._waiting: dict[str, _OwnersBodies] = {}
        """By owner; whose turn is next comes first."""
        self._reading_on = 0
        self._is_scheduled = False

    def number(self) -> int:
        """Return the number of a body that begins, for `reads_on`."""
        return next(self._numbers)

    def reads_on(self, number: int, owner: str, go_on: GoOn) -> bool:
        """Return whether a body, of which a piece has been read, is read on at once; if not, `go_on` is called when it is its turn."""
        self._schedule()
        if self._reading_on < self._pieces:
            self._reading_on += 1
            return True
        self._waiting.setdefault(owner, _OwnersBodies(self._pieces)).add(number, go_on)
        return False

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self._call_soon(self._begin_turn)

    def _begin_turn(self) -> None:
        self._is_scheduled = False
        self._reading_on = 0
        for _ in range(LOOKS_PER_TURN):
            if not self._waiting or self._reading_on == self._pieces:
                break
            go_on = self._next()
            self._reading_on += go_on()
        if self._waiting or self._reading_on:
            self._schedule()

    def _next(self) -> GoOn:
        owner = next(iter(self._waiting))
        bodies = self._waiting.pop(owner)
        go_on = bodies.next()
        if bodies:
            self._waiting[owner] = bodies
        return go_on


class _OwnersBodies:
    """The waiting bodies of one owner.

    Those that began first go on first, so that bodies are completed in their order, and few are half received; and one of `pieces` is
    the one that has waited longest, without which eight senders of chunks of one byte kept all others from being read until their
    time was over.
    """

    def __init__(self, pieces: int) -> None:
        self._pieces = pieces
        self._waiting: dict[int, GoOn] = {}
        self._in_order: list[int] = []
        self._gone_on = 0

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, number: int, go_on: GoOn) -> None:
        self._waiting[number] = go_on
        insort(self._in_order, number)

    def next(self) -> GoOn:
        self._gone_on += 1
        is_longest = self._gone_on % self._pieces == 0
        number = next(iter(self._waiting)) if is_longest else self._in_order[0]
        del self._in_order[bisect_left(self._in_order, number)]
        return self._waiting.pop(number)
