"""Bodies that are being received: what it costs to refuse one more."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from tests.support.timing import LEAST_SECONDS, takes_less
from transport.byte_budget import BudgetFull, ByteBudget, Reservation
from transport.uploads import ArrivalLimit, Uploads

TIMEOUT_S = 60.0

UPLOADS = 2_000
REFUSALS = 500


async def test_to_refuse_a_body_no_upload_is_looked_at_that_is_not_slow() -> None:
    budget, uploads = ByteBudget(UPLOADS), Uploads()

    def begin(stack: ExitStack) -> Reservation:
        upload = Reservation(budget)
        stack.enter_context(uploads.receiving(upload, ArrivalLimit(TIMEOUT_S, TIMEOUT_S)))
        return upload

    def refuse_many() -> None:
        for _ in range(REFUSALS):
            with ExitStack() as stack, pytest.raises(BudgetFull):
                uploads.check_room(begin(stack), 1)

    with ExitStack() as opened:
        for _ in range(UPLOADS):
            uploads.grow(begin(opened), 1)
        assert takes_less(refuse_many, LEAST_SECONDS)
