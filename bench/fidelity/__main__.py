"""What summaries keep and what they make up: this service beside others, on documents whose facts are known.

    make fidelity                                                  everything without a real model; some three minutes
    make fidelity-quick                                            a part of it in under a minute, for every change
    .venv-fidelity/bin/python -m bench.fidelity --real http://127.0.0.1:9100/v1      the real model's part alone; slow

Each full run writes what it measured, the tables and the chart to bench/results/, and takes from there what it does not
measure itself. The exit status is 1 where a bar is missed. No network, no key: stand-in models answer over a socket, and
a real one is a server of one's own.
"""

import argparse
import asyncio
import logging
import random
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from bench.fidelity import runs
from bench.fidelity.bars import FIRST, SECOND, Results, verdicts
from bench.fidelity.documents import documents
from bench.fidelity.measures import OURS, Case, chosen
from bench.fidelity.peers import Server
from bench.fidelity.personalities import PERSONALITIES, Forgetful, Inventing, Tally
from bench.fidelity.proxy import counting
from bench.fidelity.report import attacks_that_worked, bars_table, shortcomings, write
from bench.fidelity.results import load, save, today
from bench.output import timed
from concurrency.worker_threads import open_worker
from summarizing.offload import THREADS
from summarizing.text.tokenizer import Tokenizer, load_tokenizer, read_vocabulary
from transport.process import calm_garbage_collector, shorten_thread_switches

RESULTS = Path(__file__).parents[1] / "results"

FIRST_SEED = 20_261_122

# Of the second set where a change is checked: the same change must not pass at one time and fail at another.
QUICK_SEED = 1_122

# For a part that is done in a minute: documents, and tokens of the largest.
QUICK_ALONE, QUICK_ASKED, QUICK_TOKENS = 12, 4, 9_000

# The pipelines are run on so many documents of each set, of every kind; ours without a model, which is cheap, on all.
COMPARED, COMPARED_TOKENS = 24, 40_000
ATTACKED, ATTACKED_TOKENS = 4, 6_500

# A job whose model calls take long enough to tell what the guard adds.
COST_TOKENS, COST_ROUNDS = 40_000, 3

# What a small model on two cores reads in some minutes, and makes sense of.
REAL_KINDS = ("mail", "minutes", "product", "wiki")
REAL_DOCUMENTS, REAL_LEAST_TOKENS, REAL_MOST_TOKENS, REAL_RATIO = 3, 6_000, 12_000, 10
REAL_CONTEXT, REAL_CHUNK, REAL_OVERLAP = 8_192, 3_000, 200


def cases(seed: int, series: str, tokenizer: Tokenizer) -> list[Case]:
    """Return the documents of a seed, counted."""
    return [Case(document, tokenizer.count(document.text), series) for document in documents(seed)]


def costly(every: Sequence[Case], size: int) -> Case:
    """Return the case nearest to a size."""
    return min(every, key=lambda case: abs(case.tokens - size))


async def quick(bench: runs.Bench, first: list[Case], second: list[Case]) -> Results:
    """Measure on a part of the documents whether anything is made up, injected or over its target."""
    results = Results()
    alone, asked = (
        chosen(first, number, QUICK_TOKENS) + chosen(second, number, QUICK_TOKENS)
        for number in (QUICK_ALONE, QUICK_ASKED)
    )
    with timed("without a model"):
        results.runs += await runs.extractive(bench, alone)
    with timed("stand-in models"):
        results.runs += await runs.stand_in(bench, asked, (Forgetful, Inventing), (OURS,))
    await hostile(bench, first, (OURS,), results)
    return results


async def full(bench: runs.Bench, first: list[Case], second: list[Case]) -> Results:
    """Measure everything but the real model."""
    results = Results()
    names = (*runs.BOTH_OURS, *runs.OTHERS)
    with timed("what the guard costs"):
        results.cost = await runs.cost(bench, costly(first, COST_TOKENS), COST_ROUNDS)
    await hostile(bench, first, (OURS, *runs.OTHERS), results)
    with timed("without a model"):
        results.runs += await runs.extractive(bench, first + second)
    with timed("stand-in models"):
        compared = chosen(first, COMPARED, COMPARED_TOKENS) + chosen(second, COMPARED, COMPARED_TOKENS)
        results.runs += await runs.stand_in(bench, compared, PERSONALITIES, names)
    return results


async def hostile(bench: runs.Bench, first: list[Case], names: Sequence[str], results: Results) -> None:
    """Measure what injected texts do, and what becomes of documents that only look hostile."""
    with timed("what only looks hostile"):
        results.runs += await runs.control(bench)
    with timed("injected texts"):
        results.assaults += await runs.hostile(bench, chosen(first, ATTACKED, ATTACKED_TOKENS), names)


async def on_a_real_model(bench: runs.Bench, every: list[Case], options: argparse.Namespace) -> Results:
    """Measure the pipelines on a real model."""
    prose = [case for case in every if case.document.kind in REAL_KINDS and case.document.language == "en"]
    large = [case for case in prose if case.tokens >= REAL_LEAST_TOKENS]
    picked = chosen(large, options.documents, REAL_MOST_TOKENS)
    tally = Tally()
    alone = await runs.without_model(bench, picked, REAL_RATIO)
    async with counting(options.real.rstrip("/"), tally) as counted:
        server = Server(counted, options.model, REAL_CONTEXT, REAL_CHUNK, REAL_OVERLAP, concurrency=1)
        names = (OURS, *runs.OTHERS)
        return Results(
            [*alone, *await runs.real(bench, picked, server, tally, names=names, ratio=REAL_RATIO)]
        )


async def measure(options: argparse.Namespace) -> Results:
    """Run the part that was asked for."""
    tokenizer = load_tokenizer(read_vocabulary())
    async with open_worker(THREADS) as worker:
        bench = runs.Bench(tokenizer, worker, FIRST_SEED)
        first = cases(FIRST_SEED, FIRST, tokenizer)
        if options.real:
            return await on_a_real_model(bench, first, options)
        second = cases(options.seed, SECOND, tokenizer)
        if options.quick:
            return await quick(bench, first, second)
        # As the service runs: it decides how long others wait for the event loop.
        calm_garbage_collector()
        shorten_thread_switches()
        return await full(bench, first, second)


def main() -> int:
    """Measure, write, and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a part in under a minute; writes no files")
    parser.add_argument(
        "--real", metavar="URL", help="base URL of a real model's server: run that part alone"
    )
    parser.add_argument("--model", default="qwen2.5-coder-0.5b-instruct", help="the real model's name")
    parser.add_argument("--documents", type=int, default=REAL_DOCUMENTS, help="for the real model")
    parser.add_argument(
        "--seed",
        type=int,
        help="of the second set; where it is not given, drawn anew, but for --quick always the same",
    )
    options = parser.parse_args()
    if options.seed is None:
        options.seed = QUICK_SEED if options.quick else random.SystemRandom().randrange(10**6)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")  # the peers', about usage that a server does not state

    with timed("all"):
        results = asyncio.run(measure(options))
    if not options.quick:
        part = "real" if options.real else "fidelity"
        save(RESULTS / f"{part}.json", results, today(FIRST_SEED, options.seed))
        results = write(RESULTS, load(RESULTS))
    sys.stdout.write(bars_table(results) + "\n")
    missed = any(verdict.word == "MISSED" for verdict in verdicts(results))
    if options.quick:
        sys.stdout.write(f"\nseeds {FIRST_SEED} and {options.seed}\n")
        reasons = [shortcomings(results), *attacks_that_worked(results)]
        sys.stdout.write("\n".join(["", *filter(None, reasons), ""]) if missed else "")
    return int(missed)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main())
