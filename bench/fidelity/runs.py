"""The measuring: each part of the evaluation as a series of summaries, one after another, each judged as it comes.

One at a time, so that the seconds mean something. Knows which methods there are and what they are asked; how a summary
is judged stands in measures.py and judge.py, what is made of the figures in bars.py and report.py.
"""

import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from statistics import median

import httpx

from bench.fidelity import judge
from bench.fidelity.attacks import Attack, attacks, got_through, harmless, infected, own_words
from bench.fidelity.benign_documents import controls
from bench.fidelity.loop_lags import loop_lags
from bench.fidelity.measures import (
    CONTROL,
    EXTRACTIVE,
    FIRST_DESIGN,
    GUARD_OFF,
    LANGCHAIN,
    NO_MODEL,
    OURS,
    RATIOS,
    REAL,
    STAND_IN,
    Assault,
    Case,
    Cost,
    Run,
    measured,
)
from bench.fidelity.peers import PATIENCE_S, FirstDesign, LangChain, Pipeline, Server
from bench.fidelity.personalities import Faithful, Inventing, Obedient, Paced, Tally
from bench.fidelity.pipelines import open_ours
from bench.histograms import quantile
from bench.output import progress
from concurrency.worker_threads import Worker
from summarizing.sanitizing.suspicious import find_suspicious
from summarizing.text.tokenizer import Tokenizer
from tests.support.stand_in import Call, StandIn

# Of hostile content, and of the calls that are timed.
ATTACKED_RATIO = 10


@dataclass(frozen=True, slots=True)
class Bench:
    """What every part needs."""

    tokenizer: Tokenizer
    worker: Worker
    seed: int


# --- Without a model -------------------------------------------------------------------------------------------


async def extractive(bench: Bench, cases: Sequence[Case]) -> list[Run]:
    """Run the service without a model."""
    runs = []
    async with open_ours(None, bench.worker, bench.tokenizer) as ours:
        for case in cases:
            runs += [await _run(bench, case, ours, ratio, part=EXTRACTIVE) for ratio in RATIOS]
    return runs


async def without_model(bench: Bench, cases: Sequence[Case], ratio: int) -> list[Run]:
    """Run the service without a model beside a real one, on the same documents."""
    async with open_ours(None, bench.worker, bench.tokenizer) as ours:
        found = [await _run(bench, case, ours, ratio, part=REAL) for case in cases]
    return [replace(run, method=NO_MODEL) for run in found]


# --- With a model that stands in -------------------------------------------------------------------------------


class Stage:
    """Where one stand-in model at a time answers whatever comes in."""

    def __init__(self, first: Faithful) -> None:
        """`first` answers until another is put there."""
        self.model = first

    def choose(self, number: int, payload: dict[str, object]) -> "Stage":
        """Be the answer to every call."""
        return self

    async def give(self, call: Call) -> object:
        """Let the model of the moment answer."""
        return await self.model.give(call)


@asynccontextmanager
async def pipelines(bench: Bench, server: Server, names: Sequence[str]) -> AsyncIterator[list[Pipeline]]:
    """Open the pipelines of these names on a model server."""
    found: list[Pipeline] = []
    async with AsyncExitStack() as stack:
        for name in names:
            if name in (OURS, GUARD_OFF):
                ours = open_ours(server, bench.worker, bench.tokenizer, guard=name == OURS)
                found.append(await stack.enter_async_context(ours))
            elif name == LANGCHAIN:
                found.append(LangChain(server, bench.tokenizer))
            else:
                http = await stack.enter_async_context(httpx.AsyncClient(timeout=PATIENCE_S))
                found.append(FirstDesign(server, bench.tokenizer, http))
        yield found


BOTH_OURS, OTHERS = (OURS, GUARD_OFF), (LANGCHAIN, FIRST_DESIGN)


@asynccontextmanager
async def stage(
    bench: Bench, case: Case, names: Sequence[str]
) -> AsyncIterator[tuple[Stage, list[Pipeline]]]:
    """Open a stand-in server, and the pipelines of these names on it."""
    place = Stage(Faithful(case.document, bench.tokenizer))
    async with (
        StandIn(place.choose) as server,  # type: ignore[arg-type]
        pipelines(bench, Server(server.base_url), names) as found,
    ):
        yield place, found


async def stand_in(
    bench: Bench,
    cases: Sequence[Case],
    models: Sequence[type[Faithful]],
    names: Sequence[str],
) -> list[Run]:
    """Run pipelines on stand-in models."""
    runs = []
    async with stage(bench, cases[0], names) as (place, found):
        for case in cases:
            for kind in models:
                for pipeline in found:
                    for ratio in RATIOS:
                        place.model = kind(case.document, bench.tokenizer, bench.seed)
                        runs.append(
                            await _run(bench, case, pipeline, ratio, part=STAND_IN, model=place.model)
                        )
            progress(f"stand-ins: {case.series} {case.document.name}")
    return runs


async def _run(
    bench: Bench, case: Case, pipeline: Pipeline, ratio: int, *, part: str, model: Faithful | None = None
) -> Run:
    """Make one summary and measure it."""
    document = case.document
    started = time.perf_counter()
    made = await pipeline.summarize(document.text, document.schema_hint, case.target(ratio))
    seconds = time.perf_counter() - started
    run = measured(
        case,
        made,
        bench.tokenizer.count,
        ratio=ratio,
        seconds=seconds,
        invented=model.invented if isinstance(model, Inventing) else (),
        part=part,
        method=pipeline.name,
        model=model.label if model else "",
    )
    return counted(run, model.tally) if model else run


def counted(run: Run, tally: Tally) -> Run:
    """Return a run with what its calls took."""
    return replace(run, calls=tally.calls, spent=tally.prompt_tokens + tally.answer_tokens)


# --- Hostile content -------------------------------------------------------------------------------------------


async def hostile(bench: Bench, cases: Sequence[Case], names: Sequence[str]) -> list[Assault]:
    """Put each attack into one of the documents, and let a model that obeys meet it in each pipeline."""
    found = []
    planned = [(cases[at % len(cases)], attack) for at, attack in enumerate(attacks())]
    planned += [(case, own_words(case.document)) for case in cases if case.document.others]
    async with stage(bench, cases[0], names) as (place, pipes):
        for pipeline in pipes:
            # A stray paragraph alone costs something: in the middle of JSON it is no JSON any more.
            with_harmless: dict[tuple[str, str], float] = {}
            for case, attack in planned:
                key = (case.document.name, attack.place)
                if key not in with_harmless:
                    with_harmless[key] = await _recall_with(bench, place, pipeline, case, harmless(attack))
                found.append(await _assault(bench, place, pipeline, case, attack, clean=with_harmless[key]))
            progress(f"hostile: {pipeline.name}")
    return found


async def _recall_with(bench: Bench, place: Stage, pipeline: Pipeline, case: Case, attack: Attack) -> float:
    """Return the recall of a document with an inserted text that a faithful model meets."""
    document = infected(case.document, attack)
    place.model = Faithful(document, bench.tokenizer)
    made = await pipeline.summarize(document.text, document.schema_hint, case.target(ATTACKED_RATIO))
    return judge.recall(document, made.text)


async def _assault(
    bench: Bench, place: Stage, pipeline: Pipeline, case: Case, attack: Attack, *, clean: float
) -> Assault:
    document = infected(case.document, attack)
    model = Obedient(document, bench.tokenizer, attacks=[attack])
    place.model = model
    # The target of the clean document, lest the attack pays for its own room.
    made = await pipeline.summarize(document.text, document.schema_hint, case.target(ATTACKED_RATIO))
    return Assault(
        pipeline.name,
        attack.kind,
        document.name,
        got_through(attack, made.text),
        clean - judge.recall(document, made.text),
        bool(model.obeyed),
        bool(find_suspicious(document.text)),
    )


async def control(bench: Bench) -> list[Run]:
    """Run the documents that only look hostile, with and without a model."""
    cases = [Case(one, bench.tokenizer.count(one.text), "control") for one in controls(bench.seed)]
    runs = []
    async with (
        stage(bench, cases[0], (OURS,)) as (place, pipes),
        open_ours(None, bench.worker, bench.tokenizer) as without,
    ):
        for case in cases:
            place.model = Faithful(case.document, bench.tokenizer)
            runs.append(await _run(bench, case, pipes[0], 5, part=CONTROL, model=place.model))
            run = await _run(bench, case, without, 5, part=CONTROL)
            runs.append(replace(run, method=NO_MODEL))
    return runs


# --- What the guard costs --------------------------------------------------------------------------------------


async def cost(bench: Bench, case: Case, rounds: int) -> Cost:
    """Time the same job with the guard and without, in turn."""
    seconds: dict[str, list[float]] = {name: [] for name in BOTH_OURS}
    lags: dict[str, list[float]] = {name: [] for name in BOTH_OURS}
    async with stage(bench, case, BOTH_OURS) as (place, pipes):
        for pipeline in pipes:
            # The first call pays for what is made once: tables, connections, caches.
            await _timed(case, pipeline)
        for _ in range(rounds):
            for pipeline in pipes:
                place.model = Paced(case.document, bench.tokenizer)
                taken, late = await _timed(case, pipeline)
                seconds[pipeline.name].append(taken)
                lags[pipeline.name] += late
    return Cost(
        case.tokens,
        with_guard_s=median(seconds[OURS]),
        without_s=median(seconds[GUARD_OFF]),
        lag_p99_with_s=quantile(lags[OURS]),
        lag_p99_without_s=quantile(lags[GUARD_OFF]),
        longest_lag_with_s=max(lags[OURS]),
        longest_lag_without_s=max(lags[GUARD_OFF]),
        rounds=rounds,
    )


async def _timed(case: Case, pipeline: Pipeline) -> tuple[float, list[float]]:
    """Return the seconds of a call, and the event loop's lags meanwhile."""
    with loop_lags() as lags:
        started = time.perf_counter()
        await pipeline.summarize(case.document.text, case.document.schema_hint, case.target(ATTACKED_RATIO))
        seconds = time.perf_counter() - started
    return seconds, lags


# --- A real model ----------------------------------------------------------------------------------------------


async def real(
    bench: Bench, cases: Iterable[Case], server: Server, tally: Tally, *, names: Sequence[str], ratio: int
) -> list[Run]:
    """Run pipelines on a real model; `tally` is the proxy's, between them and the model."""
    runs = []
    async with pipelines(bench, server, names) as found:
        for case in cases:
            for pipeline in found:
                tally.calls = tally.prompt_tokens = tally.answer_tokens = 0
                run = counted(await _run(bench, case, pipeline, ratio, part=REAL), tally)
                runs.append(replace(run, model=server.model))
                progress(
                    f"real model: {case.document.name} {pipeline.name}: recall {run.recall:.2f}, "
                    f"{run.spent} tokens, {run.calls} calls, {run.seconds:.0f} s {run.note}"
                )
    return runs
