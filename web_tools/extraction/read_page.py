"""What reading a page gives, and what it raises: shared by the readers of each format."""

from collections.abc import Callable
from dataclasses import dataclass

# Four long novels. The note says how much of a longer text was read.
MAX_TEXT_CHARS = 4 * 1024 * 1024

TimeUsed = Callable[[], float]
"""Returns which share of the time for reading one page is over, from 0 to 1."""


@dataclass(frozen=True)
class ReadPage:
    """The readable part of a page, as Markdown."""

    text: str
    title: str = ""
    note: str = ""
    """What the reader must know of how it was read; empty: nothing."""
    is_main_content: bool = False
    """Whether what stands around the main content was left out."""
    is_skeleton: bool = False
    """Whether scripts probably build the page: without them it says next to nothing."""


def within_limit(text: str) -> tuple[str, str]:
    """Return a text, or as much of it as is read of any page, and a note where that is less than all; else ""."""
    if len(text) <= MAX_TEXT_CHARS:
        return text, ""
    return text[
        :MAX_TEXT_CHARS
    ], f"Only the first {MAX_TEXT_CHARS:,} of its {len(text):,} characters were read."


class Unreadable(Exception):
    """A page has no text that can be read; the message says why, and not of which URL."""
