"""Places whose number changes, that are held back at times, and that are asked for again: still shared fairly."""

from __future__ import annotations

import asyncio
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from fair_queue import FairGate
from tests.support.laws import examples


async def settle() -> None:
    """Let every task run until it waits for something that only the test can give."""
    for _ in range(6):
        await asyncio.sleep(0)


class Queue:
    """Tasks that entered a gate, in the order of entering."""

    def __init__(self, places: int) -> None:
        self.gate = FairGate(places)
        self.tasks: list[tuple[str, asyncio.Task[None]]] = []
        self.entered: list[int] = []

    def enter(self, job: str, ticket: int | None = None) -> int:
        number = len(self.tasks)
        drawn = self.gate.ticket() if ticket is None else ticket
        self.tasks.append((job, asyncio.create_task(self._enter(number, job, drawn))))
        return drawn

    async def _enter(self, number: int, job: str, ticket: int) -> None:
        await self.gate.enter(job, ticket)
        self.entered.append(number)

    async def empty(self) -> None:
        for _, task in self.tasks:
            task.cancel()
        await asyncio.gather(*(task for _, task in self.tasks), return_exceptions=True)


async def test_more_places_let_those_who_wait_in_and_fewer_keep_them_out() -> None:
    queue = Queue(2)
    for _ in range(6):
        queue.enter("a")
    await settle()
    assert (queue.entered, queue.gate.in_use, queue.gate.waiting) == ([0, 1], 2, 4)
    queue.gate.places = 4
    await settle()
    assert queue.entered == [0, 1, 2, 3]
    queue.gate.places = 1
    for _ in range(3):
        queue.gate.leave("a")
    await settle()
    assert (queue.entered, queue.gate.in_use) == ([0, 1, 2, 3], 1)
    queue.gate.leave("a")
    await settle()
    assert (queue.entered, queue.gate.waiting) == ([0, 1, 2, 3, 4], 1)
    await queue.empty()


async def test_a_closed_gate_lets_nobody_in_until_all_have_opened_it() -> None:
    queue = Queue(2)
    queue.gate.close()
    queue.gate.close()
    queue.enter("a")
    await settle()
    queue.gate.open()
    await settle()
    assert queue.entered == []
    queue.gate.open()
    await settle()
    assert queue.entered == [0]


async def test_a_jobs_own_calls_go_in_the_order_they_came_and_a_retry_keeps_its_turn() -> None:
    queue = Queue(1)
    first = queue.enter("a")
    for _ in range(3):
        queue.enter("a")
    await settle()
    queue.enter("a", first)  # number 4: back for its second try, while the first holds its place
    await settle()
    for _ in range(4):
        queue.gate.leave("a")
        await settle()
    assert queue.entered == [0, 4, 1, 2, 3]


async def test_among_jobs_that_hold_equally_few_the_one_that_came_first_goes_first() -> None:
    queue = Queue(1)
    retried = queue.enter("small")
    for job in ("b", "b", "c"):
        queue.enter(job)
    await settle()
    queue.gate.leave("small")
    await settle()
    queue.enter("small", retried)
    await settle()
    queue.gate.leave("b")
    await settle()
    assert queue.entered == [0, 1, 4]
    await queue.empty()


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["enter", "enter", "again", "leave", "cancel", "resize", "close", "open"]),
        st.sampled_from("xyz"),
        st.integers(0, 12),
    ),
    max_size=60,
)


@examples(200)
@given(st.integers(1, 5), MOVES)
def test_whatever_changes_nobody_enters_over_the_limit_and_no_place_is_lost(
    places: int, moves: list[tuple[str, str, int]]
) -> None:
    asyncio.run(_play(places, moves))


class Players:
    """Moves of jobs and of the gate itself, by their names."""

    def __init__(self, places: int) -> None:
        self.gate = FairGate(places)
        self.held: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.tickets = [self.gate.ticket()]
        self.closed = 0

    async def _stay(self, job: str, ticket: int) -> None:
        await self.gate.enter(job, ticket)
        self.held.append(job)

    def enter(self, job: str, _: int) -> None:
        self.tickets.append(self.gate.ticket())
        self.again(job, -1)

    def again(self, job: str, which: int) -> None:
        ticket = self.tickets[which % len(self.tickets)]
        self.tasks.append(asyncio.create_task(self._stay(job, ticket)))

    def leave(self, _: str, which: int) -> None:
        if self.held:
            self.gate.leave(self.held.pop(which % len(self.held)))

    def cancel(self, _: str, which: int) -> None:
        if self.tasks:
            self.tasks[which % len(self.tasks)].cancel()

    def resize(self, _: str, which: int) -> None:
        self.gate.places = which + 1

    def close(self, _: str, which: int) -> None:
        self.gate.close()
        self.closed += 1

    def open(self, _: str, which: int) -> None:
        if self.closed:
            self.gate.open()
            self.closed -= 1


async def _play(places: int, moves: list[tuple[str, str, int]]) -> None:
    players = Players(places)
    gate, held = players.gate, players.held
    for move, job, which in moves:
        getattr(players, move)(job, which)
        before = len(held)
        # Two moves in the same moment too: a place is given, and its task is cancelled before it runs.
        if which % 3:
            await settle()
            # Who is in has entered within the limit of the moment, and who could be in is.
            assert len(held) == gate.in_use
            assert len(held) <= max(before, gate.places)
            assert players.closed or gate.in_use >= gate.places or not gate.waiting
            assert gate.waiting == sum(not task.done() for task in players.tasks)
    while players.closed:
        players.open("", 0)
    await settle()
    while gate.in_use or gate.waiting:
        players.leave("", 0)
        await settle()
    assert held == []


async def test_of_jobs_that_hold_equally_few_the_one_goes_first_that_has_held_places_for_less_time() -> None:
    queue = Queue(1)
    for job in ("long", "long", "long", "short", "short"):
        queue.enter(job)
    for seconds in (5.0, 2.0, 2.0, 5.0):
        await settle()
        queue.gate.leave(queue.tasks[queue.entered[-1]][0], seconds)
    await settle()
    assert [queue.tasks[number][0] for number in queue.entered] == ["long", "short", "short", "long", "long"]


async def test_a_job_that_was_away_has_saved_up_nothing() -> None:
    """They take turns, though one has held the place for an hour before the other came."""
    queue = Queue(1)
    queue.enter("old")
    await settle()
    queue.gate.leave("old", 3_600.0)
    for job in ("old", "old", "old", "new", "new", "new"):
        queue.enter(job)
    for _ in range(4):
        await settle()
        queue.gate.leave(queue.tasks[queue.entered[-1]][0], 1.0)
    await settle()
    order = [queue.tasks[number][0] for number in queue.entered]
    assert order == ["old", "old", "new", "old", "new", "old"]
    await queue.empty()


@examples(100)
@given(
    st.lists(st.sampled_from("xyz"), min_size=1, max_size=30),
    st.lists(st.integers(0, 8), min_size=1, max_size=40),
)
def test_a_place_goes_to_the_waiting_job_that_holds_the_fewest(jobs: list[str], limits: list[int]) -> None:
    async def play() -> None:
        queue = Queue(1)
        for job in jobs:
            queue.enter(job)
        await settle()
        for limit in limits:
            if limit % 2 and queue.entered:
                queue.gate.leave(queue.tasks[queue.entered.pop(0)][0])
            else:
                queue.gate.places = limit + 1
            await _check_is_fair(queue)
        await queue.empty()

    asyncio.run(play())


async def _check_is_fair(queue: Queue) -> None:
    """Check that each who enters now is of a job that holds no more than any that still waits."""
    seen = len(queue.entered)
    await settle()
    waiting = {job for job, task in queue.tasks if not task.done()}
    holding = [queue.tasks[number][0] for number in queue.entered]
    for position in range(seen, len(holding)):
        held = Counter(holding[:position])
        assert all(held[holding[position]] <= held[job] for job in waiting)
