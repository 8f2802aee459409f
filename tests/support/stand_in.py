"""A stand-in for OpenRouter's chat completions API, on a real socket, with a script and a log.

It speaks the wire format of POST /api/v1/chat/completions: one JSON object, or server-sent
events when the payload says `"stream": true`; https://openrouter.ai/docs/api-reference tells
both. The answers to choose from are in tests/support/stand_in_answers.py.

Not here: a check of the API key, rate limits of its own, any other route.

    async with StandIn([Fails(429, headers={"Retry-After": "7"}), Says("hi")]) as model:
        ...                                      # a client that talks to model.base_url
        assert model.log == ["POST /api/v1/chat/completions > 429", "POST /api/v1/chat/completions > 200"]
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

from aiohttp import web

Payload = dict[str, Any]

# How long called() and finished() wait for what a test was sure would happen; only a broken test waits it out.
PATIENCE_S = 10.0
# What CutAtLimit takes for max_tokens when the request names none: the default of the old completions API.
DEFAULT_MAX_TOKENS = 16

# Whitespace stays with the word after it, and no character is lost.
_WORD = re.compile(r"\s*\S+|\s+")


class Answer(Protocol):
    """What the stand-in does with one call."""

    async def give(self, call: Call) -> web.StreamResponse: ...


Chooser = Callable[[int, Payload], Answer]


class ConnectionAborted(Exception):
    """Raised by an answer that wants the TCP connection reset under the client."""


class WaitedInVain(AssertionError):
    """Raised by an answer for which never comes what it waits for: the test has failed, whatever the client makes of it."""


class StandIn:
    """The server. The last answer of a sequence repeats; a callable gets the request number, from 1, and the payload.

    `payloads` and `headers` have one entry for each call that came in, in the same order. `log` has one line for
    each call that ended, in the order of ending: the status, `reset`, or `cancelled` (the client went away, or the
    stand-in closed under it). A call that is no chat request gets a 400, is logged, and uses up no answer. That an
    answer waited in vain is raised once more when the stand-in closes.
    """

    def __init__(self, script: Sequence[Answer] | Chooser) -> None:
        self._choose = script if callable(script) else _in_order(script)
        self._runner: web.AppRunner | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._changed = asyncio.Event()
        self._failed: WaitedInVain | None = None
        self.base_url = ""
        self.log: list[str] = []
        self.payloads: list[Payload] = []
        self.headers: list[Mapping[str, str]] = []
        self.most_in_flight = 0

    @property
    def in_flight(self) -> int:
        return len(self._tasks)

    async def called(self, calls: int) -> None:
        """Wait until this many calls have come in, counted from the start."""
        await self._until(lambda: len(self.payloads) >= calls, f"{calls} calls to come in")

    async def finished(self, calls: int) -> None:
        """Wait until this many calls have ended.

        Needed before the log is read if the client went away, or read a stream: the server may learn it a little later.
        """
        await self._until(lambda: len(self.log) >= calls, f"{calls} calls to end")

    async def __aenter__(self) -> Self:
        # client_max_size=0: no limit, since how much the client sends is for the test to judge.
        app = web.Application(client_max_size=0)
        app.router.add_post("/api/v1/chat/completions", self._chat)
        app.on_shutdown.append(self._cancel_calls)
        # Without handler_cancellation a handler would sit on after its client went away.
        self._runner = web.AppRunner(app, handler_cancellation=True, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{port}/api/v1"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
        if self._failed is not None:
            raise self._failed

    async def _cancel_calls(self, _app: web.Application) -> None:
        # aiohttp would give handlers a minute to end by themselves.
        for task in self._tasks:
            task.cancel()

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        outcome = "500"  # what aiohttp sends when a script raises
        try:
            response = await self._answer(request)
            outcome = str(response.status)
            return response
        except ConnectionAborted:
            outcome = "reset"
            return _reset(request)
        except WaitedInVain as failed:
            self._failed = self._failed or failed
            outcome = "400"  # unlike a 500, it is not tried again
            return error_response(400, 400, str(failed))
        except (asyncio.CancelledError, ConnectionError):
            outcome = "cancelled"
            raise
        finally:
            self._tasks.discard(task)
            self.log.append(f"{request.method} {request.path} > {outcome}")
            self._tell()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        payload = _parse(await request.read())
        if payload is None:
            return error_response(400, 400, "expected a JSON object with a list of messages")
        self.payloads.append(payload)
        self.headers.append(request.headers)
        self._tell()
        number = len(self.payloads)
        return await self._choose(number, payload).give(Call(request, payload, number))

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def _until(self, reached: Callable[[], bool], wanted: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not reached():
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(
                f"waited {PATIENCE_S} s for {wanted}, got {len(self.payloads)} calls, log {self.log}"
            ) from None


@dataclass(frozen=True)
class Call:
    """One request as an answer sees it."""

    request: web.Request
    payload: Payload
    number: int

    @property
    def content(self) -> str:
        """The text of the last user message."""
        users = [message for message in self.payload["messages"] if message.get("role") == "user"]
        return _text_of(users[-1]) if users else ""

    @property
    def max_tokens(self) -> int:
        limit = self.payload.get("max_tokens") or self.payload.get("max_completion_tokens")
        return int(limit or DEFAULT_MAX_TOKENS)

    @property
    def prompt_words(self) -> int:
        return sum(len(_text_of(message).split()) for message in self.payload["messages"])

    @property
    def wants_stream(self) -> bool:
        return bool(self.payload.get("stream"))

    @property
    def wants_usage_in_stream(self) -> bool:
        options, usage = self.payload.get("stream_options") or {}, self.payload.get("usage") or {}
        return bool(options.get("include_usage") or usage.get("include"))

    def envelope(self, kind: str) -> Payload:
        model = self.payload.get("model", "stand-in")
        return {
            "id": f"gen-{self.number}",
            "provider": "stand-in",
            "model": model,
            "object": kind,
            "created": 0,
        }


class EventStream:
    """The server-sent events of one call, in the order OpenRouter sends them."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self.response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"}
        )

    @classmethod
    async def open(cls, call: Call) -> Self:
        stream = cls(call)
        await stream.response.prepare(call.request)
        await stream.response.write(b": OPENROUTER PROCESSING\n\n")
        return stream

    async def say(self, text: str) -> None:
        await self.chunk(choices=[choice({"role": "assistant", "content": ""})])
        for part in _parts(_WORD.findall(text)):
            await self.chunk(choices=[choice({"content": part})])

    async def chunk(self, **fields: Any) -> None:
        chunk = {**self._call.envelope("chat.completion.chunk"), **fields}
        await self.response.write(b"data: " + to_json(chunk) + b"\n\n")

    async def done(self) -> None:
        await self.response.write(b"data: [DONE]\n\n")


# An event for each word, as providers send them, would take most of the tests' time.
LONE_WORDS = 8
WORDS_TOGETHER = 16


def _parts(words: Sequence[str]) -> Iterator[str]:
    """Yield the words that come in one event: the first ones alone."""
    yield from words[:LONE_WORDS]
    for start in range(LONE_WORDS, len(words), WORDS_TOGETHER):
        yield "".join(words[start : start + WORDS_TOGETHER])


def _in_order(answers: Sequence[Answer]) -> Chooser:
    if not answers:
        raise ValueError("script: expected at least one answer, got none")
    return lambda number, _payload: answers[min(number, len(answers)) - 1]


def _parse(body: bytes) -> Payload | None:
    """Give the payload of a chat request, or None for anything else."""
    try:
        payload = json.loads(body)
    except ValueError:
        return None
    if not isinstance(payload, dict):
        return None
    messages = payload.get("messages")
    listed = (
        isinstance(messages, list) and messages and all(isinstance(message, dict) for message in messages)
    )
    return payload if listed else None


def _text_of(message: Payload) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def choice(delta: Payload, finish_reason: str | None = None) -> Payload:
    """Return the one choice of a chunk of a stream."""
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


def to_json(value: Payload) -> bytes:
    """Return a value as the bytes of its JSON."""
    # Not ASCII only: characters of several bytes and U+2028 must reach the client's decoder as they are.
    return json.dumps(value, ensure_ascii=False).encode("utf-8", errors="replace")


def json_response(value: Payload, status: int = 200) -> web.Response:
    """Return a value as a response."""
    return web.Response(status=status, body=to_json(value), content_type="application/json")


def error_response(status: int, code: int | str, message: str) -> web.Response:
    """Return an error as OpenRouter words one."""
    return json_response({"error": {"code": code, "message": message}}, status)


def _reset(request: web.Request) -> web.Response:
    if request.transport is not None:
        # abort() alone closes in an orderly way when nothing is unsent; lingering for 0 s makes it a real RST.
        sock = request.transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        request.transport.abort()
    return web.Response()  # aiohttp wants one, and finds nobody to send it to
