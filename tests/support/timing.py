"""How work grows with its size, whatever else the machine does: processor time of one thread, the least of several tries.

Collections of garbage take as long as what is alive is large, in a long test run much: none falls into a measurement.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Of 4 times the text linear work takes 4 times as long, quadratic 16.
MOST_GROWTH = 9.0

# What takes less is no freeze, and too short to be measured.
LEAST_SECONDS = 0.05

TRIES = 4


@contextmanager
def undisturbed() -> Iterator[None]:
    """Leave garbage alone during the block, and trace nothing: coverage would be measured too."""
    was_on, tracing = gc.isenabled(), sys.gettrace()
    gc.disable()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracing)
        if was_on:
            gc.enable()


def seconds(work: Callable[[], object]) -> float:
    """Return how long the processor is at some work."""
    with undisturbed():
        start = time.thread_time()
        work()
        return time.thread_time() - start


def least_seconds(work: Callable[[], object]) -> float:
    """Return the least processor time, in seconds, of three tries of some work."""
    return min(seconds(work) for _ in range(3))


def takes_less(work: Callable[[], object], limit: float) -> bool:
    """Whether the least processor time of several tries is under so many seconds; no more are made than show it."""
    return any(seconds(work) < limit for _ in range(TRIES))


def is_linear(work: Callable[[int], object], size: int) -> bool:
    """Whether work on 4 times the size takes about 4 times as long; of several tries all but one may be disturbed."""
    return any(_grows_linearly(work, size) for _ in range(TRIES))


def _grows_linearly(work: Callable[[int], object], size: int) -> bool:
    once = min(seconds(lambda: work(size)) for _ in range(2))
    return seconds(lambda: work(4 * size)) < max(MOST_GROWTH * once, LEAST_SECONDS)
