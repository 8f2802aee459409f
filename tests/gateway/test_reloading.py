"""A changed configuration: only what has changed is restarted, a wrong one changes nothing, and clients are told."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

import gateway_service
from config import Config
from gateway import gateway as the_gateway
from gateway.running_servers import ConfigChanges
from gateway.server_rules import GatewayConfig
from gateway.server_selection import Selection
from summarizing.text.tokenizer import Tokenizer
from tests.gateway.test_gateway import OF_ORIGINALS, Client, text_in
from tests.support.messages import call, legacy, modern, routing
from tests.support.parts import logged
from tests.support.service import Service, running
from tests.support.upstream_http import Hangs, HttpStandIn
from tests.support.upstream_stand_in import a_tool, program

TAKEN_OVER = "gateway_config_taken_over"
REFUSED = "gateway_config_refused"


class ConfigFile:
    """The file of a gateway that runs, and what the log says once it was changed."""

    def __init__(self, path: Path, caplog: pytest.LogCaptureFixture) -> None:
        self.path = path
        self._caplog = caplog

    def write(self, servers: dict[str, Any]) -> None:
        self.path.write_text(json.dumps({"mcpServers": servers}), "utf-8")

    async def change(self, servers: dict[str, Any], event: str = TAKEN_OVER) -> logging.LogRecord:
        """Write the file, send the signal, and return the line that says what became of it."""
        self.write(servers)
        return await self.hang_up(event)

    async def hang_up(self, event: str = TAKEN_OVER) -> logging.LogRecord:
        with logged(event) as seen:
            os.kill(os.getpid(), signal.SIGHUP)
            async with asyncio.timeout(20):
                await seen.wait()
        return [each for each in self._caplog.records if each.getMessage() == event][-1]


@asynccontextmanager
async def served(
    tokenizer: Tokenizer, file: ConfigFile, servers: dict[str, Any], **settings: str
) -> AsyncIterator[Service]:
    file.write(servers)
    config = gateway_service.configured(Config(mcp_gateway_config=str(file.path)), {})
    settings = {"MCP_GATEWAY_CONFIG": str(file.path), **settings}
    async with running(tokenizer, settings, config) as service:
        yield service


@pytest.fixture
def file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> ConfigFile:
    caplog.set_level(logging.INFO)
    return ConfigFile(tmp_path / "gateway.json", caplog)


def a_program(**members: Any) -> dict[str, Any]:
    command, arguments = program()
    return {"command": command, "args": list(arguments), **members}


async def process_of(client: Client, server: str) -> int:
    return int(json.loads(text_in(await client.call(f"{server}__child")))[0])


async def test_only_servers_that_have_changed_are_restarted(tokenizer: Tokenizer, file: ConfigFile) -> None:
    first = {"same": a_program(), "rules": a_program(), "other": a_program(), "gone": a_program()}
    async with served(tokenizer, file, first) as service:
        client = Client(service)
        await client.names()
        before = {name: await process_of(client, name) for name in first}
        said = await file.change(
            {
                "new": a_program(),
                "other": a_program(env={"A": "1"}),
                "rules": a_program(tools={"deny": ["write"]}),
                "same": a_program(),
            }
        )
        told = vars(said)
        assert (told["started"], told["stopped"], told["restarted"], told["rules"]) == (
            ("new",),
            ("gone",),
            ("other",),
            ("rules",),
        )
        names = await client.names()
        assert [name for name in names if name.endswith("echo")] == [
            f"{server}__echo" for server in ("new", "other", "rules", "same")
        ]
        assert "rules__write" not in names
        after = {name: await process_of(client, name) for name in ("same", "rules", "other")}
        assert {name for name, process in after.items() if process != before[name]} == {"other"}
        with pytest.raises(ProcessLookupError):
            os.kill(before["gone"], 0)
        health = (await service.http.get(f"{service.origin}/health")).json()["servers"]
        assert list(health) == ["new", "other", "rules", "same"]
        refused = (await client.post(legacy("tools/call", call("gone__echo")))).json()["error"]["message"]
        assert refused == "Unknown tool: gone__echo; the server gone is no longer configured"
        assert (await Client(service, "?servers=gone").post(legacy("tools/list"))).status_code == 400


async def test_a_wrong_file_changes_nothing_and_every_problem_is_logged(
    tokenizer: Tokenizer, file: ConfigFile
) -> None:
    async with served(tokenizer, file, {"k8s": a_program()}) as service:
        client = Client(service)
        await client.names()
        before = await process_of(client, "k8s")
        said = await file.change(
            {"a": {"command": "x", "timeout_seconds": 0}, "b": {"url": "ftp://x"}}, REFUSED
        )
        assert said.levelno == logging.ERROR
        first, second = vars(said)["problems"]
        assert "a.timeout_seconds: expected" in first
        assert "b.url: expected http:// or https://" in second
        said = await file.change({"k8s": a_program(masking={"patterns": {"mine": "a+"}})}, REFUSED)
        assert "k8s.masking: mine: expected a pattern" in vars(said)["problems"][0]
        file.path.unlink()
        assert "expected a file that can be read" in vars(await file.hang_up(REFUSED))["problems"][0]
        assert await process_of(client, "k8s") == before


async def test_after_a_fault_that_is_logged_the_next_signal_reloads(
    tokenizer: Tokenizer, file: ConfigFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_over, faults = the_gateway.Gateway.take_over, [RuntimeError("a fault of ours")]

    async def failing_once(self: the_gateway.Gateway, config: GatewayConfig) -> ConfigChanges:
        if faults:
            raise faults.pop()
        return await take_over(self, config)

    monkeypatch.setattr(the_gateway.Gateway, "take_over", failing_once)
    async with served(tokenizer, file, {"k8s": a_program()}):
        said = await file.change({"new": a_program()}, "gateway_reload_failed")
        assert vars(said)["error"].startswith("RuntimeError")
        assert vars(await file.hang_up())["started"] == ("new",)


async def test_connected_clients_are_told_that_the_tools_have_changed(
    tokenizer: Tokenizer, file: ConfigFile
) -> None:
    async with (
        HttpStandIn(tools=[a_tool("pods")]) as server,
        served(tokenizer, file, {"k8s": {"url": server.url}}) as service,
    ):
        assert await Client(service).names() == ["k8s__pods", *OF_ORIGINALS]
        async with listening(service.http, service.origin) as stream:
            lines = stream.aiter_lines()
            assert '"toolsListChanged":true' in await _next_data(lines)
            await file.change({"k8s": {"url": server.url, "tools": {"rename": {"pods": "list"}}}})
            assert "notifications/tools/list_changed" in await _next_data(lines)
            assert await Client(service).names() == ["k8s__list", *OF_ORIGINALS]


def listening(http: httpx.AsyncClient, origin: str) -> AbstractAsyncContextManager[httpx.Response]:
    """Open a stream of changes of the tools."""
    listen = modern("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        **routing(listen),
    }
    return http.stream("POST", f"{origin}/gateway/mcp", content=json.dumps(listen), headers=headers)


async def test_a_service_that_stops_does_not_wait_for_clients_that_listen(
    tokenizer: Tokenizer, file: ConfigFile
) -> None:
    async with (
        httpx.AsyncClient(trust_env=False, verify=False, timeout=20) as http,
        AsyncExitStack() as stack,
    ):
        patient = served(tokenizer, file, {"k8s": a_program()}, SHUTDOWN_GRACE_SECONDS="60")
        service = await stack.enter_async_context(patient)
        async with listening(http, service.origin) as stream:
            lines = stream.aiter_lines()
            await _next_data(lines)
            stopping = asyncio.create_task(stack.aclose())
            assert '"result":' in await _next_data(lines)
        async with asyncio.timeout(20):  # the grace time for calls is longer
            await stopping


async def _next_data(lines: AsyncIterator[str]) -> str:
    async with asyncio.timeout(20):
        async for line in lines:
            if line.startswith("data: {"):
                return line
    raise AssertionError("the stream has ended")


async def test_a_call_under_way_at_a_server_that_is_removed_ends_with_an_error(
    tokenizer: Tokenizer, file: ConfigFile
) -> None:
    async with (
        HttpStandIn(script={"tools/call": [Hangs()]}) as one,
        HttpStandIn() as other,
        served(tokenizer, file, {"one": {"url": one.url}, "other": {"url": other.url}}) as service,
    ):
        client = Client(service)
        await client.names()
        calling = asyncio.create_task(client.call("one__write"))
        await one.until(lambda: bool(one.sent("tools/call")))
        await file.change({"other": {"url": other.url}})
        async with asyncio.timeout(20):
            result = await calling
        assert result["isError"]
        assert json.loads(text_in(await client.call("other__echo", a=1))) == {"a": 1}


async def test_a_server_that_is_removed_while_a_client_waits_for_its_start_is_left_out(
    tokenizer: Tokenizer, file: ConfigFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(the_gateway, "FIRST_LIST_SECONDS", 60.0)
    waiting, wait_for_starting = asyncio.Event(), the_gateway.Gateway._wait_for_starting

    async def noted(self: the_gateway.Gateway, selection: Selection) -> None:
        waiting.set()
        await wait_for_starting(self, selection)

    monkeypatch.setattr(the_gateway.Gateway, "_wait_for_starting", noted)
    async with (
        HttpStandIn(script={"server/discover": [Hangs()]}) as starting,
        HttpStandIn() as other,
        served(tokenizer, file, {"one": {"url": starting.url}, "other": {"url": other.url}}) as service,
    ):
        client = Client(service)
        asking = asyncio.create_task(client.names())
        await starting.until(lambda: bool(starting.sent("server/discover")))
        await waiting.wait()
        await file.change({"other": {"url": other.url}})
        async with asyncio.timeout(20):  # less than the wait
            names = await asking
        assert "other__echo" in names
        assert not any(name.startswith("one__") for name in names)


async def test_what_the_command_accepts_is_offered_after_the_signal(
    tokenizer: Tokenizer, file: ConfigFile, tmp_path: Path
) -> None:
    async with HttpStandIn(tools=[a_tool("pods")]) as server:
        servers = {"k8s": {"url": server.url, "on_change": "withhold"}}
        data = str(tmp_path / "data")
        async with served(tokenizer, file, servers, STORAGE_DIRECTORY=data) as service:
            assert "k8s__pods" in await Client(service).names()
        server.tools = [a_tool("pods", title="Pods")]
        async with served(tokenizer, file, servers, STORAGE_DIRECTORY=data) as service:
            client = Client(service)
            assert await client.names() == OF_ORIGINALS
            assert gateway_service.accept_tools("mcp-summarizer", None, data, ["k8s"]) == 0
            await file.hang_up()
            assert await client.names() == ["k8s__pods", *OF_ORIGINALS]
