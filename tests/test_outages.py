"""The whole service during an outage of the model's API, and after it."""

from __future__ import annotations

import asyncio

from tests.support.messages import Message, call, legacy
from tests.support.scrapes import scrape
from tests.support.service import PATIENCE_S, Run, Service, prose, with_model
from tests.support.stand_in import Answer, Payload, StandIn
from tests.support.stand_in_answers import Fails, Summarizes
from tools.call_results import OUTCOME_KEY

# The breaker's own wait, short enough to be run out in a test.
OUTAGE = {
    "LLM_BREAKER_FAILURES": "3",
    "LLM_BREAKER_SECONDS": "0.3",
    "LLM_CONCURRENCY_CEILING": "8",
    "ON_FAILURE": "extractive",
}


async def outcome_of(service: Service, number: int) -> Message:
    """Summarize a text that no other number has; return what happened."""
    content = prose(200 + number)
    message = legacy("tools/call", call("summarize", content=content, max_output_tokens=200))
    result = (await service.post(message)).json()["result"]
    outcome: Message = result["_meta"][OUTCOME_KEY]
    return outcome


async def test_during_an_outage_calls_are_answered_without_the_model_until_it_ends(run: Run) -> None:
    is_back = False

    def script(number: int, _: Payload) -> Answer:
        return Summarizes() if is_back else Fails(500)

    async with StandIn(script) as model, run(**with_model(model, **OUTAGE)) as service:
        at_once = await asyncio.gather(*(outcome_of(service, number) for number in range(10)))
        assert {outcome["status"] for outcome in at_once} == {"partial"}
        counted = sum(outcome["llm_calls"] for outcome in at_once)
        numbers = await scrape(service)
        assert counted == numbers.of("mcp_summarizer_model_requests_total")
        # A request counts from its beginning: one that was cancelled may have ended before the stand-in had read it.
        cancelled = numbers.of("mcp_summarizer_model_cancelled_total")
        assert counted - cancelled <= len(model.payloads) <= counted
        # Ten jobs of many chunks each, and nobody's retries: three failures, those beside them, and who asked since.
        assert 3 <= counted <= 3 + 8 + 5
        assert "the model's API has been failing since" in at_once[-1]["reason"]
        is_back = True
        number = 10
        async with asyncio.timeout(PATIENCE_S):
            while (await outcome_of(service, number))["status"] != "summarized":
                number += 1
