"""What several test files need: the tokenizer, loaded once, and the service started with settings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

import pytest
from service import Service, running, with_model
from stand_in import StandIn, Summarizes

import tokens
from tokens import Tokenizer

Run = Callable[..., AbstractAsyncContextManager[Service]]


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return tokens.load(tokens.read_vocabulary())


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
