"""How far the lines of a result are indented: a line stands below another one only if it does so in the document.

Written from the document's indentation alone, whatever a line was taken for when the text was parsed: what is indented further than a
line that is not above it in the document is moved out to that line's margin. Pure.
"""

from collections.abc import Iterator, Sequence
from math import inf

from summarizing.text.document import NONE, Document, SegmentKind
from summarizing.text.indentation import blank, lead_of


class Margins:
    """The indentation of lines that are written one after the other, in the document's order."""

    def __init__(self, document: Document, leads: Sequence[str]) -> None:
        self._document = document
        self._blanks = list(map(blank, leads))
        columns = [len(one.expandtabs()) for one in self._blanks]
        least = list(map(min, columns, _least_columns(document)))
        self._first_outer, self._outer = _outer_lines(columns, least)
        self._indents: dict[int, str] = {}
        # The lines that the next one may stand below, each indented further than the one before it: the segments that each has.
        self._open: list[list[int]] = []

    def all(self) -> list[str]:
        """Return the indentation of every segment, all of them written."""
        return [self.indent_of(index) for index in range(len(self._document.segments))]

    def indent_of(self, index: int) -> str:
        """Return a line's indentation, and let later lines stand below it."""
        if index in self._indents:
            return self._indents[index]
        segment = self._document.segments[index]
        indent = self._own(index)
        if segment.kind is SegmentKind.HEADING:
            self._open.clear()
        while self._open:
            above = self._indents[self._open[-1][0]]
            if len(above) < len(indent) and self._is_below(index, self._open[-1]):
                break
            indent = min(above, indent, key=len)
            self._open.pop()
        self._open.append([index])
        self._indents[index] = indent
        return indent

    def beside(self, index: int) -> str:
        """Return the indentation of the further lines of what begins on another segment's last line."""
        if self._open:
            self._open[-1].append(index)
        return self._indents.setdefault(index, self._own(index))

    def _own(self, index: int) -> str:
        """Return how far a segment is indented: below the one that it hangs on as far as in the text, at the top not at all."""
        segments, blanks = self._document.segments, self._blanks
        parent = segments[index].parent
        if parent == NONE or segments[parent].kind is SegmentKind.HEADING:
            return ""
        own, above = blanks[index], blanks[parent]
        further = own[len(above) :] if own.startswith(above) else "  " * (len(own) > len(above))
        return self._indents.get(parent, "") + further

    def _is_below(self, index: int, above: Sequence[int]) -> bool:
        """Whether a line stands below one of some segments in the document: no line between is indented as little as that one."""
        outer = self._first_outer[index]
        while outer > above[0] and outer not in above:
            outer = self._outer[outer]
        return outer in above


def _least_columns(document: Document) -> Iterator[float]:
    """Yield of each segment how far the least indented of its lines after the first is indented."""
    for segment in document.segments:
        lines = document.text[segment.start : segment.end].split("\n")[1:]
        yield min((len(_indent(line)) for line in lines if line.strip()), default=inf)


def _indent(line: str) -> str:
    return blank(lead_of(line)).expandtabs()


def _outer_lines(columns: Sequence[float], least: Sequence[float]) -> tuple[list[int], list[int]]:
    """Return for each segment the nearest one before it with a line that is indented less than its first line, and less than any of its lines.

    NONE where there is none. Linear: a monotonic stack, whose links `up` are.
    """
    up: list[int] = []
    outer: list[int] = []
    for index, column in enumerate(columns):
        above = index - 1
        while above != NONE and least[above] >= column:
            above = up[above]
        outer.append(above)
        while above != NONE and least[above] >= least[index]:
            above = up[above]
        up.append(above)
    return outer, up
