"""CPU work off the event loop: short texts never wait for long ones, owners share, and nobody waits beyond their time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.offload import SHORT_CHARS, JobThreads, Offload, OutOfTime
from tests.support.manual_time import LetPass

LONG = SHORT_CHARS + 1
SECONDS = 60.0


class Threads:
    """A worker whose work ends when the test says so; remembers in which order it began."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self._running: dict[str, asyncio.Future[str]] = {}

    def __call__(self, function: Callable[..., Any], name: str) -> Awaitable[Any]:
        self.begun.append(name)
        self._running[name] = asyncio.get_running_loop().create_future()
        return self._running[name]

    @property
    def running(self) -> list[str]:
        return [name for name, work in self._running.items() if not work.done()]

    def end(self, name: str) -> None:
        self._running[name].set_result(name)


class Service:
    """An Offload, and the calls that were made of it."""

    def __init__(self) -> None:
        self.threads = Threads()
        self.offload = Offload(self.threads, clock=lambda: 0.0)

    async def call(
        self, name: str, chars: int, owner: str = "", until: float | None = None
    ) -> "asyncio.Task[str]":
        """Begin a call, and let it come as far as it can."""
        task = asyncio.create_task(self.offload.threads_for(owner, chars, until).run(str, name))
        await settled()
        return task

    async def end(self, name: str) -> None:
        self.threads.end(name)
        await settled()


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_short_text_does_not_wait_for_a_long_one() -> None:
    service = Service()
    for number in range(3):
        await service.call(f"long {number}", LONG)
    await service.call("short", SHORT_CHARS)
    assert service.threads.running == ["long 0", "short"]


async def test_of_one_owner_the_text_that_is_finished_first_goes_first() -> None:
    service = Service()
    for name, chars in (("first", LONG), ("huge", 100 * LONG), ("large", 10 * LONG), ("small", LONG)):
        await service.call(name, chars)
    for name in ("first", "small", "large", "huge"):
        await service.end(name)
    assert service.threads.begun == ["first", "small", "large", "huge"]


async def test_a_long_text_that_came_long_ago_goes_before_a_shorter_one() -> None:
    service = Service()
    now = 0.0
    service.offload = Offload(service.threads, clock=lambda: now)
    await service.call("first", LONG)
    await service.call("huge", 10_000_000)
    now = 1_000.0
    await service.call("small", LONG)
    await service.end("first")
    assert service.threads.running == ["huge"]


async def test_an_owner_with_many_texts_waits_for_itself() -> None:
    """Each piece of work takes a second: the other owner's text is next, though it came last and is the longest."""
    service = Service()
    clock = iter(range(100))
    service.offload = Offload(service.threads, clock=lambda: float(next(clock)))
    for number in range(3):
        await service.call(f"flood {number}", LONG, owner="flood")
    await service.call("other", 100 * LONG, owner="other")
    for name in ("flood 0", "other", "flood 1", "flood 2"):
        await service.end(name)
    assert service.threads.begun == ["flood 0", "other", "flood 1", "flood 2"]


async def test_a_job_goes_on_with_its_next_slice_before_a_like_one_begins() -> None:
    service = Service()
    threads = [service.offload.threads_for("", LONG + number) for number in range(2)]

    async def job(name: str, own: JobThreads) -> list[str]:
        return [await own.run(str, f"{name} {number}") for number in range(3)]

    jobs = [
        asyncio.create_task(job(name, own)) for name, own in zip(("first", "second"), threads, strict=True)
    ]
    await settled()
    order = [f"{name} {number}" for name in ("first", "second") for number in range(3)]
    for name in order:
        await service.end(name)
    assert service.threads.begun == order
    assert await asyncio.gather(*jobs) == [order[:3], order[3:]]


async def test_at_the_end_of_its_time_a_call_that_waits_leaves_and_one_that_runs_keeps_its_place(
    let_pass: LetPass,
) -> None:
    service = Service()
    end = asyncio.get_running_loop().time() + SECONDS
    await service.call("first", LONG)
    waits = await service.call("waits", LONG, until=end)
    let_pass(SECONDS)
    with pytest.raises(OutOfTime):
        await waits
    await service.end("first")
    runs = await service.call("runs", LONG)
    late = service.offload.threads_for("", LONG, end)
    with pytest.raises(OutOfTime):
        await late.run(str, "late")
    runs.cancel()
    await settled()
    await service.call("next", LONG)
    assert service.threads.running == ["runs"]
    await service.end("runs")
    assert service.threads.running == ["next"]
    assert service.threads.begun == ["first", "runs", "next"]


async def test_work_whose_time_is_over_never_begins() -> None:
    service = Service()
    late = await service.call("late", LONG, until=asyncio.get_running_loop().time())
    with pytest.raises(OutOfTime):
        await late
    assert service.threads.begun == []
    await service.call("next", LONG)
    assert service.threads.running == ["next"]


async def test_what_work_raises_is_raised_and_the_place_is_free_again() -> None:
    async def fails(function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    offload = Offload(fails)
    with pytest.raises(ValueError, match="invalid literal"):
        await offload.threads_for("", LONG).run(int, "x")
    assert await offload.threads_for("", LONG).run(int, "7") == 7


async def test_a_pool_that_is_shut_down_leaves_the_place_free() -> None:
    def shut_down(function: Callable[..., Any], *arguments: Any) -> Awaitable[Any]:
        raise RuntimeError("cannot schedule new futures after shutdown")

    offload = Offload(shut_down)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="shutdown"):
            await offload.threads_for("", LONG).run(int, "7")


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.integers(0, 10 * LONG), st.booleans()), min_size=1, max_size=12
    )
)
async def test_all_that_is_not_cancelled_is_done_and_one_at_a_time(
    calls: list[tuple[str, int, bool]],
) -> None:
    service = Service()
    most = 0
    tasks = [await service.call(str(number), chars, owner) for number, (owner, chars, _) in enumerate(calls)]
    for task, (_, _, cancelled) in zip(tasks, calls, strict=True):
        if cancelled:
            task.cancel()
    await settled()
    while running := service.threads.running:
        most = max(most, len(running))
        await service.end(running[0])
    done = [task for task in tasks if not task.cancelled()]
    assert most <= 2
    assert len(done) == sum(not cancelled for _, _, cancelled in calls)
    assert [task.result() for task in done] == [
        str(number) for number, (_, _, cancelled) in enumerate(calls) if not cancelled
    ]
