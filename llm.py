"""Chat completions over httpx: the request, the deadline, and the loop of retries joined to everything that governs it.

Speaks the OpenAI-compatible API as OpenRouter serves it (https://openrouter.ai/docs/api/reference), streamed, so that
silence is noticed early and a cancelled call stops being paid for. Knows nothing of prompts and chunks. What comes back is
read in provider/responses.py, asking again is in provider/retry.py, how many calls at once in provider/admission.py. The HTTP client, the clocks, the
sleep and the dice come in as arguments.
"""

import asyncio
import json
import logging
import math
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

import httpx

from config import Config
from observability import tracing
from provider.admission import Admission, Turn
from provider.circuit_breaker import Breaker
from provider.concurrency_limit import Limit
from provider.model import TEMPERATURE, Busy, Completion, ModelError, Refused
from provider.pool import Connections
from provider.responses import Answer, printable, retry_after_seconds
from provider.retry import Down, RetryBudget, backoff, too_late, with_retries
from provider.usage import Failure, Traffic

logger = logging.getLogger(__name__)

# Between an answer's finish_reason and the end of its stream come only its usage and the marks of the end. They are waited
# for because a stream that was read to its end leaves the connection for the next call.
LAST_WORDS_SECONDS = 1.0

MAX_ERROR_CHARS = 300

# A shorter key ("none", "ollama") is there to satisfy a local server: no secret, but perhaps a word of its messages.
MIN_SECRET_CHARS = 8


@dataclass(frozen=True)
class Limits:
    """Times in seconds; the calls at once, to begin with and at most; and when the breaker opens."""

    silence: float
    total: float
    retry_after_max: float
    concurrency: int
    ceiling: int
    breaker_failures: int
    breaker_seconds: float


@dataclass
class _Call:
    """One call with all its requests."""

    job: Hashable
    body: bytes
    on_call: Callable[[], None]
    ticket: int
    total: asyncio.Timeout
    began: float
    requests: int = 0
    last_failure: str = ""
    last_kind: str = ""
    """The last failure without the provider's own words."""
    asked_wait: float = 0.0
    """What the provider asked for with its last failure, in seconds; 0 while a request is under way."""


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
        clock: Callable[[], float] = time.monotonic,
        headers: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        """`headers` is asked before each request for what it is to carry beside its own."""
        self.name = name
        self.traffic = Traffic()
        self._http = http
        self._url = f"{url}/chat/completions"
        self._api_key = api_key
        self._limits = limits
        self._uniform, self._now, self._headers = uniform, now, headers
        self._clock = clock
        self._budget = RetryBudget()
        self._last_failure: str | None = None
        self._admission = Admission(
            Limit(limits.concurrency, limits.ceiling),
            Breaker(limits.breaker_failures, limits.breaker_seconds, uniform),
            self.traffic,
            clock=clock,
            sleep=sleep,
            now=now,
        )

    @property
    def limit(self) -> int:
        """How many calls may be in flight now."""
        return self._admission.limit

    @property
    def in_flight(self) -> int:
        """How many requests are under way."""
        return self._admission.in_flight

    @property
    def waiting(self) -> int:
        """How many calls wait for a place."""
        return self._admission.waiting

    @property
    def breaker_state(self) -> str:
        """`closed` (calls go through), `open` (they fail at once) or `half-open` (one goes through, to see)."""
        return self._admission.breaker_state

    @property
    def paused_seconds(self) -> float:
        """How much longer no call is begun, since the provider said so, in seconds."""
        return self._admission.paused_seconds

    @property
    def trouble(self) -> str | None:
        """Why calls fail at present, in one line that may be shown to anybody; None while they succeed.

        It holds neither keys nor the provider's own words, which may quote the content. What was refused for what it asked
        says nothing about the next call, so it is no trouble.
        """
        return self._admission.trouble or self._last_failure

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
        is sent. Raises ModelError; Down, a Busy, without a request where the provider has been failing every call.
        """
        body = json.dumps(self._payload(system, user, max_tokens)).encode()
        call = _Call(job, body, on_call, self._admission.ticket(), asyncio.timeout(None), self._clock())
        try:
            completion = await self._complete(call)
        except ModelError as error:
            self._note_failure(error, call)
            self._log_failure(error, call)
            raise
        self._last_failure = None
        return completion

    async def _complete(self, call: _Call) -> Completion:
        waits = backoff(self._uniform)
        try:
            async with call.total:
                return await with_retries(
                    partial(self._attempt, call), waits, self._budget, sleep=partial(self._back_off, call)
                )
        except TimeoutError:
            raise too_late(self._limits.total, call.asked_wait, call.last_failure) from None
        except Down:
            self.traffic.rejected += call.requests == 0
            raise

    def _note_failure(self, error: ModelError, call: _Call) -> None:
        # What the breaker ended has failed for the reason of its last request; without one it has learnt nothing new.
        kind = call.last_kind if isinstance(error, Down) else error.kind
        if kind and (isinstance(error, Busy) or error.every_call):
            self._last_failure = f"the last call failed at {self._now():%Y-%m-%d %H:%M:%S} UTC: {kind}"

    def _log_failure(self, error: ModelError, call: _Call) -> None:
        """Write one line about a call that has failed for good, without the provider's own words."""
        logger.warning(
            "llm_call_failed",
            extra={
                "failure": str(error.failure),
                "error": error.kind,
                "requests": call.requests,
                "seconds": round(self._clock() - call.began, 3),
            },
        )

    async def _attempt(self, call: _Call) -> Completion:
        async with self._admission.turn(call.job, call.ticket, len(call.body)) as turn:
            # Its time begins with its first place: a call that waits behind others has not been slow.
            if call.total.when() is None:
                call.total.reschedule(asyncio.get_running_loop().time() + self._limits.total)
                self._budget.earn()
            call.on_call()
            self.traffic.sent(is_retry=call.requests > 0)
            call.requests += 1
            call.asked_wait = 0.0
            try:
                completion = await self._post(call, turn)
            except ModelError as error:
                call.last_failure, call.last_kind = str(error), error.kind
                call.asked_wait = getattr(error, "retry_after", None) or 0.0
                granted = min(call.asked_wait, self._limits.retry_after_max)
                self.traffic.failed(error.failure)
                turn.failed(error.failure, error.kind, granted)
                raise
            except asyncio.CancelledError:
                self._cut(call, turn)
                raise
            turn.answered()
            self.traffic.got(completion.prompt_tokens, completion.completion_tokens, completion.cost_usd)
            return completion

    def _cut(self, call: _Call, turn: Turn) -> None:
        """Count a request that was ended from outside: its time was over, or whoever asked has left."""
        if call.total.expired():
            self.traffic.failed(Failure.TIMEOUT)
            turn.failed(Failure.TIMEOUT, "no answer in the time that a call may take")
        else:
            self.traffic.cancelled += 1

    async def _back_off(self, call: _Call, seconds: float) -> None:
        # A wait that ends after the total time is over only delays the answer.
        wait = max(seconds, self._admission.paused_seconds)
        if asyncio.get_running_loop().time() + wait >= (call.total.when() or 0.0):
            raise TimeoutError
        await self._admission.back_off(seconds)

    def _payload(self, system: str, user: str, max_tokens: int) -> dict[str, Any]:
        return {
            "model": self.name,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "max_tokens": max_tokens,
            "temperature": TEMPERATURE,
            "stream": True,
            "stream_options": {"include_usage": True},
        }

    async def _post(self, call: _Call, turn: Turn) -> Completion:
        headers = {
            **self._headers(),
            "Authorization": f"Bearer {self._api_key}",
            "Content-Type": "application/json",
            # Answers are short, and a small compressed body can be a large one.
            "Accept-Encoding": "identity",
        }
        silence = _Silence(self._first_patience(call))
        answer = Answer()
        try:
            async with (
                silence.timeout,
                self._response(call.body, headers) as response,
            ):
                await answer.read(response, partial(self._heard, answer, silence, turn), self._retry_after)
        except ModelError as error:
            error.args = (self._public(str(error)),)
            raise
        except httpx.InvalidURL as wrong:
            message = self._public(f"the model's base URL cannot be called: {wrong}")
            raise Refused(message, every_call=True) from None
        except (TimeoutError, httpx.TransportError) as broken:
            # subtle: where the answer had come whole, and only the end of its stream had not, it counts.
            if answer.finish_reason is None:
                raise self._broken(broken, silence) from None
        return answer.completion()

    @asynccontextmanager
    async def _response(self, body: bytes, headers: Mapping[str, str]) -> AsyncIterator[httpx.Response]:
        response: httpx.Response | None = None
        try:
            async with self._http.stream("POST", self._url, content=body, headers=headers) as response:
                yield response
        finally:
            # httpx's response and its stream hold each other, and what was sent with them: it would wait for the collector.
            if response is not None:
                response.stream = httpx.ByteStream(b"")

    def _first_patience(self, call: _Call) -> float:
        """Return how long a call may be silent before its first word, in seconds: with each retry twice as long.

        As TCP's timer for what was not acknowledged (RFC 6298, 5.5): a provider that has become slower is not given up
        again and again at the pace that it once had.
        """
        most = self._limits.silence
        patience = self._admission.patience(len(call.body), most)
        return min(most, math.ldexp(patience, call.requests - 1))

    def _heard(self, answer: Answer, silence: "_Silence", turn: Turn) -> None:
        if answer.has_begun:
            turn.admitted()
        most = self._limits.silence
        silence.grant(most if answer.finish_reason is None else min(most, LAST_WORDS_SECONDS))

    def _retry_after(self, header: str | None) -> float | None:
        return retry_after_seconds(header, self._now())

    def _broken(self, error: Exception, silence: "_Silence") -> Busy:
        if isinstance(error, TimeoutError):
            return Busy(f"the model was silent for {silence.seconds:g} seconds", failure=Failure.TIMEOUT)
        # A request that h11 will not send is quoted by it, key and all; some other errors have no text of their own.
        text = "" if isinstance(error, httpx.LocalProtocolError) else str(error)
        failure = Failure.TIMEOUT if isinstance(error, httpx.TimeoutException) else Failure.CONNECTION
        message = f"the connection to the model failed: {text or type(error).__name__}"
        return Busy(self._public(message), failure=failure)

    def _public(self, message: str) -> str:
        """Return a message that may be shown: providers like to quote a key they refuse, and some quote at length."""
        message = printable(message)
        if len(self._api_key) >= MIN_SECRET_CHARS:
            message = message.replace(self._api_key, "***")
        return message if len(message) <= MAX_ERROR_CHARS else message[:MAX_ERROR_CHARS] + "…"

    def __repr__(self) -> str:
        return f"<ChatModel {self.name} at {self._url}>"


class _Silence:
    """A timer that starts again at each sign of life."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.timeout = asyncio.timeout(seconds)

    def grant(self, seconds: float) -> None:
        """Bear silence for so long from now on."""
        self.seconds = seconds
        self.timeout.reschedule(asyncio.get_running_loop().time() + seconds)


@asynccontextmanager
async def open_model(config: Config) -> AsyncIterator[ChatModel]:
    """Open the model client and close its connections after."""
    timeout = httpx.Timeout(None, connect=config.llm_connect_timeout_seconds)
    # No limit: how many calls run at once is the model client's to say, and one that waited here would do so unseen.
    connections = httpx.Limits(max_keepalive_connections=config.llm_concurrency_ceiling)
    limits = Limits(
        silence=config.llm_first_byte_timeout_seconds,
        total=config.llm_total_timeout_seconds,
        retry_after_max=config.llm_retry_after_max_seconds,
        concurrency=config.max_concurrent_llm_calls,
        ceiling=config.llm_concurrency_ceiling,
        breaker_failures=config.llm_breaker_failures,
        breaker_seconds=config.llm_breaker_seconds,
    )
    transport = Connections(httpx.AsyncHTTPTransport(limits=connections))
    async with httpx.AsyncClient(timeout=timeout, limits=connections, transport=transport) as http:
        yield ChatModel(
            http,
            config.openrouter_base_url,
            config.llm_model,
            config.openrouter_api_key,
            limits,
            headers=tracing.outgoing_headers,
        )
