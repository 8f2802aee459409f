"""A decoder for server-sent events: bytes in, the data of each event out. No connection here: the caller feeds it.

Follows https://html.spec.whatwg.org/multipage/server-sent-events.html, section 9.2.6, but for two things: the field `event` is not
read, and the data stays bytes, since it is JSON in nearly every case and its parser decodes it.
"""

import re

# No event comes near it; it stops a sender that never ends its line or its event.
MAX_EVENT_BYTES = 4 * 1024 * 1024

# The longest wait before a new connection that a server may ask for; a longer one counts as this.
MAX_RETRY_SECONDS = 3600.0


class EndlessEvent(Exception):
    """An event, or a line, is longer than any should be."""


_BOM = b"\xef\xbb\xbf"
# \r\n, \n or \r; a last \r may be half of \r\n.
_LINE_END = re.compile(rb"\r\n|\n|\r(?=.)", re.DOTALL)


class EventDecoder:
    """Decodes one stream. An event of more than `max_event_bytes` raises EndlessEvent."""

    def __init__(self, max_event_bytes: int | None = None) -> None:
        self._max_event_bytes = MAX_EVENT_BYTES if max_event_bytes is None else max_event_bytes
        self._tail: list[bytes] = []
        self._tail_bytes = 0
        self._data: list[bytes] = []
        self._data_bytes = 0
        self._is_first_line = True
        self._id = ""
        self.last_event_id = ""
        """The id of the last whole event, from which a new connection can go on; "" for none."""
        self.retry_seconds: float | None = None
        """How long the sender asked to wait before a new connection; None if it did not."""

    def feed(self, data: bytes) -> list[bytes]:
        """Take the next bytes, cut anywhere; return the data of each event that they complete."""
        events = []
        for line in self._lines(data):
            if line:
                self._add(line)
                continue
            # Events without data are not passed on, but their id counts.
            self.last_event_id = self._id
            if self._data:
                events.append(b"\n".join(self._data))
                self._data, self._data_bytes = [], 0
        return events

    def _add(self, line: bytes) -> None:
        colon = line.find(b":")
        name = line if colon < 0 else line[:colon]
        start = len(line) if colon < 0 else colon + 1 + line.startswith(b" ", colon + 1)
        if name == b"data":
            self._data.append(line[start:])
            self._data_bytes += len(line) - start + 1
            self._check_size(self._data_bytes)
        elif name == b"id" and b"\0" not in line:
            self._id = line[start:].decode("utf-8", "replace")
        elif name == b"retry" and line[start:].isdigit():
            self.retry_seconds = _seconds(line[start:])

    def _lines(self, data: bytes) -> list[bytes]:
        """Return the lines that the data completes; keep the rest in pieces, so that a long line is joined only once."""
        self._tail.append(data)
        self._tail_bytes += len(data)
        if not (b"\n" in data or b"\r" in data or self._tail[-2:][0].endswith(b"\r")):
            self._check_size(self._data_bytes + self._tail_bytes)
            return []
        pieces, self._tail = self._tail, []
        *lines, rest = _LINE_END.split(b"".join(pieces))
        self._tail, self._tail_bytes = [rest], len(rest)
        self._check_size(self._data_bytes + max(map(len, lines), default=0))
        if lines and self._is_first_line:
            self._is_first_line = False
            lines[0] = lines[0].removeprefix(_BOM)
        return lines

    def _check_size(self, size: int) -> None:
        if size > self._max_event_bytes:
            raise EndlessEvent(f"an event of more than {self._max_event_bytes} bytes")


def _seconds(milliseconds: bytes) -> float:
    # Python refuses to read thousands of digits.
    return min(int(milliseconds[:12]) / 1000, MAX_RETRY_SECONDS)
