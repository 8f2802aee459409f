"""fastmcp 4: FastMCP over Streamable HTTP, stateless and with JSON answers."""

# mypy: disable-error-code="import-not-found, import-untyped, misc, no-any-return, untyped-decorator"
# The checks see the client half of the package alone.

import uvicorn
from fastmcp import FastMCP
from fastmcp.tools import Tool

from bench.http.servers.announcing import listening
from bench.http.servers.peer_tools import functions


def main() -> None:
    """Serve until killed."""
    server = FastMCP("mcp-summarizer", version="0.1.0")
    for name, description, function in functions():
        # Without an output schema: the text is sent once, as by us.
        tool = Tool.from_function(function, name=name, description=description, output_schema=None)
        server.add_tool(tool)
    app = server.http_app(path="/mcp", json_response=True, stateless_http=True)
    config = uvicorn.Config(app, access_log=False, log_level="error")
    uvicorn.Server(config).run(sockets=[listening()])


if __name__ == "__main__":
    main()
