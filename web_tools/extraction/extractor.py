"""The readable part of fetched pages: read in a process of its own, rendered before where scripts build the page and that is wanted.

Knows neither formats nor browsers.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Protocol

from web_tools.extraction.messages import ReadReply, ReadRequest
from web_tools.extraction.worker_pool import WorkerLimits, WorkerPool, open_worker_pool
from web_tools.page_urls import shown_url
from web_tools.pages import ExtractedPage, FetchedPage, WebError

SCRIPTS_NOT_RUN = "Scripts probably build this page, and were not run."
SCRIPTS_FAILED = "Scripts probably build this page, and could not be run:"


class PageRenderer(Protocol):
    """Runs the scripts of a page; implemented by web_tools/extraction/rendering.py."""

    async def render(self, page: FetchedPage) -> str:
        """Return the page as HTML after its scripts have run. Raises WebError."""
        ...


class Extractor:
    """A PageExtractor."""

    def __init__(self, pool: WorkerPool, renderer: PageRenderer | None) -> None:
        self._pool = pool
        self._renderer = renderer

    async def extract(self, page: FetchedPage) -> ExtractedPage:
        """Return the page's readable part. Raises WebError where there is none."""
        reply, text = await self._read(page)
        if reply.is_skeleton:
            reply, text = await self._with_scripts(page, reply, text)
        if reply.error or not text.strip():
            raise WebError(f"{shown_url(page.url)}: {reply.error or f'it has no text. {reply.note}'.strip()}")
        return ExtractedPage(reply.title, text, reply.note, reply.is_main_content)

    async def _with_scripts(self, page: FetchedPage, reply: ReadReply, text: str) -> tuple[ReadReply, str]:
        """Return what is read of a page once its scripts have run; where they are not run or fail, what was read without, with a note."""
        if self._renderer is None:
            return replace(reply, note=f"{reply.note} {SCRIPTS_NOT_RUN}".strip()), text
        try:
            rendered = await self._renderer.render(page)
        except WebError as failed:
            return replace(reply, note=f"{reply.note} {SCRIPTS_FAILED} {failed}".strip()), text
        body = rendered.encode("utf-8", "replace")
        return await self._read(replace(page, content_type="text/html", charset="utf-8", body=body))

    async def _read(self, page: FetchedPage) -> tuple[ReadReply, str]:
        request = ReadRequest(shown_url(page.url), page.content_type, page.charset)
        return await self._pool.read(request, page.body)


@asynccontextmanager
async def open_extractor(
    limits: WorkerLimits | None = None,
    renderer: PageRenderer | None = None,
    environment: Mapping[str, str] | None = None,
) -> AsyncIterator[Extractor]:
    """Open an extractor; its processes, which get no other environment than this, are started when needed and gone after the block."""
    async with open_worker_pool(limits or WorkerLimits(), environment or {}) as pool:
        yield Extractor(pool, renderer)
