"""What a crawl brings twice, or that is nothing but links: dropped exactly, before any model sees it.

For extraction only, where the form of the text does not matter. Deterministic and cautious: a fence or a table row is
never touched, a short line never counts as a repeat.
"""

import re
from typing import NamedTuple

from structure import Kind, blocks

# Shorter lines may be repeated with a meaning of their own ("Status: open", "+ 10 gold").
MIN_REPEAT_CHARS = 60

# A block of links has at least this many, and next to no letters outside them.
MIN_LINKS = 3
MAX_SHARE_OUTSIDE_LINKS = 0.15

_LINK = re.compile(
    r"!?\[[^\[\]\n]{0,500}+\]\([^()\n]{0,2500}+\)|<https?://[^<>\s]{1,2000}+>|https?://\S{1,2000}+"
)
_LETTERS = re.compile(r"\w")


class Cleaned(NamedTuple):
    """The text that is left, and how many lines and blocks went."""

    text: str
    dropped: int


def clean(text: str) -> Cleaned:
    """Drop exact repeats of long lines and paragraphs, and blocks that are nothing but links."""
    seen: set[str] = set()
    kept: list[str] = []
    dropped = 0
    for block in blocks(text):
        stretch = text[block.start : block.end]
        if block.kind is not Kind.TEXT:
            kept.append(stretch)
        elif _is_repeat(stretch, seen) or _is_only_links(stretch):
            dropped += 1
        else:
            lines = stretch.splitlines(keepends=True)
            # subtle: a paragraph of one line, with the blank lines behind it, has just been remembered itself.
            alone = sum(bool(line.strip()) for line in lines) == 1
            left = lines if alone else [line for line in lines if not _is_repeat(line, seen)]
            dropped += len(lines) - len(left)
            kept.extend(left)
    return Cleaned("".join(kept), dropped)


def _is_repeat(stretch: str, seen: set[str]) -> bool:
    """Whether a long line or paragraph was there before; remembers it."""
    key = " ".join(stretch.split())
    if len(key) < MIN_REPEAT_CHARS or key.startswith("|"):
        return False
    known = key in seen
    seen.add(key)
    return known


def _is_only_links(stretch: str) -> bool:
    if stretch.lstrip().startswith("|"):
        return False
    outside, links = _LINK.subn("", stretch)
    if links < MIN_LINKS:
        return False
    return len(_LETTERS.findall(outside)) <= MAX_SHARE_OUTSIDE_LINKS * len(_LETTERS.findall(stretch))
