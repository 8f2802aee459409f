"""The event loop's lag: each stall is recorded, for as long as it lasted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from observability.loop_lag import LoopLag

PERIOD = 0.5
WINDOW = 5.0
KEPT = 10


class Clock:
    """A loop of which a test says what time it is; what is due is called back when the test lets it."""

    def __init__(self) -> None:
        self.now = 100.0
        self.due: list[tuple[float, Callable[[], None], asyncio.TimerHandle]] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, (), asyncio.get_running_loop())
        self.due.append((when, callback, handle))
        return handle

    def wake(self, late: float) -> None:
        """Let what is due next happen so much later."""
        when, callback, handle = self.due.pop(0)
        assert not handle.cancelled()
        self.now = when + late
        callback()


@pytest.fixture
def lags() -> tuple[LoopLag, list[float]]:
    seen: list[float] = []
    return LoopLag(seen.append, period=PERIOD, window=WINDOW), seen


Seen = tuple[LoopLag, list[float]]


async def test_each_timer_records_its_lag(lags: Seen) -> None:
    clock = Clock()
    with lags[0].measured(clock):
        for late in (0.0, 0.25, 0.125):
            clock.wake(late)
    assert lags[1] == [0.0, 0.25, 0.125]


async def test_one_lag_does_not_add_to_the_next(lags: Seen) -> None:
    clock = Clock()
    with lags[0].measured(clock):
        clock.wake(0.25)
        assert clock.due[0][0] == 101.0


async def test_a_stall_counts_for_every_timer_that_it_missed(lags: Seen) -> None:
    clock = Clock()
    with lags[0].measured(clock):
        clock.wake(1.75)
        assert lags[1] == [1.75, 1.25, 0.75, 0.25]
        clock.wake(0.0)
        assert lags[1][4:] == [0.0]


async def test_a_suspension_of_a_day_counts_for_at_most_one_window(lags: Seen) -> None:
    clock = Clock()
    with lags[0].measured(clock):
        clock.wake(86_400.0)
        assert len(lags[1]) == KEPT
        assert lags[0].quantile(0.0) > 86_390
        clock.wake(0.0)
        assert lags[1][KEPT:] == [0.0]


async def test_a_timer_that_fires_early_has_no_lag(lags: Seen) -> None:
    clock = Clock()
    with lags[0].measured(clock):
        clock.wake(-0.001)
    assert lags[1] == [0.0]


async def test_nothing_is_measured_after_the_end(lags: Seen) -> None:
    clock = Clock()
    with lags[0].measured(clock):
        clock.wake(0.0)
    assert [handle.cancelled() for _, _, handle in clock.due] == [True]


def test_before_the_first_timer_there_is_no_lag(lags: Seen) -> None:
    assert lags[0].quantile(0.99) == 0.0


@given(st.lists(st.floats(0, PERIOD, exclude_max=True), min_size=1, max_size=3 * KEPT), st.floats(0, 1))
def test_a_quantile_is_the_smallest_lag_that_its_share_does_not_exceed(
    observed: list[float], share: float
) -> None:
    lags = LoopLag(period=PERIOD, window=WINDOW)
    for lag in observed:
        lags.record(0.0, lag)
    last = observed[-KEPT:]
    found = lags.quantile(share)
    assert found in last
    assert sum(lag <= found for lag in last) >= share * len(last)
    assert sum(lag < found for lag in last) < max(share * len(last), 1)


async def test_work_that_blocks_a_real_event_loop_is_recorded() -> None:
    loop = asyncio.get_running_loop()
    seen: asyncio.Queue[float] = asyncio.Queue()
    lags = LoopLag(seen.put_nowait)
    with lags.measured(loop):
        until = loop.time() + 0.2
        while loop.time() < until:
            pass
        async with asyncio.timeout(30):
            assert 0.1 < await seen.get() == lags.quantile(1.0)
