"""What the readers of headings share: a heading, a line that may be one, and how long a heading may be.

Data and a few questions about single lines. Which lines are headings is decided in marked.py and unmarked.py.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from summarizing.text.lines import MIN_WIDTH, Line, item_mark, width_of

# The longest heading: over all its lines; without a sign that marks it, on one line and in words; in lines.
MAX_HEADING_CHARS = 120
MAX_PLAIN_HEADING_CHARS = 80
MAX_PLAIN_HEADING_WORDS = 12
MAX_HEADING_LINES = 3

# Where more of the lines that look like headings go on below, they are the first lines of paragraphs.
MAX_GOING_ON = 0.2

# Levels of headings without signs begin below those that signs can state.
UNSTATED = 10
# Headings of releases are above headings with signs, where those begin below one.
RELEASE = -1
# Titles of texts that were joined to one, and of what these are joined of, are above all that is in them.
ABOVE_ALL = -10

# The looks that other lines have as well: they make a heading only where no signs do.
WEAK_LOOKS = frozenset({"alone", "colon"})

# The look of lines that may be titles or not: they end each other's parts, and those of no heading.
UNCERTAIN = "uncertain"
LOWEST = 1_000

Look = tuple[str | int, ...]
"""What a heading looks like, such as ("numbered", 2): headings of one look have one level."""

RELEASE_LOOK: Look = ("release",)


class Heading(NamedTuple):
    """A heading: the lines that belong to it, and what of them is its text."""

    first: int
    last: int
    start: int
    end: int
    level: int
    is_statement: bool
    """Whether it says something by itself: it is a paragraph, or nothing stands under it."""
    is_marked: bool = False
    """Whether a sign makes it a heading, and not its look alone."""


class Candidate(NamedTuple):
    """Lines that may be a heading, `first` to `last`; `heading` is the line with its text."""

    first: int
    last: int
    heading: int
    level: int
    """The level that its sign states; 0 where the order of looks decides."""
    look: Look
    is_statement: bool = False


YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")

UNDERLINE = re.compile(r"([^\w\s])\1{1,199}+\Z")
# A row of underscores underlines no title: it only separates.
_RULE = re.compile(r"([^\w\s]|_)\1{1,199}+\Z")
# A thematic break of Markdown may have blanks between its signs (CommonMark 4.1).
_SPACED = re.compile(r"([-*_])(?: \1){2,99}+\Z")


def is_underline(text: str) -> bool:
    """Whether a line is one punctuation sign, repeated."""
    return text[:1] == text[-1:] and _RULE.match(text) is not None


def is_rule(text: str) -> bool:
    """Whether a line only separates what is above it from what is below."""
    return (
        not text[0].isalnum() and len(text) >= 3 and (is_underline(text) or _SPACED.match(text) is not None)
    )


def end_of_paragraph(lines: Sequence[Line], number: int) -> int:
    """Return the last line of a paragraph: below it there is a blank line, an item or a line that is underlined."""
    last = number
    while last + 1 < len(lines) and not lines[last + 1].gap and not item_mark(lines[last + 1].text):
        if is_underline(lines[last + 1].text):
            return max(number, last - 1)
        last += 1
    return last


def width_at(lines: Sequence[Line], number: int) -> int:
    """Return how wide the lines around one are, at least as wide as wrapped lines are."""
    return max(width_of(lines[number : number + 4]), MIN_WIDTH)


# A look without number, capitals or definition counts only if it occurs this often.
MIN_TIMES = 2
