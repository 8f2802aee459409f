"""Any plain text to a Document: its headings, paragraphs, lists, tables, code, log lines and records.

A text that is data (CSV, configuration, a log), source code or a diff as a whole is recognized in format_detection.py. Any other text
is read here as marked-up or plain prose, block by block; any of these forms may stand in a fence or an indented block. Does not
judge what a segment is worth. JSON and HTML have readers of their own.
"""

from collections.abc import Collection, Mapping, Sequence

from summarizing.text import asciidoc, headings, logs_and_field_lists, mails, paragraphs, source_code, tables
from summarizing.text.config_trees import put_config, put_front_matter
from summarizing.text.dense_texts import is_dense, read_dense
from summarizing.text.dialogues import speeches
from summarizing.text.diffs import is_diff, put_diff
from summarizing.text.document import NO_SEGMENT, Document, SegmentKind
from summarizing.text.document_builder import Builder, span_of
from summarizing.text.drawings import is_diagram, with_depths
from summarizing.text.fences import closes_fence, fences_by_line, lines_outside
from summarizing.text.format_detection import Put, form_of, is_code
from summarizing.text.heading_candidates import UNSTATED, Heading, is_rule
from summarizing.text.html_boilerplate import MENU_SIGN
from summarizing.text.images import IMAGE_BEGINNINGS, are_images, end_of_words
from summarizing.text.json_records import parse_nearly_json
from summarizing.text.lines import (
    COLONS,
    MIN_WIDTH,
    Line,
    is_of_words,
    item_mark,
    lines_without_gutters,
    margin_of,
    read_lines,
    sample_of,
    without_separators,
)
from summarizing.text.literal_blocks import CSV_TABLE, literal_blocks, outside_of_literals
from summarizing.text.logs_and_field_lists import is_listing
from summarizing.text.manual_pages import lines_around_pages, without_tabs_in_text
from summarizing.text.marked_headings import (
    has_no_comments,
    has_sections,
    has_titles_throughout,
    quoted_titles,
)
from summarizing.text.navigation import is_navigation, put_menu
from summarizing.text.related_segments import (
    with_descriptions,
    with_marginal,
    with_messages,
    with_whole_lists,
)
from summarizing.text.running_heads import page_lines, with_pages, without_pages
from summarizing.text.segment_limits import join_short_neighbours
from summarizing.text.tagged_lists import description_columns, tagged_lines
from summarizing.text.undivided_words import with_undivided_words

# A line with so many of the signs that stand between the entries of a menu is one.
MIN_SIGNS_OF_MENU = 2

# Markdown's code that no fence marks is indented so far.
CODE_INDENT = 4

# An example in a text is kept whole up to this size: of half of one nobody can tell what is missing.
MAX_EXAMPLE_CHARS = 2_000

# In a text with more words than this lines are wrapped, unless they have few words indeed.
WORDS_OF_PROSE = 0.75
MOST_WORDS_IN_PROSE = 0.3


def parse(text: str) -> Document:
    """Read a text; time is linear in it."""
    if (records := parse_nearly_json(text)) is not None:
        return records
    if is_dense(text):
        return Document(text, read_dense(text), is_joined=True)
    lines = without_separators(read_lines(text))
    builder = Builder(text)
    around_manuals = lines_around_pages(lines)
    pages = around_manuals or page_lines(text, lines)
    if lines:
        inner = without_pages(lines, pages) if pages else lines
        inner = without_tabs_in_text(inner) if around_manuals else inner
        if around_manuals or not _read_messages(builder, inner):
            _Reader(builder, inner, is_manual=bool(around_manuals)).read()
    running = [lines[number] for number in sorted(pages)]
    segments = with_pages(text, builder.segments, running) if running else builder.segments
    marked = with_messages(text, with_marginal(text, segments))
    short = join_short_neighbours(marked, len(text))
    return Document(
        text, with_descriptions(text, with_whole_lists(short)), is_joined=len(short) < len(marked)
    )


def _read_messages(builder: Builder, lines: Sequence[Line]) -> bool:
    """Read the mails of a text, each as a text of its own; return whether it has some."""
    messages = [] if is_diff(lines) else mails.messages_of(lines)
    for message in messages:
        mails.put_head(builder, message)
        if message.body:
            _Reader(builder, message.body, is_mail=True).read()
        mails.put_foot(builder, message)
    return bool(messages)


class _Reader:
    """Reads a text's lines, block by block; in a mail, where short lines are signatures, none of them is a title."""

    def __init__(
        self, builder: Builder, lines: Sequence[Line], *, is_manual: bool = False, is_mail: bool = False
    ) -> None:
        self._builder = builder
        self._lines = lines
        self._is_manual = is_manual
        self._is_mail = is_mail
        self._fences: dict[int, int] = {}
        self._literals: dict[int, int] = {}
        self._rules: frozenset[int] = frozenset()
        self._quoted_titles: Collection[int] = ()
        self._begins = bytearray()
        """Of each line, and of the end: whether something else begins there than what the line above is part of, headings aside."""
        self._spoken_at: Mapping[int, bool] = {}
        self._is_asciidoc = False
        self._is_markdown = False
        self._most_words = logs_and_field_lists.MOST_WORDS

    def read(self) -> None:
        """Add the segments of all lines."""
        lines, builder = self._lines, self._builder
        first = 0 if self._is_mail else put_front_matter(builder, lines)
        self._is_asciidoc = not self._is_mail and asciidoc.is_asciidoc(lines)
        if self._is_asciidoc:
            self._lines = lines = asciidoc.attached(lines, asciidoc.listings(lines))
        self._fences = self._fences_of(lines, first)
        put = self._form_of_all(first)
        if put is not None:
            put(builder, lines[first:], builder.heading)
            return
        before = lines
        self._lines = lines = lines_without_gutters(lines, self._fences)
        has_gutters = lines is not before
        if has_gutters:
            self._fences = self._fences_of(lines, first)
        self._lines = lines = with_undivided_words(lines)
        columns = description_columns(lines)
        tagged = tagged_lines(lines, columns)
        builder.set_layout(width=margin_of(lines), has_gutters=has_gutters, tagged=tagged)
        self._is_markdown = has_sections(lines)
        self._spoken_at = speeches(lines)
        if is_of_words(sample_of(lines), WORDS_OF_PROSE):
            self._most_words = MOST_WORDS_IN_PROSE
        opaque = bytearray(len(lines))
        for begin, end in self._fences.items():
            opaque[begin : end + 1] = b"\1" * (end + 1 - begin)
        opaque[:first] = b"\1" * first
        if self._is_asciidoc:
            for number in asciidoc.attributes(lines):
                opaque[number] = 1
        else:
            self._literals = literal_blocks(lines, opaque)
            for begin, end in self._literals.items():
                opaque[begin : end + 1] = b"\1" * (end + 1 - begin)
        self._quoted_titles = quoted_titles(builder.text, lines) if has_gutters else ()
        for number in self._quoted_titles:
            opaque[number] = 1
        self._note_beginnings()
        found = {} if self._is_mail else headings.headings_by_line(lines, opaque, is_manual=self._is_manual)
        self._read_blocks(first, self._without_lead_ins(found))

    def _form_of_all(self, first: int) -> Put | None:
        """Return how all lines are read if they are data or code: those outside of fences and literal blocks say so, and are most.

        Where titles with signs stand apart, it is a text, whatever else it has; where no fences are, hashes may be those of comments.
        """
        lines, text = self._lines[first:], self._builder.text
        if self._is_mail:
            return put_diff if is_diff(lines) else None
        if self._is_manual:
            return None
        if tables.delimiter_of(text, lines):
            return form_of(text, lines)
        outside = outside_of_literals(text, lines_outside(self._lines, first, self._fences))
        put = form_of(text, outside) if len(outside) * 2 > len(lines) else None
        if put in (source_code.put_code, put_config) and has_titles_throughout(outside):
            return None
        if put is source_code.put_code and has_sections(outside):
            return None if self._fences or has_no_comments(outside) else put
        # Rows with a fence between them are no one table of CSV.
        return None if self._fences and put is tables.put_csv else put

    def _fences_of(self, lines: Sequence[Line], first: int) -> dict[int, int]:
        return fences_by_line(lines, first, asciidoc.listings(lines) if self._is_asciidoc else {})

    def _note_beginnings(self) -> None:
        lines = self._lines
        self._rules = frozenset(number for number, line in enumerate(lines) if is_rule(line.text))
        self._begins = bytearray([*(line.gap for line in lines), True])
        for number in (*self._fences, *self._literals, *self._rules):
            self._begins[number] = 1
        for number in self._quoted_titles:
            self._begins[number] = self._begins[number + 1] = 1

    def _read_blocks(self, at: int, headings_at: dict[int, Heading]) -> None:
        while at < len(self._lines):
            if at in headings_at:
                heading = headings_at[at]
                self._put_heading(heading)
                at = heading.last + 1
            elif at in self._fences:
                self._put_fence(at, self._fences[at])
                at = self._fences[at] + 1
            elif at in self._literals:
                self._put_example(self._lines[at : self._literals[at] + 1])
                at = self._literals[at] + 1
            elif at in self._rules:
                self._end_part(self._lines[at])
                at += 1
            elif at in self._quoted_titles:
                self._put_quoted_title(self._lines[at])
                at += 1
            else:
                end = self._end_of_group(at, headings_at)
                self._look_ahead(end, headings_at)
                self._put_group(self._lines[at:end])
                at = end

    def _put_heading(self, heading: Heading) -> None:
        start, end = heading.start, heading.end
        text = self._builder.text[start:end]
        words = end_of_words(text)
        span = start, start + words
        if heading.is_statement:
            self._builder.put_statement(span, heading.level)
        else:
            index = self._builder.put_heading(span, heading.level, is_marked=heading.is_marked)
            if images := text[words:].lstrip():
                with self._builder.marginal():
                    self._builder.put((end - len(images), end), SegmentKind.LINE, index)

    def _without_lead_ins(self, headings_at: dict[int, Heading]) -> dict[int, Heading]:
        """Return the headings without those that only introduce the lines below them: no heading ends their part."""
        kept = dict(headings_at)
        for number in sorted(headings_at, reverse=True):
            if self._is_lead_in(headings_at[number], kept):
                del kept[number]
        return kept

    def _is_lead_in(self, heading: Heading, headings_at: dict[int, Heading]) -> bool:
        """Whether a heading without a sign ends with a colon, is indented less than the lines directly below it, and no less than a paragraph after them."""
        lines, at = self._lines, heading.last + 1
        if heading.level < UNSTATED or lines[heading.first].tail[-1] not in COLONS or self._begins[at]:
            return False
        end = self._end_of_group(at, headings_at)
        if end == len(lines) or end in headings_at:
            return False
        return lines[end].indent <= lines[heading.first].indent < min(line.indent for line in lines[at:end])

    def _end_part(self, rule: Line) -> None:
        """Close the sections above a rule as wide as the text, where no sign marks their headings."""
        if rule.gap and rule.indent == 0 and rule.length >= MIN_WIDTH:
            self._builder.put_rule(rule.span)

    def _put_quoted_title(self, line: Line) -> None:
        """Add a title in a quotation, on which the rest of that hangs, and nothing else: no section ends there.

        It belongs to no sentence before it, as an indented example does.
        """
        builder = self._builder
        builder.begin_block()
        parent = builder.parent_at(line.indent - 1)
        builder.hang_below(line.indent - 0.75, builder.put(line.span, SegmentKind.LINE, parent))

    def _look_ahead(self, at: int, headings_at: dict[int, Heading]) -> None:
        """Note what comes next: a sentence may announce it, or go on below it."""
        line = self._lines[at] if at < len(self._lines) and at not in headings_at else None
        # Nothing is indented less than a line at the margin: that it goes on there means nothing.
        goes_on = line is not None and line.indent > 0 and not item_mark(line.text)
        self._builder.look_ahead(line, line.indent if line and goes_on else -1)

    def _end_of_group(self, at: int, headings_at: dict[int, Heading]) -> int:
        end = at + 1
        while not (self._begins[end] or end in headings_at):
            end += 1
        return end

    def _put_fence(self, first: int, last: int) -> None:
        """Add the content of a fence, read as what it is; it hangs on the opening line."""
        builder, lines = self._builder, self._lines
        line = lines[first]
        parent = builder.parent_of_block(line.indent)
        is_closed = closes_fence(line.text, lines[last].text)
        inner = lines[first + 1 : last] if is_closed else lines[first + 1 : last + 1]
        builder.begin_block()
        if inner and line.text[0] == "|":
            tables.put_cells(builder, inner, parent)
            return
        if not inner:
            builder.put(line.span, SegmentKind.FRAME, parent)
            return
        end = lines[last].end
        if end - line.start <= MAX_EXAMPLE_CHARS:
            builder.put((line.start, end), SegmentKind.CODE, parent)
            return
        opening = builder.put(line.span, SegmentKind.FRAME, parent)
        put = form_of(builder.text, inner) or source_code.put_code
        # Headings inside a fence would end the section that it stands in.
        has_headings = put is put_diff or (put is put_config and any(line.text[0] == "[" for line in inner))
        (source_code.put_code if has_headings else put)(builder, inner, opening)

    def _put_example(self, lines: Sequence[Line]) -> None:
        """Add a literal block: a short one as a whole; or a table by its rows."""
        builder, (start, end) = self._builder, span_of(lines)
        parent = builder.parent_of_block(min(line.indent for line in lines))
        if lines[0].text.startswith(CSV_TABLE):
            tables.put_csv_directive(builder, lines, parent)
            return
        if end - start > MAX_EXAMPLE_CHARS:
            source_code.put_code(builder, lines, parent)
            return
        builder.begin_block()
        builder.put((start, end), SegmentKind.CODE, parent)

    def _put_group(self, lines: Sequence[Line]) -> None:
        """Add lines between which no line is blank, as tables, records, code or paragraphs."""
        while lines:
            lines = self._put_first_of_group(lines)

    def _put_first_of_group(self, lines: Sequence[Line]) -> Sequence[Line]:
        """Add lines up to the end of their first table; return those after it."""
        if len(lines) > 1 and (run := tables.run_of_rows(lines)) is not None:
            self._put_table(lines, *run)
            return lines[run[1] :]
        self._put_without_table(lines)
        return ()

    def _put_without_table(self, lines: Sequence[Line]) -> None:
        builder = self._builder
        if len(lines) == 1 and lines[0].text.count(MENU_SIGN) >= MIN_SIGNS_OF_MENU:
            with builder.marginal():
                put_menu(builder, lines[0])
            return
        if len(lines) == 1 and _is_plain(lines[0]):
            paragraphs.put_paragraphs(builder, lines, self._spoken_at)
            return
        start, end = span_of(lines)
        stretch = builder.text[start:end]
        is_comment = stretch.startswith("<!--") and stretch.endswith("-->")
        if is_comment or (stretch[0] in IMAGE_BEGINNINGS and are_images(lines, stretch)):
            with builder.marginal():
                builder.begin_block()
                builder.put((start, end), SegmentKind.LINE, builder.parent_at(lines[0].indent))
        elif ("[" in stretch or "://" in stretch or stretch.startswith(".. ")) and is_navigation(lines):
            with builder.marginal():
                self._put_plain(lines)
        else:
            self._put_plain(lines)

    def _put_table(self, lines: Sequence[Line], first: int, last: int) -> None:
        """Add a table, and what stands directly before it."""
        if first:
            self._put_plain(lines[:first])
        parent = self._builder.parent_of_block(lines[first].indent)
        rows = lines[first:last]
        if any(tables.is_border(row.text) for row in rows):
            tables.put_grid(self._builder, rows, parent)
        else:
            tables.put_bars(self._builder, rows, parent)

    def _is_indented_code(self, lines: Sequence[Line]) -> bool:
        """Whether Markdown has code here: "composed of one or more indented chunks", outside of lists (CommonMark 4.4)."""
        if not self._is_markdown or (indent := min(line.indent for line in lines)) < CODE_INDENT:
            return False
        segments, parent = self._builder.segments, self._builder.parent_at(indent)
        if parent == NO_SEGMENT or segments[parent].kind is SegmentKind.ITEM:
            return parent == NO_SEGMENT
        is_in_item = any(one.kind is SegmentKind.ITEM for one in self._builder.above(segments[parent]))
        return not (is_in_item and item_mark(lines[0].text))

    def _put_plain(self, lines: Sequence[Line]) -> None:
        builder = self._builder
        if self._is_indented_code(lines) or is_diagram(lines):
            self._put_example(lines)
        elif len(lines) >= tables.MIN_ROWS and tables.is_columns(builder.text, lines):
            tables.put_columns(builder, lines, builder.parent_of_block(lines[0].indent))
        elif not self._spoken_at and logs_and_field_lists.is_log(lines):
            logs_and_field_lists.put_log(builder, lines, builder.parent_of_block(lines[0].indent))
        elif (tree := with_depths(lines)) is not lines or is_listing(lines, self._most_words):
            builder.begin_block()
            parent = builder.parent_of_block(min(line.indent for line in lines))
            logs_and_field_lists.put_listing(builder, tree, parent)
        elif lines[0].indent >= 2 and is_code(lines):
            source_code.put_code(builder, lines, builder.parent_of_block(lines[0].indent))
        else:
            paragraphs.put_paragraphs(builder, lines, self._spoken_at)


def _is_plain(line: Line) -> bool:
    """Whether a line can only be text or an item: most are, and need no closer look."""
    return line.indent < 2 and line.text[0].isalnum() and "://" not in line.text and "](" not in line.text
