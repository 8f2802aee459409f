"""What whole lines say: which head a value in a table stands under, and which lines tell of an error.

Linear in the text. Refuses to know kinds of facts and what stands in a cell: summarizing/facts/finding.py asks with places, in order.
"""

import re
from bisect import bisect_right
from typing import NamedTuple

from summarizing.facts.normalizing import literal, stems

# --- Tables -----------------------------------------------------------------------------------------------

# Each line starts after a line feed, the first one too: a text is given so.
_MARKDOWN_RULE = re.compile(r"\n[ \t]*+\|?+[ :]*+-[-| :]*+(?=\n)")
_LISTING_HEAD = re.compile(
    r"\n([A-Z][A-Z_-]*+(?: [A-Z]++)*+(?: {2,}+[A-Z][A-Z()_-]*+(?: [A-Z]++)*+)++) *+(?=\n)"
)
_CELL = re.compile(r"\S++(?: \S++)*+")


class _Table(NamedTuple):
    start: int  # of its rows
    end: int
    heads: list[str]  # their stems
    at: list[int]  # where the columns of a listing start; empty where bars part them


def _tables(text: str) -> list[_Table]:
    """Return the Markdown tables and the listings in columns of a text, the last one first."""
    tables: list[_Table] = []
    known: dict[str, list[str]] = {}
    for rule in _MARKDOWN_RULE.finditer(text) if "|" in text else ():
        if tables and rule.start() < tables[-1].end:
            continue
        head = text[text.rfind("\n", 0, rule.start()) + 1 : rule.start()]
        if "|" in head:
            if head not in known:
                known[head] = [stems(cell) for cell in head.split("|")]
            tables.append(_Table(rule.end(), _rows_end(text, rule.end(), "|"), known[head], []))
    end = 0
    for match in _LISTING_HEAD.finditer(text):
        if match.start() < end:
            continue
        end = _rows_end(text, match.end(), "  ")
        cells, places = [], []
        for cell in _CELL.finditer(match[1]):
            cells.append(stems(cell[0]))
            places.append(cell.start())
        tables.append(_Table(match.end(), end, cells, places))
    return sorted(tables, reverse=True)


def _rows_end(text: str, at: int, mark: str) -> int:
    """Return where the lines end that have this mark."""
    while True:
        end = text.find("\n", at + 1)
        if end < 0 or text.find(mark, at + 1, end) < 0:
            return at
        at = end


class Columns:
    """The heads of the tables in a text, which starts and ends with a line feed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tables = _tables(text)
        self._table = _Table(len(text), len(text), [], [])
        self.start = 0  # nothing before this place stands in a table
        self._line, self._line_end, self._last, self._column = 0, 0, 0, 0
        self._enter_next()

    def _enter_next(self) -> None:
        self._table = self._tables.pop() if self._tables else _Table(len(self._text), len(self._text), [], [])
        self.start = self._last = self._table.start
        self._line_end = self._column = 0

    def head(self, place: int) -> str:
        """Return the stems of the head over a place, "" where there is none; to be asked for places in order."""
        while place > self._table.end and self._table.heads:
            self._enter_next()
        if place <= self.start:
            return ""
        column = self._column_at(place) if self._table.at else self._bars_before(place)
        return self._table.heads[column] if 0 <= column < len(self._table.heads) else ""

    def _column_at(self, place: int) -> int:
        if place > self._line_end:
            self._line = self._text.rfind("\n", 0, place) + 1
            self._line_end = self._text.find("\n", place)
        return bisect_right(self._table.at, place - self._line) - 1

    def _bars_before(self, place: int) -> int:
        # subtle: a row may be very long, so its bars are counted on from the last place.
        line = self._text.rfind("\n", self._last, place)
        before = self._column if line < 0 else 0
        self._column = before + self._text.count("|", max(line, self._last), place)
        self._last = place
        return self._column


# --- Errors -----------------------------------------------------------------------------------------------

# A longer error line is told by its start.
MAX_ERROR_CHARS = 300

_ERROR_MARKS = (
    "ERROR", "FATAL", "CRITICAL", "SEVERE", "PANIC", "ERR!", "Error", "Exception", "error:", "error[", "fatal:",
    "panic:", "level=error", "level=fatal", '"error"', '"fatal"', '"critical"',
)  # fmt: skip
_ERROR_LINE = re.compile(
    r"\s*(?:"
    r"(?:[\[<({\d].{0,160}?|[A-Z][a-z]{2} +\d.{0,100}?)?\b(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC)\b"
    r"|npm ERR!|.{0,200}?(?:level=|\"(?:level|severity)\": ?)\"?(?:error|fatal|critical)\b"
    r"|(?:Caused by: |Exception in thread .{0,60}?)?(?:\w{1,60}\.){0,12}\w{0,60}(?:Error|Exception)(?::|\s*\Z)"
    r"|(?:[\w./\\-]{1,120}:(?:\d{1,9}:){0,2} ?)?(?:error|fatal|panic|Error)(?:\[\w{1,20}\])?:"
    r")"
)
_ERROR_STAMP = re.compile(r"[\s\d:.,TZ/+\-\[\]()]*")


class ErrorLine(NamedTuple):
    """A line that says what went wrong, told without its time."""

    start: int
    end: int
    key: str


def error_lines(text: str) -> list[ErrorLine]:
    """Return the lines that say what went wrong, in order."""
    found: list[ErrorLine] = []
    for start, end in sorted(_marked_lines(text).items()):
        line = text[start : min(end, start + MAX_ERROR_CHARS)]
        if _ERROR_LINE.match(line):
            first = start + len(line) - len(line.lstrip())
            stamp = _ERROR_STAMP.match(line)
            key = " ".join(literal(line[stamp.end() if stamp else 0 :]).split())
            found.append(ErrorLine(first, start + len(line.rstrip()), key))
    return found


def _marked_lines(text: str) -> dict[int, int]:
    """Return where the lines start and end that have a word of errors anywhere."""
    found: dict[int, int] = {}
    for mark in _ERROR_MARKS:
        at = text.find(mark)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            found[text.rfind("\n", 0, at) + 1] = end
            at = text.find(mark, end)
    return found
