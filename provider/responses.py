"""What a model's API says, read and judged: an answer, streamed or whole, or an error that says whose fault it is.

Follows the OpenAI-compatible API as OpenRouter serves it (https://openrouter.ai/docs/api/reference). Sends nothing, waits for
nothing but the rest of a response, and decides nothing about asking again: llm.py does.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import httpx

from provider.model import Busy, Completion, ModelError, Refused
from provider.sse import EndlessLine, EventDecoder
from provider.usage import Failure

T = TypeVar("T")

# No summary asked for here is near it; a provider that streams without end is stopped.
MAX_ANSWER_CHARS = 2_000_000

# A whole answer in one body: the same, with room for JSON's escapes.
MAX_REPLY_BYTES = 4 * 1024 * 1024

# All events of a stream: some 300 bytes for each token, of thoughts too, and a provider that sends comments without end is stopped.
MAX_STREAM_BYTES = 128 * 1024 * 1024

# Of an error only a sentence is shown; a longer body is some page, and is not read to its end.
MAX_ERROR_BYTES = 64 * 1024

# Python's reader lets no other thread run before its end, and lists and objects are what takes it longest: so many 60 ms.
MAX_CONTAINERS = 200_000

# Parsing this much takes a few milliseconds; what is longer is not parsed on the event loop.
INLINE_BYTES = 1_000_000

# More tokens, or dollars, than any call can take: a provider that says so is not believed.
MAX_USAGE = 10**12


# --- Judgement -------------------------------------------------------------------------------------------------

# Request Timeout, Conflict, Too Early, Too Many Requests; and every 5xx.
RETRYABLE = frozenset({408, 409, 425, 429})

# The next chunk will meet the same; and what whoever runs the service can do about it.
REFUSES_EVERY_CALL = {
    401: "check OPENROUTER_API_KEY",
    402: "the account has no credit left",
    404: "check LLM_MODEL and OPENROUTER_BASE_URL",
}

# What is neither here nor a 5xx is refused.
FAILURES = {
    408: Failure.TIMEOUT,
    429: Failure.RATE_LIMITED,
    503: Failure.OVERLOADED,
    504: Failure.TIMEOUT,
    529: Failure.OVERLOADED,
}


def judge(status: int, message: str, retry_after: float | None = None) -> ModelError:
    """Say what an error status means for this call and the others."""
    kind = f"the model's API answered {status}"
    failure = FAILURES.get(status, Failure.SERVER_ERROR if status >= 500 else Failure.REFUSED)
    if status in RETRYABLE or status >= 500:
        return Busy(kind, message, failure, retry_after=retry_after)
    if status in REFUSES_EVERY_CALL:
        return Refused(f"{kind} ({REFUSES_EVERY_CALL[status]})", message, failure, every_call=True)
    return Refused(kind, message, failure)


def _error_message(body: Any) -> str:
    error = body.get("error") if isinstance(body, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return printable(message) if isinstance(message, str) else ""


def printable(text: str) -> str:
    """Return a text as one line that does nothing to a terminal or a page that shows it: no escapes, no marks of direction."""
    text = _TERMINAL_ESCAPE.sub("", text)
    return " ".join("".join(sign for sign in text if sign.isprintable() or sign.isspace()).split())


# ECMA-48, 5.4: a control sequence and its parameters.
_TERMINAL_ESCAPE = re.compile(r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]?")


def _judge_error_in_200(body: dict[str, Any]) -> ModelError:
    """OpenRouter answers 200 before it knows how the provider fares; the error then stands in the body."""
    error = body["error"]
    code = str(error.get("code")) if isinstance(error, dict) else ""
    status = int(code) if _ERROR_STATUS.fullmatch(code) else 502
    return judge(status, _error_message(body))


_ERROR_STATUS = re.compile(r"[45][0-9][0-9]")


def retry_after_seconds(header: str | None, now: datetime) -> float | None:
    """Read a Retry-After header in both its forms, seconds or a date (RFC 9110, 10.2.3); infinite for a number past all."""
    if header is None:
        return None
    header = header.strip()
    if _SECONDS.fullmatch(header):
        return float(header)
    try:
        when = parsedate_to_datetime(header)
    except (ValueError, OverflowError):  # what is no date; a time zone of more than a day
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max((when - now).total_seconds(), 0.0)


# The RFC knows whole seconds only, some providers do not.
_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]*)?")


# --- Reading ---------------------------------------------------------------------------------------------------


class Answer:
    """What has come of an answer so far, streamed or whole."""

    def __init__(self, worker: Callable[..., Awaitable[Any]] = asyncio.to_thread) -> None:
        """`worker(function, *arguments)` runs CPU work off the event loop."""
        self._worker = worker
        self._parts: list[str] = []
        self._chars = 0
        self._usage: dict[str, Any] = {}
        self.finish_reason: str | None = None
        self.has_begun = False
        """Whether the model has said anything, be it only in thought."""

    async def read(
        self,
        response: httpx.Response,
        heard: Callable[[], None],
        retry_after: Callable[[str | None], float | None],
    ) -> None:
        """Read all of a response; `heard` is called at each sign of life. Raises ModelError, and what httpx raises."""
        if not response.is_success:
            wait = retry_after(response.headers.get("retry-after"))
            raise judge(response.status_code, _error_message(_parse(await _error_body(response))), wait)
        if coding := _unasked_coding(response):
            raise Refused(f"the model's API sent its answer with {coding}", every_call=True)
        if "text/event-stream" in response.headers.get("content-type", ""):
            await self._read_stream(response, heard)
            return
        body = await self._parsed(await _whole_body(response))
        if not isinstance(body, dict):
            raise Busy("the model's API answered 200 with something that is not JSON; is the base URL right?")
        self._add(body, "message")
        heard()

    async def _read_stream(self, response: httpx.Response, heard: Callable[[], None]) -> None:
        events = EventDecoder()
        size = 0
        try:
            async for data in response.aiter_raw():
                size += len(data)
                if size > MAX_STREAM_BYTES:
                    raise Refused(f"the model's answer is a stream of more than {MAX_STREAM_BYTES} bytes")
                for event in events.feed(data):
                    await self._take(event)
                    # Comments that keep the connection open are no sign that the model is alive; its events are.
                    heard()
        except EndlessLine as line:
            raise Refused(f"the model's answer has {line}") from None
        if self.finish_reason is None:
            raise Busy("the model's answer broke off", failure=Failure.CONNECTION)

    async def _parsed(self, data: bytes) -> Any:
        if data.count(b"[") + data.count(b"{") > MAX_CONTAINERS:
            raise Refused(f"the model's answer has more than {MAX_CONTAINERS} lists and objects")
        return _parse(data) if len(data) <= INLINE_BYTES else await self._worker(_parse, data)

    def _add(self, body: dict[str, Any], part: str) -> None:
        """Take one chunk of a stream (`part` is "delta") or a whole answer ("message")."""
        if body.get("error"):
            raise _judge_error_in_200(body)
        self._usage = _object(body.get("usage")) or self._usage
        choices = body.get("choices")
        choice = _object(choices[0]) if isinstance(choices, list) and choices else {}
        said = _object(choice.get(part))
        text = _text(said.get("content"))
        self._parts.append(text)
        self._chars += len(text)
        self.has_begun = self.has_begun or any(said.get(name) for name in _WORDS)
        if isinstance(reason := choice.get("finish_reason"), str):
            self.finish_reason = reason
        if self._chars > MAX_ANSWER_CHARS:
            raise Refused(f"the model's answer is longer than {MAX_ANSWER_CHARS} characters")

    async def _take(self, event: str) -> None:
        """Take one event of a stream."""
        if event.strip() == "[DONE]":
            self.finish_reason = self.finish_reason or "stop"
        elif isinstance(body := await self._parsed(event.encode()), dict):
            self._add(body, "delta")

    def completion(self) -> Completion:
        """Return the finished answer. Raises ModelError where it is none."""
        text = _THINKING.sub("", "".join(self._parts)).strip()
        if self.finish_reason == "error":
            raise Busy("the provider failed in the middle of the answer", failure=Failure.SERVER_ERROR)
        if self.finish_reason == "content_filter":
            raise Refused("the provider's content filter withheld the answer", failure=Failure.REFUSED)
        if not text and self.finish_reason == "length":
            # A model that thinks first may use up its tokens before it says a word: it would again.
            raise Refused("the model reached its length limit before it began to answer")
        if not text:
            raise Busy("the model's answer is empty")
        return Completion(
            text,
            self.finish_reason or "stop",
            _number(self._usage, "prompt_tokens", int),
            _number(self._usage, "completion_tokens", int),
            _number(self._usage, "cost", float),
        )


# Where a model's words stand: its answer, and what it thinks first, as OpenRouter and as others call it.
_WORDS = ("content", "reasoning", "reasoning_content")

# Local servers leave what a model thinks before it answers in the answer.
_THINKING = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(usage: dict[str, Any], name: str, kind: Callable[[Any], T]) -> T | None:
    value = usage.get(name)
    # json reads NaN and Infinity too; and True is an int.
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MAX_USAGE
    return kind(value) if known else None


def _text(content: Any) -> str:
    """Return the text of a message's content: some models say it in parts, of which others are what they think."""
    if isinstance(content, str):
        return content
    parts = map(_object, content) if isinstance(content, list) else ()
    texts = (part.get("text") for part in parts if part.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _unasked_coding(response: httpx.Response) -> str:
    """Name a coding that an answer has though none was accepted; "" for none. Nothing is inflated, so nothing can grow."""
    coding = printable(response.headers.get("content-encoding", "")).lower()
    if coding in ("", "identity"):
        return ""
    return f"Content-Encoding {coding[:40]!r}, where only identity is accepted: switch compression off there, or in the proxy before it"


async def _whole_body(response: httpx.Response) -> bytes:
    body = bytearray()
    async for part in response.aiter_raw():
        body += part
        if len(body) > MAX_REPLY_BYTES:
            raise Refused(f"the model's answer is longer than {MAX_REPLY_BYTES} bytes")
    return bytes(body)


async def _error_body(response: httpx.Response) -> bytes:
    """Return the body of an error, b"" where it is none that could be shown: its status says enough."""
    if _unasked_coding(response):
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
