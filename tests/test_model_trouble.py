"""The trouble that the model client reports for /health and for operators."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

import pytest

from llm import ChatModel
from provider.model import ModelError
from tests.support.parts import KEY, PATIENT, Body, a_closed_port, a_model, complete
from tests.support.stand_in import Answer, StandIn
from tests.support.stand_in_answers import ErrorIn200, Fails, Filtered, Gate, Says

FRAGILE = replace(PATIENT, breaker_failures=1)


@dataclass
class Clock:
    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


async def fail(model: ChatModel) -> None:
    with pytest.raises(ModelError):
        await complete(model)


async def test_there_is_no_trouble_before_the_first_call_and_after_an_answer() -> None:
    async with StandIn([Says("yes")]) as server, a_model(server.base_url) as model:
        assert model.trouble is None
        await complete(model)
        assert model.trouble is None


async def test_a_failed_call_is_trouble_until_the_next_answer() -> None:
    script: list[Answer] = [*[Fails(500)] * 4, Says("yes")]
    async with StandIn(script) as server, a_model(server.base_url) as model:
        await fail(model)
        assert model.trouble == (
            "the last call failed at 2026-07-01 12:00:00 UTC: the model's API answered 500"
        )
        await complete(model)
        assert model.trouble is None


async def test_a_call_that_a_retry_saved_is_no_trouble() -> None:
    async with StandIn([Fails(503), Says("yes")]) as server, a_model(server.base_url) as model:
        await complete(model)
        assert model.trouble is None


@pytest.mark.parametrize(
    "answer, why",
    [
        (Fails(401), "answered 401 (check OPENROUTER_API_KEY)"),
        (Fails(404), "answered 404 (check the model's name (LLM_MODEL) and OPENROUTER_BASE_URL)"),
        (ErrorIn200(402, "no money"), "answered 402 (the account has no credit left)"),
        (Body(b"<html>", content_type="text/html"), "is the base URL right?"),
    ],
)
async def test_a_failure_of_every_call_is_trouble_and_says_what_to_do(answer: Answer, why: str) -> None:
    async with StandIn([answer]) as server, a_model(server.base_url) as model:
        await fail(model)
        assert model.trouble is not None
        assert model.trouble.endswith(why)


async def test_an_unreachable_provider_is_trouble() -> None:
    with a_closed_port() as url:
        async with a_model(url) as model:
            await fail(model)
            assert "the connection to the model failed" in str(model.trouble)


@pytest.mark.parametrize("answer", [Fails(400), Fails(413), Filtered()])
async def test_a_refusal_of_one_calls_content_is_no_trouble(answer: Answer) -> None:
    async with StandIn([answer]) as server, a_model(server.base_url) as model:
        await fail(model)
        assert model.trouble is None


async def test_trouble_never_quotes_the_provider() -> None:
    answer = Fails(401, {"error": {"message": f"wrong key {KEY}\n\x1b[31mOne two. Three."}})
    async with StandIn([answer]) as server, a_model(server.base_url) as model:
        await fail(model)
        assert model.trouble is not None
        assert model.trouble.isprintable()
        assert not any(said in model.trouble for said in (KEY, "One two", "wrong key"))


async def test_while_the_breaker_is_not_closed_the_trouble_says_since_when_and_what_comes_next() -> None:
    clock, held = Clock(), asyncio.Event()
    since = (
        "the model's API has been failing since 2026-07-01 12:00:00 UTC (the model's API answered 500) and "
    )
    script: list[Answer] = [Fails(500), Gate(Says("yes"), held)]
    async with StandIn(script) as server, a_model(server.base_url, limits=FRAGILE, clock=clock) as model:
        await fail(model)
        assert model.trouble == since + "will be tried again at 12:00:05"
        await fail(model)
        assert (model.trouble, len(server.payloads)) == (since + "will be tried again at 12:00:05", 1)
        clock.now += 5
        # Its clock alone has moved: the time of day at which all began is reckoned from it.
        assert str(model.trouble).endswith(
            "(the model's API answered 500) and will be tried again with the next call"
        )
        asking = asyncio.create_task(complete(model))
        await server.called(2)
        assert str(model.trouble).endswith("and is being tried again")
        held.set()
        await asking
        assert model.trouble is None


async def test_after_the_breaker_has_closed_the_last_failed_request_is_the_trouble() -> None:
    clock, held = Clock(), asyncio.Event()
    script: list[Answer] = [Fails(401), Fails(500), Fails(429), Gate(Says("yes"), held)]
    async with StandIn(script) as server, a_model(server.base_url, limits=FRAGILE, clock=clock) as model:
        await fail(model)
        assert "401" in str(model.trouble)
        await fail(model)
        clock.now += 5
        asking = asyncio.create_task(complete(model))
        await server.called(4)
        assert model.breaker_state == "closed"
        assert str(model.trouble).endswith("UTC: the model's API answered 500")
        held.set()
        await asking
        assert model.trouble is None
