"""When a call to the model may begin: the places, how many there are, the pauses and the breaker, joined.

The rules themselves are in fair_queue.py, provider/concurrency_limit.py and provider/circuit_breaker.py. Sends nothing: whoever does takes a turn here first, and says
here what came of it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import ExitStack, asynccontextmanager
from datetime import datetime, timedelta

from fair_queue import FairGate
from provider.circuit_breaker import Breaker
from provider.concurrency_limit import Began, Limit
from provider.model import ModelError
from provider.retry import Down
from provider.usage import Failure, Traffic

logger = logging.getLogger(__name__)

# Fewer calls at once would have been better.
CONGESTION = frozenset({Failure.RATE_LIMITED, Failure.OVERLOADED, Failure.TIMEOUT})

# The provider could not, whatever it was asked.
PROVIDER_FAILURES = frozenset({Failure.OVERLOADED, Failure.SERVER_ERROR, Failure.TIMEOUT, Failure.CONNECTION})


class Turn:
    """One request's time with the provider: from its place to what came of it."""

    def __init__(self, admission: "Admission", began: Began, passed: int, now: float) -> None:
        self.began = began
        self.passed = passed
        self.began_at = now
        self.in_hand = False
        self._admission = admission
        self._over = False

    def admitted(self) -> None:
        """Say that the model has begun to answer; more than once is the same."""
        if not self.in_hand:
            self.in_hand = True
            self._admission.admitted(self)

    def answered(self) -> None:
        """Say that the call was answered."""
        self._over = True
        self._admission.answered(self)

    def failed(self, failure: Failure, kind: str, retry_after: float | None = None) -> None:
        """Say why there is no answer; `kind` as in ModelError, `retry_after` in seconds."""
        self._over = True
        self._admission.failed(self, failure, kind)
        if retry_after:
            self._admission.pause(retry_after)

    def end(self) -> None:
        """Leave; where nobody said what came of the request, nobody knows."""
        if not self._over:
            self._admission.abandoned(self.passed)


class _Probe:
    """The call that asks whether the provider is back."""

    def __init__(self, job: Hashable) -> None:
        self.job = job
        self.is_over = asyncio.Event()


class Admission:
    """The turns of all calls to one provider."""

    def __init__(
        self,
        limit: Limit,
        breaker: Breaker,
        traffic: Traffic,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
        now: Callable[[], datetime],
    ) -> None:
        """`clock` counts seconds from anywhere, `now` is the time of day for messages."""
        self._limit = limit
        self._breaker = breaker
        self._traffic = traffic
        self._gate = FairGate(limit.value)
        self._clock, self._sleep, self._now = clock, sleep, now
        self._in_hand = 0
        self._pauses: set[asyncio.Task[None]] = set()
        self._paused_until = 0.0
        self._patient: set[asyncio.Timeout] = set()
        self._probe: _Probe | None = None
        self._last_failure, self._last_kind = Failure.CONNECTION, ""

    @property
    def limit(self) -> int:
        """How many calls may be in flight."""
        return self._limit.value

    @property
    def in_flight(self) -> int:
        """How many requests are under way."""
        return self._gate.in_use

    @property
    def waiting(self) -> int:
        """How many calls wait for a place."""
        return self._gate.waiting

    @property
    def breaker_state(self) -> str:
        """The state of the breaker."""
        return self._breaker.state

    @property
    def paused_seconds(self) -> float:
        """How much longer no call is begun, in seconds."""
        return max(0.0, self._paused_until - self._clock()) if self._pauses else 0.0

    @property
    def trouble(self) -> str | None:
        """Why the breaker is not closed, in one line without the provider's own words; None where it is."""
        return None if self._breaker.state == "closed" else self._down().kind

    def ticket(self) -> int:
        """Draw a ticket for a call, which it shows again with each retry."""
        return self._gate.ticket()

    def patience(self, prompt_bytes: int, most: float) -> float:
        """Return after how many seconds without a first token a call is given up, at most `most`."""
        return self._limit.pace.patience(prompt_bytes, most)

    @asynccontextmanager
    async def turn(self, job: Hashable, ticket: int, prompt_bytes: int) -> AsyncIterator[Turn]:
        """Wait for a place and hold it. Raises Down where nobody may call, or as soon as that comes to be so."""
        passed = await self._let_through(job)
        with ExitStack() as unless_entered:
            unless_entered.callback(self.abandoned, passed)
            async with self._until_down():
                await self._gate.enter(job, ticket)
            unless_entered.pop_all()
        turn = Turn(self, self._limit.begin(prompt_bytes, self._gate.in_use), passed, self._clock())
        try:
            # The breaker may have opened between the moment the place was given and this one.
            if not self._breaker.is_valid(passed):
                raise self._down()
            yield turn
        finally:
            turn.end()
            self._in_hand -= turn.in_hand
            self._gate.leave(job)

    async def back_off(self, seconds: float) -> None:
        """Wait before a retry. Raises Down where nobody may call, or as soon as that comes to be so."""
        if self._breaker.state != "closed":
            raise self._down()
        async with self._until_down():
            await self._sleep(seconds)

    # --- What came of a turn -----------------------------------------------------------------------------------

    def admitted(self, turn: Turn) -> None:
        """Take in that a call has its first token."""
        self._in_hand += 1
        is_full = self._gate.in_use >= self._limit.value or self._gate.waiting > 0
        seconds = self._clock() - turn.began_at
        self._limit.admitted(turn.began, seconds, is_full=is_full, in_hand=self._in_hand)
        self._gate.places = self._limit.value
        self._breaker.heard(turn.passed)
        self._look_at_probe()

    def answered(self, turn: Turn) -> None:
        """Take in that a call was answered."""
        self._breaker.answered(turn.passed)
        self._look_at_probe()

    def failed(self, turn: Turn, failure: Failure, kind: str) -> None:
        """Take in that a call failed."""
        if failure in CONGESTION and self._limit.congested(turn.began):
            self._gate.places = self._limit.value
            logger.info("llm_limit_halved", extra={"limit": self._limit.value, "error": kind})
        if failure not in PROVIDER_FAILURES:
            self._breaker.heard(turn.passed)
        else:
            self._last_failure, self._last_kind = failure, kind
            others = self._in_hand > turn.in_hand
            if self._breaker.failed(turn.passed, self._clock(), answers_others=others):
                self._opened()
        self._look_at_probe()

    def abandoned(self, passed: int) -> None:
        """Take in that nobody knows what would have come of a call."""
        self._breaker.abandoned(passed)
        self._look_at_probe()

    def pause(self, seconds: float) -> None:
        """Begin no call for so long."""
        until = self._clock() + seconds
        if self._pauses and until <= self._paused_until:
            return
        self._paused_until = until
        self._gate.close()
        pause = asyncio.create_task(self._open_after(seconds))
        self._pauses.add(pause)  # the loop alone would forget it
        pause.add_done_callback(self._pauses.discard)

    async def _open_after(self, seconds: float) -> None:
        await self._sleep(seconds)
        self._gate.open()

    # --- The breaker -------------------------------------------------------------------------------------------

    async def _let_through(self, job: Hashable) -> int:
        """Return the breaker's pass. Raises Down where there is none.

        While one call asks whether the provider is back, others of its job wait for what it hears: a job whose calls all
        fail gives up, and would take that one with it.
        """
        while (passed := self._breaker.let_through(self._clock())) is None:
            if self._probe is None or self._probe.job != job:
                raise self._down()
            await self._probe.is_over.wait()
        if self._breaker.state == "half-open":
            self._probe = _Probe(job)
        return passed

    def _look_at_probe(self) -> None:
        if self._probe is not None and self._breaker.state != "half-open":
            logger.info("llm_breaker_asked", extra={"state": self._breaker.state})
            self._probe.is_over.set()
            self._probe = None

    def _opened(self) -> None:
        self._traffic.breaker_openings += 1
        logger.warning("llm_breaker_opened", extra={"error": self._down().kind})
        given_up, self._patient = self._patient, set()
        for scope in given_up:
            scope.reschedule(asyncio.get_running_loop().time())

    @asynccontextmanager
    async def _until_down(self) -> AsyncIterator[None]:
        """Wait inside for as long as the breaker does not open. Raises Down when it does."""
        scope = asyncio.timeout(None)
        self._patient.add(scope)
        try:
            async with scope:
                yield
        except TimeoutError:
            raise self._down() from None
        finally:
            self._patient.discard(scope)

    def _down(self) -> ModelError:
        since = self._time_of_day(self._breaker.failing_since)
        return Down(
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
