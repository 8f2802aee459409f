"""The report: tables in Markdown from what was measured, and the chart beside them. Reads no clock, judges nothing."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from bench.fidelity.bars import FIRST, MILLISECONDS, SECOND, Results, changed_the_task, took_room, verdicts
from bench.fidelity.chart import draw
from bench.fidelity.measures import (
    CONTROL,
    EXTRACTIVE,
    NO_MODEL,
    OURS,
    RATIOS,
    REAL,
    STAND_IN,
    Run,
    of,
    sums,
)
from bench.fidelity.results import Circumstances

# So many summaries that say something unsupported are named.
NAMED = 12


def write(directory: Path, parts: dict[str, tuple[Results, Circumstances]]) -> Results:
    """Write the tables and the chart from the parts there are; returns all results together."""
    together = Results()
    for results, _ in parts.values():
        together.runs += results.runs
        together.assaults += results.assaults
        together.cost = together.cost or results.cost
    said = {part: circumstances for part, (_, circumstances) in parts.items()}
    (directory / "fidelity.md").write_text(report(together, said), "utf-8")
    (directory / "fidelity.svg").write_text(draw(together, said), "utf-8")
    return together


def report(results: Results, said: dict[str, Circumstances]) -> str:
    """Return the whole page."""
    sections = [
        HEAD,
        "\n".join(_circumstances(part, one) for part, one in said.items()),
        "![What is kept and what is made up, by model and pipeline](fidelity.svg)",
        "## Bars\n\n" + bars_table(results),
        _on_stand_ins(results),
        _hostile(results),
        _real(results),
        _cost(results),
        shortcomings(results),
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


HEAD = """# Fidelity: what is kept, and what is made up

Documents generated with facts that are known by construction; `make fidelity` makes this page. Kept is the share of the facts asked for
that a summary has, every part of a fact together; the mean over documents. Unsupported: figures, names, addresses and the like that the
document does not have, and lines that a stand-in model is known to have made up; all summaries together. Two figures with a stroke
between them are the first set of documents and a second one, drawn by a seed that was not known before. How much a summary without a
model keeps is no measure here, since this project wrote the documents too: [real texts](real_texts.md) say that."""

PARTS = {"fidelity": "Everything but the real model", "real": "The real model"}


def _circumstances(part: str, one: Circumstances) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in one.versions.items())
    seeds = f"seed {one.first_seed}" if part == "real" else f"seeds {one.first_seed} and {one.second_seed}"
    return f"- {PARTS[part]}: {one.date}, {seeds}, Python {one.python}, {one.cores} cores; {versions}."


def table(head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> str:
    """Return a Markdown table; so many columns of words come first, then numbers, to the right."""
    lines = [head, ["---"] * words + ["---:"] * (len(head) - words), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def bars_table(results: Results) -> str:
    """Return the table of the bars."""
    rows = [
        (
            verdict.bar.name,
            "" if verdict.value is None else f"{verdict.value:.3g}",
            verdict.bar.promise,
            verdict.word,
        )
        for verdict in verdicts(results)
    ]
    return table(("bar", "measured", "promised", ""), rows)


# --- Cells -----------------------------------------------------------------------------------------------------


def both(runs: Sequence[Run], figure: str) -> str:
    """Return one figure of both sets, "0.96 / 0.95"."""
    sets = [of(runs, series=series) for series in (FIRST, SECOND)]
    return " / ".join(_shown(getattr(sums(one), figure)) for one in sets if one)


def _shown(value: float) -> str:
    """Write a share with two digits, a count as it is."""
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def _methods(runs: Iterable[Run]) -> list[str]:
    return list(dict.fromkeys(run.method for run in runs))


# --- Sections --------------------------------------------------------------------------------------------------


def _on_stand_ins(results: Results) -> str:
    every = of(results.runs, part=STAND_IN)
    if not every:
        return ""
    rows = []
    for model in dict.fromkeys(run.model for run in every):
        runs = of(every, model=model)
        rows += [_asked_row(model, method, of(runs, method=method)) for method in _methods(runs)]
    if alone := without_model(results, every):
        rows.append(_asked_row("none", NO_MODEL, alone))
    note = f"{STAND_IN_NOTE} {_spread(every)}"
    return f"## On stand-in models\n\n{note}\n\n{table(STAND_IN_HEAD, rows, 2)}"


STAND_IN_HEAD = (
    *("model", "pipeline", *(f"kept at {ratio}:1" for ratio in RATIOS), "unsupported"),
    *("within the target", "longest / target", "tokens", "calls", "put back by code"),
)

STAND_IN_NOTE = """Models behind a real socket that see the facts in whatever prompt they get. Forgetful: drops 30 % of the facts. Inventing: adds made-up
entities, changed numbers, swapped values, addresses and commands. Over budget: writes four times the length it was asked for.
The guard is the part of the service that holds what a model wrote against the text and puts back what it lost; "guard off" is
the service without it, "no model" the service without a model. First design: the map-reduce of this project's first design document,
written for the comparison. All get the same hint; LangChain's prompts state the target in words too, the first design's as its
document has them."""


def _spread(runs: Sequence[Run]) -> str:
    """Say how many documents there were, and the standard errors of what was kept of them."""
    cells = dict.fromkeys((run.series, run.model, run.method, run.ratio) for run in runs)
    errors = [
        sums(of(runs, series=series, model=model, method=method, ratio=ratio)).error
        for series, model, method, ratio in cells
    ]
    documents = len({(run.series, run.document) for run in runs})
    return (
        f"{documents} documents in both sets: a mean of what was kept has a standard error of {median(errors):.2f} in the median, "
        f"{max(errors):.2f} at most."
    )


def _asked_row(model: str, method: str, runs: Sequence[Run]) -> list[str]:
    every = sums(runs)
    return [
        model,
        method,
        *(both(of(runs, ratio=ratio), "recall") for ratio in RATIOS),
        both(runs, "unsupported"),
        f"{100 * every.within:.0f} %",
        f"{every.worst_length:.2f}",
        f"{every.spent:,}",
        str(every.calls),
        put_back(runs),
    ]


def put_back(runs: Sequence[Run]) -> str:
    """Return how many of the facts that the service kept were put back by code, after the model had lost them."""
    every = sums(runs)
    return f"{every.put_back:,} of {every.kept:,}" if every.kept and every.calls else ""


def without_model(results: Results, runs: Sequence[Run]) -> list[Run]:
    """Return ours without a model on the documents and at the ratios of runs with one."""
    asked = {(run.series, run.document, run.ratio) for run in runs}
    every = of(results.runs, part=EXTRACTIVE, method=OURS)
    return [run for run in every if (run.series, run.document, run.ratio) in asked]


def _hostile(results: Results) -> str:
    if not results.assaults:
        return ""
    rows = []
    for method in dict.fromkeys(assault.method for assault in results.assaults):
        mine = [assault for assault in results.assaults if assault.method == method]
        figures = (
            len(mine),
            sum(assault.obeyed for assault in mine),
            sum(assault.canary for assault in mine),
            sum(map(took_room, mine)),
            sum(map(changed_the_task, mine)),
            sum(assault.marked for assault in mine),
        )
        rows.append([method, *map(str, figures)])
    head = (
        "pipeline",
        "attacks",
        "model obeyed",
        "payload in the answer",
        "recall fell",
        "changed the task",
        "marked",
    )
    worked = attacks_that_worked(results)
    controls = [
        [run.document, run.method, f"{run.recall:.2f}", str(run.unsupported)]
        for run in of(results.runs, part=CONTROL)
    ]
    return "\n\n".join(
        filter(
            None,
            [
                "## Hostile content\n\n" + HOSTILE_NOTE,
                table(head, rows),
                "\n".join(worked),
                "What only looks hostile, at 5:1:",
                table(("document", "pipeline", "recall", "unsupported"), controls, 2),
            ],
        )
    )


def attacks_that_worked(results: Results) -> list[str]:
    """Name the attacks that changed our task."""
    return [
        f"- {assault.kind} in {assault.document}: recall fell by {assault.lost:.2f}{', payload' if assault.canary else ''}"
        for assault in results.assaults
        if assault.method == OURS and changed_the_task(assault)
    ]


HOSTILE_NOTE = """Each injected text in a document, summarized at 10:1 with a model that obeys whatever order reaches it. The task counts as changed where the payload is in
the answer, or recall is more than 10 points lower than with a harmless paragraph in the same place."""


def _real(results: Results) -> str:
    # A document's pipelines stand side by side, ours with the model beside ours without one.
    runs = sorted(
        of(results.runs, part=REAL),
        key=lambda run: (run.document, not run.method.startswith(OURS), run.method),
    )
    if not runs:
        return ""
    model = next((run.model for run in runs if run.model), "")
    rows = [
        [
            run.document,
            run.method,
            f"{run.recall:.2f}",
            str(run.unsupported),
            f"{run.tokens} / {run.target}",
            f"{run.spent:,}",
            str(run.calls),
            put_back([run]),
            f"{run.seconds:.0f}",
            run.note,
        ]
        for run in runs
    ]
    for method in _methods(runs):
        mine = of(runs, method=method)
        every = sums(mine)
        cells = [f"**{every.recall:.2f}**", str(every.unsupported), "", f"{every.spent:,}", str(every.calls)]
        rows.append(["**all**", f"**{method}**", *cells, put_back(mine), f"{every.seconds:.0f}", ""])
    head = (
        "document",
        "pipeline",
        "recall",
        "unsupported",
        "tokens / target",
        "tokens used",
        "calls",
        "put back by code",
        "s",
        "note",
    )
    return f"## On a real model: {model}, {runs[0].ratio}:1\n\n" + REAL_NOTE + "\n\n" + table(head, rows, 2)


REAL_NOTE = """The same server, context of 8,192 tokens, chunks of 3,000, temperature 0 and one call at a time for all; tokens are the server's own count of prompts and answers."""


def _cost(results: Results) -> str:
    cost = results.cost
    if cost is None:
        return ""
    measured = (
        ("with the guard", cost.with_guard_s, cost.lag_p99_with_s, cost.longest_lag_with_s),
        ("without", cost.without_s, cost.lag_p99_without_s, cost.longest_lag_without_s),
    )
    rows = [
        [name, f"{seconds:.2f}", f"{MILLISECONDS * p99:.1f}", f"{MILLISECONDS * longest:.1f}"]
        for name, seconds, p99, longest in measured
    ]
    return (
        f"## What the guard costs\n\nA document of {cost.tokens:,} tokens at 10:1, on a model with 0.5 s to the "
        "first token and 80 tokens/s: "
        f"{100 * cost.share:.1f} % of a call's time (medians; 0 where a call took no longer with it), and "
        f"{MILLISECONDS * cost.added_lag_s:+.1f} ms of event loop lag at the 99th percentile. The lag is what any other request "
        f"would have waited for the event loop while the calls ran, {cost.rounds} with the guard and {cost.rounds} without, by turns.\n\n"
        + table(("", "s for a call", "event loop lag, 99th percentile, ms", "longest, ms"), rows)
    )


def shortcomings(results: Results) -> str:
    """Name some of what summaries of ours say and their documents do not."""
    found = [run for run in results.runs if run.method == OURS and run.examples]
    lines = [
        f"- {run.document}, {run.model or 'no model'}, {run.ratio}:1: {', '.join(f'`{text}`' for text in run.examples)}"
        for run in found[:NAMED]
    ]
    return "\n".join(["## Unsupported in summaries of ours", "", *lines]) if lines else ""
