"""Histograms as the service exports them, read from a page of /metrics. Pure, and of the standard library alone."""

import math
import re
from collections.abc import Mapping

LAG = "mcp_summarizer_event_loop_lag_seconds"
QUANTILE = 0.99


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
