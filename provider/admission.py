"""Decides when a request to the model may be sent: fair queue, concurrency limit, pauses and circuit breaker together.

The rules themselves are in concurrency/fair_queue.py, provider/concurrency_limit.py and provider/circuit_breaker.py. Sends nothing: llm.py
takes a permit here before each request, and reports the result on it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import ExitStack, asynccontextmanager
from datetime import datetime, timedelta

from concurrency.fair_queue import FairQueue
from provider.circuit_breaker import CircuitBreaker, CircuitOpen
from provider.concurrency_limit import ConcurrencyLimit, RequestStart
from provider.model import ModelError
from provider.usage import Failure, Usage

logger = logging.getLogger(__name__)

# Failures that fewer requests at once would have avoided.
CONGESTION = frozenset({Failure.RATE_LIMITED, Failure.OVERLOADED, Failure.TIMEOUT})

# Failures of the provider itself, whatever the request.
PROVIDER_FAILURES = frozenset({Failure.OVERLOADED, Failure.SERVER_ERROR, Failure.TIMEOUT, Failure.CONNECTION})


class Permit:
    """The permission to send one request; its methods report how the request goes."""

    def __init__(self, admission: "Admission", start: RequestStart, openings: int, now: float) -> None:
        """`openings`: how often the circuit breaker had opened when the request was let through."""
        self.start = start
        self.openings = openings
        self.started_at = now
        self.is_streaming = False
        self._admission = admission
        self._has_result = False

    def on_first_token(self) -> None:
        """Report that the model has begun to answer; only the first report counts."""
        if not self.is_streaming:
            self.is_streaming = True
            self._admission.on_first_token(self)

    def on_success(self) -> None:
        """Report that the request was answered."""
        self._has_result = True
        self._admission.on_success(self)

    def on_failure(self, failure: Failure, kind: str, retry_after: float | None = None) -> None:
        """Report why there is no answer; `kind` as in ModelError, `retry_after` in seconds."""
        self._has_result = True
        self._admission.on_failure(self, failure, kind)
        if retry_after:
            self._admission.pause(retry_after)

    def close(self) -> None:
        """End the permit; without a report before, the result is unknown."""
        if not self._has_result:
            self._admission.on_unknown(self.openings)


class _Trial:
    """The request that finds out whether the provider is back."""

    def __init__(self, owner: Hashable) -> None:
        self.owner = owner
        self.is_over = asyncio.Event()


class Admission:
    """Admits the requests to one provider."""

    def __init__(
        self,
        limit: ConcurrencyLimit,
        breaker: CircuitBreaker,
        usage: Usage,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
        now: Callable[[], datetime],
    ) -> None:
        """`clock` counts seconds from any moment, `now` is the time of day for messages."""
        self._limit = limit
        self._breaker = breaker
        self._usage = usage
        self._queue = FairQueue(limit.value)
        self._clock, self._sleep, self._now = clock, sleep, now
        self._streaming = 0
        self._pauses: set[asyncio.Task[None]] = set()
        self._paused_until = 0.0
        self._waits: set[asyncio.Timeout] = set()
        self._trial: _Trial | None = None
        self._last_failure, self._last_kind = Failure.CONNECTION, ""

    @property
    def limit(self) -> int:
        """How many requests may be in flight."""
        return self._limit.value

    @property
    def expected_concurrency(self) -> int:
        """The present limit or, during slow start, the highest it can reach (LLM_CONCURRENCY_CEILING)."""
        return self._limit.expected_concurrency

    @property
    def in_flight(self) -> int:
        """How many requests are in flight."""
        return self._queue.in_use

    @property
    def waiting(self) -> int:
        """How many calls wait to send a request."""
        return self._queue.waiting

    @property
    def breaker_state(self) -> str:
        """The state of the circuit breaker."""
        return self._breaker.state

    @property
    def paused_seconds(self) -> float:
        """How many seconds remain of the pause that the provider asked for."""
        return max(0.0, self._paused_until - self._clock()) if self._pauses else 0.0

    @property
    def trouble(self) -> str | None:
        """Why the circuit breaker is not closed, in one line without the provider's own words; None if it is."""
        return None if self._breaker.state == "closed" else self._circuit_open().kind

    def ticket(self) -> int:
        """Draw a call's ticket; its retries use the same one."""
        return self._queue.ticket()

    def first_token_timeout(self, prompt_bytes: int, most: float) -> float:
        """Return after how many seconds without a first token a request counts as hanging, at most `most`."""
        return self._limit.latency.timeout(prompt_bytes, most)

    @asynccontextmanager
    async def permit(self, owner: Hashable, ticket: int, prompt_bytes: int) -> AsyncIterator[Permit]:
        """Wait for a permit and hold it; `owner`: of the place in the fair queue, a job's JobRequests.

        Raises CircuitOpen if the circuit breaker is open or opens meanwhile. The permit knows how often the breaker had opened before the
        wait in the queue: what the request tells of the provider counts only if it has not opened since.
        """
        openings = await self._pass_breaker(owner)
        with ExitStack() as unless_entered:
            unless_entered.callback(self.on_unknown, openings)
            async with self._while_closed():
                await self._queue.enter(owner, ticket)
            unless_entered.pop_all()
        start = self._limit.start_request(prompt_bytes, self._queue.in_use)
        permit = Permit(self, start, openings, self._clock())
        try:
            # The breaker may have opened between the moment the queue let this request in and now.
            if self._breaker.has_opened_since(openings):
                raise self._circuit_open()
            yield permit
        finally:
            permit.close()
            self._streaming -= permit.is_streaming
            self._queue.leave(owner)

    async def back_off(self, seconds: float) -> None:
        """Wait before a retry. Raises CircuitOpen if the circuit breaker is open or opens meanwhile."""
        if self._breaker.state != "closed":
            raise self._circuit_open()
        async with self._while_closed():
            await self._sleep(seconds)

    # --- Results -----------------------------------------------------------------------------------------------

    def on_first_token(self, permit: Permit) -> None:
        """Record that a request has its first token."""
        self._streaming += 1
        is_full = self._queue.in_use >= self._limit.value or not self._queue.is_empty
        seconds = self._clock() - permit.started_at
        self._limit.on_first_token(permit.start, seconds, is_full=is_full, streaming=self._streaming)
        self._queue.resize(self._limit.value)
        self._breaker.on_reachable(permit.openings)
        self._end_trial_if_decided()

    def on_success(self, permit: Permit) -> None:
        """Record that a request was answered."""
        self._breaker.on_success(permit.openings)
        self._end_trial_if_decided()

    def on_failure(self, permit: Permit, failure: Failure, kind: str) -> None:
        """Record that a request failed."""
        if failure in CONGESTION and self._limit.on_congestion(permit.start):
            self._queue.resize(self._limit.value)
            # The event keeps its name, though after slow start a limit falls to 85 % only (concurrency_limit.py).
            logger.info("llm_limit_halved", extra={"limit": self._limit.value, "error": kind})
        if failure not in PROVIDER_FAILURES:
            self._breaker.on_reachable(permit.openings)
        else:
            self._last_failure, self._last_kind = failure, kind
            answers_others = self._streaming - permit.is_streaming > 0
            if self._breaker.on_failure(permit.openings, self._clock(), answers_others=answers_others):
                self._on_opened()
        self._end_trial_if_decided()

    def on_unknown(self, openings: int) -> None:
        """Record that a request ended without a result."""
        self._breaker.on_unknown(openings)
        self._end_trial_if_decided()

    def pause(self, seconds: float) -> None:
        """Admit no request for this long."""
        until = self._clock() + seconds
        if self._pauses and until <= self._paused_until:
            return
        self._paused_until = until
        self._queue.pause()
        pause = asyncio.create_task(self._open_after(seconds))
        self._pauses.add(pause)  # the event loop keeps only a weak reference
        pause.add_done_callback(self._pauses.discard)

    async def _open_after(self, seconds: float) -> None:
        await self._sleep(seconds)
        self._queue.resume()

    # --- The circuit breaker -----------------------------------------------------------------------------------

    async def _pass_breaker(self, owner: Hashable) -> int:
        """Return how often the breaker has opened until now. Raises CircuitOpen if it lets no request through.

        While a trial is in flight, other calls of its job wait for its result: a job whose calls all fail gives up, and would
        cancel the trial too.
        """
        while (openings := self._breaker.allow(self._clock())) is None:
            if self._trial is None or self._trial.owner != owner:
                raise self._circuit_open()
            await self._trial.is_over.wait()
        if self._breaker.state == "half-open":
            self._trial = _Trial(owner)
        return openings

    def _end_trial_if_decided(self) -> None:
        if self._trial is not None and self._breaker.state != "half-open":
            logger.info("llm_breaker_asked", extra={"state": self._breaker.state})
            self._trial.is_over.set()
            self._trial = None

    def _on_opened(self) -> None:
        """End all waits: they raise CircuitOpen."""
        self._usage.count_breaker_opening()
        logger.warning("llm_breaker_opened", extra={"error": self._circuit_open().kind})
        ended, self._waits = self._waits, set()
        for scope in ended:
            scope.reschedule(asyncio.get_running_loop().time())

    @asynccontextmanager
    async def _while_closed(self) -> AsyncIterator[None]:
        """Run the block, and raise CircuitOpen in it as soon as the breaker opens."""
        scope = asyncio.timeout(None)
        self._waits.add(scope)
        try:
            async with scope:
                yield
        except TimeoutError:
            raise self._circuit_open() from None
        finally:
            self._waits.discard(scope)

    def _circuit_open(self) -> ModelError:
        since = self._time_of_day(self._breaker.failing_since)
        return CircuitOpen(
            f"the model's API has been failing since {since:%Y-%m-%d %H:%M:%S} UTC ({self._last_kind}) "
            f"and {self._next_try()}",
            failure=self._last_failure,
        )

    def _next_try(self) -> str:
        if self.breaker_state == "half-open":
            return "is being tried again"
        retry_at = self._breaker.retry_at or self._clock()
        if retry_at <= self._clock():
            return "will be tried again with the next call"
        return f"will be tried again at {self._time_of_day(retry_at):%H:%M:%S}"

    def _time_of_day(self, at: float) -> datetime:
        return self._now() + timedelta(seconds=at - self._clock())
