"""A proxy between the pipelines and a real model: counts what each takes, and makes all ask at temperature 0.

Counts are the server's own, from the `usage` of its answers, whole or streamed. A failed call counts as a call.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from aiohttp import web

from bench.fidelity.peers import PATIENCE_S
from bench.fidelity.personalities import Tally

_EVENT = b"data: "


@asynccontextmanager
async def counting(url: str, tally: Tally) -> AsyncIterator[str]:
    """Open the proxy before a server's base URL; yields the URL to call in its place."""
    async with httpx.AsyncClient(timeout=PATIENCE_S) as http:

        async def forward(request: web.Request) -> web.StreamResponse:
            asked = await request.json() | {"temperature": 0}
            if asked.get("stream"):
                asked["stream_options"] = {"include_usage": True}
            tally.calls += 1
            async with http.stream("POST", f"{url}/chat/completions", json=asked) as answer:
                response = web.StreamResponse(status=answer.status_code)
                response.content_type = answer.headers.get("content-type", "application/json").split(";")[0]
                await response.prepare(request)
                body = bytearray()
                async for data in answer.aiter_bytes():
                    body += data
                    await response.write(data)
            _count(bytes(body), tally)
            return response

        app = web.Application(client_max_size=0)
        app.router.add_post("/v1/chat/completions", forward)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            host, port = runner.addresses[0][:2]
            yield f"http://{host}:{port}/v1"
        finally:
            await runner.cleanup()


def _count(body: bytes, tally: Tally) -> None:
    usage = usage_in(body)
    tally.prompt_tokens += int(usage.get("prompt_tokens", 0))
    tally.answer_tokens += int(usage.get("completion_tokens", 0))


def usage_in(body: bytes) -> dict[str, Any]:
    """Return the last usage that an answer states, whole or streamed; {} where it states none."""
    events = [line[len(_EVENT) :] for line in body.splitlines() if line.startswith(_EVENT)]
    for text in reversed(events or [body]):
        try:
            usage = json.loads(text).get("usage")
        except (ValueError, AttributeError):
            continue
        if isinstance(usage, dict):
            return usage
    return {}
