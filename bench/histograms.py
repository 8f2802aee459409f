"""Times and their distribution: histograms as the service exports them, and probes. Pure, and of the standard library alone."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping

LAG = "mcp_summarizer_event_loop_lag_seconds"
QUANTILE = 0.99


def quantile(values: Iterable[float], share: float = QUANTILE) -> float:
    """Return the value that a share of all does not exceed; NaN of none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else math.nan


def bucket_counts(page: str, name: str) -> dict[float, float]:
    """Read the cumulative buckets of a histogram without labels from a page of metrics."""
    found = re.findall(rf'^{name}_bucket\{{le="([^"]+)"\}} (\S+)$', page, re.MULTILINE)
    return {float(bound): float(count) for bound, count in found}


def histogram_quantile(
    before: Mapping[float, float], after: Mapping[float, float], share: float = QUANTILE
) -> float | None:
    """Return what a share of all that came in between does not exceed, as Prometheus estimates it; None of nothing.

    Within a bucket all are taken to lie evenly; beyond the last bound they are taken to lie on it.
    """
    grown = {bound: count - before.get(bound, 0) for bound, count in sorted(after.items())}
    rank = share * max(grown.values(), default=0)
    below, counted = 0.0, 0.0
    for bound, count in grown.items():
        if count >= rank > 0:
            return (
                below if math.isinf(bound) else below + (bound - below) * (rank - counted) / (count - counted)
            )
        below, counted = bound, count
    return None


def with_omitted(taken: Iterable[float], every: float) -> Iterator[float]:
    """Yield the seconds that probes took, and those of the probes that a late answer kept from being sent.

    A probe is due every so many seconds, and waits for the one before. Without those that it holds up, a standstill of ten
    seconds would be one slow probe among hundreds, and no percentile would show it ("coordinated omission", Gil Tene).
    """
    for seconds in taken:
        yield seconds
        held_up = int(seconds / every)
        yield from (seconds - every * number for number in range(1, held_up + 1))
