"""How many calls a provider bears at once, found from how it takes them: numbers in, a limit out.

Additive increase, multiplicative decrease, as TCP finds its share of a line (Chiu and Jain 1989; RFC 5681), with the time to
the first token in the place of the round trip (Netflix, concurrency-limits). No I/O, no clock: admission.py joins it to the
calls.
"""

from collections import deque
from dataclasses import dataclass

# A provider that lets calls queue takes longer to begin its answers; twice as long is no chance any more.
SLOW = 2.0

# Where the provider was found to bear no more, one more is tried after so many calls at least. By the rule alone, a provider
# that bears one call at once would refuse every second one.
CAREFUL = 20

# What the newest call counts for among the last ones of its kind: three refusals outweigh any number that was admitted.
NEWEST = 0.25

# Less than this above the usual time is the network's and the event loop's, whatever the factor.
NOISE_SECONDS = 0.25

# So many good times make up what is usual; after that only calls that were alone change it.
ENOUGH_FOR_USUAL = 8

# The longest of so many times stands for the slowest in a hundred; of fewer than the least, nothing is said.
RECENT, LEAST_RECENT = 100, 20

# A hang is given up after ten times the longest wait for a first token, but never before: the model of a server that runs
# others too may have to be loaded again.
PATIENCE = 10.0
LEAST_PATIENCE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Began:
    """What is known of a call when it begins: the round, its prompt's size as a power of two, the calls then in flight."""

    round: int
    size: int
    in_flight: int


class Limit:
    """The limit of one provider: `value` is always from 1 to the ceiling.

    It doubles as long as nothing goes wrong; from the first congestion on it rises by one for each `value` calls that were
    admitted, and halves at each further congestion.
    """

    def __init__(self, start: int, ceiling: int) -> None:
        self.value = min(start, ceiling)
        self.pace = Pace()
        self._ceiling = ceiling
        self._round = 0
        self._seeking = True  # RFC 5681, 3.1: slow start
        self._admitted = 0
        self._shares: dict[int, float] = {}
        self._brink: int | None = None

    def begin(self, prompt_bytes: int, in_flight: int) -> Began:
        """Note a call that begins; `in_flight` counts it."""
        return Began(self._round, prompt_bytes.bit_length(), in_flight)

    def admitted(self, began: Began, seconds: float, *, is_full: bool, in_hand: int) -> None:
        """Take in that a call has its first token, after so many seconds.

        `is_full`: the limit is what holds calls back. `in_hand`: so many calls have theirs and go on, this one among them.
        """
        if began.round != self._round:
            return
        self._remember(began.in_flight, is_admitted=True)
        kept = self.pace.took(began, seconds)
        # RFC 7661: what was not used says nothing of whether there could be more.
        if not (kept and is_full):
            return
        self._admitted += 1
        if self._seeking:
            # subtle: in TCP an acknowledged segment also leaves. A call stays in flight long after its first token, so
            # twice what the provider has in hand is what doubles each round; short calls double by one for each.
            self._rise_to(max(self.value + 1, 2 * in_hand))
        elif self._admitted >= self._calls_to_rise():
            self._rise_to(self.value + 1)

    def congested(self, began: Began) -> bool:
        """Take in that a call met congestion; return whether the limit fell.

        It falls once in a round: calls that began before it fell say nothing of what it is now.
        """
        if began.round != self._round:
            return False
        # A number that it mostly bears it refuses for another reason.
        share = self._remember(began.in_flight, is_admitted=False)
        self._brink = began.in_flight if share < 0.5 else None
        self.value = max(1, self.value // 2)
        self._round += 1
        self._admitted = 0
        self._seeking = False
        self.pace.forget()  # what waited in a queue at the provider is gone: a good time to measure
        return True

    def _calls_to_rise(self) -> int:
        return max(self.value, CAREFUL) if self.value + 1 == self._brink else self.value

    def _remember(self, in_flight: int, *, is_admitted: bool) -> float:
        """Return the share of the last calls that were admitted as so many-th in flight, this one among them."""
        share = self._shares.get(in_flight, 0.0)
        self._shares[in_flight] = share + (is_admitted - share) * NEWEST
        return self._shares[in_flight]

    def _rise_to(self, value: int) -> None:
        self.value = min(value, self._ceiling)
        self._admitted = 0


class Pace:
    """What the time to the first token usually is, for prompts of like size: within a factor of two."""

    def __init__(self) -> None:
        self._usual: dict[int, _Usual] = {}
        self._recent: dict[int, deque[float]] = {}

    def took(self, began: Began, seconds: float) -> bool:
        """Take in a time to the first token; return whether the provider keeps its pace.

        Once known, what is usual does not follow calls that others may have held up: else a provider that gets slower
        with each call more would look usual at any number of them.
        """
        self._recent.setdefault(began.size, deque(maxlen=RECENT)).append(seconds)
        usual = self._usual.setdefault(began.size, _Usual(seconds))
        kept = seconds <= max(usual.seconds * SLOW, usual.seconds + NOISE_SECONDS)
        if began.in_flight == 1 or (kept and usual.times < ENOUGH_FOR_USUAL):
            usual.take(seconds)
        return kept

    def forget(self) -> None:
        """Learn anew what is usual."""
        self._usual.clear()

    def patience(self, prompt_bytes: int, most: float) -> float:
        """Return after how many seconds without a first token a call is given up, at most `most`."""
        recent = self._recent.get(prompt_bytes.bit_length(), ())
        if len(recent) < LEAST_RECENT:
            return most
        return min(most, max(LEAST_PATIENCE_SECONDS, PATIENCE * max(recent)))


@dataclass
class _Usual:
    """A mean that moves, by an eighth of the difference once it has times enough."""

    seconds: float
    times: int = 0

    def take(self, seconds: float) -> None:
        self.times = min(self.times + 1, ENOUGH_FOR_USUAL)
        self.seconds += (seconds - self.seconds) / self.times
