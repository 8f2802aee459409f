"""Speed, cost and robustness of the service, measured in whole runs; or one part, to look at:

    make bench                                     three whole runs, about 25 minutes, and the report
    make bench RUNS=5                              five of them
    make bench-soak                                the soak alone, ten minutes, printed
    python -m bench.service --only jobs trials     these parts, printed
    python -m bench.service --trial many_faults    one trial, printed; --scale 0.1 for a tenth of its load

Only whole runs are kept, in bench/results/service.json, each as soon as it is done; the report is made of all of them. A part
that was run alone goes nowhere: so none can be measured again until it pleases. The exit status is 1 where a run misses a bar.
"""

import argparse
import asyncio
import logging
import sys
import warnings
from contextlib import suppress
from functools import partial
from pathlib import Path

from bench.service import ROOT, soak
from bench.service.bars import judged
from bench.service.measuring import Session, fault_trials, loads, measure, tried, whole_runs
from bench.service.report import bars_table, missed_list, write
from bench.service.results import PARTS, Bench, load, save
from summarizing.text.tokenizer import load_tokenizer, read_vocabulary
from transport.process import allow_connections

RESULTS = ROOT / "bench" / "results"

LEAST_RUNS = 3


def keep(bench: Bench, directory: Path, documents: Path) -> None:
    """Keep the runs that there are, and write the report of them."""
    save(directory / "service.json", bench)
    write(directory, documents, bench)


async def run(session: Session, options: argparse.Namespace) -> Bench:
    """Run what was asked for."""
    if options.only:
        return Bench(1, [await measure(session, tuple(options.only))])
    documents = ROOT if options.results == RESULTS else options.results
    return await whole_runs(
        session, options.runs, partial(keep, directory=options.results, documents=documents)
    )


def parsed() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=LEAST_RUNS, help="whole runs, at least three")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="these parts alone, printed and not kept")
    parser.add_argument("--trial", metavar="NAME", help="one trial alone, printed and not kept")
    parser.add_argument(
        "--report", action="store_true", help="measure nothing, write the report of what was kept anew"
    )
    parser.add_argument(
        "--scale", type=float, default=1.0, help="of the loads; less only tries whether all of it runs"
    )
    parser.add_argument("--soak-seconds", type=float, default=soak.SECONDS)
    parser.add_argument("--environments", type=Path, default=ROOT, help="where the environments are")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the report goes")
    options = parser.parse_args()
    if options.scale < 1 and options.results == RESULTS and not (options.only or options.trial):
        parser.error(
            "--scale: expected 1 for a report in bench/results, got less; name another directory with --results"
        )
    if options.runs < LEAST_RUNS and options.results == RESULTS:
        parser.error(f"--runs: expected at least {LEAST_RUNS}, got {options.runs}")
    return options


def main() -> int:
    """Run what the command line says."""
    options = parsed()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")  # the peers', about usage that a server does not state
    allow_connections()
    if options.report:
        keep(load(options.results / "service.json"), options.results, ROOT)
        return 0
    tokenizer = load_tokenizer(read_vocabulary())
    session = Session(tokenizer, options.environments, options.scale, options.soak_seconds)
    if options.trial:
        trial = {**fault_trials(session), **loads()}[options.trial]
        row = asyncio.run(tried(session, options.trial, trial))
        sys.stdout.write(f"{row}\n")
        return int(row.met is False)
    bench = asyncio.run(run(session, options))
    sys.stdout.write(f"{bars_table(bench.runs)}\n\n{missed_list(bench.runs)}\n")
    return int(any(bar.missed for bar in judged(bench.runs)))


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main())
