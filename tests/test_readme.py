"""The README does what it says: its commands run, it shows what they print, its configurations parse."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from config import settings
from summarizing.text.tokenizer import Tokenizer
from tests.support.documents import PAGES, code_block, code_blocks, first_cells, run_in_shell, sections, words
from tests.support.service import PATIENCE_S, ROOT, environment, process
from tools.call_results import OUTCOME_KEY
from tools.definitions import TOOLS

README = ROOT / "README.md"
EXAMPLE = ROOT / "examples" / "ashmere-wiki-crawl.md"
REQUEST: dict[str, Any] = json.loads((ROOT / "examples" / "ashmere-request.json").read_text("utf-8"))
FACTS: dict[str, Any] = json.loads((ROOT / "examples" / "ashmere-wiki-crawl.facts.json").read_text("utf-8"))

# Three minutes at 250 words a minute; code blocks, link targets and the signs of tables aside.
MOST_LINES = 250
MOST_WORDS = 750

# Of the forty facts, what was measured when this was written, and how far below it a run may fall.
MEASURED_FACTS = 22
SLACK_FACTS = 2


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Where a service without a key listens."""
    with process() as service:
        yield service.url


def on(url: str, block: str) -> str:
    """Return a code block with the service's own URL."""
    return block.replace("http://127.0.0.1:8007/mcp", url)


def without_duration(meta: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in meta[OUTCOME_KEY].items() if name != "duration_ms"}


def test_the_readme_can_be_read_in_three_minutes() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= MOST_LINES
    assert len(words(README)) <= MOST_WORDS


def test_the_readme_shows_what_its_first_call_returns(url: str, tokenizer: Tokenizer) -> None:
    shown = run_in_shell(on(url, code_block(README, "sh", "ashmere-request.json")))
    summary, _, meta = shown.rpartition("\n{\n")
    outcome = json.loads("{" + meta)
    written = code_block(README, "text", "")
    assert written == summary + "\n", "paste what the command prints now"
    assert without_duration(json.loads(code_block(README, "json", OUTCOME_KEY))) == without_duration(outcome)
    target = REQUEST["params"]["arguments"]["max_output_tokens"]
    assert tokenizer.count(summary) == outcome[OUTCOME_KEY]["output_tokens"] <= target


def test_the_example_keeps_as_many_facts_as_were_measured(url: str, tokenizer: Tokenizer) -> None:
    arguments = REQUEST["params"]["arguments"] | {
        "schema_hint": FACTS["schema_hint"],
        "max_output_tokens": 5_000,
    }
    call = REQUEST | {"params": REQUEST["params"] | {"arguments": arguments}}
    result = httpx.post(url, json=call, timeout=PATIENCE_S, trust_env=False).json()["result"]
    summary = result["content"][0]["text"]
    kept = [
        fact["text"]
        for fact in FACTS["facts"]
        if any(all(word in line for word in fact["must"]) for line in summary.splitlines())
    ]
    assert len(kept) >= MEASURED_FACTS - SLACK_FACTS, kept
    assert tokenizer.count(summary) <= 5_000
    assert result["_meta"][OUTCOME_KEY]["compression_ratio"] >= 5


def test_the_example_request_carries_the_example_document() -> None:
    arguments = REQUEST["params"]["arguments"]
    assert arguments["content"] == EXAMPLE.read_text("utf-8")
    assert f'"{arguments["schema_hint"]}"' in README.read_text("utf-8").replace("\n", " ")


def test_a_page_of_the_examples_is_read_as_it_is_written(tmp_path: Path) -> None:
    block = code_block(README, "sh", "http.server")
    (setting,) = re.findall(r"`(WEB_ALLOWED_NETWORKS)=([\d.]+) make run-web`", README.read_text("utf-8"))
    serve = f"{sys.executable} -u -m http.server 0 --bind 127.0.0.1 --directory examples/web".split()
    written = "python3 -m http.server 8008 --bind 127.0.0.1 --directory examples/web & sleep 1\n"
    assert written in block
    settings = {"WEB_ENABLED": "true", "DATA_DIR": str(tmp_path), setting[0]: setting[1]}
    with (
        subprocess.Popen(
            serve, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as pages,
        process(settings) as service,
    ):
        assert pages.stdout is not None
        (port,) = re.findall(r"port (\d+)", pages.stdout.readline())
        try:
            asked = block.replace(written, "").replace("127.0.0.1:8008", f"127.0.0.1:{port}")
            said = json.loads(run_in_shell(on(service.url, asked)))["result"]["structuredContent"]
        finally:
            pages.kill()
    (found,) = said["queries"][0]["results"]
    assert "3 minutes and 40 seconds" in found["text"]


@pytest.mark.parametrize("source", ["examples/", "-"])
def test_the_command_lines_run_as_they_are_written(source: str, tmp_path: Path) -> None:
    block = code_block(README, "sh", "summarizer.py examples/")
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
    if source == "-":
        years = re.findall(r"\*\*Year \d+[^*]*\*\*", EXAMPLE.read_text("utf-8"))
        facts = (tmp_path / "facts.md").read_text("utf-8")
        assert len(years) > 20
        assert [year for year in years if year not in facts] == []


def test_the_python_example_shortens_a_text(url: str) -> None:
    names: dict[str, Any] = {}
    exec(on(url, code_block(README, "python", "def shorten")), names)  # noqa: S102  # it is the README's own
    summary = names["shorten"](EXAMPLE.read_text("utf-8"), FACTS["schema_hint"])
    assert "Ysolde Carrowmere" in summary
    assert len(summary) < len(EXAMPLE.read_text("utf-8")) / 5


def test_every_configuration_is_json_that_names_the_endpoint() -> None:
    pages = (README, ROOT / "docs" / "clients.md")
    blocks = [block for page in pages for block in code_blocks(page, "json") if OUTCOME_KEY not in block]
    assert blocks
    for block in blocks:
        config = json.loads(block)
        server = (config.get("mcpServers") or config["servers"])["summarizer"]
        named = {server.get("url"), *server.get("args", ())}
        assert named & {"http://127.0.0.1:8007/mcp", "${MCP_SUMMARIZER_URL}"}


def test_the_readme_lists_the_tools() -> None:
    assert first_cells(sections(README)["The tools"]) == [tool["name"] for tool in TOOLS]


def test_the_readme_names_no_setting_that_is_none() -> None:
    named = set(re.findall(r"\b(?:[A-Z]+_){1,}[A-Z]+\b", README.read_text("utf-8")))
    known = {name for setting, _ in settings() for name in setting.names}
    assert named
    assert named - {"MCP_SUMMARIZER_URL"} <= known


def test_the_readme_lists_every_page_with_the_question_that_it_answers() -> None:
    rows = re.findall(
        r"^\| \[[\w-]+\]\(docs/([\w-]+)\.md\) \| (.+) \|$", README.read_text("utf-8"), re.MULTILINE
    )
    questions = {page.stem: page.read_text("utf-8").split("\n\n")[1].replace("\n", " ") for page in PAGES}
    assert dict(rows) == questions
    assert all(question.endswith("?") for question in questions.values())
