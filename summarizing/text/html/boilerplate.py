"""Where the text of a page ends and what leads elsewhere begins: by how long its blocks are, and how much of them is links.

Also how a menu is written, and how letters are counted. Pure.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

# At the end of a page so many blocks are judged, by the rules of Kohlschütter, Fankhauser and Nejdl, "Boilerplate Detection using
# Shallow Text Features", 2010 (their figure 2): a block whose words are links up to this share is text unless it and those around it
# are short; beside one of links it has to be longer.
MAX_TAIL = 100
MOST_LINKED = 1 / 3
MOST_LINKED_BEFORE = 5 / 9
SHORT, SHORT_AFTER, SHORT_BEFORE = 16, 15, 4
SHORT_BESIDE_LINKS, SHORT_AFTER_THAT = 40, 17

# Between the entries of a menu.
MENU_SIGN = " \u00b7 "
# So many are looked at in one call of C.
PIECE_CHARS = 10_000

_BULLETS = re.compile(r"(?:(?:[-*>|]|\d{1,6}\.|#{1,6})\s)*+")


class PageBlock(NamedTuple):
    """A block of the page: where its text begins, how many words it has, and how large a share of it is links within the site."""

    start: int = 0
    words: int = 0
    linked_share: float = 0.0
    is_heading: bool = False


def _is_boilerplate(before: PageBlock, block: PageBlock, after: PageBlock) -> bool:
    """Whether a block is none of the text, by how long it and its neighbours are, and how much of them is links."""
    if block.linked_share > MOST_LINKED:
        return True
    if before.linked_share > MOST_LINKED_BEFORE:
        return block.words <= SHORT_BESIDE_LINKS and after.words <= SHORT_AFTER_THAT
    return block.words <= SHORT and after.words <= SHORT_AFTER and before.words <= SHORT_BEFORE


def end_of_text(blocks: Sequence[PageBlock]) -> int | None:
    """Return where the blocks begin that follow the text of a page and lead elsewhere; None where there are none."""
    after, end, has_links = PageBlock(), None, False
    for before, block in reversed(list(pairwise(blocks))):
        is_title = block.is_heading and end is not None
        if not is_title and not _is_boilerplate(before, block, after):
            break
        has_links = has_links or block.linked_share > MOST_LINKED
        after, end = block, block.start
    return end if has_links else None


def letters_in(text: str) -> int:
    """Return how many letters and digits a text has."""
    # By pieces: one call for all of a long text would hold the interpreter.
    pieces = (text[at : at + PIECE_CHARS] for at in range(0, len(text), PIECE_CHARS))
    return sum(sum(map(str.isalnum, piece)) for piece in pieces)


def as_menu(text: str) -> str:
    """Return a stretch in one line, its blocks and items with a sign between them."""
    lines = (_BULLETS.sub("", line.strip(), count=1) for line in text.split("\n"))
    entries = [line for line in lines if any(map(str.isalnum, line))]
    return f"\n\n{MENU_SIGN.join(entries)}" if entries else ""
