"""The names under which tools are offered: `server__tool`, since the APIs of several models refuse a dot in a tool's name. Pure.

Calls nothing, and does not decide which tools are offered: catalogue.py does.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tools.similar_names import near, question, spelled_alike

# Clients put their own prefix before a name (`mcp__gateway__`), and models take 64 characters.
MAX_NAME_CHARS = 48

SEPARATOR = "__"

_HASH_CHARS = 8

# What the APIs of OpenAI and Anthropic take in a tool's name.
_REFUSED = re.compile(r"[^A-Za-z0-9_-]")


class ToolId(NamedTuple):
    """A tool by its server's name, and its own name there."""

    server: str
    tool: str


class NameTable:
    """The offered names of some tools, both ways."""

    def __init__(self, tools: Iterable[ToolId], renamed: Mapping[ToolId, str]) -> None:
        """`renamed`: what stands for a tool's own name. The order of the tools does not matter."""
        wanted = {each: _wanted(each, renamed.get(each, each.tool)) for each in tools}
        times = Counter(_clean(name) for name in wanted.values())
        self._names = {
            each: _clean(name) if _fits(name) and times[_clean(name)] == 1 else _hashed(name, each)
            for each, name in wanted.items()
        }
        self._tools = {name: each for each, name in self._names.items()}
        spelled = Counter(_dotted(each) for each in self._names)
        # Of two tools that are spelled alike (`c` of `a.b`, `b.c` of `a`), neither is meant.
        self._spellings = {_dotted(each): each for each in self._names if spelled[_dotted(each)] == 1}

    def name_of(self, tool: ToolId) -> str:
        """Return a tool's offered name. Raises KeyError."""
        return self._names[tool]

    def tool_of(self, name: str) -> ToolId | None:
        """Return the tool that a caller means: by its offered name, or as `server.tool`; None: there is none."""
        return self._tools.get(name) or self._spellings.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        """All offered names."""
        return tuple(self._tools)


def tools_meant(name: str, offered: Mapping[str, ToolId], others: Iterable[str] = ()) -> str:
    """Return the offered names of the tools that a nearly right one may mean, as `did_you_mean` (similar_names.py) does.

    One that is right but for its form, or for what stands before it (`mcp__github__create_issue`), means that tool alone. Of a server that
    is named, or nearly, the rest is compared with the names of its tools: their common beginning says nothing. Any other name is compared
    with those that the tools have at their servers, and with `others`, which are tools of no server.
    """
    if alike := spelled_alike(name, [*offered, *others]):
        return question(alike)
    server, _, rest = name.replace(".", SEPARATOR, 1).partition(SEPARATOR)
    named = near(server if rest else "", {_clean(tool.server) for tool in offered.values()})[:1]
    spelled = defaultdict[str, list[str]](list, {} if named else {each: [each] for each in others})
    for each, tool in offered.items():
        if not named or _clean(tool.server) == named[0]:
            for spelling in {tool.tool, each.partition(SEPARATOR)[2]}:
                spelled[spelling].append(each)
    nearest = near(rest if named else name, spelled)[:1]
    return question(each for spelling in nearest for each in spelled[spelling])


def servers_meant(name: str, servers: Iterable[str]) -> list[str]:
    """Return the servers of which something offered may have this name."""
    return [server for server in servers if name.startswith((_clean(f"{server}{SEPARATOR}"), f"{server}."))]


def _wanted(tool: ToolId, name: str) -> str:
    return f"{tool.server}{SEPARATOR}{name}"


def _dotted(tool: ToolId) -> str:
    return f"{tool.server}.{tool.tool}"


def _clean(name: str) -> str:
    return _REFUSED.sub("_", name)


def _fits(name: str) -> bool:
    return len(name) <= MAX_NAME_CHARS


def _hashed(name: str, tool: ToolId) -> str:
    """Cut a name, and end it in a hash of the tool it stands for: the same in every process."""
    digest = hashlib.sha256("\0".join(tool).encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_CHARS]
    return f"{_clean(name)[: MAX_NAME_CHARS - _HASH_CHARS - 1]}_{digest}"
