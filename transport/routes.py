"""The paths of the service, and the part that answers each.

A handler finds its part in the application, under one of the keys below: parts are opened after the paths are set. Knows nothing of how
they answer.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from aiohttp import web

from transport import timeline_endpoint
from transport.endpoint import Endpoint
from transport.front_page import FrontPage
from transport.health import Health
from transport.http_checks import send_continue
from transport.metrics_endpoint import Scrape, counted
from transport.timeline_endpoint import TimelineEndpoint

ENDPOINT = web.AppKey("endpoint", Endpoint)
HEALTH = web.AppKey("health", Health)
SCRAPE = web.AppKey("scrape", Scrape)
FRONT_PAGE = web.AppKey("front_page", FrontPage)
TIMELINE = web.AppKey("timeline", TimelineEndpoint)


def add_routes(
    app: web.Application,
    count_response: Callable[[int], None],
    gateway_paths: Sequence[str],
    *,
    has_timeline: bool,
) -> None:
    """Set the paths of an application: /mcp and those of the gateway; the timeline's; GET /health, /metrics, /, /page/ and /readme.

    `count_response` is called with the status of each response of MCP: `Metrics.count_response` (observability/metric_catalogue.py).
    """

    async def handle_mcp(request: web.Request) -> web.StreamResponse:
        return await counted(request, request.app[ENDPOINT].handle, count_response)

    for path in ("/mcp", "/mcp/", *gateway_paths):
        app.router.add_route("*", path, handle_mcp, expect_handler=send_continue)
    for path in timeline_endpoint.PATHS if has_timeline else ():
        app.router.add_route("*", path, _handled_by(TIMELINE))
    app.router.add_get("/health", _handled_by(HEALTH))
    app.router.add_get("/metrics", _handled_by(SCRAPE))
    for path in ("/", "/readme", "/page/{name}"):
        app.router.add_get(path, _handled_by(FRONT_PAGE))
    app.router.add_route("*", "/{path:.*}", _handle_elsewhere)


def _handled_by(key: web.AppKey[Any]) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """Return a handler that hands requests to a part, which is opened later."""

    async def handle(request: web.Request) -> web.StreamResponse:
        response: web.StreamResponse = await request.app[key].handle(request)
        return response

    return handle


async def _handle_elsewhere(request: web.Request) -> web.Response:
    return await request.app[FRONT_PAGE].handle_elsewhere(request)
