"""Everything, or a part of it:

    make bench                                     all of it in under twenty minutes, and the report
    make bench-soak                                the soak alone, ten minutes
    python -m bench.service --only jobs trials     these parts, kept beside what was measured before
    python -m bench.service --trial many_faults    one trial, printed; --scale 0.1 for a tenth of its load

What was measured is kept in bench/results/service.json, the report beside it. The exit status is 1 where a bar is missed.
"""

import argparse
import asyncio
import logging
import sys
import time
import warnings
from contextlib import suppress
from pathlib import Path

import tokens
from bench.service import ROOT
from bench.service.bars import bars
from bench.service.measuring import Session, measure, trials
from bench.service.processes import a_simulated_model
from bench.service.report import bars_table, write
from bench.service.results import PARTS, load, save
from bench.service.trials import Row, Stage
from serving import allow_connections

RESULTS = ROOT / "bench" / "results"

# The whole of `make bench` is to take less than twenty minutes: two are for making environments, the rest of these for the soak.
MINUTES = 18.0
LEAST_SOAK_S, MOST_SOAK_S = 180.0, 600.0


async def try_one(session: Session, name: str) -> Row:
    """Run one trial."""
    async with a_simulated_model() as model:
        return await trials(session.tokenizer)[name](Stage(model, session.scale))


async def run(session: Session, options: argparse.Namespace) -> None:
    """Run the parts asked for; keep what was measured after each."""
    began = time.monotonic()
    for part in options.only:
        left = 60 * MINUTES - (time.monotonic() - began)
        session.soak_s = options.soak_seconds or min(MOST_SOAK_S, max(LEAST_SOAK_S, left))
        await measure(session, part)
        save(RESULTS / "service.json", session.results)
        write(RESULTS, ROOT / "README.md", session.results)


def parsed() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="these parts alone")
    parser.add_argument("--trial", metavar="NAME", help="one trial alone")
    parser.add_argument("--scale", type=float, default=1.0, help="of the trials' load")
    parser.add_argument("--soak-seconds", type=float, help="by default what is left of the time, at most 600")
    parser.add_argument("--environments", type=Path, default=ROOT, help="where the environments are")
    return parser.parse_args()


def main() -> int:
    """Run what the command line says."""
    options = parsed()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")  # the peers', about usage that a server does not state
    allow_connections()
    session = Session(
        load(RESULTS / "service.json"),
        tokens.load(tokens.read_vocabulary()),
        options.environments,
        options.scale,
    )
    if options.trial:
        row = asyncio.run(try_one(session, options.trial))
        sys.stdout.write(f"{row}\n")
        return int(row.met is False)
    asyncio.run(run(session, options))
    sys.stdout.write(bars_table(session.results) + "\n")
    return int(any(bar.is_met is False for bar in bars(session.results)))


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main())
