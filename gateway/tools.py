"""The tools of one choice of servers, as MCP's methods ask for them: their list, and calls, whose results are made to fit.

The tools for kept originals stand beside them, so that what a summary left out can be read. Knows nothing of HTTP.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from gateway.call_context import client_session_of
from gateway.call_progress import CallProgress
from gateway.catalogue import Catalogue
from gateway.names import SEPARATOR, ToolId, servers_meant, tools_meant
from gateway.running_servers import RunningServers
from gateway.timeline.call_record import Recorder
from gateway.tool_results import FinishedCall, ToolResults
from gateway.upstream.errors import UpstreamError
from protocol.context import Context
from protocol.messages import RETRY_AFTER_SECONDS, Message
from protocol.methods import TaskUse, ToolSource, Unknown
from tools.call_results import error_result
from tools.definitions import READ_ORIGINAL, SEARCH_ORIGINAL, SUMMARIZE_ORIGINAL
from tools.schema_validator import Mismatch

OF_ORIGINALS = (READ_ORIGINAL, SEARCH_ORIGINAL, SUMMARIZE_ORIGINAL)

WITHHELD = (
    "this tool is withheld, since the server {server} has changed its definition: /health has the old one beside the new one. "
    "`app.py --accept-tools {server}` accepts it; then send the service SIGHUP"
)


class GatewayTools:
    """The offered tools of a catalogue."""

    def __init__(
        self,
        catalogue: Catalogue,
        running: RunningServers,
        results: ToolResults,
        *,
        originals: ToolSource,
        recorder: Recorder,
        selection: str,
    ) -> None:
        """`originals`: the service's own tools, of which those for kept originals are offered; `selection`: the choice of servers, as JSON."""
        self._recorder = recorder
        self._selection = selection
        self._catalogue = catalogue
        self._running = running
        self._results = results
        self._originals = originals
        self._names_of_originals = frozenset(tool["name"] for tool in OF_ORIGINALS)

    def describe(self) -> list[Message]:
        """Return the definitions for `tools/list`."""
        return [*(dict(tool.definition) for tool in self._catalogue.tools), *OF_ORIGINALS]

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        """Return that no call goes on as a task: its server's answer is waited for."""
        return TaskUse.NEVER

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> Message:
        """Return a CallToolResult. Raises Unknown."""
        tool = self._catalogue.find(name)
        if tool is None and name in self._names_of_originals:
            return await self._originals.call(name, arguments, context)
        if tool is None or tool.id.server not in self._running.configured:
            raise Unknown(self._why_unknown(name))
        try:
            own, focus = tool.split_arguments(arguments)
        except Mismatch as problem:
            return error_result(str(problem))
        server = self._running.configured[tool.id.server]
        with self._recorder.begin(context, server, tool.id.tool, arguments, self._selection) as record:
            beginning = partial(self._running.masking.beginning, server=server)
            progress = CallProgress(context, beginning)
            result = await self._answer(tool.id, own, context, progress)
            finished = FinishedCall(server, tool, focus, context, progress, own, record)
            if result.get("resultType") == "input_required":
                return await self._results.masked_request(finished, result)
            fitting = self._results.fitted(finished, result)
            del result  # up to 128 MB of it, which is not needed once it is masked
            return await fitting

    async def _answer(
        self, tool: ToolId, arguments: dict[str, Any], context: Context, progress: CallProgress
    ) -> Message:
        """Return a server's answer to a call; where there is none, an error."""
        try:
            session = client_session_of(context)
            async with self._running.connection(tool.server, context.owner, session) as upstream:
                return await upstream.call(
                    tool.tool,
                    arguments,
                    capabilities=dict(context.capabilities),
                    input_responses=dict(context.responses) or None,
                    request_state=context.state,
                    headers=context.headers,
                    on_progress=progress.of_server,
                )
        except UpstreamError as problem:
            return error_result(str(problem))

    def _why_unknown(self, name: str) -> str:
        if withheld := self._catalogue.withheld(name):
            return f"{name[:100]}: {WITHHELD.format(server=withheld.server)}"
        removed = self._running.removed.intersection((name.partition(SEPARATOR)[0], name.partition(".")[0]))
        if removed:
            return f"Unknown tool: {name[:100]}; the server {removed.pop()} is no longer configured"
        for server in servers_meant(name, self._running.configured):
            status = self._running.upstreams[server].state.status
            if status != "ready" and not self._running.upstreams[server].known_tools:
                advice = (
                    f"; call again in {RETRY_AFTER_SECONDS} s"
                    if status == "starting"
                    else " (/health says why)"
                )
                return f"Unknown tool: {name[:100]}; the tools of {server} are not known yet: it is {status}{advice}"
        offered = {tool.name: tool.id for tool in self._catalogue.tools}
        near = tools_meant(name, offered, self._names_of_originals)
        return f"Unknown tool: {name[:100]}; it is not among the tools of this connection (tools/list){near}"
