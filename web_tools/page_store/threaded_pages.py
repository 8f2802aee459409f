"""The store of pages for callers on the event loop: runs duckdb_pages.py in a worker thread, and turns its errors into messages.

What is stored and what goes, duckdb_pages.py decides.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from concurrency.worker_threads import Worker, open_worker
from storage.errors import CannotOpen
from web_tools.page_store.duckdb_file import STORE_ERRORS, reason
from web_tools.page_store.duckdb_pages import DuckDbPages, PageStoreSize, check_dimension
from web_tools.pages import Embedder, PagePassage, StoredPage, StoreFailed, Vector, WebError

logger = logging.getLogger(__name__)

T = TypeVar("T")

# How long the start waits for the embedding server to tell the length of its vectors: it may come up later.
PROBE_SECONDS = 5.0


@asynccontextmanager
async def open_page_store(
    directory: Path,
    max_bytes: int,
    model: str = "",
    embedder: Embedder | None = None,
    *,
    made_with: str = "",
    allowed_by: str = "",
) -> AsyncIterator["ThreadedPages"]:
    """Open the store in this data directory; close it at the end of the block. Raises CannotOpen.

    `model` and `embedder` are of the vectors that will be stored; where some are stored already, they must agree with those. `made_with`: what
    decides how a page is read, `allowed_by`: which pages may be.
    """
    async with open_worker(threads=1, cores=1) as worker:
        pages: DuckDbPages = await worker(DuckDbPages, directory, model, max_bytes, made_with, allowed_by)
        # Not at level info: the first line that programs read is that the service has started.
        logger.debug("page_store_opened", extra={"pages": pages.size.pages, "bytes": pages.size.bytes})
        try:
            if embedder and pages.dimension:
                await _compare_dimensions(pages, model, embedder)
            yield ThreadedPages(pages, worker)
        finally:
            await worker(_close, pages)


async def _compare_dimensions(pages: DuckDbPages, model: str, embedder: Embedder) -> None:
    """Raise CannotOpen if the embedding server's vectors have another length than those that are stored."""
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            (vector,) = await embedder.embed(["length"])
    except (WebError, TimeoutError) as problem:
        logger.warning("embedding_model_not_checked", extra={"error": type(problem).__name__})
        return
    try:
        check_dimension(pages.dimension, len(vector), model)
    except StoreFailed as mismatch:
        raise CannotOpen(f"EMBEDDING_MODEL_NAME: {mismatch}") from None


def _close(pages: DuckDbPages) -> None:
    try:
        pages.close()
    except STORE_ERRORS as problem:
        logger.warning("page_store_failed", extra={"error": reason(problem)})


class ThreadedPages:
    """The store for callers on the event loop, as a PageStore; whatever cannot be read or written is StoreFailed."""

    def __init__(self, pages: DuckDbPages, worker: Worker) -> None:
        self._pages = pages
        self._worker = worker

    @property
    def size(self) -> PageStoreSize:
        """The size after the last change."""
        return self._pages.size

    async def page(self, url: str) -> StoredPage | None:
        """Return a page, and count this as a use of it."""
        return await self._run(self._pages.page, url)

    async def touch(self, url: str) -> bool:
        """Count a use of a page; return whether it is stored."""
        return await self._run(self._pages.touch, url)

    async def put(self, page: StoredPage) -> None:
        """Store a page; passages that were there already keep their vectors."""
        await self._run(self._pages.put, page)

    async def without_vector(self, url: str) -> list[PagePassage]:
        """Return the page's passages that have no vector yet."""
        return await self._run(self._pages.without_vector, url)

    async def add_vectors(self, url: str, vectors: Mapping[str, Vector]) -> None:
        """Store vectors by the ids of their passages."""
        await self._run(self._pages.add_vectors, url, vectors)

    async def nearest(self, url: str, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Return the ids of the page's nearest passages with their cosine similarity, the nearest first."""
        return await self._run(self._pages.nearest, url, vector, limit)

    async def near_duplicates(self, url: str, ids: Sequence[str]) -> frozenset[str]:
        """Return those of some passages whose vector is nearly that of one named before them."""
        return await self._run(self._pages.near_duplicates, url, ids)

    async def _run(self, function: Callable[..., T], *arguments: object) -> T:
        try:
            result: T = await self._worker(function, *arguments)
        except STORE_ERRORS as problem:
            logger.warning("page_store_failed", extra={"error": reason(problem)})
            raise StoreFailed(f"the file of stored pages cannot be used ({reason(problem)})") from problem
        return result
