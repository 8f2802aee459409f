"""The columns of numbers in tables, listings and records: which value each row has, and how the head or the key calls it.

Pure; linear in the text. Units within one column are compared only by their size (K, M, G); what a column means is not looked at.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from summarizing.text.document import NO_SEGMENT, Document, SegmentKind

# So many rows are compared at least, and this share of them has a number in the column.
MIN_ROWS = 5
LEAST_WITH_NUMBER = 0.6

# So much of a row is looked at, and so many of its cells.
MAX_ROW_CHARS = 2_000
MAX_CELLS = 100
MAX_DIGITS = 20

_ROWS = (SegmentKind.ROW, SegmentKind.LINE)
_SEPARATORS = "\t|;,"
_QUOTED = re.compile(r'"[^"]*+"')
# Stands for a separator within quotation marks.
_HELD = "\0"
# A number with a sign, a currency or a unit; behind it may stand a bar of signs, as in the output of diff --stat.
_NUMBER = re.compile(
    r"[$€£~<>≈+]?(-?\d{1,20}(?:[.,]\d{1,20}){0,6})[ ]?(?:([kmgtp])i?b?|b|[%€$£h]|([mµun]?s))?(?:[ ][-+]{1,200})?\Z",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?:(\d{1,5})-)?(\d{1,5}(?::\d\d){1,2}(?:\.\d{1,6})?)\Z")
_MEMBER = re.compile(
    r"[\"']?(?<![\w.-])([^\W\d][\w.-]{0,59}+)[\"']?[ ]{0,9}[:=][ ]{0,9}[\"']?(-?\d{1,20}(?:[.,]\d{1,20}){0,6})(?=[\"',;}\s]|\Z)"
)
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_SIZES = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "p": 1e15}
_TIMES = {"ms": 1e-3, "µs": 1e-6, "us": 1e-6, "ns": 1e-9}


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
    texts = [_beginning(document, index) for index in rows]
    head = document.segments[rows[0]].parent
    has_head = head != NO_SEGMENT and document.segments[head].kind is SegmentKind.FRAME
    sign = _separator(texts)
    names = _cells(_beginning(document, head).split("\n", 1)[0], sign) if has_head else []
    columns: dict[int, dict[int, float]] = defaultdict(dict)
    for index, text in zip(rows, texts, strict=True):
        for at, cell in enumerate(_cells(text, sign)):
            if (value := _value(cell, may_be_clock=has_head)) is not None:
                columns[at][index] = value
    for at, values in columns.items():
        if len(values) >= max(MIN_ROWS, LEAST_WITH_NUMBER * len(rows)):
            yield NumberColumn(
                names[at] if at < len(names) else "", head if has_head else NO_SEGMENT, block, values
            )


def _beginning(document: Document, index: int) -> str:
    segment = document.segments[index]
    return document.text[segment.start : min(segment.end, segment.start + MAX_ROW_CHARS)]


def _separator(texts: Sequence[str]) -> str:
    """Return the sign that most rows have; empty where white space separates their cells."""
    return next((sign for sign in _SEPARATORS if sum(sign in text for text in texts) > 0.8 * len(texts)), "")


def _cells(text: str, sign: str) -> list[str]:
    if not sign:
        return text.split(maxsplit=MAX_CELLS)
    if has_quotes := '"' in text:
        text = _QUOTED.sub(lambda quoted: quoted[0].replace(sign, _HELD), text)
    parts = text.strip("|").split(sign, MAX_CELLS)
    if has_quotes:
        parts = [part.replace(_HELD, sign) for part in parts]
    return [part.strip(" \t\"'`*") for part in parts]


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
