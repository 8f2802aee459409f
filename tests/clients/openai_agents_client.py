"""An agent of the OpenAI Agents SDK whose model is written here; order.py says how it is told what to do.

python openai_agents_client.py '{"url": "http://127.0.0.1:8007/mcp", "content": "the text to shorten"}'
"""

# mypy: disable-error-code="import-not-found, misc"
# The framework is installed in the environment that this runs in, not in that of the checks.

import asyncio
import json
from typing import Any

import order
from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText


class CallsOnce(Model):
    """A model that calls summarize once, and remembers which tools it was offered and what it was shown."""

    def __init__(self, content: str) -> None:
        self._call = ResponseFunctionToolCall(
            arguments=json.dumps(order.arguments(content)),
            call_id="a-call",
            name="summarize",
            type="function_call",
        )
        self.seen: dict[str, Any] = {}

    async def get_response(self, **asked: Any) -> Any:
        """Answer a conversation: a call first, and one sentence when its result is there."""
        results = [item for item in asked["input"] if isinstance(item, dict) and "output" in item]
        if not results:
            self.seen["tools"] = [tool.name for tool in asked["tools"]]
            return ModelResponse(output=[self._call], usage=Usage(), response_id=None)
        (block,) = results[0]["output"]
        self.seen["shown"] = block["text"]
        return ModelResponse(output=[said("Done.")], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        """Is required of a model, and not used here."""
        raise NotImplementedError


def said(text: str) -> Any:
    """Return a message of the model's."""
    content = [ResponseOutputText(text=text, type="output_text", annotations=[])]
    return ResponseOutputMessage(
        id="a-message", content=content, role="assistant", status="completed", type="message"
    )


async def main() -> None:
    """Let the model call summarize once; say which tools it was offered and what it was shown."""
    told = order.read()
    set_tracing_disabled(disabled=True)
    model = CallsOnce(told["content"])
    async with MCPServerStreamableHttp({"url": told["url"], "headers": order.headers(told)}) as server:
        await Runner.run(Agent(name="agent", model=model, mcp_servers=[server]), "Shorten the text.")
    order.say(**model.seen)


if __name__ == "__main__":
    asyncio.run(main())
