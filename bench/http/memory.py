"""Memory of the service: idle, with large calls in flight, and over many calls. Resident, as the system counts it (Linux)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median_low

from bench.http.client import Connection, connect
from bench.http.contestants import SERVICE
from bench.http.processes import MB, Running, on_core, running, settled
from bench.http.rates import CLIENT_CORES, PASS_BYTES, WrongAnswer
from bench.http.requests import MODERN, Call, list_tools, prose, summarize

ALL_CORES = {0, 1}

# What the calls come to that memory must stay flat over: lists, texts that fit, and texts that are shortened.
MIXED = ("list",) * 5 + ("pass",) * 4 + ("shorten",)
SHORTENED_TOKENS = 300

# So many places are looked at, the first after a warm-up of as many calls.
LOOKS = 10

# From one start to the next the allocator keeps a megabyte more or less.
IDLE_STARTS = 5

# The calls of the mix come on so many connections.
CONNECTIONS = 8


@dataclass(frozen=True, slots=True)
class Memory:
    """In bytes."""

    idle: int
    calls: int
    """So many large calls were in flight at once."""
    content: int
    """What they held together."""
    peak: int
    """The most that was resident meanwhile."""
    over: Sequence[tuple[int, int]]
    """After so many calls of a mix, so much was resident."""

    @property
    def factor(self) -> float:
        """How many times their content the large calls took above idle."""
        return (self.peak - self.idle) / self.content

    @property
    def growth(self) -> int:
        """What the mix has added since its first tenth."""
        return self.over[-1][1] - self.over[0][1]


async def measure_memory(environments: Path, calls: int, size: int, mixed: int) -> Memory:
    """Measure `calls` calls of `size` bytes at once, then `mixed` small ones, each on a service of its own."""
    command = SERVICE.command(environments)
    starts: list[int] = []
    for _ in range(1 + IDLE_STARTS):
        with running("service", command, SERVICE.settings, ALL_CORES) as service:
            starts.append(await _idle(service))
    idle = median_low(starts[1:])  # who compiles the modules keeps some of what that took
    with (
        on_core(CLIENT_CORES),
        running("service", command, SERVICE.settings, ALL_CORES) as service,
    ):
        # All of them are in: as many places as calls, by default there are more.
        service.forget_peak()
        texts = [summarize(MODERN, prose(size, seed)) for seed in range(calls)]
        await asyncio.gather(*(_call_alone(service.port, text.data) for text in texts))
        peak = service.peak_memory()
    with (
        on_core(CLIENT_CORES),
        running("service", command, SERVICE.settings, ALL_CORES) as service,
    ):
        over = await _over(service, mixed)
    return Memory(idle, calls, calls * size, peak, over)


async def _idle(service: Running) -> int:
    """Return what is resident after one answer, when all is quiet."""
    call = list_tools(MODERN)
    connection = await connect(service.port)
    await connection.send(call.data)
    connection.close()
    await settled(service)
    return service.memory()


async def _call_alone(port: int, data: bytes) -> None:
    """Make a call on a connection of its own. Raises WrongAnswer."""
    connection = await connect(port)
    answer = await connection.send(data)
    connection.close()
    if answer.status != 200 or b'"status":"summarized"' not in answer.body:
        raise WrongAnswer(f"a large call: {answer.status} {answer.body[:200]!r}")


async def _over(service: Running, mixed: int) -> list[tuple[int, int]]:
    """Make so many calls of the mix; return what was resident after each tenth."""
    kinds: dict[str, Call] = {
        "list": list_tools(MODERN),
        "pass": summarize(MODERN, prose(PASS_BYTES)),
        "shorten": summarize(MODERN, prose(PASS_BYTES, 1), SHORTENED_TOKENS),
    }
    connections = [await connect(service.port) for _ in range(CONNECTIONS)]
    looks = []
    for look in range(1, LOOKS + 1):
        share = mixed // LOOKS // CONNECTIONS
        await asyncio.gather(*(_mix(connection, kinds, share) for connection in connections))
        looks.append((look * share * CONNECTIONS, service.memory()))
    for connection in connections:
        connection.close()
    return looks


async def _mix(connection: Connection, kinds: dict[str, Call], calls: int) -> None:
    for number in range(calls):
        answer = await connection.send(kinds[MIXED[number % len(MIXED)]].data)
        if answer.status != 200:
            raise WrongAnswer(f"a call of the mix: {answer.status} {answer.body[:200]!r}")


def memory_table(memory: Memory) -> str:
    """Return what was measured as a table in Markdown."""
    lines = [
        "| memory | |",
        "|---|---:|",
        f"| idle | {memory.idle / MB:.1f} MB |",
        f"| most, with {memory.calls} calls of {memory.content / memory.calls / MB:.1f} MB at once | {memory.peak / MB:.0f} MB |",
        f"| that above idle, in times of their content | {memory.factor:.2f} |",
        *(f"| after {calls:,} calls | {size / MB:.1f} MB |" for calls, size in memory.over),
    ]
    return "\n".join(lines) + "\n"
