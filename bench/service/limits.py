"""The limit of calls at once that the service exports, over time."""

import re
from contextlib import AbstractAsyncContextManager

from bench.service.processes import Service
from bench.service.sampling import sampled

LIMIT = "mcp_summarizer_model_calls_limit"
LOOK_SECONDS = 0.1


def limit_of(service: Service) -> AbstractAsyncContextManager[list[tuple[float, float]]]:
    """Look at the exported limit again and again during the block; seconds since its begin, and calls."""

    async def read() -> float | None:
        found = re.search(rf"^{LIMIT} (\S+)$", await service.metrics(), re.MULTILINE)
        return float(found[1]) if found else None

    return sampled(read, LOOK_SECONDS)
