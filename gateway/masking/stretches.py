"""Searches a text a stretch at a time, since one search holds the interpreter until it finds something. Pure; knows no pattern."""

import re
from collections.abc import Collection, Iterator

STRETCH_CHARS = 64 * 1024

# Longer than any match but a certificate's key, which has about 3,300 characters at 4,096 bits.
LONGEST_CHARS = 16 * 1024


# In a megabyte a word is found in a fifth of a millisecond, which another thread may have to wait.
SEARCHED_CHARS = 1_000_000
LONGEST_WORD_CHARS = 256


def matches(pattern: re.Pattern[str], text: str, words: Collection[str] = ()) -> Iterator[re.Match[str]]:
    """Yield what `finditer` does, if no match is longer than LONGEST_CHARS; one may begin in a stretch and end in the next.

    A stretch is searched only if it has one of the words, in lower case, or they stand LONGEST_CHARS before or behind it.
    """
    at = 0
    while at < len(text):
        end = at + STRETCH_CHARS
        if words and not has_any(text[max(at - LONGEST_CHARS, 0) : end + LONGEST_CHARS], words):
            at = end
            continue
        for found in pattern.finditer(text, at, min(end + LONGEST_CHARS, len(text))):
            if found.start() >= end:
                break
            at = found.end()
            yield found
        at = max(at, end)


def has_any(text: str, words: Collection[str]) -> bool:
    """Whether a text, in lower case, has one of the words."""
    lowered = text.lower()
    return any(word in lowered for word in words)


def words_in(text: str, words: Collection[str]) -> set[str]:
    """Return which of the words, in lower case and of at most LONGEST_WORD_CHARS, a text has; a copy of all of it would take its size again."""
    missing = set(words)
    for at in range(0, len(text), SEARCHED_CHARS):
        lowered = text[at : at + SEARCHED_CHARS + LONGEST_WORD_CHARS].lower()
        missing -= {word for word in missing if word in lowered}
    return {*words} - missing
