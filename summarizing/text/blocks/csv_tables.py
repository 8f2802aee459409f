"""Tables of CSV: which sign separates the fields, where records end, and which of the first rows are names.

RFC 4180. Pure; where the first row looks like the others, it is not taken for a head.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from summarizing.text.blocks.cells import QUOTED, cells_of
from summarizing.text.blocks.tables import MIN_ROWS, SAMPLE_ROWS, is_delimiter
from summarizing.text.document import SegmentKind
from summarizing.text.document_builder import Builder
from summarizing.text.lines import Line

_DELIMITERS = ",\t;|"
# A sentence has no more commas; lines with as many more are records though a space stands behind each.
MAX_COMMAS = 6
# So many lines show whether a text is CSV.
LINES_OF_CSV = 1_000


def delimiter_of(text: str, lines: Sequence[Line]) -> str:
    """Return the separator of CSV fields; empty where the lines are not CSV."""
    sample = _behind_comments(lines)[:LINES_OF_CSV]
    if any(_is_inner_delimiter(line.text) for line in lines[2 : SAMPLE_ROWS * 5]):
        return ""
    first = sample[: SAMPLE_ROWS * 5]
    sign = _separator(text, first, list(_records(text, first))[:SAMPLE_ROWS])
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
    return is_even and not (sign == "," and count <= MAX_COMMAS and _is_prose(records))


def _has_names(records: Sequence[str], sign: str, counts: Sequence[int]) -> bool:
    """Whether the first record is of names, and no other has more fields: the last ones of some are left out."""
    is_first = counts[0] == max(counts) and min(counts) > 1
    return is_first and all(map(_NAME.match, records[0].split(sign)))


def _is_prose(records: Sequence[str]) -> bool:
    return sum(", " in record for record in records) > 0.5 * len(records)


_NAME = re.compile(r"[^\W\d][\w -]{0,60}\Z")


def _unquoted(text: str) -> str:
    return QUOTED.sub("", text) if '"' in text else text


# A quoted field spans at most this many lines; where one is not closed by then, quotes mean nothing in this text.
_MAX_FIELD_LINES = 200


def _records(text: str, lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each record: "fields containing line breaks should be enclosed in double-quotes" (RFC 4180)."""
    number = 0
    has_quotes = '"' in text
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
    between = re.compile(re.escape(sign))
    is_barred = sign == "|" and is_delimiter(lines[1].text)
    behind = (
        2
        if is_barred
        else _rows_of_head([cells_of(text[start:end], between) for start, end in rows[:SAMPLE_ROWS]])
    )
    if behind:
        parent = builder.put((rows[0][0], rows[behind - 1][1]), SegmentKind.FRAME, parent)
    for span in rows[behind:]:
        builder.put(span, SegmentKind.ROW, parent)


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
