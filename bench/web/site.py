"""The pages on a local web site, with ETags or without."""

import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

from aiohttp import web


@dataclass
class Site:
    """A site that runs."""

    origin: str
    answers: Counter[int] = field(default_factory=Counter)
    """How many requests got which status."""

    def url(self, path: str) -> str:
        """Return where a page is."""
        return f"{self.origin}/{path}"


@asynccontextmanager
async def a_site(pages: Mapping[str, bytes], *, has_etags: bool) -> AsyncIterator[Site]:
    """Serve pages by their paths until the end of the block."""
    site = Site("")

    async def answered(request: web.Request) -> web.Response:
        response = _response(request, pages.get(request.path.removeprefix("/")), has_etags=has_etags)
        site.answers[response.status] += 1
        return response

    app = web.Application()
    app.router.add_get("/{path:.*}", answered)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    site.origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield site
    finally:
        await runner.cleanup()


def _response(request: web.Request, page: bytes | None, *, has_etags: bool) -> web.Response:
    if page is None:
        return web.Response(status=HTTPStatus.NOT_FOUND)
    if not has_etags:
        return web.Response(body=page, content_type="text/html", charset="utf-8")
    etag = f'"{hashlib.sha256(page).hexdigest()}"'
    if request.headers.get("If-None-Match") == etag:
        return web.Response(status=HTTPStatus.NOT_MODIFIED, headers={"ETag": etag})
    return web.Response(body=page, content_type="text/html", charset="utf-8", headers={"ETag": etag})
