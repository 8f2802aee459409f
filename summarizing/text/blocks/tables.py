"""Tables: rows between bars, grids, aligned columns; each row hangs on the row of names.

GFM 4.10 (https://github.github.com/gfm/#tables-extension-), reStructuredText's grid and simple tables. Pure; where the first row looks
like the others, it is not taken for a head. CSV is read in csv_tables.py.
"""

import re
from collections.abc import Sequence

from summarizing.text.blocks.wrapped_lines import ends_inside
from summarizing.text.document import NO_SEGMENT, SegmentKind
from summarizing.text.document_builder import Builder, span_of
from summarizing.text.lines import Line, is_justified, item_mark, parted, share

_DELIMITER = re.compile(r"\|?[ \t]{0,99}+:?-++:?[ \t]{0,99}+(?:[|+][ \t]{0,99}+:?-++:?[ \t]{0,99}+)*+[|+]?\Z")
_BORDER = re.compile(
    r"\+(?:[-=]{1,150}+\+){1,50}+\Z|={2,150}+(?:[ \t]{1,50}+={2,150}+){1,50}+\Z|-{2,150}+(?:[ \t]{1,50}+-{2,150}+){1,50}+\Z"
)
# The same drawn with lines of Unicode ("Box Drawing"): it begins with a corner or a branch.
_DRAWN = "\u2500"
_DRAWN_BORDER = re.compile(r"[\u250c-\u254b\u2552-\u2570][\u2500-\u2570]{2,1000}+\Z")
_GAP = re.compile(r"[ ]{2,}|\t")
# What such a row says goes on with the last one that has a first cell.
_BLANK_CELL = re.compile(r"\|[ \t]{1,99}+\|")

MIN_ROWS = 3
# A row over several lines is no longer.
MAX_ROW_CHARS = 1_000
# This many rows show where the columns stand, and what they have.
SAMPLE_ROWS = 20


def is_delimiter(text: str) -> bool:
    """Whether a line is the one below a head row: dashes between bars."""
    return text[:1] in {"|", ":", "-"} and "-" in text and _DELIMITER.match(text) is not None


def is_border(text: str) -> bool:
    """Whether a line is part of the frame of a grid or simple table."""
    return (text[0] in "+=-" and _BORDER.match(text) is not None) or is_drawn_border(text)


def is_drawn_border(text: str) -> bool:
    """Whether a line is part of a frame that is drawn with lines of Unicode."""
    return text[0] >= _DRAWN and _DRAWN_BORDER.match(text) is not None


def put_bars(builder: Builder, rows: Sequence[Line], parent: int) -> None:
    """Add rows with bars; the head row reaches to the line of dashes below it."""
    builder.begin_block()
    if len(rows) >= 2 and is_delimiter(rows[1].text):
        parent = builder.put(span_of(rows[:2]), SegmentKind.FRAME, parent)
        rows = rows[2:]
    named = NO_SEGMENT
    for row in rows:
        if is_delimiter(row.text):
            continue
        is_named = not _BLANK_CELL.match(row.text)
        index = builder.put(row.span, SegmentKind.ROW, parent, anchor=NO_SEGMENT if is_named else named)
        if is_named:
            named = index


def put_grid(builder: Builder, rows: Sequence[Line], parent: int) -> None:
    """Add a table with borders: the head stands over the border of `=`, or over the first border inside."""
    builder.begin_block()
    cells: list[list[Line]] = [[]]
    signs: list[str] = []
    for row in rows:
        if is_border(row.text):
            signs.append("=" if "=" in row.text and "-" not in row.text else "-")
            cells.append([])
        else:
            cells[-1].append(row)
    parts = [part for part in cells if part]
    has_head = len(parts) > 1 and (len(parts) == 2 or "=" in signs[1:-1])
    if has_head:
        head = parts.pop(0)
        parent = builder.put(span_of(head), SegmentKind.FRAME, parent)
    for part in parts:
        _put_rows(builder, part, parent, is_whole=len(parts) > 1)


def _put_rows(builder: Builder, part: Sequence[Line], parent: int, *, is_whole: bool) -> None:
    """Add what stands between two borders: one row, or one row per line with the lines indented more."""
    if is_whole:
        builder.put(span_of(part), SegmentKind.ROW, parent)
        return
    for row in parted(part, lambda first, line: line.indent <= first.indent):
        builder.put(span_of(row), SegmentKind.ROW, parent)


def columns(text: str, lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Return the columns that lines have in common: the stretches between places where all of them are blank."""
    rows = [
        " " * line.indent + text[line.start : min(line.end, line.start + 300)].expandtabs(8)
        for line in lines[:SAMPLE_ROWS]
    ]
    width = max(map(len, rows))
    filled = bytearray(width + 1)
    for row in rows:
        for at, sign in enumerate(row):
            if sign != " ":
                filled[at] = 1
    found: list[tuple[int, int]] = []
    begin = -1
    for at, is_filled in enumerate(filled):
        if is_filled and begin < 0:
            begin = at
        elif not is_filled and begin >= 0:
            found.append((begin, at))
            begin = -1
    return found


def is_columns(text: str, lines: Sequence[Line]) -> bool:
    """Whether lines are a table without bars: three columns or more that stand below one another."""
    if len(lines) < MIN_ROWS or not ("  " in lines[1].text or "\t" in lines[1].text):
        return False
    if sum(_GAP.search(line.text) is not None for line in lines[:SAMPLE_ROWS]) < 0.8 * min(
        len(lines), SAMPLE_ROWS
    ):
        return False
    is_list = share([item_mark(line.text) for line in lines[:SAMPLE_ROWS]]) >= 0.5
    if is_list or len(columns(text, lines)) < 3 or is_justified(lines):
        return False
    going_on = sum(map(ends_inside, lines[:SAMPLE_ROWS], lines[1:SAMPLE_ROWS]))
    return going_on * 8 < min(len(lines), SAMPLE_ROWS)


def has_head(lines: Sequence[Line]) -> bool:
    """Whether the first row holds names of columns: it has no digits and most rows below do, or it is in capitals and they are not."""
    first = lines[0].text
    if any(map(str.isdigit, first)):
        return False
    others = [line.text for line in lines[1:SAMPLE_ROWS]]
    with_digits = sum(any(map(str.isdigit, row)) for row in others)
    return with_digits * 2 > len(others) or (first.isupper() and not all(map(str.isupper, others)))


def put_columns(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add rows of columns; the first is their head where it looks like one."""
    builder.begin_block()
    second = columns(builder.text, lines)[1][0]
    outer = parent
    while len(lines) > MIN_ROWS and not _GAP.search(lines[0].text):
        index = builder.put(lines[0].span, SegmentKind.LINE, outer)
        # Rows that are indented below the name of a file, say, are about it.
        parent = index if lines[0].indent < min(line.indent for line in lines[1:]) else outer
        lines = lines[1:]
    if has_head(lines):
        parent = builder.put(lines[0].span, SegmentKind.FRAME, parent)
        lines = lines[1:]
    for row in parted(lines, lambda first, line: not _continues_row(first, line, second)):
        builder.put(span_of(row), SegmentKind.ROW, parent)


def _continues_row(first: Line, line: Line, second: int) -> bool:
    """Whether a line goes on with a row: its first cell is blank (reStructuredText, "Simple Tables"). `second`: where the second cell is."""
    return first.indent < second <= line.indent and line.end - first.start <= MAX_ROW_CHARS


def put_cells(builder: Builder, rows: Sequence[Line], parent: int) -> None:
    """Add an AsciiDoc table: its first line is the head where a blank line stands after it."""
    if len(rows) > 1 and rows[1].gap:
        parent = builder.put(rows[0].span, SegmentKind.FRAME, parent)
        rows = rows[1:]
    for row in rows:
        builder.put(row.span, SegmentKind.ROW, parent)


def run_of_rows(lines: Sequence[Line]) -> tuple[int, int] | None:
    """Return the first stretch of rows with bars or borders; None where there is none."""
    if not any("|" in line.text or line.text[0] in "+=-" or is_drawn_border(line.text) for line in lines):
        return None
    first = next((number for number in range(len(lines)) if _begins_table(lines, number)), None)
    if first is None:
        return None
    if is_border(lines[first].text):
        last = max(number for number in range(first, len(lines)) if is_border(lines[number].text))
        rows = lines[first : last + 1]
        return (first, last + 1) if last > first and (rows[0].text[0] < _DRAWN or _is_drawn(rows)) else None
    last = first + 1
    while last < len(lines) and "|" in lines[last].text:
        last += 1
    return (first, last) if last - first > 1 else None


def _is_drawn(rows: Sequence[Line]) -> bool:
    """Whether lines that are drawn with lines of Unicode are a table, and no diagram: all end at one column."""
    return all(row.text[0] >= _DRAWN and row.reach == rows[0].reach for row in rows)


def _begins_table(lines: Sequence[Line], number: int) -> bool:
    text = lines[number].text
    if is_border(text):
        return True
    if "|" not in text:
        return False
    following = lines[number + 1].text if number + 1 < len(lines) else ""
    return (text[0] == "|" and lines[number].tail[-1] == "|" and following[:1] == "|") or (
        "|" in following and is_delimiter(following)
    )
