"""Bounds how many calls of a server are under way, waiting ones included: each holds a place of the service, which others need, too.

A quarter of the places is divided among the servers: so many are kept for each, and as many for the service's own tools, however many of
the others hang. Where there are about as many servers as places, some servers find none: one is always kept for the service's own tools,
unless there is only one. Waits for nothing: a call that finds no place is refused, with the time to wait.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from gateway.upstream.errors import UpstreamError, UpstreamFault
from protocol.messages import RETRY_AFTER_SECONDS


class CallShares:
    """The calls of all servers."""

    def __init__(self, places: int) -> None:
        """`places`: how many requests the service works on at once."""
        self._places = places
        self._shares: list[CallShare] = []

    @contextmanager
    def of_a_server(self) -> Iterator["CallShare"]:
        """Give a server its share for the time of the block."""
        share = CallShare(self)
        self._shares.append(share)
        try:
            yield share
        finally:
            self._shares.remove(share)

    def has_place_for(self, share: "CallShare") -> bool:
        """Whether a server may have one more call under way: one of its kept places, or one that is kept for none."""
        kept = max(1, self._places // 4 // max(1, len(self._shares)))
        taken = sum(max(each.under_way, kept) for each in self._shares if each is not share)
        all_under_way = sum(each.under_way for each in self._shares)
        if share.under_way < kept:
            return all_under_way < max(1, self._places - 1)
        return share.under_way + taken + kept < self._places


class CallShare:
    """The calls of one server, over all of its connections."""

    def __init__(self, shares: CallShares) -> None:
        """`shares`: those that this one is one of."""
        self._shares = shares
        self.under_way = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Count a call for the time of the block. Raises UpstreamError REFUSED for one too many."""
        if not self._shares.has_place_for(self):
            raise UpstreamError(
                UpstreamFault.REFUSED,
                f"was not called: {self.under_way} calls of it are under way or wait, and the other places of "
                f"MAX_CONCURRENT_REQUESTS are taken or kept for others; try again in {RETRY_AFTER_SECONDS} s",
            )
        self.under_way += 1
        try:
            yield
        finally:
            self.under_way -= 1
