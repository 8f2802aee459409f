"""An adaptive concurrency limit: how many requests the provider takes at once, learnt from its answers.

Additive increase, multiplicative decrease, as TCP finds its share of a line (Chiu and Jain 1989; RFC 5681), with the time to
the first token in place of the round-trip time (Netflix, concurrency-limits). No I/O and no clock: numbers in, a limit out.
provider/admission.py applies it to requests.
"""

from collections import deque
from dataclasses import dataclass, field

# A provider that queues requests takes longer to begin its answers; twice the baseline is more than chance.
SLOW_FACTOR = 2.0

# What a decrease leaves of the limit. In slow start the limit doubles, so the provider may take only half of it. A known limit
# rises by one, so it is over by one. CUBIC keeps 0.7 (RFC 9438, 4.6) to drain a queue; a refusal leaves no queue.
SLOW_START_DECREASE, KNOWN_LIMIT_DECREASE = 0.5, 0.85

# Next to a number that the provider refused, the limit rises after at least this many admitted requests. By the plain rule, a
# provider that takes one request at once would have to refuse every second one.
MIN_REQUESTS_BEFORE_REFUSED_NUMBER = 20

# How many refusals are ascribed to chance: at most as many as are in flight, and a few at first. Each admitted request earns a
# part of one, so that one request in five may be refused: the retries bear that, and a real limit refuses more. With random
# refusals, one request in ten hardly lowers the limit, and one in five does, since some come close together.
INITIAL_TOLERANCE, MAX_TOLERANCE = 3.0, 6.0
TOLERANCE_PER_REQUEST = 0.25

# A difference below this comes from the network and the event loop, whatever the factor.
NOISE_SECONDS = 0.25

# The baseline is the median of the first few times, so that one outlier does not set it. More samples would mostly be requests
# that waited, where a provider queues. After that only requests that ran alone move it, by a part of the difference.
BASELINE_SAMPLES = 3
BASELINE_WEIGHT = 1 / 8

# The longest of the last 100 times stands for the 99th percentile; with fewer than 20 there is no estimate.
MAX_RECENT, MIN_RECENT = 100, 20

# A request hangs when it takes ten times the longest recent time to its first token, but never less than five seconds: a server
# that runs several models may have to load this one again.
TIMEOUT_FACTOR = 10.0
MIN_TIMEOUT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class RequestStart:
    """The state in which a request began: the epoch, its prompt's size as a power of two, the requests in flight with it."""

    epoch: int
    size: int
    in_flight: int


@dataclass
class _Epoch:
    """What was learnt since the last decrease: how many requests the provider takes, and whether it also refuses at random."""

    number: int
    max_admitted: int = 0
    """The most requests in flight at which one was admitted."""
    refuses_at_random: bool = False
    tolerance: float = INITIAL_TOLERANCE

    def on_admitted(self, in_flight: int) -> None:
        """Record a request that was admitted with this many in flight."""
        self.max_admitted = max(self.max_admitted, in_flight)
        self.tolerance = min(MAX_TOLERANCE, max(1, in_flight), self.tolerance + TOLERANCE_PER_REQUEST)

    def tolerates(self, in_flight: int) -> bool:
        """Record congestion with this many in flight; return whether it may be chance.

        If the provider has taken this many before, their number is not the reason. A provider that has refused at random
        may also do so the first time that more are in flight.
        """
        self.refuses_at_random |= in_flight <= self.max_admitted
        if not self.refuses_at_random or self.tolerance < 1:
            return False
        self.tolerance -= 1
        return True


@dataclass(frozen=True, slots=True)
class _Decrease:
    """The state before a decrease, and the requests in flight at the congestion that caused it."""

    epoch: _Epoch
    value: int
    is_slow_start: bool
    refused_number: int | None
    in_flight: int


class ConcurrencyLimit:
    """The limit of one provider: `value` is always from 1 to the ceiling.

    Each congestion that is not chance lowers it: to a half, or to 85 % if it is known. In slow start it doubles, until the
    provider has refused the same number twice, or more often than by chance; from then on it rises by one per `value`
    admitted requests.

    Some providers refuse one request in ten, or let it hang, however few there are: a lower limit would only mean fewer answers.
    So a few congestions count as chance if as many requests were admitted since the last decrease. A decrease is undone if a
    request that began before it shows that the number is taken after all (as in TCP, RFC 4015). A real limit refuses nearly
    every request over it: the limit is lowered at once, and again until it is kept.
    """

    def __init__(self, initial: int, ceiling: int) -> None:
        self.value = min(initial, ceiling)
        self.latency = FirstTokenLatency()
        self._ceiling = ceiling
        self._epochs = 0
        self._epoch = _Epoch(0)
        self._last_decrease: _Decrease | None = None
        self._is_slow_start = True  # RFC 5681, 3.1
        self._is_slowed_down = False
        self._admitted = 0
        self._refused_number: int | None = None

    @property
    def expected_concurrency(self) -> int:
        """The present limit or, during slow start, the highest it can reach: the ceiling, or less than was refused.

        Slow start gets there within a job's first seconds.
        """
        if not self._is_slow_start or self._is_slowed_down:
            return self.value
        highest = self._ceiling if self._refused_number is None else self._refused_number - 1
        return max(self.value, min(highest, self._ceiling))

    def start_request(self, prompt_bytes: int, in_flight: int) -> RequestStart:
        """Return the state in which a request begins; `in_flight` includes it."""
        return RequestStart(self._epoch.number, prompt_bytes.bit_length(), in_flight)

    def on_first_token(self, start: RequestStart, seconds: float, *, is_full: bool, streaming: int) -> None:
        """Record that a request was admitted: its first token came after `seconds`.

        `is_full`: the limit is what holds requests back. `streaming`: the requests that have their first token and go on, with
        this one.
        """
        self._undo_spurious_decrease(start)
        if start.epoch != self._epoch.number:
            return
        self._epoch.on_admitted(start.in_flight)
        is_fast = self.latency.record(start, seconds)
        self._is_slowed_down = is_full and not is_fast
        # RFC 7661: a limit that was not used up says nothing about a higher one.
        if not (is_fast and is_full):
            return
        self._admitted += 1
        if self._is_slow_start:
            # subtle: in TCP an acknowledged segment has left the network. A request stays in flight long after its first token,
            # so doubling per round trip means twice the streaming requests; with short requests, one more per request doubles too.
            self._increase_to(max(self.value + 1, 2 * streaming))
        elif self._admitted >= self._requests_per_increase():
            self._increase_to(self.value + 1)

    def on_congestion(self, start: RequestStart) -> bool:
        """Record that a request met congestion; return whether the limit was lowered.

        It is lowered once per epoch: requests that began before the last decrease say nothing about the present limit.
        """
        if start.epoch != self._epoch.number or self._epoch.tolerates(start.in_flight):
            return False
        is_known = self._is_known_limit(start.in_flight)
        self._last_decrease = _Decrease(
            self._epoch, self.value, self._is_slow_start, self._refused_number, start.in_flight
        )
        self._is_slow_start = self._is_slow_start and not self._ends_slow_start(start.in_flight)
        # If nothing was admitted, no number was found. If this many were admitted before, they are refused for another reason.
        was_exceeded = is_known or 0 < self._epoch.max_admitted < start.in_flight
        self._refused_number = start.in_flight if was_exceeded else None
        self.value = max(1, int(self.value * (KNOWN_LIMIT_DECREASE if is_known else SLOW_START_DECREASE)))
        self._epochs += 1
        self._epoch = _Epoch(self._epochs)
        self._admitted = 0
        self.latency.reset_baseline()  # the provider's queue is short now: a good time to measure
        return True

    def _is_known_limit(self, in_flight: int) -> bool:
        """Return whether a refusal with this many in flight confirms the limit that slow start found.

        It does if it is above every admitted number, and the provider does not refuse at random; or if it is the number refused
        before, admitted once because a request ended just then. A rate limit refuses numbers that were admitted.
        """
        most = self._epoch.max_admitted
        is_next = 0 < most < in_flight and not self._epoch.refuses_at_random
        return not self._is_slow_start and (is_next or most == in_flight == self._refused_number)

    def _ends_slow_start(self, in_flight: int) -> bool:
        """Return whether a refusal with this many in flight ends slow start: the first one alone may be chance."""
        refused = self._refused_number
        is_refused_again = refused is not None and in_flight >= refused > self._epoch.max_admitted
        return is_refused_again or self._epoch.refuses_at_random

    def _undo_spurious_decrease(self, start: RequestStart) -> None:
        """Undo a decrease that a request begun before it shows to be spurious (RFC 4015)."""
        last = self._last_decrease
        if last is None or start.epoch != last.epoch.number or start.in_flight < last.in_flight:
            return
        self._last_decrease = None
        last.epoch.on_admitted(start.in_flight)
        if last.epoch.tolerates(last.in_flight):
            self._epoch, self._is_slow_start = last.epoch, last.is_slow_start
            self._refused_number = last.refused_number
            self.value = max(self.value, last.value)

    def _requests_per_increase(self) -> int:
        is_next_refused = self.value + 1 == self._refused_number
        return max(self.value, MIN_REQUESTS_BEFORE_REFUSED_NUMBER) if is_next_refused else self.value

    def _increase_to(self, value: int) -> None:
        self.value = min(value, self._ceiling)
        self._admitted = 0


class FirstTokenLatency:
    """The times to the first token, kept apart by prompt size: one class per factor of two."""

    def __init__(self) -> None:
        self._baselines: dict[int, _Baseline] = {}
        self._recent: dict[int, deque[float]] = {}

    def record(self, start: RequestStart, seconds: float) -> bool:
        """Record a time to the first token; return whether it is near the baseline.

        The first times count whether they are near it or not: otherwise one far too short would stay the baseline for ever.
        Later only requests that ran alone move it: otherwise a provider that slows down with each further request would look
        normal at any number of requests.
        """
        self._recent.setdefault(start.size, deque(maxlen=MAX_RECENT)).append(seconds)
        baseline = self._baselines.setdefault(start.size, _Baseline(seconds))
        is_near = seconds <= max(baseline.seconds * SLOW_FACTOR, baseline.seconds + NOISE_SECONDS)
        if start.in_flight == 1 or not baseline.is_known:
            baseline.add(seconds)
        return is_near

    def reset_baseline(self) -> None:
        """Forget the baselines, so that they are learnt again."""
        self._baselines.clear()

    def timeout(self, prompt_bytes: int, most: float) -> float:
        """Return after how many seconds without a first token a request counts as hanging, at most `most`."""
        recent = self._recent.get(prompt_bytes.bit_length(), ())
        if len(recent) < MIN_RECENT:
            return most
        return min(most, max(MIN_TIMEOUT_SECONDS, TIMEOUT_FACTOR * max(recent)))


@dataclass
class _Baseline:
    """The median of the first times; once there are enough, an exponential moving average that starts there."""

    seconds: float
    first: list[float] = field(default_factory=list)

    @property
    def is_known(self) -> bool:
        return len(self.first) >= BASELINE_SAMPLES

    def add(self, seconds: float) -> None:
        if self.is_known:
            self.seconds += (seconds - self.seconds) * BASELINE_WEIGHT
        else:
            self.first.append(seconds)
            # statistics.median_low, without the 1.5 MB that its module takes.
            self.seconds = sorted(self.first)[(len(self.first) - 1) // 2]
