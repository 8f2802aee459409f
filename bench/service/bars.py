"""What must be reached, as a table: each bar with what was measured for it. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bench.service.jobs import EXTRACT, SUMMARIZE, Measured
from bench.service.results import Results
from bench.service.trials import Row

LARGE, MIDDLE, TARGET = 187_000, 40_000, 5_000
AT_ONCE, ALLOWED = 5, 32
TOOLS = (SUMMARIZE, EXTRACT)

CHUNKING_MOST = 0.65
SOAK_MOST_GROWTH = 1.05
LAG_MOST_MS = 50


def ours(tool: str) -> str:
    """Return the name that our job on a tool has."""
    return f"ours, {tool}"


@dataclass(frozen=True, slots=True)
class Bar:
    """One promise and what was measured. `got` None: not measured."""

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
    def word(self) -> str:
        """The verdict in a word."""
        return {None: "not measured", True: "met", False: "MISSED"}[self.is_met]

    @property
    def promise(self) -> str:
        """The bar in words."""
        return f"{'≥' if self.at_least else '≤'} {self.wanted:g}{self.unit}"

    @property
    def shown(self) -> str:
        """What was measured, with three digits that tell."""
        if self.got is None:
            return ""
        digits = 0 if abs(self.got) >= 100 or self.got == int(self.got) else 1 if abs(self.got) >= 10 else 2
        return f"{self.got:.{digits}f}{self.unit}"


def bars(results: Results) -> list[Bar]:
    """Return every bar."""
    return [*_jobs(results), *_http(results), *_rest(results)]


def _jobs(results: Results) -> Iterator[Bar]:
    for tool in TOOLS:
        job = results.job(ours(tool), LARGE, AT_ONCE)
        name = f"187,000 to 5,000 tokens, `{tool}`"
        yield Bar(f"{name}, {AT_ONCE} calls at once", 20, _of(job, lambda job: job.seconds), " s")
        yield Bar(f"{name}, beside the ideal schedule of its calls", 1.15, _of(job, lambda job: job.ratio))
        found = results.job(ours(tool), LARGE, ALLOWED)
        yield Bar(
            f"{name}, where the provider takes {ALLOWED} at once",
            7,
            _of(found, lambda job: job.seconds),
            " s",
        )
        yield Bar(f"{name}, prompt tokens to content", 1.05, _of(job, lambda job: job.prompt_share))
        yield Bar(f"{name}, completion tokens to target", 1.3, _of(job, lambda job: job.completion_share))
    mine = [job for job in results.jobs if job.method.startswith("ours")]
    over = sum(job.output_tokens > job.target or job.status != "summarized" for job in mine)
    yield Bar("jobs over their target, or not `summarized`", 0, over if mine else None)


def _of(job: Measured | None, figure: Callable[[Measured], float]) -> float | None:
    return figure(job) if job else None


def _http(results: Results) -> Iterator[Bar]:
    for verdict in results.http_bars:
        yield Bar(verdict.what, verdict.wanted, verdict.got, at_least=verdict.at_least)


def _rest(results: Results) -> Iterator[Bar]:
    yield Bar("chunking with counting, beside one tokenizer pass", CHUNKING_MOST, results.chunking)
    rows = results.trials
    yield Bar("faults that ended otherwise than promised", 0, _missed(rows) if rows else None)
    lags = [row.lag_p99_ms for row in rows if row.lag_p99_ms is not None]
    yield Bar("event loop's lag p99 in the worst of these", LAG_MOST_MS, max(lags, default=None), " ms")
    soak = results.soak
    yield Bar("event loop's lag p99 over the soak", LAG_MOST_MS, soak.get("lag_p99_ms"), " ms")
    growth = max(soak["growth"].values()) if soak else None
    seconds = f"{soak['seconds']:.0f} s" if soak else "a soak"
    name = f"memory over {seconds} of 50 calls a second, last fifth to middle fifth"
    yield Bar(name, SOAK_MOST_GROWTH, growth)
    yield Bar("its calls that ended otherwise than they must", 0, soak.get("lost"))


def _missed(rows: list[Row]) -> int:
    return sum(row.met is False for row in rows)
