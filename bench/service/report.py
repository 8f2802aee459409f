"""The report: tables in Markdown from what whole runs measured, and the charts beside them. Measures nothing."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median

from bench.fidelity.measures import FIRST_DESIGN, LANGCHAIN
from bench.fidelity.report import table
from bench.service.bars import ALLOWED, AT_ONCE, LARGE, TARGET, TOOLS, judged, ours, shown
from bench.service.charts import ELSEWHERE, OURS, DrawnBar, Line, Panel, bar_chart, line_chart
from bench.service.jobs import EXTRACT, LIMIT_KNOWN, Measured
from bench.service.results import Bench, Results
from bench.service.trials import Row

NAME = "service"

# What was said of the first implementation (FastMCP on mcp 1.26, pydantic-ai, five calls at once): seconds, calls, prompt
# tokens, completion tokens. Measured elsewhere and earlier, on a simulated model of the same pace.
FIRST_IMPLEMENTATION = (74.0, 27, 201_000, 15_500)
EARLIER = "first implementation, as it was measured earlier and elsewhere"


def write(directory: Path, documents: Path, bench: Bench) -> None:
    """Write the report and its charts, and the figures in the documents of a folder anew where there are any."""
    (directory / f"{NAME}.md").write_text(report(bench), "utf-8")
    for name, chart in charts(bench).items():
        (directory / f"{name}.svg").write_text(chart, "utf-8")
    for name, figures in FIGURES.items():
        document = documents / name
        if document.exists() and bench.runs:
            document.write_text(with_figures(document.read_text("utf-8"), figures(bench)), "utf-8")


def report(bench: Bench) -> str:
    """Return the whole page."""
    sections = [
        HEAD,
        _runs(bench),
        "## Bars\n\n" + missed_list(bench.runs) + "\n\n" + bars_table(bench.runs),
        _jobs(bench),
        _rows("Faults", FAULTS_NOTE, [run.trials for run in bench.runs]),
        _rows("Loads", LOADS_NOTE, [run.loads for run in bench.runs]),
        _cost(bench.runs),
        _soak(bench.runs),
        _rates(bench.runs),
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


HEAD = f"""# The service: how fast, how thrifty, how hard to break

`make bench` makes this page, from whole runs alone: every part is measured in every run, nothing runs beside it, and no part can
be measured again by itself. The model is simulated: half a second to the first token, then 80 tokens a second for each call, as
much of the length that its prompt states as a model uses (90 to 100 %), sentences of the text; it refuses more than {ALLOWED} calls
at once with 429. Everything is counted on its side, in tokens of cl100k_base, the same way for every pipeline. The service runs
as `python app.py` with default settings but where a row says otherwise, and is called over HTTP.

A run does each job once. The contestants over HTTP have thirteen turns of a fifth of a second in one era, by turns with each other, and
how many times as quick one is as another is by processor time, the median of the thirteen. Large calls are of 300 KB, the 500 at once
of 60 KB; memory is watched over 10,000 calls and a soak of 75 seconds; the cost is that of ten kinds of text with one
brief (`python -m bench.cost` has all). Done once for all runs: the other pipelines' jobs, which run side by side.
The figures of each run are in [service.json](service.json)."""


def _runs(bench: Bench) -> str:
    made = f"{len(bench.runs)} of {bench.wanted} runs" + (
        "" if len(bench.runs) >= bench.wanted else " (the others were not finished)"
    )
    return "\n".join([f"{made}:", "", *(f"{at}. {run.said}." for at, run in enumerate(bench.runs, 1))])


def bars_table(runs: Sequence[Results]) -> str:
    """Return the table of the bars: each is met that every run met."""
    rows = [(bar.what, bar.median, bar.spread, bar.promise, bar.word) for bar in judged(runs)]
    return table(("bar", "median", "least – most", "promised", ""), rows)


def missed_list(runs: Sequence[Results]) -> str:
    """Return what was missed, run by run."""
    every = judged(runs)
    missed = [bar for bar in every if bar.missed]
    if not missed:
        return (
            f"None of {len(every)} was missed in any run."
            if any(bar.values for bar in every)
            else "Nothing is measured."
        )
    lines = [
        f"- {bar.what}: promised {bar.promise}, got {', '.join(map(shown, bar.values))} (missed in {bar.missed} of {len(bar.values)})"
        for bar in missed
    ]
    return "\n".join([f"Missed, {len(missed)} of {len(every)}:", "", *lines])


# --- Jobs ------------------------------------------------------------------------------------------------------

METHODS = (
    *(
        (ours(tool) + known, places)
        for tool in TOOLS
        for known, places in (("", AT_ONCE), ("", ALLOWED), (LIMIT_KNOWN, ALLOWED))
    ),
    (LANGCHAIN, AT_ONCE),
    (FIRST_DESIGN, AT_ONCE),
)

JOB_HEAD = (
    f"{LARGE:,} to {TARGET:,} tokens", "seconds", "to ideal", "calls", "refused", "prompt tokens", "completion tokens", "result", "ended"
)  # fmt: skip


def _jobs(bench: Bench) -> str:
    if not bench.runs:
        return ""
    rows = [_job_row(jobs) for method, places in METHODS if (jobs := bench.jobs(method, places))]
    seconds, calls, prompt, completion = FIRST_IMPLEMENTATION
    earlier = [f"*{EARLIER}*", f"{seconds:g}", "", str(calls), "", f"{prompt:,}", f"{completion:,}", "", ""]
    parts = [
        "## Jobs",
        JOBS_NOTE,
        f"![The same job, by who does it]({NAME}.svg)",
        table(JOB_HEAD, [*rows, earlier]),
    ]
    return "\n\n".join(parts)


JOBS_NOTE = f"""Medians of the runs, least and most in parentheses. Ideal is a time that no schedule of the calls that were made could beat on so
many places at once, given how long each took and that a merge waits for its parts. At {AT_ONCE} the service is told so
(`MAX_CONCURRENT_LLM_CALLS` and `LLM_CONCURRENCY_CEILING`); at {ALLOWED} nothing is set, it begins at its default and finds
out: "limit known" is a job of another text after that, on the same service. LangChain's map-reduce and the first design's algorithm run on the same model and chunk size, {AT_ONCE} calls at once, and
summarize for extraction."""


def _job_row(jobs: Sequence[Measured]) -> list[str]:
    first = jobs[0]
    places = f"{first.places} at once" if first.places == AT_ONCE else f"the provider takes {first.places}"
    return [
        f"{first.method}, {places}",
        spread([job.seconds for job in jobs]),
        f"{median(job.ratio for job in jobs):.2f}",
        *(f"{_middle(jobs, figure):,}" for figure in COUNTS),
        ", ".join(dict.fromkeys(job.status for job in jobs)),
    ]


COUNTS: tuple[Callable[[Measured], int], ...] = (
    lambda job: job.calls,
    lambda job: job.refused,
    lambda job: job.prompt_tokens,
    lambda job: job.completion_tokens,
    lambda job: job.output_tokens,
)


def _middle(jobs: Sequence[Measured], figure: Callable[[Measured], int]) -> int:
    return round(median(map(figure, jobs)))


def spread(values: Sequence[float], unit: str = "") -> str:
    """Write a median and, where there are several values, the least and the most."""
    if not values:
        return ""
    middle = f"{shown(median(values))}{unit}"
    return f"{middle} ({shown(min(values))} – {shown(max(values))})" if len(values) > 1 else middle


BLOCK = re.compile(
    r"(?<=<!-- figures: written by make bench -->\n).*?(?=<!-- end of figures -->\n)", re.DOTALL
)


def with_figures(document: str, figures: str) -> str:
    """Return a document with these figures in its marked block."""
    return BLOCK.sub(lambda _: figures + "\n", document)


def headline(bench: Bench) -> str:
    """Return the figures of the README: the seconds of the large job, by who does it."""
    return "\n".join(
        f"- {name}: {shown(median(job.seconds for job in jobs))} s" for name, jobs, _ in _chart_jobs(bench)
    )


def jobs_table(bench: Bench) -> str:
    """Return the table of docs/evaluation.md: the large job, by who does it."""
    rows = [
        [
            name,
            spread([job.seconds for job in jobs]),
            *(f"{_middle(jobs, figure):,}" for figure in (COUNTS[0], COUNTS[2], COUNTS[3])),
        ]
        for name, jobs, _ in _chart_jobs(bench)
    ]
    seconds, *counts = FIRST_IMPLEMENTATION
    head = (f"{LARGE:,} to {TARGET:,} tokens", "seconds", "calls", "tokens read", "tokens written")
    return table(head, [*rows, [f"*{EARLIER}*", f"{seconds:g}", *(f"{count:,}" for count in counts)]])


FIGURES: dict[str, Callable[[Bench], str]] = {"README.md": headline, "docs/evaluation.md": jobs_table}


# --- Faults, loads ---------------------------------------------------------------------------------------------

FAULTS_NOTE = """Each on a service of its own, as a process. Beside it another process asks /health fifty times a second, and a late answer counts for all
the questions that it held up; the lag of the event loop is the service's own, from /metrics. What was seen is that of the first run
that missed, else of the last; the milliseconds are the worst of all runs. The figures of some are bars, above.

Of the many faults, calls that the provider took on are compared, answered or failed. 18 of 100 are made to fail, and each of these must
be made again, so an answer takes 1 / (1 - 0.18) = 1.22 calls where nothing is asked in vain. Calls refused because too many came at once
are told apart: they are what it costs to find the provider's limit, with faults or without, and many or few as the machine is busy."""

LOADS_NOTE = "What one caller must not make another one feel. Their figures are bars, above."


def _rows(title: str, note: str, runs: Sequence[Sequence[Row]]) -> str:
    by_fault: dict[str, list[Row]] = {}
    for run in runs:
        for row in run:
            by_fault.setdefault(row.fault, []).append(row)
    if not by_fault:
        return ""
    head = (title.lower().removesuffix("s"), "promised", "seen", "", "/health p99, ms", "loop lag p99, ms")
    return f"## {title}\n\n{note}\n\n{table(head, map(_trial_row, by_fault.values()), words=4)}"


def _trial_row(rows: Sequence[Row]) -> list[str]:
    missed = [row for row in rows if row.met is False]
    told = (missed or rows)[0 if missed else -1]
    word = f"MISSED in {len(missed)} of {len(rows)}" if missed else told.word
    health = max((row.health_p99_ms for row in rows if row.health_p99_ms is not None), default=None)
    lag = max((row.lag_p99_ms for row in rows if row.lag_p99_ms is not None), default=None)
    return [told.fault, told.promised, told.seen.replace("|", "\\\\|"), word, _ms(health), _ms(lag)]


def _ms(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


# --- The rest --------------------------------------------------------------------------------------------------


def _cost(runs: Sequence[Results]) -> str:
    kinds = dict.fromkeys(kind for run in runs for kind in run.cost)
    rows = [[kind, spread([run.cost[kind] for run in runs if kind in run.cost])] for kind in kinds]
    return f"## Cost\n\n{table(('1 MB of', 'seconds of a core'), rows)}" if rows else ""


def _soak(runs: Sequence[Results]) -> str:
    soaks = [run.soak for run in runs if run.soak]
    if not soaks:
        return ""
    last = soaks[-1]
    slowest = max(soak["slowest_s"] for soak in soaks)
    health = max(soak["health_p99_ms"] for soak in soaks)
    return (
        f"## Soak\n\n{last['seconds']:.0f} seconds in each run, {last['calls']:,} calls, 50 a second, in the last run {last['told']}. "
        f"In all runs the slowest took {slowest:g} s, and /health p99 was {health:g} ms at most. Memory of the last run:\n\n"
        f"![Memory over the soak]({NAME}-memory.svg)"
    )


def _rates(runs: Sequence[Results]) -> str:
    parts = []
    for workload in _workloads(runs):
        rates = _rates_of(runs, workload)
        rows = [[name, spread(values)] for name, values in rates]
        parts.append(table((workload, "requests a second"), rows))
    return "## Over HTTP\n\n" + "\n\n".join(parts) if parts else ""


def _workloads(runs: Sequence[Results]) -> list[str]:
    return list(dict.fromkeys(workload for run in runs for workload in run.rates))


def _rates_of(runs: Sequence[Results], workload: str) -> list[tuple[str, list[float]]]:
    """Return each contestant's rates, the quickest first."""
    found: dict[str, list[float]] = {}
    for run in runs:
        for name, rate in run.rates.get(workload, {}).items():
            found.setdefault(name, []).append(rate)
    return sorted(found.items(), key=lambda one: -median(one[1]))


# --- Charts ----------------------------------------------------------------------------------------------------


def charts(bench: Bench) -> dict[str, str]:
    """Return the charts by name."""
    drawn = {}
    if bench.runs:
        drawn[NAME] = bar_chart(
            f"{LARGE:,} tokens to {TARGET:,}, and requests over HTTP",
            [*_job_panels(bench), *_rate_panels(bench.runs)],
            f"Simulated model: 0.5 s to the first token, 80 tokens/s a call. {date(bench)}, medians of {len(bench.runs)} runs. "
            "Grey: reported earlier, measured elsewhere.",
        )
    if bench.runs and bench.runs[-1].soak:
        lines = [Line(name, series) for name, series in bench.runs[-1].soak["memory"].items()]
        drawn[f"{NAME}-memory"] = line_chart(
            "Memory of the service over the soak, 50 calls a second",
            lines,
            f"{date(bench)}, the last run; resident, in MB",
            unit="MB",
        )
    return drawn


def date(bench: Bench) -> str:
    """Return the day of the last run."""
    return bench.runs[-1].said.split(" ")[0]


def _job_panels(bench: Bench) -> Iterator[Panel]:
    jobs = [(name, same, colour) for name, same, colour in _chart_jobs(bench)]
    yield Panel(
        "Seconds for the job (less is better)",
        [
            *(DrawnBar(name, median(job.seconds for job in same), colour) for name, same, colour in jobs),
            _grey(0),
        ],
    )
    yield Panel(
        f"Tokens that the model writes for {TARGET:,} (less is better)",
        [*(DrawnBar(name, _middle(same, COUNTS[3]), colour) for name, same, colour in jobs), _grey(3)],
    )


def _grey(figure: int) -> DrawnBar:
    return DrawnBar("first implementation, reported", FIRST_IMPLEMENTATION[figure], ELSEWHERE)


def _chart_jobs(bench: Bench) -> Iterable[tuple[str, list[Measured], int]]:
    named: Sequence[tuple[str, str, int, int]] = (
        (f"ours, provider takes {ALLOWED}", ours(EXTRACT), ALLOWED, OURS),
        (f"ours, {AT_ONCE} at once", ours(EXTRACT), AT_ONCE, OURS),
        (f"LangChain, {AT_ONCE} at once", LANGCHAIN, AT_ONCE, 2),
        (f"first design, {AT_ONCE} at once", FIRST_DESIGN, AT_ONCE, 3),
    )
    for name, method, places, colour in named:
        if jobs := bench.jobs(method, places):
            yield name, jobs, colour


def _rate_panels(runs: Sequence[Results]) -> Iterator[Panel]:
    for workload in _workloads(runs):
        yield Panel(
            f"Requests a second, {workload} (more is better)",
            [
                DrawnBar(
                    name,
                    median(rates),
                    OURS if name.startswith("mcp-summarizer") else 4 if "bare" in name else 2,
                )
                for name, rates in _rates_of(runs, workload)
            ],
        )
