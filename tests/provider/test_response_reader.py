"""Reading the provider's responses: sizes, content codings, shapes of content, safe messages."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from provider import response_reader
from provider.error_kinds import printable
from provider.model import Completion, ModelError, PermanentError, TransientError
from tests.support.parts import Body, Events, Nap, a_model, complete, prose, summarize
from tests.support.stand_in import Answer, StandIn
from tests.support.stand_in_answers import Fails, Says


async def answer_of(answer: Answer) -> Completion:
    async with StandIn([answer]) as server, a_model(server.base_url, nap=Nap()) as model:
        return await complete(model)


async def error_of(answer: Answer) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await answer_of(answer)
    return caught.value


def body(content: Any) -> Answer:
    choice = {"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    return Body(json.dumps({"choices": [choice]}).encode())


def stream(*contents: Any) -> Answer:
    chunks = [{"choices": [{"delta": {"content": content}}]} for content in contents]
    return Events(
        (*(b"data: " + json.dumps(each).encode() + b"\n\n" for each in chunks), b"data: [DONE]\n\n")
    )


# --- Content in parts --------------------------------------------------------------------------------------------

PARTS = [
    {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
    {"type": "text", "text": "The "},
    {"type": "image_url", "text": "no text", "image_url": {"url": "http://x"}},
    {"type": "text", "text": 7},
    "no part",
    {"type": "text", "text": "text."},
]


@pytest.mark.parametrize("answer", [body(PARTS), stream(PARTS), stream(PARTS[:2], None, PARTS[2:])])
async def test_an_answer_in_parts_is_read_without_its_reasoning(answer: Answer) -> None:
    assert (await answer_of(answer)).text == "The text."


@pytest.mark.parametrize("content", [[], [{}], {"text": "x"}, 7, [[{"type": "text", "text": "x"}]]])
async def test_parts_without_text_are_an_empty_answer(content: Any) -> None:
    for answer in (body(content), stream(content)):
        assert "empty" in str(await error_of(answer))


# --- Codings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("coding", ["gzip", "GZIP", "br", "deflate, gzip"])
async def test_a_compressed_answer_is_refused_and_not_decompressed(coding: str) -> None:
    packed = gzip.compress(b'{"choices": [{"message": {"content": "yes"}}]}')
    error = await error_of(Body(packed, headers={"Content-Encoding": coding}))
    assert isinstance(error, PermanentError)
    assert error.every_call
    assert f"Content-Encoding {coding.lower()!r}, where only identity is accepted" in str(error)


async def test_an_answer_with_identity_coding_is_read() -> None:
    whole = b'{"choices": [{"message": {"content": "yes"}}]}'
    assert (await answer_of(Body(whole, headers={"Content-Encoding": "identity"}))).text == "yes"


async def test_a_compressed_error_is_judged_by_its_status_alone() -> None:
    packed = gzip.compress(b'{"error": {"message": "no"}}')
    error = await error_of(Body(packed, 503, headers={"Content-Encoding": "gzip"}))
    assert (type(error), str(error)) == (TransientError, "the model's API answered 503")


# --- Sizes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words, on_the_loop", [(10, True), (20_000, False)])
@pytest.mark.parametrize("form", [body, stream])
async def test_long_json_is_parsed_off_the_event_loop(
    form: Any, words: int, on_the_loop: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    parse = response_reader._parse

    def noted(data: bytes) -> Any:
        threads.append(threading.get_ident())
        return parse(data)

    monkeypatch.setattr(response_reader, "_parse", noted)
    text = "word " * words
    assert (await answer_of(form(text))).text == text.strip()
    assert {thread == threading.get_ident() for thread in threads} == {on_the_loop}


async def test_an_error_that_is_a_long_page_is_judged_by_its_status_alone() -> None:
    page = json.dumps({"error": {"message": "x" * response_reader.MAX_ERROR_BYTES}}).encode()
    error = await error_of(Body(page, 503))
    assert (type(error), str(error)) == (TransientError, "the model's API answered 503")
    shorter = json.dumps({"error": {"message": "y" * 100}}).encode()
    assert str(await error_of(Body(shorter, 503))) == f"the model's API answered 503: {'y' * 100}"


@pytest.mark.parametrize("values", [[[]] * 1_000, list(range(1_000)), dict.fromkeys(map(str, range(1_000)))])
@pytest.mark.parametrize("form", [body, stream])
async def test_an_answer_of_too_many_values_is_refused_before_it_is_parsed(
    form: Any, values: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(response_reader, "MAX_VALUES", 1_000)
    error = await error_of(form(values))
    assert (type(error), str(error)) == (PermanentError, "the model's answer has more than 1000 JSON values")
    assert (await answer_of(form("[" * 900))).text == "[" * 900


class Arrived(httpx.AsyncByteStream):
    """A body that has arrived whole: to read it waits for nothing."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for at in range(0, len(self._data), 65_536):
            yield self._data[at : at + 65_536]


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "one", [b": still here\n\n", b'data: {"choices": [{"delta": {"content": "a "}}]}\n\n']
)
async def test_while_a_stream_is_read_that_has_arrived_whole_others_have_their_turns(one: bytes) -> None:
    data = one * (1_000_000 // len(one)) + b"data: [DONE]\n\n"
    response = httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=Arrived(data))
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    async for _ in response_reader.ResponseReader().events(response, datetime.now(UTC)):
        pass
    beside.cancel()
    assert turns >= len(data) // response_reader.SLICE_BYTES


async def test_a_stream_of_comments_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_reader, "MAX_STREAM_BYTES", 10_000)
    error = await error_of(Events((b": still here\n\n" * 1_000,), "hangs"))
    assert isinstance(error, PermanentError)
    assert "more than 10000 bytes" in str(error)


# --- What is shown -----------------------------------------------------------------------------------------------

NASTY = "\x1b[31;1mred\x1b[0m\x07 \u202egnp.exe\u202c\r\nforged: line\u2028next\x00\x9b2Jend\ufeff\u200b\U000e0041"


@given(st.text(st.characters(), max_size=200))
@example(NASTY)
def test_messages_are_one_line_of_printable_characters(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert shown == printable(shown)


@given(st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=200))
def test_plain_words_are_shown_as_they_are(text: str) -> None:
    assert printable(f" a {text}  b ") == f"a {text} b".replace("  ", " ")


def test_a_key_split_by_invisible_characters_is_joined_before_it_is_masked() -> None:
    assert printable("sk-\u200bor\u2060-v1") == "sk-or-v1"


@pytest.mark.parametrize(
    "answer",
    [
        Fails(400, {"error": {"message": NASTY}}),
        Fails(500, {"error": NASTY}),
        Body(json.dumps({"error": {"code": 400, "message": NASTY}}).encode()),
        Events((b"data: " + json.dumps({"error": {"code": 502, "message": NASTY}}).encode() + b"\n\n",)),
    ],
)
async def test_neither_reason_nor_log_has_control_characters_from_the_provider(
    answer: Answer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    run = await summarize(answer, prose(8))
    reason = str(run.summary.outcome.reason)
    assert "red gnp.exe forged: line next" in reason
    assert reason.isprintable()
    assert caplog.records
    assert not any("gnp" in repr(vars(record)) for record in caplog.records)


# --- One line for each call that failed --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer, failure, error, requests",
    [
        (Fails(400, {"error": {"message": "One two."}}), "refused", "the model's API answered 400", 1),
        (Fails(503), "overloaded", "the model's API answered 503", 4),
        (Says(""), "bad_answer", "the model's answer is empty", 4),
    ],
)
async def test_a_failed_call_is_one_log_line_with_its_kind_message_requests_and_seconds(
    answer: Answer, failure: str, error: str, requests: int, caplog: pytest.LogCaptureFixture
) -> None:
    await error_of(answer)
    (line,) = (record for record in caplog.records if record.levelno >= logging.WARNING)
    assert line.getMessage() == "llm_call_failed"
    fields = vars(line)
    assert (fields["failure"], fields["error"], fields["requests"]) == (failure, error, requests)
    assert fields["seconds"] >= 0


async def test_a_call_that_a_retry_saved_is_not_logged_as_failed(caplog: pytest.LogCaptureFixture) -> None:
    async with StandIn([Fails(503), Says("yes")]) as server, a_model(server.base_url) as model:
        await complete(model)
    assert "llm_call_failed" not in [record.getMessage() for record in caplog.records]


async def test_an_unusable_answer_has_its_own_log_line(caplog: pytest.LogCaptureFixture) -> None:
    await summarize(Says("Done."), prose(8))
    lines = [record for record in caplog.records if record.getMessage() == "llm_answer_refused"]
    assert {vars(line)["error"] for line in lines} == {"the model's answer is too short to be a summary"}
    assert "llm_call_failed" not in [record.getMessage() for record in caplog.records]
