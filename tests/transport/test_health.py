"""GET /health: `ok`, or `degraded` and why while the model does not answer."""

from __future__ import annotations

import pytest

from config import VERSION
from tests.support.messages import call, legacy
from tests.support.service import Run, Service, prose, with_model
from tests.support.stand_in import Answer, StandIn
from tests.support.stand_in_answers import Fails, Resets, Summarizes

A_SUMMARY = legacy("tools/call", call(content=prose(60), max_output_tokens=200))
FRAGILE = {"LLM_BREAKER_FAILURES": "1", "LLM_BREAKER_SECONDS": "60", "LLM_TOTAL_TIMEOUT_SECONDS": "5"}


async def health(service: Service, query: str = "") -> tuple[int, dict[str, str | None]]:
    response = await service.http.get(f"{service.origin}/health{query}")
    assert response.headers["Cache-Control"] == "no-store"
    return response.status_code, response.json()


@pytest.mark.parametrize("query", ["", "?strict", "?strict=1"])
async def test_without_a_model_all_is_well(service: Service, query: str) -> None:
    about = {
        "service": "mcp-summarizer",
        "version": VERSION,
        "backend": "extractive",
        "model": None,
    }
    assert await health(service, query) == (200, {"status": "ok", **about})


@pytest.mark.parametrize(
    "answer, why", [(Fails(401), "401"), (Fails(500), "500"), (Resets(), "connect")]
)  # fmt: skip
async def test_while_calls_to_the_model_fail_it_is_degraded_and_says_why(
    run: Run, answer: Answer, why: str
) -> None:
    async with StandIn([answer]) as model, run(**with_model(model, **FRAGILE)) as service:
        assert await health(service, "?strict") == (200, (await health(service))[1])
        await service.post(A_SUMMARY)
        status, said = await health(service)
        assert (status, said["status"], said["backend"]) == (200, "degraded", "openrouter")
        assert said["reason"] is not None
        assert said["reason"].startswith("calls to the model fail: ")
        assert why in said["reason"]
        assert "a-key" not in said["reason"]
        assert await health(service, "?strict") == (503, said)


async def test_the_next_answer_makes_it_well_again(run: Run) -> None:
    answers: list[Answer] = [Fails(401)]

    def current(number: int, payload: object) -> Answer:
        return answers[-1]

    async with StandIn(current) as model, run(**with_model(model)) as service:
        await service.post(A_SUMMARY)
        assert (await health(service, "?strict"))[0] == 503
        answers.append(Summarizes())
        await service.post(A_SUMMARY)
        status, said = await health(service, "?strict")
    assert (status, said["status"], said.get("reason")) == (200, "ok", None)
