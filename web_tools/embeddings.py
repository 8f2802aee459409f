"""Vectors of texts from an OpenAI-compatible server: POST /v1/embeddings, in batches.

A text that is too long for the model is embedded in pieces, whose mean is its vector. Knows nothing of pages, nor how a request is sent:
api_client.py does. The HTTP client, the limit on requests, sleep, clock and random numbers are arguments.
"""

import asyncio
import json
import logging
import math
import random
import re
import struct
import time
from base64 import b64decode
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from provider.error_kinds import error_message
from web_tools.api_client import AnswerIsLate, ApiClient, ApiLimits, ConnectionFailed, NoAnswer, open_http
from web_tools.pages import Vector, WebError
from web_tools.request_slots import Purpose, RequestSlots
from web_tools.text_work import TextWork

logger = logging.getLogger(__name__)

# Servers take more, but what one request must compute grows with it, and is lost with it.
BATCH_TEXTS = 32

# 32 vectors of 16,384 numbers, each written with up to 20 characters.
MAX_RESPONSE_BYTES = 12_000_000

# Reading vectors takes at most a twentieth of the time that work on as many characters of text may take (summarizing/offload.py).
JSON_SPEED = 20

# After a text was refused as too long, texts longer than this share of it are embedded in pieces.
SHORTER = 0.7
# 0.7 four times is a quarter: what is refused then is refused for another reason.
MOST_SHORTENINGS = 4
# In characters. Every model takes as much: the smallest common ones read 256 tokens, and a character is seldom more than one.
MIN_PIECE_CHARS = 200

# A piece ends at a word's end, if there is one in so many characters before its limit.
MAX_WORD_CHARS = 50

# After a timeout no request is sent for so long: every call would wait for the next one.
PAUSE_SECONDS = 30.0

TOO_LONG_STATUSES = frozenset({400, 413, 422})
# "maximum context length", "exceeds the available context size", "must have less than 512 tokens", "input is too large".
_TOO_LONG = re.compile(r"context.(?:length|size|window)|tokens\b|too (?:long|large)", re.IGNORECASE)

WHAT_TO_CHECK = {
    401: " (check EMBEDDING_SERVER_API_KEY)",
    403: " (check EMBEDDING_SERVER_API_KEY)",
    404: " (check EMBEDDING_SERVER_URL and EMBEDDING_MODEL_NAME)",
}


class EmbeddingsFailed(WebError):
    """The embedding server gave no vectors; `kind` is the reason without the server's own words, for the log."""

    def __init__(self, kind: str, details: str = "") -> None:
        super().__init__(f"{kind}: {details}" if details else kind)
        self.kind = kind


class _TextTooLong(EmbeddingsFailed):
    """One of the texts is longer than the model takes."""


@dataclass(frozen=True)
class EmbeddingServer:
    """Where the vectors come from."""

    url: str
    """With /v1 at its end or without it, or the endpoint's whole address."""
    model: str
    api_key: str = field(default="", repr=False)
    timeout_ms: int = field(kw_only=True)
    """REQUEST_TIMEOUT_MS."""

    @property
    def endpoint(self) -> str:
        """The address to post to."""
        if self.url.endswith("/embeddings"):
            return self.url
        return f"{self.url}/embeddings" if self.url.endswith("/v1") else f"{self.url}/v1/embeddings"


class Embeddings:
    """One model of one server, as an Embedder. Safe for any number of callers at once."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        server: EmbeddingServer,
        slots: RequestSlots,
        work: TextWork,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        uniform: Callable[[float, float], float] = random.uniform,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`slots`: those of all requests of the web tools; `work` reads the answers, which may be large."""
        limits = ApiLimits(server.timeout_ms, MAX_RESPONSE_BYTES)
        self._api = ApiClient(
            http,
            slots,
            Purpose.EMBEDDING,
            limits,
            server.api_key,
            check=self._check_pause,
            sleep=sleep,
            uniform=uniform,
        )
        self._server = server
        self._work = work
        self._clock = clock
        self._max_chars = 0  # of one piece; 0: no text has been refused for its length
        self._longest_taken = 0  # in characters: the longest piece that the model has taken
        self._paused_until = -math.inf

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text, all of one length. Raises EmbeddingsFailed.

        A limit that a refusal suggests is kept for later texts only once the model has taken texts cut to it, and never where it has
        taken longer ones.
        """
        limit, refused_chars, shortenings = self._max_chars, 0, 0
        while True:
            pieces = [pieces_of(text, limit) for text in texts]
            longest = max((len(piece) for each in pieces for piece in each), default=0)
            try:
                vectors = await self._means(pieces)
            except _TextTooLong:
                limit = max(MIN_PIECE_CHARS, int(longest * SHORTER))
                if limit >= longest or shortenings == MOST_SHORTENINGS:
                    raise
                refused_chars, shortenings = refused_chars or longest, shortenings + 1
                continue
            if refused_chars > self._longest_taken:
                self._max_chars = limit
            self._longest_taken = max(self._longest_taken, longest)
            return vectors

    async def _means(self, texts: Sequence[list[str]]) -> list[Vector]:
        """Return the vector of each text, which comes in pieces."""
        vectors = iter(await self._vectors([piece for pieces in texts for piece in pieces]))
        return [mean_of([next(vectors) for _ in pieces]) for pieces in texts]

    async def _vectors(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vectors of short texts, batch by batch side by side."""
        batches = [texts[at : at + BATCH_TEXTS] for at in range(0, len(texts), BATCH_TEXTS)]
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._request(batch)) for batch in batches]
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        vectors = [vector for task in tasks for vector in task.result()]
        if len({len(vector) for vector in vectors}) > 1:
            raise EmbeddingsFailed("the embedding server gave vectors of different lengths")
        return vectors

    async def _request(self, texts: Sequence[str]) -> list[Vector]:
        """Have one batch embedded, and read the answer."""
        payload = {"model": self._server.model, "input": list(texts), "encoding_format": "base64"}
        status, body = await self._answer(json.dumps(payload).encode())
        if status != httpx.codes.OK:
            raise self._error_of_status(status, body)
        try:
            vectors = await self._work(len(body) // JSON_SPEED, read_vectors, body, len(texts))
        except ValueError as problem:
            raise EmbeddingsFailed(f"the embedding server's answer cannot be used: {problem}") from None
        logger.debug("texts_embedded", extra={"texts": len(texts)})
        return vectors

    async def _answer(self, body: bytes) -> tuple[int, bytes]:
        """Return status and body of the answer, and what prevents one as EmbeddingsFailed."""
        headers = {"Content-Type": "application/json"}
        if self._server.api_key:
            headers["Authorization"] = f"Bearer {self._server.api_key}"
        try:
            return await self._api.answer("POST", self._server.endpoint, headers, content=body)
        except AnswerIsLate as late:
            self._paused_until = self._clock() + PAUSE_SECONDS
            raise EmbeddingsFailed(f"the embedding server: {late}") from None
        except ConnectionFailed as failed:
            kind = "the embedding server cannot be reached (check EMBEDDING_SERVER_URL)"
            raise EmbeddingsFailed(kind, str(failed)) from None
        except NoAnswer as problem:
            raise EmbeddingsFailed(f"the embedding server: {problem}") from None

    def _check_pause(self) -> None:
        """Raise EmbeddingsFailed where the server has been silent just now."""
        if self._clock() < self._paused_until:
            raise EmbeddingsFailed(
                f"the embedding server gave no answer in time (REQUEST_TIMEOUT_MS), and is left alone for {PAUSE_SECONDS:g} seconds"
            )

    def _error_of_status(self, status: int, body: bytes) -> EmbeddingsFailed:
        try:
            message = error_message(json.loads(body))
        except (ValueError, RecursionError):
            message = ""
        is_too_long = status in TOO_LONG_STATUSES and _TOO_LONG.search(message)
        error = _TextTooLong if is_too_long else EmbeddingsFailed
        kind = f"the embedding server answered {status}{WHAT_TO_CHECK.get(status, '')}"
        return error(kind, self._api.public(message))

    def __repr__(self) -> str:
        return f"<Embeddings {self._server.model} at {self._server.url}>"


# --- Texts and vectors -----------------------------------------------------------------------------------------


def pieces_of(text: str, max_chars: int) -> list[str]:
    """Return a text in pieces of about equal length, each of at most `max_chars`, at words' ends if there are any; 0: whole."""
    if not max_chars or len(text) <= max_chars:
        return [text]
    pieces: list[str] = []
    start = 0
    while start < len(text):
        left = len(text) - start
        end = start + math.ceil(left / math.ceil(left / max_chars))
        space = text.rfind(" ", max(start + 1, end - MAX_WORD_CHARS), end)
        end = space if space > 0 and end < len(text) else end
        pieces.append(text[start:end])
        start = end
    return pieces


def mean_of(vectors: Sequence[Vector]) -> Vector:
    """Return the mean direction of some vectors: of one, itself."""
    if len(vectors) == 1:
        return vectors[0]
    lengths = [math.hypot(*vector) or 1.0 for vector in vectors]
    unit = [[number / length for number in each] for each, length in zip(vectors, lengths, strict=True)]
    return [sum(numbers) / len(unit) for numbers in zip(*unit, strict=True)]


def read_vectors(body: bytes, count: int) -> list[Vector]:
    """Return the vectors in an answer, in the order of the texts. Raises ValueError with what was expected."""
    try:
        answer = json.loads(body)
        rows = sorted(answer["data"], key=lambda row: row["index"])
        vectors = [_vector(row["embedding"]) for row in rows]
    except (ValueError, TypeError, KeyError, RecursionError, struct.error):
        raise ValueError('expected `{"data": [{"index": 0, "embedding": [...]}, ...]}`') from None
    if [row["index"] for row in rows] != list(range(count)):
        raise ValueError(f"expected a vector for each of {count} texts, got {len(rows)}")
    if not all(vector and all(map(math.isfinite, vector)) for vector in vectors):
        raise ValueError("expected vectors of finite numbers")
    return vectors


def _vector(given: Any) -> Vector:
    """Return a vector that came as numbers, or as 32-bit floats in base64, the low byte first."""
    if not isinstance(given, str):
        return list(map(float, given))
    data = b64decode(given, validate=True)
    return struct.unpack(f"<{len(data) // 4}f", data)


@asynccontextmanager
async def open_embeddings(
    server: EmbeddingServer, slots: RequestSlots, work: TextWork
) -> AsyncIterator[Embeddings]:
    """Open the client; close its connections at the end of the block."""
    async with open_http() as http:
        yield Embeddings(http, server, slots, work)
