"""A search provider's API: JSON is asked for and answered, and what goes wrong is an error of the search.

Knows no provider: what is asked, and what an answer means, is theirs. How a request is sent, api_client.py says.
"""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from protocol.json_parsing import decode_strictly
from web_tools.api_client import ApiClient, ApiLimits, NoAnswer
from web_tools.pages import WebError
from web_tools.request_slots import Purpose, RequestSlots
from web_tools.search.provider import JsonObject

# Fifty results with everything that providers add are under 1 MB.
MAX_ANSWER_BYTES = 8_000_000

HEADERS = {"Accept": "application/json", "Content-Type": "application/json"}


@dataclass(frozen=True)
class Api:
    """How a provider's API is reached."""

    name: str
    """Of the provider, as SEARCH_PROVIDER has it."""
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    secret: str = ""
    """What no error, note or result may say."""
    advice: Mapping[int, str] = field(default_factory=dict)
    """What an operator can do about a status."""


class JsonClient:
    """Sends requests to one API."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        api: Api,
        slots: RequestSlots,
        timeout_ms: int,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        uniform: Callable[[float, float], float] = random.uniform,
    ) -> None:
        """`slots`: those of all requests of the web tools; `timeout_ms`: REQUEST_TIMEOUT_MS."""
        self._api = api
        limits = ApiLimits(timeout_ms, MAX_ANSWER_BYTES)
        self._client = ApiClient(
            http, slots, Purpose.SEARCH, limits, api.secret, sleep=sleep, uniform=uniform
        )

    async def get(self, params: Mapping[str, str | int]) -> JsonObject:
        """Return what a GET answers. Raises WebError."""
        return await self._answered("GET", params=params)

    async def post(self, body: JsonObject) -> JsonObject:
        """Return what a POST answers. Raises WebError."""
        return await self._answered("POST", content=json.dumps(body).encode())

    async def _answered(
        self, method: str, *, params: Mapping[str, str | int] | None = None, content: bytes | None = None
    ) -> JsonObject:
        headers = {**HEADERS, **self._api.headers}
        try:
            answer = await self._client.answer(method, self._api.url, headers, params=params, content=content)
        except NoAnswer as problem:
            raise self._error(str(problem)) from None
        return self._read(*answer)

    def _read(self, status: int, body: bytes) -> JsonObject:
        try:
            text = self._client.without_secret(body.decode("utf-8", "replace"))
            # NaN and infinity, which Python takes, are no JSON: no client could read the result.
            answer: Any = decode_strictly(text)
        except (ValueError, RecursionError):
            answer = None
        if not 200 <= status < 300:
            told = [f"HTTP {status}", self._api.advice.get(status, ""), _message(answer)]
            raise self._error(": ".join(part for part in told if part))
        if not isinstance(answer, dict):
            raise self._error("expected a JSON object, got something else")
        return answer

    def _error(self, text: str) -> WebError:
        return WebError(f"search ({self._api.name}): {self._client.public(text)}")


def _message(body: Any) -> str:
    """Return the message in the body of an error; providers nest it differently."""
    while isinstance(body, dict):
        body = next((body[name] for name in ("message", "detail", "error") if body.get(name)), "")
    return body if isinstance(body, str) else ""
