"""Searches a text a stretch at a time, since one search holds the interpreter until it finds something. Pure; knows no pattern."""

import re
from collections.abc import Iterator

STRETCH_CHARS = 64 * 1024

# Longer than any match but a certificate's key, which has about 3,300 characters at 4,096 bits.
LONGEST_CHARS = 16 * 1024


def matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield what `finditer` does, if no match is longer than LONGEST_CHARS; one may begin in a stretch and end in the next."""
    at = 0
    while at < len(text):
        end = at + STRETCH_CHARS
        for found in pattern.finditer(text, at, min(end + LONGEST_CHARS, len(text))):
            if found.start() >= end:
                break
            at = found.end()
            yield found
        at = max(at, end)
