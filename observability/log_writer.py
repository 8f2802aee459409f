"""Writes log lines in a separate thread, so that a slow or stuck reader of the log does not block the service.

A pipe that is not read takes 64 KiB; from then on a write blocks, and on the event loop every call with it. Here some thousand
lines wait in a queue; further ones are dropped and counted.
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

# How long the end of the process waits for the remaining lines: a reader that is slower is not reading at all.
CLOSE_SECONDS = 1.0


class LogWriter(TextIOBase):
    """A stream over another one; its writes never block."""

    def __init__(self, stream: TextIO, waiting: int = MAX_WAITING) -> None:
        """Queue at most this many writes, and drop further ones."""
        self._stream = stream
        self._lines: Queue[str | None] = Queue(waiting)
        self._report_below = waiting // 2 + 1
        # Only grows, and only the threads that log write it: the writer thread, which reports it, never resets it.
        self._dropped = 0
        self._failed = 0  # written by the writer thread only
        self._reported = 0
        self._thread = Thread(target=self._write_all, name="log")

    def start(self) -> None:
        """Start the writer thread."""
        self._thread.start()

    def stop(self, within: float) -> None:
        """Write the queued lines, for at most this many seconds."""
        try:
            self._lines.put(None, timeout=within)
        except Full:
            return
        self._thread.join(within)

    def write(self, text: str) -> int:
        """Queue a text."""
        try:
            self._lines.put_nowait(text)
        except Full:
            self._dropped += 1
        return len(text)

    def _write_all(self) -> None:
        while (text := self._lines.get()) is not None:
            try:
                self._write_through(text)
            except (
                BrokenPipeError,
                ValueError,
            ):  # the other end is closed, or this one: no line can be read any more
                self._discard_all()
                return
            except OSError:  # a full disk may have room again
                self._failed += 1
                continue
            # Only once the queue has room: otherwise the report would be dropped itself, and the count with it.
            if self._lines.qsize() < self._report_below:
                self._report_dropped()
        self._report_dropped()
        with suppress(OSError, ValueError):
            while not self._lines.empty():
                self._write_through(self._lines.get() or "")

    def _write_through(self, text: str) -> None:
        self._stream.write(text)
        if self._lines.empty():
            self._stream.flush()

    def _report_dropped(self) -> None:
        dropped = self._dropped + self._failed - self._reported
        if dropped:
            self._reported += dropped
            logger.warning("log_lines_dropped", extra={"lines": dropped})

    def _discard_all(self) -> None:
        # Close now: at its end Python flushes standard output, and exits with status 120 if that fails.
        with suppress(OSError, ValueError):
            self._stream.close()
        while self._lines.get() is not None:
            pass


@contextmanager
def open_log_writer(stream: TextIO) -> Iterator[LogWriter]:
    """Open a log writer over a stream; at the end of the block write the queued lines."""
    writer = LogWriter(stream)
    writer.start()
    try:
        yield writer
    finally:
        writer.stop(CLOSE_SECONDS)
