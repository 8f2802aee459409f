"""Watches the definitions of the servers' tools: a change stands in the log and in /health, and may withhold the tool. Kept in a file.

What a change is, known_definitions.py says. Where no directory is named, and where its file cannot be used, definitions are known for
as long as the process runs.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from concurrency.worker_threads import Worker, open_worker
from gateway.known_definitions import (
    Fingerprint,
    KnownDefinition,
    KnownDefinitions,
    differences,
    fingerprint,
    read_known_definitions,
)
from gateway.server_rules import GatewayServer
from storage.json_file import read_json, write_json

logger = logging.getLogger(__name__)

FILE_NAME = "tool_definitions.json"

# In /health: enough to see what happened, and to find the rest with the server itself.
MAX_REPORTED = 20


class DefinitionWatch:
    """The definitions that are accepted, and those that have changed."""

    def __init__(self, known: KnownDefinitions, path: Path | None, worker: Worker) -> None:
        """`path`: where they are kept; None keeps them in memory alone."""
        self._known = known
        self._path = path
        self._worker = worker
        self._writing = asyncio.Lock()

    async def review(self, server: str, tools: Sequence[Mapping[str, Any]]) -> None:
        """Compare what a server says now with what was accepted."""
        current: dict[str, Fingerprint] = await self._worker(_fingerprints, tools)
        changed, is_new = self._known.review(server, current)
        known = self._known.changed(server)
        shown = await self._worker(_all_differences, {tool: known[tool] for tool in changed})
        for tool, changes in shown.items():
            logger.warning(
                "tool_definition_changed", extra={"upstream": server, "tool": tool, "changes": changes}
            )
        if is_new:
            await self._keep()

    def withheld(self, server: GatewayServer) -> frozenset[str]:
        """Return the tools of a server that are not offered until their definitions are accepted."""
        return frozenset(self._known.changed(server.spec.name)) if server.withholds_changed else frozenset()

    def report(self, server: str) -> dict[str, Any]:
        """Return what /health says of a server's changed tools."""
        changed = self._known.changed(server)
        return {
            tool: {
                "accepted_sha256": known.accepted.sha256,
                "sha256": known.changed.sha256 if known.changed else None,
                "changes": differences(known),
            }
            for tool, known in list(changed.items())[:MAX_REPORTED]
        }

    async def reread(self) -> None:
        """Take over what was accepted by the command meanwhile."""
        if self._path is None:
            return
        async with self._writing:
            found = await self._worker(_read, self._path)
        if isinstance(found, KnownDefinitions):
            self._known.take_accepted(found)

    async def _keep(self) -> None:
        if self._path is None:
            return
        await self.reread()  # other processes may have accepted some
        async with self._writing:
            try:
                await self._worker(write_json, self._path, self._known.as_json())
            except OSError as problem:
                logger.warning("tool_definitions_not_kept", extra={"error": problem.strerror or "OSError"})


@asynccontextmanager
async def open_watch(directory: str) -> AsyncIterator[DefinitionWatch]:
    """Open a watch over what is kept in a directory; "" names none."""
    path = Path(directory) / FILE_NAME if directory else None
    async with open_worker(threads=1) as worker:
        found: KnownDefinitions | str | None = await worker(_read, path) if path else None
        if isinstance(found, str):
            logger.warning("tool_definitions_not_kept", extra={"error": found})
            yield DefinitionWatch(KnownDefinitions(), None, worker)
        else:
            yield DefinitionWatch(found or KnownDefinitions(), path, worker)


def accept_changed(
    directory: str, servers: Sequence[str], configured: Collection[str] = ()
) -> list[tuple[str, str]]:
    """Accept the changed definitions of some servers, none for all, in a directory; return each such server and tool.

    Raises OSError, and ValueError for a file that cannot be used, and for a server that is neither in it nor configured.
    """
    path = Path(directory) / FILE_NAME
    value = read_json(path)
    known = KnownDefinitions() if value is None else read_known_definitions(value)
    of = sorted({*configured, *known.by_server})
    unknown = [server[:100] for server in servers if server not in of]
    if unknown:
        raise ValueError(f"expected servers of {', '.join(of) or 'none'}, got {', '.join(unknown)}")
    accepted = known.accept(servers or list(known.by_server))
    if accepted:
        write_json(path, known.as_json())
    return accepted


def _read(path: Path) -> KnownDefinitions | str | None:
    """Return what a file has, None where there is none, or why it cannot be used."""
    try:
        value = read_json(path)
        return None if value is None else read_known_definitions(value)
    except OSError as problem:
        return problem.strerror or "OSError"
    except ValueError as problem:
        return f"{FILE_NAME}: {problem}"


def _all_differences(changed: Mapping[str, KnownDefinition]) -> dict[str, Any]:
    return {tool: differences(known) for tool, known in changed.items()}


def _fingerprints(tools: Sequence[Mapping[str, Any]]) -> dict[str, Fingerprint]:
    return {tool["name"]: fingerprint(tool) for tool in tools}
