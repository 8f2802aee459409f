"""What is dropped exactly, before any model sees it: what nobody sees, what gives a model orders, what a crawl brings twice.

Repeats and blocks that are nothing but links go for an extraction only, where the form of the text does not matter.
Deterministic and cautious: there, a fence or a table row is never touched, and a short line never counts as a repeat.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import hidden
import injections
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
    """The text that is left, and what went, in words; none where it is the text that was given."""

    text: str
    notes: tuple[str, ...]


def clean(content: str, *, for_extraction: bool) -> Cleaned:
    """Drop what is hidden, what gives a model orders and, for an extraction, repeats and blocks of links.

    A step that would leave nothing is not taken.
    """
    steps: list[tuple[Callable[[str], Counted], str]] = [
        (_shown, "hidden stretches dropped"),
        (_without_orders, "passages that give orders to a model dropped"),
    ]
    if for_extraction:
        steps.append((drop_repeats, "repeated or link-only lines and blocks dropped"))
    text, notes = content, list[str]()
    for step, name in steps:
        left = step(text)
        if left.dropped and left.text.strip():
            text = left.text
            notes.append(f"{left.dropped} {name}")
    return Cleaned(text.strip() if notes else content, tuple(notes))


class Counted(NamedTuple):
    """The text that is left, and how many parts went."""

    text: str
    dropped: int


def _shown(text: str) -> Counted:
    return Counted(*hidden.drop_hidden(text))


def _without_orders(text: str) -> Counted:
    spans = injections.find(text)
    return Counted(injections.without(text, spans), len(spans))


def drop_repeats(text: str) -> Counted:
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
    return Counted("".join(kept), dropped)


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
