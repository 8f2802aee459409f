"""However many servers hang, with as many calls as they may have, the service's own tools have a place."""

from contextlib import ExitStack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.upstream.call_share import CallShare, CallShares
from gateway.upstream.errors import UpstreamError


def all_held(share: CallShare, stack: ExitStack) -> None:
    with pytest.raises(UpstreamError, match="kept for others"):
        while True:
            stack.enter_context(share.held())


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 70), st.integers(1, 100))
def test_servers_that_hang_leave_a_place(places: int, servers: int) -> None:
    with ExitStack() as stack:
        shares = CallShares(places)
        each = [stack.enter_context(shares.of_a_server()) for _ in range(servers)]
        for share in each:
            all_held(share, stack)
        assert 0 < sum(share.under_way for share in each) < places


def test_the_only_place_there_is_can_be_held_by_a_server() -> None:
    with ExitStack() as stack:
        share = stack.enter_context(CallShares(1).of_a_server())
        all_held(share, stack)
        assert share.under_way == 1
