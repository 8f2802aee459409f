"""Say what is not covered, and fail where too few branches are: coverage.py's own --fail-under counts lines in.

coverage json -q -o - | python tests/coverage_gate.py 95
"""

import json
import sys
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any


def main() -> int:
    """Read coverage's JSON report from standard input; return the exit status."""
    least = float(sys.argv[1])
    report = json.load(sys.stdin)
    for path, file in report.get("files", {}).items():
        if missing := missing_in(file):
            sys.stdout.write(f"{path}: {missing} not covered\n")
    totals = report["totals"]
    covered, branches = totals["covered_branches"], totals["num_branches"]
    # A report without branches was made without branch coverage: that is a failure as well.
    passed = branches > 0 and 100 * covered >= least * branches
    # Rounded down to a tenth: 94.99 must not read 95.0.
    per_cent = 1000 * covered // max(branches, 1) / 10
    verdict = "" if passed else f"; expected at least {least:g} %"
    sys.stdout.write(f"branches: {covered} of {branches} covered, {per_cent} %{verdict}\n")
    return 0 if passed else 1


def missing_in(file: Mapping[str, Any]) -> str:
    """Return the lines of a file that are not covered, and the branches between lines that are."""
    lines = file["missing_lines"]
    branches = [
        f"{start}->{max(end, 0) or 'exit'}" for start, end in file["missing_branches"] if start not in lines
    ]
    return ", ".join([*stretches(lines), *branches])


def stretches(lines: Iterable[int]) -> list[str]:
    """Return line numbers as stretches: 3-5, 9."""
    numbered = enumerate(sorted(lines))
    runs = [[line for _, line in run] for _, run in groupby(numbered, key=lambda each: each[1] - each[0])]
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]


if __name__ == "__main__":
    sys.exit(main())
