"""How answers go out: notifications that overtake one another, signs of life, large events, clients that do not read."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.messages import PreEncodedList
from protocol.subscriptions import Hub
from tests.support.manual_time import LetPass
from tests.support.messages import Message, call, legacy, modern, routing
from tests.support.service import PATIENCE_S, Run, prose, with_model
from tests.support.stand_in import StandIn
from tests.support.stand_in_answers import Gate, Summarizes
from tests.support.wire import (
    BOTH,
    SUBSCRIPTION,
    Report,
    connected,
    endpoint_of,
    frames_of,
    request,
    serving,
    streaming,
    text_result,
    until_over,
)
from transport import responses as sending
from transport.endpoint import Endpoint
from transport.http_limits import HttpLimits
from transport.responses import MAX_EVENT_BYTES, Outbox, SlowReader, encode, encode_parts

pytestmark = pytest.mark.usefixtures("nothing_is_logged_as_a_fault")

# Some pings are due before a test on a busy machine has done its next step.
PING_S = 0.02

# Of the receive buffer of a client that does not read.
SMALL_BUFFER_BYTES = 64 * 1024
# What a client does not read, the kernel takes off our hands at first: some megabytes.
LARGE = "x" * 100_000
MORE_THAN_ANY_BUFFER = 30_000_000
# Read by A_LITTLE at each sign of life of another stream.
A_LITTLE = 128 * 1024
SOME_SECONDS_OF_READING = 8_000_000

END_OF_STREAM = b"0\r\n\r\n"


# The outbox.


def progress(token: Any, number: int) -> Message:
    return {"method": "notifications/progress", "params": {"progressToken": token, "progress": number}}


def log_message(number: int) -> Message:
    return {"method": "notifications/message", "params": {"data": number}}


TOPICS: list[tuple[Any, Callable[[int], Message]]] = [
    (("progress", "a"), lambda number: progress("a", number)),
    (("progress", 7), lambda number: progress(7, number)),
    (("task", "a"), lambda number: {"method": "notifications/tasks", "params": {"taskId": "a", "n": number}}),
    (
        ("uri", "a"),
        lambda number: {"method": "notifications/resources/updated", "params": {"uri": "a", "n": number}},
    ),
    ("tools", lambda number: {"method": "notifications/tools/list_changed", "params": {"n": number}}),
    ("prompts", lambda number: {"method": "notifications/prompts/list_changed", "params": {"n": number}}),
    (None, log_message),
]

STEPS = st.lists(st.sampled_from([*range(len(TOPICS)), "get", "get", "get"]), max_size=40)


@given(STEPS, st.integers(1, 5))
def test_notifications_keep_their_order_the_newest_of_a_topic_wins_and_too_many_end_the_stream(
    steps: list[Any], most: int
) -> None:
    async def play() -> None:
        outbox = Outbox()
        waiting: list[tuple[Any, Message]] = []
        for number, step in enumerate(steps):
            if step != "get":
                topic, write = TOPICS[step]
                message = write(number)
                waiting = [each for each in waiting if topic is None or each[0] != topic] + [(topic, message)]
                outbox.put(message)
            elif len(waiting) <= most:
                got = await outbox.get(PATIENCE_S) if waiting else None
                assert got == (waiting.pop(0)[1] if waiting else None)
            if len(waiting) > most:
                outbox.put(log_message(-1))  # nobody waits for it any more
                with pytest.raises(SlowReader):
                    await outbox.get(PATIENCE_S)
                return
        outbox.close()
        rest = [await outbox.get(PATIENCE_S) for _ in range(len(waiting) + 1)]
        assert rest == [*(message for _, message in waiting), None]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sending, "MAX_PENDING", most)
        asyncio.run(play())


async def test_the_outbox_holds_no_more_than_its_limit_whatever_is_put_in() -> None:
    outbox = Outbox()
    for number in range(10 * sending.MAX_PENDING):
        outbox.put(log_message(number))
    assert len(outbox._pending) == sending.MAX_PENDING + 1
    with pytest.raises(SlowReader):
        await outbox.get(PATIENCE_S)


async def test_progress_of_one_token_never_fills_the_outbox() -> None:
    outbox = Outbox()
    for number in range(10 * sending.MAX_PENDING):
        outbox.put(progress("t", number))
    last = await outbox.get(PATIENCE_S)
    assert last == progress("t", 10 * sending.MAX_PENDING - 1)


async def test_a_waiting_reader_gets_each_notification_and_the_end() -> None:
    outbox = Outbox()
    getting = asyncio.create_task(outbox.get(PATIENCE_S))
    await asyncio.sleep(0)
    outbox.put(log_message(1))
    assert await getting == log_message(1)
    getting = asyncio.create_task(outbox.get(PATIENCE_S))
    await asyncio.sleep(0)
    outbox.close()
    assert await getting is None


async def test_silence_is_a_timeout_and_not_the_end() -> None:
    outbox = Outbox()
    with pytest.raises(TimeoutError):
        await outbox.get(0)
    outbox.put(log_message(1))
    assert await outbox.get(0) == log_message(1)


async def test_what_comes_after_the_close_is_dropped() -> None:
    outbox = Outbox()
    outbox.close()
    outbox.put(log_message(1))
    assert await outbox.get(PATIENCE_S) is None


# JSON in pieces.


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
)


values_with_lasting_parts = st.recursive(
    values, lambda inner: st.lists(inner).map(PreEncodedList) | st.dictionaries(st.text(), inner)
)


@given(values_with_lasting_parts, values, st.integers(min_value=1, max_value=99))
def test_writing_in_pieces_loses_nothing_wherever_it_cuts(value: Any, other: Any, size: int) -> None:
    message = {"x": value, "y": other, "z": [value, other]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sending, "PIECE_CHARS", size)
        written = asyncio.run(encode(message))
    assert b"\n" not in written
    expected = json.loads(json.dumps(message))
    assert json.loads(written) == expected
    assert list(json.loads(written)) == list(expected)


async def test_a_part_that_lasts_is_written_once() -> None:
    part = PreEncodedList([{"name": "a", "schema": {"type": "object"}}, {"name": "b"}])
    first = await encode({"tools": part, "c": 1})
    assert json.loads(first) == {"tools": part, "c": 1}
    part[0]["name"] = "changed, though it must not be"
    assert await encode({"tools": part, "c": 1}) == first


async def test_a_long_text_in_a_light_message_is_written_in_pieces_and_the_rest_at_one_go() -> None:
    text = "ä" * (2 * sending.PIECE_CHARS + 1)
    pieces = list(sending._pieces({"a": 1, "b": "c", "text": text, "d": [], "e": {"f": None}}))
    assert pieces[0] == b'{"a":1,"b":"c","text":'
    assert pieces[-1] == b',"d":[],"e":{"f":null}}'
    assert max(map(len, pieces)) == 2 * sending.PIECE_CHARS


async def test_a_long_message_stays_in_parts_that_take_no_time_to_put_together() -> None:
    message = {"texts": ["x" * 1_000] * 1_000, "text": "x" * 10 * sending.PIECE_CHARS}
    parts = await encode_parts(message)
    assert b"".join(parts) == await encode(message)
    assert len(parts) > 20
    assert max(map(len, parts)) < 2 * sending.PIECE_CHARS


async def test_others_get_their_turn_between_the_pieces_of_a_long_text() -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    await encode({"text": "x" * 10 * sending.PIECE_CHARS})
    counting.cancel()
    assert turns >= 10


# JSON or a stream.


def with_token(write: Callable[..., Message]) -> Message:
    params = call(content=prose(60), max_output_tokens=200)
    if write is modern:
        return modern("tools/call", params, progressToken="t")
    return legacy("tools/call", {**params, "_meta": {"progressToken": "t"}})


@pytest.mark.parametrize("write", [legacy, modern])
async def test_a_silent_call_shows_that_it_is_alive_and_then_answers(run: Run, write: Any) -> None:
    go_on = asyncio.Event()
    message = write("tools/call", call(content=prose(12), max_output_tokens=100))
    headers = routing(message) if write is modern else {"mcp-method": "x"}
    async with (
        StandIn([Gate(Summarizes(), go_on)]) as model,
        run(**with_model(model, PING_SECONDS=str(PING_S))) as service,
        service.http.stream("POST", service.url, json=message, headers={**BOTH, **headers}) as response,
    ):
        assert response.headers["content-type"] == "text/event-stream"
        lines = response.aiter_lines()
        async with asyncio.timeout(PATIENCE_S):
            assert [await anext(lines) for _ in range(6)] == [": ping", ""] * 3
            go_on.set()
            rest = [line async for line in lines if line not in (": ping", "")]
    event, data = rest
    assert event == "event: message"
    assert json.loads(data.removeprefix("data: "))["result"]["content"][0]["text"]


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "accept, with_progress", [("application/json", True), ("application/json", False), ("*/*", False)]
)
async def test_a_client_that_names_no_streams_waits_and_gets_json_without_signs_of_life(
    run: Run, accept: str, with_progress: bool
) -> None:
    go_on = asyncio.Event()
    message = with_token(legacy)
    if not with_progress:
        del message["params"]["_meta"]
    async with (
        StandIn([Gate(Summarizes(), go_on)]) as model,
        run(**with_model(model, PING_SECONDS=str(PING_S))) as service,
    ):
        posting = asyncio.create_task(service.post(message, {"Accept": accept}))
        await model.called(1)
        # Once this stream has seen three, that one would have as well.
        async with streaming(service, modern("subscriptions/listen", {"notifications": {}})) as events:
            await events.message()
            assert [await events.next() for _ in range(3)] == [": ping"] * 3
        assert not posting.done()
        go_on.set()
        answer = await posting
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["result"]["content"][0]["text"]


async def test_progress_that_goes_on_needs_no_signs_of_life() -> None:
    async def work(report: Report) -> Message:
        for number in range(5):
            report(number, 5, "")
            await asyncio.sleep(0)
        return text_result("done")

    async with serving(endpoint_of(work)) as service:
        response = await service.post_modern(modern("tools/call", call("x"), progressToken=1))
    assert ": ping" not in response.text
    assert frames_of(response.text)[-1]["result"]["content"] == text_result("done")["content"]


async def test_a_stream_carries_no_event_ids() -> None:
    async def work(report: Report) -> Message:
        report(1, 1, "")
        return text_result("done")

    async with serving(endpoint_of(work)) as service:
        response = await service.post_modern(modern("tools/call", call("x"), progressToken=1))
    assert {line.partition(":")[0] for line in response.text.splitlines() if line} == {"event", "data"}
    assert "mcp-session-id" not in response.headers


async def test_a_batch_with_progress_is_answered_in_events_of_their_own() -> None:
    async def work(report: Report) -> Message:
        report(1, 1, "half")
        return text_result("done")

    calls = [
        legacy("tools/call", {**call("x"), "_meta": {"progressToken": number}}, request_id=number)
        for number in (1, 2)
    ]
    batch = [*calls, {"jsonrpc": "2.0", "method": "notifications/initialized"}, legacy("ping", request_id=3)]
    async with serving(endpoint_of(work)) as service:
        response = await service.post(batch, BOTH)
    frames = frames_of(response.text)
    told = [frame["params"]["progressToken"] for frame in frames if "method" in frame]
    answered = [frame["id"] for frame in frames if "id" in frame]
    assert (told, answered) == ([1, 2], [1, 2, 3])
    assert [("method" in frame) for frame in frames] == [True, True, False, False, False]


async def test_a_batch_that_gets_no_answer_does_not_wait(run: Run) -> None:
    go_on = asyncio.Event()
    batch = [{"jsonrpc": "2.0", "method": "notifications/initialized"}]
    settings = {"MAX_CONCURRENT_REQUESTS": "1", "PING_SECONDS": str(PING_S)}
    async with StandIn([Gate(Summarizes(), go_on)]) as model, run(**with_model(model, **settings)) as service:
        first = asyncio.create_task(service.post(with_token(legacy), {"Accept": "application/json"}))
        await model.called(1)
        answer = await service.post(batch, BOTH)
        go_on.set()
        assert (await first).status_code == 200
    assert (answer.status_code, answer.content) == (202, b"")


# Large answers.


def large_after_progress(size: int) -> Callable[[Report], Any]:
    async def work(report: Report) -> Message:
        report(1, 2, "half")
        await asyncio.sleep(0)
        return text_result("x" * size)

    return work


@pytest.mark.parametrize("write", [legacy, modern])
async def test_an_answer_too_large_for_an_event_becomes_an_error_that_says_what_to_do(write: Any) -> None:
    message = with_token(write)
    async with serving(endpoint_of(large_after_progress(MAX_EVENT_BYTES))) as service:
        headers = routing(message) if write is modern else {}
        told, answer = frames_of((await service.post(message, {**BOTH, **headers})).text)
        unharmed = await service.post(message, {**headers, "Accept": "application/json"})
        del message["params"]["_meta"]["progressToken"]
        without = await service.post(message, {**BOTH, **headers})
    assert told["method"] == "notifications/progress"
    assert (answer["id"], answer["error"]["code"]) == (1, -32603)
    assert "Accept: application/json" in answer["error"]["message"]
    for whole in (unharmed, without):
        assert whole.headers["content-type"] == "application/json"
        assert len(whole.json()["result"]["content"][0]["text"]) == MAX_EVENT_BYTES


async def test_an_answer_that_just_fits_an_event_comes_in_one() -> None:
    message = legacy("tools/call", {**call("x"), "_meta": {"progressToken": 1}})
    async with serving(endpoint_of(large_after_progress(0))) as service:
        *_, empty, _ = (await service.post(message, BOTH)).text.split("\n\n")
    room = MAX_EVENT_BYTES - len(empty) - 2
    for size, fits in ((room, True), (room + 1, False)):
        async with serving(endpoint_of(large_after_progress(size))) as service:
            response = await service.post(message, BOTH)
        *_, last = frames_of(response.text)
        assert ("result" in last) is fits
        assert max(len(each) for each in response.text.encode().split(b"\n\n")) + 2 <= MAX_EVENT_BYTES


async def test_in_a_batch_only_the_answer_that_is_too_large_is_replaced() -> None:
    message = legacy("tools/call", {**call("x"), "_meta": {"progressToken": 1}}, request_id="large")
    async with serving(endpoint_of(large_after_progress(MAX_EVENT_BYTES))) as service:
        response = await service.post([message, legacy("ping", request_id="small")], BOTH)
    _, large, small = frames_of(response.text)
    assert (large["id"], large["error"]["code"]) == ("large", -32603)
    assert small == {"jsonrpc": "2.0", "id": "small", "result": {}}


async def test_a_notification_too_large_for_an_event_is_left_out_and_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def work(report: Report) -> Message:
        report(1, 2, "x" * MAX_EVENT_BYTES)
        await asyncio.sleep(0)
        return text_result("done")

    caplog.set_level(logging.WARNING)
    async with serving(endpoint_of(work)) as service:
        response = await service.post_modern(modern("tools/call", call("x"), progressToken=1))
    (answer,) = frames_of(response.text)
    assert answer["result"]["content"] == text_result("done")["content"]
    (record,) = [each for each in caplog.records if each.message == "notification_too_large"]
    assert record.__dict__["method"] == "notifications/progress"


# Clients that read slowly, or not at all.


async def test_a_slow_reader_gets_the_newest_progress_and_not_all_of_it() -> None:
    reports = 300
    told = asyncio.Event()

    async def work(report: Report) -> Message:
        for number in range(1, reports + 1):
            report(number, reports, LARGE)
            await asyncio.sleep(0)
        told.set()
        return text_result("done")

    message = legacy("tools/call", {**call("x"), "_meta": {"progressToken": 1}})
    async with (
        serving(endpoint_of(work)) as service,
        connected(service, receive_buffer=SMALL_BUFFER_BYTES) as connection,
    ):
        connection.send(request(message, {**BOTH, "Connection": "close"}))
        async with asyncio.timeout(PATIENCE_S):
            await told.wait()
        body = (await connection.rest()).decode()
    events = [line for line in body.split("\n") if '"progress":' in line or '"result":' in line]
    seen = [int(line.rpartition('"progress":')[2].partition(",")[0].strip(" }")) for line in events[:-1]]
    assert len(seen) < reports / 2
    assert seen == sorted(set(seen))
    assert seen[-1] == reports
    assert '"result":' in events[-1]


def never_done(cancelled: asyncio.Event, go_on: asyncio.Event) -> Callable[[Report], Any]:
    """Return work that reports for as long as it is let."""

    async def work(report: Report) -> Message:
        number = 0
        try:
            while not go_on.is_set():
                report(number := number + 1, 10**9, LARGE)
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return text_result("done")

    return work


async def given_up(endpoint: Endpoint) -> None:
    """Wait until the service has given up the one request that it has."""
    (handler,) = endpoint._handlers
    await asyncio.wait([handler], timeout=PATIENCE_S)
    assert handler.done()


async def test_a_modern_client_that_never_reads_is_given_up_and_its_work_cancelled() -> None:
    cancelled = asyncio.Event()
    endpoint = endpoint_of(never_done(cancelled, asyncio.Event()), HttpLimits(send_seconds=0.05))
    message = modern("tools/call", call("x"), progressToken=1)
    async with (
        serving(endpoint) as service,
        connected(service, receive_buffer=SMALL_BUFFER_BYTES) as connection,
    ):
        connection.send(request(message, {**BOTH, **routing(message)}))
        await connection.head()
        await given_up(endpoint)
        async with asyncio.timeout(PATIENCE_S):
            await cancelled.wait()
        assert not (await connection.rest()).endswith(END_OF_STREAM)
        assert not endpoint._calls.running


async def test_a_legacy_client_that_never_reads_is_given_up_too_but_its_work_goes_on() -> None:
    cancelled, go_on = asyncio.Event(), asyncio.Event()
    endpoint = endpoint_of(never_done(cancelled, go_on), HttpLimits(send_seconds=0.05))
    message = legacy("tools/call", {**call("x"), "_meta": {"progressToken": 1}})
    async with (
        serving(endpoint) as service,
        connected(service, receive_buffer=SMALL_BUFFER_BYTES) as connection,
    ):
        connection.send(request(message, BOTH))
        await connection.head()
        await given_up(endpoint)
        (work,) = endpoint._calls.running
        go_on.set()
        await asyncio.wait([work], timeout=PATIENCE_S)
        body = work.result().body
        assert isinstance(body, dict)
        assert "result" in body
    assert not cancelled.is_set()


async def test_a_client_that_never_reads_its_json_is_given_up() -> None:
    async def work(report: Report) -> Message:
        return text_result("x" * MORE_THAN_ANY_BUFFER)

    endpoint = endpoint_of(work, HttpLimits(send_seconds=0.05))
    async with (
        serving(endpoint) as service,
        connected(service, receive_buffer=SMALL_BUFFER_BYTES) as connection,
    ):
        connection.send(request(legacy("tools/call", call("x"))))
        status, headers = await connection.head()
        await given_up(endpoint)
        assert status == 200
        assert len(await connection.rest()) < int(headers["content-length"])


async def test_a_call_keeps_its_place_until_its_answer_is_out() -> None:
    async def work(report: Report) -> Message:
        return text_result("x" * MORE_THAN_ANY_BUFFER)

    endpoint = endpoint_of(work, HttpLimits(places=1))
    async with (
        serving(endpoint) as service,
        connected(service, receive_buffer=SMALL_BUFFER_BYTES) as connection,
    ):
        connection.send(request(legacy("tools/call", call("x"))))
        await connection.head()
        assert (endpoint._calls.running, endpoint.load.working) == (set(), 1)
        connection.abort()
        await until_over(endpoint)
        assert endpoint.load.working == 0


@pytest.mark.unmeasured
@pytest.mark.parametrize("least, all_of_it", [(64 * 1024, True), (10**9, False)])
async def test_a_client_that_reads_slowly_but_steadily_gets_all_of_it_unless_it_takes_too_long_altogether(
    monkeypatch: pytest.MonkeyPatch, let_pass: LetPass, least: int, all_of_it: bool
) -> None:
    """It takes a little in each second."""
    monkeypatch.setattr(sending, "LEAST_BYTES_PER_SECOND", least)

    async def work(report: Report) -> Message:
        return text_result("x" * SOME_SECONDS_OF_READING)

    limits = HttpLimits(send_seconds=15.0)
    async with (
        serving(endpoint_of(work, limits)) as service,
        connected(service, receive_buffer=SMALL_BUFFER_BYTES) as connection,
    ):
        connection.send(request(legacy("tools/call", call("x"))))
        _, headers = await connection.head()
        left = int(headers["content-length"])
        began = time.monotonic()
        with suppress(ConnectionError):
            while left and (piece := await connection.reader.read(A_LITTLE)):
                left -= len(piece)
                let_pass(1.0)
                assert (await service.post(legacy("ping"))).status_code == 200  # it sees what was taken
        took = time.monotonic() - began
    assert (left == 0) is all_of_it
    assert took > (2 if all_of_it else 1) * limits.send_seconds


async def test_a_stream_with_too_much_waiting_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "MAX_PENDING", 3)
    hub = Hub()
    endpoint = endpoint_of(large_after_progress(1), hub=hub)
    names = ["a", "b", "c", "d"]
    message = modern("subscriptions/listen", {"notifications": {"resourceSubscriptions": names}})
    async with serving(endpoint) as service, streaming(service, message) as events:
        await events.message()
        for name in names:
            hub.publish("resourceSubscriptions", {"uri": name}, name)
        with pytest.raises(httpx.TransportError):
            await events.rest()
        await until_over(endpoint)
        assert endpoint.load.open_streams == 0


# Streams that stay open.


def listen(**wanted: Any) -> Message:
    return modern("subscriptions/listen", {"notifications": wanted}, request_id="L1")


async def nothing_to_do(report: Report) -> Message:
    return text_result("done")


async def test_a_listener_hears_first_what_was_granted_then_what_changes_and_its_id_with_each() -> None:
    hub = Hub()
    wanted = listen(toolsListChanged=True, promptsListChanged=True, resourceSubscriptions=["a"])
    async with (
        serving(endpoint_of(nothing_to_do, hub=hub)) as service,
        streaming(service, wanted) as events,
        streaming(service, listen()) as other,
    ):
        first = await events.message()
        hub.publish("toolsListChanged")
        hub.publish("promptsListChanged")
        hub.publish("resourceSubscriptions", {"uri": "b"}, "b")
        hub.publish("resourceSubscriptions", {"uri": "a"}, "a")
        told = [await events.message() for _ in range(2)]
        hub.close()
        (last,), rest_of_other = await events.rest(), await other.rest()
    assert first["method"] == "notifications/subscriptions/acknowledged"
    assert first["params"]["notifications"] == {"toolsListChanged": True, "resourceSubscriptions": ["a"]}
    assert [each["method"].removeprefix("notifications/") for each in told] == [
        "tools/list_changed",
        "resources/updated",
    ]
    assert {each["params"]["_meta"][SUBSCRIPTION] for each in (first, *told)} == {"L1"}
    assert (last["id"], last["result"]["resultType"]) == ("L1", "complete")
    assert last["result"]["_meta"][SUBSCRIPTION] == "L1"
    assert [each.get("method") for each in rest_of_other] == [first["method"], None]


async def test_a_client_that_takes_no_streams_cannot_listen() -> None:
    message = listen()
    async with serving(endpoint_of(nothing_to_do, hub=Hub())) as service:
        answer = await service.post(message, {**routing(message), "Accept": "application/json"})
    assert answer.status_code == 406
    assert "text/event-stream" in answer.json()["error"]["message"]


async def test_what_is_wrong_with_a_listener_is_told_with_a_status_and_opens_no_stream() -> None:
    endpoint = endpoint_of(nothing_to_do, hub=Hub())
    message = listen(toolsListChanged="yes")
    async with serving(endpoint) as service:
        answer = await service.post(message, {**BOTH, **routing(message)})
    assert (answer.status_code, answer.json()["error"]["code"], answer.json()["id"]) == (400, -32602, "L1")
    assert endpoint.load.open_streams == 0


async def test_a_listener_that_leaves_is_forgotten() -> None:
    hub = Hub()
    endpoint = endpoint_of(nothing_to_do, hub=hub)
    async with serving(endpoint) as service:
        async with streaming(service, listen(toolsListChanged=True)) as events:
            await events.message()
            assert (endpoint.load.open_streams, hub.open_streams) == (1, 1)
        await until_over(endpoint)
        assert (endpoint.load.open_streams, hub.open_streams) == (0, 0)
        hub.publish("toolsListChanged")


async def test_draining_ends_streams_at_once_and_in_order() -> None:
    endpoint = endpoint_of(nothing_to_do, hub=Hub())
    async with serving(endpoint) as service, streaming(service, listen()) as events:
        await events.message()
        await asyncio.wait_for(endpoint.drain(600), PATIENCE_S)
        (last,) = await events.rest()
    assert (last["id"], last["result"]["resultType"]) == ("L1", "complete")
