"""Admission control: the concurrency limit, pauses, the circuit breaker and the retry budget, on a real socket."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from llm import ChatModel
from provider.backoff import MAX_RETRIES, RETRY_RESERVE, RETRY_SHARE, RetryBudget
from provider.circuit_breaker import CircuitOpen
from provider.model import Completion, ModelError, PermanentError, TransientError
from provider.usage import Failure
from tests.support.manual_time import LAST_WORD, MOST_TURNS, LetPass, Outlasts, heard, never_came
from tests.support.parts import ENDLESS, PATIENT, Events, Nap, a_closed_port, a_model, complete
from tests.support.stand_in import Answer, Call, EventStream, Payload, StandIn
from tests.support.stand_in_answers import Empty, Fails, Filtered, Gate, Hangs, Resets, Says, StallsMidStream

CALL = "POST /api/v1/chat/completions"

# Room to find the limit in.
FINDING = replace(PATIENT, ceiling=64)
# A breaker that opens at the third failure.
FRAGILE = replace(PATIENT, breaker_failures=3)

Result = Completion | BaseException


async def complete_all(model: ChatModel, calls: int, jobs: int = 4) -> list[Result]:
    asked = (complete(model, number % jobs) for number in range(calls))
    return await asyncio.gather(*asked, return_exceptions=True)


def answered(results: list[Result]) -> int:
    return sum(isinstance(result, Completion) for result in results)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@dataclass
class Clock:
    """A clock that the test moves: a busy machine makes no provider slow."""

    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


class Sleeper:
    """Sleeps that last until the test wakes them."""

    def __init__(self) -> None:
        self.asked: list[float] = []
        self.woken = asyncio.Event()
        self._changed = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        self.asked.append(seconds)
        self._changed.set()
        await self.woken.wait()

    async def was_asked_for(self, *seconds: float, times: int = 1) -> None:
        """Wait until it was asked for each of these sleeps so often, whatever else it was asked for."""
        while any(self.asked.count(each) < times for each in seconds):
            self._changed.clear()
            await self._changed.wait()


class Bears:
    """A provider that bears so many calls at once, turns away the others, and ends an answer when it is told to."""

    def __init__(self, bears: int, refusal: Answer) -> None:
        self.bears = bears
        self.refusal = refusal
        self.refused = 0
        self._begun: list[asyncio.Event] = []

    def __call__(self, number: int, payload: Payload) -> Answer:
        return self

    async def give(self, call: Call) -> web.StreamResponse:
        if len(self._begun) >= self.bears:
            self.refused += 1
            return await self.refusal.give(call)
        self._begun.append(go_on := asyncio.Event())
        stream = await EventStream.open(call)
        await stream.say("yes")
        await go_on.wait()
        await stream.chunk(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}])
        return stream.response

    async def serve(self, model: ChatModel, calls: asyncio.Task[list[Result]]) -> list[Result]:
        """End the oldest answer whenever as many calls are in flight as the client wants, and it has heard of all."""
        while not calls.done():
            is_full = model.in_flight >= model.limit or not model.waiting
            if is_full and 0 < len(self._begun) == model.in_flight == model._admission._streaming:
                self._begun.pop(0).set()
            await asyncio.sleep(0)
        return await calls


class Begins:
    """Begins to answer, and goes on when the test says so."""

    def __init__(self) -> None:
        self.go_on = asyncio.Event()

    async def give(self, call: Call) -> web.StreamResponse:
        stream = await EventStream.open(call)
        await stream.say("It")
        await self.go_on.wait()
        await stream.chunk(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}])
        return stream.response


# --- Finding the limit -----------------------------------------------------------------------------------------


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "bears, refusal",
    [
        (1, Fails(429)),
        (3, Fails(429)),
        (3, Fails(429, headers={"Retry-After": "2"})),
        (3, Fails(503)),
        (12, Fails(429)),
        (40, Fails(429)),
    ],
)
async def test_the_limit_settles_near_the_providers_and_no_call_fails(bears: int, refusal: Answer) -> None:
    provider = Bears(bears, refusal)
    async with (
        StandIn(provider) as server,
        a_model(server.base_url, limits=FINDING, clock=Clock()) as model,
    ):
        results = await provider.serve(model, asyncio.create_task(complete_all(model, 60 + 5 * bears)))
        assert answered(results) == len(results)
        assert bears // 2 <= model.limit <= bears + 1
        assert (model.in_flight, model.waiting, model.breaker_state) == (0, 0, "closed")
        assert model.usage.requests == len(server.payloads) == len(results) + provider.refused
        assert model.usage.requests <= 1.25 * len(results)


async def test_the_limit_rises_at_the_first_token_while_no_answer_has_ended() -> None:
    answer = Begins()
    async with (
        StandIn([answer]) as server,
        a_model(server.base_url, limits=FINDING, clock=Clock()) as model,
    ):
        calls = asyncio.create_task(complete_all(model, 40))
        await server.called(40)
        assert server.log == []
        assert (model.limit >= 40, model.in_flight, model.waiting) == (True, 40, 0)
        answer.go_on.set()
        assert answered(await calls) == 40


async def test_reasoning_counts_as_the_first_token() -> None:
    thinks = b'data: {"choices": [{"delta": {"content": "", "reasoning": "Hm."}}]}\n\n'
    async with (
        StandIn([Events((thinks,), "hangs")]) as server,
        a_model(server.base_url, limits=FINDING, clock=Clock()) as model,
    ):
        calls = asyncio.create_task(complete_all(model, 20))
        await server.called(20)
        # It begins with five: that so many are in flight, none of them answered, is what their thoughts have told.
        assert (model.limit >= 20, model.in_flight, server.log) == (True, 20, [])
        calls.cancel()


async def test_silence_of_several_calls_halves_the_limit_once(
    let_pass: LetPass, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    limits = replace(PATIENT, concurrency=8, ceiling=8)
    last = Outlasts(Hangs(), partial(let_pass, limits.silence))
    script: list[Answer] = [*[Hangs()] * 7, last, Says("yes")]
    async with StandIn(script) as server, a_model(server.base_url, limits=limits) as model:
        assert answered(await complete_all(model, 8)) == 8
        assert model.usage.failures[Failure.TIMEOUT] == 8
    halved = [record.__dict__["limit"] for record in caplog.records if record.message == "llm_limit_halved"]
    assert halved == [4]


async def test_sequential_calls_do_not_raise_the_limit() -> None:
    async with StandIn([Says("yes")]) as server, a_model(server.base_url, limits=FINDING) as model:
        for _ in range(10):
            await complete(model)
        assert model.limit == 5


@pytest.mark.parametrize("answer", [Fails(500), Fails(400), Resets(), Empty(), Filtered()])
async def test_failures_other_than_congestion_leave_the_limit(answer: Answer) -> None:
    async with StandIn([answer]) as server, a_model(server.base_url) as model:
        with pytest.raises(ModelError):
            await complete(model)
        assert model.limit == 5


# --- Retry-After -----------------------------------------------------------------------------------------------


async def test_a_retry_after_pauses_all_calls() -> None:
    sleeper, clock = Sleeper(), Clock()
    refusal = Fails(429, headers={"Retry-After": "7"})
    script: list[Answer] = [refusal, Says("yes")]
    async with StandIn(script) as server, a_model(server.base_url, nap=sleeper, clock=clock) as model:
        first = asyncio.create_task(complete(model, "first"))
        await server.finished(1)
        await sleeper.was_asked_for(0.5, 7.0)
        others = [asyncio.create_task(complete(model, job)) for job in "abc"]
        clock.now += 3
        await settle()
        assert (model.paused_seconds, model.waiting, len(server.payloads)) == (4.0, 3, 1)
        sleeper.woken.set()
        answers = await asyncio.gather(first, *others)
        assert [answer.text for answer in answers] == ["yes"] * 4
        assert model.paused_seconds == 0


async def test_a_shorter_retry_after_does_not_end_a_longer_one() -> None:
    sleeper, later = Sleeper(), asyncio.Event()

    def script(number: int, _: Payload) -> Answer:
        refusals: dict[int, Answer] = {
            1: Fails(429, headers={"Retry-After": "9"}),
            2: Gate(Fails(429, headers={"Retry-After": "5"}), later),
        }
        return refusals.get(number, Says("yes"))

    async with StandIn(script) as server, a_model(server.base_url, nap=sleeper, clock=Clock()) as model:
        calls = asyncio.create_task(complete_all(model, 2))
        await sleeper.was_asked_for(9.0)
        later.set()
        await sleeper.was_asked_for(0.5, times=2)
        assert model.paused_seconds == 9.0
        sleeper.woken.set()
        assert answered(await calls) == 2
        assert sorted(sleeper.asked) == [0.5, 0.5, 9.0]


async def test_a_longer_retry_after_extends_a_shorter_one() -> None:
    clock, ends = Clock(), {5.0: asyncio.Event(), 9.0: asyncio.Event()}

    async def sleep(seconds: float) -> None:
        if seconds in ends:
            await ends[seconds].wait()

    later = asyncio.Event()
    first: list[Answer] = [
        Fails(429, headers={"Retry-After": "5"}),
        Gate(Fails(429, headers={"Retry-After": "9"}), later),
    ]
    async with (
        StandIn([*first, Says("yes")]) as server,
        a_model(server.base_url, nap=sleep, clock=clock) as model,
    ):
        calls = asyncio.create_task(complete_all(model, 2))
        await server.finished(1)
        later.set()
        await server.finished(2)
        while model.paused_seconds < 9:
            await settle()
        ends[5.0].set()
        await settle()
        assert (len(server.payloads), model.waiting, model.paused_seconds) == (2, 2, 9.0)
        ends[9.0].set()
        assert answered(await calls) == 2


async def test_a_retry_after_beyond_the_total_timeout_ends_the_call_at_once() -> None:
    refusal = Fails(429, headers={"Retry-After": "20"})
    limits = replace(PATIENT, total=19.0)
    async with (
        StandIn([refusal]) as server,
        a_model(server.base_url, limits=limits, nap=Sleeper()) as model,
        asyncio.timeout(10),
    ):
        with pytest.raises(
            TransientError, match=r"asked to wait 20 seconds, longer than LLM_TOTAL_\w+ \(19\).* answered 429"
        ):
            await complete(model)


# --- The breaker -----------------------------------------------------------------------------------------------


async def test_a_dead_provider_opens_the_breaker_and_one_trial_call_tests_it() -> None:
    clock, is_back, held = Clock(), False, asyncio.Event()

    def script(number: int, _: Payload) -> Answer:
        return Gate(Says("yes"), held) if is_back else Fails(500)

    async with StandIn(script) as server, a_model(server.base_url, limits=FRAGILE, clock=clock) as model:
        requests_of: Counter[int] = Counter()
        calls = [complete(model, on_request=partial(requests_of.update, [number])) for number in range(12)]
        results = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(result) for result in results} == {CircuitOpen}
        assert model.usage.rejected == 12 - len(requests_of)
        # Three made it open; those that were under way with them could not know.
        assert 3 <= len(server.payloads) <= 5
        assert (model.breaker_state, model.usage.breaker_openings) == ("open", 1)

        sent, rejected = len(server.payloads), model.usage.rejected
        requests: list[None] = []
        with pytest.raises(CircuitOpen) as caught:
            await complete(model, on_request=lambda: requests.append(None))
        assert str(caught.value) == caught.value.kind
        assert caught.value.failure == "server_error"  # that of the provider's last one, for the log
        assert str(caught.value) == (
            "the model's API has been failing since 2026-07-01 12:00:00 UTC (the model's API answered 500) "
            "and will be tried again at 12:00:05"
        )
        assert (requests, len(server.payloads), model.usage.rejected) == ([], sent, rejected + 1)

        clock.now += 5
        assert {type(result) for result in await complete_all(model, 10)} == {CircuitOpen}
        assert (len(server.payloads), model.usage.breaker_openings) == (sent + 1, 2)

        clock.now += 10
        is_back = True
        asking = asyncio.create_task(complete(model))
        await server.called(sent + 2)
        assert model.breaker_state == "half-open"
        meanwhile = await complete_all(model, 10)
        assert {type(result) for result in meanwhile} == {CircuitOpen}
        assert str(meanwhile[0]).endswith("and is being tried again")
        assert len(server.payloads) == sent + 2
        held.set()
        assert (await asking).text == "yes"
        assert model.breaker_state == "closed"
        assert answered(await complete_all(model, 20)) == 20


async def test_calls_in_the_queue_or_in_back_off_fail_when_the_breaker_opens() -> None:
    sleeper, queued = Sleeper(), asyncio.Event()
    limits = replace(PATIENT, concurrency=1, ceiling=1, breaker_failures=2)
    script: list[Answer] = [Fails(500), Gate(Fails(500), queued)]
    async with (
        StandIn(script) as server,
        a_model(server.base_url, limits=limits, nap=sleeper) as model,
    ):
        backing_off = asyncio.create_task(complete(model, "a"))
        await server.finished(1)
        calls = [backing_off, *(asyncio.create_task(complete(model, job)) for job in "bcd")]
        await server.called(2)
        await settle()
        assert (model.in_flight, model.waiting, sleeper.asked) == (1, 2, [0.5])
        queued.set()
        results = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(result) for result in results] == [CircuitOpen] * 4
        assert (len(server.payloads), model.waiting, model.in_flight) == (2, 0, 0)
        # Nobody's second wait was begun.
        assert sleeper.asked == [0.5]


@pytest.mark.parametrize("is_back", [True, False])
async def test_other_calls_of_the_trials_job_wait_for_its_result(is_back: bool) -> None:
    clock = Clock()
    limits = replace(PATIENT, breaker_failures=1)

    def script(number: int, _: Payload) -> Answer:
        return Says("yes") if is_back and number > 1 else Fails(500)

    async with StandIn(script) as server, a_model(server.base_url, limits=limits, clock=clock) as model:
        await complete_all(model, 1)
        clock.now += 5
        results = await complete_all(model, 10, jobs=1)
        if is_back:
            assert (answered(results), len(server.payloads)) == (10, 11)
        else:
            assert ({type(result) for result in results}, len(server.payloads)) == ({CircuitOpen}, 2)


async def test_the_trials_first_token_closes_the_breaker() -> None:
    clock, answer = Clock(), Begins()
    limits = replace(PATIENT, breaker_failures=1)
    script: list[Answer] = [Fails(500), answer]
    async with StandIn(script) as server, a_model(server.base_url, limits=limits, clock=clock) as model:
        await complete_all(model, 1)
        clock.now += 5
        calls = asyncio.create_task(complete_all(model, 5, jobs=1))
        await server.called(1 + 5)
        assert (server.log, model.breaker_state) == ([f"{CALL} > 500"], "closed")
        answer.go_on.set()
        assert answered(await calls) == 5


async def test_after_a_cancelled_trial_the_next_call_is_the_trial() -> None:
    clock = Clock()
    limits = replace(PATIENT, breaker_failures=1)
    script: list[Answer] = [Fails(500), Hangs(), Says("yes")]
    async with StandIn(script) as server, a_model(server.base_url, limits=limits, clock=clock) as model:
        with pytest.raises(CircuitOpen):
            await complete(model)
        clock.now += 5
        asking = asyncio.create_task(complete(model))
        await server.called(2)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert (model.breaker_state, model.usage.cancelled) == ("open", 1)
        assert (await complete(model)).text == "yes"


async def test_after_a_cancelled_trial_a_waiting_call_of_its_job_is_the_trial() -> None:
    clock = Clock()
    limits = replace(PATIENT, breaker_failures=1)
    script: list[Answer] = [Fails(500), Hangs(), Says("yes")]
    async with StandIn(script) as server, a_model(server.base_url, limits=limits, clock=clock) as model:
        await complete_all(model, 1)
        clock.now += 5
        asking = asyncio.create_task(complete(model))
        await server.called(2)
        waiting = asyncio.create_task(complete(model))
        await settle()
        assert model.breaker_state == "half-open"
        asking.cancel()
        async with asyncio.timeout(10):
            assert (await waiting).text == "yes"


async def test_a_rejected_trial_closes_the_breaker() -> None:
    clock = Clock()
    limits = replace(PATIENT, breaker_failures=1)
    script: list[Answer] = [Fails(500), Fails(429), Says("yes")]
    async with StandIn(script) as server, a_model(server.base_url, limits=limits, clock=clock) as model:
        await complete_all(model, 1)
        clock.now += 5
        async with asyncio.timeout(10):
            assert (await complete(model)).text == "yes"
        assert model.breaker_state == "closed"


async def test_after_a_trial_cancelled_in_the_queue_the_next_call_is_the_trial() -> None:
    clock, held = Clock(), asyncio.Event()
    limits = replace(PATIENT, breaker_failures=1, concurrency=2, ceiling=2)
    script: dict[int, Answer] = {1: Gate(Says("late"), held), 2: Fails(500)}
    refusal = {3: Fails(429, headers={"Retry-After": "3"})}

    def choose(number: int, _: Payload) -> Answer:
        return (script | refusal).get(number, Says("yes"))

    async with StandIn(choose) as server, a_model(server.base_url, limits=limits, clock=clock) as model:
        slow = asyncio.create_task(complete(model))
        await server.called(1)
        with pytest.raises(CircuitOpen):
            await complete(model)
        model._admission._queue.resize(1)  # the slow one's: who asks must wait
        clock.now += 5
        asking = asyncio.create_task(complete(model))
        await settle()
        assert (model.breaker_state, model.waiting) == ("half-open", 1)
        asking.cancel()
        await settle()
        assert model.breaker_state == "open"
        held.set()
        assert (await slow).text == "late"


async def test_rejections_while_other_calls_are_answered_do_not_open_the_breaker() -> None:
    """The second call has its place when the first has its first word: the limit rises then."""
    answer = Begins()
    limits = replace(FRAGILE, concurrency=1, ceiling=2)
    async with (
        StandIn(lambda number, _: answer if number == 1 else Fails(500)) as server,
        a_model(server.base_url, limits=limits) as model,
    ):
        first = asyncio.create_task(complete(model))
        await server.called(1)
        with pytest.raises(TransientError, match="500"):
            await complete(model)
        assert (len(server.payloads), model.breaker_state) == (5, "closed")
        answer.go_on.set()
        await first


@pytest.mark.unmeasured
@pytest.mark.parametrize("answer", [Fails(429), Fails(400), Empty(), Filtered()])
async def test_failures_of_the_request_do_not_open_the_breaker(answer: Answer) -> None:
    async with StandIn([answer]) as server, a_model(server.base_url, limits=FRAGILE) as model:
        assert answered(await complete_all(model, 8)) == 0
        assert (model.breaker_state, model.usage.rejected) == ("closed", 0)


@pytest.mark.parametrize("answer", [Fails(500), Fails(503), Resets()])
async def test_failures_of_the_provider_open_the_breaker(answer: Answer) -> None:
    async with StandIn([answer]) as server, a_model(server.base_url, limits=FRAGILE) as model:
        assert answered(await complete_all(model, 8)) == 0
        assert model.breaker_state == "open"


@pytest.mark.parametrize("answer", [Hangs(), StallsMidStream()])
async def test_silence_opens_the_breaker(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass, answer: Answer
) -> None:
    """Time passes when all places are taken, and as much of the answers is read as there is."""
    places = FRAGILE.concurrency
    has_come = heard(monkeypatch, LAST_WORD) if isinstance(answer, StallsMidStream) else lambda number: True
    last = Outlasts(answer, partial(let_pass, FRAGILE.silence), has_come)
    async with (
        StandIn([*[answer] * (places - 1), last]) as server,
        a_model(server.base_url, limits=FRAGILE) as model,
    ):
        assert answered(await complete_all(model, 8)) == 0
        assert model.breaker_state == "open"
        assert len(server.payloads) >= places


async def test_a_refused_connection_opens_the_breaker_and_is_named() -> None:
    with a_closed_port() as url:
        async with a_model(url, limits=FRAGILE) as model:
            results = await complete_all(model, 8)
    assert {type(result) for result in results} == {CircuitOpen}
    assert "(the connection to the model failed: " in str(results[0])


# --- Faults ----------------------------------------------------------------------------------------------------


async def test_a_retry_keeps_its_place_in_the_queue() -> None:
    limits = replace(PATIENT, concurrency=1, ceiling=1)
    script: list[Answer] = [Fails(500), Says("yes")]
    began: list[str] = []
    async with StandIn(script) as server, a_model(server.base_url, limits=limits) as model:
        await asyncio.gather(*(complete(model, "job", partial(began.append, name)) for name in "abcd"))
    # The second had the place as soon as the first gave it back.
    assert began == ["a", "b", "a", "c", "d"]


@dataclass
class PassesByCalls:
    """Lets a little time pass with each call that comes, and where all that are in flight hang: nobody is slow but they."""

    script: Callable[[int], Answer]
    let_pass: Callable[[], None]
    in_flight: Callable[[], int] = int
    hanging: int = 0

    def __call__(self, number: int, payload: Payload) -> Answer:
        self.let_pass()
        answer = self.script(number)
        return self if isinstance(answer, Hangs) else answer

    async def give(self, call: Call) -> web.StreamResponse:
        self.hanging += 1
        try:
            for _ in range(MOST_TURNS):
                await asyncio.sleep(0)
                if self.hanging == self.in_flight():
                    self.let_pass()
            raise never_came(f"call {call.number}, which hangs, to be given up")
        finally:
            self.hanging -= 1


@pytest.mark.unmeasured
async def test_a_mix_of_faults_costs_at_most_a_quarter_more_requests_and_keeps_the_breaker_closed(
    let_only_this_pass: LetPass,
) -> None:
    """Of each hundred requests ten meet 429, five 500, two hang, one is reset. A hang is given up a thousand requests later."""
    dice = random.Random(5)
    kinds: list[Answer] = [Fails(429), Fails(500), Hangs(), Resets(), Says("yes")]
    hundreds = [dice.sample(kinds, 100, counts=[10, 5, 2, 1, 82]) for _ in range(10)]
    calls = 400
    limits = replace(FINDING, ceiling=32, total=1_000.0, breaker_failures=5)
    script = PassesByCalls(
        lambda number: hundreds[number // 100][number % 100],
        partial(let_only_this_pass, limits.silence / 1_000),
    )
    async with StandIn(script) as server, a_model(server.base_url, limits=limits, clock=Clock()) as model:
        script.in_flight = lambda: model.in_flight
        results = await complete_all(model, calls, jobs=200)
        usage = model.usage
        assert (usage.breaker_openings, usage.rejected) == (0, 0)
        assert usage.failures[Failure.TIMEOUT] > 0
        assert usage.requests <= 1.25 * calls
        # A call is given up when all of its four requests fail: about one in a thousand.
        assert answered(results) == usage.answered >= 0.99 * calls


async def test_after_many_quick_answers_the_first_token_timeout_is_shorter_and_doubles_with_a_retry(
    let_pass: LetPass,
) -> None:
    """Five seconds at first, and with each retry twice as many."""
    limits = replace(ENDLESS, silence=100.0)

    def script(number: int, _: Payload) -> Answer:
        return Says("yes") if number <= 20 else Outlasts(Hangs(), partial(let_pass, 5.0 * 2 ** (number - 21)))

    async with StandIn(script) as server, a_model(server.base_url, limits=limits, clock=Clock()) as model:
        assert answered(await complete_all(model, 20)) == 20
        with pytest.raises(TransientError, match=r"silent for 40 seconds"):
            await complete(model)
        assert model.usage.failures[Failure.TIMEOUT] == 4


# --- Counts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer, failure",
    [
        (Fails(429), Failure.RATE_LIMITED),
        (Fails(503), Failure.OVERLOADED),
        (Fails(529), Failure.OVERLOADED),
        (Fails(500), Failure.SERVER_ERROR),
        (Fails(408), Failure.TIMEOUT),
        (Fails(504), Failure.TIMEOUT),
        (Hangs(), Failure.TIMEOUT),
        (Resets(), Failure.CONNECTION),
        (Fails(400), Failure.REFUSED),
        (Fails(409), Failure.REFUSED),
        (Filtered(), Failure.REFUSED),
        (Empty(), Failure.BAD_ANSWER),
    ],
)
async def test_each_failure_is_counted_by_its_kind(
    let_pass: LetPass, answer: Answer, failure: Failure
) -> None:
    if isinstance(answer, Hangs):
        answer = Outlasts(answer, partial(let_pass, ENDLESS.silence))
    async with StandIn([answer]) as server, a_model(server.base_url, limits=ENDLESS) as model:
        with pytest.raises(ModelError) as caught:
            await complete(model)
        sent = model.usage.requests
        assert sent == (1 if isinstance(caught.value, PermanentError) else 4)
        failures = Counter({kind: count for kind, count in model.usage.failures.items() if count})
        assert failures == {failure: sent}
        assert model.usage.retries == sent - 1


async def test_answers_are_counted_with_their_usage() -> None:
    script: list[Answer] = [Fails(500), Says("one two", cost=0.25), Says("yes", usage=False)]
    async with StandIn(script) as server, a_model(server.base_url) as model:
        await complete(model)
        await complete(model)
        usage = model.usage
        assert (usage.requests, usage.answered, usage.retries, usage.cancelled) == (3, 2, 1, 0)
        assert (usage.prompt_tokens, usage.completion_tokens, usage.cost_usd) == (5, 2, 0.25)


async def test_a_request_counts_from_its_beginning_though_it_is_cancelled_before_the_provider_reads_it() -> (
    None
):
    async with StandIn([Says("yes")]) as server, a_model(server.base_url) as model:
        begun: list[None] = []

        def cancel() -> None:
            begun.append(None)
            call.cancel()  # ends it where it first waits: for the connection

        call = asyncio.create_task(complete(model, on_request=cancel))
        await asyncio.wait([call])
        assert (call.cancelled(), len(begun), server.payloads) == (True, 1, [])
        assert (model.usage.requests, model.usage.cancelled, model.in_flight) == (1, 1, 0)


async def test_the_total_timeout_counts_as_a_timeout_and_a_cancellation_does_not(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass
) -> None:
    limits = replace(PATIENT, silence=90.0)
    slow = Outlasts(StallsMidStream(), partial(let_pass, limits.total), heard(monkeypatch, LAST_WORD))
    async with StandIn([slow]) as server, a_model(server.base_url, limits=limits) as model:
        with pytest.raises(TransientError):
            await complete(model)
        assert (model.usage.failures[Failure.TIMEOUT], model.usage.cancelled) == (1, 0)
        # It had begun to answer, and so that many are borne: that it stalls may be chance.
        assert model.limit == 5
    mute = Outlasts(Hangs(), partial(let_pass, limits.total))
    async with StandIn([mute]) as server, a_model(server.base_url, limits=limits) as model:
        with pytest.raises(TransientError):
            await complete(model)
        assert (model.usage.failures[Failure.TIMEOUT], model.usage.cancelled, model.limit) == (1, 0, 2)
    async with StandIn([StallsMidStream()]) as server, a_model(server.base_url) as model:
        call = asyncio.create_task(complete(model))
        await server.called(1)
        call.cancel()
        await asyncio.wait([call])
        assert (sum(model.usage.failures.values()), model.usage.cancelled, model.limit) == (0, 1, 5)


# --- Headers ---------------------------------------------------------------------------------------------------


async def test_each_request_has_the_additional_headers_of_its_moment_and_its_own_unchanged() -> None:
    traces = iter(["first", "second"])

    def headers() -> dict[str, str]:
        return {"traceparent": next(traces), "Authorization": "none"}

    async with (
        StandIn([Fails(500), Says("yes")]) as server,
        a_model(server.base_url, headers=headers) as model,
    ):
        await complete(model)
    assert [sent["traceparent"] for sent in server.headers] == ["first", "second"]
    assert all(sent["Authorization"].startswith("Bearer sk-or") for sent in server.headers)


# --- Retries ---------------------------------------------------------------------------------------------------


@given(st.lists(st.booleans(), max_size=400))
def test_retries_stay_within_the_reserve_and_a_share_of_the_calls(earns: list[bool]) -> None:
    budget, earned, spent = RetryBudget(), 0, 0
    for earn in earns:
        if earn:
            budget.earn()
            earned += 1
        else:
            spent += budget.spend()
        assert spent <= RETRY_RESERVE + RETRY_SHARE * earned


def test_the_retry_budget_never_exceeds_its_reserve() -> None:
    budget = RetryBudget()
    for _ in range(10_000):
        budget.earn()
    assert sum(budget.spend() for _ in range(10_000)) == RETRY_RESERVE


async def test_calls_retry_as_far_as_the_budget_of_all_calls_goes() -> None:
    budget, nap = RetryBudget(), Nap()
    requests: list[int] = []
    expected: list[int] = []
    async with StandIn([Fails(500)]) as server, a_model(server.base_url, nap=nap) as model:
        for _ in range(21):
            before = model.usage.requests
            with pytest.raises(TransientError, match="answered 500"):
                await complete(model)
            requests.append(model.usage.requests - before)
            budget.earn()
            expected.append(1 + sum(budget.spend() for _ in range(MAX_RETRIES)))
    assert requests == expected
    assert set(expected) == {1, 2, 4}
    assert len(nap.slept) == model.usage.retries
