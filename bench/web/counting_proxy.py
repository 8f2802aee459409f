"""Stands before the embedding server and counts: requests, texts, failures. Passes everything on as it is."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
from aiohttp import web

# Long texts on a busy machine.
PATIENCE_SECONDS = 120.0

# Not 127.0.0.1: inside a container the peer takes that one for the container's host.
HOST = "127.0.0.2"


@dataclass
class Counts:
    """What went through."""

    requests: int = 0
    texts: int = 0
    refused: int = 0

    def __sub__(self, before: "Counts") -> "Counts":
        return Counts(
            self.requests - before.requests, self.texts - before.texts, self.refused - before.refused
        )


@dataclass
class Proxy:
    """A proxy that runs."""

    url: str
    counts: Counts

    def so_far(self) -> Counts:
        """Return the counts as they are now."""
        return self.counts - Counts()


@asynccontextmanager
async def a_proxy(server_url: str) -> AsyncIterator[Proxy]:
    """Pass requests on to a server until the end of the block."""
    proxy = Proxy("", Counts())
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE_SECONDS) as http:

        async def passed(request: web.Request) -> web.Response:
            body = await request.read()
            given = json.loads(body)["input"]
            proxy.counts.requests += 1
            proxy.counts.texts += 1 if isinstance(given, str) else len(given)
            headers = {"Content-Type": "application/json"}
            answer = await http.post(f"{server_url}{request.path}", content=body, headers=headers)
            proxy.counts.refused += not answer.is_success
            return web.Response(
                status=answer.status_code, body=answer.content, content_type="application/json"
            )

        # Thirty-two long texts are more than the megabyte that is the default.
        app = web.Application(client_max_size=64_000_000)
        app.router.add_post("/{path:.*}", passed)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, HOST, 0).start()
        proxy.url = f"http://{HOST}:{runner.addresses[0][1]}"
        try:
            yield proxy
        finally:
            await runner.cleanup()
