"""The response cache: what is cached, for whom and how long; which calls share a request, and which one is charged for it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provider.head_start import HEAD_START_SECONDS
from provider.model import Completion, JobRequests, TransientError
from provider.response_cache import ENTRY_BYTES, CacheBounds, CacheCounts, CacheEntries, ResponseCache
from summarizing.model_calls import ModelCalls
from summarizing.prompt_templates import Prompt
from tests.support.laws import examples
from tests.support.manual_time import LetPass, until
from tests.support.messages import Message, call, legacy
from tests.support.parts import a_model
from tests.support.service import Run, Service, prose, with_model
from tests.support.stand_in import Answer, StandIn
from tests.support.stand_in_answers import CutAtLimit, Fails, Gate, Says, Summarizes

law = examples(100)

LONG = prose(60)
OUTCOME = "mcp-summarizer/outcome"


@dataclass
class Clock:
    """A clock that goes when it is told to."""

    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


# --- The entries, by their laws ------------------------------------------------------------------------------------------


@dataclass
class Model:
    """The behaviour of `CacheEntries` as a plain list, the least recently used first."""

    max_bytes: int
    seconds: float
    entries: list[tuple[bytes, str, float]] = field(default_factory=list)

    @staticmethod
    def size(text: str) -> int:
        return sys.getsizeof(text) + ENTRY_BYTES

    def expire(self, now: float) -> None:
        self.entries = [entry for entry in self.entries if entry[2] > now]

    def get(self, key: bytes, now: float) -> str | None:
        self.expire(now)
        found = [entry for entry in self.entries if entry[0] == key]
        self.entries = [entry for entry in self.entries if entry[0] != key] + found
        return found[0][1] if found else None

    def put(self, key: bytes, text: str, now: float) -> None:
        self.expire(now)
        self.entries = [entry for entry in self.entries if entry[0] != key]
        if self.size(text) > self.max_bytes:
            return
        self.entries.append((key, text, now + self.seconds))
        while self.bytes > self.max_bytes:
            self.entries.pop(0)

    @property
    def bytes(self) -> int:
        return sum(self.size(text) for _, text, _ in self.entries)


keys = st.integers(0, 5).map(lambda number: bytes([number]))
steps = st.lists(
    st.one_of(
        st.tuples(st.just("get"), keys, st.just("")),
        st.tuples(st.just("put"), keys, st.sampled_from(["", "a", "字" * 40, "x" * 700, "y" * 3_000])),
        st.tuples(st.just("wait"), st.sampled_from([1, 4, 10]), st.just("")),
    ),
    min_size=10,
    max_size=40,
)


@law
@given(steps, st.one_of(st.integers(0, 5_000), st.sampled_from([1_500, 2_200, 2_900])))
def test_the_cache_is_bounded_and_evicts_the_least_recently_used(
    done: Sequence[tuple[str, bytes | int, str]], max_bytes: int
) -> None:
    clock, counts = Clock(), CacheCounts()
    entries, model = CacheEntries(CacheBounds(max_bytes, 10.0), clock, counts), Model(max_bytes, 10.0)
    for what, key, text in done:
        if isinstance(key, int):
            clock.now += key
            entries.expire()
            model.expire(clock.now)
        elif what == "put":
            entries.put(key, Completion(text))
            model.put(key, text, clock.now)
        else:
            found = entries.get(key)
            assert (found and found.text) == model.get(key, clock.now)
        assert (counts.entries, counts.bytes) == (len(model.entries), model.bytes)
        assert counts.bytes <= max_bytes


def test_a_used_answer_outlives_an_unused_one() -> None:
    entries = CacheEntries(CacheBounds(3 * (ENTRY_BYTES + 60), 600.0), Clock(), CacheCounts())
    for key in (b"a", b"b", b"c"):
        entries.put(key, Completion(""))
    entries.get(b"a")
    entries.put(b"d", Completion(""))
    assert [bool(entries.get(key)) for key in (b"a", b"b", b"c", b"d")] == [True, False, True, True]


def test_using_an_answer_does_not_renew_its_ttl() -> None:
    clock = Clock()
    entries = CacheEntries(CacheBounds(10_000, 600.0), clock, CacheCounts())
    entries.put(b"key", Completion("yes"))
    for _ in range(5):
        clock.now += 119.0
        assert entries.get(b"key")
    clock.now += 6.0
    assert entries.get(b"key") is None


def test_an_answer_that_was_replaced_meanwhile_is_not_invalidated() -> None:
    counts = CacheCounts()
    entries = CacheEntries(CacheBounds(10_000, 600.0), Clock(), counts)
    old, new = Completion("one"), Completion("one")
    entries.put(b"key", old)
    entries.put(b"key", new)
    entries.drop(b"key", old)
    assert entries.get(b"key") is new
    entries.drop(b"key", new)
    entries.drop(b"key", new)
    assert (entries.get(b"key"), counts.entries, counts.bytes) == (None, 0, 0)


# --- Against the stand-in, on a real socket ---------------------------------------------------------------------------


@dataclass
class Bench:
    """ResponseCache over a model over the stand-in."""

    answers: ResponseCache
    counts: CacheCounts
    clock: Clock

    async def ask(
        self,
        user: str = "text",
        *,
        job: JobRequests | None = None,
        system: str = "rules",
        max_tokens: int = 100,
    ) -> Completion:
        return await self.answers.complete(system, user, max_tokens, [job or JobRequests()])


@asynccontextmanager
async def a_bench(
    server: StandIn, *, max_bytes: int = 1_000_000, seconds: float = 600.0
) -> AsyncIterator[Bench]:
    clock, counts = Clock(), CacheCounts()
    async with a_model(server.base_url) as model:
        bounds = CacheBounds(max_bytes, seconds)
        answers = ResponseCache(model, bounds, clock=clock, counts=counts)
        try:
            yield Bench(answers, counts, clock)
        finally:
            await answers.close()


async def test_a_repeated_prompt_is_a_hit_and_costs_nothing() -> None:
    async with StandIn([Says("one", cost=0.5), Says("two")]) as server, a_bench(server) as bench:
        begun = [JobRequests(), JobRequests()]
        first, second = [await bench.ask(job=job) for job in begun]
        assert bench.answers.name == "test/model"
    assert first == Completion("one", "stop", 2, 1, 0.5, reused=False)
    assert second == Completion("one", "stop", 0, 0, 0, reused=True)
    assert [job.requests for job in begun] == [1, 0]
    assert len(server.payloads) == 1
    assert (bench.counts.hits, bench.counts.shared, bench.counts.misses) == (1, 0, 1)


async def test_usage_that_the_provider_does_not_report_stays_unknown() -> None:
    async with StandIn([Says("one", usage=False)]) as server, a_bench(server) as bench:
        answers = [await bench.ask() for _ in range(2)]
    assert answers == [Completion("one"), Completion("one", reused=True)]


@pytest.mark.parametrize(
    "other",
    [
        {"user": "text "},
        {"system": "rule"},
        {"max_tokens": 101},
        {"job": JobRequests("another key")},
        {"job": JobRequests("", "another/model")},
    ],
    ids=lambda other: str(*other),
)
async def test_any_difference_in_the_key_is_a_miss(other: dict[str, object]) -> None:
    async with StandIn([Says("one"), Says("two")]) as server, a_bench(server) as bench:
        said = [(await bench.ask(**each)).text for each in ({}, other, {}, other)]  # type: ignore[arg-type]
    assert said == ["one", "two", "one", "two"]
    assert len(server.payloads) == 2


async def test_text_moved_from_the_system_to_the_user_prompt_is_a_miss() -> None:
    async with StandIn([Says("one"), Says("two")]) as server, a_bench(server) as bench:
        said = [(await bench.ask(user, system=system)).text for system, user in (("ab", "c"), ("a", "bc"))]
    assert said == ["one", "two"]


async def test_an_expired_answer_is_a_miss() -> None:
    async with StandIn([Says("one"), Says("two")]) as server, a_bench(server, seconds=60.0) as bench:
        said = []
        for later in (0.0, 59.0, 1.0):
            bench.clock.now += later
            said.append((await bench.ask()).text)
        bench.clock.now += 60.0
        bench.answers.expire()
        assert (bench.counts.entries, bench.counts.bytes) == (0, 0)
    assert said == ["one", "one", "two"]


@pytest.mark.parametrize("script", [[CutAtLimit(), Says("whole")], [Fails(400), Says("whole")]])
async def test_truncated_answers_and_errors_are_not_cached(script: list[Answer]) -> None:
    async with StandIn(script) as server, a_bench(server) as bench:
        await asyncio.gather(bench.ask(max_tokens=9), return_exceptions=True)
        assert (bench.counts.entries, bench.counts.bytes) == (0, 0)
        assert (await bench.ask(max_tokens=9)).text == "whole"
    assert bench.counts.misses == 2


async def test_an_invalidated_answer_is_a_miss() -> None:
    async with StandIn([Says("one"), Says("two"), Says("three")]) as server, a_bench(server) as bench:
        (await bench.ask()).invalidate()
        assert (await bench.ask()).text == "two"
        reused = await bench.ask()
        assert (reused.text, reused.reused) == ("two", True)
        reused.invalidate()
        assert (await bench.ask()).text == "three"


# --- In flight --------------------------------------------------------------------------------------------------------


class Asked:
    """Calls in flight, by the order in which they began."""

    def __init__(self, bench: Bench, number: int) -> None:
        self.jobs = [JobRequests() for _ in range(number)]
        self.calls = [asyncio.create_task(bench.ask(job=job)) for job in self.jobs]

    async def cancel(self, at: int) -> None:
        self.calls[at].cancel()
        await asyncio.wait([self.calls[at]])
        assert self.calls[at].cancelled()


def closed() -> tuple[asyncio.Event, Callable[[Answer], Gate]]:
    """Return an event, and what holds an answer back until it is set."""
    go_on = asyncio.Event()
    return go_on, lambda answer: Gate(answer, go_on)


@pytest.mark.parametrize("number", [2, 3, 20])
@pytest.mark.parametrize("max_bytes", [1_000_000, 0])
async def test_identical_calls_in_flight_share_one_request(number: int, max_bytes: int) -> None:
    go_on, gate = closed()
    async with (
        StandIn([gate(Says("one", cost=0.5))]) as server,
        a_bench(server, max_bytes=max_bytes) as bench,
    ):
        asked = Asked(bench, number)
        await server.called(1)
        go_on.set()
        answers = await asyncio.gather(*asked.calls)
    assert answers[0] == Completion("one", "stop", 2, 1, 0.5)
    assert set(answers[1:]) == {Completion("one", "stop", 0, 0, 0, reused=True)}
    assert [job.requests for job in asked.jobs] == [1] + [0] * (number - 1)
    assert len(server.payloads) == 1
    assert (bench.counts.hits, bench.counts.shared, bench.counts.misses) == (0, number - 1, 1)
    assert bench.counts.entries == bool(max_bytes)


async def test_the_head_start_of_a_job_that_shares_all_its_calls_begins_when_it_joins(
    let_only_this_pass: LetPass,
) -> None:
    """Its background work would wait for the end of the other job's call: it sends no request of its own."""
    go_on, gate = closed()
    async with StandIn([gate(Says("one"))]) as server, a_bench(server) as bench:
        jobs = [ModelCalls(bench.answers), ModelCalls(bench.answers)]
        calls = [asyncio.create_task(job.complete(Prompt("rules", "text"), 100)) for job in jobs]
        await server.called(1)
        let_only_this_pass(HEAD_START_SECONDS)
        over = [asyncio.create_task(job.head_start.wait()) for job in jobs]
        await until(lambda: all(task.done() for task in over), "both head starts to be over")
        assert not any(call.done() for call in calls)
        go_on.set()
        await asyncio.gather(*calls)
    assert [job.counts.requests for job in jobs] == [1, 0]
    assert [job.counts.reused for job in jobs] == [0, 1]


async def test_other_prompts_do_not_wait_for_a_shared_request() -> None:
    go_on, gate = closed()
    async with StandIn([gate(Says("slow")), Says("quick")]) as server, a_bench(server) as bench:
        slow = asyncio.create_task(bench.ask("slow"))
        await server.called(1)
        assert (await bench.ask("quick")).text == "quick"
        assert not slow.done()
        go_on.set()
        assert (await slow).text == "slow"


async def test_the_other_callers_get_the_answer_though_the_first_is_cancelled() -> None:
    go_on, gate = closed()
    async with StandIn([gate(Says("one"))]) as server, a_bench(server) as bench:
        asked = Asked(bench, 3)
        await server.called(1)
        await asked.cancel(0)
        await asked.cancel(2)
        go_on.set()
        # Its usage is the answer's, and stands in one outcome: that of the call that is still there.
        assert await asked.calls[1] == Completion("one", "stop", 2, 1)
    assert server.log == ["POST /api/v1/chat/completions > 200"]
    assert [job.requests for job in asked.jobs] == [1, 0, 0]


async def test_a_retry_is_reported_to_a_call_that_still_waits() -> None:
    go_on, gate = closed()
    async with StandIn([gate(Fails(503)), Says("one")]) as server, a_bench(server) as bench:
        asked = Asked(bench, 2)
        await server.called(1)
        await asked.cancel(0)
        go_on.set()
        await asked.calls[1]
    assert [job.requests for job in asked.jobs] == [1, 1]


async def test_the_request_is_cancelled_with_the_last_waiting_call() -> None:
    _, gate = closed()
    async with StandIn([gate(Says("never")), Says("anew")]) as server, a_bench(server) as bench:
        asked = Asked(bench, 2)
        await server.called(1)
        await asked.cancel(0)
        assert server.in_flight == 1
        await asked.cancel(1)
        await server.finished(1)
        assert server.log == ["POST /api/v1/chat/completions > cancelled"]
        assert (await bench.ask()).text == "anew"
    assert (bench.counts.shared, bench.counts.misses) == (1, 2)


@dataclass
class Slow:
    """A model whose cancelled calls take until the test says so to end; a later one answers at once."""

    name: str = "slow/model"
    expected_concurrency: int = 5
    begun: int = 0
    ending: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def complete(
        self, system: str, user: str, max_tokens: int, waiting: list[JobRequests]
    ) -> Completion:
        self.begun += 1
        if self.begun == 2:
            return Completion("anew")
        try:
            await asyncio.Event().wait()
        finally:
            self.ending.set()
            await self.go_on.wait()
        raise AssertionError


async def test_no_call_joins_a_request_that_is_being_cancelled() -> None:
    slow, counts = Slow(), CacheCounts()
    bench_clock = Clock()
    answers = ResponseCache(slow, CacheBounds(0, 600.0), clock=bench_clock, counts=counts)
    bench = Bench(answers, counts, bench_clock)
    first = asyncio.create_task(bench.ask())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    first.cancel()
    await slow.ending.wait()
    # The call is over when its request is: connections are not left to whoever closes them.
    assert not first.done()
    anew = asyncio.create_task(bench.ask())
    await asyncio.sleep(0)
    assert slow.begun == 1
    await asyncio.sleep(0)
    assert slow.begun == 2, "it waits for what is being cancelled"
    assert (await anew).text == "anew"
    slow.go_on.set()
    await asyncio.wait([first])
    assert first.cancelled()


async def test_a_call_that_is_cancelled_at_once_leaves_nothing_behind() -> None:
    async with StandIn([Says("one")]) as server, a_bench(server) as bench:
        cancelled = asyncio.create_task(bench.ask())
        await asyncio.sleep(0)  # the request's own task has not begun yet
        cancelled.cancel()
        await asyncio.wait([cancelled])
        assert (await bench.ask()).text == "one"
    assert len(server.payloads) == 1


async def test_an_error_reaches_all_sharing_calls_and_is_not_cached() -> None:
    go_on, gate = closed()
    async with StandIn([gate(Fails(400)), Says("one")]) as server, a_bench(server) as bench:
        asked = Asked(bench, 3)
        await server.called(1)
        go_on.set()
        errors = await asyncio.gather(*asked.calls, return_exceptions=True)
        assert {str(error) for error in errors} == {"the model's API answered 400: stand-in failure 400"}
        assert (await bench.ask()).text == "one"
    assert len(server.payloads) == 2


async def test_an_error_without_a_waiting_call_is_not_logged_by_asyncio() -> None:
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context))

    class Spoiled(Slow):
        async def complete(self, *arguments: object, **more: object) -> Completion:
            try:
                await asyncio.Event().wait()
            finally:
                raise TransientError("too late")

    answers = ResponseCache(Spoiled(), CacheBounds(0, 600.0), clock=Clock(), counts=CacheCounts())
    calling = asyncio.create_task(Bench(answers, CacheCounts(), Clock()).ask())
    for _ in range(3):
        await asyncio.sleep(0)
    calling.cancel()
    await asyncio.wait([calling])
    del calling, answers
    await asyncio.sleep(0)
    assert complaints == []


async def test_a_request_has_the_context_variables_of_its_first_call() -> None:
    trace: ContextVar[str] = ContextVar("trace", default="")
    seen: list[str] = []

    class Watched(Slow):
        async def complete(self, *arguments: object, **more: object) -> Completion:
            seen.append(trace.get())
            await asyncio.sleep(0)
            return Completion("yes")

    counts = CacheCounts()
    bench = Bench(
        ResponseCache(Watched(), CacheBounds(0, 600.0), clock=Clock(), counts=counts),
        counts,
        Clock(),
    )

    async def ask_as(name: str) -> None:
        trace.set(name)
        await bench.ask()

    await asyncio.gather(ask_as("first"), ask_as("second"))
    assert seen == ["first"]
    assert counts.shared == 1


async def test_requests_in_flight_at_the_end_are_cancelled() -> None:
    _, gate = closed()
    async with StandIn([gate(Says("never"))]) as server:
        async with a_bench(server) as bench:
            asked = Asked(bench, 2)
            await server.called(1)
        await asyncio.wait(asked.calls)
        assert all(each.cancelled() for each in asked.calls)
        await server.finished(1)
    assert server.log == ["POST /api/v1/chat/completions > cancelled"]


@law
@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=12), st.sets(st.integers(0, 11)))
def test_each_prompt_is_sent_once_whichever_calls_are_cancelled(prompts: list[str], gone: set[int]) -> None:
    """As long as one of those who wait for it stays."""
    stay = [prompt for at, prompt in enumerate(prompts) if at not in gone]

    async def run() -> tuple[list[str], list[Completion]]:
        asked: list[str] = []
        go_on = asyncio.Event()

        class Counting(Slow):
            async def complete(
                self, system: str, user: str, max_tokens: int, waiting: list[JobRequests]
            ) -> Completion:
                asked.append(user)
                await go_on.wait()
                return Completion(user, "stop", 7)

        counts, clock = CacheCounts(), Clock()
        bench = Bench(
            ResponseCache(Counting(), CacheBounds(0, 600.0), clock=clock, counts=counts),
            counts,
            clock,
        )
        calls = [asyncio.create_task(bench.ask(prompt)) for prompt in prompts]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for at, each in enumerate(calls):
            if at in gone:
                each.cancel()
        await asyncio.sleep(0)
        go_on.set()
        done = await asyncio.gather(*calls, return_exceptions=True)
        return asked, [each for each in done if isinstance(each, Completion)]

    asked, answers = asyncio.run(run())
    assert sorted(asked) == sorted(set(prompts))
    assert [each.text for each in answers] == stay
    for prompt in set(stay):
        paid = [each.reused for each in answers if each.text == prompt]
        assert paid.count(False) == 1
    assert sum(each.prompt_tokens or 0 for each in answers) == 7 * len(set(stay))


# --- The whole service ------------------------------------------------------------------------------------------------


async def outcome_of_call(service: Service, content: str = LONG, key: str = "") -> tuple[str, Message]:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    message = legacy("tools/call", call("summarize", content=content, max_output_tokens=200))
    result = (await service.post(message, headers)).json()["result"]
    return result["content"][0]["text"], result["_meta"][OUTCOME]


async def test_a_repeated_call_costs_nothing_and_says_so(run: Run) -> None:
    async with StandIn([Summarizes(cost=0.25)]) as model, run(**with_model(model)) as service:
        (first, asked), (again, reused) = [await outcome_of_call(service) for _ in range(2)]
    assert first == again
    assert asked["llm_calls"] == len(model.payloads) >= 2
    assert "reused_answers" not in asked
    assert reused["reused_answers"] == asked["llm_calls"]
    paid = ("llm_calls", "prompt_tokens", "completion_tokens", "cost_usd")
    assert [reused[name] for name in paid] == [0, 0, 0, 0]


async def test_two_identical_calls_at_once_are_one_to_the_model(run: Run) -> None:
    go_on, gate = closed()
    # One call at a time, of chunks that all differ: the second call has joined the first request, or comes after it.
    async with StandIn([gate(Summarizes())]) as model, run(**with_model(model)) as service:
        calls = [asyncio.create_task(outcome_of_call(service)) for _ in range(2)]
        await model.called(1)
        go_on.set()
        (first, one), (second, other) = await asyncio.gather(*calls)
    assert first == second
    prompts = [payload["messages"] for payload in model.payloads]
    assert all(before not in prompts[at + 1 :] for at, before in enumerate(prompts))
    assert one["llm_calls"] + other["llm_calls"] == len(prompts)
    assert one["prompt_tokens"] + other["prompt_tokens"] > 0
    assert one.get("reused_answers", 0) + other.get("reused_answers", 0) == len(prompts)


@pytest.mark.unmeasured
@pytest.mark.parametrize("settings", [{"ANSWER_CACHE_SECONDS": "0"}, {"ANSWER_CACHE_BYTES": "0"}])
async def test_without_the_cache_a_repeated_call_is_sent_again(run: Run, settings: dict[str, str]) -> None:
    async with StandIn([Summarizes()]) as model, run(**with_model(model, **settings)) as service:
        outcomes = [(await outcome_of_call(service))[1] for _ in range(2)]
    assert outcomes[0]["llm_calls"] == outcomes[1]["llm_calls"] == len(model.payloads) / 2


@pytest.mark.unmeasured
async def test_another_keys_identical_call_is_a_miss(run: Run) -> None:
    keys = ("the-first-callers-key", "the-second-callers-key")
    async with (
        StandIn([Summarizes()]) as model,
        run(**with_model(model, MCP_SUMMARIZER_API_KEYS=",".join(keys))) as service,
    ):
        calls = [(await outcome_of_call(service, key=key))[1]["llm_calls"] for key in (*keys, *keys)]
    assert calls[0] == calls[1] > 0 == calls[2] == calls[3]


async def test_after_a_partial_result_only_the_failed_chunks_are_sent_again(run: Run) -> None:
    broken = [False, True]

    def choose(number: int, payload: Message) -> Answer:
        return Fails(400) if broken[number == 2] and broken else Summarizes()

    async with StandIn(choose) as model, run(**with_model(model)) as service:
        _, partial = await outcome_of_call(service)
        broken[1] = False
        _, whole = await outcome_of_call(service)
    assert (partial["status"], partial["failed_chunks"]) == ("partial", 1)
    assert (whole["status"], whole["failed_chunks"]) == ("summarized", 0)
    assert whole["reused_answers"] == partial["chunks"] - 1


async def test_an_answer_that_is_not_a_summary_is_not_cached(run: Run) -> None:
    useless = True

    def choose(number: int, payload: Message) -> Answer:
        return Says("Done.") if useless else Summarizes()

    async with StandIn(choose) as model, run(**with_model(model)) as service:
        _, refused = await outcome_of_call(service)
        useless = False
        _, summarized = await outcome_of_call(service)
    assert (refused["status"], summarized["status"]) == ("unsummarized", "summarized")
    assert "reused_answers" not in summarized


async def test_only_jobs_of_one_owner_share_an_answer() -> None:
    async with StandIn([Says("One."), Says("Two.")]) as server, a_bench(server) as bench:
        jobs = [ModelCalls(bench.answers, owner) for owner in ("a key", "another key", "a key")]
        texts = [(await calls.complete(Prompt("rules", "text"), 100)).text for calls in jobs]
        assert texts == ["One.", "Two.", "One."]
        assert [(calls.counts.requests, calls.counts.reused) for calls in jobs] == [(1, 0), (1, 0), (0, 1)]
