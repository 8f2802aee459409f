"""Run the official conformance suite of MCP against the service and against fixtures, and say if all is as expected.

make conformance

Two targets. `production` is `python app.py`: it has none of the tools that most scenarios call, and the suite has no
option to leave scenarios out, so those that need none are named in RUNS and run one by one, once per revision.
`fixtures` is fixture_server.py, the same transport and protocol with all that the suite calls: there everything runs, on
every wire that the suite knows (it does not know 2024-11-05).

The verdict is ours: the suite's own files of expected failures make failures of warnings. So its results are read as it
writes them, every scenario must have run, every check that did not pass must be expected (expected-*.yml, with the
reasons) and every expected one must still be so, and the number of passed checks must be the one that stands in RUNS.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
# The suite needs Node.js 22, which the clients under test bring; where they have none for this machine, its own.
NODE = next((ROOT / "tests/clients/node/node_modules").glob("node-*/bin/node"), "node")
SCRIPT = HERE / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
SUITE = (str(NODE), str(SCRIPT))

# The longest run takes a quarter of a minute.
PATIENCE_S = 300.0

Check = dict[str, Any]


# --- What is run -----------------------------------------------------------------------------------------------


class Target(NamedTuple):
    """A program that serves MCP, and where its first line on standard output has the URL."""

    command: tuple[str, ...]
    url: Callable[[str], str]


TARGETS = {
    "production": Target(("app.py", "--env-file", os.devnull), lambda line: str(json.loads(line)["url"])),
    "fixtures": Target(("tests/conformance/fixture_server.py", "--port", "0"), str.strip),
}


@dataclass(frozen=True)
class Run:
    """One line of the table."""

    target: str
    wire: str
    scope: str
    passed: int
    """How many checks pass: one less or more is a change that somebody must look at."""
    expected: str
    options: tuple[str, ...]
    listed_by: tuple[str, ...]
    """The options with which the suite lists the scenarios that this could run."""
    only: tuple[str, ...] = ()
    """These alone, one by one."""


def required(wire: str, passed: int, expected: str) -> Run:
    """What a revision requires, and what the suite runs with it and does not count: extensions, pending scenarios."""
    options = ("--requirements", wire)
    return Run("fixtures", wire, "required", passed, expected, options, options)


def everything(wire: str, passed: int, expected: str) -> Run:
    """Every scenario that a revision has, extensions apart."""
    version = ("--spec-version", wire)
    options = ("--suite", "all", *version)
    return Run("fixtures", wire, "all", passed, expected, options, ("--server", *version))


def production(wire: str, passed: int, expected: str, *only: str) -> Run:
    """Return what a server without fixtures can be asked."""
    version = ("--spec-version", wire)
    return Run("production", wire, "no fixtures", passed, expected, version, ("--server", *version), only)


LEGACY, MODERN, PRODUCTION = "expected-legacy.yml", "expected-modern.yml", "expected-production.yml"

HANDSHAKE = ("server-initialize", "server-session-lifecycle", "ping", "tools-list")

RUNS = (
    # Of 2025-03-26 the suite has one scenario, and without sessions it only notes that there are none.
    production("2025-03-26", 0, LEGACY, "server-session-lifecycle"),
    production("2025-06-18", 6, LEGACY, *HANDSHAKE),
    production(
        "2025-11-25", 9, LEGACY, *HANDSHAKE, "dns-rebinding-protection", "server-sse-multiple-streams"
    ),
    production(
        "2026-07-28",
        49,
        PRODUCTION,
        "server-stateless",
        "tools-list",
        "dns-rebinding-protection",
        "server-sse-multiple-streams",
        "http-header-validation",
        "input-required-result-unsupported-methods",
        "sep-2164-resource-not-found",
    ),
    everything("2025-03-26", 0, LEGACY),
    everything("2025-06-18", 50, LEGACY),
    everything("2025-11-25", 63, LEGACY),
    required("2025-11-25", 63, LEGACY),
    everything("2026-07-28", 152, MODERN),
    # The whole of it: what is required, the tasks extension, and the scenarios that the suite holds back as pending.
    required("2026-07-28", 196, MODERN),
)

# Another extension, which neither target offers: the suite would skip these.
NOT_OFFERED = re.compile(r"sep-2640-skills-.*")


# --- What is expected ------------------------------------------------------------------------------------------

# Which list of an expected-*.yml says that a check may end so. `server` is the suite's own name for it.
LISTS = {"FAILURE": "server", "WARNING": "warnings", "SKIPPED": "skipped"}

Expected = Mapping[str, frozenset[str]]

_LIST = re.compile(r"(\w+):")
_ENTRY = re.compile(r" +- (\S+:\S+)")


def read_expected(text: str) -> Expected:
    """Read lists of `scenario:check-id` by their names: as much of YAML as these files use."""
    lists: dict[str, set[str]] = {}
    name = ""
    for number, line in enumerate(text.splitlines(), 1):
        said = re.sub(r"(^|\s+)#.*", "", line)
        if found := _LIST.fullmatch(said):
            name = found[1]
        elif found := _ENTRY.fullmatch(said):
            lists.setdefault(name, set()).add(found[1])
        elif said:
            raise ValueError(f"line {number}: expected `name:` or `  - scenario:check-id`, got {line!r}")
    if unknown := lists.keys() - LISTS.values():
        raise ValueError(f"expected lists of {', '.join(LISTS.values())}, got {', '.join(sorted(unknown))}")
    return {name: frozenset(entries) for name, entries in lists.items()}


# --- What came of it -------------------------------------------------------------------------------------------

# server-tools-list-2026-11-22T01-22-58-945Z/checks.json
_RESULT = re.compile(r"server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z")


def read_results(directory: Path) -> dict[str, list[Check]]:
    """Return the checks of every scenario that has left any."""
    results = {}
    for path in sorted(directory.glob("*/checks.json")):
        named = _RESULT.fullmatch(path.parent.name)
        if named is None:
            raise ValueError(f"expected a folder server-SCENARIO-TIME, got {path.parent.name}")
        results[named[1]] = json.loads(path.read_text("utf-8"))
    return results


def judge(
    scenarios: Sequence[str], results: Mapping[str, list[Check]], expected: Expected, passed: int
) -> list[str]:
    """Return everything that is not as expected."""
    faults = [f"{scenario}: did not run" for scenario in scenarios if scenario not in results]
    for status, name in LISTS.items():
        found = {
            f"{scenario}:{check['id']}": check.get("errorMessage") or check["description"]
            for scenario, checks in results.items()
            for check in checks
            if check["status"] == status
        }
        listed = {entry for entry in expected.get(name, ()) if entry.partition(":")[0] in results}
        faults += [f"{check}: {status}: {found[check]}" for check in sorted(found.keys() - listed)]
        faults += [
            f"{check}: expected {status}, which it is no more" for check in sorted(listed - found.keys())
        ]
    if (got := count(results)["SUCCESS"]) != passed:
        faults.append(f"expected {passed} passed checks, got {got}")
    return faults


def count(results: Mapping[str, list[Check]]) -> Counter[str]:
    """Count the checks by how they ended."""
    return Counter(check["status"] for checks in results.values() for check in checks)


# --- The suite -------------------------------------------------------------------------------------------------


def read_list(text: str) -> list[str]:
    """Return the server scenarios of what the suite lists: after those of clients come the ones that are not counted."""
    server, _, others = text.partition("Client scenarios")
    return re.findall(r"- (\S+)", server) + re.findall(r"- (\S+) \[server\]", others)


def list_scenarios(*options: str) -> list[str]:
    """Ask the suite which scenarios it has."""
    listed = subprocess.run(
        [*SUITE, "list", *options], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    return read_list(listed.stdout)


def run_suite(url: str, run: Run, results: Path) -> list[str]:
    """Run it as often as it takes; return what went wrong with the suite itself."""
    selections: list[tuple[str, ...]] = [("--scenario", scenario) for scenario in run.only] or [()]
    faults = []
    for selection in selections:
        command = [*SUITE, "server", "--url", url, *selection, *run.options, "-o", str(results)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
        # 0: no check has failed, 1: some have. That is judged by the results.
        if done.returncode not in (0, 1):
            faults.append(f"the suite ended with status {done.returncode}: {done.stderr[-1000:]}")
    return faults


@contextmanager
def serving(target: Target) -> Iterator[str]:
    """Run a target on a free port, with no settings but that; return its URL."""
    command = [sys.executable, *target.command]
    env = {"MCP_SUMMARIZER_PORT": "0"}
    with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            line = child.stdout.readline()
            if not line:
                raise RuntimeError(f"{' '.join(target.command)}: expected a line with its URL, got none")
            url = target.url(line)
            # It logs on; nobody reads that, and a full pipe would stop it.
            Thread(target=child.stdout.read, daemon=True).start()
            yield url
        finally:
            child.terminate()


# --- The table -------------------------------------------------------------------------------------------------

COLUMNS = ("target", "wire", "scope", "scenarios", "passed", "warned", "failed", "skipped")
WIDTHS = (12, 12, 13, 11, 8, 8, 8, 8)


def row(*cells: object) -> str:
    """Return one line of the table."""
    return "".join(str(cell).ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip() + "\n"


def carry_out(run: Run, url: str, results_dir: Path) -> tuple[list[str], set[str]]:
    """Run one line of the table and print it; return what is wrong, and which scenarios have run."""
    listed = list_scenarios(*run.listed_by)
    directory = results_dir / f"{run.target}-{run.wire}-{run.scope.replace(' ', '-')}"
    faults = run_suite(url, run, directory)
    results = read_results(directory)
    expected = read_expected((HERE / run.expected).read_text("utf-8"))
    faults += judge(run.only or listed, results, expected, run.passed)
    counts = count(results)
    ended = [counts[status] for status in ("SUCCESS", "WARNING", "FAILURE", "SKIPPED")]
    sys.stdout.write(row(run.target, run.wire, run.scope, f"{len(results)} of {len(listed)}", *ended))
    sys.stdout.flush()
    return [f"{run.target}, {run.wire}, {run.scope}: {fault}" for fault in faults], set(results)


def run_all(results_dir: Path) -> list[str]:
    """Run every line of the table; return what is wrong."""
    faults: list[str] = []
    seen: set[str] = set()
    sys.stdout.write(row(*COLUMNS))
    for name, target in TARGETS.items():
        with serving(target) as url:
            for run in RUNS:
                if run.target == name:
                    new_faults, ran = carry_out(run, url, results_dir)
                    faults += new_faults
                    seen |= ran
    every = {scenario for scenario in list_scenarios("--server") if not NOT_OFFERED.fullmatch(scenario)}
    return faults + [f"{scenario}: no line of the table runs it" for scenario in sorted(every - seen)]


def main() -> int:
    """Run the suite and return the exit status: 0 where all is as expected."""
    parser = argparse.ArgumentParser(
        description="Run the MCP conformance suite against the service and its fixtures."
    )
    parser.add_argument(
        "--results", type=Path, help="a new folder for all that the suite writes; else it is thrown away"
    )
    kept: Path | None = parser.parse_args().results
    if not SCRIPT.is_file():
        sys.stderr.write(f"The suite is not installed; run: npm ci --prefix {HERE.relative_to(ROOT)}\n")
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        faults = run_all(kept or Path(scratch))
    sys.stdout.write("\n" + "".join(f"{fault}\n" for fault in faults or ["All as expected."]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
