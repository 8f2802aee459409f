"""The parts of the service as tests put them together: real ones, only the waits and the dice are given.

Plain functions and context managers, so that a test says in its own lines what it runs against.
"""

import asyncio
import logging
import re
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

import httpx
from aiohttp import web

from concurrency.worker_threads import open_worker
from llm import CallLimits, ChatModel
from provider.model import Completion, JobRequests, Model
from provider.usage import Usage
from summarizer import Settings, Summarizer
from summarizing.job import Request
from summarizing.offload import THREADS, Offload
from summarizing.outcome import Summary
from summarizing.prompt_templates import Prompts
from summarizing.query import Query
from summarizing.text.tokenizer import Tokenizer, load_tokenizer, read_vocabulary
from tests.support.stand_in import Answer, Call, Chooser, ConnectionAborted, StandIn
from tests.support.stand_in_answers import TextAnswer

KEY = "sk-or-v1-0123456789abcdef"
NOW = datetime(2026, 7, 1, 12, 0, 0, tzinfo=UTC)

# Long enough to be no matter, for tests in which nobody is silent; five calls at once, and no breaker that opens.
PATIENT = CallLimits(
    silence=20.0,
    total=60.0,
    retry_after_max=20.0,
    concurrency=5,
    ceiling=5,
    breaker_failures=1_000,
    breaker_seconds=5.0,
)
# For tests in which a model is silent again and again, and only that counts.
ENDLESS = replace(PATIENT, total=1_000.0)


@cache
def the_tokenizer() -> Tokenizer:
    return load_tokenizer(read_vocabulary())


@dataclass
class Nap:
    """A sleep that takes no time and remembers what was asked of it."""

    slept: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


@asynccontextmanager
async def a_model(
    url: str,
    *,
    limits: CallLimits = PATIENT,
    nap: Callable[[float], Awaitable[None]] | None = None,
    key: str = KEY,
    uniform: Callable[[float, float], float] = max,
    **options: Any,
) -> AsyncIterator[ChatModel]:
    """Open a model whose waits are the longest that the dice allow, if not given others: 0.5, 1 and 2 seconds."""
    # No TLS here, and loading the certificates for it would be most of the time these tests take.
    async with httpx.AsyncClient(
        trust_env=False,
        verify=False,
        timeout=httpx.Timeout(None, connect=5.0),
        limits=httpx.Limits(max_connections=limits.ceiling),
    ) as http:
        yield ChatModel(
            http,
            url,
            "test/model",
            key,
            limits,
            sleep=nap or Nap(),
            uniform=uniform,
            now=lambda: NOW,
            **options,
        )


class NamedJob(JobRequests):
    """A job by its name: those with the same one are the same job. `on_request` is called before each of its requests."""

    def __init__(self, name: Hashable, on_request: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self.name, self.on_request = name, on_request

    def count_request(self) -> None:
        super().count_request()
        self.on_request()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedJob) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


async def complete(
    model: ChatModel, job: Hashable = "job", on_request: Callable[[], None] = lambda: None
) -> Completion:
    """Have a model complete a short prompt, for a job."""
    return await model.complete("Be brief.", "One two. Three.", 50, [NamedJob(job, on_request)])


@asynccontextmanager
async def a_summarizer(
    url: str | None,
    *,
    chunk_size: int = 1_000,
    overlap: int = 100,
    context: int = 128_000,
    on_failure: str = "original",
    drops_suspicious: bool = False,
    limits: CallLimits = PATIENT,
    nap: Nap | None = None,
    before: Callable[[ChatModel], Model] = lambda model: model,
) -> AsyncIterator[Summarizer]:
    """Open a summarizer over the model at `url`, or without one; `before` puts something before the model."""
    settings = Settings(chunk_size, overlap, 800, context, on_failure, drops_suspicious=drops_suspicious)
    async with open_worker(THREADS) as worker, a_model(url or "", limits=limits, nap=nap) as model:
        yield Summarizer(
            settings=settings,
            tokenizer=the_tokenizer(),
            prompts=Prompts.load(),
            model=before(model) if url else None,
            offload=Offload(worker),
            clock=time.monotonic,
        )


@dataclass
class Run:
    """What one call gave, and what the stand-in saw of it."""

    summary: Summary
    server: StandIn
    progress: list[tuple[int, int, str]]
    nap: Nap
    usage: Usage

    @property
    def prompts(self) -> list[tuple[str, str]]:
        """System and user message of each request."""
        return [(p["messages"][0]["content"], p["messages"][1]["content"]) for p in self.server.payloads]


async def summarize(
    script: list[Answer] | Chooser | Answer,
    content: str,
    *,
    target: int = 800,
    query: Query | None = None,
    strategy: str = "semantic",
    progress: list[tuple[int, int, str]] | None = None,
    **options: Any,
) -> Run:
    """Summarize one text against a stand-in with a script; `progress` is where the steps are put, to be seen meanwhile."""
    progress = [] if progress is None else progress
    nap = Nap()
    usage: list[Usage] = []

    def opened(model: ChatModel) -> Model:
        usage.append(model.usage)
        return model

    answers = script if isinstance(script, list) or not hasattr(script, "give") else [script]
    async with (
        StandIn(answers) as server,
        a_summarizer(server.base_url, nap=nap, before=opened, **options) as summarizer,
    ):
        request = Request(content, target, query or Query(), strategy)
        summary = await summarizer.summarize(request, lambda *step: progress.append(step))
    return Run(summary, server, progress, nap, usage[0])


@contextmanager
def a_closed_port() -> Iterator[str]:
    """Give the URL of an API where nobody listens: bound, so that nobody else takes it, and not listening."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{closed.getsockname()[1]}/api/v1"


@contextmanager
def logged(event: str) -> Iterator[asyncio.Event]:
    """Give what is set as soon as the service logs an event."""
    seen = asyncio.Event()

    class Watch(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.getMessage() == event:
                seen.set()

    watch = Watch()
    logging.getLogger().addHandler(watch)
    try:
        yield seen
    finally:
        logging.getLogger().removeHandler(watch)


# --- More answers ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Body:
    """Any body with any status, byte for byte."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)

    async def give(self, call: Call) -> web.StreamResponse:
        return web.Response(
            status=self.status, body=self.body, content_type=self.content_type, headers=self.headers
        )


@dataclass(frozen=True)
class Events:
    """A stream of bytes as given, and then: `ends`, `hangs` or `resets`."""

    parts: tuple[bytes, ...]
    then: str = "ends"

    async def give(self, call: Call) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
        await response.prepare(call.request)
        for part in self.parts:
            await response.write(part)
        if self.then == "hangs":
            await asyncio.Event().wait()
        if self.then == "resets":
            raise ConnectionAborted
        return response


# --- Texts -----------------------------------------------------------------------------------------------------

_SENTENCE = "The keeper of house {n} in {town} noted on day {day} that {count} barrels of lamp oil were moved to the north pier. "
_TOWNS = ("Emberwick", "Saltmere", "Coldharbour", "Vennholm", "Tarrow")


def prose(paragraphs: int, sentences: int = 6) -> str:
    """English text; each paragraph of six sentences has about 170 tokens, each sentence is another."""
    return "\n\n".join(
        "".join(
            _SENTENCE.format(n=p, town=_TOWNS[p % 5], day=s + 1, count=p * 31 + s * 7)
            for s in range(sentences)
        ).strip()
        for p in range(paragraphs)
    )


def count(text: str) -> int:
    return the_tokenizer().count(text)


# --- A model that keeps to what it is told ---------------------------------------------------------------------

_LENGTH = re.compile(r"at most (\d+) (words|characters)\.\s*\Z")
_MARKED = re.compile(r"(?s)(=====TEXT \w+=====)\n(.*)\n\1")


def length_asked(prompt: str) -> tuple[int, str]:
    """Return the length that a user message asks for, and its unit."""
    found = _LENGTH.search(prompt)
    assert found is not None, prompt[-200:]
    return int(found[1]), found[2]


def marked(prompt: str) -> str:
    """Return what stands between the markers of a user message."""
    found = _MARKED.search(prompt)
    assert found is not None, prompt[:200]
    return found[2]


@dataclass(frozen=True)
class KeepsToLength(TextAnswer):
    """Copies the start of the text, exactly as much as it was allowed, times `factor`."""

    factor: float = 1.0

    def text_for(self, call: Call) -> str:
        amount, unit = length_asked(call.content)
        amount, text = round(amount * self.factor), marked(call.content)
        return " ".join(text.split()[:amount]) if unit == "words" else text[:amount]
