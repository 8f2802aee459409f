"""The tools of a server, read page by page: which can be offered, which may be called twice, which arguments go into headers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.upstream.errors import UpstreamError, UpstreamFault
from gateway.upstream.session import Session
from protocol.messages import METHOD_NOT_FOUND, Era, Message
from protocol.routing_headers import ArgumentPath, mirrored_arguments

# No server has as many; it ends a list whose cursors never repeat.
MAX_ITEMS = 10_000
MAX_PAGES = 1_000


@dataclass(frozen=True)
class ToolList:
    """What a server offers."""

    tools: tuple[Message, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Tools that cannot be offered, with the reason, which may quote the server."""
    mirrored: Mapping[str, Mapping[ArgumentPath, str]] = field(default_factory=dict)
    """For each tool the headers that repeat arguments of its calls (x-mcp-header)."""

    def may_repeat(self, name: str) -> bool:
        """Whether calling a tool twice does no more than calling it once, as the tool itself says."""
        for tool in self.tools:
            if tool["name"] == name:
                hints = tool.get("annotations")
                return isinstance(hints, dict) and (
                    hints.get("readOnlyHint") is True or hints.get("idempotentHint") is True
                )
        return False


async def read_tools(session: Session) -> tuple[ToolList, float | None]:
    """Return a server's tools, and for how many seconds they hold; None for until it says that they have changed."""
    if "tools" not in session.agreement.capabilities:
        return ToolList(), None
    items, ttl_seconds = await listed(session, "tools/list", "tools")
    return sorted_out(items, session.agreement.era), ttl_seconds


def sorted_out(items: list[Message], era: Era) -> ToolList:
    """Return the tools that can be offered, and why others cannot."""
    tools: dict[str, Message] = {}
    left_out: dict[str, str] = {}
    mirrored: dict[str, Mapping[ArgumentPath, str]] = {}
    for tool in items:
        name = tool.get("name")
        if not isinstance(name, str) or not name or name in tools:
            continue
        schema, execution = tool.get("inputSchema"), tool.get("execution")
        if not isinstance(schema, dict):
            left_out[name] = "it has no inputSchema"
        elif isinstance(execution, dict) and execution.get("taskSupport") == "required":
            left_out[name] = "it can be called as a task only"
        elif reason := _note_headers(tool, era, mirrored):
            left_out[name] = reason
        else:
            tools[name] = tool
    return ToolList(tuple(tools.values()), left_out, mirrored)


def _note_headers(tool: Message, era: Era, mirrored: dict[str, Mapping[ArgumentPath, str]]) -> str:
    """Note which arguments go into headers; return why the tool must not be used, "" if it may.

    MCP 2026-07-28: "Clients MUST reject tool definitions for which any x-mcp-header value violates these constraints".
    """
    if era is not Era.MODERN:
        return ""
    try:
        headers = mirrored_arguments(tool)
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        return f"its x-mcp-header is wrong: {error}"
    if headers:
        mirrored[tool["name"]] = headers
    return ""


async def listed(session: Session, method: str, member: str) -> tuple[list[Message], float | None]:
    """Return every page of a list, and for how many seconds it holds. A cursor that comes again ends it.

    Raises UpstreamError; a server that does not know the method has an empty list.
    """
    items: list[Message] = []
    cursors: set[str] = set()
    params: Message = {}
    ttl_seconds = None
    for _ in range(MAX_PAGES):
        try:
            page = await session.request(method, params)
        except UpstreamError as error:
            if error.code == METHOD_NOT_FOUND and not items:
                return [], None
            raise
        found = page.get(member)
        if not isinstance(found, list):
            raise UpstreamError(UpstreamFault.INVALID, f"answers {method} without a list of {member}")
        items += [each for each in found if isinstance(each, dict)]
        ttl_seconds = _shorter(ttl_seconds, page.get("ttlMs"))
        cursor = page.get("nextCursor")
        if not isinstance(cursor, str) or cursor in cursors or len(items) >= MAX_ITEMS:
            break
        cursors.add(cursor)
        params = {"cursor": cursor}
    return items[:MAX_ITEMS], ttl_seconds


def _shorter(ttl_seconds: float | None, ttl_ms: object) -> float | None:
    if not isinstance(ttl_ms, int) or isinstance(ttl_ms, bool) or ttl_ms < 0:
        return ttl_seconds
    return ttl_ms / 1000 if ttl_seconds is None else min(ttl_seconds, ttl_ms / 1000)
