"""Tables: rows between bars, grids, aligned columns, CSV; each row hangs on the row of names.

GFM 4.10 (https://github.github.com/gfm/#tables-extension-), reStructuredText's grid and simple tables, RFC 4180. Pure; where the
first row looks like the others, it is not taken for a head.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from summarizing.text.document import SegmentKind
from summarizing.text.document_builder import Builder, span_of
from summarizing.text.lines import Line, is_justified, item_mark, parted, share
from summarizing.text.wrapped_lines import ends_inside

_DELIMITER = re.compile(r"\|?[ \t]{0,99}+:?-++:?[ \t]{0,99}+(?:[|+][ \t]{0,99}+:?-++:?[ \t]{0,99}+)*+[|+]?\Z")
_BORDER = re.compile(
    r"\+(?:[-=]{1,150}+\+){1,50}+\Z|={2,150}+(?:[ \t]{1,50}+={2,150}+){1,50}+\Z|-{2,150}+(?:[ \t]{1,50}+-{2,150}+){1,50}+\Z"
)
# The same drawn with lines of Unicode ("Box Drawing"): it begins with a corner or a branch.
_DRAWN = "\u2500"
_DRAWN_BORDER = re.compile(r"[\u250c-\u254b\u2552-\u2570][\u2500-\u2570]{2,1000}+\Z")
_GAP = re.compile(r"[ ]{2,}|\t")

MIN_ROWS = 3
# A row over several lines is no longer.
MAX_ROW_CHARS = 1_000
# This many rows show where the columns stand.
_SAMPLE = 20


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
    for row in rows:
        if not is_delimiter(row.text):
            builder.put(row.span, SegmentKind.ROW, parent)


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
        for line in lines[:_SAMPLE]
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
    if sum(_GAP.search(line.text) is not None for line in lines[:_SAMPLE]) < 0.8 * min(len(lines), _SAMPLE):
        return False
    is_list = share([item_mark(line.text) for line in lines[:_SAMPLE]]) >= 0.5
    if is_list or len(columns(text, lines)) < 3 or is_justified(lines):
        return False
    going_on = sum(map(ends_inside, lines[:_SAMPLE], lines[1:_SAMPLE]))
    return going_on * 8 < min(len(lines), _SAMPLE)


def has_head(lines: Sequence[Line]) -> bool:
    """Whether the first row holds names of columns: it has no digits and most rows below do, or it is in capitals and they are not."""
    first = lines[0].text
    if any(map(str.isdigit, first)):
        return False
    others = [line.text for line in lines[1:_SAMPLE]]
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


_DELIMITERS = ",\t;|"
# So many lines show whether a text is CSV.
LINES_OF_CSV = 1_000


def delimiter_of(text: str, lines: Sequence[Line]) -> str:
    """Return the separator of CSV fields; empty where the lines are not CSV."""
    sample = _behind_comments(lines)[:LINES_OF_CSV]
    if any(_is_inner_delimiter(line.text) for line in lines[2 : _SAMPLE * 5]):
        return ""
    first = sample[: _SAMPLE * 5]
    sign = _separator(text, first, list(_records(text, first))[:_SAMPLE])
    # The contents of a text may look like a table; the text below them does not.
    return sign if sign and _separator(text, sample, list(_records(text, sample))) == sign else ""


def _separator(text: str, lines: Sequence[Line], spans: Sequence[tuple[int, int]]) -> str:
    """Return the sign that separates the fields of nearly all records; empty where none does."""
    if len(spans) < MIN_ROWS or sum(lines[first].gap for first, _ in spans[1:]) > 0.2 * len(spans):
        return ""
    records = [_unquoted(text[lines[first].start : lines[last].end]) for first, last in spans]
    return next((sign for sign in _DELIMITERS if _separates(sign, records)), "")


def _is_inner_delimiter(text: str) -> bool:
    """Whether a line belongs to a table with bars: below the first two lines of a text, it shows that the table is not all of it."""
    return "|" in text and is_delimiter(text)


def _behind_comments(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines after the comments that a table begins with."""
    first = next((number for number, line in enumerate(lines) if line.text[0] not in "#%"), 0)
    return lines[first:]


def _separates(sign: str, records: Sequence[str]) -> bool:
    """Whether nearly all records have as many fields as most, if this sign stands between them."""
    counts = [record.count(sign) for record in records]
    first, count = records[0], max(counts, key=counts.count)
    if count < (1 if sign == "\t" else 2) or first.startswith("|"):
        return False
    if first.endswith((sign + " ", "{", "(", "[")):
        return False
    is_even = counts.count(count) >= 0.8 * len(counts) or _has_names(records, sign, counts)
    return is_even and not (sign == "," and _is_prose(records))


def _has_names(records: Sequence[str], sign: str, counts: Sequence[int]) -> bool:
    """Whether the first record is of names, and no other has more fields: the last ones of some are left out."""
    is_first = counts[0] == max(counts) and min(counts) > 1
    return is_first and all(map(_NAME.match, records[0].split(sign)))


def _is_prose(records: Sequence[str]) -> bool:
    return sum(", " in record for record in records) > 0.5 * len(records)


_NAME = re.compile(r"[^\W\d][\w -]{0,60}\Z")
_QUOTED = re.compile(r'"[^"]*+"')


def _unquoted(text: str) -> str:
    return _QUOTED.sub("", text) if '"' in text else text


# A quoted field spans at most this many lines; where one is not closed by then, quotes mean nothing in this text.
_MAX_FIELD_LINES = 200


def _records(text: str, lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each record: "fields containing line breaks should be enclosed in double-quotes" (RFC 4180)."""
    number = 0
    has_quotes = True
    while number < len(lines):
        last = _end_of_record(text, lines, number) if has_quotes else number
        has_quotes = has_quotes and last >= 0
        last = max(last, number)
        yield number, last
        number = last + 1


def _end_of_record(text: str, lines: Sequence[Line], number: int) -> int:
    """Return the line where the quotes that open in a record are closed; -1 where they are not."""
    quotes = 0
    for last in range(number, min(number + _MAX_FIELD_LINES, len(lines))):
        quotes += text.count('"', lines[last].start, lines[last].end)
        if quotes % 2 == 0:
            return last
    return -1


# A table's head has at most this many rows: names, units, a row over groups of names.
_MAX_HEAD_ROWS = 3


def put_csv(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add records of CSV; the first ones are their head where they look like one."""
    builder.begin_block()
    text, sign = builder.text, delimiter_of(builder.text, lines)
    comments = len(lines) - len(_behind_comments(lines))
    for line in lines[:comments]:
        builder.put(line.span, SegmentKind.LINE, parent)
    lines = lines[comments:]
    rows = [(lines[first].start, lines[last].end) for first, last in _records(text, lines)]
    is_barred = sign == "|" and is_delimiter(lines[1].text)
    behind = (
        2 if is_barred else _rows_of_head([_cells(text[start:end], sign) for start, end in rows[:_SAMPLE]])
    )
    if behind:
        parent = builder.put((rows[0][0], rows[behind - 1][1]), SegmentKind.FRAME, parent)
    for span in rows[behind:]:
        builder.put(span, SegmentKind.ROW, parent)


_HEADER_ROWS = re.compile(r":header-rows:[ \t]{1,9}+(\d)\Z")


def put_csv_directive(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add a table of CSV in reStructuredText: its directive with the options is the head, with the rows that these say are it."""
    builder.begin_block()
    behind = next((number for number, line in enumerate(lines) if line.gap and number), 0)
    if not behind:
        # An example of a directive, without the rows.
        builder.put(span_of(lines), SegmentKind.CODE, parent)
        return
    options = filter(None, (_HEADER_ROWS.match(line.text) for line in lines[:behind]))
    rows = list(_records(builder.text, lines[behind:]))
    names = int(next((option[1] for option in options), 0))
    last = behind + rows[min(names, len(rows)) - 1][1] if names else behind - 1
    head = builder.put((lines[0].start, lines[last].end), SegmentKind.FRAME, parent)
    for first, end in rows[names:]:
        builder.put((lines[behind + first].start, lines[behind + end].end), SegmentKind.ROW, head)


def _cells(record: str, sign: str) -> list[str]:
    return [cell.strip(' "') for cell in _QUOTED.sub('""', record).split(sign)]


_NUMBER = re.compile(r"[-+(<>=~]?[.,:/TZ+-]*+\d[\d.,:/TZ+-]*+[%)]?\Z")


def _rows_of_head(rows: Sequence[Sequence[str]]) -> int:
    """Return how many of the first rows are names: those up to the first with a number, where most others have one."""
    body = rows[_MAX_HEAD_ROWS:] or rows[1:]
    numeric = [
        column
        for column in range(len(rows[0]))
        if sum(column < len(row) and _NUMBER.match(row[column]) is not None for row in body) * 2 > len(body)
    ]
    first = rows[0]
    if not numeric:
        return int(not any(map(str.isdigit, "".join(first))))
    named = [
        not any(_NUMBER.match(row[column]) for column in numeric if column < len(row))
        for row in rows[: min(_MAX_HEAD_ROWS, len(rows) - 1)]
    ]
    above = list(takewhile(lambda is_named: not is_named, named))
    names = list(takewhile(bool, named[len(above) :]))
    return len(above) + len(names) if names else 0


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
