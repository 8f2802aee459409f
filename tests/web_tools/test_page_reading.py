"""The way of one call: stored or fetched, embedded, ranked, and what becomes of it when a part fails."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from concurrency.worker_threads import open_worker
from summarizing.offload import Offload
from tests.support.embedding_server import EmbeddingStandIn, word_vector
from tests.support.manual_time import LetPass, until
from web_tools import ranking, semantic_search
from web_tools.embeddings import Embeddings, EmbeddingServer
from web_tools.page_reading import WITHOUT_SERVER, PageReading
from web_tools.page_store.threaded_pages import ThreadedPages, open_page_store
from web_tools.pages import (
    ExtractedPage,
    FetchedPage,
    NotAllowed,
    PageAnswer,
    PagePassage,
    PageProtected,
    Validators,
    WebError,
)
from web_tools.passages import CutPart
from web_tools.request_slots import RequestSlots
from web_tools.text_work import TextWork

URL = "http://site.test/guide"
GUIDE = """The server listens on port 8007.

Connections time out after thirty seconds.

Bread is baked in an oven."""


@dataclass
class Site:
    """A site in memory: a PageFetcher and PageExtractor for plain text, with a log of what was asked for."""

    pages: dict[str, str] = field(default_factory=lambda: {URL: GUIDE})
    fails_with: WebError | None = None
    has_validators: bool = True
    age_seconds: float = 0.0
    log: list[str] = field(default_factory=list)
    extracted: int = 0
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.gate.set()

    async def fetch(
        self, url: str, validators: Validators | None = None, *, anew: bool = False
    ) -> FetchedPage:
        tag = validators.etag if validators else ""
        self.log.append(" ".join(filter(None, (url, tag, "anew" if anew else ""))))
        await self.gate.wait()
        if self.fails_with:
            raise self.fails_with
        if url not in self.pages:
            raise WebError(f"{url}: HTTP 404")
        body = self.pages[url].encode("utf-8", "surrogatepass")
        mark = sha256(body).hexdigest()[:4] if self.has_validators else ""
        if mark and mark == tag:
            return FetchedPage(
                url,
                "text/plain",
                "utf-8",
                b"",
                Validators(),
                not_modified=True,
                age_seconds=self.age_seconds,
            )
        return FetchedPage(url, "text/plain", "utf-8", body, Validators(mark), age_seconds=self.age_seconds)

    async def extract(self, page: FetchedPage) -> ExtractedPage:
        self.extracted += 1
        text = page.body.decode("utf-8", "surrogatepass")
        if not text:
            raise WebError(f"{page.url}: no text")
        return ExtractedPage("The guide", text, "cut short" if "cut" in text else "")


def cut(url: str, text: str) -> Iterator[CutPart]:
    """Yield a passage for each paragraph, and at most 1,000 of them."""
    end = 0
    for each in text.split("\n\n")[:1_000]:
        end = min(len(text), end + len(each) + 2)
        digest = sha256(f"{url}||{each}".encode()).hexdigest()
        yield CutPart([PagePassage(digest, each, (), len(each.split()))], end)


@dataclass
class Calendar:
    """A clock that is moved by hand."""

    now: datetime = datetime(2026, 11, 24, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


@dataclass
class Rig:
    """A PageReading, and the parts around it."""

    reading: PageReading
    site: Site
    calendar: Calendar
    store: ThreadedPages

    async def read(self, *queries: str, url: str = URL, **more: Any) -> PageAnswer:
        return await self.reading.read(url, queries or ("which port",), **more)


@asynccontextmanager
async def a_rig(
    place: Path,
    server: EmbeddingStandIn | None = None,
    site: Site | None = None,
    *,
    max_bytes: int = 1 << 30,
    calendar: Calendar | None = None,
    **more: Any,
) -> AsyncIterator[Rig]:
    site, calendar = site or Site(), calendar or Calendar()
    async with (
        httpx.AsyncClient() as http,
        open_worker(threads=1) as worker,
        open_page_store(place, max_bytes, "words-32" if server else "") as store,
    ):
        work = TextWork(Offload(worker))
        embedder = None
        if server:
            of = EmbeddingServer(server.url, "words-32", timeout_ms=20_000)
            embedder = Embeddings(http, of, RequestSlots(2, 20_000), work, sleep=no_wait)
        reading = PageReading(site, site, store, embedder, cut=cut, work=work, clock=calendar, **more)
        yield Rig(reading, site, calendar, store)


async def no_wait(seconds: float) -> None:
    """Wait for nothing."""


def texts(answer: PageAnswer, number: int = 0) -> list[str]:
    return [each.passage.text for each in answer.queries[number].results]


PORT, TIME, BREAD = GUIDE.split("\n\n")


# --- Without an embedding server -------------------------------------------------------------------------------


async def test_without_an_embedding_server_passages_are_ranked_by_words_and_the_note_says_so(
    tmp_path: Path,
) -> None:
    async with a_rig(tmp_path) as rig:
        answer = await rig.read("which port", "how is bread baked", "zebra")
    assert (answer.url, answer.title, answer.text) == (URL, "The guide", GUIDE)
    assert answer.last_crawled == rig.calendar.now
    assert [each.query for each in answer.queries] == ["which port", "how is bread baked", "zebra"]
    assert [texts(answer, number) for number in range(3)] == [[PORT], [BREAD], []]
    assert answer.note == WITHOUT_SERVER


async def test_at_most_the_wanted_number_of_passages_is_returned(tmp_path: Path) -> None:
    site = Site({URL: "\n\n".join(f"apples {number}" for number in range(60))})
    async with a_rig(tmp_path, site=site) as rig:
        assert len(texts(await rig.read("apples"))) == 8
        assert len(texts(await rig.read("apples", max_results=50))) == 50


async def test_a_fragment_is_the_same_page(tmp_path: Path) -> None:
    async with a_rig(tmp_path) as rig:
        answer = await rig.read(url=URL + "#start")
        await rig.read()
    assert answer.url == URL
    assert rig.site.log == [URL]


@pytest.mark.parametrize("url", ["", "ftp://site.test/", "http://ann:secret@site.test/"])
async def test_a_url_that_is_none_of_a_page_is_refused(tmp_path: Path, url: str) -> None:
    async with a_rig(tmp_path) as rig:
        with pytest.raises(WebError) as caught:
            await rig.read(url=url)
        assert rig.store.size.pages == 0
    assert rig.site.log == []
    assert "secret" not in str(caught.value)


async def test_a_note_of_the_extraction_is_told_each_time(tmp_path: Path) -> None:
    async with a_rig(tmp_path, site=Site({URL: "cut"})) as rig:
        for _ in range(2):
            assert (await rig.read()).note == f"cut short; {WITHOUT_SERVER}"


async def test_a_page_that_was_read_with_a_note_is_sent_and_read_as_a_whole_again(tmp_path: Path) -> None:
    async with a_rig(tmp_path, site=Site({URL: "cut"})) as rig:
        for _ in range(2):
            await rig.read(force_refresh=True)
            rig.calendar.move(seconds=30)
    assert rig.site.log == [f"{URL} anew"] * 2
    assert rig.site.extracted == 2


async def test_a_page_with_too_many_passages_is_searched_in_part_and_says_so_each_time(
    tmp_path: Path,
) -> None:
    text = "\n\n".join(f"apples {number:04}" for number in range(1_200))
    calendar = Calendar()
    note = "only the first 13,000 of its 15,598 characters are searched: they make 1,000 passages, the most of a page"
    async with a_rig(tmp_path, site=Site({URL: text}), calendar=calendar) as rig:
        answer = await rig.read("apples")
        assert answer.note == f"{note}; {WITHOUT_SERVER}"
        assert answer.text == text
        assert answer.content_hash == sha256(text.encode()).hexdigest()
    async with a_rig(tmp_path, calendar=calendar) as rig:
        assert await rig.read("apples") == answer


async def test_text_that_is_not_unicode_is_read_all_the_same(tmp_path: Path) -> None:
    async with a_rig(tmp_path, site=Site({URL: "apples \ud800 pears"})) as rig:
        assert texts(await rig.read("pears")) == ["apples \ufffd pears"]
        assert rig.store.size.pages == 1


# --- Stored pages ----------------------------------------------------------------------------------------------


async def test_a_fresh_page_is_answered_from_the_store_also_after_a_restart(tmp_path: Path) -> None:
    calendar = Calendar()
    async with a_rig(tmp_path, calendar=calendar) as rig:
        first = await rig.read()
        calendar.move(hours=23)
        assert await rig.read() == first
    async with a_rig(tmp_path, calendar=calendar) as rig:
        assert await rig.read() == first
        assert rig.site.log == []
    assert first.last_crawled == calendar.now - timedelta(hours=23)


async def test_the_next_query_reads_nothing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []
    read = ranking.PassageIndex._read

    def noted(index: ranking.PassageIndex, passages: Sequence[PagePassage]) -> Any:
        parsed.append(len(passages))
        return read(index, passages)

    monkeypatch.setattr(ranking.PassageIndex, "_read", noted)
    async with a_rig(tmp_path) as rig:
        for query in ("port", "bread", "seconds"):
            await rig.read(query)
    assert parsed == [3]
    assert rig.site.extracted == 1


async def test_a_page_no_longer_fresh_is_asked_for_with_its_validators(tmp_path: Path) -> None:
    async with a_rig(tmp_path) as rig:
        await rig.read()
        rig.calendar.move(days=1, seconds=1)
        answer = await rig.read()
        assert rig.site.extracted == 1
        assert rig.site.log == [URL, f"{URL} {sha256(GUIDE.encode()).hexdigest()[:4]}"]
        assert answer.last_crawled == rig.calendar.now
        assert texts(answer) == [PORT]
        stored = await rig.store.page(URL)
        assert stored
        assert stored.last_crawled == rig.calendar.now
        assert stored.validators.etag  # those of the first answer: a 304 may leave them out


async def test_a_forced_refresh_asks_however_fresh_the_page_is(tmp_path: Path) -> None:
    async with a_rig(tmp_path) as rig:
        await rig.read()
        rig.calendar.move(seconds=30)
        rig.site.pages[URL] = GUIDE.replace("8007", "9000")
        assert texts(await rig.read()) == [PORT]
        answer = await rig.read(force_refresh=True)
        assert texts(answer) == ["The server listens on port 9000."]
        assert answer.last_crawled == rig.calendar.now
        assert await rig.read() == answer
        assert [each.endswith("anew") for each in rig.site.log] == [False, True]


@pytest.mark.parametrize("has_changed", [False, True])
async def test_the_time_told_is_that_at_which_the_server_answered(tmp_path: Path, has_changed: bool) -> None:
    async with a_rig(tmp_path) as rig:
        await rig.read()
        rig.calendar.move(days=2)
        rig.site.age_seconds = 7.0
        if has_changed:
            rig.site.pages[URL] = GUIDE.replace("8007", "9000")
        answer = await rig.read()
        assert answer.last_crawled == rig.calendar.now - timedelta(seconds=7)


async def test_a_page_that_may_no_longer_be_read_is_not_answered_from_its_copy(tmp_path: Path) -> None:
    async with a_rig(tmp_path) as rig:
        await rig.read()
        rig.calendar.move(days=2)
        rig.site.fails_with = NotAllowed("its address is not a public one")
        with pytest.raises(NotAllowed, match="not a public one"):
            await rig.read()


async def test_callers_of_one_page_at_once_share_one_fetch(tmp_path: Path) -> None:
    async with a_rig(tmp_path) as rig:
        rig.site.gate.clear()
        calls = [asyncio.create_task(rig.read(force_refresh=forced)) for forced in (False, True, True)]
        await until(lambda: bool(rig.site.log), "the first fetch")
        rig.site.gate.set()
        first, *others = await asyncio.gather(*calls)
    assert others == [first, first]
    assert rig.site.log == [URL]


async def test_another_page_does_not_wait(tmp_path: Path) -> None:
    async with a_rig(tmp_path) as rig:
        await rig.read()
        rig.site.gate.clear()
        slow = asyncio.create_task(rig.read(url="http://site.test/slow"))
        await until(lambda: len(rig.site.log) == 2, "the second fetch")
        assert texts(await rig.read()) == [PORT]
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow


@pytest.mark.parametrize(
    "failure, told",
    [
        (WebError("no answer within REQUEST_TIMEOUT_MS"), "no answer within REQUEST_TIMEOUT_MS"),
        (PageProtected("HTTP 403: content protected"), "HTTP 403: content protected"),
    ],
)
async def test_a_page_that_cannot_be_fetched_anew_is_answered_from_its_copy_with_a_note(
    tmp_path: Path, failure: WebError, told: str
) -> None:
    async with a_rig(tmp_path) as rig:
        first = await rig.read()
        rig.calendar.move(days=2)
        rig.site.fails_with = failure
        answer = await rig.read()
    assert texts(answer) == [PORT]
    assert answer.last_crawled == first.last_crawled
    assert answer.note.startswith(f"not fetched anew, so this is the copy of 2026-11-24 12:00 UTC: {told}")


async def test_a_forced_refresh_that_fails_is_an_error(tmp_path: Path) -> None:
    async with a_rig(tmp_path) as rig:
        await rig.read()
        rig.calendar.move(seconds=30)
        rig.site.fails_with = WebError("gone")
        with pytest.raises(WebError, match="gone"):
            await rig.read(force_refresh=True)
        rig.site.fails_with = PageProtected("HTTP 401: content protected")
        answer = await rig.read("port", "bread", force_refresh=True)
    assert answer.note == "HTTP 401: content protected"
    assert [each.results for each in answer.queries] == [(), ()]
    assert answer.text == ""


async def test_a_page_without_text_is_an_error_and_is_not_stored(tmp_path: Path) -> None:
    async with a_rig(tmp_path, site=Site({URL: ""})) as rig:
        with pytest.raises(WebError, match="no text"):
            await rig.read()
        assert rig.store.size.pages == 0


async def test_a_page_too_large_for_the_store_is_answered_all_the_same(tmp_path: Path) -> None:
    async with a_rig(tmp_path, max_bytes=100) as rig:
        for _ in range(2):
            assert texts(await rig.read()) == [PORT]
        assert rig.store.size.pages == 0
    assert rig.site.log == [URL]


async def test_a_store_that_fails_costs_a_fetch_and_no_answer(tmp_path: Path) -> None:
    async with a_rig(tmp_path) as rig:
        rig.store._pages._sql.execute("DROP TABLE texts")
        answer = await rig.read()
    assert texts(answer) == [PORT]
    assert answer.note == WITHOUT_SERVER


# --- The deadline of a call ------------------------------------------------------------------------------------


async def late(
    rig: Rig, let_only_this_pass: LetPass, reached: Callable[[], bool], query: str = "port"
) -> PageAnswer:
    """Return what a call gives whose deadline passes once it has reached a step."""
    call = asyncio.create_task(rig.read(query, until=asyncio.get_running_loop().time() + 10))
    await until(reached, "the step at which the call is late")
    let_only_this_pass(10.1)
    return await call


async def test_a_page_that_is_not_fetched_by_the_deadline_is_an_error(
    tmp_path: Path, let_only_this_pass: LetPass
) -> None:
    async with a_rig(tmp_path) as rig:
        rig.site.gate.clear()
        with pytest.raises(WebError) as refused:
            await late(rig, let_only_this_pass, lambda: bool(rig.site.log))
    assert str(refused.value) == (
        f"{URL}: the time for the call was over (SUMMARIZE_DEADLINE_SECONDS): try again, or read another page"
    )


async def test_a_page_that_is_not_fetched_anew_by_the_deadline_is_answered_from_its_copy(
    tmp_path: Path, let_only_this_pass: LetPass
) -> None:
    async with a_rig(tmp_path) as rig:
        await rig.read()
        rig.calendar.move(days=2)
        rig.site.gate.clear()
        answer = await late(rig, let_only_this_pass, lambda: len(rig.site.log) == 2)
    assert texts(answer) == [PORT]
    assert answer.note.startswith(
        "not fetched anew, so this is the copy of 2026-11-24 12:00 UTC: the time for the call was over"
    )


async def test_a_page_that_is_not_cut_by_the_deadline_is_an_error(
    tmp_path: Path, let_only_this_pass: LetPass
) -> None:
    done = threading.Event()
    async with a_rig(tmp_path) as rig:
        other = asyncio.create_task(rig.reading._work(1, done.wait))
        try:
            with pytest.raises(WebError, match="the time for the call was over"):
                await late(rig, let_only_this_pass, lambda: rig.site.extracted == 1)
        finally:
            done.set()
            await other


async def test_a_call_that_waits_for_another_one_of_its_page_keeps_its_own_deadline(
    tmp_path: Path, let_only_this_pass: LetPass
) -> None:
    async with a_rig(tmp_path) as rig:
        rig.site.gate.clear()
        first = asyncio.create_task(rig.read())
        await until(lambda: bool(rig.site.log), "the first call")
        with pytest.raises(WebError, match="the time for the call was over"):
            await late(rig, let_only_this_pass, lambda: True)
        rig.site.gate.set()
        assert texts(await first) == [PORT]


async def test_what_is_not_embedded_by_the_deadline_is_ranked_by_words(
    tmp_path: Path, let_only_this_pass: LetPass
) -> None:
    async with EmbeddingStandIn(is_silent=True) as server, a_rig(tmp_path, server) as rig:
        answer = await late(rig, let_only_this_pass, lambda: server.in_flight == 1)
        assert texts(answer) == [PORT]
        assert (
            answer.note
            == "ranked by words alone: the time for the call was over (SUMMARIZE_DEADLINE_SECONDS)"
        )
        server.is_silent = False
        await rig.read("port")
        server.is_silent = True
        answer = await late(rig, let_only_this_pass, lambda: server.in_flight == 1, "bread")
        assert texts(answer) == [BREAD]


# --- With an embedding server ----------------------------------------------------------------------------------


async def test_with_an_embedding_server_both_rankings_are_fused(tmp_path: Path) -> None:
    async with EmbeddingStandIn() as server, a_rig(tmp_path, server) as rig:
        answer = await rig.read("the port of the server")
    assert texts(answer)[0] == PORT
    assert len(texts(answer)) == 3  # by meaning each is near or far
    assert answer.queries[0].results[0].score == 1.0
    assert answer.note == ""
    assert server.texts == [PORT, TIME, BREAD, "the port of the server"]


async def test_what_words_miss_is_found_by_meaning(tmp_path: Path) -> None:
    def meaning(text: str) -> list[float]:
        return word_vector(text.replace("loaf", "bread").replace("stove", "oven"))

    async with EmbeddingStandIn(vector_of=meaning) as server, a_rig(tmp_path, server) as rig:
        assert texts(await rig.read("loaf stove"))[0] == BREAD


async def test_with_a_threshold_only_what_is_similar_enough_is_returned_with_its_similarity(
    tmp_path: Path,
) -> None:
    async with EmbeddingStandIn() as server, a_rig(tmp_path, server, similarity_threshold=0.72) as rig:
        answer = await rig.read(PORT, "bread port seconds")
    assert texts(answer) == [PORT]
    assert answer.queries[0].results[0].score == pytest.approx(1.0)
    assert texts(answer, 1) == []


async def test_only_changed_passages_are_embedded_anew(tmp_path: Path) -> None:
    async with EmbeddingStandIn() as server, a_rig(tmp_path, server) as rig:
        await rig.read("port")
        rig.calendar.move(seconds=30)
        rig.site.pages[URL] = GUIDE.replace("thirty", "forty") + "\n\nMore."
        await rig.read("port", force_refresh=True)
        assert server.texts == [PORT, TIME, BREAD, "port", TIME.replace("thirty", "forty"), "More."]
        for has_validators in (True, False):  # 304, and 200 with the same text
            rig.site.has_validators = has_validators
            rig.calendar.move(seconds=30)
            await rig.read("port", force_refresh=True)
    assert len(server.texts) == 6
    assert rig.site.extracted == 3


async def test_the_same_query_for_several_pages_is_embedded_once(tmp_path: Path) -> None:
    site = Site({URL: GUIDE, "http://site.test/other": "Another page about a port."})
    async with EmbeddingStandIn() as server, a_rig(tmp_path, server, site) as rig:
        await rig.read("port")
        answer = await rig.read("port", "bread", "port", url="http://site.test/other")
    assert server.texts == [PORT, TIME, BREAD, "port", "Another page about a port.", "bread"]
    assert answer.queries[0].results == answer.queries[2].results


async def test_of_known_queries_the_oldest_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(semantic_search, "MAX_KEPT_QUERIES", 2)
    async with EmbeddingStandIn() as server, a_rig(tmp_path, server) as rig:
        await rig.read("a", "b", "c", "d")
        await rig.read("d", "a")
    assert server.texts[3:] == ["a", "b", "c", "d", "a"]


async def test_a_blank_query_finds_nothing_and_is_not_embedded(tmp_path: Path) -> None:
    async with EmbeddingStandIn() as server, a_rig(tmp_path, server) as rig:
        answer = await rig.read("  ", "bread")
    assert texts(answer) == []
    assert texts(answer, 1)[0] == BREAD
    assert server.texts == [PORT, TIME, BREAD, "bread"]


async def test_passages_that_say_the_same_are_returned_once(tmp_path: Path) -> None:
    page = "Apples grow on old trees in autumn.\n\napples grow on old trees in autumn\n\nPears do too."
    async with EmbeddingStandIn() as server, a_rig(tmp_path, server, Site({URL: page})) as rig:
        assert texts(await rig.read("apples")) == page.split("\n\n")[::2]


async def test_passages_are_embedded_under_the_titles_that_they_do_not_have_themselves() -> None:
    passage = PagePassage("", "Retries\n\nThree at most.", ("Guide", "Retries"), 5)
    assert semantic_search.text_to_embed(passage) == "Guide\nRetries\n\nThree at most."


async def test_while_the_embedding_server_is_down_words_rank_and_its_return_mends_all(
    tmp_path: Path,
) -> None:
    async with EmbeddingStandIn([503, 503, 429]) as server, a_rig(tmp_path, server) as rig:
        answer = await rig.read("port")
        assert texts(answer) == [PORT]
        assert answer.note == "ranked by words alone: the embedding server answered 503: no vectors for"
        assert "answered 429" in (await rig.read("port")).note
        assert server.texts == []
        answer = await rig.read("port")
        assert server.texts == [PORT, TIME, BREAD, "port"]
    assert answer.note == ""
    assert len(texts(answer)) == 3
    assert rig.site.log == [URL]


async def test_a_server_that_fails_for_the_query_alone_leaves_the_words(tmp_path: Path) -> None:
    async with EmbeddingStandIn() as server, a_rig(tmp_path, server) as rig:
        await rig.read("port")
        server.statuses += [429]
        answer = await rig.read("bread")
    assert texts(answer) == [BREAD]
    assert answer.note.startswith("ranked by words alone: the embedding server answered 429")


async def test_the_pages_of_a_time_without_a_server_are_embedded_when_there_is_one(tmp_path: Path) -> None:
    calendar = Calendar()
    async with a_rig(tmp_path, calendar=calendar) as rig:
        await rig.read()
    async with EmbeddingStandIn() as server, a_rig(tmp_path, server, calendar=calendar) as rig:
        answer = await rig.read("port")
        assert rig.site.log == []
    assert server.texts == [PORT, TIME, BREAD, "port"]
    assert answer.note == ""


async def test_a_large_page_is_embedded_over_several_calls(tmp_path: Path) -> None:
    calendar = Calendar()

    def slow(text: str) -> list[float]:
        calendar.move(seconds=0.1)
        return word_vector(text)

    site = Site({URL: "\n\n".join(f"apples and pears {number}" for number in range(300))})
    async with (
        EmbeddingStandIn(vector_of=slow) as server,
        a_rig(tmp_path, server, site, calendar=calendar) as rig,
    ):
        notes = [(await rig.read("pears")).note for _ in range(3)]
    assert notes == [
        "ranked by words alone: 192 of 300 passages of this large page have their vectors so far, and the next call goes on",
        "",
        "",
    ]
    assert len(server.texts) == 301


async def test_an_embedding_that_is_cancelled_keeps_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site({URL: "\n\n".join(f"apples {number}" for number in range(100))})
    async with EmbeddingStandIn() as server, a_rig(tmp_path, server, site) as rig:
        add = rig.store.add_vectors

        async def then_silent(*arguments: Any) -> None:
            await add(*arguments)
            server.is_silent = len(server.payloads) < 3

        monkeypatch.setattr(rig.store, "add_vectors", then_silent)
        call = asyncio.create_task(rig.read("apples"))
        await until(lambda: len(server.payloads) == 3, "the third batch")
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        server.is_silent = False
        await rig.read("apples")
    assert len(server.texts) == 101


async def test_a_page_that_made_room_is_stored_and_embedded_again(tmp_path: Path) -> None:
    other = "http://site.test/other"
    site = Site({URL: GUIDE, other: "x" * 1_500})
    async with EmbeddingStandIn() as server, a_rig(tmp_path, server, site, max_bytes=4_000) as rig:
        await rig.read("port")
        await rig.read("port", url=other)
        assert not await rig.store.touch(URL)
        answer = await rig.read("port")
    assert answer.note == ""
    assert texts(answer)[0] == PORT
    assert len(texts(answer)) == 3
    assert site.log == [URL, other]


async def test_a_page_too_large_for_the_store_says_why_it_is_ranked_by_words(tmp_path: Path) -> None:
    async with EmbeddingStandIn() as server, a_rig(tmp_path, server, max_bytes=100) as rig:
        answer = await rig.read("port")
    assert texts(answer) == [PORT]
    assert answer.note.startswith("ranked by words alone: the page takes ")
    assert server.texts == []


@pytest.mark.parametrize("call", ["nearest", "near_duplicates"])
async def test_a_store_that_fails_while_it_searches_costs_no_answer(
    tmp_path: Path, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with EmbeddingStandIn() as server, a_rig(tmp_path, server) as rig:
        await rig.read("port")

        def fails(*_: Any) -> Any:
            raise OSError(5, "Input/output error")

        monkeypatch.setattr(rig.store._pages, call, fails)
        answer = await rig.read("port")
    assert texts(answer)[0] == PORT
    assert ("Input/output error" in answer.note) == (call == "nearest")


async def test_a_passage_that_is_gone_meanwhile_is_not_returned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with EmbeddingStandIn() as server, a_rig(tmp_path, server) as rig:
        nearest: Callable[..., Any] = rig.store.nearest

        async def with_another(*arguments: Any) -> Any:
            return [("of another version", 1.0), *await nearest(*arguments)]

        monkeypatch.setattr(rig.store, "nearest", with_another)
        assert len(texts(await rig.read("port"))) == 3
