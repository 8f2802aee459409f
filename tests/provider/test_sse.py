"""What the decoder of events keeps beside their data: ids, the wait before a new connection; and its limit."""

from __future__ import annotations

import pytest

from provider.sse import EndlessEvent, EventDecoder


def test_the_id_of_the_last_whole_event_is_kept() -> None:
    decoder = EventDecoder()
    assert decoder.feed(b"id: 1\ndata: a\n\nid: 2\ndata: b\n") == [b"a"]
    assert decoder.last_event_id == "1"
    assert decoder.feed(b"\n") == [b"b"]
    assert decoder.last_event_id == "2"


@pytest.mark.parametrize("event, events", [(b"id: 5\n\n", []), (b"id: 5\ndata:\n\n", [b""])])
def test_an_event_without_data_tells_its_id(event: bytes, events: list[bytes]) -> None:
    decoder = EventDecoder()
    assert decoder.feed(event) == events
    assert decoder.last_event_id == "5"


def test_an_id_holds_until_another_one_or_an_empty_one() -> None:
    decoder = EventDecoder()
    decoder.feed(b"id: 5\ndata: a\n\ndata: b\n\nid: x\0y\ndata: c\n\n")
    assert decoder.last_event_id == "5"
    decoder.feed(b"id\ndata: d\n\n")
    assert decoder.last_event_id == ""


@pytest.mark.parametrize(
    "line, seconds",
    [(b"retry: 250", 0.25), (b"retry: soon", None), (b"retry: -1", None), (b"retry:" + b"9" * 9_000, 3600.0)],
)
def test_the_wait_before_a_new_connection_is_read(line: bytes, seconds: float | None) -> None:
    decoder = EventDecoder()
    decoder.feed(line + b"\n")
    assert decoder.retry_seconds == seconds


@pytest.mark.parametrize("stream", [b"x" * 101, b"data: " + b"x" * 101, b"data: x\n" * 60])
def test_an_event_over_the_limit_is_refused(stream: bytes) -> None:
    with pytest.raises(EndlessEvent, match="an event of more than 100 bytes"):
        EventDecoder(max_event_bytes=100).feed(stream)


def test_many_events_of_one_chunk_are_no_long_event() -> None:
    assert len(EventDecoder(max_event_bytes=100).feed(b"data: x\n\n" * 1_000)) == 1_000


def test_a_line_feed_after_a_return_is_the_same_end_wherever_it_is_cut() -> None:
    decoder = EventDecoder()
    found = [
        event
        for piece in (b"data: a\r", b"", b"\n\r", b"\ndata: b\r", b"\r")
        for event in decoder.feed(piece)
    ]
    assert found == [b"a", b"b"]


def test_an_event_is_handed_over_as_soon_as_its_last_line_ends() -> None:
    decoder = EventDecoder()
    assert decoder.feed(b"data: a\r\r") == [b"a"]
