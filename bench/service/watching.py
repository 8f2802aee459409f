"""What is watched while something else goes on: how soon /health is answered, the loop's lag, the memory.

/health is asked from a process of its own, so that what loads the service does not make the watching late:

    python -m bench.service.watching URL      an empty line, then until SIGTERM nothing, then a JSON array of
                                              [seconds since the start, seconds taken]

A question without an answer is null. It counts as one that took as long as is waited for an answer, with those that it held up.
"""

import asyncio
import http.client
import json
import signal
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

from bench import process_tree
from bench.histograms import LAG, bucket_counts, histogram_quantile, quantile, with_omitted
from bench.service import ROOT
from bench.service.processes import Service
from bench.service.sampling import sampled

# So many questions a second see every stall worth the name, and are no load.
EVERY_SECONDS = 0.02

# After so long a question counts as unanswered.
PATIENCE_S = 10.0

# The memory of a process changes slowly.
LOOK_AT_MEMORY_SECONDS = 1.0

MB = 1_000_000


# --- /health ---------------------------------------------------------------------------------------------------


@dataclass
class Watched:
    """What was seen: of /health each question's seconds, of the exported lag its 99th percentile, None where there is none."""

    health: list[float] = field(default_factory=list)
    lag_s: float | None = None

    @property
    def health_p99_s(self) -> float:
        """The time within which 99 of 100 questions were answered."""
        return quantile(self.health)


@asynccontextmanager
async def watched(service: Service) -> AsyncIterator[Watched]:
    """Watch a service during the block; what was seen is complete after it."""
    seen = Watched()
    watcher = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.service.watching", service.origin, cwd=ROOT, stdout=PIPE
    )
    assert watcher.stdout  # noqa: S101 -- it is a pipe
    await watcher.stdout.readline()  # its start takes a processor, and is not what is watched
    before = await lag_counts(service)
    try:
        yield seen
    finally:
        with suppress(ProcessLookupError):
            watcher.send_signal(signal.SIGTERM)
        said, _ = await watcher.communicate()
        taken = (PATIENCE_S if one is None else one for _, one in json.loads(said or b"[]"))
        seen.health = list(with_omitted(taken, EVERY_SECONDS))
        seen.lag_s = histogram_quantile(before, await lag_counts(service))


async def lag_counts(service: Service) -> dict[float, float]:
    """Return the exported histogram of the loop's lag, by upper bound; empty where the service has none, or is gone."""
    with suppress(httpx.HTTPError):
        return bucket_counts(await service.metrics(), LAG)
    return {}


def ask(origin: str) -> None:
    """Ask /health until SIGTERM, each time on the same connection while it lasts; write what was seen."""
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: stopped.append(number))
    place = urlsplit(origin)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE_S)
    seen: list[tuple[float, float | None]] = []
    sys.stdout.write("\n")
    sys.stdout.flush()
    began = time.monotonic()
    while not stopped:
        asked = time.monotonic()
        try:
            connection.request("GET", "/health")
            connection.getresponse().read()
            taken: float | None = time.monotonic() - asked
        except (OSError, http.client.HTTPException):
            connection.close()
            taken = None
        seen.append((round(asked - began, 3), taken))
        time.sleep(EVERY_SECONDS)
    json.dump(seen, sys.stdout)


# --- Memory ----------------------------------------------------------------------------------------------------


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process and its children in MB."""
    return process_tree.resident(pid) / MB


def peak_mb(pid: int) -> float:
    """Return the most that it has been since `process_tree.forget_peak`."""
    return process_tree.peak(pid) / MB


def memory_of(pid: int) -> AbstractAsyncContextManager[list[tuple[float, float]]]:
    """Look at a process's memory once a second during the block: seconds since its begin, and MB."""

    async def read() -> float:
        return round(resident_mb(pid), 2)

    return sampled(read, LOOK_AT_MEMORY_SECONDS)


if __name__ == "__main__":
    ask(sys.argv[1])
