"""Which elements of a page are open, and which of them another tag closes.

By the rules of the HTML standard (13.2.6, "Tree construction") as far as text needs them: an end tag closes what is open in its element, a
new item, cell or paragraph ends the last one. Knows nothing of what is written.
"""

from collections import defaultdict
from collections.abc import Callable, Collection

from summarizing.text.html.elements import BLOCKS, CELLS, ENDED_BY, ENDED_BY_BLOCK, INLINE, TABLE

# How far up to look for an element that a new one ends, as a new paragraph ends a paragraph.
MAX_STEPS_UP = 16

AtEnd = Callable[[], None]
"""What is to be done where an element ends."""

_NO_LIMITS: frozenset[str] = frozenset()


class OpenElements:
    """The elements that are open, the outermost first."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.counts = defaultdict[str, int](int)
        """How many of each name are open."""
        self._ends: list[AtEnd | None] = []
        # One string for each name: a page may open millions.
        self._same: dict[str, str] = {}

    def push(self, name: str, at_end: AtEnd | None) -> None:
        """Open an element."""
        self.names.append(self._same.setdefault(name, name))
        self._ends.append(at_end)
        self.counts[name] += 1

    def pop(self) -> AtEnd | None:
        """Close the innermost element, and return what is to be done at its end."""
        self.counts[self.names.pop()] -= 1
        return self._ends.pop()

    def first_ended_by(self, name: str) -> int:
        """Return how many elements stay open where another one begins: it ends the paragraph, item or cell that is open."""
        count = len(self.names)
        if name in BLOCKS and self.counts["p"]:
            count = self._before_last(*ENDED_BY_BLOCK, count)
        return self._before_last(*ENDED_BY[name], count) if name in ENDED_BY else count

    def _before_last(self, ended: Collection[str], limits: Collection[str], count: int) -> int:
        """Return how many of the first `count` elements stand before the last one of some names, which no limit hides; else `count`."""
        names = self.names
        for at in range(count - 1, max(count - MAX_STEPS_UP, 0) - 1, -1):
            if names[at] in ended:
                return at
            if names[at] in limits:
                break
        return count

    def first_closed_by(self, name: str) -> int:
        """Return how many elements stay open behind an end tag; all where it closes none.

        That is looked for in the block that is open, or in the cell: "</b>" ends no paragraph, "</div>" no table.
        """
        names, count = self.names, len(self.names)
        if not self.counts.get(name):
            return count
        is_inline = name in INLINE
        limits = BLOCKS if is_inline else _NO_LIMITS if name in TABLE else CELLS
        at, last_near = count - 1, count - MAX_STEPS_UP
        while names[at] != name:
            if names[at] in limits if at >= last_near else is_inline:
                return count
            at -= 1
        return count if is_inline and at < last_near else at
