"""The sentences of a long string in a JSON text, whose line breaks are written as escapes.

Does not decode: a span is that of the string as it is written.
"""

import re
from collections.abc import Iterable, Iterator

from summarizing.text.language.sentence_spans import SentenceFinder, ends_sentence

# A shorter sentence is joined to the next.
MIN_SENTENCE_CHARS = 20

# Wrapped lines are longer; a shorter line without a full stop at its end was not wrapped.
MIN_WRAPPED_CHARS = 45

_LINE_BREAK = re.compile(r"(?P<breaks>(?:\\[nr][ ]*+)++)|\\.")
_NEW_LINE = re.compile(r"[-*#|>\[\u2022]|[0-9]")


class StringSentences:
    """Finds the sentences of the strings of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._finder: SentenceFinder | None = None

    def spans(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the spans of the sentences of a string that stands from `start` to `end`, from quote to quote; of a number none."""
        if self._text[start] != '"':
            return []
        self._finder = finder = self._finder or SentenceFinder(self._text)
        at, found = start + 1, list[tuple[int, int]]()
        for line_break in _LINE_BREAK.finditer(self._text, at, end - 1):
            if line_break["breaks"] and self._ends_line(at, line_break):
                found += finder.spans(at, line_break.start())
                at = line_break.end()
        found += finder.spans(at, end - 1)
        joined = list(_joined(found))
        if joined:
            joined[0] = start + 1, joined[0][1]
            joined[-1] = joined[-1][0], end - 1
        return joined

    def _ends_line(self, start: int, line_break: re.Match[str]) -> bool:
        """Whether no sentence continues over a line's end."""
        before = self._text[max(start, line_break.start() - MIN_WRAPPED_CHARS) : line_break.start()]
        is_short = len(before) < MIN_WRAPPED_CHARS
        is_blank = line_break["breaks"].count("\\n") > 1
        starts_anew = _NEW_LINE.match(self._text, line_break.end()) is not None
        return is_short or is_blank or starts_anew or ends_sentence(before)


def _joined(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the spans; a very short one is joined to the next."""
    first = None
    end = 0
    for start, end in spans:
        first = start if first is None else first
        if end - first >= MIN_SENTENCE_CHARS:
            yield first, end
            first = None
    if first is not None:
        yield first, end
