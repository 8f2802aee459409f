"""The extraction process: reads one page after the other, from its stdin to its stdout, within the memory that it may use.

A program of its own, started by worker_pool.py, which ends it when a page takes too long. It knows no settings and has no keys: its
environment is empty. It ends when its stdin does; an alarm ends it where a library that never returns would let it outlive the service.
"""

import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import BinaryIO

from web_tools.extraction.formats import read_page
from web_tools.extraction.messages import ReadReply, ReadRequest, decoded_request, encoded
from web_tools.extraction.read_page import IsLate, Unreadable

# A process whose service was killed ends so much later than its deadline.
ALARM_SECONDS = 1

# The part of its time after which a long document is not read on; what was read until then is handed over in the rest.
READING_SHARE = 0.8

# Four long novels. The note says how much of a longer text was read.
MAX_TEXT_CHARS = 4 * 1024 * 1024

# A longer title is none.
MAX_TITLE_CHARS = 300

# What a library says of a damaged page may quote it.
MAX_ERROR_CHARS = 300


def main(memory_bytes: int, seconds: float) -> None:
    """Serve until stdin ends, with at most this much memory, and so many seconds at each page."""
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # a terminal sends it to the service and to us; the service ends us
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no reply
    serve(sys.stdin.buffer, replies, partial(alarmed, seconds))


@contextmanager
def alarmed(seconds: float) -> Iterator[IsLate]:
    """Yield a check for whether the time is nearly over; the system ends this process if the block takes much longer than `seconds`."""
    end = time.monotonic() + seconds * READING_SHARE
    signal.setitimer(signal.ITIMER_REAL, seconds + ALARM_SECONDS)
    try:
        yield lambda: time.monotonic() >= end
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def serve(requests: BinaryIO, replies: BinaryIO, timed: Callable[[], AbstractContextManager[IsLate]]) -> None:
    """Answer each request with a reply, each within a block of `timed`. Returns when the requests end, or memory does."""
    while line := requests.readline():
        request, size = decoded_request(line)
        body = requests.read(size)
        with timed() as is_late:
            reply, text = _answer(request, body, is_late)
        replies.writelines(encoded(reply, text))
        replies.flush()
        if reply.is_at_end:
            return


def _answer(request: ReadRequest, body: bytes, is_late: IsLate) -> tuple[ReadReply, bytes]:
    try:
        page = read_page(request, body, is_late)
        note, text = page.note, page.text.replace("\0", "\ufffd")
        if len(text) > MAX_TEXT_CHARS:
            note = (
                f"{note} Only the first {MAX_TEXT_CHARS:,} of its {len(text):,} characters were read.".strip()
            )
            text = text[:MAX_TEXT_CHARS]
        reply = ReadReply(
            page.title[:MAX_TITLE_CHARS],
            note,
            is_main_content=page.is_main_content,
            is_skeleton=page.is_skeleton,
        )
        return reply, text.encode("utf-8", "replace")
    except Unreadable as unreadable:
        return ReadReply(error=str(unreadable)), b""
    except MemoryError:
        return ReadReply(error="it takes more memory than the reading of a page may", is_at_end=True), b""
    except Exception as error:  # noqa: BLE001 - whatever a library makes of a damaged page is the page's fault
        return ReadReply(error=f"it is damaged: {type(error).__name__}: {error}"[:MAX_ERROR_CHARS]), b""


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
