"""Listeners: each hears its own sessions, in their order, and one that does not read is cut off."""

from __future__ import annotations

import asyncio

import pytest

from gateway.timeline.listeners import MAX_LISTENERS, MAX_WAITING, Listeners, News, TooManyListeners


def news(number: int) -> News:
    return News("timeline_event.created", {"number": number}, number)


async def test_a_listener_hears_its_session_and_one_for_all_those_of_its_owner() -> None:
    listeners = Listeners()
    one, everything, stranger = (
        listeners.open("ann", "a"),
        listeners.open("ann", None),
        listeners.open("bob", None),
    )
    listeners.tell("ann", "a", news(1))
    listeners.tell("ann", "b", news(2))
    assert await one.get(1) == news(1)
    assert [await everything.get(1), await everything.get(1)] == [news(1), news(2)]
    for silent in (one, stranger):
        with pytest.raises(TimeoutError):
            await silent.get(0)


async def test_a_listener_that_does_not_read_is_cut_off_and_holds_nothing() -> None:
    listeners = Listeners()
    slow, quick = listeners.open("ann", None), listeners.open("ann", None)
    for number in range(MAX_WAITING + 1):
        listeners.tell("ann", "a", news(number))
        assert await quick.get(1) == news(number)
    assert await slow.get(1) is None
    listeners.tell("ann", "a", news(9))
    assert await slow.get(1) is None


async def test_there_are_not_too_many_and_who_leaves_makes_room() -> None:
    listeners = Listeners()
    all_of_them = [listeners.open("ann", None) for _ in range(MAX_LISTENERS)]
    with pytest.raises(TooManyListeners):
        listeners.open("ann", None)
    listeners.leave(all_of_them[0])
    listeners.open("ann", None)
    assert listeners.count == MAX_LISTENERS


async def test_one_key_keeps_no_other_out_and_neither_ends_the_other_ones_for_ever() -> None:
    listeners = Listeners()
    of_ann = [listeners.open("ann", None) for _ in range(MAX_LISTENERS)]
    of_bob = [listeners.open("bob", None) for _ in range(MAX_LISTENERS // 2)]
    assert listeners.count == MAX_LISTENERS
    for owner in ("ann", "bob"):
        with pytest.raises(TooManyListeners):
            listeners.open(owner, None)
    listeners.tell("ann", "a", news(1))
    listeners.tell("bob", "b", news(2))
    assert [await each.get(1) for each in of_ann] == [None] * len(of_bob) + [news(1)] * len(of_bob)
    assert [await each.get(1) for each in of_bob] == [news(2)] * len(of_bob)


async def test_the_end_waits_for_those_who_leave_and_no_longer() -> None:
    listeners = Listeners()
    listener, other = listeners.open("ann", None), listeners.open("ann", None)
    ending = asyncio.create_task(listeners.end(60))
    assert await listener.get(60) is None
    listeners.leave(listener)
    listeners.leave(other)
    await ending
    listeners.open("ann", None)
    await listeners.end(0)
    assert listeners.count == 1
