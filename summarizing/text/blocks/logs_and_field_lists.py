"""Logs and lists of fields: each line is a statement of its own, such as a log entry with its trace, a field, a path, a number.

An entry or line hangs on the nearest above it that is indented less. Pure; linear in the lines. Source code is read in source_code.py.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise, zip_longest

from summarizing.text.blocks.wrapped_lines import ends_inside, ends_with_comma, inside_brackets
from summarizing.text.document import SegmentKind
from summarizing.text.document_builder import Builder, Outline
from summarizing.text.format_words import format_words
from summarizing.text.lines import (
    COLONS,
    COLUMN_GAP,
    FIELD,
    MIN_WIDTH,
    SAMPLE_LINES,
    Line,
    columns_of,
    is_of_words,
    item_mark,
    looks_like_prose,
)

# A log has a stamp on at least this share of its lines; the others are parts of entries.
LEAST_STAMPED = 0.6

# A time or an address at the beginning of a log's line. A digit is looked for first: most lines have none there.
_TIME = (
    r"(?=\D{0,18}+\d)"
    r"(?:-\s(?=\d{10}\s)|[\[(<\w]{0,12}[\[(<\s]?)(?:(?P<time>\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?:\d\d:\d\d"
    r"|\d\d?/\w{3}/\d{4}|[A-Z][a-z]{2}\s{1,2}\d{1,2}(?:\s\d\d:|,\s\d{4}\b)|\d{10,13}[.\s]|\s{0,8}\d{1,8}\.\d{6}\]))"
)
# The short name of a commit, as `git log --oneline` has it: some letters of most words are no hexadecimal digits.
_HASH = r"(?P<hash>(?=[a-f]{0,40}\d)[0-9a-f]{7,40} )"
_ADDRESS = r"(?P<address>\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}[ :])"
# A line of a file, as compilers, linters and searches name it before what they say of it (GNU Coding Standards 4.4, "Formatting Error
# Messages"): "src/a.c:12:3: ", "src/a.ts(12,3): ".
_PLACE = (
    r"(?P<place>[^\s:(./]{0,80}+[./][^\s:(]{0,180}+"
    r"(?::\d{1,7}(?::\d{1,7})?(?::|\s-)|\(\d{1,7}(?:,\d{1,7})?\):))"
)


_CLOSING = ")]}"

_LINE_NUMBER = re.compile(r"[:(](\d{1,7})")


@cache
def _stamp() -> re.Pattern[str]:
    levels = "|".join(format_words().log_levels)
    return re.compile(rf"{_TIME}|{_ADDRESS}|{_HASH}|{_PLACE}|\[?(?P<severity>{levels})\b")


def has_share(lines: Sequence[Line], test: Callable[[str], object], least: float) -> bool:
    """Whether a test is true of the texts of at least this share of lines; no more of them are looked at than tell that it is not."""
    total, hits = len(lines), len(lines)
    for line in lines:
        if not test(line.text):
            hits -= 1
            if hits / total < least:
                return False
    return total > 0


def is_stamped(text: str) -> bool:
    """Whether a line begins as a log's lines do: with a time, an address, a commit, a line of a file, a severity."""
    return _stamp().match(text) is not None


def names_place(text: str) -> bool:
    """Whether a line begins with a place in a file."""
    return _stamp_of(text) == "place"


def _stamp_of(text: str) -> str | None:
    """Return what a line's stamp is: a time, an address, a commit, a place in a file or a severity; None where it has none."""
    stamp = _stamp().match(text)
    return stamp.lastgroup if stamp else None


def report_of(text: str) -> str | None:
    """Return what a line of a log says after the beginning of its time, address or place; None for any other line, and for commits."""
    stamp = _stamp().match(text)
    if stamp is None or stamp.lastgroup == "hash":
        return None
    return text if stamp.lastgroup == "severity" else text[stamp.end() :]


def is_log(lines: Sequence[Line]) -> bool:
    """Whether most lines begin as those of a log do, and not in the midst of a sentence: "since 2019-10-20 00:55 UTC"."""
    if len(lines) < MIN_LISTED or not (
        is_stamped(lines[0].text) and has_share(lines, is_stamped, LEAST_STAMPED)
    ):
        return False
    inside = sum(ends_inside(before, line) and is_stamped(line.text) for before, line in pairwise(lines))
    stamped = sum(is_stamped(line.text) for line in lines)
    return stamped - inside >= LEAST_STAMPED * len(lines)


def put_log(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add the lines of a log: an entry begins where a stamp of the most common kind does, and carries what follows up to the next.

    Entries hang on a line without a stamp that announces them, up to the next such line.
    """
    builder.begin_block()
    stamps = [_stamp_of(line.text) for line in lines]
    counted = Counter(filter(None, stamps))
    kind = max(counted, key=counted.__getitem__, default=None)
    begins = list(_beginnings(lines, stamps, kind))
    above = parent
    for first, end in pairwise([*begins, len(lines)]):
        if stamps[first] == kind:
            put_entry(builder, lines[first:end], above)
        else:
            index = put_entry(builder, lines[first:end], parent)
            above = index if lines[first].tail[-1] in COLONS and end == first + 1 else parent


def _beginnings(lines: Sequence[Line], stamps: Sequence[str | None], kind: str | None) -> Iterator[int]:
    """Yield the lines that begin an entry. One of code that begins with the number of the line that a message names is part of that."""
    named = ""
    for number, (line, stamp) in enumerate(zip(lines, stamps, strict=True)):
        if stamp == "place":
            place = _LINE_NUMBER.search(line.text)
            named = f"{place[1]} " if place else ""
        is_code = named != "" and stamp is None and line.text.startswith(named)
        if number == 0 or stamp == kind or (_begins_entry(line, kind) and not is_code):
            yield number


def _begins_entry(line: Line, kind: str | None) -> bool:
    """Whether a line without a stamp stands at the margin, behind a blank line; among places in files behind any."""
    return line.indent == 0 and (line.gap or kind == "place")


def put_entry(builder: Builder, lines: Sequence[Line], parent: int) -> int:
    """Add an entry, and below it what continues with it (a trace), by indentation; return its first line."""
    last = 0
    while last + 1 < len(lines) and ends_inside(lines[last], lines[last + 1]):
        last += 1
    first = builder.put_item((lines[0].start, lines[last].end), SegmentKind.LINE, parent)
    put_listing(builder, lines[last + 1 :], first)
    return first


def put_listing(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add lines as `put_each` does; one that ends in the midst of a sentence with those that go on with it."""
    put_each(builder, _with_ends(lines), parent)


def put_each(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add lines that each say something; one hangs on the nearest above it that is indented less, or else announces it with a colon.

    One that closes a bracket hangs on the line that opened it.
    """
    outline = Outline()
    for line, following in zip_longest(lines, lines[1:]):
        announces = following is not None and line.tail[-1] in COLONS and following.indent == line.indent
        depth = line.indent - 0.5 * announces + 0.5 * (line.text[0] in _CLOSING)
        index = builder.put_item(line.span, SegmentKind.LINE, outline.above(depth, parent))
        outline.add(depth, index)


def _with_ends(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines; one that ends in the midst of a sentence, and the usage of a command, with those that go on with it."""
    found: list[Line] = []
    inside = inside_brackets(lines)
    for number, line in enumerate(lines):
        last = found[-1] if found else None
        if last is not None and (
            (_ends_inside(last, lines[number - 1], line) and line.indent >= last.indent)
            or _goes_on_with_usage(last, lines[number - 1], line)
            or _goes_on_at_column(last, line)
            or (line.indent >= last.indent and inside[number])
        ):
            found[-1] = last._replace(end=line.end, tail=line.tail)
        else:
            found.append(line)
    return found


def _ends_inside(first: Line, before: Line, line: Line) -> bool:
    """Whether a line, or the last one that goes on with it, is as long as wrapped ones and ends in the midst of a sentence."""
    return ends_with_comma(first) or (before.width >= MIN_WIDTH and ends_inside(before, line))


def _goes_on_with_usage(first: Line, before: Line, line: Line) -> bool:
    """Whether a line is indented below the usage of a command, and begins with what may be given, or in the midst of it: "[-o FILE]"."""
    begins = line.text[0] == "[" or before.text.rfind("[") > before.text.rfind("]")
    is_deeper = line.indent > first.indent and begins
    return is_deeper and "]" in line.text and _OPTIONAL.search(first.text) is not None


def _goes_on_at_column(first: Line, line: Line) -> bool:
    """Whether a line begins at the column where the text behind a name does, and has no columns itself."""
    is_deeper = line.indent > first.indent and line.indent in columns_of(first)
    return is_deeper and COLUMN_GAP.search(line.text) is None


# Lines that each say something: at least this many, a smaller share of words than this, and at most this share of items and sentences.
MIN_LISTED = 2
MOST_WORDS = 0.6
MOST_ITEMS = 0.4

# Where a call stands, in a traceback of Python (its module traceback), where the line below is code, and in one of JavaScript.
_FRAME = re.compile(r"File \"[^\"]{1,180}+\", line \d|at [^\n]{1,400}:\d{1,7}:\d{1,7}\)?\Z")

# What a command may be given, as its usage tells: "[-v]", "[FILE]".
_OPTIONAL = re.compile(r"\w {1,9}+\[")


def is_listing(lines: Sequence[Line], most_words: float = MOST_WORDS) -> bool:
    """Whether lines are neither sentences nor items, but say something each: they are fields, a traceback, or not of words."""
    if len(lines) < MIN_LISTED:
        return False
    if FIELD.match(lines[0].text) and all(FIELD.match(line.text) for line in lines):
        return True
    if any(line.text.startswith(("File ", "at ")) and _FRAME.match(line.text) for line in lines):
        return True
    # What costs most, the share of words, is counted last.
    if has_share(lines, looks_like_prose, MOST_ITEMS):
        return False
    # What is indented further goes on with an item.
    least = min(line.indent for line in lines)
    outer = [line for line in lines if line.indent == least]
    return not (has_share(outer, item_mark, MOST_ITEMS) or is_of_words(lines[:SAMPLE_LINES], most_words))
