"""What the readers of titles share: a title, a line that may be one, and how long a title may be.

Data and a few questions about single lines. Which lines are titles is decided in marked_titles.py and plain_titles.py.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from summarizing.text.lines import MIN_WIDTH, Line, width_of

# What is longer is no title: over all its lines, on a line of a title that no sign marks, in words, and in lines.
MAX_TITLE_CHARS = 120
MAX_PLAIN_TITLE_CHARS = 80
MAX_PLAIN_TITLE_WORDS = 12
MAX_TITLE_LINES = 3

# Levels of titles without signs begin below those that signs can state.
UNSTATED = 10
# Titles of releases are above titles with signs, where those begin below one.
RELEASE = -1

WEAK_LOOKS = frozenset({"alone", "colon"})

Look = tuple[str | int, ...]


class Title(NamedTuple):
    """A heading: the lines that belong to it, and what of them is its text."""

    first: int
    last: int
    start: int
    end: int
    level: int
    is_statement: bool
    """Whether it says something by itself: it is a paragraph, or nothing stands under it."""


class Candidate(NamedTuple):
    first: int
    last: int
    title: int
    level: int
    """The level that its sign states; 0 where the order of looks decides."""
    look: Look
    is_statement: bool = False


UNDERLINE = re.compile(r"([^\w\s])\1{1,199}+\Z")


def is_underline(text: str) -> bool:
    """Whether a line is one punctuation sign, repeated."""
    return UNDERLINE.match(text) is not None


def width_at(lines: Sequence[Line], number: int) -> int:
    return max(width_of(lines[number : number + 4]), MIN_WIDTH)


# A look without number, capitals or definition counts only if it recurs,
MIN_TIMES = 2
