"""Which tools a client is told of while a server starts, and after a server's list has run out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from gateway import gateway as the_gateway
from gateway.upstream import tool_reader
from summarizing.text.tokenizer import Tokenizer
from tests.gateway.test_gateway import OF_ORIGINALS, Client, gateway, text_in
from tests.gateway.timeline.test_timeline_api import Watcher
from tests.support.messages import Message, modern, routing
from tests.support.service import Service
from tests.support.upstream_http import Hangs, HttpStandIn, Says
from tests.support.upstream_stand_in import a_tool

TOKEN = "ghp_Zq7xK2mV9tB4nR8wL1sD6fH3jP5cY0gTaE2u"


async def listed(client: Client) -> Message:
    listing = modern("tools/list")
    return dict((await client.post(listing, **routing(listing))).json()["result"])


# --- Lists that run out ----------------------------------------------------------------------------------------


async def test_a_list_that_has_run_out_is_read_again_and_the_client_is_answered_at_once(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool_reader, "LEAST_TTL_SECONDS", 0.0)
    lists = [Says({"tools": [a_tool(name)], "ttlMs": 0}) for name in ("a", "b")]
    async with (
        HttpStandIn({"tools/list": [*lists, Hangs()]}) as server,
        gateway(tokenizer, {"k8s": {"url": server.url}}) as service,
    ):
        client = Client(service)
        while await client.names() != ["k8s__b", *OF_ORIGINALS]:
            pass
        await server.until(lambda: len(server.sent("tools/list")) == 3)
        assert await client.names() == ["k8s__b", *OF_ORIGINALS]  # while the third reading hangs


async def test_a_list_that_holds_is_not_read_again(tokenizer: Tokenizer) -> None:
    lists = [Says({"tools": [a_tool("a")], "ttlMs": 60_000})]
    async with (
        HttpStandIn({"tools/list": [*lists]}) as server,
        gateway(tokenizer, {"k8s": {"url": server.url}}) as service,
    ):
        for _ in range(3):
            assert await Client(service).names() == ["k8s__a", *OF_ORIGINALS]
        assert len(server.sent("tools/list")) == 1


async def test_a_list_that_never_holds_is_not_read_at_each_request(tokenizer: Tokenizer) -> None:
    lists = [Says({"tools": [a_tool("a")], "ttlMs": 0})] * 2
    async with (
        HttpStandIn({"tools/list": [*lists]}) as server,
        gateway(tokenizer, {"k8s": {"url": server.url}}) as service,
    ):
        for _ in range(3):
            assert await Client(service).names() == ["k8s__a", *OF_ORIGINALS]
        assert len(server.sent("tools/list")) <= 2


# --- Servers that start ----------------------------------------------------------------------------------------


class Waits:
    """Answers as a server that starts slowly: not before it is let go."""

    def __init__(self) -> None:
        self.is_open = False

    async def give(self, request: Any, message: Message, server: HttpStandIn) -> Any:
        await server.until(lambda: self.is_open)
        return await server.answer(request, message)


@asynccontextmanager
async def restarted(
    tokenizer: Tokenizer, server: HttpStandIn, directory: Path, **rules: Any
) -> AsyncIterator[Service]:
    async with gateway(
        tokenizer, {"k8s": {"url": server.url, **rules}}, {"STORAGE_DIRECTORY": str(directory)}
    ) as service:
        yield service


def check_file(path: Path) -> None:
    assert TOKEN not in path.read_text("utf-8")
    assert path.stat().st_mode & 0o777 == 0o600


async def test_after_a_restart_the_tools_of_a_server_that_starts_slowly_are_offered_and_a_call_waits(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = {**a_tool("echo"), "description": f"Call it with {TOKEN}."}
    async with HttpStandIn(tools=[tool]) as server:
        async with restarted(tokenizer, server, tmp_path) as service:
            assert await Client(service).names() == ["k8s__echo", *OF_ORIGINALS]
        check_file(tmp_path / "tools_of_k8s.json")
        monkeypatch.setattr(the_gateway, "FIRST_LIST_SECONDS", 0.05)
        slow = Waits()
        server.script["server/discover"] = [slow]
        async with restarted(tokenizer, server, tmp_path) as service:
            client = Client(service)
            result = await listed(client)
            assert [tool["name"] for tool in result["tools"]] == ["k8s__echo", *OF_ORIGINALS]
            assert result["ttlMs"] == 60_000
            calling = asyncio.create_task(client.call("k8s__echo", a=1))
            await Watcher(service).until("/sessions", lambda page: bool(page["sessions"]))  # it has begun
            slow.is_open = True
            server.tell()
            assert text_in(await calling) == '{"a": 1}'


@pytest.mark.unmeasured
@pytest.mark.parametrize("content", ["no JSON", "[]", '{"reached": 1}', None])
async def test_without_stored_tools_a_list_is_not_to_be_kept_while_a_server_starts(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None
) -> None:
    monkeypatch.setattr(the_gateway, "FIRST_LIST_SECONDS", 0.05)
    if content is not None:
        (tmp_path / "tools_of_k8s.json").write_text(content, "utf-8")
    slow = Waits()
    async with (
        HttpStandIn({"server/discover": [slow]}) as server,
        restarted(tokenizer, server, tmp_path) as service,
    ):
        client = Client(service)
        result = await listed(client)
        assert ([tool["name"] for tool in result["tools"]], result["ttlMs"]) == (OF_ORIGINALS, 0)
        slow.is_open = True
        server.tell()
        while "k8s__echo" not in await client.names():
            pass
        assert (await listed(client))["ttlMs"] == 60_000


async def test_stored_tools_of_a_server_at_another_address_are_not_offered(
    tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with HttpStandIn() as one, HttpStandIn({"server/discover": [Hangs()]}) as other:
        async with restarted(tokenizer, one, tmp_path) as service:
            assert "k8s__echo" in await Client(service).names()
        monkeypatch.setattr(the_gateway, "FIRST_LIST_SECONDS", 0.05)
        async with restarted(tokenizer, other, tmp_path) as service:
            assert await Client(service).names() == OF_ORIGINALS
