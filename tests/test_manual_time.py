"""What the tests of deadlines wait with ends, and says what did not come."""

from __future__ import annotations

import httpx
import pytest

from tests.support import manual_time
from tests.support.manual_time import Outlasts, until
from tests.support.stand_in import StandIn, WaitedInVain
from tests.support.stand_in_answers import Says


@pytest.fixture(autouse=True)
def few_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manual_time, "MOST_TURNS", 10)


@pytest.mark.parametrize("turns", [0, 9])
async def test_what_comes_in_time_is_waited_for(turns: int) -> None:
    asked: list[None] = []

    def has_come() -> bool:
        asked.append(None)
        return len(asked) > turns

    await until(has_come, "the last turn")
    assert len(asked) == turns + 1


async def test_what_never_comes_fails_and_is_named() -> None:
    with pytest.raises(WaitedInVain, match=r"^waited 10 turns of the event loop for a second moon$"):
        await until(lambda: False, "a second moon")


async def test_an_answer_that_is_never_outlasted_fails_the_test_and_is_asked_for_once() -> None:
    passed: list[None] = []
    answer = Outlasts(Says("yes"), lambda: passed.append(None), lambda _: False)
    with pytest.raises(WaitedInVain, match="for the answer to call 1 to come as far as it shall"):
        async with StandIn([answer]) as model, httpx.AsyncClient() as client:
            payload = {"model": "any", "messages": [{"role": "user", "content": "Yes?"}]}
            response = await client.post(f"{model.base_url}/chat/completions", json=payload)
            # What a client does not try again.
            assert response.status_code == 400
    assert passed == []
