"""Masking in the threads of the servers: one that is busy holds no other one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from gateway.config_file import read_gateway_config
from gateway.result_masking import ResultMasking
from tests.support.upstream_stand_in import a_tool

SERVERS = read_gateway_config(
    json.dumps({"mcpServers": {name: {"url": "http://127.0.0.1/mcp"} for name in ("busy", "idle")}}), {}
).servers


async def at_once(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


async def never(function: Callable[..., Any], *arguments: Any) -> Any:
    await asyncio.Event().wait()


async def test_a_server_whose_answer_is_being_masked_holds_no_other_one() -> None:
    masking = ResultMasking(SERVERS, (), {"busy": never, "idle": at_once}, b"key")
    waiting = asyncio.create_task(masking.masked("password: one", SERVERS["busy"]))
    masked = await masking.masked("password: one", SERVERS["idle"])
    assert masked.startswith("password: [masked secret ")
    assert not waiting.done()
    waiting.cancel()


async def test_a_tool_with_a_secret_in_its_name_is_left_out() -> None:
    masking = ResultMasking(SERVERS, (), {"idle": at_once}, b"key")
    tools = (a_tool("get") | {"description": "password: one"}, a_tool("password=one1"))
    (tool,) = await masking.tools(tools, SERVERS["idle"])
    assert tool["name"] == "get"
    assert tool["description"].startswith("password: [masked secret ")
