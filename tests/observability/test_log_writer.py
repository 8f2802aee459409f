"""The log writer: lines in order and complete, and no caller ever blocked."""

import errno
import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from observability.log_writer import LogWriter, open_log_writer

PATIENCE_S = 30.0


class Stuck(io.StringIO):
    """A stream whose reader takes nothing until it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.entered = Event()
        self.reader = Event()

    def write(self, text: str) -> int:
        self.entered.set()
        assert self.reader.wait(PATIENCE_S)
        return super().write(text)


@contextmanager
def stuck(waiting: int) -> Iterator[tuple[Stuck, LogWriter]]:
    """Give a log writer whose thread is in the middle of a write that does not end."""
    stream = Stuck()
    out = LogWriter(stream, waiting)
    out.start()
    out.write("first\n")
    assert stream.entered.wait(PATIENCE_S)
    try:
        yield stream, out
    finally:
        stream.reader.set()
        out.stop(PATIENCE_S)


@given(st.lists(st.text(max_size=20), max_size=50))
def test_every_line_is_written_in_order(lines: list[str]) -> None:
    stream = io.StringIO()
    with open_log_writer(stream) as out:
        assert [out.write(line) for line in lines] == list(map(len, lines))
    assert stream.getvalue() == "".join(lines)


def test_a_stuck_reader_blocks_no_caller_and_dropped_lines_are_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with stuck(waiting=10) as (stream, out):
        for number in range(15):
            out.write(f"{number}\n")
    assert stream.getvalue().split() == ["first", *map(str, range(10))]
    dropped = [each for each in caplog.records if each.message == "log_lines_dropped"]
    assert [each.lines for each in dropped] == [5]  # type: ignore[attr-defined]


class Crowded(io.StringIO):
    """A stream that takes its time: at each of its first writes, others hand over more than may wait."""

    def __init__(self, writes: int) -> None:
        super().__init__()
        self.out: LogWriter | None = None
        self.handed_over = 0
        self.is_calm = Event()
        self._writes = writes

    def write(self, text: str) -> int:
        assert self.out is not None
        if self._writes:
            self._writes -= 1
            self.handed_over += 7
            for _ in range(7):
                self.out.write("line\n")
        else:
            self.is_calm.set()
        return super().write(text)


@contextmanager
def says_what_it_drops(out: LogWriter) -> Iterator[None]:
    """Send the log writer's own lines through it, as the service does."""
    handler = logging.StreamHandler(out)
    handler.setFormatter(logging.Formatter("%(message)s %(lines)d"))
    own = logging.getLogger("observability.log_writer")
    own.addHandler(handler)
    try:
        yield
    finally:
        own.removeHandler(handler)


@pytest.mark.parametrize("waiting", [1, 2, 5])
@pytest.mark.parametrize("writes", [1, 3, 20])
def test_each_line_is_written_or_counted_as_dropped(waiting: int, writes: int) -> None:
    stream = Crowded(writes)
    stream.out = out = LogWriter(stream, waiting)
    with says_what_it_drops(out):
        out.write("line\n")
        out.start()
        assert stream.is_calm.wait(PATIENCE_S)
        out.stop(PATIENCE_S)
    assert not out._thread.is_alive()
    lines = stream.getvalue().splitlines()
    dropped = sum(int(line.split()[1]) for line in lines if line.startswith("log_lines_dropped"))
    assert dropped >= 2
    assert lines.count("line") + dropped == 1 + stream.handed_over


def test_closing_does_not_wait_for_a_stuck_reader() -> None:
    with stuck(waiting=1) as (_, out):
        out.write("waits\n")
        out.stop(0.01)
        assert out._thread.is_alive()


class Gone(io.StringIO):
    """A stream whose reader has gone."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize("stream", [Gone(), closed()])
def test_with_the_pipe_closed_lines_are_dropped_and_closing_works(stream: io.StringIO) -> None:
    with open_log_writer(stream) as out:
        for number in range(100):
            out.write(f"{number}\n")
    assert not out._thread.is_alive()


class FullDisk(io.StringIO):
    """A file that has no room for the first lines."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def write(self, text: str) -> int:
        if self.times:
            self.times -= 1
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(text)


@pytest.mark.parametrize("times", [1, 5])
def test_writing_resumes_when_a_full_disk_has_room_and_lost_lines_are_counted(
    times: int, caplog: pytest.LogCaptureFixture
) -> None:
    stream = FullDisk(times)
    with open_log_writer(stream) as out:
        for number in range(10):
            out.write(f"{number}\n")
    assert stream.getvalue() == "".join(f"{number}\n" for number in range(times, 10))
    assert [vars(record)["lines"] for record in caplog.records] == [times]
