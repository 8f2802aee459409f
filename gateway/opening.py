"""Opens the gateway: connects its servers in the background, and makes the MCP server of each connection's choice.

Nothing here is waited for but a little: a server that is slow to start, or down, keeps no other one from being used.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol

from concurrency.worker_threads import Worker, open_worker
from gateway.catalogue import Catalogue
from gateway.definition_watch import DefinitionWatch, open_watch
from gateway.forwarded_headers import take_headers
from gateway.masking.secret_rules import GENERATED, generated_rules
from gateway.names import ToolId
from gateway.result_masking import ResultMasking
from gateway.searched_tools import SearchedTools
from gateway.selection import (
    HEADER,
    QUERY_PARAMETER,
    TOOLS_PARAMETER,
    Selection,
    read_header,
    read_query,
    read_tools,
    select_all,
)
from gateway.server_rules import GatewayConfig, GatewayServer
from gateway.tool_results import ToolResults
from gateway.tools import GatewayTools
from gateway.upstream.client import Upstream, open_upstream
from gateway.upstream.errors import UpstreamError
from protocol.messages import Message
from protocol.methods import Server, ToolSource
from summarizer import Summarizer
from summarizing.offload import Offload
from summarizing.text.tokenizer import Tokenizer
from tools.original_pages import OriginalAccess

# Placeholders differ with every start.
MASKING_KEY_BYTES = 16

# A client's first list of tools waits as long for servers that are still starting.
FIRST_LIST_SECONDS = 3.0

# One with 5,000 tools is made in 45 ms.
MAX_SERVERS = 16

INSTRUCTIONS = (
    "The tools of several MCP servers, each named server__tool. A long result comes as a summary with a result_id: read_original and "
    "search_original give what the summary left out, summarize_original summarizes it for another question. Say in summary_focus "
    "what you need from a result, if the tool takes it."
)
SEARCH_INSTRUCTIONS = "Most tools are not listed: find_tools finds them, call_tool calls them."


@dataclass(frozen=True)
class GatewayParts:
    """What the gateway shares with the rest of the service."""

    summarizer: Summarizer
    originals: OriginalAccess
    own_tools: ToolSource
    """The service's own, of which those for kept originals are offered."""
    tokenizer: Tokenizer
    offload: Offload
    name: str
    version: str
    max_batch: int
    data_directory: str
    """Where the accepted definitions of tools are kept; "" for in memory."""


class Gateway:
    """The servers, and what a connection gets of them."""

    def __init__(
        self,
        config: GatewayConfig,
        upstreams: Mapping[str, Upstream],
        parts: GatewayParts,
        masking: ResultMasking,
        clock: Callable[[], float],
        *,
        watch: DefinitionWatch,
    ) -> None:
        self._watch = watch
        self._config = config
        self._upstreams = upstreams
        self._parts = parts
        self._masking = masking
        self._clock = clock
        self._waits_end: dict[str, float] = {}
        self._forwarded = {
            name.lower() for server in config.servers.values() for name in server.spec.forward_headers
        }
        self._made = Servers(config.servers, upstreams, watch, self._server_of)
        self._results = ToolResults(
            parts.summarizer,
            parts.originals,
            masking,
            parts.tokenizer,
            parts.offload,
            lambda: datetime.now(UTC),
        )

    async def server_for(self, query: Mapping[str, str], headers: Mapping[str, str]) -> Server:
        """Return the MCP server of a connection's choice. Raises SelectionError."""
        selection = self.selection_of(query, headers)
        take_headers(headers, self._forwarded)
        searches = TOOLS_PARAMETER in query and read_tools(query[TOOLS_PARAMETER])
        await self._wait_for_starting(selection)
        return self._made.of(selection, searches=searches)

    def _server_of(self, catalogue: Catalogue, selection: Selection, *, searches: bool) -> Server:
        parts = self._parts
        tools: ToolSource = GatewayTools(
            catalogue,
            self._config.servers,
            self._upstreams,
            self._results,
            self._masking,
            originals=parts.own_tools,
        )
        instructions = INSTRUCTIONS
        if searches:
            tools = SearchedTools(
                tools,
                catalogue.tools,
                catalogue.find,
                selection,
                tokenizer=parts.tokenizer,
                offload=parts.offload,
            )
            instructions = f"{INSTRUCTIONS} {SEARCH_INSTRUCTIONS}"
        return Server(f"{parts.name}-gateway", parts.version, instructions, tools, max_batch=parts.max_batch)

    def selection_of(self, query: Mapping[str, str], headers: Mapping[str, str]) -> Selection:
        """Return what a connection chooses; the URL counts before the header. Raises SelectionError."""
        configured = self._config.servers
        if QUERY_PARAMETER in query:
            return read_query(query[QUERY_PARAMETER], configured)
        if HEADER in headers:
            return read_header(headers[HEADER], configured)
        return select_all(configured)

    def report(self) -> dict[str, Any]:
        """Return what GET /health says of each server."""
        return {
            name: _state_of(upstream, self._config.servers[name], self._watch)
            for name, upstream in self._upstreams.items()
        }

    async def _wait_for_starting(self, selection: Selection) -> None:
        """Wait for servers that start for the first time, FIRST_LIST_SECONDS from the first request that chose them: not at each."""
        now = self._clock()
        starting = [name for name in selection.servers if self._upstreams[name].state.status == "starting"]
        ends = {name: self._waits_end.setdefault(name, now + FIRST_LIST_SECONDS) for name in starting}
        waiting = [
            asyncio.create_task(_or_nothing(self._upstreams[name].tools(), end - now))
            for name, end in ends.items()
            if end > now
        ]
        try:
            if waiting:
                await asyncio.wait(waiting)
        finally:
            for each in waiting:
                each.cancel()


async def _or_nothing(tools: Awaitable[Any], seconds: float) -> None:
    """Wait for a server's tools; why it has none is in its state."""
    with suppress(UpstreamError, TimeoutError):
        async with asyncio.timeout(seconds):
            await tools


class MakeServer(Protocol):
    """Makes the MCP server of a selection."""

    def __call__(self, catalogue: Catalogue, selection: Selection, *, searches: bool) -> Server: ...


class Servers:
    """The MCP servers of the latest selections, made anew where an upstream server's tools have changed."""

    def __init__(
        self,
        servers: Mapping[str, GatewayServer],
        upstreams: Mapping[str, Upstream],
        watch: DefinitionWatch,
        make: MakeServer,
    ) -> None:
        self._watch = watch
        self._make = make
        self._servers = servers
        self._upstreams = upstreams
        self._definitions: dict[str, tuple[Message, ...]] = {}
        self._made: dict[Hashable, Server] = {}

    def of(self, selection: Selection, *, searches: bool) -> Server:
        """Return the MCP server of a selection; `searches`: its tools are searched for."""
        definitions = {name: upstream.known_tools for name, upstream in self._upstreams.items()}
        if any(tools is not self._definitions.get(name) for name, tools in definitions.items()):
            self._definitions = definitions
            self._made.clear()
        key = (frozenset(selection.servers.items()), searches)
        if key not in self._made:
            if len(self._made) >= MAX_SERVERS:
                del self._made[next(iter(self._made))]
            withheld = [
                ToolId(name, tool)
                for name, server in self._servers.items()
                for tool in self._watch.withheld(server)
            ]
            catalogue = Catalogue(self._servers, definitions, selection, withheld)
            self._made[key] = self._make(catalogue, selection, searches=searches)
        return self._made[key]


def _state_of(upstream: Upstream, server: GatewayServer, watch: DefinitionWatch) -> dict[str, Any]:
    state = upstream.state
    withheld = watch.withheld(server)
    said = {
        "status": state.status,
        "era": state.era.value if state.era else None,
        "version": state.version or None,
        "start_seconds": None if state.started_seconds is None else round(state.started_seconds, 2),
        "tools": sum(
            server.tools.offers(tool["name"]) and tool["name"] not in withheld
            for tool in upstream.known_tools
        ),
        "changed": watch.report(server.spec.name) or None,
        "withheld": sorted(withheld) or None,
        "left_out": dict(state.left_out) if state.left_out else None,
        "error": state.error or None,
    }
    return {name: value for name, value in said.items() if value is not None}


@asynccontextmanager
async def open_gateway(
    config: GatewayConfig,
    parts: GatewayParts,
    environment: Mapping[str, str],
    clock: Callable[[], float] = time.monotonic,
) -> AsyncIterator[Gateway]:
    """Open every server at once; they start in the background, and are ended with the block. `environment` is ours.

    Raises PatternError for a masking rule that cannot be used.
    """
    client: Message = {"name": parts.name, "version": parts.version}
    async with (
        open_workers(config) as workers,
        open_watch(parts.data_directory) as watch,
        open_upstreams(
            config,
            environment,
            workers,
            client,
            masking := masking_by(config, workers),
            watch=watch,
            clock=clock,
        ) as upstreams,
    ):
        yield Gateway(config, upstreams, parts, masking, clock, watch=watch)


@asynccontextmanager
async def open_workers(config: GatewayConfig) -> AsyncIterator[Mapping[str, Worker]]:
    """Open a thread for each server, to parse and mask what it sends: a large answer of one must not hold those of the others."""
    async with AsyncExitStack() as stack:
        yield {name: await stack.enter_async_context(open_worker(threads=1)) for name in config.servers}


def masking_by(config: GatewayConfig, workers: Mapping[str, Worker]) -> ResultMasking:
    """Return what masks the servers' answers. Raises PatternError for a rule that cannot be used."""
    rules = generated_rules(GENERATED.read_text("utf-8"))
    return ResultMasking(config.servers, rules, workers, secrets.token_bytes(MASKING_KEY_BYTES))


@asynccontextmanager
async def open_upstreams(
    config: GatewayConfig,
    environment: Mapping[str, str],
    workers: Mapping[str, Worker],
    client: Message,
    masking: ResultMasking,
    *,
    watch: DefinitionWatch,
    clock: Callable[[], float] = time.monotonic,
) -> AsyncIterator[Mapping[str, Upstream]]:
    """Open the connections to all servers, which start in the background; `client` is our name and version."""
    async with AsyncExitStack() as stack:
        yield {
            name: await stack.enter_async_context(
                open_upstream(
                    server.spec,
                    environment=environment,
                    worker=workers[name],
                    client_info=client,
                    clock=clock,
                    mask=partial(masking.text, server=server),
                    mask_tools=partial(_masked_and_reviewed, masking=masking, watch=watch, server=server),
                )
            )
            for name, server in config.servers.items()
        }


async def _masked_and_reviewed(
    tools: tuple[Message, ...], *, masking: ResultMasking, watch: DefinitionWatch, server: GatewayServer
) -> tuple[Message, ...]:
    """Return definitions with their secrets masked; what has changed in them is told before any is offered. Raises UpstreamError."""
    masked = await masking.tools(tools, server)
    await watch.review(server.spec.name, masked)
    return masked
