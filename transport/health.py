"""GET /health: whether the service runs, and whether its model answers. Calls nothing, so it answers at any load.

`degraded` is still 200: the service goes on by ON_FAILURE, and must not be restarted because the provider is down. GET
/health?strict answers 503 then, for monitors that look at the status code alone. The servers behind a gateway are shown to those alone
who could call them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from aiohttp import web

from transport.access_checks import hosts_of
from transport.auth import Access, Keys, Unauthorized


@dataclass(frozen=True)
class Health:
    """The report: `about` never changes; `trouble` returns in one line why the model does not answer, or None."""

    about: Mapping[str, Any]
    trouble: Callable[[], str | None]
    access: Access
    keys: Keys
    upstreams: Callable[[], Mapping[str, Any]] | None = None
    """The states of the servers behind the gateway, by their names; None without a gateway."""

    async def handle(self, request: web.Request) -> web.Response:
        """Answer with the report; with 503 if the query has `strict` and the model does not answer."""
        trouble = self.trouble()
        is_bad = trouble is not None and "strict" in request.query
        status = HTTPStatus.SERVICE_UNAVAILABLE if is_bad else HTTPStatus.OK
        report = {**_status(trouble), **self.about}
        if self.upstreams and self._may_call(request):
            report["servers"] = dict(self.upstreams())
        return web.json_response(report, status=status, headers={"Cache-Control": "no-store"})

    def _may_call(self, request: web.Request) -> bool:
        """Whether a request has a key or, where none is needed, names an allowed host: as for GET /metrics."""
        if not self.keys.required:
            return self.access.admits_hosts(hosts_of(request))
        try:
            self.keys.owner_of(request.headers)
        except Unauthorized:
            return False
        return True


def _status(trouble: str | None) -> dict[str, str]:
    if trouble is None:
        return {"status": "ok"}
    return {"status": "degraded", "reason": f"calls to the model fail: {trouble}"}
