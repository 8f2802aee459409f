"""The limit of calls at once that the service exports, over time."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bench.service.processes import Service

LIMIT = "mcp_summarizer_model_calls_limit"
LOOK_SECONDS = 0.1


@asynccontextmanager
async def limit_of(service: Service) -> AsyncIterator[list[tuple[float, float]]]:
    """Look at the exported limit again and again during the block; seconds since its begin, and calls."""
    seen: list[tuple[float, float]] = []
    began = time.monotonic()

    async def look() -> None:
        while True:
            if found := re.search(rf"^{LIMIT} (\S+)$", await service.metrics(), re.MULTILINE):
                seen.append((round(time.monotonic() - began, 2), float(found[1])))
            await asyncio.sleep(LOOK_SECONDS)

    task = asyncio.create_task(look())
    try:
        yield seen
    finally:
        task.cancel()
