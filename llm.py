"""Chat completions over httpx: sends a request, with timeouts, retries and admission control.

A call is one prompt and its answer; a request is what is sent for it. A retry is another request of the same call.

Speaks the OpenAI-compatible API as OpenRouter serves it (https://openrouter.ai/docs/api/reference), streamed, so that
silence is noticed early and a cancelled call stops costing money. Knows nothing of prompts and chunks. Responses are read in
provider/response_reader.py; how long to wait before a retry, and how many all calls may make, is in provider/backoff.py, the number of requests
at once in provider/admission.py. The HTTP client, clocks, sleep and random numbers are arguments.
"""

import asyncio
import json
import logging
import math
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import httpx

from config import Config
from observability import tracing
from provider.admission import Admission, Permit
from provider.backoff import MAX_RETRIES, RetryBudget, backoff, total_timeout_error
from provider.cancel_safe_transport import CancelSafeTransport
from provider.circuit_breaker import CircuitBreaker, CircuitOpen
from provider.concurrency_limit import ConcurrencyLimit
from provider.error_kinds import printable
from provider.model import TEMPERATURE, Completion, JobRequests, ModelError, PermanentError, TransientError
from provider.response_reader import ResponseReader
from provider.usage import Failure, Usage

logger = logging.getLogger(__name__)

# Between an answer's finish_reason and the end of its stream come only its usage and the end marker. They are waited for
# because a connection can be reused only after its stream was read to the end.
END_OF_STREAM_SECONDS = 1.0

MAX_ERROR_CHARS = 300

# A shorter key ("none", "ollama") is a placeholder for a local server: no secret, but perhaps a word in its messages.
MIN_SECRET_CHARS = 8


@dataclass(frozen=True)
class CallLimits:
    """Timeouts in seconds, the initial and highest number of requests at once, and when the circuit breaker opens."""

    silence: float
    total: float
    retry_after_max: float
    concurrency: int
    ceiling: int
    breaker_failures: int
    breaker_seconds: float


@dataclass
class _CallState:
    """The state of one call over all its requests."""

    queued_for: JobRequests
    """The owner of its place in the queue."""
    waiting: list[JobRequests]
    """Of the jobs that wait for its answer now, the first one first."""
    body: bytes
    ticket: int
    """Its position in the fair queue; its retries keep it."""
    total_timeout: asyncio.Timeout
    """Of all its requests together; it starts with the first one."""
    started_at: float
    requests: int = 0
    last_failure: str = ""
    last_kind: str = ""
    """The last failure without the provider's own words."""
    retry_after: float = 0.0
    """The wait that the provider asked for with its last failure, in seconds; 0 while a request is in flight."""


class ChatModel:
    """One API, and the model of jobs that name no other one. Safe for any number of jobs at once."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        url: str,
        name: str,
        api_key: str,
        limits: CallLimits,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        uniform: Callable[[float, float], float] = random.uniform,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
        headers: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        """`headers` is called before each request and returns additional headers."""
        self.name = name
        self.usage = Usage()
        self._http = http
        self._url = f"{url}/chat/completions"
        self._api_key = api_key
        self._limits = limits
        self._uniform, self._now, self._headers = uniform, now, headers
        self._clock = clock
        self._retry_budget = RetryBudget()
        self._last_failure: str | None = None
        self._admission = Admission(
            ConcurrencyLimit(limits.concurrency, limits.ceiling),
            CircuitBreaker(limits.breaker_failures, limits.breaker_seconds, uniform),
            self.usage,
            clock=clock,
            sleep=sleep,
            now=now,
        )

    @property
    def limit(self) -> int:
        """How many requests may be in flight now."""
        return self._admission.limit

    @property
    def expected_concurrency(self) -> int:
        """The present limit or, during slow start, the highest it can reach (LLM_CONCURRENCY_CEILING)."""
        return self._admission.expected_concurrency

    @property
    def in_flight(self) -> int:
        """How many requests are in flight."""
        return self._admission.in_flight

    @property
    def waiting(self) -> int:
        """How many calls wait to send a request."""
        return self._admission.waiting

    @property
    def breaker_state(self) -> str:
        """`closed` (requests go through), `open` (calls fail at once) or `half-open` (one trial request goes through)."""
        return self._admission.breaker_state

    @property
    def paused_seconds(self) -> float:
        """How many seconds remain of the pause that the provider asked for."""
        return self._admission.paused_seconds

    @property
    def trouble(self) -> str | None:
        """Why calls fail at present, in one line that may be shown to anybody; None while they succeed.

        It holds neither keys nor the provider's own words, which may quote the content. A call that was refused for its own
        content does not count: it says nothing about the next one.
        """
        return self._admission.trouble or self._last_failure

    async def complete(
        self, system: str, user: str, max_tokens: int, waiting: list[JobRequests]
    ) -> Completion:
        """Complete one prompt, with retries, within the total timeout.

        `waiting`: the requests of the jobs that wait for the answer, as `Model` says (provider/model.py). Raises ModelError; CircuitOpen, a TransientError,
        without a request if the circuit breaker is open.
        """
        body = json.dumps(self._payload(waiting[0].model or self.name, system, user, max_tokens)).encode()
        ticket = self._admission.ticket()
        call = _CallState(waiting[0], waiting, body, ticket, asyncio.timeout(None), self._clock())
        try:
            completion = await self._complete(call)
        except ModelError as error:
            self._note_failure(error, call)
            self._log_failure(error, call)
            raise
        self._last_failure = None
        return completion

    async def _complete(self, call: _CallState) -> Completion:
        """Attempt a call until it is answered or fails for good, within the total timeout."""
        try:
            async with call.total_timeout:
                return await self._attempt_with_retries(call)
        except TimeoutError:
            raise total_timeout_error(self._limits.total, call.retry_after, call.last_failure) from None
        except CircuitOpen:
            if not call.requests:
                self.usage.count_rejected()
            raise

    async def _attempt_with_retries(self, call: _CallState) -> Completion:
        """Attempt a call until it is answered, with at most MAX_RETRIES retries and within the retry budget; raise the last failure."""
        for wait in islice(backoff(self._uniform), MAX_RETRIES):
            try:
                return await self._attempt(call)
            except CircuitOpen:
                raise
            except TransientError as busy:
                if not self._retry_budget.spend():
                    logger.info("llm_retry_denied", extra={"error": busy.kind})
                    raise
                logger.info("llm_retry", extra={"wait_seconds": round(wait, 2), "error": busy.kind})
            await self._back_off(call, wait)
        return await self._attempt(call)

    def _note_failure(self, error: ModelError, call: _CallState) -> None:
        # A call that the circuit breaker ended failed for the reason of its last request; without one there is no news.
        kind = call.last_kind if isinstance(error, CircuitOpen) else error.kind
        if kind and (isinstance(error, TransientError) or error.every_call):
            self._last_failure = f"the last call failed at {self._now():%Y-%m-%d %H:%M:%S} UTC: {kind}"

    def _log_failure(self, error: ModelError, call: _CallState) -> None:
        """Log a call that has failed for good, without the provider's own words."""
        logger.warning(
            "llm_call_failed",
            extra={
                "failure": str(error.failure),
                "error": error.kind,
                "requests": call.requests,
                "seconds": round(self._clock() - call.started_at, 3),
            },
        )

    async def _attempt(self, call: _CallState) -> Completion:
        """Wait for a permit, send one request, and report how it went."""
        async with self._admission.permit(call.queued_for, call.ticket, len(call.body)) as permit:
            # The total timeout starts with the first permit: waiting in the queue is not the provider's slowness.
            if call.total_timeout.when() is None:
                call.total_timeout.reschedule(asyncio.get_running_loop().time() + self._limits.total)
                self._retry_budget.earn()
            for job_requests in call.waiting[:1]:
                job_requests.count_request()
            self.usage.count_request(is_retry=call.requests > 0)
            call.requests += 1
            call.retry_after = 0.0
            try:
                completion = await self._post(call, permit)
            except ModelError as error:
                call.last_failure, call.last_kind = str(error), error.kind
                call.retry_after = getattr(error, "retry_after", None) or 0.0
                pause = min(call.retry_after, self._limits.retry_after_max)
                self.usage.count_failure(error.failure)
                permit.on_failure(error.failure, error.kind, pause)
                raise
            except asyncio.CancelledError:
                self._on_cancelled(call, permit)
                raise
            permit.on_success()
            self.usage.count_answer(
                completion.prompt_tokens, completion.completion_tokens, completion.cost_usd
            )
            return completion

    def _on_cancelled(self, call: _CallState, permit: Permit) -> None:
        """Count a request that was cancelled: by the total timeout, or by the caller."""
        if call.total_timeout.expired():
            self.usage.count_failure(Failure.TIMEOUT)
            permit.on_failure(Failure.TIMEOUT, "no answer in the time that a call may take")
        else:
            self.usage.count_cancelled()

    async def _back_off(self, call: _CallState, seconds: float) -> None:
        # A wait that would end after the total timeout only delays the error.
        wait = max(seconds, self._admission.paused_seconds)
        if asyncio.get_running_loop().time() + wait >= (call.total_timeout.when() or 0.0):
            raise TimeoutError
        await self._admission.back_off(seconds)

    def _payload(self, model: str, system: str, user: str, max_tokens: int) -> dict[str, Any]:
        return {
            "model": model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "max_tokens": max_tokens,
            "temperature": TEMPERATURE,
            "stream": True,
            "stream_options": {"include_usage": True},
        }

    async def _post(self, call: _CallState, permit: Permit) -> Completion:
        """Send one request and read its response. Raises ModelError."""
        headers = {
            **self._headers(),
            "Authorization": f"Bearer {self._api_key}",
            "Content-Type": "application/json",
            # Answers are short, and a small compressed body can inflate to a large one.
            "Accept-Encoding": "identity",
        }
        longest = self._limits.silence
        silence = _SilenceTimer(self._first_token_timeout(call))
        reader = ResponseReader()
        try:
            async with (
                silence.timeout,
                self._response(call.body, headers) as response,
            ):
                async for _ in reader.events(response, self._now()):
                    if reader.has_begun:
                        permit.on_first_token()
                    is_over = reader.finish_reason is not None
                    silence.restart(min(longest, END_OF_STREAM_SECONDS) if is_over else longest)
        except ModelError as error:
            error.args = (self._public(str(error)),)
            raise
        except httpx.InvalidURL as wrong:
            message = self._public(f"the model's base URL cannot be called: {wrong}")
            raise PermanentError(message, every_call=True) from None
        # UnicodeError: idna's, for a redirect to a host that is no name.
        except (TimeoutError, httpx.TransportError, UnicodeError) as error:
            # subtle: if the answer was complete and only the end of its stream was missing, it counts.
            if reader.finish_reason is None:
                raise self._connection_error(error, silence) from None
        return reader.completion()

    @asynccontextmanager
    async def _response(self, body: bytes, headers: Mapping[str, str]) -> AsyncIterator[httpx.Response]:
        response: httpx.Response | None = None
        try:
            async with self._http.stream("POST", self._url, content=body, headers=headers) as response:
                yield response
        finally:
            # httpx's response and its stream refer to each other, and to the request's body: break the cycle, or all of it
            # stays until the garbage collector runs.
            if response is not None:
                response.stream = httpx.ByteStream(b"")

    def _first_token_timeout(self, call: _CallState) -> float:
        """Return how many seconds a request may be silent before its first token: doubled with each retry.

        As TCP's retransmission timer (RFC 6298, 5.5): a provider that has become slower does not time out again and again
        at its former speed.
        """
        most = self._limits.silence
        seconds = self._admission.first_token_timeout(len(call.body), most)
        return min(most, math.ldexp(seconds, call.requests - 1))

    def _connection_error(self, error: Exception, silence: "_SilenceTimer") -> TransientError:
        if isinstance(error, TimeoutError):
            return TransientError(
                f"the model was silent for {silence.seconds:g} seconds", failure=Failure.TIMEOUT
            )
        # h11 quotes a request that it refuses to send, with the API key; some other errors have an empty text.
        text = "" if isinstance(error, httpx.LocalProtocolError) else str(error)
        failure = Failure.TIMEOUT if isinstance(error, httpx.TimeoutException) else Failure.CONNECTION
        message = f"the connection to the model failed: {text or type(error).__name__} (OPENROUTER_BASE_URL)"
        return TransientError(self._public(message), failure=failure)

    def _public(self, message: str) -> str:
        """Return a message without the API key and not too long: some providers quote a key they refuse, or whole pages."""
        message = printable(message)
        if len(self._api_key) >= MIN_SECRET_CHARS:
            message = message.replace(self._api_key, "***")
        return message if len(message) <= MAX_ERROR_CHARS else message[:MAX_ERROR_CHARS] + "…"

    def __repr__(self) -> str:
        return f"<ChatModel {self.name} at {self._url}>"


class _SilenceTimer:
    """An inactivity timeout: it restarts whenever the provider sends something."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.timeout = asyncio.timeout(seconds)

    def restart(self, seconds: float) -> None:
        """Expire after this many seconds from now."""
        self.seconds = seconds
        self.timeout.reschedule(asyncio.get_running_loop().time() + seconds)


@asynccontextmanager
async def open_model(config: Config) -> AsyncIterator[ChatModel | None]:
    """Open the model client, if a key is set; close its connections at the end of the block."""
    if not config.openrouter_api_key:
        yield None
        return
    timeout = httpx.Timeout(None, connect=config.llm_connect_timeout_seconds)
    # No connection limit: admission control limits the requests, and a wait in the pool would not show in the metrics.
    connections = httpx.Limits(max_keepalive_connections=config.llm_concurrency_ceiling)
    limits = CallLimits(
        silence=config.llm_first_byte_timeout_seconds,
        total=config.llm_total_timeout_seconds,
        retry_after_max=config.llm_retry_after_max_seconds,
        concurrency=config.max_concurrent_llm_calls,
        ceiling=config.llm_concurrency_ceiling,
        breaker_failures=config.llm_breaker_failures,
        breaker_seconds=config.llm_breaker_seconds,
    )
    transport = CancelSafeTransport(httpx.AsyncHTTPTransport(limits=connections))
    async with httpx.AsyncClient(timeout=timeout, limits=connections, transport=transport) as http:
        yield ChatModel(
            http,
            config.openrouter_base_url,
            config.llm_model,
            config.openrouter_api_key,
            limits,
            headers=tracing.outgoing_headers,
        )
