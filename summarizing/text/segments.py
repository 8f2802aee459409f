"""A text to its units: sentences, list items, table rows, lines of logs and data, headings.

A pure algorithm on top of the blocks that summarizing/text/blocks.py finds. Each unit knows what it makes no sense without (its heading,
its table's head row). Refuses to rewrite or to judge: what a unit is worth is decided in summarizing/relevance/weights.py, and what a crawl
brings along in summarizing/text/boilerplate.py.
"""

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from summarizing.text.blocks import Block, Kind, blocks
from summarizing.text.boilerplate import is_boilerplate
from summarizing.text.sentences import (
    MAX_SENTENCE_CHARS,
    MAX_WHOLE_CHARS,
    after_space,
    json_pieces,
    sentences,
)

# A line that announces what comes next ("The following are found in Emberwick:") is short.
MAX_LEAD_IN_CHARS = 120

# Deeper nesting than this adds no meaning, and a chain of parents costs tokens.
MAX_PARENTS = 8

NONE = -1

# A text of more units than this, each shorter than so many characters, says little in each: neighbours are read as one. Without this
# a MB of version numbers, of which each is a line, is 120,000 units, and takes eight times as long as a MB of sentences.
MANY_UNITS = 10_000
LEAST_CHARS = 60

Find = Callable[[str, int, int], re.Match[str] | None]


class Form(Enum):
    """What a unit is, as far as its worth depends on it."""

    HEADING = "heading"
    FRAME = "frame"  # a table's head rows, a fence's first or last line: never kept for its own sake
    SENTENCE = "sentence"
    ITEM = "item"
    LINE = "line"
    CODE = "code"  # lines of a fence or of data: their words are never a notice
    ROW = "row"


_JOINED = frozenset({Form.SENTENCE, Form.ITEM, Form.LINE, Form.CODE, Form.ROW})


class Units:
    """Stretches of the content that are kept whole or not at all, by index, in order.

    Columns of numbers rather than objects: a text of 16 MiB has hundreds of thousands of units, and a full garbage
    collection visits every object while no other thread runs.
    """

    def __init__(self) -> None:
        self.start = array("q")
        self.end = array("q")
        self.parent = array("q")  # the index of the unit that one hangs on, or NONE
        self.form: list[Form] = []
        self.opens = bytearray()  # whether it is the first under its heading
        self.noise = bytearray()

    def __len__(self) -> int:
        return len(self.form)

    def add(self, span: tuple[int, int], form: Form, parent: int, *, opens: bool, noise: bool) -> int:
        """Add a unit and return its index."""
        self.start.append(span[0])
        self.end.append(span[1])
        self.form.append(form)
        self.parent.append(parent)
        self.opens.append(opens)
        self.noise.append(noise)
        return len(self.form) - 1

    def text(self, content: str, index: int) -> str:
        """Return a unit's own text."""
        return content[self.start[index] : self.end[index]]


class Document(NamedTuple):
    """A content's units, and for each fence's opening line the index of its closing one.

    `alone`: which units make sense without what they hang on.
    """

    units: Units
    closers: dict[int, int]
    alone: Sequence[int] = ()

    def needs(self, index: int) -> Iterator[int]:
        """Yield what a unit makes no sense without: what it hangs on, and the end of what that begins."""
        above = NONE if self.alone and self.alone[index] else self.units.parent[index]
        while above != NONE:
            yield above
            if above in self.closers:
                yield self.closers[above]
            above = self.units.parent[above]


class Line(NamedTuple):
    """A line that is not blank, without the white space behind it."""

    start: int
    end: int


_LINE = re.compile(r"[^\n]+")
_ITEM = re.compile(r"[ \t]*+(?:[-*+\u2022\u30fb]|\d{1,9}[.)])[ \t]")
_DELIMITER = re.compile(r"[ \t]*+\|?+[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+")
_KEY_OR_BRACKET = re.compile(
    r"\s*+(?:-\s++)?+(?:[\"'\w./\-]++\s*+[:=](?:\s|$)|[{}\]\"]|\[(?:\s*+$|[\[{\"\d]))"
)
_COLUMN_GAP = re.compile(r"\S(?: {2,}+|\t)\S")
# What says which of many objects one is, in JSON, YAML and TOML.
_NAME = re.compile(r"\s*+(?:-\s++)?+[\"']?(?:name|title)[\"']?\s*+[:=]\s*+[^\s{\[]", re.IGNORECASE)
_ID = re.compile(r"\s*+(?:-\s++)?+[\"']?_?id[\"']?\s*+[:=]\s*+[^\s{\[]", re.IGNORECASE)
_METADATA = re.compile(r"\s*+[\"']?metadata[\"']?\s*+:\s*+\{?\s*+", re.IGNORECASE)


def read(content: str) -> Document:
    """Find a content's units."""
    reader = _Reader(content)
    for block in blocks(content):
        reader.add(block)
    document = Document(reader.units, reader.closers)
    is_many = len(reader.units) > MANY_UNITS and len(content) < LEAST_CHARS * len(reader.units)
    return _with_neighbours_joined(document) if is_many else document


def _with_neighbours_joined(document: Document) -> Document:
    """Join short neighbours of one form that hang on the same unit, up to LEAST_CHARS; what hangs on one of them hangs on all."""
    units = document.units
    joined = Units()
    new_index = array("q")
    last_parent = NONE
    for index, form in enumerate(units.form):
        parent, end, last = units.parent[index], units.end[index], len(joined) - 1
        fits = last >= 0 and joined.form[last] is form and end - joined.start[last] <= LEAST_CHARS
        if fits and form in _JOINED and parent == last_parent and joined.noise[last] == units.noise[index]:
            joined.end[last] = end
        else:
            above = new_index[parent] if parent != NONE else NONE
            span = units.start[index], end
            last = joined.add(
                span, form, above, opens=bool(units.opens[index]), noise=bool(units.noise[index])
            )
        last_parent = parent
        new_index.append(last)
    closers = {new_index[opening]: new_index[closing] for opening, closing in document.closers.items()}
    return Document(joined, closers)


class _Reader:
    """Reads blocks one after the other, and remembers which headings stand above."""

    def __init__(self, content: str) -> None:
        self._content = content
        self.units = Units()
        self.closers: dict[int, int] = {}
        self._headings: list[tuple[int, int]] = []
        self._lead_in = NONE
        self._opens = True

    def add(self, block: Block) -> None:
        """Add a block's units."""
        lines = self._lines(block)
        if not lines or block.kind is Kind.RULE:
            return
        if block.kind is Kind.HEADING:
            self._add_heading(block, lines)
        elif block.kind is Kind.FENCE:
            self._add_fence(lines)
        elif self._share(_KEY_OR_BRACKET.match, lines) > 0.6 and not _ITEM.match(
            self._content, lines[0].start
        ):
            self._add_records(lines, self._take_lead_in(), Form.CODE)
        else:
            self._add_text(lines)

    def _lines(self, block: Block) -> list[Line]:
        found = (match.span() for match in _LINE.finditer(self._content, block.start, block.end))
        stripped = (Line(start, start + len(self._content[start:end].rstrip())) for start, end in found)
        return [line for line in stripped if line.end > line.start]

    def _share(self, find: Find, lines: Sequence[Line]) -> float:
        return sum(find(self._content, *line) is not None for line in lines) / len(lines)

    @property
    def _heading(self) -> int:
        return self._headings[-1][1] if self._headings else NONE

    def _take_lead_in(self) -> int:
        """Return what the next records hang on: the line that announces them, or the heading."""
        lead_in, self._lead_in = self._lead_in, NONE
        return self._heading if lead_in == NONE else lead_in

    def _put(self, start: int, end: int, form: Form, parent: int, *, noise: bool = False) -> int:
        opens = self._opens and form not in (Form.HEADING, Form.FRAME) and not noise
        if opens:
            self._opens = False
        return self.units.add((start, end), form, parent, opens=opens, noise=noise)

    def _add_heading(self, block: Block, lines: list[Line]) -> None:
        while self._headings and self._headings[-1][0] >= block.level:
            self._headings.pop()
        index = self._put(lines[0].start, lines[-1].end, Form.HEADING, self._heading)
        self._headings.append((block.level, index))
        self._lead_in, self._opens = NONE, True

    def _add_fence(self, lines: list[Line]) -> None:
        parent = self._take_lead_in()
        start, end = lines[0].start, lines[-1].end
        first = self._content[start : lines[0].end].lstrip()
        if first.startswith(("<!--", "<script", "<style")):
            self._put(start, end, Form.LINE, parent, noise=True)
        elif end - start <= MAX_WHOLE_CHARS or len(lines) < 3:
            self._put(start, end, Form.CODE, parent)
        else:
            opening = self._put(*lines[0], Form.FRAME, parent)
            closes = self._content[lines[-1].start : end].lstrip()[:2] in ("``", "~~", "--", "..", "</")
            self._add_records(lines[1:-1] if closes else lines[1:], opening, Form.CODE)
            if closes:
                self.closers[opening] = self._put(*lines[-1], Form.FRAME, opening)

    def _add_text(self, lines: list[Line]) -> None:
        """Add a block that may be a paragraph with a list or a table right behind it."""
        for kind, run in self._runs(lines):
            if kind == "|":
                self._add_table(run)
            elif kind == "-":
                self._add_tree(self._with_continuations(run), self._take_lead_in(), Form.ITEM)
            elif kind == ">" or self._is_wrapped(run):
                self._add_paragraph(run)
            elif self._is_noise(run[0].start, run[-1].end, Form.LINE):
                self._put(run[0].start, run[-1].end, Form.LINE, self._heading, noise=True)
            else:
                self._add_records(run, self._take_lead_in(), Form.LINE)

    def _runs(self, lines: list[Line]) -> Iterator[tuple[str, list[Line]]]:
        """Yield neighbouring lines of one kind: table "|", list "-", quote ">", plain text ""."""
        kind, run = "", list[Line]()
        for index, line in enumerate(lines):
            found = self._kind(line, lines[index + 1] if index + 1 < len(lines) else None)
            # CommonMark 5.2: text right behind an item continues it, and so it does in a quote
            # or in a table without bars.
            found = kind if found == "" and kind in ("-", ">") else found
            found = kind if kind == "|" and "|" in self._content[line.start : line.end] else found
            if found != kind and run:
                yield kind, run
                run = []
            kind = found
            run.append(line)
        yield kind, run

    def _kind(self, line: Line, following: Line | None) -> str:
        first = self._content[line.start : line.end].lstrip()
        if first[0] in "|>":
            return first[0]
        if _ITEM.match(self._content, *line):
            return "-"
        is_head = "|" in first and following is not None and _DELIMITER.fullmatch(self._content, *following)
        return "|" if is_head else ""

    def _add_table(self, rows: list[Line]) -> None:
        parent = self._take_lead_in()
        if len(rows) > 2 and _DELIMITER.fullmatch(self._content, *rows[1]):
            parent = self._put(rows[0].start, rows[1].end, Form.FRAME, parent)
            rows = rows[2:]
        for row in rows:
            self._put(*row, Form.ROW, parent)

    def _with_continuations(self, lines: list[Line]) -> list[Line]:
        """Join each list item with the lines that continue it."""
        joined: list[Line] = []
        for line in lines:
            continues = joined and not _ITEM.match(self._content, *line)
            if continues and line.end - joined[-1].start <= MAX_SENTENCE_CHARS:
                joined[-1] = Line(joined[-1].start, line.end)
            else:
                joined.append(line)
        return joined

    def _is_wrapped(self, lines: list[Line]) -> bool:
        """Whether lines are one paragraph, wrapped by hand, rather than records that each say something."""
        if len(lines) == 1:
            return self._content[lines[0].start] not in "{["
        starts = [self._content[line.start : line.start + 1] for line in lines[1:]]
        if sum(map(str.islower, starts)) >= len(starts) / 5:
            return self._share(_COLUMN_GAP.search, lines) < 0.3
        lengths = [line.end - line.start for line in lines[:-1]]
        # Scripts without capitals and spaces are wrapped at an even length.
        return (
            self._content[lines[0].start] > "\u2fff"
            and max(lengths) <= min(lengths) * 1.2
            and min(lengths) >= 20
        )

    def _add_paragraph(self, lines: list[Line]) -> None:
        start, end = lines[0].start, lines[-1].end
        noise = self._is_noise(start, end, Form.SENTENCE)
        last = NONE
        for span in sentences(self._content, start, end):
            last = self._put(*span, Form.SENTENCE, self._heading, noise=noise)
        length = self.units.end[last] - self.units.start[last]
        announces = self._content[end - 1] in ":\uff1a" or (
            length == end - start and self._content[end - 1].isalnum()
        )
        self._lead_in = last if length <= MAX_LEAD_IN_CHARS and announces and not noise else NONE

    def _add_records(self, lines: list[Line], parent: int, form: Form) -> None:
        """Add lines that each say something: a log, a listing, code, data."""
        if self._has_head(lines):
            parent = self._put(*lines[0], Form.FRAME, parent)
            for line in lines[1:]:
                self._put(*line, Form.ROW, parent)
        else:
            self._add_tree(lines, parent, form)

    def _has_head(self, lines: list[Line]) -> bool:
        """Whether lines are columns under a row of names, as `kubectl get` and CSV files have them."""
        first = self._content[lines[0].start : lines[0].end]
        if len(lines) < 3 or any(map(str.isdigit, first)):
            return False
        if first.isupper() and self._share(_COLUMN_GAP.search, lines) > 0.8:
            return True
        commas = {self._content.count(",", *line) for line in lines[:20]}
        return len(commas) == 1 and commas.pop() >= 2 and not first.endswith((",", "{", "("))

    def _add_tree(self, lines: list[Line], parent: int, form: Form) -> None:
        """Add lines that hang on one another by indentation: small trees whole, large ones by line."""
        ends = self._subtree_ends(lines)
        open_trees = [(len(lines), parent)]
        names: dict[int, int] = {}
        at = 0
        while at < len(lines):
            while at >= open_trees[-1][0]:
                open_trees.pop()
            above = open_trees[-1][1]
            start, end = lines[at].start, lines[ends[at] - 1].end
            if end - start <= MAX_WHOLE_CHARS:
                index = self._put(start, end, form, above, noise=self._is_noise(start, end, form))
                if at in names and len(open_trees) < MAX_PARENTS:
                    # What comes after its name in an object too large to be kept whole makes no sense without it.
                    open_trees.append((names[at], index))
                at = ends[at]
                continue
            index = self._add_line(lines[at], above, form)
            if len(open_trees) < MAX_PARENTS and ends[at] > at + 1:
                open_trees.append((ends[at], index))
                if form is Form.CODE and (name := self._name_of(lines, ends, at)) != NONE:
                    names[name] = ends[at]
            at += 1

    def _name_of(self, lines: list[Line], ends: list[int], opening: int) -> int:
        """Return the number of the line that names the object that a line opens, else that has its id, or NONE."""
        found = NONE
        at = opening + 1
        while at < ends[opening]:
            if _METADATA.fullmatch(self._content, *lines[at]):
                at += 1  # Kubernetes: the name stands one level deeper
                continue
            if ends[at] == at + 1 and _NAME.match(self._content, *lines[at]):
                return at
            if found == NONE and ends[at] == at + 1 and _ID.match(self._content, *lines[at]):
                found = at
            at = ends[at]
        return found

    def _is_noise(self, start: int, end: int, form: Form) -> bool:
        return (
            form in (Form.ITEM, Form.LINE, Form.SENTENCE)
            and end - start <= MAX_SENTENCE_CHARS
            and is_boilerplate(self._content[start:end])
        )

    def _subtree_ends(self, lines: list[Line]) -> list[int]:
        """Return for each line the index behind the last line that is indented deeper, straight below it."""
        ends = [len(lines)] * len(lines)
        open_lines: list[tuple[float, int]] = []
        for index, line in enumerate(lines):
            indent = _indent(self._content, line)
            while open_lines and open_lines[-1][0] >= indent:
                ends[open_lines.pop()[1]] = index
            open_lines.append((indent, index))
        return ends

    def _add_line(self, line: Line, parent: int, form: Form) -> int:
        """Add one line, in pieces where it is too long; return its first unit."""
        start, end = line
        first = len(self.units)
        if end - start <= MAX_SENTENCE_CHARS:
            return self._put(start, end, form, parent, noise=self._is_noise(start, end, form))
        is_data = self._content[after_space(self._content, start, end)] in '{["'
        pieces = json_pieces(self._content, start, end) if is_data else sentences(self._content, start, end)
        for piece in pieces:
            self._put(*piece, form, parent)
        return first


def _indent(content: str, line: Line) -> float:
    text = content[line.start : line.end]
    stripped = text.lstrip()
    # subtle: a closing bracket belongs to what it closes, which is indented as far.
    return len(text) - len(stripped) + (0.5 if stripped[0] in ")]}" else 0)
