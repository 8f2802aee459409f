"""GET /: a page to try the service by hand; GET /page/: its files; GET /readme; and the answer for unknown paths.

None of them needs a key: they are the same in every copy of the program. What the page's script then asks for does. As for calls, the Host
must be an allowed one. The page loads its own files alone; clients that do not accept HTML get plain text that says what this is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from http import HTTPStatus
from pathlib import Path
from string import Template
from typing import NamedTuple

from aiohttp import hdrs, web

from protocol.messages import SHOWN_CHARS
from transport.access_checks import hosts_of, wrong_host
from transport.auth import Access
from transport.metrics_endpoint import misdirected
from transport.refusals import Refusal, RefusalLog, refusal_response

README = Path(__file__).parent.with_name("README.md")

WHAT_IT_IS = (
    "Keeps an agent's context small: hands back long texts as summaries of the size that was asked for, over MCP, the Model "
    "Context Protocol."
)

# The page loads its own files alone, runs no script that stands in its markup, and cannot be embedded.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    hdrs.CACHE_CONTROL: "no-store",
    hdrs.VARY: hdrs.ACCEPT,
}

FILES = Path(__file__).with_name("page")
INDEX = "index.html"
CONTENT_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class Tool(NamedTuple):
    """A tool as the page lists it."""

    name: str
    title: str


# Relative links also work behind a proxy that serves this under a path.
LINKS = (
    ("health", "whether it serves, and whether its model answers"),
    ("metrics", "numbers for Prometheus"),
    ("readme", "what it is, how to try it, and how to connect a client"),
)

GATEWAY_VIEWS = '<a href="#/sessions">Sessions</a>\n<a href="#/servers">Servers</a>'

PAGES = ("/", *(f"/{path}" for path, _ in LINKS))

WHERE_IT_IS = (
    "MCP is served at /mcp, by POST, and tools of other servers at /gateway/mcp where MCP_GATEWAY_CONFIG is set. "
    "GET / says what else is here.\n"
)


@dataclass(frozen=True)
class FrontPage:
    """What the page says, and the hosts that it is served for."""

    name: str
    version: str
    tools: Sequence[Tool]
    needs_key: bool
    access: Access
    files: Mapping[str, str]
    """What the page consists of, by name: `read_page_files`."""
    refusals: RefusalLog = field(default_factory=RefusalLog)
    gateway: str = ""
    """The path of the other servers' tools; "" where there are none."""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer GET /, GET /page/NAME and GET /readme."""
        if not self._admits(request):
            return self._misdirected(request)
        if request.path == "/":
            return self._front(request)
        return await (self._readme() if request.path == "/readme" else self._file(request))

    def _front(self, request: web.Request) -> web.Response:
        address = f"{request.scheme}://{request.host}/mcp"
        if "text/html" in request.headers.get(hdrs.ACCEPT, "").lower():
            return web.Response(text=self.as_html(address), content_type="text/html", headers=HEADERS)
        return web.Response(text=self.as_text(address), headers=HEADERS)

    async def _readme(self) -> web.StreamResponse:
        if not README.is_file():
            return web.Response(text="README.md is not beside the program\n", status=HTTPStatus.NOT_FOUND)
        return web.FileResponse(README, headers={**HEADERS, hdrs.CONTENT_TYPE: "text/plain; charset=utf-8"})

    async def _file(self, request: web.Request) -> web.StreamResponse:
        """Answer with one of the files that the page consists of."""
        name = request.match_info["name"]
        if name not in self.files or name == INDEX:
            return await self.handle_elsewhere(request)
        content_type = CONTENT_TYPES[Path(name).suffix]
        return web.Response(text=self.files[name], content_type=content_type, headers=HEADERS)

    async def handle_elsewhere(self, request: web.Request) -> web.Response:
        """Refuse a path where nothing is, or a method that a page does not have, and say where MCP is served."""
        if request.path in PAGES:
            self._note(
                HTTPStatus.METHOD_NOT_ALLOWED,
                f"expected GET or HEAD, got {request.method[:SHOWN_CHARS]}",
                request,
            )
            return _elsewhere(HTTPStatus.METHOD_NOT_ALLOWED, request, {str(hdrs.ALLOW): "GET, HEAD"})
        self._note(HTTPStatus.NOT_FOUND, "nothing is at this path", request)
        return _elsewhere(HTTPStatus.NOT_FOUND, request)

    def _misdirected(self, request: web.Request) -> web.Response:
        self._note(HTTPStatus.MISDIRECTED_REQUEST, wrong_host(request), request)
        return misdirected(request)

    def _note(self, status: HTTPStatus, what: str, request: web.Request) -> None:
        self.refusals.note(status, what, request.method, request.path)

    def _admits(self, request: web.Request) -> bool:
        return self.access.admits_hosts(hosts_of(request))

    def as_text(self, address: str) -> str:
        """Return the page for a terminal."""
        width = max(len(tool.name) for tool in self.tools)
        return "\n".join(
            [
                f"{self.name} {self.version}",
                WHAT_IT_IS,
                "",
                f"MCP endpoint: {address}{self._key()}",
                *([f"Other servers' tools: {self._gateway(address)}{self._key()}"] if self.gateway else []),
                "",
                "Tools:",
                *(f"  {tool.name:<{width}}  {tool.title}" for tool in self.tools),
                "",
                "Also here:",
                *(f"  {'/' + path:<{width}}  {meaning}" for path, meaning in LINKS),
                "",
            ]
        )

    def as_html(self, address: str) -> str:
        """Return the page for a browser: what it says without a script, and what the script shows."""
        tools = (
            f"<dt><code>{escape(tool.name)}</code></dt><dd>{escape(tool.title)}</dd>\n" for tool in self.tools
        )
        links = (f'<li><a href="{path}">{path}</a>: {escape(meaning)}</li>\n' for path, meaning in LINKS)
        return Template(self.files[INDEX]).substitute(
            name=escape(self.name),
            version=escape(self.version),
            what=escape(WHAT_IT_IS),
            address=escape(address),
            key=escape(self._key()),
            gateway=f"; other servers' tools: <code>{escape(self._gateway(address))}</code>"
            if self.gateway
            else "",
            gateway_views=GATEWAY_VIEWS if self.gateway else "",
            tools="".join(tools),
            links="".join(links),
        )

    def _gateway(self, address: str) -> str:
        return f"{address.removesuffix('/mcp')}{self.gateway}"

    def _key(self) -> str:
        return " (with a key: Authorization: Bearer KEY)" if self.needs_key else ""


def read_page_files() -> Mapping[str, str]:
    """Return the files that the page consists of, by name."""
    return {file.name: file.read_text("utf-8") for file in FILES.iterdir() if file.suffix in CONTENT_TYPES}


def _elsewhere(
    status: HTTPStatus, request: web.Request, headers: Mapping[str, str] | None = None
) -> web.Response:
    if request.method == hdrs.METH_POST:  # an MCP client with the wrong address
        return refusal_response(Refusal(status, WHERE_IT_IS.rstrip(), headers))
    return web.Response(
        text=f"{status.value}: {status.phrase}. {WHERE_IT_IS}", status=status, headers=headers
    )
