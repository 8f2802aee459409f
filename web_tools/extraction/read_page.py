"""What reading a page gives, and what it raises: shared by the readers of each format."""

from collections.abc import Callable
from dataclasses import dataclass

IsLate = Callable[[], bool]
"""Whether the time for reading one page is nearly over."""


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


class Unreadable(Exception):
    """A page has no text that can be read; the message says why, and not of which URL."""
