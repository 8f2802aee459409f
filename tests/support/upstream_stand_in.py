"""A stand-in for an MCP server, well-behaved or not: its messages, and, run as a program, itself over stdio.

The program takes its faults as JSON: `python tests/support/upstream_stand_in.py '{"era": "legacy", "discover": "exit"}'`. What they do
not say is answered as a good server of its era would. Not here: the server over HTTP (upstream_http.py).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

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


def note(method: str, params: Message) -> Message:
    return {"jsonrpc": "2.0", "method": method, "params": params}


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


if __name__ == "__main__":
    StdioServer(json.loads(sys.argv[1])).run()
