"""Finds the setting that a misspelled name was meant to be. Only the rule: config.py decides what follows from it.

Names are compared by the words between their underscores, so that a variable which only shares a prefix or an ending with a
setting (MCP_SUMMARIZER_URL, READ_TIMEOUT_SECONDS, those that Kubernetes sets for a Service) does not count as misspelled.
"""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher, get_close_matches
from typing import TypeVar

# A single word of a setting's name, as PORT or MODEL, may be anything's.
MIN_WORDS = 2

# To compare a name with all settings takes a fifth of a millisecond; nobody has so many names that are not of settings.
MAX_COMPARED = 1_000

S = TypeVar("S", str, list[str])

# The smallest similarity of the words that differ: API_KEYS and APIKEY have .86; FORMAT and FORMATTER, .80, are not similar.
MIN_SIMILARITY = 0.84

# How many of the most similar names are compared by their words.
MAX_CANDIDATES = 5


def compared(names: Iterable[str], prefix: str) -> list[str]:
    """Return the names to be compared with those of settings, sorted: of more than MAX_COMPARED first those with this service's prefix."""
    own_first = sorted(names, key=lambda name: (not name.upper().startswith(prefix), name))
    return sorted(own_first[:MAX_COMPARED])


def suggestion(name: str, known: Sequence[str]) -> str | None:
    """Return the known name of which this one is a misspelling, None if there is none."""
    close = get_close_matches(name.upper(), known, MAX_CANDIDATES, MIN_SIMILARITY)
    return next((each for each in close if _is_misspelling(name.upper(), each)), None)


def shortened(name: str, known: Sequence[str]) -> list[str]:
    """Return the known names of which this one is all but one word; none where it has too few words to tell."""
    words = name.upper().split("_")
    return [each for each in known if len(words) >= MIN_WORDS and _lacks_one_word(words, each.split("_"))]


def _lacks_one_word(words: list[str], of: list[str]) -> bool:
    return any(words == of[:at] + of[at + 1 :] for at in range(len(of)))


def _is_misspelling(name: str, known: str) -> bool:
    return _is_one_typo(*_without_common_ends(name, known)) or _has_similar_words(name, known)


def _is_one_typo(left: str, right: str) -> bool:
    """Return whether two differing parts are one character inserted, deleted or replaced, two swapped, or equal."""
    return len(left) <= 1 >= len(right) or (len(left) == 2 and left == right[::-1])


def _has_similar_words(name: str, known: str) -> bool:
    left, right = _without_common_ends(name.split("_"), known.split("_"))
    return SequenceMatcher(None, "_".join(left), "_".join(right)).ratio() >= MIN_SIMILARITY


def _without_common_ends(left: S, right: S) -> tuple[S, S]:
    """Return two sequences without their common prefix and suffix."""
    shorter = min(len(left), len(right))
    start = next((at for at in range(shorter) if left[at] != right[at]), shorter)
    rest = shorter - start
    end = next((at for at in range(rest) if left[-1 - at] != right[-1 - at]), rest)
    return left[start : len(left) - end], right[start : len(right) - end]
