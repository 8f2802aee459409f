"""The MCP servers of the latest choices of servers: each joins the tools, prompts and resources that its connections get. Opens nothing."""

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from gateway.catalogue import Catalogue
from gateway.completions import GatewayCompletions
from gateway.definition_watch import DefinitionWatch
from gateway.names import ToolId
from gateway.prompts import GatewayPrompts
from gateway.resources import GatewayResources
from gateway.running_servers import RunningServers
from gateway.searched_tools import SearchedTools
from gateway.server_selection import Selection
from gateway.timeline.recorder import CallRecorder
from gateway.timeline.recorder_dependencies import TimelineParts
from gateway.timeline.session_identity import selection_json
from gateway.tool_results import ResultServices, ToolResults
from gateway.tools import GatewayTools
from gateway.upstream_lists import UpstreamLists
from protocol.messages import Message
from protocol.methods import Server, ToolSource
from protocol.subscriptions import Hub
from tools.service_parts import ServiceParts

# Changes that are announced to clients: of lists, and of single resources.
LISTS = ("promptsListChanged", "resourcesListChanged", "toolsListChanged")
ANNOUNCED = frozenset({*LISTS, "resourceSubscriptions"})

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
    places: int
    """How many requests the service works on at once."""
    storage_directory: str
    """Where the accepted definitions of tools, and new refresh tokens, are kept; "" for in memory."""
    timeline: TimelineParts


class ServerCache:
    """The MCP servers of the latest selections, made anew where an upstream server's tools have changed."""

    def __init__(
        self,
        running: RunningServers,
        watch: DefinitionWatch,
        hub: Hub,
        parts: GatewayParts,
        recorder: CallRecorder,
    ) -> None:
        """`hub` has the streams of the clients who are told of changes."""
        self._running = running
        self._watch = watch
        self._hub = hub
        self._parts = parts
        self._recorder = recorder
        self._results = ToolResults(
            ResultServices(
                parts.service.summarizer,
                parts.service.originals,
                running.masking,
                parts.service.tokenizer,
                parts.service.offload,
                partial(datetime.now, UTC),
            )
        )
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
            self._servers[key] = self._make(self._catalogue_of(selection), selection, searches=searches)
        return self._servers[key]

    def forget(self) -> None:
        """Make all of them anew."""
        self._servers.clear()

    def _catalogue_of(self, selection: Selection) -> Catalogue:
        servers = self._running.configured
        withheld = [
            ToolId(name, tool) for name, server in servers.items() for tool in self._watch.withheld(server)
        ]
        return Catalogue(servers, self._definitions, selection, withheld)

    def _lacks_tools(self, selection: Selection) -> bool:
        """Whether a chosen server has not begun yet to say which tools it has."""
        upstreams = [self._running.upstreams.get(name) for name in selection.servers]
        return any(
            each is not None and each.state.status != "ready" and not each.known_tools for each in upstreams
        )

    def _make(self, catalogue: Catalogue, selection: Selection, *, searches: bool) -> Server:
        parts = self._parts
        tools: ToolSource = GatewayTools(
            catalogue,
            self._running,
            self._results,
            originals=parts.service.tools,
            recorder=self._recorder,
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
            lacks_tools=partial(self._lacks_tools, selection),
            client_headers=frozenset(
                name.lower()
                for server in self._running.configured.values()
                for name in server.spec.forward_headers
            ),
            max_batch=parts.max_batch,
        )
