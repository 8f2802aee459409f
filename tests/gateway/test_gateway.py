"""The gateway as a client meets it: the tools of its servers at one URL, their results masked, made to fit and kept."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

import app as application
import gateway_service
from config import Config
from gateway import gateway as the_gateway
from gateway.compaction import short_form
from gateway.config_file import read_gateway_config
from summarizing.deadline import MODEL_SHARE_OF_TIME, TIME_IS_OVER
from summarizing.text.tokenizer import Tokenizer
from tests.support.manual_time import LetPass
from tests.support.messages import Message, call, legacy, modern, routing
from tests.support.service import Service, running, with_model
from tests.support.stand_in import StandIn
from tests.support.stand_in_answers import Empty, Fails, Summarizes
from tests.support.stand_in_answers import Hangs as ModelHangs
from tests.support.upstream_http import Answer, Hangs, HttpStandIn, Says, Status, Streams, replied
from tests.support.upstream_stand_in import a_tool, error, event, note, program, text_result

CANARY = "hunter2canary"
OUTCOME = "mcp-summarizer/outcome"
POD = "pod-{0} in namespace team-{0} is Running, restarted {0} times, on node-{0}.\n"
LONG = (
    "".join(POD.format(number) for number in range(600))
    + "The pod payments-7 is in CrashLoopBackOff: exit code 137.\n"
)
OF_ORIGINALS = ["read_original", "search_original", "summarize_original"]


class Client:
    """Calls the gateway of a service."""

    def __init__(self, service: Service, query: str = "", headers: Mapping[str, str] | None = None) -> None:
        self.service = service
        self._http = service.http
        self._url = f"{service.origin}/gateway/mcp{query}"
        self._headers = {"Content-Type": "application/json", **(headers or {})}

    async def post(self, message: Message, **headers: str) -> httpx.Response:
        return await self._http.post(
            self._url, content=json.dumps(message), headers={**self._headers, **headers}
        )

    async def tools(self) -> list[Message]:
        return list((await self.post(legacy("tools/list"))).json()["result"]["tools"])

    async def names(self) -> list[str]:
        return [tool["name"] for tool in await self.tools()]

    async def call(self, name: str, /, **arguments: Any) -> Message:
        response = await self.post(legacy("tools/call", call(name, **arguments)))
        return dict(response.json()["result"])


def text_in(result: Message) -> str:
    (block,) = result["content"]
    return str(block["text"])


def result_id_in(text: str) -> str:
    found = re.search(r'result_id="([^"]+)"', text)
    assert found
    return found[1]


@asynccontextmanager
async def gateway(
    tokenizer: Tokenizer,
    servers: Mapping[str, Any],
    settings: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> AsyncIterator[Service]:
    config = read_gateway_config(json.dumps({"mcpServers": servers}), environment or {})
    async with running(tokenizer, settings or {}, config) as service:
        yield service


async def until_ready(service: Service, server: str) -> None:
    """Wait until the gateway has the tools of a server."""

    async def status() -> str:
        return str((await service.http.get(f"{service.origin}/health")).json()["servers"][server]["status"])

    while await status() != "ready":  # noqa: ASYNC110 - it is asked over HTTP
        await asyncio.sleep(0.01)


@asynccontextmanager
async def one_server(
    tokenizer: Tokenizer,
    *answers: Message | Answer,
    settings: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    offered: tuple[Message, ...] = (a_tool("pods"), a_tool("logs")),
    rules: Mapping[str, Any] | None = None,
) -> AsyncIterator[tuple[Client, HttpStandIn]]:
    """Run a gateway before one server, `k8s`, that answers calls with these results, or otherwise."""
    async with AsyncExitStack() as stack:
        script = {"tools/call": [Says(each) if isinstance(each, dict) else each for each in answers]}
        server = await stack.enter_async_context(HttpStandIn(script=script, tools=offered))
        servers = {"k8s": {"url": server.url, **(rules or {})}}
        service = await stack.enter_async_context(gateway(tokenizer, servers, settings, environment))
        yield Client(service), server


async def test_the_tools_of_all_servers_stand_in_one_list(tokenizer: Tokenizer) -> None:
    command, arguments = program()
    async with HttpStandIn(tools=[a_tool("logs"), a_tool("get.pods")]) as server:
        servers = {
            "k8s": {"url": server.url},
            "files": {"command": command, "args": list(arguments), "tools": {"allow": ["echo", "write"]}},
        }
        async with gateway(tokenizer, servers) as service:
            assert await Client(service).names() == [
                "k8s__get_pods",
                "k8s__logs",
                "files__echo",
                "files__write",
                *OF_ORIGINALS,
            ]
            said = await Client(service).call("files__echo", a=1)
            assert json.loads(text_in(said)) == {"a": 1}
            assert json.loads(text_in(await Client(service).call("files.echo", a=2))) == {"a": 2}


async def test_a_slash_at_the_end_of_the_url_changes_nothing(tokenizer: Tokenizer) -> None:
    async with one_server(tokenizer, text_result("fine")) as (client, _):
        assert await Client(client.service, "/?servers=k8s:pods").names() == ["k8s__pods", *OF_ORIGINALS]


async def test_modern_clients_are_served_too(tokenizer: Tokenizer) -> None:
    async with one_server(tokenizer, text_result("fine")) as (client, _):
        listing = modern("tools/list")
        response = await client.post(listing, **routing(listing))
        assert response.json()["result"]["tools"][0]["name"] == "k8s__logs"
        asking = modern("tools/call", call("k8s__pods"))
        response = await client.post(asking, **routing(asking))
        assert response.json()["result"]["content"] == text_result("fine")["content"]


async def test_a_connection_chooses_its_servers_and_tools(tokenizer: Tokenizer) -> None:
    async with (
        HttpStandIn(tools=[a_tool("a"), a_tool("b")]) as one,
        HttpStandIn(tools=[a_tool("c")]) as two,
        gateway(tokenizer, {"one": {"url": one.url}, "two": {"url": two.url}}) as service,
    ):
        assert await Client(service, "?servers=one:b,two").names() == ["one__b", "two__c", *OF_ORIGINALS]
        chosen = json.dumps({"servers": [{"name": "one", "tools": ["a"]}]})
        client = Client(service, headers={"Mcp-Gateway-Selection": chosen})
        assert await client.names() == ["one__a", *OF_ORIGINALS]
        asked = await client.post(legacy("tools/call", call("two__c")))
        assert asked.json()["error"]["message"] == (
            "Unknown tool: two__c; it is not among the tools of this connection (tools/list)"
        )
        assert two.sent("tools/call") == []
        asked = await client.post(legacy("tools/call", call("one__ab")))
        assert asked.json()["error"]["message"].endswith("(tools/list); did you mean one__a?")
        asked = await client.post(legacy("tools/call", call("read_orginal")))
        assert asked.json()["error"]["message"].endswith("(tools/list); did you mean read_original?")


@pytest.mark.parametrize(
    "query, named",
    [
        ("?servers=three", "got three"),
        ("?servers=", "at least one server"),
        ("?servers=one:", "'one:'"),
        ("?servers=one:echo,one:ecco", "servers: expected tools that one has, got ecco; did you mean echo?"),
        ("?servers=one:zzz&tools=search", 'servers: expected tools that one has, got zzz"'),
        ("?server=one", "expected servers or tools in the URL, got server; did you mean servers?"),
        ("?servers=one&profile=x", "expected servers or tools in the URL, got profile"),
        ("?servers=one&servers=two", "servers: expected once in the URL, got 2"),
    ],
)
async def test_a_wrong_choice_is_a_400_that_names_it(tokenizer: Tokenizer, query: str, named: str) -> None:
    async with HttpStandIn() as one, gateway(tokenizer, {"one": {"url": one.url}}) as service:
        response = await Client(service, query).post(legacy("tools/list"))
        assert response.status_code == 400
        assert named in response.text


async def test_a_wrong_tool_in_the_header_is_a_400_that_names_it(tokenizer: Tokenizer) -> None:
    async with HttpStandIn() as one, gateway(tokenizer, {"one": {"url": one.url}}) as service:
        chosen = json.dumps({"servers": [{"name": "one", "tools": ["ecco"]}]})
        client = Client(service, headers={"Mcp-Gateway-Selection": chosen})
        response = await client.post(legacy("tools/list"))
        assert response.status_code == 400
        assert "Mcp-Gateway-Selection: expected tools that one has, got ecco" in response.text


async def test_of_a_server_that_is_not_ready_a_tool_can_be_chosen_and_a_call_says_that_it_is_not_known(
    tokenizer: Tokenizer,
) -> None:
    async with gateway(tokenizer, {"one": {"url": "http://127.0.0.1:9/mcp"}}) as service:
        client = Client(service, "?servers=one:echo")
        assert await client.names() == [*OF_ORIGINALS]
        said = (await client.post(legacy("tools/call", call("one__echo")))).json()["error"]["message"]
        assert (
            said
            == "Unknown tool: one__echo; the tools of one are not known yet: it is down (/health says why)"
        )


async def test_a_call_of_a_server_that_is_still_starting_says_when_to_call_again(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(the_gateway, "FIRST_LIST_SECONDS", 0.1)
    async with (
        HttpStandIn(script={"server/discover": [Hangs()], "initialize": [Hangs()]}) as hung,
        gateway(tokenizer, {"one": {"url": hung.url}}) as service,
    ):
        said = (await Client(service).post(legacy("tools/call", call("one__echo")))).json()["error"][
            "message"
        ]
        assert said == (
            "Unknown tool: one__echo; the tools of one are not known yet: it is starting; call again in 5 s"
        )


async def test_a_focus_that_is_no_text_is_an_error_of_the_tool_and_its_server_is_not_called(
    tokenizer: Tokenizer,
) -> None:
    async with one_server(tokenizer, text_result("fine")) as (client, server):
        result = await client.call("k8s__pods", namespace="all", summary_focus=7)
        assert result["isError"]
        assert text_in(result) == "summary_focus: expected a string, got 7"
        assert not server.sent("tools/call")


@pytest.mark.unmeasured
async def test_a_long_result_is_summarized_with_what_was_asked_for_and_can_be_read(
    tokenizer: Tokenizer,
) -> None:
    async with one_server(tokenizer, text_result(LONG)) as (client, server):
        result = await client.call("k8s__pods", namespace="all", summary_focus="CrashLoopBackOff exit code")
        text = text_in(result)
        assert "CrashLoopBackOff: exit code 137" in text
        assert tokenizer.count(text) <= 1_000
        outcome = result["_meta"][OUTCOME]
        assert outcome["original_tokens"] == tokenizer.count(LONG)
        assert (outcome["server"], outcome["tool"], outcome["threshold_tokens"]) == ("k8s", "pods", 5_000)
        (sent,) = server.sent("tools/call")
        assert sent["params"]["arguments"] == {"namespace": "all"}
        result_id = result_id_in(text)
        assert outcome["result_id"] == result_id
        page = await client.call("read_original", result_id=result_id)
        assert "pod-0 in namespace team-0" in text_in(page)
        found = await client.call("search_original", result_id=result_id, query="payments-7")
        assert "exit code 137" in text_in(found)
        again = await client.call("summarize_original", result_id=result_id, max_output_tokens=200)
        assert tokenizer.count(again["content"][0]["text"]) <= 200
        assert len(server.sent("tools/call")) == 1


async def test_a_short_result_passes_as_it_is(tokenizer: Tokenizer) -> None:
    given = {"content": [{"type": "text", "text": "fine", "annotations": {"priority": 1}}], "_meta": {"a": 1}}
    async with one_server(tokenizer, given) as (client, _):
        result = await client.call("k8s__pods")
        assert result["content"] == given["content"]
        assert result["_meta"]["a"] == 1
        assert OUTCOME not in result["_meta"]


async def test_a_result_that_fits_the_limit_of_a_summary_passes_as_it_is(tokenizer: Tokenizer) -> None:
    rules = {"summarization": {"summary_max_token_limit": 20_000}}
    async with one_server(tokenizer, text_result(LONG), rules=rules) as (client, _):
        assert tokenizer.count(LONG) > 5_000
        assert text_in(await client.call("k8s__pods")) == LONG


async def test_secrets_are_masked_in_results_errors_and_originals(tokenizer: Tokenizer) -> None:
    secret = f"password: {CANARY}\n"
    results = [
        text_result(secret),
        {"content": [], "structuredContent": {"password": CANARY}},
        {**text_result(secret), "isError": True},
        text_result(LONG + secret),
    ]
    async with one_server(tokenizer, *results) as (client, _):
        said = [await client.call("k8s__pods", summary_focus="password") for _ in results]
        assert CANARY not in json.dumps(said)
        assert all("[masked secret " in json.dumps(each) for each in said)
        original = await client.call(
            "search_original", result_id=result_id_in(text_in(said[-1])), query="password"
        )
        assert "[masked secret " in text_in(original)
        assert CANARY not in text_in(original)


async def test_secrets_are_masked_in_definitions_of_tools(tokenizer: Tokenizer) -> None:
    schema = {"type": "object", "properties": {"user": {"type": "string", "default": f"token: {CANARY}"}}}
    offered = (
        a_tool("pods", title=f"secret={CANARY}", inputSchema=schema, _meta={"password": CANARY}),
        a_tool("ghp_" + "a1B2" * 9),
    )
    offered[0]["description"] = f"Call it with password={CANARY}"
    async with one_server(tokenizer, text_result("fine"), offered=offered) as (client, _):
        tools = await client.tools()
        assert [tool["name"] for tool in tools] == ["k8s__pods", *OF_ORIGINALS]
        assert CANARY not in json.dumps(tools)
        assert tools[0]["description"].startswith("Call it with password=[masked secret ")
        assert text_in(await client.call("k8s__pods")) == "fine"


@pytest.mark.parametrize("era, header", [("legacy", "no header name"), ("modern", "ghp_" + "a1B2" * 9)])
async def test_a_tool_with_a_header_that_no_client_may_send_takes_no_other_one_down(
    tokenizer: Tokenizer, era: str, header: str
) -> None:
    bad = {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": header}}}
    async with (
        HttpStandIn(era=era, tools=[a_tool("good"), a_tool("bad", inputSchema=bad)]) as server,
        gateway(tokenizer, {"k8s": {"url": server.url}}) as service,
    ):
        assert await Client(service).names() == ["k8s__good", *OF_ORIGINALS]


async def test_secrets_are_masked_in_requests_for_input(tokenizer: Tokenizer) -> None:
    ask = {
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": f"Is password={CANARY} yours?",
            "requestedSchema": {"type": "object", "properties": {}},
        },
    }
    state = "password=opaque1"
    given = {"resultType": "input_required", "inputRequests": {"a": ask}, "requestState": state}
    async with one_server(tokenizer, given) as (client, _):
        asking = modern("tools/call", call("k8s__pods"))
        asking["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = {
            "elicitation": {"form": {}}
        }
        result = (await client.post(asking, **routing(asking))).json()["result"]
        assert result["resultType"] == "input_required"
        assert "[masked secret " in result["inputRequests"]["a"]["params"]["message"]
        assert CANARY not in json.dumps(result)
        assert result["requestState"] == state


async def test_secrets_that_a_server_says_when_it_ends_stand_in_no_report(
    tokenizer: Tokenizer, caplog: pytest.LogCaptureFixture
) -> None:
    script = f"import sys; sys.stderr.write('no database at password={CANARY}\\n')"
    async with (
        HttpStandIn(
            script={"tools/list": [Status(200, lambda message: error(message, 1, f"password={CANARY}"))] * 50}
        ) as server,
        gateway(
            tokenizer,
            {"a": {"command": sys.executable, "args": ["-I", "-S", "-c", script]}, "b": {"url": server.url}},
        ) as service,
    ):
        await Client(service).tools()
        async with asyncio.timeout(20):
            while True:
                health = (await service.http.get(f"{service.origin}/health")).json()["servers"]
                if "error" in health["a"] and "error" in health["b"]:
                    break
                await asyncio.sleep(0.05)
        assert "password=[masked secret " in health["a"]["error"]
        assert "password=[masked secret " in health["b"]["error"]
        assert CANARY not in json.dumps(health)
        assert CANARY not in str([vars(record) for record in caplog.records])


async def test_a_huge_error_is_shortened_like_a_result(tokenizer: Tokenizer) -> None:
    said = Status(200, lambda message: error(message, 1, LONG + f"password={CANARY}"))
    rules = {"summarization": {"raw_max_tokens": 500}}
    async with one_server(tokenizer, said, rules=rules) as (client, _):
        result = await client.call("k8s__pods")
        assert result["isError"]
        text = text_in(result)
        assert tokenizer.count(text) < 700
        assert "password=[masked secret " in text
        assert CANARY not in text
        outcome = result["_meta"][OUTCOME]
        assert (outcome["status"], outcome["server"]) == ("shortened", "k8s")
        assert outcome["original_tokens"] > 700
        assert outcome["result_id"] == result_id_in(text)
        read = await client.call("read_original", result_id=outcome["result_id"])
        assert LONG[:200] in text_in(read)


async def test_what_is_configured_as_a_secret_comes_back_from_no_server(tokenizer: Tokenizer) -> None:
    said, rules = text_result(f"I was called with {CANARY}"), {"headers": {"X-Key": "${KEY}"}}
    async with one_server(tokenizer, said, rules=rules, environment={"KEY": CANARY}) as (client, server):
        text = text_in(await client.call("k8s__pods"))
        assert text.startswith("I was called with [masked configured ")
        assert server.headers_of("tools/call")[0]["x-key"] == CANARY


async def test_literal_secrets_of_the_configuration_come_back_from_no_server(tokenizer: Tokenizer) -> None:
    said = text_result(
        f"Called with {CANARY} for {CANARY}2 in eu-central-1, at /home/me/projects by production"
    )
    async with (
        HttpStandIn(script={"tools/call": [Says(said)]}) as one,
        HttpStandIn(script={"tools/call": [Says(said)]}) as two,
    ):
        headers = {"X-Auth-Key": CANARY, "X-Region": "eu-central-1", "X-Stage": "production"}
        servers = {
            "one": {"url": one.url, "headers": {**headers, "X-Home": "${HOME}"}},
            "two": {"url": f"{two.url}?token={CANARY}2"},
        }
        async with gateway(tokenizer, servers, environment={"HOME": "/home/me"}) as service:
            for name in ("one__echo", "two__echo"):
                text = text_in(await Client(service).call(name))
                assert CANARY not in text
                assert text.count("[masked configured ") == 2
                assert text.endswith(" in eu-central-1, at /home/me/projects by production")
        assert one.headers_of("tools/call")[0]["x-auth-key"] == CANARY


async def test_masking_can_be_switched_off_for_a_server(tokenizer: Tokenizer) -> None:
    async with one_server(
        tokenizer, text_result(f"password: {CANARY}"), rules={"masking": {"enabled": False}}
    ) as (
        client,
        _,
    ):
        assert CANARY in text_in(await client.call("k8s__pods"))


async def test_of_a_server_that_is_not_masked_the_secrets_of_the_configuration_are(
    tokenizer: Tokenizer,
) -> None:
    script = {"tools/call": [Says(text_result(f"password: other, keys {CANARY} hunter3canary"))]}
    environment = {"ITS_KEY": "hunter3canary", "OTHERS_KEY": CANARY}
    async with HttpStandIn(script=script, tools=(a_tool("pods"),)) as server:
        servers = {
            "k8s": {"url": server.url, "headers": {"X-Key": "${ITS_KEY}"}, "masking": {"enabled": False}},
            "other": {"url": server.url, "headers": {"X-Key": "${OTHERS_KEY}"}},
        }
        async with gateway(tokenizer, servers, environment=environment) as service:
            result = await Client(service).call("k8s__pods")
            assert text_in(result).startswith("password: other, keys [masked configured ")
            assert "canary" not in json.dumps(result)


async def test_a_bad_masking_pattern_stops_the_start(tokenizer: Tokenizer) -> None:
    servers = {"k8s": {"command": "true", "masking": {"patterns": {"mine": "(a+)+"}}}}
    with pytest.raises(Exception, match=r"k8s\.masking: mine: expected a pattern whose repeats are bounded"):
        async with gateway(tokenizer, servers):
            pass


@pytest.mark.parametrize(
    "rules",
    [{"summarization": {"enabled": False}}, {"mode": "observe"}],
)
async def test_where_nothing_is_summarized_a_long_result_passes_whole(
    tokenizer: Tokenizer, rules: dict[str, Any]
) -> None:
    async with one_server(tokenizer, text_result(LONG), rules=rules) as (client, _):
        result = await client.call("k8s__pods")
        assert text_in(result) == LONG
        assert ("would_summarize" in json.dumps(result)) == (rules.get("mode") == "observe")


ROWS = json.dumps([{"name": f"pod-{i}", "namespace": "prod", "status": "Running"} for i in range(400)])


@pytest.mark.parametrize(
    "result, would_summarize, would_have",
    [
        (text_result(LONG), True, range(1_000, 1_001)),
        (text_result(ROWS), False, range(1_500, 5_001)),
        ({**text_result(LONG * 4), "isError": True}, False, range(25_000, 25_001)),
    ],
)
async def test_what_is_observed_passes_and_says_what_would_have_come(
    tokenizer: Tokenizer, result: Message, would_have: range, *, would_summarize: bool
) -> None:
    async with one_server(tokenizer, result, rules={"mode": "observe"}) as (client, _):
        given = await client.call("k8s__pods")
        assert given["content"] == result["content"]
        outcome = given["_meta"][OUTCOME]
        assert outcome["would_summarize"] is would_summarize
        assert outcome["would_have_tokens"] in would_have


async def test_an_error_passes_whole_where_nothing_is_summarized(tokenizer: Tokenizer) -> None:
    huge = {**text_result(LONG * 4), "isError": True}
    async with one_server(tokenizer, huge, rules={"summarization": {"enabled": False}}) as (client, _):
        assert text_in(await client.call("k8s__pods")) == LONG * 4


@pytest.mark.unmeasured
@pytest.mark.parametrize("limit", [50, 75, 100, 200])
@pytest.mark.parametrize("name", ["pods", "a_tool_whose_name_has_as_many_characters_as"])
async def test_a_summary_with_its_note_fits_a_small_limit(
    tokenizer: Tokenizer, limit: int, name: str
) -> None:
    rules = {"summarization": {"summary_max_token_limit": limit}}
    async with one_server(tokenizer, text_result(LONG), rules=rules, offered=(a_tool(name),)) as (client, _):
        text = text_in(await client.call(f"k8s__{name}", summary_focus="CrashLoopBackOff"))
        assert tokenizer.count(text) <= limit
        note, _, summary = text.partition("\n\n")
        assert tokenizer.count(summary) >= limit // 4
        original = text_in(await client.call("read_original", result_id=result_id_in(note)))
        assert LONG[:100] in original


async def test_a_table_comes_with_one_header_and_the_model_is_not_asked(tokenizer: Tokenizer) -> None:
    pods = [{"name": f"pod-{i}", "namespace": "prod", "status": "Running", "age": "3d"} for i in range(300)]
    given = text_result(json.dumps({"items": pods}, indent=2))
    async with StandIn([Fails(401)]) as model:
        async with one_server(tokenizer, given, settings=with_model(model)) as (client, server):
            result = await client.call("k8s__pods")
            note, _, table = text_in(result).partition("\n\n")
            tokens = tokenizer.count(given["content"][0]["text"])
            said = f"[k8s__pods: {tokens:,} tokens, compacted to {tokenizer.count(table):,}: one header for 300 rows; result_id="
            assert note.startswith(said)
            (found,) = json.loads(table).values()
            assert (len(found["rows"]), found["rows"][7]) == (300, ["pod-7"])
            outcome = result["_meta"][OUTCOME]
            assert (outcome["status"], outcome["original_tokens"]) == ("compacted", tokens)
            assert outcome["result_id"] == result_id_in(note)
            page = text_in(await client.call("read_original", result_id=result_id_in(note)))
            assert '"name": "pod-0"' in page
            assert len(server.sent("tools/call")) == 1
        assert model.log == []


async def test_of_an_exact_tool_whole_lines_are_left_out_and_none_is_paraphrased(
    tokenizer: Tokenizer,
) -> None:
    rules = {"tools": {"exact": ["pods"]}, "summarization": {"size_threshold_tokens": 500}}
    async with StandIn([Fails(401)]) as model:
        async with one_server(tokenizer, text_result(LONG), settings=with_model(model), rules=rules) as (
            client,
            _,
        ):
            note, _, lines = text_in(await client.call("k8s__pods")).partition("\n\n")
            assert tokenizer.count(lines) <= 500
            shown = lines.split("\n")
            (mark,) = set(shown) - set(LONG.split("\n"))
            left_out = len(LONG.split("\n")) - len(shown) + 1
            assert mark == f"[{left_out} lines left out]"
            assert f": {left_out} of its lines left out; " in note
            found = await client.call("search_original", result_id=result_id_in(note), query="pod-300")
            assert POD.format(300).strip() in text_in(found)
        assert model.log == []


async def test_of_a_log_that_is_too_long_to_be_read_a_part_is_summarized_and_all_is_searched(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(short_form, "MAX_ROWS_CHARS", 10_000)
    async with one_server(tokenizer, text_result(LONG)) as (client, _):
        result = await client.call("k8s__pods")
        text = text_in(result)
        assert "summarized from 5 of its 601 lines; result_id=" in text
        assert "CrashLoopBackOff: exit code 137" in text
        assert result["_meta"][OUTCOME]["status"] == "partial"
        assert result["_meta"][OUTCOME]["reason"] == "from 5 of its 601 lines"
        found = await client.call("search_original", result_id=result_id_in(text), query="pod-300")
        assert POD.format(300).strip() in text_in(found)


async def test_why_a_part_of_it_failed_is_told_beside_how_much_was_read(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(short_form, "MAX_ROWS_CHARS", 10_000)
    rules = {"summarization": {"on_failure": "extractive", "summary_max_token_limit": 60}}
    async with (
        StandIn([Fails(500)] * 9) as model,
        one_server(tokenizer, text_result(LONG), rules=rules, settings=with_model(model)) as (client, _),
    ):
        reason = (await client.call("k8s__pods"))["_meta"][OUTCOME]["reason"]
        assert reason.startswith("from 5 of its 601 lines; summarized without the model, since ")


async def test_only_the_configured_headers_of_a_client_go_up_and_only_to_their_server(
    tokenizer: Tokenizer,
) -> None:
    async with HttpStandIn() as one, HttpStandIn() as two:
        servers = {"one": {"url": one.url, "forward_headers": ["X-Tenant"]}, "two": {"url": two.url}}
        async with gateway(tokenizer, servers) as service:
            given = {"x-tenant": "t1", "X-Other": "o", "Cookie": "c=1", "Authorization": "Bearer client"}
            both = [
                Client(service, headers=given),
                Client(service, headers={"X-Tenant": "t2"}),
                Client(service),
            ]
            for client in both:
                await client.call("one__echo")
                await client.call("two__echo")
        assert [sent.get("x-tenant") for sent in one.headers_of("tools/call")] == ["t1", "t2", None]
        names = {name.lower() for sent in two.headers_of("tools/call") for name in sent}
        names |= {name.lower() for sent in one.headers_of("tools/call") for name in sent}
        assert not {"x-other", "cookie", "authorization"} & names
        assert [sent.get("x-tenant") for sent in two.headers_of("tools/call")] == [None, None, None]


@pytest.mark.parametrize("rules, shared", [({}, False), ({"isolation": "shared"}, True)])
async def test_keys_share_no_connection_unless_it_is_said(
    tokenizer: Tokenizer, tmp_path: Path, rules: dict[str, Any], *, shared: bool
) -> None:
    keys = ["a-key-of-sixteen-chars", "b-key-of-sixteen-chars"]
    settings = {"MCP_SUMMARIZER_API_KEYS": ",".join(keys)}
    file = tmp_path / "gateway.json"
    async with HttpStandIn(era="legacy") as server:
        file.write_text(json.dumps({"mcpServers": {"web": {"url": server.url, **rules}}}), "utf-8")
        config = gateway_service.configured(Config(mcp_gateway_config=str(file), api_keys=tuple(keys)), {})
        async with running(tokenizer, settings, config) as service:
            for key in (0, 1, 0):
                client = Client(service, headers={"Authorization": f"Bearer {keys[key]}"})
                assert "isError" not in await client.call("web__echo")
        first, second, again = [sent["mcp-session-id"] for sent in server.headers_of("tools/call")]
        assert first == again
        assert (first == second) is shared


def test_a_single_key_needs_no_connection_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "gateway.json"
    file.write_text('{"mcpServers": {"web": {"command": "x"}}}', "utf-8")
    settings = Config(mcp_gateway_config=str(file), api_keys=("a-key-of-sixteen-chars",))
    config = gateway_service.configured(settings, {})
    assert config
    assert config.servers["web"].isolation == "shared"


async def test_sessions_of_an_isolated_server_share_no_connection_and_keys_neither(
    tokenizer: Tokenizer,
) -> None:
    keys = ["a-key-of-sixteen-chars", "b-key-of-sixteen-chars"]
    settings = {"MCP_SUMMARIZER_API_KEYS": ",".join(keys)}
    async with HttpStandIn(era="legacy") as server:
        servers = {"web": {"url": server.url, "isolation": "session"}}
        async with gateway(tokenizer, servers, settings) as service:
            for key, session in ((0, "s"), (1, "s"), (0, "s"), (0, "t"), (1, None), (0, None)):
                client = Client(service, headers={"Authorization": f"Bearer {keys[key]}"})
                asking = legacy("tools/call", call("web__echo"))
                asking["params"]["_meta"] = {"mcp-summarizer/session_id": session} if session else {}
                assert "isError" not in (await client.post(asking)).json()["result"]
        first, second, again, *others = [sent["mcp-session-id"] for sent in server.headers_of("tools/call")]
        assert first == again
        assert len({first, second, *others}) == 5


async def test_arguments_that_a_server_wants_in_headers_are_checked_and_go_up_there(
    tokenizer: Tokenizer,
) -> None:
    schema = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
    offered = (a_tool("pods", inputSchema=schema),)
    async with one_server(tokenizer, text_result("fine"), offered=offered) as (client, server):
        asking = modern("tools/call", call("k8s__pods", region="eu"))
        wrong = await client.post(asking, **routing(asking), **{"Mcp-Param-Region": "us"})
        assert wrong.status_code == 400
        right = await client.post(asking, **routing(asking), **{"Mcp-Param-Region": "eu"})
        assert right.json()["result"]["content"] == text_result("fine")["content"]
        assert [sent["mcp-param-region"] for sent in server.headers_of("tools/call")] == ["eu"]


async def test_a_call_over_the_rate_of_a_server_is_an_error_that_says_when_to_try_again(
    tokenizer: Tokenizer,
) -> None:
    async with one_server(tokenizer, rules={"max_calls_per_minute": 2}) as (client, server):
        said = [await client.call("k8s__pods", a=number) for number in range(3)]
        assert [bool(each.get("isError")) for each in said] == [False, False, True]
        assert re.fullmatch(
            r"k8s: was not called: it may be called 2 times a minute \(max_calls_per_minute\); try again in (60|59|58) s",
            text_in(said[-1]),
        )
        assert len(server.sent("tools/call")) == 2


async def test_an_error_of_a_tool_is_never_paraphrased(tokenizer: Tokenizer) -> None:
    failed = {**text_result(LONG), "isError": True}
    rules = {"summarization": {"raw_max_tokens": 500}}
    async with one_server(tokenizer, text_result("short"), failed) as (client, _):
        await client.call("k8s__pods")
        assert text_in(await client.call("k8s__pods")) == LONG
    async with one_server(tokenizer, failed, rules=rules) as (client, _):
        result = await client.call("k8s__pods")
        text = text_in(result)
        assert result["isError"]
        assert tokenizer.count(text) < 700
        assert "pod-0 in namespace" in text
        assert text.endswith("exit code 137.\n")
        assert "characters left out]" in text


async def test_an_error_is_not_held_against_the_schema_of_results(tokenizer: Tokenizer) -> None:
    schema = {"type": "object", "properties": {"pods": {"type": "integer"}}, "required": ["pods"]}
    offered = (a_tool("pods", outputSchema=schema),)
    failed = {"content": [{"type": "text", "text": "no such namespace"}], "isError": True}
    rules = {"summarization": {"enabled": False}, "masking": {"enabled": False}}
    async with one_server(
        tokenizer, failed, {**failed, "structuredContent": {"error": 5}}, offered=offered, rules=rules
    ) as (client, _):
        assert (await client.tools())[0]["outputSchema"] == schema
        first, second = [await client.call("k8s__pods") for _ in range(2)]
        assert (first["content"], first["isError"]) == (failed["content"], True)
        assert "structuredContent" not in first
        assert (second["structuredContent"], second["isError"]) == ({"error": 5}, True)


async def test_what_a_server_says_about_its_tools_and_blocks_passes(tokenizer: Tokenizer) -> None:
    about = {
        "title": "Pods of a namespace",
        "annotations": {"readOnlyHint": True, "title": "Pods"},
        "icons": [{"src": "https://icons.example/pod.png", "mimeType": "image/png"}],
        "_meta": {"example/a": 1},
    }
    audio = {
        "type": "audio",
        "data": "AAAA",
        "mimeType": "audio/wav",
        "annotations": {"audience": ["user"]},
        "_meta": {"example/b": 2},
    }
    link = {
        "type": "resource_link",
        "uri": "file:///a",
        "name": "a",
        "title": "A",
        "annotations": {"priority": 1},
    }
    long = {"content": [{"type": "text", "text": LONG}, audio, link], "_meta": {"example/c": 3}}
    async with one_server(tokenizer, long, offered=(a_tool("pods", **about),)) as (client, _):
        tool = (await client.tools())[0]
        assert {name: tool[name] for name in about} == about
        result = await client.call("k8s__pods")
        assert OUTCOME in result["_meta"]
        assert result["_meta"]["example/c"] == 3
        assert result["content"][1:] == [audio, link]


async def test_images_and_links_stay_beside_a_summary(tokenizer: Tokenizer) -> None:
    image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    value = {"pods": [POD.format(number) for number in range(600)]}
    given = {
        "content": [image, {"type": "text", "text": json.dumps(value, indent=2)}],
        "structuredContent": value,
    }
    async with one_server(tokenizer, given, offered=(a_tool("pods", outputSchema={"type": "object"}),)) as (
        client,
        _,
    ):
        assert "outputSchema" not in (await client.tools())[0]
        result = await client.call("k8s__pods")
        assert [block["type"] for block in result["content"]] == ["text", "image"]
        assert "structuredContent" not in result


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "on_failure, said",
    [("original", "not summarized: "), ("error", "not summarized: "), ("extractive", "summarized; ")],
)
async def test_each_server_says_what_comes_where_the_model_fails(
    tokenizer: Tokenizer, on_failure: str, said: str
) -> None:
    async with StandIn([Fails(401)]) as model:
        rules = {"summarization": {"on_failure": on_failure, "raw_max_tokens": 600}}
        async with one_server(tokenizer, text_result(LONG), settings=with_model(model), rules=rules) as (
            client,
            _,
        ):
            result = await client.call("k8s__pods")
            text = text_in(result)
            assert said in text.partition("\n")[0]
            assert tokenizer.count(text) <= 1_000
            assert bool(result.get("isError")) == (on_failure == "error")
            await client.call("read_original", result_id=result_id_in(text))


@pytest.mark.parametrize(
    "on_failure, status, said",
    [
        ("original", "unsummarized", "not summarized: "),
        ("error", "unsummarized", "not summarized: "),
        ("extractive", "partial", "summarized; "),
    ],
)
async def test_a_model_that_is_too_slow_is_one_that_fails(
    tokenizer: Tokenizer, let_pass: LetPass, on_failure: str, status: str, said: str
) -> None:
    async with StandIn([ModelHangs()] * 50) as model:
        settings = with_model(
            model,
            SUMMARIZE_DEADLINE_SECONDS="20",
            LLM_FIRST_BYTE_TIMEOUT_SECONDS="3000",
            LLM_TOTAL_TIMEOUT_SECONDS="3000",
        )
        rules = {"summarization": {"on_failure": on_failure, "raw_max_tokens": 600}}
        async with one_server(tokenizer, text_result(LONG), settings=settings, rules=rules) as (client, _):
            calling = asyncio.create_task(client.call("k8s__pods"))
            await model.called(1)
            let_pass(20 * MODEL_SHARE_OF_TIME)
            result = await calling
    text, outcome = text_in(result), result["_meta"][OUTCOME]
    assert said in text.partition("\n")[0]
    assert tokenizer.count(text) <= 1_000
    assert bool(result.get("isError")) == (on_failure == "error")
    assert outcome["status"] == status
    assert TIME_IS_OVER in outcome["reason"]


@pytest.mark.unmeasured
async def test_the_progress_of_a_summary_goes_on_behind_that_of_the_server(tokenizer: Tokenizer) -> None:
    def told(message: Message) -> bytes:
        token = message["params"]["_meta"]["progressToken"]
        return event(note("notifications/progress", {"progressToken": token, "progress": 100, "total": 100}))

    answer = Streams(told, replied(text_result(LONG)))
    async with (
        StandIn([Summarizes()]) as model,
        one_server(tokenizer, answer, settings=with_model(model)) as (client, _),
    ):
        asking = legacy("tools/call", {**call("k8s__pods"), "_meta": {"progressToken": "p"}})
        response = await client.post(asking, Accept="application/json, text/event-stream")
    sent = [json.loads(line[6:]) for line in response.text.splitlines() if line.startswith("data: {")]
    steps = [each["params"] for each in sent if each.get("method") == "notifications/progress"]
    assert (steps[0]["progress"], steps[0]["total"]) == (100, 100)
    assert len(steps) > 1
    assert all(one["progress"] < other["progress"] for one, other in pairwise(steps))
    assert all(100 < each["progress"] <= each["total"] for each in steps[1:])


@pytest.mark.unmeasured
async def test_each_server_has_its_model_and_the_outcome_says_what_a_summary_took(
    tokenizer: Tokenizer,
) -> None:
    rules = {"summarization": {"model": "small/one", "summary_max_token_limit": 400}}
    async with (
        StandIn([Summarizes(cost=0.25)]) as model,
        HttpStandIn(script={"tools/call": [Says(text_result(LONG))]}) as one,
        HttpStandIn(script={"tools/call": [Says(text_result(LONG))]}) as two,
        gateway(
            tokenizer,
            {"one": {"url": one.url, **rules}, "two": {"url": two.url}},
            with_model(model, DEFAULT_CHUNK_SIZE_TOKENS="60000"),
        ) as service,
    ):
        first = (await Client(service).call("one__echo"))["_meta"][OUTCOME]
        second = (await Client(service).call("two__echo"))["_meta"][OUTCOME]
    assert [(each["model"], each["max_tokens"]) for each in model.payloads] == [
        ("small/one", 400),
        ("openai/gpt-4o-mini", 1_000),
    ]
    assert [(each["model"], each["cost_usd"], each["llm_calls"]) for each in (first, second)] == [
        ("small/one", 0.25, 1),
        ("openai/gpt-4o-mini", 0.25, 1),
    ]
    assert first["original_tokens"] == tokenizer.count(LONG)
    assert first["threshold_tokens"] == 5_000
    assert first["duration_ms"] >= 0


@pytest.mark.unmeasured
async def test_an_empty_summary_is_a_failure(tokenizer: Tokenizer) -> None:
    async with StandIn(lambda number, payload: Empty()) as model:
        settings = with_model(model, LLM_TOTAL_TIMEOUT_SECONDS="5", LLM_BREAKER_FAILURES="2")
        async with one_server(tokenizer, text_result(LONG), settings=settings) as (client, _):
            result = await client.call("k8s__pods")
            assert text_in(result).endswith(f"\n\n{LONG}")
            assert result["_meta"][OUTCOME]["status"] == "unsummarized"
            assert "not summarized" in text_in(result)


@pytest.mark.parametrize("less, passes", [(0, True), (1, False)])
async def test_a_result_of_as_many_tokens_as_the_threshold_passes_and_one_of_more_does_not(
    tokenizer: Tokenizer, less: int, *, passes: bool
) -> None:
    rules = {"summarization": {"size_threshold_tokens": tokenizer.count(LONG) - less}}
    async with one_server(tokenizer, text_result(LONG), rules=rules) as (client, _):
        result = await client.call("k8s__pods")
        assert (text_in(result) == LONG) is passes


async def test_what_a_server_says_about_failures_counts_before_on_failure(tokenizer: Tokenizer) -> None:
    async with (
        StandIn([Fails(401)]) as model,
        one_server(tokenizer, text_result(LONG), settings=with_model(model, ON_FAILURE="error")) as (
            client,
            _,
        ),
    ):
        result = await client.call("k8s__pods")
    assert not result.get("isError")
    assert text_in(result).endswith(LONG)


async def test_a_summary_without_a_failed_model_says_why_and_what_the_model_took(
    tokenizer: Tokenizer,
) -> None:
    async with StandIn([Fails(401)]) as model:
        rules = {"summarization": {"on_failure": "extractive"}}
        settings = with_model(model, DEFAULT_CHUNK_SIZE_TOKENS="60000")  # one chunk, one request
        async with one_server(tokenizer, text_result(LONG), settings=settings, rules=rules) as (client, _):
            outcome = (await client.call("k8s__pods"))["_meta"][OUTCOME]
    assert (outcome["status"], outcome["llm_calls"]) == ("partial", 1)
    assert outcome["reason"].startswith("summarized without the model, since the model gave nothing: ")


async def test_a_server_that_is_down_says_so_and_takes_no_other_down(tokenizer: Tokenizer) -> None:
    async with (
        HttpStandIn(script={"server/discover": [Status(403)] * 50, "initialize": [Status(403)] * 50}) as bad,
        HttpStandIn() as good,
    ):
        servers = {"bad": {"url": bad.url}, "good": {"url": good.url}}
        async with gateway(tokenizer, servers) as service:
            names = await Client(service).names()
            assert [name.partition("__")[0] for name in names[:3]] == ["good"] * 3
            health = (await service.http.get(f"{service.origin}/health")).json()
            assert health["servers"]["good"]["status"] == "ready"
            assert health["servers"]["bad"]["status"] != "ready"
            assert "error" in health["servers"]["bad"]


async def test_a_refused_call_is_an_error_that_names_the_server(tokenizer: Tokenizer) -> None:
    refused = Status(200, lambda message: error(message, -32602, f"no such pod, token: {CANARY}"))
    async with one_server(tokenizer, refused) as (client, _):
        result = await client.call("k8s__pods")
        assert result["isError"]
        assert text_in(result).startswith("k8s: ")
        assert "no such pod" in text_in(result)
        assert CANARY not in text_in(result)


async def test_calls_of_modern_clients_that_leave_are_cancelled_at_the_server(tokenizer: Tokenizer) -> None:
    async with one_server(tokenizer, *[Hangs()] * 10, rules={"max_concurrency": 10}) as (client, server):
        await client.names()
        asking = modern("tools/call", call("k8s__pods"))
        calls = [asyncio.create_task(client.post(asking, **routing(asking))) for _ in range(10)]
        await server.until(lambda: len(server.sent("tools/call")) == 10)
        for each in calls:
            each.cancel()
        await server.seen("tools/call > cancelled", times=10)
        assert json.loads(text_in(await client.call("k8s__pods", a=1))) == {"a": 1}


async def test_a_server_that_hangs_takes_no_place_that_others_need(tokenizer: Tokenizer) -> None:
    async with (
        HttpStandIn(script={"tools/call": [Hangs()] * 70}) as hung,
        HttpStandIn() as good,
        gateway(tokenizer, {"hung": {"url": hung.url}, "good": {"url": good.url}}) as service,
    ):
        client = Client(service)
        assert {"hung__echo", "good__echo"} <= set(await client.names())
        calls = [asyncio.create_task(client.call("hung__echo")) for _ in range(70)]
        await hung.until(lambda: len(hung.sent("tools/call")) == 16)
        refused = [await each for each in islice(asyncio.as_completed(calls), 22)]
        said = "48 calls of it are under way or wait, and the other places of MAX_CONCURRENT_REQUESTS are taken or kept for others"
        assert {text_in(each) for each in refused} == {f"hung: was not called: {said}; try again in 5 s"}
        assert text_in(await client.call("good__echo", a=1)) == '{"a": 1}'
        message = legacy("tools/call", call("summarize", content="A line."))
        summary = await service.http.post(f"{service.origin}/mcp", json=message)
        assert summary.json()["result"]["content"][0]["text"] == "A line."
        for each in calls:
            each.cancel()


async def test_servers_that_hang_at_once_take_no_place_that_others_need(tokenizer: Tokenizer) -> None:
    async with (
        HttpStandIn(script={"tools/call": [Hangs()] * 70}) as one,
        HttpStandIn(script={"tools/call": [Hangs()] * 70}) as two,
        HttpStandIn() as good,
        gateway(
            tokenizer, {"one": {"url": one.url}, "two": {"url": two.url}, "good": {"url": good.url}}
        ) as service,
    ):
        client = Client(service)
        assert {"one__echo", "two__echo", "good__echo"} <= set(await client.names())
        calls = [
            asyncio.create_task(client.call(name)) for name in ("one__echo", "two__echo") for _ in range(70)
        ]
        # Of 64 places 16 are kept, 5 for each server: 5 of the good one and 5 for the service's own tools are left.
        async with asyncio.timeout(30):  # where all places are taken, none of this is answered
            refused = [await each for each in islice(asyncio.as_completed(calls), 140 - 54)]
            assert all("kept for others; try again in 5 s" in text_in(each) for each in refused)
            assert text_in(await client.call("good__echo", a=1)) == '{"a": 1}'
            message = legacy("tools/call", call("summarize", content="A line."))
            summary = await service.http.post(f"{service.origin}/mcp", json=message)
            assert summary.json()["result"]["content"][0]["text"] == "A line."
        for each in calls:
            each.cancel()


async def test_a_server_that_hangs_as_it_starts_is_waited_for_once(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(the_gateway, "FIRST_LIST_SECONDS", 0.1)
    async with (
        HttpStandIn(script={"server/discover": [Hangs()], "initialize": [Hangs()]}) as hung,
        HttpStandIn() as quick,
        gateway(tokenizer, {"hung": {"url": hung.url}, "quick": {"url": quick.url}}) as service,
    ):
        await until_ready(service, "quick")
        assert "quick__echo" in await Client(service).names()
        monkeypatch.setattr(the_gateway, "FIRST_LIST_SECONDS", 60.0)
        async with asyncio.timeout(30):  # less than the wait
            assert text_in(await Client(service).call("quick__echo", a=1)) == '{"a": 1}'


async def test_changed_tools_of_a_server_are_offered_in_every_selection(tokenizer: Tokenizer) -> None:
    command, arguments = program()
    async with gateway(tokenizer, {"files": {"command": command, "args": list(arguments)}}) as service:
        whole, chosen = Client(service), Client(service, "?servers=files:echo,files:other")
        server = Client(service, "?servers=files")
        assert "files__other" not in {*await whole.names(), *await server.names()}
        refused = (await chosen.post(legacy("tools/list"))).text
        assert "servers: expected tools that files has, got other" in refused
        await whole.call("files__write_twice")
        async with asyncio.timeout(10):
            while True:
                if "files__other" in await whole.names():
                    break
                await asyncio.sleep(0.01)
        assert await chosen.names() == ["files__echo", "files__other", *OF_ORIGINALS]
        assert "files__other" in await server.names()


async def test_without_a_configuration_there_is_no_gateway(tokenizer: Tokenizer) -> None:
    async with running(tokenizer, {}) as service:
        assert (await Client(service).post(legacy("tools/list"))).status_code == 404
        assert "servers" not in (await service.http.get(f"{service.origin}/health")).json()


async def test_keys_protect_the_gateway(tokenizer: Tokenizer) -> None:
    key = "a-key-of-sixteen-chars"
    async with HttpStandIn() as server:
        settings = {"MCP_SUMMARIZER_API_KEYS": key}
        async with gateway(tokenizer, {"k8s": {"url": server.url}}, settings) as service:
            assert (await Client(service).post(legacy("tools/list"))).status_code == 401
            keyed = Client(service, headers={"Authorization": f"Bearer {key}"})
            assert "k8s__echo" in await keyed.names()
            assert all("authorization" not in headers for headers in server.headers_of("tools/list"))


@pytest.mark.parametrize(
    "key, is_told", [(None, False), ("wrong", False), ("the-right-key-of-a-caller", True)]
)
async def test_with_keys_health_tells_of_the_servers_with_a_key_alone(
    tokenizer: Tokenizer, key: str | None, *, is_told: bool
) -> None:
    shown = {"Authorization": f"Bearer {key}"} if key else {}
    settings = {"MCP_SUMMARIZER_API_KEYS": "the-right-key-of-a-caller"}
    async with gateway(tokenizer, {"secret-name": {"command": "no-such-program"}}, settings) as service:
        response = await service.http.get(f"{service.origin}/health", headers=shown)
        assert (response.status_code, response.json()["status"]) == (200, "ok")
        assert ("secret-name" in response.text) is is_told


async def test_without_keys_health_tells_of_the_servers_to_allowed_hosts_alone(tokenizer: Tokenizer) -> None:
    async with gateway(tokenizer, {"secret-name": {"command": "no-such-program"}}) as service:
        response = await service.http.get(f"{service.origin}/health", headers={"Host": "evil.example"})
        assert (response.status_code, response.json()["status"]) == (200, "ok")
        assert "secret-name" not in response.text


async def test_health_and_the_front_page_name_the_gateway(tokenizer: Tokenizer) -> None:
    async with HttpStandIn() as server, gateway(tokenizer, {"k8s": {"url": server.url}}) as service:
        health = (await service.http.get(f"{service.origin}/health")).json()
        assert health["gateway"] == "/gateway/mcp"
        assert list(health["servers"]) == ["k8s"]
        for accept in ("text/plain", "text/html"):
            page = (await service.http.get(service.origin, headers={"Accept": accept})).text
            assert f"{service.origin}/gateway/mcp" in page
    async with running(tokenizer, {}) as service:
        assert "gateway" not in (await service.http.get(f"{service.origin}/health")).json()
        assert "gateway/mcp" not in (await service.http.get(service.origin)).text


def test_the_log_line_of_the_start_names_the_gateway_and_its_servers(
    caplog: pytest.LogCaptureFixture,
) -> None:
    config = read_gateway_config('{"mcpServers": {"a": {"command": "x"}, "b": {"command": "x"}}}', {})
    with caplog.at_level("INFO"):
        application.announce(Config(), config, 8007)
    started = vars(caplog.records[0])
    assert started["gateway"] == "http://127.0.0.1:8007/gateway/mcp"
    assert started["servers"] == ["a", "b"]
