"""More calls at once than the service takes: each is answered or told to come again, and /health stays quick."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from bench.histograms import LAG, bucket_counts, histogram_quantile, quantile
from bench.http.client import Answer, connect
from bench.http.contestants import SERVICE
from bench.http.memory import ALL_CORES
from bench.http.probing import probing
from bench.http.processes import MB, on_core, running
from bench.http.rates import CLIENT_CORES
from bench.http.requests import MODERN, get, prose, summarize

# The calls differ in their text; more of them would only take more time to write.
TEXTS = 8


@dataclass(slots=True)
class Overload:
    """What became of all calls, how long /health took meanwhile and the event loop's lag, in seconds."""

    calls: int
    size: int
    statuses: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    health: list[float] = field(default_factory=list)
    peak: int = 0
    lag: float | None = None
    """At the 99th percentile, as the service itself exports it."""

    @property
    def lost(self) -> int:
        """How many calls were neither answered nor told to come again."""
        return self.calls - self.statuses["answered"] - self.statuses["told to come again"]

    def health_at(self, share: float) -> float:
        """Return the time within which a share of the probes was answered."""
        return quantile(self.health, share)


async def measure_overload(environments: Path, calls: int, size: int) -> Overload:
    """Make `calls` calls of `size` bytes at once, each on a connection of its own, and watch /health throughout."""
    overload = Overload(calls, size)
    texts = [summarize(MODERN, prose(size, seed)).data for seed in range(TEXTS)]
    with (
        on_core(CLIENT_CORES),
        running("service", SERVICE.command(environments), SERVICE.settings, ALL_CORES) as service,
    ):
        began = time.perf_counter()
        with probing(service.port, overload.health):
            await asyncio.gather(
                *(_call(service.port, texts[number % TEXTS], overload.statuses) for number in range(calls))
            )
            overload.seconds = time.perf_counter() - began
        overload.peak = service.peak_memory()
        overload.lag = await _lag(service.port)
    return overload


async def _lag(port: int) -> float | None:
    connection = await connect(port)
    page = await connection.send(get("/metrics"))
    connection.close()
    return histogram_quantile({}, bucket_counts(page.body.decode(), LAG))


async def _call(port: int, data: bytes, statuses: Counter[str]) -> None:
    try:
        connection = await connect(port)
        answer = await connection.send(data)
    except OSError as problem:
        statuses[type(problem).__name__] += 1
        return
    connection.close()
    statuses[_became(answer)] += 1


def _became(answer: Answer) -> str:
    if answer.status == 200 and b'"status":"summarized"' in answer.body:
        return "answered"
    if answer.status == 503 and answer.retries:
        return "told to come again"
    return f"{answer.status} {answer.body[:100]!r}"


def overload_table(overload: Overload) -> str:
    """Return what was measured as a table in Markdown."""
    lines = [
        f"| {overload.calls} calls of {overload.size / 1000:.0f} KB at once | |",
        "|---|---:|",
        *(f"| {became} | {number} |" for became, number in sorted(overload.statuses.items())),
        f"| took | {overload.seconds:.1f} s |",
        f"| /health, of {len(overload.health)} probes half within | {overload.health_at(0.5) * 1000:.1f} ms |",
        f"| /health, 99 % within | {overload.health_at(0.99) * 1000:.1f} ms |",
        f"| /health, slowest | {max(overload.health) * 1000:.1f} ms |",
        f"| the event loop's lag, 99 % within | {_milliseconds(overload.lag)} |",
        f"| most memory | {overload.peak / MB:.0f} MB |",
    ]
    return "\n".join(lines) + "\n"


def _milliseconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1000:.1f} ms"
