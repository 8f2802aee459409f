"""Reads long texts of short lines by stretches of whole lines: what a line costs, each stretch does.

Keeps what says what a line is about: headings that are certain, the head row of CSV, lines that announce those below them. Finds them by
their signs alone, without looking at each line; parsing.py reads all other texts. Time is linear in the text.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, islice, pairwise
from typing import NamedTuple

from summarizing.text.blocks import csv_tables
from summarizing.text.document import NO_SEGMENT, Segment, SegmentKind
from summarizing.text.document_builder import Builder
from summarizing.text.headings.candidates import UNSTATED
from summarizing.text.headings.marked import TOLERANCE
from summarizing.text.lines import MIN_WIDTH, Line, item_mark, read_lines
from summarizing.text.segment_limits import CHARS_PER_SEGMENT, joined

# A text longer than MIN_DENSE_CHARS is dense if each of its lines would have to be so long on average, and each gap between paragraphs be
# that much more, in bytes of UTF-8: what a line costs, and what a paragraph does, for a MB.
# Of 10,983 texts of that size that came with a Linux system and packages of Python and Node eleven are so.
DENSE_LINE_BYTES = 13
DENSE_PARAGRAPH_BYTES = 22
MIN_DENSE_CHARS = 20_000
# Longer ones may be dense, too, if at most MOST_LONG of the text stands in lines as long as a stretch: where more does, it is prose with
# examples, or tables. 42 of those texts are so, with up to 0.21; two others have 0.45 or more.
SHORT_LINE_BYTES = 18
SHORT_PARAGRAPH_BYTES = 30
MOST_LONG = 0.25

# The first end of a line after so many characters ends a stretch; the end of a paragraph before that, if both sides are at least so long.
STRETCH_CHARS = 60
LEAST_STRETCH_CHARS = 30

# What is left of a wrapped paragraph behind one of its full lines: further ones, half a page of them at most, and a last one.
_REST_OF_PARAGRAPH = re.compile(
    rf"(?:\n[^\n]{{{MIN_WIDTH},200}}+(?=\n)){{0,20}}+(?:\n[ \t]*+\S[^\n]{{0,{MIN_WIDTH}}}+(?=\n))?+"
)

# A search is one step that no other thread can interrupt: this much takes some milliseconds.
STEP_CHARS = 50_000

# The longest line that is a heading, and the most that it takes with the lines of signs and the blanks around it.
MAX_HEADING_CHARS = 300
MAX_MATCH_CHARS = 1_000

_GAP = re.compile(r"\n(?=[ \t\r]*+\n)")

# Headings that stand apart: Markdown's hashes (one alone, or several in rows, may begin a comment), Perl's commands, sections of
# configurations, lines in capitals, underlined lines.
_BLANKS = r"[ \t\r]{0,99}+"
_APART = rf"(?=\n{_BLANKS}\n)"
_REST = rf"[^\n]{{0,{MAX_HEADING_CHARS}}}+(?![^\n])"
_SIGN = r"""[=\-~^"*+]"""
_HEADING = rf"""(?:
      (?P<hashes>[#](?=[#]|{_REST}{_APART})[#]{{0,5}})[ \t]{{1,9}}+[^\s#]{_REST}(?!\n[#])
    | =head(?P<command>[1-6])[ \t]{{1,9}}+\S{_REST}
    | (?P<entry>\d{{4}}-\d\d-\d\d[ \t]{{1,9}}+[^\s<>][^\n<>]{{1,60}}<[^\s<>]{{1,80}}>){_BLANKS}(?=\n)
    | (?P<section>\[[^\[\]\n]{{1,78}}+\]){_BLANKS}(?=\n)
    | (?P<capitals>[A-Z][^a-z\n]{{2,78}}+){_APART}
    | (?:(?P<over>{_SIGN})(?P=over){{2,78}}+{_BLANKS}\n)?+
      (?P<title>\S[^\n]{{2,78}}+)\n(?P<under>(?P<sign>{_SIGN})(?P=sign){{2,80}}+){_BLANKS}(?=\n)
    )"""
_FIRST_HEADING = re.compile(_HEADING, re.VERBOSE)
_LATER_HEADING = re.compile(rf"\n\r?\n{_HEADING}", re.VERBOSE)

# The end of a line that announces the next one: a colon, or a bracket that opens.
_ANNOUNCING = re.compile(r"[:\uff1a{(\[][ \t\r]*+\n(?=(?P<indent>[ \t]*+)(?P<entry>- )?\S)")


class _Mark(NamedTuple):
    """A line that says what those below it are about."""

    start: int
    end: int
    below: int
    """Where that begins."""
    level: int
    """Of a heading; 0 of a line that announces others."""
    indent: int = 0
    edge: re.Pattern[str] = _GAP
    """What ends the lines that it announces: a blank line, or one that is indented no further where these are."""


def is_dense(text: str) -> bool:
    """Whether the lines and paragraphs of a long text have only a few letters each."""
    if len(text) <= MIN_DENSE_CHARS:
        return False
    gaps = text.count("\n\n") + text.count("\n\r\n")
    lines = (text.count("\n") or text.count("\r")) - gaps
    size = bytes_of(text)
    if lines * DENSE_LINE_BYTES + gaps * DENSE_PARAGRAPH_BYTES > size:
        return True
    is_short = lines * SHORT_LINE_BYTES + gaps * SHORT_PARAGRAPH_BYTES > size
    return is_short and _chars_in_long_lines(text) <= MOST_LONG * len(text)


def bytes_of(text: str) -> int:
    """Return how many bytes a text has in UTF-8."""
    if text.isascii():
        return len(text)
    return sum(len(step.encode("utf-8", "surrogatepass")) for step in _steps(text))


def _chars_in_long_lines(text: str) -> int:
    """Return how much of a text stands in lines as long as a stretch; what two steps have of one line counts as two lines."""
    return sum(len(line) for step in _steps(text) for line in step.splitlines() if len(line) >= STRETCH_CHARS)


def _steps(text: str) -> Iterator[str]:
    return (text[at : at + STEP_CHARS] for at in range(0, len(text), STEP_CHARS))


def read_dense(text: str) -> Sequence[Segment]:
    """Return the segments of a dense text: rows below their head row, or stretches of whole lines below what they are about."""
    builder = Builder(text)
    if csv_tables.delimiter_of(text, first_lines(text)) and csv_tables.delimiter_of(
        text, lines := read_lines(text)
    ):
        csv_tables.put_csv(builder, lines, NO_SEGMENT)
        return joined(builder.segments)
    _Reader(builder).read([*_headings(text)])
    if len(builder.segments) * CHARS_PER_SEGMENT > len(text):
        builder = Builder(text)
        _Reader(builder).read([])
    return builder.segments


def first_lines(text: str) -> list[Line]:
    """Return as many lines as show whether a dense text is CSV, or subtitles."""
    end = next(islice(re.finditer("\n", text), csv_tables.LINES_OF_CSV, None), None)
    return read_lines(text[: end.start()]) if end else []


def head_of_rows(text: str) -> str:
    """Return the head row of CSV, with the line end behind it; nothing where there is none."""
    lines, builder = first_lines(text), Builder(text)
    if not csv_tables.delimiter_of(text, lines):
        return ""
    csv_tables.put_csv(builder, lines, NO_SEGMENT)
    heads = (text[one.start : one.end] for one in builder.segments if one.kind is SegmentKind.FRAME)
    return "".join(f"{head}\n" for head in heads)


def context_of_each(text: str, places: Sequence[int]) -> Iterator[str]:
    """Yield for each place in a dense text, in their order, what stands above it: the headings, or the head row."""
    if head := head_of_rows(text):
        yield from (head if place else "" for place in places)
        return
    open_headings: list[_Mark] = []
    headings = _headings(text)
    following = next(headings, None)
    for place in places:
        while following is not None and following.start < place:
            open_headings = [one for one in open_headings if one.level < following.level]
            open_headings.append(following)
            following = next(headings, None)
        at_place = following is not None and following.start == place
        above = [
            one for one in open_headings if not (following and at_place and one.level >= following.level)
        ]
        yield "".join(f"{text[one.start : one.below]}\n\n" for one in above)


def _headings(text: str) -> Iterator[_Mark]:
    """Yield the headings that are certain. As in reStructuredText, a new look is one level below those met before."""
    levels: dict[str, int] = {}
    first = _FIRST_HEADING.match(text)
    for match in chain([first] if first else [], _later_headings(text)):
        hashes, command, entry, section, capitals, over, title, under, sign = match.groups()
        if title and abs(len(title.rstrip()) - len(under)) > TOLERANCE:
            continue
        if capitals and not capitals.isupper():
            continue
        stated = len(hashes or "") or int(command or 0)
        look = "@" if entry else "[" if section else "A" if capitals else f"{over or ''}{sign}"
        level = stated or levels.setdefault(look, UNSTATED + len(levels))
        written = title or match[0]
        start = match.start("title") if title else match.end() - len(written.lstrip())
        yield _Mark(start, start + len(written.strip()), match.end(), level)


def _later_headings(text: str) -> Iterator[re.Match[str]]:
    """Yield the headings behind a blank line."""
    at = 0
    while at < len(text):
        end = at + STEP_CHARS
        found = _LATER_HEADING.search(text, at, end + MAX_MATCH_CHARS)
        if found and found.start() < end:
            yield found
            at = found.end()
        else:
            at = end


def _announcing(text: str, start: int, end: int) -> Iterator[_Mark]:
    """Yield the lines of a stretch that announce those below them; of several in a row at one column only the last does."""
    for one, following in pairwise(chain(_with_colons(text, start, end), [None])):
        if one and (one.edge is not _GAP or following is None or following.start > one.below):
            yield one


def _with_colons(text: str, start: int, end: int) -> Iterator[_Mark | None]:
    """Yield the short lines of a stretch that end with a colon or a bracket that opens."""
    for match in _ANNOUNCING.finditer(text, start, end):
        line = max(text.rfind("\n", start, match.start()) + 1, start)
        words = text[line : match.start() + 1]
        indent = len(words) - len(words.lstrip(" \t"))
        if indent + 1 < len(words) <= STRETCH_CHARS:
            below = len(match["indent"])
            is_list = below == indent and match["entry"] is not None
            edge = _edge_of_list(indent) if is_list else _edge(indent) if below > indent else _GAP
            yield _Mark(line, line + len(words), match.end(), 0, indent, edge)


@cache
def _edge(indent: int) -> re.Pattern[str]:
    """Return the end of lines that are indented further."""
    return re.compile(rf"\n(?=[ \t]{{0,{indent}}}\S)")


@cache
def _edge_of_list(indent: int) -> re.Pattern[str]:
    """Return the end of a list whose entries stand below its key without being indented more (YAML 1.2, 8.2.1)."""
    return re.compile(rf"\n(?=[ \t]{{0,{indent}}}(?![ \t]|(?<=\n{' ' * indent})- )\S)")


class _Reader:
    """Puts stretches of whole lines below what they are about."""

    def __init__(self, builder: Builder) -> None:
        self._builder, self._text = builder, builder.text
        self._newline = "\n" if "\n" in builder.text else "\r"
        self._open: list[tuple[_Mark, int]] = []
        """The lines that announce what comes next, each with the number of its segment."""
        self._undivided: list[tuple[int, int]] = []
        """The blocks that one stretch has whole."""

    def read(self, headings: Sequence[_Mark]) -> None:
        """Add all segments."""
        end = len(self._text)
        self._put_part(0, headings[0].start if headings else end)
        small: list[_Mark] = []
        for one, following in pairwise([*headings, _Mark(end, end, end, 0)]):
            # A section that is no longer than a stretch is one; several are while they are too short to stand alone.
            is_small = following.start - one.start <= STRETCH_CHARS and not self._is_over(one, following)
            if small and not (is_small and _may_join(small[0], one, following)):
                self._put_small(small, one.start)
                small = []
            if is_small:
                small.append(one)
            else:
                self._builder.put_heading((one.start, one.end), one.level)
                self._put_part(one.below, following.start)
        if small:
            self._put_small(small, end)

    def _is_over(self, one: _Mark, following: _Mark) -> bool:
        """Whether a heading stands directly above one of a lower level."""
        return following.level > one.level and not self._text[one.below : following.start].strip()

    def _put_small(self, sections: Sequence[_Mark], end: int) -> None:
        start = sections[0].start
        last = start + len(self._text[start:end].rstrip())
        self._builder.put_statement((start, last), sections[0].level)

    def _put_part(self, at: int, end: int) -> None:
        """Add what stands below a heading, up to the next one."""
        self._open.clear()
        over: list[_Mark] = []
        self._undivided.clear()
        for one in _announcing(self._text, at, end):
            most = min(end, one.start + STRETCH_CHARS)
            stop = one.edge.search(self._text, one.below, most)
            if stop or most == end:
                self._undivided.append((one.start, stop.start() if stop else end))
            else:
                over.append(one)
        for one in over:
            self._put_stretches(at, one.start)
            self._put_announcing(one)
            at = one.below
        self._put_stretches(at, end)

    def _put_announcing(self, one: _Mark) -> None:
        while self._open and (self._open[-1][0].edge is _GAP or self._open[-1][0].indent >= one.indent):
            self._open.pop()
        index = self._builder.put((one.start + one.indent, one.end), SegmentKind.LINE, self._parent)
        self._open.append((one, index))

    @property
    def _parent(self) -> int:
        return self._open[-1][1] if self._open else self._builder.heading

    def _put_stretches(self, at: int, end: int) -> None:
        text = self._text
        while at < end:
            while self._open and at and self._open[-1][0].edge.match(text, at - 1):
                self._open.pop()
            stop = self._end_of_stretch(at, end)
            if self._open and (edge := self._open[-1][0].edge.search(text, at, stop)):
                stop = edge.start()
            if stripped := text[at:stop].strip():
                start = text.index(stripped[0], at)
                kind = SegmentKind.ITEM if item_mark(stripped) else SegmentKind.LINE
                self._builder.put((start, start + len(stripped)), kind, self._parent)
            at = stop + 1

    def _end_of_stretch(self, at: int, end: int) -> int:
        stop = self._text.find(self._newline, at + STRETCH_CHARS, end)
        stop = end if stop < 0 else stop
        if stop - max(self._text.rfind(self._newline, at, stop), at) > MIN_WIDTH and (
            rest := _REST_OF_PARAGRAPH.match(self._text, stop, end)
        ):
            stop = rest.end()
        gap = -1
        for found in _GAP.finditer(self._text, at + LEAST_STRETCH_CHARS, min(stop + 2, end)):
            if gap >= 0 and found.start() - gap > LEAST_STRETCH_CHARS:
                break
            gap = found.start()
        stop = gap if gap >= 0 else stop
        if block := bisect_left(self._undivided, (stop, 0)):
            first, last = self._undivided[block - 1]
            if stop < last:
                stop = first - 1 if first - at >= LEAST_STRETCH_CHARS else min(last, end)
        return stop


def _may_join(first: _Mark, one: _Mark, following: _Mark) -> bool:
    """Whether a small section shares a stretch with those before it: one of them is too short to stand alone."""
    is_short = min(one.start - first.start, following.start - one.start) < LEAST_STRETCH_CHARS
    return is_short and one.level >= first.level and following.start - first.start <= STRETCH_CHARS
