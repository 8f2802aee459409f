"""The transport and the protocol of this project, with the tools, resources and prompts of the conformance suite.

python tests/conformance/fixture_server.py --port 0

The first line on standard output is the URL of the endpoint. What is under test is all that lies between a socket and a
handler; what the handlers say is the suite's own wish (fixture_tools.py, fixture_asking.py, fixture_tasks.py,
fixture_data.py).
"""

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from aiohttp import web

# Run as a program, Python finds what lies beside this file; the service and the tests are further up.
sys.path.insert(0, str(Path(__file__).parents[2]))

from concurrency.worker_threads import open_worker
from protocol.context import Context
from protocol.messages import Message
from protocol.methods import Server, TaskUse, Unknown
from protocol.subscriptions import Hub
from protocol.tasks import TaskStore
from tests.conformance import fixture_asking, fixture_tasks, fixture_tools
from tests.conformance.fixture_data import FixtureCompletions, FixturePrompts, FixtureResources
from tests.conformance.fixture_tools import NOTHING, Arguments, Tool, answers, text
from tools import schema_validator
from transport.auth import Access, Keys
from transport.endpoint import Endpoint
from transport.process import Listening, serve

HOST = "127.0.0.1"

# More than the suite ever begins, for longer than it ever runs.
MAX_TASKS = 100
TASK_TTL_S = 600.0

# Far more than the suite sends, and longer than it pauses.
MAX_HEADER_BYTES = 16 * 1024
IDLE_S = 60.0

# Nothing that the suite leaves behind is worth a wait.
GRACE_S = 0.1

TOOLS = fixture_tools.TOOLS | fixture_asking.TOOLS | fixture_tasks.TOOLS

# One that comes and goes, for those who listen to changes.
PASSING_TOOL = {"test_dynamic_tool": Tool("Comes and goes", answers(text("Still here.")), NOTHING)}


class FixtureTools:
    """Every tool, two of which change what is on offer and say so on the hub."""

    def __init__(self, hub: Hub, prompts: FixturePrompts) -> None:
        self._hub = hub
        self._prompts = prompts
        self._fixed = TOOLS | {
            "test_trigger_tool_change": Tool("Changes the list of tools", self._change_tools, NOTHING),
            "test_trigger_prompt_change": Tool("Changes the list of prompts", self._change_prompts, NOTHING),
        }
        self._tools = self._fixed

    def describe(self) -> list[Message]:
        return [tool.described(name) for name, tool in self._tools.items()]

    def task_use(self, name: str, arguments: Arguments, context: Context) -> TaskUse:
        tool = self._tools.get(name)
        return tool.task_use(context) if tool else TaskUse.NEVER

    async def call(self, name: str, arguments: Arguments, context: Context) -> Message:
        tool = self._tools.get(name)
        if tool is None:
            raise Unknown(f"Unknown tool: {name[:100]}")
        try:
            schema_validator.check(tool.schema, dict(arguments))
        except schema_validator.Mismatch as mismatch:
            return {"content": [text(str(mismatch))], "isError": True}
        return await tool.run(arguments, context)

    async def _change_tools(self, arguments: Arguments, context: Context) -> Message:
        self._tools = self._fixed if self._tools is not self._fixed else self._fixed | PASSING_TOOL
        self._hub.publish("toolsListChanged")
        return {"content": [text("The list of tools has changed.")]}

    async def _change_prompts(self, arguments: Arguments, context: Context) -> Message:
        self._prompts.change()
        self._hub.publish("promptsListChanged")
        return {"content": [text("The list of prompts has changed.")]}


def build_server() -> Server:
    """Put together everything that the protocol core can offer."""
    hub, prompts = Hub(), FixturePrompts()
    return Server(
        "conformance-fixtures",
        "1",
        "Fixtures of the MCP conformance suite; of no use to anybody else.",
        FixtureTools(hub, prompts),
        resources=FixtureResources(),
        prompts=prompts,
        completions=FixtureCompletions(),
        tasks=TaskStore(MAX_TASKS, TASK_TTL_S, hub),
        hub=hub,
        announces=frozenset({"toolsListChanged", "promptsListChanged"}),
        logging=True,
        legacy_subscriptions=True,
    )


def build() -> web.Application:
    """Build the web application: the endpoint as the service has it, with the fixtures behind it."""
    app = web.Application()

    async def endpoint(app: web.Application) -> AsyncIterator[None]:
        async with open_worker(2) as worker:
            access = Access.for_address(HOST, (), ())
            app[ENDPOINT] = Endpoint(build_server(), access, Keys(()), worker)
            yield

    async def handle(request: web.Request) -> web.StreamResponse:
        return await request.app[ENDPOINT].handle(request)

    async def drain(app: web.Application) -> None:
        await app[ENDPOINT].drain(GRACE_S)

    app.cleanup_ctx.append(endpoint)
    app.on_shutdown.append(drain)
    app.router.add_route("*", "/mcp", handle)
    return app


ENDPOINT = web.AppKey("endpoint", Endpoint)


def announce(port: int) -> None:
    """Say where the server is."""
    sys.stdout.write(f"http://{HOST}:{port}/mcp\n")
    sys.stdout.flush()


def main() -> None:
    """Serve until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(description="Serve the fixtures of the MCP conformance suite.")
    parser.add_argument("--port", type=int, default=0, help="0 (the default) takes a free one")
    listening = Listening(HOST, parser.parse_args().port, MAX_HEADER_BYTES, IDLE_S)
    asyncio.run(serve(build(), listening, announce))


if __name__ == "__main__":
    main()
