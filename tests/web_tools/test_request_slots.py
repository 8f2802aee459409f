"""Slots of requests: so many at once, given to callers in turn, and waited for no longer than a request may take."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from itertools import count

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.manual_time import LetPass, until
from web_tools.request_slots import Purpose, RequestSlots, SlotsTaken, requests_of

WAIT_MS = 20_000
PAGE, SEARCH, EMBEDDING = Purpose


@dataclass
class Requests:
    """Requests that hold their slots until they are told to end; notes in which order they got them."""

    slots: RequestSlots
    begun: list[str] = field(default_factory=list)
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    ends: dict[str, asyncio.Event] = field(default_factory=dict)

    async def ask(self, name: str, caller: str = "", purpose: Purpose = PAGE) -> asyncio.Task[None]:
        """Begin a request, which takes its place in the queue."""
        with requests_of(caller):
            task = self.tasks[name] = asyncio.create_task(self._hold(name, purpose))
        self.ends[name] = asyncio.Event()
        await turns()
        return task

    async def end(self, name: str) -> None:
        self.ends[name].set()
        await self.tasks[name]
        await turns()

    async def _hold(self, name: str, purpose: Purpose) -> None:
        async with self.slots.slot(purpose):
            self.begun.append(name)
            await self.ends[name].wait()


def slots_of(places: int) -> RequestSlots:
    """Return slots whose clock moves on by a second each time it is read."""
    return RequestSlots(places, WAIT_MS, partial(next, count()))


async def turns() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def ended(requests: Requests) -> None:
    for task in requests.tasks.values():
        task.cancel()
    await asyncio.gather(*requests.tasks.values(), return_exceptions=True)


async def test_no_more_requests_are_under_way_than_there_are_slots() -> None:
    requests = Requests(slots_of(2))
    for name in "abcd":
        await requests.ask(name)
    assert requests.begun == ["a", "b"]
    await requests.end("a")
    assert requests.begun == ["a", "b", "c"]
    await ended(requests)


async def test_a_wait_ends_with_an_error_that_names_the_settings_and_leaves_the_slots_to_others(
    let_only_this_pass: LetPass,
) -> None:
    requests = Requests(slots_of(1))
    await requests.ask("a")
    waiting = await requests.ask("b")
    let_only_this_pass(WAIT_MS / 1000 - 1)
    await turns()
    assert not waiting.done()
    let_only_this_pass(1.1)
    await until(waiting.done, "the end of the wait")
    with pytest.raises(SlotsTaken) as refused:
        await waiting
    assert str(refused.value) == (
        "no request could be sent within 20000 ms (REQUEST_TIMEOUT_MS), since as many are under way as CONCURRENCY allows (1): "
        "try later; whoever runs this service can raise CONCURRENCY"
    )
    await requests.ask("c")
    await requests.end("a")
    assert requests.begun == ["a", "c"]
    await ended(requests)


async def test_a_caller_with_many_requests_does_not_hold_up_another() -> None:
    requests = Requests(slots_of(1))
    for number in range(5):
        await requests.ask(f"many {number}", "key-a")
    await requests.ask("one", "key-b")
    await requests.end("many 0")
    assert requests.begun == ["many 0", "one"]
    await ended(requests)


async def test_pages_do_not_hold_up_searches_and_embeddings_of_the_same_caller() -> None:
    requests = Requests(slots_of(2))
    for number in range(5):
        await requests.ask(f"page {number}")
    await requests.ask("search", purpose=SEARCH)
    await requests.ask("embedding", purpose=EMBEDDING)
    await requests.end("page 0")
    await requests.end("page 1")
    assert sorted(requests.begun[2:]) == ["embedding", "search"]
    await ended(requests)


async def test_a_caller_with_requests_for_several_purposes_has_one_share() -> None:
    requests = Requests(slots_of(3))
    await requests.ask("a's page", "key-a")
    await requests.ask("a's search", "key-a", SEARCH)
    await requests.ask("b's page", "key-b")
    await requests.ask("a's embedding", "key-a", EMBEDDING)
    await requests.ask("b's other page", "key-b")
    await requests.end("b's page")
    assert requests.begun[3:] == ["b's other page"]
    await ended(requests)


async def order_of_a(before: list[Purpose], after: list[Purpose], slots_of_b: int) -> list[str]:
    """Return the order of A's requests, some of them asked for before B is given its slots, the others after it."""
    requests = Requests(slots_of(2))
    await requests.ask("a holds", "key-a")
    await requests.ask("b 0", "key-b")
    for number, purpose in enumerate(before):
        await requests.ask(f"a {number}", "key-a", purpose)
    for number in range(slots_of_b):
        await requests.ask(f"b {number + 1}", "key-b")
        await requests.end(f"b {number}")
    assert requests.begun == ["a holds", *(f"b {number}" for number in range(slots_of_b + 1))]
    for number, purpose in enumerate(after, len(before)):
        await requests.ask(f"a {number}", "key-a", purpose)
    for place in range(slots_of_b + 1, slots_of_b + 1 + len(before) + len(after)):
        await requests.end(requests.begun[place])
    await ended(requests)
    return requests.begun[slots_of_b + 2 :]


PURPOSES = st.lists(st.sampled_from(Purpose), max_size=5)


@settings(max_examples=50, deadline=None)
@given(PURPOSES, PURPOSES, st.integers(1, 8))
@example([PAGE] * 3, [SEARCH], 6)
async def test_slots_of_one_caller_do_not_change_the_order_of_anothers_requests(
    before: list[Purpose], after: list[Purpose], slots_of_b: int
) -> None:
    assert await order_of_a(before, after, slots_of_b) == await order_of_a(before, after, 0)


async def test_a_waiting_page_is_not_overtaken_by_one_search_after_another() -> None:
    requests = Requests(slots_of(1))
    await requests.ask("page 0")
    await requests.ask("page 1")
    ahead = "page 0"
    for number in range(5):
        await requests.ask(f"search {number}", purpose=SEARCH)
        await requests.end(ahead)
        ahead = requests.begun[-1]
    assert "page 1" in requests.begun
    await ended(requests)


async def test_a_request_that_fails_or_is_cancelled_gives_its_slot_back() -> None:
    slots = slots_of(1)
    with pytest.raises(ZeroDivisionError):
        async with slots.slot(PAGE):
            raise ZeroDivisionError
    requests = Requests(slots)
    (await requests.ask("a")).cancel()
    await turns()
    await requests.ask("b")
    assert requests.begun == ["a", "b"]
    await ended(requests)
