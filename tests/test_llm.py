"""The model client, against a stand-in on a real socket: response_reader, retries, timeouts, cancellation, fairness."""

import asyncio
import gc
import json
import logging
import random
from collections import Counter
from dataclasses import dataclass, replace
from datetime import timedelta
from email.utils import format_datetime
from functools import partial
from itertools import islice
from typing import Any

import httpx
import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

import llm
from concurrency.fair_queue import FairQueue
from llm import ChatModel
from provider import response_reader, sse
from provider.backoff import backoff
from provider.error_kinds import REFUSES_EVERY_CALL
from provider.model import Completion, ModelError, PermanentError, TransientError
from provider.sse import EventDecoder
from tests.support.laws import examples
from tests.support.manual_time import LAST_WORD, LetPass, Outlasts, heard, until
from tests.support.parts import (
    ENDLESS,
    KEY,
    NOW,
    PATIENT,
    Body,
    Events,
    Nap,
    a_closed_port,
    a_model,
    complete,
)
from tests.support.stand_in import Answer, Call, StandIn
from tests.support.stand_in_answers import (
    Empty,
    EndsMidStream,
    ErrorIn200,
    ErrorMidStream,
    Fails,
    Filtered,
    Gate,
    Hangs,
    HangsAfterHeaders,
    NotJson,
    Resets,
    ResetsMidStream,
    Says,
    StallsMidStream,
)

CALL = "POST /api/v1/chat/completions"
OK = f"{CALL} > 200"
THREE_WAITS = [0.5, 1.0, 2.0]

# For tests in which the time for a whole call runs out before any silence does.
ALL_EARS = replace(PATIENT, silence=90.0)


@dataclass
class Asked:
    """What came of one call: an answer or an error, the waits, the requests that were counted, and the server."""

    completion: Completion | None
    error: ModelError | None
    slept: list[float]
    requests: int
    server: StandIn

    @property
    def answer(self) -> Completion:
        assert self.completion is not None, self.error
        return self.completion

    @property
    def message(self) -> str:
        assert self.error is not None, self.completion
        return str(self.error)


async def ask(*script: Answer, limits: llm.CallLimits = PATIENT, key: str = KEY, **options: Any) -> Asked:
    nap = Nap()
    requests: list[None] = []
    async with (
        StandIn(script) as server,
        a_model(server.base_url, limits=limits, nap=nap, key=key, **options) as model,
    ):
        completion, error = None, None
        try:
            completion = await complete(model, on_request=lambda: requests.append(None))
        except ModelError as failure:
            error = failure
        await server.finished(len(server.payloads))
    return Asked(completion, error, nap.slept, len(requests), server)


def chunk(text: str = "", finish: str | None = None, **fields: Any) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return b"data: " + json.dumps({"choices": [choice], **fields}).encode() + b"\n\n"


def whole(**message: Any) -> bytes:
    return json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()


# --- Answers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ignores_stream", [False, True], ids=["streamed", "plain"])
async def test_an_answer_has_its_text_usage_and_cost(ignores_stream: bool) -> None:
    text = " a\u2028b  \n\n字字 😉\r\ndata: x"
    asked = await ask(Says(text, cost=0.25, ignores_stream=ignores_stream))
    # Four words of ours and what the server counts as words of the answer.
    assert asked.answer == Completion(text.strip(), "stop", 5, len(text.split()), 0.25)
    assert (asked.server.log, asked.slept, asked.requests) == ([OK], [], 1)


async def test_a_request_has_the_fields_of_the_api() -> None:
    asked = await ask(Says("yes"))
    assert asked.server.payloads == [
        {
            "model": "test/model",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "One two. Three."},
            ],
            "max_tokens": 50,
            "temperature": 0.1,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
    ]
    assert asked.server.headers[0]["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("ignores_stream", [False, True], ids=["streamed", "plain"])
async def test_usage_that_is_not_reported_is_none(ignores_stream: bool) -> None:
    asked = await ask(Says("yes", usage=False, ignores_stream=ignores_stream))
    assert asked.answer == Completion("yes", "stop", None, None, None)


async def test_an_answer_cut_at_its_length_limit_says_so() -> None:
    asked = await ask(Says("and so", finish_reason="length"))
    assert (asked.answer.text, asked.answer.finish_reason) == ("and so", "length")


async def test_a_model_at_its_length_limit_without_an_answer_is_not_retried() -> None:
    asked = await ask(Says("", finish_reason="length"))
    assert isinstance(asked.error, PermanentError)
    assert "length limit before it began" in asked.message
    assert asked.requests == 1


@pytest.mark.parametrize(
    "said, left",
    [
        ("<think>\nHm.\n\nSo.</think>\n\nThe text.", "The text."),
        ("The <think> tag.</think>", "The <think> tag.</think>"),
    ],
)
async def test_reasoning_is_not_part_of_the_answer(said: str, left: str) -> None:
    assert (await ask(Says(said))).answer.text == left


async def test_reasoning_without_an_answer_is_an_empty_answer() -> None:
    assert "empty" in (await ask(Says("<think>Let me see"))).message


async def test_sequential_calls_share_a_connection() -> None:
    ports: list[int] = []

    class Notes(Says):
        async def give(self, call: Call) -> web.StreamResponse:
            assert call.request.transport is not None
            ports.append(call.request.transport.get_extra_info("peername")[1])
            return await super().give(call)

    async with StandIn([Notes("yes")]) as server, a_model(server.base_url) as model:
        for _ in range(3):
            await complete(model)
    assert len(ports) == 3
    assert len(set(ports)) == 1


# --- Judgement -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 529])
async def test_a_temporary_status_is_retried_three_times(status: int) -> None:
    asked = await ask(Fails(status))
    assert isinstance(asked.error, TransientError)
    assert asked.message == f"the model's API answered {status}: stand-in failure {status}"
    assert asked.server.log == [f"{CALL} > {status}"] * 4
    assert (asked.slept, asked.requests) == (THREE_WAITS, 4)


@pytest.mark.parametrize(
    "status, every_call",
    [
        (301, False),
        (400, False),
        (401, True),
        (402, True),
        (403, False),
        (404, True),
        (413, False),
        (422, False),
    ],
)
async def test_a_permanent_status_is_not_retried(status: int, every_call: bool) -> None:
    asked = await ask(Fails(status))
    assert isinstance(asked.error, PermanentError)
    assert asked.error.every_call is every_call
    advice = f" ({REFUSES_EVERY_CALL[status]})" if every_call else ""
    assert asked.message == f"the model's API answered {status}{advice}: stand-in failure {status}"
    assert asked.error.kind == f"the model's API answered {status}{advice}"
    assert (asked.server.log, asked.slept, asked.requests) == ([f"{CALL} > {status}"], [], 1)


async def test_a_redirect_to_a_host_that_is_no_name_is_a_failed_connection() -> None:
    asked = await ask(Fails(301, headers={"Location": "https://xn--a/v1"}))
    assert isinstance(asked.error, TransientError)
    assert asked.message.startswith("the connection to the model failed: ")


async def test_the_first_success_ends_the_retries() -> None:
    asked = await ask(Fails(503), Fails(429), Says("yes"))
    assert asked.answer.text == "yes"
    assert asked.server.log == [f"{CALL} > 503", f"{CALL} > 429", OK]
    assert (asked.slept, asked.requests) == ([0.5, 1.0], 3)


@pytest.mark.parametrize(
    "code, kind, status",
    [
        (429, TransientError, 429),
        ("503", TransientError, 503),
        (400, PermanentError, 400),
        (413, PermanentError, 413),
        ("rate_limited", TransientError, 502),
        (7, TransientError, 502),
        (None, TransientError, 502),
    ],
)
async def test_an_error_inside_a_200_counts_by_its_code(code: Any, kind: type, status: int) -> None:
    asked = await ask(ErrorIn200(code, "upstream"))
    assert isinstance(asked.error, kind)
    assert asked.message == f"the model's API answered {status}: upstream"
    assert asked.requests == (4 if kind is TransientError else 1)


async def test_an_error_in_the_middle_of_a_stream_discards_the_partial_answer() -> None:
    asked = await ask(ErrorMidStream(502, "provider gone"), Says("whole"))
    assert (asked.answer.text, asked.requests, asked.slept) == ("whole", 2, [0.5])


async def test_a_refusal_in_the_middle_of_a_stream_is_not_retried() -> None:
    asked = await ask(ErrorMidStream(402, "no credit left"))
    assert isinstance(asked.error, PermanentError)
    assert asked.error.every_call
    assert asked.requests == 1


@pytest.mark.parametrize(
    "answer, kind, words",
    [
        (Says("half", finish_reason="error"), TransientError, "failed in the middle"),
        (Filtered(), PermanentError, "content filter"),
        (Filtered("some text"), PermanentError, "content filter"),
        (Empty(), TransientError, "empty"),
        (Says(" \n "), TransientError, "empty"),
        (NotJson(), TransientError, "not JSON; is the base URL right?"),
        (Body(b""), TransientError, "not JSON"),
        (Body(b"[1]"), TransientError, "JSON without choices; is the base URL right?"),
        (Body(b'{"choices": "x"}'), TransientError, "JSON without choices; is the base URL right?"),
        (Body(b'{"message": "hello"}'), TransientError, "JSON without choices; is the base URL right?"),
        (Body(b"[" * 100_000), TransientError, "not JSON"),
        (EndsMidStream(), TransientError, "broke off"),
        (Resets(), TransientError, "connection to the model failed"),
        (ResetsMidStream(), TransientError, "connection to the model failed"),
        (
            Body(b"no gzip", headers={"Content-Encoding": "gzip"}),
            PermanentError,
            "Content-Encoding 'gzip', where only identity is accepted",
        ),
    ],
)
async def test_an_unusable_answer_is_retried_only_if_it_may_be_temporary(
    answer: Answer, kind: type[ModelError], words: str
) -> None:
    asked = await ask(answer)
    assert type(asked.error) is kind
    assert words in asked.message
    assert asked.requests == (4 if kind is TransientError else 1)


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b'{"choices": {}}',
        b'{"choices": [null]}',
        b'{"choices": ["x"]}',
        b'{"choices": [{"message": "x"}]}',
        b'{"choices": [{"message": {"content": [1]}, "finish_reason": {}}]}',
        b'{"error": "gone"}',
        b'{"error": {"message": 7, "code": true}}',
    ],
)
async def test_json_of_another_shape_is_an_error_and_no_crash(body: bytes) -> None:
    plain, streamed = await ask(Body(body)), await ask(Events((b"data: " + body + b"\n\n",)))
    assert isinstance(plain.error, TransientError)
    assert isinstance(streamed.error, TransientError)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-1", '"7"', "true", "null", "[]"])
async def test_usage_that_is_not_a_number_is_ignored(value: str) -> None:
    usage = f'"usage": {{"prompt_tokens": {value}, "completion_tokens": 3, "cost": {value}}}'
    asked = await ask(Body(whole(content="yes")[:-1] + b", " + usage.encode() + b"}"))
    assert asked.answer == Completion("yes", "stop", None, 3, None)


async def test_a_lone_surrogate_in_an_answer_is_accepted() -> None:
    assert (await ask(Body(whole(content="a \ud83d b")))).answer.text == "a \ud83d b"


# --- Streams that do not end well ------------------------------------------------------------------------------


@pytest.mark.parametrize("then", ["hangs", "resets", "ends"])
async def test_a_complete_answer_counts_though_its_stream_breaks(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass, then: str
) -> None:
    answer: Answer = Events((chunk("All "), chunk("there.", "stop")), then)
    if then == "hangs":
        answer = Outlasts(answer, partial(let_pass, llm.END_OF_STREAM_SECONDS), heard(monkeypatch, b'"stop"'))
    asked = await ask(answer)
    assert (asked.answer.text, asked.requests) == ("All there.", 1)


async def test_a_stream_left_open_after_done_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass
) -> None:
    hangs = Events((chunk("yes", "stop"), b"data: [DONE]\n\n"), "hangs")
    asked = await ask(
        Outlasts(hangs, partial(let_pass, llm.END_OF_STREAM_SECONDS), heard(monkeypatch, b"[DONE]\n\n"))
    )
    assert (asked.answer.text, asked.requests) == ("yes", 1)


async def test_done_ends_an_answer_that_gives_no_finish_reason() -> None:
    asked = await ask(Events((chunk("yes"), b"data: [DONE] \n\n")))
    assert (asked.answer.text, asked.answer.finish_reason) == ("yes", "stop")


@pytest.mark.parametrize("end", [chunk("", "stop"), b"data: [DONE]\n\n"])
async def test_the_end_of_a_stream_is_waited_for_at_most_a_second(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass, end: bytes
) -> None:
    restarted: list[float] = []
    restart = llm._SilenceTimer.restart

    def noted(silence: llm._SilenceTimer, seconds: float) -> None:
        restarted.append(seconds)
        restart(silence, seconds)

    monkeypatch.setattr(llm._SilenceTimer, "restart", noted)
    hangs = Events((chunk("yes"), end), "hangs")
    asked = await ask(Outlasts(hangs, partial(let_pass, llm.END_OF_STREAM_SECONDS), heard(monkeypatch, end)))
    assert (asked.answer.text, asked.requests) == ("yes", 1)
    assert restarted == [PATIENT.silence, llm.END_OF_STREAM_SECONDS]


async def test_usage_before_the_last_chunk_is_kept() -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": 2, "cost": 0.5}
    asked = await ask(Events((chunk("yes", usage=usage), chunk("", "stop"), b"data: [DONE]\n\n")))
    assert asked.answer == Completion("yes", "stop", 7, 2, 0.5)


async def test_usage_after_the_finish_reason_is_read(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass
) -> None:
    usage = b'data: {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2, "cost": 0.5}}\n\n'
    hangs = Events((chunk("yes", "stop"), usage), "hangs")
    asked = await ask(
        Outlasts(hangs, partial(let_pass, llm.END_OF_STREAM_SECONDS), heard(monkeypatch, b"0.5}}\n\n"))
    )
    assert asked.answer == Completion("yes", "stop", 7, 2, 0.5)


@pytest.mark.parametrize(
    "answer, said",
    [(Hangs(), None), (HangsAfterHeaders(), b"PROCESSING\n\n"), (StallsMidStream(), LAST_WORD)],
)
async def test_silence_times_out_and_is_retried(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass, answer: Answer, said: bytes | None
) -> None:
    has_come = heard(monkeypatch, said) if said else lambda number: True
    asked = await ask(Outlasts(answer, partial(let_pass, ENDLESS.silence), has_come), limits=ENDLESS)
    assert isinstance(asked.error, TransientError)
    assert asked.message == "the model was silent for 20 seconds"
    assert (asked.slept, asked.requests) == (THREE_WAITS, 4)
    assert asked.server.log == [f"{CALL} > cancelled"] * 4


async def test_comments_do_not_prevent_the_silence_timeout(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass
) -> None:
    """One comes, and is read, in each second: the twentieth is the last."""
    is_read = heard(monkeypatch, b"PROCESSING\n\n")
    comments: list[None] = []

    class Comments:
        async def give(self, call: Call) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(call.request)
            while True:
                await response.write(b": OPENROUTER PROCESSING\n\n")
                await until(lambda: is_read(len(comments) + 1), f"comment {len(comments) + 1} to be read")
                comments.append(None)
                let_pass(1.0)

    asked = await ask(Comments(), limits=ENDLESS)
    assert asked.message == "the model was silent for 20 seconds"
    assert asked.requests == 4
    assert 4 * 19 <= len(comments) <= 4 * 21


async def test_the_total_timeout_ends_the_call_and_names_the_last_failure() -> None:
    # With 60 seconds in all, not even the first wait of 100 would end in time.
    asked = await ask(Fails(503), Hangs(), uniform=lambda low, high: 100.0)
    assert asked.message == (
        "no answer within the 60 seconds that a call may take: before that the model's API answered 503: stand-in failure 503"
    )
    assert (asked.slept, asked.requests) == ([], 1)


@pytest.mark.parametrize(
    "header, wait",
    [
        ("60", "60 seconds"),  # some of its time is over when it begins to wait
        ("300", "300 seconds"),
        ("60.5", "61 seconds"),
        (format_datetime(NOW + timedelta(seconds=400), usegmt=True), "400 seconds"),
        (format_datetime(NOW + timedelta(days=9), usegmt=True), "more than a day"),
        ("9" * 400, "more than a day"),
    ],
)
async def test_a_retry_after_beyond_the_total_timeout_is_named_in_the_error(header: str, wait: str) -> None:
    limits = replace(PATIENT, retry_after_max=90.0)
    asked = await ask(Fails(429, headers={"Retry-After": header}), Hangs(), limits=limits)
    assert asked.message == (
        f"the provider asked to wait {wait}, longer than LLM_TOTAL_TIMEOUT_SECONDS (60) allows "
        "(call again after that, or raise it, and LLM_RETRY_AFTER_MAX_SECONDS where that is less): "
        "the model's API answered 429: stand-in failure 429"
    )
    assert asked.requests == 1
    assert 0.5 not in asked.slept  # the pause of all calls is, the wait of this one is not


async def test_a_shortened_retry_after_is_not_blamed_for_a_later_silence(let_pass: LetPass) -> None:
    hangs = Outlasts(Hangs(), partial(let_pass, ALL_EARS.total))
    asked = await ask(Fails(429, headers={"Retry-After": "300"}), hangs, limits=ALL_EARS)
    assert asked.message == (
        "no answer within the 60 seconds that a call may take: before that the model's API answered 429: stand-in failure 429"
    )
    assert asked.requests == 2


async def test_the_total_timeout_ends_a_hanging_call(let_pass: LetPass) -> None:
    asked = await ask(Outlasts(Hangs(), partial(let_pass, ALL_EARS.total)), limits=ALL_EARS)
    assert asked.message == "no answer within the 60 seconds that a call may take"
    assert asked.server.log == [f"{CALL} > cancelled"]


async def test_the_total_timeout_starts_after_the_queue(let_pass: LetPass) -> None:
    """The second call waits for the first one's place as long as its own total time."""
    one_place = replace(ALL_EARS, concurrency=1, ceiling=1)
    async with (
        StandIn([Outlasts(Hangs(), partial(let_pass, one_place.total)), Says("yes")]) as server,
        a_model(server.base_url, limits=one_place) as model,
    ):
        first, second = await asyncio.gather(complete(model), complete(model), return_exceptions=True)
    assert isinstance(first, TransientError)
    assert isinstance(second, Completion)


async def test_a_refused_connection_is_retried_and_named() -> None:
    nap = Nap()
    with a_closed_port() as url:
        async with a_model(url, nap=nap) as model:
            with pytest.raises(TransientError, match=r"the connection to the model failed: .+"):
                await complete(model)
    assert nap.slept == THREE_WAITS


async def test_a_url_that_cannot_be_called_is_refused_for_every_call() -> None:
    async with a_model("http://" + "ä" * 80 + "/api") as model:
        with pytest.raises(PermanentError, match="base URL") as caught:
            await complete(model)
    assert caught.value.every_call


async def test_an_endless_answer_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_reader, "MAX_ANSWER_CHARS", 1_000)
    asked = await ask(Events(tuple(chunk("x" * 100) for _ in range(11)), "hangs"))
    assert isinstance(asked.error, PermanentError)
    assert "longer than 1000 characters" in asked.message


@pytest.mark.parametrize(
    "answer",
    [Body(b'{"x": "' + b"x" * 2_000 + b'"}'), Events((b"data: " + b"x" * 2_000,), "hangs")],
    ids=["body", "line"],
)
async def test_an_endless_body_or_line_is_stopped(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_reader, "MAX_REPLY_BYTES", 1_000)
    monkeypatch.setattr(sse, "MAX_EVENT_BYTES", 1_000)
    asked = await ask(answer)
    assert isinstance(asked.error, PermanentError)
    assert "more than 1000" in asked.message or "longer than 1000" in asked.message


async def test_cancelling_a_call_closes_its_request_and_frees_its_permit() -> None:
    one_place = replace(PATIENT, concurrency=1, ceiling=1)
    async with (
        StandIn([StallsMidStream(), Says("yes")]) as server,
        a_model(server.base_url, limits=one_place) as model,
    ):
        call = asyncio.create_task(complete(model))
        await server.called(1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await server.finished(1)
        assert server.log == [f"{CALL} > cancelled"]
        assert (await complete(model)).text == "yes"


# --- The key ---------------------------------------------------------------------------------------------------


def quoting(text: str) -> dict[str, Any]:
    return {"error": {"message": text}}


@pytest.mark.parametrize(
    "answer",
    [
        Fails(401, quoting(f"Incorrect API key provided: {KEY}.")),
        Fails(503, quoting(f"{KEY} {KEY}")),
        # The key over the place where a long message is cut.
        Fails(401, quoting("x" * (llm.MAX_ERROR_CHARS - 45) + KEY)),
        ErrorIn200(401, f"no such key {KEY}"),
        ErrorMidStream(502, f"upstream refused Bearer {KEY}"),
        Fails(500, f"<html>{KEY}</html>"),
    ],
)
async def test_the_api_key_is_in_no_error_and_no_log_line(
    answer: Answer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    asked = await ask(answer)
    shown = [
        asked.message,
        repr(asked.error),
        *(repr(vars(record)) + record.getMessage() for record in caplog.records),
    ]
    assert not [text for text in shown if KEY[:10] in text]


async def test_an_api_key_that_no_header_can_carry_is_not_shown() -> None:
    asked = await ask(Says("yes"), key=KEY + "\n")
    assert KEY not in asked.message


async def test_an_api_key_that_is_a_common_word_is_not_masked() -> None:
    asked = await ask(Fails(400, quoting("there is none of it")), key="none")
    assert asked.message == "the model's API answered 400: there is none of it"


def test_the_repr_of_a_model_has_no_key() -> None:
    model = ChatModel(httpx.AsyncClient(verify=False), "http://x/v1", "m", KEY, PATIENT)
    assert repr(model) == "<ChatModel m at http://x/v1/chat/completions>"


async def test_a_message_is_one_short_line_whatever_the_provider_says() -> None:
    asked = await ask(Fails(400, quoting("first\n\n  second\r\n\u2028" + "third " * 500)))
    assert asked.message.startswith("the model's API answered 400: first second third third")
    assert len(asked.message) == llm.MAX_ERROR_CHARS + 1
    assert len(asked.message.splitlines()) == 1


# --- Waits -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header, wait",
    [
        ("7", 7.0),
        (" 7 ", 7.0),
        ("1.5", 1.5),
        ("21", 20.0),
        ("9" * 400, 20.0),
        (format_datetime(NOW + timedelta(seconds=9), usegmt=True), 9.0),
        ("Wed, 01 Jul 2026 12:00:05", 5.0),
        ("Wed, 01 Jul 2026 14:00:05 +0200", 5.0),
        (format_datetime(NOW + timedelta(days=9), usegmt=True), 20.0),
        # What asks for no wait, or says nothing that can be read, has the usual one.
        ("0", 0.5),
        (format_datetime(NOW - timedelta(days=9), usegmt=True), 0.5),
        ("-5", 0.5),
        ("soon", 0.5),
        ("", 0.5),
        ("1e9", 0.5),
        ("Wed, 99 Foo 2026 12:00:05 GMT", 0.5),
        ("Wed, 01 Jul 2026 12:00:05 +99999999999999999999", 0.5),
    ],
)
async def test_retry_after_is_obeyed_within_limits(header: str, wait: float) -> None:
    """The call waits for its own while, and at the same time all calls wait for the provider's."""
    asked = await ask(Fails(429, headers={"Retry-After": header}), Says("yes"))
    assert asked.answer.text == "yes"
    assert max(asked.slept) == wait


def test_waits_double_up_to_their_cap_and_half_of_each_is_random() -> None:
    longest = list(islice(backoff(lambda low, high: high), 6))
    shortest = list(islice(backoff(lambda low, high: low), 6))
    assert longest == [0.5, 1, 2, 4, 8, 8]
    assert shortest == [0.25, 0.5, 1, 2, 4, 4]


# --- Server-sent events ----------------------------------------------------------------------------------------

STREAM = (
    "\ufeff: comment\r\ndata: one\r\n\r\n"
    "data:two\rdata\rdata:  three\r\r"
    "event: x\nid: 1\ndata: a\u2028b\u0085字😉\n: ping\n\n"
    "\n\ndatax: no\n\ndata: [DONE]\n\ndata: unfinished"
).encode()
EVENTS = [event.encode() for event in ("one", "two\n\n three", "a\u2028b\u0085字😉", "[DONE]")]


@pytest.mark.unmeasured
@pytest.mark.parametrize("cut", range(len(STREAM) + 1))
def test_any_cut_gives_the_same_events(cut: int) -> None:
    decoder = EventDecoder()
    assert decoder.feed(STREAM[:cut]) + decoder.feed(STREAM[cut:]) == EVENTS


def test_byte_for_byte_gives_the_same_events() -> None:
    decoder = EventDecoder()
    assert [event for at in range(len(STREAM)) for event in decoder.feed(STREAM[at : at + 1])] == EVENTS


# --- Places ----------------------------------------------------------------------------------------------------


async def settle() -> None:
    """Let every task run until it waits for something that only the test can give."""
    for _ in range(8):
        await asyncio.sleep(0)


class Holders:
    """Tasks that want a place, and hold it until they are told to leave."""

    def __init__(self, places: int) -> None:
        self.queue = FairQueue(places)
        self.tasks: list[asyncio.Task[None]] = []
        self.leave: list[asyncio.Event] = []
        self.inside: list[int] = []
        self.jobs: list[str] = []
        self.most = 0

    def enter(self, job: str) -> None:
        self.jobs.append(job)
        self.leave.append(asyncio.Event())
        self.tasks.append(asyncio.create_task(self._hold(len(self.tasks), job)))

    async def _hold(self, number: int, job: str) -> None:
        await self.queue.enter(job)
        self.inside.append(number)
        self.most = max(self.most, len(self.inside))
        try:
            await self.leave[number].wait()
        finally:
            self.inside.remove(number)
            self.queue.leave(job)

    @property
    def waiting(self) -> list[int]:
        return [n for n, task in enumerate(self.tasks) if not task.done() and n not in self.inside]

    async def empty(self) -> None:
        for event in self.leave:
            event.set()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def test_a_second_jobs_call_goes_before_the_waiting_calls_of_the_first() -> None:
    holders = Holders(5)
    for _ in range(50):
        holders.enter("first")
    await settle()
    holders.enter("second")
    await settle()
    assert holders.inside == [0, 1, 2, 3, 4]
    holders.leave[2].set()
    await settle()
    assert holders.inside == [0, 1, 3, 4, 50]
    await holders.empty()


async def test_waiting_jobs_share_the_limit_evenly() -> None:
    holders = Holders(6)
    for job in ["a"] * 20 + ["b"] * 20 + ["c"] * 20:
        holders.enter(job)
    await settle()
    for number in range(6):
        holders.leave[number].set()
    await settle()
    assert Counter(holders.jobs[number] for number in holders.inside) == {"a": 2, "b": 2, "c": 2}
    await holders.empty()


@pytest.mark.parametrize("seed", range(20))
async def test_cancelling_in_the_moment_a_place_is_given_loses_no_place(seed: int) -> None:
    """The place is handed over and the task that gets it is cancelled before it runs again."""
    dice = random.Random(seed)
    holders = Holders(1)
    for job in "abcd":
        holders.enter(job)
    await settle()
    holders.leave[0].set()
    for _ in range(dice.randrange(4)):
        await asyncio.sleep(0)
    holders.tasks[1].cancel()
    await settle()
    assert len(holders.inside) == 1
    await holders.empty()


@examples(150)
@given(
    st.integers(1, 4),
    st.lists(st.tuples(st.sampled_from("ELCS"), st.sampled_from("xyz"), st.integers(0, 30)), max_size=60),
)
def test_whatever_enters_leaves_and_is_cancelled_no_place_is_lost_or_invented(
    places: int, moves: list[tuple[str, str, int]]
) -> None:
    """Moves: E a job enters, L a holder leaves, C a task is cancelled, S everything settles."""

    async def play() -> None:
        holders = Holders(places)
        for move, job, which in moves:
            if move == "E":
                holders.enter(job)
            elif move == "L" and holders.inside:
                holders.leave[holders.inside[which % len(holders.inside)]].set()
            elif move == "C" and holders.tasks:
                holders.tasks[which % len(holders.tasks)].cancel()
            elif move == "S":
                await settle()
                assert len(holders.inside) == places or not holders.waiting
        await settle()
        assert len(holders.inside) == places or not holders.waiting
        await holders.empty()
        assert holders.most <= places
        for _ in range(places):
            holders.enter("last")
        await settle()
        assert len(holders.inside) == places
        await holders.empty()

    asyncio.run(play())


async def test_no_more_calls_at_once_than_places_over_all_jobs() -> None:
    held = asyncio.Event()
    async with StandIn([Gate(Says("yes"), held)]) as server, a_model(server.base_url) as model:
        calls = [asyncio.create_task(complete(model, job)) for job in ("a", "b") for _ in range(10)]
        await server.called(5)
        held.set()
        await asyncio.gather(*calls)
    assert (server.most_in_flight, len(server.payloads)) == (5, 20)


async def test_a_call_in_back_off_holds_no_permit() -> None:
    awake = asyncio.Event()

    async def sleep(seconds: float) -> None:
        await awake.wait()

    one_place = replace(PATIENT, concurrency=1, ceiling=1)
    async with StandIn([Fails(503), Says("yes")]) as server, httpx.AsyncClient(verify=False) as http:
        model = ChatModel(http, server.base_url, "m", KEY, one_place, sleep=sleep)
        first = asyncio.create_task(complete(model))
        await server.finished(1)
        assert (await complete(model)).text == "yes"
        awake.set()
        assert (await first).text == "yes"


# --- Providers that send what they should not --------------------------------------------------------------------


def test_an_endless_line_is_buffered_in_pieces() -> None:
    decoder = EventDecoder()
    for _ in range(20_000):
        assert decoder.feed(b"data: " + b"x" * 94) == []
    assert [len(event) for event in decoder.feed(b"\n\n")] == [20_000 * 100 - 6]


@pytest.mark.parametrize("value", [10**400, 1e308, float("inf"), float("nan"), -1, True, "12", None])
async def test_an_impossible_usage_is_ignored(value: Any) -> None:
    usage = {"prompt_tokens": value, "completion_tokens": 3, "cost": value}
    body = json.dumps({"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}], "usage": usage})
    answer = (await ask(Body(body.encode()))).answer
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("yes", None, 3)
    assert answer.cost_usd is None


async def test_compressed_answers_are_not_accepted() -> None:
    asked = await ask(Says("yes"))
    assert asked.server.headers[0]["Accept-Encoding"] == "identity"


@pytest.mark.unmeasured
async def test_a_request_body_is_freed_without_the_garbage_collector() -> None:
    async with StandIn([Says("yes")]) as server, a_model(server.base_url) as model:
        await complete(model)
        gc.collect()
        gc.disable()
        try:
            await complete(model)
            left = [one for one in gc.get_objects() if type(one) in (httpx.Request, httpx.Response)]
        finally:
            gc.enable()
    assert left == []
