"""fastmcp's client, in either era; order.py says what it does.

python fastmcp_client.py '{"url": "http://127.0.0.1:8007/mcp", "mode": "auto", "content": "the text to shorten"}'
"""

import asyncio
from typing import Any

import order
from fastmcp import Client
from mcp import MCPError


async def main() -> None:
    """Do what clients do: connect, a list, calls of both tools, one of them with progress."""
    told = order.read()
    progress: list[float] = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        progress.append(done)

    async with Client(told["url"], mode=told["mode"], auth=told.get("key")) as client:
        tools = await client.list_tools()
        arguments = order.arguments(told["content"])
        summary = await client.call_tool("summarize", arguments, progress_handler=on_progress)
        facts = await client.call_tool("summarize_for_extraction", {**arguments, "schema_hint": "boats"})
        refused = await client.call_tool(
            "summarize", {"content": "x", "max_output_tokens": 3}, raise_on_error=False
        )
        try:
            await client.call_tool("burn", {})
        except MCPError as error:
            unknown_tool = error.code
        else:
            unknown_tool = 0
        order.say(
            version=client.protocol_version,
            server=client.server_info and client.server_info.name,
            instructions=client.instructions,
            tools=[tool.name for tool in tools],
            progress=progress,
            summary=shown(summary),
            facts=shown(facts),
            refused=refused.is_error,
            unknown_tool=unknown_tool,
        )
        if "held" in told:
            await order.give_up(client.call_tool("summarize", order.arguments(told["held"])))


def shown(result: Any) -> dict[str, Any]:
    """Return of a result what a caller looks at."""
    (block,) = result.content
    return {"text": block.text, "meta": result.meta, "error": result.is_error}


if __name__ == "__main__":
    asyncio.run(main())
