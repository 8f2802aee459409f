"""The same prompt is asked once: its answer is kept for a while, and calls in flight that ask the same share one request.

Stands before a model and looks like one. Two prompts are the same where owner, model, temperature, length limit and every
letter are. Never kept: an error, an answer cut at its length limit, one that whoever asked had no use for. In memory alone,
bounded; texts are private, so no owner gets what another one's call has asked. Knows nothing of chunks and briefs.
"""

import asyncio
import hashlib
import json
import sys
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from observability.tracebacks import forget_frames
from provider.model import TEMPERATURE, Completion, Model, ModelError

# What an answer takes beside its text: its key in two tables, and the objects around it. 580 were measured; tables grow in leaps.
ENTRY_BYTES = 640

# The cache expires what is too old whenever it is used; this is for the last answers of a service that is called no more.
EXPIRE_EVERY_SECONDS = 60.0


@dataclass
class Counts:
    """What became of the prompts, and what is kept now: metrics read it."""

    hits: int = 0
    """Answered from memory."""
    shared: int = 0
    """Answered by the request of another call."""
    misses: int = 0
    """Asked of the model."""
    entries: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is kept, and how long after it was answered."""

    max_bytes: int
    """Of all answers with what keeping them takes. 0 keeps none; calls in flight are shared all the same."""
    seconds: float


# --- What is kept ----------------------------------------------------------------------------------------------


class _Entry(NamedTuple):
    completion: Completion
    size: int
    expires: float


class Kept:
    """ResponseCache by their keys: those that were used longest ago make room, each goes when its time is over."""

    def __init__(self, bounds: Bounds, clock: Callable[[], float], counts: Counts) -> None:
        self._bounds = bounds
        self._clock = clock
        self._counts = counts
        self._by_age: dict[bytes, _Entry] = {}  # the order in which they came is that in which they expire
        self._by_use: OrderedDict[bytes, None] = OrderedDict()

    def get(self, key: bytes) -> Completion | None:
        """Return the answer under a key, None where there is none any more."""
        self.expire()
        entry = self._by_age.get(key)
        if entry is None:
            return None
        self._by_use.move_to_end(key)
        return entry.completion

    def put(self, key: bytes, completion: Completion) -> None:
        """Keep an answer, unless it alone is over the bound."""
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
        """Forget an answer, where it is still the one under its key."""
        entry = self._by_age.get(key)
        if entry is not None and entry.completion is completion:
            self._remove(key)

    def expire(self) -> None:
        """Forget the answers whose time is over."""
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


# --- Who shares a request --------------------------------------------------------------------------------------


@dataclass(eq=False)
class _Waiter:
    """One call that waits for a request."""

    on_call: Callable[[], None]


@dataclass(eq=False)
class _Flight:
    """A request on its way, and the calls that wait for it in the order in which they came."""

    waiters: list[_Waiter] = field(default_factory=list)
    is_paid: bool = False

    def called(self) -> None:
        """Count a request that is sent: it is the first call's that still waits."""
        for waiter in self.waiters[:1]:
            waiter.on_call()

    def pay(self) -> bool:
        """Return whether this call is the one that the answer's usage is booked on."""
        is_first, self.is_paid = not self.is_paid, True
        return is_first


class ResponseCache:
    """A response cache before a model, safe for any number of jobs at once; a request is made in the name of the first that asks."""

    def __init__(
        self,
        model: Model,
        bounds: Bounds,
        *,
        owner_of: Callable[[Hashable], str],
        clock: Callable[[], float],
        counts: Counts,
    ) -> None:
        """`owner_of` says whose a job is; `clock` counts seconds from anywhere and never goes back."""
        self.name = model.name
        self._model = model
        self._kept = Kept(bounds, clock, counts)
        self._counts = counts
        self._owner_of = owner_of
        self._flights: dict[bytes, tuple[_Flight, asyncio.Task[Completion]]] = {}

    async def complete(
        self, system: str, user: str, max_tokens: int, job: Hashable, on_call: Callable[[], None]
    ) -> Completion:
        """Answer a prompt, or raise ModelError; who shares a request shares its error.

        What is `reused` has cost nothing: usage is told once, to one of the calls that are still there when the answer is.
        """
        key = self._key(self._owner_of(job), system, user, max_tokens)
        kept = self._kept.get(key)
        if kept is not None:
            self._counts.hits += 1
            return self._handed_out(key, kept, reused=True)
        if key in self._flights:
            self._counts.shared += 1
            flight, task = self._flights[key]
        else:
            self._counts.misses += 1
            flight = _Flight()
            # Of its own: whoever began it may be cancelled while others wait. It sees the context variables of the first.
            ask = partial(self._model.complete, system, user, max_tokens, job, flight.called)
            task = asyncio.create_task(self._ask(key, flight, ask))
            task.add_done_callback(_look_at_error)
            self._flights[key] = flight, task
        await self._wait(key, flight, task, _Waiter(on_call))
        try:
            return self._handed_out(key, task.result(), reused=not flight.pay())
        finally:
            # Its error's traceback keeps this frame, and the task keeps the error.
            del task

    def expire(self) -> None:
        """Forget the answers whose time is over."""
        self._kept.expire()

    async def close(self) -> None:
        """Cancel the requests in flight, and wait for their end."""
        tasks = [task for _, task in self._flights.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _key(self, owner: str, system: str, user: str, max_tokens: int) -> bytes:
        question = json.dumps([owner, self.name, TEMPERATURE, max_tokens, system, user])
        return hashlib.sha256(question.encode()).digest()

    async def _ask(self, key: bytes, flight: _Flight, ask: Callable[[], Awaitable[Completion]]) -> Completion:
        try:
            completion = await ask()
        except (ModelError, asyncio.CancelledError) as error:
            forget_frames(error)
            raise
        finally:
            self._forget(key, flight)
        if completion.finish_reason != "length":
            self._kept.put(key, completion)
        return completion

    async def _wait(
        self, key: bytes, flight: _Flight, task: asyncio.Task[Completion], waiter: _Waiter
    ) -> None:
        """Wait until a request has ended; the last to be cancelled meanwhile cancels it."""
        flight.waiters.append(waiter)
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            flight.waiters.remove(waiter)
            if not flight.waiters:
                # First of all, so that nobody joins what is ending.
                self._forget(key, flight)
                task.cancel()
                await asyncio.wait([task])
            raise

    def _forget(self, key: bytes, flight: _Flight) -> None:
        if key in self._flights and self._flights[key][0] is flight:
            del self._flights[key]

    def _handed_out(self, key: bytes, completion: Completion, *, reused: bool) -> Completion:
        withdraw = partial(self._kept.drop, key, completion)
        if not reused:
            return replace(completion, withdraw=withdraw)
        return replace(
            completion,
            # What a provider does not tell stays unknown.
            prompt_tokens=_nothing_of(completion.prompt_tokens),
            completion_tokens=_nothing_of(completion.completion_tokens),
            cost_usd=_nothing_of(completion.cost_usd),
            reused=True,
            withdraw=withdraw,
        )


def _nothing_of(usage: float | None) -> int | None:
    return None if usage is None else 0


def _look_at_error(task: "asyncio.Task[Completion]") -> None:
    """Take note of an error that nobody waits for any more: asyncio would log it as forgotten."""
    if not task.cancelled():
        task.exception()


@asynccontextmanager
async def open_response_cache(
    model: Model,
    bounds: Bounds,
    *,
    owner_of: Callable[[Hashable], str],
    clock: Callable[[], float],
    counts: Counts,
) -> AsyncIterator[ResponseCache]:
    """Open a response cache before a model; at the end of the block cancel the requests that it has in flight."""
    cache = ResponseCache(model, bounds, owner_of=owner_of, clock=clock, counts=counts)
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
