"""How late the event loop wakes whoever waits for it: what every request on it suffers at the least.

Measures, and does nothing about it. The clock and the timer are the loop's own, or a test's.
"""

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

# Every stall of 50 ms is seen, and the loop is woken as seldom as that allows.
PERIOD_SECONDS = 0.05

# What "of late" means: about the time between a few scrapes.
WINDOW_SECONDS = 60.0


class Timer(Protocol):
    """The part of an event loop that is needed here."""

    def time(self) -> float:
        """Return the time in seconds, from anywhere."""
        ...

    def call_at(self, when: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Call back at a time, or as soon after it as the loop can."""
        ...


class Lags:
    """The last lags, in seconds, and whoever counts all of them."""

    def __init__(
        self,
        observe: Callable[[float], None] = lambda lag: None,
        *,
        period: float = PERIOD_SECONDS,
        window: float = WINDOW_SECONDS,
    ) -> None:
        """`observe` hears each lag; `window` seconds of them are remembered."""
        self._observe = observe
        self._period = period
        self._kept = round(window / period)
        self._last: deque[float] = deque(maxlen=self._kept)

    def quantile(self, share: float) -> float:
        """Return the lag that so great a share of the last ones does not exceed, in seconds; 0 where there is none."""
        lags = sorted(self._last)
        return lags[max(math.ceil(share * len(lags)) - 1, 0)] if lags else 0.0

    @contextmanager
    def watched(self, timer: Timer) -> Iterator[None]:
        """Measure for as long as the block lasts."""
        due = timer.time() + self._period
        handle: asyncio.TimerHandle

        def wake() -> None:
            nonlocal due, handle
            due = self.count(due, timer.time())
            handle = timer.call_at(due, wake)

        handle = timer.call_at(due, wake)
        try:
            yield
        finally:
            handle.cancel()

    def count(self, due: float, now: float) -> float:
        """Count how late it is and, where the loop stood still, how late each time it missed is; return the next one.

        Without those a stall of a second would be one number among the many of its minute, though whoever came in it found nobody.
        """
        missed = int((now - due) / self._period)
        # At most what is remembered: a process that was stopped for a day wakes up, too.
        for number in range(min(missed + 1, self._kept)):
            lag = max(now - due - number * self._period, 0.0)
            self._last.append(lag)
            self._observe(lag)
        return due + (missed + 1) * self._period
