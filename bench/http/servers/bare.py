"""A bare aiohttp handler: parses the JSON, counts where there is content, and answers. No checks, no limits, no protocol.

python -m bench.http.servers.bare           the answer is written as JSON each time, as web.json_response does it
python -m bench.http.servers.bare ready     the list of tools is bytes already: less than that nobody can do
"""

import json
import sys
from collections.abc import Callable
from typing import Any

from aiohttp import web

from bench.http.servers.announcing import listening
from bench.http.servers.counting import counter
from tools import definitions

NAME = {"name": "mcp-summarizer", "version": "0.1.0"}
LIST = {
    "resultType": "complete",
    "ttlMs": 60_000,
    "cacheScope": "private",
    "tools": list(definitions.TOOLS),
    "_meta": {"io.modelcontextprotocol/serverInfo": NAME},
}


def application(count: Callable[[str], int], *, ready: bool) -> web.Application:
    """Return the application."""
    written = json.dumps(LIST, ensure_ascii=False).encode()

    async def answer(request: web.Request) -> web.Response:
        message = json.loads(await request.read())
        if message["method"] == "tools/list":
            if ready:
                body = b'{"jsonrpc": "2.0", "id": %d, "result": %b}' % (message["id"], written)
                return web.Response(body=body, content_type="application/json")
            return reply(message, LIST)
        content = message["params"]["arguments"]["content"]
        tokens = count(content)
        outcome = {"status": "passthrough", "input_tokens": tokens, "output_tokens": tokens}
        result = {
            "content": [{"type": "text", "text": content}],
            "_meta": {"mcp-summarizer/outcome": outcome},
        }
        return reply(message, result)

    app = web.Application(client_max_size=16 * 1024 * 1024)
    app.router.add_post("/mcp", answer)
    return app


def reply(message: dict[str, Any], result: dict[str, Any]) -> web.Response:
    """Return the envelope as a response."""
    return web.json_response({"jsonrpc": "2.0", "id": message["id"], "result": result})


def main() -> None:
    """Serve until killed."""
    app = application(counter(), ready="ready" in sys.argv)
    web.run_app(app, sock=listening(), access_log=None, print=None)


if __name__ == "__main__":
    main()
