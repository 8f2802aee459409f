"""A stand-in for an OpenAI-compatible embedding server, on a real socket, with a script and a log.

Its vectors count words, so that texts with the same words are near to each other. It knows no keys and has no limits of its own, but
for `max_chars`.
"""

from __future__ import annotations

import asyncio
import struct
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self
from zlib import crc32

from aiohttp import web

DIMENSION = 32


def word_vector(text: str) -> list[float]:
    """Return how often a text has words of each of some kinds, by their checksums."""
    vector = [0.0] * DIMENSION
    for word in text.lower().split():
        vector[crc32(word.strip(".,:#").encode()) % DIMENSION] += 1.0
    return vector


class EmbeddingStandIn:
    """The server. `statuses` are those of the first requests; after them all are answered with vectors.

    `texts` are those that were answered with vectors, `log` has a line for each request: how many texts it had, and its status.
    """

    def __init__(
        self,
        statuses: Sequence[int] = (),
        *,
        vector_of: Callable[[str], Sequence[float]] = word_vector,
        max_chars: int = 1_000_000,
        speaks_base64: bool = True,
        body: bytes | None = None,
        is_silent: bool = False,
        refusal: str = "no vectors for",
    ) -> None:
        """`refusal`: what an error says, before the key that came with the request."""
        self.statuses = list(statuses)
        self.vector_of = vector_of
        self.is_silent = is_silent
        self._max_chars = max_chars
        self._speaks_base64 = speaks_base64
        self._body = body
        self._refusal = refusal
        self._runner: web.AppRunner | None = None
        self.url = ""
        self.log: list[str] = []
        self.texts: list[str] = []
        self.payloads: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.in_flight = 0
        self.most_in_flight = 0

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=0)
        app.router.add_post("/v1/embeddings", self._embed)
        self._runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _embed(self, request: web.Request) -> web.Response:
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            payload = await request.json()
            self.headers.append(request.headers)
            self.payloads.append(payload)
            await asyncio.sleep(0)  # the others that may come at the same time have their turn
            if self.is_silent:
                await asyncio.Event().wait()
            response = self._response(request, payload["input"])
            self.log.append(f"{len(payload['input'])} > {response.status}")
            return response
        finally:
            self.in_flight -= 1

    def _response(self, request: web.Request, texts: list[str]) -> web.Response:
        status = self.statuses.pop(0) if self.statuses else 200
        if status != 200:
            key = request.headers.get("Authorization", "")
            return web.json_response({"error": {"message": f"{self._refusal} {key}"}}, status=status)
        longest = max(map(len, texts))
        if longest > self._max_chars:
            message = f"the input of {longest} exceeds the available context size"
            return web.json_response({"error": {"message": message}}, status=400)
        self.texts += texts
        if self._body is not None:
            return web.Response(body=self._body, content_type="application/json")
        rows = [
            {"object": "embedding", "index": index, "embedding": self._written(self.vector_of(text))}
            for index, text in enumerate(texts)
        ]
        return web.json_response({"object": "list", "data": rows[::-1]})

    def _written(self, vector: Sequence[float]) -> str | list[float]:
        if not self._speaks_base64:
            return list(vector)
        return b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
