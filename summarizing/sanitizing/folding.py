"""Folds a text for a search that is not deceived by how letters look: lower case, plain letters for compatible ones, nothing invisible."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

from summarizing.text.language.normalization import normalized

# Format characters of the Basic Multilingual Plane, combining marks, variation selectors, tags.
_NOT_READ = re.compile(
    "[\u00ad\u0300-\u036f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)

# Distinct characters whose plain form is cached: more than any language has.
MOST_FOLDS = 100_000


def folded(text: str) -> str:
    """Return a text in lower case, with plain letters for compatible ones and without invisible characters."""
    return text.lower() if _is_plain(text) else text.translate(_folds())


def folded_ends(text: str) -> Sequence[int]:
    """Return how long the folded text is after each character of a text."""
    if _is_plain(text):
        return range(1, len(text) + 1)
    return list(accumulate(map(len, map(_folds().__getitem__, map(ord, text)))))


def ascii_of(text: str) -> str:
    """Return the ASCII characters of a text, in lower case: each run of such characters in the folded text stands in it too.

    A fraction of the time of folding. Decomposed as a whole, a text has the ASCII characters that folding gives and more, those of letters
    with accents; but none of these stands within a run, and neither does what is left out.
    """
    return normalized("NFKD", text).encode("ascii", "ignore").decode().lower()


def _is_plain(text: str) -> bool:
    """Whether each character of a text is one character of its folded form."""
    if text.isascii():
        return True
    if _NOT_READ.search(text) or not unicodedata.is_normalized("NFKC", text):
        return False
    return len(text.lower()) == len(text)


class _Folds(dict[int, str]):
    """The plain form of each character that was met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        plain = "" if _NOT_READ.match(char) else unicodedata.normalize("NFKC", char).lower()
        if len(self) < MOST_FOLDS:
            self[code] = plain
        return plain


@cache
def _folds() -> _Folds:
    return _Folds()
