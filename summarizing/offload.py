"""Runs CPU work on texts in worker threads, scheduled by its size and its owner.

Short and long texts have a lane each, so that a short text never waits for a long one. A lane runs one piece of work at a
time: more Python threads would only share the interpreter's lock. A third lane is for encoding large texts, which hardly
needs that lock.

The next piece is that of the owner who has used the lane least (concurrency/fair_queue.py), and of that owner's pieces the one
with the lowest virtual finishing time: arrival plus the time that the whole text takes alone (fair queueing: Demers, Keshav and
Shenker, 1989). So a shorter text overtakes longer ones, and none waits for ever.

Running work cannot be interrupted: long texts come in slices (summarizing/slicing.py). Knows nothing of what the work is.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from concurrency.fair_queue import FairQueue
from concurrency.worker_threads import Worker
from observability.traceback_release import forget_frames

T = TypeVar("T")

# An eighth of a second of work at the pace below: as long as one short text may have to wait for another.
SHORT_CHARS = 64_000

# At least this many characters are processed in a second of one core (bench/cost.py). Only the order of work depends on it.
CHARS_PER_SECOND = 500_000

# One piece of work in each lane: short texts, long ones, and tokenizing, which hardly holds the interpreter's lock.
THREADS = 3


class OutOfTime(Exception):
    """A job's deadline passed before its work was done."""


@dataclass(frozen=True)
class JobThreads:
    """The worker threads as one job may use them: at its turn in a lane, and until its deadline, on the service's clock, which is the event loop's too."""

    lane: FairQueue
    worker: Worker
    clock: Callable[[], float]
    owner: str
    finishing_time: float
    """The virtual one of the job's text: what is lower comes first."""
    until: float | None = None
    tokenizing_lane: FairQueue = field(default_factory=lambda: FairQueue(1))

    @property
    def on_tokenizing_lane(self) -> "JobThreads":
        """The same in the lane for work that is nearly all encoding, which runs beside the others."""
        return replace(self, lane=self.tokenizing_lane)

    def with_deadline(self, until: float | None) -> "JobThreads":
        """Return the same with another deadline."""
        return self if until == self.until else replace(self, until=until)

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """Return a function's result, once it is this job's turn. Raises OutOfTime."""
        if self.until is not None and asyncio.get_running_loop().time() >= self.until:
            raise OutOfTime  # the timeout below ends only a wait, and a free lane needs none
        try:
            async with asyncio.timeout_at(self.until):
                await self.lane.enter(self.owner, self.finishing_time)
                return await self._run_in_turn(function, *arguments)
        except TimeoutError as late:
            forget_frames(late)
            raise OutOfTime from None
        except asyncio.CancelledError as cancelled:
            forget_frames(cancelled)
            raise

    async def run_without_turn(self, function: Callable[..., T], *arguments: Any) -> T:
        """Return a function's result without waiting for a turn: for the little that is left to do after the deadline."""
        result: T = await self.worker(function, *arguments)
        return result

    async def _run_in_turn(self, function: Callable[..., T], *arguments: Any) -> T:
        began = self.clock()
        with ExitStack() as place:
            place.callback(self._leave, began)
            running: asyncio.Future[T] = asyncio.ensure_future(self.worker(function, *arguments))
            try:
                return await asyncio.shield(running)
            finally:
                if not running.done():  # cancelled, but its thread is still busy
                    place.pop_all()
                    running.add_done_callback(lambda _: self._leave(began))

    def _leave(self, began: float) -> None:
        # Deferred, so that a job that has finished a slice can queue its next one before the turn is given.
        asyncio.get_running_loop().call_soon(self.lane.leave, self.owner, self.clock() - began)


class Offload:
    """The three lanes over one pool of THREADS threads."""

    def __init__(self, worker: Worker, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock`: the service's, in seconds; time.monotonic is the event loop's too."""
        self._worker = worker
        self._clock = clock
        self._short, self._long, self._tokenizing = FairQueue(1), FairQueue(1), FairQueue(1)

    def threads_for(self, owner: str, chars: int, until: float | None = None) -> JobThreads:
        """Return the threads for one job on a text of `chars` characters; `until` None: without a deadline."""
        lane = self._short if chars <= SHORT_CHARS else self._long
        finishing_time = self._clock() + chars / CHARS_PER_SECOND
        return JobThreads(lane, self._worker, self._clock, owner, finishing_time, until, self._tokenizing)
