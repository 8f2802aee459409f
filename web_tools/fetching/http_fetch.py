"""A page over HTTP: redirects, each one checked; limits of time and size; one retry of a server's failure; a conditional request.

Sends no cookie and no credentials, keeps nothing of a page, and judges no address: guarded_connections.py does.
"""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import responses

import aiohttp
from yarl import URL

from concurrency.worker_threads import Worker
from web_tools.fetching.content_decoding import content_codings, unpack
from web_tools.fetching.guarded_connections import Response, SocketRefused, refused
from web_tools.page_urls import page_url, redirect_target, shown
from web_tools.pages import FetchedPage, PageProtected, Validators, WebError

logger = logging.getLogger(__name__)

REDIRECTS = frozenset({301, 302, 303, 307, 308})
PROTECTED = frozenset({401, 402, 403, 407})

# Of an ETag and other values that are kept of a page: hundreds of characters are unusual already.
MAX_VALUE_CHARACTERS = 1000

HEADERS = {
    "Accept": "text/html,application/xhtml+xml,text/markdown,text/plain,application/json,application/pdf;q=0.9,*/*;q=0.5",
    "Accept-Encoding": "gzip, deflate, br, zstd",
}

CheckUrl = Callable[[URL], Awaitable[None]]
"""Raises WebError for a URL that must not be fetched."""


class UnexpectedStatus(WebError):
    """The server answered with something else than a page."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class FetchLimits:
    """How much time and data one page may take."""

    timeout_ms: int
    """REQUEST_TIMEOUT_MS: from the first connection to the last byte, redirects and the retry included."""
    max_page_bytes: int
    """As it comes, and again when it is unpacked."""
    max_redirects: int = 10

    @property
    def connect_ms(self) -> int:
        """For a name to be resolved and a connection to be made, TLS included."""
        return self.timeout_ms // 2

    @property
    def first_byte_ms(self) -> int:
        """From there to the headers of the answer: the rest must be enough for its body."""
        return self.timeout_ms * 3 // 4


class HttpFetcher:
    """Fetches pages, each caller's for itself; a PageFetcher."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        limits: FetchLimits,
        *,
        worker: Worker,
        is_public: Callable[[str], bool],
        wait_before_retry: Callable[[], Awaitable[None]],
        open_tls: Callable[[], ssl.SSLContext],
        check_url: CheckUrl | None = None,
    ) -> None:
        """`worker` unpacks; `is_public` judges the address that a page came from; `open_tls` makes what HTTPS needs, once it is needed; `check_url` is asked before each request."""
        self._session = session
        self._worker = worker
        self._is_public = is_public
        self._limits = limits
        self._wait_before_retry = wait_before_retry
        self._open_tls = open_tls
        self._tls: ssl.SSLContext | None = None
        self._check_url = check_url

    async def fetch(self, url: str, validators: Validators | None = None) -> FetchedPage:
        """Return the page. Raises WebError and PageProtected; with `validators` it may be `not_modified`."""
        target = page_url(url)
        try:
            async with asyncio.timeout(self._limits.timeout_ms / 1000):
                return await self._follow(target, validators or Validators())
        except TimeoutError:
            raise self._late(target, "whole answer", self._limits.timeout_ms) from None

    async def _follow(self, start: URL, validators: Validators) -> FetchedPage:
        target = start
        for _ in range(self._limits.max_redirects + 1):
            if self._check_url:
                await self._check_url(target)
            async with self._answer(target, validators) as response:
                logger.debug("page_answered", extra={"host": target.raw_host, "status": response.status})
                if response.status not in REDIRECTS:
                    return await self._page(target, response, validators)
                target = redirect_target(target, response.headers.get("Location", ""))
        raise WebError(
            f"{shown(start)}: more than {self._limits.max_redirects} redirects, the last to {shown(target)}"
        )

    @asynccontextmanager
    async def _answer(self, target: URL, validators: Validators) -> AsyncIterator[aiohttp.ClientResponse]:
        """Send a request, and once more if the server failed; its connection is closed unless all of the answer is read."""
        response = await self._get(target, validators)
        try:
            if response.status >= 500:
                response.close()
                await self._wait_before_retry()
                response = await self._get(target, validators)
            yield response
        finally:
            response.close()

    async def _get(self, target: URL, validators: Validators) -> aiohttp.ClientResponse:
        try:
            async with asyncio.timeout(self._limits.first_byte_ms / 1000):
                return await self._session.get(
                    target,
                    headers=HEADERS | _conditions(validators),
                    allow_redirects=False,
                    ssl=await self._tls_for(target),
                )
        except aiohttp.ConnectionTimeoutError:
            raise self._late(target, "connection", self._limits.connect_ms) from None
        except TimeoutError:
            raise self._late(target, "answer", self._limits.first_byte_ms) from None
        except (aiohttp.ClientError, OSError) as error:
            raise _failure(target, error) from error

    async def _tls_for(self, target: URL) -> ssl.SSLContext | bool:
        if target.scheme == "http":
            return True
        if self._tls is None:
            # Reads hundreds of certificates from disk.
            self._tls = await self._worker(self._open_tls)
        return self._tls

    async def _page(
        self, target: URL, response: aiohttp.ClientResponse, validators: Validators
    ) -> FetchedPage:
        # Of a connection that is gone the address is not known: the more cautious answer.
        peer = response.peer if isinstance(response, Response) else ""
        is_public = not peer or self._is_public(peer)
        given = Validators(
            _plain(response.headers.get("ETag", "")), _plain(response.headers.get("Last-Modified", ""))
        )
        if response.status == HTTPStatus.NOT_MODIFIED and validators != Validators():
            # "the sender MUST generate [...] ETag" only where a 200 had one (RFC 9110, 15.4.5).
            kept = Validators(given.etag or validators.etag, given.last_modified or validators.last_modified)
            return FetchedPage(str(target), "", "", b"", kept, not_modified=True, is_public=is_public)
        _check_status(target, response)
        body = await self._body(target, response)
        content_type = _plain(response.content_type.lower()) if "Content-Type" in response.headers else ""
        return FetchedPage(
            str(target), content_type, _plain(response.charset or ""), body, given, is_public=is_public
        )

    async def _body(self, target: URL, response: aiohttp.ClientResponse) -> bytes:
        most = self._limits.max_page_bytes
        too_large = WebError(f"{shown(target)}: the page has more than {most} bytes, and is not read")
        if (response.content_length or 0) > most:
            raise too_large
        body = bytearray()
        try:
            async for part in response.content.iter_any():
                body += part
                if len(body) > most:
                    raise too_large
        except (aiohttp.ClientError, OSError) as error:
            raise _failure(target, error) from error
        try:
            codings = content_codings(",".join(response.headers.getall("Content-Encoding", [])))
            unpacked: bytes = await self._worker(unpack, body, codings, most) if codings else bytes(body)
            return unpacked
        except WebError as error:
            raise WebError(f"{shown(target)}: {error}") from None

    def _late(self, target: URL, missing: str, ms: int) -> WebError:
        return WebError(
            f"{shown(target)}: no {missing} within {ms} ms (REQUEST_TIMEOUT_MS is {self._limits.timeout_ms}); "
            "the server may be slow or down: try later, or another page"
        )


def _conditions(validators: Validators) -> dict[str, str]:
    headers = {"If-None-Match": validators.etag, "If-Modified-Since": validators.last_modified}
    return {name: value for name, value in headers.items() if value}


def _plain(value: str) -> str:
    """Return a value that is stored, shown and sent again; empty for one that is too long or not printable ASCII."""
    return value if value.isascii() and value.isprintable() and len(value) <= MAX_VALUE_CHARACTERS else ""


def _check_status(target: URL, response: aiohttp.ClientResponse) -> None:
    """Raise PageProtected or UnexpectedStatus for an answer that is no page."""
    status = response.status
    if 200 <= status < 300:
        return
    message = f"{shown(target)}: HTTP {status} ({responses.get(status, 'unknown status')})"
    if status in PROTECTED:
        raise PageProtected(f"{message}: content protected; no page is read with a login")
    wait = response.headers.get("Retry-After", "").strip()
    if wait.isdecimal() and wait.isascii():
        message += f": the server asks to wait {wait[:9]} seconds"
    raise UnexpectedStatus(message, status)


def _failure(target: URL, error: Exception) -> WebError:
    """Return the error for a request that came to nothing."""
    match error:
        case aiohttp.ClientConnectorError(os_error=SocketRefused() as refusal):
            return refused(target.raw_host or "", str(refusal))
        case aiohttp.ClientConnectorDNSError():
            reason = f"the name could not be resolved ({error.os_error}): is it right?"
        case aiohttp.ClientSSLError():
            reason = f"no secure connection ({error.os_error})"
        case aiohttp.ClientConnectorError():
            reason = f"no connection ({error.os_error})"
        case aiohttp.ServerDisconnectedError() | aiohttp.ClientPayloadError() | OSError():
            reason = "the connection ended before the whole answer was there"
        case _:
            reason = "the answer is not valid HTTP"
    return WebError(f"{shown(target)}: {reason}")
