"""The bars and the tables. Pure: results in, text out."""

from collections.abc import Iterator
from statistics import median

from bench.http.contestants import BARE, FASTMCP4, MCP1, MCP2, OURS
from bench.http.memory import Memory, memory_table
from bench.http.overload import Overload, overload_table
from bench.http.processes import MB
from bench.http.rates import LIST, PASS, Rates, rates_table
from bench.http.results import Results
from bench.http.size import size_table
from bench.http.starting import start_table
from bench.verdict import Verdict

# By workload: how many times as quick as the bare handler and as each peer.
WANTED = {
    LIST: {BARE: 0.8, MCP1: 12.0, MCP2: 3.0, FASTMCP4: 6.0},
    PASS: {BARE: 0.85, MCP1: 4.0, MCP2: 1.5, FASTMCP4: 3.0},
}
IDLE_MB, IN_FLIGHT_FACTOR, START_SECONDS, PACKAGES_MB = 75.0, 6.0, 0.6, 30.0
HEALTH_MS, LAG_MS = 100.0, 50.0

# What an allocator keeps for itself comes and goes by about as much.
FLAT_MB, FLAT_CALLS = 5.0, 20_000


def bars(results: Results) -> list[Verdict]:
    """Return the bars of the parts that were measured."""
    found: list[Verdict] = []
    if results.rates:
        found += _rate_bars(results.rates)
    if results.memory:
        found += _memory_bars(results.memory)
    if results.starts:
        used = median(start.cpu_seconds for start in results.starts)
        found.append(Verdict("start to first answer, s of a processor", START_SECONDS, used))
    if results.packages:
        size = sum(package.size for package in results.packages) / MB
        found.append(Verdict("run-time packages, MB", PACKAGES_MB, size))
    if results.overload:
        found += _overload_bars(results.overload)
    return found


def _rate_bars(rates: Rates) -> Iterator[Verdict]:
    for workload, wanted in WANTED.items():
        for name, times in wanted.items():
            # By processor time: on a quiet machine the same, and on any other it is our own work that is compared.
            got = rates.cpu_ratio(workload, OURS, name)
            yield Verdict(f"{workload}, times {name}", times, got, at_least=True)


def _memory_bars(memory: Memory) -> Iterator[Verdict]:
    yield Verdict("idle, MB", IDLE_MB, memory.idle / MB)
    yield Verdict(
        f"{memory.calls} calls of {memory.content // memory.calls // 1_000} KB at once, memory in times their content",
        IN_FLIGHT_FACTOR,
        memory.factor,
    )
    # Fewer calls may add as much less.
    flat = FLAT_MB * min(1.0, memory.over[-1][0] / FLAT_CALLS)
    yield Verdict(f"growth over {memory.over[-1][0]:,} calls, MB", flat, memory.growth / MB)


def _overload_bars(overload: Overload) -> Iterator[Verdict]:
    yield Verdict(
        f"of {overload.calls} calls of {overload.size // 1_000} KB at once neither answered nor told to come again",
        0,
        overload.lost,
    )
    yield Verdict("/health under them, 99 % within ms", HEALTH_MS, overload.health_at(0.99) * 1000)
    if overload.lag is not None:
        yield Verdict("the event loop's lag under them, 99 % within ms", LAG_MS, overload.lag * 1000)


def table(results: Results) -> str:
    """Return the bars and everything behind them as Markdown."""
    parts = ["| bar | wanted | got | |", "|---|---:|---:|---|"]
    for bar in bars(results):
        sign = "≥" if bar.at_least else "≤"
        parts.append(
            f"| {bar.what} | {sign} {bar.wanted:g} | {bar.got:.2f} | {'met' if bar.is_met else 'MISSED'} |"
        )
    tables = [
        rates_table(results.rates, BARE) if results.rates else "",
        memory_table(results.memory) if results.memory else "",
        start_table(results.starts) if results.starts else "",
        size_table(results.packages) if results.packages else "",
        overload_table(results.overload) if results.overload else "",
    ]
    return "\n".join([*parts, "", *filter(None, tables)])
