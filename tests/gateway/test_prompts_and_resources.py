"""Prompts and resources of the servers: under names that say whose they are, masked, within the connection's choice."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from gateway.names import servers_meant
from gateway.resources import prefixes_of
from summarizing.text.tokenizer import Tokenizer
from tests.gateway.test_gateway import CANARY, Client, gateway
from tests.support.messages import Message, legacy
from tests.support.upstream_http import Answer, Hangs, HttpStandIn, Says, Status
from tests.support.upstream_stand_in import error

BOTH: dict[str, Message] = {"prompts": {"listChanged": True}, "resources": {}, "completions": {}}


def lists(
    prompts: list[Message], resources: list[Message], templates: list[Message]
) -> dict[str, list[Answer]]:
    """Return a script that answers each list a few times."""
    return {
        "prompts/list": [Says({"prompts": prompts})] * 5,
        "resources/list": [Says({"resources": resources})] * 5,
        "resources/templates/list": [Says({"resourceTemplates": templates})] * 5,
    }


PROMPTS: list[Message] = [{"name": "review code", "description": "Reviews."}, {"name": "ask"}]
RESOURCES: list[Message] = [{"uri": "file:///notes.md", "name": "notes"}]
TEMPLATES: list[Message] = [{"uriTemplate": "file:///{path}", "name": "any"}]


@asynccontextmanager
async def two_servers(
    tokenizer: Tokenizer, query: str = "", **script: list[Answer]
) -> AsyncIterator[tuple[Client, HttpStandIn]]:
    """Run a gateway before `Git_Hub`, which has everything, and `k8s`, which has tools alone."""
    async with AsyncExitStack() as stack:
        answers = {
            **lists(PROMPTS, RESOURCES, TEMPLATES),
            **{name.replace("_", "/"): each for name, each in script.items()},
        }
        one = await stack.enter_async_context(HttpStandIn(script=answers, capabilities=BOTH))
        two = await stack.enter_async_context(HttpStandIn())
        servers = {"Git_Hub": {"url": one.url}, "k8s": {"url": two.url}}
        service = await stack.enter_async_context(gateway(tokenizer, servers))
        yield Client(service, query), one


async def asked(client: Client, method: str, **params: Any) -> Message:
    reply = (await client.post(legacy(method, params))).json()
    return dict(reply.get("result") or reply["error"])


async def test_prompts_stand_under_their_servers_and_are_got_by_that_name(tokenizer: Tokenizer) -> None:
    got = {"messages": [{"role": "user", "content": {"type": "text", "text": f"password={CANARY}"}}]}
    async with two_servers(tokenizer, prompts_get=[Says(got)] * 2) as (client, server):
        listed = (await asked(client, "prompts/list"))["prompts"]
        assert listed == [
            {"name": "Git_Hub__ask"},
            {"name": "Git_Hub__review_code", "description": "Reviews."},
        ]
        for name in ("Git_Hub__review_code", "Git_Hub.review code"):
            result = await asked(client, "prompts/get", name=name, arguments={"a": "b"})
            assert set(result) == {"messages"}
            assert result["messages"][0]["content"]["text"].startswith("password=[masked secret ")
            sent = server.sent("prompts/get")[-1]["params"]
            assert (sent["name"], sent["arguments"]) == ("review code", {"a": "b"})


async def test_resources_stand_under_their_servers_and_are_read_by_that_address(tokenizer: Tokenizer) -> None:
    read = {"contents": [{"uri": "file:///a.md", "text": f"token: {CANARY}"}]}
    async with two_servers(tokenizer, resources_read=[Says(read)]) as (client, server):
        listed = (await asked(client, "resources/list"))["resources"]
        assert listed == [{"uri": "git-hub+file:///notes.md", "name": "notes"}]
        templates = (await asked(client, "resources/templates/list"))["resourceTemplates"]
        assert templates == [{"uriTemplate": "git-hub+file:///{path}", "name": "any"}]
        (content,) = (await asked(client, "resources/read", uri="GIT-HUB+file:///a.md"))["contents"]
        assert content["uri"] == "git-hub+file:///a.md"
        assert content["text"].startswith("token: [masked ")
        assert CANARY not in json.dumps(content)
        assert server.sent("resources/read")[0]["params"]["uri"] == "file:///a.md"


@pytest.mark.parametrize(
    "ref, own",
    [
        (
            {"type": "ref/prompt", "name": "Git_Hub__review_code"},
            {"type": "ref/prompt", "name": "review code"},
        ),
        (
            {"type": "ref/resource", "uri": "git-hub+file:///{path}"},
            {"type": "ref/resource", "uri": "file:///{path}"},
        ),
    ],
)
async def test_completions_are_asked_of_the_server_under_its_own_names(
    tokenizer: Tokenizer, ref: Message, own: Message
) -> None:
    given = {"completion": {"values": ["pad", f"password={CANARY}", 5], "total": 250, "hasMore": True}}
    async with two_servers(tokenizer, completion_complete=[Says(given)]) as (client, server):
        asking = {
            "ref": ref,
            "argument": {"name": "path", "value": "pa"},
            "context": {"arguments": {"a": "b"}},
        }
        said = (await asked(client, "completion/complete", **asking))["completion"]
        assert said["values"][0] == "pad"
        assert said["values"][1].startswith("password=[masked secret ")
        assert (len(said["values"]), said["total"], said["hasMore"]) == (2, 250, True)
        sent = server.sent("completion/complete")[0]["params"]
        assert {name: sent[name] for name in asking} == {**asking, "ref": own}


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "answer, said",
    [
        ({"completion": {"values": ["a"], "hasMore": True}}, {"values": ["a"], "hasMore": True}),
        ({"completion": {"values": "a", "total": "b"}}, {"values": [], "total": 0, "hasMore": False}),
        ({"completion": []}, {"values": [], "total": 0, "hasMore": False}),
        (
            {"completion": {"values": [str(n) for n in range(101)]}},
            {"values": [str(n) for n in range(100)], "total": 101, "hasMore": True},
        ),
    ],
)
async def test_completions_are_what_mcp_says(tokenizer: Tokenizer, answer: Message, said: Message) -> None:
    async with two_servers(tokenizer, completion_complete=[Says(answer)]) as (client, _):
        ref = {"type": "ref/resource", "uri": "git-hub+file:///{path}"}
        argument = {"name": "path", "value": ""}
        found = await asked(client, "completion/complete", ref=ref, argument=argument)
        assert found["completion"] == said


@pytest.mark.parametrize(
    "ref, said",
    [
        ({"type": "ref/prompt", "name": "Git_Hub__other"}, "Unknown prompt: Git_Hub__other; "),
        ({"type": "ref/resource", "uri": "other+file:///{path}"}, "Unknown resource: other+file:"),
        ({"type": "ref/tool", "name": "x"}, "ref: expected ref/prompt with a name or"),
    ],
)
async def test_completions_of_what_no_server_has_are_refused(
    tokenizer: Tokenizer, ref: Message, said: str
) -> None:
    async with two_servers(tokenizer) as (client, server):
        refused = await asked(client, "completion/complete", ref=ref, argument={"name": "a", "value": ""})
        assert refused["code"] == -32602
        assert said in refused["message"]
        assert not server.sent("completion/complete")


async def test_a_server_without_completions_is_asked_for_none(tokenizer: Tokenizer) -> None:
    async with two_servers(tokenizer) as (client, _):
        ref, argument = {"type": "ref/resource", "uri": "k8s+x:{y}"}, {"name": "y", "value": ""}
        found = await asked(client, "completion/complete", ref=ref, argument=argument)
        assert found["completion"] == {"values": [], "total": 0, "hasMore": False}


async def test_every_page_is_listed_and_names_with_secrets_are_left_out(tokenizer: Tokenizer) -> None:
    key = "ghp_" + "a1B2" * 9
    pages: list[Answer] = [
        Says({"prompts": [{"name": "a"}, {"name": key}], "nextCursor": "2"}),
        Says({"prompts": [{"name": "b", "description": f"password={CANARY}"}, {"name": "a"}, {}]}),
    ]
    async with two_servers(tokenizer, prompts_list=pages) as (client, _):
        first, second = (await asked(client, "prompts/list"))["prompts"]
        assert (first["name"], second["name"]) == ("Git_Hub__a", "Git_Hub__b")
        assert second["description"].startswith("password=[masked secret ")


@pytest.mark.parametrize("query", ["?servers=k8s", "?servers=Git_Hub:echo,k8s"])
async def test_only_servers_that_are_chosen_whole_have_prompts_and_resources(
    tokenizer: Tokenizer, query: str
) -> None:
    async with two_servers(tokenizer, query) as (client, server):
        assert await asked(client, "prompts/list") == {"prompts": []}
        assert await asked(client, "resources/list") == {"resources": []}
        refused = await asked(client, "prompts/get", name="Git_Hub__ask")
        assert refused["message"].startswith("Unknown prompt: Git_Hub__ask; it is not among those of this")
        refused = await asked(client, "resources/read", uri="git-hub+file:///notes.md")
        assert refused["code"] == -32002
        assert refused["message"].startswith("Unknown resource: git-hub+file:///notes.md; ")
        assert not server.sent("prompts/get") + server.sent("resources/read")


async def test_a_server_whose_list_fails_takes_nothing_from_the_others(
    tokenizer: Tokenizer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.upstream_lists.LIST_SECONDS", 0.2)
    failing = Status(200, lambda message: error(message, -32603, f"password={CANARY}"))
    async with (
        HttpStandIn(script={"prompts/list": [failing]}, capabilities=BOTH) as bad,
        HttpStandIn(script={"prompts/list": [Hangs()]}, capabilities=BOTH) as hung,
        HttpStandIn(script=lists(PROMPTS, [], []), capabilities=BOTH) as good,
        gateway(
            tokenizer, {"bad": {"url": bad.url}, "hung": {"url": hung.url}, "good": {"url": good.url}}
        ) as service,
    ):
        listed = (await asked(Client(service), "prompts/list"))["prompts"]
        assert [prompt["name"] for prompt in listed] == ["good__ask", "good__review_code"]
    logged = [vars(each) for each in caplog.records if each.getMessage() == "upstream_list_not_read"]
    assert [(each["upstream"], each["method"]) for each in logged] == [
        ("bad", "prompts/list"),
        ("hung", "prompts/list"),
    ]
    assert CANARY not in json.dumps([each["error"] for each in logged])
    assert logged[1]["error"] == "TimeoutError"


async def test_what_a_server_refuses_is_said_and_masked(tokenizer: Tokenizer) -> None:
    refusal = Status(200, lambda message: error(message, -32002, f"no such file, password={CANARY}"))
    broken = Says({"contents": "text"})
    async with two_servers(tokenizer, resources_read=[refusal, broken]) as (client, _):
        said = await asked(client, "resources/read", uri="git-hub+file:///x")
        assert said["code"] == -32002
        assert "no such file, password=[masked secret " in said["message"]
        said = await asked(client, "resources/read", uri="git-hub+file:///x")
        assert said["message"] == "Git_Hub: answers resources/read without a list of contents"


async def test_both_are_declared_beside_tools(tokenizer: Tokenizer) -> None:
    async with two_servers(tokenizer) as (client, _):
        declared = (await asked(client, "initialize", protocolVersion="2025-11-25"))["capabilities"]
        assert set(declared) == {"tools", "prompts", "resources", "completions"}


def test_each_server_has_a_prefix_of_its_own_that_is_a_scheme() -> None:
    assert prefixes_of(["a_b", "A-B", "7.x", "k8s"]) == {
        "a_b": "a-b+",
        "A-B": "a-b-2+",
        "7.x": "s7.x+",
        "k8s": "k8s+",
    }


def test_a_name_tells_which_servers_it_may_belong_to() -> None:
    servers = ["a", "a.b", "a__b", "b"]
    assert servers_meant("a__b__c", servers) == ["a", "a__b"]
    assert servers_meant("a_b__c", servers) == ["a.b"]
    assert servers_meant("a.b.c", servers) == ["a", "a.b"]


async def test_a_prompt_that_needs_input_says_that_it_is_not_passed_on(tokenizer: Tokenizer) -> None:
    asking = {"resultType": "input_required", "inputRequests": {"a": {"method": "elicitation/create"}}}
    async with two_servers(tokenizer, prompts_get=[Says(asking)], resources_read=[Says(asking)]) as (
        client,
        _,
    ):
        of_prompt = await asked(client, "prompts/get", name="Git_Hub__ask")
        of_resource = await asked(client, "resources/read", uri="git-hub+file:///notes.md")
        for refused, method in ((of_prompt, "prompts/get"), (of_resource, "resources/read")):
            assert refused["message"] == (
                f"Git_Hub: asks for input to {method}: the gateway passes such questions on for calls of tools alone"
            )
