"""The tools that the gateway offers, made of those that the servers have. Pure: no server is called.

Chosen and renamed as configured, in an order that does not depend on the servers' own. A definition says what comes back: no
`outputSchema` where a result may be rewritten or masked, and `summary_focus` where it may be summarized.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gateway.names import NameTable, ToolId
from gateway.server_rules import GatewayServer
from gateway.server_selection import Selection
from tools.schema_validator import check

Definition = Mapping[str, Any]

FOCUS = "summary_focus"
MAX_FOCUS_CHARS = 1_000

_FOCUS_SCHEMA = {
    "type": "string",
    "maxLength": MAX_FOCUS_CHARS,
    "description": "What you need from the result, in a few words, in case it is long and is summarized: names, states, numbers.",
}


@dataclass(frozen=True)
class OfferedTool:
    """A tool as the gateway offers it."""

    id: ToolId
    name: str
    definition: Mapping[str, Any]
    """As `tools/list` shows it."""
    original: Definition
    """As its server has it."""
    focus_argument: str
    """The argument that says what is needed from the result; "" where nothing is summarized."""
    is_pinned: bool

    def split_arguments(self, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
        """Return the arguments for the server, and what was said to be needed. Raises Mismatch where that is no text."""
        own = {name: value for name, value in arguments.items() if name != self.focus_argument}
        focus = arguments.get(self.focus_argument) if self.focus_argument else None
        if focus is None:
            return own, ""
        check({"type": "string"}, focus, self.focus_argument)
        return own, focus[:MAX_FOCUS_CHARS]


class Catalogue:
    """The offered tools, in the order of the configuration, then of their names."""

    def __init__(
        self,
        servers: Mapping[str, GatewayServer],
        definitions: Mapping[str, Sequence[Definition]],
        selection: Selection,
        withheld: Collection[ToolId] = frozenset(),
    ) -> None:
        """`definitions`: what each server has said that it has; a server that is down may be missing. `withheld`: not to be offered."""
        known = {
            ToolId(server, each["name"]): each for server in servers for each in definitions.get(server, ())
        }
        # Over all tools, so that a tool has the same name in every selection.
        table = NameTable(known, _renamed(servers, known))
        order = list(servers)
        chosen = [
            tool
            for tool in sorted(known, key=lambda tool: (order.index(tool.server), tool.tool))
            if selection.includes(tool) and servers[tool.server].tools.offers(tool.tool)
        ]
        offered = [
            _offered(servers[tool.server], tool, table.name_of(tool), known[tool])
            for tool in chosen
            if tool not in withheld
        ]
        self._withheld = frozenset(withheld).intersection(chosen)
        self.tools = tuple(offered)
        self._table = table
        self._offered = {tool.id: tool for tool in offered}

    def find(self, name: str) -> OfferedTool | None:
        """Return the tool that a caller means, if it is offered."""
        tool = self._table.tool_of(name)
        return self._offered.get(tool) if tool else None

    def withheld(self, name: str) -> ToolId | None:
        """Return the tool that a caller means, if it is kept back although it is chosen."""
        tool = self._table.tool_of(name)
        return tool if tool in self._withheld else None


def _renamed(servers: Mapping[str, GatewayServer], known: Mapping[ToolId, Definition]) -> dict[ToolId, str]:
    return {
        tool: new for tool in known if (new := servers[tool.server].tools.rename.get(tool.tool)) is not None
    }


def _offered(server: GatewayServer, tool: ToolId, name: str, original: Definition) -> OfferedTool:
    definition = {**original, "name": name}
    description = server.tools.description.get(tool.tool)
    if description is not None:
        definition["description"] = description
    if server.may_rewrite or server.masking.enabled:  # a placeholder need not be what the schema says
        definition.pop("outputSchema", None)
    focus = ""
    if server.may_rewrite and tool.tool not in server.tools.exact:
        definition["inputSchema"], focus = _with_focus(original.get("inputSchema"))
    return OfferedTool(tool, name, definition, original, focus, tool.tool in server.tools.pin)


def _with_focus(schema: Any) -> tuple[dict[str, Any], str]:
    """Return a tool's schema with the argument for the focus, and its name: another one if the tool has one of that name."""
    schema = schema if isinstance(schema, dict) else {"type": "object"}
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    name = FOCUS
    while name in properties:
        name = f"gateway_{name}"
    return {**schema, "properties": {**properties, name: _FOCUS_SCHEMA}}, name
