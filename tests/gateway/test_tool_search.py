"""Many tools: found by what they do, within the connection's choice, and called by name; `?tools=search` as a client meets it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from gateway.catalogue import Catalogue
from gateway.searched_tools import MAX_FOUND_TOKENS
from gateway.server_rules import GatewayServer
from gateway.server_selection import select_all
from gateway.server_spec import ServerSpec
from gateway.tool_search import ToolIndex
from summarizing.text.tokenizer import Tokenizer
from tests.gateway.test_gateway import OF_ORIGINALS, Client, gateway, text_in
from tests.support.messages import legacy
from tests.support.upstream_http import HttpStandIn
from tests.support.upstream_stand_in import a_tool


def described(name: str, description: str, /, **arguments: str) -> dict[str, Any]:
    properties = {each: {"type": "string", "description": said} for each, said in arguments.items()}
    return {
        "name": name,
        "description": description,
        "inputSchema": {"type": "object", "properties": properties},
    }


K8S = (
    described("pods_list", "Lists pods with their states.", namespace="Whose pods."),
    described("pod_restart", "Deletes a pod, so that it is started again.", name="Of the pod."),
    described("get_events", "Returns what has happened lately.", since="A time."),
)
GIT = (
    described("commit_log", "Shows the history of a branch.", author="Of whom."),
    described("blame", "Says who changed each line of a file last."),
)


def ranked(query: str, *tools: dict[str, Any]) -> list[str]:
    servers = {"k8s": GatewayServer(ServerSpec("k8s", command="x"))}
    offered = Catalogue(servers, {"k8s": tools}, select_all(servers)).tools
    return [tool.id.tool for tool in ToolIndex(offered).ranked(query)]


@pytest.mark.parametrize(
    "query, first",
    [
        ("restart a pod", "pod_restart"),
        ("which pods are there in a namespace", "pods_list"),
        ("who wrote this line", "blame"),
        ("history of commits", "commit_log"),
        ("getEvents", "get_events"),
    ],
)
def test_the_tool_that_does_it_comes_first(query: str, first: str) -> None:
    assert ranked(query, *K8S, *GIT)[0] == first


def test_arguments_and_their_values_are_searched_too() -> None:
    nested = {
        "name": "make",
        "inputSchema": {
            "type": "object",
            "properties": {
                "spec": {"type": "object", "properties": {"replicas": {"enum": ["blue", "green", 3]}}}
            },
        },
    }
    assert ranked("replicas", nested, *K8S) == ["make"]
    assert ranked("green", nested, *K8S) == ["make"]


@pytest.mark.parametrize("schema", [{}, {"properties": []}, {"properties": {"a": 5}}, {"items": 3}])
def test_a_schema_of_any_shape_is_searched(schema: dict[str, Any]) -> None:
    assert ranked("zoom", {"name": "zoom", "description": 7, "inputSchema": schema}) == ["zoom"]


def test_what_no_tool_has_finds_none() -> None:
    assert ranked("zebra", *K8S) == []
    assert ranked("restart") == []


# --- As a client meets it --------------------------------------------------------------------------------------


@asynccontextmanager
async def two_servers(
    tokenizer: Tokenizer, query: str = "?tools=search", *k8s: dict[str, Any], **rules: Any
) -> AsyncIterator[tuple[Client, HttpStandIn]]:
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(HttpStandIn(tools=k8s or K8S))
        two = await stack.enter_async_context(HttpStandIn(tools=GIT))
        servers = {"k8s": {"url": one.url, **rules}, "git": {"url": two.url}}
        yield Client(await stack.enter_async_context(gateway(tokenizer, servers)), query), one


async def found_by(client: Client, query: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text_in(await client.call("find_tools", query=query)))
    return found


async def test_two_tools_and_the_pinned_ones_stand_in_place_of_the_list(tokenizer: Tokenizer) -> None:
    async with two_servers(tokenizer, tools={"pin": ["get_events"]}) as (client, _):
        find, call, pinned, *others = await client.tools()
        assert [find["name"], call["name"], pinned["name"]] == ["find_tools", "call_tool", "k8s__get_events"]
        assert [tool["name"] for tool in others] == OF_ORIGINALS
        assert "k8s (3), git (2)" in find["description"]
        instructions = (await client.post(legacy("initialize", {"protocolVersion": "2025-11-25"}))).json()
        assert "find_tools" in instructions["result"]["instructions"]


async def test_a_pinned_tool_stands_in_a_whole_list_once(tokenizer: Tokenizer) -> None:
    async with two_servers(tokenizer, "", tools={"pin": ["get_events"]}) as (client, _):
        assert (await client.names()).count("k8s__get_events") == 1
        assert "find_tools" not in await client.names()


async def test_a_tool_is_found_with_its_schema_and_called(tokenizer: Tokenizer) -> None:
    async with two_servers(tokenizer) as (client, server):
        best = (await found_by(client, "start a pod again"))["tools"][0]
        assert set(best) == {"name", "description", "inputSchema"}
        assert best["name"] == "k8s__pod_restart"
        assert set(best["inputSchema"]["properties"]) == {"name", "summary_focus"}
        arguments = {"name": "web-1", "summary_focus": "state"}
        said = await client.call("call_tool", name=best["name"], arguments=arguments)
        assert json.loads(text_in(said)) == {"name": "web-1"}
        assert json.loads(text_in(await client.call("call_tool", name="k8s.get_events"))) == {}
        assert json.loads(text_in(await client.call("k8s__get_events", since="now"))) == {"since": "now"}
        assert len(server.sent("tools/call")) == 3


async def test_only_the_choice_of_the_connection_is_found_and_called(tokenizer: Tokenizer) -> None:
    query = "?servers=k8s:pods_list,git&tools=search"
    async with two_servers(tokenizer, query) as (client, server):
        assert [tool["name"] for tool in (await found_by(client, "pods"))["tools"]] == ["k8s__pods_list"]
        assert "k8s (1), git (2)" in (await client.tools())[0]["description"]
        said = await client.call("call_tool", name="k8s__pod_restart", arguments={"name": "web-1"})
        assert said["isError"]
        assert text_in(said).startswith("Unknown tool: k8s__pod_restart; it is not among the tools")
        said = await client.call("call_tool", name="k8s__pod_list")
        assert text_in(said).endswith("did you mean k8s__pods_list? find_tools says which there are")
        assert (await found_by(client, "k8s__pod_restart"))["tools"][0]["name"] != "k8s__pod_restart"
        assert not server.sent("tools/call")


async def test_what_is_found_has_a_bound_and_names_the_rest(tokenizer: Tokenizer) -> None:
    tools = [described(f"pods_{at}", f"Lists pods of cluster {at}. " * 20) for at in range(60)]
    huge = described("pods_huge", "pods " + "Lists pods in many ways. " * 1_200)
    async with two_servers(tokenizer, "?tools=search", *tools, huge) as (client, _):
        text = text_in(await client.call("find_tools", query="lists pods"))
        assert MAX_FOUND_TOKENS / 2 < tokenizer.count(text) <= MAX_FOUND_TOKENS
        found = json.loads(text)
        assert len(found["tools"]) > 5
        assert len(found["more"]) == 20
        (whole,) = (await found_by(client, " k8s__pods_huge "))["tools"]
        assert whole["description"] == huge["description"]


async def test_a_search_without_a_match_says_so(tokenizer: Tokenizer) -> None:
    async with two_servers(tokenizer) as (client, _):
        assert (await found_by(client, "zebra")) == {
            "tools": [],
            "note": "No tool has a word of this query: say it in other words.",
        }


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "tool, arguments, said",
    [
        ("find_tools", {}, "find_tools: query: expected a string"),
        ("find_tools", {"query": 5}, "find_tools: query: expected a string"),
        ("find_tools", {"query": ""}, "find_tools: query: expected a string of at least 1 and at most"),
        ("call_tool", {"arguments": {}}, "call_tool: name: expected a string"),
        ("call_tool", {"name": "a", "arguments": "b"}, "call_tool: arguments: expected an object"),
        ("call_tool", {"name": "a", "argument": {}}, "call_tool: argument: no argument of that name"),
    ],
)
async def test_wrong_arguments_are_named(
    tokenizer: Tokenizer, tool: str, arguments: dict[str, Any], said: str
) -> None:
    async with two_servers(tokenizer) as (client, _):
        response = await client.post(legacy("tools/call", {"name": tool, "arguments": arguments}))
        result = response.json()["result"]
        assert result["isError"]
        assert text_in(result).startswith(said)


async def test_an_unknown_way_to_get_tools_is_refused(tokenizer: Tokenizer) -> None:
    async with (
        HttpStandIn(tools=[a_tool("a")]) as server,
        gateway(tokenizer, {"k8s": {"url": server.url}}) as service,
    ):
        for query in ("?tools=find", "?tools="):
            refused = await Client(service, query).post(legacy("tools/list"))
            assert refused.status_code == 400
            assert "tools: expected search, or no tools for a list of all, got" in refused.text
