"""What is measured of one summary, and sums over many. Pure: the judge's figures and arithmetic, no service, no clock."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import sqrt
from statistics import fmean, stdev

from bench.fidelity import judge
from bench.fidelity.documents import Document
from summarizing.outcome import FactCounts

Count = Callable[[str], int]

# Compression, tokens in to tokens out: the facts asked for have room in a fifth of a document, in a twentieth not quite all of them.
RATIOS = (5, 20)

# So many of the unsupported facts of a summary are shown.
EXAMPLES = 3


EXTRACTIVE, STAND_IN, CONTROL, REAL = "extractive", "stand-in", "control", "real"
"""The parts of the evaluation."""

OURS, GUARD_OFF, LANGCHAIN, FIRST_DESIGN = "ours", "ours, guard off", "LangChain map-reduce", "first design"
"""The pipelines, as reports name them."""

NO_MODEL = "ours, no model"


@dataclass(frozen=True, slots=True)
class Made:
    """A summary, what the service says of its facts where it does, and what went wrong where something did."""

    text: str
    facts: FactCounts | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A document and what it comes to in tokens; `series` says which seed drew it."""

    document: Document
    tokens: int
    series: str

    def target(self, ratio: int) -> int:
        """Return the tokens that a summary may have."""
        return max(1, self.tokens // ratio)


@dataclass(frozen=True, slots=True)
class Run:
    """One summary, measured. Recall is a share of the gold; seconds are on the clock."""

    part: str
    method: str
    model: str
    series: str
    document: str
    ratio: int
    target: int
    tokens: int
    recall: float
    unsupported: int
    seconds: float
    calls: int = 0
    spent: int = 0
    note: str = ""
    examples: tuple[str, ...] = ()
    put_back: int = 0
    kept: int = 0
    """Facts that the service itself counts as kept; of these `put_back` were put back by code."""


@dataclass(frozen=True, slots=True)
class Assault:
    """One attack on one pipeline. `lost`: how far recall fell, as a share."""

    method: str
    kind: str
    document: str
    canary: bool
    lost: float
    obeyed: bool
    marked: bool = False
    """Whether the document with the attack has a passage that looks like an instruction to a model."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Calls with the guard and without, by turns, on a model at 80 tokens a second.

    Lags are the event loop's while the calls ran: of all rounds together the 99th percentile, and the longest.
    """

    tokens: int
    with_guard_s: float
    without_s: float
    lag_p99_with_s: float
    lag_p99_without_s: float
    longest_lag_with_s: float
    longest_lag_without_s: float
    rounds: int

    @property
    def share(self) -> float:
        """The guard's share of a call's time."""
        return max(0.0, (self.with_guard_s - self.without_s) / self.with_guard_s)

    @property
    def added_lag_s(self) -> float:
        """The lag with the guard less the lag without it, at the 99th percentile; noise can make it negative."""
        return self.lag_p99_with_s - self.lag_p99_without_s


@dataclass(frozen=True, slots=True)
class Sums:
    """What several runs of a method come to."""

    recall: float
    error: float
    """The standard error of this mean: its spread, had other documents been drawn."""
    unsupported: int
    within: float
    worst_length: float
    calls: int
    spent: int
    seconds: float
    put_back: int
    kept: int


def measured(
    case: Case,
    made: Made,
    count: Count,
    *,
    ratio: int,
    seconds: float,
    invented: Sequence[str] = (),
    **more: str,
) -> Run:
    """Judge one summary. `more` is part, method and model."""
    target = case.target(ratio)
    unsupported = judge.unsupported(case.document, made.text, invented)
    return Run(
        series=case.series,
        document=case.document.name,
        ratio=ratio,
        target=target,
        tokens=count(made.text),
        recall=judge.recall(case.document, made.text),
        unsupported=len(unsupported),
        examples=tuple(text[:120] for text in unsupported[:EXAMPLES]),
        seconds=seconds,
        note=made.note[:200],
        put_back=made.facts.put_back if made.facts else 0,
        kept=made.facts.kept if made.facts else 0,
        part=more["part"],
        method=more["method"],
        model=more.get("model", ""),
    )


def sums(runs: Sequence[Run]) -> Sums:
    """Add runs up, at least one: recall is the mean over documents, each counting the same."""
    recalls = [run.recall for run in runs]
    lengths = [run.tokens / run.target for run in runs]
    return Sums(
        recall=fmean(recalls),
        error=stdev(recalls) / sqrt(len(recalls)) if len(recalls) > 1 else 0.0,
        unsupported=sum(run.unsupported for run in runs),
        within=fmean(length <= 1 for length in lengths),
        worst_length=max(lengths),
        calls=sum(run.calls for run in runs),
        spent=sum(run.spent for run in runs),
        seconds=sum(run.seconds for run in runs),
        put_back=sum(run.put_back for run in runs),
        kept=sum(run.kept for run in runs),
    )


def of(runs: Iterable[Run], **wanted: str | int) -> list[Run]:
    """Return the runs whose fields have these values."""
    return [run for run in runs if all(getattr(run, name) == value for name, value in wanted.items())]


def chosen(cases: Sequence[Case], number: int, most_tokens: int) -> list[Case]:
    """Return so many cases, of as many kinds as there are, none larger than a size; always the same ones."""
    waiting: dict[str, list[Case]] = {}
    for case in cases:
        if case.tokens <= most_tokens:
            waiting.setdefault(case.document.kind, []).append(case)
    # One of each kind in turn.
    rows = zip_longest(*(waiting[kind] for kind in sorted(waiting)))
    return [case for row in rows for case in row if case is not None][:number]
