"""The gate: never more than its places, nobody overtaken, no place lost, whatever is cancelled when."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.laws import examples
from tests.support.service import PATIENCE_S
from transport.request_queue import Full, Gate, Place, TooMany

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


def counts(gate: Gate) -> tuple[int, int]:
    return gate.taken, gate.waiting


async def test_a_free_place_is_taken_at_once() -> None:
    gate = Gate(2, 0)
    await gate.take()
    await gate.take()
    assert counts(gate) == (2, 0)


async def test_with_every_place_taken_and_nobody_allowed_to_wait_the_gate_is_full() -> None:
    gate = Gate(1, 0)
    await gate.take()
    with pytest.raises(Full, match="1 are worked on and 0 wait"):
        await gate.take()
    gate.release()
    await gate.take()
    assert counts(gate) == (1, 0)


async def test_who_comes_when_enough_wait_hears_so_at_once_and_the_others_keep_their_turn() -> None:
    gate = Gate(1, 1)
    await gate.take()
    first = await taking(gate.take)
    with pytest.raises(Full):
        await gate.take()
    assert counts(gate) == (1, 1)
    gate.release()
    await first
    assert counts(gate) == (1, 0)


async def test_a_place_that_falls_free_goes_to_the_first_and_not_to_who_comes_just_then() -> None:
    gate = Gate(1, 2)
    await gate.take()
    first = await taking(gate.take)
    gate.release()
    late = asyncio.ensure_future(gate.take())  # before the first has even woken
    await settle()
    assert (first.done(), late.done()) == (True, False)
    gate.release()
    await late


async def test_who_is_cancelled_while_waiting_leaves_the_queue_at_once() -> None:
    gate = Gate(1, 1)
    await gate.take()
    waiter = await taking(gate.take)
    waiter.cancel()
    assert gate.waiting == 0
    successor = await taking(gate.take)
    gate.release()
    await successor
    assert waiter.cancelled()
    assert counts(gate) == (1, 0)


async def test_who_is_cancelled_with_the_place_in_hand_passes_it_on() -> None:
    gate = Gate(1, 2)
    await gate.take()
    lucky, next_one = await taking(gate.take), await taking(gate.take)
    gate.release()
    await gone(lucky)  # it was given the place and has not run since
    assert lucky.cancelled()
    await next_one
    assert counts(gate) == (1, 0)


async def test_a_place_passed_on_by_the_last_is_free() -> None:
    gate = Gate(1, 1)
    await gate.take()
    waiter = await taking(gate.take)
    gate.release()
    await gone(waiter)
    assert counts(gate) == (0, 0)


async def test_a_release_skips_who_was_cancelled_and_does_not_know_yet() -> None:
    gate = Gate(1, 2)
    await gate.take()
    cancelled, waiter = await taking(gate.take), await taking(gate.take)
    cancelled.cancel()
    gate.release()
    await waiter
    assert cancelled.cancelled()
    assert counts(gate) == (1, 0)


# --- How long one waits ----------------------------------------------------------------------------------------


class Waits:
    """A gate with one place, whose waits are written down, and its clock."""

    def __init__(self) -> None:
        self.now = 100.0
        self.seconds: list[float] = []
        self.gate = Gate(1, 2, waited=self.seconds.append, clock=lambda: self.now)


async def test_each_wait_is_told_when_it_is_over_and_a_free_place_is_none() -> None:
    waits = Waits()
    await waits.gate.take()
    assert waits.seconds == [0]
    first = await taking(waits.gate.take)
    waits.now += 2
    second = await taking(waits.gate.take)
    waits.now += 5
    assert waits.seconds == [0]
    waits.gate.release()
    await first
    assert waits.seconds == [0, 7]
    waits.now += 1
    waits.gate.release()
    await second
    assert waits.seconds == [0, 7, 6]


async def test_who_leaves_the_queue_has_waited_too_and_who_is_turned_away_has_not() -> None:
    waits = Waits()
    await waits.gate.take()
    leaving, lucky = await taking(waits.gate.take), await taking(waits.gate.take)
    with pytest.raises(Full):
        await waits.gate.take()
    waits.now += 3
    await gone(leaving)
    assert waits.seconds == [0, 3]
    waits.now += 1
    waits.gate.release()
    await gone(lucky)  # with the place in hand
    assert waits.seconds == [0, 3, 4]
    assert counts(waits.gate) == (0, 0)


# --- One request's claim ---------------------------------------------------------------------------------------


async def test_a_place_is_taken_once_and_freed_once_however_often_one_asks() -> None:
    gate = Gate(2, 0)
    place = Place(gate)
    place.free()
    assert counts(gate) == (0, 0)
    await place.take()
    await place.take()
    assert counts(gate) == (1, 0)
    place.free()
    place.free()
    assert counts(gate) == (0, 0)
    await place.take()
    assert counts(gate) == (1, 0)


async def test_two_who_take_the_same_place_at_once_hold_one() -> None:
    gate = Gate(1, 2)
    await gate.take()
    place = Place(gate)
    both = [await taking(place.take), await taking(place.take)]
    gate.release()
    await settle()
    assert both[0].done()
    place.free()
    await asyncio.gather(*both)
    assert counts(gate) == (1, 0)
    place.free()
    assert counts(gate) == (0, 0)


async def test_two_who_are_given_the_same_place_in_one_turn_keep_one() -> None:
    gate = Gate(2, 2)
    await gate.take()
    await gate.take()
    place = Place(gate)
    both = [await taking(place.take), await taking(place.take)]
    gate.release()
    gate.release()
    await asyncio.gather(*both)
    assert counts(gate) == (1, 0)


async def test_a_claim_that_is_refused_or_cancelled_holds_nothing() -> None:
    gate = Gate(1, 1)
    holder, cancelled, refused = Place(gate), Place(gate), Place(gate)
    await holder.take()
    waiting = await taking(cancelled.take)
    with pytest.raises(Full):
        await refused.take()
    await gone(waiting)
    refused.free()
    cancelled.free()
    assert counts(gate) == (1, 0)


# --- Owners ----------------------------------------------------------------------------------------------------


async def taking_for(gate: Gate, owner: str) -> asyncio.Task[None]:
    return await taking(lambda: gate.take(owner))


async def test_a_place_goes_to_the_owner_that_holds_the_fewest_and_of_its_own_to_the_first() -> None:
    gate = Gate(3, 9)
    for _ in range(3):
        await gate.take("a")
    tasks = {name: await taking_for(gate, name[0]) for name in ("a1", "a2", "b1", "b2", "c1")}
    order: list[str] = []
    for _ in range(5):
        gate.release("a" if len(order) < 3 else order[len(order) - 3][0])
        await settle()
        order += [name for name, task in tasks.items() if task.done() and name not in order]
    assert order == ["b1", "c1", "a1", "b2", "a2"]


async def test_an_owner_holds_no_more_than_its_share_while_places_are_free() -> None:
    gate = Gate(4, 2, 2)
    await gate.take("a")
    await gate.take("a")
    third = await taking_for(gate, "a")
    assert counts(gate) == (2, 1)
    with pytest.raises(TooMany, match="2 of one owner are worked on and 1 wait"):
        await asyncio.wait_for(gate.take("a"), PATIENCE_S)
    await gate.take("b")
    gate.release("a")
    await settle()
    assert third.done()
    assert counts(gate) == (3, 0)


async def test_a_full_gate_is_full_for_who_has_not_had_its_share() -> None:
    gate = Gate(2, 1, 2)
    await gate.take("a")
    await gate.take("a")
    waiting = await taking_for(gate, "b")
    with pytest.raises(Full):
        await gate.take("c")
    await gone(waiting)


async def test_whoever_cannot_be_told_apart_has_no_share() -> None:
    gate = Gate(2, 1, 1)
    await gate.take()
    await gate.take()
    waiting = await taking(gate.take)
    with pytest.raises(Full):
        await gate.take()
    await gone(waiting)


OWNERS = ("", "a", "b", "c")


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
        gate = Gate(places, waiting, per_owner)
        held: list[str] = []
        tasks: list[tuple[str, asyncio.Task[None]]] = []

        async def hold(owner: str) -> None:
            await gate.take(owner)
            held.append(owner)

        def free(which: int) -> None:
            gate.release(held.pop(which % len(held)))

        def check() -> None:
            still = [owner for owner, task in tasks if not task.done()]
            assert (len(held), len(still)) == counts(gate)
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
        assert counts(gate) == (0, 0)
        results = await asyncio.gather(*(task for _, task in tasks), return_exceptions=True)
        assert all(isinstance(each, Full | TooMany | asyncio.CancelledError | None) for each in results)
        assert gate._held == {}

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
    """Plays the steps on a gate, and beside it keeps who should wait, in the plainest way."""

    def __init__(self, places: int, waiting: int) -> None:
        self.gate = Gate(places, waiting)
        self.places, self.most_waiting = places, waiting
        self.tasks: list[asyncio.Task[None]] = []
        self.holders: list[Place] = []
        self.refused = 0
        self.entered: list[int] = []
        """Who waited and got a place, in that order, by number of arrival."""
        self.at_once = 0

    def step(self, what: str, which: int) -> None:
        if what == "take":
            self.tasks.append(asyncio.ensure_future(self.hold(len(self.tasks), Place(self.gate))))
        elif what == "cancel" and self.tasks:
            self.tasks[-1 - which % len(self.tasks)].cancel()
        elif what == "free" and self.holders:
            self.holders.pop(which % len(self.holders)).free()

    async def hold(self, number: int, place: Place) -> None:
        waits = self.gate.taken == self.places
        full = waits and self.gate.waiting >= self.most_waiting
        assert waits or not self.gate.waiting  # who need not wait overtakes nobody
        try:
            await place.take()
        except Full:
            assert full
            self.refused += 1
            return
        assert not full
        if waits:
            self.entered.append(number)
        else:
            self.at_once += 1
        self.holders.append(place)

    def check(self) -> None:
        assert len(self.holders) <= self.gate.taken <= self.places
        assert 0 <= self.gate.waiting <= self.most_waiting
        assert self.gate.taken == self.places or not self.gate.waiting
        assert self.entered == sorted(self.entered)

    async def empty(self) -> None:
        """Free every place until nobody is left; whoever waits must get one."""
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
        assert counts(model.gate) == (0, 0)
        assert all(task.done() for task in model.tasks)
        cancelled = sum(task.cancelled() for task in model.tasks)
        assert len(model.entered) + model.at_once + model.refused + cancelled == len(model.tasks)

    asyncio.run(play())
