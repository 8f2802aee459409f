"""Turns at reading: how many bodies are read on in a turn of the event loop, and which ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from transport.read_turns import LOOKS_PER_TURN, ReadTurns


class Turns:
    """Turns of an event loop, taken by the test, with `pieces` read on in each."""

    def __init__(self, pieces: int) -> None:
        self._due: list[Callable[[], None]] = []
        self._turns = ReadTurns(self._due.append, pieces)
        self.numbers = [self._turns.number() for _ in range(1_000)]
        self.went_on: list[int] = []
        self.stopped: set[int] = set()
        self.looked_at = 0

    def read(self, *bodies: int, owner: str = "") -> list[int]:
        """Read a piece of each; return those that are read on at once."""
        return [
            body
            for body in bodies
            if self._turns.reads_on(self.numbers[body], owner, partial(self._go_on, body))
        ]

    def _go_on(self, body: int) -> bool:
        self.looked_at += 1
        if body in self.stopped:
            return False
        self.went_on.append(body)
        return True

    def next(self) -> list[int]:
        """Take a turn; return the bodies that go on in it."""
        self.went_on.clear()
        due = self._due.copy()
        self._due.clear()
        for callback in due:
            callback()
        return self.went_on.copy()

    @property
    def is_idle(self) -> bool:
        return not self._due


def test_as_many_are_read_on_at_once_as_there_are_pieces_in_a_turn() -> None:
    turns = Turns(2)
    assert turns.read(0, 1, 2, 3) == [0, 1]
    assert turns.next() == [2, 3]
    # Those two are this turn's.
    assert turns.read(0, 1) == []
    assert turns.next() == [0, 1]


def test_those_that_began_first_go_on_first_and_the_one_that_waited_longest() -> None:
    turns = Turns(3)
    turns.read(7, 8, 9)
    assert turns.read(6, 3, 5, 1, 2) == []
    assert turns.next() == [1, 2, 6]
    assert turns.read(1, 2, 6) == []
    assert turns.next() == [1, 2, 3]
    assert turns.next() == [5, 6]


def test_however_many_began_before_each_that_waits_has_its_turn() -> None:
    turns = Turns(3)
    older, last = range(9), 9
    turns.read(*older, last)
    for _ in range(len(older)):
        went_on = turns.next()
        if last in went_on:
            return
        # Of the older ones another piece comes at once, each time.
        assert turns.read(*went_on) == []
    pytest.fail("it waits on")


def test_a_turn_that_is_not_taken_up_is_the_next_ones() -> None:
    turns = Turns(1)
    turns.read(0, 1, 2)
    assert turns.next() == [1]
    # Nothing of it has come.
    assert turns.next() == [2]
    turns.next()
    assert turns.read(1) == [1]


def test_bodies_of_which_nothing_comes_take_no_turn() -> None:
    turns = Turns(4)
    stopped = range(4, 4 + LOOKS_PER_TURN - 3)
    turns.stopped = set(stopped)
    turns.read(*range(4), *stopped, 998, 999)
    assert turns.next() == [998, 999]
    turns.next()
    assert turns.is_idle


def test_of_thousands_that_have_stopped_a_few_are_looked_at_in_a_turn() -> None:
    turns = Turns(4)
    turns.stopped = set(range(4, 999))
    turns.read(*range(999))
    assert turns.next() == []
    assert turns.looked_at == LOOKS_PER_TURN
    # What comes meanwhile does not wait for the rest.
    assert turns.read(999) == [999]


def test_a_body_waits_for_no_more_than_one_of_each_other_owner() -> None:
    turns = Turns(2)
    turns.read(*range(300), owner="many")
    turns.read(300, owner="one")
    turns.read(301, owner="another")
    assert turns.next() == [2, 300]
    assert turns.next()[0] == 301


def test_without_bodies_that_arrive_no_turn_is_asked_for() -> None:
    turns = Turns(2)
    assert turns.is_idle
    turns.read(0, 1, 2)
    while turns.next():
        pass
    assert turns.is_idle
