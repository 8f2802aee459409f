"""CPU work on pages: callers take turns, and what a late call still needs is done all the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Any

from summarizing.offload import SHORT_CHARS, Offload
from tests.support.manual_time import until
from web_tools.request_slots import requests_of
from web_tools.text_work import TextWork


class Threads:
    """A Worker that begins nothing before it may, and notes what it has begun."""

    def __init__(self) -> None:
        self.may_begin = asyncio.Event()
        self.asked = 0

    async def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        self.asked += 1
        await self.may_begin.wait()
        return function(*arguments)


async def test_a_caller_does_not_wait_for_all_that_another_one_has_queued() -> None:
    threads, ticks, done = Threads(), count(), list[str]()
    work = TextWork(Offload(threads, clock=lambda: float(next(ticks))))

    async def call(caller: str, pieces: int) -> None:
        with requests_of(caller):
            await asyncio.gather(*(work(SHORT_CHARS + 1, done.append, caller) for _ in range(pieces)))

    async with asyncio.TaskGroup() as group:
        group.create_task(call("a", 4))
        await until(lambda: threads.asked == 1, "the first piece")
        group.create_task(call("b", 2))
        await asyncio.sleep(0)
        threads.may_begin.set()
    assert done[1] == "b"
    assert done[-2:] == ["a", "a"]


async def test_a_short_text_does_not_wait_for_a_long_one() -> None:
    threads, done = Threads(), list[str]()
    work = TextWork(Offload(threads))
    async with asyncio.TaskGroup() as group:
        group.create_task(work(SHORT_CHARS + 1, done.append, "long"))
        await until(lambda: threads.asked == 1, "the long text")
        group.create_task(work(SHORT_CHARS, done.append, "short"))
        await until(lambda: threads.asked == 2, "the short text")
        threads.may_begin.set()


async def test_what_a_late_call_needs_is_done_without_a_turn() -> None:
    threads = Threads()
    work = TextWork(Offload(threads))
    first = asyncio.create_task(work(1, len, "first"))
    await until(lambda: threads.asked == 1, "the first piece")
    late = asyncio.create_task(work.even_if_late(asyncio.get_running_loop().time(), 1, len, "a page"))
    await until(lambda: threads.asked == 2, "the work of the late call")
    threads.may_begin.set()
    assert [await first, await late] == [5, 6]
