"""What the contestants share: a free port that is announced once something listens there. Nothing beyond the standard library."""

import json
import socket
import sys

# As many as aiohttp and uvicorn let wait for them, so that no contestant loses connections for this.
BACKLOG = 2048


def listening() -> socket.socket:
    """Return a socket that listens on a free port, and announce the port."""
    opened = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
    sys.stdout.write(json.dumps({"port": opened.getsockname()[1]}) + "\n")
    sys.stdout.flush()
    return opened
