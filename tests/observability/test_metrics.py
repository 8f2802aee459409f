"""Counters, gauges and histograms: the exposition has what was counted, whatever the label values."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from observability.metrics import (
    CallbackCounter,
    Counter,
    Family,
    Gauge,
    Histogram,
    counter_of,
    exposition,
    gauge_of,
)
from tests.support.scrapes import Numbers, read

FINITE = st.floats(allow_nan=False, allow_infinity=False, width=32)
BOUNDS = st.lists(FINITE, min_size=1, max_size=8, unique=True).map(sorted)


def numbers_of(*families: Family) -> Numbers:
    return Numbers(read(exposition(families)))


def test_the_text_is_the_one_that_prometheus_documents() -> None:
    calls = Counter("calls_total", "Calls.", ("tool", "status"))
    calls.add(1, "a", "ok")
    calls.add(2, "a", "ok")
    calls.add(0.5, 'b"\\\n', "ok")
    seconds = Histogram("call_seconds", "Time\nof \\ calls.", (0.5, 2))
    for number in (0.5, 1, 7):
        seconds.observe(number)
    assert exposition([calls, seconds]) == (
        "# HELP calls_total Calls.\n"
        "# TYPE calls_total counter\n"
        'calls_total{tool="a",status="ok"} 3\n'
        'calls_total{tool="b\\"\\\\\\n",status="ok"} 0.5\n'
        "# HELP call_seconds Time\\nof \\\\ calls.\n"
        "# TYPE call_seconds histogram\n"
        'call_seconds_bucket{le="0.5"} 1\n'
        'call_seconds_bucket{le="2"} 2\n'
        'call_seconds_bucket{le="+Inf"} 3\n'
        "call_seconds_sum 8.5\n"
        "call_seconds_count 3\n"
    )


def test_without_any_family_the_text_is_empty() -> None:
    assert exposition([]) == ""


@given(st.lists(st.tuples(st.text(), FINITE.map(abs))))
def test_any_label_value_is_exported_with_its_sum(added: list[tuple[str, float]]) -> None:
    counter = Counter("x_total", "x", ("label",))
    sums: dict[str, float] = {}
    for label, amount in added:
        counter.add(amount, label)
        sums[label] = sums.get(label, 0.0) + amount
    samples = read(exposition([counter]))["x_total"].samples
    assert samples == {("x_total", frozenset({("label", label)})): total for label, total in sums.items()}


def test_a_label_with_lone_surrogates_is_exported_without_them() -> None:
    counter = Counter("x_total", "x", ("label",))
    counter.add(1, "a\udc80")
    assert numbers_of(counter).of("x_total", label="a?") == 1


@given(BOUNDS, st.lists(st.integers(-1_000, 1_000)))
def test_each_bucket_counts_what_is_at_most_its_bound(bounds: list[float], observed: list[int]) -> None:
    histogram = Histogram("x_seconds", "x", bounds, ("label",))
    for number in observed:
        histogram.observe(number, "a")
    if not observed:
        assert numbers_of(histogram).families["x_seconds"].samples == {}
        return
    numbers = numbers_of(histogram)
    for bound in bounds:
        counted = numbers.of("x_seconds_bucket", label="a", le=repr(bound))
        assert counted == sum(number <= bound for number in observed)
    assert numbers.of("x_seconds_bucket", label="a", le="+Inf") == len(observed)
    assert numbers.of("x_seconds_count", label="a") == len(observed)
    assert numbers.of("x_seconds_sum", label="a") == sum(observed)


def test_labels_keep_their_numbers_apart() -> None:
    histogram = Histogram("x_seconds", "x", (1,), ("tool",))
    histogram.observe(0.5, "a")
    histogram.observe(3, "b")
    numbers = numbers_of(histogram)
    assert (numbers.of("x_seconds_sum", tool="a"), numbers.of("x_seconds_sum", tool="b")) == (0.5, 3)
    assert numbers.of("x_seconds_bucket", tool="b", le="1") == 0


def test_a_counter_and_a_histogram_without_labels_are_there_from_the_start() -> None:
    numbers = numbers_of(Counter("x_total", "x"), Histogram("y_seconds", "y", (1,)))
    assert (numbers.of("x_total"), numbers.of("y_seconds_count"), numbers.of("y_seconds_sum")) == (0, 0, 0)


def test_known_labels_start_at_zero() -> None:
    assert numbers_of(Counter("x_total", "x", ("code",), known=[("503",)])).of("x_total", code="503") == 0


@pytest.mark.parametrize("amount", [-1, -0.1, math.nan])
def test_a_counter_never_falls(amount: float) -> None:
    counter = Counter("x_total", "x")
    with pytest.raises(ValueError, match="x_total: expected at least 0"):
        counter.add(amount)


def test_callback_metrics_are_read_at_each_scrape() -> None:
    kept: dict[tuple[str, ...], float] = {("a",): 1.0}
    now = [1.0]
    families = [
        Gauge("g", "g", ("label",), lambda: kept),
        CallbackCounter("c_total", "c", ("label",), lambda: kept),
        gauge_of("h", "h", lambda: now[0]),
        counter_of("d_total", "d", lambda: now[0]),
    ]
    exposition(families)
    kept["a",], kept["b",], now[0] = 5, math.inf, -math.inf
    numbers = numbers_of(*families)
    assert (numbers.of("g", label="a"), numbers.of("c_total", label="b")) == (5, math.inf)
    assert (numbers.of("h"), numbers.of("d_total")) == (-math.inf, -math.inf)
    assert [family.kind for family in numbers.families.values()] == ["gauge", "counter", "gauge", "counter"]


def test_a_gauge_may_have_no_sample() -> None:
    assert numbers_of(Gauge("g", "g", (), dict)).families["g"].samples == {}
    assert math.isnan(numbers_of(gauge_of("g", "g", lambda: math.nan)).of("g"))


def test_a_boolean_is_written_as_a_number() -> None:
    now = 2
    assert numbers_of(gauge_of("g", "g", lambda: now > 1)).of("g") == 1


@pytest.mark.parametrize(
    "name, label", [("1x", "a"), ("x y", "a"), ("x", "a-b"), ("x", "le"), ("", "a"), ("é", "a")]
)
def test_a_name_that_prometheus_does_not_accept_is_refused(name: str, label: str) -> None:
    with pytest.raises(ValueError, match="expected letters, digits and _"):
        Counter(name, "x", (label,))


@pytest.mark.parametrize("bounds", [(), (1, 1), (2, 1), (1, math.inf), (math.nan,)])
def test_bounds_that_do_not_rise_are_refused(bounds: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="expected bounds that rise"):
        Histogram("x", "x", bounds)


def test_a_sample_without_its_labels_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a value for each of"):
        Counter("x_total", "x", ("tool",)).add(1)
    with pytest.raises(ValueError, match="expected a value for each of"):
        Histogram("x", "x", (1,), ("tool",)).observe(1, "a", "b")
    with pytest.raises(ValueError, match="expected a value for each of"):
        exposition([Gauge("g", "g", ("tool",), lambda: {(): 1.0})])
