"""Python's MCP SDK as a client of the gateway, before servers that it has made: tools that are found, prompts, resources."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp.client import Client
from mcp.types import TextContent

from gateway.config_file import read_gateway_config
from summarizing.text.tokenizer import Tokenizer
from tests.slow.gateway.test_foreign_servers import SDKS, SERVER
from tests.support.service import running


@pytest.mark.parametrize("sdk", SDKS)
async def test_a_client_gets_prompts_and_resources_through_the_gateway(
    sdk: str, tokenizer: Tokenizer
) -> None:
    servers = {"Note_Book": {"command": SDKS[sdk][0], "args": [SERVER, "stdio"]}}
    config = read_gateway_config(json.dumps({"mcpServers": servers}), {})
    async with (
        asyncio.timeout(60),
        running(tokenizer, {}, config) as service,
        Client(f"{service.origin}/gateway/mcp?tools=search") as client,
    ):
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools][:2] == ["find_tools", "call_tool"]
        found = json.loads(_text(await client.call_tool("find_tools", {"query": "add numbers"})))
        assert found["tools"][0]["name"] == "Note_Book__add"
        asked = {"name": "Note_Book__add", "arguments": {"a": 2, "b": 3}}
        assert _text(await client.call_tool("call_tool", asked)) == "5"
        (prompt,) = (await client.list_prompts()).prompts
        assert prompt.name == "Note_Book__review"
        (message,) = (await client.get_prompt(prompt.name, {"code": "x = 1"})).messages
        assert isinstance(message.content, TextContent)
        assert message.content.text == "Review this: x = 1"
        (resource,) = (await client.list_resources()).resources
        assert str(resource.uri) == "note-book+notes://today"
        read = str((await client.read_resource(resource.uri)).contents)
        assert "buy milk, password: [masked secret " in read
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "note-book+notes://{day}/list"
        uri: Any = template.uri_template.replace("{day}", "monday")
        assert "nothing on monday" in str((await client.read_resource(uri)).contents)


def _text(result: Any) -> str:
    (block,) = result.content
    return str(block.text)
