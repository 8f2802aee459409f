"""Lines are the same wherever the bytes are cut, and memory is bounded."""

from __future__ import annotations

import pytest

from gateway.upstream.lines import KEPT_BYTES, LineSplitter, LongLine

STREAM = b'{"a": 1}\n\nshort\r\n' + b"x" * 40 + b"\n" + b"y" * 41 + b"\nlast\nunfinished"
LINES = [b'{"a": 1}', b"", b"short\r", b"x" * 40, LongLine(b"y" * 41, b"y" * 41, 41), b"last"]


@pytest.mark.unmeasured
@pytest.mark.parametrize("cut", range(len(STREAM) + 1))
def test_any_cut_gives_the_same_lines(cut: int) -> None:
    lines = LineSplitter(max_bytes=40)
    found = lines.feed(STREAM[:cut]) + lines.feed(STREAM[cut:])
    assert found == LINES


def test_byte_for_byte_gives_the_same_lines() -> None:
    lines = LineSplitter(max_bytes=40)
    found = [line for at in range(len(STREAM)) for line in lines.feed(STREAM[at : at + 1])]
    assert found == LINES


def test_of_a_long_line_only_the_ends_are_kept() -> None:
    lines = LineSplitter(max_bytes=10_000)
    assert lines.feed(b"head") == []
    for _ in range(1_000):
        assert lines.feed(b"x" * 1_000) == []
    (line,) = lines.feed(b"tail\n")
    assert isinstance(line, LongLine)
    assert line.size == 1_000_008
    assert line.head.startswith(b"headx")
    assert line.tail.endswith(b"xtail")
    assert len(line.head) == len(line.tail) == KEPT_BYTES
