"""GET /metrics, and the count of what goes by beside it: the HTTP around observability/metrics.py.

Knows nothing of what is exported. Who may read it: with keys, whoever shows one, by whatever name the service is called,
since Prometheus finds its targets by address; without, who calls it by a name that is allowed, which keeps out web pages
that bend a name of theirs to the service's address (DNS rebinding).
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus

from aiohttp import hdrs, web

from observability.metrics import CONTENT_TYPE, Family, exposition
from transport.auth import Access, Keys, Unauthorized
from transport.http_checks import RefusalLog, hosts_of, wrong_host

# nginx has it for a client that has gone before its answer; no client ever sees it.
CLIENT_GONE = 499

# What aiohttp makes of one.
FAULT = 500

HttpHandler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Scrape:
    """What Prometheus is shown."""

    families: Sequence[Family]
    access: Access
    keys: Keys
    refusals: RefusalLog = field(default_factory=RefusalLog)

    async def handle(self, request: web.Request) -> web.Response:
        """Answer with all numbers, or say why not."""
        if not self.keys.required:
            return self._answer_by_host(request)
        try:
            self.keys.owner_of(request.headers.getall(hdrs.AUTHORIZATION, []))
        except Unauthorized as unknown:
            self._note(HTTPStatus.UNAUTHORIZED, str(unknown), request)
            challenge = {hdrs.WWW_AUTHENTICATE: unknown.challenge}
            return web.Response(text=f"{unknown}\n", status=HTTPStatus.UNAUTHORIZED, headers=challenge)
        return self._numbers()

    def _answer_by_host(self, request: web.Request) -> web.Response:
        hosts = hosts_of(request)
        if self.access.admits_hosts(hosts):
            return self._numbers()
        self._note(HTTPStatus.MISDIRECTED_REQUEST, wrong_host(request), request)
        return misdirected(request)

    def _note(self, status: HTTPStatus, what: str, request: web.Request) -> None:
        self.refusals.note(status, what, request.method, request.path)

    def _numbers(self) -> web.Response:
        headers = {hdrs.CONTENT_TYPE: CONTENT_TYPE, hdrs.CACHE_CONTROL: "no-store"}
        return web.Response(body=exposition(self.families).encode(), headers=headers)


def misdirected(request: web.Request) -> web.Response:
    """Return the answer to a request by a name that is not allowed."""
    return web.Response(text=f"{wrong_host(request)}\n", status=HTTPStatus.MISDIRECTED_REQUEST)


def counted(handle: HttpHandler, count: Callable[[int], None]) -> HttpHandler:
    """Return a handler that does the same, and says the status of each answer; CLIENT_GONE where nobody heard it."""

    async def handle_and_count(request: web.Request) -> web.StreamResponse:
        status = FAULT
        try:
            response = await handle(request)
            # What goes out later is on its way; whoever has gone meanwhile will not get it.
            status = response.status if response.prepared or _is_there(request) else CLIENT_GONE
            return response
        except (asyncio.CancelledError, ConnectionError):
            status = CLIENT_GONE
            raise
        finally:
            count(status)

    return handle_and_count


def _is_there(request: web.Request) -> bool:
    return request.transport is not None and not request.transport.is_closing()
