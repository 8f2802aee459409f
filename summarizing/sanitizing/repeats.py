"""Repeated blocks, dropped exactly: two or more paragraphs of prose in a row that stood in the text before, word for word.

So a header that a crawl repeats on every page is dropped, and what may be data stays: rows, list items, lines of logs, code,
single paragraphs. The first of equal paragraphs is never dropped. Does not judge by what a text says.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from summarizing.text.format_words import format_words

# Shorter paragraphs may be repeated with a meaning of their own.
MIN_CHARS = 60

_BLANK_LINES = re.compile(r"\n(?:[ \t\r]*+\n)++")
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’»)]*+(?:\s|\Z)")
_FENCE = re.compile(r"^[ \t>]*+(`{3,}|~{3,})", re.MULTILINE)


# A row, an item, a heading, markup, a number or time stamp, indented code, a log's level.
@cache
def _data() -> re.Pattern[str]:
    levels = "|".join(format_words().log_levels)
    return re.compile(rf"^(?: {{4}}|\t|[ >]{{0,8}}(?:[|#*+<{{\[\d•=~-]|(?:{levels})\b))", re.MULTILINE)


class Left(NamedTuple):
    """The text that is left, and how many paragraphs were dropped."""

    text: str
    dropped: int


class Repeats:
    """Drops the repeats of one text, which is read a stretch at a time and in order."""

    def __init__(self) -> None:
        self._pairs: set[int] = set()
        self._fence = ""

    def drop(self, stretch: str) -> Left:
        """Drop what repeats an earlier part of this stretch, or of the ones before."""
        paragraphs = list(_paragraphs(stretch))
        keys = [self._key(paragraph) for paragraph in paragraphs]
        repeated: set[int] = set()
        for at, (key, following) in enumerate(pairwise(keys)):
            if not (key and following):
                continue
            pair = hash((key, following))
            if pair in self._pairs:
                repeated |= {at, at + 1}
            self._pairs.add(pair)
        if not repeated:
            return Left(stretch, 0)
        kept = "".join(paragraph for at, paragraph in enumerate(paragraphs) if at not in repeated)
        return Left(kept, len(repeated))

    def _key(self, paragraph: str) -> str:
        """Return what equal paragraphs have in common; "" where a repeat may be data."""
        was_code = bool(self._fence)
        for fence in _FENCE.findall(paragraph):
            if not self._fence:
                self._fence = fence
            elif fence.startswith(self._fence):
                self._fence = ""
            was_code = True
        key = "" if was_code or _data().search(paragraph) else " ".join(paragraph.split())
        return key if len(key) >= MIN_CHARS and _SENTENCE_END.search(key) else ""


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text, each with the blank lines after it."""
    at = 0
    for blank in _BLANK_LINES.finditer(text):
        yield text[at : blank.end()]
        at = blank.end()
    if at < len(text):
        yield text[at:]
