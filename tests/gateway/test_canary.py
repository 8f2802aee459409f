"""A secret in everything that a server can say, and one of the configuration: neither stands in anything that leaves the gateway."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from summarizing.text.tokenizer import Tokenizer
from tests.gateway.test_gateway import LONG, Client, gateway
from tests.gateway.timeline.test_timeline_api import Watcher
from tests.support.messages import Message, call, legacy
from tests.support.service import Service
from tests.support.upstream_http import Answer, HttpStandIn, Says, Status, Streams
from tests.support.upstream_stand_in import a_tool, error, event, note, ok, text_result

# Other tests cover the same branches.
pytestmark = pytest.mark.unmeasured

# The rules know a key of GitHub by its whole length: cut to a part, it is none any more.
TOKEN = "ghp_Zq7xK2mV9tB4nR8wL1sD6fH3jP5cY0gTaE2u"
PLAIN = "plain-canary-7261-of-a-variable"
# So much of a secret says which one it is.
PARTS = (TOKEN[:12], TOKEN[-12:], PLAIN[:12], PLAIN[-12:])

SAID = f"{TOKEN} and {PLAIN}"
PADDED = f"{'x' * 160} {TOKEN}"  # cut at 200 characters, half of it would be left
DECLARED: dict[str, Message] = {"prompts": {}, "resources": {}, "completions": {}}
ARGUMENT = {"type": "object", "properties": {"a": {"type": "string", "description": f"as {SAID}"}}}
BAD_HEADER = {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": f"no name: {SAID}"}}}
LONG_HEADER = {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": f"{PADDED} no"}}}

TOOLS = [
    {**a_tool("good", inputSchema=ARGUMENT, title=SAID), "description": f"Call it with {SAID}."},
    a_tool("bad_header", inputSchema=BAD_HEADER),
    a_tool("long_header", inputSchema=LONG_HEADER),
    {"name": f"no-schema-{TOKEN}"},
    {"name": f"no-schema-{PLAIN}"},
    a_tool(f"named-{TOKEN}"),
    a_tool(f"named-{PLAIN}"),
]


def told(message: Message) -> bytes:
    params = message["params"]
    progress = {"progressToken": params["_meta"]["progressToken"], "progress": 1, "message": f"at {SAID}"}
    return event(note("notifications/progress", progress))


RESULTS: list[Answer] = [
    Says(text_result(SAID)),
    Says({**text_result(SAID), "isError": True}),
    Says({"content": [], "structuredContent": {"a": SAID, SAID: 1}}),
    Says({"content": [{"type": "resource", "resource": {"uri": f"a:{SAID}", "text": SAID}}]}),
    Says({"content": [{"type": "resource_link", "uri": f"https://example.org/{SAID}", "name": SAID}]}),
    Says({**text_result("fine"), "_meta": {"a": SAID}}),
    Says(text_result(f"{LONG}The key of payments-7 is {SAID}.\n")),
    Says({"resultType": f"{'x' * 20}{TOKEN}"}),
    Says({"resultType": "input_required", "inputRequests": {"a": {"method": PADDED}}}),
    Status(200, lambda message: error(message, 1, f"{'x' * 490} {SAID}", {"a": SAID})),
    Status(500, f"broken: {SAID}".encode()),
    Streams(told, lambda message: event(ok(message, text_result(SAID)))),
]
OTHERS: dict[str, Message] = {
    "prompts/list": {"prompts": [{"name": "ask", "description": SAID}, {"name": f"ask {SAID}"}]},
    "prompts/get": {"messages": [{"role": "user", "content": {"type": "text", "text": SAID}}]},
    "resources/list": {"resources": [{"uri": "a:1", "name": SAID}, {"uri": f"a:{SAID}", "name": "a"}]},
    "resources/templates/list": {"resourceTemplates": [{"uriTemplate": "a:{x}", "name": SAID}]},
    "resources/read": {"contents": [{"uri": "a:1", "text": SAID}]},
    "completion/complete": {"completion": {"values": [SAID]}},
}
ASKED: list[tuple[str, Message]] = [
    ("prompts/list", {}),
    ("prompts/get", {"name": "k8s__ask", "arguments": {}}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "k8s+a:1"}),
    (
        "completion/complete",
        {"ref": {"type": "ref/prompt", "name": "k8s__ask"}, "argument": {"name": "a", "value": "x"}},
    ),
]


@asynccontextmanager
async def answering(
    tokenizer: Tokenizer, directory: Path, rules: Mapping[str, Any]
) -> AsyncIterator[Service]:
    """Run a gateway before a server that says secrets in everything, and two that refuse to begin."""

    def refuse(message: Message) -> Message:
        return error(message, -32603, f"{PADDED} {SAID}")

    refusals: list[Answer] = [Status(200, refuse)] * 50
    versions: list[Answer] = [Says({"protocolVersion": f"{'x' * 20}{TOKEN}"})] * 50
    script: dict[str, list[Answer]] = {
        "tools/call": list(RESULTS),
        **{method: [Says(result)] * 9 for method, result in OTHERS.items()},
    }
    async with (
        HttpStandIn(script, tools=TOOLS, capabilities=DECLARED) as server,
        HttpStandIn({"server/discover": list(refusals), "initialize": refusals}) as refusing,
        HttpStandIn({"server/discover": list(refusals), "initialize": versions}) as of_the_future,
    ):
        urls = {"k8s": server.url, "refusing": refusing.url, "future": of_the_future.url}
        servers = {name: {"url": url, "headers": {"X-Key": "${KEY}"}, **rules} for name, url in urls.items()}
        settings = {"STORAGE_DIRECTORY": str(directory)}
        async with gateway(tokenizer, servers, settings, {"KEY": PLAIN}) as service:
            yield service


async def health_of(service: Service) -> Message:
    return dict((await service.http.get(f"{service.origin}/health")).json()["servers"])


async def everything_said(service: Service) -> list[str]:
    """Ask for everything that a server has; return what came."""
    client = Client(service)
    stream = {"Accept": "application/json, text/event-stream"}
    said = [(await client.post(legacy("tools/list"))).text]
    for method, params in ASKED:
        said += [(await client.post(legacy(method, params))).text for _ in range(2)]
    for _ in RESULTS:
        asking = {**call("k8s__good", a=f"{TOKEN}"), "_meta": {"progressToken": 1}}
        asking["_meta"]["mcp-summarizer/session_id"] = "s"
        said.append((await client.post(legacy("tools/call", asking), **stream)).text)
    return said


async def everything_recorded(service: Service) -> list[Any]:
    watcher = Watcher(service)
    await watcher.until("/sessions/s", lambda session: session["sums"]["calls"] == len(RESULTS))
    page = await watcher.until(
        "/sessions/s/timeline",
        lambda page: sum(each["event_type"] == "tool_result" for each in page["events"]) == len(RESULTS),
    )
    return [page, [await watcher.details(each) for each in page["events"]]]


def in_files(directory: Path) -> list[str]:
    return [file.read_bytes().decode("utf-8", "replace") for file in directory.iterdir()]


@pytest.mark.parametrize("masked", [True, False])
async def test_a_secret_leaves_by_no_way(
    tokenizer: Tokenizer, tmp_path: Path, caplog: pytest.LogCaptureFixture, masked: bool
) -> None:
    """With masking switched off, those of the configuration still leave by none."""
    caplog.set_level("INFO")
    async with answering(tokenizer, tmp_path, {"masking": {"enabled": masked}}) as service:
        said = await everything_said(service)
        down: Message = {}

        async def both_down() -> bool:
            down.update(await health_of(service))
            return all("error" in down[name] for name in ("refusing", "future"))

        while not await both_down():
            pass
        recorded = await everything_recorded(service)
        metrics = (await service.http.get(f"{service.origin}/metrics")).text
    assert {"bad_header", "long_header"} <= set(down["k8s"]["left_out"])
    logged = [json.dumps(vars(record), default=str) for record in caplog.records]
    sinks = [*said, json.dumps(recorded), json.dumps(down), metrics, *logged, *in_files(tmp_path)]
    assert sum("[masked configured " in each for each in sinks) > len(RESULTS)
    parts = PARTS if masked else PARTS[2:]
    assert [(part, sink[:200]) for part in parts for sink in sinks if part in sink] == []
