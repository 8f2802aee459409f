"""GET /metrics, and a count of responses by status: the HTTP around observability/metrics.py.

Knows nothing of what is exported. Where keys are set, a valid key is required and any Host allowed, since Prometheus finds its
targets by address. Without keys the Host must be an allowed one, which keeps out web pages that point a name of their own at
the service's address (DNS rebinding).
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus

from aiohttp import hdrs, web

from observability.metrics import CONTENT_TYPE, Family, exposition
from transport.access_checks import hosts_of, wrong_host
from transport.auth import Access, Keys, Unauthorized
from transport.refusals import RefusalLog

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

# The status that nginx logs for a client that left before its answer; never sent.
CLIENT_GONE = 499

# The status that aiohttp sends when a handler fails.
FAULT = 500


@dataclass(frozen=True)
class Scrape:
    """What Prometheus reads."""

    families: Sequence[Family]
    access: Access
    keys: Keys
    refusals: RefusalLog = field(default_factory=RefusalLog)

    async def handle(self, request: web.Request) -> web.Response:
        """Answer with all metrics, or with a refusal."""
        if not self.keys.required:
            return self._answer_by_host(request)
        try:
            self.keys.owner_of(request.headers)
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
    """Return the answer to a request for a host that is not allowed."""
    return web.Response(text=f"{wrong_host(request)}\n", status=HTTPStatus.MISDIRECTED_REQUEST)


async def counted(request: web.Request, handle: Handler, count: Callable[[int], None]) -> web.StreamResponse:
    """Return the response to a request, and count its status; CLIENT_GONE where the client left before it."""
    status = FAULT
    try:
        response = await handle(request)
        # A response that aiohttp has yet to send never reaches a client that has left meanwhile.
        status = response.status if response.prepared or _is_there(request) else CLIENT_GONE
        return response
    except (asyncio.CancelledError, ConnectionError):
        status = CLIENT_GONE
        raise
    finally:
        count(status)


def _is_there(request: web.Request) -> bool:
    return request.transport is not None and not request.transport.is_closing()
