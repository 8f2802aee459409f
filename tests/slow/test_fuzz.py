"""Whatever is sent: an answer of JSON-RPC or a plain refusal, in under a second of the processor, and the next request is served.

More than 20,000 inputs, each run the same. FUZZ_SEED=anything sends others: to look for more than CI has time for. A failure
prints what was sent, to be sent again with `exchanged`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

import httpx
import pytest
from aiohttp import http_exceptions, web
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from summarizing.text.tokenizer import Tokenizer
from tests.support.fuzzing.inputs import TASK_ID, Input, Pairs
from tests.support.fuzzing.json_trees import tree
from tests.support.fuzzing.misframed_http import misframed
from tests.support.fuzzing.real_requests import LOGGING, LONG_CONTENT, TASKS, USUAL, Request
from tests.support.fuzzing.spoilt_http import body_of, framed, keyless, mutated
from tests.support.fuzzing.spoilt_json import METHODS, NAMES
from tests.support.laws import scaled
from tests.support.messages import (
    LEGACY,
    META_CAPABILITIES,
    META_VERSION,
    MODERN,
    call,
    legacy,
    modern,
    routing,
)
from tests.support.response_judge import STREAM, Answer, judge, judge_without_key, read_answer
from tests.support.service import PATIENCE_S, running

# Each sends more in `make test-all`.
pytestmark = pytest.mark.thorough

SEED = os.environ.get("FUZZ_SEED", "")

# Of the processor, for an answer and all that is worked on meanwhile: a busy machine makes nothing of it longer.
LIMIT_S = 1.0

# Of requests in flight at once; the service works on 64.
LANES = 16
MANY_LANES = 48

# What is cut off in its body is given up after BODY_TIMEOUT_S; after QUIET_S without a byte no answer comes any more.
BODY_TIMEOUT_S = 0.2
QUIET_S = 0.4

KEY = "fuzz-key-0123456789abcdef"
MODEL_KEY = "model-key-0123456789abcdef"

SETTINGS = {"TASK_CONTENT_CHARS": str(len(LONG_CONTENT) // 2)}

Judge = Callable[[Input, Answer], None]


# --- Sending ---------------------------------------------------------------------------------------------------


@dataclass
class Connection:
    """A connection to the service."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    used: bool = False

    @classmethod
    async def open(cls, host: str, port: int) -> Connection:
        return cls(*await asyncio.open_connection(host, port, limit=4 * 1024 * 1024))

    async def close(self) -> None:
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()


async def exchanged(
    connection: Connection, sent: Input, clock: Callable[[], float] = time.process_time
) -> tuple[list[Answer], float]:
    """Send an input; return what comes back, as much as is due, and how many seconds of a clock that took.

    Where nobody can tell what is due, it is what comes until nothing more does.
    """
    answers: list[Answer] = []
    began = ended = clock()
    with suppress(ConnectionError):  # it may be refused, and the connection closed, before all of it is sent
        connection.writer.write(sent.wire)
        if sent.due == 0:
            connection.writer.write_eof()
    quiet = QUIET_S if sent.due is None else PATIENCE_S
    try:
        while sent.due is None or len(answers) < max(sent.due, 1):
            async with asyncio.timeout(quiet):
                answers.append(await read_answer(connection.reader, sent.method))
            ended = clock()
            if not answers[-1].keeps:
                break
    except TimeoutError:
        assert sent.due is None, f"silence for {PATIENCE_S} s"
    except (asyncio.IncompleteReadError, ConnectionError) as end:
        if partial_answer := getattr(end, "partial", b""):
            raise AssertionError(f"half an answer: {partial_answer!r}") from end
        ended = clock()
    return answers, ended - began


@dataclass
class Fuzz:
    """A service under fire: the problems that came up, and how much was sent."""

    host: str
    port: int
    judge: Judge = judge
    headers: Pairs = ()
    """What a good request needs."""
    lanes: int = LANES
    clock: Callable[[], float] = time.process_time
    """The processor time of the service's process."""
    count: int = 0
    task: str = TASK_ID
    again: int = 0
    tasks: bool = True
    """Whether a task is started for the inputs to ask about."""
    outcomes: set[str] = field(default_factory=set)

    async def batch(self, inputs: Sequence[Input]) -> None:
        """Send inputs, several at once; a problem fails the test with what was sent. The service serves on after that."""
        if self.tasks:
            await self._start_task()
        waiting = iter(inputs)
        problems: list[str] = []

        async def lane() -> None:
            kept: Connection | None = None
            for sent in waiting:
                try:
                    kept = await self._sent(sent.with_task(self.task), kept)
                except AssertionError as problem:
                    kept = None
                    problems.append(f"{problem}\n  sent: {sent.wire!r}")
            if kept:
                await kept.close()

        await asyncio.gather(*(lane() for _ in range(self.lanes)))
        self.count += len(inputs)
        assert not problems, f"{len(problems)} of {len(inputs)}:\n" + "\n".join(problems[:5])
        await self.ping()

    async def ping(self) -> None:
        request = Request(tree(legacy("ping")), USUAL + self.headers)
        answer = await self._good(request)
        assert json.loads(answer.body) == {"jsonrpc": "2.0", "id": 1, "result": {}}

    async def _start_task(self) -> None:
        """Start a task for the inputs to ask about; its id is random, and no input depends on it."""
        message = modern(
            "tools/call",
            call(content=LONG_CONTENT, max_output_tokens=30),
            **TASKS,
        )
        headers = tuple((name.encode(), value.encode()) for name, value in routing(message).items())
        answer = await self._good(Request(tree(message), USUAL + self.headers + headers))
        self.task = json.loads(answer.body)["result"].get("taskId", TASK_ID)  # none where the store is full
        assert len(self.task) == len(TASK_ID)

    async def _good(self, request: Request) -> Answer:
        sent = framed(request, body_of(request.message, Random(0)))
        connection = await Connection.open(self.host, self.port)
        async with asyncio.timeout(PATIENCE_S):
            (answer,), _ = await exchanged(connection, sent)
        await connection.close()
        assert answer.status == 200, answer
        return answer

    async def _sent(self, sent: Input, kept: Connection | None) -> Connection | None:
        """Send an input, judge what comes; return the connection where it can be used again."""
        connection = kept if kept and sent.framed else await Connection.open(self.host, self.port)
        if kept and connection is not kept:
            await kept.close()
        try:
            answers, took = await exchanged(connection, sent, self.clock)
            # RFC 9112, 9.3.1: a kept connection may close at any time, as after a refusal whose body turns out broken. The same
            # input has a second chance then.
            if connection is kept and not answers:
                self.again += 1
                await connection.close()
                connection = await Connection.open(self.host, self.port)
                answers, took = await exchanged(connection, sent, self.clock)
            self._judge(sent, answers, took)
        except BaseException:
            await connection.close()
            raise
        if sent.framed and answers[-1].keeps:
            return connection
        await connection.close()
        return None

    def _judge(self, sent: Input, answers: list[Answer], took: float) -> None:
        assert took < LIMIT_S, f"{took:.1f} s of the processor"
        if sent.due:
            closed = bool(answers) and not answers[-1].keeps
            assert len(answers) == sent.due or closed, f"{len(answers)} answers, {sent.due} are due"
        for answer in answers:
            self.outcomes.add(outcome_of(answer))
            try:
                self.judge(sent, answer)
            except (AssertionError, LookupError, ValueError) as problem:
                raise AssertionError(f"{problem!r}\n  answer: {answer.head + answer.body!r}") from problem


def outcome_of(answer: Answer) -> str:
    if answer.content_type != STREAM:
        return str(answer.status)
    return "a stream that stays open" if answer.open else "a stream that ends"


class Faults(logging.Handler):
    """What the service logs as a fault of its own; what it says of bytes that are not HTTP is none."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        problem = record.exc_info[1] if record.exc_info else None
        if not isinstance(problem, http_exceptions.HttpProcessingError | web.RequestPayloadError):
            self.records.append(f"{record.getMessage()}: {problem!r}")


@contextmanager
def faults() -> Iterator[Faults]:
    handler = Faults()
    # The library logs a traceback for each line that is no HTTP: thousands, and no other handler needs them.
    library = logging.getLogger("aiohttp.server")
    logging.getLogger().addHandler(handler)
    library.addHandler(handler)
    library.propagate = False
    try:
        yield handler
    finally:
        library.propagate = True
        library.removeHandler(handler)
        logging.getLogger().removeHandler(handler)


@contextmanager
def in_process(
    tokenizer: Tokenizer, fuzz: Callable[[str, int], Fuzz], **more: str
) -> Iterator[tuple[Fuzz, Any]]:
    """Run the service in this process, and say what it logged as faults."""
    with asyncio.Runner() as runner, faults() as seen:
        stack = AsyncExitStack()
        service = runner.run(stack.enter_async_context(running(tokenizer, {**SETTINGS, **more})))
        url = httpx.URL(service.origin)
        try:
            yield fuzz(url.host, url.port or 0), runner.run
        finally:
            runner.run(stack.aclose())
        assert not seen.records, "\n".join(seen.records[:10])


def seeded(salt: str, make: Callable[[Random], Input], size: int) -> Callable[[int], list[Input]]:
    """Return what makes a batch of inputs from a seed."""

    def batch(seed: int) -> list[Input]:
        random = Random(f"{SEED} {salt} {seed}")
        return [make(random) for _ in range(size)]

    return batch


SEEDS = st.integers(0, 2**64)


def every(batches: Any, examples: int, send: Callable[[Any], None]) -> None:
    """Send so many batches."""

    @settings(
        max_examples=scaled(examples),
        derandomize=not SEED,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(batches)
    def run(batch: Any) -> None:
        send(batch)

    run()


# --- Requests that hypothesis makes up -------------------------------------------------------------------------

TEXTS = st.text(st.characters(), max_size=20)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | TEXTS
    | st.sampled_from([MODERN, *LEGACY, "2.0"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(TEXTS | st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=4,
)
METAS = st.dictionaries(
    st.sampled_from([META_VERSION, META_CAPABILITIES, "progressToken", *LOGGING]),
    st.sampled_from([MODERN, {}, {"extensions": {}}, "debug", 1]) | VALUES,
    max_size=3,
)
PARAMETERS = st.dictionaries(
    st.sampled_from(NAMES), st.sampled_from(["summarize", {"content": "short"}]) | VALUES, max_size=3
)


@st.composite
def made_up(draw: st.DrawFn) -> Input:
    """Draw a request whose parts are each right or anything."""
    method = draw(st.sampled_from(METHODS) | TEXTS)
    message: Any = {"jsonrpc": "2.0", "id": draw(st.integers() | TEXTS), "method": method}
    message["params"] = {**draw(PARAMETERS), "_meta": draw(METAS)}
    for name in draw(st.sets(st.sampled_from(["jsonrpc", "id", "method", "params", "_meta"]), max_size=2)):
        holder = message["params"] if name == "_meta" and isinstance(message["params"], dict) else message
        holder[name] = draw(VALUES)
    if draw(st.booleans()):
        named = json.dumps(message["params"].get("name", "x") if isinstance(message["params"], dict) else "x")
        version = draw(st.sampled_from([MODERN, *LEGACY, "v9"])).encode()
        more: Pairs = ((b"Mcp-Protocol-Version", version), (b"Mcp-Method", printable(method)))
        headers = (*USUAL, *more, (b"Mcp-Name", printable(named.strip('"'))))
    else:
        headers = USUAL
    value = draw(st.just(message) | st.lists(st.just(message), max_size=3) | VALUES)
    return framed(
        Request(None, headers),
        json.dumps(value, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass"),
    )


def printable(text: Any) -> bytes:
    return "".join(each for each in str(text) if each.isprintable()).encode("utf-8", "surrogatepass")


# --- Tests -----------------------------------------------------------------------------------------------------

# How many inputs each test sends at least.
HERE, MADE_UP, MISFRAMED, ELSEWHERE, MISFRAMED_ELSEWHERE, KEYLESS = 4_000, 600, 2_100, 12_000, 1_500, 2_400

# A fuzzer that only ever gets refusals finds nothing: all of this must come up.
OUTCOMES = {"200", "202", "204", "400", "403", "404", "405", "406", "415", "421"}
STREAMS = {"a stream that ends", "a stream that stays open"}


def test_a_real_request_with_mistakes_in_it_is_answered_or_refused(tokenizer: Tokenizer) -> None:
    make = seeded("here", mutated, 100)
    with in_process(tokenizer, Fuzz) as (fuzz, run):
        every(SEEDS, HERE // 100, lambda seed: run(fuzz.batch(make(seed))))
    assert fuzz.count >= 100 * scaled(HERE // 100)
    assert fuzz.outcomes >= OUTCOMES | STREAMS


def test_a_made_up_request_is_answered_or_refused(tokenizer: Tokenizer) -> None:
    with in_process(tokenizer, Fuzz) as (fuzz, run):
        batches = st.lists(made_up(), min_size=20, max_size=20)
        every(batches, MADE_UP // 20, lambda batch: run(fuzz.batch(batch)))
    assert fuzz.count >= 20 * scaled(MADE_UP // 20)


def test_what_is_no_http_or_half_of_it_is_answered_or_refused(tokenizer: Tokenizer) -> None:
    make = seeded("here", misframed, 100)
    settings = {"BODY_TIMEOUT_SECONDS": str(BODY_TIMEOUT_S)}
    with in_process(tokenizer, partial(Fuzz, lanes=MANY_LANES), **settings) as (fuzz, run):
        every(SEEDS, MISFRAMED // 100, lambda seed: run(fuzz.batch(make(seed))))
    assert fuzz.count >= 100 * scaled(MISFRAMED // 100)
    assert fuzz.outcomes >= {"200", "202", "400", "408", "413", "417"}


def test_without_a_key_nothing_gets_past_401(tokenizer: Tokenizer) -> None:
    make = seeded("here", lambda random: keyless(random, KEY.encode()), 100)
    judged = partial(judge_without_key, secrets=(KEY, MODEL_KEY))
    authorized = ((b"Authorization", b"Bearer " + KEY.encode()),)
    fuzz_of = partial(Fuzz, judge=judged, headers=authorized, tasks=False)
    with in_process(tokenizer, fuzz_of, MCP_SUMMARIZER_API_KEYS=KEY, OPENROUTER_API_KEY=MODEL_KEY) as (
        fuzz,
        run,
    ):
        every(SEEDS, KEYLESS // 100, lambda seed: run(fuzz.batch(make(seed))))
    assert fuzz.count >= 100 * scaled(KEYLESS // 100)
    assert fuzz.outcomes >= {"204", "400", "401", "403"}
