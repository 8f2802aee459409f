"""Servers that others wrote, over both transports: Python's MCP SDK before and after the handshake was dropped."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from gateway.server_spec import ServerSpec
from gateway.upstream.upstream_server import Upstream
from protocol.messages import Era, Message
from tests.support.service import ROOT
from tests.support.upstreams import opened

SERVER = str(Path(__file__).with_name("sdk_server.py"))

# The environment's Python, the era and the version that its SDK speaks.
SDKS = {
    "mcp 1.26": (str(ROOT / ".venv-handshake" / "bin" / "python"), Era.LEGACY, "2025-11-25"),
    "mcp 2.3": (sys.executable, Era.MODERN, "2026-07-28"),
}


@asynccontextmanager
async def serving(python: str, transport: str) -> AsyncIterator[Upstream]:
    environment = dict(os.environ)
    if transport == "stdio":
        spec = ServerSpec("sdk", command=python, args=(SERVER, "stdio"))
        async with opened(spec, environment=environment) as upstream:
            yield upstream
        return
    process = await asyncio.to_thread(subprocess.Popen, [python, SERVER, "http"], stdout=subprocess.PIPE)
    with process:
        try:
            assert process.stdout is not None
            port = json.loads(await asyncio.to_thread(process.stdout.readline))
            async with opened(ServerSpec("sdk", url=f"http://127.0.0.1:{port}/mcp")) as upstream:
                yield upstream
        finally:
            process.kill()


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("sdk", SDKS)
async def test_a_server_of_the_sdk_is_called(sdk: str, transport: str) -> None:
    python, era, version = SDKS[sdk]
    async with serving(python, transport) as upstream:
        assert {tool["name"] for tool in await upstream.tools()} == {"add", "large", "steps", "fails"}
        assert (upstream.state.era, upstream.state.version) == (era, version)
        added = await upstream.call("add", {"a": 2, "b": 3})
        assert added["content"][0]["text"] == "5"
        assert added["structuredContent"] == {"result": 5}
        large = await upstream.call("large", {"size": 3_000_000})
        assert large["content"][0]["text"] == "x" * 3_000_000
        progress: list[Message] = []
        assert (await upstream.call("steps", {"count": 3}, on_progress=progress.append))["content"]
        told = [each["progress"] for each in progress]
        # The SDK of the handshake sends progress on the GET stream, another connection than the answer's: the last may come too late.
        may_be_late = transport == "http" and era is Era.LEGACY
        assert told == ([1, 2, 3][: len(told)] if may_be_late else [1, 2, 3])
        failed = await upstream.call("fails", {})
        assert failed["isError"] is True
        assert "Error executing tool fails" in failed["content"][0]["text"]
        together = await asyncio.gather(*(upstream.call("add", {"a": n, "b": 0}) for n in range(50)))
        assert [each["content"][0]["text"] for each in together] == [str(n) for n in range(50)]
