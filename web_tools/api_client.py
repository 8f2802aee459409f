"""Requests to an HTTP API with a key: a slot for each, limits of time and size, one retry of a server error, no word of the key.

Knows no API: what is asked, and what an answer means, is its users'. No redirect is followed, since a key goes with each request.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx

from provider.backoff import backoff
from provider.cancel_safe_transport import CancelSafeTransport
from provider.error_kinds import printable
from web_tools.pages import WebError
from web_tools.request_slots import Purpose, RequestSlots

# More of an error's text says nothing more.
MAX_ERROR_CHARS = 300

# A shorter key is a placeholder: no secret, but perhaps a word of an answer.
MIN_SECRET_CHARS = 8

SERVER_ERRORS = range(500, 600)


class NoAnswer(WebError):
    """A request has no answer that can be used; the message says why, without the key."""


class AnswerIsLate(NoAnswer):
    """The answer was not there in time."""


class ConnectionFailed(NoAnswer):
    """The connection was not made, or broke."""


@dataclass(frozen=True)
class ApiLimits:
    """What one request may take."""

    timeout_ms: int
    """From the connection to the last byte of the answer."""
    max_answer_bytes: int


class ApiClient:
    """Sends requests to one API."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        slots: RequestSlots,
        purpose: Purpose,
        limits: ApiLimits,
        secret: str,
        *,
        check: Callable[[], None] = lambda: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        uniform: Callable[[float, float], float] = random.uniform,
    ) -> None:
        """`secret`: what no message may tell; `check` is called when a request has its slot, and raises where it is not to be sent."""
        self._http = http
        self._slots, self._purpose = slots, purpose
        self._limits = limits
        self._secret = secret if len(secret) >= MIN_SECRET_CHARS else ""
        self._check = check
        self._sleep, self._uniform = sleep, uniform

    async def answer(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        *,
        params: Mapping[str, str | int] | None = None,
        content: bytes | None = None,
    ) -> tuple[int, bytes]:
        """Return status and body of the answer; where that is a server error, those of a second try. Raises NoAnswer and SlotsTaken."""

        def build() -> httpx.Request:
            # Accept-Encoding: a small compressed body can inflate to a large one.
            sent = {**headers, "Accept-Encoding": "identity"}
            return self._http.build_request(method, url, headers=sent, params=params, content=content)

        status, body = await self._in_slot(build)
        if status not in SERVER_ERRORS:
            return status, body
        await self._sleep(next(backoff(self._uniform)))
        return await self._in_slot(build)

    def public(self, text: str) -> str:
        """Return what others have said without the key, in one line, and not too long."""
        line = self.without_secret(printable(text))
        return line if len(line) <= MAX_ERROR_CHARS else line[:MAX_ERROR_CHARS] + "…"

    def without_secret(self, text: str) -> str:
        """Return a text with `***` in place of the key."""
        return text.replace(self._secret, "***") if self._secret else text

    async def _in_slot(self, build: Callable[[], httpx.Request]) -> tuple[int, bytes]:
        async with self._slots.slot(self._purpose):
            self._check()
            try:
                async with asyncio.timeout(self._limits.timeout_ms / 1000):
                    return await self._sent(build())
            except (TimeoutError, httpx.TimeoutException):
                limit = f"{self._limits.timeout_ms} ms (REQUEST_TIMEOUT_MS)"
                raise AnswerIsLate(f"no answer within {limit}") from None
            # UnicodeError: idna's, for a redirect to a host that is no name.
            except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as problem:
                # h11 quotes a header that it refuses to send, with the key.
                text = "" if isinstance(problem, httpx.LocalProtocolError) else f": {problem}"
                raise ConnectionFailed(
                    self.public(f"the connection failed ({type(problem).__name__}){text}")
                ) from None

    async def _sent(self, request: httpx.Request) -> tuple[int, bytes]:
        response = await self._http.send(request, stream=True, auth=httpx.Auth(), follow_redirects=False)
        body = bytearray()
        try:
            async for part in response.aiter_bytes():
                body += part
                if len(body) > self._limits.max_answer_bytes:
                    raise NoAnswer(f"expected at most {self._limits.max_answer_bytes} bytes, got more")
        finally:
            await response.aclose()
            # httpx's response and its stream refer to each other, and to the request's body: break the cycle, or all of it stays until
            # the garbage collector runs.
            response.stream = httpx.ByteStream(b"")
        return response.status_code, bytes(body)


@asynccontextmanager
async def open_http() -> AsyncIterator[httpx.AsyncClient]:
    """Open what the requests go through; its connections are closed at the end of the block."""
    transport = CancelSafeTransport(httpx.AsyncHTTPTransport())
    async with httpx.AsyncClient(timeout=None, transport=transport) as http:  # noqa: S113 - each request has its timeout
        yield http
