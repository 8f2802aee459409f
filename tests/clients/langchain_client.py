"""LangChain's MCP adapters; order.py says how they are told what to do.

python langchain_client.py '{"url": "http://127.0.0.1:8007/mcp", "content": "the text to shorten"}'
"""

# mypy: disable-error-code="import-not-found"
# The framework is installed in the environment that this runs in, not in that of the checks.

import asyncio

import order
from langchain_mcp_adapters.client import MultiServerMCPClient


async def main() -> None:
    """Call summarize as an agent does; say which tools there are and what a model would be shown."""
    told = order.read()
    server = {"transport": "http", "url": told["url"], "headers": order.headers(told)}
    tools = {tool.name: tool for tool in await MultiServerMCPClient({"summarizer": server}).get_tools()}
    call = {
        "type": "tool_call",
        "id": "a-call",
        "name": "summarize",
        "args": order.arguments(told["content"]),
    }
    message = await tools["summarize"].ainvoke(call)
    (block,) = message.content
    order.say(tools=list(tools), shown=block["text"])


if __name__ == "__main__":
    asyncio.run(main())
