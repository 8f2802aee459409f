"""Opens upstream servers for tests, and waits for what they do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from concurrency.worker_threads import open_worker
from gateway.config_file import read_gateway_config
from gateway.definition_watch import open_watch
from gateway.running_servers import RunningServers, open_servers
from gateway.server_spec import ServerSpec
from gateway.upstream.upstream_server import Upstream, open_upstream
from tests.support.manual_time import until
from tests.support.upstream_http import HttpStandIn
from tests.support.upstream_stand_in import program

HOOKS = ("sleep", "on_tools_changed", "on_others_changed")
CLIENT_INFO = {"name": "mcp-summarizer", "version": "0"}


async def no_wait(seconds: float) -> None:
    """Let others have a turn in place of a wait."""
    await asyncio.sleep(0)


@asynccontextmanager
async def opened(spec: ServerSpec, **options: Any) -> AsyncIterator[Upstream]:
    async with open_worker(1) as worker:
        arguments = {
            "environment": {"PATH": "/usr/bin:/bin", "HOME": "/home/me", "OPENROUTER_API_KEY": "sk-never"},
            "client_info": CLIENT_INFO,
            "sleep": no_wait,
            "clock": asyncio.get_running_loop().time,  # tests let it pass by hand
            **options,
        }
        async with open_upstream(spec, worker=worker, **arguments) as upstream:
            yield upstream


@asynccontextmanager
async def over_http(server: HttpStandIn, **spec: Any) -> AsyncIterator[Upstream]:
    options = {name: spec.pop(name) for name in HOOKS if name in spec}
    async with opened(ServerSpec("test", url=server.url, **spec), **options) as upstream:
        yield upstream


@asynccontextmanager
async def over_stdio(spec: dict[str, Any] | None = None, **faults: Any) -> AsyncIterator[Upstream]:
    options = {name: faults.pop(name) for name in HOOKS if name in faults}
    command, args = program(**faults)
    async with opened(ServerSpec("test", command=command, args=args, **(spec or {})), **options) as upstream:
        yield upstream


@asynccontextmanager
async def isolated_server(settings: dict[str, Any]) -> AsyncIterator[RunningServers]:
    """Run a server `test`, each of whose sessions has a connection of its own."""
    config = read_gateway_config(
        json.dumps({"mcpServers": {"test": {"isolation": "session", **settings}}}), {}
    )
    async with (
        open_watch("") as watch,
        open_servers(config, {"PATH": "/usr/bin:/bin"}, CLIENT_INFO, watch) as running,
    ):
        yield running


async def ready(upstream: Upstream) -> None:
    """Wait until a server is ready."""
    await upstream.tools()


async def status(upstream: Upstream, wanted: str) -> None:
    """Wait until a server is as wanted."""
    await until(lambda: upstream.state.status == wanted, f"a server that is {wanted}")
