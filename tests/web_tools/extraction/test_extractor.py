"""The extractor over real processes: started when needed, used again, killed on time, memory and cancellation, and gone at the end."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.support.manual_time import LetPass, until
from web_tools.extraction.extractor import Extractor, PageRenderer
from web_tools.extraction.worker_pool import WorkerLimits, WorkerPool, open_worker_pool
from web_tools.pages import ExtractedPage, FetchedPage, Validators, WebError

URL = "https://example.org/tea"
# No error below tells the query.
SIGNED = f"{URL}?signature=secret"
HTML = "<title>Tea</title><h1>Tea</h1><p>Water at 80 degrees.</p>"
READ = ExtractedPage("Tea", "# Tea\n\nWater at 80 degrees.")
SKELETON = '<title>App</title><div id="root"></div><script src="/app.js"></script>'


def page(body: str = HTML, media_type: str = "text/html") -> FetchedPage:
    return FetchedPage(SIGNED, media_type, "utf-8", body.encode(), Validators())


@asynccontextmanager
async def opened(
    limits: WorkerLimits | None = None, renderer: PageRenderer | None = None
) -> AsyncIterator[tuple[Extractor, WorkerPool]]:
    # The environment is given so that what these processes run is covered.
    async with open_worker_pool(limits or WorkerLimits(), os.environ) as pool:
        yield Extractor(pool, renderer), pool


def process_ids(pool: WorkerPool) -> list[int]:
    return sorted(process.pid for process in pool._running)


def is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_process_is_started_by_the_first_page_used_by_the_next_and_gone_at_the_end() -> None:
    async with opened() as (extractor, pool):
        assert process_ids(pool) == []
        assert await extractor.extract(page()) == READ
        (first,) = process_ids(pool)
        assert await extractor.extract(page("# Tea", "text/markdown")) == ExtractedPage("Tea", "# Tea")
        assert process_ids(pool) == [first]
        assert is_alive(first)
    assert not is_alive(first)


async def test_pages_at_the_same_time_are_read_by_two_processes_and_no_more() -> None:
    async with opened() as (extractor, pool):
        found = await asyncio.gather(
            *(extractor.extract(page(f"<p>Tea number {number}.</p>")) for number in range(9))
        )
        assert [each.text for each in found] == [f"Tea number {number}." for number in range(9)]
        assert len(process_ids(pool)) == 2


async def test_what_comes_back_is_the_page_that_was_asked_for_however_large_it_is() -> None:
    async with opened() as (extractor, _):
        for size in (1, 100_000, 3_000_000):
            text = "ä" * size
            assert (await extractor.extract(page(text, "text/plain"))).text == text


async def test_an_error_names_the_url_the_kind_and_what_can_be_read() -> None:
    async with opened() as (extractor, pool):
        with pytest.raises(
            WebError, match=r"https://example.org/tea: it is image/png; expected HTML, XHTML, plain text"
        ):
            await extractor.extract(page("x", "image/png"))
        assert len(process_ids(pool)) == 1


async def test_a_process_that_does_not_answer_is_killed_on_its_deadline_and_the_next_page_is_read(
    let_pass: LetPass,
) -> None:
    async with opened() as (extractor, pool):
        await extractor.extract(page())
        (stopped,) = process_ids(pool)
        os.kill(stopped, signal.SIGSTOP)
        reading = asyncio.create_task(extractor.extract(page()))
        await until(lambda: not pool._idle, "the process to be taken")
        let_pass(WorkerLimits().seconds + 0.1)
        with pytest.raises(
            WebError, match=r"https://example.org/tea: no text was found in it within 10 seconds"
        ):
            await reading
        assert not is_alive(stopped)
        assert await extractor.extract(page()) == READ


async def test_a_process_whose_caller_no_longer_waits_is_killed() -> None:
    async with opened() as (extractor, pool):
        await extractor.extract(page())
        (stopped,) = process_ids(pool)
        os.kill(stopped, signal.SIGSTOP)
        reading = asyncio.create_task(extractor.extract(page()))
        await until(lambda: not pool._idle, "the process to be taken")
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        assert not is_alive(stopped)
        assert await extractor.extract(page()) == READ


async def test_a_process_that_was_ended_while_it_waited_is_replaced() -> None:
    async with opened() as (extractor, pool):
        await extractor.extract(page())
        (process,) = pool._running
        process.kill()
        await process.wait()
        assert await extractor.extract(page()) == READ
        assert process.pid not in process_ids(pool)


async def test_a_process_that_ends_over_a_page_is_an_error_of_that_page_alone() -> None:
    async with opened() as (extractor, pool):
        await extractor.extract(page())
        (process,) = pool._running
        os.kill(process.pid, signal.SIGSTOP)
        reading = asyncio.create_task(extractor.extract(page("a" * 3_000_000, "text/plain")))
        await until(lambda: not pool._idle, "the process to be taken")
        process.kill()
        with pytest.raises(
            WebError,
            match=r"https://example.org/tea: the process that reads pages ended over it \(status -9\)",
        ):
            await reading
        assert await extractor.extract(page()) == READ


async def test_a_page_that_takes_more_memory_than_there_is_is_an_error_of_that_page_alone() -> None:
    async with opened(WorkerLimits(memory_bytes=200 * 1024 * 1024)) as (extractor, _):
        with pytest.raises(
            WebError, match=r"https://example.org/tea: it takes more memory than the reading of a page may"
        ):
            await extractor.extract(page("a" * 100_000_000, "text/plain"))
        assert await extractor.extract(page()) == READ


async def test_the_event_loop_turns_while_a_page_is_read() -> None:
    async with opened() as (extractor, _):
        reading = asyncio.create_task(extractor.extract(page("<p>word of tea</p>" * 20_000)))
        turns = 0
        while not reading.done():
            await asyncio.sleep(0.001)
            turns += 1
        assert turns > 10
        assert (await reading).text.startswith("word of tea")


class Renders:
    """A stand-in for the browser."""

    def __init__(self, html: str | WebError) -> None:
        self._html = html
        self.asked: list[str] = []

    async def render(self, page: FetchedPage) -> str:
        self.asked.append(page.url)
        if isinstance(self._html, WebError):
            raise self._html
        return self._html


async def test_a_skeleton_is_rendered_and_then_read() -> None:
    renderer = Renders(HTML)
    async with opened(renderer=renderer) as (extractor, _):
        assert await extractor.extract(page(SKELETON)) == READ
        assert await extractor.extract(page()) == READ
    assert renderer.asked == [SIGNED]


async def test_without_rendering_a_skeleton_has_a_note_that_says_so() -> None:
    async with opened() as (extractor, _):
        found = await extractor.extract(page(SKELETON))
        assert found == ExtractedPage("App", "# App", "Scripts probably build this page, and were not run.")
        with pytest.raises(
            WebError, match=r"tea: it has no text. Scripts probably build this page, and were not run."
        ):
            await extractor.extract(page("<script>go()</script>"))


async def test_where_rendering_fails_there_is_what_the_page_says_without_it() -> None:
    async with opened(renderer=Renders(WebError(f"{URL}: Chromium failed"))) as (extractor, _):
        found = await extractor.extract(page(SKELETON))
        assert found.text == "# App"
        assert found.note == f"Scripts probably build this page, and could not be run: {URL}: Chromium failed"
