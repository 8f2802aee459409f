"""Opens the gateway: connects its servers in the background, and makes the MCP server of each connection's choice.

Nothing here is waited for but a little: a server that is slow to start, or down, keeps no other one from being used.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from concurrency.worker_threads import Worker
from gateway.catalogue import Catalogue
from gateway.masking.secret_rules import GENERATED, generated_rules
from gateway.result_masking import ResultMasking
from gateway.selection import HEADER, QUERY_PARAMETER, Selection, read_header, read_query, select_all
from gateway.server_rules import GatewayConfig
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

INSTRUCTIONS = (
    "The tools of several MCP servers, each named server__tool. A long result comes as a summary with a result_id: read_original and "
    "search_original give what the summary left out, summarize_original summarizes it for another question. Say in summary_focus "
    "what you need from a result, if the tool takes it."
)


@dataclass(frozen=True)
class GatewayParts:
    """What the gateway shares with the rest of the service."""

    summarizer: Summarizer
    """It must give the original back where the model fails."""
    extractive: Summarizer
    """Works without a model."""
    originals: OriginalAccess
    own_tools: ToolSource
    """The service's own, of which those for kept originals are offered."""
    tokenizer: Tokenizer
    offload: Offload
    worker: Worker
    """For parsing and masking."""
    name: str
    version: str
    max_batch: int


class Gateway:
    """The servers, and what a connection gets of them."""

    def __init__(
        self,
        config: GatewayConfig,
        upstreams: Mapping[str, Upstream],
        parts: GatewayParts,
        masking: ResultMasking,
    ) -> None:
        self._config = config
        self._upstreams = upstreams
        self._parts = parts
        self._masking = masking
        self._results = ToolResults(
            parts.summarizer, parts.extractive, parts.originals, masking, parts.tokenizer, parts.offload
        )

    async def server_for(self, query: Mapping[str, str], headers: Mapping[str, str]) -> Server:
        """Return the MCP server of a connection's choice. Raises SelectionError."""
        selection = self.selection_of(query, headers)
        await self._wait_for_starting(selection)
        definitions = {name: upstream.known_tools for name, upstream in self._upstreams.items()}
        tools = GatewayTools(
            Catalogue(self._config.servers, definitions, selection),
            self._config.servers,
            self._upstreams,
            self._results,
            self._masking,
            originals=self._parts.own_tools,
        )
        parts = self._parts
        return Server(f"{parts.name}-gateway", parts.version, INSTRUCTIONS, tools, max_batch=parts.max_batch)

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
        return {name: _state_of(upstream) for name, upstream in self._upstreams.items()}

    async def _wait_for_starting(self, selection: Selection) -> None:
        starting = [
            self._upstreams[name].tools()
            for name in selection.servers
            if self._upstreams[name].state.status == "starting"
        ]
        waiting = [asyncio.ensure_future(_or_nothing(each)) for each in starting]
        if waiting:
            _, late = await asyncio.wait(waiting, timeout=FIRST_LIST_SECONDS)
            for each in late:
                each.cancel()


async def _or_nothing(tools: Any) -> None:
    """Wait for a server's tools; why it has none is in its state."""
    try:
        await tools
    except UpstreamError:
        return


def _state_of(upstream: Upstream) -> dict[str, Any]:
    state = upstream.state
    said = {
        "status": state.status,
        "era": state.era.value if state.era else None,
        "version": state.version or None,
        "start_seconds": None if state.started_seconds is None else round(state.started_seconds, 2),
        "tools": len(upstream.known_tools),
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
    masking = open_masking(config, parts.worker)
    client: Message = {"name": parts.name, "version": parts.version}
    async with open_upstreams(config, environment, parts.worker, client, masking, clock=clock) as upstreams:
        yield Gateway(config, upstreams, parts, masking)


def open_masking(config: GatewayConfig, worker: Worker) -> ResultMasking:
    """Return what masks the servers' answers. Raises PatternError for a rule that cannot be used."""
    rules = generated_rules(GENERATED.read_text("utf-8"))
    return ResultMasking(config.servers, rules, worker, secrets.token_bytes(MASKING_KEY_BYTES))


@asynccontextmanager
async def open_upstreams(
    config: GatewayConfig,
    environment: Mapping[str, str],
    worker: Worker,
    client: Message,
    masking: ResultMasking,
    *,
    clock: Callable[[], float] = time.monotonic,
) -> AsyncIterator[Mapping[str, Upstream]]:
    """Open the connections to all servers, which start in the background; `client` is our name and version."""
    async with AsyncExitStack() as stack:
        yield {
            name: await stack.enter_async_context(
                open_upstream(
                    server.spec,
                    environment=environment,
                    worker=worker,
                    client_info=client,
                    clock=clock,
                    mask=partial(masking.text, server=server),
                    mask_tools=partial(masking.tools, server=server),
                )
            )
            for name, server in config.servers.items()
        }
