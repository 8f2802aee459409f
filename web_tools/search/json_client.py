"""Requests to the API of a search provider: time limit, size limit, one retry, and errors without the key.

Knows no provider: what is asked, and what an answer means, is theirs. No redirect is followed, since a key goes with each request.
"""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from provider.error_kinds import printable
from web_tools.pages import WebError
from web_tools.request_slots import Purpose, RequestSlots
from web_tools.search.provider import JsonObject

# Fifty results with everything that providers add are under 1 MB.
MAX_ANSWER_BYTES = 8_000_000

MAX_ERROR_CHARS = 300

# A shorter key is a placeholder: no secret, but perhaps a word of an answer.
MIN_SECRET_CHARS = 8

# Before the one retry: a random time up to this, so that callers who failed together do not come back together.
MAX_RETRY_WAIT_SECONDS = 1.0


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


class _ServerFailed(WebError):
    """A status of 500 or more: the same request may succeed."""


class JsonClient:
    """Sends requests to one API."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        api: Api,
        slots: RequestSlots,
        timeout_seconds: float,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        uniform: Callable[[float, float], float] = random.uniform,
    ) -> None:
        """`slots`: those of all requests of the web tools."""
        self._http, self._api, self._slots, self._timeout_seconds = http, api, slots, timeout_seconds
        self._sleep, self._uniform = sleep, uniform

    async def get(self, params: Mapping[str, str | int]) -> JsonObject:
        """Return what a GET answers. Raises WebError."""
        return await self._answered(self._http.build_request("GET", self._api.url, params=params))

    async def post(self, body: JsonObject) -> JsonObject:
        """Return what a POST answers. Raises WebError."""
        return await self._answered(self._http.build_request("POST", self._api.url, json=body))

    async def _answered(self, request: httpx.Request) -> JsonObject:
        # Accept-Encoding: a small compressed body can inflate to a large one.
        request.headers.update(
            {"Accept": "application/json", "Accept-Encoding": "identity", **self._api.headers}
        )
        try:
            return await self._once(request)
        except _ServerFailed:
            await self._sleep(self._uniform(0, MAX_RETRY_WAIT_SECONDS))
        return await self._once(request)

    async def _once(self, request: httpx.Request) -> JsonObject:
        async with self._slots.slot(Purpose.SEARCH):
            try:
                async with asyncio.timeout(self._timeout_seconds):
                    status, body = await self._sent(request)
            except (TimeoutError, httpx.TimeoutException):
                limit = f"{1000 * self._timeout_seconds:.0f} ms (REQUEST_TIMEOUT_MS)"
                raise self._error(f"no answer within {limit}") from None
            except httpx.HTTPError as error:
                # h11 quotes a header that it refuses to send, with the key.
                text = "" if isinstance(error, httpx.LocalProtocolError) else f": {error}"
                raise self._error(f"the connection failed ({type(error).__name__}){text}") from None
        return self._read(status, body)

    async def _sent(self, request: httpx.Request) -> tuple[int, bytes]:
        response = await self._http.send(request, stream=True, auth=httpx.Auth(), follow_redirects=False)
        body = bytearray()
        try:
            async for part in response.aiter_bytes():
                body += part
                if len(body) > MAX_ANSWER_BYTES:
                    raise self._error(f"expected at most {MAX_ANSWER_BYTES} bytes, got more")
        finally:
            await response.aclose()
        return response.status_code, bytes(body)

    def _read(self, status: int, body: bytes) -> JsonObject:
        try:
            text = self._without_secret(body.decode("utf-8", "replace"))
            answer: Any = json.loads(text, parse_constant=_refuse)
        except (ValueError, RecursionError):
            answer = None
        if not 200 <= status < 300:
            kind = _ServerFailed if status >= 500 else WebError
            told = [f"HTTP {status}", self._api.advice.get(status, ""), _message(answer)]
            raise self._error(": ".join(part for part in told if part), kind)
        if not isinstance(answer, dict):
            raise self._error("expected a JSON object, got something else")
        return answer

    def _error(self, text: str, kind: type[WebError] = WebError) -> WebError:
        line = self._without_secret(printable(text))
        return kind(f"search ({self._api.name}): {line[:MAX_ERROR_CHARS]}")

    def _without_secret(self, text: str) -> str:
        secret = self._api.secret
        return text.replace(secret, "***") if len(secret) >= MIN_SECRET_CHARS else text


def _refuse(constant: str) -> None:
    """NaN and infinity, which Python takes, are no JSON: no client could read the result."""
    raise ValueError(constant)


def _message(body: Any) -> str:
    """Return the message in the body of an error; providers nest it differently."""
    while isinstance(body, dict):
        body = next((body[name] for name in ("message", "detail", "error") if body.get(name)), "")
    return body if isinstance(body, str) else ""
