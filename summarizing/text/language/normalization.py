"""Unicode normalization a stretch at a time: a run of combining marks costs no more than its length.

The standard library sorts each run of marks by insertion, in one call that holds the interpreter: 64,000 marks take seconds. Text that
people write has a few in a row (Unicode Standard Annex #15, "Stream-Safe Text Format": 30 at most), and comes out the same.
"""

import unicodedata
from collections.abc import Iterator
from typing import Literal

STRETCH_CHARS = 512


def normalized(form: Literal["NFKC", "NFKD"], text: str) -> str:
    """Return a text in a normalization form; a word of more than STRETCH_CHARS may stay composed otherwise where it is cut."""
    if text.isascii():
        return text
    if len(text) <= STRETCH_CHARS:
        return unicodedata.normalize(form, text)
    return "".join(unicodedata.normalize(form, stretch) for stretch in _stretches(text))


def _stretches(text: str) -> Iterator[str]:
    """Yield the text in stretches that end behind white space, or else before a character that is no combining mark."""
    start = 0
    while start < len(text):
        end = start + STRETCH_CHARS
        if end < len(text):
            end = max(text.rfind(" ", start, end), text.rfind("\n", start, end)) + 1 or _before_base(
                text, start, end
            )
        yield text[start:end]
        start = end


def _before_base(text: str, start: int, end: int) -> int:
    """Return the last place up to `end`, in its second half, before a character that is no combining mark; else `end`."""
    for at in range(end, (start + end) // 2, -1):
        if not unicodedata.combining(text[at]):
            return at
    return end
