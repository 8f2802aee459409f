"""Clients that are processes of their own: how a test starts one and reads what it says."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from tests.support.service import PATIENCE_S

CLIENTS = Path(__file__).parents[1] / "clients"
NODE_MODULES = CLIENTS / "node" / "node_modules"

TOOLS = [
    "summarize",
    "summarize_for_extraction",
    "read_original",
    "search_original",
    "summarize_original",
    "summarize_tool_result",
]


def node() -> str | Path:
    """Return the Node.js that package.json pins, or where there is none for this machine, the machine's own."""
    return next(NODE_MODULES.glob("node-*/bin/node"), "node")


@asynccontextmanager
async def started(home: Path, *command: str | Path) -> AsyncIterator[Process]:
    """Run a command that finds nothing of the developer's own; what the test leaves running of it, or of what it started, is killed."""
    env = {"PATH": os.environ["PATH"], "HOME": str(home)}
    child = await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=home, env=env, start_new_session=True
    )
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield child
    finally:
        # A launcher may end before its program, which holds the pipes that are read to their end below.
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        await child.communicate()


async def run_client(home: Path, *command: str | Path) -> str:
    """Run a command to its end; return what it printed."""
    async with started(home, *command) as child:
        out, err = await child.communicate()
        assert child.returncode == 0, err.decode()
        return out.decode()


async def said(child: Process) -> dict[str, Any]:
    """Return the next line of JSON that a client prints."""
    assert child.stdout is not None
    assert child.stderr is not None
    line = await child.stdout.readline()
    assert line, (await child.stderr.read()).decode()
    seen: dict[str, Any] = json.loads(line)
    return seen
