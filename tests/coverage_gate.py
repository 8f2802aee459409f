"""Fail where too few branches are covered: coverage.py's own --fail-under counts lines in.

coverage json -q -o - | python tests/coverage_gate.py 95
"""

import json
import sys


def main() -> int:
    """Read coverage's JSON report from standard input; return the exit status."""
    least = float(sys.argv[1])
    totals = json.load(sys.stdin)["totals"]
    covered, branches = totals["covered_branches"], totals["num_branches"]
    # A report without branches was made without branch coverage: that is a failure as well.
    passed = branches > 0 and 100 * covered >= least * branches
    # Rounded down to a tenth: 94.99 must not read 95.0.
    per_cent = 1000 * covered // max(branches, 1) / 10
    verdict = "" if passed else f"; expected at least {least:g} %"
    sys.stdout.write(f"branches: {covered} of {branches} covered, {per_cent} %{verdict}\n")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
