"""The deadline of a call (SUMMARIZE_DEADLINE_SECONDS) over its steps: what is not done by then fails with an error for the caller."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from summarizing.deadline import TIME_IS_OVER
from web_tools.pages import WebError


class CallIsLate(WebError):
    """The deadline of the call has passed."""


@asynccontextmanager
async def in_time(until: float | None) -> AsyncIterator[None]:
    """Cancel the block at this moment of the event loop's clock; None: never. Raises CallIsLate, also for a wait that begins after it."""
    try:
        async with asyncio.timeout_at(until):
            yield
    except TimeoutError:
        raise CallIsLate(TIME_IS_OVER) from None
