"""Agent frameworks and stdio bridges against the service: they list its tools, call one, and show what came.

The frameworks run without a model of anybody's: what their model would be shown is what they say. A bridge is started
as docs/clients.md writes it, and the official client talks to it over stdin and stdout.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import TextContent

from tests.support.client_processes import CLIENTS, TOOLS, node, run_client
from tests.support.messages import LEGACY, MODERN, legacy
from tests.support.service import ROOT, Run, Service, prose

LONG = prose(60)
CALL = {"content": LONG, "max_output_tokens": 200}
KEY = "a-key-of-a-caller"

PYTHON_FRAMEWORKS = ROOT / ".venv-frameworks" / "bin"
NODE_FRAMEWORKS = CLIENTS / "node-frameworks"


@pytest.fixture
async def service_with_key(run: Run) -> AsyncIterator[Service]:
    async with run(MCP_SUMMARIZER_API_KEYS=KEY) as service:
        yield service


async def summary_of(service: Service) -> str:
    """Return what the service answers to the call, as plain HTTP shows it."""
    message = legacy("tools/call", {"name": "summarize", "arguments": CALL})
    answer = await service.post(message, {"Authorization": f"Bearer {KEY}"})
    (block,) = answer.json()["result"]["content"]
    text: str = block["text"]
    return text


CLIENT_OF = {
    "pydantic-ai": (PYTHON_FRAMEWORKS / "python", CLIENTS / "pydantic_ai_client.py"),
    "openai-agents": (PYTHON_FRAMEWORKS / "python", CLIENTS / "openai_agents_client.py"),
    "langchain-mcp-adapters": (PYTHON_FRAMEWORKS / "python", CLIENTS / "langchain_client.py"),
    "ai-sdk": (node(), NODE_FRAMEWORKS / "ai_sdk.mjs"),
}


@pytest.mark.parametrize("client", CLIENT_OF.values(), ids=CLIENT_OF)
async def test_a_framework_offers_its_model_the_tools_and_shows_it_the_summary(
    service_with_key: Service, tmp_path: Path, client: tuple[str | Path, ...]
) -> None:
    order = json.dumps({"url": service_with_key.url, "content": LONG, "key": KEY})
    seen = json.loads(await run_client(tmp_path, *client, order))
    assert seen == {"tools": TOOLS, "shown": await summary_of(service_with_key)}


@pytest.mark.parametrize(
    "name, package, pins",
    [
        ("OpenAI Agents SDK", "openai-agents", CLIENTS / "requirements-frameworks.in"),
        ("Pydantic AI", "pydantic-ai-slim[mcp]", CLIENTS / "requirements-frameworks.in"),
        ("mcp-remote", "mcp-remote", NODE_FRAMEWORKS / "package.json"),
        ("supergateway", "supergateway", NODE_FRAMEWORKS / "package.json"),
        ("Codex", "@openai/codex", CLIENTS / "coding-agents" / "package.json"),
    ],
)
def test_the_timeouts_in_the_documents_are_those_of_the_version_that_is_pinned(
    name: str, package: str, pins: Path
) -> None:
    # A newer version may wait longer, or give up sooner: look, and write it down.
    (version,) = re.findall(rf'{re.escape(package)}(?:==|": ")([\d.]+)', pins.read_text("utf-8"))
    major_and_minor = ".".join(version.split(".")[:2])
    table = (ROOT / "docs" / "clients.md").read_text("utf-8").split("## Clients that give up early")[1]
    assert re.search(rf"(?m)^\| .*\b{name} {re.escape(major_and_minor)} \|", table)


# Bridges. A host that starts programs and speaks stdio with them reaches the service through one.

VERSION_THROUGH = {"mcp-remote": MODERN, "mcp-proxy": LEGACY[0], "supergateway": LEGACY[0]}
BRIDGE_WITH_KEY = {
    "mcp-remote": ["--header", f"Authorization: Bearer {KEY}"],
    "mcp-proxy": ["--headers", "Authorization", f"Bearer {KEY}"],
    "supergateway": ["--header", f"Authorization: Bearer {KEY}"],
}


def in_documents(name: str) -> list[str]:
    """Return the documents' command for a bridge."""
    page = (ROOT / "docs" / "clients.md").read_text("utf-8")
    (command,) = re.findall(rf"(?m)^(?:npx -y|uvx) {name} .*$", page)
    return shlex.split(command)


def bridge(name: str, url: str, *more: str) -> StdioServerParameters:
    """Return the documents' command for a bridge, with what is installed here in place of what npx and uvx would fetch."""
    runner, *words = in_documents(name)
    arguments = [url if word.startswith("http://") else word for word in words[words.index(name) + 1 :]]
    program = {
        "npx": [str(node()), str(NODE_FRAMEWORKS / "node_modules" / ".bin" / name)],
        "uvx": [str(PYTHON_FRAMEWORKS / name)],
    }[runner]
    command, *first = program
    return StdioServerParameters(command=command, args=[*first, *arguments, *more])


@pytest.mark.parametrize("name", VERSION_THROUGH)
async def test_a_stdio_client_lists_and_calls_through_a_bridge(
    service_with_key: Service, tmp_path: Path, name: str
) -> None:
    program = bridge(name, service_with_key.url, *BRIDGE_WITH_KEY[name])
    program.env = {"HOME": str(tmp_path)}
    program.cwd = tmp_path
    with (tmp_path / "log").open("w", encoding="utf-8") as log:
        async with Client(stdio_client(program, errlog=log)) as client:
            version = client.protocol_version
            tools = await client.list_tools()
            result = await client.call_tool("summarize", CALL)
    assert version == VERSION_THROUGH[name]
    assert [tool.name for tool in tools.tools] == TOOLS
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert block.text == await summary_of(service_with_key)
