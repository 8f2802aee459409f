"""The parts of a run, one after another: each puts what it measured into the results. Nothing runs beside what is measured."""

import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench import chunking, cost, http
from bench.cost_texts.shapes import text_makers
from bench.output import progress, timed
from bench.service import jobs, limit_trials, load_trials, model_trials, soak
from bench.service.bars import ALLOWED, AT_ONCE, LARGE, TARGET, TOOLS
from bench.service.client_trials import deaf_clients, half_requests
from bench.service.comparison import others
from bench.service.jobs import held_to
from bench.service.process_trials import clock_jumps, full_disk, told_to_end
from bench.service.processes import a_simulated_model
from bench.service.provider import Behaviour
from bench.service.results import (
    CHUNKING,
    COST,
    HTTP,
    JOBS,
    LOADS,
    PARTS,
    SOAK,
    TRIALS,
    Bench,
    Results,
    circumstances,
)
from bench.service.texts import SEED, Text, handbook
from bench.service.trials import Row, Stage
from summarizing.offload import THREADS
from summarizing.text.tokenizer import Tokenizer
from tests.support.plain_encoding import plain_encoding

Trial = Callable[[Stage], Awaitable[Row]]

# A text that the chunker works on for a tenth of a second, as often as a median needs.
CHUNKED_BYTES, CHUNKED_ROUNDS, CHUNK_TOKENS = 1_000_000, 31, 8_000

# Of the kinds of text that bench/cost.py has, and of its ways to ask. All of both take many minutes.
COST_TEXTS = (
    "prose",
    "markdown",
    "chat",
    "bare turns",
    "versions",
    "csv wide",
    "log",
    "json lines",
    "cjk",
    "mail",
)
COST_CASE, COST_BYTES = "short focus, 500", 1_000_000

LEAST_JOB = 20_000

# Less than `make bench-http` takes, since every run is made again; one name for each contestant.
HTTP_OPTIONS = http.Options(
    rounds=13,
    turn_seconds=0.2,
    starts=3,
    large_bytes=300_000,
    mixed_calls=10_000,
    overload_bytes=60_000,
    all_names=False,
)


@dataclass
class Session:
    """What every part needs. `scale` is of the loads: less than 1 only tries whether everything runs."""

    tokenizer: Tokenizer
    environments: Path
    scale: float = 1.0
    soak_s: float = soak.SECONDS

    def of(self, number: int) -> int:
        """Return a number at the scale, at least one."""
        return max(1, round(number * self.scale))

    def job_text(self, seed: int = SEED) -> Text:
        """Return a text of the jobs: at every scale one of several chunks."""
        return handbook(max(LEAST_JOB, self.of(LARGE)), self.tokenizer, seed)


# --- Jobs ------------------------------------------------------------------------------------------------------


async def measure_jobs(session: Session, results: Results) -> None:
    """Run the jobs on the service; where it finds out how many calls at once are taken, another one after that."""
    first, second = session.job_text(), session.job_text(SEED + 1)
    async with a_simulated_model() as model:
        for tool in TOOLS:
            for places in (AT_ONCE, ALLOWED):
                # At five the service is told so; at 32 nothing is set, and the provider refuses what is more.
                settings, texts = (held_to(AT_ONCE), [first]) if places == AT_ONCE else ({}, [first, second])
                behaviour = Behaviour(allow=ALLOWED)
                found = await jobs.ours(
                    model, texts, tool, TARGET, behaviour=behaviour, places=places, **settings
                )
                for job, _ in found:
                    progress(jobs.summary(job))
                    results.jobs.append(job)


# --- Chunking, cost, HTTP --------------------------------------------------------------------------------------


async def measure_chunking(session: Session, results: Results) -> None:
    """Time chunking with counting beside one pass of the tokenizer, by turns."""
    text = chunking.markdown(CHUNKED_BYTES)
    one_pass = plain_encoding().encode_ordinary
    with ThreadPoolExecutor(THREADS) as pool:
        ours = chunking.ours(session.tokenizer, CHUNK_TOKENS, pool)[chunking.SEMANTIC]
        runs = chunking.take_turns({"tiktoken": one_pass, "ours": ours}, text, session.of(CHUNKED_ROUNDS))
    results.chunking = chunking.ratio(runs["ours"], runs["tiktoken"])


async def measure_cost(session: Session, results: Results) -> None:
    """Count the processor time that a MB of some kinds of text takes."""
    makers = text_makers()
    case = next(case for case in cost.cases() if case.name == COST_CASE)

    def measure() -> None:
        for name in COST_TEXTS:
            text = makers[name](session.of(COST_BYTES))
            results.cost[name] = cost.measure(text, case, session.tokenizer)
            progress(f"{name}: {results.cost[name]:.2f} s/MB")

    # It begins an event loop of its own for each text.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(measure).result()


async def measure_http(session: Session, results: Results) -> None:
    """Run the bench over HTTP, with fewer and shorter turns than it has alone."""
    options = HTTP_OPTIONS.at(session.scale, session.environments)
    found = await http.measure(options)
    results.http_bars = http.bars(found)
    if found.rates is not None:
        rates = found.rates
        results.rates = {
            workload: {name: rates.per_second(workload, name) for name in turns}
            for workload, turns in rates.turns.items()
        }


# --- Trials, soak ----------------------------------------------------------------------------------------------


def fault_trials(session: Session) -> dict[str, Trial]:
    """Return every trial of a fault by its name, in the order of the table."""
    return {
        "many_faults": model_trials.many_faults,
        "gone": model_trials.gone,
        "slow": partial(model_trials.slow, text=handbook(model_trials.SLOW_TOKENS, session.tokenizer)),
        "kept_busy": limit_trials.kept_busy,
        "told_to_end": told_to_end,
        "full_disk": full_disk,
        "clock_jumps": clock_jumps,
        "half_requests": half_requests,
        "deaf_clients": deaf_clients,
    }


def loads() -> dict[str, Trial]:
    """Return every trial of a load by its name, in the order of the table."""

    def bodies(number: int, size: int) -> Trial:
        return partial(load_trials.bodies_at_once, number=number, size=size)

    return {
        "fairness": load_trials.fairness,
        "deadline": load_trials.deadline,
        "stars": partial(load_trials.one_sign, sign=load_trials.STARS[0], size=load_trials.STARS[1]),
        "newlines": partial(load_trials.one_sign, sign=load_trials.NEWLINES[0], size=load_trials.NEWLINES[1]),
        "senseless_answer": model_trials.senseless_answer,
        "large_bodies": bodies(*load_trials.LARGE_BODIES),
        "many_bodies": bodies(*load_trials.MANY_BODIES),
        "failing_calls": model_trials.failing_calls,
    }


async def measure_trials(session: Session, results: Results) -> None:
    """Make one fault after another happen."""
    results.trials = [await tried(session, name, trial) for name, trial in fault_trials(session).items()]


async def measure_loads(session: Session, results: Results) -> None:
    """Put one load after another on a service."""
    results.loads = [await tried(session, name, trial) for name, trial in loads().items()]


async def tried(session: Session, name: str, trial: Trial) -> Row:
    """Run one trial on a simulated model of its own; one that cannot be made is missed, and not the end of the run."""
    try:
        with timed(name):
            async with a_simulated_model() as model:
                row = await trial(Stage(model, session.scale))
    except Exception as problem:  # noqa: BLE001, whatever it is stands in the report
        row = Row(name, "that it can be made", f"{type(problem).__name__}: {problem}"[:200], met=False)
    progress(f"{row.word}: {row.fault}: {row.seen}")
    return row


async def measure_soak(session: Session, results: Results) -> None:
    """Run the soak."""
    async with a_simulated_model() as model:
        results.soak = soak.kept(await soak.soak(model, session.soak_s))


# --- All -------------------------------------------------------------------------------------------------------

MEASURES = {
    JOBS: measure_jobs,
    CHUNKING: measure_chunking,
    COST: measure_cost,
    HTTP: measure_http,
    TRIALS: measure_trials,
    LOADS: measure_loads,
    SOAK: measure_soak,
}


async def measure(session: Session, parts: tuple[str, ...] = PARTS) -> Results:
    """Run parts; all of them are a whole run."""
    results = Results()
    begin = time.monotonic()
    for part in parts:
        with timed(part):
            await MEASURES[part](session, results)
    results.said = circumstances(time.monotonic() - begin)
    return results


async def whole_runs(session: Session, number: int, keep: Callable[[Bench], None]) -> Bench:
    """Make so many whole runs, and the others' jobs once; what there is is kept after each."""
    bench = Bench(number)
    for at in range(number):
        progress(f"=== run {at + 1} of {number}")
        bench.runs.append(await measure(session))
        keep(bench)
    with timed("the others' jobs"):
        bench.others = await others(session.job_text(), TARGET, AT_ONCE, session.tokenizer)
    keep(bench)
    return bench
