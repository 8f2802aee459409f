"""Opens the gateway: connects its servers in the background, and makes the MCP server of each connection's choice.

Nothing here is waited for but a little: a server that is slow to start, or down, keeps no other one from being used.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from gateway.catalogue import Catalogue
from gateway.completions import GatewayCompletions
from gateway.definition_watch import DefinitionWatch, open_watch
from gateway.names import ToolId
from gateway.prompts import GatewayPrompts
from gateway.resource_updates import ResourceUpdates
from gateway.resources import GatewayResources
from gateway.running_servers import ConfigChanges, RunningServers, open_servers
from gateway.searched_tools import SearchedTools
from gateway.selection import (
    HEADER,
    QUERY_PARAMETER,
    TOOLS_PARAMETER,
    Selection,
    check_tools,
    read_header,
    read_query,
    read_tools,
    select_all,
)
from gateway.server_rules import GatewayConfig, GatewayServer
from gateway.timeline.recorder import CallRecorder, open_recorder
from gateway.timeline.recorder_parts import RecorderParts, TimelineParts
from gateway.timeline.session_identity import selection_json
from gateway.tool_results import ToolResults
from gateway.tools import GatewayTools
from gateway.upstream.errors import UpstreamError
from gateway.upstream.upstream_server import Upstream
from gateway.upstream_lists import UpstreamLists
from protocol.messages import Message
from protocol.methods import Server, ToolSource
from protocol.subscriptions import Hub
from tools.service_parts import ServiceParts

# Changes that are announced to clients: of lists, and of single resources.
LISTS = ("promptsListChanged", "resourcesListChanged", "toolsListChanged")
ANNOUNCED = frozenset({*LISTS, "resourceSubscriptions"})

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
    """What the gateway works with: parts of the service, its name and limits, and where calls are recorded."""

    service: ServiceParts
    """Of its tools those for kept originals are offered."""
    name: str
    version: str
    max_batch: int
    data_directory: str
    """Where the accepted definitions of tools, and new refresh tokens, are kept; "" for in memory."""
    timeline: TimelineParts


class Gateway:
    """The servers, and what a connection gets of them."""

    def __init__(
        self,
        running: RunningServers,
        watch: DefinitionWatch,
        hub: Hub,
        parts: GatewayParts,
        clock: Callable[[], float],
        *,
        recorder: CallRecorder,
        updates: ResourceUpdates,
    ) -> None:
        """`hub` has the streams of the clients who are told of changes, `updates` what they listen for."""
        self.recorder = recorder
        self._updates = updates
        self._running = running
        self._watch = watch
        self._hub = hub
        self._parts = parts
        self._clock = clock
        self._waits_end: dict[str, float] = {}
        self._servers = ServerCache(running, watch, self._make_server)
        self._results = ToolResults(
            parts.service.summarizer,
            parts.service.originals,
            running.masking,
            parts.service.tokenizer,
            parts.service.offload,
            lambda: datetime.now(UTC),
        )

    async def server_for(self, query: Mapping[str, str], headers: Mapping[str, str]) -> Server:
        """Return the MCP server of a connection's choice. Raises SelectionError."""
        selection = self.selection_of(query, headers)
        searches = TOOLS_PARAMETER in query and read_tools(query[TOOLS_PARAMETER])
        await self._wait_for_starting(selection)
        check_tools(
            selection, self._known_tools(selection), QUERY_PARAMETER if QUERY_PARAMETER in query else HEADER
        )
        return self._servers.of(selection, searches=searches)

    def _make_server(self, catalogue: Catalogue, selection: Selection, *, searches: bool) -> Server:
        parts = self._parts
        tools: ToolSource = GatewayTools(
            catalogue,
            self._running,
            self._results,
            originals=parts.service.tools,
            recorder=self.recorder,
            selection=selection_json(selection),
        )
        instructions = INSTRUCTIONS
        if searches:
            tools = SearchedTools(
                tools,
                catalogue.tools,
                catalogue.find,
                selection,
                tokenizer=parts.service.tokenizer,
                offload=parts.service.offload,
            )
            instructions = f"{INSTRUCTIONS} {SEARCH_INSTRUCTIONS}"
        lists = UpstreamLists(self._running, selection)
        resources, prompts = GatewayResources(lists, self._running.configured), GatewayPrompts(lists)
        return Server(
            f"{parts.name}-gateway",
            parts.version,
            instructions,
            tools,
            resources=resources,
            prompts=prompts,
            completions=GatewayCompletions(lists, prompts, resources),
            hub=self._hub,
            announces=ANNOUNCED,
            tells_updates=resources.tells_updates,
            client_headers=frozenset(
                name.lower()
                for server in self._running.configured.values()
                for name in server.spec.forward_headers
            ),
            max_batch=parts.max_batch,
        )

    async def take_over(self, config: GatewayConfig) -> ConfigChanges:
        """Serve what is configured from now on, and what was accepted meanwhile; tell connected clients that lists have changed.

        Raises PatternError; then nothing has changed.
        """
        changes = await self._running.change_to(config)
        await self._watch.reread()
        for name in (*changes.stopped, *changes.restarted):
            self._waits_end.pop(name, None)
        self._servers.forget()
        self._updates.follow_at(self._running.upstreams)
        for member in LISTS:
            self._hub.publish(member)
        return changes

    def end_listeners(self) -> None:
        """End the streams of clients who wait for changes, as the service stops."""
        self._hub.close()

    def selection_of(self, query: Mapping[str, str], headers: Mapping[str, str]) -> Selection:
        """Return what a connection chooses; the URL counts before the header. Raises SelectionError."""
        configured = self._running.configured
        if QUERY_PARAMETER in query:
            return read_query(query[QUERY_PARAMETER], configured)
        if HEADER in headers:
            return read_header(headers[HEADER], configured)
        return select_all(configured)

    @property
    def masked_secrets(self) -> Mapping[str, int]:
        """How many secrets were masked so far, by server."""
        return self._running.masking.replaced

    def report(self) -> dict[str, Any]:
        """Return what GET /health says of each server."""
        return {
            name: _state_of(upstream, self._running.configured[name], self._watch)
            for name, upstream in self._running.upstreams.items()
        }

    def _known_tools(self, selection: Selection) -> dict[str, set[str]]:
        """Return the tools of each server that is ready, and of which tools are chosen by their names."""
        states = {
            name: (upstream.state, upstream.known_tools)
            for name, upstream in self._running.upstreams.items()
            if selection.servers.get(name)
        }
        return {
            name: {tool["name"] for tool in tools} | set(state.left_out or ())
            for name, (state, tools) in states.items()
            if state.status == "ready"
        }

    async def _wait_for_starting(self, selection: Selection) -> None:
        """Wait for servers that start for the first time, FIRST_LIST_SECONDS from the first request that chose them: not at each."""
        now = self._clock()
        upstreams = self._running.upstreams
        starting = [name for name in selection.servers if upstreams[name].state.status == "starting"]
        ends = {name: self._waits_end.setdefault(name, now + FIRST_LIST_SECONDS) for name in starting}
        waiting = [
            asyncio.create_task(_or_nothing(upstreams[name].tools(), end - now))
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


class ServerCache:
    """The MCP servers of the latest selections, made anew where an upstream server's tools have changed."""

    def __init__(self, running: RunningServers, watch: DefinitionWatch, make: MakeServer) -> None:
        self._running = running
        self._watch = watch
        self._make = make
        self._definitions: dict[str, tuple[Message, ...]] = {}
        self._servers: dict[Hashable, Server] = {}

    def of(self, selection: Selection, *, searches: bool) -> Server:
        """Return the MCP server of a selection; `searches`: its tools are searched for."""
        definitions = {name: upstream.known_tools for name, upstream in self._running.upstreams.items()}
        if any(tools is not self._definitions.get(name) for name, tools in definitions.items()):
            self._definitions = definitions
            self._servers.clear()
        key = (frozenset(selection.servers.items()), searches)
        if key not in self._servers:
            if len(self._servers) >= MAX_SERVERS:
                del self._servers[next(iter(self._servers))]
            servers = self._running.configured
            withheld = [
                ToolId(name, tool)
                for name, server in servers.items()
                for tool in self._watch.withheld(server)
            ]
            catalogue = Catalogue(servers, definitions, selection, withheld)
            self._servers[key] = self._make(catalogue, selection, searches=searches)
        return self._servers[key]

    def forget(self) -> None:
        """Make all of them anew."""
        self._servers.clear()


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
    hub = Hub()
    updates = ResourceUpdates(hub)
    async with (
        open_watch(parts.data_directory) as watch,
        open_servers(
            config,
            environment,
            {"name": parts.name, "version": parts.version},
            watch,
            clock=clock,
            on_list_changed=lambda kind: hub.publish(f"{kind}ListChanged"),
            on_resource_updated=updates.updated,
            data_directory=parts.data_directory,
        ) as running,
        open_recorder(
            RecorderParts(parts.timeline, running.masking, parts.service.tokenizer, clock)
        ) as recorder,
    ):
        updates.follow_at(running.upstreams)
        yield Gateway(running, watch, hub, parts, clock, recorder=recorder, updates=updates)
