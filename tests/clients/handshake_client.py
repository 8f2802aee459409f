"""The last official SDK that speaks the handshake revisions alone; order.py says what it does.

Runs in an environment of its own: that SDK cannot be installed beside the one that the tests use.

    python handshake_client.py '{"url": "http://127.0.0.1:8007/mcp", "content": "the text to shorten"}'
"""

# mypy: disable-error-code="arg-type, attr-defined, call-overload, misc"
# The checks see the other SDK's types, not those of the environment that this runs in.

import asyncio
from typing import Any

import httpx
import order
from mcp import ClientSession, McpError
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    """Do what clients do: the handshake, a list, a ping, calls of both tools, one of them with progress."""
    told = order.read()
    progress: list[float] = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        progress.append(done)

    async with (
        httpx.AsyncClient(headers=order.headers(told)) as http,
        streamable_http_client(told["url"], http_client=http) as (read, write, session_id),
        ClientSession(read, write) as session,
    ):
        greeting = await session.initialize()
        await session.send_ping()
        tools = await session.list_tools()
        arguments = order.arguments(told["content"])
        summary = await session.call_tool("summarize", arguments, progress_callback=on_progress)
        facts = await session.call_tool("summarize_for_extraction", {**arguments, "schema_hint": "boats"})
        refused = await session.call_tool("summarize", {"content": "x", "max_output_tokens": 3})
        try:
            await session.call_tool("burn", {})
        except McpError as error:
            unknown_tool = error.error.code
        else:
            unknown_tool = 0
        order.say(
            version=greeting.protocolVersion,
            server=greeting.serverInfo.name,
            instructions=greeting.instructions,
            session=session_id(),
            tools=[tool.name for tool in tools.tools],
            progress=progress,
            summary=shown(summary),
            facts=shown(facts),
            refused=refused.isError,
            unknown_tool=unknown_tool,
        )
        if "held" in told:
            await order.give_up(session.call_tool("summarize", order.arguments(told["held"])))


def shown(result: Any) -> dict[str, Any]:
    """Return of a result what a caller looks at."""
    (block,) = result.content
    return {"text": block.text, "meta": result.meta, "error": result.isError}


if __name__ == "__main__":
    asyncio.run(main())
