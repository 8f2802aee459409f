"""A skeleton page in a real Chromium: its scripts run, and nothing reaches the network but through the fetcher."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from tests.support.browser import PROGRAM
from web_tools.extraction.extractor import open_extractor
from web_tools.extraction.rendering import ChromiumRenderer
from web_tools.pages import ExtractedPage, FetchedPage, Validators, WebError

SITE = "http://tea.example"
SKELETON = (
    '<!DOCTYPE html><title>Tea</title><div id="root"></div><script type="module" src="/app.js"></script>'
)
APP = """
import {title} from "/title.js";
const data = await (await fetch("http://data.example/tea.json?x=1", {headers: {"X-Own": "1"}})).json();
setTimeout(() => {
  document.getElementById("root").innerHTML = `<main><h1>${title}</h1><p>${data.text}</p></main>`;
}, 50);
"""
READ = ExtractedPage("Tea", "# Brewing tea\n\nGreen tea wants water at 80 degrees.")


class Site:
    """A PageFetcher of a few pages; notes what it is asked for."""

    def __init__(self, pages: Mapping[str, tuple[str, str]]) -> None:
        self._pages = pages
        self.asked: list[str] = []

    async def fetch(
        self, url: str, validators: Validators | None = None, *, anew: bool = False
    ) -> FetchedPage:
        self.asked.append(url)
        if url not in self._pages:
            raise WebError(f"{url}: refused")
        media_type, body = self._pages[url]
        return FetchedPage(url, media_type, "utf-8", body.encode(), Validators())


def site(skeleton: str = SKELETON, app: str = APP) -> Site:
    return Site(
        {
            f"{SITE}/": ("text/html", skeleton),
            f"{SITE}/app.js": ("text/javascript", app),
            f"{SITE}/title.js": ("text/javascript", 'export const title = "Brewing tea";'),
            "http://data.example/tea.json?x=1": (
                "application/json",
                '{"text": "Green tea wants water at 80 degrees."}',
            ),
        }
    )


async def extracted(pages: Site, seconds: float = 60) -> ExtractedPage:
    renderer = ChromiumRenderer(pages, pages, PROGRAM, seconds)
    async with open_extractor(renderer=renderer) as extractor:
        return await extractor.extract(await pages.fetch(f"{SITE}/"))


async def test_a_skeleton_page_is_read_as_its_scripts_make_it() -> None:
    pages = site()
    assert await extracted(pages) == READ
    assert pages.asked == [
        f"{SITE}/",
        f"{SITE}/app.js",
        f"{SITE}/title.js",
        "http://data.example/tea.json?x=1",
    ]


@asynccontextmanager
async def listening() -> AsyncIterator[tuple[int, list[bytes]]]:
    """Yield a port of this machine, and what came there."""
    came: list[bytes] = []

    async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(b"")
        came.append(await reader.read(1_000))
        writer.close()

    server = await asyncio.start_server(note, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], came


async def test_nothing_that_a_page_does_reaches_an_address_past_the_fetcher() -> None:
    async with listening() as (port, came):
        inside = f"127.0.0.1:{port}"
        skeleton = f"""<!DOCTYPE html><title>Tea</title>
            <link rel="preconnect" href="http://{inside}"><link rel="dns-prefetch" href="http://{inside}">
            <link rel="stylesheet" href="http://{inside}/a.css"><link rel="prefetch" href="http://{inside}/next">
            <img src="http://{inside}/a.png"><iframe src="http://{inside}/frame"></iframe><div id="root"></div>
            <script type="module" src="/app.js"></script>"""
        app = f"""
            const quietly = action => {{ try {{ action() }} catch {{}} }};
            quietly(() => new WebSocket("ws://{inside}/"));
            quietly(() => new EventSource("http://{inside}/events"));
            quietly(() => navigator.sendBeacon("http://{inside}/beacon", "x"));
            quietly(() => fetch("http://{inside}/", {{method: "POST", body: "x", mode: "no-cors"}}).catch(() => 0));
            quietly(() => fetch("http://{inside}/get", {{mode: "no-cors"}}).catch(() => 0));
            quietly(() => window.open("http://{inside}/window"));
            quietly(() => navigator.serviceWorker.register("http://{inside}/worker.js").catch(() => 0));
            quietly(async () => {{
              const peer = new RTCPeerConnection({{iceServers: [{{urls: "turn:{inside}?transport=tcp", username: "a", credential: "b"}}]}});
              peer.createDataChannel("x");
              await peer.setLocalDescription(await peer.createOffer());
            }});
            {APP}"""
        pages = site(
            skeleton,
            app.replace("import {title}", "const {title} = await import").replace(
                ' from "/title.js"', '("/title.js")'
            ),
        )
        assert (await extracted(pages)).text == READ.text
        assert came == []
    refused = {url for url in pages.asked if inside in url}
    assert refused <= {f"http://{inside}/frame", f"http://{inside}/get", f"http://{inside}/window"}


@pytest.mark.parametrize("is_public, asked_inside", [(True, 0), (False, 3)])
async def test_the_scripts_of_a_page_reach_either_the_public_or_the_intranet(
    is_public: bool, asked_inside: int
) -> None:
    inside, outside = site(), Site({})
    page = replace(await site().fetch(f"{SITE}/"), is_public=is_public)
    await ChromiumRenderer(outside, inside, PROGRAM, 60).render(page)
    assert len(inside.asked) == asked_inside
    assert bool(outside.asked) == is_public


async def test_what_a_page_embeds_of_another_site_reads_nothing_of_others() -> None:
    pages = Site(
        {
            f"{SITE}/": (
                "text/html",
                """<!DOCTYPE html><div id="root"></div><iframe src="http://other.example/"></iframe><script>
                onmessage = event => { document.getElementById("root").textContent = event.data; };</script>""",
            ),
            "http://other.example/": (
                "text/html",
                """<!DOCTYPE html><script>fetch("http://data.example/").then(answer => answer.text()).catch(() => "not read")
                .then(text => parent.postMessage("the frame says: " + text, "*"));</script>""",
            ),
            "http://data.example/": ("text/plain", "secret"),
        }
    )
    rendered = await ChromiumRenderer(pages, pages, PROGRAM, 60).render(await pages.fetch(f"{SITE}/"))
    assert "the frame says: not read" in rendered
    assert pages.asked[1:] == ["http://other.example/", "http://data.example/"]


async def test_a_page_whose_scripts_never_end_is_given_up() -> None:
    pages = site(app="while (true) {}")
    page = replace(await pages.fetch(f"{SITE}/"), url=f"{SITE}/?signature=secret")
    with pytest.raises(WebError, match=r"^http://tea.example/: its scripts did not end within 6 seconds"):
        await ChromiumRenderer(pages, pages, PROGRAM, 6).render(page)


async def test_a_chromium_that_is_not_there_is_an_error_that_says_so() -> None:
    pages = site()
    with pytest.raises(WebError, match=r"http://tea.example/: Chromium failed: .*no-such-program"):
        await ChromiumRenderer(pages, pages, "/no-such-program").render(await pages.fetch(f"{SITE}/"))
