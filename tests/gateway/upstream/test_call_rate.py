"""In any minute no more calls begin than are allowed; a refused one does not count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.upstream.call_rate import MINUTE_SECONDS, CallRate
from gateway.upstream.errors import UpstreamError

WAITS = st.lists(st.sampled_from([0.0, 0.5, 1.0, 29.0, 60.0]), max_size=60)


@given(WAITS, st.integers(1, 5))
def test_no_minute_has_more_calls_than_are_allowed_and_no_call_is_refused_without_need(
    waits: list[float], most: int
) -> None:
    now = 0.0
    rate = CallRate(most, lambda: now)
    begun: list[float] = []
    for wait in waits:
        now += wait
        within = [each for each in begun if each > now - MINUTE_SECONDS]
        if len(within) < most:
            rate.count()
            begun.append(now)
        else:
            with pytest.raises(UpstreamError, match=f"it may be called {most} times a minute"):
                rate.count()


def test_without_a_rate_any_number_of_calls_may_begin() -> None:
    rate = CallRate(None, lambda: 0.0)
    for _ in range(1_000):
        rate.count()
