"""Any plain text to a Document: its headings, paragraphs, lists, tables, code, log lines and records.

A whole text may be data (CSV, configuration, a log), source code or a diff, recognized by the share of lines that look so. Any other text
is read as marked-up or plain prose, block by block; any of these forms may stand in a fence or an indented block. Refuses to judge what a segment is
worth. JSON and HTML have readers of their own.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from summarizing.text import asciidoc, headings, paragraphs, tables, trees
from summarizing.text.building import Builder, groups, span_of
from summarizing.text.config_trees import is_config, put_config
from summarizing.text.document import NONE, Document, Segment, SegmentKind
from summarizing.text.json_records import parse_nearly_json
from summarizing.text.lines import (
    MIN_WIDTH,
    Line,
    is_of_words,
    item_mark,
    looks_like_code,
    looks_like_prose,
    margin_of,
    read_lines,
    share,
    without_gutter,
)
from summarizing.text.paging import page_lines, with_pages, without_pages

# A text longer than MIN_DENSE_CHARS whose lines or paragraphs are shorter than this on average is read by stretches of lines.
DENSE_LINE_CHARS = 12
DENSE_PARAGRAPH_CHARS = 15
MIN_DENSE_CHARS = 20_000
DENSE_STRETCH_CHARS = 60

_LINK_TARGET = re.compile(r"\]\([^()\s]{0,500}+\)")

# A title is no longer.
MAX_TITLE_CHARS = 200

# In XML at least this share of the lines are elements.
MIN_TAGS = 0.7

# Lines that each say something: at least this many, a smaller share of words than this, and at most this share of items and sentences.
MIN_LISTED = 2
MOST_WORDS = 0.6
MOST_ITEMS = 0.4
# In a text with more words than this lines are wrapped, unless they have few words indeed.
WORDS_OF_PROSE = 0.75
MOST_WORDS_IN_PROSE = 0.3

# This many lines, evenly spread, are a sample that shows what a text is.
SAMPLE_LINES = 400


def parse(text: str) -> Document:
    """Read a text; time is linear in it."""
    if (records := parse_nearly_json(text)) is not None:
        return records
    if _is_dense(text):
        return Document(text, _stretches(text))
    lines = read_lines(text)
    builder = Builder(text)
    pages = page_lines(text, lines)
    if lines:
        _Reader(builder, without_pages(lines, pages) if pages else lines).read()
    segments = builder.segments
    if pages:
        segments = with_pages(text, segments, [lines[number] for number in sorted(pages)])
    return Document(text, _few(_with_contents_marginal(text, segments), len(text)))


def _with_contents_marginal(text: str, segments: Sequence[Segment]) -> list[Segment]:
    """Mark what repeats a heading of the text as marginal: the lines of a table of contents, links to its sections."""
    titles = {
        _letters(text, segment)
        for segment in segments
        if segment.kind is SegmentKind.HEADING and segment.end - segment.start <= MAX_TITLE_CHARS
    }
    if not titles:
        return list(segments)
    return [
        segment._replace(is_marginal=True)
        if segment.kind is not SegmentKind.HEADING
        and segment.end - segment.start <= MAX_TITLE_CHARS
        and _letters(text, segment) in titles
        else segment
        for segment in segments
    ]


def _letters(text: str, segment: Segment) -> str:
    """Return a segment's letters and digits; of a link, those of its text."""
    own = _LINK_TARGET.sub("", text[segment.start : segment.end])
    return "".join(filter(str.isalnum, own)).casefold()


def _is_dense(text: str) -> bool:
    if len(text) <= MIN_DENSE_CHARS:
        return False
    if "\n" not in text:
        return text.count("\r") > len(text) / DENSE_LINE_CHARS
    gaps = text.count("\n\n") + text.count("\n\r\n")
    return text.count("\n") - gaps > len(text) / DENSE_LINE_CHARS or gaps > len(text) / DENSE_PARAGRAPH_CHARS


def _stretches(text: str) -> list[Segment]:
    """Return stretches of whole lines: lines of a few letters are not worth a segment each."""
    found: list[Segment] = []
    at, end = 0, len(text)
    newline = "\n" if "\n" in text else "\r"
    while at < end:
        stop = text.find(newline, at + DENSE_STRETCH_CHARS)
        stop = end if stop < 0 else stop
        stripped = text[at:stop].strip()
        if stripped:
            start = text.index(stripped[0], at)
            found.append(Segment(start, start + len(stripped), SegmentKind.LINE))
        at = stop + 1
    return found


# A text has at most one segment for this many characters;
_CHARS_PER_SEGMENT = 10
# where there are more, neighbours are joined up to this size.
_JOINED_CHARS = 60


def _few(segments: list[Segment], length: int) -> list[Segment]:
    """Join short neighbours of one kind that hang on the same segment, where a text would have too many; what hung on one hangs on the joined one."""
    if len(segments) < 1_000 or len(segments) * _CHARS_PER_SEGMENT <= length:
        return segments
    joined: list[Segment] = []
    new: list[int] = []
    last_parent = NONE
    for segment in segments:
        last = joined[-1] if joined else None
        is_alike = last is not None and last.kind is segment.kind and segment.parent == last_parent
        if (
            is_alike
            and last is not None
            and segment.kind != SegmentKind.HEADING
            and segment.end - last.start <= _JOINED_CHARS
        ):
            joined[-1] = last._replace(end=segment.end)
        else:
            parent = new[segment.parent] if segment.parent != NONE else NONE
            joined.append(segment._replace(parent=parent))
        last_parent = segment.parent
        new.append(len(joined) - 1)
    return [_with_anchor(one, index, new) if one.anchor != NONE else one for index, one in enumerate(joined)]


def _with_anchor(segment: Segment, index: int, new: Sequence[int]) -> Segment:
    anchor = new[segment.anchor]
    return segment._replace(anchor=NONE if anchor == index else anchor)


# --- What a text as a whole is ---------------------------------------------------------------------------------------

_DIFF = re.compile(r"diff --git |diff -|Index: |--- \S|\+\+\+ \S|@@ -\d")
_COMMENT = re.compile(r"[#;]|//|/\*|\*")

_FIELD = re.compile(r"[\w-]{1,40}+:[ \t]{1,40}+\S")

Put = Callable[[Builder, Sequence[Line], int], None]


def _is_diff(lines: Sequence[Line]) -> bool:
    heads = [line for line in lines[:200] if line.indent == 0 and _DIFF.match(line.text)]
    return any(line.text.startswith("@@ -") for line in heads) and len(heads) >= 3


def _is_code(lines: Sequence[Line]) -> bool:
    """Whether more lines look like code than like prose; comments count as neither."""
    plain = [line for line in lines[:SAMPLE_LINES] if not (_COMMENT.match(line.text) or item_mark(line.text))]
    code = share(looks_like_code, plain)
    return code >= 0.25 and code > share(lambda text: looks_like_prose(text) or text[-1] == ".", plain)


def _form_of(text: str, lines: Sequence[Line]) -> Put | None:
    """Return how lines that are data or code as a whole are read; None where they are text."""
    if _is_diff(lines):
        return put_diff
    if tables.delimiter_of(text, lines):
        return tables.put_csv
    sample = lines[:: max(1, len(lines) // SAMPLE_LINES)]
    if not sample:
        return None
    outer = [line for line in sample if line.indent == 0]
    if len(outer) >= 2 and share(trees.is_stamped, outer) >= 0.4 and not _is_change_log(sample):
        return trees.put_log
    if is_config(sample):
        return put_config
    return trees.put_code if _is_code(sample) or share(_is_tag, sample) >= MIN_TAGS else None


def _is_tag(text: str) -> bool:
    return text[0] == "<" and text[-1] == ">"


# In a change log at least this share of the indented lines is prose, and more where they are few; in a log indented lines are traces.
_MIN_PROSE = 0.25
_MIN_PROSE_OF_FEW = 0.5


def _is_change_log(lines: Sequence[Line]) -> bool:
    """Whether the indented lines below dates are prose."""
    inner = [line for line in lines if line.indent]
    least = _MIN_PROSE if len(inner) * 2 > len(lines) else _MIN_PROSE_OF_FEW
    return len(inner) * 10 > len(lines) and share(looks_like_prose, inner) >= least


def put_diff(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add a diff: heads of commits, files and hunks are headings; lines removed and added at one place are one change."""
    heads = [number for number, line in enumerate(lines) if _diff_level(line)]
    _put_message(builder, lines[: heads[0]])
    for head, behind in pairwise([*heads, len(lines)]):
        level = _diff_level(lines[head])
        builder.put_heading((lines[head].start, lines[head].end), level)
        (_put_message if level == 1 else _put_changes)(builder, lines[head + 1 : behind])


_DIFF_HEADS = (
    re.compile(r"(?:commit|From) [0-9a-f]{7,64}\b"),
    re.compile(r"diff |Index: "),
    re.compile(r"@@ "),
)


def _diff_level(line: Line) -> int:
    if line.indent:
        return 0
    return next((level for level, head in enumerate(_DIFF_HEADS, 1) if head.match(line.text)), 0)


def _put_message(builder: Builder, lines: Sequence[Line]) -> None:
    """Add what is said of a commit."""
    for group in groups(lines):
        if _is_listing(group):
            builder.block += 1
            trees.put_listing(builder, group, builder.heading)
        else:
            paragraphs.put_paragraphs(builder, group)


def _put_changes(builder: Builder, lines: Sequence[Line]) -> None:
    first = 0
    for number in range(1, len(lines) + 1):
        if number == len(lines) or not _joins(lines[number - 1], lines[number], lines[first]):
            builder.put((lines[first].start, lines[number - 1].end), SegmentKind.CODE, builder.heading)
            first = number


def _joins(before: Line, line: Line, first: Line) -> bool:
    changed = "+-"
    return (
        before.text[0] in changed
        and line.text[0] in changed
        and line.end - first.start <= trees.MAX_WHOLE_CODE_CHARS
    )


# --- Marked-up and plain text ----------------------------------------------------------------------------------------

_FENCE = re.compile(
    r"(?:(?:[-*+]|\d{1,3}[.)])[ \t]{1,9}+)?(?:(`{3,199}+)(?!.*`)|(~{3,199}+))|(?i:(\#\+begin_)(src|example|quote|verse))|(-{4,199}+|\|={3,199}+)\Z"
)
_FRONT_MATTER_KEY = re.compile(r"[\w-]{1,60}:(?:\s|$)")


class _Reader:
    """Reads a text's lines, block by block."""

    def __init__(self, builder: Builder, lines: Sequence[Line]) -> None:
        self._builder = builder
        self._lines = lines
        self._fences: dict[int, int] = {}
        self._names: frozenset[str] = frozenset()
        self._is_asciidoc = False
        self._most_words = MOST_WORDS

    def read(self) -> None:
        """Add the segments of all lines."""
        lines, builder = self._lines, self._builder
        first = _put_front_matter(builder, lines)
        self._is_asciidoc = asciidoc.is_asciidoc(lines)
        if self._is_asciidoc:
            self._lines = lines = asciidoc.attached(lines, asciidoc.listings(lines))
        self._fences = self._fences_of(lines, first)
        put = self._form_of_all(first)
        if put is not None:
            put(builder, lines[first:], builder.heading)
            return
        before = lines
        self._lines = lines = _without_gutters(lines, self._fences)
        builder.sentences.has_gutters = lines is not before
        self._fences = self._fences_of(lines, first)
        self._names = paragraphs.speakers(lines)
        builder.width = margin_of(lines)
        if is_of_words(lines[:: max(1, len(lines) // SAMPLE_LINES)], WORDS_OF_PROSE):
            self._most_words = MOST_WORDS_IN_PROSE
        opaque = bytearray(len(lines))
        for begin, end in self._fences.items():
            opaque[begin : end + 1] = b"\1" * (end + 1 - begin)
        opaque[:first] = b"\1" * first
        if self._is_asciidoc:
            for number in asciidoc.attributes(lines):
                opaque[number] = 1
        self._read_blocks(first, headings.titles(lines, opaque))

    def _form_of_all(self, first: int) -> Put | None:
        """Return how all lines are read if they are data or code: those outside of fences say so, and are most."""
        lines = self._lines[first:]
        if not self._fences or tables.delimiter_of(self._builder.text, lines):
            return _form_of(self._builder.text, lines)
        outside = _outside(self._lines, first, self._fences)
        put = _form_of(self._builder.text, outside) if len(outside) * 2 > len(lines) else None
        # Rows with a fence between them are no one table of CSV.
        return None if put is tables.put_csv else put

    def _fences_of(self, lines: Sequence[Line], first: int) -> dict[int, int]:
        return _fences(lines, first, asciidoc.listings(lines) if self._is_asciidoc else {})

    def _read_blocks(self, at: int, titles: dict[int, headings.Title]) -> None:
        while at < len(self._lines):
            if at in titles:
                title = titles[at]
                put = self._builder.put_statement if title.is_statement else self._builder.put_heading
                put((title.start, title.end), title.level)
                at = title.last + 1
            elif at in self._fences:
                self._put_fence(at, self._fences[at])
                at = self._fences[at] + 1
            elif _is_rule(self._lines[at].text):
                self._end_part(self._lines[at])
                at += 1
            else:
                end = self._end_of_group(at, titles)
                self._put_group(self._lines[at:end])
                at = end

    def _end_part(self, rule: Line) -> None:
        """Close the sections above a rule as wide as the text, where no sign states the levels of their headings."""
        if rule.gap and rule.indent == 0 and rule.length >= MIN_WIDTH:
            self._builder.put_rule((rule.start, rule.end), headings.UNSTATED)

    def _end_of_group(self, at: int, titles: dict[int, headings.Title]) -> int:
        end = at + 1
        while end < len(self._lines) and not self._begins_anew(end, titles):
            end += 1
        return end

    def _begins_anew(self, at: int, titles: dict[int, headings.Title]) -> bool:
        line = self._lines[at]
        return line.gap or at in titles or at in self._fences or _is_rule(line.text)

    def _put_fence(self, first: int, last: int) -> None:
        """Add the content of a fence, read as what it is; it hangs on the opening line."""
        builder, lines = self._builder, self._lines
        line = lines[first]
        parent = builder.parent_of_block(line.indent)
        inner = (
            lines[first + 1 : last] if _closes(line.text, lines[last].text) else lines[first + 1 : last + 1]
        )
        builder.block += 1
        if inner and line.text[0] == "|":
            tables.put_cells(builder, inner, parent)
            return
        if not inner:
            builder.put((line.start, line.end), SegmentKind.FRAME, parent)
            return
        end = inner[-1].end
        if end - line.start <= trees.MAX_WHOLE_CODE_CHARS:
            builder.put((line.start, end), SegmentKind.CODE, parent)
            return
        opening = builder.put((line.start, line.end), SegmentKind.FRAME, parent)
        put = _form_of(builder.text, inner) or trees.put_code
        # Headings inside a fence would end the section that it stands in.
        has_headings = put is put_diff or (put is put_config and any(line.text[0] == "[" for line in inner))
        (trees.put_code if has_headings else put)(builder, inner, opening)

    def _put_group(self, lines: Sequence[Line]) -> None:
        """Add lines between which no line is blank, as table, records, code or paragraphs."""
        builder = self._builder
        if len(lines) == 1 and _is_plain(lines[0]):
            paragraphs.put_paragraphs(builder, lines, self._names)
            return
        if (run := _table_run(lines)) is not None:
            self._put_around(lines, *run)
            return
        builder.marginal = paragraphs.is_navigation(lines)
        if lines[0].text.startswith("<!--") and lines[-1].text.endswith("-->"):
            builder.marginal = True
            builder.block += 1
            builder.put(span_of(lines), SegmentKind.LINE, builder.parent_at(lines[0].indent))
        elif paragraphs.is_contents(lines):
            builder.marginal = True
            paragraphs.put_lines(builder, lines)
        else:
            self._put_plain(lines)
        builder.marginal = False

    def _put_around(self, lines: Sequence[Line], first: int, last: int) -> None:
        """Add a table, and what stands directly before and after it."""
        if first:
            self._put_plain(lines[:first])
        parent = self._builder.parent_of_block(lines[first].indent)
        rows = lines[first:last]
        if any(tables.is_border(row.text) for row in rows):
            tables.put_grid(self._builder, rows, parent)
        else:
            tables.put_bars(self._builder, rows, parent)
        if last < len(lines):
            self._put_group(lines[last:])

    def _is_literal(self, lines: Sequence[Line]) -> bool:
        """Whether an indented block stands after "::": "the literal block" of reStructuredText."""
        segments = self._builder.segments
        if not segments or lines[0].indent == 0 or self._is_asciidoc:
            return False
        end = segments[-1].end
        return self._builder.text[end - 2 : end] == "::" and not any(line.indent == 0 for line in lines)

    def _put_plain(self, lines: Sequence[Line]) -> None:
        builder = self._builder
        if len(lines) >= tables.MIN_ROWS and tables.is_columns(builder.text, lines):
            tables.put_columns(builder, lines, builder.parent_of_block(lines[0].indent))
        elif len(lines) >= 2 and not self._names and share(trees.is_stamped, lines) >= 0.6:
            trees.put_log(builder, lines, builder.parent_of_block(lines[0].indent))
        elif _is_listing(lines, self._most_words):
            builder.block += 1
            trees.put_listing(builder, lines, builder.parent_of_block(min(line.indent for line in lines)))
        elif self._is_literal(lines) or (lines[0].indent >= 2 and _is_code(lines)):
            trees.put_code(builder, lines, builder.parent_of_block(lines[0].indent))
        else:
            paragraphs.put_paragraphs(builder, lines, self._names)


def _is_listing(lines: Sequence[Line], most_words: float = MOST_WORDS) -> bool:
    """Whether lines are neither sentences nor items, but say something each: they are fields, or not of words."""
    if len(lines) < MIN_LISTED:
        return False
    if all(_FIELD.match(line.text) for line in lines):
        return True
    if is_of_words(lines[:SAMPLE_LINES], most_words):
        return False
    return share(item_mark, lines) < MOST_ITEMS and share(looks_like_prose, lines) < MOST_ITEMS


def _is_plain(line: Line) -> bool:
    """Whether a line can only be text or an item: most are, and need no closer look."""
    return line.indent < 2 and line.text[0].isalnum() and "://" not in line.text and "](" not in line.text


def _is_rule(text: str) -> bool:
    """Whether a line only separates what is above it from what is below."""
    return not text[0].isalnum() and len(text) >= 3 and headings.is_underline(text)


def _put_front_matter(builder: Builder, lines: Sequence[Line]) -> int:
    """Add the keys between two lines of dashes at the beginning, and return the number of the line after them."""
    if lines[0].text != "---" or lines[0].start > 1:
        return 0
    for number, line in enumerate(lines[1:100], 1):
        if line.text in ("---", "..."):
            inner = lines[1:number]
            if not inner or share(_FRONT_MATTER_KEY.match, inner) < 0.3:
                return 0
            builder.marginal = True
            put_config(builder, inner, NONE)
            builder.marginal = False
            return number + 1
    return 0


def _without_gutters(lines: Sequence[Line], fences: dict[int, int]) -> Sequence[Line]:
    """Return the lines without quotation signs and pydoc's margins; lines of nothing else count as blank."""
    has_margin = sum(line.text == "|" for line in lines) >= 2
    if not has_margin and not any(line.text[0] == ">" for line in lines):
        return lines
    result: list[Line] = []
    gap, fence_end = False, -1
    for number, line in enumerate(lines):
        fence_end = fences.get(number, fence_end)
        is_margin = (line.text[0] == ">" and not line.text.startswith(">>>")) or (
            has_margin and line.text[0] == "|"
        )
        bare = without_gutter(line) if is_margin and number > fence_end else line
        if bare is None:
            gap = True
            continue
        result.append(bare._replace(gap=True) if gap and not bare.gap else bare)
        gap = False
    return result or lines


def _fences(lines: Sequence[Line], first: int, listings: Mapping[int, int]) -> dict[int, int]:
    """Return the first and last line of each fenced block; one that is never closed runs to the end (CommonMark 4.5)."""
    found: dict[int, int] = {}
    opening = ""
    begin = 0
    for number in range(first, len(lines)):
        text = lines[number].text
        if opening:
            if _closes(opening, text):
                found[begin] = number
                opening = ""
        elif number in listings or _opens_block(lines, number):
            opening, begin = text, number
    if opening:
        found[begin] = len(lines) - 1
    return found


def _outside(lines: Sequence[Line], first: int, fences: Mapping[int, int]) -> Sequence[Line]:
    """Return the lines that stand in no block between fences: they show what a text as a whole is. A block that nothing closes is none."""
    inside = bytearray(len(lines))
    for begin, end in fences.items():
        if _closes(lines[begin].text, lines[end].text):
            inside[begin : end + 1] = b"\1" * (end + 1 - begin)
    return [line for number, line in enumerate(lines) if number >= first and not inside[number]]


def _opens_block(lines: Sequence[Line], number: int) -> bool:
    """Whether a line opens a block in which nothing is a heading; AsciiDoc's begin under a line of attributes or a title."""
    line = lines[number]
    text = line.text
    if not (text[0] in "`~#|-*+" or text[0].isdigit()) or not _FENCE.match(text):
        return False
    if text[0] == "-" and text[-1] == "-":
        return not line.gap and number > 0 and lines[number - 1].text[0] in "[."
    # In reStructuredText a line of tildes may underline the title above it.
    is_under = number > 0 and not line.gap and not text.strip("~")
    return not (is_under and lines[number - 1].length <= line.length + 2)


def _closes(opening: str, text: str) -> bool:
    """Whether a line closes the block that another one opens."""
    fence = _FENCE.match(opening)
    if fence is None:
        return False
    if fence[3]:
        return text.lower() == "#+end_" + fence[4].lower()
    if fence[5]:
        return text == fence[5]
    sign = (fence[1] or fence[2])[0]
    return text[0] == sign and len(text) >= len(fence[1] or fence[2]) and not text.strip(sign)


def _table_run(lines: Sequence[Line]) -> tuple[int, int] | None:
    """Return the first stretch of rows with bars or borders; None where there is none."""
    if not any("|" in line.text or line.text[0] in "+=-" for line in lines):
        return None
    first = next((number for number in range(len(lines)) if _begins_table(lines, number)), None)
    if first is None:
        return None
    if tables.is_border(lines[first].text):
        last = max(number for number in range(first, len(lines)) if tables.is_border(lines[number].text))
        return (first, last + 1) if last > first else None
    last = first + 1
    while last < len(lines) and "|" in lines[last].text:
        last += 1
    return (first, last) if last - first > 1 else None


def _begins_table(lines: Sequence[Line], number: int) -> bool:
    text = lines[number].text
    if tables.is_border(text):
        return True
    if "|" not in text:
        return False
    following = lines[number + 1].text if number + 1 < len(lines) else ""
    return (text[0] == "|" and text[-1] == "|" and following[:1] == "|") or (
        "|" in following and tables.is_delimiter(following)
    )
