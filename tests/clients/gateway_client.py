"""The last official SDK of the handshake against the gateway: lists the tools, calls one, and gives up a call of another.

python gateway_client.py '{"url": "http://127.0.0.1:8007/gateway/mcp", "tool": "k8s__pods", "held": "k8s__logs"}'
"""

# mypy: disable-error-code="arg-type, attr-defined, call-overload, misc"
# The checks see the other SDK's types, not those of the environment that this runs in.

import asyncio

import order
from handshake_client import shown
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    """Do what the order says."""
    told = order.read()
    async with (
        streamable_http_client(told["url"]) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        tools = await session.list_tools()
        result = await session.call_tool(told["tool"], {})
        order.say(tools=[tool.name for tool in tools.tools], result=shown(result))
        await order.give_up(session.call_tool(told["held"], {}))


if __name__ == "__main__":
    asyncio.run(main())
