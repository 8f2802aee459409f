"""Cuts a stream of bytes into lines, in bounded memory. No I/O: the caller feeds it."""

from dataclasses import dataclass

# What is kept of each end of a line that is too long.
KEPT_BYTES = 1024


@dataclass(frozen=True)
class LongLine:
    """A line over the limit: how it begins, how it ends, and its length."""

    head: bytes
    tail: bytes
    size: int


class LineSplitter:
    """Splits one stream at line feeds."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._line = bytearray()
        self._size = 0
        self._head = self._tail = b""

    def feed(self, data: bytes) -> list[bytearray | LongLine]:
        """Take the next bytes, cut anywhere; return the lines that they complete."""
        *ends, rest = data.split(b"\n")
        lines: list[bytearray | LongLine] = []
        for end in ends:
            self._add(end)
            lines.append(self._taken())
        self._add(rest)
        return lines

    def _add(self, piece: bytes) -> None:
        was_long = self._size > self._max_bytes
        self._size += len(piece)
        if self._size <= self._max_bytes:
            self._line += piece
            return
        if not was_long:
            self._head = bytes(self._line[:KEPT_BYTES])
            self._tail = bytes(self._line[-KEPT_BYTES:])
            self._line = bytearray()
        self._head = (self._head + piece)[:KEPT_BYTES]
        self._tail = (self._tail + piece)[-KEPT_BYTES:]

    def _taken(self) -> bytearray | LongLine:
        is_long = self._size > self._max_bytes
        line = LongLine(self._head, self._tail, self._size) if is_long else self._line
        self._line, self._size, self._head, self._tail = bytearray(), 0, b"", b""
        return line
