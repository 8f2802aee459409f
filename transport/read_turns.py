"""Turns at reading: of all bodies that arrive at the same time, a few pieces are read in each turn of the event loop.

A request waits for the end of a turn some six times until it is answered. When each turn read a piece of every body, 300 bodies of
250 KB kept /health waiting for 150 ms of processor time. Reads no socket itself: transport/connection.py asks here.
"""

from bisect import bisect_left, insort
from collections.abc import Callable
from itertools import count

# At LONG_READ_BYTES each (transport/connection.py), 256 KiB a turn: half a millisecond of processor time, some more while threads work.
PIECES_PER_TURN = 4


class ReadTurns:
    """Decides which bodies are read on in the event loop's next turn: at most `pieces`, of those that wait.

    Those that began first, so that bodies are completed in their order, and few are half received; and the one that has waited longest,
    without which eight senders of chunks of one byte kept all others from being read until their time was over. A sender of which
    nothing comes takes no turn: only a body of which a piece has just been read asks for one.
    """

    def __init__(
        self, call_soon: Callable[[Callable[[], None]], object], pieces: int = PIECES_PER_TURN
    ) -> None:
        """`call_soon` is the event loop's: it calls back in its next turn, before anything is read."""
        self._call_soon = call_soon
        self._pieces = pieces
        self._numbers = count()
        self._waiting: dict[int, Callable[[], None]] = {}
        self._in_order: list[int] = []
        self._reading_on = 0
        self._is_scheduled = False

    def number(self) -> int:
        """Return the number of a body that begins, for `reads_on`."""
        return next(self._numbers)

    def reads_on(self, number: int, go_on: Callable[[], None]) -> bool:
        """Return whether a body, of which a piece has been read, is read on at once; if not, `go_on` is called when it is its turn."""
        self._schedule()
        if self._reading_on < self._pieces:
            self._reading_on += 1
            return True
        self._waiting[number] = go_on
        insort(self._in_order, number)
        return False

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self._call_soon(self._begin_turn)

    def _begin_turn(self) -> None:
        self._is_scheduled = False
        self._reading_on = min(self._pieces, len(self._waiting))
        if self._waiting:
            self._schedule()
        for left in reversed(range(self._reading_on)):
            self._let_go_on(self._in_order[0] if left else next(iter(self._waiting)))

    def _let_go_on(self, number: int) -> None:
        del self._in_order[bisect_left(self._in_order, number)]
        self._waiting.pop(number)()
