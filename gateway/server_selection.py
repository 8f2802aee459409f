"""Which servers and tools a connection chooses: `?servers=a,b:tool`, or the same as JSON in a header; how it gets them: `?tools=`. Pure.

A selection replaces what is configured, and is not merged with it: a server that is not named is not connected to.
"""

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from gateway.names import SEPARATOR, ToolId, servers_meant
from tools.schema_validator import Mismatch, check
from tools.similar_names import did_you_mean

QUERY_PARAMETER = "servers"
HEADER = "Mcp-Gateway-Selection"

TOOLS_PARAMETER = "tools"
SEARCH = "search"

_PARAMETERS = (QUERY_PARAMETER, TOOLS_PARAMETER)

# A selection of a hundred servers with ten tools each has about 40 KB.
MAX_SELECTION_CHARS = 64 * 1024

# Of unknown tools, in a message.
MAX_NAMED = 10

# The seeds' JSON: an alert says which servers and tools it wants.
_SCHEMA = {
    "type": "object",
    "required": ["servers"],
    "properties": {
        "servers": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string", "minLength": 1},
                    "tools": {"type": "array", "items": {"type": "string", "minLength": 1}},
                },
            },
        }
    },
}


class SelectionError(ValueError):
    """A selection that cannot be served: the message names what is wrong, and is for the caller."""


@dataclass(frozen=True)
class Selection:
    """The chosen servers; of each the chosen tools by the server's own names, None for all of them."""

    servers: Mapping[str, frozenset[str] | None]

    def includes(self, tool: ToolId) -> bool:
        """Whether a tool is in the choice."""
        if tool.server not in self.servers:
            return False
        tools = self.servers[tool.server]
        return tools is None or tool.tool in tools


def select_all(configured: Collection[str]) -> Selection:
    """Return the choice of a connection that names none: everything."""
    return Selection(dict.fromkeys(configured))


def check_parameters(names: Collection[str]) -> None:
    """Check the names of the URL's parameters, as often as each is given. Raises SelectionError for what would be ignored."""
    for name, times in Counter(names).items():
        if name not in _PARAMETERS:
            near = did_you_mean(name, _PARAMETERS)
            raise SelectionError(f"expected {' or '.join(_PARAMETERS)} in the URL, got {name[:100]}{near}")
        if times > 1:
            raise SelectionError(f"{name}: expected once in the URL, got {times}; divide names by commas")


def read_query(value: str, configured: Collection[str]) -> Selection:
    """Read `a,b:tool,b:other`: servers, each alone or with a tool, which `b.tool` and `b__tool` mean as well. Raises SelectionError."""
    _check_length(value)
    chosen: dict[str, set[str] | None] = {}
    for item in filter(None, map(str.strip, value.split(","))):
        server, colon, tool = (part.strip() for part in _parts_of(item, configured))
        if not server or (colon and not tool):
            raise SelectionError(
                f"{QUERY_PARAMETER}: expected names such as `server` or `server:tool`, got {item[:100]!r}"
            )
        _add(chosen, server, [tool] if tool else [])
    return _checked(chosen, configured, QUERY_PARAMETER)


def _parts_of(item: str, configured: Collection[str]) -> tuple[str, str, str]:
    """Return the server of an item, a colon and a tool; "" for the latter two where it names a server alone."""
    meant = servers_meant(item, configured) if ":" not in item and item not in configured else []
    if len(meant) != 1:
        return item.partition(":")
    (server,) = meant
    rest = item[len(server) :]
    return server, ":", rest.removeprefix(".") if rest[0] == "." else rest.removeprefix(SEPARATOR)


def read_header(value: str, configured: Collection[str]) -> Selection:
    """Read `{"servers": [{"name": ..., "tools": [...]}]}`; no tools, or none named, means all. Raises SelectionError.

    Other members, such as `native_tools` for the model's own tools, mean nothing here.
    """
    _check_length(value)
    try:
        given: Any = json.loads(value)
        check(_SCHEMA, given, HEADER)
    except Mismatch as problem:
        raise SelectionError(str(problem)) from None
    except (ValueError, RecursionError) as problem:
        raise SelectionError(f"{HEADER}: expected JSON, got text that is none: {problem}") from None
    chosen: dict[str, set[str] | None] = {}
    for server in given["servers"]:
        _add(chosen, server["name"], server.get("tools", []))
    return _checked(chosen, configured, HEADER)


def check_tools(selection: Selection, known: Mapping[str, Collection[str]], where: str) -> None:
    """Check the chosen tools of the servers whose tools are known. Raises SelectionError for those that a server does not have."""
    for server in selection.servers.keys() & known.keys():
        unknown = sorted((selection.servers[server] or frozenset()).difference(known[server]))
        if unknown:
            near = did_you_mean(unknown[0], known[server])
            named = _listed(unknown[:MAX_NAMED])
            raise SelectionError(f"{where}: expected tools that {server} has, got {named}{near}")


def read_tools(value: str) -> bool:
    """Whether the tools are to be searched for, instead of listed. Raises SelectionError for a value that means nothing."""
    if value != SEARCH:
        raise SelectionError(
            f"{TOOLS_PARAMETER}: expected {SEARCH}, or no {TOOLS_PARAMETER} for a list of all, got {value[:100]!r}"
        )
    return True


def _check_length(value: str) -> None:
    if len(value) > MAX_SELECTION_CHARS:
        raise SelectionError(
            f"selection: expected at most {MAX_SELECTION_CHARS} characters, got {len(value)}"
        )


def _add(chosen: dict[str, set[str] | None], server: str, tools: Collection[str]) -> None:
    """Add a server, with these tools or, without any, with all of them, whatever else is named of it."""
    before = chosen.get(server, set())
    chosen[server] = before | set(tools) if tools and before is not None else None


def _checked(chosen: Mapping[str, set[str] | None], configured: Collection[str], where: str) -> Selection:
    if not chosen:
        raise SelectionError(f"{where}: expected at least one server of {_listed(configured)}, got none")
    unknown = [name for name in chosen if name not in configured]
    if unknown:
        raise SelectionError(f"{where}: expected servers of {_listed(configured)}, got {_listed(unknown)}")
    return Selection({name: None if tools is None else frozenset(tools) for name, tools in chosen.items()})


def _listed(names: Collection[str]) -> str:
    return ", ".join(name[:100] for name in sorted(names)) or "none"
