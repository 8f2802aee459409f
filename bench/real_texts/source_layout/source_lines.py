"""A line of a source, and what a look at a single line tells: its indentation, its width, whether it is a rule.

Data and pure functions. What stands above a line is found in source_headings.py, where its sentence goes on in line_wraps.py.
"""

import re
import unicodedata
from dataclasses import dataclass, field

# A bar with columns behind it is the first of them.
_GUTTER = re.compile(r"\s*+(?:>\s++)*+(?:\|\s++(?!.*\|\s*$|\S+ {3,}))?")

UNDERLINE = re.compile(r"^([=\-~^\"'*+#.`])\1{2,}\s*$")
ATX = re.compile(r"^(#{1,6}|={1,5})\s+\S")

NUMBERED_ENTRY = re.compile(r"^\s*\d+(?:\.\d+)*\.?\s+\S")

UNDERLINE_TOLERANCE = 3
MOST_TITLE_LINES = 3

_WIDE_RULE = re.compile(r"^([-=_*])\1{49,}\s*$")

ITEM = re.compile(
    r"^\s*(?:\([^()]{1,150}\):|[-*+•·o.]|\(?[\dA-Za-z]{1,3}[.)]|\[\d+\]|//|#+|;|::|\.\.|(?:[^\W\d_]{3} \d\d?, \d{4}|\d{4}[-/]\d\d[-/]\d\d):)\s+\S"
)


@dataclass
class Line:
    """A line of the source."""

    text: str
    start: int
    heading: int = 0
    """Its level, 1 the highest; 0: it is none."""
    ends: int = 0
    """It is no heading, and ends the sections of this level and below."""
    title: str = ""
    """Of a heading: all of it, where it goes on in the next lines."""
    headings: tuple[int, ...] = ()
    """The numbers of the headings it stands under, the highest first."""
    table_head: int | None = None
    """The number of the head row of its table."""
    is_unmarked: bool = False
    """Whether no markup, but only its look makes it a heading."""
    runs_on: bool = False
    """Whether its end is the middle of a sentence, which the next line continues with."""
    is_code: bool = field(default=False, repr=False)

    @property
    def indent(self) -> int:
        """How many columns its text is indented by."""
        return indent_of(self.text)


def indent_of(text: str) -> int:
    """Return how many columns a line is indented by; the signs of a quotation or a margin are white space."""
    wide = text.expandtabs()
    gutter = _GUTTER.match(wide)
    return gutter.end() if gutter else 0


def signs_of_quotation(text: str) -> int:
    """Return how many signs of a quotation a line begins with."""
    gutter = _GUTTER.match(text)
    return gutter[0].count(">") if gutter else 0


def is_wide(char: str) -> bool:
    """Whether a character takes two columns (Unicode Annex 11)."""
    return unicodedata.east_asian_width(char) in "WF"


def columns(text: str) -> int:
    """Return how many columns a text is wide."""
    text = text.expandtabs()
    return len(text) if text.isascii() else sum(2 if is_wide(char) else 1 for char in text)


def is_as_long(title: str, line: str) -> bool:
    """Whether a line underlines a title: "[general]" over nine signs."""
    width = columns(title)
    return abs(len(line) - width) <= max(UNDERLINE_TOLERANCE, width // 5)


def is_wide_rule(text: str) -> bool:
    """Whether a line parts what is above from what is below it: after it no section without markup goes on."""
    return _WIDE_RULE.match(text) is not None
