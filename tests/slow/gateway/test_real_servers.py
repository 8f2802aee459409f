"""Servers that others wrote, as they are installed, behind the gateway: each lists its tools and answers a call through it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from summarizing.text.tokenizer import Tokenizer
from tests.gateway.test_gateway import OF_ORIGINALS, Client, gateway, text_in
from tests.slow.gateway.test_foreign_servers import SDKS, SERVER
from tests.slow.test_container import free_port
from tests.support.client_processes import NODE_MODULES, node
from tests.support.service import ROOT, Service

HANDSHAKE = ROOT / ".venv-handshake" / "bin"
FASTMCP = (
    str(ROOT / ".venv-bench-fastmcp4" / "bin" / "python"),
    str(Path(__file__).with_name("fastmcp_server.py")),
)
OFFICIAL = NODE_MODULES / "@modelcontextprotocol"


class Real(NamedTuple):
    """A server: its command, in which FOLDER stands for a folder of its own, a call of it, and what the answer has."""

    command: tuple[str, ...]
    tool: str
    arguments: dict[str, Any]
    answer: str


def of_node(package: str, *arguments: str) -> tuple[str, ...]:
    return str(node()), str(OFFICIAL / package / "dist" / "index.js"), *arguments


ADDING = ("add", {"a": 2, "b": 3}, "5")
BY_STDIO = {
    "everything": Real(of_node("server-everything"), "echo", {"message": "hello"}, "Echo: hello"),
    "filesystem": Real(
        of_node("server-filesystem", "FOLDER"), "list_directory", {"path": "FOLDER"}, "[FILE] notes.txt"
    ),
    "memory": Real(
        of_node("server-memory"),
        "create_entities",
        {"entities": [{"name": "Ada", "entityType": "person", "observations": ["wrote programs"]}]},
        "wrote programs",
    ),
    "git": Real(
        (str(HANDSHAKE / "mcp-server-git"), "--repository", "FOLDER"),
        "git_status",
        {"repo_path": "FOLDER"},
        "notes.txt",
    ),
    "fetch": Real(
        (str(HANDSHAKE / "mcp-server-fetch"), "--ignore-robots-txt"), "fetch", {"url": "READABLE"}, "# "
    ),
    "fastmcp": Real((*FASTMCP, "stdio"), *ADDING),
    **{sdk: Real((python, SERVER, "stdio"), *ADDING) for sdk, (python, _, _) in SDKS.items()},
}
# Each prints its port.
BY_HTTP = {
    "fastmcp": Real((*FASTMCP, "http"), *ADDING),
    **{sdk: Real((python, SERVER, "http"), *ADDING) for sdk, (python, _, _) in SDKS.items()},
}


def filled(value: Any, names: dict[str, str]) -> Any:
    """Return a JSON value with its names replaced."""
    text = json.dumps(value)
    for name, meant in names.items():
        text = text.replace(name, meant)
    return json.loads(text)


def environment(folder: Path) -> dict[str, str]:
    return {"HOME": str(folder.parent), "PATH": os.environ["PATH"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with a file that is not committed."""
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "notes.txt").write_text("buy milk\n", "utf-8")
    subprocess.run(["git", "init", "-q", str(folder)], check=True, env=environment(folder))
    return folder


@pytest.mark.parametrize("name", BY_STDIO)
async def test_a_server_that_is_started_lists_and_answers(
    name: str, folder: Path, tokenizer: Tokenizer
) -> None:
    real = BY_STDIO[name]
    command, *arguments = filled(real.command, {"FOLDER": str(folder)})
    env = {"MEMORY_FILE_PATH": str(folder / "memory.json")}
    servers = {"real": {"command": command, "args": arguments, "env": env}}
    async with (
        asyncio.timeout(120),
        gateway(tokenizer, servers, environment=environment(folder)) as service,
    ):
        await is_called(service, real, {"FOLDER": str(folder), "READABLE": f"{service.origin}/readme"})


@pytest.mark.parametrize("name", BY_HTTP)
async def test_a_server_that_is_called_over_http_lists_and_answers(
    name: str, folder: Path, tokenizer: Tokenizer
) -> None:
    async with (
        asyncio.timeout(120),
        listening(BY_HTTP[name], folder) as url,
        gateway(tokenizer, {"real": {"url": url}}) as service,
    ):
        await is_called(service, BY_HTTP[name], {})


async def test_server_everything_is_called_over_http(folder: Path, tokenizer: Tokenizer) -> None:
    real, port = BY_STDIO["everything"], free_port()
    process = await asyncio.create_subprocess_exec(
        *real.command,
        "streamableHttp",
        stderr=asyncio.subprocess.PIPE,
        env={**environment(folder), "PORT": str(port)},
    )
    try:
        async with asyncio.timeout(120):
            assert process.stderr is not None
            while b"listening on port" not in (said := await process.stderr.readline()):
                assert said
            async with gateway(tokenizer, {"real": {"url": f"http://127.0.0.1:{port}/mcp"}}) as service:
                await is_called(service, real, {})
    finally:
        process.kill()
        await process.communicate()


@asynccontextmanager
async def listening(real: Real, folder: Path) -> AsyncIterator[str]:
    process = await asyncio.create_subprocess_exec(
        *real.command, stdout=asyncio.subprocess.PIPE, env=environment(folder)
    )
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{json.loads(await process.stdout.readline())}/mcp"
    finally:
        process.kill()
        await process.communicate()


async def is_called(service: Service, real: Real, names: dict[str, str]) -> None:
    """Wait for the server's tools, and call one through the gateway."""
    client = Client(service)
    while (listed := await client.names()) == OF_ORIGINALS:
        servers = (await service.http.get(f"{service.origin}/health")).json()["servers"]
        assert servers["real"]["status"] != "down", servers
        await asyncio.sleep(0)
    assert f"real__{real.tool}" in listed
    result = await client.call(f"real__{real.tool}", **filled(real.arguments, names))
    assert not result.get("isError"), result
    assert real.answer in text_in(result)
