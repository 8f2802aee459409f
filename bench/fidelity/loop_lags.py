"""The event loop's lag while a call runs, as every other request would meet it. Measures only; bars.py judges.

Whatever delays the loop counts: code that runs on it, and worker threads that hold the interpreter's lock.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from observability.loop_lag import LoopLag

# A tenth of the service's own period: a call of some seconds gives enough samples for a 99th percentile.
PERIOD_SECONDS = 0.005


@contextmanager
def loop_lags() -> Iterator[list[float]]:
    """Collect the running loop's lags in seconds during the block: a stall counts once for each timer that it delays."""
    lags: list[float] = []
    with LoopLag(lags.append, period=PERIOD_SECONDS).measured(asyncio.get_running_loop()):
        yield lags
