"""A server built with fastmcp, as its users write them: `fastmcp_server.py stdio` or `fastmcp_server.py http`.

Over HTTP it prints its port first. It lies in an environment of its own, without the project.
"""

# mypy: disable-error-code="import-not-found, import-untyped, untyped-decorator, attr-defined, misc, unused-ignore"

import json
import socket
import sys

from fastmcp import FastMCP

server = FastMCP("fast")


@server.tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def main() -> None:
    """Serve until stdin is closed, or killed."""
    if sys.argv[1] == "stdio":
        server.run("stdio", show_banner=False)
        return
    import uvicorn  # noqa: PLC0415

    listening = socket.create_server(("127.0.0.1", 0))
    sys.stdout.write(json.dumps(listening.getsockname()[1]) + "\n")
    sys.stdout.flush()
    config = uvicorn.Config(server.http_app(), access_log=False, log_level="error")
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
