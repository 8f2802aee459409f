"""Searches a text a stretch at a time, since one search holds the interpreter until it finds something. Pure; knows no pattern."""

import re
from collections.abc import Collection, Iterator

# How long a stretch is.
STRETCH_CHARS = 64 * 1024

# How long a match may be that is found wherever it begins. The longest that is known, a certificate's key of 4,096 bits, has about 3,300.
LONGEST_CHARS = 16 * 1024


# How much of a text `words_in` reads at a time: about two milliseconds, for which another thread may have to wait.
SEARCHED_CHARS = 128 * 1024
# How long a word may be that `words_in` looks for: so much of the next part is read with each.
LONGEST_WORD_CHARS = 256
# `words_in` searches a shorter text as it is, without a set of its tokens. Of 200 words in a longer one, that takes two thirds to a third of
# the time where tokens repeat, as much where none does; in code and prose of 4,000 characters it is even.
FEW_CHARS = 4_000

# What ends a token beside white space, in a text that is ASCII; in others a translation takes longer than it saves.
_ENDS_OF_TOKENS = str.maketrans(dict.fromkeys("\"'`,;()[]{}/\\", " "))


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
    if len(text) < FEW_CHARS:
        lowered = text.lower()
        return {word for word in words if word in lowered}
    in_tokens = set(filter(_is_in_a_token, words))
    missing = set(words)
    for at in range(0, len(text), SEARCHED_CHARS):
        lowered = text[at : at + SEARCHED_CHARS + LONGEST_WORD_CHARS].lower()
        tokens = _different_tokens(lowered)
        missing -= {word for word in missing if word in (tokens if word in in_tokens else lowered)}
    return {*words} - missing


def _is_in_a_token(word: str) -> bool:
    """Whether a word is within one token, wherever it stands."""
    return word.translate(_ENDS_OF_TOKENS).split() == [word]


def _different_tokens(text: str) -> str:
    """Return the tokens of a text, each once: most texts repeat theirs, and each word is looked for."""
    parts = text.translate(_ENDS_OF_TOKENS) if text.isascii() else text
    return "\n".join(set(parts.split()))
