"""The timeline as readers meet it: sessions, events and streams over HTTP, and docs/timeline.md, which describes them."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from summarizing.text.tokenizer import Tokenizer
from tests.gateway.test_gateway import CANARY, LONG, Client, gateway, result_id_in, text_in
from tests.support.documents import code_blocks
from tests.support.messages import Message, call, legacy, modern, routing
from tests.support.service import ROOT, Service, a_client, with_model
from tests.support.stand_in import StandIn
from tests.support.stand_in_answers import Fails, Summarizes
from tests.support.upstream_http import Hangs, HttpStandIn, Says, Status
from tests.support.upstream_stand_in import a_tool, error, text_result

SESSION_KEY = "mcp-summarizer/session_id"
DOC = ROOT / "docs" / "timeline.md"


class Watcher:
    """Reads the timeline of a service."""

    def __init__(self, service: Service, key: str = "") -> None:
        self.http = service.http
        self.origin = service.origin
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}

    async def raw(self, path: str, **headers: str) -> httpx.Response:
        return await self.http.get(f"{self.origin}/api/v1{path}", headers={**self.headers, **headers})

    async def get(self, path: str) -> Message:
        response = await self.raw(path)
        assert response.status_code == 200, response.text
        return dict(response.json())

    async def until(self, path: str, ready: Callable[[Message], bool]) -> Message:
        """Ask until an answer is as wanted: what a call tells is kept a moment after it."""
        async with asyncio.timeout(20):
            while True:
                response = await self.raw(path)
                if response.status_code == 200 and ready(response.json()):
                    return dict(response.json())
                await asyncio.sleep(0.01)

    async def settled(self, name: str, count: int) -> list[Message]:
        """Return the events of a session, once there are so many and none is streaming."""
        page = await self.until(
            f"/sessions/{name}/timeline",
            lambda page: (
                len(page["events"]) == count
                and all(each["status"] != "streaming" for each in page["events"])
                and all(
                    "handed_over" in each["metadata"]
                    for each in page["events"]
                    if each["event_type"] == "mcp_tool_call"
                )
            ),
        )
        return list(page["events"])

    async def details(self, event: Message) -> Message:
        return await self.get(f"/sessions/{event['session_id']}/events/{event['id']}")

    @asynccontextmanager
    async def stream(self, path: str, **headers: str) -> AsyncIterator[AsyncIterator[Message]]:
        url = f"{self.origin}/api/v1{path}"
        async with self.http.stream("GET", url, headers={**self.headers, **headers}) as response:
            assert response.status_code == 200
            assert response.headers["content-type"] == "text/event-stream"
            yield messages_in(response)


async def messages_in(response: httpx.Response) -> AsyncIterator[Message]:
    """Yield the events of a stream: `event`, `id` where there is one, and `data` as JSON."""
    found: Message = {}
    async for line in response.aiter_lines():
        name, _, value = line.partition(": ")
        if line == "" and "data" in found:
            yield found
        if line == "":
            found = {}
        elif name in ("event", "id"):
            found[name] = value
        elif name == "data":
            found[name] = json.loads(value)


async def call_as(client: Client, session: str, name: str, /, **arguments: Any) -> Message:
    params = {**call(name, **arguments), "_meta": {SESSION_KEY: session}}
    response = await client.post(legacy("tools/call", params))
    return dict(response.json()["result"])


@asynccontextmanager
async def watched(
    tokenizer: Tokenizer,
    *results: Any,
    settings: Mapping[str, str] | None = None,
    rules: Mapping[str, Any] | None = None,
) -> AsyncIterator[tuple[Client, Watcher, Service]]:
    """Run a gateway before one server, `k8s`, that answers calls so."""
    script = {"tools/call": [Says(result) if isinstance(result, dict) else result for result in results]}
    async with (
        HttpStandIn(script=script, tools=(a_tool("pods"), a_tool("logs"))) as server,
        gateway(tokenizer, {"k8s": {"url": server.url, **(rules or {})}}, settings) as service,
    ):
        yield Client(service), Watcher(service), service


# --- What is recorded ------------------------------------------------------------------------------------------


async def test_a_short_call_is_recorded_with_its_arguments_and_result(tokenizer: Tokenizer) -> None:
    async with watched(tokenizer, text_result("fine")) as (client, watcher, _):
        await call_as(client, "incident-42", "k8s__pods", namespace="all")
        called, result = await watcher.settled("incident-42", 2)
        assert [called["event_type"], result["event_type"]] == ["mcp_tool_call", "tool_result"]
        assert called["call_id"] == result["call_id"] == called["id"]
        assert called["status"] == result["status"] == "completed"
        assert called["duration_ms"] > 0
        assert called["metadata"] == {
            "server_name": "k8s",
            "tool_name": "pods",
            "arguments": '{"namespace": "all"}',
            "tokens_before": 1,
            "tokens_after": 1,
            "handed_over": "passthrough",
            "result_id": None,
        }
        assert (await watcher.details(called))["details"] == {
            "arguments": '{"namespace": "all"}',
            "arguments_truncated": False,
        }
        assert (await watcher.details(result))["details"] == {"content": "fine", "content_truncated": False}


@pytest.mark.unmeasured
async def test_a_summary_is_recorded_with_its_prompts_tokens_and_cost(tokenizer: Tokenizer) -> None:
    async with StandIn([Summarizes()]) as model:
        settings = with_model(model, DEFAULT_CHUNK_SIZE_TOKENS="4000")
        async with watched(tokenizer, text_result(LONG), settings=settings) as (client, watcher, _):
            given = await call_as(client, "incident-42", "k8s__pods", summary_focus="CrashLoopBackOff")
            called, result, summary = await watcher.settled("incident-42", 3)
            assert called["metadata"]["result_id"] == result_id_in(text_in(given))
            assert called["metadata"]["tokens_before"] == tokenizer.count(LONG)
            assert called["metadata"]["tokens_after"] == tokenizer.count(text_in(given))
            assert result["metadata"]["tokens"] == tokenizer.count(LONG)
            told = summary["metadata"]
            assert told["original_tokens"] == tokenizer.count(LONG)
            assert told["summarization_model"] == "openai/gpt-4o-mini"
            details = (await watcher.details(summary))["details"]
            assert details["content"] == text_in(given)
            prompts = [each["prompts"] for each in details["interactions"]]
            assert len(prompts) == told["interactions"] == len(model.log)
            assert any("pod-0 in namespace team-0" in each["user"] for each in prompts)
            assert all(each["interaction_type"] == "summarization" for each in details["interactions"])
            assert all(each["status"] == "completed" for each in details["interactions"])
            session = await watcher.get("/sessions/incident-42")
            sums = session["sums"]
            assert sums["calls"] == sums["summaries"] == 1
            assert sums["interactions"] == len(prompts)
            assert sums["prompt_tokens"] == sum(each["prompt_tokens"] for each in details["interactions"])
            assert sums["tokens_before"] - sums["tokens_after"] > 5_000


async def test_a_failed_model_is_counted_as_failed_attempts(tokenizer: Tokenizer) -> None:
    async with StandIn([Fails(401)]) as model:
        settings = with_model(model, DEFAULT_CHUNK_SIZE_TOKENS="4000")
        async with watched(tokenizer, text_result(LONG), settings=settings) as (client, watcher, _):
            await call_as(client, "incident-42", "k8s__pods")
            *_, summary = await watcher.settled("incident-42", 3)
            assert summary["status"] == "failed"
            assert summary["metadata"]["failed_attempts"] == len(model.log) > 0
            interactions = (await watcher.details(summary))["details"]["interactions"]
            # One is refused; the others, which cannot succeed either, are ended.
            assert {each["status"] for each in interactions} == {"failed", "cancelled"}
            assert all(each["error"] for each in interactions)
            sums = (await watcher.get("/sessions/incident-42"))["sums"]
            assert sums["failed_attempts"] == len(model.log)


async def test_errors_and_calls_that_are_left_are_recorded_as_what_they_are(tokenizer: Tokenizer) -> None:
    failure = Status(200, lambda message: error(message, 1, "no such pod"))
    async with watched(tokenizer, failure, Hangs()) as (client, watcher, _):
        await call_as(client, "s", "k8s__pods")
        called, result = await watcher.settled("s", 2)
        assert called["status"] == result["status"] == "failed"
        assert result["metadata"]["is_error"]
        assert (await watcher.details(result))["details"]["content"] == "k8s: no such pod"
        asking = modern("tools/call", {**call("k8s__pods")})
        asking["params"]["_meta"][SESSION_KEY] = "left"
        leaving = asyncio.create_task(client.post(asking, **routing(asking)))
        await watcher.until(
            "/sessions/left/timeline", lambda page: page["events"][0]["status"] == "streaming"
        )
        leaving.cancel()
        (left,) = await watcher.settled("left", 1)
        assert left["status"] == "cancelled"
        sums = (await watcher.get("/sessions/s"))["sums"]
        assert (sums["calls"], sums["failed_calls"]) == (1, 1)


async def test_what_observing_did_is_recorded(tokenizer: Tokenizer) -> None:
    async with watched(tokenizer, text_result(LONG), rules={"mode": "observe"}) as (client, watcher, _):
        await call_as(client, "s", "k8s__pods")
        called, _ = await watcher.settled("s", 2)
        assert called["metadata"]["handed_over"] == "observed"
        assert called["metadata"]["would_have_tokens"] == 1_000
        assert called["metadata"]["tokens_after"] == called["metadata"]["tokens_before"]


async def test_what_compacting_did_is_recorded(tokenizer: Tokenizer) -> None:
    rows = json.dumps([{"namespace": "prod", "state": "Running", "name": f"pod-{n}"} for n in range(400)])
    async with watched(tokenizer, text_result(rows)) as (client, watcher, _):
        given = await call_as(client, "s", "k8s__pods")
        called, result = await watcher.settled("s", 2)
        assert called["metadata"]["handed_over"] == "compacted"
        assert called["metadata"]["tokens_before"] == tokenizer.count(rows)
        assert called["metadata"]["tokens_after"] == tokenizer.count(text_in(given))
        assert called["metadata"]["result_id"] == result_id_in(text_in(given))
        assert rows.startswith((await watcher.details(result))["details"]["content"])


async def test_types_that_a_server_makes_up_make_no_event_large(tokenizer: Tokenizer) -> None:
    blocks = [{"type": f"{number}{'x' * 10_000}"} for number in range(100)]
    async with watched(tokenizer, {"content": blocks}) as (client, watcher, _):
        await call_as(client, "s", "k8s__pods")
        events = await watcher.settled("s", 2)
        assert len(json.dumps(events)) < 4_000
        assert len(events[1]["metadata"]["content_types"]) == 10


async def test_a_long_text_is_cut_to_what_is_shown(tokenizer: Tokenizer) -> None:
    long = LONG * 3
    rules = {"summarization": {"enabled": False}}
    async with watched(tokenizer, text_result(long), rules=rules) as (client, watcher, _):
        await call_as(client, "s", "k8s__pods", text=long)
        called, result = await watcher.settled("s", 2)
        details = (await watcher.details(result))["details"]
        assert details["content_truncated"]
        assert 7_900 <= tokenizer.count(details["content"]) <= 8_000
        assert long.startswith(details["content"])
        arguments = (await watcher.details(called))["details"]
        assert arguments["arguments_truncated"]
        assert tokenizer.count(arguments["arguments"]) <= 8_000


SECRET_ANSWERS: list[Any] = [
    text_result(f"password: {CANARY}"),
    {"content": [], "structuredContent": {"password": CANARY}},
    {**text_result(f"password: {CANARY}"), "isError": True},
    {"content": [{"type": "resource", "resource": {"uri": "a:b", "text": f"token={CANARY}"}}]},
    {"content": [{"type": "resource_link", "uri": f"https://me:{CANARY}@example.org/", "name": "a"}]},
    Status(200, lambda message: error(message, 1, f"no entry with password={CANARY}")),
    text_result(LONG + f"password: {CANARY}\n"),
    text_result(f"password: {CANARY}\n" + LONG * 10),
    Status(500, f"password={CANARY}".encode()),
]


@pytest.mark.parametrize("model_fails", [False, True])
async def test_a_secret_of_any_answer_argument_or_id_is_in_no_sink(
    tokenizer: Tokenizer, caplog: pytest.LogCaptureFixture, tmp_path: Any, model_fails: bool
) -> None:
    async with StandIn([Fails(401) if model_fails else Summarizes()]) as model:
        settings = with_model(model, DEFAULT_CHUNK_SIZE_TOKENS="4000", STORAGE_DIRECTORY=str(tmp_path))
        async with (
            watched(tokenizer, *SECRET_ANSWERS, settings=settings) as (client, watcher, service),
            watcher.stream("/stream") as live,
        ):
            heard: list[Message] = []
            listening = asyncio.create_task(collect(live, heard))
            for _ in SECRET_ANSWERS:
                params = {
                    **call(
                        "k8s__pods",
                        password=CANARY,
                        note=f"token={CANARY}",
                        summary_focus=f"password={CANARY}",
                    ),
                    "_meta": {
                        SESSION_KEY: f"password={CANARY}",
                        "mcp-summarizer/conversation": [
                            {"role": "user", "content": f"My password is password={CANARY}"}
                        ],
                    },
                }
                await client.post(legacy("tools/call", params))
            page = await watcher.until(
                "/sessions", lambda page: page["sessions"][0]["sums"]["tokens_after"] > 0
            )
            (session,) = page["sessions"]
            path = f"/sessions/{session['id']}"
            await watcher.until(path, lambda session: session["sums"]["calls"] == len(SECRET_ANSWERS))
            shown = await watcher.until(
                f"{path}/timeline",
                lambda page: (
                    sum(e["event_type"] == "tool_result" for e in page["events"]) == len(SECRET_ANSWERS)
                ),
            )
            details = [await watcher.details(event) for event in shown["events"]]
            metrics = (await service.http.get(f"{service.origin}/metrics")).text
            listening.cancel()
            assert len(heard) > 2 * len(SECRET_ANSWERS)
        sinks = json.dumps([page, shown, details, heard, model.payloads]) + metrics
        sinks += str([vars(record) for record in caplog.records])
        assert "[masked secret " in sinks
        assert CANARY not in sinks
        assert re.search(r'masked_secrets_total{server="k8s"} [1-9]', metrics)
        for file in tmp_path.iterdir():
            assert CANARY.encode() not in file.read_bytes()


@pytest.mark.parametrize("values", [6_000, 100_000])
async def test_long_arguments_are_masked_where_what_tells_a_secret_stands_behind_what_is_shown(
    tokenizer: Tokenizer, values: int
) -> None:
    data = f"  field: {CANARY}\n" + "  key: dmFsdWU=\n" * values
    manifest = f"apiVersion: v1\ndata:\n{data}kind: Secret\n"
    async with watched(tokenizer, text_result("fine")) as (client, watcher, _):
        await call_as(client, "s", "k8s__pods", manifest=manifest)
        called, _ = await watcher.settled("s", 2)
        details = (await watcher.details(called))["details"]
        assert details["arguments_truncated"]
        assert "masked kubernetes-secret" in details["arguments"] or "withheld" in details["arguments"]
        assert CANARY not in json.dumps([called, details])


async def collect(live: AsyncIterator[Message], heard: list[Message]) -> None:
    async for message in live:
        heard.append(message)  # noqa: PERF401 - one at a time: the others are read meanwhile


# --- Which session ---------------------------------------------------------------------------------------------


async def test_calls_without_a_name_are_of_one_session_a_day_with_their_choice_of_servers(
    tokenizer: Tokenizer,
) -> None:
    async with watched(tokenizer, *[text_result("fine")] * 4) as (client, watcher, service):
        await client.call("k8s__pods")
        await client.call("k8s__pods")
        await Client(service, "?servers=k8s:pods").call("k8s__pods")
        page = await watcher.until(
            "/sessions", lambda page: sum(s["sums"]["calls"] for s in page["sessions"]) == 3
        )
        assert [each["sums"]["calls"] for each in page["sessions"]] == [1, 2]
        assert page["sessions"][0]["selection"] == {"servers": [{"name": "k8s", "tools": ["pods"]}]}
        assert page["sessions"][1]["selection"] == {"servers": [{"name": "k8s"}]}
        await client.post(legacy("tools/call", call("k8s__pods")), **{"Mcp-Session-Id": "abc"})
        page = await watcher.until("/sessions", lambda page: len(page["sessions"]) == 3)
        assert "abc" not in json.dumps(page)


async def test_ids_of_stage_and_execution_stand_with_each_event(tokenizer: Tokenizer) -> None:
    async with watched(tokenizer, text_result("fine")) as (client, watcher, _):
        ids = {SESSION_KEY: "s", "mcp-summarizer/stage_id": "stage", "mcp-summarizer/execution_id": "run"}
        await client.post(legacy("tools/call", {**call("k8s__pods"), "_meta": ids}))
        events = await watcher.settled("s", 2)
        assert {(each["stage_id"], each["execution_id"]) for each in events} == {("stage", "run")}


async def test_a_key_sees_its_own_sessions_alone(tokenizer: Tokenizer) -> None:
    mine, other = "a-key-of-sixteen-chars", "other-key-of-sixteen"
    settings = {"MCP_SUMMARIZER_API_KEYS": f"{mine},{other}"}
    async with watched(tokenizer, text_result("fine"), settings=settings) as (_, _, service):
        client = Client(service, headers={"Authorization": f"Bearer {mine}"})
        await call_as(client, "s", "k8s__pods")
        watcher, stranger = Watcher(service, mine), Watcher(service, other)
        called, _ = await watcher.settled("s", 2)
        session = called["session_id"]
        assert (await stranger.get("/sessions"))["sessions"] == []
        paths = [f"/sessions/{session}", f"/sessions/{session}/timeline", f"/sessions/{session}/stream"]
        for path in (*paths, "/sessions/s", f"/sessions/{session}/events/{called['id']}"):
            assert (await stranger.raw(path)).status_code == 404
        async with stranger.stream("/stream", **{"Last-Event-ID": "0"}) as heard, asyncio.timeout(20):
            await call_as(Client(service, headers={"Authorization": f"Bearer {other}"}), "t", "k8s__pods")
            assert (await anext(heard))["data"]["session_id"] != session
        for path in ("/sessions", "/stream", *paths):
            assert (await Watcher(service).raw(path)).status_code == 401


@pytest.mark.unmeasured
@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}])
@pytest.mark.parametrize("path", ["/sessions", "/sessions/s", "/sessions/s/timeline", "/stream"])
async def test_hosts_and_origins_are_checked(
    tokenizer: Tokenizer, headers: dict[str, str], path: str
) -> None:
    async with watched(tokenizer) as (_, watcher, _):
        response = await watcher.raw(path, **headers)
        assert response.status_code in (421, 403)
        assert "error" in response.json()


# --- Pages -----------------------------------------------------------------------------------------------------


async def test_sessions_and_events_come_in_pages(tokenizer: Tokenizer) -> None:
    async with watched(tokenizer, *[text_result("fine")] * 8) as (client, watcher, _):
        for name in ("a", "b", "c"):
            await call_as(client, name, "k8s__pods")
            await watcher.settled(name, 2)
        page = await watcher.get("/sessions?limit=2")
        assert [each["name"] for each in page["sessions"]] == ["c", "b"]
        rest = await watcher.get(f"/sessions?limit=2&cursor={page['next_cursor']}")
        assert [each["name"] for each in rest["sessions"]] == ["a"]
        assert "next_cursor" not in rest
        await call_as(client, "a", "k8s__logs")
        events = await watcher.settled("a", 4)
        page = await watcher.get("/sessions/a/timeline?limit=3")
        assert page["events"] == events[:3]
        rest = await watcher.get(f"/sessions/a/timeline?after={page['next_after']}")
        assert rest["events"] == events[3:]
        found = await watcher.get("/sessions?text=LOGS")
        assert [each["name"] for each in found["sessions"]] == ["a"]
        assert (await watcher.get("/sessions?failed=true"))["sessions"] == []


@pytest.mark.parametrize(
    "path",
    [
        "?limit=0",
        "?limit=x",
        "?limit=1000",
        "?cursor=x",
        "?cursor=MQ==",
        "?failed=maybe",
        "/s/timeline?after=-1",
    ],
)
async def test_a_page_that_cannot_be_given_is_a_400(tokenizer: Tokenizer, path: str) -> None:
    async with watched(tokenizer, text_result("fine")) as (client, watcher, _):
        await call_as(client, "s", "k8s__pods")
        response = await watcher.raw(f"/sessions{path}")
        assert response.status_code == 400
        assert "expected" in response.json()["error"]


@pytest.mark.parametrize(
    "path, said",
    [
        ("/sessions?limt=5", "expected limit, cursor, text or failed in the URL, got limt; did you mean limit?"),
        ("/sessions?limit=5&limit=6", "limit: expected once in the URL, got 2"),
        ("/sessions?after=1", "expected limit, cursor, text or failed in the URL, got after"),
        ("/sessions/s?x=", "expected no parameters in the URL, got x"),
        ("/sessions/s/events/1?limit=1", "expected no parameters in the URL, got limit"),
        ("/sessions/s/timeline?afterr=1", "expected limit or after in the URL, got afterr; did you mean after?"),
        ("/stream?last_event=1", "expected last_event_id in the URL, got last_event; did you mean last_event_id?"),
        ("/sessions/s/stream?text=1", "expected last_event_id in the URL, got text"),
    ],
)  # fmt: skip
async def test_a_parameter_that_would_be_passed_over_is_a_400_that_names_it(
    tokenizer: Tokenizer, path: str, said: str
) -> None:
    async with watched(tokenizer, text_result("fine")) as (client, watcher, _):
        await call_as(client, "s", "k8s__pods")
        response = await watcher.raw(path)
        assert (response.status_code, response.json()) == (400, {"error": said})


@pytest.mark.parametrize(
    "position", [f'[1{"0" * 400}, "a"]', '[NaN, "a"]', '[1e999, "a"]', r'[1, "\ud800"]', "[" * 1_000]
)
async def test_a_position_that_no_page_has_is_a_400(tokenizer: Tokenizer, position: str) -> None:
    async with watched(tokenizer, text_result("fine")) as (_, watcher, _):
        cursor = urlsafe_b64encode(position.encode()).decode()
        response = await watcher.raw(f"/sessions?cursor={cursor}")
        assert response.status_code == 400
        assert "next_cursor" in response.json()["error"]


async def test_other_methods_and_names_are_refused(tokenizer: Tokenizer) -> None:
    async with watched(tokenizer) as (_, watcher, service):
        response = await service.http.post(f"{service.origin}/api/v1/sessions")
        assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")
        for path in (
            "/sessions/none",
            "/sessions/none/timeline",
            "/sessions/none/stream",
            "/sessions/a/events/b",
        ):
            assert (await watcher.raw(path)).status_code == 404
        assert (await watcher.raw("/stream?last_event_id=x")).status_code == 400
        # aiohttp sends the head of a stream to HEAD alone.
        response = await service.http.head(f"{service.origin}/api/v1/sessions")
        assert response.status_code == 200


# --- Live ------------------------------------------------------------------------------------------------------


async def test_a_call_is_told_live_and_what_was_missed_is_told_first(tokenizer: Tokenizer) -> None:
    async with StandIn([Summarizes()]) as model:
        settings = with_model(model, DEFAULT_CHUNK_SIZE_TOKENS="4000")
        async with watched(tokenizer, text_result(LONG), text_result("fine"), settings=settings) as (
            client,
            watcher,
            _,
        ):
            async with watcher.stream("/stream") as heard, asyncio.timeout(60):
                await call_as(client, "s", "k8s__pods")
                kinds, last = [], ""
                async for message in heard:
                    kinds.append((message["event"], message["data"].get("event_type")))
                    assert ("id" in message) == message["event"].startswith("timeline_event.")
                    if "handed_over" in message["data"].get("metadata", {}):
                        last = message["id"]
                        break
            told = list(dict.fromkeys(kinds))
            assert told == [
                ("timeline_event.created", "mcp_tool_call"),
                ("timeline_event.completed", "mcp_tool_call"),
                ("timeline_event.created", "tool_result"),
                ("mcp_tool_call.summarizing", None),
                ("timeline_event.created", "mcp_tool_summary"),
                ("stream.chunk", "mcp_tool_summary"),
                ("timeline_event.completed", "mcp_tool_summary"),
            ]
            await call_as(client, "s", "k8s__pods")
            events = await watcher.settled("s", 5)
            async with (
                watcher.stream("/sessions/s/stream", **{"Last-Event-ID": last}) as heard,
                asyncio.timeout(20),
            ):
                missed = [await anext(heard), await anext(heard)]
            assert [each["data"] for each in missed] == sorted(
                events[3:], key=lambda each: int(each["change"])
            )
            async with watcher.stream("/sessions/s/stream?last_event_id=0") as heard, asyncio.timeout(20):
                told_anew = [(await anext(heard))["data"]["id"] for _ in events]
            assert sorted(told_anew) == sorted(each["id"] for each in events)


async def test_a_listener_of_before_a_restart_hears_all_of_a_timeline_that_counts_anew(
    tokenizer: Tokenizer,
) -> None:
    async with watched(tokenizer, *[text_result("fine")] * 2) as (client, watcher, _):
        await call_as(client, "s", "k8s__pods")
        events = await watcher.settled("s", 2)
        async with watcher.stream("/stream", **{"Last-Event-ID": "5000"}) as heard, asyncio.timeout(20):
            missed = [(await anext(heard))["data"]["id"] for _ in events]
            assert sorted(missed) == sorted(each["id"] for each in events)
            await call_as(client, "t", "k8s__pods")
            assert (await anext(heard))["data"]["id"] not in missed


async def test_silence_is_kept_alive_and_the_end_of_the_service_ends_streams(tokenizer: Tokenizer) -> None:
    async with a_client() as http, AsyncExitStack() as serving, AsyncExitStack() as listening:
        _, _, service = await serving.enter_async_context(
            watched(tokenizer, settings={"PING_SECONDS": "0.01"})
        )
        stream = http.stream("GET", f"{service.origin}/api/v1/stream")
        lines = (await listening.enter_async_context(stream)).aiter_lines()
        assert [await anext(lines) for _ in range(4)] == ["retry: 1000", "", ": ping", ""]
        metrics = (await http.get(f"{service.origin}/metrics")).text
        assert "mcp_summarizer_timeline_listeners 1" in metrics
        ending = asyncio.create_task(serving.aclose())
        async with asyncio.timeout(20):
            assert {line async for line in lines} <= {": ping", ""}
        await ending


# --- Without a timeline ----------------------------------------------------------------------------------------


async def test_a_damaged_file_costs_the_timeline_and_nothing_else(
    tokenizer: Tokenizer, tmp_path: Any, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "timeline.sqlite3").write_bytes(b"no database" * 1000)
    async with watched(tokenizer, text_result("fine"), settings={"STORAGE_DIRECTORY": str(tmp_path)}) as (
        client,
        watcher,
        _,
    ):
        assert text_in(await client.call("k8s__pods")) == "fine"
        response = await watcher.raw("/sessions")
        assert response.status_code == 503
        assert "the timeline is off" in response.json()["error"]
    assert "timeline_off" in [record.message for record in caplog.records]
    assert (tmp_path / "timeline.sqlite3").read_bytes() == b"no database" * 1000


async def test_no_bytes_no_timeline(tokenizer: Tokenizer) -> None:
    async with watched(tokenizer, text_result("fine"), settings={"MAX_TIMELINE_BYTES": "0"}) as (
        client,
        watcher,
        service,
    ):
        assert text_in(await client.call("k8s__pods")) == "fine"
        assert (await watcher.raw("/stream")).status_code == 503
        metrics = (await service.http.get(f"{service.origin}/metrics")).text
        assert 'mcp_summarizer_proxied_calls_total{server="k8s",status="completed"} 1' in metrics
        assert 'mcp_summarizer_proxied_tokens_total{server="k8s",stage="before"} 1' in metrics


# --- docs/timeline.md ------------------------------------------------------------------------------------------


@pytest.mark.unmeasured
async def test_the_examples_of_the_page_have_the_members_that_the_answers_have(tokenizer: Tokenizer) -> None:
    sessions, session, timeline, *details = [json.loads(block) for block in code_blocks(DOC, "json")]
    async with StandIn([Summarizes(cost=0.0004)]) as model:
        settings = with_model(model, DEFAULT_CHUNK_SIZE_TOKENS="4000")
        async with watched(tokenizer, text_result(LONG), settings=settings) as (client, watcher, _):
            await call_as(client, "incident-42", "k8s__pods", namespace="all")
            events = await watcher.settled("incident-42", 3)
            assert shape(await watcher.get("/sessions?limit=1")) == shape(sessions) - {".next_cursor"}
            assert shape(await watcher.get("/sessions/incident-42")) == shape(session)
            page = await watcher.get("/sessions/incident-42/timeline")
            assert shape(page) == shape(timeline) - {".next_after"}
            assert [each["event_type"] for each in timeline["events"]] == [
                each["event_type"] for each in events
            ]
            assert [shape(await watcher.details(event)) for event in events] == [
                shape(each) for each in details
            ]


def shape(value: Any, path: str = "") -> set[str]:
    """Return the paths of all members of a JSON value."""
    if isinstance(value, dict):
        return {f"{path}.{name}" for name in value}.union(
            *(shape(inner, f"{path}.{name}") for name, inner in value.items())
        )
    if isinstance(value, list):
        return set().union(*(shape(inner, f"{path}[]") for inner in value))
    return set()


async def test_what_cannot_be_read_is_a_503_and_calls_go_on(tokenizer: Tokenizer, tmp_path: Path) -> None:
    settings = {"STORAGE_DIRECTORY": str(tmp_path)}
    async with watched(tokenizer, *[text_result("fine")] * 2, settings=settings) as (client, watcher, _):
        await call_as(client, "s", "k8s__pods")
        called, _ = await watcher.settled("s", 2)
        with closing(sqlite3.connect(tmp_path / "timeline.sqlite3")) as other:
            other.execute("UPDATE details SET body = x'00'")
            other.commit()
        response = await watcher.raw(f"/sessions/s/events/{called['id']}")
        assert response.status_code == 503
        assert "the timeline cannot be read now (the file is damaged)" in response.json()["error"]
        assert text_in(await call_as(client, "s", "k8s__pods")) == "fine"


async def test_a_page_of_an_allowed_origin_may_read(tokenizer: Tokenizer) -> None:
    settings = {"ALLOWED_ORIGINS": "https://watch.example"}
    async with watched(tokenizer, settings=settings) as (_, watcher, service):
        origin = {"Origin": "https://watch.example"}
        asking = {
            **origin,
            "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Headers": "authorization",
        }
        preflight = await service.http.options(f"{service.origin}/api/v1/sessions", headers=asking)
        assert preflight.status_code == 204
        for path, status in (("/sessions", 200), ("/sessions/none", 404)):
            response = await watcher.raw(path, **origin)
            assert response.status_code == status
            assert response.headers["access-control-allow-origin"] == "https://watch.example"
