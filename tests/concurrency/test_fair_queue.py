"""Places whose number changes, that are held back at times, and that are asked for again: still shared fairly."""

from __future__ import annotations

import asyncio
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from concurrency.fair_queue import FairQueue
from tests.support.laws import examples


async def settle() -> None:
    """Let every task run until it waits for something that only the test can give."""
    for _ in range(6):
        await asyncio.sleep(0)


class Line:
    """Tasks that entered a queue, in the order of entering."""

    def __init__(self, places: int) -> None:
        self.queue = FairQueue(places)
        self.tasks: list[tuple[str, asyncio.Task[None]]] = []
        self.entered: list[int] = []

    def enter(self, job: str, ticket: int | None = None) -> int:
        number = len(self.tasks)
        drawn = self.queue.ticket() if ticket is None else ticket
        self.tasks.append((job, asyncio.create_task(self._enter(number, job, drawn))))
        return drawn

    async def _enter(self, number: int, job: str, ticket: int) -> None:
        await self.queue.enter(job, ticket)
        self.entered.append(number)

    async def empty(self) -> None:
        for _, task in self.tasks:
            task.cancel()
        await asyncio.gather(*(task for _, task in self.tasks), return_exceptions=True)


async def test_more_places_are_given_at_once_and_fewer_take_none_away() -> None:
    line = Line(2)
    for _ in range(6):
        line.enter("a")
    await settle()
    assert (line.entered, line.queue.in_use, line.queue.waiting) == ([0, 1], 2, 4)
    line.queue.resize(4)
    await settle()
    assert line.entered == [0, 1, 2, 3]
    line.queue.resize(1)
    for _ in range(3):
        line.queue.leave("a")
    await settle()
    assert (line.entered, line.queue.in_use) == ([0, 1, 2, 3], 1)
    line.queue.leave("a")
    await settle()
    assert (line.entered, line.queue.waiting) == ([0, 1, 2, 3, 4], 1)
    await line.empty()


async def test_an_owner_without_a_name_gets_its_turn() -> None:
    queue = FairQueue(1)
    await queue.enter("a")
    nameless = asyncio.create_task(queue.enter(None))
    await settle()
    queue.leave("a")
    await settle()
    assert nameless.done()


async def test_a_paused_queue_gives_no_place_until_it_was_resumed_as_often() -> None:
    line = Line(2)
    line.queue.pause()
    line.queue.pause()
    line.enter("a")
    await settle()
    line.queue.resume()
    await settle()
    assert line.entered == []
    line.queue.resume()
    await settle()
    assert line.entered == [0]


async def test_a_jobs_own_calls_go_in_the_order_they_came_and_a_retry_keeps_its_turn() -> None:
    line = Line(1)
    first = line.enter("a")
    for _ in range(3):
        line.enter("a")
    await settle()
    line.enter("a", first)  # number 4: back for its second try, while the first holds its place
    await settle()
    for _ in range(4):
        line.queue.leave("a")
        await settle()
    assert line.entered == [0, 4, 1, 2, 3]


async def test_among_jobs_that_hold_equally_few_the_one_that_came_first_goes_first() -> None:
    line = Line(1)
    retried = line.enter("small")
    for job in ("b", "b", "c"):
        line.enter(job)
    await settle()
    line.queue.leave("small")
    await settle()
    line.enter("small", retried)
    await settle()
    line.queue.leave("b")
    await settle()
    assert line.entered == [0, 1, 4]
    await line.empty()


async def test_one_owner_holds_no_more_than_its_limit_though_places_are_free_and_others_need_not_wait() -> (
    None
):
    queue = FairQueue(3, places_per_owner=1)
    await queue.enter("a")
    assert (queue.has_place_for("a"), queue.has_place_for("b"), queue.has_place_for("")) == (
        False,
        True,
        True,
    )
    second = asyncio.create_task(queue.enter("a"))
    await settle()
    assert (queue.held_by("a"), queue.waiting_of("a"), queue.waiting) == (1, 1, 1)
    await queue.enter("b")
    queue.leave("a", 5.0)
    await settle()
    assert second.done()
    assert (queue.held_by("a"), queue.in_use) == (1, 2)
    queue.pause()
    assert not queue.has_place_for("c")


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["enter", "enter", "again", "leave", "cancel", "resize", "pause", "resume"]),
        st.sampled_from("xyz"),
        st.integers(0, 12),
    ),
    max_size=60,
)


@examples(200)
@given(st.integers(1, 5), MOVES)
def test_whatever_changes_no_place_is_given_over_the_limit_and_none_is_lost(
    places: int, moves: list[tuple[str, str, int]]
) -> None:
    asyncio.run(_play(places, moves))


class Players:
    """Moves of jobs and of the queue itself, by their names."""

    def __init__(self, places: int) -> None:
        self.queue = FairQueue(places)
        self.held: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.tickets = [self.queue.ticket()]
        self.pauses = 0

    async def _stay(self, job: str, ticket: int) -> None:
        await self.queue.enter(job, ticket)
        self.held.append(job)

    def enter(self, job: str, _: int) -> None:
        self.tickets.append(self.queue.ticket())
        self.again(job, -1)

    def again(self, job: str, which: int) -> None:
        ticket = self.tickets[which % len(self.tickets)]
        self.tasks.append(asyncio.create_task(self._stay(job, ticket)))

    def leave(self, _: str, which: int) -> None:
        if self.held:
            self.queue.leave(self.held.pop(which % len(self.held)))

    def cancel(self, _: str, which: int) -> None:
        if self.tasks:
            self.tasks[which % len(self.tasks)].cancel()

    def resize(self, _: str, which: int) -> None:
        self.queue.resize(which + 1)

    def pause(self, _: str, which: int) -> None:
        self.queue.pause()
        self.pauses += 1

    def resume(self, _: str, which: int) -> None:
        if self.pauses:
            self.queue.resume()
            self.pauses -= 1


async def _play(places: int, moves: list[tuple[str, str, int]]) -> None:
    players = Players(places)
    queue, held = players.queue, players.held
    for move, job, which in moves:
        getattr(players, move)(job, which)
        before = len(held)
        # Two moves in the same moment too: a place is given, and its task is cancelled before it runs.
        if which % 3:
            await settle()
            # Who is in has entered within the limit of the moment, and who could be in is.
            assert len(held) == queue.in_use
            assert len(held) <= max(before, queue.places)
            assert players.pauses or queue.in_use >= queue.places or not queue.waiting
            assert queue.waiting == sum(not task.done() for task in players.tasks)
            assert queue.is_empty is (queue.waiting == 0)
    while players.pauses:
        players.resume("", 0)
    await settle()
    while queue.in_use or queue.waiting:
        players.leave("", 0)
        await settle()
    assert held == []


async def test_of_jobs_that_hold_equally_few_the_one_goes_first_that_has_held_places_for_less_time() -> None:
    line = Line(1)
    for job in ("long", "long", "long", "short", "short"):
        line.enter(job)
    for seconds in (5.0, 2.0, 2.0, 5.0):
        await settle()
        line.queue.leave(line.tasks[line.entered[-1]][0], seconds)
    await settle()
    assert [line.tasks[number][0] for number in line.entered] == ["long", "short", "short", "long", "long"]


async def test_a_job_that_was_away_has_saved_up_nothing() -> None:
    """They take turns, though one has held the place for an hour before the other came."""
    line = Line(1)
    line.enter("old")
    await settle()
    line.queue.leave("old", 3_600.0)
    for job in ("old", "old", "old", "new", "new", "new"):
        line.enter(job)
    for _ in range(4):
        await settle()
        line.queue.leave(line.tasks[line.entered[-1]][0], 1.0)
    await settle()
    order = [line.tasks[number][0] for number in line.entered]
    assert order == ["old", "old", "new", "old", "new", "old"]
    await line.empty()


@examples(100)
@given(
    st.lists(st.sampled_from("xyz"), min_size=1, max_size=30),
    st.lists(st.integers(0, 8), min_size=1, max_size=40),
)
def test_a_place_goes_to_the_waiting_job_that_holds_the_fewest(jobs: list[str], limits: list[int]) -> None:
    async def play() -> None:
        line = Line(1)
        for job in jobs:
            line.enter(job)
        await settle()
        for limit in limits:
            if limit % 2 and line.entered:
                line.queue.leave(line.tasks[line.entered.pop(0)][0])
            else:
                line.queue.resize(limit + 1)
            await _check_is_fair(line)
        await line.empty()

    asyncio.run(play())


async def _check_is_fair(line: Line) -> None:
    """Check that each who enters now is of a job that holds no more than any that still waits."""
    seen = len(line.entered)
    await settle()
    waiting = {job for job, task in line.tasks if not task.done()}
    holding = [line.tasks[number][0] for number in line.entered]
    for position in range(seen, len(holding)):
        held = Counter(holding[:position])
        assert all(held[holding[position]] <= held[job] for job in waiting)
