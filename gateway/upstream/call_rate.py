"""Bounds how many calls of a server begin within a minute. Waits for nothing: a call over it is refused, with the time to wait."""

from collections import deque
from collections.abc import Callable
from math import ceil

from gateway.upstream.errors import UpstreamError, UpstreamFault

MINUTE_SECONDS = 60.0


class CallRate:
    """The calls of the last minute."""

    def __init__(self, most: int | None, clock: Callable[[], float]) -> None:
        """`most`: how many of them may begin in any minute; None: any number."""
        self._most = most
        self._clock = clock
        self._begun = deque[float](maxlen=most)

    def count(self) -> None:
        """Count a call that begins. Raises UpstreamError REFUSED for one too many, which does not count."""
        if self._most is None:
            return
        now = self._clock()
        wait = self._begun[0] + MINUTE_SECONDS - now if len(self._begun) == self._most else 0.0
        if wait > 0:
            raise UpstreamError(
                UpstreamFault.REFUSED,
                f"was not called: it may be called {self._most} times a minute (max_calls_per_minute); try again in {ceil(wait)} s",
            )
        self._begun.append(now)
