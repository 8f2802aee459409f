"""Any plain text to a Document: its headings, paragraphs, lists, tables, code, log lines and records.

A text that is data (CSV, configuration, a log), source code or a diff as a whole is recognized in format_detection.py. Any other text
is read here as marked-up or plain prose, block by block; any of these forms may stand in a fence or an indented block. Does not
judge what a segment is worth. JSON and HTML have readers of their own.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from itertools import pairwise

from summarizing.text.block_writer import BlockWriter
from summarizing.text.blocks import csv_tables, logs_and_field_lists
from summarizing.text.blocks.dialogues import speeches
from summarizing.text.blocks.fences import closing_line, fences_by_line, lines_outside
from summarizing.text.blocks.gutters import lines_without_gutters
from summarizing.text.blocks.images import end_of_words
from summarizing.text.blocks.literal_blocks import literal_blocks, outside_of_literals
from summarizing.text.blocks.tagged_lists import description_columns, tagged_lines
from summarizing.text.blocks.undivided_words import with_undivided_words
from summarizing.text.dense_texts import first_lines, is_dense, read_dense
from summarizing.text.document import Document, SegmentKind
from summarizing.text.document_builder import Builder
from summarizing.text.format_detection import Put, form_of
from summarizing.text.formats import asciidoc, mails, source_code
from summarizing.text.formats.config_trees import put_config
from summarizing.text.formats.diffs import is_diff, put_diff
from summarizing.text.formats.front_matter import put_front_matter
from summarizing.text.formats.running_heads import page_lines, with_pages, without_pages
from summarizing.text.formats.subtitles import is_subtitles
from summarizing.text.formats.tex import lines_of_commands
from summarizing.text.headings.candidates import Heading, is_rule
from summarizing.text.headings.disclosures import Disclosure, disclosures, with_tags_apart, with_titles
from summarizing.text.headings.finding import headings_by_line
from summarizing.text.headings.manual_pages import lines_around_pages, without_tabs_in_text
from summarizing.text.headings.marked import (
    has_no_comments,
    has_sections,
    has_titles_throughout,
    is_quoted,
    quoted_titles,
)
from summarizing.text.json.records import parse_nearly_json, parse_presented_json
from summarizing.text.lines import (
    MIN_WIDTH,
    Line,
    is_of_words,
    item_mark,
    margin_of,
    mark_lines,
    read_lines,
    sample_of,
    without_separators,
)
from summarizing.text.related_segments import (
    with_descriptions,
    with_marginal,
    with_messages,
    with_records,
    with_whole_lists,
)
from summarizing.text.segment_limits import join_short_neighbours

# In a text with more words than this lines are wrapped, unless they have few words indeed.
WORDS_OF_PROSE = 0.75
MOST_WORDS_IN_PROSE = 0.3

# What `tail` and `head` write above each of several files.
_FILE = re.compile(r"==> \S.{0,300}+(?<= <==)\Z")
MAX_LINES_ABOVE_FILES = 2


def parse(text: str) -> Document:
    """Read a text; time is linear in it."""
    if (records := parse_nearly_json(text) or parse_presented_json(text)) is not None:
        return records
    if is_dense(text) and not is_subtitles(first_lines(text)):
        return Document(text, read_dense(text), is_joined=True)
    lines = without_separators(read_lines(text))
    builder = Builder(text)
    around_manuals = lines_around_pages(lines)
    pages = around_manuals or page_lines(text, lines)
    if lines:
        inner = without_pages(lines, pages) if pages else lines
        inner = without_tabs_in_text(inner) if around_manuals else inner
        if around_manuals or not (_read_files(builder, inner) or _read_messages(builder, inner)):
            _Reader(builder, inner, is_manual=bool(around_manuals)).read()
    running = [lines[number] for number in sorted(pages)]
    segments = with_pages(text, builder.segments, running) if running else builder.segments
    marked = with_messages(text, with_records(text, with_marginal(text, segments)))
    short = join_short_neighbours(marked, len(text))
    return Document(
        text, with_descriptions(text, with_whole_lists(short)), is_joined=len(short) < len(marked)
    )


def _read_files(builder: Builder, lines: Sequence[Line]) -> bool:
    """Read the files that `tail` or `head` has joined, each as a text of its own below its name; return whether they are any.

    The command that did so may stand above them; a text that shows such files is none.
    """
    begins = [number for number, line in enumerate(lines) if not line.indent and _FILE.match(line.text)]
    if not begins or (begins[0] and len(begins) == 1) or begins[0] > MAX_LINES_ABOVE_FILES:
        return False
    if closing_line(lines[0].text):
        return False
    if begins[0]:
        _Reader(builder, lines[: begins[0]]).read()
    for first, end in pairwise([*begins, len(lines)]):
        builder.put_heading(lines[first].span, 0)
        if first + 1 < end:
            _Reader(builder, lines[first + 1 : end]).read()
    return True


def _read_messages(builder: Builder, lines: Sequence[Line]) -> bool:
    """Read the mails of a text, each as a text of its own; return whether it has some."""
    messages = [] if is_diff(lines) else mails.messages_of(lines)
    for message in messages:
        mails.put_head(builder, message)
        if message.body:
            _Reader(builder, message.body, is_mail=True, has_titles=len(messages) == 1).read()
        mails.put_foot(builder, message)
    return bool(messages)


class _Reader:
    """Reads a text's lines, block by block; in one mail of several, where short lines are signatures, none of them is a title."""

    def __init__(
        self,
        builder: Builder,
        lines: Sequence[Line],
        *,
        is_manual: bool = False,
        is_mail: bool = False,
        has_titles: bool = True,
    ) -> None:
        self._builder = builder
        self._lines = lines
        self._is_manual = is_manual
        self._is_mail = is_mail
        self._has_titles = has_titles
        self._fences: dict[int, int] = {}
        self._literals: dict[int, int] = {}
        self._rules: frozenset[int] = frozenset()
        self._folded: Sequence[Disclosure] = ()
        self._ends: Mapping[int, int] = {}
        self._openings: frozenset[int] = frozenset()
        self._quoted_titles: Collection[int] = ()
        self._formulas: Collection[int] = ()
        self._begins = bytearray()
        """Of each line, and of the end: whether something else begins there than what the line above is part of, headings aside."""
        self._is_asciidoc = self._has_gutters = False

    def read(self) -> None:
        """Add the segments of all lines."""
        builder = self._builder
        first = 0 if self._is_mail else put_front_matter(builder, self._lines)
        self._is_asciidoc = not self._is_mail and asciidoc.is_asciidoc(self._lines)
        if self._is_asciidoc:
            self._lines = asciidoc.attached(self._lines, asciidoc.listings(self._lines))
        self._fences = self._fences_of(self._lines, first)
        if not self._is_mail:
            self._lines = with_tags_apart(builder.text, self._lines, self._fences)
            self._fences = self._fences_of(self._lines, first)
        if (put := self._form_of_all(first)) is not None:
            put(builder, self._lines[first:], builder.heading)
            return
        self._note_layout(first)
        opaque = self._opaque(first)
        self._note_beginnings()
        found = headings_by_line(self._lines, opaque, is_manual=self._is_manual) if self._has_titles else {}
        titled = with_titles(self._lines, self._without_statements_in_answers(found), self._folded)
        self._ends, self._openings = titled.ends, titled.openings
        self._read_blocks(first, titled.headings)

    def _without_statements_in_answers(self, found: dict[int, Heading]) -> dict[int, Heading]:
        """Return the headings, without the numbered sentences between questions and answers: these would end an answer that goes on in them."""
        spoken_at = self._blocks.spoken_at
        if not any(spoken_at.values()):
            return found
        first, last = min(spoken_at), max(spoken_at)
        return {at: one for at, one in found.items() if not (one.is_statement and first < one.start < last)}

    def _note_layout(self, first: int) -> None:
        """Take the signs before the lines away, and note how these are wrapped, and which begin with a term or a speaker."""
        bare = lines_without_gutters(self._lines, self._fences)
        self._has_gutters = bare is not self._lines
        if self._has_gutters:
            self._fences = self._fences_of(bare, first)
        self._lines = lines = with_undivided_words(bare)
        tagged = tagged_lines(lines, description_columns(lines))
        self._builder.set_layout(width=margin_of(lines), has_gutters=self._has_gutters, tagged=tagged)
        is_prose = is_of_words(sample_of(lines), WORDS_OF_PROSE)
        self._blocks = BlockWriter(
            self._builder,
            spoken_at=speeches(lines),
            is_markdown=has_sections(lines),
            most_words=MOST_WORDS_IN_PROSE if is_prose else logs_and_field_lists.MOST_WORDS,
        )

    def _opaque(self, first: int) -> bytearray:
        """Return the lines, marked, that are no headings and hold none: front matter, fences, literal blocks, what is quoted."""
        lines = self._lines
        opaque = bytearray(len(lines))
        mark_lines(opaque, {0: first - 1, **self._fences})
        if not self._is_asciidoc:
            self._literals = literal_blocks(lines, opaque)
            mark_lines(opaque, self._literals)
        self._folded = disclosures(lines, opaque)
        self._quoted_titles = quoted_titles(self._builder.text, lines) if self._has_gutters else ()
        if self._is_mail or self._has_gutters:
            self._formulas = mails.formulas(self._builder.text, lines, is_mail=self._is_mail)
        for number in (
            *self._quoted(),
            *self._formulas,
            *(asciidoc.attributes(lines) if self._is_asciidoc else ()),
        ):
            opaque[number] = 1
        return opaque

    def _quoted(self) -> Collection[int]:
        """Return the lines in quotations; where all are, only the titles among them."""
        text, lines = self._builder.text, self._lines
        quoted = [number for number, line in enumerate(lines) if self._has_gutters and is_quoted(text, line)]
        return quoted if len(quoted) < len(lines) else self._quoted_titles

    def _form_of_all(self, first: int) -> Put | None:
        """Return how all lines are read if they are data or code: those outside of fences and literal blocks say so, and are most.

        Where titles with signs stand apart, it is a text, whatever else it has; where no fences are, hashes may be those of comments.
        """
        lines, text = self._lines[first:], self._builder.text
        if self._is_mail:
            return put_diff if is_diff(lines) else None
        if self._is_manual:
            return None
        if csv_tables.delimiter_of(text, lines):
            return form_of(text, lines)
        outside = outside_of_literals(text, lines_outside(self._lines, first, self._fences))
        put = form_of(text, outside) if len(outside) * 2 > len(lines) else None
        if put in (source_code.put_code, put_config) and has_titles_throughout(outside):
            return None
        if put is source_code.put_code and has_sections(outside):
            return None if self._fences or has_no_comments(outside) else put
        # Rows with a fence between them are no one table of CSV.
        return None if self._fences and put is csv_tables.put_csv else put

    def _fences_of(self, lines: Sequence[Line], first: int) -> dict[int, int]:
        return fences_by_line(lines, first, asciidoc.listings(lines) if self._is_asciidoc else {})

    def _note_beginnings(self) -> None:
        lines = self._lines
        self._rules = frozenset(number for number, line in enumerate(lines) if is_rule(line.text))
        self._begins = bytearray([*(line.gap for line in lines), True])
        for number in (*self._fences, *self._literals, *self._rules, *self._formulas):
            self._begins[number] = 1
        for one in self._folded:
            self._begins[one.opening] = self._begins[one.closing] = self._begins[one.closing + 1] = 1
        for number in (*self._quoted_titles, *lines_of_commands(lines)):
            self._begins[number] = self._begins[number + 1] = 1

    def _read_blocks(self, at: int, headings_at: dict[int, Heading]) -> None:
        while at < len(self._lines):
            if at in headings_at:
                heading = headings_at[at]
                self._put_heading(heading)
                at = heading.last + 1
            elif at in self._openings:
                at += 1
            elif at in self._ends:
                self._end_disclosure(at, headings_at)
                at += 1
            elif at in self._fences:
                self._blocks.put_fence(self._lines[at : self._fences[at] + 1])
                at = self._fences[at] + 1
            elif at in self._literals:
                self._blocks.put_example(self._lines[at : self._literals[at] + 1])
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
                with self._builder.marginal() if at in self._formulas else nullcontext():
                    self._blocks.put_group(self._lines[at:end])
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

    def _end_part(self, rule: Line) -> None:
        """Close the sections above a rule as wide as the text, where no sign marks their headings."""
        if rule.gap and rule.indent == 0 and rule.length >= MIN_WIDTH:
            self._builder.put_rule(rule.span)

    def _end_disclosure(self, at: int, headings_at: Mapping[int, Heading]) -> None:
        """Close a part that was folded away; the tag at its end stands before what is said after it, where no other title does."""
        after = at + 1
        goes_on = after < len(self._lines) and not {after} & (
            self._openings | self._ends.keys() | headings_at.keys()
        )
        self._builder.end_section(self._ends[at], self._lines[at].span if goes_on else None)

    def _put_quoted_title(self, line: Line) -> None:
        """Add a title in a quotation, on which the rest of that hangs, and nothing else: no section ends there.

        It belongs to no sentence before it, as an indented example does.
        """
        builder = self._builder
        builder.begin_block()
        parent = builder.parent_at(line.indent - 1)
        builder.hang_below(line.indent - 0.75, builder.put(line.span, SegmentKind.FRAME, parent))

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
