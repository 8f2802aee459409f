"""How many calls a provider bears at once, found from how it takes them: numbers in, a limit out.

Additive increase, multiplicative decrease, as TCP finds its share of a line (Chiu and Jain 1989; RFC 5681), with the time to
the first token in the place of the round trip (Netflix, concurrency-limits). No I/O, no clock: provider/admission.py joins it to the
calls.
"""

from collections import deque
from dataclasses import dataclass, field

# A provider that lets calls queue takes longer to begin its answers; twice as long is no chance any more.
SLOW = 2.0

# Where the provider was found to bear no more, one more is tried after so many calls at least. By the rule alone, a provider
# that bears one call at once would refuse every second one.
CAREFUL = 20

# So many refusals can be chance, at most: as many as are in flight, and a few at first. Each admitted call makes up for a part
# of one, so that each fifth call may be refused: the retries bear that, and a real limit refuses more. At random, one call in
# ten hardly lowers the limit, and one in five does, since some come close together.
FIRST_CHANCES, MOST_CHANCES = 3.0, 6.0
CHANCE_SHARE = 0.25

# Less than this above the usual time is the network's and the event loop's, whatever the factor.
NOISE_SECONDS = 0.25

# The median of so many first times is what is usual: one of them may be by far too short or too long. Of more, most would have
# waited where a provider lets calls queue. After that only calls that were alone change it, by a part of the difference.
ENOUGH_FOR_USUAL = 3
USUAL_SHARE = 1 / 8

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


@dataclass
class _Round:
    """What the provider has shown since the limit last fell: how many calls it bears, and whether it refuses by chance, too."""

    number: int
    bore: int = 0
    """The most in flight of which it admitted the last."""
    by_chance: bool = False
    chances: float = FIRST_CHANCES

    def admitted(self, in_flight: int) -> None:
        """Take in that a call was admitted as so many-th in flight."""
        self.bore = max(self.bore, in_flight)
        self.chances = min(MOST_CHANCES, max(1, in_flight), self.chances + CHANCE_SHARE)

    def excuses(self, in_flight: int) -> bool:
        """Take in congestion at so many in flight; return whether it may be chance.

        Where it bore as many, it does not mind their number. And once it has refused for no reason, it may do so the first
        time that more are in flight.
        """
        self.by_chance |= in_flight <= self.bore
        if not self.by_chance or self.chances < 1:
            return False
        self.chances -= 1
        return True


@dataclass(frozen=True, slots=True)
class _Fall:
    """What was before the limit fell, and the calls in flight that it fell for."""

    round: _Round
    value: int
    is_seeking: bool
    brink: int | None
    in_flight: int


class Limit:
    """The limit of one provider: `value` is always from 1 to the ceiling.

    It halves at each congestion that is not chance. It doubles until the provider has refused the same number twice, or more
    than chance does; from then on it rises by one for each `value` calls that were admitted.

    Some providers refuse one call in ten, or let it hang, however few there are: fewer at once would only be fewer answers.
    So a congestion is chance where as many calls were borne since the limit last fell, as long as there are few. Where it
    falls for a number that a call begun before shows to be borne after all, that is taken back (as in TCP, RFC 4015). A real
    limit refuses nearly every call over it, or nearly every call: it is halved for at once, and again until it is kept.
    """

    def __init__(self, start: int, ceiling: int) -> None:
        self.value = min(start, ceiling)
        self.pace = Pace()
        self._ceiling = ceiling
        self._rounds = 0
        self._round = _Round(0)
        self._fall: _Fall | None = None
        self._is_seeking = True  # RFC 5681, 3.1: slow start
        self._admitted = 0
        self._brink: int | None = None

    def begin(self, prompt_bytes: int, in_flight: int) -> Began:
        """Note a call that begins; `in_flight` counts it."""
        return Began(self._round.number, prompt_bytes.bit_length(), in_flight)

    def admitted(self, began: Began, seconds: float, *, is_full: bool, in_hand: int) -> None:
        """Take in that a call has its first token, after so many seconds.

        `is_full`: the limit is what holds calls back. `in_hand`: so many calls have theirs and go on, this one among them.
        """
        self._take_back(began)
        if began.round != self._round.number:
            return
        self._round.admitted(began.in_flight)
        kept = self.pace.took(began, seconds)
        # RFC 7661: what was not used says nothing of whether there could be more.
        if not (kept and is_full):
            return
        self._admitted += 1
        if self._is_seeking:
            # subtle: in TCP an acknowledged segment also leaves. A call stays in flight long after its first token, so
            # twice what the provider has in hand is what doubles each round; short calls double by one for each.
            self._rise_to(max(self.value + 1, 2 * in_hand))
        elif self._admitted >= self._calls_to_rise():
            self._rise_to(self.value + 1)

    def congested(self, began: Began) -> bool:
        """Take in that a call met congestion; return whether the limit fell.

        It falls once in a round: calls that began before it fell say nothing of what it is now.
        """
        if began.round != self._round.number or self._round.excuses(began.in_flight):
            return False
        self._fall = _Fall(self._round, self.value, self._is_seeking, self._brink, began.in_flight)
        self._is_seeking = self._is_seeking and not self._is_found(began.in_flight)
        # Where nothing was borne, no number was found. A number that it bore it refuses for another reason.
        self._brink = began.in_flight if 0 < self._round.bore < began.in_flight else None
        self.value = max(1, self.value // 2)
        self._rounds += 1
        self._round = _Round(self._rounds)
        self._admitted = 0
        self.pace.forget()  # what waited in a queue at the provider is gone: a good time to measure
        return True

    def _is_found(self, in_flight: int) -> bool:
        """Return whether a refusal at so many in flight ends the search: one alone may be chance, before anything is known."""
        is_refused_again = self._brink is not None and in_flight >= self._brink > self._round.bore
        return is_refused_again or self._round.by_chance

    def _take_back(self, began: Began) -> None:
        """Undo a decrease that a call begun before it shows to be spurious (RFC 4015)."""
        fall = self._fall
        if fall is None or began.round != fall.round.number or began.in_flight < fall.in_flight:
            return
        self._fall = None
        fall.round.admitted(began.in_flight)
        if fall.round.excuses(fall.in_flight):
            self._round, self._is_seeking, self._brink = fall.round, fall.is_seeking, fall.brink
            self.value = max(self.value, fall.value)

    def _calls_to_rise(self) -> int:
        return max(self.value, CAREFUL) if self.value + 1 == self._brink else self.value

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

        The first times count whether they keep it or not: else one that is by far too short would be the measure for ever.
        Once known, what is usual does not follow calls that others may have held up: else a provider that gets slower
        with each call more would look usual at any number of them.
        """
        self._recent.setdefault(began.size, deque(maxlen=RECENT)).append(seconds)
        usual = self._usual.setdefault(began.size, _Usual(seconds))
        kept = seconds <= max(usual.seconds * SLOW, usual.seconds + NOISE_SECONDS)
        if began.in_flight == 1 or not usual.is_known:
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
    """The median of the first times, and once there are enough, a mean that moves from there."""

    seconds: float
    first: list[float] = field(default_factory=list)

    @property
    def is_known(self) -> bool:
        return len(self.first) >= ENOUGH_FOR_USUAL

    def take(self, seconds: float) -> None:
        if self.is_known:
            self.seconds += (seconds - self.seconds) * USUAL_SHARE
        else:
            self.first.append(seconds)
            # statistics.median_low, without the megabyte and a half that its module takes.
            self.seconds = sorted(self.first)[(len(self.first) - 1) // 2]
