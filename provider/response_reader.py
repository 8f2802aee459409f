"""Reads the responses that a model's API sends us: an answer, streamed or whole, or an error.

Follows the OpenAI-compatible API as OpenRouter serves it (https://openrouter.ai/docs/api/reference). Sends nothing, waits only
for the rest of a response. What an error means is in error_kinds.py, the loop of retries in llm.py.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime
from typing import Any, TypeVar

import httpx

from provider.error_kinds import error_in_200, error_message, error_of_status, printable
from provider.model import Completion, PermanentError, TransientError
from provider.retry_after import retry_after_seconds
from provider.sse import EndlessEvent, EventDecoder
from provider.usage import Failure

T = TypeVar("T")

# No summary comes near it; it stops a provider that streams without end.
MAX_ANSWER_CHARS = 2_000_000

# A whole answer in one body: the same, with room for JSON's escapes.
MAX_REPLY_BYTES = 4 * 1024 * 1024

# All events of a stream, at some 300 bytes per token, reasoning included; it stops a provider that sends comments without end.
MAX_STREAM_BYTES = 128 * 1024 * 1024

# What is decoded of a stream in one turn of the event loop: at a token an event, a millisecond.
SLICE_BYTES = 8 * 1024

# Only a sentence of an error is shown; a longer body is some web page, and is not read to its end.
MAX_ERROR_BYTES = 64 * 1024

# Python's JSON parser blocks all other threads until it ends: 60 ms for this many members of an object, which take it longest.
MAX_VALUES = 100_000

# Parsing this much takes a millisecond; a longer body is parsed off the event loop.
INLINE_BYTES = 64 * 1024

# More tokens, or dollars, than any call can take: a larger figure is ignored.
MAX_USAGE = 10**12


# --- Reading ---------------------------------------------------------------------------------------------------


class ResponseReader:
    """Reads one response, streamed or whole, into a Completion."""

    def __init__(self, worker: Callable[..., Awaitable[Any]] = asyncio.to_thread) -> None:
        """`worker(function, *arguments)` runs CPU work off the event loop."""
        self._worker = worker
        self._parts: list[str] = []
        self._chars = 0
        self._usage: dict[str, Any] = {}
        self.finish_reason: str | None = None
        self.has_begun = False
        """Whether the model has sent a first token, of the answer or of its reasoning."""

    async def events(self, response: httpx.Response, now: datetime) -> AsyncIterator[None]:
        """Read all of a response; yield after each event. Raises ModelError, and what httpx raises.

        `now` is the time of day: an error may say at which one to try again.
        """
        await _check_response(response, now)
        if "text/event-stream" not in response.headers.get("content-type", ""):
            await self._read_whole(response)
            yield
            return
        decoder, size = EventDecoder(), 0
        try:
            async for data in response.aiter_raw():
                size += len(data)
                if size > MAX_STREAM_BYTES:
                    raise PermanentError(
                        f"the model's answer is a stream of more than {MAX_STREAM_BYTES} bytes"
                    )
                for start in range(0, len(data), SLICE_BYTES):
                    for event in decoder.feed(data[start : start + SLICE_BYTES]):
                        await self._add_event(event)
                        # Only events count: comments keep the connection open, but do not show that the model is working.
                        yield
                    # To read what has arrived already waits for nothing: others would have no turn before the end of the stream.
                    await asyncio.sleep(0)
        except EndlessEvent as endless:
            raise PermanentError(f"the model's answer has {endless}") from None
        if self.finish_reason is None:
            raise TransientError("the model's answer broke off", failure=Failure.CONNECTION)

    async def _read_whole(self, response: httpx.Response) -> None:
        """Read an answer that is not streamed."""
        body = await self._parsed(await _whole_body(response))
        fields = _object(body)
        if not (fields.get("error") or isinstance(fields.get("choices"), list)):
            what = "something that is not JSON" if body is None else "JSON without choices"
            raise TransientError(f"the model's API answered 200 with {what}; is the base URL right?")
        self._add(fields, "message")

    async def _parsed(self, data: bytes) -> Any:
        # One of these signs stands before each value; those in strings count too.
        if sum(map(data.count, (b"[", b"{", b","))) > MAX_VALUES:
            raise PermanentError(f"the model's answer has more than {MAX_VALUES} JSON values")
        return _parse(data) if len(data) <= INLINE_BYTES else await self._worker(_parse, data)

    def _add(self, body: dict[str, Any], part: str) -> None:
        """Add one event of a stream (`part` is "delta") or a whole answer ("message")."""
        if body.get("error"):
            raise error_in_200(body)
        self._usage = _object(body.get("usage")) or self._usage
        choices = body.get("choices")
        choice = _object(choices[0]) if isinstance(choices, list) and choices else {}
        message = _object(choice.get(part))
        text = _text(message.get("content"))
        self._parts.append(text)
        self._chars += len(text)
        self.has_begun = self.has_begun or any(message.get(name) for name in _TEXT_FIELDS)
        if isinstance(reason := choice.get("finish_reason"), str):
            self.finish_reason = reason
        if self._chars > MAX_ANSWER_CHARS:
            raise PermanentError(f"the model's answer is longer than {MAX_ANSWER_CHARS} characters")

    async def _add_event(self, event: bytearray) -> None:
        """Add one event of a stream."""
        if event.strip() == b"[DONE]":
            self.finish_reason = self.finish_reason or "stop"
        elif isinstance(body := await self._parsed(event.decode("utf-8", "replace").encode()), dict):
            self._add(body, "delta")

    def completion(self) -> Completion:
        """Return the finished answer. Raises ModelError if it is not usable."""
        text = _THINKING.sub("", "".join(self._parts)).strip()
        if self.finish_reason == "error":
            raise TransientError(
                "the provider failed in the middle of the answer", failure=Failure.SERVER_ERROR
            )
        if self.finish_reason == "content_filter":
            raise PermanentError("the provider's content filter withheld the answer", failure=Failure.REFUSED)
        if not text and self.finish_reason == "length":
            # A reasoning model may use up its tokens before it begins the answer: a retry would end the same way.
            raise PermanentError("the model reached its length limit before it began to answer")
        if not text:
            raise TransientError("the model's answer is empty")
        return Completion(
            text,
            self.finish_reason or "stop",
            _number(self._usage, "prompt_tokens", int),
            _number(self._usage, "completion_tokens", int),
            _number(self._usage, "cost", float),
        )


# The fields that hold a model's text: its answer, and its reasoning as OpenRouter and as other servers name it.
_TEXT_FIELDS = ("content", "reasoning", "reasoning_content")

# Local servers leave a model's reasoning in the answer.
_THINKING = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(usage: dict[str, Any], name: str, kind: Callable[[Any], T]) -> T | None:
    value = usage.get(name)
    # json reads NaN and Infinity too; and True is an int.
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MAX_USAGE
    return kind(value) if known else None


def _text(content: Any) -> str:
    """Return the text of a message's content; some models send it in parts, and other parts hold their reasoning."""
    if isinstance(content, str):
        return content
    parts = map(_object, content) if isinstance(content, list) else ()
    texts = (part.get("text") for part in parts if part.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _unwanted_coding(response: httpx.Response) -> str:
    """Name a content coding, though only identity is accepted; "" for none. Nothing is decompressed, so nothing can grow."""
    coding = printable(response.headers.get("content-encoding", "")).lower()
    if coding in ("", "identity"):
        return ""
    return f"Content-Encoding {coding[:40]!r}, where only identity is accepted: switch compression off there, or in the proxy before it"


async def _check_response(response: httpx.Response, now: datetime) -> None:
    """Raise ModelError for an error, or an answer that cannot be read."""
    if not response.is_success:
        wait = retry_after_seconds(response.headers.get("retry-after"), now)
        raise error_of_status(response.status_code, error_message(_parse(await _error_body(response))), wait)
    if coding := _unwanted_coding(response):
        raise PermanentError(f"the model's API sent its answer with {coding}", every_call=True)


async def _whole_body(response: httpx.Response) -> bytes:
    body = bytearray()
    async for part in response.aiter_raw():
        body += part
        if len(body) > MAX_REPLY_BYTES:
            raise PermanentError(f"the model's answer is longer than {MAX_REPLY_BYTES} bytes")
    return bytes(body)


async def _error_body(response: httpx.Response) -> bytes:
    """Return the body of an error, b"" if it is compressed or too long: the status says enough."""
    if _unwanted_coding(response):
        return b""
    body = bytearray()
    async for part in response.aiter_raw():
        body += part
        if len(body) > MAX_ERROR_BYTES:
            return b""
    return bytes(body)


def _parse(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
