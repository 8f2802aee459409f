"""Where log lines leave the process: a thread of its own writes them, so that nobody who does not read them holds anything up.

A pipe that nobody empties takes 64 KiB; from then on a write waits, and on the event loop every call with it. Here the
lines wait, some thousand of them, and the rest are counted.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOBase
from queue import Full, Queue
from threading import Thread
from typing import TextIO

logger = logging.getLogger(__name__)

# About 2 MB, some seconds of a busy service.
MAX_WAITING = 5_000

# After the last line was handed over: a reader that takes longer than that for what is left takes nothing.
CLOSE_SECONDS = 1.0


class Outlet(TextIOBase):
    """A stream over another, whose writes never wait."""

    def __init__(self, stream: TextIO, waiting: int = MAX_WAITING) -> None:
        """So many writes may wait; one more is dropped."""
        self._stream = stream
        self._lines: Queue[str | None] = Queue(waiting)
        self._told_below = waiting // 2 + 1
        # Only grows, and only whoever writes counts: the thread that tells of it takes nothing away meanwhile.
        self._dropped = 0
        self._failed = 0  # the thread's own count
        self._told = 0
        self._thread = Thread(target=self._write_all, name="log")

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def stop(self, within: float) -> None:
        """Write what waits, for at most so many seconds."""
        try:
            self._lines.put(None, timeout=within)
        except Full:
            return
        self._thread.join(within)

    def write(self, text: str) -> int:
        """Hand a text over."""
        try:
            self._lines.put_nowait(text)
        except Full:
            self._dropped += 1
        return len(text)

    def _write_all(self) -> None:
        while (text := self._lines.get()) is not None:
            try:
                self._put(text)
            except (
                BrokenPipeError,
                ValueError,
            ):  # the other end is closed, or this one: nobody will ever read it
                self._give_up()
                return
            except OSError:  # a full disk may have room again
                self._failed += 1
                continue
            # Not before there is room for it: the line that tells of them would be dropped itself, and the count with it.
            if self._lines.qsize() < self._told_below:
                self._tell()
        self._tell()
        with suppress(OSError, ValueError):
            while not self._lines.empty():
                self._put(self._lines.get() or "")

    def _put(self, text: str) -> None:
        self._stream.write(text)
        if self._lines.empty():
            self._stream.flush()

    def _tell(self) -> None:
        dropped = self._dropped + self._failed - self._told
        if dropped:
            self._told += dropped
            logger.warning("log_lines_dropped", extra={"lines": dropped})

    def _give_up(self) -> None:
        # Python writes what is left in the buffer of its standard output when it ends, and ends with 120 where that fails.
        with suppress(OSError, ValueError):
            self._stream.close()
        while self._lines.get() is not None:
            pass


@contextmanager
def outlet(stream: TextIO) -> Iterator[Outlet]:
    """Open an outlet over a stream, and let it write what waits at the end."""
    out = Outlet(stream)
    out.start()
    try:
        yield out
    finally:
        out.stop(CLOSE_SECONDS)
