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
_LINE_END = re.compile(rb"\r\n|\n|\r")
_DATA = b"data:"


class EventDecoder:
    """Decodes one stream. An event of more than `max_event_bytes` raises EndlessEvent.

    What belongs to an event's data is added to it as it comes: joining or searching it later would stop the event loop for a second
    where it has 100 MB.
    """

    def __init__(self, max_event_bytes: int | None = None) -> None:
        self._max_event_bytes = MAX_EVENT_BYTES if max_event_bytes is None else max_event_bytes
        self._is_after_cr = False
        self._is_first_line = True
        self._line = bytearray()
        self._data: bytearray | None = None
        self._is_in_data = False
        self._id = ""
        self.last_event_id = ""
        """The id of the last whole event, from which a new connection can go on; "" for none."""
        self.retry_seconds: float | None = None
        """How long the sender asked to wait before a new connection; None if it did not."""

    def feed(self, data: bytes) -> list[bytearray]:
        """Take the next bytes, cut anywhere; return the data of each event that they complete."""
        if not data:
            return []
        # A \r ends its line at once: whether a \n belongs to it, the next bytes tell.
        whole = data.removeprefix(b"\n") if self._is_after_cr else data
        self._is_after_cr = data.endswith(b"\r")
        events = []
        *ends, rest = _LINE_END.split(whole)
        for end in ends:
            self._add(end)
            events += self._end_line()
        self._add(rest)
        return events

    def _add(self, piece: bytes) -> None:
        """Add to the present line."""
        if self._data is not None and self._is_in_data:
            self._data += piece
        else:
            self._line += piece
            if self._is_first_line:
                self._line = self._line.removeprefix(_BOM)
            # One byte more than the name: it may be the space that does not count.
            if len(self._line) > len(_DATA) and self._line.startswith(_DATA):
                self._begin_data(self._line[len(_DATA) :])
                self._is_in_data = True
                self._line.clear()
        if len(self._line) + len(self._data or b"") > self._max_event_bytes:
            raise EndlessEvent(f"an event of more than {self._max_event_bytes} bytes")

    def _begin_data(self, value: bytearray) -> None:
        """Begin a line of data: there is a line feed between two."""
        value = value.removeprefix(b" ")
        if self._data is None:
            self._data = value
        else:
            self._data += b"\n" + value

    def _end_line(self) -> list[bytearray]:
        """End the present line; return the event that it ends, if there is one."""
        self._is_first_line = False
        if self._is_in_data:
            self._is_in_data = False
            return []
        line, self._line = self._line, bytearray()
        if line:
            self._read_field(line)
            return []
        # Events without data are not passed on, but their id counts.
        self.last_event_id = self._id
        data, self._data = self._data, None
        return [] if data is None else [data]

    def _read_field(self, line: bytearray) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._begin_data(value)
        elif name == b"id" and b"\0" not in value:
            self._id = value.decode("utf-8", "replace")
        elif name == b"retry" and value.isdigit():
            # Python refuses to read thousands of digits.
            self.retry_seconds = min(int(value[:12]) / 1000, MAX_RETRY_SECONDS)
