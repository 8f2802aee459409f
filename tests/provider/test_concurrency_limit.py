"""The adaptive concurrency limit, against simulated providers: no socket, no clock, no sleep."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.service.limit_trials import BEARS, MOST_REFUSED, PROMPT, Provider, known_limit
from provider.concurrency_limit import (
    BASELINE_SAMPLES,
    KNOWN_LIMIT_DECREASE,
    MAX_TOLERANCE,
    MIN_RECENT,
    MIN_REQUESTS_BEFORE_REFUSED_NUMBER,
    MIN_TIMEOUT_SECONDS,
    NOISE_SECONDS,
    ConcurrencyLimit,
    FirstTokenLatency,
    RequestStart,
)
from tests.support.laws import examples


def admit(limit: ConcurrencyLimit, requests: int, seconds: float = 0.5, streaming: int = 0) -> Iterator[int]:
    """Admit requests one after the other at a full limit; give the limit after each."""
    for _ in range(requests):
        limit.on_first_token(
            limit.start_request(PROMPT, limit.value), seconds, is_full=True, streaming=streaming
        )
        yield limit.value


# --- Finding the limit -----------------------------------------------------------------------------------------


def test_a_limit_of_32_is_found_within_a_second_and_a_half() -> None:
    """Half a second to the first token, as a provider that streams: 5, 10, 20, 32 and over."""
    provider = Provider(32, answer_s=10.0).play(1)
    reached = {value: at for at, value in reversed(provider.limit_at)}
    assert reached[10] <= 0.55 + 1e-9
    assert reached[20] <= 1.1 + 1e-9
    assert next(at for at, value in provider.limit_at if value >= 32) <= 1.65
    # Half a second each is what the clock of the simulation makes of 0.45 to 0.55.


@pytest.mark.unmeasured
@pytest.mark.parametrize("bears", range(1, 65))
def test_any_limit_is_found_and_then_kept_between_half_and_one_above(bears: int) -> None:
    provider = Provider(bears, seed=bears)
    provider.play(40 * bears + 200)
    settled = provider.values[len(provider.values) // 2 :]
    assert bears // 2 <= min(settled)
    assert max(settled) <= bears + 1
    # Found: at the number itself, or past it, in the second half too.
    assert max(settled) >= bears


@pytest.mark.parametrize("bears", [1, 2, 3, 5, 8, 32])
def test_finding_the_limit_costs_few_refused_calls(bears: int) -> None:
    provider = Provider(bears).play(1_000)
    assert provider.refused <= 70


def test_a_provider_that_lowers_its_limit_is_followed() -> None:
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
def test_a_provider_that_queues_calls_does_not_raise_the_limit_for_ever(bears: int) -> None:
    provider = Provider(bears, queues=True).play(3_000)
    assert max(provider.values) <= max(2 * bears, 6)
    assert provider.refused == 0


@pytest.mark.parametrize("initial", [1, 5])
@pytest.mark.parametrize("odd_s", [0.01, 0.1, 5.0])
def test_one_odd_first_token_does_not_hold_the_limit_down(odd_s: float, initial: int) -> None:
    provider = Provider(64, initial=initial, odd_first_tokens_s=[odd_s]).play(300)
    assert provider.limit.value >= 32


def test_a_provider_that_gets_worse_is_followed_within_some_refusals() -> None:
    provider = Provider(32).play(600)
    refused, before = provider.refused, len(provider.values)
    provider.bears = 4
    provider.play(700)
    assert provider.refused - refused <= 40
    until = next(at for at, value in enumerate(provider.values[before:]) if value <= 4)
    # The requests that are in flight are answered meanwhile; none of them is refused.
    assert until <= 60


@pytest.mark.parametrize("lowest", [1, 2, 8])
def test_an_outage_is_not_taken_for_a_limit(lowest: int) -> None:
    """It refuses all requests until the limit is that low, and then bears as many as before: no step up needs care."""
    provider = Provider(64).play(1_000)
    provider.bears = 0
    provider.play_until(lambda: provider.limit.value == lowest)
    provider.bears = 64
    # A limit's worth of requests for each step takes about three seconds and a half.
    provider.play_for(4.0 * 10)
    assert provider.limit.value >= lowest + 10


@pytest.mark.parametrize("bears", [32, 1_000])
def test_random_refusals_and_hangs_leave_the_limit_near_the_providers(bears: int) -> None:
    """One request in ten refused and one in fifty left to hang, from the first one on."""
    providers = [
        Provider(bears, refuses_share=0.1, hangs_share=0.02, seed=seed).play(350) for seed in range(20)
    ]
    assert mean(provider.mean_limit() for provider in providers) >= 20
    assert min(provider.mean_limit() for provider in providers) >= 10
    assert max(provider.refused_share for provider in providers) <= 0.25
    # 32 at once, with nothing lost, would take 38 seconds of three and a half each.
    assert mean(provider.now for provider in providers) <= 90


@pytest.mark.unmeasured
def test_random_refusals_do_not_hide_a_real_limit() -> None:
    for seed in range(20):
        provider = Provider(16, refuses_share=0.1, seed=seed).play(1_000)
        late = provider.values[len(provider.values) // 2 :]
        assert max(late) <= 20
        assert provider.refused_share <= 0.2


@pytest.mark.parametrize("calls_per_s, most_refused", [(1, 0.3), (3, 0.12), (8, 0.05)])
def test_a_rate_limit_is_met_with_few_refusals(calls_per_s: float, most_refused: float) -> None:
    """By requests that are sent again at once: the fewer can be in flight, the more of them meet the same empty second."""
    provider = Provider(1_000, calls_per_s=calls_per_s, ceiling=200).play(1_000)
    assert provider.refused_share <= most_refused
    # As many as it lets pass take three and a half seconds each.
    assert 0.7 <= provider.mean_limit() / (3.5 * calls_per_s) <= 1.3


def test_refusals_of_every_second_call_lower_the_limit_to_a_few() -> None:
    provider = Provider(1_000, refuses_share=0.5).play(1_000)
    assert provider.mean_limit() <= 3


# --- The rule --------------------------------------------------------------------------------------------------


def test_in_slow_start_each_admitted_call_adds_one() -> None:
    assert list(admit(ConcurrencyLimit(5, 64), 5)) == [6, 7, 8, 9, 10]


def test_in_slow_start_the_limit_is_twice_the_streaming_calls() -> None:
    limit = ConcurrencyLimit(5, 64)
    list(admit(limit, 1, streaming=20))
    assert limit.value == 40


def settled(value: int) -> ConcurrencyLimit:
    """Return a limit whose search is over: the provider bore one request, and refused four times as many, twice."""
    limit = ConcurrencyLimit(4 * value, 4 * value)
    assert refuse_all_but_one(limit, [4 * value] * 2) == [True, True]
    return limit


def refuse_all_but_one(limit: ConcurrencyLimit, numbers: list[int]) -> list[bool]:
    """Admit a request that is alone, and refuse one at each of so many in flight; return whether the limit fell each time."""
    fell = []
    for number in numbers:
        limit.on_first_token(limit.start_request(PROMPT, 1), 0.5, is_full=False, streaming=1)
        fell.append(limit.on_congestion(limit.start_request(PROMPT, number)))
    return fell


def test_after_slow_start_a_limits_worth_of_calls_adds_one() -> None:
    assert list(admit(settled(20), 20 + 21)) == [20] * 19 + [21] * 21 + [22]


def test_one_refusal_halves_but_does_not_end_slow_start() -> None:
    limit = ConcurrencyLimit(40, 64)
    assert limit.on_congestion(limit.start_request(PROMPT, 40))
    assert limit.value == 20
    assert list(admit(limit, 2)) == [21, 22]


def test_a_second_refusal_of_the_same_number_ends_slow_start() -> None:
    limit = ConcurrencyLimit(8, 64)
    refuse_all_but_one(limit, [8])
    assert list(admit(limit, 4)) == [5, 6, 7, 8]
    limit.on_congestion(limit.start_request(PROMPT, 8))
    assert list(admit(limit, 4)) == [4, 4, 4, 5]


def test_a_number_that_was_admitted_since_does_not_end_slow_start() -> None:
    limit = ConcurrencyLimit(8, 64)
    refuse_all_but_one(limit, [8])
    assert list(admit(limit, 5)) == [5, 6, 7, 8, 9]
    limit.on_congestion(limit.start_request(PROMPT, 9))
    assert list(admit(limit, 2)) == [5, 6]


def test_the_refused_number_is_tried_again_only_after_many_calls() -> None:
    limit = ConcurrencyLimit(2, 64)
    refuse_all_but_one(limit, [2, 2])
    assert list(admit(limit, MIN_REQUESTS_BEFORE_REFUSED_NUMBER)) == [1] * (
        MIN_REQUESTS_BEFORE_REFUSED_NUMBER - 1
    ) + [2]
    assert list(admit(limit, 2)) == [2, 3]


def test_refusals_of_an_admitted_number_are_chance_up_to_the_tolerance() -> None:
    limit = ConcurrencyLimit(8, 8)
    list(admit(limit, 100))
    refusals = [limit.on_congestion(limit.start_request(PROMPT, 8)) for _ in range(7)]
    assert refusals == [False] * int(MAX_TOLERANCE) + [True]
    assert limit.value == 4
    # No care is needed before eight are tried again: it does not mind the number. But the search is over.
    assert list(admit(limit, 4 + 5 + 6 + 7))[-2:] == [7, 8]


def test_with_few_calls_in_flight_fewer_refusals_are_tolerated() -> None:
    limit = ConcurrencyLimit(2, 2)
    list(admit(limit, 100))
    assert [limit.on_congestion(limit.start_request(PROMPT, 2)) for _ in range(3)] == [False, False, True]


@pytest.mark.parametrize("admitted, has_fallen", [(4, False), (3, True)])
def test_one_refused_call_in_five_is_tolerated_for_ever_and_one_in_four_is_not(
    admitted: int, has_fallen: bool
) -> None:
    limit = ConcurrencyLimit(8, 8)
    list(admit(limit, 8))
    falls = 0
    for _ in range(30):
        falls += limit.on_congestion(limit.start_request(PROMPT, 8))
        list(admit(limit, admitted))
    assert (falls > 0) is has_fallen


def test_random_refusals_are_tolerated_at_a_greater_number_too() -> None:
    limit = ConcurrencyLimit(8, 64)
    list(admit(limit, 8))
    assert limit.value == 16
    assert not limit.on_congestion(limit.start_request(PROMPT, 3))
    assert not limit.on_congestion(limit.start_request(PROMPT, 16))
    assert limit.value == 16


def test_a_refused_number_that_was_never_admitted_halves_at_once() -> None:
    limit = ConcurrencyLimit(8, 64)
    list(admit(limit, 8))
    assert limit.on_congestion(limit.start_request(PROMPT, 16))
    assert limit.value == 8


def test_without_admissions_every_epoch_halves_at_its_first_refusal() -> None:
    limit = ConcurrencyLimit(64, 64)
    list(admit(limit, 100))
    while not limit.on_congestion(limit.start_request(PROMPT, 64)):
        pass
    values = []
    for _ in range(6):
        assert limit.on_congestion(limit.start_request(PROMPT, limit.value))
        values.append(limit.value)
    assert values == [16, 8, 4, 2, 1, 1]


def test_slow_start_may_attain_the_ceiling_and_a_known_limit_its_value() -> None:
    assert ConcurrencyLimit(5, 64).expected_concurrency == 64
    assert settled(20).expected_concurrency == 20


def test_a_number_that_was_refused_once_is_not_attainable() -> None:
    limit = ConcurrencyLimit(40, 64)
    limit.on_first_token(limit.start_request(PROMPT, 20), 0.5, is_full=False, streaming=1)
    assert limit.on_congestion(limit.start_request(PROMPT, 33))
    assert (limit.value, limit.expected_concurrency) == (20, 32)


def test_with_a_provider_that_queues_calls_the_present_limit_is_attainable() -> None:
    provider = Provider(5, queues=True).play(300)
    assert provider.limit.expected_concurrency == provider.limit.value <= 10


def test_a_known_limit_falls_to_85_per_cent() -> None:
    limit = settled(20)
    assert refuse_at_the_edge(limit, 20, 21)
    assert limit.value == 17


def test_a_number_that_was_refused_before_may_be_admitted_once_without_halving_the_limit() -> None:
    """A request that ends at that moment makes room for one more."""
    limit = settled(20)
    refuse_at_the_edge(limit, 20, 21)
    assert refuse_at_the_edge(limit, 21, 21)
    assert limit.value == 14
    assert refuse_at_the_edge(limit, 20, 20)
    assert limit.value == 7  # a smaller number, which was admitted: it is refused for another reason


def refuse_at_the_edge(limit: ConcurrencyLimit, admitted: int, refused: int) -> bool:
    """Admit a request with so many in flight, and refuse one until that is no chance any more; return whether the limit fell."""
    limit.on_first_token(limit.start_request(PROMPT, admitted), 0.5, is_full=False, streaming=1)
    return any(
        limit.on_congestion(limit.start_request(PROMPT, refused)) for _ in range(int(MAX_TOLERANCE) + 1)
    )


@pytest.mark.unmeasured
@pytest.mark.parametrize("bears", sorted(BEARS))
def test_a_known_limit_gives_nine_tenths_of_the_answers_that_the_provider_could_give(bears: int) -> None:
    found = known_limit(bears)
    assert found.answers_per_s >= BEARS[bears] * found.most_per_s
    assert found.refused_share <= MOST_REFUSED


def test_calls_from_before_the_last_decrease_do_not_lower_the_limit_again() -> None:
    limit = ConcurrencyLimit(40, 64)
    before = [limit.start_request(PROMPT, number + 1) for number in range(40)]
    assert [limit.on_congestion(start) for start in reversed(before)] == [True] + [False] * 39
    assert limit.value == 20
    for start in before[:39]:
        limit.on_first_token(start, 0.5, is_full=True, streaming=40)
    assert limit.value == 20
    assert limit.on_congestion(limit.start_request(PROMPT, 20))
    assert limit.value == 10


def test_a_spurious_decrease_is_undone() -> None:
    limit = ConcurrencyLimit(5, 64)
    before = [limit.start_request(PROMPT, number + 1) for number in range(5)]
    assert limit.on_congestion(before[2])
    assert limit.value == 2
    limit.on_first_token(before[1], 0.5, is_full=True, streaming=1)
    assert limit.value == 2  # two are fewer than the three that were refused
    limit.on_first_token(before[3], 0.5, is_full=False, streaming=2)
    assert limit.value == 5
    # It is known to refuse by chance now, and the search goes on.
    assert not limit.on_congestion(limit.start_request(PROMPT, 5))
    assert list(admit(limit, 2)) == [6, 7]


def test_a_decrease_is_undone_only_once() -> None:
    limit = ConcurrencyLimit(8, 8)
    before = [limit.start_request(PROMPT, 8) for _ in range(40)]
    assert limit.on_congestion(before[0])
    limit.on_first_token(before[1], 0.5, is_full=True, streaming=1)
    assert limit.value == 8
    while not limit.on_congestion(before[2]):
        pass
    # What refuses that many is no chance: though a request is admitted, it stays as it fell.
    limit.on_first_token(before[3], 0.5, is_full=True, streaming=1)
    assert limit.value == 4


def test_a_limit_that_is_not_used_up_does_not_rise() -> None:
    limit = ConcurrencyLimit(5, 64)
    for _ in range(100):
        limit.on_first_token(limit.start_request(PROMPT, 2), 0.5, is_full=False, streaming=2)
    assert limit.value == 5


def test_an_initial_limit_above_the_ceiling_is_the_ceiling() -> None:
    assert ConcurrencyLimit(9, 4).value == 4


@examples(300)
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
def test_the_limit_always_stays_within_its_bounds_and_falls_once_an_epoch(
    initial: int, ceiling: int, moves: list[tuple[str, int, float, bool]]
) -> None:
    limit = ConcurrencyLimit(initial, ceiling)
    starts: list[RequestStart] = []
    fallen: set[int] = set()
    for move, which, seconds, is_full in moves:
        before = limit.value
        if move == "begin":
            starts.append(limit.start_request(which, 1 + which % 70))
        elif starts and move == "admitted":
            limit.on_first_token(starts[which % len(starts)], seconds, is_full=is_full, streaming=which % 70)
            assert before <= limit.value
            fallen.clear()  # a fall may have been taken back
        elif starts:
            start = starts[which % len(starts)]
            fell = limit.on_congestion(start)
            assert not (fell and start.epoch in fallen)
            falls_to = {max(1, before // 2), max(1, int(before * KNOWN_LIMIT_DECREASE))}
            assert limit.value in (falls_to if fell else {before})
            fallen |= {start.epoch} if fell else set()
        assert 1 <= limit.value <= ceiling


# --- FirstTokenLatency ------------------------------------------------------------------------------------------------------


def a_start(size: int = PROMPT, in_flight: int = 5) -> RequestStart:
    return ConcurrencyLimit(5, 64).start_request(size, in_flight)


def test_a_time_over_twice_the_baseline_is_slow() -> None:
    latency = FirstTokenLatency()
    assert [latency.record(a_start(), seconds) for seconds in (1.0, 1.2, 0.8, 1.9, 2.5)] == [True] * 4 + [
        False
    ]


@pytest.mark.parametrize("odd_s", [0.1, 60.0])
@pytest.mark.parametrize("place", range(BASELINE_SAMPLES))
def test_one_outlier_among_the_first_does_not_become_the_baseline(place: int, odd_s: float) -> None:
    latency = FirstTokenLatency()
    for at in range(BASELINE_SAMPLES):
        latency.record(a_start(), odd_s if at == place else 2.0)
    assert [latency.record(a_start(), seconds) for seconds in (3.9, 4.1)] == [True, False]


def test_differences_below_the_noise_are_not_slow() -> None:
    for seconds, kept in ((NOISE_SECONDS, True), (NOISE_SECONDS + 0.02, False)):
        latency = FirstTokenLatency()
        latency.record(a_start(), 0.01)
        assert latency.record(a_start(), seconds) is kept


def test_longer_prompts_have_their_own_baseline() -> None:
    latency = FirstTokenLatency()
    latency.record(a_start(500), 0.3)
    assert latency.record(a_start(40_000), 3.0)
    assert not latency.record(a_start(500), 3.0)


def test_the_baseline_follows_only_calls_that_ran_alone() -> None:
    latency = FirstTokenLatency()
    for _ in range(50):
        latency.record(a_start(), 1.0)
    for step in range(200):
        latency.record(a_start(), 1.0 + step / 100)
    assert not latency.record(a_start(), 2.1)
    for _ in range(50):
        latency.record(a_start(in_flight=1), 3.0)
    assert latency.record(a_start(), 5.0)


def test_after_a_decrease_the_baseline_is_learnt_anew() -> None:
    limit = ConcurrencyLimit(8, 64)
    list(admit(limit, 8, seconds=0.5))
    limit.on_congestion(limit.start_request(PROMPT, 16))
    assert limit.value == 8
    # Five times slower than before, and yet it rises: nothing of ours is queued there now.
    assert list(admit(limit, 1, seconds=2.5)) == [9]


# --- Patience --------------------------------------------------------------------------------------------------


def timeout_after(times: list[float], size: int = PROMPT, asked: int = PROMPT) -> float:
    latency = FirstTokenLatency()
    for seconds in times:
        latency.record(a_start(size), seconds)
    return latency.timeout(asked, 30.0)


def test_the_timeout_is_the_setting_until_there_are_enough_samples() -> None:
    assert timeout_after([0.5] * (MIN_RECENT - 1)) == 30.0
    assert timeout_after([0.5] * MIN_RECENT) == MIN_TIMEOUT_SECONDS


def test_the_timeout_is_ten_times_the_slowest_first_token_and_never_above_the_setting() -> None:
    assert timeout_after([0.5] * 98 + [1.5]) == 15.0
    assert timeout_after([0.5] * 98 + [4.0]) == 30.0
    assert timeout_after([4.0] + [0.5] * 100) == MIN_TIMEOUT_SECONDS


def test_the_timeout_of_long_prompts_is_not_learnt_from_short_ones() -> None:
    assert timeout_after([0.5] * 50, size=1_000, asked=40_000) == 30.0
