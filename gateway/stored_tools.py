"""The tools that a server had when they were last read, masked: kept in a file of the data directory, and offered while the server starts.

Only of a server that is reached as before: another program, or another URL, may have other tools. What cannot be kept, or read, is
asked of the server, as without a directory.
"""

import hashlib
import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from concurrency.worker_threads import Worker
from gateway.server_spec import ServerSpec
from gateway.upstream.tool_list import sorted_out
from protocol.messages import Era, Message
from storage.json_file import read_json, write_json
from tools.call_results import chars_of

logger = logging.getLogger(__name__)

# Of definitions; those of a hundred usual servers have less.
MAX_KEPT_CHARS = 16_000_000


class StoredTools:
    """The file of one server."""

    def __init__(self, directory: str, spec: ServerSpec, worker: Worker) -> None:
        """`directory`: where it is; "" keeps nothing. `worker` reads and writes it."""
        self._path = Path(directory) / f"tools_of_{spec.name}.json" if directory else None
        self._server = spec.name
        self._worker = worker
        reached = json.dumps([spec.command, spec.args, spec.url])
        self._reached = hashlib.sha256(reached.encode()).hexdigest()
        self._kept: Sequence[Message] | None = None

    async def read(self) -> tuple[Message, ...]:
        """Return the tools that were kept; () where there are none."""
        if self._path is None:
            return ()
        try:
            value = await self._worker(read_json, self._path)
        except (OSError, ValueError) as problem:
            self._warn(problem)
            return ()
        return sorted_out(_items(value, self._reached), Era.LEGACY).tools

    async def keep(self, tools: Sequence[Message]) -> None:
        """Keep these in place of others."""
        if self._path is None or tools == self._kept:
            return
        written = () if chars_of([*tools], MAX_KEPT_CHARS) > MAX_KEPT_CHARS else tools
        try:
            await self._worker(write_json, self._path, {"reached": self._reached, "tools": written})
        except OSError as problem:
            self._warn(problem)
        else:
            self._kept = tools

    def _warn(self, problem: Exception) -> None:
        # A message of a parser may quote the file.
        reason = problem.strerror if isinstance(problem, OSError) else "no JSON of tools"
        logger.warning("tools_not_kept", extra={"upstream": self._server, "error": reason or "OSError"})


def _items(value: Any, reached: str) -> list[Message]:
    if not isinstance(value, dict) or value.get("reached") != reached:
        return []
    tools = value.get("tools")
    return [each for each in tools if isinstance(each, dict)] if isinstance(tools, list) else []
