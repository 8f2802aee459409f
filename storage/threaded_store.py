"""The store of originals for callers on the event loop: runs storage/sqlite_store.py in a worker thread, and turns its errors into messages.

Where its file cannot be used, a disabled store takes its place. What is stored and evicted, storage/sqlite_store.py decides.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from concurrency.worker_threads import Worker
from storage.originals import (
    OFF,
    UNREADABLE,
    NotStored,
    Originals,
    OriginalsBounds,
    OriginalUnavailable,
    StoreSize,
)
from storage.sqlite_file import STORAGE_ERRORS, UnusableFile, reason
from storage.sqlite_store import SqliteStore, quoted

# An original is kept for a day; a minute more does not matter.
EXPIRE_EVERY_SECONDS = 60.0

logger = logging.getLogger(__name__)


@asynccontextmanager
async def open_originals(directory: str, bounds: OriginalsBounds, worker: Worker) -> AsyncIterator[Originals]:
    """Open the store, in memory if no directory is named; close it at the end of the block. Raises CannotOpen.

    If its file cannot be used, the service works without originals. `worker(function, *arguments)` must have one thread:
    SQLite's connection stays in it.
    """
    path = Path(directory) if directory else None
    opened: SqliteStore | UnusableFile = await worker(_open, path, bounds)
    if isinstance(opened, UnusableFile):
        logger.warning("originals_off", extra={"error": str(opened), "note": opened.remedy})
        yield DisabledOriginals(str(opened))
        return
    try:
        yield SqliteOriginals(opened, worker)
    finally:
        await worker(opened.close)


def _open(directory: Path | None, bounds: OriginalsBounds) -> SqliteStore | UnusableFile:
    try:
        return SqliteStore(directory, bounds)
    except UnusableFile as problem:
        return problem


@asynccontextmanager
async def expiring(originals: Originals) -> AsyncIterator[None]:
    """Delete expired originals until the end of the block."""
    task = asyncio.create_task(_expire(originals))
    try:
        yield
    finally:
        task.cancel()


async def _expire(originals: Originals) -> None:
    # Once at the start as well: originals may have expired while the service was not running.
    while True:
        await originals.expire()
        await asyncio.sleep(EXPIRE_EVERY_SECONDS)


class DisabledOriginals:
    """Replaces a store whose file cannot be used: stores nothing, and tells callers why."""

    size = StoreSize()

    def __init__(self, why: str) -> None:
        self._off = f"originals are off, since their file cannot be used ({why})"

    async def keep(self, content: str, owner: str) -> str:
        """Raise NotStored."""
        raise NotStored(self._off)

    async def read(self, result_id: str, owner: str) -> str:
        """Raise OriginalUnavailable."""
        raise OriginalUnavailable(f"{self._off}; call again with the text", OFF)

    async def expire(self) -> None:
        """Do nothing: the store is empty."""


class SqliteOriginals:
    """The store for callers on the event loop; turns SQLite's errors into messages for the caller."""

    def __init__(self, store: SqliteStore, worker: Worker) -> None:
        self._store = store
        self._worker = worker

    @property
    def size(self) -> StoreSize:
        """The size after the last change."""
        return self._store.size

    async def keep(self, content: str, owner: str) -> str:
        """Store content and return its id. Raises NotStored."""
        try:
            result_id: str = await self._worker(self._store.keep, content, owner)
        except STORAGE_ERRORS as problem:
            logger.warning("original_not_kept", extra={"error": reason(problem)})
            raise NotStored(f"the store cannot be written ({reason(problem)})") from problem
        return result_id

    async def read(self, result_id: str, owner: str) -> str:
        """Return stored content. Raises OriginalUnavailable."""
        try:
            content: str = await self._worker(self._store.read, result_id, owner)
        except STORAGE_ERRORS as problem:
            logger.warning("original_not_read", extra={"error": reason(problem)})
            raise OriginalUnavailable(
                f"the original with result_id {quoted(result_id)} cannot be read now ({reason(problem)}): "
                "call again later, or with the text",
                UNREADABLE,
            ) from problem
        return content

    async def expire(self) -> None:
        """Delete the expired originals; if the file cannot be written, the next run deletes them."""
        try:
            await self._worker(self._store.expire)
        except STORAGE_ERRORS as problem:
            logger.warning("originals_not_expired", extra={"error": reason(problem)})
