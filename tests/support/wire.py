"""The wire as a careful test sees it: events one by one, bytes that no HTTP client would send, a tool of the test's own."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from aiohttp import web

from config import Config
from protocol.context import Context
from protocol.methods import Server, TaskUse, Unknown
from protocol.subscriptions import Hub
from tests.support.messages import Message, modern, routing
from tests.support.service import PATIENCE_S, Service, listening
from transport.auth import Access, Keys
from transport.endpoint import Endpoint
from transport.http_limits import HttpLimits

JSON = {"Content-Type": "application/json"}
BOTH = {"Accept": "application/json, text/event-stream"}

TASKS = "io.modelcontextprotocol/tasks"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"

Report = Callable[[int, int, str], None]
Work = Callable[[Report], Awaitable[Message]]


# A tool of the test's own.


async def inline(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


class Tool:
    """A registry with one tool, which does what a test says."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def describe(self) -> list[Message]:
        return []

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        return TaskUse.NEVER

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> Message:
        return await self._work(context.progress)


class NoResources:
    """Resources of which there are none: enough to tell that one has changed."""

    async def resources(self) -> list[Message]:
        return []

    async def templates(self) -> list[Message]:
        return []

    async def read(self, uri: str, context: Context) -> list[Message]:
        raise Unknown(uri)


def endpoint_of(work: Work, limits: HttpLimits | None = None, hub: Hub | None = None) -> Endpoint:
    """Return an endpoint with one tool; its hub, where there is one, tells that its tools or resources have changed."""
    announces = frozenset({"toolsListChanged", "resourceSubscriptions"})
    server = Server("x", "1", "", Tool(work), resources=NoResources(), hub=hub, announces=announces)
    access = Access.for_address("127.0.0.1", (), ())
    return Endpoint(server, access, Keys(()), inline, limits or HttpLimits())


@asynccontextmanager
async def serving(endpoint: Endpoint, config: Config | None = None) -> AsyncIterator[Service]:
    """Serve one endpoint on /mcp."""
    app = web.Application()
    app.router.add_route("*", "/mcp", endpoint.handle)
    async with listening(app, config) as service:
        yield service


async def until_over(endpoint: Endpoint) -> None:
    """Wait for the end of everything that an endpoint does."""
    async with asyncio.timeout(PATIENCE_S):
        while tasks := endpoint._handlers | endpoint._calls.running:
            await asyncio.wait(tasks)


def text_result(text: str) -> Message:
    return {"content": [{"type": "text", "text": text}]}


# Events.


def frames_of(body: str) -> list[Message]:
    """Read the messages of an event stream, and insist on the form in which they are sent."""
    *frames, rest = body.split("\n\n")
    assert rest == ""
    messages = []
    for frame in frames:
        event, data = frame.split("\n")
        assert event == "event: message"
        messages.append(json.loads(data.removeprefix("data: ")))
    return messages


class Events:
    """An event stream that is being read: the comments and messages, one by one."""

    def __init__(self, response: httpx.Response) -> None:
        assert response.headers["content-type"] == "text/event-stream", response.headers
        self._lines = response.aiter_lines()

    async def next(self) -> str | Message:
        """Return the next comment as text, or the next message."""
        async with asyncio.timeout(PATIENCE_S):
            line = await anext(self._lines)
            if line == "event: message":
                data = await anext(self._lines)
                assert data.startswith("data: ")
                line = data
            assert await anext(self._lines) == ""
        return json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else line

    async def message(self) -> Message:
        """Return the next message; comments may come before it."""
        while isinstance(event := await self.next(), str):
            assert event == ": ping"
        return event

    async def rest(self) -> list[Message]:
        """Return the messages up to the end of the stream."""
        messages = []
        while True:
            try:
                messages.append(await self.message())
            except StopAsyncIteration:
                return messages


@asynccontextmanager
async def streaming(
    service: Service, message: Message, headers: Mapping[str, str] | None = None
) -> AsyncIterator[Events]:
    """Post a modern message and read its answer as it comes; the connection closes with the block."""
    sent = {**JSON, **BOTH, **routing(message), **(headers or {})}
    async with service.http.stream("POST", service.url, json=message, headers=sent) as response:
        yield Events(response)


# Connections.


@dataclass
class Connection:
    """A connection that a test writes itself."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def head(self) -> tuple[int, dict[str, str]]:
        """Read the head of an answer: its status, and its headers by their lower-case names."""
        async with asyncio.timeout(PATIENCE_S):
            head = await self.reader.readuntil(b"\r\n\r\n")
        status, *lines = head.decode().split("\r\n")[:-2]
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        return int(status.split(" ")[1]), headers

    async def answer(self) -> tuple[int, dict[str, str], bytes]:
        """Read an answer that names its length."""
        status, headers = await self.head()
        async with asyncio.timeout(PATIENCE_S):
            return status, headers, await self.reader.readexactly(int(headers["content-length"]))

    async def rest(self) -> bytes:
        """Read up to the end of the connection, which may be a reset."""
        read = b""
        async with asyncio.timeout(PATIENCE_S):
            try:
                while data := await self.reader.read(65_536):
                    read += data
            except ConnectionError:
                pass
        return read

    def abort(self) -> None:
        self.writer.transport.abort()


@asynccontextmanager
async def connected(service: Service, *, receive_buffer: int | None = None) -> AsyncIterator[Connection]:
    """Open a connection; what is still open is closed after."""
    url = httpx.URL(service.origin)
    raw = socket.socket()
    if receive_buffer is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    raw.setblocking(False)
    await asyncio.get_running_loop().sock_connect(raw, (url.host, url.port))
    # Little is read ahead: a test that does not read shall not read.
    reader, writer = await asyncio.open_connection(sock=raw, limit=receive_buffer or 2**20)
    try:
        yield Connection(reader, writer)
    finally:
        writer.transport.abort()


def head(body_headers: str = "", headers: Mapping[str, str] | None = None) -> bytes:
    """Write the head of a POST to /mcp."""
    lines = ["POST /mcp HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join([*lines, *filter(None, [body_headers]), "", ""]).encode()


def request(message: Any, headers: Mapping[str, str] | None = None) -> bytes:
    """Write a whole request."""
    body = json.dumps(message).encode()
    return head(f"Content-Length: {len(body)}", headers) + body


async def begin(connection: Connection, body_headers: str, headers: Mapping[str, str] | None = None) -> None:
    """Send a head, and wait for `100 Continue`: then the service has begun with it."""
    connection.send(head(body_headers, {**(headers or {}), "Expect": "100-continue"}))
    assert await connection.head() == (100, {})


async def raw(service: Service, data: bytes) -> bytes:
    """Send bytes that no HTTP client would send; return the answer up to the end of the connection."""
    async with connected(service) as connection:
        connection.send(data)
        return await connection.rest()


# Messages of the modern era.


def declaring_tasks(method: str, params: Message, *, request_id: Any = 1, **meta: Any) -> Message:
    """Write a request of a client that can follow tasks."""
    declared: Message = {CAPABILITIES: {"extensions": {TASKS: {}}}}
    return modern(method, params, request_id=request_id, **declared, **meta)


def with_routing(message: Message) -> dict[str, str]:
    """Write the headers that belong to a modern request about a task, or any other."""
    task = message["params"].get("taskId")
    return routing(message) if task is None else {**routing(message), "mcp-name": task}
