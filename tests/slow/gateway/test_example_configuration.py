"""The configuration of examples/ with a foreign server, a foreign client and a browser: a result of far more than fits a context."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from pathlib import Path
from pydoc_data.topics import topics
from typing import Any

import pytest
from mcp.client import Client

from summarizing.text.tokenizer import Tokenizer
from tests.support.browser import open_browser
from tests.support.client_processes import NODE_MODULES
from tests.support.service import PATIENCE_S, ROOT, process

EXAMPLE = ROOT / "examples" / "gateway.json"

# Python's own reference, which is installed with it, and one of its facts.
TEXT = "\n\n".join(topics[name] for name in sorted(topics))
FOCUS = "percentage presentation type of format strings"
FACT = "Multiplies the number by 100"
LEAST_TOKENS = 60_000

TOOL = "files__read_text_file"
CALL_SHOWN = "document.querySelectorAll('.call .state')[0]?.textContent === 'summarized'"


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    """A file with every message that the gateway sends to its servers: `npx` is run by one of its name, which writes them down."""
    sent, npx = tmp_path / "sent", tmp_path / "bin" / "npx"
    npx.parent.mkdir()
    real = shutil.which("npx")
    assert real is not None
    # From this folder npx finds what is installed there, and downloads nothing.
    npx.write_text(f'#!/bin/sh\ncd "{NODE_MODULES.parent}" && tee -a "{sent}" | "{real}" "$@"\n', "utf-8")
    npx.chmod(0o755)
    return sent


def settings(calls: Path, folder: Path) -> dict[str, str]:
    node = shutil.which("node")
    assert node is not None
    return {
        "MCP_GATEWAY_CONFIG": str(EXAMPLE),
        "PWD": str(folder),  # the file's ${PWD}
        "HOME": str(calls.parent),
        "PATH": f"{calls.parent / 'bin'}:{Path(node).parent}:/usr/bin:/bin",
    }


async def test_a_call_of_60_000_tokens_comes_back_within_the_budget_with_what_was_asked_for(
    calls: Path, tmp_path: Path, tokenizer: Tokenizer
) -> None:
    assert tokenizer.count(TEXT) >= LEAST_TOKENS
    folder = tmp_path / "folder"
    folder.mkdir()
    file = folder / "python.txt"
    file.write_text(TEXT, "utf-8")
    with process(settings(calls, folder)) as served:
        origin = served.url.removesuffix("/mcp")
        async with asyncio.timeout(PATIENCE_S), Client(f"{origin}/gateway/mcp") as client:
            await listed(client, TOOL)
            result = await client.call_tool(TOOL, {"path": str(file), "summary_focus": FOCUS})
            summary = text_in(result)
            limit = json.loads(EXAMPLE.read_text("utf-8"))["mcpServers"]["everything"]["summarization"]
            assert tokenizer.count(summary) <= limit["summary_max_token_limit"]
            assert FACT in " ".join(summary.split())
            await assert_original_is_within_reach(client, summary)
        await assert_call_is_on_the_page(origin, summary)
    assert called(calls) == ["read_text_file"]


async def listed(client: Client, tool: str) -> None:
    """Wait until a tool is offered: its server starts in the background."""
    while tool not in [each.name for each in (await client.list_tools()).tools]:  # noqa: ASYNC110 - it is another process that gets ready
        await asyncio.sleep(0.2)


async def assert_original_is_within_reach(client: Client, summary: str) -> None:
    found = re.search(r'result_id="([^"]+)"', summary)
    assert found
    asked = {"result_id": found[1], "offset": 0, "max_tokens": 200}
    read = text_in(await client.call_tool("read_original", asked))
    assert TEXT[:300] in read
    asked = {"result_id": found[1], "query": FACT}
    assert FACT in " ".join(text_in(await client.call_tool("search_original", asked)).split())


async def assert_call_is_on_the_page(origin: str, summary: str) -> None:
    async with open_browser() as page:
        await page.open(f"{origin}/#/sessions")
        await page.until("document.querySelector('.session')")
        await page.run("document.querySelector('.session').click()")
        await page.until(CALL_SHOWN)
        assert await page.run("document.querySelector('.call .tool').textContent") == "files.read_text_file"
        await page.run("document.querySelector('.call').click()")
        await page.until("document.querySelectorAll('.details section').length === 3")
        shown = await page.run(
            "[...document.querySelectorAll('.details section > pre:not([hidden])')].map(each => each.textContent)"
        )
        assert json.loads(shown[0])["summary_focus"] == FOCUS
        assert shown[1][:300] == TEXT[:300]
        assert shown[2] == summary
        assert page.complaints == []


def called(calls: Path) -> list[str]:
    """Return the tools that the servers were asked to run."""
    messages: list[dict[str, Any]] = [json.loads(line) for line in calls.read_text("utf-8").splitlines()]
    return [each["params"]["name"] for each in messages if each.get("method") == "tools/call"]


def text_in(result: Any) -> str:
    (block,) = result.content
    return str(block.text)
