"""The command: measure and print the tables; the exit status is 1 where a bar is missed."""

import argparse
import asyncio
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import bench.http
from bench.http.processes import ROOT
from bench.http.results import PARTS, QUICK, Options


def main() -> int:
    """Measure and return the exit status."""
    parser = argparse.ArgumentParser(
        description=bench.http.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="less of everything")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="these parts alone")
    parser.add_argument("--rounds", type=int, help="turns of each contestant")
    parser.add_argument("--environments", type=Path, default=ROOT, help="where the environments are")
    given = parser.parse_args()
    base = QUICK if given.quick else Options()
    options = replace(
        base, parts=tuple(given.only), rounds=given.rounds or base.rounds, environments=given.environments
    )
    results = asyncio.run(bench.http.measure(options))
    sys.stdout.write(bench.http.table(results))
    return int(not all(bar.is_met for bar in bench.http.bars(results)))


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main())
