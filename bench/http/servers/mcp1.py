"""mcp 1.26: FastMCP over Streamable HTTP, stateless and with JSON answers, its quickest way."""

# mypy: disable-error-code="import-not-found, import-untyped, attr-defined"
# The checks see another version of the SDK than the one that this runs with.

import uvicorn
from mcp.server.fastmcp import FastMCP

from bench.http.servers.announcing import listening
from bench.http.servers.peer_tools import functions


def main() -> None:
    """Serve until killed."""
    server = FastMCP("mcp-summarizer", stateless_http=True, json_response=True, log_level="ERROR")
    for name, description, function in functions():
        # Without structured output: the text is sent once, as by us.
        server.add_tool(function, name=name, description=description, structured_output=False)
    config = uvicorn.Config(server.streamable_http_app(), access_log=False, log_level="error")
    uvicorn.Server(config).run(sockets=[listening()])


if __name__ == "__main__":
    main()
