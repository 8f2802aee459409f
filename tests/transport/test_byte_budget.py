"""The budget of bytes: never over its limit, nothing lost, and room left for whoever holds nothing."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transport.byte_budget import BudgetFull, BudgetFullForOwner, ByteBudget, Reservation

LIMIT, LARGEST = 100, 25

owners = st.sampled_from(["", "ann", "ben"])
steps = st.lists(st.tuples(owners, st.integers(1, LARGEST), st.booleans()), max_size=40)


@given(steps)
def test_no_more_is_held_than_the_limit_and_what_is_released_is_free_again(
    taken: list[tuple[str, int, bool]],
) -> None:
    budget = ByteBudget(LIMIT, LARGEST)
    held: list[tuple[Reservation, int]] = []
    for owner, size, ends_one in taken:
        if ends_one and held:
            held.pop(0)[0].release()
        reservation = Reservation(budget, owner)
        try:
            reservation.grow_to(size)
            held.append((reservation, size))
        except BudgetFull:
            reservation.release()
        assert budget.used == sum(size for _, size in held) <= LIMIT
    for reservation, _ in held:
        reservation.release()
    assert budget.used == 0


@given(st.lists(st.integers(1, LARGEST), max_size=40))
def test_however_much_one_owner_sends_another_finds_room_for_the_largest(sizes: list[int]) -> None:
    budget = ByteBudget(LIMIT, LARGEST)
    for size in sizes:
        try:
            Reservation(budget, "ann").grow_to(size)
        except BudgetFull:
            break
    held = budget.used
    Reservation(budget, "ben").grow_to(LARGEST)
    assert budget.used == held + LARGEST <= LIMIT


@given(st.lists(st.integers(1, LARGEST), max_size=40), st.integers(1, LARGEST))
def test_however_much_one_owner_sends_meanwhile_that_of_another_may_grow_to_the_largest(
    sizes: list[int], begun: int
) -> None:
    budget = ByteBudget(LIMIT, LARGEST)
    growing = Reservation(budget, "ben")
    growing.grow_to(begun)
    for size in sizes:
        with suppress(BudgetFull):
            Reservation(budget, "ann").grow_to(size)
    growing.grow_to(LARGEST)
    assert budget.used <= LIMIT


@given(st.integers(0, LIMIT), st.integers(1, 2 * LIMIT))
def test_what_there_is_room_for_is_what_can_be_reserved(held: int, wanted: int) -> None:
    budget = ByteBudget(LIMIT)
    Reservation(budget).grow_to(held)
    reservation = Reservation(budget)
    if wanted <= LIMIT - held:
        reservation.check_room_to_grow(wanted)
        assert budget.used == held
        reservation.grow_to(wanted)
    else:
        for refused in (reservation.check_room_to_grow, reservation.grow_to):
            with pytest.raises(BudgetFull):
                refused(wanted)
        assert budget.used == held


def test_an_owner_that_holds_nothing_may_take_the_last_room_and_no_more_after() -> None:
    budget = ByteBudget(2 * LARGEST, LARGEST)
    Reservation(budget, "ann").grow_to(LARGEST)
    with pytest.raises(BudgetFullForOwner):
        Reservation(budget, "ann").grow_to(1)
    Reservation(budget, "ben").grow_to(LARGEST)
    with pytest.raises(BudgetFull) as full:
        Reservation(budget, "carl").grow_to(1)
    assert not isinstance(full.value, BudgetFullForOwner)


def test_where_owners_cannot_be_told_apart_nothing_is_kept_free() -> None:
    budget = ByteBudget(2 * LARGEST, LARGEST)
    for _ in range(2):
        Reservation(budget).grow_to(LARGEST)
    assert budget.used == 2 * LARGEST


def test_a_reservation_grows_and_never_shrinks_but_when_it_is_told_its_size() -> None:
    budget = ByteBudget(LIMIT)
    reservation = Reservation(budget)
    reservation.grow_to(10)
    reservation.grow_to(4)
    assert budget.used == 10
    reservation.set_size(4)
    assert budget.used == 4


def test_what_is_in_memory_already_is_counted_over_the_limit_too() -> None:
    budget = ByteBudget(LIMIT)
    reservation = Reservation(budget)
    reservation.set_size(LIMIT + 1)
    assert budget.used == LIMIT + 1
    with pytest.raises(BudgetFull):
        Reservation(budget).grow_to(1)


async def test_bytes_are_held_until_the_last_work_on_them_is_over() -> None:
    budget = ByteBudget(LIMIT)
    reservation = Reservation(budget)
    reservation.grow_to(10)
    go_on = asyncio.Event()
    work = asyncio.create_task(go_on.wait())
    reservation.keep_until_done(work)
    reservation.release()
    assert budget.used == 10
    go_on.set()
    await work
    await asyncio.sleep(0)
    assert budget.used == 0
