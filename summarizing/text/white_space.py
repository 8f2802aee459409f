"""Runs of white space as a browser shows them: as one space. Pure; knows no elements, of which some keep theirs."""

import re

_SPACE = re.compile(r"\s++")
_WIDE_SPACE = re.compile(r"\s{2,}+")

# In characters; each word of a stretch of this length may be a piece of its own for a moment.
STRETCH = 10_000


def with_single_spaces(text: str) -> str:
    """Return a text with one space for each run of white space, a stretch at a time."""
    if len(text) <= STRETCH:
        return _SPACE.sub(" ", text)
    stretches = (text[at : at + STRETCH] for at in range(0, len(text), STRETCH))
    # A run across the end of a stretch has left a space in each.
    return _WIDE_SPACE.sub(" ", "".join(_SPACE.sub(" ", stretch) for stretch in stretches))
