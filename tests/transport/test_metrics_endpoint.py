"""GET /metrics of a running service: what is counted, who may read it, and what is never in it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest
from aiohttp import web

from observability import metric_catalogue, process_usage
from observability.loop_lag import LoopLag
from observability.metrics import Counter, exposition
from tests.support.messages import call, legacy, modern, routing
from tests.support.scrapes import Numbers, read, scrape
from tests.support.service import NAMES, PATIENCE_S, PLACES, Run, Service, listening, prose, with_model
from tests.support.stand_in import Answer, StandIn
from tests.support.stand_in_answers import Fails, Gate, Hangs, Says, Summarizes
from tests.support.wire import begin, connected, declaring_tasks, request, streaming
from tools.call_results import OUTCOME_KEY
from transport.metrics_endpoint import counted
from transport.request_body import SMALL_BODY_BYTES

KEY = "a key that nobody guesses"
SUMMARY = call(content=prose(60), max_output_tokens=200)
A_SUMMARY = legacy("tools/call", SUMMARY)

CALLS = "mcp_summarizer_tool_calls_total"
REQUESTS = "mcp_summarizer_requests"
ANSWERED = "mcp_summarizer_http_requests_total"
WAITS = "mcp_summarizer_request_wait_seconds"


async def until(service: Service, reached: Callable[[Numbers], bool]) -> Numbers:
    """Ask for the numbers until they are what a test is sure they will be."""
    async with asyncio.timeout(PATIENCE_S):
        while not reached(numbers := await scrape(service)):
            pass
    return numbers


@asynccontextmanager
async def asking(run: Run, *script: Answer, **settings: str) -> AsyncIterator[tuple[Service, StandIn]]:
    """Run a service with a model that does what the script says."""
    async with StandIn(script) as model, run(**with_model(model, **settings)) as service:
        yield service, model


# What is counted.


async def test_a_call_is_counted_by_its_tool_and_status_with_its_time_and_sizes(service: Service) -> None:
    before = await scrape(service)
    assert before.of(CALLS, tool="summarize", status="summarized") == 0
    outcome = (await service.post(A_SUMMARY)).json()["result"]["_meta"][OUTCOME_KEY]
    numbers = await scrape(service)
    assert numbers.of(CALLS, tool="summarize", status="summarized") == 1
    assert numbers.of("mcp_summarizer_tool_call_duration_seconds_count", tool="summarize") == 1
    took = numbers.of("mcp_summarizer_tool_call_duration_seconds_sum", tool="summarize")
    assert 0 < took < PATIENCE_S
    assert numbers.of("mcp_summarizer_input_tokens_sum") == outcome["input_tokens"]
    assert numbers.of("mcp_summarizer_output_tokens_sum") == outcome["output_tokens"]
    assert numbers.of("mcp_summarizer_input_tokens_bucket", le="256") == 0
    assert numbers.of("mcp_summarizer_output_tokens_bucket", le="256") == 1
    assert numbers.of(ANSWERED, code="200") == 1


@pytest.mark.parametrize(
    "tool, arguments, status",
    [
        ("summarize", {"content": "It is short."}, "passthrough"),
        ("summarize", {"content": 7}, "error"),
        ("summarize_for_extraction", {"content": prose(60), "schema_hint": "boats", "max_output_tokens": 99}, "summarized"),
        ("read_original", {"result_id": "none"}, "error"),
    ],
)  # fmt: skip
async def test_each_status_has_its_count(
    service: Service, tool: str, arguments: dict[str, object], status: str
) -> None:
    await service.post(legacy("tools/call", call(tool, **arguments)))
    assert (await scrape(service)).of(CALLS, tool=tool, status=status) == 1


FACTS = "mcp_summarizer_facts_total"
PAIRS = [(name, place) for place in PLACES for name in NAMES]


async def test_facts_are_counted_as_the_outcomes_say_them(run: Run) -> None:
    ledger = "\n\n".join(
        f"{name} of {place} owes {7 * at + 12} barrels of oil." for at, (name, place) in enumerate(PAIRS)
    )
    said = "- Adeline of Ashmere owes 12 barrels of oil.\n- Odo of Ashmere owes 90000 barrels of oil."
    asked = {"content": ledger, "schema_hint": "who owes how many barrels"}
    total = dict.fromkeys(("kept", "put_back", "lost", "unsupported"), 0)
    async with asking(run, Says(said), DEFAULT_CHUNK_SIZE_TOKENS="2000") as (service, _):
        assert (await scrape(service)).of(FACTS, result="lost") == 0
        for target in (150, 300):
            message = legacy(
                "tools/call", call("summarize_for_extraction", **asked, max_output_tokens=target)
            )
            facts = (await service.post(message)).json()["result"]["_meta"][OUTCOME_KEY]["facts"]
            total["kept"] += facts["kept"] - facts["put_back"]
            total["put_back"] += facts["put_back"]
            total["lost"] += facts["had"] - facts["kept"]
            total["unsupported"] += facts["dropped"] + len(facts["unsupported"])
        numbers = await scrape(service)
    assert all(total.values()), total
    assert {result: numbers.of(FACTS, result=result) for result in total} == total


async def test_a_tool_that_gives_no_summary_is_counted_as_ok(service: Service) -> None:
    kept = await service.post(
        legacy("tools/call", call(content=prose(60), max_output_tokens=99, keep_original=True))
    )
    result_id = kept.json()["result"]["_meta"][OUTCOME_KEY]["result_id"]
    await service.post(legacy("tools/call", call("read_original", result_id=result_id)))
    numbers = await scrape(service)
    assert numbers.of(CALLS, tool="read_original", status="ok") == 1
    assert numbers.of("mcp_summarizer_originals") == 1
    assert 0 < numbers.of("mcp_summarizer_originals_bytes") < len(prose(60)) + 300


async def test_names_that_clients_make_up_are_one_label(service: Service) -> None:
    for name in ("x", 'y"\n', "summarize "):
        await service.post(legacy("tools/call", call(name)))
    numbers = await scrape(service)
    assert numbers.of(CALLS, tool="unknown", status="error") == 3
    tools = {dict(labels)["tool"] for labels in numbers.labels_of(CALLS)}
    assert tools == {
        "unknown",
        "summarize",
        "summarize_for_extraction",
        "read_original",
        "search_original",
        "summarize_original",
        "summarize_tool_result",
    }


async def test_a_refused_request_is_counted_by_its_status(service: Service) -> None:
    await service.http.get(service.url)
    await service.http.post(service.url, content=b"{}", headers={"Content-Type": "text/plain"})
    numbers = await scrape(service)
    assert (numbers.of(ANSWERED, code="405"), numbers.of(ANSWERED, code="415")) == (1, 1)
    assert numbers.of(ANSWERED, code="503") == 0


async def test_what_waits_for_its_turn_is_seen_and_what_is_too_much_is_counted(run: Run) -> None:
    go_on = asyncio.Event()
    limits = {"MAX_CONCURRENT_REQUESTS": "1", "MAX_QUEUED_REQUESTS": "1"}
    async with asking(run, Gate(Summarizes(), go_on), **limits) as (service, model):
        first = asyncio.create_task(service.post(A_SUMMARY))
        await model.called(1)
        numbers = await scrape(service)
        assert (numbers.of(REQUESTS, state="working"), numbers.of(REQUESTS, state="waiting")) == (1, 0)
        second = asyncio.create_task(service.post(A_SUMMARY))
        numbers = await until(service, lambda now: now.of(REQUESTS, state="waiting") == 1)
        assert numbers.of(REQUESTS, state="working") == 1
        assert numbers.of("mcp_summarizer_requests_limit", state="working") == 1
        assert numbers.of("mcp_summarizer_requests_limit", state="waiting") == 1
        assert (await service.post(A_SUMMARY)).status_code == 503
        assert (await scrape(service)).of(ANSWERED, code="503") == 1
        go_on.set()
        await first
        await second
        numbers = await until(service, lambda now: now.of(REQUESTS, state="working") == 0)
    assert (numbers.of(REQUESTS, state="waiting"), numbers.of(ANSWERED, code="200")) == (0, 2)


async def test_the_wait_of_each_call_is_counted_and_what_never_waits_is_not(run: Run) -> None:
    go_on = asyncio.Event()
    limits = {"MAX_CONCURRENT_REQUESTS": "1", "MAX_QUEUED_REQUESTS": "1"}
    async with asking(run, Gate(Summarizes(), go_on), **limits) as (service, model):
        await service.post(legacy("tools/list"))
        assert (await scrape(service)).of(f"{WAITS}_count") == 0
        first = asyncio.create_task(service.post(A_SUMMARY))
        await model.called(1)
        numbers = await scrape(service)
        assert (numbers.of(f"{WAITS}_count"), numbers.of(f"{WAITS}_sum")) == (1, 0)
        second = asyncio.create_task(service.post(A_SUMMARY))
        await until(service, lambda now: now.of(REQUESTS, state="waiting") == 1)
        assert (await service.post(A_SUMMARY)).status_code == 503
        go_on.set()
        await first
        await second
        numbers = await scrape(service)
    assert numbers.of(f"{WAITS}_count") == 2
    assert 0 < numbers.of(f"{WAITS}_sum") < PATIENCE_S


async def test_bodies_that_are_being_received_are_seen(run: Run) -> None:
    async with run(MAX_CONCURRENT_REQUESTS="1") as service, AsyncExitStack() as stack:
        for size in (2, SMALL_BODY_BYTES, 2 * SMALL_BODY_BYTES):
            connection = await stack.enter_async_context(connected(service))
            await begin(connection, f"Content-Length: {size}")
            connection.send(b" " * (size - 1))
        numbers = await until(service, lambda now: now.of(REQUESTS, state="reading") == 3)
        assert numbers.of(REQUESTS, state="working") == numbers.of(REQUESTS, state="waiting") == 0


async def test_a_client_that_goes_away_is_counted_and_so_is_the_call_that_it_cancels(run: Run) -> None:
    message = modern("tools/call", SUMMARY)
    async with asking(run, Hangs()) as (service, model):
        async with connected(service) as connection:
            connection.send(request(message, routing(message)))
            await model.called(1)
        numbers = await until(service, lambda now: (("code", "499"),) in map(tuple, now.labels_of(ANSWERED)))
        assert numbers.of(ANSWERED, code="499") == 1
        numbers = await until(service, lambda now: now.of(CALLS, tool="summarize", status="cancelled") == 1)
        assert numbers.of("mcp_summarizer_tool_call_duration_seconds_count", tool="summarize") == 1


async def test_a_fault_is_counted_as_what_the_client_hears_of_it() -> None:
    counts: list[int] = []

    async def raises(request: web.Request) -> web.StreamResponse:
        raise LookupError if request.path == "/fails" else ConnectionResetError

    async def handle(request: web.Request) -> web.StreamResponse:
        return await counted(request, raises, counts.append)

    app = web.Application()
    app.router.add_get("/{how}", handle)
    async with listening(app) as service:
        assert (await service.http.get(f"{service.origin}/fails")).status_code == 500
        await service.http.get(f"{service.origin}/is-cut-off")
    assert counts == [500, 499]


async def test_open_streams_are_counted(service: Service) -> None:
    message = modern("subscriptions/listen", {"notifications": {}})
    async with streaming(service, message) as events:
        await events.message()
        assert (await scrape(service)).of("mcp_summarizer_open_streams") == 1
    await until(service, lambda now: now.of("mcp_summarizer_open_streams") == 0)


async def test_tasks_are_counted_while_they_run_and_while_they_are_kept(run: Run) -> None:
    go_on = asyncio.Event()
    message = declaring_tasks("tools/call", SUMMARY)
    async with asking(run, Gate(Summarizes(), go_on), TASK_CONTENT_CHARS="1000") as (service, model):
        await service.post_modern(message)
        await model.called(1)
        numbers = await scrape(service)
        tasks = "mcp_summarizer_tasks"
        assert (numbers.of(tasks, state="running"), numbers.of(tasks, state="over")) == (1, 0)
        go_on.set()
        numbers = await until(service, lambda now: now.of(tasks, state="over") == 1)
        assert numbers.of(tasks, state="running") == 0
        assert numbers.of(CALLS, tool="summarize", status="summarized") == 1


async def test_what_went_to_the_model_is_what_the_outcome_says(run: Run) -> None:
    async with asking(run, Summarizes(cost=0.25)) as (service, model):
        result = (await service.post(A_SUMMARY)).json()["result"]
        numbers = await scrape(service)
    outcome = result["_meta"][OUTCOME_KEY]
    assert numbers.of("mcp_summarizer_model_requests_total") == outcome["llm_calls"] == len(model.log)
    assert numbers.of("mcp_summarizer_model_answers_total") == len(model.log)
    for kind in ("prompt", "completion"):
        assert numbers.of("mcp_summarizer_model_tokens_total", kind=kind) == outcome[f"{kind}_tokens"]
    assert numbers.of("mcp_summarizer_model_cost_usd_total") == outcome["cost_usd"] == 0.25 * len(model.log)
    assert numbers.of("mcp_summarizer_model_breaker", state="closed") == 1
    assert numbers.of("mcp_summarizer_model_breaker", state="open") == 0


async def test_a_model_that_fails_is_counted_by_what_it_said(run: Run) -> None:
    async with asking(run, Fails(401)) as (service, model):
        await service.post(A_SUMMARY)
        numbers = await scrape(service)
    assert numbers.of(CALLS, tool="summarize", status="unsummarized") == 1
    failures = "mcp_summarizer_model_failures_total"
    refused = numbers.of(failures, kind="refused")
    # One refusal concerns every call: what was asked beside it is given up.
    assert refused + numbers.of("mcp_summarizer_model_cancelled_total") == len(model.log)
    assert refused > 0
    kinds = {dict(labels)["kind"] for labels in numbers.labels_of(failures)}
    assert [kind for kind in kinds if numbers.of(failures, kind=kind)] == ["refused"]


async def test_a_model_that_is_left_alone_is_seen(run: Run) -> None:
    settings = {"LLM_BREAKER_FAILURES": "1", "LLM_BREAKER_SECONDS": "60", "LLM_TOTAL_TIMEOUT_SECONDS": "5"}
    async with asking(run, Fails(500), **settings) as (service, model):
        await service.post(A_SUMMARY)
        numbers = await scrape(service)
    state = "mcp_summarizer_model_breaker"
    assert numbers.of(state, state="open") == 1
    assert numbers.of(state, state="closed") == numbers.of(state, state="half-open") == 0
    assert numbers.of("mcp_summarizer_model_breaker_openings_total") == 1
    assert numbers.of("mcp_summarizer_model_failures_total", kind="server_error") == len(model.log)
    assert numbers.of("mcp_summarizer_model_requests_total") == len(model.log)


async def test_calls_in_flight_and_the_limit_are_seen_while_they_last(run: Run) -> None:
    go_on = asyncio.Event()
    async with asking(run, Gate(Summarizes(), go_on)) as (service, model):
        calling = asyncio.create_task(service.post(A_SUMMARY))
        await model.called(1)
        numbers = await scrape(service)
        assert numbers.of("mcp_summarizer_model_calls", state="in_flight") == 1
        assert numbers.of("mcp_summarizer_model_calls", state="waiting") > 0
        assert numbers.of("mcp_summarizer_model_calls_limit") == 1
        go_on.set()
        await calling
        assert (await scrape(service)).of("mcp_summarizer_model_calls", state="in_flight") == 0


async def test_what_is_not_asked_twice_is_counted(run: Run) -> None:
    lookups = "mcp_summarizer_answer_lookups_total"
    async with asking(run, Summarizes()) as (service, model):
        await service.post(A_SUMMARY)
        asked = len(model.log)
        first = await scrape(service)
        await service.post(A_SUMMARY)
        second = await scrape(service)
    assert (first.of(lookups, result="miss"), first.of(lookups, result="hit")) == (asked, 0)
    assert (second.of(lookups, result="miss"), second.of(lookups, result="hit")) == (asked, asked)
    assert second.of(lookups, result="shared") == 0
    assert second.of("mcp_summarizer_answers") == asked > 0
    assert second.of("mcp_summarizer_answers_bytes") > asked


async def test_without_a_model_there_are_no_numbers_of_one(service: Service) -> None:
    numbers = await scrape(service)
    assert [
        name
        for name in numbers.families
        if name.startswith(("mcp_summarizer_model", "mcp_summarizer_answer"))
    ] == []
    assert numbers.labels_of("mcp_summarizer_build_info") == {
        frozenset({("version", "0.1.0"), ("backend", "extractive"), ("model", "")})
    }


async def test_the_process_says_how_it_fares(service: Service) -> None:
    numbers = await until(service, lambda now: now.of("mcp_summarizer_event_loop_lag_seconds_count") > 0)
    assert 0 <= numbers.of("mcp_summarizer_event_loop_lag_p99_seconds") < PATIENCE_S
    assert 10e6 < numbers.of("process_resident_memory_bytes") < 10e9
    assert numbers.of("process_cpu_seconds_total") > 0
    assert numbers.of("process_start_time_seconds") > 1.7e9


def test_where_the_system_says_nothing_of_memory_there_is_no_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert process_usage.resident_bytes(tmp_path / "statm") is None
    monkeypatch.setattr(metric_catalogue, "resident_bytes", lambda: None)
    families = metric_catalogue.process_metrics(LoopLag(), 0.0, {})
    samples = [line for line in exposition(families).splitlines() if not line.startswith("#")]
    assert not any(line.startswith("process_resident_memory_bytes") for line in samples)
    assert any(line.startswith("process_cpu_seconds_total") for line in samples)


def test_a_name_that_two_parts_have_is_refused() -> None:
    twice = [Counter("x_total", "x"), Counter("y_total", "y")]
    with pytest.raises(ValueError, match="expected each name once, got x_total twice"):
        metric_catalogue.all_families(twice, [Counter("x_total", "x")])


def test_a_service_without_tasks_has_no_numbers_of_them() -> None:
    assert metric_catalogue.task_metrics(None) == []


# Who may read it.


async def test_the_answer_says_what_it_is(service: Service) -> None:
    answer = await service.http.get(f"{service.origin}/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert (await service.http.post(f"{service.origin}/metrics")).status_code == 405


async def test_a_page_that_bends_its_name_to_this_address_reads_nothing(service: Service) -> None:
    answer = await service.http.get(f"{service.origin}/metrics", headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert answer.text == "Host: expected a loopback name or one of ALLOWED_HOSTS, got evil.example\n"


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer another key that is wrong"}])
async def test_with_keys_it_asks_for_one(run: Run, headers: dict[str, str]) -> None:
    async with run(MCP_SUMMARIZER_API_KEYS=KEY.replace(" ", "-")) as service:
        answer = await service.http.get(f"{service.origin}/metrics", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer ")
    assert "mcp_summarizer_" not in answer.text


async def test_with_a_valid_key_any_host_may_read_metrics(run: Run) -> None:
    key = KEY.replace(" ", "-")
    shown = {"Authorization": f"Bearer {key}", "Host": "10.1.2.3:8007"}
    async with run(MCP_SUMMARIZER_API_KEYS=key) as service:
        answer = await service.http.get(f"{service.origin}/metrics", headers=shown)
    assert read(answer.text)


async def test_no_number_names_a_text_a_key_or_a_caller(run: Run) -> None:
    secret, key = "Zanzibar", KEY.replace(" ", "-")
    shown = {"Authorization": f"Bearer {key}"}
    params = call(
        content=f"{secret} {prose(60)}", max_output_tokens=200, focus_areas=secret, keep_original=True
    )
    async with asking(run, Says(secret), MCP_SUMMARIZER_API_KEYS=key) as (service, model):
        await service.post(legacy("tools/call", params), shown)
        await service.post(legacy("tools/call", call(secret)), shown)
        answer: httpx.Response = await service.http.get(f"{service.origin}/metrics", headers=shown)
    assert len(model.log) > 0
    assert secret not in answer.text
    assert key not in answer.text
    labels = {
        name for family in read(answer.text).values() for _, pairs in family.samples for name, _ in pairs
    }
    assert labels <= {
        "tool",
        "status",
        "code",
        "state",
        "kind",
        "result",
        "le",
        "version",
        "backend",
        "model",
    }
