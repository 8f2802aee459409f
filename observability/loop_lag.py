"""Measures the event loop's lag: how late its timers fire, which is the least delay of every request.

Only measures. The clock and the timer are the event loop's own, or a test's.
"""

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

# Sees every stall of 50 ms; a shorter period would wake the event loop more often.
PERIOD_SECONDS = 0.05

# The quantile covers this time: about a few scrapes.
WINDOW_SECONDS = 60.0


class Timer(Protocol):
    """The part of an event loop that is needed here."""

    def time(self) -> float:
        """Return the loop's time in seconds."""
        ...

    def call_at(self, when: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Call back at a time, or as soon after it as the loop can."""
        ...


class LoopLag:
    """The event loop's lag, in seconds, over a sliding window."""

    def __init__(
        self,
        observe: Callable[[float], None] = lambda lag: None,
        *,
        period: float = PERIOD_SECONDS,
        window: float = WINDOW_SECONDS,
    ) -> None:
        """`observe` (a histogram of metrics.py) is called with each lag; the last `window` seconds of them are kept for `quantile`."""
        self._observe = observe
        self._period = period
        self._max_samples = round(window / period)
        self._samples: deque[float] = deque(maxlen=self._max_samples)

    def quantile(self, share: float) -> float:
        """Return a quantile of the window's lags in seconds, `share` from 0 to 1; 0 without samples."""
        lags = sorted(self._samples)
        return lags[max(math.ceil(share * len(lags)) - 1, 0)] if lags else 0.0

    @contextmanager
    def measured(self, timer: Timer) -> Iterator[None]:
        """Measure while the block runs."""
        due = timer.time() + self._period
        handle: asyncio.TimerHandle

        def wake() -> None:
            nonlocal due, handle
            due = self.record(due, timer.time())
            handle = timer.call_at(due, wake)

        handle = timer.call_at(due, wake)
        try:
            yield
        finally:
            handle.cancel()

    def record(self, due: float, now: float) -> float:
        """Record the lag of a timer that was due, and of those missed during a stall; return the time of the next one.

        Without the missed ones a stall of a second would be a single sample, though it delayed every request that came in it.
        """
        missed = int((now - due) / self._period)
        # At most one window's worth: a process may have been suspended for a day.
        for number in range(min(missed + 1, self._max_samples)):
            lag = max(now - due - number * self._period, 0.0)
            self._samples.append(lag)
            self._observe(lag)
        return due + (missed + 1) * self._period
