"""Opens the gateway: connects its servers in the background, and finds the MCP server of each connection's choice (server_cache.py).

Nothing here is waited for but a little: a server that is slow to start, or down, keeps no other one from being used.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from gateway.definition_watch import DefinitionWatch, open_watch
from gateway.resource_updates import ResourceUpdates
from gateway.running_servers import ConfigChanges, RunningServers, open_servers
from gateway.server_cache import LISTS, GatewayParts, ServerCache
from gateway.server_rules import GatewayConfig, GatewayServer
from gateway.server_selection import (
    HEADER,
    QUERY_PARAMETER,
    TOOLS_PARAMETER,
    Selection,
    check_parameters,
    check_tools,
    read_header,
    read_query,
    read_tools,
    select_all,
)
from gateway.timeline.recorder import CallRecorder, open_recorder
from gateway.timeline.recorder_dependencies import RecorderParts
from gateway.upstream.errors import UpstreamError
from gateway.upstream.upstream_server import Upstream
from protocol.methods import Server
from protocol.subscriptions import Hub

# A client's first list of tools waits as long for servers that are still starting.
FIRST_LIST_SECONDS = 3.0


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
        self._clock = clock
        self._waits_end: dict[str, float] = {}
        self._servers = ServerCache(running, watch, hub, parts, recorder)

    async def server_for(self, query: Mapping[str, str], headers: Mapping[str, str]) -> Server:
        """Return the MCP server of a connection's choice. Raises SelectionError."""
        check_parameters([name for name, _ in query.items()])
        selection = self.selection_of(query, headers)
        searches = TOOLS_PARAMETER in query and read_tools(query[TOOLS_PARAMETER])
        await self._wait_for_starting(selection)
        # Another configuration may have been taken over meanwhile.
        selection = self.selection_of(query, headers)
        for name in selection.servers:
            self._running.upstreams[name].renew_tools()
        check_tools(
            selection, self._known_tools(selection), QUERY_PARAMETER if QUERY_PARAMETER in query else HEADER
        )
        return self._servers.of(selection, searches=searches)

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


def _state_of(upstream: Upstream, server: GatewayServer, watch: DefinitionWatch) -> dict[str, Any]:
    state = upstream.state
    withheld = watch.withheld(server)
    report = {
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
    return {name: value for name, value in report.items() if value is not None}


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
        open_watch(parts.storage_directory) as watch,
        open_servers(
            config,
            environment,
            {"name": parts.name, "version": parts.version},
            watch,
            clock=clock,
            on_list_changed=lambda kind: hub.publish(f"{kind}ListChanged"),
            on_resource_updated=updates.updated,
            storage_directory=parts.storage_directory,
            places=parts.places,
        ) as running,
        open_recorder(
            RecorderParts(parts.timeline, running.masking, parts.service.tokenizer, clock)
        ) as recorder,
    ):
        updates.follow_at(running.upstreams)
        yield Gateway(running, watch, hub, parts, clock, recorder=recorder, updates=updates)
