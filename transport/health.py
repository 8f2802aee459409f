"""GET /health: whether the service runs, and whether its model answers. Calls nothing, so it answers at any load.

`degraded` is still 200: the service goes on by ON_FAILURE, and must not be restarted because the provider is down. GET
/health?strict answers 503 then, for monitors that look at the status code alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from aiohttp import web


@dataclass(frozen=True)
class Health:
    """The report: `about` never changes; `trouble` returns in one line why the model does not answer, or None."""

    about: Mapping[str, Any]
    trouble: Callable[[], str | None]
    upstreams: Callable[[], Mapping[str, Any]] | None = None
    """The states of the servers behind the gateway, by their names; None without a gateway."""

    def report(self) -> dict[str, Any]:
        """Return what GET /health answers."""
        trouble = self.trouble()
        behind = {"servers": dict(self.upstreams())} if self.upstreams else {}
        if trouble is None:
            return {"status": "ok", **self.about, **behind}
        return {"status": "degraded", "reason": f"calls to the model fail: {trouble}", **self.about, **behind}

    async def handle(self, request: web.Request) -> web.Response:
        """Answer with the report; with 503 if the query has `strict` and the model does not answer."""
        report = self.report()
        is_bad = report["status"] != "ok" and "strict" in request.query
        status = HTTPStatus.SERVICE_UNAVAILABLE if is_bad else HTTPStatus.OK
        return web.json_response(report, status=status, headers={"Cache-Control": "no-store"})
