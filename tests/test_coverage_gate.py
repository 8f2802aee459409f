"""The gate on branches: what it says, and when it fails."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

GATE = Path(__file__).parent / "coverage_gate.py"


def gate(report: str, least: str = "95") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(GATE), least]
    return subprocess.run(command, input=report, capture_output=True, text=True, check=False, timeout=60)


def report_of(covered: int, branches: int) -> str:
    # Lines are no part of it: all of them are covered, which lines and branches together would profit from.
    totals = {"covered_lines": 9_000, "num_statements": 9_000}
    return json.dumps({"totals": {**totals, "covered_branches": covered, "num_branches": branches}})


@pytest.mark.parametrize(
    "covered, branches, status, per_cent",
    [(950, 1000, 0, "95.0"), (9_499, 10_000, 1, "94.9"), (1000, 1000, 0, "100.0"), (0, 10, 1, "0.0")],
)
def test_the_gate_counts_branches_alone(covered: int, branches: int, status: int, per_cent: str) -> None:
    done = gate(report_of(covered, branches))
    assert (done.returncode, done.stderr) == (status, "")
    verdict = "" if status == 0 else "; expected at least 95 %"
    assert done.stdout == f"branches: {covered} of {branches} covered, {per_cent} %{verdict}\n"


def test_what_is_not_covered_is_named_by_its_lines_and_branches() -> None:
    files = {
        "a.py": {"missing_lines": [3, 4, 5, 9], "missing_branches": [[2, 3], [4, 5], [7, -1], [8, 11]]},
        "b.py": {"missing_lines": [], "missing_branches": []},
    }
    done = gate(json.dumps({**json.loads(report_of(950, 1000)), "files": files}))
    assert done.stdout.splitlines()[:-1] == ["a.py: 3-5, 9, 2->3, 7->exit, 8->11 not covered"]


@pytest.mark.unmeasured
def test_what_is_marked_so_runs_without_coverage() -> None:
    assert sys.gettrace() is None


@pytest.mark.parametrize("report", ["", "{}", report_of(0, 0)])
def test_a_report_without_branches_does_not_pass(report: str) -> None:
    assert gate(report).returncode != 0
