"""Runs the scripts of a page in Chromium without a window, for pages that say nothing without them. Playwright drives it.

The browser itself reaches nothing: every request that it makes is answered here, with a page that the PageFetcher fetched under its
guard, and all that is not asked for in this way (connections made ahead, names resolved ahead, WebRTC) has no name resolution and a proxy
that does not exist. Only GETs of documents, scripts and data are made at all. A browser lives for one page.
"""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from playwright.async_api import Browser, Error, Route, WebSocketRoute, async_playwright
from playwright.async_api import TimeoutError as PlaywrightTimeout

from web_tools.page_urls import origin_of, shown_url, without_queries
from web_tools.pages import FetchedPage, PageFetcher, WebError

OPTIONS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    # Port 9 is "discard" (RFC 863); loopback is not exempt.
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
)

SECONDS = 20.0
# How long to wait for the end of a page's requests, once it has loaded.
QUIET_SECONDS = 5.0
CLOSE_SECONDS = 5.0
MAX_REQUESTS = 100

# Of what Chromium says of a failure: more is a log of its own.
MAX_REASON_CHARS = 300

# What a text is made by or of. Style sheets are answered without being fetched: some scripts fail where one is refused.
FETCHED = frozenset({"document", "script", "xhr", "fetch"})


class ChromiumRenderer:
    """A PageRenderer, one page at a time: a browser takes hundreds of megabytes."""

    def __init__(
        self,
        public_fetcher: PageFetcher,
        intranet_fetcher: PageFetcher,
        program: str = "",
        seconds: float = SECONDS,
    ) -> None:
        """`public_fetcher` reaches no allowed intranet, `intranet_fetcher` nothing else; `program`: a Chromium; "" is the one that Playwright has installed."""
        self._public_fetcher = public_fetcher
        self._intranet_fetcher = intranet_fetcher
        self._program = program
        self._seconds = seconds
        self._free = asyncio.Semaphore(1)

    async def render(self, page: FetchedPage) -> str:
        """Return the page as HTML after its scripts have run. Raises WebError."""
        async with self._free:
            try:
                async with asyncio.timeout(self._seconds), _open_browser(self._program) as browser:
                    return await self._rendered(browser, page)
            except TimeoutError:
                raise WebError(
                    f"{shown_url(page.url)}: its scripts did not end within {self._seconds:g} seconds"
                ) from None
            except Error as error:
                reason = without_queries(error.message[:MAX_REASON_CHARS])
                raise WebError(f"{shown_url(page.url)}: Chromium failed: {reason}") from None

    async def _rendered(self, browser: Browser, page: FetchedPage) -> str:
        context = await browser.new_context(service_workers="block", accept_downloads=False)
        # What reads in an intranet and reaches the Internet too could send what it read away, in the URL of another request.
        requests = _Requests(self._public_fetcher if page.is_public else self._intranet_fetcher, page)
        await context.route("**/*", requests.answer)
        await context.route_web_socket("**/*", _refuse)
        tab = await context.new_page()
        await tab.goto(page.url, wait_until="load")
        with suppress(PlaywrightTimeout):  # some pages ask again and again
            await tab.wait_for_load_state("networkidle", timeout=QUIET_SECONDS * 1_000)
        content = await tab.content()
        await context.unroute_all(behavior="ignoreErrors")
        return content


class _Requests:
    """Answers what the browser asks for while it renders one page."""

    def __init__(self, fetcher: PageFetcher, page: FetchedPage) -> None:
        self._fetcher = fetcher
        self._page = page
        self._origin = origin_of(page.url)
        self._made = 0

    async def answer(self, route: Route) -> None:
        """Answer one request, or refuse it."""
        with suppress(Error):  # the browser is gone
            if route.request.resource_type == "stylesheet":
                await route.fulfill(content_type="text/css", body="")
                return
            answer = await self._fetched(route)
            if answer is None:
                await route.abort()
                return
            kind = (
                f"{answer.content_type}; charset={answer.charset}" if answer.charset else answer.content_type
            )
            # For scripts of the page's own origin alone: what else it embeds reads nothing of other sites.
            headers = {
                "access-control-allow-origin": self._origin,
                "access-control-allow-credentials": "true",
            }
            await route.fulfill(headers={**headers, "content-type": kind}, body=answer.body)

    async def _fetched(self, route: Route) -> FetchedPage | None:
        request = route.request
        if request.url == self._page.url and request.is_navigation_request():
            return self._page
        self._made += 1
        if request.method != "GET" or request.resource_type not in FETCHED or self._made > MAX_REQUESTS:
            return None
        try:
            return await self._fetcher.fetch(request.url)
        except WebError:
            return None


async def _refuse(socket: WebSocketRoute) -> None:
    await socket.close()


@asynccontextmanager
async def _open_browser(program: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=shutil.which(program, path=os.defpath) or program or None,
            args=list(OPTIONS),
            # Chromium cannot make its sandbox as root.
            chromium_sandbox=os.geteuid() != 0,
            env={"PATH": os.defpath},
        )
        try:
            yield browser
        finally:
            with suppress(TimeoutError, Error):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await browser.close()
