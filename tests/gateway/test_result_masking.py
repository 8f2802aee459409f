"""Masking in the threads of the servers: one that is busy holds no other one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from gateway.config_file import read_gateway_config
from gateway.masking.secret_shapes import GENERATED, generated_rules
from gateway.result_masking import ResultMasking
from tests.support.upstream_stand_in import a_tool
from tools.call_results import SMALL_CHARS

SERVERS = read_gateway_config(
    json.dumps({"mcpServers": {name: {"url": "http://127.0.0.1/mcp"} for name in ("busy", "idle")}}), {}
).servers


async def at_once(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


async def never(function: Callable[..., Any], *arguments: Any) -> Any:
    await asyncio.Event().wait()


async def test_a_server_whose_answer_is_being_masked_holds_no_other_one() -> None:
    masking = ResultMasking(SERVERS, (), {"busy": never, "idle": at_once}, b"key")
    long = f"password: one\n{'x' * SMALL_CHARS}"
    waiting = asyncio.create_task(masking.masked(long, SERVERS["busy"]))
    masked = await masking.masked(long, SERVERS["idle"])
    assert masked.startswith("password: [masked secret ")
    assert not waiting.done()
    waiting.cancel()


async def test_a_small_result_is_masked_without_waiting_for_a_worker() -> None:
    masking = ResultMasking(SERVERS, (), {"busy": never}, b"key")
    masked = await masking.masked({"text": "password: one"}, SERVERS["busy"])
    assert masked["text"].startswith("password: [masked secret ")


async def test_patterns_of_a_configuration_never_run_on_the_event_loop() -> None:
    settings = {"url": "http://127.0.0.1/mcp", "masking": {"patterns": {"ticket": "T-[0-9]{6}"}}}
    servers = read_gateway_config(json.dumps({"mcpServers": {"busy": settings}}), {}).servers
    masking = ResultMasking(servers, (), {"busy": never}, b"key")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await masking.masked("T-123456", servers["busy"])


async def test_secrets_that_were_masked_are_counted_over_all_configurations() -> None:
    masking = ResultMasking(SERVERS, (), {}, b"key")
    await masking.masked("password: one", SERVERS["busy"])
    masking.configure({"busy": SERVERS["busy"]})
    await masking.masked("password: two", SERVERS["busy"])
    masking.configure({"idle": SERVERS["idle"]})
    assert masking.replaced["busy"] == 2
    assert masking.replaced["idle"] == 0


@pytest.mark.parametrize("emails, stays", [({}, False), ({"emails": True}, False), ({"emails": False}, True)])
async def test_email_addresses_stay_where_that_is_configured(emails: dict[str, bool], *, stays: bool) -> None:
    settings = {"url": "http://127.0.0.1/mcp", "masking": {"groups": ["github"], **emails}}
    servers = read_gateway_config(json.dumps({"mcpServers": {"ssh": settings}}), {}).servers
    rules = generated_rules(GENERATED.read_text("utf-8"))
    masked = await ResultMasking(servers, rules, {}, b"key").masked(
        "a@example.com, password: one", servers["ssh"]
    )
    assert ("a@example.com" in masked) is stays
    assert "password: [masked secret " in masked


async def test_a_tool_with_a_secret_in_its_name_is_left_out() -> None:
    masking = ResultMasking(SERVERS, (), {"idle": at_once}, b"key")
    tools = (a_tool("get") | {"description": "password: one"}, a_tool("password=one1"))
    (tool,) = await masking.tools(tools, SERVERS["idle"])
    assert tool["name"] == "get"
    assert tool["description"].startswith("password: [masked secret ")
