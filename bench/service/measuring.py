"""The parts, one after another: each puts what it measured into the results. What loads the machine has it for itself."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import tokens
from bench import chunking, http
from bench.service import jobs, soak
from bench.service.bars import ALLOWED, AT_ONCE, LARGE, MIDDLE, TARGET, TOOLS
from bench.service.client_trials import deaf_clients, half_requests
from bench.service.comparison import others
from bench.service.jobs import Measured, held_to
from bench.service.limits import found_limit
from bench.service.model_trials import SLOW_TOKENS, gone, many_faults, slow
from bench.service.process_trials import clock_jumps, full_disk, told_to_end
from bench.service.processes import a_simulated_model
from bench.service.provider import Behaviour
from bench.service.results import CHUNKING, HTTP, JOBS, SOAK, TRIALS, Results, Verdict, circumstances
from bench.service.texts import handbook
from bench.service.trials import Row, Stage, say
from serving import WORKER_THREADS

Trial = Callable[[Stage], Awaitable[Row]]

# Of each large job; the middle one counts.
ROUNDS = 3

# Two jobs look for a limit side by side; they have nothing in common.
ANOTHER_SEED = 2

# A text that the chunker works on for a tenth of a second, as often as a median needs.
CHUNKED_BYTES, CHUNKED_ROUNDS, CHUNK_TOKENS = 1_000_000, 51, 8_000

# Less than `make bench-http` takes: medians of fewer and shorter turns.
HTTP_ROUNDS, HTTP_TURN_S, HTTP_STARTS = 3, 1.5, 5


@dataclass
class Session:
    """What every part needs. `scale` is of the trials' load, `soak_s` the length of the soak in seconds."""

    results: Results
    tokenizer: tokens.Tokenizer
    environments: Path
    scale: float = 1.0
    soak_s: float = soak.SECONDS


# --- Jobs ------------------------------------------------------------------------------------------------------


async def measure_jobs(session: Session) -> None:
    """Run the jobs on the service and on the others, and watch a limit being found."""
    results, tokenizer = session.results, session.tokenizer
    results.jobs = []
    large, middle = handbook(LARGE, tokenizer), handbook(MIDDLE, tokenizer)
    another = handbook(LARGE, tokenizer, seed=ANOTHER_SEED)
    async with a_simulated_model() as model:
        for text, rounds in ((large, ROUNDS), (middle, 1)):
            for tool in TOOLS:
                for places in (AT_ONCE, ALLOWED):
                    # At five the service is told so; at 32 nothing is set, and the provider refuses what is more.
                    settings = held_to(AT_ONCE) if places == AT_ONCE else {}
                    behaviour = Behaviour(allow=ALLOWED)
                    one = partial(
                        jobs.ours, model, text, tool, TARGET, behaviour=behaviour, places=places, **settings
                    )
                    results.jobs.append(await _middle(one, rounds))
        results.limit = await found_limit(model, [large, another], TARGET, ALLOWED)
    results.jobs += await others([large, middle], TARGET, AT_ONCE, tokenizer)
    say("\n".join(jobs.summary(job) for job in results.jobs if not job.method.startswith("ours")))


async def _middle(run: Callable[[], Awaitable[tuple[Measured, object]]], rounds: int) -> Measured:
    """Run a job some times; return the one of the middle time."""
    measured = sorted([(await run())[0] for _ in range(rounds)], key=lambda job: job.seconds)
    middle = measured[rounds // 2]
    times = ", ".join(f"{job.seconds:.1f}" for job in measured)
    say(jobs.summary(middle))
    return replace(middle, note=f"{times} s" + (f"; {middle.note}" if middle.note else ""))


# --- Chunking, HTTP --------------------------------------------------------------------------------------------


async def measure_chunking(session: Session) -> None:
    """Time chunking with counting beside one pass of the tokenizer, by turns."""
    text = chunking.markdown(CHUNKED_BYTES)
    one_pass = chunking.plain_encoding().encode_ordinary
    with ThreadPoolExecutor(WORKER_THREADS) as pool:
        ours = chunking.ours(session.tokenizer, CHUNK_TOKENS, pool)[chunking.SEMANTIC]
        runs = chunking.take_turns({"tiktoken": one_pass, "ours": ours}, text, CHUNKED_ROUNDS)
    session.results.chunking = chunking.ratio(runs["ours"], runs["tiktoken"])


async def measure_http(session: Session) -> None:
    """Run the bench over HTTP, with fewer and shorter turns than it has alone."""
    options = http.Options(
        environments=session.environments, rounds=HTTP_ROUNDS, turn_seconds=HTTP_TURN_S, starts=HTTP_STARTS
    )
    found = await http.measure(options)
    results = session.results
    results.http_bars = [Verdict(bar.what, bar.wanted, bar.got, bar.at_least) for bar in http.bars(found)]
    results.http_report = http.table(found)
    if found.rates is not None:
        rates = found.rates
        results.rates = {
            workload: {name: rates.per_second(workload, name) for name in turns}
            for workload, turns in rates.turns.items()
        }


# --- Trials, soak ----------------------------------------------------------------------------------------------


def trials(tokenizer: tokens.Tokenizer) -> dict[str, Trial]:
    """Return every trial by its name, in the order of the table."""
    return {
        "many_faults": many_faults,
        "gone": gone,
        "slow": partial(slow, text=handbook(SLOW_TOKENS, tokenizer)),
        "told_to_end": told_to_end,
        "full_disk": full_disk,
        "clock_jumps": clock_jumps,
        "half_requests": half_requests,
        "deaf_clients": deaf_clients,
    }


# These wait for a model nearly all of the time: side by side they do not get into each other's way.
QUIET = ("gone", "slow", "clock_jumps")


async def measure_trials(session: Session) -> None:
    """Run the trials: the quiet ones side by side, then each of the others alone."""
    every = trials(session.tokenizer)
    rows = dict(
        zip(QUIET, await asyncio.gather(*(_try(session, every[name]) for name in QUIET)), strict=True)
    )
    for name in every:
        if name not in rows:
            rows[name] = await _try(session, every[name])
    session.results.trials = [rows[name] for name in every]


async def _try(session: Session, trial: Trial) -> Row:
    async with a_simulated_model() as model:
        row = await trial(Stage(model, session.scale))
    say(f"{row.word}: {row.fault}: {row.seen}")
    return row


async def measure_soak(session: Session) -> None:
    """Run the soak."""
    async with a_simulated_model() as model:
        session.results.soak = soak.kept(await soak.soak(model, session.soak_s))


# --- All -------------------------------------------------------------------------------------------------------

MEASURES = {
    JOBS: measure_jobs,
    CHUNKING: measure_chunking,
    HTTP: measure_http,
    TRIALS: measure_trials,
    SOAK: measure_soak,
}


async def measure(session: Session, part: str) -> None:
    """Run one part, and note when and on what."""
    say(f"--- {part}")
    begin = time.monotonic()
    await MEASURES[part](session)
    session.results.said[part] = circumstances(time.monotonic() - begin)
