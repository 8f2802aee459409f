"""Call the service with the last official SDK that speaks the handshake revisions alone, and print what it saw as JSON.

Runs in an environment of its own: that SDK cannot be installed beside the one that the tests use.

    python handshake_client.py http://127.0.0.1:8007/mcp "the text to shorten"
"""

# mypy: disable-error-code="attr-defined, call-overload, misc"
# The checks see the other SDK's types, not those of the environment that this runs in.

import asyncio
import json
import sys
from typing import Any

from mcp import ClientSession, McpError
from mcp.client.streamable_http import streamable_http_client


async def seen(url: str, content: str) -> dict[str, Any]:
    """Do what clients do: the handshake, a list, a ping, calls of both tools, one of them with progress."""
    progress: list[float] = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        progress.append(done)

    async with (
        streamable_http_client(url) as (read, write, session_id),
        ClientSession(read, write) as session,
    ):
        greeting = await session.initialize()
        await session.send_ping()
        tools = await session.list_tools()
        arguments = {"content": content, "max_output_tokens": 200}
        summary = await session.call_tool("summarize", arguments, progress_callback=on_progress)
        facts = await session.call_tool("summarize_for_extraction", {**arguments, "schema_hint": "people"})
        refused = await session.call_tool("summarize", {"content": "x", "max_output_tokens": 3})
        try:
            await session.call_tool("burn", {})
        except McpError as error:
            unknown_tool = error.error.code
        else:
            unknown_tool = 0
        return {
            "version": greeting.protocolVersion,
            "server": greeting.serverInfo.name,
            "instructions": greeting.instructions,
            "session": session_id(),
            "tools": [tool.name for tool in tools.tools],
            "progress": progress,
            "summary": summary.model_dump(mode="json", by_alias=True),
            "facts": facts.model_dump(mode="json", by_alias=True),
            "refused": refused.isError,
            "unknown_tool": unknown_tool,
        }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(seen(*sys.argv[1:]))) + "\n")
