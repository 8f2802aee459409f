"""When full garbage collections run, and that the service runs them."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

import app as application
from config import Config
from observability import process_usage
from summarizing.text.tokenizer import Tokenizer
from tests.support.manual_time import until
from tests.support.messages import call, legacy
from tests.support.service import ROOT, listening, prose, running, with_model
from tests.support.stand_in import StandIn
from tests.support.stand_in_answers import Gate, Summarizes
from transport import garbage_collection
from transport.garbage_collection import GROWTH_UNDER_LOAD, FullCollections
from transport.routes import ENDPOINT

LIVE_AT_START = 100.0


@dataclass
class Memory:
    """A process of which so much is alive, and the rest is garbage."""

    live: float = LIVE_AT_START
    held: float = LIVE_AT_START
    collections: int = 0

    def measure(self) -> float:
        return self.held

    def collect(self) -> None:
        self.collections += 1
        self.held = self.live


def watched(memory: Memory) -> FullCollections:
    return FullCollections(memory.measure, memory.collect)


def test_an_idle_process_is_collected_once_for_what_it_has_done() -> None:
    memory = Memory(live=103.0)
    collections = watched(memory)
    memory.held = 110.0
    assert [collections.look(is_idle=True) for _ in range(3)] == [True, False, False]
    assert memory.collections == 1


def test_what_a_peak_held_is_no_measure_once_it_is_over() -> None:
    memory = Memory(live=200.0, held=250.0)
    collections = FullCollections(lambda: memory.held, memory.collect)
    memory.held = 400.0
    assert collections.look(is_idle=False)
    memory.live = memory.held = LIVE_AT_START
    assert not collections.look(is_idle=True)
    memory.held = 110.0
    assert collections.look(is_idle=True)
    assert memory.held == LIVE_AT_START


def test_a_load_that_holds_as_much_as_the_last_one_is_not_collected_again() -> None:
    memory = Memory(live=180.0)
    collections = watched(memory)
    memory.held = 180.0
    assert collections.look(is_idle=False)
    memory.live = memory.held = LIVE_AT_START
    assert not collections.look(is_idle=True)
    memory.live = memory.held = 180.0
    assert not collections.look(is_idle=False)


def test_an_idle_process_that_has_done_nothing_is_left_alone() -> None:
    memory = Memory()
    collections = watched(memory)
    memory.held = 102.0
    assert not collections.look(is_idle=True)


def test_a_busy_process_is_left_alone_until_it_has_grown_by_half() -> None:
    memory = Memory()
    collections = watched(memory)
    memory.held = 150.0
    assert not collections.look(is_idle=False)
    memory.held = 150.1
    assert collections.look(is_idle=False)
    assert memory.held == LIVE_AT_START


@given(st.lists(st.floats(0.0, 50.0), min_size=1, max_size=100))
def test_under_load_garbage_never_takes_more_than_the_share(made: list[float]) -> None:
    memory = Memory()
    collections = watched(memory)
    for garbage in made:
        memory.held += garbage
        collections.look(is_idle=False)
        assert memory.held <= LIVE_AT_START * (1 + GROWTH_UNDER_LOAD)


@given(st.lists(st.floats(0.0, 50.0), min_size=1, max_size=100))
def test_what_stays_alive_is_looked_through_ever_more_rarely(made: list[float]) -> None:
    memory = Memory()
    collections = watched(memory)
    for more in made:
        memory.live += more
        memory.held += more
        collections.look(is_idle=False)
    assert LIVE_AT_START * (1 + GROWTH_UNDER_LOAD) ** memory.collections <= memory.live


class Knot:
    """A thing that only a collection can free."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def without_automatic_collections() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("without_automatic_collections")
async def test_an_idle_service_collects_its_garbage(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = Memory()
    # What this process holds depends on the tests before.
    monkeypatch.setattr(process_usage, "memory_in_use", memory.measure)
    monkeypatch.setattr(garbage_collection, "LOOK_EVERY_SECONDS", 0.0)
    async with running(tokenizer, {}):
        knot = weakref.ref(Knot())
        memory.held *= 1.5
        assert knot() is not None
        await until(lambda: knot() is None, "a full collection")


async def test_a_service_with_a_call_under_way_is_not_idle(tokenizer: Tokenizer) -> None:
    answer = asyncio.Event()
    async with StandIn([Gate(Summarizes(), answer)]) as model:
        config = Config.from_env(with_model(model))
        app = application.build(config, tokenizer)
        async with listening(app, config) as service:
            load = partial(getattr, app[ENDPOINT], "load")
            assert load().is_idle
            asked = asyncio.create_task(
                service.post(legacy("tools/call", call(content=prose(60), max_output_tokens=200)))
            )
            await model.called(1)
            assert not load().is_idle
            answer.set()
            await asked
            await until(lambda: load().is_idle, "the call to end")


# Keeps half a million objects; prints how many full collections that took, and how many objects of the start are left out of them.
KEEPING = """
import gc, sys
from transport.process import calm_garbage_collector

if "calm" in sys.argv:
    calm_garbage_collector()
before = gc.get_stats()[2]["collections"]
kept = [[number] for number in range(500_000)]
print(gc.get_stats()[2]["collections"] - before, gc.get_freeze_count())
"""


def collections_and_frozen(*arguments: str) -> list[int]:
    """Return what KEEPING prints."""
    command = [sys.executable, "-c", KEEPING, *arguments]
    return [*map(int, subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.split())]


def test_no_full_collection_comes_by_itself_and_none_looks_at_what_was_made_at_start() -> None:
    collections, frozen = collections_and_frozen("calm")
    assert collections == 0 < frozen
    collections, frozen = collections_and_frozen()
    assert collections > 0 == frozen
