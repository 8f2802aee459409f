"""An agent of Pydantic AI whose model is a function; order.py says how it is told what to do.

python pydantic_ai_client.py '{"url": "http://127.0.0.1:8007/mcp", "content": "the text to shorten"}'
"""

# mypy: disable-error-code="import-not-found"
# The framework is installed in the environment that this runs in, not in that of the checks.

import asyncio
from typing import Any

import order
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel


async def main() -> None:
    """Let the model call summarize once; say which tools it was offered and what it was shown."""
    told = order.read()
    seen: dict[str, Any] = {}

    def model(messages: list[Any], info: Any) -> Any:
        results = [part for part in messages[-1].parts if part.part_kind == "tool-return"]
        if not results:
            seen["tools"] = [tool.name for tool in info.function_tools]
            return ModelResponse([ToolCallPart("summarize", order.arguments(told["content"]))])
        seen["shown"] = results[0].content
        return ModelResponse([TextPart("Done.")])

    toolset = MCPToolset(told["url"], headers=order.headers(told))
    await Agent(FunctionModel(model), toolsets=[toolset]).run("Shorten the text.")
    order.say(**seen)


if __name__ == "__main__":
    asyncio.run(main())
