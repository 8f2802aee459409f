"""A response cache before a model: LRU with a TTL; identical calls share one call of the model while it is in flight.

Wraps a Model and is one. The key is owner, model, temperature, length limit and the whole prompt. Never cached: an error, an
answer cut at its length limit, one that its caller invalidated. In memory only, bounded; texts are private, so no owner gets
an answer to another owner's call. Knows nothing of chunks and queries.
"""

import asyncio
import hashlib
import json
import sys
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from observability.traceback_release import forget_frames
from provider.model import TEMPERATURE, Completion, JobRequests, Model, ModelError

# The overhead of an entry: its key in two tables, and the objects around it. 580 were measured; tables grow in steps.
ENTRY_BYTES = 640

# Every use of the cache expires old entries; this removes the last ones of a service that is not called any more.
EXPIRE_EVERY_SECONDS = 60.0


@dataclass
class CacheCounts:
    """Lookups by result, and the present size: the metrics read it."""

    hits: int = 0
    """Answered from the cache."""
    shared: int = 0
    """Answered by the call of another in flight."""
    misses: int = 0
    """Sent to the model."""
    entries: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class CacheBounds:
    """The cache's size and TTL."""

    max_bytes: int
    """Of all entries with their overhead. 0 caches nothing; calls in flight are shared all the same."""
    seconds: float
    """How long an entry is valid, from its answer on."""


# --- Entries ---------------------------------------------------------------------------------------------------


class _Entry(NamedTuple):
    completion: Completion
    size: int
    expires: float


class CacheEntries:
    """The cached answers by key: the least recently used are evicted, each expires after its TTL."""

    def __init__(self, bounds: CacheBounds, clock: Callable[[], float], counts: CacheCounts) -> None:
        self._bounds = bounds
        self._clock = clock
        self._counts = counts
        self._by_age: dict[bytes, _Entry] = {}  # in order of insertion, which is that of expiry
        self._by_use: OrderedDict[bytes, None] = OrderedDict()

    def get(self, key: bytes) -> Completion | None:
        """Return the answer under a key, None if there is none or it has expired."""
        self.expire()
        entry = self._by_age.get(key)
        if entry is None:
            return None
        self._by_use.move_to_end(key)
        return entry.completion

    def put(self, key: bytes, completion: Completion) -> None:
        """Store an answer, unless it alone exceeds the cache's size."""
        self.expire()
        self._remove(key)
        size = sys.getsizeof(completion.text) + ENTRY_BYTES
        if size > self._bounds.max_bytes:
            return
        while self._counts.bytes + size > self._bounds.max_bytes:
            self._remove(next(iter(self._by_use)))
        self._by_age[key] = _Entry(completion, size, self._clock() + self._bounds.seconds)
        self._by_use[key] = None
        self._counts.entries += 1
        self._counts.bytes += size

    def drop(self, key: bytes, completion: Completion) -> None:
        """Remove an answer, if it is still the one under its key."""
        entry = self._by_age.get(key)
        if entry is not None and entry.completion is completion:
            self._remove(key)

    def expire(self) -> None:
        """Remove the expired answers."""
        now = self._clock()
        while self._by_age:
            key, entry = next(iter(self._by_age.items()))
            if entry.expires > now:
                return
            self._remove(key)

    def _remove(self, key: bytes) -> None:
        entry = self._by_age.pop(key, None)
        if entry is not None:
            del self._by_use[key]
            self._counts.entries -= 1
            self._counts.bytes -= entry.size


# --- Calls in flight -------------------------------------------------------------------------------------------


@dataclass(eq=False)
class _SharedCall:
    """A call in flight, and the requests of the jobs that wait for its answer, the first one first."""

    waiting: list[JobRequests]
    is_charged: bool = False

    def take_charge(self) -> bool:
        """Return True for the first caller that takes the answer: it reports the usage, which was paid for once; the others report none."""
        is_first, self.is_charged = not self.is_charged, True
        return is_first


class ResponseCache:
    """A model with a response cache, safe for any number of jobs at once. A shared call runs for the first caller's job."""

    def __init__(
        self,
        model: Model,
        bounds: CacheBounds,
        *,
        clock: Callable[[], float],
        counts: CacheCounts,
    ) -> None:
        """`clock` counts seconds from any moment and never goes back."""
        self.name = model.name
        self._model = model
        self._entries = CacheEntries(bounds, clock, counts)
        self._counts = counts
        self._in_flight: dict[bytes, tuple[_SharedCall, asyncio.Task[Completion]]] = {}

    @property
    def expected_concurrency(self) -> int:
        """The model's own."""
        return self._model.expected_concurrency

    async def complete(
        self, system: str, user: str, max_tokens: int, waiting: list[JobRequests]
    ) -> Completion:
        """Answer a prompt, or raise ModelError; those that share a call share its error.

        A `reused` answer reports no usage: it is reported once, to one of the callers that still wait when the answer comes.
        """
        (own,) = waiting
        key = self._key(own, system, user, max_tokens)
        cached = self._entries.get(key)
        if cached is not None:
            self._counts.hits += 1
            return self._for_caller(key, cached, reused=True)
        if key in self._in_flight:
            self._counts.shared += 1
            # Where all calls of a job wait for another one's requests, no request of its own would begin its head start.
            own.head_start.begin()
            shared, task = self._in_flight[key]
            shared.waiting.append(own)
        else:
            self._counts.misses += 1
            shared = _SharedCall(waiting)
            # A separate task: the first caller may be cancelled while others wait. It has the first one's context variables.
            send = partial(self._model.complete, system, user, max_tokens, waiting)
            task = asyncio.create_task(self._send(key, shared, send))
            task.add_done_callback(_retrieve_error)
            self._in_flight[key] = shared, task
        await self._wait(key, shared, task, own)
        try:
            return self._for_caller(key, task.result(), reused=not shared.take_charge())
        finally:
            # Break a reference cycle: the task keeps its error, and the error's traceback keeps this frame.
            del task

    def expire(self) -> None:
        """Remove the expired answers."""
        self._entries.expire()

    async def close(self) -> None:
        """Cancel the calls in flight, and wait for their end."""
        tasks = [task for _, task in self._in_flight.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _key(self, own: JobRequests, system: str, user: str, max_tokens: int) -> bytes:
        parts = json.dumps([own.owner, own.model or self.name, TEMPERATURE, max_tokens, system, user])
        return hashlib.sha256(parts.encode()).digest()

    async def _send(
        self, key: bytes, shared: _SharedCall, send: Callable[[], Awaitable[Completion]]
    ) -> Completion:
        """Have the model answer a shared call, and store the answer unless it was cut at its length limit."""
        try:
            completion = await send()
        except (ModelError, asyncio.CancelledError) as error:
            forget_frames(error)
            raise
        finally:
            self._remove(key, shared)
        if completion.finish_reason != "length":
            self._entries.put(key, completion)
        return completion

    async def _wait(
        self, key: bytes, shared: _SharedCall, task: asyncio.Task[Completion], own: JobRequests
    ) -> None:
        """Wait until a shared call has ended; if no job waits for it any more, cancel it."""
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            shared.waiting.remove(own)
            if not shared.waiting:
                # First of all, so that no other call joins a call that is being cancelled.
                self._remove(key, shared)
                task.cancel()
                await asyncio.wait([task])
            raise

    def _remove(self, key: bytes, shared: _SharedCall) -> None:
        if key in self._in_flight and self._in_flight[key][0] is shared:
            del self._in_flight[key]

    def _for_caller(self, key: bytes, completion: Completion, *, reused: bool) -> Completion:
        """Return an answer as one caller gets it: a `reused` one reports no usage of its own."""
        invalidate = partial(self._entries.drop, key, completion)
        if not reused:
            return replace(completion, invalidate=invalidate)
        return replace(
            completion,
            prompt_tokens=_zero_if_known(completion.prompt_tokens),
            completion_tokens=_zero_if_known(completion.completion_tokens),
            cost_usd=_zero_if_known(completion.cost_usd),
            reused=True,
            invalidate=invalidate,
        )


def _zero_if_known(usage: float | None) -> int | None:
    """Return 0, or None for a figure that the provider does not report."""
    return None if usage is None else 0


def _retrieve_error(task: "asyncio.Task[Completion]") -> None:
    """Mark a task's error as retrieved: without a waiting call asyncio would log it as never retrieved."""
    if not task.cancelled():
        task.exception()


@asynccontextmanager
async def open_response_cache(
    model: Model,
    bounds: CacheBounds,
    *,
    clock: Callable[[], float],
    counts: CacheCounts,
) -> AsyncIterator[ResponseCache]:
    """Open a response cache before a model; at the end of the block cancel the calls that it has in flight."""
    cache = ResponseCache(model, bounds, clock=clock, counts=counts)
    expiring = asyncio.create_task(_expire_regularly(cache))
    try:
        yield cache
    finally:
        expiring.cancel()
        await cache.close()


async def _expire_regularly(cache: ResponseCache) -> None:
    while True:
        await asyncio.sleep(EXPIRE_EVERY_SECONDS)
        cache.expire()
