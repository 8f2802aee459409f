"""The check of a gateway's configuration: starts each server once, and says how it is and what its tools cost a model. Serves nothing."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gateway.catalogue import Catalogue, OfferedTool
from gateway.definition_watch import DefinitionWatch
from gateway.server_rules import GatewayConfig
from gateway.server_selection import select_all
from gateway.upstream.errors import UpstreamError
from gateway.upstream.upstream_server import Upstream
from summarizing.text.tokenizer import Tokenizer
from tools.similar_names import did_you_mean

NO_SERVERS = (
    "mcpServers: expected at least one server that is not disabled, got none, so the gateway offers no tools: "
    'write {"mcpServers": {"NAME": {"command": ...} or {"url": ...}}}'
)

HEAD = ("server", "state", "revision", "start", "tools", "tokens")


async def checked(
    config: GatewayConfig, upstreams: Mapping[str, Upstream], tokenizer: Tokenizer, watch: DefinitionWatch
) -> tuple[str, bool]:
    """Wait until each server is ready or down; return a table of them, and whether there are any and all are ready and named rightly.

    `watch` knows which tools have changed since they were accepted.
    """
    if not upstreams:
        return "\n".join([NO_SERVERS, *config.notes]), False
    await asyncio.gather(*(_started(upstream) for upstream in upstreams.values()))
    definitions = {name: upstream.known_tools for name, upstream in upstreams.items()}
    tools = Catalogue(config.servers, definitions, select_all(config.servers)).tools
    rows = [
        _row(upstream, [tool for tool in tools if tool.id.server == name], tokenizer)
        for name, upstream in upstreams.items()
    ]
    errors = [
        f"{name}: {upstream.state.error}" for name, upstream in upstreams.items() if upstream.state.error
    ]
    misnamed = [
        line for name, tools in definitions.items() if tools for line in _misnamed(config, name, tools)
    ]
    changed = [
        f"{server}: {tool} has changed since it was accepted (--accept-tools {server}): {_shown(change)}"
        for server in config.servers
        for tool, change in watch.report(server).items()
    ]
    lines = [_table([HEAD, *rows]), *errors, *misnamed, *changed, *config.notes]
    return "\n".join(lines), not errors and not misnamed


def _shown(change: Mapping[str, Any]) -> str:
    """Return what of a tool's definition has changed, in one line."""
    return json.dumps(change["changes"], ensure_ascii=False)


def _misnamed(config: GatewayConfig, server: str, tools: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the names in a server's rules that none of its tools has."""
    rules = config.servers[server].tools
    known = {tool["name"] for tool in tools}
    for member in ("allow", "deny", "rename", "description", "exact", "pin"):
        for name in sorted(set(getattr(rules, member) or ()) - known):
            yield f"{server}.tools.{member}: expected names of its tools, got {name}{did_you_mean(name, known)}"


async def _started(upstream: Upstream) -> None:
    try:
        await upstream.tools()
    except UpstreamError:
        return  # its state says why


def _row(upstream: Upstream, tools: list[OfferedTool], tokenizer: Tokenizer) -> tuple[str, ...]:
    state = upstream.state
    tokens = sum(tokenizer.count_each([json.dumps(tool.definition, ensure_ascii=False) for tool in tools]))
    revision = f"{state.version} ({state.era.value})" if state.era else ""
    start = "" if state.started_seconds is None else f"{state.started_seconds:.2f} s"
    return upstream.name, state.status, revision, start, str(len(tools)), f"{tokens:,}"


def _table(rows: list[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
