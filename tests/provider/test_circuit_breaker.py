"""The circuit breaker: when it opens, for how long, and its trial requests."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from provider.circuit_breaker import MAX_OPEN_SECONDS, CircuitBreaker
from tests.support.laws import examples


def a_breaker(failures: int = 3, seconds: float = 5.0) -> CircuitBreaker:
    """Return a breaker whose waits are the longest that the dice allow."""
    return CircuitBreaker(failures, seconds, lambda low, high: high)


def allow(breaker: CircuitBreaker, now: float) -> int:
    openings = breaker.allow(now)
    assert openings is not None
    return openings


def fail(breaker: CircuitBreaker, times: int, now: float = 0.0) -> None:
    for _ in range(times):
        breaker.on_failure(allow(breaker, now), now)


def test_the_set_number_of_failures_in_a_row_opens_it() -> None:
    breaker = a_breaker(3)
    fail(breaker, 2)
    assert breaker.state == "closed"
    fail(breaker, 1, now=1.0)
    assert (breaker.state, breaker.retry_at, breaker.failing_since) == ("open", 6.0, 0.0)
    assert breaker.allow(5.9) is None


def test_a_success_in_between_resets_the_count() -> None:
    breaker = a_breaker(3)
    fail(breaker, 2)
    breaker.on_success(allow(breaker, 0.0))
    fail(breaker, 2, now=9.0)
    assert breaker.state == "closed"
    fail(breaker, 1, now=9.5)
    assert (breaker.state, breaker.failing_since) == ("open", 9.0)


def test_a_rejected_call_neither_resets_the_count_nor_adds_to_it() -> None:
    breaker = a_breaker(3)
    for _ in range(2):
        fail(breaker, 1)
        breaker.on_reachable(allow(breaker, 0.0))
    assert breaker.state == "closed"
    fail(breaker, 1)
    assert breaker.state == "open"


def test_failures_while_other_calls_are_answered_do_not_open_it() -> None:
    breaker = a_breaker(1)
    assert not breaker.on_failure(allow(breaker, 0.0), 0.0, answers_others=True)
    assert breaker.state == "closed"


def test_one_trial_call_goes_through_and_its_success_closes() -> None:
    breaker = a_breaker(1)
    fail(breaker, 1)
    probe = allow(breaker, 5.0)
    assert breaker.state == "half-open"
    assert breaker.allow(5.0) is None
    breaker.on_success(probe)
    assert breaker.state == "closed"
    assert breaker.allow(5.0) is not None
    # The first wait again, not the next.
    fail(breaker, 1, now=10.0)
    assert breaker.retry_at == 15.0


def test_each_failed_trial_doubles_the_open_time_up_to_the_maximum() -> None:
    breaker = a_breaker(1, seconds=2.0)
    now, waits = 0.0, []
    for _ in range(6):
        # With others still being answered too: what the one says counts.
        breaker.on_failure(allow(breaker, now), now, answers_others=now > 0)
        waits.append((breaker.retry_at or 0.0) - now)
        now = breaker.retry_at or 0.0
    assert waits == [2.0, 4.0, 8.0, MAX_OPEN_SECONDS, MAX_OPEN_SECONDS, MAX_OPEN_SECONDS]


def test_an_open_time_set_above_the_maximum_is_kept() -> None:
    breaker = a_breaker(1, seconds=90.0)
    fail(breaker, 1)
    fail(breaker, 1, now=90.0)
    assert breaker.retry_at == 180.0


def test_half_of_each_open_time_is_random() -> None:
    breaker = CircuitBreaker(1, 8.0, lambda low, high: low)
    fail(breaker, 1)
    assert breaker.retry_at == 4.0


def test_a_rejected_trial_shows_that_the_provider_is_reachable() -> None:
    breaker = a_breaker(1)
    fail(breaker, 1)
    breaker.on_reachable(allow(breaker, 5.0))
    assert breaker.state == "closed"


def test_after_a_trial_without_a_result_the_next_call_is_the_trial() -> None:
    breaker = a_breaker(1)
    fail(breaker, 1)
    breaker.on_unknown(allow(breaker, 5.0))
    assert breaker.state == "open"
    breaker.on_success(allow(breaker, 5.0))
    assert breaker.state == "closed"


def test_results_of_calls_from_before_it_opened_are_ignored() -> None:
    breaker = a_breaker(1)
    before = [allow(breaker, 0.0) for _ in range(5)]
    breaker.on_failure(before[0], 0.0)
    breaker.on_failure(before[1], 1.0)
    breaker.on_success(before[2])
    assert (breaker.state, breaker.retry_at) == ("open", 5.0)
    probe = allow(breaker, 5.0)
    breaker.on_unknown(before[3])
    breaker.on_reachable(before[4])
    assert breaker.state == "half-open"
    assert [breaker.has_opened_since(openings) for openings in (before[0], probe)] == [True, False]


@examples(300)
@given(
    st.integers(1, 5),
    st.lists(
        st.tuples(
            st.sampled_from(["ask", "on_success", "on_failure", "on_reachable", "on_unknown", "wait"]),
            st.integers(0, 30),
        ),
        max_size=150,
    ),
)
def test_it_opens_only_after_a_row_of_failures_and_never_allows_two_trials(
    failures: int, moves: list[tuple[str, int]]
) -> None:
    breaker, now = a_breaker(failures), 0.0
    out: list[tuple[int, bool]] = []
    row = 0
    for move, which in moves:
        if move == "wait":
            now += which
        elif move == "ask":
            state, retry_at = breaker.state, breaker.retry_at
            openings = breaker.allow(now)
            assert (openings is None) == (state == "half-open" or (retry_at is not None and now < retry_at))
            if openings is not None:
                out.append((openings, state == "open"))
        elif out:
            openings, asks = out.pop(which % len(out))
            was, valid = breaker.state, not breaker.has_opened_since(openings)
            if move == "on_failure":
                opened = breaker.on_failure(openings, now)
                row += valid and was == "closed"
                assert opened == (valid and (asks or row == failures))
                row = 0 if opened else row
            else:
                getattr(breaker, move)(openings)
                row = 0 if valid and (move == "on_success") else row
            assert valid or breaker.state == was
        assert (
            sum(not breaker.has_opened_since(openings) for openings, _ in out) <= 1
            or breaker.state == "closed"
        )
