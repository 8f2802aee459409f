"""The report: tables in Markdown from what was measured, and the charts beside them. Measures nothing."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bench.evaluation.measures import FIRST_DESIGN, LANGCHAIN
from bench.evaluation.report import table
from bench.service.bars import ALLOWED, AT_ONCE, LARGE, MIDDLE, TARGET, TOOLS, bars, ours
from bench.service.charts import ELSEWHERE, OURS, Bar, Line, Panel, bar_chart, line_chart
from bench.service.jobs import EXTRACT, Measured
from bench.service.results import PARTS, Results

NAME = "service"

# What was said of the first implementation (FastMCP on mcp 1.26, pydantic-ai, five calls at once), by content: seconds, calls,
# prompt tokens, completion tokens. Measured elsewhere and earlier, on a simulated model of the same pace.
FIRST_IMPLEMENTATION: dict[int, tuple[float, int | None, int | None, int | None]] = {
    LARGE: (74.0, 27, 201_000, 15_500),
    MIDDLE: (13.4, None, None, None),
}
EARLIER = "first implementation, as it was measured earlier and elsewhere"


def write(directory: Path, readme: Path, results: Results) -> None:
    """Write the report and its charts, and the table of the README anew."""
    (directory / f"{NAME}.md").write_text(report(results), "utf-8")
    for name, chart in charts(results).items():
        (directory / f"{name}.svg").write_text(chart, "utf-8")
    readme.write_text(with_table(readme.read_text("utf-8"), results), "utf-8")


def report(results: Results) -> str:
    """Return the whole page."""
    sections = [
        HEAD,
        "\n".join(f"- {part}: {results.said[part]}." for part in PARTS if part in results.said),
        "## Bars\n\n" + bars_table(results),
        _jobs(results),
        _trials(results),
        _soak(results),
        _http(results),
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


HEAD = f"""# The service: how fast, how thrifty, how hard to break

`make bench` makes this page. The model is simulated: half a second to the first token, then 80 tokens a second for each
call, as much of the length that its prompt states as a model uses (90 to 100 %), sentences of the text; it refuses more than
{ALLOWED} calls at once with 429. Everything is counted on its side, in tokens of cl100k_base, the same way for every pipeline.
The service runs as `python app.py` with default settings but where a row says otherwise, and is called over HTTP."""


def bars_table(results: Results) -> str:
    """Return the table of the bars."""
    rows = [(bar.what, bar.shown, bar.promise, bar.word) for bar in bars(results)]
    return table(("bar", "measured", "promised", ""), rows)


# --- Jobs ------------------------------------------------------------------------------------------------------

METHODS = (
    *((ours(tool), places) for tool in TOOLS for places in (AT_ONCE, ALLOWED)),
    (LANGCHAIN, AT_ONCE),
    (FIRST_DESIGN, AT_ONCE),
)


JOB_HEAD = (
    "seconds", "before the first call", "after the last", "to ideal", "calls", "refused", "prompt tokens", "to content", "completion tokens", "to target", "result", "ended"
)  # fmt: skip


def _jobs(results: Results) -> str:
    if not results.jobs:
        return ""
    parts = ["## Jobs", JOBS_NOTE, f"![The same job, by who does it]({NAME}.svg)"]
    for content in (LARGE, MIDDLE):
        rows = [_job_row(job) for job in _of_size(results, content)]
        parts.append(table((f"{content:,} to {TARGET:,} tokens", *JOB_HEAD), [*rows, _earlier(content)]))
    parts.append(f"![The limit of calls at once while it is found]({NAME}-limit.svg)")
    return "\n\n".join(parts)


JOBS_NOTE = f"""Ideal is a time that no schedule of the calls that were made could beat on so many places at once, given how long each
took and that a merge waits for its parts. At {AT_ONCE} the service is told so (`MAX_CONCURRENT_LLM_CALLS` and
`LLM_CONCURRENCY_CEILING`); at {ALLOWED} nothing is set, it begins at its default and finds out. Seconds are the middle of three
runs for ours on the large text. LangChain's map-reduce and the first design's algorithm run on the same model and chunk
size in the same run, {AT_ONCE} calls at once, and summarize for extraction."""


def _of_size(results: Results, content: int) -> Iterator[Measured]:
    for method, places in METHODS:
        if job := results.job(method, content, places):
            yield job


def _job_row(job: Measured) -> list[str]:
    places = f"{job.places} at once" if job.places == AT_ONCE else f"the provider takes {job.places}"
    return [
        f"{job.method}, {places}",
        f"{job.seconds:.1f}",
        f"{job.lead_s:.1f}" if job.method.startswith("ours") else "",
        f"{job.tail_s:.1f}" if job.method.startswith("ours") else "",
        f"{job.ratio:.2f}",
        str(job.calls),
        str(job.refused),
        f"{job.prompt_tokens:,}",
        f"{job.prompt_share:.3f}",
        f"{job.completion_tokens:,}",
        f"{job.completion_share:.2f}",
        f"{job.output_tokens:,}",
        job.status,
    ]


def _earlier(content: int) -> list[str]:
    seconds, calls, prompt, completion = FIRST_IMPLEMENTATION[content]
    shares = (f"{prompt / content:.3f}", f"{completion / TARGET:.2f}") if prompt and completion else ("", "")
    return [
        f"*{EARLIER}*",
        f"{seconds:g}",
        "",
        "",
        "",
        str(calls or ""),
        "",
        f"{prompt:,}" if prompt else "",
        shares[0],
        f"{completion:,}" if completion else "",
        shares[1],
        "",
        "",
    ]


TABLE = re.compile(rf"^\| {LARGE:,} to {TARGET:,} tokens \|.*\n(?:\|.*\n)+", re.MULTILINE)


def with_table(readme: str, results: Results) -> str:
    """Return the README with the table of these results in place of its own."""
    return TABLE.sub(lambda _: readme_table(results) + "\n", readme) if results.jobs else readme


def readme_table(results: Results) -> str:
    """Return the table of the README: the large job, by who does it."""
    jobs = [
        [
            name,
            f"{job.seconds:.1f}",
            str(job.calls),
            f"{job.prompt_tokens:,}",
            f"{job.completion_tokens:,}",
        ]
        for name, job, _ in _chart_jobs(results)
    ]
    earlier = [
        f"{figure:,}" if isinstance(figure, int) else f"{figure:g}" for figure in FIRST_IMPLEMENTATION[LARGE]
    ]
    head = (f"{LARGE:,} to {TARGET:,} tokens", "seconds", "calls", "tokens read", "tokens written")
    return table(head, [*jobs, [f"*{EARLIER}*", *earlier]])


# --- The rest --------------------------------------------------------------------------------------------------


def _trials(results: Results) -> str:
    if not results.trials:
        return ""
    rows = [
        (
            row.fault,
            row.promised,
            row.seen.replace("|", "\\\\|"),
            row.word,
            _ms(row.health_p99_ms),
            _ms(row.lag_p99_ms),
        )
        for row in results.trials
    ]
    head = ("fault", "promised", "seen", "", "/health p99, ms", "loop lag p99, ms")
    return f"## Faults\n\n{TRIALS_NOTE}\n\n{table(head, rows, words=4)}"


TRIALS_NOTE = """Each on a service of its own, as a process. Beside it another process asks /health fifty times a second; the lag of the
event loop is the service's own, from /metrics. Promised is a lag of at most 50 ms at the 99th percentile in all of them."""


def _ms(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"


def _soak(results: Results) -> str:
    soak = results.soak
    if not soak:
        return ""
    lag = "" if soak["lag_p99_ms"] is None else f", the event loop's lag p99 {soak['lag_p99_ms']:g} ms"
    return (
        f"## Soak\n\n{soak['seconds']:.0f} seconds, {soak['calls']:,} calls, 50 a second on two services (answers kept for a minute): {soak['told']}. The slowest "
        f"took {soak['slowest_s']:g} s; /health p99 {soak['health_p99_ms']:g} ms{lag}. The memory of the last fifth beside that of the "
        f"middle fifth: {', '.join(f'{name} {grown:.3f}' for name, grown in soak['growth'].items())}.\n\n"
        f"![Memory over the soak]({NAME}-memory.svg)"
    )


def _http(results: Results) -> str:
    return f"## Over HTTP\n\n{results.http_report.strip()}" if results.http_report else ""


# --- Charts ----------------------------------------------------------------------------------------------------


def charts(results: Results) -> dict[str, str]:
    """Return the charts by name."""
    drawn = {}
    if results.jobs:
        drawn[NAME] = bar_chart(
            f"{LARGE:,} tokens to {TARGET:,}" + (", and requests over HTTP" if results.rates else ""),
            [*_job_panels(results), *_rate_panels(results)],
            f"Simulated model: 0.5 s to the first token, 80 tokens/s a call. {date(results)}. "
            "Grey: reported earlier, measured elsewhere. More in bench/results/service.md",
        )
    if results.limit:
        lines = [Line(name, series, steps=True) for name, series in results.limit.items()]
        drawn[f"{NAME}-limit"] = line_chart(
            f"Two jobs find what a provider takes: {ALLOWED} calls at once",
            lines,
            f"{date(results)}; from {AT_ONCE}, the default, nothing set",
            unit="calls",
        )
    if results.soak:
        lines = [Line(name, series) for name, series in results.soak["memory"].items()]
        drawn[f"{NAME}-memory"] = line_chart(
            "Memory of the service over the soak, 50 calls a second on both",
            lines,
            f"{date(results, 'soak')}; resident, in MB",
            unit="MB",
        )
    return drawn


def date(results: Results, part: str = "jobs") -> str:
    """Return the day on which a part was measured."""
    return results.said.get(part, "").split(" ")[0]


def _job_panels(results: Results) -> Iterator[Panel]:
    jobs = list(_chart_jobs(results))
    earlier = FIRST_IMPLEMENTATION[LARGE]
    yield Panel(
        "Seconds for the job (less is better)",
        [*(Bar(name, job.seconds, colour) for name, job, colour in jobs), _grey(earlier[0])],
    )
    written = [Bar(name, job.completion_tokens, colour) for name, job, colour in jobs]
    yield Panel(
        f"Tokens that the model writes for {TARGET:,} (less is better)", [*written, _grey(earlier[3] or 0)]
    )


def _grey(value: float) -> Bar:
    return Bar("first implementation, reported", value, ELSEWHERE)


def _chart_jobs(results: Results) -> Iterable[tuple[str, Measured, int]]:
    named: Sequence[tuple[str, str, int, int]] = (
        (f"ours, provider takes {ALLOWED}", ours(EXTRACT), ALLOWED, OURS),
        (f"ours, {AT_ONCE} at once", ours(EXTRACT), AT_ONCE, OURS),
        (f"LangChain, {AT_ONCE} at once", LANGCHAIN, AT_ONCE, 2),
        (f"first design, {AT_ONCE} at once", FIRST_DESIGN, AT_ONCE, 3),
    )
    for name, method, places, colour in named:
        if job := results.job(method, LARGE, places):
            yield name, job, colour


def _rate_panels(results: Results) -> Iterator[Panel]:
    for workload, rates in results.rates.items():
        yield Panel(
            f"Requests a second, {workload} (more is better)",
            [
                Bar(name, rate, OURS if name.startswith("mcp-summarizer") else 4 if "bare" in name else 2)
                for name, rate in sorted(rates.items(), key=lambda one: -one[1])
            ],
        )
