"""The pages in docs/ and the other documents hold what the code has, their examples run, and their links lead somewhere."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from bench.real_texts.documents import PARTS, documents
from summarizing.outcome import FactCounts, Outcome
from summarizing.prompt_templates import PROMPTS
from tests.support.dockerfile import copy, parse
from tests.support.documents import (
    DOCUMENTS,
    PAGES,
    anchors,
    code_block,
    code_blocks,
    first_cells,
    links,
    run_in_shell,
    sections,
)
from tests.support.recording import modules
from tests.support.service import ROOT, process
from tools.definitions import TOOLS
from tools.handlers import ORIGINAL_KEY
from tools.web_tool_names import UNDERSCORES
from web_tools.tool_definitions import web_tools

DOCS = ROOT / "docs"
EXAMPLE = ROOT / "examples" / "ashmere-wiki-crawl.md"
LOG_CALLS = {"debug", "info", "warning", "error", "exception", "critical", "log"}


def names_of(documents: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in documents]


# --- Links -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", DOCUMENTS, ids=names_of(DOCUMENTS))
def test_every_link_leads_somewhere(document: Path) -> None:
    for target in links(document):
        name, _, anchor = target.partition("#")
        path = document.parent / name if name else document
        assert target.startswith("https://") or path.exists(), target
        assert target.startswith("https://") or not anchor or anchor in anchors(path), target


@pytest.mark.parametrize("page", PAGES, ids=names_of(PAGES))
def test_a_page_opens_with_the_question_that_it_answers(page: Path) -> None:
    title, question, *_ = page.read_text("utf-8").split("\n\n")
    assert re.fullmatch(r"# .+", title)
    assert question.count("?") == 1
    assert question.endswith("?")


# --- What the pages list ---------------------------------------------------------------------------------------


def test_the_page_of_outcomes_has_every_field() -> None:
    text = (DOCS / "outcome.md").read_text("utf-8")
    named = [*Outcome._fields, *(each.name for each in fields(FactCounts))]
    assert sorted(first_cells(text)) == sorted(named)


@pytest.mark.parametrize("tool", TOOLS, ids=[tool["name"] for tool in TOOLS])
def test_the_page_of_tools_has_every_argument_with_its_default(tool: dict[str, Any]) -> None:
    section = sections(DOCS / "tools.md")[tool["name"]]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", section, re.MULTILINE)
    schema = tool["inputSchema"]
    expected = {
        name: "required" if name in schema["required"] else shown_default(argument)
        for name, argument in schema["properties"].items()
    }
    assert dict(rows) == expected
    assert len(rows) == len(expected)


def shown_default(argument: dict[str, Any]) -> str:
    """Return how the page writes a default."""
    default = argument["default"]
    if isinstance(default, str):
        return f"`{default}`" if default else "(empty)"
    return json.dumps(default)


def test_the_page_of_tools_has_no_other_tool() -> None:
    assert list(sections(DOCS / "tools.md")) == [*(tool["name"] for tool in TOOLS), "Results"]


@pytest.mark.parametrize("tool", web_tools(UNDERSCORES), ids=UNDERSCORES)
def test_the_page_of_the_web_tools_has_every_argument(tool: dict[str, Any]) -> None:
    section = sections(DOCS / "web.md")[tool["name"]]
    (table,) = [part for part in section.split("\n\n") if part.strip().startswith("| argument")]
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", table, re.MULTILINE))
    for name, argument in tool["inputSchema"]["properties"].items():
        shown = rows.pop(name)
        if name in tool["inputSchema"]["required"]:
            assert shown == "required", name
        elif "default" in argument:
            assert shown == shown_default(argument), name
        else:
            assert shown.startswith("("), name
    assert rows == {}


def test_the_requirements_of_the_web_tools_lead_to_files_and_functions_that_there_are() -> None:
    table = sections(DOCS / "web.md")["From which requirements it was built"]
    cells = [row.split(" | ")[1] for row in table.splitlines() if row.startswith("| ")][2:]
    places = [place for cell in cells for place in re.findall(r"`([\w/]+(?:\.py|/))`(?: \(`(\w+)`\))?", cell)]
    assert len(places) > 30
    assert [path for path, _ in places if not (ROOT / path).exists()] == []
    for path, function in places:
        assert not function or f"def {function}(" in (ROOT / path).read_text("utf-8"), path


@pytest.mark.unmeasured
def test_the_page_of_operations_has_every_event_of_the_log_with_its_level() -> None:
    table = sections(DOCS / "operations.md")["Log"]
    listed = {
        (event, level)
        for cell, level in re.findall(r"^\| (`.+?`) \| (\w+) \|", table, re.MULTILINE)
        for event in re.findall(r"`(\w+)`", cell)
    }
    assert listed == set(events_of_the_code())


def events_of_the_code() -> Iterator[tuple[str, str]]:
    """Return the event and the level of each line that the code logs."""
    for module in modules():
        for node in ast.walk(ast.parse((ROOT / module).read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                yield from events_of_call(node, node.func)


def events_of_call(node: ast.Call, function: ast.Attribute) -> Iterator[tuple[str, str]]:
    if ast.unparse(function.value) != "logger" or function.attr not in LOG_CALLS:
        return
    event = next(part.value for part in node.args if isinstance(part, ast.Constant))
    level = {"exception": "error", "log": "info"}.get(function.attr, function.attr)
    tools = ("summarize", "summarize_for_extraction")
    for name in tools if "%s" in str(event) else ("",):
        yield str(event).replace("%s", name), level


def test_the_map_of_the_code_has_every_room_and_every_module_at_the_top() -> None:
    linked = {
        target.removeprefix("../") for target in links(DOCS / "how-it-works.md") if target.startswith("../")
    }
    top = {path.as_posix() for path in modules() if len(path.parts) == 1}
    rooms = {path.parent.as_posix() for path in modules() if path.name == "__init__.py"}
    beside = {path.name for path in ROOT.iterdir() if path.is_dir() and re.fullmatch("[a-z]+", path.name)}
    assert {name for name in linked if name.endswith(".py")} == top
    assert {name for name in linked if not name.endswith(".py")} == rooms | beside


def test_the_page_of_the_evaluation_counts_the_real_texts_as_they_are() -> None:
    found = list(documents())
    develop, release = (sum(document.part == part for document in found) for part in PARTS)
    text = " ".join((DOCS / "evaluation.md").read_text("utf-8").split())
    assert f"There are {len(found)} of {len({document.kind for document in found})} kinds" in text
    assert f"The {develop} documents of the developing half" in text
    assert f"The other {release} are for releases" in text


def test_the_targets_of_make_that_are_named_are_those_that_there_are() -> None:
    documents = " ".join(document.read_text("utf-8") for document in DOCUMENTS)
    (phony,) = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    blocks = "".join(code_blocks(ROOT / "CONTRIBUTING.md", "sh"))
    assert set(re.findall(r"^make ([a-z-]+)  ", blocks, re.MULTILINE)) == set(phony.split()) - {
        "run",
        "run-web",
    }
    assert set(re.findall(r"`make ([a-z-]+)`", documents)) <= set(phony.split())


def test_the_changelog_has_the_version_that_the_project_has() -> None:
    (version,) = re.findall(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    headings = list(sections(ROOT / "CHANGELOG.md"))
    assert headings[0] == "[Unreleased]"
    assert headings[1].startswith(f"[{version}] - ")


def test_files_that_contributors_are_pointed_to_exist() -> None:
    named = re.findall(
        r"`((?:tests|summarizing|[a-z_]+)/[\w/.]*|[a-z_]+\.py)`",
        (ROOT / "CONTRIBUTING.md").read_text("utf-8"),
    )
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_prompt_has_a_system_and_a_user_side() -> None:
    names = {path.stem for path in PROMPTS.glob("*.md")} - {"focus", "place", "call", "not_given"}
    assert {name.removesuffix("_system") for name in names if name.endswith("_system")} == {
        name.removesuffix("_user") for name in names if name.endswith("_user")
    }
    assert len(names) == 12


# --- What the pages run ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", code_blocks(DOCS / "web.md", "dockerfile"))
def test_an_image_that_a_page_describes_can_be_built_in_this_folder(block: str, tmp_path: Path) -> None:
    for arguments in parse(block).all("COPY"):
        copy(arguments, ROOT, (ROOT / ".dockerignore").read_text("utf-8"), tmp_path)
    assert (tmp_path / "requirements/web.txt").is_file()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Where a service without a key listens."""
    with process() as service:
        yield service.url


def answers_to(block: str, url: str) -> list[dict[str, Any]]:
    """Run a block against the service; return the results that it prints."""
    shown = run_in_shell(block.replace("http://127.0.0.1:8007/mcp", url))
    return [json.loads(line)["result"] for line in shown.splitlines()]


def test_the_shortest_call_is_answered(url: str) -> None:
    (called,) = answers_to(code_block(DOCS / "protocol.md", "sh", '"content": "..."'), url)
    assert called["content"] == [{"type": "text", "text": "..."}]


def test_a_task_is_begun_asked_about_and_stopped_as_it_is_written(url: str) -> None:
    asked, stopped = answers_to(code_block(DOCS / "protocol.md", "sh", "tasks/get"), url)
    assert asked["status"] in ("working", "completed")
    assert stopped["resultType"] == "complete"


def test_a_kept_document_is_searched_and_read_as_it_is_written(url: str) -> None:
    found, read = answers_to(code_block(DOCS / "originals.md", "sh", "search_original"), url)
    offset = found["_meta"][ORIGINAL_KEY]["places"][0]["offset"]
    assert "Thessaly Korr" in found["content"][0]["text"]
    assert read["_meta"][ORIGINAL_KEY]["offset"] == offset
    page = read["content"][0]["text"][read["_meta"][ORIGINAL_KEY]["text_start"] :]
    assert page
    assert EXAMPLE.read_text("utf-8")[offset:].startswith(page)
