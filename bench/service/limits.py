"""How the service finds the limit of a provider: its own limit and its calls in flight, over time."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from bench.service.processes import Service, Simulated, a_service, on_a_model
from bench.service.provider import Behaviour
from bench.service.results import Series
from bench.service.texts import Text

LIMIT = "mcp_summarizer_model_calls_limit"
LOOK_SECONDS = 0.1

ITS_LIMIT, IN_FLIGHT, ALLOWED = "the service's limit", "calls in flight", "what the provider takes"


async def found_limit(model: Simulated, texts: Sequence[Text], target: int, allow: int) -> dict[str, Series]:
    """Run jobs side by side on a provider that takes so many calls at once; return what happened to the limit."""
    await model.behave(Behaviour(allow=allow))
    async with a_service(on_a_model(model.url)) as service, limit_of(service) as limit:
        begin = time.monotonic()
        arguments = [{"content": text.content, "max_output_tokens": target} for text in texts]
        await asyncio.gather(*(service.call("summarize", one) for one in arguments))
    in_flight = at_once(await model.calls(), begin)
    last = max((when for when, _ in in_flight), default=0.0)
    return {ITS_LIMIT: limit, IN_FLIGHT: in_flight, ALLOWED: [(0.0, allow), (last, allow)]}


@asynccontextmanager
async def limit_of(service: Service) -> AsyncIterator[Series]:
    """Look at the exported limit again and again during the block; seconds since its begin, and calls."""
    seen: Series = []
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


def at_once(calls: Sequence[Mapping[str, Any]], begin: float) -> Series:
    """Return how many calls the provider served over time, from their records; refused ones are none."""
    served = [call for call in calls if call["status"] != "429" and call["end"] is not None]
    changes = sorted([(call["begin"], 1) for call in served] + [(call["end"], -1) for call in served])
    series: Series = [(0.0, 0.0)]
    for when, change in changes:
        series.append((round(when - begin, 2), series[-1][1] + change))
    return series
