"""Bounds how many calls of a server are under way, waiting ones included: each holds a place of the service, which others need, too.

Waits for nothing: a call over it is refused, with the time to wait.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from gateway.upstream.errors import UpstreamError, UpstreamFault
from protocol.messages import RETRY_AFTER_SECONDS


def share_of(places: int) -> int:
    """Return how many of the service's places one server may have: what a server that hangs leaves to all others is the rest."""
    return max(1, places * 3 // 4)


class CallShare:
    """The calls of one server, over all of its connections."""

    def __init__(self, most: int) -> None:
        """`most`: how many may be under way."""
        self._most = most
        self._under_way = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Count a call for the time of the block. Raises UpstreamError REFUSED for one too many."""
        if self._under_way >= self._most:
            raise UpstreamError(
                UpstreamFault.REFUSED,
                f"was not called: {self._most} calls of it are under way or wait, as many as a server may have of "
                f"MAX_CONCURRENT_REQUESTS; try again in {RETRY_AFTER_SECONDS} s",
            )
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1
