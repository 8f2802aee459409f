"""What pages come from, as the settings say: the fetcher and the extractor. Keeps no page; the command line needs no more than this."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial

from settings.web_settings import WebSettings
from web_tools.extraction.extractor import PageRenderer, open_extractor
from web_tools.fetching.http_fetch import FetchLimits
from web_tools.fetching.page_fetcher import open_fetcher
from web_tools.page_urls import page_url
from web_tools.pages import ExtractedPage, FetchedPage, PageExtractor, PageFetcher
from web_tools.request_slots import RequestSlots


@dataclass(frozen=True)
class PageSource:
    """Fetches pages and makes text of them."""

    fetcher: PageFetcher
    extractor: PageExtractor

    async def read(self, url: str) -> ExtractedPage:
        """Return the text of a page. Raises WebError."""
        return await self.extractor.extract(await self.fetcher.fetch(str(page_url(url))))


class ChromiumOnDemand:
    """A PageRenderer that loads Playwright with the first page whose scripts must run."""

    def __init__(self, public_fetcher: PageFetcher, intranet_fetcher: PageFetcher, program: str) -> None:
        """As a ChromiumRenderer's."""
        self._arguments = public_fetcher, intranet_fetcher, program
        self._renderer: PageRenderer | None = None

    async def render(self, page: FetchedPage) -> str:
        """Return the page as HTML after its scripts have run. Raises WebError."""
        if self._renderer is None:
            from web_tools.extraction.rendering import (  # noqa: PLC0415 - with Playwright, which is installed for this alone
                ChromiumRenderer,
            )

            self._renderer = ChromiumRenderer(*self._arguments)
        return await self._renderer.render(page)


@asynccontextmanager
async def open_page_source(
    settings: WebSettings, slots: RequestSlots, user_agent: str
) -> AsyncIterator[PageSource]:
    """Open both; at the end of the block, connections and processes end. `slots`: one for each request under way."""
    limits = FetchLimits(timeout_ms=settings.request_timeout_ms, max_page_bytes=settings.max_page_bytes)
    fetching = partial(
        open_fetcher, limits, slots, obey_robots=settings.web_obey_robots, user_agent=user_agent
    )
    async with AsyncExitStack() as stack:
        fetcher = await stack.enter_async_context(fetching(allowed_networks=settings.web_allowed_networks))
        renderer: PageRenderer | None = None
        if settings.web_render_pages:
            public_fetcher = await stack.enter_async_context(fetching())
            intranet_fetcher = await stack.enter_async_context(
                fetching(allowed_networks=settings.web_allowed_networks, reaches_public=False)
            )
            renderer = ChromiumOnDemand(public_fetcher, intranet_fetcher, settings.chromium_path)
        yield PageSource(fetcher, await stack.enter_async_context(open_extractor(renderer=renderer)))
