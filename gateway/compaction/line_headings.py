"""Lines of which many follow each other with the same beginning: that beginning once, as a heading, and below it the rest of each. Pure.

    # gateway/check.py:
    18:async def checked(

So `rg --heading` prints what `grep -n` finds. The beginning is a path before a line's number, or the same number of words in all lines, as
the time in a log. The order is that of the text, and every line can be read back.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

MIN_LINES = 3
MAX_CHARS = 4_000_000
MAX_WORDS = 4

SIGNS = ("# ", "~ ", "% ", "\u00a7 ")
"""What may begin a heading: the first that no other line begins with."""

# A path with a colon in it could not be told from a line's number; what has neither a stop nor a slash may be a time.
_PATH = re.compile(r"\A[^:\s./]*+[./][^:\s]*+:(?=\d+:)")
_WORDS = [re.compile(rf"\A(?:\S++ ){{{words}}}") for words in range(1, MAX_WORDS + 1)]


class Headed(NamedTuple):
    """Lines in the form above."""

    text: str
    headings: int


def with_headings(text: str) -> Headed | None:
    """Return a text's lines below their beginnings, in the shortest way; None if none is shorter than the text."""
    lines = text.split("\n") if len(text) <= MAX_CHARS else []
    if len(lines) < MIN_LINES:
        return None
    found = (_headed(lines, pattern) for pattern in (_PATH, *_WORDS))
    best = min(filter(None, found), key=lambda headed: len(headed.text), default=None)
    return best if best and len(best.text) < len(text) else None


def _headed(lines: Sequence[str], pattern: re.Pattern[str]) -> Headed | None:
    """Return lines below their beginnings; None if one of them has none, but for an empty one at the end."""
    is_ended = not lines[-1]
    begins = [pattern.match(line) for line in lines[: len(lines) - is_ended]]
    ends = [found.end() for found in begins if found]
    if len(ends) < len(begins):
        return None
    parts = [(line[:end], line[end:]) for line, end in zip(lines, ends, strict=False)]
    sign = next((each for each in SIGNS if not any(rest.startswith(each) for _, rest in parts)), None)
    # An empty line at the end of the form would be read as the end of the text.
    if sign is None or not (is_ended or parts[-1][1]):
        return None
    written = list(_written(parts, sign))
    return Headed("\n".join(written) + "\n" * is_ended, len(written) - len(parts))


def _written(parts: Sequence[tuple[str, str]], sign: str) -> Iterator[str]:
    for beginning, lines in groupby(parts, key=itemgetter(0)):
        yield f"{sign}{beginning}"
        yield from (rest for _, rest in lines)
