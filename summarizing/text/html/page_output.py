"""Where the blocks of a page are written: at once, or once it is known whether they are a menu or stand beside the main part of it.

A list is a menu where nearly all of it are links within the site. A menu is one line, and so is what stands around the main part and says
less than that.
"""

from collections import deque
from io import StringIO

from summarizing.text.html.boilerplate import (
    MAX_TAIL,
    MENU_SIGN,
    PIECE_CHARS,
    PageBlock,
    as_menu,
    end_of_text,
    letters_in,
)
from summarizing.text.html.tables import Cell

# A list is a menu if it has so many links within the site, and they are so large a share of it (Kohlschütter, Fankhauser and Nejdl,
# "Boilerplate Detection using Shallow Text Features", 2010).
MIN_MENU_LINKS = 5
MIN_LINK_SHARE = 0.8


# Makes a block of its fields in order: a page has many, and this is the quickest way.
_new = tuple.__new__


class PageOutput:
    """The blocks of a page that are written already, and those that are held back."""

    def __init__(self) -> None:
        self._written = StringIO()
        self._held: StringIO | None = None
        """What was written since the outermost list or menu began that is open."""
        self._holds = 0
        """How many of those are open."""
        self._holding_cell: tuple[Cell, int] | None = None
        """The cell that the outermost one stands in, and how many blocks stand there before it."""
        self._links = self._linked_letters = 0
        """How many links lead elsewhere within the site, since then, and how many letters they have."""
        self._linked_in_block = 0
        """How many letters of the block that is open are such links."""
        self._before_main: str | None = None
        """What stands before the main part that is open."""
        self._main_letters = 0
        self._has_main = False
        self._tail = deque[PageBlock](maxlen=MAX_TAIL)
        """The last blocks that were written."""

    def text(self) -> str:
        """Return all of the page; what leads elsewhere at its end as one line."""
        self._holds = min(self._holds, 1)
        self.release(is_menu=False)
        text = self._written.getvalue()
        end = None if self._has_main else end_of_text(self._tail)
        if end is not None and letters_in(text[end:]) <= letters_in(text[:end]):
            text = text[:end] + as_menu(text[end:])
        return text.strip("\n")

    def append(self, block: str, *, is_tight: bool, is_heading: bool = False) -> None:
        """Write a block; `is_tight`: without a blank line above it."""
        if self._held is None:
            self._note(block, is_heading=is_heading)
        (self._held or self._written).write(("\n" if is_tight else "\n\n") + block)

    def _note(self, text: str, *, is_heading: bool = False) -> None:
        """Remember a block that is about to be written at the end of what was."""
        words = len(text[:PIECE_CHARS].split())
        share = self._linked_in_block / max(1, letters_in(text)) if self._linked_in_block else 0.0
        self._tail.append(_new(PageBlock, (self._written.tell(), words, share, is_heading)))
        self._linked_in_block = 0

    def add_link(self, text: str) -> None:
        """Count a link within the site."""
        letters = letters_in(text)
        self._links += 1
        self._linked_letters += letters
        self._linked_in_block += letters

    def hold(self, cell: Cell | None) -> None:
        """Begin what may be a menu, perhaps in a cell of a table: it is written once it ends."""
        self._holds += 1
        if self._holds == 1:
            self._held = StringIO() if cell is None else None
            self._holding_cell = None if cell is None else (cell, len(cell.parts))
            self._links = self._linked_letters = 0

    def release(self, *, is_menu: bool) -> None:
        """Write what was held back once the outermost of what may be a menu ends: as one line if it is one."""
        self._holds = max(0, self._holds - 1)
        if self._holds:
            return
        if self._holding_cell is not None:
            cell, first = self._holding_cell
            if is_menu or self._is_of_links("".join(cell.parts[first:])):
                cell.join(first, MENU_SIGN)
        elif self._held is not None:
            text, self._held = self._held.getvalue(), None
            self._note(text)
            self._written.write(as_menu(text) if is_menu or self._is_of_links(text) else text)

    def _is_of_links(self, text: str) -> bool:
        return self._links >= MIN_MENU_LINKS and self._linked_letters >= MIN_LINK_SHARE * letters_in(text)

    def begin_main(self, *, is_in_table: bool) -> None:
        """Begin the main part of a page; what stands before it is written once it ends."""
        self._has_main = True
        if self._held is None and not is_in_table:
            self._before_main = self._written.getvalue()
            self._written = StringIO()

    def end_main(self) -> None:
        """Write what stands before the main part, as one line unless it says more than that."""
        if self._before_main is not None:
            before, main = self._before_main, self._written.getvalue()
            self._main_letters = letters_in(main)
            self._before_main, self._written = None, StringIO()
            self._written.write(as_menu(before) if self._is_less(before) else before)
            self._written.write(main)

    def end_aftermath(self) -> None:
        """Write what comes after the main part, as one line unless it says more than that."""
        self.release(is_menu=self._held is not None and self._is_less(self._held.getvalue()))

    def _is_less(self, text: str) -> bool:
        return letters_in(text) <= self._main_letters
