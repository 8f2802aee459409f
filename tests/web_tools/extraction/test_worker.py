"""The extraction process from inside: each request gets its reply, whatever the page does."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

import pytest

from web_tools.extraction import worker
from web_tools.extraction.messages import ReadReply, ReadRequest, decoded_reply, decoded_request, encoded
from web_tools.extraction.read_page import MAX_TEXT_CHARS, ReadPage, TimeUsed
from web_tools.extraction.worker import ALARM_SECONDS, MAX_ERROR_CHARS, alarmed, serve

PLAIN = ReadRequest("https://example.org/", "text/plain", "")


@contextmanager
def in_time() -> Iterator[TimeUsed]:
    yield lambda: 0.0


def replies(*requests: tuple[ReadRequest, bytes]) -> list[tuple[ReadReply, str]]:
    """Return what the process answers to requests that come one after the other."""
    sent = BytesIO(b"".join(part for request in requests for part in encoded(*request)))
    got = BytesIO()
    serve(sent, got, in_time)
    got.seek(0)
    found = []
    while line := got.readline():
        reply, size = decoded_reply(line)
        found.append((reply, got.read(size).decode()))
    return found


def test_each_request_gets_its_reply_in_its_order() -> None:
    html = ReadRequest("https://example.org/ä\n", "text/html", "utf-8")
    page = "<title>Té</title><p>Wait\nfor it.</p>".encode()
    assert replies((PLAIN, "# One\nä".encode()), (html, page), (PLAIN, b"")) == [
        (ReadReply("One"), "# One\nä"),
        (ReadReply("Té"), "# Té\n\nWait for it."),
        (ReadReply(error="it is empty"), ""),
    ]


def test_a_message_is_read_as_it_was_written() -> None:
    head, body = encoded(PLAIN, b"a\nb")
    assert decoded_request(head) == (PLAIN, 3)
    assert head.count(b"\n") == 1
    assert body == b"a\nb"


def test_a_text_that_is_too_long_is_cut_and_the_note_says_so() -> None:
    ((reply, text),) = replies((PLAIN, b"a" * (MAX_TEXT_CHARS + 1)))
    assert text == "a" * MAX_TEXT_CHARS
    assert reply.note == "Only the first 4,194,304 of its 4,194,305 characters were read."


def test_signs_that_no_store_takes_are_replaced() -> None:
    json = ReadRequest("https://example.org/", "application/json", "")
    assert replies((json, b'"a\0b"')) == [(ReadReply(), '"a\ufffdb"')]


def test_what_a_library_raises_is_said_in_short_and_the_next_page_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(request: ReadRequest, body: bytes, time_used: TimeUsed) -> ReadPage:
        if body == b"bad":
            raise RecursionError("x" * 1_000)
        return ReadPage("fine")

    monkeypatch.setattr(worker, "read_page", fails)
    (first, _), second = replies((PLAIN, b"bad"), (PLAIN, b"good"))
    assert first.error.startswith("it is damaged: RecursionError: xxx")
    assert len(first.error) == MAX_ERROR_CHARS
    assert second == (ReadReply(), "fine")


def test_without_memory_the_process_answers_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def takes_all(request: ReadRequest, body: bytes, time_used: TimeUsed) -> ReadPage:
        raise MemoryError

    monkeypatch.setattr(worker, "read_page", takes_all)
    ((reply, text),) = replies((PLAIN, b"one"), (PLAIN, b"two"))
    assert (reply.is_at_end, text) == (True, "")
    assert "more memory" in reply.error


def test_a_page_has_an_alarm_while_it_is_read_and_none_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with alarmed(50) as time_used:
        assert 50 < signal.getitimer(signal.ITIMER_REAL)[0] <= 50 + ALARM_SECONDS
        assert time_used() == 0.0
        now = 140.0
        assert time_used() == 0.8
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
