"""Refresh tokens that a server of tokens has given in place of the configured ones: kept for the next start, in a file of the data directory.

RFC 6749, 6: a server that gives a new refresh token may take the old one no more. The file is readable by its user only. A token counts for
as long as the configuration has the one that it came from.
"""

import asyncio
import hashlib
import json
import logging
from pathlib import Path
from typing import Any

from concurrency.worker_threads import Worker
from gateway.server_spec import OAuthGrant
from storage.json_file import read_json, write_json

logger = logging.getLogger(__name__)

FILE_NAME = "refresh_tokens.json"


class RefreshTokens:
    """The newest refresh tokens of all servers."""

    def __init__(self, directory: str) -> None:
        """`directory`: where they are kept; "" keeps them for as long as the process runs."""
        self._path = Path(directory) / FILE_NAME if directory else None
        self._known: dict[str, dict[str, str]] = {}
        self._writing = asyncio.Lock()

    def of(self, server: str, grant: OAuthGrant, worker: Worker) -> "NewestToken":
        """Return the place for a server's token; `worker` reads and writes the file."""
        return NewestToken(self, server, grant, worker)

    async def read(self, server: str, configured: str, worker: Worker) -> str:
        """Return the token that was given for a configured one; "" where none was."""
        if server not in self._known and self._path is not None:
            try:
                self._known = {**_checked(await worker(read_json, self._path)), **self._known}
            except (OSError, ValueError) as problem:
                _warn(problem)
        entry = self._known.get(server, {})
        return entry["refresh_token"] if entry.get("configured") == configured else ""

    async def keep(self, server: str, configured: str, token: str, worker: Worker) -> None:
        """Keep a token that was given for a configured one."""
        self._known[server] = entry = {"configured": configured, "refresh_token": token}
        if self._path is None:
            return
        async with self._writing:
            try:
                await worker(_replace, self._path, {server: entry})
            except (OSError, ValueError) as problem:
                _warn(problem)


class NewestToken:
    """The newest refresh token of one server."""

    def __init__(self, tokens: RefreshTokens, server: str, grant: OAuthGrant, worker: Worker) -> None:
        self._tokens = tokens
        self._server = server
        self._configured = hashlib.sha256(
            json.dumps([grant.token_url, grant.client_id, grant.refresh_token]).encode()
        ).hexdigest()
        self._worker = worker

    async def read(self) -> str:
        """Return it; "" where none was given."""
        return await self._tokens.read(self._server, self._configured, self._worker)

    async def keep(self, token: str) -> None:
        """Keep another one."""
        await self._tokens.keep(self._server, self._configured, token, self._worker)


def _replace(path: Path, entry: dict[str, Any]) -> None:
    write_json(path, {**_checked(read_json(path)), **entry})


def _checked(value: Any) -> dict[str, dict[str, str]]:
    """Return what a file has. Raises ValueError for anything else than tokens."""
    entries = {} if value is None else value
    if not isinstance(entries, dict) or not all(
        isinstance(entry, dict) and isinstance(entry.get("refresh_token"), str) for entry in entries.values()
    ):
        raise ValueError("expected the tokens of servers")
    return entries


def _warn(problem: Exception) -> None:
    # A message of a parser may quote the file.
    reason = problem.strerror if isinstance(problem, OSError) else "no JSON of tokens"
    logger.warning("refresh_token_not_kept", extra={"error": reason or type(problem).__name__})
