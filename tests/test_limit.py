"""The rule that finds how many calls a provider bears, against simulated providers: no socket, no clock, no sleep."""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limit import CAREFUL, LEAST_PATIENCE_SECONDS, LEAST_RECENT, NOISE_SECONDS, Began, Limit, Pace

PROMPT = 10_000  # bytes
FIRST_TOKEN_S = 0.5
REFUSAL_S = 0.02


@dataclass
class Provider:
    """A provider that bears `bears` calls at once, and the client that keeps it as busy as the limit allows.

    What is over that it refuses, or lets queue. `values` has the limit after each call that came back, `refusals` how many
    of them were turned away until then.
    """

    bears: int
    queues: bool = False
    answer_s: float = 3.0
    start: int = 5
    ceiling: int = 64
    refuses_share: float = 0.0
    seed: int = 0
    values: list[int] = field(default_factory=list)
    limit_at: list[tuple[float, int]] = field(default_factory=list)
    refused: int = 0
    answered: int = 0

    def __post_init__(self) -> None:
        self.limit = Limit(self.start, self.ceiling)
        self._dice = random.Random(self.seed)
        self._events: list[tuple[float, int, str, Began, float]] = []
        self._queue: deque[tuple[Began, float]] = deque()
        self._in_flight = self._served = self._in_hand = self._number = 0
        self.now = 0.0

    def play(self, answers: int) -> Provider:
        """Go on until so many calls were answered."""
        while self.answered < answers:
            while self._in_flight < self.limit.value:
                self._begin()
            self.now, _, event, began, since = heapq.heappop(self._events)
            getattr(self, f"_{event}")(began, since)
            self.values.append(self.limit.value)
            self.limit_at.append((self.now, self.limit.value))
        return self

    def _begin(self) -> None:
        self._in_flight += 1
        began = self.limit.begin(PROMPT, self._in_flight)
        if self._dice.random() < self.refuses_share or (self._served >= self.bears and not self.queues):
            self._later(REFUSAL_S, "refusal", began, self.now)
        elif self._served >= self.bears:
            self._queue.append((began, self.now))
        else:
            self._serve(began, self.now)

    def _serve(self, began: Began, since: float) -> None:
        self._served += 1
        self._later(FIRST_TOKEN_S * self._dice.uniform(0.9, 1.1), "token", began, since)

    def _later(self, seconds: float, event: str, began: Began, since: float) -> None:
        self._number += 1
        heapq.heappush(self._events, (self.now + seconds, self._number, event, began, since))

    def _refusal(self, began: Began, since: float) -> None:
        self._in_flight -= 1
        self.refused += 1
        self.limit.congested(began)

    def _token(self, began: Began, since: float) -> None:
        self._in_hand += 1
        self.limit.admitted(began, self.now - since, is_full=True, in_hand=self._in_hand)
        self._later(self.answer_s * self._dice.uniform(0.5, 1.5), "end", began, since)

    def _end(self, began: Began, since: float) -> None:
        self._in_hand -= 1
        self._in_flight -= 1
        self._served -= 1
        self.answered += 1
        if self._queue:
            self._serve(*self._queue.popleft())


def admit(limit: Limit, calls: int, seconds: float = 0.5, in_hand: int = 0) -> Iterator[int]:
    """Admit calls one after the other at a full limit; give the limit after each."""
    for _ in range(calls):
        limit.admitted(limit.begin(PROMPT, limit.value), seconds, is_full=True, in_hand=in_hand)
        yield limit.value


# --- Finding the limit -----------------------------------------------------------------------------------------


def test_a_provider_that_bears_32_is_found_to_within_a_second_and_a_half() -> None:
    """Half a second to the first token, as a provider that streams: 5, 10, 20, 32 and over."""
    provider = Provider(32, answer_s=10.0).play(1)
    reached = {value: at for at, value in reversed(provider.limit_at)}
    assert reached[10] <= 0.55 + 1e-9
    assert reached[20] <= 1.1 + 1e-9
    assert next(at for at, value in provider.limit_at if value >= 32) <= 1.65
    # Half a second each is what the clock of the simulation makes of 0.45 to 0.55.


@pytest.mark.parametrize("bears", range(1, 65))
def test_any_number_is_found_and_then_kept_to_within_half_and_one_more(bears: int) -> None:
    provider = Provider(bears, seed=bears)
    provider.play(40 * bears + 200)
    settled = provider.values[len(provider.values) // 2 :]
    assert bears // 2 <= min(settled)
    assert max(settled) <= bears + 1
    # Found: at the number itself, or past it, in the second half too.
    assert max(settled) >= bears


@pytest.mark.parametrize("bears", [1, 2, 3, 5, 8, 32])
def test_the_search_costs_few_refused_calls(bears: int) -> None:
    provider = Provider(bears).play(1_000)
    assert provider.refused <= 70


def test_a_limit_that_is_lowered_at_the_provider_is_followed() -> None:
    provider = Provider(32).play(300)
    provider.bears = 2
    provider.play(1_000)
    provider.values.clear()
    refused = provider.refused
    provider.play(2_000)
    assert max(provider.values) <= 3
    # That it bore 32 once does not make it a provider that refuses for some other reason.
    assert provider.refused - refused <= 70
    provider.bears = 32
    provider.play(7_000)
    assert max(provider.values) >= 32


@pytest.mark.parametrize("bears", [1, 5, 16])
def test_a_provider_that_lets_calls_queue_does_not_make_the_limit_rise_for_ever(bears: int) -> None:
    provider = Provider(bears, queues=True).play(3_000)
    assert max(provider.values) <= max(2 * bears, 6)
    assert provider.refused == 0


def test_chance_refusals_leave_some_calls_at_once() -> None:
    provider = Provider(1_000, refuses_share=0.12).play(2_000)
    assert sum(provider.values) / len(provider.values) >= 2


# --- The rule --------------------------------------------------------------------------------------------------


def test_at_first_each_admitted_call_adds_one() -> None:
    assert list(admit(Limit(5, 64), 5)) == [6, 7, 8, 9, 10]


def test_at_first_twice_what_the_provider_has_in_hand_is_tried() -> None:
    limit = Limit(5, 64)
    list(admit(limit, 1, in_hand=20))
    assert limit.value == 40


def test_after_congestion_a_limits_worth_of_calls_adds_one() -> None:
    limit = Limit(40, 64)
    began = limit.begin(PROMPT, 40)
    list(admit(limit, 1))  # all forty are borne, and one more
    limit.congested(began)
    assert limit.value == 20
    assert list(admit(limit, 20 + 21)) == [20] * 19 + [21] * 21 + [22]


def test_where_the_provider_bore_no_more_the_next_step_is_taken_with_care() -> None:
    limit = Limit(2, 64)
    limit.congested(limit.begin(PROMPT, 2))
    assert list(admit(limit, CAREFUL)) == [1] * (CAREFUL - 1) + [2]
    assert list(admit(limit, 2)) == [2, 3]


def test_a_number_that_it_mostly_bears_needs_no_care() -> None:
    limit = Limit(5, 5)
    list(admit(limit, 10))
    limit.congested(limit.begin(PROMPT, 5))
    assert list(admit(limit, 2 + 3 + 4)) == [2, 3, 3, 3, 4, 4, 4, 4, 5]


def test_signals_of_calls_that_began_before_the_last_decrease_do_not_count_again() -> None:
    limit = Limit(40, 64)
    before = [limit.begin(PROMPT, number + 1) for number in range(40)]
    assert [limit.congested(began) for began in before] == [True] + [False] * 39
    assert limit.value == 20
    for began in before:
        limit.admitted(began, 0.5, is_full=True, in_hand=40)
    assert limit.value == 20
    assert limit.congested(limit.begin(PROMPT, 20))
    assert limit.value == 10


def test_a_limit_that_is_not_used_does_not_rise() -> None:
    limit = Limit(5, 64)
    for _ in range(100):
        limit.admitted(limit.begin(PROMPT, 2), 0.5, is_full=False, in_hand=2)
    assert limit.value == 5


def test_a_start_over_the_ceiling_is_the_ceiling() -> None:
    assert Limit(9, 4).value == 4


@settings(max_examples=300)
@given(
    st.integers(1, 80),
    st.integers(1, 80),
    st.lists(
        st.tuples(
            st.sampled_from(["begin", "admitted", "congested"]),
            st.integers(0, 200),
            st.floats(0, 100),
            st.booleans(),
        ),
        max_size=200,
    ),
)
def test_whatever_happens_the_limit_stays_within_its_bounds_and_halves_once_a_round(
    start: int, ceiling: int, moves: list[tuple[str, int, float, bool]]
) -> None:
    limit = Limit(start, ceiling)
    begun: list[tuple[Began, int]] = []
    falls = 0
    for move, which, seconds, is_full in moves:
        before = limit.value
        if move == "begin":
            begun.append((limit.begin(which, which % 70), falls))
        elif begun and move == "admitted":
            limit.admitted(begun[which % len(begun)][0], seconds, is_full=is_full, in_hand=which % 70)
            assert before <= limit.value
        elif begun:
            began, falls_then = begun[which % len(begun)]
            fell = limit.congested(began)
            assert fell == (falls_then == falls)
            assert limit.value == (max(1, before // 2) if fell else before)
            falls += fell
        assert 1 <= limit.value <= ceiling


# --- Pace ------------------------------------------------------------------------------------------------------


def began(size: int = PROMPT, in_flight: int = 5) -> Began:
    return Limit(5, 64).begin(size, in_flight)


def test_a_provider_that_takes_over_twice_its_usual_time_does_not_keep_its_pace() -> None:
    pace = Pace()
    assert [pace.took(began(), seconds) for seconds in (1.0, 1.2, 0.8, 1.9, 2.5)] == [True] * 4 + [False]


def test_small_differences_are_noise() -> None:
    for seconds, kept in ((NOISE_SECONDS, True), (NOISE_SECONDS + 0.02, False)):
        pace = Pace()
        pace.took(began(), 0.01)
        assert pace.took(began(), seconds) is kept


def test_a_longer_prompt_is_not_held_against_shorter_ones() -> None:
    pace = Pace()
    pace.took(began(500), 0.3)
    assert pace.took(began(40_000), 3.0)
    assert not pace.took(began(500), 3.0)


def test_what_is_usual_follows_calls_that_were_alone_and_no_others() -> None:
    pace = Pace()
    for _ in range(50):
        pace.took(began(), 1.0)
    for step in range(200):
        pace.took(began(), 1.0 + step / 100)
    assert not pace.took(began(), 2.1)
    for _ in range(50):
        pace.took(began(in_flight=1), 3.0)
    assert pace.took(began(), 5.0)


def test_after_a_decrease_what_is_usual_is_learnt_anew() -> None:
    limit = Limit(8, 64)
    list(admit(limit, 8, seconds=0.5))
    limit.congested(limit.begin(PROMPT, 8))
    assert limit.value == 8
    # Five times slower than before, and yet it rises: nothing of ours is queued there now.
    assert list(admit(limit, 8, seconds=2.5))[-1] == 9


# --- Patience --------------------------------------------------------------------------------------------------


def patience_after(times: list[float], size: int = PROMPT, asked: int = PROMPT) -> float:
    pace = Pace()
    for seconds in times:
        pace.took(began(size), seconds)
    return pace.patience(asked, 30.0)


def test_patience_is_the_setting_until_enough_is_known() -> None:
    assert patience_after([0.5] * (LEAST_RECENT - 1)) == 30.0
    assert patience_after([0.5] * LEAST_RECENT) == LEAST_PATIENCE_SECONDS


def test_patience_is_ten_times_the_slowest_first_token_and_never_over_the_setting() -> None:
    assert patience_after([0.5] * 98 + [1.5]) == 15.0
    assert patience_after([0.5] * 98 + [4.0]) == 30.0
    assert patience_after([4.0] + [0.5] * 100) == LEAST_PATIENCE_SECONDS


def test_patience_with_a_long_prompt_is_not_learnt_from_short_ones() -> None:
    assert patience_after([0.5] * 50, size=1_000, asked=40_000) == 30.0
