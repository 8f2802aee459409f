"""Claude Code and Codex against the service: what they say of it without a login, and a call where that needs no model.

Not one of the tests that `make test` runs: the two programs are 770 MB. Run with: make test-clients
"""

from __future__ import annotations

import json
import re
import shlex
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.client_processes import CLIENTS, TOOLS, node, run_client, started
from tests.support.service import ROOT, Run, Service, prose
from tools.call_results import OUTCOME_KEY

KEY = "a-key-of-a-caller"
PACKAGES = CLIENTS / "coding-agents" / "node_modules"
# Nothing listens on the discard port: what is not on this machine cannot be reached, and no name is looked up.
OFFLINE = ["env", "HTTPS_PROXY=http://127.0.0.1:9", "HTTP_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1"]


@pytest.fixture
async def service_with_key(run: Run) -> AsyncIterator[Service]:
    async with run(MCP_SUMMARIZER_API_KEYS=KEY) as service:
        yield service


def in_readme(program: str, url: str) -> list[str]:
    """Return the arguments of the README's command that adds the service to a program, with the service's own URL."""
    readme = (ROOT / "README.md").read_text("utf-8")
    (line,) = re.findall(rf"(?m)^{program} (mcp add .*)$", readme)
    return [url if word.startswith("http://") else word for word in shlex.split(line)]


# Claude Code: `mcp list` connects to what it lists.

CLAUDE = [
    *OFFLINE,
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
    "DISABLE_AUTOUPDATER=1",
    "DISABLE_TELEMETRY=1",
    node(),
    PACKAGES / "@anthropic-ai" / "claude-code" / "cli-wrapper.cjs",
]


async def test_claude_code_is_connected_by_the_command_of_the_readme(
    service: Service, tmp_path: Path
) -> None:
    await run_client(tmp_path, *CLAUDE, *in_readme("claude", service.url))
    listed = await run_client(tmp_path, *CLAUDE, "mcp", "list")
    got = await run_client(tmp_path, *CLAUDE, "mcp", "get", "summarizer")
    assert re.search(rf"(?m)^summarizer: {service.url} \(HTTP\) - \S+ Connected$", listed), listed
    assert re.search(r"(?m)^ *Status: \S+ Connected$", got), got


@pytest.mark.parametrize("key, connected", [(KEY, True), ("another-key", False)])
async def test_claude_code_is_connected_if_its_key_is_right(
    service_with_key: Service, tmp_path: Path, key: str, connected: bool
) -> None:
    with_key = ("--header", f"Authorization: Bearer {key}")
    await run_client(tmp_path, *CLAUDE, *in_readme("claude", service_with_key.url), *with_key)
    listed = await run_client(tmp_path, *CLAUDE, "mcp", "list")
    assert listed.endswith(" Connected\n") is connected, listed


# Codex: its `mcp list` shows what is configured; its app server connects, lists and calls.

CODEX = [*OFFLINE, node(), PACKAGES / "@openai" / "codex" / "bin" / "codex.js"]
# Without these it asks for updates, plugins and models as it starts.
CODEX_OFFLINE = """
check_for_update_on_startup = false
model_provider = "nobody"
analytics.enabled = false
features.plugins = false

[model_providers.nobody]
name = "nobody"
base_url = "http://127.0.0.1:9"
"""


@pytest.fixture
def codex_home(tmp_path: Path) -> Path:
    """A home directory whose Codex keeps to itself."""
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "config.toml").write_text(CODEX_OFFLINE, "utf-8")
    return tmp_path


async def asked(codex: Process, number: int, method: str, **params: Any) -> dict[str, Any]:
    """Ask Codex's app server, which speaks JSON-RPC in lines, and return the result."""
    assert codex.stdin is not None
    assert codex.stdout is not None
    request = {"id": number, "method": method, "params": params}
    codex.stdin.write(json.dumps(request).encode() + b"\n")
    async for line in codex.stdout:
        message = json.loads(line)
        if message.get("id") == number and "method" not in message:
            assert "result" in message, message
            result: dict[str, Any] = message["result"]
            return result
    raise AssertionError(f"Codex ended before it answered {method}")


async def test_codex_lists_what_the_command_of_the_readme_added(service: Service, codex_home: Path) -> None:
    await run_client(codex_home, *CODEX, *in_readme("codex", service.url))
    (server,) = json.loads(await run_client(codex_home, *CODEX, "mcp", "list", "--json"))
    assert (server["name"], server["enabled"]) == ("summarizer", True)
    assert server["transport"]["url"] == service.url


async def test_codex_lists_the_tools_and_calls_one(service: Service, codex_home: Path) -> None:
    await run_client(codex_home, *CODEX, *in_readme("codex", service.url))
    arguments = {"content": prose(60), "max_output_tokens": 200}
    async with started(codex_home, *CODEX, "app-server") as codex:
        await asked(codex, 1, "initialize", clientInfo={"name": "test", "title": "test", "version": "0"})
        (server,) = (await asked(codex, 2, "mcpServerStatus/list"))["data"]
        thread = (await asked(codex, 3, "thread/start"))["thread"]["id"]
        call = {"threadId": thread, "server": "summarizer", "tool": "summarize", "arguments": arguments}
        result = await asked(codex, 4, "mcpServer/tool/call", **call)
    assert sorted(server["tools"]) == sorted(TOOLS)
    assert server["serverInfo"]["name"] == "mcp-summarizer"
    (block,) = result["content"]
    assert block["text"]
    assert result["_meta"][OUTCOME_KEY]["status"] == "summarized"
