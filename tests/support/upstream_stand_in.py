"""A stand-in for an MCP server, well-behaved or not: over HTTP on a real socket, and, run as a program, over stdio.

    async with HttpStandIn(script={"tools/call": [Status(503)]}) as server:
        ...                                    # a client that talks to server.url
        assert server.log == ["server/discover", "tools/list", "tools/call > 503"]

What the script does not say is answered as a good server of its era would. The program takes its faults as JSON:
`python tests/support/upstream_stand_in.py '{"era": "legacy", "discover": "exit"}'`.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

Message = dict[str, Any]

MODERN = "2026-07-28"
LEGACY = "2025-11-25"

ANY_OBJECT: Message = {"type": "object"}


def a_tool(name: str, **more: Any) -> Message:
    return {"name": name, "description": f"Does {name}.", "inputSchema": ANY_OBJECT, **more}


READ_ONLY = {"readOnlyHint": True}
TOOLS = [
    a_tool("echo", annotations=READ_ONLY),
    a_tool("write"),
    a_tool("tidy", annotations={"idempotentHint": True}),
]


def text_result(text: str) -> Message:
    return {"content": [{"type": "text", "text": text}]}


def good_reply(message: Message, era: str, tools: Sequence[Message], **more: Message) -> Message:
    """Return what a good server answers; `more`: what else it declares that it can do."""
    method, params = message["method"], message.get("params", {})
    capabilities = {"tools": {"listChanged": True}, **more}
    if method == "initialize" and era == "legacy":
        return ok(
            message,
            {"protocolVersion": params["protocolVersion"], "capabilities": capabilities, "serverInfo": {}},
        )
    if method == "server/discover" and era == "modern":
        return ok(message, {"supportedVersions": [MODERN], "capabilities": capabilities, "ttlMs": 0})
    if method == "tools/list":
        return ok(message, {"tools": list(tools)})
    if method == "tools/call":
        return ok(message, text_result(json.dumps(params.get("arguments"))))
    if method == "initialize":
        return error(message, -32022, "modern only", {"supported": [MODERN], "requested": "x"})
    return error(message, -32601, f"Method not found: {method}")


def ok(message: Message, result: Message) -> Message:
    return {"jsonrpc": "2.0", "id": message["id"], "result": {"resultType": "complete", **result}}


def error(message: Message, code: int, text: str, data: Any = None) -> Message:
    body = {"code": code, "message": text} | ({} if data is None else {"data": data})
    return {"jsonrpc": "2.0", "id": message["id"], "error": body}


def event(message: Message | None = None, *, event_id: str = "", retry: int | None = None) -> bytes:
    """Return an event; without a message the empty one that only tells its id."""
    lines = [f"id: {event_id}"] if event_id else []
    lines += [] if retry is None else [f"retry: {retry}"]
    lines += [f"data: {'' if message is None else json.dumps(message)}"]
    return ("\n".join(lines) + "\n\n").encode()


# --- HTTP ------------------------------------------------------------------------------------------------------


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
        from aiohttp import web  # noqa: PLC0415 - the program over stdio starts without it

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
        from aiohttp import web  # noqa: PLC0415

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
        from aiohttp import web  # noqa: PLC0415

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


# --- stdio -----------------------------------------------------------------------------------------------------

PROGRAM = [sys.executable, "-I", "-S", str(Path(__file__))]


def program(**faults: Any) -> tuple[str, tuple[str, ...]]:
    """Return the command and the arguments of a server over stdio."""
    return PROGRAM[0], (*PROGRAM[1:], json.dumps(faults))


class StdioServer:
    """The program. `seen` as a tool returns all that came in."""

    def __init__(self, faults: Message) -> None:
        self.faults = faults
        self.era = faults.get("era", "modern")
        self.seen: list[Message] = []
        self.unanswered: Message | None = None
        names = (
            "seen",
            "big",
            "exit",
            "hang",
            "progress",
            "ask",
            "environment",
            "child",
            "close_stdout",
            "write_twice",
            "no_reply",
        )
        self.tools = [*TOOLS, *(a_tool(name) for name in names), a_tool("exit_once", annotations=READ_ONLY)]
        self.tools += faults.get("tools", [])

    def run(self) -> None:
        if self.faults.get("ignores_sigterm"):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if self.faults.get("fails"):
            sys.stderr.write("cannot start: no such database\n")
            sys.exit(3)
        for line in sys.stdin.buffer:
            self.take(json.loads(line))
        if self.faults.get("ignores_eof"):
            signal.pause()

    def take(self, message: Message) -> None:
        self.seen.append(message)
        if self.faults.get("noise"):
            sys.stdout.write("Starting up...\n[1, 2]\n\n")
        if stderr := self.faults.get("stderr_bytes"):
            sys.stderr.write("x" * stderr + "\n")
        method = message.get("method")
        if method == "server/discover" and self._misbehaves_on_discover(message):
            return
        if method == "tools/call":
            self._call(message, message["params"]["name"], message["params"].get("arguments", {}))
        elif "id" in message and method is not None:
            if method == "initialize" and self.unanswered is not None:
                self.say(good_reply(self.unanswered, self.era, self.tools))
            self.say(good_reply(message, self.era, self.tools))

    def _misbehaves_on_discover(self, message: Message) -> bool:
        fault = self.faults.get("discover")
        if fault == "exit":
            sys.exit(1)
        if fault == "late":
            self.unanswered = message
        return fault in ("silent", "late")

    def _call(self, message: Message, name: str, arguments: Message) -> None:
        if name == "exit":
            sys.stdout.write('{"jsonrpc": "2.0", "id": ')
            sys.stdout.flush()
            sys.exit(7)
        if name == "exit_once" and not Path(arguments["marker"]).exists():
            Path(arguments["marker"]).touch()
            sys.exit(7)
        if name == "hang":
            return
        if name == "no_reply":
            self.say({"jsonrpc": "2.0", "id": message["id"], "result": "fine"})
            return
        if name == "close_stdout":
            os.close(1)
            return
        if name == "progress":
            token = message["params"]["_meta"]["progressToken"]
            for progress in (1, 2):
                self.say(note("notifications/progress", {"progressToken": token, "progress": progress}))
        if name == "ask":
            self.say({"jsonrpc": "2.0", "id": "q1", "method": "sampling/createMessage", "params": {}})
            self.say({"jsonrpc": "2.0", "id": "q2", "method": "ping"})
            replies = [json.loads(sys.stdin.buffer.readline()) for _ in range(2)]
            self.say(ok(message, text_result(json.dumps(replies))))
            return
        if name == "write_twice":
            self.say(note("notifications/tools/list_changed", {}))
            self.tools = [a_tool("other"), *self.tools]
        self.say(
            ok(message, text_result(self._text(name, arguments))), reverse=arguments.get("reverse", False)
        )

    def _text(self, name: str, arguments: Message) -> str:
        if name == "seen":
            return json.dumps(self.seen)
        if name == "big":
            return "x" * int(arguments["bytes"])
        if name == "environment":
            return json.dumps({"cwd": str(Path.cwd()), **os.environ})
        if name == "child":
            child = subprocess.Popen([sys.executable, "-I", "-S", "-c", "import signal; signal.pause()"])
            return json.dumps([os.getpid(), os.getppid(), child.pid])
        return json.dumps(arguments)

    def say(self, message: Message, *, reverse: bool = False) -> None:
        # TypeScript's SDK writes the id behind the result.
        message = dict(reversed(message.items())) if reverse else message
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()


def note(method: str, params: Message) -> Message:
    return {"jsonrpc": "2.0", "method": method, "params": params}


if __name__ == "__main__":
    StdioServer(json.loads(sys.argv[1])).run()
