"""A figure over time: read again and again while something else goes on."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager


@asynccontextmanager
async def sampled(
    read: Callable[[], Awaitable[float | None]], every_s: float
) -> AsyncIterator[list[tuple[float, float]]]:
    """Read a figure every so many seconds during the block: seconds since its begin, and the figure where there is one."""
    seen: list[tuple[float, float]] = []
    began = time.monotonic()

    async def look() -> None:
        while True:
            figure = await read()
            if figure is not None:
                seen.append((round(time.monotonic() - began, 2), figure))
            await asyncio.sleep(every_s)

    task = asyncio.create_task(look())
    try:
        yield seen
    finally:
        task.cancel()
