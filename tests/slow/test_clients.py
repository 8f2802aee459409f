"""Real clients against the service: the official SDKs of either era, fastmcp, the inspector, and plain curl.

Each says which version it negotiated, lists the tools, calls both, hears progress where it can, and leaves in the middle
of a call: in the modern era that cancels the work, in the legacy era the work goes on, unless they send notifications/cancelled.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import MCPError
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from tests.support.client_processes import CLIENTS, NODE_MODULES, TOOLS, node, run_client, said, started
from tests.support.messages import LEGACY, MODERN, Message, legacy, modern, routing
from tests.support.service import PATIENCE_S, ROOT, Run, Service, prose, with_model
from tests.support.stand_in import Answer, StandIn
from tests.support.stand_in_answers import Gate, Summarizes

LONG = prose(60)
CALL = {"content": LONG, "max_output_tokens": 200}
OUTCOME = "mcp-summarizer/outcome"
MODEL_CALL = "POST /api/v1/chat/completions"


def text_of(result: Any) -> str:
    (block,) = result.content
    text: str = block.text
    return text


# Leaving in the middle of a call.

# As long as the other text, but the model answers to it only when it may.
HELD = LONG.replace("boats", "ships")
HELD_CALL = {**CALL, "content": HELD}


class HeldCall:
    """A service and its model, which answers at once, but to HELD waits until the test has seen what it wants."""

    def __init__(self) -> None:
        self.model = StandIn(self._answer)
        self.service: Service
        self._came = asyncio.Event()
        self._go_on = asyncio.Event()
        self._number = 0

    def _answer(self, number: int, payload: Message) -> Answer:
        if "ships" not in payload["messages"][-1]["content"]:
            return Summarizes()
        if not self._came.is_set():
            self._number = number
            self._came.set()
        return Gate(Summarizes(), self._go_on)

    async def came(self) -> None:
        """Wait until the model has been asked."""
        async with asyncio.timeout(PATIENCE_S):
            await self._came.wait()

    async def is_cancelled(self) -> None:
        """The model's call ends, and no other follows."""
        await self.model.finished(self._number)
        await self._service_has_seen_everything()
        assert self.model.log[self._number - 1 :] == [f"{MODEL_CALL} > cancelled"]
        assert len(self.model.payloads) == self._number

    async def goes_on(self) -> None:
        """The model's call is waited for, and the next one follows."""
        await self._service_has_seen_everything()
        assert len(self.model.log) == self._number - 1
        self._go_on.set()
        await self.model.finished(self._number + 1)
        assert set(self.model.log) == {f"{MODEL_CALL} > 200"}

    async def ends_as_its_era_wants(self, version: str) -> None:
        await (self.is_cancelled() if version == MODERN else self.goes_on())

    async def _service_has_seen_everything(self) -> None:
        # By the time another connection has been served, the service has seen the end of those that closed before.
        assert (await self.service.http.get(f"{self.service.origin}/health")).status_code == 200


@asynccontextmanager
async def running_held(run: Run, **settings: str) -> AsyncIterator[HeldCall]:
    held = HeldCall()
    async with held.model, run(**with_model(held.model, **settings)) as held.service:
        yield held


@pytest.fixture
async def held(run: Run) -> AsyncIterator[HeldCall]:
    async with running_held(run) as held:
        yield held


async def stopped_in_the_call(held: HeldCall, home: Path, *command: str | Path) -> None:
    """Run a client that calls with HELD, and end its process once the model has been asked."""
    async with started(home, *command) as child:
        await held.came()
        child.terminate()
        await child.wait()


# The official SDK, which asks for the modern era and silently takes the legacy one where that fails.


@pytest.mark.parametrize("mode, version", [("auto", MODERN), (MODERN, MODERN), ("legacy", LEGACY[0])])
async def test_the_official_client_negotiates_the_version_it_asks_for(
    service: Service, mode: str, version: str
) -> None:
    async with Client(service.url, mode=mode) as client:
        assert client.protocol_version == version
        assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_client_learns_who_serves(service: Service, mode: str) -> None:
    async with Client(service.url, mode=mode) as client:
        assert client.server_info is not None
        assert client.server_info.name == "mcp-summarizer"
        assert client.instructions is not None
        assert client.instructions.startswith("Shortens large text")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_client_calls_both_tools_and_hears_progress(
    service_with_model: Service, model: StandIn, mode: str
) -> None:
    told: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    async with Client(service_with_model.url, mode=mode) as client:
        summary = await client.call_tool("summarize", CALL, progress_callback=hear)
        facts = await client.call_tool("summarize_for_extraction", {**CALL, "schema_hint": "boats"})
    for result in (summary, facts):
        assert not result.is_error
        assert text_of(result)
        assert result.meta is not None
        assert result.meta[OUTCOME]["backend"] == "openrouter"
        assert result.structured_content is None
    assert len(told) >= 2
    assert told == sorted(set(told))
    assert model.payloads


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_client_tells_errors_of_the_tool_from_those_of_the_protocol(
    service: Service, mode: str
) -> None:
    async with Client(service.url, mode=mode) as client:
        refused = await client.call_tool("summarize", {"content": "x", "max_output_tokens": 3})
        with pytest.raises(MCPError) as unknown:
            await client.call_tool("burn", {})
    assert refused.is_error
    assert text_of(refused).startswith("max_output_tokens: ")
    assert unknown.value.code == -32602


async def test_the_official_client_takes_a_text_of_many_megabytes(service: Service) -> None:
    content = prose(100_000)
    async with Client(service.url) as client:
        result = await client.call_tool("summarize", {"content": content, "max_output_tokens": 10_000_000})
    assert text_of(result) == content


@pytest.mark.parametrize("mode, version", [("auto", MODERN), (MODERN, MODERN), ("legacy", LEGACY[0])])
async def test_a_call_that_the_official_client_gives_up_ends_as_its_era_wants(
    held: HeldCall, mode: str, version: str
) -> None:
    async with Client(held.service.url, mode=mode) as client:
        calling = asyncio.create_task(client.call_tool("summarize", HELD_CALL))
        await held.came()
        calling.cancel()
        await asyncio.wait([calling])
        if version == MODERN:
            await held.is_cancelled()  # while the client lives on
    await held.ends_as_its_era_wants(version)


# Clients that order.py and order.mjs tell what to do.


@dataclass(frozen=True)
class Kind:
    """A client, the era that it is told to ask for, and the version that it must negotiate."""

    command: tuple[str | Path, ...]
    mode: str
    version: str
    tells: bool = False
    """Whether it sends notifications/cancelled for a call that it gives up."""

    @property
    def cancels(self) -> bool:
        """Whether a call that it gives up ends."""
        return self.tells or self.version == MODERN

    def ordered(self, url: str, **more: str) -> list[str | Path]:
        return [*self.command, json.dumps({"url": url, "mode": self.mode, "content": LONG, **more})]


HANDSHAKE = (ROOT / ".venv-handshake" / "bin" / "python", CLIENTS / "handshake_client.py")
FASTMCP = (sys.executable, CLIENTS / "fastmcp_client.py")
TYPESCRIPT = (node(), CLIENTS / "node" / "client.mjs")
TYPESCRIPT_1 = (node(), CLIENTS / "node" / "sdk.mjs")

KINDS = {
    "mcp-1": Kind(HANDSHAKE, "legacy", LEGACY[0]),
    "fastmcp-auto": Kind(FASTMCP, "auto", MODERN),
    "fastmcp-legacy": Kind(FASTMCP, "legacy", LEGACY[0], tells=True),
    "typescript-auto": Kind(TYPESCRIPT, "auto", MODERN),
    "typescript-pinned": Kind(TYPESCRIPT, MODERN, MODERN),
    "typescript-legacy": Kind(TYPESCRIPT, "legacy", LEGACY[0], tells=True),
    "typescript-1": Kind(TYPESCRIPT_1, "legacy", LEGACY[0], tells=True),
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
async def test_a_client_works_in_its_era_and_a_call_that_it_gives_up_ends_as_that_era_wants(
    held: HeldCall, kind: Kind, tmp_path: Path
) -> None:
    async with started(tmp_path, *kind.ordered(held.service.url, held=HELD)) as client:
        assert client.stdin is not None
        did_its_work(await said(client), kind.version)
        await held.came()
        client.stdin.write(b"\n")
        assert await said(client) == {"given_up": True}
        if kind.cancels:
            await held.is_cancelled()  # while the client lives on
        client.stdin.close()
        assert await client.wait() == 0
    await (held.is_cancelled() if kind.cancels else held.goes_on())


def did_its_work(seen: Message, version: str) -> None:
    assert seen["version"] == version
    assert seen["server"] == "mcp-summarizer"
    assert seen["instructions"].startswith("Shortens large text")
    assert seen.get("session") is None
    assert seen["tools"] == TOOLS
    assert len(seen["progress"]) >= 2
    assert seen["progress"] == sorted(set(seen["progress"]))
    for result in (seen["summary"], seen["facts"]):
        assert result["text"]
        assert result["meta"][OUTCOME]["backend"] == "openrouter"
        assert result["error"] is False
    assert seen["refused"] is True
    assert seen["unknown_tool"] == -32602


# The inspector: one process for each request.

ERAS = [("auto", MODERN), ("modern", MODERN), ("legacy", LEGACY[0])]


def inspector(url: str, era: str, method: str, *more: str) -> list[str | Path]:
    cli = [node(), NODE_MODULES / ".bin" / "mcp-inspector", "--cli", url, "--transport", "http"]
    return [*cli, "--protocol-era", era, "--format", "json", "--method", method, *more]


def tool_call(name: str, **arguments: Any) -> list[str]:
    return ["tools/call", "--tool-name", name, "--tool-args-json", json.dumps(arguments)]


async def inspected(home: Path, *command: str | Path) -> Message:
    result: Message = json.loads(await run_client(home, *command))["result"]
    return result


@pytest.mark.parametrize("era, version", ERAS)
async def test_the_inspector_lists_and_calls_both_tools(
    service_with_model: Service, tmp_path: Path, era: str, version: str
) -> None:
    url = service_with_model.url
    # A token makes the answer a stream, though the inspector prints its end alone.
    with_progress = ("--tool-metadata", "progressToken=a-token")
    greeting, tools, summary, facts = await asyncio.gather(
        inspected(tmp_path, *inspector(url, era, "initialize")),
        inspected(tmp_path, *inspector(url, era, "tools/list")),
        inspected(tmp_path, *inspector(url, era, *tool_call("summarize", **CALL), *with_progress)),
        inspected(
            tmp_path,
            *inspector(url, era, *tool_call("summarize_for_extraction", **CALL, schema_hint="boats")),
        ),
    )
    assert greeting["protocolVersion"] == version
    assert greeting["serverInfo"]["name"] == "mcp-summarizer"
    assert [tool["name"] for tool in tools["tools"]] == TOOLS
    for result in (summary, facts):
        assert result["content"][0]["text"]
        assert result["_meta"][OUTCOME]["backend"] == "openrouter"


@pytest.mark.parametrize("era, version", ERAS)
async def test_a_call_in_which_the_inspector_is_stopped_ends_as_its_era_wants(
    held: HeldCall, tmp_path: Path, era: str, version: str
) -> None:
    await stopped_in_the_call(
        held, tmp_path, *inspector(held.service.url, era, *tool_call("summarize", **HELD_CALL))
    )
    await held.ends_as_its_era_wants(version)


# The tasks extension, which the inspector declares; in the legacy era that means nothing.

A_TASK_FOR_LONG = {"TASK_CONTENT_CHARS": "1000"}


@pytest.mark.parametrize("era", ["auto", "modern", "legacy"])
async def test_the_inspector_follows_a_call_with_long_content_to_its_end(
    run: Run, model: StandIn, tmp_path: Path, era: str
) -> None:
    async with run(**with_model(model, **A_TASK_FOR_LONG)) as service:
        result = await inspected(tmp_path, *inspector(service.url, era, *tool_call("summarize", **CALL)))
    assert result["content"][0]["text"]
    assert result["_meta"][OUTCOME]["backend"] == "openrouter"


@pytest.mark.parametrize("era", ["auto", "modern"])
async def test_a_task_goes_on_when_the_inspector_that_began_it_is_stopped(
    run: Run, tmp_path: Path, era: str
) -> None:
    async with running_held(run, **A_TASK_FOR_LONG) as held:
        await stopped_in_the_call(
            held, tmp_path, *inspector(held.service.url, era, *tool_call("summarize", **HELD_CALL))
        )
        await held.goes_on()


# With a key.

KEY = "a-key-of-a-caller"


@pytest.fixture
async def service_with_key(run: Run, model: StandIn) -> AsyncIterator[Service]:
    async with run(**with_model(model, MCP_SUMMARIZER_API_KEYS=KEY)) as service:
        yield service


@pytest.mark.parametrize("mode, version", [("auto", MODERN), ("legacy", LEGACY[0])])
async def test_the_official_client_calls_with_a_key(
    service_with_key: Service, mode: str, version: str
) -> None:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {KEY}"}, trust_env=False, verify=False) as http,
        Client(streamable_http_client(service_with_key.url, http_client=http), mode=mode) as client,
    ):
        assert client.protocol_version == version
        assert text_of(await client.call_tool("summarize", CALL))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_client_is_refused_without_a_key(service_with_key: Service, mode: str) -> None:
    with pytest.raises(ExceptionGroup) as refused:
        await Client(service_with_key.url, mode=mode).__aenter__()
    assert refused.group_contains(MCPError, match="Authorization: expected one header")


@pytest.mark.parametrize("name", ["mcp-1", "fastmcp-auto", "typescript-auto", "typescript-1"])
async def test_a_client_does_its_work_with_a_key(
    service_with_key: Service, tmp_path: Path, name: str
) -> None:
    kind = KINDS[name]
    out = await run_client(tmp_path, *kind.ordered(service_with_key.url, key=KEY))
    did_its_work(json.loads(out), kind.version)


async def test_the_inspector_calls_with_a_key(service_with_key: Service, tmp_path: Path) -> None:
    with_key = ("--header", f"Authorization: Bearer {KEY}")
    command = inspector(service_with_key.url, "auto", *tool_call("summarize", **CALL), *with_key)
    assert (await inspected(tmp_path, *command))["content"][0]["text"]


# No SDK at all.

needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


def curl(*arguments: str | Path) -> list[str | Path]:
    return ["curl", "--silent", "--show-error", *arguments]


@needs_curl
async def test_the_shortest_curl_is_a_url_and_a_body(service: Service, tmp_path: Path) -> None:
    # --json sets both Content-Type and Accept.
    body = json.dumps(legacy("tools/call", {"name": "summarize", "arguments": {"content": LONG}}))
    answer = json.loads(await run_client(tmp_path, "curl", "-s", service.url, "--json", body))
    assert answer["result"]["content"][0]["text"] == LONG


@needs_curl
async def test_curl_needs_a_content_type_and_a_body_and_nothing_else(
    service: Service, tmp_path: Path
) -> None:
    body = json.dumps(legacy("tools/call", {"name": "summarize", "arguments": CALL}))
    out = await run_client(
        tmp_path, *curl(service.url, "--header", "Content-Type: application/json", "--data", body)
    )
    result = json.loads(out)["result"]
    assert result["content"][0]["text"]
    assert result["_meta"][OUTCOME]["status"] == "summarized"


@needs_curl
async def test_curl_calls_with_a_key(service_with_key: Service, tmp_path: Path) -> None:
    body = json.dumps(legacy("tools/call", {"name": "summarize", "arguments": CALL}))
    with_key = ("--header", f"Authorization: Bearer {KEY}")
    out = await run_client(tmp_path, *curl(service_with_key.url, "--json", body, *with_key))
    assert json.loads(out)["result"]["content"][0]["text"]


@needs_curl
@pytest.mark.parametrize("write", [modern, legacy])
async def test_curl_that_accepts_json_alone_gets_json_though_it_asks_for_progress(
    service_with_model: Service, tmp_path: Path, write: Callable[..., Message]
) -> None:
    message = write("tools/call", {"name": "summarize", "arguments": CALL})
    message["params"].setdefault("_meta", {})["progressToken"] = "a-token"
    body = json.dumps(message)
    shown = ("--write-out", "\n%{content_type}")
    out = await run_client(
        tmp_path, *curl(service_with_model.url, "--json", body, *shown, *headers_of(message))
    )
    answer, content_type = out.splitlines()
    assert content_type.startswith("application/json")
    assert json.loads(answer)["result"]["_meta"][OUTCOME]["backend"] == "openrouter"


@needs_curl
@pytest.mark.parametrize("write, version", [(modern, MODERN), (legacy, LEGACY[0])])
async def test_a_call_in_which_curl_is_stopped_ends_as_its_era_wants(
    held: HeldCall, tmp_path: Path, write: Callable[..., Message], version: str
) -> None:
    message = write("tools/call", {"name": "summarize", "arguments": HELD_CALL})
    command = curl(held.service.url, "--json", json.dumps(message), *headers_of(message))
    await stopped_in_the_call(held, tmp_path, *command)
    await held.ends_as_its_era_wants(version)


@needs_curl
async def test_curl_posts_a_file_of_many_megabytes(service: Service, tmp_path: Path) -> None:
    # Over one megabyte curl asks first: `Expect: 100-continue`.
    content = prose(50_000)
    body = tmp_path / "call.json"
    arguments = {"content": content, "max_output_tokens": 10_000_000}
    body.write_text(json.dumps(legacy("tools/call", {"name": "summarize", "arguments": arguments})))
    out = await run_client(
        tmp_path,
        *curl(service.url, "--header", "Content-Type: application/json", "--data-binary", f"@{body}"),
    )
    assert json.loads(out)["result"]["content"][0]["text"] == content


@needs_curl
async def test_curl_without_a_content_type_is_told_so(service: Service, tmp_path: Path) -> None:
    out = await run_client(tmp_path, *curl(service.url, "--data", json.dumps(legacy("ping"))))
    assert "Content-Type: expected application/json" in json.loads(out)["error"]["message"]


def headers_of(message: Message) -> list[str]:
    """Return the headers that curl must send with a modern message, none with a legacy one."""
    if "io.modelcontextprotocol/protocolVersion" not in message["params"].get("_meta", {}):
        return []
    return [part for name, value in routing(message).items() for part in ("--header", f"{name}: {value}")]
