"""The columns of numbers in tables, listings and records: which value each row has, and how the head or the key calls it.

Pure; linear in the text. Units within one column are compared only by their size (K, M, G) or their time (d, h, m, s); what a column means is not looked at.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from summarizing.text.document import NO_SEGMENT, Document, SegmentKind

# So many rows are compared at least, and this share of them has a number in the column.
MIN_ROWS = 5
LEAST_WITH_NUMBER = 0.6

# More than this share of the rows have the sign that separates cells: a title or a total may stand among them.
LEAST_WITH_SIGN = 0.8

# So much of a row is looked at, and so many of its cells.
MAX_ROW_CHARS = 2_000
MAX_CELLS = 100
MAX_DIGITS = 20

_ROWS = (SegmentKind.ROW, SegmentKind.LINE)
_SEPARATORS = "\t|;,"
# Stands for two blanks or more between cells.
_WIDE = "  "
_GAP = re.compile(r" {2,}+")
_QUOTED = re.compile(r'"[^"]*+"')
# Stands for a separator within quotation marks.
_HELD = "\0"
# A number with a sign, a currency or a unit; behind it may stand a bar of signs, as in the output of diff --stat, or a remark in
# parentheses: "7 (2m ago)".
_NUMBER = re.compile(
    r"[$€£~<>≈+]?(-?\d{1,20}(?:[.,]\d{1,20}){0,6})[ ]?(?:([kmgtp])i?b?|b|[%€$£h]|([mµun]?s))?(?:[ ](?:[-+]{1,200}|\([^()]{1,80}\)))?\Z",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?:(\d{1,5})-)?(\d{1,5}(?::\d\d){1,2}(?:\.\d{1,6})?)\Z")
_MEMBER = re.compile(
    r"[\"']?(?<![\w.-])([^\W\d][\w.-]{0,59}+)[\"']?[ ]{0,9}[:=][ ]{0,9}[\"']?(-?\d{1,20}(?:[.,]\d{1,20}){0,6})(?=[\"',;}\s]|\Z)"
)
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_SIZES = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "p": 1e15}
_TIMES = {"ms": 1e-3, "µs": 1e-6, "us": 1e-6, "ns": 1e-9}
# How old something is, as kubectl writes it: 2d4h.
_AGE = re.compile(r"(?:\d{1,9}[ywdhms]){1,6}+\Z")
_PART_OF_AGE = re.compile(r"(\d+)(\D)")
_SECONDS = {"y": 31_536_000, "w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}


class NumberColumn(NamedTuple):
    """A column of numbers."""

    name: str
    """As the head calls it, or the key; empty where there is no head."""
    head: int
    """The segment that is the head; NO_SEGMENT where there is none, or each row has its keys."""
    block: int
    """The block of the rows."""
    values: Mapping[int, float]
    """The number that each row has, by its segment."""


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
    members: dict[str, dict[int, float]] = defaultdict(dict)
    for index, segment in enumerate(document.segments):
        if segment.kind in _ROWS:
            blocks[segment.block].append(index)
            if document.is_json or segment.kind is SegmentKind.LINE:
                for key, value in _members(_beginning(document, index)):
                    members[key].setdefault(index, value)
    for block, lines in blocks.items() if not document.is_json else ():
        # The line above or below a listing ("total 24") is none of its rows.
        rows = [index for index in lines if document.segments[index].kind is SegmentKind.ROW] or lines
        if len(rows) >= MIN_ROWS:
            yield from _of_block(document, block, rows)
    for key, values in members.items():
        if len(values) >= MIN_ROWS:
            yield NumberColumn(key, NO_SEGMENT, NO_SEGMENT, values)


def _members(text: str) -> Iterator[tuple[str, float]]:
    """Yield the keys of a record, or of a line, that have a number."""
    for key, number in _MEMBER.findall(text):
        if (value := _value(number)) is not None:
            yield key, value


def _of_block(document: Document, block: int, rows: Sequence[int]) -> Iterator[NumberColumn]:
    table = _table(document, rows)
    columns: dict[int, dict[int, str]] = defaultdict(dict)
    for index, cells in table.rows.items():
        for at, cell in enumerate(cells):
            columns[at][index] = cell
    for at, column in columns.items():
        values = _values(column, may_be_clock=table.head != NO_SEGMENT)
        if len(values) >= max(MIN_ROWS, LEAST_WITH_NUMBER * len(table.rows)):
            name = table.names[at] if at < len(table.names) else ""
            yield NumberColumn(name, table.head, block, values)


def _table(document: Document, rows: Sequence[int]) -> _Table:
    """Return the cells of rows. Where names of columns have blanks in them, as in "CPU %", wide gaps are between cells."""
    above = document.segments[rows[0]].parent
    has_frame = above != NO_SEGMENT and document.segments[above].kind is SegmentKind.FRAME
    lines = [above, *rows] if has_frame else rows
    texts = [_beginning(document, index) for index in lines]
    texts[0] = texts[0].split("\n", 1)[0] if has_frame else texts[0]
    sign = _separator(texts[has_frame:])
    may_be_head = has_frame or not any(map(str.isdigit, texts[0]))
    if not sign and may_be_head and _have_as_many_gaps(texts):
        sign = _WIDE
    cells = [_cells(text, sign) for text in texts]
    if not (has_frame or sign == _WIDE):
        return _Table(NO_SEGMENT, (), dict(zip(lines, cells, strict=True)))
    return _Table(lines[0], cells[0], dict(zip(lines[1:], cells[1:], strict=True)))


def _beginning(document: Document, index: int) -> str:
    segment = document.segments[index]
    return document.text[segment.start : min(segment.end, segment.start + MAX_ROW_CHARS)]


def _separator(texts: Sequence[str]) -> str:
    """Return the sign that most rows have; empty where white space separates their cells."""
    least = LEAST_WITH_SIGN * len(texts)
    return next((sign for sign in _SEPARATORS if sum(sign in text for text in texts) > least), "")


def _have_as_many_gaps(texts: Iterable[str]) -> bool:
    counts = {len(_GAP.findall(text)) for text in texts}
    return len(counts) == 1 and 0 not in counts


def _cells(text: str, sign: str) -> list[str]:
    if not sign:
        return text.split(maxsplit=MAX_CELLS)
    if sign == _WIDE:
        return _GAP.split(text, MAX_CELLS)
    if has_quotes := '"' in text:
        text = _QUOTED.sub(lambda quoted: quoted[0].replace(sign, _HELD), text)
    parts = text.strip("|").split(sign, MAX_CELLS)
    if has_quotes:
        parts = [part.replace(_HELD, sign) for part in parts]
    return [part.strip(" \t\"'`*") for part in parts]


def _values(column: Mapping[int, str], *, may_be_clock: bool) -> dict[int, float]:
    """Return the numbers of a column. "m" are minutes where each is an age and some have another unit, else a size: "5m" among "3h", "2d"."""
    ages = {index: cell for index, cell in column.items() if _AGE.match(cell)}
    has_other_unit = any(cell[-1] != "m" for cell in ages.values())
    if has_other_unit and len(ages) == sum(cell[:1].isdecimal() for cell in column.values()):
        return {index: _seconds(cell) for index, cell in ages.items()}
    found = ((index, _value(cell, may_be_clock=may_be_clock)) for index, cell in column.items())
    return {index: value for index, value in found if value is not None}


def _seconds(age: str) -> float:
    return float(sum(int(number) * _SECONDS[unit] for number, unit in _PART_OF_AGE.findall(age)))


def _value(cell: str, *, may_be_clock: bool = False) -> float | None:
    """Return the number that a cell is, sizes in bytes and times in seconds; None where it is none."""
    if len(cell) <= MAX_DIGITS and cell.isdecimal():
        return float(cell)  # most numbers are such: the cheap test first
    if may_be_clock and (found := _CLOCK.match(cell)):
        seconds = 0.0
        for part in found[2].split(":"):
            seconds = seconds * 60 + float(part)
        return int(found[1] or 0) * 86_400 + seconds
    if found := _NUMBER.match(cell):
        factor = _SIZES.get((found[2] or "").lower(), 1.0) * _TIMES.get((found[3] or "").lower(), 1.0)
        number = _THOUSANDS.sub("", found[1]).replace(",", ".")
        return float(number) * factor if number.count(".") <= 1 else None
    return None
