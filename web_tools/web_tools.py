"""The package as a whole: opens what reads, keeps and finds pages, as the settings say, and closes it. The parts know no settings.

One limit, CONCURRENCY, is for all requests that leave: to pages, to the search provider and to the embedding server.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

from settings.web_settings import WebSettings
from summarizing.job import PageText
from summarizing.offload import Offload
from summarizing.text.tokenizer import Tokenizer
from web_tools.embeddings import EmbeddingServer, open_embeddings
from web_tools.extraction.extractor import open_extractor
from web_tools.handlers import WebParts
from web_tools.page_reading import PageReading
from web_tools.page_source import open_page_source
from web_tools.page_store.threaded_pages import ThreadedPages, open_page_store
from web_tools.pages import Embedder, FetchedPage, PageExtractor, Validators, WebError
from web_tools.passages import cut
from web_tools.request_slots import RequestSlots
from web_tools.search.provider import SearchProvider
from web_tools.search.web_search import SearchSettings, open_search
from web_tools.text_work import TextWork


@dataclass(frozen=True)
class OpenWebTools:
    """What is open."""

    parts: WebParts
    store: ThreadedPages
    html_extractor: PageExtractor

    async def main_content(self, html: str) -> PageText | None:
        """Return the main content of a page that a caller sent, as a MainContent (summarizing/job.py)."""
        page = FetchedPage("content", "text/html", "utf-8", html.encode("utf-8", "replace"), Validators())
        try:
            read = await self.html_extractor.extract(page)
        except WebError:
            return None
        return PageText(read.text, read.note, read.is_main_content)


@asynccontextmanager
async def open_web_tools(
    settings: WebSettings, directory: Path, tokenizer: Tokenizer, user_agent: str, offload: Offload
) -> AsyncIterator[OpenWebTools]:
    """Open the web tools; pages are stored below `directory`. Raises CannotOpen."""
    slots = RequestSlots(settings.concurrency, settings.request_timeout_ms)
    work = TextWork(offload)
    async with (
        open_page_source(settings, slots, user_agent) as source,
        # Without a browser, whatever the settings: the scripts of a page that a caller sends are not run.
        open_extractor() as html_extractor,
        _open_embedder_if_any(settings, slots, work) as embedder,
        _open_search_if_any(settings, slots) as search,
        open_page_store(
            directory,
            settings.max_stored_pages_bytes,
            settings.embedding_model_name if embedder else "",
            embedder,
            made_with=made_with(settings, user_agent),
            allowed_by=allowed_by(settings),
        ) as store,
    ):
        is_semantic = settings.page_ranking == "semantic"
        reading = PageReading(
            source.fetcher,
            source.extractor,
            store,
            embedder,
            cut=partial(cut, tokens=settings.embedding_tokens_size, tokenizer=tokenizer),
            work=work,
            similarity_threshold=settings.similarity_threshold if is_semantic else None,
            fresh_for=timedelta(seconds=settings.page_fresh_seconds),
        )
        yield OpenWebTools(WebParts(reading, search, work), store, html_extractor)


def made_with(settings: WebSettings, version: str) -> str:
    """Return what decides how a page is read and cut: the version of this program, and some settings."""
    return f"{version}, WEB_RENDER_PAGES={settings.web_render_pages}, EMBEDDING_TOKENS_SIZE={settings.embedding_tokens_size}"


def allowed_by(settings: WebSettings) -> str:
    """Return what decides which pages may be read."""
    return f"WEB_ALLOWED_NETWORKS={','.join(map(str, settings.web_allowed_networks))}, WEB_OBEY_ROBOTS={settings.web_obey_robots}"


@asynccontextmanager
async def _open_embedder_if_any(
    settings: WebSettings, slots: RequestSlots, work: TextWork
) -> AsyncIterator[Embedder | None]:
    if not settings.embedding_server_url:
        yield None
        return
    server = EmbeddingServer(
        settings.embedding_server_url,
        settings.embedding_model_name,
        settings.embedding_server_api_key,
        timeout_ms=settings.request_timeout_ms,
    )
    async with open_embeddings(server, slots, work) as embeddings:
        yield embeddings


@asynccontextmanager
async def _open_search_if_any(
    settings: WebSettings, slots: RequestSlots
) -> AsyncIterator[SearchProvider | None]:
    provider = settings.chosen_search_provider
    if not provider:
        yield None
        return
    search = SearchSettings(
        provider,
        searxng_url=settings.searxng_url,
        brave_api_key=settings.brave_api_key,
        tavily_api_key=settings.tavily_api_key,
        google_api_key=settings.google_api_key,
        google_search_engine_id=settings.google_search_engine_id,
        timeout_ms=settings.request_timeout_ms,
    )
    async with open_search(search, slots) as opened:
        yield opened
