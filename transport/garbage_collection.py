"""Full garbage collections: run when the service is idle, or once memory has grown much. Has no clock: callers say when to look.

transport/process.py makes Python's own full collections rare, since they stop everything while large texts are at work.
Reference cycles would then stay in memory for hours.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from observability import process_usage
from protocol.tasks import TaskStore
from transport.endpoint import Endpoint
from transport.process import collect_garbage

LOOK_EVERY_SECONDS = 5.0

# How much memory may grow after a full collection before the next one, as a share of what was held then. A collection under
# load makes every call wait, so it must be worth that.
GROWTH_UNDER_LOAD = 0.5
GROWTH_WHEN_IDLE = 0.02


class FullCollections:
    """Decides at each look whether to collect."""

    def __init__(self, held: Callable[[], float], collect: Callable[[], object]) -> None:
        """`held` measures the memory of the process, in any unit; `collect` is `collect_garbage` of transport/process.py."""
        self._measure = held
        self._collect = collect
        self._held = self._held_idle = held()

    def look(self, *, is_idle: bool) -> bool:
        """Collect if memory has grown by its share; return whether it had."""
        share = GROWTH_WHEN_IDLE if is_idle else GROWTH_UNDER_LOAD
        held = self._measure()
        if is_idle:  # objects alive at a collection under load may have been freed since
            self._held_idle = min(self._held_idle, held)
        # The next load may well hold as much as the last one: it is not measured against an idle process.
        if held <= (self._held_idle if is_idle else self._held) * (1 + share):
            return False
        self._collect()
        self._held = self._held_idle = self._measure()
        return True


@asynccontextmanager
async def collecting_garbage(endpoint: Endpoint, tasks: TaskStore | None) -> AsyncIterator[None]:
    """Run full garbage collections, besides those that Python itself starts."""
    collections = FullCollections(process_usage.memory_in_use, collect_garbage)
    collecting = asyncio.create_task(_look_now_and_then(collections, endpoint, tasks))
    try:
        yield
    finally:
        collecting.cancel()


async def _look_now_and_then(
    collections: FullCollections, endpoint: Endpoint, tasks: TaskStore | None
) -> None:
    while True:
        await asyncio.sleep(LOOK_EVERY_SECONDS)
        works = tasks is not None and next(tasks.running(), None) is not None
        collections.look(is_idle=endpoint.load.is_idle and not works)
