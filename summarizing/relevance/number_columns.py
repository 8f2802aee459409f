"""The columns of numbers in tables, listings and records: which value each row has, and how the head or the key calls it, or its unit says.

Pure; linear in the text. What a column means is not looked at.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from summarizing.relevance.cell_values import measured_by, point_in_time, value_of, values_of
from summarizing.text.blocks.cells import cells_of
from summarizing.text.document import NO_SEGMENT, Document, SegmentKind

# So many rows are compared at least, and this share of them has a number in the column.
MIN_ROWS = 5
LEAST_WITH_NUMBER = 0.6

# More than this share of the rows have the sign that separates cells: a title or a total may stand among them.
LEAST_WITH_SIGN = 0.8

# So much of a row is looked at, and so many of its cells.
MAX_ROW_CHARS = 2_000
MAX_CELLS = 100

_ROWS = (SegmentKind.ROW, SegmentKind.LINE)
_SEPARATORS = {sign: re.compile(re.escape(sign)) for sign in "\t|;,"}
_GAP = re.compile(r" {2,}+")
_BLANK = re.compile(r"\s++")
# What "ls -l" writes: the kind of file and its mode, the links, owner and group, the size. What each kind is called, and its size.
_LISTED = re.compile(
    r"([-dl])[-rwxsStT]{9}[.+@]?[ ]{1,20}(\d{1,9})[ ]{1,20}[^ ]{1,60}[ ]{1,20}[^ ]{1,60}[ ]{1,20}(\d[\d.,]{0,19}[KMGTP]?)[ ]"
)
_SIZES = {"-": "file size", "d": "directory folder size", "l": "symlink size"}
_MEMBER = re.compile(
    r"[\"']?(?<![\w.-])([^\W\d][\w.-]{0,59}+)[\"']?[ ]{0,9}[:=][ ]{0,9}[\"']?"
    r"(-?\d{1,20}(?:[.,]\d{1,20}){0,6}(?:[eE][-+]?\d{1,3})?|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d.:Z+-]{0,24})?)(?=[\"',;}\s]|\Z)"
)


class NumberColumn(NamedTuple):
    """A column of numbers."""

    name: str
    """As the head calls it, or the key, or what its unit measures; empty where nothing says it."""
    head: int
    """The segment that is the head; NO_SEGMENT where there is none, or each row has its keys."""
    block: int
    """The block of the rows."""
    values: Mapping[int, float]
    """The number that each row has, by its segment."""
    has_dates: bool = False
    """Whether the numbers are points in time, which are late or early, but neither large nor small."""


class _Table(NamedTuple):
    """The cells of rows."""

    head: int
    """The segment that names the columns, NO_SEGMENT where none does."""
    names: Sequence[str]
    rows: Mapping[int, Sequence[str]]
    """The cells of each row, by its segment."""


def number_columns(document: Document) -> Iterator[NumberColumn]:
    """Yield the columns of each block of rows or lines, and those of records with keys."""
    blocks: dict[int, list[int]] = defaultdict(list)
    members: dict[tuple[str, bool], dict[int, float]] = defaultdict(dict)
    for index, segment in enumerate(document.segments):
        if segment.kind is SegmentKind.CODE and _LISTED.match(document.text, segment.start):
            blocks[segment.block].append(index)
        elif segment.kind in _ROWS:
            blocks[segment.block].append(index)
            if document.is_json or segment.kind is SegmentKind.LINE:
                for key, value, is_date in _members(_beginning(document, index)):
                    members[key, is_date].setdefault(index, value)
    for block, lines in blocks.items() if not document.is_json else ():
        # The line above or below a listing ("total 24") is none of its rows.
        rows = [index for index in lines if document.segments[index].kind is SegmentKind.ROW] or lines
        if len(rows) >= MIN_ROWS:
            yield from _listed(document, block, rows) or _of_block(document, block, rows)
    for (key, has_dates), values in members.items():
        if len(values) >= MIN_ROWS:
            yield NumberColumn(key, NO_SEGMENT, NO_SEGMENT, values, has_dates)


def _members(text: str) -> Iterator[tuple[str, float, bool]]:
    """Yield the keys of a record, or of a line, that have a number or a date, and whether it is a date."""
    for key, number in _MEMBER.findall(text):
        if (value := value_of(number)) is not None:
            yield key, value, "-" in number[1:] and point_in_time(number) is not None


def _of_block(document: Document, block: int, rows: Sequence[int]) -> Iterator[NumberColumn]:
    """Yield the columns of a block of rows; none where rows share a segment, since one of them alone cannot be the greatest."""
    if any("\n" in document.of(index) for index in rows):
        return
    table = _table(document, rows)
    columns: dict[int, dict[int, str]] = defaultdict(dict)
    for index, cells in table.rows.items():
        for at, cell in enumerate(cells):
            columns[at][index] = cell
    for at, column in columns.items():
        values = values_of(column, may_be_clock=table.head != NO_SEGMENT)
        if len(values) >= max(MIN_ROWS, LEAST_WITH_NUMBER * len(table.rows)):
            has_name = at < len(table.names)
            name = table.names[at] if has_name else next(filter(None, map(measured_by, column.values())), "")
            has_dates = point_in_time(column[next(iter(values))]) is not None
            yield NumberColumn(name, table.head, block, values, has_dates)


def _table(document: Document, rows: Sequence[int]) -> _Table:
    """Return the cells of rows. Where names of columns have blanks in them, as in "CPU %", wide gaps are between cells."""
    above = _head(document, rows[0])
    has_frame = above != NO_SEGMENT
    lines = [above, *rows] if has_frame else rows
    texts = [_beginning(document, index) for index in lines]
    texts[0] = texts[0].split("\n", 1)[0] if has_frame else texts[0]
    between = _separator(texts[has_frame:])
    may_be_head = has_frame or not any(map(str.isdigit, texts[0]))
    if between is _BLANK and may_be_head and _have_as_many_gaps(texts):
        between = _GAP
    cells = [cells_of(text.strip("| "), between, MAX_CELLS) for text in texts]
    if not (has_frame or between is _GAP):
        return _Table(NO_SEGMENT, (), dict(zip(lines, cells, strict=True)))
    return _Table(lines[0], cells[0], dict(zip(lines[1:], cells[1:], strict=True)))


def _head(document: Document, first: int) -> int:
    """Return the segment that names the columns above rows: what frames them, or a line of several cells without a number in it."""
    segments = document.segments
    parent = segments[first].parent
    if parent != NO_SEGMENT and segments[parent].kind is SegmentKind.FRAME:
        return parent
    if first and segments[first - 1].kind is SegmentKind.LINE and segments[first - 1].parent == parent:
        line = _beginning(document, first - 1)
        if len(_GAP.findall(line)) > 1 and not any(map(str.isdigit, line)):
            return first - 1
    return NO_SEGMENT


def _listed(document: Document, block: int, rows: Iterable[int]) -> list[NumberColumn]:
    """Return the columns of a listing of files; none where it is none."""
    sizes: dict[str, dict[int, float]] = defaultdict(dict)
    links: dict[int, float] = {}
    for index in rows:
        if found := _LISTED.match(document.text, document.segments[index].start):
            links[index] = float(found[2])
            sizes[_SIZES[found[1]]][index] = value_of(found[3]) or 0.0
    if len(links) < MIN_ROWS:
        return []
    return [NumberColumn(name, NO_SEGMENT, block, of) for name, of in (*sizes.items(), ("links", links))]


def _beginning(document: Document, index: int) -> str:
    segment = document.segments[index]
    return document.text[segment.start : min(segment.end, segment.start + MAX_ROW_CHARS)]


def _separator(texts: Sequence[str]) -> re.Pattern[str]:
    """Return the sign that most rows have, white space where none is."""
    least = LEAST_WITH_SIGN * len(texts)
    signs = (sign for sign in _SEPARATORS if sum(sign in text for text in texts) > least)
    return _SEPARATORS.get(next(signs, ""), _BLANK)


def _have_as_many_gaps(texts: Iterable[str]) -> bool:
    counts = {len(_GAP.findall(text)) for text in texts}
    return len(counts) == 1 and 0 not in counts
