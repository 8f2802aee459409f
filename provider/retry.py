"""Asking again: how long to wait, how often, and when not to, since others ask again already.

Knows no model and no HTTP: a call is any coroutine that may raise Busy. The sleep and the dice come in as arguments.
"""

import logging
import math
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice
from typing import TypeVar

from provider.model import Busy
from provider.usage import Failure

logger = logging.getLogger(__name__)

T = TypeVar("T")

MAX_RETRIES = 3

# Of all calls together, so many retries for each call, beside a reserve for bad minutes: a provider in trouble gets a quarter
# more requests, not four times as many (Site Reliability Engineering, chapter 21, "retry budget").
RETRY_SHARE = 0.25
RETRY_RESERVE = 50.0

# No call may take longer: of a longer wait it does not matter how long it is.
DAY_SECONDS = 86_400


class Down(Busy):
    """The provider fails every call, and nobody asks it for the time being."""


class RetryBudget:
    """How many retries are left for all calls together."""

    def __init__(self) -> None:
        self._left = RETRY_RESERVE

    def earn(self) -> None:
        """Take in that a call was made for the first time."""
        self._left = min(self._left + RETRY_SHARE, RETRY_RESERVE)

    def spend(self) -> bool:
        """Take one retry; return whether there was one."""
        if self._left < 1:
            return False
        self._left -= 1
        return True


def backoff(
    uniform: Callable[[float, float], float], first: float = 0.5, cap: float = 8.0
) -> Iterator[float]:
    """Yield waits in seconds: random within the upper half of 0.5, 1, 2, 4 and at most 8.

    Half of each wait is fixed, so that a struggling provider is never asked again at once; the other half is random, so
    that calls that failed together do not come back together.
    """
    limit = first
    while True:
        yield uniform(limit / 2, limit)
        limit = min(limit * 2, cap)


def too_late(total: float, asked: float, last_failure: str) -> Busy:
    """Return the error of a call that came to the end of its `total` seconds.

    `asked` is the wait that the provider asked for last, in seconds, 0 for none; `last_failure` what it said then.
    """
    if asked < total:
        said = f"before that {last_failure}" if last_failure else ""
        return Busy(f"no answer within the {total:g} seconds that a call may take", said, Failure.TIMEOUT)
    wait = f"{math.ceil(asked)} seconds" if asked <= DAY_SECONDS else "more than a day"
    return Busy(
        f"the provider asked to wait {wait}, longer than LLM_TOTAL_TIMEOUT_SECONDS ({total:g}) allows "
        "(call again after that, or raise it, and LLM_RETRY_AFTER_MAX_SECONDS where that is less)",
        last_failure,
        Failure.TIMEOUT,
    )


async def with_retries(
    call: Callable[[], Awaitable[T]],
    waits: Iterator[float],
    budget: RetryBudget,
    *,
    retries: int = MAX_RETRIES,
    sleep: Callable[[float], Awaitable[None]],
) -> T:
    """Call until it is not Busy, at most `retries` times more and within the budget; the last failure is the caller's to see."""
    for wait in islice(waits, retries):
        try:
            return await call()
        except Down:
            raise
        except Busy as busy:
            if not budget.spend():
                logger.info("llm_retry_denied", extra={"error": busy.kind})
                raise
            logger.info("llm_retry", extra={"wait_seconds": round(wait, 2), "error": busy.kind})
            await sleep(wait)
    return await call()
