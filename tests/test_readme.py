"""The README does what it says: its commands run, its configurations parse, its tables name what there is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from summarizing.prompt_templates import PROMPTS
from summarizing.text.tokenizer import Tokenizer
from tests.support.recording import modules
from tests.support.service import ROOT, environment, process
from tools.handlers import ORIGINAL_KEY, OUTCOME_KEY

README = (ROOT / "README.md").read_text("utf-8")
EXAMPLE = ROOT / "examples" / "ashmere-wiki-crawl.md"
REQUEST = ROOT / "examples" / "ashmere-request.json"
FACTS: dict[str, Any] = json.loads((ROOT / "examples" / "ashmere-wiki-crawl.facts.json").read_text("utf-8"))

# Of the forty, two may be lost: five of six tokens are.
LEAST_RECALL = 0.95


def code_blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def run_in_shell(command: str) -> str:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def shown_by_curl() -> tuple[str, dict[str, Any]]:
    """Run the README's first curl against a service without a key; return the summary and the outcome it shows."""
    command = next(block for block in code_blocks("sh") if "ashmere-request.json" in block)
    with process() as service:
        shown = run_in_shell(command.replace("http://127.0.0.1:8007/mcp", service.url))
    summary, _, meta = shown.rpartition("\n{\n")
    return summary, json.loads("{" + meta)[OUTCOME_KEY]


def test_the_first_curl_shows_a_summary_within_the_target(
    shown_by_curl: tuple[str, dict[str, Any]], tokenizer: Tokenizer
) -> None:
    summary, outcome = shown_by_curl
    assert (outcome["status"], outcome["backend"]) == ("summarized", "extractive")
    assert tokenizer.count(summary) == outcome["output_tokens"] <= 5_000
    assert outcome["compression_ratio"] >= 5


def test_the_first_curl_shows_the_facts_that_the_hint_names(
    shown_by_curl: tuple[str, dict[str, Any]],
) -> None:
    lines = shown_by_curl[0].splitlines()
    lost = [
        fact["text"]
        for fact in FACTS["facts"]
        if not any(all(word in line for word in fact["must"]) for line in lines)
    ]
    assert len(lost) <= (1 - LEAST_RECALL) * len(FACTS["facts"]), lost


def test_a_call_is_given_away_asked_about_and_stopped_as_it_is_written() -> None:
    command = next(block for block in code_blocks("sh") if "tasks/get" in block)
    with process() as service:
        shown = run_in_shell(command.replace("http://127.0.0.1:8007/mcp", service.url))
    called, asked, stopped = (json.loads(line)["result"] for line in shown.splitlines())
    assert called["content"] == [{"type": "text", "text": "..."}]
    assert asked["status"] in ("working", "completed")
    assert stopped["resultType"] == "complete"


def test_a_kept_document_is_searched_and_read_as_it_is_written() -> None:
    command = next(block for block in code_blocks("sh") if "search_original" in block)
    with process() as service:
        shown = run_in_shell(command.replace("http://127.0.0.1:8007/mcp", service.url))
    found, read = (json.loads(line)["result"] for line in shown.splitlines())
    offset = found["_meta"][ORIGINAL_KEY]["places"][0]["offset"]
    assert "Thessaly Korr" in found["content"][0]["text"]
    assert read["_meta"][ORIGINAL_KEY]["offset"] == offset
    page = read["content"][0]["text"][read["_meta"][ORIGINAL_KEY]["text_start"] :]
    assert page
    assert EXAMPLE.read_text("utf-8")[offset:].startswith(page)


def test_the_example_request_carries_the_example_document() -> None:
    arguments = json.loads(REQUEST.read_text("utf-8"))["params"]["arguments"]
    assert arguments["content"] == EXAMPLE.read_text("utf-8")
    assert arguments["schema_hint"] == FACTS["schema_hint"]


@pytest.mark.parametrize("source", ["examples/", "-"])
def test_the_command_lines_run_as_they_are_written(source: str, tmp_path: Path) -> None:
    block = next(block for block in code_blocks("sh") if "summarizer.py examples/" in block)
    line = next(line for line in block.splitlines() if f"summarizer.py {source}" in line)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    line = line.replace(
        ".venv/bin/python summarizer.py", f"{sys.executable} {ROOT}/summarizer.py --env-file {os.devnull}"
    )
    subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"{line} 2> outcome.json"],
        cwd=tmp_path,
        env=environment({"PATH": "/usr/bin:/bin"}),
        timeout=60,
        check=True,
    )
    assert json.loads((tmp_path / "outcome.json").read_text("utf-8"))["status"] == "summarized"


def test_every_configuration_is_json_that_names_the_endpoint() -> None:
    blocks = code_blocks("json")
    assert len(blocks) == 5
    for block in blocks:
        config = json.loads(block)
        server = (config.get("mcpServers") or config["servers"])["summarizer"]
        named = {server.get("url"), *server.get("args", ())}
        assert named & {"http://127.0.0.1:8007/mcp", "${MCP_SUMMARIZER_URL}"}


def test_the_reading_order_names_every_room() -> None:
    rooms = {path.as_posix() for path in modules() if path.name != "__init__.py"}
    table = README.split("### Reading the code")[1].split("Not here on purpose")[0]
    assert set(re.findall(r"\[([\w/]+\.py)\]", table)) == rooms


def test_every_file_that_is_linked_exists() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_every_prompt_has_a_system_and_a_user_side() -> None:
    names = {path.stem for path in PROMPTS.glob("*.md")} - {"focus", "place"}
    assert {name.removesuffix("_system") for name in names if name.endswith("_system")} == {
        name.removesuffix("_user") for name in names if name.endswith("_user")
    }
    assert len(names) == 8


def test_the_python_example_shortens_a_text() -> None:
    code = next(block for block in code_blocks("python") if "def shorten" in block)
    with process() as service:
        names: dict[str, Any] = {}
        exec(code.replace("http://127.0.0.1:8007/mcp", service.url), names)  # noqa: S102  # it is the README's own
        summary = names["shorten"](EXAMPLE.read_text("utf-8"), FACTS["schema_hint"])
    assert "Ysolde Carrowmere" in summary
    assert len(summary) < len(EXAMPLE.read_text("utf-8")) / 5
