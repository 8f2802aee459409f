"""The judgement on the conformance suite's results. The suite itself is run by `make conformance`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import run

HERE = Path(run.__file__).parent
EXPECTED = """
# Why.
server:
  # Because.
  - ping:refused # no ball
  - lists:short
warnings:
  - ping:slow
"""

LISTED = run.read_expected(EXPECTED)


def check(check_id: str, status: str) -> dict[str, Any]:
    return {"id": check_id, "status": status, "description": f"about {check_id}"}


def results(**statuses: str) -> dict[str, list[dict[str, Any]]]:
    """Results of the scenario `ping` in which all that is expected has happened, but for these checks."""
    usual = {"answers": "SUCCESS", "told": "INFO", "refused": "FAILURE", "slow": "WARNING"}
    return {"ping": [check(name, status) for name, status in {**usual, **statuses}.items()]}


def test_what_is_expected_is_read_from_its_lists() -> None:
    assert run.read_expected(EXPECTED) == {
        "server": {"ping:refused", "lists:short"},
        "warnings": {"ping:slow"},
    }


@pytest.mark.parametrize(
    "text", ["server:\n  - a: b\n", "server:\n  - whole-scenario\n", "errors:\n  - a:b\n", "a:b"]
)
def test_what_is_no_list_of_checks_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        run.read_expected(text)


def test_every_file_of_expectations_is_used() -> None:
    assert {path.name for path in HERE.glob("*.yml")} == {each.expected for each in run.RUNS}


@pytest.mark.parametrize("path", sorted(HERE.glob("*.yml")), ids=lambda path: path.name)
def test_every_list_of_expectations_gives_reasons(path: Path) -> None:
    text = path.read_text("utf-8")
    lists = dict(re.findall(r"(?m)^(\w+):\n((?:  .*\n)+)", text))
    assert lists.keys() == run.read_expected(text).keys()
    assert [name for name, entries in lists.items() if "#" not in entries] == []


def test_results_as_expected_have_no_fault() -> None:
    assert run.judge(["ping"], results(), LISTED, 1) == []


def test_entries_of_scenarios_that_were_not_run_are_left_alone() -> None:
    assert run.judge([], {}, LISTED, 0) == []


@pytest.mark.parametrize(
    "changed, fault",
    [
        ({"told": "FAILURE"}, "ping:told: FAILURE: about told"),
        ({"told": "WARNING"}, "ping:told: WARNING: about told"),
        ({"told": "SKIPPED"}, "ping:told: SKIPPED: about told"),
        ({"refused": "INFO"}, "ping:refused: expected FAILURE, which it is no more"),
        ({"slow": "INFO"}, "ping:slow: expected WARNING, which it is no more"),
        ({"answers": "INFO"}, "expected 1 passed checks, got 0"),
        ({"told": "SUCCESS"}, "expected 1 passed checks, got 2"),
    ],
)
def test_every_surprise_is_a_fault(changed: dict[str, str], fault: str) -> None:
    assert run.judge(["ping"], results(**changed), LISTED, 1) == [fault]


def test_an_expected_failure_that_only_warns_is_two_faults() -> None:
    faults = run.judge(["ping"], results(refused="WARNING"), LISTED, 1)
    assert faults == [
        "ping:refused: expected FAILURE, which it is no more",
        "ping:refused: WARNING: about refused",
    ]


def test_a_scenario_that_did_not_run_is_a_fault() -> None:
    assert run.judge(["ping", "lists"], results(), LISTED, 1) == ["lists: did not run"]


def test_a_check_that_passes_once_and_fails_once_has_failed() -> None:
    twice = {"lists": [check("short", "SUCCESS"), check("short", "FAILURE")]}
    assert run.judge(["lists"], twice, LISTED, 1) == []
    assert run.judge(["lists"], twice, {}, 1) == ["lists:short: FAILURE: about short"]


def test_results_are_found_by_the_names_of_their_folders(tmp_path: Path) -> None:
    for scenario in ("server-stateless", "json-schema-2020-12"):
        folder = tmp_path / f"server-{scenario}-2026-07-28T01-22-58-945Z"
        folder.mkdir()
        (folder / "checks.json").write_text(json.dumps([check(scenario, "SUCCESS")]), "utf-8")
    (tmp_path / "server-not-applicable-2026-07-28T01-22-58-945Z").mkdir()
    found = run.read_results(tmp_path)
    assert found.keys() == {"server-stateless", "json-schema-2020-12"}
    assert run.count(found) == {"SUCCESS": 2}


def test_a_list_of_requirements_gives_the_server_s_scenarios_alone() -> None:
    text = (
        "Server scenarios (test against a server):\n  - ping\n  - lists [2025-11-25,2026-07-28]\n\n"
        "Client scenarios (test against a client):\n  - initialize\n\n"
        "  extension (2):\n    - auth/dpop [client]\n    - tasks-lifecycle [server]\n"
    )
    assert run.read_list(text) == ["ping", "lists", "tasks-lifecycle"]


def test_the_suite_is_pinned_with_hashes_and_without_a_host() -> None:
    package = json.loads((HERE / "package.json").read_text("utf-8"))
    lock = json.loads((HERE / "package-lock.json").read_text("utf-8"))
    assert lock["packages"][""]["devDependencies"] == package["devDependencies"]
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    for name, version in package["devDependencies"].items():
        assert packages[f"node_modules/{name}"]["version"] == version
    assert [name for name, entry in packages.items() if "resolved" in entry] == []
    assert [name for name, entry in packages.items() if not entry["integrity"].startswith("sha512-")] == []
