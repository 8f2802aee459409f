"""The request queue: never more than its places, no turn overtaken, no place lost, whatever is cancelled when."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.laws import examples
from tests.support.service import PATIENCE_S
from transport.request_queue import QueueFull, QueueFullForOwner, RequestQueue, Slot

Take = Callable[[], Awaitable[None]]


async def settle() -> None:
    """Let every task run until it waits: a wake-up takes a turn of the loop, and what that wakes another."""
    for _ in range(3):
        await asyncio.sleep(0)


async def taking(take: Take) -> asyncio.Task[None]:
    task = asyncio.ensure_future(take())
    await settle()
    assert isinstance(task, asyncio.Task)
    return task


async def gone(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def counts(queue: RequestQueue) -> tuple[int, int]:
    return queue.in_use, queue.waiting


async def test_a_free_place_is_taken_at_once() -> None:
    queue = RequestQueue(2, 0)
    await queue.enter()
    await queue.enter()
    assert counts(queue) == (2, 0)


async def test_with_every_place_taken_and_no_waiting_allowed_the_queue_is_full() -> None:
    queue = RequestQueue(1, 0)
    await queue.enter()
    with pytest.raises(QueueFull, match="1 are worked on and 0 wait"):
        await queue.enter()
    queue.leave()
    await queue.enter()
    assert counts(queue) == (1, 0)


async def test_a_request_beyond_the_queue_is_refused_at_once_and_the_others_keep_their_turn() -> None:
    queue = RequestQueue(1, 1)
    await queue.enter()
    first = await taking(queue.enter)
    with pytest.raises(QueueFull):
        await queue.enter()
    assert counts(queue) == (1, 1)
    queue.leave()
    await first
    assert counts(queue) == (1, 0)


async def test_a_place_that_falls_free_goes_to_the_first_in_the_queue_not_to_a_newcomer() -> None:
    queue = RequestQueue(1, 2)
    await queue.enter()
    first = await taking(queue.enter)
    queue.leave()
    late = asyncio.ensure_future(queue.enter())  # before the first has even woken
    await settle()
    assert (first.done(), late.done()) == (True, False)
    queue.leave()
    await late


async def test_a_cancelled_wait_leaves_the_queue_at_once() -> None:
    queue = RequestQueue(1, 1)
    await queue.enter()
    waiter = await taking(queue.enter)
    waiter.cancel()
    assert queue.waiting == 0
    successor = await taking(queue.enter)
    queue.leave()
    await successor
    assert waiter.cancelled()
    assert counts(queue) == (1, 0)


async def test_a_wait_cancelled_after_it_got_its_place_passes_it_on() -> None:
    queue = RequestQueue(1, 2)
    await queue.enter()
    lucky, next_one = await taking(queue.enter), await taking(queue.enter)
    queue.leave()
    await gone(lucky)  # it was given the place and has not run since
    assert lucky.cancelled()
    await next_one
    assert counts(queue) == (1, 0)


async def test_a_place_passed_on_by_the_last_is_free() -> None:
    queue = RequestQueue(1, 1)
    await queue.enter()
    waiter = await taking(queue.enter)
    queue.leave()
    await gone(waiter)
    assert counts(queue) == (0, 0)


async def test_a_place_skips_a_wait_that_was_cancelled_but_has_not_run_since() -> None:
    queue = RequestQueue(1, 2)
    await queue.enter()
    cancelled, waiter = await taking(queue.enter), await taking(queue.enter)
    cancelled.cancel()
    queue.leave()
    await waiter
    assert cancelled.cancelled()
    assert counts(queue) == (1, 0)


# --- How long one waits ----------------------------------------------------------------------------------------


class Waits:
    """A queue with one place, whose waits are written down, and its clock."""

    def __init__(self) -> None:
        self.now = 100.0
        self.seconds: list[float] = []
        self.queue = RequestQueue(1, 2, observe_wait=self.seconds.append, clock=lambda: self.now)


async def test_each_wait_is_told_when_it_is_over_and_a_free_place_is_none() -> None:
    waits = Waits()
    await waits.queue.enter()
    assert waits.seconds == [0]
    first = await taking(waits.queue.enter)
    waits.now += 2
    second = await taking(waits.queue.enter)
    waits.now += 5
    assert waits.seconds == [0]
    waits.queue.leave()
    await first
    assert waits.seconds == [0, 7]
    waits.now += 1
    waits.queue.leave()
    await second
    assert waits.seconds == [0, 7, 6]


async def test_a_request_that_leaves_the_queue_has_a_wait_a_refused_one_has_none() -> None:
    waits = Waits()
    await waits.queue.enter()
    leaving, lucky = await taking(waits.queue.enter), await taking(waits.queue.enter)
    with pytest.raises(QueueFull):
        await waits.queue.enter()
    waits.now += 3
    await gone(leaving)
    assert waits.seconds == [0, 3]
    waits.now += 1
    waits.queue.leave()
    await gone(lucky)  # with the place in hand
    assert waits.seconds == [0, 3, 4]
    assert counts(waits.queue) == (0, 0)


# --- One request's claim ---------------------------------------------------------------------------------------


async def test_a_place_is_taken_once_and_freed_once_however_often_one_asks() -> None:
    queue = RequestQueue(2, 0)
    slot = Slot(queue)
    slot.free()
    assert counts(queue) == (0, 0)
    await slot.take()
    await slot.take()
    assert counts(queue) == (1, 0)
    slot.free()
    slot.free()
    assert counts(queue) == (0, 0)
    await slot.take()
    assert counts(queue) == (1, 0)


async def test_two_tasks_that_take_one_slot_at_once_hold_one_place() -> None:
    queue = RequestQueue(1, 2)
    await queue.enter()
    slot = Slot(queue)
    both = [await taking(slot.take), await taking(slot.take)]
    queue.leave()
    await settle()
    assert both[0].done()
    slot.free()
    await asyncio.gather(*both)
    assert counts(queue) == (1, 0)
    slot.free()
    assert counts(queue) == (0, 0)


async def test_two_tasks_of_one_slot_given_places_in_one_turn_keep_one() -> None:
    queue = RequestQueue(2, 2)
    await queue.enter()
    await queue.enter()
    slot = Slot(queue)
    both = [await taking(slot.take), await taking(slot.take)]
    queue.leave()
    queue.leave()
    await asyncio.gather(*both)
    assert counts(queue) == (1, 0)


async def test_a_claim_that_is_refused_or_cancelled_holds_nothing() -> None:
    queue = RequestQueue(1, 1)
    holder, cancelled, refused = Slot(queue), Slot(queue), Slot(queue)
    await holder.take()
    waiting = await taking(cancelled.take)
    with pytest.raises(QueueFull):
        await refused.take()
    await gone(waiting)
    refused.free()
    cancelled.free()
    assert counts(queue) == (1, 0)


async def test_a_wait_ends_with_its_time_and_a_free_place_needs_none() -> None:
    queue = RequestQueue(1, 1)
    first, late = Slot(queue), Slot(queue)
    await first.take(0.0)
    with pytest.raises(TimeoutError):
        await late.take(0.01)
    assert counts(queue) == (1, 0)
    first.free()
    await late.take(-1.0)
    assert counts(queue) == (1, 0)


# --- Owners ----------------------------------------------------------------------------------------------------


async def taking_for(queue: RequestQueue, owner: str) -> asyncio.Task[None]:
    return await taking(lambda: queue.enter(owner))


async def test_a_place_goes_to_the_owner_that_holds_the_fewest_and_of_its_own_to_the_first() -> None:
    queue = RequestQueue(3, 9)
    for _ in range(3):
        await queue.enter("a")
    tasks = {name: await taking_for(queue, name[0]) for name in ("a1", "a2", "b1", "b2", "c1")}
    order: list[str] = []
    for _ in range(5):
        queue.leave("a" if len(order) < 3 else order[len(order) - 3][0])
        await settle()
        order += [name for name, task in tasks.items() if task.done() and name not in order]
    assert order == ["b1", "c1", "a1", "b2", "a2"]


async def test_an_owner_holds_no_more_than_its_share_while_places_are_free() -> None:
    queue = RequestQueue(4, 2, 2)
    await queue.enter("a")
    await queue.enter("a")
    third = await taking_for(queue, "a")
    assert counts(queue) == (2, 1)
    with pytest.raises(QueueFullForOwner, match="2 of one owner are worked on and 1 wait"):
        await asyncio.wait_for(queue.enter("a"), PATIENCE_S)
    await queue.enter("b")
    queue.leave("a")
    await settle()
    assert third.done()
    assert counts(queue) == (3, 0)


async def test_a_full_queue_is_full_for_owners_below_their_share_too() -> None:
    queue = RequestQueue(2, 1, 2)
    await queue.enter("a")
    await queue.enter("a")
    waiting = await taking_for(queue, "b")
    with pytest.raises(QueueFull):
        await queue.enter("c")
    await gone(waiting)


async def test_callers_that_cannot_be_told_apart_have_no_limit_of_their_own() -> None:
    queue = RequestQueue(2, 1, 1)
    await queue.enter()
    await queue.enter()
    waiting = await taking(queue.enter)
    with pytest.raises(QueueFull):
        await queue.enter()
    await gone(waiting)


OWNERS = ("", "a", "b", "c")


async def take_all(queue: RequestQueue, places: int, per_owner: int) -> None:
    """For one owner after the other, take as many places as it may hold, and give them back."""
    for owner in OWNERS:
        share = min(places, per_owner) if owner and per_owner else places
        for _ in range(share):
            await asyncio.wait_for(queue.enter(owner), PATIENCE_S)
        for _ in range(share):
            queue.leave(owner)


@examples(300)
@given(
    st.integers(1, 4),
    st.integers(0, 4),
    st.integers(0, 3),
    st.lists(st.tuples(st.sampled_from(("take", "free", "cancel")), st.integers(0, 9)), max_size=50),
)
def test_no_owner_exceeds_its_share_and_no_place_is_free_while_somebody_may_have_it(
    places: int, waiting: int, per_owner: int, steps: list[tuple[str, int]]
) -> None:
    async def play() -> None:
        queue = RequestQueue(places, waiting, per_owner)
        held: list[str] = []
        tasks: list[tuple[str, asyncio.Task[None]]] = []

        async def hold(owner: str) -> None:
            await queue.enter(owner)
            held.append(owner)

        def free(which: int) -> None:
            queue.leave(held.pop(which % len(held)))

        def check() -> None:
            still = [owner for owner, task in tasks if not task.done()]
            assert (len(held), len(still)) == counts(queue)
            assert len(held) <= places
            assert len(still) <= waiting
            over = {owner for owner in "abc" if per_owner and held.count(owner) >= per_owner}
            assert all(held.count(owner) == per_owner for owner in over)
            assert over.issuperset(still) or len(held) == places

        for what, which in steps:
            if what == "take":
                owner = OWNERS[which % len(OWNERS)]
                tasks.append((owner, asyncio.ensure_future(hold(owner))))
            elif what == "cancel" and tasks:
                tasks[which % len(tasks)][1].cancel()
            elif what == "free" and held:
                free(which)
            await settle()
            check()
        while held:
            free(0)
            await settle()
            check()
        assert counts(queue) == (0, 0)
        results = await asyncio.gather(*(task for _, task in tasks), return_exceptions=True)
        assert all(
            isinstance(each, QueueFull | QueueFullForOwner | asyncio.CancelledError | None)
            for each in results
        )
        await take_all(queue, places, per_owner)  # nothing is left of what they held

    asyncio.run(play())


# --- Whatever happens ------------------------------------------------------------------------------------------

STEPS = st.lists(
    st.one_of(
        st.just(("take", 0)),
        st.just(("turn", 0)),
        st.tuples(st.sampled_from(("cancel", "free")), st.integers(0, 6)),
    ),
    max_size=60,
)


class Model:
    """Plays the steps on a queue, and beside it keeps who should wait, in the plainest way."""

    def __init__(self, places: int, waiting: int) -> None:
        self.queue = RequestQueue(places, waiting)
        self.places, self.most_waiting = places, waiting
        self.tasks: list[asyncio.Task[None]] = []
        self.holders: list[Slot] = []
        self.refused = 0
        self.entered: list[int] = []
        """Who waited and got a place, in that order, by number of arrival."""
        self.at_once = 0

    def step(self, what: str, which: int) -> None:
        if what == "take":
            self.tasks.append(asyncio.ensure_future(self.hold(len(self.tasks), Slot(self.queue))))
        elif what == "cancel" and self.tasks:
            self.tasks[-1 - which % len(self.tasks)].cancel()
        elif what == "free" and self.holders:
            self.holders.pop(which % len(self.holders)).free()

    async def hold(self, number: int, slot: Slot) -> None:
        waits = self.queue.in_use == self.places
        full = waits and self.queue.waiting >= self.most_waiting
        assert waits or not self.queue.waiting  # an entry without a wait overtakes no other
        try:
            await slot.take()
        except QueueFull:
            assert full
            self.refused += 1
            return
        assert not full
        if waits:
            self.entered.append(number)
        else:
            self.at_once += 1
        self.holders.append(slot)

    def check(self) -> None:
        assert len(self.holders) <= self.queue.in_use <= self.places
        assert 0 <= self.queue.waiting <= self.most_waiting
        assert self.queue.in_use == self.places or not self.queue.waiting
        assert self.entered == sorted(self.entered)

    async def empty(self) -> None:
        """Free every place until none is held; each waiting task must get one."""
        await settle()
        self.check()
        while self.holders:
            self.holders.pop().free()
            await settle()
            self.check()


@examples(300)
@given(st.integers(1, 3), st.integers(0, 3), STEPS)
def test_no_interleaving_loses_a_place_or_overtakes(
    places: int, waiting: int, steps: list[tuple[str, int]]
) -> None:
    async def play() -> None:
        model = Model(places, waiting)
        for what, which in steps:
            if what == "turn":
                await asyncio.sleep(0)
            model.step(what, which)
            model.check()
        await model.empty()
        assert counts(model.queue) == (0, 0)
        assert all(task.done() for task in model.tasks)
        cancelled = sum(task.cancelled() for task in model.tasks)
        assert len(model.entered) + model.at_once + model.refused + cancelled == len(model.tasks)

    asyncio.run(play())
