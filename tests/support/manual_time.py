"""Time that passes when a test says so: once what is to happen before has happened, however slow the machine is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from aiohttp import web

from provider.sse import EventDecoder
from tests.support.stand_in import Answer, Call, WaitedInVain

LetPass = Callable[[float], None]

# Turns of the event loop, some ten seconds of them, however much time is said to pass meanwhile. What is waited for comes within a
# thousand or so; only a broken test waits it out.
MOST_TURNS = 1_000_000

# What StallsMidStream says last, as it stands in the stream.
LAST_WORD = b'" on"'


def pass_by_hand(patch: pytest.MonkeyPatch, real: Callable[[], float] = time.monotonic) -> LetPass:
    """Return what lets so many seconds pass at once, on the clock of the event loop and of all that ask time.monotonic.

    Real time passes as well, unless `real` stands still.
    """
    passed = 0.0

    def let_pass(seconds: float) -> None:
        nonlocal passed
        passed += seconds

    patch.setattr(time, "monotonic", lambda: real() + passed)
    return let_pass


async def until(has_happened: Callable[[], bool], wanted: str) -> None:
    """Give others their turns until something has happened of which no event tells; WaitedInVain if it never does."""
    for _ in range(MOST_TURNS):
        if has_happened():
            return
        await asyncio.sleep(0)
    raise never_came(wanted)


def never_came(wanted: str) -> WaitedInVain:
    """Return what a test fails with that has given others all the turns they may need."""
    return WaitedInVain(f"waited {MOST_TURNS} turns of the event loop for {wanted}")


@dataclass(frozen=True)
class Outlasts:
    """Begins another answer, and lets time pass once that has come as far as it shall: as soon as it is asked, if not told otherwise.

    `has_come` is given the number of the call, from 1. An answer that does not hang goes on after that.
    """

    answer: Answer
    let_pass: Callable[[], None]
    has_come: Callable[[int], bool] = lambda number: True

    async def give(self, call: Call) -> web.StreamResponse:
        if not self.has_come(call.number):
            return await self._while_it_comes(call)
        self.let_pass()
        return await self.answer.give(call)

    async def _while_it_comes(self, call: Call) -> web.StreamResponse:
        giving = asyncio.ensure_future(self.answer.give(call))
        try:
            await until(
                lambda: self.has_come(call.number),
                f"the answer to call {call.number} to come as far as it shall",
            )
            self.let_pass()
            return await giving
        finally:
            giving.cancel()


def heard(patch: pytest.MonkeyPatch, said: bytes) -> Callable[[int], bool]:
    """Return what tells whether the client has read these bytes in so many streams."""
    read = bytearray()
    feed = EventDecoder.feed

    def noted(decoder: EventDecoder, data: bytes) -> list[bytearray]:
        read.extend(data)
        return feed(decoder, data)

    patch.setattr(EventDecoder, "feed", noted)
    return lambda streams: read.count(said) >= streams
