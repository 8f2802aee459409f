"""Chat completions over httpx: waits, judgement and loop apart; deadline; concurrency.

Speaks the OpenAI-compatible API as OpenRouter serves it (https://openrouter.ai/docs/api/reference), streamed, so that
silence is noticed early and a cancelled call stops being paid for. Knows nothing of prompts and chunks. The HTTP client,
the clock's sleep and the dice come in as arguments.
"""

import asyncio
import json
import logging
import random
import re
from collections.abc import Awaitable, Callable, Hashable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import Any, TypeVar

import httpx

from events import EndlessLine, EventDecoder
from fairness import FairGate
from traffic import Traffic

logger = logging.getLogger(__name__)

T = TypeVar("T")

MAX_RETRIES = 3

# Low, for summaries that stay with their text.
TEMPERATURE = 0.1

# No summary asked for here is near it; a provider that streams without end is stopped.
MAX_ANSWER_CHARS = 2_000_000

# A whole answer, or an error page, in one body.
MAX_REPLY_BYTES = 16 * 1024 * 1024

# Between an answer's finish_reason and the end of its stream come only its usage and the marks of the end. They are waited
# for because a stream that was read to its end leaves the connection for the next call.
LAST_WORDS_SECONDS = 1.0

# More tokens, or dollars, than any call can take: a provider that says so is not believed.
MAX_USAGE = 10**12

MAX_ERROR_CHARS = 300

# A shorter key ("none", "ollama") is there to satisfy a local server: no secret, but perhaps a word of its messages.
MIN_SECRET_CHARS = 8


class ModelError(Exception):
    """The model gave no usable answer. `every_call`: no other call can succeed either.

    `kind` is the message without what the provider said, which may quote the content: it is what a log may hold.
    """

    every_call = False

    def __init__(self, kind: str, said: str = "") -> None:
        super().__init__(f"{kind}: {said}" if said else kind)
        self.kind = kind


class Refused(ModelError):
    """The provider will refuse this call each time."""

    def __init__(self, kind: str, said: str = "", *, every_call: bool = False) -> None:
        super().__init__(kind, said)
        self.every_call = every_call


class Busy(ModelError):
    """The provider may do better later; `retry_after`, in seconds, where it says when."""

    def __init__(self, kind: str, said: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(kind, said)
        self.retry_after = retry_after


def _nobody_keeps_it() -> None:
    """Do nothing: what the model client returns is in nobody's memory."""


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer. Token counts and cost are the provider's own, None where it does not tell.

    `reused`: another call has asked and paid for it. `withdraw` tells whoever keeps answers that this one is of no use.
    """

    text: str
    finish_reason: str = "stop"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    reused: bool = False
    withdraw: Callable[[], None] = field(default=_nobody_keeps_it, compare=False, repr=False)


# --- Waits -----------------------------------------------------------------------------------------------------


def backoff(
    uniform: Callable[[float, float], float], first: float = 0.5, cap: float = 8.0
) -> Iterator[float]:
    """Yield waits in seconds: random within the upper half of 0.5, 1, 2, 4 and at most 8.

    Half of each wait is fixed, so that a struggling provider is never asked again at once; the other half is random, so
    that calls that failed together do not come back together.
    """
    limit = first
    while True:
        yield uniform(limit / 2, limit)
        limit = min(limit * 2, cap)


def retry_after_seconds(header: str | None, now: datetime, cap: float) -> float | None:
    """Read a Retry-After header in both its forms, seconds or a date (RFC 9110, 10.2.3); at most `cap` seconds."""
    if header is None:
        return None
    header = header.strip()
    if _SECONDS.fullmatch(header):
        return min(float(header), cap)
    try:
        when = parsedate_to_datetime(header)
    except (ValueError, OverflowError):  # what is no date; a time zone of more than a day
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return min(max((when - now).total_seconds(), 0.0), cap)


# The RFC knows whole seconds only, some providers do not.
_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]*)?")


# --- Judgement -------------------------------------------------------------------------------------------------

# Request Timeout, Conflict, Too Early, Too Many Requests; and every 5xx.
RETRYABLE = frozenset({408, 409, 425, 429})

# The next chunk will meet the same; and what whoever runs the service can do about it.
REFUSES_EVERY_CALL = {
    401: "check OPENROUTER_API_KEY",
    402: "the account has no credit left",
    404: "check LLM_MODEL and OPENROUTER_BASE_URL",
}


def judge(status: int, message: str, retry_after: float | None = None) -> ModelError:
    """Say what an error status means for this call and the others."""
    kind = f"the model's API answered {status}"
    if status in RETRYABLE or status >= 500:
        return Busy(kind, message, retry_after=retry_after)
    if status in REFUSES_EVERY_CALL:
        return Refused(f"{kind} ({REFUSES_EVERY_CALL[status]})", message, every_call=True)
    return Refused(kind, message)


def _error_message(body: Any) -> str:
    error = body.get("error") if isinstance(body, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return " ".join(message.split()) if isinstance(message, str) else ""


def _judge_error_in_200(body: dict[str, Any]) -> ModelError:
    """OpenRouter answers 200 before it knows how the provider fares; the error then stands in the body."""
    error = body["error"]
    code = str(error.get("code")) if isinstance(error, dict) else ""
    status = int(code) if _ERROR_STATUS.fullmatch(code) else 502
    return judge(status, _error_message(body))


_ERROR_STATUS = re.compile(r"[45][0-9][0-9]")


# --- Loop ------------------------------------------------------------------------------------------------------


async def with_retries(
    call: Callable[[], Awaitable[T]],
    waits: Iterator[float],
    *,
    retries: int = MAX_RETRIES,
    sleep: Callable[[float], Awaitable[None]],
) -> T:
    """Call until it is not Busy, at most `retries` times more; the last failure is the caller's to see."""
    for wait in islice(waits, retries):
        try:
            return await call()
        except Busy as busy:
            # A provider in trouble that says "after 0 seconds" is still not asked again at once.
            pause = max(wait, busy.retry_after or 0.0)
            logger.info("llm_retry", extra={"wait_seconds": round(pause, 2), "error": busy.kind})
            await sleep(pause)
    return await call()


# --- The client ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Limits:
    """Times in seconds, and the calls at once."""

    silence: float
    total: float
    retry_after_max: float
    concurrency: int


class ChatModel:
    """One model behind one API. Safe for any number of jobs at once."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        url: str,
        name: str,
        api_key: str,
        limits: Limits,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        uniform: Callable[[float, float], float] = random.uniform,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.name = name
        self.traffic = Traffic()
        self._http = http
        self._url = f"{url}/chat/completions"
        self._api_key = api_key
        self._limits = limits
        self._gate = FairGate(limits.concurrency)
        self._sleep, self._uniform, self._now = sleep, uniform, now

    @property
    def limit(self) -> int:
        """How many calls may be in flight now."""
        return self._limits.concurrency

    @property
    def in_flight(self) -> int:
        """How many requests are under way."""
        return 0

    @property
    def waiting(self) -> int:
        """How many calls wait for a place."""
        return 0

    @property
    def breaker_state(self) -> str:
        """`closed` (calls go through), `open` (they fail at once) or `half-open` (one goes through, to see)."""
        return "closed"

    @property
    def paused_seconds(self) -> float:
        """How much longer no call is begun, since the provider said so, in seconds."""
        return 0.0

    async def complete(
        self,
        system: str,
        user: str,
        max_tokens: int,
        job: Hashable,
        on_call: Callable[[], None] = lambda: None,
    ) -> Completion:
        """Ask once, with retries, within the total time.

        `job` is whatever the call belongs to: jobs share the places fairly. `on_call` is called before each request that
        is sent. Raises ModelError.
        """
        body = json.dumps(self._payload(system, user, max_tokens)).encode()
        clock = asyncio.get_running_loop().time
        total = asyncio.timeout(None)
        last_failure = ""

        async def attempt() -> Completion:
            nonlocal last_failure
            async with self._gate.place(job):
                # Its time begins with its first place: a call that waits behind others has not been slow.
                if total.when() is None:
                    total.reschedule(clock() + self._limits.total)
                on_call()
                try:
                    return await self._post(body)
                except Busy as busy:
                    last_failure = f"before that {busy}"
                    raise

        async def pause(seconds: float) -> None:
            # A wait that ends after the total time is over only delays the answer.
            if clock() + seconds >= (total.when() or 0.0):
                raise TimeoutError
            await self._sleep(seconds)

        try:
            async with total:
                return await with_retries(attempt, backoff(self._uniform), sleep=pause)
        except TimeoutError:
            limit = f"{self._limits.total:g} seconds"
            raise Busy(f"no answer within the {limit} that a call may take", last_failure) from None

    def _payload(self, system: str, user: str, max_tokens: int) -> dict[str, Any]:
        return {
            "model": self.name,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "max_tokens": max_tokens,
            "temperature": TEMPERATURE,
            "stream": True,
            "stream_options": {"include_usage": True},
        }

    async def _post(self, body: bytes) -> Completion:
        headers = {
            "Authorization": f"Bearer {self._api_key}",
            "Content-Type": "application/json",
            # Answers are short, and a small compressed body can be a large one.
            "Accept-Encoding": "identity",
        }
        silence = asyncio.timeout(self._limits.silence)
        answer = _Answer()
        try:
            async with (
                silence,
                self._http.stream("POST", self._url, content=body, headers=headers) as response,
            ):
                await self._read(response, answer, silence)
        except ModelError as error:
            error.args = (self._public(str(error)),)
            raise
        except EndlessLine as line:
            raise Refused(f"the model's answer has {line}") from None
        except httpx.InvalidURL as wrong:
            raise Refused(f"the model's base URL cannot be called: {wrong}", every_call=True) from None
        except (TimeoutError, httpx.TransportError, httpx.DecodingError) as broken:
            if isinstance(broken, TimeoutError) and not silence.expired():
                raise
            # subtle: where the answer had come whole, and only the end of its stream had not, it counts.
            if answer.finish_reason is None:
                raise Busy(self._public(self._broken(broken))) from None
        return answer.completion()

    def _broken(self, error: Exception) -> str:
        if isinstance(error, TimeoutError):
            return f"the model was silent for {self._limits.silence:g} seconds"
        # A request that h11 will not send is quoted by it, key and all; some other errors have no text of their own.
        text = "" if isinstance(error, httpx.LocalProtocolError) else str(error)
        return f"the connection to the model failed: {text or type(error).__name__}"

    def _public(self, message: str) -> str:
        """Return a message that may be shown: providers like to quote a key they refuse, and some quote at length."""
        if len(self._api_key) >= MIN_SECRET_CHARS:
            message = message.replace(self._api_key, "***")
        return message if len(message) <= MAX_ERROR_CHARS else message[:MAX_ERROR_CHARS] + "…"

    async def _read(self, response: httpx.Response, answer: "_Answer", silence: asyncio.Timeout) -> None:
        if response.is_success and "text/event-stream" in response.headers.get("content-type", ""):
            await self._read_stream(response, answer, silence)
            return
        body = _parse(await _whole_body(response))
        if not response.is_success:
            wait = retry_after_seconds(
                response.headers.get("retry-after"), self._now(), self._limits.retry_after_max
            )
            raise judge(response.status_code, _error_message(body), wait)
        if not isinstance(body, dict):
            raise Busy("the model's API answered 200 with something that is not JSON; is the base URL right?")
        answer.add(body, "message")

    async def _read_stream(
        self, response: httpx.Response, answer: "_Answer", silence: asyncio.Timeout
    ) -> None:
        events = EventDecoder()
        async for data in response.aiter_bytes():
            for event in events.feed(data):
                answer.take(event)
                # Comments that keep the connection open are no sign that the model is alive; its events are.
                limit = self._limits.silence
                if answer.finish_reason is not None:
                    limit = min(limit, LAST_WORDS_SECONDS)
                silence.reschedule(asyncio.get_running_loop().time() + limit)
        if answer.finish_reason is None:
            raise Busy("the model's answer broke off")

    def __repr__(self) -> str:
        return f"<ChatModel {self.name} at {self._url}>"


class _Answer:
    """What has come of an answer so far, streamed or whole."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._chars = 0
        self.finish_reason: str | None = None
        self._usage: dict[str, Any] = {}

    def add(self, body: dict[str, Any], part: str) -> None:
        """Take one chunk of a stream (`part` is "delta") or a whole answer ("message")."""
        if body.get("error"):
            raise _judge_error_in_200(body)
        self._usage = _object(body.get("usage")) or self._usage
        choices = body.get("choices")
        choice = _object(choices[0]) if isinstance(choices, list) and choices else {}
        text = _object(choice.get(part)).get("content")
        if isinstance(text, str):
            self._parts.append(text)
            self._chars += len(text)
        if isinstance(reason := choice.get("finish_reason"), str):
            self.finish_reason = reason
        if self._chars > MAX_ANSWER_CHARS:
            raise Refused(f"the model's answer is longer than {MAX_ANSWER_CHARS} characters")

    def take(self, event: str) -> None:
        """Take one event of a stream."""
        if event.strip() == "[DONE]":
            self.finish_reason = self.finish_reason or "stop"
        elif isinstance(body := _parse(event.encode()), dict):
            self.add(body, "delta")

    def completion(self) -> Completion:
        """Return the finished answer. Raises ModelError where it is none."""
        text = _THINKING.sub("", "".join(self._parts)).strip()
        if self.finish_reason == "error":
            raise Busy("the provider failed in the middle of the answer")
        if self.finish_reason == "content_filter":
            raise Refused("the provider's content filter withheld the answer")
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


# Local servers leave what a model thinks before it answers in the answer.
_THINKING = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(usage: dict[str, Any], name: str, kind: Callable[[Any], T]) -> T | None:
    value = usage.get(name)
    # json reads NaN and Infinity too; and True is an int.
    known = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MAX_USAGE
    return kind(value) if known else None


async def _whole_body(response: httpx.Response) -> bytes:
    body = bytearray()
    async for part in response.aiter_bytes():
        body += part
        if len(body) > MAX_REPLY_BYTES:
            raise Refused(f"the model's answer is longer than {MAX_REPLY_BYTES} bytes")
    return bytes(body)


def _parse(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
