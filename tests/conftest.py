"""What several test files need: the tokenizer, loaded once, and the service started with settings."""

from __future__ import annotations

import gc
import logging
import sys
import threading
from collections.abc import AsyncIterator, Generator, Iterator
from typing import Any

import pytest

from observability import logs
from summarizing.text.tokenizer import Tokenizer, load_tokenizer, read_vocabulary
from tests.support.laws import register_profiles
from tests.support.manual_time import LetPass, pass_by_hand
from tests.support.service import Run, Service, running, with_model
from tests.support.stand_in import StandIn
from tests.support.stand_in_answers import Summarizes

register_profiles()


# Where this stands in the environment, coverage measures a process from its start.
MEASURES_CHILDREN = "COVERAGE_PROCESS_CONFIG"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Trace no line of a test that is marked unmeasured, of its fixtures and of its processes.

    pytest-cov's own mark, no_cover, stops one of the measurements that go on in a worker of xdist, and another one goes on.
    """
    if item.get_closest_marker("unmeasured") is None:
        return (yield)
    tracing, tracing_in_threads = sys.gettrace(), threading.gettrace()
    _trace(None, None)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.delenv(MEASURES_CHILDREN, raising=False)
            return (yield)
    finally:
        _trace(tracing, tracing_in_threads)


def _trace(function: Any, function_of_threads: Any) -> None:
    sys.settrace(function)
    threading.settrace(function_of_threads)


# What tries much, or judges time or memory: others cover the same code, and measuring takes as long again.
LONG = ("hypothesis", "thorough", "timed", "slow")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests run without coverage, and first: none of them keeps the last core busy by itself at the end."""
    for item in items:
        if any(map(item.get_closest_marker, LONG)):
            item.add_marker(pytest.mark.unmeasured)
    items.sort(key=lambda item: not any(map(item.get_closest_marker, LONG)))


def pytest_collection_finish(session: pytest.Session) -> None:
    """All modules and tests stay alive to the end: no collection of garbage looks at them again."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """What is never collected, DuckDB's nanobind takes for its own leaks, and prints dozens of lines of them after the tests."""
    gc.unfreeze()


@pytest.fixture
def nothing_is_logged_as_a_fault(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """What clients do wrong, or leave undone, is no fault of the service: nothing of it may be logged as an error."""
    yield
    logged = filter(logs._has_no_client_data, caplog.get_records("call"))
    assert [record.getMessage() for record in logged if record.levelno >= logging.ERROR] == []


@pytest.fixture
def let_pass(monkeypatch: pytest.MonkeyPatch) -> LetPass:
    """Return what lets so many seconds pass at once: what the test means is over, and no busy machine's time."""
    return pass_by_hand(monkeypatch)


@pytest.fixture
def let_only_this_pass(monkeypatch: pytest.MonkeyPatch) -> LetPass:
    """As `let_pass`, and real time does not pass: where many calls at once are slow on a busy machine."""
    return pass_by_hand(monkeypatch, real=float)


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return load_tokenizer(read_vocabulary())


@pytest.fixture
def run(tokenizer: Tokenizer) -> Run:
    """Return what runs a service with settings: `async with run(MAX_BODY_BYTES="1024") as service`."""
    return lambda **settings: running(tokenizer, settings)


@pytest.fixture
async def service(run: Run) -> AsyncIterator[Service]:
    """A service without a model."""
    async with run() as service:
        yield service


@pytest.fixture
async def model() -> AsyncIterator[StandIn]:
    """A model that does what it is asked."""
    async with StandIn([Summarizes()]) as model:
        yield model


@pytest.fixture
async def service_with_model(run: Run, model: StandIn) -> AsyncIterator[Service]:
    async with run(**with_model(model)) as service:
        yield service
