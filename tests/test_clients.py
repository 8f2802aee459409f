"""Real clients against the service: the official SDK of either era, and plain curl."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError
from mcp.client import Client
from messages import LEGACY, MODERN, legacy
from service import ROOT, Service, prose
from stand_in import StandIn

LONG = prose(60)
CALL = {"content": LONG, "max_output_tokens": 200}
TOOLS = ["summarize", "summarize_for_extraction"]
OUTCOME = "mcp-summarizer/outcome"
HANDSHAKE_PYTHON = ROOT / ".venv-handshake" / "bin" / "python"
HANDSHAKE_CLIENT = Path(__file__).parent / "clients" / "handshake_client.py"


def text_of(result: Any) -> str:
    (block,) = result.content
    text: str = block.text
    return text


async def run(*command: str) -> tuple[int, bytes, bytes]:
    """Run a command beside the service, which lives in this event loop."""
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
    out, err = await child.communicate()
    assert child.returncode is not None
    return child.returncode, out, err


# The official SDK, which asks for the modern era and silently takes the legacy one where that fails.


@pytest.mark.parametrize("mode, version", [("auto", MODERN), (MODERN, MODERN), ("legacy", LEGACY[0])])
async def test_the_official_client_negotiates_the_version_it_asks_for(
    service: Service, mode: str, version: str
) -> None:
    async with Client(service.url, mode=mode) as client:
        assert client.protocol_version == version
        assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_client_learns_who_serves(service: Service, mode: str) -> None:
    async with Client(service.url, mode=mode) as client:
        assert client.server_info is not None
        assert client.server_info.name == "mcp-summarizer"
        assert client.instructions is not None
        assert client.instructions.startswith("Shortens large text")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_client_calls_both_tools_and_hears_progress(
    service_with_model: Service, model: StandIn, mode: str
) -> None:
    told: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    async with Client(service_with_model.url, mode=mode) as client:
        summary = await client.call_tool("summarize", CALL, progress_callback=hear)
        facts = await client.call_tool("summarize_for_extraction", {**CALL, "schema_hint": "people"})
    for result in (summary, facts):
        assert not result.is_error
        assert text_of(result)
        assert result.meta is not None
        assert result.meta[OUTCOME]["backend"] == "openrouter"
        assert result.structured_content is None
    assert len(told) >= 2
    assert told == sorted(set(told))
    assert model.payloads


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_client_tells_errors_of_the_tool_from_those_of_the_protocol(
    service: Service, mode: str
) -> None:
    async with Client(service.url, mode=mode) as client:
        refused = await client.call_tool("summarize", {"content": "x", "max_output_tokens": 3})
        with pytest.raises(MCPError) as unknown:
            await client.call_tool("burn", {})
    assert refused.is_error
    assert text_of(refused).startswith("max_output_tokens: ")
    assert unknown.value.code == -32602


async def test_the_official_client_takes_a_text_of_many_megabytes(service: Service) -> None:
    content = prose(100_000)
    async with Client(service.url) as client:
        result = await client.call_tool("summarize", {"content": content, "max_output_tokens": 10_000_000})
    assert text_of(result) == content


# The last SDK before it, which knows the handshake alone.


async def test_the_handshake_client_does_its_work(service_with_model: Service) -> None:
    status, out, err = await run(str(HANDSHAKE_PYTHON), str(HANDSHAKE_CLIENT), service_with_model.url, LONG)
    assert status == 0, err.decode()
    seen = json.loads(out)
    assert seen["version"] == LEGACY[0]
    assert seen["server"] == "mcp-summarizer"
    assert seen["instructions"].startswith("Shortens large text")
    assert seen["session"] is None
    assert seen["tools"] == TOOLS
    assert len(seen["progress"]) >= 2
    assert seen["progress"] == sorted(set(seen["progress"]))
    for result in (seen["summary"], seen["facts"]):
        assert result["content"][0]["text"]
        assert result["_meta"][OUTCOME]["backend"] == "openrouter"
        assert result["structuredContent"] is None
        assert result["isError"] is False
    assert seen["refused"] is True
    assert seen["unknown_tool"] == -32602


# No SDK at all.

needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


@needs_curl
async def test_curl_needs_a_content_type_and_a_body_and_nothing_else(service: Service) -> None:
    body = json.dumps(legacy("tools/call", {"name": "summarize", "arguments": CALL}))
    status, out, err = await run(
        "curl", "-s", service.url, "-H", "Content-Type: application/json", "-d", body
    )
    assert (status, err) == (0, b"")
    result = json.loads(out)["result"]
    assert result["content"][0]["text"]
    assert result["_meta"][OUTCOME]["status"] == "summarized"


@needs_curl
async def test_curl_posts_a_file_of_many_megabytes(service: Service, tmp_path: Path) -> None:
    # Over one megabyte curl asks first: `Expect: 100-continue`.
    content = prose(50_000)
    body = tmp_path / "call.json"
    arguments = {"content": content, "max_output_tokens": 10_000_000}
    body.write_text(json.dumps(legacy("tools/call", {"name": "summarize", "arguments": arguments})))
    status, out, _ = await run(
        "curl", "-s", service.url, "-H", "Content-Type: application/json", "--data-binary", f"@{body}"
    )
    assert status == 0
    assert json.loads(out)["result"]["content"][0]["text"] == content


@needs_curl
async def test_curl_without_a_content_type_is_told_so(service: Service) -> None:
    status, out, _ = await run("curl", "-s", service.url, "-d", json.dumps(legacy("ping")))
    assert status == 0
    assert "Content-Type: expected application/json" in json.loads(out)["error"]["message"]
