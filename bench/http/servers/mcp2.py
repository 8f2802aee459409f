"""mcp 2.3: MCPServer over Streamable HTTP, stateless and with JSON answers; it speaks both eras."""

import uvicorn
from mcp.server.mcpserver import MCPServer

from bench.http.servers.announcing import listening
from bench.http.servers.peer_tools import functions


def main() -> None:
    """Serve until killed."""
    server = MCPServer("mcp-summarizer", version="0.1.0", log_level="ERROR")
    for name, description, function in functions():
        # Without structured output: the text is sent once, as by us.
        server.add_tool(function, name=name, description=description, structured_output=False)
    app = server.streamable_http_app(stateless_http=True, json_response=True)
    config = uvicorn.Config(app, access_log=False, log_level="error")
    uvicorn.Server(config).run(sockets=[listening()])


if __name__ == "__main__":
    main()
