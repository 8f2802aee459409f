"""Vectors from an OpenAI-compatible server, over a real socket."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrency.worker_threads import open_worker
from summarizing.offload import SHORT_CHARS, Offload
from tests.support.embedding_server import DIMENSION, EmbeddingStandIn, word_vector
from tests.support.manual_time import LetPass, until
from web_tools import embeddings
from web_tools.embeddings import (
    MIN_PIECE_CHARS,
    MOST_SHORTENINGS,
    PAUSE_SECONDS,
    Embeddings,
    EmbeddingServer,
    EmbeddingsFailed,
    mean_of,
    open_embeddings,
    pieces_of,
    read_vectors,
)
from web_tools.request_slots import RequestSlots
from web_tools.text_work import TextWork

KEY = "sk-a-key-that-nobody-may-see"


@dataclass
class Waits:
    """Notes how long was to be waited, and does not wait; its clock stands still until it is moved."""

    seconds: list[float] = field(default_factory=list)
    now: float = 0.0

    async def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)

    def clock(self) -> float:
        return self.now


@asynccontextmanager
async def client_of(
    server: EmbeddingStandIn | str, waits: Waits | None = None, *, places: int = 2
) -> AsyncIterator[Embeddings]:
    url = server if isinstance(server, str) else server.url
    waits = waits or Waits()
    async with httpx.AsyncClient() as http, open_worker(threads=1) as worker:
        yield Embeddings(
            http,
            EmbeddingServer(url, "words-32", KEY, timeout_ms=20_000),
            RequestSlots(places, 20_000),
            TextWork(Offload(worker)),
            sleep=waits.sleep,
            uniform=lambda low, high: high,
            clock=waits.clock,
        )


@pytest.mark.parametrize("speaks_base64", [True, False])
async def test_each_text_has_its_vector_although_the_server_answers_in_another_order(
    *, speaks_base64: bool
) -> None:
    texts = [f"text {number}" for number in range(70)]
    async with EmbeddingStandIn(speaks_base64=speaks_base64) as server, client_of(server) as client:
        vectors = await client.embed(texts)
    assert [list(vector) for vector in vectors] == [word_vector(text) for text in texts]


async def test_texts_are_sent_in_batches_of_32_with_the_model_and_the_key() -> None:
    async with EmbeddingStandIn() as server, client_of(server, places=1) as client:
        await client.embed([f"text {number}" for number in range(70)])
        await client.embed([])
    assert server.log == ["32 > 200", "32 > 200", "6 > 200"]
    assert {payload["model"] for payload in server.payloads} == {"words-32"}
    assert {headers["Authorization"] for headers in server.headers} == {f"Bearer {KEY}"}


async def test_batches_of_all_callers_together_keep_to_the_limit() -> None:
    async with EmbeddingStandIn() as server, client_of(server, places=2) as client:
        await asyncio.gather(*(client.embed(["text"] * 100) for _ in range(3)))
    assert len(server.log) == 12
    assert server.most_in_flight == 2


@pytest.mark.parametrize("status", [500, 502, 503, 529])
async def test_a_server_error_is_tried_once_more(status: int) -> None:
    waits = Waits()
    async with EmbeddingStandIn([status]) as server, client_of(server, waits) as client:
        assert len(await client.embed(["text"])) == 1
    assert server.log == [f"1 > {status}", "1 > 200"]
    assert waits.seconds == [0.5]


async def test_a_second_server_error_is_the_callers() -> None:
    async with EmbeddingStandIn([503, 503]) as server, client_of(server) as client:
        with pytest.raises(EmbeddingsFailed, match="the embedding server answered 503"):
            await client.embed(["text"])
    assert server.log == ["1 > 503", "1 > 503"]


@pytest.mark.parametrize(
    "status, hint",
    [
        (429, "answered 429"),
        (400, "answered 400"),
        (401, "check EMBEDDING_SERVER_API_KEY"),
        (403, "check EMBEDDING_SERVER_API_KEY"),
        (404, "check EMBEDDING_SERVER_URL and EMBEDDING_MODEL_NAME"),
    ],
)
async def test_other_errors_are_not_tried_again_and_show_no_key(status: int, hint: str) -> None:
    async with EmbeddingStandIn([status]) as server, client_of(server) as client:
        with pytest.raises(EmbeddingsFailed) as caught:
            await client.embed(["text"])
        assert KEY not in repr(client)
    assert server.log == [f"1 > {status}"]
    assert hint in str(caught.value)
    assert "Bearer ***" in str(caught.value)
    assert KEY not in str(caught.value)
    assert "***" not in caught.value.kind


async def test_of_several_batches_one_that_fails_fails_them_all() -> None:
    async with EmbeddingStandIn([200, 429]) as server, client_of(server) as client:
        with pytest.raises(EmbeddingsFailed, match="answered 429"):
            await client.embed(["text"] * 100)


async def test_a_server_that_is_gone_is_named_by_its_setting() -> None:
    async with EmbeddingStandIn() as server:
        url = server.url
    async with client_of(url) as client:
        with pytest.raises(EmbeddingsFailed, match="cannot be reached \\(check EMBEDDING_SERVER_URL\\)"):
            await client.embed(["text"])


async def test_a_key_that_cannot_be_sent_is_not_shown() -> None:
    async with httpx.AsyncClient() as http, open_worker(threads=1) as worker, EmbeddingStandIn() as server:
        odd = EmbeddingServer(server.url, "words-32", "a key\nwith a line end", timeout_ms=20_000)
        client = Embeddings(http, odd, RequestSlots(1, 20_000), TextWork(Offload(worker)))
        with pytest.raises(EmbeddingsFailed) as caught:
            await client.embed(["text"])
    assert "line end" not in str(caught.value)


async def test_after_a_timeout_the_server_is_left_alone_for_a_while(let_only_this_pass: LetPass) -> None:
    waits = Waits()
    async with EmbeddingStandIn(is_silent=True) as server, client_of(server, waits) as client:
        in_vain = asyncio.create_task(client.embed(["text"]))
        await until(lambda: server.in_flight == 1, "the request")
        let_only_this_pass(21.0)
        with pytest.raises(EmbeddingsFailed, match=r"no answer within 20000 ms \(REQUEST_TIMEOUT_MS\)$"):
            await in_vain
        server.is_silent = False
        waits.now = PAUSE_SECONDS - 0.5
        with pytest.raises(EmbeddingsFailed, match="is left alone for 30 seconds"):
            await client.embed(["text"])
        waits.now = PAUSE_SECONDS
        assert len(await client.embed(["text"])) == 1
    assert server.log == ["1 > 200"]


async def test_a_text_too_long_for_the_model_is_embedded_in_pieces() -> None:
    long = "one two three four " * 200  # 3,800 characters, all of the same words
    async with EmbeddingStandIn(max_chars=1_500) as server, client_of(server) as client:
        short_vector, long_vector = await client.embed(["one two three four", long])
        assert server.log == ["2 > 400", "3 > 400", "4 > 200"]
        assert "".join(server.texts[1:]) == long
        assert await client.embed([long]) == [long_vector]
    assert server.log[3:] == ["3 > 200"]  # what was learnt is not asked again
    assert mean_of([short_vector, short_vector]) == pytest.approx(long_vector, abs=0.05)


async def test_a_server_that_finds_every_text_too_long_is_given_up() -> None:
    async with EmbeddingStandIn(max_chars=0) as server, client_of(server) as client:
        for text in ("one two three four five six seven", "word " * 1_000):
            with pytest.raises(EmbeddingsFailed, match="exceeds the available context size"):
                await client.embed([text])
    assert server.log[0] == "1 > 400"
    assert len(server.log) == 1 + 1 + MOST_SHORTENINGS


@pytest.mark.parametrize(
    "refusal, tries",
    [
        ("Invalid proxy server token passed:", 1),
        ("no context of this user for", 1),
        ("maximum context length is 512 tokens", 1 + MOST_SHORTENINGS),
    ],
)
async def test_a_refusal_that_shorter_texts_do_not_end_leaves_later_texts_whole(
    refusal: str, tries: int
) -> None:
    long = "one two three four " * 200
    async with EmbeddingStandIn([400] * tries, refusal=refusal) as server, client_of(server) as client:
        with pytest.raises(EmbeddingsFailed, match="answered 400"):
            await client.embed([long])
        await client.embed([long])
    assert server.texts == [long]


async def test_a_short_text_is_never_taken_for_too_long() -> None:
    query, long = "which port does it listen on", "one two three four " * 200
    async with EmbeddingStandIn([400], refusal="too many tokens for") as server, client_of(server) as client:
        with pytest.raises(EmbeddingsFailed, match="too many tokens"):
            await client.embed([query])
        await client.embed([query, long])
    assert server.texts == [query, long]


async def test_a_refusal_of_no_longer_a_text_than_the_model_has_taken_is_of_that_text_alone() -> None:
    dense, long = "word " * 100, "one two three four " * 200
    async with EmbeddingStandIn(refusal="too many tokens for") as server, client_of(server) as client:
        await client.embed([long])
        server.statuses.append(400)
        await client.embed([dense])
        await client.embed([long])
    assert server.log == ["1 > 200", "1 > 400", "2 > 200", "1 > 200"]


async def test_no_piece_is_shorter_than_every_model_takes() -> None:
    async with EmbeddingStandIn(max_chars=MIN_PIECE_CHARS) as server, client_of(server) as client:
        await client.embed(["x" * (MIN_PIECE_CHARS + 50)])
    assert [len(text) for text in server.texts] == [125, 125]


@given(st.text(max_size=300), st.integers(0, 40))
def test_pieces_are_the_text_and_within_the_limit(text: str, limit: int) -> None:
    pieces = pieces_of(text, limit)
    assert "".join(pieces) == text
    assert not limit or all(len(piece) <= limit for piece in pieces)
    assert not text or all(pieces)


def test_pieces_end_at_words() -> None:
    assert pieces_of("one two three four", 12) == ["one two", " three four"]


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"no json",
        b"[]",
        b'{"data": 5}',
        b'{"data": [{"index": 0}]}',
        b'{"data": [{"index": 0, "embedding": "no base64!"}]}',
        b'{"data": [{"index": 0, "embedding": "AAAA"}]}',  # three bytes are no float
        b'{"data": [{"index": 0, "embedding": ["a"]}]}',
        b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": [NaN]}]}',
        b'{"data": [{"index": 0, "embedding": [1e999]}]}',
        b'{"data": []}',
        b'{"data": [{"index": 1, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}]}',
        b"[" * 100_000,
    ],
)
async def test_an_answer_that_is_none_is_an_error_that_says_what_was_expected(answer: bytes) -> None:
    async with EmbeddingStandIn(body=answer) as server, client_of(server) as client:
        with pytest.raises(EmbeddingsFailed, match="answer cannot be used: expected"):
            await client.embed(["text"])


async def test_vectors_do_not_wait_for_work_on_a_long_text() -> None:
    done = threading.Event()
    async with (
        EmbeddingStandIn(vector_of=lambda text: [1.0] * 1_024) as server,
        httpx.AsyncClient() as http,
        open_worker(threads=2) as worker,
    ):
        work = TextWork(Offload(worker))
        long = asyncio.create_task(work(SHORT_CHARS + 1, done.wait))
        settings = EmbeddingServer(server.url, "words-32", timeout_ms=20_000)
        try:
            async with asyncio.timeout(20):
                vectors = await Embeddings(http, settings, RequestSlots(1, 20_000), work).embed(["text"] * 32)
            assert not long.done()
        finally:
            done.set()
            await long
    assert len(vectors) == 32


async def test_vectors_of_several_lengths_are_an_error() -> None:
    async with (
        EmbeddingStandIn(vector_of=lambda text: [1.0] * len(text)) as server,
        client_of(server) as client,
    ):
        with pytest.raises(EmbeddingsFailed, match="vectors of different lengths"):
            await client.embed(["a", "bb"])


async def test_an_answer_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "MAX_RESPONSE_BYTES", 1_000)
    async with EmbeddingStandIn(body=b" " * 100_000) as server, client_of(server) as client:
        with pytest.raises(EmbeddingsFailed, match="expected at most 1000 bytes, got more"):
            await client.embed(["text"])


@pytest.mark.parametrize("path", ["", "/v1", "/v1/embeddings"])
async def test_the_url_may_be_the_servers_the_apis_or_the_endpoints(path: str) -> None:
    async with EmbeddingStandIn() as stand_in, open_worker(threads=1) as worker:
        server = EmbeddingServer(stand_in.url + path, "words-32", timeout_ms=20_000)
        async with open_embeddings(server, RequestSlots(1, 20_000), TextWork(Offload(worker))) as client:
            (vector,) = await client.embed(["text"])
    assert len(vector) == DIMENSION
    assert "Authorization" not in stand_in.headers[0]


def test_vectors_are_read_in_the_order_of_their_numbers() -> None:
    rows: list[dict[str, Any]] = [{"index": 1, "embedding": [2, 3]}, {"index": 0, "embedding": [0, 1]}]
    assert read_vectors(json.dumps({"data": rows}).encode(), 2) == [[0, 1], [2, 3]]
