"""What must be reached, as a table: each bar with what every whole run measured for it. Pure."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from bench.service.jobs import EXTRACT, LIMIT_KNOWN, SUMMARIZE, Measured
from bench.service.results import Results
from bench.service.trials import Row

LARGE, TARGET = 187_000, 5_000
AT_ONCE, ALLOWED = 5, 32
TOOLS = (SUMMARIZE, EXTRACT)

CHUNKING_MOST = 0.65
COST_MOST = 2.0
LAG_MOST_MS = 50

# In per cent: over three minutes as much as ever, over a shorter soak as much less.
SOAK_MOST_GROWTH, SOAK_GROWTH_SECONDS = 5.0, 180.0


def ours(tool: str) -> str:
    """Return the name that our job on a tool has."""
    return f"ours, {tool}"


@dataclass(frozen=True, slots=True)
class Bar:
    """One promise and what one run measured. `got` None: not measured."""

    what: str
    wanted: float
    got: float | None
    unit: str = ""
    at_least: bool = False

    @property
    def is_met(self) -> bool | None:
        """Whether it is kept; None where that was not measured."""
        if self.got is None:
            return None
        return self.got >= self.wanted if self.at_least else self.got <= self.wanted

    @property
    def promise(self) -> str:
        """The bar in words."""
        return f"{'≥' if self.at_least else '≤'} {shown(self.wanted)}{self.unit}"


@dataclass(frozen=True, slots=True)
class Judged:
    """A bar over all runs, one of which at least measured it, or none."""

    bars: Sequence[Bar]

    @property
    def what(self) -> str:
        """What it is of."""
        return self.bars[0].what

    @property
    def promise(self) -> str:
        """The bar in words."""
        return self.bars[0].promise

    @property
    def values(self) -> list[float]:
        """What was measured, run by run."""
        return [bar.got for bar in self.bars if bar.got is not None]

    @property
    def missed(self) -> int:
        """In how many runs it was missed."""
        return sum(bar.is_met is False for bar in self.bars)

    @property
    def median(self) -> str:
        """The median over the runs."""
        return shown(median(self.values)) + self.bars[0].unit if self.values else ""

    @property
    def spread(self) -> str:
        """The least and the most."""
        return f"{shown(min(self.values))} – {shown(max(self.values))}" if self.values else ""

    @property
    def word(self) -> str:
        """The verdict: met is what every run met."""
        if not self.values:
            return "not measured"
        return f"MISSED in {self.missed} of {len(self.values)}" if self.missed else "met"


def shown(value: float) -> str:
    """Write a figure with three digits that tell."""
    digits = 0 if abs(value) >= 100 or value == int(value) else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}"


def judged(runs: Sequence[Results]) -> list[Judged]:
    """Return every bar over all runs, in the order of the first run that has it."""
    found: dict[str, list[Bar]] = {}
    for run in runs or [Results()]:
        for bar in bars(run):
            found.setdefault(bar.what, []).append(bar)
    return [Judged(same) for same in found.values()]


def bars(results: Results) -> list[Bar]:
    """Return every bar of one run."""
    return [*_jobs(results), *_http(results), *_rest(results), *_loads(results), *_soak(results)]


def _jobs(results: Results) -> Iterator[Bar]:
    for tool in TOOLS:
        job, found = results.job(ours(tool), AT_ONCE), results.job(ours(tool), ALLOWED)
        name = f"187,000 to 5,000 tokens, `{tool}`"
        yield Bar(f"{name}, {AT_ONCE} calls at once", 20, _of(job, lambda job: job.seconds), " s")
        yield Bar(f"{name}, beside the ideal schedule of its calls", 1.15, _of(job, lambda job: job.ratio))
        seconds = _of(found, lambda job: job.seconds)
        yield Bar(f"{name}, where the provider takes {ALLOWED} at once", 7, seconds, " s")
        again = results.job(ours(tool) + LIMIT_KNOWN, ALLOWED)
        yield Bar(
            f"{name}{LIMIT_KNOWN}: before its first call", 0.3, _of(again, lambda job: job.lead_s), " s"
        )
        starts = _of(again, lambda job: job.starts_s)
        yield Bar(f"{name}{LIMIT_KNOWN}: from the first call's start to the last's", 0.1, starts, " s")
        yield Bar(f"{name}, prompt tokens to content", 1.05, _of(job, lambda job: job.prompt_share))
        yield Bar(f"{name}, completion tokens to target", 1.3, _of(job, lambda job: job.completion_share))
    over = sum(job.output_tokens > job.target or job.status != "summarized" for job in results.jobs)
    yield Bar("jobs over their target, or not `summarized`", 0, over if results.jobs else None)


def _of(job: Measured | None, figure: Callable[[Measured], float]) -> float | None:
    return figure(job) if job else None


def _http(results: Results) -> Iterator[Bar]:
    for verdict in results.http_bars:
        yield Bar(verdict.what, verdict.wanted, verdict.got, verdict.unit, verdict.at_least)


def _rest(results: Results) -> Iterator[Bar]:
    yield Bar("chunking with counting, beside one tokenizer pass", CHUNKING_MOST, results.chunking)
    dearest = max(results.cost.values(), default=None)
    yield Bar("a MB of the dearest kind of text, processor time", COST_MOST, dearest, " s")
    rows = results.trials
    yield from _figures(rows)
    yield Bar("faults that ended otherwise than promised", 0, _unlike(rows) if rows else None)
    lags = [row.lag_p99_ms for row in rows if row.lag_p99_ms is not None]
    yield Bar("event loop's lag p99 in the worst of these", LAG_MOST_MS, max(lags, default=None), " ms")


def _loads(results: Results) -> Iterator[Bar]:
    rows = results.loads
    yield from _figures(rows)
    yield Bar("loads that ended otherwise than promised", 0, _unlike(rows) if rows else None)


def _figures(rows: Sequence[Row]) -> Iterator[Bar]:
    for row in rows:
        for one in row.figures:
            yield Bar(one.what, one.wanted, one.got, one.unit, one.at_least)


def _unlike(rows: Sequence[Row]) -> int:
    """Count the rows that were missed for another reason than one of their figures."""
    return sum(row.met is False and all(one.is_met for one in row.figures) for row in rows)


def _soak(results: Results) -> Iterator[Bar]:
    soak = results.soak
    yield Bar("event loop's lag p99 over the soak", LAG_MOST_MS, soak.get("lag_p99_ms"), " ms")
    growth = 100 * (max(soak["growth"].values()) - 1) if soak else None
    yield Bar(
        "growth of memory over the soak, from its middle fifth to its last", most_growth(soak), growth, " %"
    )
    yield Bar("its calls that ended otherwise than they must", 0, soak.get("lost"))


def most_growth(soak: dict[str, float]) -> float:
    """Return the most that memory may grow by over a soak of its length, in per cent."""
    seconds = min(SOAK_GROWTH_SECONDS, soak.get("seconds", SOAK_GROWTH_SECONDS))
    return SOAK_MOST_GROWTH * seconds / SOAK_GROWTH_SECONDS
