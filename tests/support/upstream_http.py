"""A stand-in for an MCP server over HTTP, on a real socket; what it says by default is in upstream_stand_in.py.

    async with HttpStandIn(script={"tools/call": [Status(503)]}) as server:
        ...                                    # a client that talks to server.url
        assert server.log == ["server/discover", "tools/list", "tools/call > 503"]

What the script does not say is answered as a good server of its era would.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, Self

from aiohttp import web

from tests.support.upstream_stand_in import TOOLS, Message, event, good_reply, ok


class Answer(Protocol):
    """What the stand-in does with one HTTP request; `message` is {} where it has no body."""

    async def give(self, request: Any, message: Message, server: HttpStandIn) -> Any: ...


Chunk = bytes | Callable[[Message], bytes]


class Status:
    """A status, with a body that may be a function of the request."""

    def __init__(self, status: int, body: bytes | Callable[[Message], Message] = b"", **headers: str) -> None:
        self.status, self.body = status, body
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    async def give(self, request: Any, message: Message, server: HttpStandIn) -> Any:
        if callable(self.body):
            return web.json_response(self.body(message), status=self.status, headers=self.headers)
        return web.Response(status=self.status, body=self.body, headers=self.headers)


class Says(Status):
    """A result."""

    def __init__(self, result: Message, **headers: str) -> None:
        super().__init__(200, lambda message: ok(message, result), **headers)


class Streams:
    """A stream of events: "ends", "hangs" until the client goes, or "breaks" off."""

    def __init__(self, *chunks: Chunk, then: str = "ends") -> None:
        self.chunks, self.then = chunks, then

    async def give(self, request: Any, message: Message, server: HttpStandIn) -> Any:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for chunk in self.chunks:
            await response.write(chunk(message) if callable(chunk) else chunk)
        if self.then == "hangs":
            await asyncio.Event().wait()
        if self.then == "breaks":
            request.transport.abort()
        return response


class Hangs:
    """No answer until the client goes."""

    async def give(self, request: Any, message: Message, server: HttpStandIn) -> Any:
        await asyncio.Event().wait()


class Breaks:
    """The connection is closed without an answer."""

    async def give(self, request: Any, message: Message, server: HttpStandIn) -> Any:
        request.transport.abort()
        return await Status(500).give(request, message, server)


def replied(result: Message) -> Callable[[Message], bytes]:
    """Return an event that holds the reply."""
    return lambda message: event(ok(message, result))


class HttpStandIn:
    """The server. `script` has answers by method of MCP, or of HTTP (GET, DELETE), used up in order."""

    def __init__(
        self,
        script: Mapping[str, Sequence[Answer]] | None = None,
        *,
        era: str = "modern",
        tools: Sequence[Message] = TOOLS,
        capabilities: Mapping[str, Message] | None = None,
    ) -> None:
        self.capabilities = capabilities or {}
        self.era = era
        self.tools = tools
        self.script = {name: list(answers) for name, answers in (script or {}).items()}
        self.url = ""
        self.log: list[str] = []
        self.messages: list[Message] = []
        self.headers: list[Mapping[str, str]] = []
        self.session = 0
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=0)
        app.router.add_route("*", "/{path:.*}", self._take)
        app.on_shutdown.append(self._cancel)
        self._runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/mcp"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def until(self, has_come: Callable[[], bool]) -> None:
        """Wait until something has happened to a request."""
        async with asyncio.timeout(30):
            while not has_come():
                await self._changed.wait()

    async def seen(self, line: str, times: int = 1) -> None:
        """Wait until a line is in the log."""
        await self.until(lambda: self.log.count(line) >= times)

    def sent(self, method: str) -> list[Message]:
        """Return the messages of a method that came in."""
        return [each for each in self.messages if each.get("method") == method]

    def headers_of(self, method: str) -> list[Mapping[str, str]]:
        return [
            head
            for head, each in zip(self.headers, self.messages, strict=True)
            if each.get("method") == method
        ]

    def forget_sessions(self) -> None:
        """Know no session that was given so far."""
        self._forgotten = self.session

    _forgotten = 0

    async def _cancel(self, _app: Any) -> None:
        for task in self._tasks:
            task.cancel()

    async def answer(self, request: Any, message: Message) -> Any:
        """Answer a message as a good server does."""
        return await self._answer(request, message, message["method"])

    def tell(self) -> None:
        """Have all who wait look again."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def _take(self, request: Any) -> Any:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        body = await request.read()
        message: Message = json.loads(body) if body else {}
        name = message.get("method", "reply") if body else request.method
        self.headers.append(request.headers)
        self.messages.append(message)
        ending = ""
        self.tell()
        try:
            response = await self._answer(request, message, name)
            ending = "" if response.status < 300 else f" > {response.status}"
            return response
        except (asyncio.CancelledError, ConnectionError):
            ending = " > cancelled"
            raise
        finally:
            self._tasks.discard(task)
            self.log.append(name + ending)
            self.tell()

    async def _answer(self, request: Any, message: Message, name: str) -> Any:
        if answers := self.script.get(name):
            return await answers.pop(0).give(request, message, self)
        given = request.headers.get("mcp-session-id")
        if given is not None and int(given) <= self._forgotten:
            return await Status(404).give(request, message, self)
        if not message:
            return await Status(405).give(request, message, self)
        if "id" not in message or name == "reply":
            return await Status(202).give(request, message, self)
        if name == "subscriptions/listen":
            return await Hangs().give(request, message, self)
        headers = {}
        if name == "initialize" and self.era == "legacy":
            self.session += 1
            headers = {"mcp-session-id": str(self.session)}
        reply = good_reply(message, self.era, self.tools, **self.capabilities)
        status = 404 if self.era == "modern" and "error" in reply else 200
        return await Status(status, lambda _: reply, **headers).give(request, message, self)
