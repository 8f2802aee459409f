"""How far the lines of a result are indented: a line stands below another one only if it does so in the document.

Taken from the document's indentation alone, whatever a line was taken for when the text was parsed: what is indented further than a
line that is not above it in the document is moved out as far as that line. Pure.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from math import inf

from summarizing.text.document import NO_SEGMENT, Document, SegmentKind
from summarizing.text.indentation import blank, lead_of

# A line that is not indented, after another one.
_AT_MARGIN = re.compile(r"\n[^\s>|]")


class DocumentIndentation:
    """How far the lines of a document are indented, and which line each of them stands below."""

    def __init__(self, document: Document, leads: Sequence[str]) -> None:
        self.segments = document.segments
        self._document = document
        blanks = {lead: blank(lead) for lead in set(leads)}
        self._blanks = list(map(blanks.__getitem__, leads))

    @cached_property
    def _outer(self) -> tuple[list[int], list[int]]:
        """For each segment two before it: see _outer_lines."""
        columns = [len(one.expandtabs()) for one in self._blanks]
        return _outer_lines(columns, list(map(min, columns, _least_columns(self._document))))

    def all(self) -> list[str]:
        """Return the indentation of every segment, all of them written."""
        if not any(self._blanks):
            return [""] * len(self.segments)
        written = RenderedIndentation(self)
        return [written.indent_of(index) for index in range(len(self.segments))]

    def own(self, index: int, indents: Mapping[int, str]) -> str:
        """Return how far a segment is indented: below the one that it hangs on as far as in the text, at the top not at all."""
        parent = self.segments[index].parent
        if parent == NO_SEGMENT or self.segments[parent].kind is SegmentKind.HEADING:
            return ""
        own, above = self._blanks[index], self._blanks[parent]
        if own == above:
            return indents.get(parent, "")
        further = own[len(above) :] if own.startswith(above) else "  " * (_width(own) > _width(above))
        return indents.get(parent, "") + further

    def is_below(self, index: int, first: int, others: Collection[int]) -> bool:
        """Whether a line stands below one of some segments in the document: no line between is indented as little as that one."""
        nearest, further_out = self._outer
        outer, begins = nearest[index], self._line_begins
        while outer > first and outer not in others and begins[outer] != begins[first]:
            outer = further_out[outer]
        return outer != NO_SEGMENT and (outer in others or begins[outer] == begins[first])

    @cached_property
    def _line_begins(self) -> list[int]:
        """Of each segment, the first one that begins on the same line; of most, itself."""
        text, begins = self._document.text, list(range(len(self.segments)))
        for index, (before, segment) in enumerate(pairwise(self.segments), 1):
            if text.find("\n", before.start, segment.start) < 0:
                begins[index] = begins[index - 1]
        return begins


class RenderedIndentation:
    """The indentation of lines that are written one after the other, in the document's order."""

    def __init__(self, indentation: DocumentIndentation) -> None:
        self._indentation = indentation
        self._indents: dict[int, str] = {}
        # The lines that the next one may stand below, each indented further than the one before it: its segments.
        self._open: list[tuple[int, set[int]]] = []

    def indent_of(self, index: int) -> str:
        """Return a line's indentation, and let later lines stand below it."""
        if index in self._indents:
            return self._indents[index]
        indent = self._indentation.own(index, self._indents)
        if not indent:  # as most are
            self._open = [(index, set())]
            self._indents[index] = indent
            return indent
        if self._indentation.segments[index].kind is SegmentKind.HEADING:
            self._open.clear()
        while self._open:
            first, others = self._open[-1]
            above = self._indents[first]
            if _width(above) < _width(indent) and self._indentation.is_below(index, first, others):
                break
            indent = min(indent, above, key=_width)
            self._open.pop()
        self._open.append((index, set()))
        self._indents[index] = indent
        return indent

    def beside(self, index: int) -> str:
        """Return the indentation of the further lines of what begins on another segment's last line."""
        if self._open:
            self._open[-1][1].add(index)
        return self._indents.setdefault(index, self._indentation.own(index, self._indents))


def _least_columns(document: Document) -> Iterator[float]:
    """Yield of each segment how far the least indented of its lines after the first is indented."""
    for segment in document.segments:
        if document.text.find("\n", segment.start, segment.end) < 0:
            yield inf
            continue
        if _AT_MARGIN.search(document.text, segment.start, segment.end):
            yield 0
            continue
        lines = document.text[segment.start : segment.end].split("\n")[1:]
        yield min((len(_indent(line)) for line in lines if line.strip()), default=inf)


def _width(indent: str) -> int:
    return len(indent.expandtabs())


def _indent(line: str) -> str:
    return blank(lead_of(line)).expandtabs()


def _outer_lines(columns: Sequence[float], least: Sequence[float]) -> tuple[list[int], list[int]]:
    """Return for each segment two before it: the nearest with a line indented less than its first, and than any of its lines.

    NO_SEGMENT where there is none. Linear: a monotonic stack, whose links `up` are.
    """
    up: list[int] = []
    outer: list[int] = []
    for index, column in enumerate(columns):
        above = index - 1
        while above != NO_SEGMENT and least[above] >= column:
            above = up[above]
        outer.append(above)
        while above != NO_SEGMENT and least[above] >= least[index]:
            above = up[above]
        up.append(above)
    return outer, up
