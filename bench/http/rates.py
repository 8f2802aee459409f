"""Requests a second: each contestant on one core, the client on another, all taking turns in rounds.

A shared machine is not the same from one second to the next, so the turns are short and many, and a ratio is the median of the ratios within
a round: in the same runs the ratio to the bare handler came out as .84 to 1.03 from two turns of a second, as .86 to .89 from fifteen of a fifth. Beside the
rate on the clock stands the rate for each second of processor time that the server used: a busy neighbour changes that
less, and on a quiet machine the two are the same.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bench.http.client import burst
from bench.http.contestants import CONTESTANTS, Contestant
from bench.http.processes import MB, Running, on_core, running
from bench.http.requests import Call, list_tools, prose, summarize

LIST, PASS = "tools/list", "8 KB passed through"
WORKLOADS = (LIST, PASS)

# A text of 8 KB has about 1,900 tokens: more bytes than the target has tokens, and fewer tokens. So it must be counted.
PASS_BYTES = 8 * 1024

CONNECTIONS = 16

WARM_UP_SECONDS = 0.25

SERVER_CORES, CLIENT_CORES = {0}, {1}


class WrongAnswer(Exception):
    """A contestant answered something else than what was asked for: its rate means nothing."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One contestant's turn in one round."""

    per_second: float
    per_cpu_second: float


@dataclass(slots=True)
class Rates:
    """What was measured: by workload and contestant the turns in order, and each contestant's memory after all of it in bytes."""

    turns: dict[str, dict[str, list[Turn]]] = field(default_factory=dict)
    memory: dict[str, int] = field(default_factory=dict)

    def per_second(self, workload: str, name: str) -> float:
        """Return the median rate on the clock."""
        return median(turn.per_second for turn in self.turns[workload][name])

    def per_cpu_second(self, workload: str, name: str) -> float:
        """Return the median rate for each second of processor time."""
        return median(turn.per_cpu_second for turn in self.turns[workload][name])

    def ratio(self, workload: str, name: str, other: str) -> float:
        """Return how many times as quick a contestant is as another, on the clock."""
        pairs = zip(self.turns[workload][name], self.turns[workload][other], strict=True)
        return median(mine.per_second / theirs.per_second for mine, theirs in pairs)

    def cpu_ratio(self, workload: str, name: str, other: str) -> float:
        """Return the same by processor time."""
        pairs = zip(self.turns[workload][name], self.turns[workload][other], strict=True)
        return median(mine.per_cpu_second / theirs.per_cpu_second for mine, theirs in pairs)


def call_of(workload: str, era: str) -> Call:
    """Return the request of a workload."""
    return list_tools(era) if workload == LIST else summarize(era, prose(PASS_BYTES))


async def measure_rates(
    environments: Path, rounds: int, seconds: float, contestants: Sequence[Contestant] = CONTESTANTS
) -> Rates:
    """Let all contestants take turns, `seconds` each, after a round that warms up. Raises WrongAnswer, DidNotStart."""
    rates = Rates()
    with ExitStack() as stack:
        started = [
            (
                each,
                stack.enter_context(
                    running(each.program[-1], each.command(environments), each.settings, SERVER_CORES)
                ),
            )
            for each in contestants
        ]
        stack.enter_context(on_core(CLIENT_CORES))
        for number in range(rounds + 1):
            for workload, name, server, call in _schedule(started, number):
                turn = await _turn(name, server, call, seconds if number else WARM_UP_SECONDS)
                if number:
                    rates.turns.setdefault(workload, {}).setdefault(name, []).append(turn)
        for each, server in started:
            rates.memory[each.eras[0][0]] = server.memory()
    return rates


def _schedule(
    started: Sequence[tuple[Contestant, Running]], number: int
) -> Iterator[tuple[str, str, Running, Call]]:
    """Yield the turns of a round; in each another one is the first, which may find the machine otherwise than the next."""
    turns = [(name, era, server) for contestant, server in started for name, era in contestant.eras]
    first = number % len(turns)
    for workload in WORKLOADS:
        for name, era, server in turns[first:] + turns[:first]:
            yield workload, name, server, call_of(workload, era)


async def _turn(name: str, server: Running, call: Call, seconds: float) -> Turn:
    before = server.cpu_seconds()
    load = await burst(server.port, call.data, call.expected, CONNECTIONS, seconds)
    used = server.cpu_seconds() - before
    if load.wrong:
        raise WrongAnswer(f"{name}: {len(load.wrong)} wrong answers, the first {load.wrong[0]}")
    return Turn(load.answered / load.seconds, load.answered / used)


def rates_table(rates: Rates, bare: str) -> str:
    """Return the rates as a table in Markdown, each beside the bare handler's."""
    lines = []
    for workload in rates.turns:
        lines += [
            f"| {workload} | requests/s | of bare | requests/CPU-s | of bare |",
            "|---|---:|---:|---:|---:|",
        ]
        for name in rates.turns[workload]:
            lines.append(
                f"| {name} | {rates.per_second(workload, name):,.0f} | {rates.ratio(workload, name, bare):.2f} "
                f"| {rates.per_cpu_second(workload, name):,.0f} | {rates.cpu_ratio(workload, name, bare):.2f} |"
            )
        lines.append("")
    lines += ["| memory after it | MB |", "|---|---:|"]
    lines += [f"| {name} | {size / MB:.0f} |" for name, size in rates.memory.items()]
    return "\n".join(lines) + "\n"
