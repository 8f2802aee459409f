"""What is dropped exactly, before any model sees it: what nobody sees, what gives a model orders, what a crawl brings twice.

Repeats and blocks that are nothing but links go for an extraction only, where the form of the text does not matter.
Deterministic and cautious: there, a fence or a table row is never touched, and a short line never counts as a repeat.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from summarizing.sanitizing import hidden, injections
from summarizing.text.blocks import Kind, blocks

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


class Counted(NamedTuple):
    """The text that is left, and how many parts went."""

    text: str
    dropped: int


class Stretch(NamedTuple):
    """A part of a text after its cleaning, and how many parts of which kind went."""

    text: str
    dropped: Counter[str]


Step = Callable[[str], Counted]


class Cleaning:
    """The cleaning of one text, a stretch at a time and in order: what was seen in one is a repeat in the next.

    What is hidden goes before that, from all of the text: a script is often longer than a stretch.
    """

    def __init__(self, *, for_extraction: bool) -> None:
        self._seen: set[str] = set()
        self._steps: list[tuple[Step, str]] = [
            (_without_orders, "passages that give orders to a model dropped")
        ]
        if for_extraction:
            repeats = partial(drop_repeats, seen=self._seen)
            self._steps.append((repeats, "repeated or link-only lines and blocks dropped"))
        self._dropped = Counter[str]()
        self._kept: list[str] = []

    def shown(self, content: str) -> str:
        """Return a text without what is hidden; all of it where nothing would be left."""
        return _after(_shown, "hidden stretches dropped", content, self._dropped, is_all=True)

    def read(self, stretch: str, *, is_all: bool) -> Stretch:
        """Clean the next stretch of what is shown. Where it is all of that, a step that would leave nothing is not taken."""
        dropped = Counter[str]()
        for step, name in self._steps:
            stretch = _after(step, name, stretch, dropped, is_all=is_all)
        return Stretch(stretch, dropped)

    def keep(self, stretch: Stretch) -> None:
        """Add a cleaned stretch to what is left. Not part of `read`: a thread may still be at that when its time is over."""
        self._kept.append(stretch.text)
        self._dropped += stretch.dropped

    def result(self, content: str) -> Cleaned:
        """Return what is left of a content after its last stretch; all of it where nothing would be."""
        text = "".join(self._kept).strip() if self._dropped else content
        if not text:
            return Cleaned(content, ())
        return Cleaned(text, tuple(f"{count} {name}" for name, count in self._dropped.items()))


def clean(content: str, *, for_extraction: bool) -> Cleaned:
    """Drop what is hidden, what gives a model orders and, for an extraction, repeats and blocks of links.

    A step that would leave nothing is not taken.
    """
    cleaning = Cleaning(for_extraction=for_extraction)
    cleaning.keep(cleaning.read(cleaning.shown(content), is_all=True))
    return cleaning.result(content)


def _after(step: Step, name: str, text: str, dropped: Counter[str], *, is_all: bool) -> str:
    left = step(text)
    if not left.dropped or (is_all and not left.text.strip()):
        return text
    dropped[name] += left.dropped
    return left.text


def _shown(text: str) -> Counted:
    return Counted(*hidden.drop_hidden(text))


def _without_orders(text: str) -> Counted:
    spans = injections.find(text)
    return Counted(injections.without(text, spans), len(spans))


def drop_repeats(text: str, seen: set[str]) -> Counted:
    """Drop exact repeats of long lines and paragraphs, and blocks that are nothing but links.

    `seen` has what stood before this text, and is given what stands in it.
    """
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
