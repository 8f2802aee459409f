"""Callers of one page share a fetch, and those who come shortly after its outcome."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

import pytest

from tests.support.manual_time import LetPass, until
from tests.support.web_site import WebSite, fails, hangs, in_turn, says, says_if_changed
from tests.web_tools.fetching.fetching import LIMITS, fetching
from web_tools.fetching.shared_fetches import MAX_KEPT_BYTES, SharedFetches
from web_tools.pages import FetchedPage, PageProtected, Validators, WebError
from web_tools.request_slots import Purpose, RequestSlots, SlotsTaken, requests_of

URL = "http://example.com/"
KEEP_SECONDS = 10.0


@dataclass
class Fetches:
    """Answers each fetch when and with what the test says."""

    asked: list[tuple[str, Validators | None]] = field(default_factory=list)
    answers: list[asyncio.Future[FetchedPage]] = field(default_factory=list)
    cancelled: int = 0

    async def __call__(self, url: str, validators: Validators | None) -> FetchedPage:
        self.asked.append((url, validators))
        answer: asyncio.Future[FetchedPage] = asyncio.get_running_loop().create_future()
        self.answers.append(answer)
        try:
            return await answer
        except asyncio.CancelledError:
            self.cancelled += 1
            raise

    async def was_asked(self, times: int) -> None:
        await until(lambda: len(self.asked) >= times, f"{times} fetches")


def page(
    body: bytes = b"hello", validators: Validators | None = None, *, not_modified: bool = False
) -> FetchedPage:
    return FetchedPage(URL, "text/html", "", body, validators or Validators(), not_modified)


async def a_turn() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_two_callers_at_once_share_one_request_to_the_site() -> None:
    async with WebSite({"/": says("hello")}) as site, fetching(keep_seconds=KEEP_SECONDS) as fetcher:
        both = await asyncio.gather(fetcher.fetch(site.url()), fetcher.fetch(site.url("/#part")))
        assert [each.body for each in both] == [b"hello", b"hello"]
        assert len(site.asked) == 1


async def test_a_page_is_not_asked_for_again_at_once_but_later(let_only_this_pass: LetPass) -> None:
    async with WebSite({"/": says("hello")}) as site, fetching(keep_seconds=KEEP_SECONDS) as fetcher:
        for _ in range(5):
            assert (await fetcher.fetch(site.url())).body == b"hello"
        assert len(site.asked) == 1
        let_only_this_pass(KEEP_SECONDS + 1)
        await a_turn()
        await fetcher.fetch(site.url())
        assert len(site.asked) == 2


async def test_whoever_wants_the_page_anew_gets_none_that_is_kept_and_others_are_told_its_age(
    let_only_this_pass: LetPass,
) -> None:
    async with (
        WebSite({"/": in_turn(says("old"), says("new"))}) as site,
        fetching(keep_seconds=KEEP_SECONDS) as fetcher,
    ):
        first = await fetcher.fetch(site.url())
        let_only_this_pass(KEEP_SECONDS / 2)
        kept = await fetcher.fetch(site.url())
        assert (kept.body, first.age_seconds < 1, kept.age_seconds >= KEEP_SECONDS / 2) == (
            b"old",
            True,
            True,
        )
        assert (await fetcher.fetch(site.url(), anew=True)).body == b"new"
        assert (await fetcher.fetch(site.url())).body == b"new"
        assert len(site.asked) == 2


async def test_another_page_is_another_fetch() -> None:
    async with (
        WebSite({"/?a": says("a"), "/?b": says("b")}) as site,
        fetching(keep_seconds=KEEP_SECONDS) as fetcher,
    ):
        bodies = [(await fetcher.fetch(site.url(path))).body for path in ("/?a", "/?b", "/?a")]
        assert (bodies, site.paths) == ([b"a", b"b", b"a"], ["/?a", "/?b"])


async def test_an_error_serves_those_who_ask_again_at_once_too(let_only_this_pass: LetPass) -> None:
    async with (
        WebSite({"/": in_turn(fails(403), says("open now"))}) as site,
        fetching(keep_seconds=KEEP_SECONDS) as fetcher,
    ):
        for _ in range(3):
            with pytest.raises(PageProtected):
                await fetcher.fetch(site.url())
        assert len(site.asked) == 1
        let_only_this_pass(KEEP_SECONDS + 1)
        await a_turn()
        assert (await fetcher.fetch(site.url())).body == b"open now"


async def test_whoever_has_the_page_that_was_just_fetched_is_told_so_without_a_request() -> None:
    async with (
        WebSite({"/": says_if_changed("new", etag='"2"')}) as site,
        fetching(keep_seconds=KEEP_SECONDS) as fetcher,
    ):
        fetched = await fetcher.fetch(site.url(), Validators('"1"'))
        again = await fetcher.fetch(site.url(), fetched.validators)
        assert (again.not_modified, again.body, again.validators) == (True, b"", Validators('"2"'))
        assert len(site.asked) == 1


async def test_not_modified_is_no_answer_for_whoever_does_not_have_the_page() -> None:
    async with (
        WebSite({"/": says_if_changed("old", etag='"1"')}) as site,
        fetching(keep_seconds=KEEP_SECONDS) as fetcher,
    ):
        assert (await fetcher.fetch(site.url(), Validators('"1"'))).not_modified
        assert (await fetcher.fetch(site.url(), Validators('"1"'))).not_modified
        assert len(site.asked) == 1
        assert (await fetcher.fetch(site.url())).body == b"old"
        assert len(site.asked) == 2


async def test_whoever_joins_a_fetch_that_finds_no_change_has_the_page_fetched() -> None:
    fetches = Fetches()
    async with SharedFetches(fetches, KEEP_SECONDS) as shared:
        has_it = asyncio.create_task(shared.fetch(URL, Validators('"1"')))
        has_it_not = asyncio.create_task(shared.fetch(URL))
        await fetches.was_asked(1)
        fetches.answers[0].set_result(page(b"", Validators('"1"'), not_modified=True))
        assert (await has_it).not_modified
        await fetches.was_asked(2)
        fetches.answers[1].set_result(page())
        assert (await has_it_not).body == b"hello"
        assert fetches.asked == [(URL, Validators('"1"')), (URL, None)]


async def test_whoever_is_told_first_of_a_fetch_that_does_not_help_begins_another() -> None:
    fetches = Fetches()
    has_it = Validators('"1"')
    async with SharedFetches(fetches, KEEP_SECONDS) as shared:
        wanted = (has_it, None, has_it)
        first, has_it_not, last = (asyncio.create_task(shared.fetch(URL, each)) for each in wanted)
        await fetches.was_asked(1)
        first.cancel()
        await a_turn()
        fetches.answers[0].set_result(page(b"", has_it, not_modified=True))
        await fetches.was_asked(2)
        fetches.answers[1].set_result(page())
        assert (await has_it_not).body == b"hello"
        assert (await last).not_modified


async def test_a_caller_who_leaves_does_not_take_the_page_from_the_others() -> None:
    fetches = Fetches()
    async with SharedFetches(fetches, KEEP_SECONDS) as shared:
        first, second = (asyncio.create_task(shared.fetch(URL)) for _ in range(2))
        await fetches.was_asked(1)
        first.cancel()
        await a_turn()
        fetches.answers[0].set_result(page())
        assert (await second).body == b"hello"
        assert first.cancelled()
        assert len(fetches.asked) == 1


async def test_a_fetch_ends_with_the_last_who_waits_for_it_and_the_next_begins_anew() -> None:
    fetches = Fetches()
    async with SharedFetches(fetches, KEEP_SECONDS) as shared:
        callers = [asyncio.create_task(shared.fetch(URL)) for _ in range(2)]
        await fetches.was_asked(1)
        for caller in callers:
            caller.cancel()
        # It comes before the fetch has noticed.
        late = asyncio.create_task(shared.fetch(URL))
        await fetches.was_asked(2)
        fetches.answers[1].set_result(page())
        assert (await late).body == b"hello"
        assert fetches.cancelled == 1


async def test_an_error_that_callers_share_is_each_ones_own() -> None:
    fetches = Fetches()
    async with SharedFetches(fetches, KEEP_SECONDS) as shared:
        callers = [asyncio.create_task(shared.fetch(URL)) for _ in range(2)]
        await fetches.was_asked(1)
        fetches.answers[0].set_exception(WebError("gone"))
        assert [str(each) for each in await asyncio.gather(*callers, return_exceptions=True)] == [
            "gone",
            "gone",
        ]


async def test_a_fetch_that_found_no_slot_fails_for_all_who_share_it_and_is_not_kept() -> None:
    fetches = Fetches()
    async with SharedFetches(fetches, KEEP_SECONDS) as shared:
        callers = [asyncio.create_task(shared.fetch(URL)) for _ in range(2)]
        await fetches.was_asked(1)
        fetches.answers[0].set_exception(SlotsTaken("too many"))
        ended = await asyncio.gather(*callers, return_exceptions=True)
        assert [str(each) for each in ended] == ["too many", "too many"]
        again = asyncio.create_task(shared.fetch(URL))
        await fetches.was_asked(2)
        fetches.answers[1].set_result(page())
        assert (await again).body == b"hello"


async def test_a_fault_of_ours_is_raised_and_not_kept() -> None:
    fetches = Fetches()
    async with SharedFetches(fetches, KEEP_SECONDS) as shared:
        for times in (1, 2):
            caller = asyncio.create_task(shared.fetch(URL))
            await fetches.was_asked(times)
            fetches.answers[-1].set_exception(ZeroDivisionError())
            with pytest.raises(ZeroDivisionError):
                await caller


async def test_the_oldest_pages_go_where_many_large_ones_are_kept() -> None:
    asked: list[str] = []
    body = bytes(MAX_KEPT_BYTES // 3)

    async def fetch(url: str, validators: Validators | None) -> FetchedPage:
        asked.append(url[-1])
        return page(body)

    async with SharedFetches(fetch, KEEP_SECONDS) as shared:
        for name in "1234421":
            await shared.fetch(f"http://example.com/{name}")
    assert "".join(asked) == "12341"


async def test_no_more_fetches_run_at_once_than_there_are_slots() -> None:
    pages = {f"/{number}": hangs() for number in range(5)}
    async with WebSite(pages) as site, fetching(slots=RequestSlots(2, LIMITS.timeout_ms)) as fetcher:
        callers = [asyncio.create_task(fetcher.fetch(site.url(path))) for path in pages]
        await site.was_asked(2)
        await a_turn()
        assert len(site.asked) == 2
        callers[0].cancel()
        await site.was_asked(3)
        for caller in callers:
            caller.cancel()
        await asyncio.gather(*callers, return_exceptions=True)


async def test_behind_a_site_that_does_not_answer_no_fetch_waits_longer_than_one_may_take(
    let_only_this_pass: LetPass,
) -> None:
    pages = {f"/{number}": hangs() for number in range(5)}
    async with WebSite(pages) as site, fetching(slots=RequestSlots(2, LIMITS.timeout_ms)) as fetcher:
        callers = [asyncio.create_task(fetcher.fetch(site.url(path))) for path in pages]
        await site.was_asked(2)
        let_only_this_pass(LIMITS.timeout_ms / 1000 + 0.1)
        ended = await asyncio.gather(*callers, return_exceptions=True)
        assert [type(each) for each in ended] == [WebError] * 2 + [SlotsTaken] * 3
        assert len(site.asked) == 2


@pytest.mark.parametrize("first_leaves", [True, False])
async def test_a_shared_fetch_takes_the_place_of_the_caller_whose_turn_comes_first(
    first_leaves: bool,
) -> None:
    pages = {"/held": hangs(), "/1": hangs(), "/shared": says("hello")}
    async with WebSite(pages) as site, fetching(slots=RequestSlots(1, LIMITS.timeout_ms)) as fetcher:
        with requests_of("key-a"):
            held, *others = [asyncio.create_task(fetcher.fetch(site.url(path))) for path in pages]
        await site.was_asked(1)
        with requests_of("key-b"):
            joined = asyncio.create_task(fetcher.fetch(site.url("/shared")))
        await a_turn()
        if first_leaves:
            others[-1].cancel()
        held.cancel()
        await site.was_asked(2)
        assert [asked.path for asked in site.asked] == ["/held", "/shared"]
        assert (await joined).body == b"hello"
        await site.was_asked(3)
        for caller in others:
            caller.cancel()
        await asyncio.gather(held, *others, return_exceptions=True)


@asynccontextmanager
async def two_waiting_callers(
    fetches: Fetches, let_only_this_pass: LetPass
) -> AsyncIterator[tuple[asyncio.Event, list[asyncio.Task[FetchedPage]]]]:
    """Give an event that frees the only slot, and two callers of one page: the first has waited as long as it may, the second half of that."""
    slots, free = RequestSlots(1, LIMITS.timeout_ms), asyncio.Event()

    async def hold() -> None:
        async with slots.slot(Purpose.PAGE):
            await free.wait()

    holder = asyncio.create_task(hold())
    await a_turn()
    async with SharedFetches(fetches, KEEP_SECONDS, partial(slots.slot, Purpose.PAGE)) as shared:
        callers = []
        for caller in ("key-a", "key-b"):
            with requests_of(caller):
                callers.append(asyncio.create_task(shared.fetch(URL)))
            await a_turn()
            let_only_this_pass(LIMITS.timeout_ms / 2_000 + 0.1)
            await a_turn()
        yield free, callers
    free.set()
    await asyncio.gather(holder, *callers, return_exceptions=True)


async def test_a_caller_waits_for_a_slot_no_longer_than_a_request_may_and_leaves_the_fetch_to_the_other(
    let_only_this_pass: LetPass,
) -> None:
    fetches = Fetches()
    async with two_waiting_callers(fetches, let_only_this_pass) as (free, callers):
        await until(callers[0].done, "the end of the first wait")
        assert isinstance(callers[0].exception(), SlotsTaken)
        assert not callers[1].done()
        free.set()
        await fetches.was_asked(1)
        fetches.answers[0].set_result(page())
        assert (await callers[1]).body == b"hello"


async def test_each_caller_of_a_page_has_its_own_wait_for_a_slot(let_only_this_pass: LetPass) -> None:
    async with two_waiting_callers(Fetches(), let_only_this_pass) as (_, callers):
        let_only_this_pass(LIMITS.timeout_ms / 2_000)
        await until(lambda: all(each.done() for each in callers), "the end of both waits")
        ended = await asyncio.gather(*callers, return_exceptions=True)
        assert [type(each) for each in ended] == [SlotsTaken, SlotsTaken]


async def test_a_caller_who_comes_again_after_its_wait_waits_anew(let_only_this_pass: LetPass) -> None:
    slots, free, fetches = RequestSlots(1, LIMITS.timeout_ms), asyncio.Event(), Fetches()

    async def hold() -> None:
        async with slots.slot(Purpose.PAGE):
            await free.wait()

    holder = asyncio.create_task(hold())
    await a_turn()
    async with SharedFetches(fetches, KEEP_SECONDS, partial(slots.slot, Purpose.PAGE)) as shared:
        first = asyncio.create_task(shared.fetch(URL))
        await a_turn()
        let_only_this_pass(LIMITS.timeout_ms / 1_000 + 0.1)
        with pytest.raises(SlotsTaken):
            await first
        again = asyncio.create_task(shared.fetch(URL))
        await a_turn()
        free.set()
        await fetches.was_asked(1)
        fetches.answers[0].set_result(page())
        assert (await again).body == b"hello"
    await holder


async def test_a_fetch_that_is_cancelled_from_inside_leaves_no_caller_waiting() -> None:
    fetches = Fetches()
    async with SharedFetches(fetches, KEEP_SECONDS) as shared:
        callers = [asyncio.create_task(shared.fetch(URL)) for _ in range(2)]
        await fetches.was_asked(1)
        fetches.answers[0].cancel()
        await until(lambda: all(each.done() for each in callers), "the end of both calls")
        assert [each.cancelled() for each in callers] == [True, True]


async def test_closing_ends_what_is_under_way() -> None:
    fetches = Fetches()
    async with SharedFetches(fetches, KEEP_SECONDS) as shared:
        caller = asyncio.create_task(shared.fetch(URL))
        await fetches.was_asked(1)
    assert fetches.cancelled == 1
    with pytest.raises(asyncio.CancelledError):
        await caller
