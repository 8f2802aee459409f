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
from web_tools.extraction.read_page import TimeUsed, Unreadable, within_limit

# A process whose service was killed ends so much later than its deadline.
ALARM_SECONDS = 1

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
def alarmed(seconds: float) -> Iterator[TimeUsed]:
    """Yield what says which share of the time is over; the system ends this process if the block takes much longer than `seconds`."""
    began = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, seconds + ALARM_SECONDS)
    try:
        yield lambda: (time.monotonic() - began) / seconds
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def serve(
    requests: BinaryIO, replies: BinaryIO, timed: Callable[[], AbstractContextManager[TimeUsed]]
) -> None:
    """Answer each request with a reply, each within a block of `timed`. Returns when the requests end, or memory does."""
    while line := requests.readline():
        request, size = decoded_request(line)
        body = requests.read(size)
        with timed() as time_used:
            reply, text = _answer(request, body, time_used)
        replies.writelines(encoded(reply, text))
        replies.flush()
        if reply.is_at_end:
            return


def _answer(request: ReadRequest, body: bytes, time_used: TimeUsed) -> tuple[ReadReply, bytes]:
    try:
        page = read_page(request, body, time_used)
        text, left_out = within_limit(page.text.replace("\0", "\ufffd"))
        reply = ReadReply(
            page.title[:MAX_TITLE_CHARS],
            " ".join(filter(None, (page.note, left_out))),
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
