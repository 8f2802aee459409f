"""How many answers a provider with a limit of calls at once gives, in simulated time: no socket, no clock, no sleep.

The rule itself is provider/concurrency_limit.py; tests/provider/test_concurrency_limit.py holds it to its laws on the same simulation.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from bench.service.trials import Row, Stage, row
from bench.verdict import Verdict
from provider.concurrency_limit import ConcurrencyLimit, RequestStart

PROMPT = 10_000  # bytes
FIRST_TOKEN_S = 0.5
REFUSAL_S = 0.02
RESERVE = 10.0  # calls that a rate limit lets pass at once
HANG_S = 10.0  # until it is given up


@dataclass
class Provider:
    """A provider that bears `bears` calls at once, and the client that keeps it as busy as the limit allows.

    What is over that it refuses, or lets queue. It may refuse some for no reason, let some hang, and begin only so many a
    second (with ten in reserve). `odd_first_tokens_s` are the times to the first tokens that come first. `values` has the limit
    after each call that came back, `refused` says how many of them were turned away.
    """

    bears: int
    queues: bool = False
    answer_s: float = 3.0
    initial: int = 5
    ceiling: int = 64
    refuses_share: float = 0.0
    hangs_share: float = 0.0
    calls_per_s: float = float("inf")
    odd_first_tokens_s: list[float] = field(default_factory=list)
    seed: int = 0
    values: list[int] = field(default_factory=list)
    limit_at: list[tuple[float, int]] = field(default_factory=list)
    refused: int = 0
    answered: int = 0

    def __post_init__(self) -> None:
        self.limit = ConcurrencyLimit(self.initial, self.ceiling)
        self._dice = random.Random(self.seed)  # noqa: S311, a simulation
        self._events: list[tuple[float, int, str, RequestStart, float]] = []
        self._queue: deque[tuple[RequestStart, float]] = deque()
        self._in_flight = self._served = self._streaming = self._number = 0
        self.now = 0.0
        self._reserve, self._filled_at = RESERVE, 0.0

    def play(self, answers: int) -> Provider:
        """Go on until so many calls were answered."""
        return self.play_until(lambda: self.answered >= answers)

    def play_for(self, seconds: float) -> Provider:
        """Go on for so long."""
        end = self.now + seconds
        return self.play_until(lambda: self.now >= end)

    def play_until(self, has_come: Callable[[], bool]) -> Provider:
        """Go on until something has come."""
        while not has_come():
            self._go_on()
        return self

    def _go_on(self) -> None:
        while self._in_flight < self.limit.value:
            self._begin()
        self.now, _, event, start, since = heapq.heappop(self._events)
        getattr(self, f"_{event}")(start, since)
        self.values.append(self.limit.value)
        self.limit_at.append((self.now, self.limit.value))

    def mean_limit(self) -> float:
        """Return the limit in the mean of the second half of the time."""
        later = [(at, value) for at, value in self.limit_at if at >= self.now / 2]
        spans = [(after - at) * value for (at, value), (after, _) in pairwise(later)]
        return sum(spans) / (later[-1][0] - later[0][0])

    @property
    def refused_share(self) -> float:
        """Return how many of all calls were refused."""
        return self.refused / (self.refused + self.answered)

    def _begin(self) -> None:
        self._in_flight += 1
        start = self.limit.start_request(PROMPT, self._in_flight)
        is_over = self._is_too_quick() or (self._served >= self.bears and not self.queues)
        if is_over or self._dice.random() < self.refuses_share:
            self._later(REFUSAL_S, "refusal", start, self.now)
        elif self._dice.random() < self.hangs_share:
            self._later(HANG_S, "refusal", start, self.now)
        elif self._served >= self.bears:
            self._queue.append((start, self.now))
        else:
            self._serve(start, self.now)

    def _is_too_quick(self) -> bool:
        """A token bucket."""
        if self.calls_per_s == float("inf"):
            return False
        self._reserve = min(RESERVE, self._reserve + (self.now - self._filled_at) * self.calls_per_s)
        self._filled_at = self.now
        is_empty = self._reserve < 1
        self._reserve -= not is_empty
        return is_empty

    def _serve(self, start: RequestStart, since: float) -> None:
        self._served += 1
        usual_s = FIRST_TOKEN_S * self._dice.uniform(0.9, 1.1)
        self._later(
            self.odd_first_tokens_s.pop() if self.odd_first_tokens_s else usual_s, "token", start, since
        )

    def _later(self, seconds: float, event: str, start: RequestStart, since: float) -> None:
        self._number += 1
        heapq.heappush(self._events, (self.now + seconds, self._number, event, start, since))

    def _refusal(self, start: RequestStart, since: float) -> None:
        self._in_flight -= 1
        self.refused += 1
        self.limit.on_congestion(start)

    def _token(self, start: RequestStart, since: float) -> None:
        self._streaming += 1
        self.limit.on_first_token(start, self.now - since, is_full=True, streaming=self._streaming)
        self._later(self.answer_s * self._dice.uniform(0.5, 1.5), "end", start, since)

    def _end(self, start: RequestStart, since: float) -> None:
        self._streaming -= 1
        self._in_flight -= 1
        self._served -= 1
        self.answered += 1
        if self._queue:
            self._serve(*self._queue.popleft())


# --- The row ---------------------------------------------------------------------------------------------------

# Calls at once that the provider bears, and the least share of the answers it could give that must come.
BEARS = {8: 0.9, 32: 0.9}
MOST_REFUSED = 0.06

ANSWER_S = 1.45
FINDING_S, WATCHED_S, SEEDS = 20.0, 300.0, 8


class Yield(NamedTuple):
    """What a known limit gives: answers a second, what the provider could give at most, the share of calls refused."""

    answers_per_s: float
    most_per_s: float
    refused_share: float


def known_limit(bears: int) -> Yield:
    """Return the yield of a limit once it is found, over several seeds."""
    answered, refused, seconds = 0, 0, 0.0
    for seed in range(SEEDS):
        provider = Provider(bears, answer_s=ANSWER_S, seed=seed).play_for(FINDING_S)
        before = provider.answered, provider.refused, provider.now
        provider.play_for(WATCHED_S)
        answered += provider.answered - before[0]
        refused += provider.refused - before[1]
        seconds += provider.now - before[2]
    most = bears / (FIRST_TOKEN_S + ANSWER_S)
    return Yield(answered / seconds, most, refused / (answered + refused))


async def kept_busy(stage: Stage) -> Row:
    """Keep a provider as busy as the rule allows; `stage` is not needed, since its time is simulated."""
    del stage
    found = {bears: known_limit(bears) for bears in BEARS}
    what = "a provider kept busy at its limit, in simulated time"
    return row(
        what,
        f"at least {min(BEARS.values()):.0%} of the answers it could give, at most {MOST_REFUSED:.0%} of the calls refused",
        [
            f"{bears} at once: {one.answers_per_s:.1f} answers/s of {one.most_per_s:.1f}, {one.refused_share:.1%} refused"
            for bears, one in found.items()
        ],
        met=all(one.refused_share <= MOST_REFUSED for one in found.values()),
        figures=[
            Verdict(
                f"{what}, {bears} at once: answers a second",
                BEARS[bears] * one.most_per_s,
                one.answers_per_s,
                at_least=True,
            )
            for bears, one in found.items()
        ],
    )
