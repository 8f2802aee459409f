"""Ours and the peer as processes, asked alike: a URL and queries in, the texts of the passages out, and how long it took.

Ours is the service over HTTP; the peer speaks MCP over stdin and stdout. Both get a new data directory, the same embedding server,
the same size of passages, and nothing of the caller's environment.
"""

import asyncio
import json
import os
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bench import process_tree
from bench.service import ROOT
from bench.service.processes import Service, a_client, running
from bench.web.embeddings import MODEL

PYTHON = ROOT / ".venv-web" / "bin" / "python"

# The peer needs Node.js 20; the clients under test bring 22.
NODE = next((ROOT / "tests/clients/node/node_modules").glob("node-*/bin/node"), Path("node"))

# The model's card: "input text longer than 256 word pieces is truncated".
PASSAGE_TOKENS = 256

MOST_RESULTS = 8

# The longest page takes a minute to embed on a busy machine.
PATIENCE_SECONDS = 600.0

# A message of MCP on one line: a page's passages, at most.
MAX_LINE_BYTES = 64_000_000


class ContestantError(Exception):
    """A contestant that cannot be measured; the message says why."""


@dataclass(frozen=True)
class Reading:
    """What one call of `web.readFromPage` gave."""

    seconds: float
    passages: tuple[tuple[str, ...], ...]
    """The texts for each query, the best first."""
    note: str = ""
    error: str = ""

    @classmethod
    def of(cls, result: Mapping[str, Any], queries: int, seconds: float) -> "Reading":
        """Read the result of a tool."""
        text = result["content"][0]["text"]
        if result.get("isError"):
            return cls(seconds, ((),) * queries, error=text[:300])
        answer = json.loads(text)
        found = [tuple(each["text"] for each in query["results"]) for query in answer["queries"]]
        return cls(seconds, tuple(found), answer.get("note") or "")

    @classmethod
    def failed(cls, error: str, queries: int, seconds: float) -> "Reading":
        """Return what a call gave that failed."""
        return cls(seconds, ((),) * queries, error=error[:300])


class Contestant(Protocol):
    """A process that reads pages."""

    @property
    def pid(self) -> int:
        """Its number."""
        ...

    async def read(self, url: str, queries: Sequence[str]) -> Reading:
        """Ask for the passages of a page that answer."""
        ...


def memory(contestant: Contestant) -> int:
    """Return the resident memory of a contestant and its children in bytes."""
    return process_tree.resident(contestant.pid)


def arguments(url: str, queries: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of a call: one query as a string, several as a list, as agents would."""
    query = queries[0] if len(queries) == 1 else list(queries)
    return {"url": url, "query": query, "maxResults": MOST_RESULTS}


# --- Ours ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ours:
    """The service."""

    service: Service

    @property
    def pid(self) -> int:
        """Its number."""
        return self.service.running.pid

    async def read(self, url: str, queries: Sequence[str]) -> Reading:
        """Ask for the passages of a page that answer."""
        result = await self.service.call(
            "web_read_from_page", arguments(url, queries), patience_s=PATIENCE_SECONDS
        )
        if result.error:
            return Reading.failed(result.error, len(queries), result.seconds)
        return Reading.of({"content": [{"text": result.text}]}, len(queries), result.seconds)


@asynccontextmanager
async def ours(embeddings_url: str) -> AsyncIterator[Ours]:
    """Run the service with the web tools on; without an embedding server where the URL is empty."""
    with tempfile.TemporaryDirectory() as directory:
        settings = {
            "PATH": os.environ.get("PATH", ""),
            "MCP_SUMMARIZER_PORT": "0",
            "WEB_ENABLED": "true",
            "WEB_ALLOWED_NETWORKS": "127.0.0.1",
            "DATA_DIR": directory,
            "EMBEDDING_TOKENS_SIZE": str(PASSAGE_TOKENS),
        }
        if embeddings_url:
            settings |= _embeddings(embeddings_url)
        command = [str(PYTHON), "app.py", "--env-file", os.devnull]
        async with running(command, settings) as process, a_client() as http:
            yield Ours(Service(process, http))


# --- The peer --------------------------------------------------------------------------------------------------


class Peer:
    """The npm package @dimitrk/mcp-search, a server of MCP on stdin and stdout."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._number = 0

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    async def begin(self) -> None:
        """Shake hands. Raises ContestantError."""
        params = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        }
        answer = await self._asked("initialize", params)
        if "result" not in answer:
            raise ContestantError(f"the peer did not start: {str(answer)[:300]}")
        await self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    async def read(self, url: str, queries: Sequence[str]) -> Reading:
        """Ask for the passages of a page that answer."""
        begin = time.monotonic()
        params = {"name": "web.readFromPage", "arguments": arguments(url, queries)}
        answer = await self._asked("tools/call", params)
        seconds = time.monotonic() - begin
        if "error" in answer:
            return Reading.failed(str(answer["error"].get("message")), len(queries), seconds)
        return Reading.of(answer["result"], len(queries), seconds)

    async def _asked(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._number += 1
        await self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                message = await self._message()
                if message.get("id") == self._number:
                    return message

    async def _send(self, message: Mapping[str, Any]) -> None:
        if self._process.stdin is None:
            raise ContestantError("the peer has no stdin")
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        await self._process.stdin.drain()

    async def _message(self) -> dict[str, Any]:
        """Return its next message; what else it prints is no message."""
        while self._process.stdout is not None and (line := await self._process.stdout.readline()):
            with suppress(ValueError):
                message = json.loads(line)
                if isinstance(message, dict):
                    return message
        raise ContestantError(f"the peer ended with status {self._process.returncode}")


@asynccontextmanager
async def peer(folder: Path, embeddings_url: str, settings: Mapping[str, str]) -> AsyncIterator[Peer]:
    """Run the peer that is installed in a folder, with its own settings as well. Raises ContestantError."""
    script = folder / "node_modules" / "@dimitrk" / "mcp-search" / "dist" / "cli.js"
    if not script.exists():
        raise ContestantError(f"the peer is not installed: expected {script}")
    with tempfile.TemporaryDirectory() as directory:
        log = Path(directory) / "log"
        env = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": directory,
            "DATA_DIR": directory,
            "NODE_ENV": "production",
            # It would download an extension of DuckDB at the start, and do without where that fails.
            "SKIP_VSS_INSTALL": "1",
            # Its search is not asked; it does not start without these.
            "SEARCH_PROVIDER": "google",
            "SEARCH_ENGINE_API_KEY": "none",
            "GOOGLE_API_KEY": "none",
            "GOOGLE_SEARCH_ENGINE_ID": "none",
            "EMBEDDING_TOKENS_SIZE": str(PASSAGE_TOKENS),
            **_embeddings(embeddings_url),
            **settings,
        }
        with log.open("wb") as errors:
            process = await asyncio.create_subprocess_exec(
                str(NODE),
                str(script),
                "server",
                env=env,
                cwd=directory,
                stdin=PIPE,
                stdout=PIPE,
                stderr=errors,
                limit=MAX_LINE_BYTES,
            )
        try:
            contestant = Peer(process)
            await contestant.begin()
            yield contestant
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _embeddings(url: str) -> dict[str, str]:
    return {"EMBEDDING_SERVER_URL": url, "EMBEDDING_SERVER_API_KEY": "none", "EMBEDDING_MODEL_NAME": MODEL}
