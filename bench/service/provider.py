"""The simulated model: an OpenAI-compatible server whose speed, limits and faults are known, in a process of its own.

    python -m bench.service.provider --port 9100

It answers as simulated_answers.py writes, at a pace as a hosted model has: half a second to the first token, then 80 tokens a second
for each call, real tokens of cl100k_base. Above its limit of calls at once it refuses with 429 or lets wait. It keeps a
record of every call. A second socket steers it:

    GET /calls             the records since the last reset, as JSON
    POST /behaviour        a JSON object with fields of Behaviour replaces it, and the records are forgotten
    POST /gone?seconds=30  the listening socket and every connection are closed for so long

Not here: a model, a check of keys.
"""

import argparse
import asyncio
import json
import socket
import struct
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from aiohttp import web

from bench.service.faults import HANG, faults
from bench.service.simulated_answers import Answer, Author, holds
from summarizing.text.tokenizer import load_tokenizer, read_vocabulary
from transport.process import allow_connections, stop_signals

# Tokens that are due go out together this often: as providers do, and cheap enough for many streams on one core.
TICK_SECONDS = 0.025

# What another call's prompt is searched for; a soak makes more calls than anybody asks about.
KEPT_ANSWERS = 500
KEPT_CALLS = 50_000

# Of the time to the first token, the share that passes before an answer is written: the processor time of writing must not
# delay the calls that come with it, whose starts are measured.
SHARE_IDLE = 0.4

# What an answer that is given comes in.
PIECE_CHARS = 40

# Half of the hangs and resets come before a byte of the answer, half in the middle of it.
MIDDLE = 2


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How the provider serves; times in seconds. `rates` are of faults.py."""

    first_token_s: float = 0.5
    tokens_per_s: float = 80.0
    allow: int = 1_000
    """Calls at once."""
    queues: bool = False
    """Whether calls above that wait; otherwise they get 429."""
    retry_after_s: float | None = None
    """What a 429 says in Retry-After."""
    rates: Mapping[str, float] = field(default_factory=dict)
    seed: int = 1
    said: str = ""
    """What every answer is, in place of what the author would write."""


@dataclass(slots=True)
class CallRecord:
    """One call. Times are seconds of the machine's monotonic clock; None: it did not come to that."""

    number: int
    begin: float
    at_once: int
    """Calls being served when it came, with itself where it did not have to wait."""
    max_tokens: int
    first: float | None = None
    end: float | None = None
    status: str = ""
    """"200", "429", "500", "hang", "reset"; "left" where the client went away."""
    is_over_limit: bool = False
    """Whether it was refused because as many calls as are allowed were being served."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    after: list[int] = field(default_factory=list)
    """The calls whose answers are in its prompt, by number."""


class Provider:
    """What serves the calls."""

    def __init__(self, author: Author, behaviour: Behaviour) -> None:
        self._author = author
        self.reset(behaviour)

    def reset(self, behaviour: Behaviour) -> None:
        """Serve otherwise from now on, and forget what was."""
        self.behaviour = behaviour
        self.calls: list[CallRecord] = []
        self._faults: Iterator[str] = faults(behaviour.rates, behaviour.seed)
        self._marks: dict[int, list[str]] = {}
        self._serving = 0
        self._places = asyncio.Semaphore(behaviour.allow)

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """Serve one call."""
        payload = await request.json()
        at_once = min(self._serving + 1, self.behaviour.allow)
        call = CallRecord(len(self.calls), time.monotonic(), at_once, max_tokens_of(payload))
        if len(self.calls) < KEPT_CALLS:
            self.calls.append(call)
        if self._serving >= self.behaviour.allow and not self.behaviour.queues:
            return self._refused(call)
        self._serving += 1
        try:
            async with self._places:
                # A call that had to wait has not been slow.
                call.begin = time.monotonic()
                return await self._served(request, payload, call)
        except (asyncio.CancelledError, ConnectionError):
            call.status = call.status or "left"
            raise
        finally:
            self._serving -= 1
            call.end = time.monotonic()

    def _refused(self, call: CallRecord) -> web.Response:
        call.status, call.end, call.is_over_limit = "429", time.monotonic(), True
        wait = self.behaviour.retry_after_s
        headers = {} if wait is None else {"Retry-After": f"{wait:g}"}
        return _error(429, "too many calls at once", headers)

    async def _served(
        self, request: web.Request, payload: dict[str, Any], call: CallRecord
    ) -> web.StreamResponse:
        call.status = fault = next(self._faults)
        if fault.isdecimal():
            return _error(int(fault), "simulated")
        if fault and call.number % MIDDLE:
            return await self._broken(request, fault)
        await _sleep_until(call.begin + SHARE_IDLE * self.behaviour.first_token_s)
        messages = [str(message.get("content") or "") for message in payload["messages"]]
        call.after = [number for number, marks in self._marks.items() if holds(messages[-1], marks)]
        answer = await self._answer(messages, call.max_tokens)
        counted = asyncio.create_task(asyncio.to_thread(self._author.count, messages))
        due = call.begin + self.behaviour.first_token_s
        reply = Reply(request, payload, answer)
        if fault:
            await reply.send(due, self.behaviour.tokens_per_s, call, len(answer.pieces) // 2)
            return await self._broken(request, fault)
        await reply.send(due, self.behaviour.tokens_per_s, call, len(answer.pieces))
        call.prompt_tokens = await counted
        response = await reply.finish(call)
        call.status = "200"
        if len(self._marks) < KEPT_ANSWERS:
            self._marks[call.number] = answer.marks
        return response

    async def _answer(self, messages: list[str], max_tokens: int) -> Answer:
        if said := self.behaviour.said:
            return Answer([said[at : at + PIECE_CHARS] for at in range(0, len(said), PIECE_CHARS)], "stop")
        return await asyncio.to_thread(self._author.answer, messages, max_tokens)

    async def _broken(self, request: web.Request, fault: str) -> web.StreamResponse:
        if fault == HANG:
            await asyncio.Event().wait()
        if request.transport is not None:
            # Closed with something lingering for no time at all, a connection is reset (RFC 9293, 3.10.7).
            if (raw := request.transport.get_extra_info("socket")) is not None:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            request.transport.abort()
        return web.Response()  # aiohttp wants one, and finds nobody to send it to


class Reply:
    """An answer on its way: as a stream at its pace, or whole when the last token is due."""

    def __init__(self, request: web.Request, payload: dict[str, Any], answer: Answer) -> None:
        self._request = request
        self._model = str(payload.get("model"))
        self._answer = answer
        self._stream: web.StreamResponse | None = None
        if payload.get("stream"):
            self._stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})

    async def send(self, due: float, rate: float, call: CallRecord, stop: int) -> None:
        """Send the tokens up to `stop`, the first when it is due, the others `rate` a second."""
        sent, group = 0, max(1, round(rate * TICK_SECONDS))
        while sent < stop:
            last = min(stop, sent + group) if sent else 1
            await _sleep_until(due + (last - 1) / rate)
            ready = min(stop, max(last, int((time.monotonic() - due) * rate) + 1))
            if self._stream is not None:
                await self._event(
                    choices=[_choice({"content": "".join(self._answer.pieces[sent:ready])}, None)]
                )
            call.first = call.first or time.monotonic()
            call.completion_tokens = sent = ready

    async def finish(self, call: CallRecord) -> web.StreamResponse:
        """End the answer with its usage."""
        usage = {
            "prompt_tokens": call.prompt_tokens,
            "completion_tokens": call.completion_tokens,
            "total_tokens": call.prompt_tokens + call.completion_tokens,
        }
        if self._stream is None:
            message = {"role": "assistant", "content": self._answer.text}
            choice = {"index": 0, "message": message, "finish_reason": self._answer.finish_reason}
            return web.json_response(
                {**self._envelope("chat.completion"), "choices": [choice], "usage": usage}
            )
        await self._event(choices=[_choice({}, self._answer.finish_reason)])
        await self._event(choices=[], usage=usage)
        await self._stream.write(b"data: [DONE]\n\n")
        await self._stream.write_eof()
        return self._stream

    async def _event(self, **fields: Any) -> None:
        assert self._stream is not None  # noqa: S101, only a stream has events
        if not self._stream.prepared:
            await self._stream.prepare(self._request)
        body = json.dumps({**self._envelope("chat.completion.chunk"), **fields})
        await self._stream.write(f"data: {body}\n\n".encode())

    def _envelope(self, kind: str) -> dict[str, Any]:
        return {"id": "simulated", "object": kind, "created": 0, "model": self._model}


def max_tokens_of(payload: dict[str, Any]) -> int:
    """Return the limit of an answer, by either of its names."""
    return int(payload.get("max_tokens") or payload.get("max_completion_tokens") or 4_096)


def _choice(delta: dict[str, str], finish_reason: str | None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


def _error(status: int, message: str, headers: Mapping[str, str] | None = None) -> web.Response:
    return web.json_response({"error": {"code": status, "message": message}}, status=status, headers=headers)


async def _sleep_until(when: float) -> None:
    await asyncio.sleep(max(0.0, when - time.monotonic()))


# --- The two sockets -------------------------------------------------------------------------------------------


class Door:
    """The socket that calls come in by; it can be shut and opened again."""

    def __init__(self, runner: web.AppRunner, port: int) -> None:
        self._runner = runner
        self.port = port
        self._site: web.TCPSite | None = None

    async def open(self) -> None:
        """Listen, from the first time on always at the same port."""
        self._site = web.TCPSite(self._runner, "127.0.0.1", self.port, reuse_address=True, backlog=1_024)
        await self._site.start()
        self.port = self._site.port

    async def shut(self, seconds: float) -> None:
        """Listen no more for so long, and drop every connection."""
        if self._site is not None:
            await self._site.stop()
        server = self._runner.server
        for connection in list(server.connections) if server is not None else []:
            if connection.transport is not None:
                connection.transport.abort()
        await asyncio.sleep(seconds)
        await self.open()


def steering(provider: Provider, door: Door) -> web.Application:
    """Return the application of the second socket."""
    absences = set[asyncio.Task[None]]()

    async def calls(request: web.Request) -> web.Response:
        return web.json_response([asdict(call) for call in provider.calls])

    async def behave(request: web.Request) -> web.Response:
        provider.reset(Behaviour(**await request.json()))
        return web.json_response({})

    async def leave(request: web.Request) -> web.Response:
        absences.add(asyncio.create_task(door.shut(float(request.query["seconds"]))))
        return web.json_response({})

    app = web.Application()
    app.add_routes([web.get("/calls", calls), web.post("/behaviour", behave), web.post("/gone", leave)])
    return app


@asynccontextmanager
async def serving(port: int, behaviour: Behaviour) -> AsyncIterator[dict[str, str]]:
    """Serve; yields where."""
    provider = Provider(Author(load_tokenizer(read_vocabulary())), behaviour)
    app = web.Application(client_max_size=0)
    app.router.add_post("/v1/chat/completions", provider.chat)
    calls = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
    await calls.setup()
    door = Door(calls, port)
    await door.open()
    control = web.AppRunner(steering(provider, door), access_log=None, shutdown_timeout=0.1)
    await control.setup()
    site = web.TCPSite(control, "127.0.0.1", 0)
    await site.start()
    try:
        yield {"url": f"http://127.0.0.1:{door.port}/v1", "control": f"http://127.0.0.1:{site.port}"}
    finally:
        await control.cleanup()
        await calls.cleanup()


async def run(port: int, behaviour: Behaviour) -> None:
    """Serve until a signal."""
    allow_connections()
    stopped = stop_signals()
    async with serving(port, behaviour) as places:
        sys.stdout.write(json.dumps(places) + "\n")
        sys.stdout.flush()
        await stopped


def main() -> None:
    """Serve as the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--allow", type=int, default=1_000, help="calls at once; more get 429")
    options = parser.parse_args()
    with suppress(KeyboardInterrupt):
        asyncio.run(run(options.port, Behaviour(allow=options.allow)))


if __name__ == "__main__":
    main()
