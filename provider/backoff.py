"""Retries: exponential back-off with jitter, a limit per call, and a retry budget for all calls together.

Sends and waits for nothing: the loop is in llm.py, which errors may be retried in error_kinds.py. Random numbers are an argument.
"""

import math
from collections.abc import Callable, Iterator

from provider.model import TransientError
from provider.usage import Failure

# Of one call.
MAX_RETRIES = 3

# All calls together may retry once per four calls, beside a reserve for bad minutes: a provider in trouble gets a quarter more
# requests, not four times as many (Site Reliability Engineering, chapter 21, "retry budget").
RETRY_SHARE = 0.25
RETRY_RESERVE = 50.0

# No call may take longer, so the exact length of a longer wait does not matter.
DAY_SECONDS = 86_400


class RetryBudget:
    """The retries that are left for all calls together."""

    def __init__(self) -> None:
        self._left = RETRY_RESERVE

    def earn(self) -> None:
        """Add the share of a new call."""
        self._left = min(self._left + RETRY_SHARE, RETRY_RESERVE)

    def spend(self) -> bool:
        """Use up one retry; return False if none is left."""
        if self._left < 1:
            return False
        self._left -= 1
        return True


def backoff(
    uniform: Callable[[float, float], float], first: float = 0.5, cap: float = 8.0
) -> Iterator[float]:
    """Yield waits in seconds: random within the upper half of 0.5, 1, 2, 4 and at most 8.

    Half of each wait is fixed, so that a struggling provider never gets a retry at once; the other half is random, so that
    calls that failed together do not come back together.
    """
    limit = first
    while True:
        yield uniform(limit / 2, limit)
        limit = min(limit * 2, cap)


def total_timeout_error(total: float, retry_after: float, last_failure: str) -> TransientError:
    """Return the error of a call whose `total` seconds are over.

    `retry_after` is the wait that the provider asked for last, in seconds, 0 for none; `last_failure` its message then.
    """
    if retry_after < total:
        details = f"before that {last_failure}" if last_failure else ""
        return TransientError(
            f"no answer within the {total:g} seconds that a call may take", details, Failure.TIMEOUT
        )
    wait = f"{math.ceil(retry_after)} seconds" if retry_after <= DAY_SECONDS else "more than a day"
    return TransientError(
        f"the provider asked to wait {wait}, longer than LLM_TOTAL_TIMEOUT_SECONDS ({total:g}) allows "
        "(call again after that, or raise it, and LLM_RETRY_AFTER_MAX_SECONDS where that is less)",
        last_failure,
        Failure.TIMEOUT,
    )
