"""MCP over a process's stdin and stdout: a line, a message. Knows neither eras nor what a message means.

Follows "stdio" of the specification: lines of any length up to a limit; what is on stdout and no message is logged and passed over;
stderr is always read, or the server would block on it.
"""

import asyncio
import logging
import re
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from concurrency.worker_threads import Worker
from gateway.server_spec import ServerSpec
from gateway.upstream.channel import OnMessage, is_reply
from gateway.upstream.child_process import ChildProcess, running, server_environment
from gateway.upstream.error_redaction import Redaction
from gateway.upstream.errors import AnswerLost, UpstreamError, UpstreamFault, too_large
from gateway.upstream.lines import LineSplitter, LongLine
from gateway.upstream.parsing import parse_message
from protocol.messages import Message, RpcError, to_json

logger = logging.getLogger(__name__)

READ_BYTES = 256 * 1024

# Of stderr, a longer line is cut; the last lines are quoted when the server ends.
MAX_STDERR_LINE_BYTES = 8 * 1024
QUOTED_STDERR_LINES = 3

# Of what is on stdout and no message, so many lines of one process are logged.
LOGGED_NOISE_LINES = 10

# How long the rest of a pipe is read once the process has ended, and how long it may take to end once it has closed its stdout.
AFTERMATH_SECONDS = 1.0


class StdioConnection:
    """A server that runs as a process of ours. A Channel."""

    closing_cancels = False
    session_id = ""

    def __init__(self, process: ChildProcess, spec: ServerSpec, worker: Worker, redaction: Redaction) -> None:
        self._process = process
        self._spec = spec
        self._worker = worker
        self._redaction = redaction
        self._on_message: OnMessage = lambda message: None
        self._pending: dict[int, asyncio.Future[Message]] = {}
        self._last_stderr: deque[bytes] = deque(maxlen=QUOTED_STDERR_LINES)
        self._noise_lines = 0
        self._ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def deliver_to(self, on_message: OnMessage) -> None:
        """Give what the server sends by itself to `on_message`."""
        self._on_message = on_message

    def begin_session(self, version: str) -> None:
        """Do nothing: all revisions are written alike."""

    def listen(self) -> None:
        """Do nothing: stdout carries all notifications."""

    @property
    def is_over(self) -> bool:
        """Whether the process has ended or closed its stdout."""
        return self._ended.done()

    async def ended(self) -> str:
        """Wait until the process has ended or closed its stdout; return what happened."""
        return await asyncio.shield(self._ended)

    def give_up(self, why: str) -> None:
        """Do nothing: without sessions there is nothing to give up."""

    async def request(self, message: Message, headers: Mapping[str, str]) -> Message:
        """Send a request and wait for its reply."""
        if self._ended.done():
            raise UpstreamError(UpstreamFault.DOWN, self._ended.result())
        reply: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._pending[message["id"]] = reply
        try:
            await self._write(message)
            return await reply
        finally:
            del self._pending[message["id"]]

    async def notify(self, message: Message) -> None:
        """Send a notification, or a reply."""
        await self._write(message)

    async def _write(self, message: Message) -> None:
        self._process.stdin.write(to_json(message) + b"\n")
        try:
            await self._process.stdin.drain()
        except OSError:  # the pipe is closed: the end will tell why, but the line may have been read before
            raise AnswerLost(await self.ended()) from None

    async def follow(self) -> None:
        """Read stdout and stderr until the process is over."""
        reading = [asyncio.create_task(each) for each in (self._read_stdout(), self._read_stderr())]
        try:
            await asyncio.wait({reading[0], self._process.end}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait({*reading, self._process.end}, timeout=AFTERMATH_SECONDS)
            self._finish(self._end())
            await asyncio.wait(reading)  # stderr of a server that has only closed its stdout
        finally:
            if not self._ended.done():
                self._finish("the process was ended by the gateway")
            for task in reading:
                task.cancel()

    def _end(self) -> str:
        end = self._process.end
        how = (end.result() or "was ended, its guard with it") if end.done() else "closed its stdout"
        last = " | ".join(filter(None, map(self._shown, self._last_stderr)))
        return f"the process {how}{f'; its last words: {last}' if last else ''}"

    def _finish(self, why: str) -> None:
        self._ended.set_result(why)
        for reply in self._pending.values():
            if not reply.done():
                reply.set_exception(AnswerLost(self._ended.result()))

    async def _read_stdout(self) -> None:
        lines = LineSplitter(self._spec.max_result_bytes)
        while data := await self._process.stdout.read(READ_BYTES):
            for line in lines.feed(data):
                if isinstance(line, LongLine):
                    self._refuse(line)
                elif line and not line.isspace():
                    await self._take_line(line)

    async def _take_line(self, line: bytearray) -> None:
        try:
            message = await parse_message(line, self._worker)
        except RpcError:
            message = None
        for each in message if isinstance(message, list) else [message]:
            if is_reply(each):
                self._resolve(each)
            elif isinstance(each, dict) and isinstance(each.get("method"), str):
                self._on_message(each)
            else:
                self._log_noise(line)
                self._fail(each)

    def _resolve(self, reply: Message) -> None:
        waiting = self._pending.get(reply["id"])
        # Else it is late: the request was cancelled, or timed out.
        if waiting is not None and not waiting.done():
            waiting.set_result(reply)

    def _fail(self, message: Any) -> None:
        """Fail the request that a message names, if it does: it is meant as the reply, and no other one will come."""
        number = message.get("id") if isinstance(message, dict) else None
        waiting = self._pending.get(number) if type(number) is int else None
        if waiting is not None and not waiting.done():
            what = "answers with JSON that is no reply to the request"
            waiting.set_exception(UpstreamError(UpstreamFault.INVALID, what))

    def _refuse(self, line: LongLine) -> None:
        """Fail the request that a line over the limit answers; where it does not show which, all of them."""
        number = _id_of(line)
        for request_id, waiting in self._pending.items():
            if number in (request_id, None) and not waiting.done():
                waiting.set_exception(too_large(self._spec))

    def _log_noise(self, line: bytearray) -> None:
        self._noise_lines += 1
        if self._noise_lines <= LOGGED_NOISE_LINES:
            shown = self._shown(line[:MAX_STDERR_LINE_BYTES])
            logger.warning("upstream_stdout_noise", extra={"upstream": self._spec.name, "line": shown})

    async def _read_stderr(self) -> None:
        lines = LineSplitter(MAX_STDERR_LINE_BYTES)
        while data := await self._process.stderr.read(READ_BYTES):
            for line in lines.feed(data):
                text = bytes(line.head if isinstance(line, LongLine) else line)
                if text.strip():
                    self._last_stderr.append(text)
                # A server may write thousands of lines a second: they are masked only if they are shown.
                if logger.isEnabledFor(logging.DEBUG):
                    shown = self._shown(text)
                    logger.debug("upstream_stderr", extra={"upstream": self._spec.name, "line": shown})

    def _shown(self, line: bytes | bytearray) -> str:
        return self._redaction.shown(line.decode("utf-8", "replace"))


@asynccontextmanager
async def open_stdio(
    spec: ServerSpec, environment: Mapping[str, str], worker: Worker, redaction: Redaction
) -> AsyncIterator[StdioConnection]:
    """Start a server's process; end it after the block."""
    async with running(
        [spec.command or "", *spec.args],
        cwd=spec.cwd,
        environment=server_environment(environment, spec.env),
        worker=worker,
    ) as process:
        connection = StdioConnection(process, spec, worker, redaction)
        following = asyncio.create_task(connection.follow())
        try:
            yield connection
        finally:
            following.cancel()
            await asyncio.wait({following})


# Members before the result, as Python's SDK writes them, and after it, as TypeScript's does. Not within: results have ids, too.
_FIRST_ID = re.compile(rb'"id": ?([0-9]{1,15}) ?[,}]')
_LAST_ID = re.compile(rb'"id": ?([0-9]{1,15}) ?(?:, ?"jsonrpc": ?"2\.0" ?)?\}\r?\Z')


def _id_of(line: LongLine) -> int | None:
    """Return the id of a reply of which only the ends are known; None if it is not in them."""
    found = _FIRST_ID.search(line.head.partition(b'"result"')[0]) or _LAST_ID.search(line.tail)
    return int(found[1]) if found else None
