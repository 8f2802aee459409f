"""A server built with Python's MCP SDK, 1.x or 2.x, as its users write them: `sdk_server.py stdio` or `sdk_server.py http`.

Over HTTP it prints its port first. It lies in an environment of its own, without the project.
"""

# mypy: disable-error-code="import-not-found, import-untyped, no-any-return, untyped-decorator, misc, attr-defined, no-untyped-call, no-redef"
# The checks see one of the two versions.

import json
import socket
import sys

try:
    from mcp.server.mcpserver import Context, MCPServer
except ImportError:
    from mcp.server.fastmcp import Context
    from mcp.server.fastmcp import FastMCP as MCPServer

server = MCPServer("sdk")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool(structured_output=False)
def large(size: int) -> str:
    """Answer with so many letters."""
    return "x" * size


@server.tool(structured_output=False)
async def steps(count: int, ctx: Context) -> str:
    """Tell each step."""
    for step in range(count):
        await ctx.report_progress(step + 1, count)
    return "done"


@server.tool(structured_output=False)
def fails() -> str:
    """Fail."""
    raise ValueError("no such row")


@server.prompt()
def review(code: str) -> str:
    """Ask for a review."""
    return f"Review this: {code}"


@server.resource("notes://today")
def today() -> str:
    """What is to be done today."""
    return "buy milk, password: hunter2canary"


@server.resource("notes://{day}/list")
def notes_of(day: str) -> str:
    """What is to be done on a day."""
    return f"nothing on {day}"


def main() -> None:
    """Serve until stdin is closed, or killed."""
    if sys.argv[1] == "stdio":
        server.run("stdio")
        return
    import uvicorn  # noqa: PLC0415

    listening = socket.create_server(("127.0.0.1", 0))
    sys.stdout.write(json.dumps(listening.getsockname()[1]) + "\n")
    sys.stdout.flush()
    config = uvicorn.Config(server.streamable_http_app(), access_log=False, log_level="error")
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
