"""A web site on a real socket, whose pages behave or misbehave byte for byte as a test says.

    async with WebSite({"/": says("<h1>Hello</h1>"), "/old": redirects("/")}) as site:
        ...                                      # a client that reads site.url("/old")
        assert site.paths == ["/old", "/"]

Speaks HTTP/1.1 as far as a GET needs it. Not here: other methods, bodies of requests.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Self

from tests.support.manual_time import never_came, until


@dataclass(frozen=True)
class Asked:
    """A request."""

    path: str
    """With its query."""
    headers: Mapping[str, str]
    """By their names in small letters."""


Page = Callable[[Asked, asyncio.StreamWriter], Awaitable[None]]
"""Writes a response. Closes the connection itself where the response shall end with it."""


@dataclass
class WebSite:
    """The server; a path that it does not have is answered with 404."""

    pages: Mapping[str, Page]
    host: str = "127.0.0.1"
    tls: ssl.SSLContext | None = None
    asked: list[Asked] = field(default_factory=list)
    """Every request, in the order they came."""
    connections: int = 0
    port: int = 0

    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _server: asyncio.Server | None = None

    @property
    def paths(self) -> list[str]:
        return [asked.path for asked in self.asked]

    def url(self, path: str = "/", host: str = "") -> str:
        """Return a URL of this site; `host` in place of its address, as a URL has it."""
        return f"http{'s' if self.tls else ''}://{host or self.host}:{self.port}{path}"

    async def was_asked(self, times: int) -> None:
        """Wait until so many requests have come, counted from the start."""
        await until(lambda: len(self.asked) >= times, f"{times} requests")

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, self.host, 0, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            while not writer.is_closing():
                await self._answer(await reader.readuntil(b"\r\n\r\n"), writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client went away
        finally:
            writer.close()
            self._tasks.discard(task)

    async def _answer(self, head: bytes, writer: asyncio.StreamWriter) -> None:
        first, *lines = head.decode("latin-1").rstrip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        asked = Asked(first.split(" ")[1], headers)
        self.asked.append(asked)
        await self.pages.get(asked.path, says("Nothing here", status=404))(asked, writer)
        await writer.drain()


def head(status: int, headers: Mapping[str, str | int]) -> bytes:
    """Return a response as far as its body begins."""
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{k}: {v}" for k, v in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def says(
    body: str | bytes,
    content_type: str = "text/html; charset=utf-8",
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Page:
    """Answer with this body; a Content-Type of "" is left out."""
    data = body.encode() if isinstance(body, str) else body
    kind = {"Content-Type": content_type} if content_type else {}
    return _sends(head(status, {**kind, "Content-Length": len(data), **(headers or {})}) + data)


def fails(status: int, headers: Mapping[str, str] | None = None) -> Page:
    return says("Sorry", status=status, headers=headers)


def redirects(location: str, status: int = 302) -> Page:
    return says("", status=status, headers={"Location": location})


def says_if_changed(body: str, etag: str = "", last_modified: str = "") -> Page:
    """Answer 304 to a request that has these validators."""
    headers = {"ETag": etag, "Last-Modified": last_modified}
    given = {name: value for name, value in headers.items() if value}
    whole = says(body, headers=given)
    unchanged = _sends(head(304, given))

    async def page(asked: Asked, writer: asyncio.StreamWriter) -> None:
        has_it = (etag and asked.headers.get("if-none-match") == etag) or (
            last_modified and asked.headers.get("if-modified-since") == last_modified
        )
        await (unchanged if has_it else whole)(asked, writer)

    return page


def in_turn(*pages: Page) -> Page:
    """Answer the first request with the first page, and so on; the last one repeats."""
    left = list(pages)

    async def page(asked: Asked, writer: asyncio.StreamWriter) -> None:
        await (left.pop(0) if len(left) > 1 else left[0])(asked, writer)

    return page


def sends_and_closes(data: bytes) -> Page:
    """Send these bytes, whatever they are, and end the connection."""

    async def page(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()
        writer.close()

    return page


def hangs(data: bytes = b"") -> Page:
    """Send these bytes, and then nothing more for as long as the client waits."""

    async def page(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()
        await asyncio.Event().wait()

    return page


@dataclass
class Endless:
    """A page that is sent on and on; `sent` counts its bytes."""

    part: bytes = b"x" * 65536
    sent: int = 0

    async def __call__(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(head(200, {"Content-Type": "text/plain"}))
        while True:
            writer.write(self.part)
            await writer.drain()
            self.sent += len(self.part)


def drips(let_pass: Callable[[float], None]) -> Page:
    """Send a byte a second, of a body that would take weeks."""

    async def page(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(head(200, {"Content-Type": "text/plain", "Content-Length": 1_000_000}))
        for _ in range(1000):
            writer.write(b"x")
            await writer.drain()
            let_pass(1)
            for _ in range(20):  # turns of the event loop, for the client to read it
                await asyncio.sleep(0)
        raise never_came("the client to give up")

    return page


def _sends(data: bytes) -> Page:
    async def page(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(data)

    return page
