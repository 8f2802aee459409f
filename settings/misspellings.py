"""Which setting was meant by a name that is none: the rule, and nothing of what happens then.

Names of an environment are compared by the words between their underscores, so that those which share only a prefix or an
ending with a setting (MCP_SUMMARIZER_URL, READ_TIMEOUT_SECONDS, what Kubernetes sets for a Service) are not taken for one.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher, get_close_matches
from typing import TypeVar

S = TypeVar("S", str, list[str])

# How much alike the words must be that differ: API_KEYS and APIKEY are, at .86; FORMAT and FORMATTER, at .80, are not.
LEAST_LIKENESS = 0.84

# Of what is alike as a whole, so many are looked at by their words.
MAX_CANDIDATES = 5


def meant(name: str, known: Sequence[str]) -> str | None:
    """Return the one of the known names that is written almost like this one, None where none is."""
    near = get_close_matches(name.upper(), known, MAX_CANDIDATES, LEAST_LIKENESS)
    return next((each for each in near if _is_misspelling(name.upper(), each)), None)


def _is_misspelling(name: str, known: str) -> bool:
    return _is_one_slip(*_without_common_ends(name, known)) or _has_similar_words(name, known)


def _is_one_slip(left: str, right: str) -> bool:
    """Whether what differs is one sign too many, too few or another, two that changed places, or only the case."""
    return len(left) <= 1 >= len(right) or (len(left) == 2 and left == right[::-1])


def _has_similar_words(name: str, known: str) -> bool:
    left, right = _without_common_ends(name.split("_"), known.split("_"))
    return SequenceMatcher(None, "_".join(left), "_".join(right)).ratio() >= LEAST_LIKENESS


def _without_common_ends(left: S, right: S) -> tuple[S, S]:
    """Return what is left of two sequences without what both begin and end with."""
    shorter = min(len(left), len(right))
    start = next((at for at in range(shorter) if left[at] != right[at]), shorter)
    rest = shorter - start
    end = next((at for at in range(rest) if left[-1 - at] != right[-1 - at]), rest)
    return left[start : len(left) - end], right[start : len(right) - end]
