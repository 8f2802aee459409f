"""A decoder for server-sent events: bytes in, the data of each event out. No connection here: the caller feeds it.

Follows https://html.spec.whatwg.org/multipage/server-sent-events.html, section 9.2.6; reads only the field `data`.
"""

import codecs
import re

# No event comes near it; it stops a sender that never ends its line.
MAX_LINE_CHARS = 4 * 1024 * 1024


class EndlessLine(Exception):
    """A line is longer than any event's."""


# \r\n, \n or \r; a last \r may be half of \r\n.
_LINE_END = re.compile(r"\r\n|\n|\r(?=.)", re.DOTALL)


class EventDecoder:
    """Decodes one stream."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8-sig")("replace").decode
        self._tail: list[str] = []
        self._tail_chars = 0
        self._data: list[str] = []

    def feed(self, data: bytes) -> list[str]:
        """Take the next bytes, cut anywhere; return the data of each event that they complete."""
        events = []
        for line in self._lines(self._decode(data)):
            name, _, value = line.partition(":")
            if not line and self._data:
                events.append("\n".join(self._data))
                self._data = []
            elif name == "data":
                self._data.append(value.removeprefix(" "))
        return events

    def _lines(self, text: str) -> list[str]:
        """Return the lines that a text completes; keep the rest in pieces, so that a long line is joined only once."""
        self._tail.append(text)
        self._tail_chars += len(text)
        if self._tail_chars > MAX_LINE_CHARS:
            raise EndlessLine(f"a line of more than {MAX_LINE_CHARS} characters")
        if not ("\n" in text or "\r" in text or self._tail[-2:][0].endswith("\r")):
            return []
        *lines, rest = _LINE_END.split("".join(self._tail))
        self._tail, self._tail_chars = [rest], len(rest)
        return lines
