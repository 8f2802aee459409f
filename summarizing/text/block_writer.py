"""Adds a block of lines as what it is: a fence, an example, a table, a log, a list of fields, code, paragraphs.

Where each block begins and ends is decided in parsing.py; how each form is read stands in the module of that form.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from summarizing.text.blocks import logs_and_field_lists, paragraphs, tables
from summarizing.text.blocks.drawings import with_depths
from summarizing.text.blocks.fences import closes_fence
from summarizing.text.blocks.images import IMAGE_BEGINNINGS, are_images
from summarizing.text.blocks.logs_and_field_lists import is_listing
from summarizing.text.blocks.navigation import has_buttons, is_navigation, put_menu
from summarizing.text.document import NO_SEGMENT, SegmentKind
from summarizing.text.document_builder import Builder, span_of
from summarizing.text.format_detection import form_of, is_code
from summarizing.text.formats import source_code
from summarizing.text.formats.config_trees import put_config
from summarizing.text.formats.diffs import put_diff
from summarizing.text.html.boilerplate import MENU_SIGN
from summarizing.text.lines import Line, item_mark

# A line with so many of the signs that stand between the entries of a menu is one.
MIN_SIGNS_OF_MENU = 2

# Markdown's code that no fence marks is indented so far.
CODE_INDENT = 4

# An example in a text is kept whole up to this size: of half of one nobody can tell what is missing.
MAX_EXAMPLE_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class BlockWriter:
    """Adds the blocks of one text."""

    builder: Builder
    spoken_at: Mapping[int, bool]
    """Where speeches begin, and which are questions."""
    is_markdown: bool
    """Whether the text has sections as Markdown writes them."""
    most_words: float
    """Lines that each say something have a smaller share of words."""

    def put_fence(self, lines: Sequence[Line]) -> None:
        """Add the content of a fence, read as what it is; it hangs on the opening line."""
        builder, line = self.builder, lines[0]
        parent = builder.parent_of_block(line.indent)
        is_closed = closes_fence(line.text, lines[-1].text)
        inner = lines[1:-1] if is_closed else lines[1:]
        builder.begin_block()
        if inner and line.text[0] == "|":
            tables.put_cells(builder, inner, parent)
            return
        if not inner:
            builder.put(line.span, SegmentKind.FRAME, parent)
            return
        end = lines[-1].end
        if end - line.start <= MAX_EXAMPLE_CHARS:
            builder.put((line.start, end), SegmentKind.CODE, parent)
            return
        opening = builder.put(line.span, SegmentKind.FRAME, parent)
        put = form_of(builder.text, inner) or source_code.put_code
        # Headings inside a fence would end the section that it stands in.
        has_headings = put is put_diff or (put is put_config and any(line.text[0] == "[" for line in inner))
        (source_code.put_code if has_headings else put)(builder, inner, opening)

    def put_example(self, lines: Sequence[Line]) -> None:
        """Add a literal block: a short one as a whole."""
        builder, (start, end) = self.builder, span_of(lines)
        parent = builder.parent_of_block(min(line.indent for line in lines))
        if end - start > MAX_EXAMPLE_CHARS:
            source_code.put_code(builder, lines, parent)
            return
        builder.begin_block()
        builder.put((start, end), SegmentKind.CODE, parent)

    def put_group(self, lines: Sequence[Line]) -> None:
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
        builder = self.builder
        if len(lines) == 1 and lines[0].text.count(MENU_SIGN) >= MIN_SIGNS_OF_MENU:
            with builder.marginal():
                put_menu(builder, lines[0])
            return
        if len(lines) == 1 and _is_plain(lines[0]):
            paragraphs.put_paragraphs(builder, lines, self.spoken_at)
            return
        start, end = span_of(lines)
        stretch = builder.text[start:end]
        is_comment = stretch.startswith("<!--") and stretch.endswith("-->")
        if is_comment or (stretch[0] in IMAGE_BEGINNINGS and are_images(lines, stretch)):
            with builder.marginal():
                builder.begin_block()
                builder.put((start, end), SegmentKind.LINE, builder.parent_at(lines[0].indent))
        elif ("[" in stretch or "://" in stretch or stretch.startswith(".. ")) and (
            is_navigation(lines) or (not self.builder.segments and has_buttons(lines))
        ):
            with builder.marginal():
                self._put_plain(lines)
        else:
            self._put_plain(lines)

    def _put_table(self, lines: Sequence[Line], first: int, last: int) -> None:
        """Add a table, and what stands directly before it."""
        if first:
            self._put_plain(lines[:first])
        parent = self.builder.parent_of_block(lines[first].indent)
        rows = lines[first:last]
        if any(tables.is_border(row.text) for row in rows):
            tables.put_grid(self.builder, rows, parent)
        else:
            tables.put_bars(self.builder, rows, parent)

    def _is_indented_code(self, lines: Sequence[Line]) -> bool:
        """Whether Markdown has code here: "composed of one or more indented chunks", outside of lists (CommonMark 4.4)."""
        if not self.is_markdown or (indent := min(line.indent for line in lines)) < CODE_INDENT:
            return False
        segments, parent = self.builder.segments, self.builder.parent_at(indent)
        if parent == NO_SEGMENT or segments[parent].kind is SegmentKind.ITEM:
            return parent == NO_SEGMENT
        is_in_item = any(one.kind is SegmentKind.ITEM for one in self.builder.above(segments[parent]))
        return not (is_in_item and item_mark(lines[0].text))

    def _put_plain(self, lines: Sequence[Line]) -> None:
        builder = self.builder
        if self._is_indented_code(lines):
            self.put_example(lines)
        elif len(lines) >= tables.MIN_ROWS and tables.is_columns(builder.text, lines):
            tables.put_columns(builder, lines, builder.parent_of_block(lines[0].indent))
        elif not self.spoken_at and logs_and_field_lists.is_log(lines):
            logs_and_field_lists.put_log(builder, lines, builder.parent_of_block(lines[0].indent))
        elif (tree := with_depths(lines)) is not lines or is_listing(lines, self.most_words):
            builder.begin_block()
            parent = builder.parent_of_block(min(line.indent for line in lines))
            logs_and_field_lists.put_listing(builder, tree, parent)
        elif lines[0].indent >= 2 and is_code(lines):
            source_code.put_code(builder, lines, builder.parent_of_block(lines[0].indent))
        else:
            paragraphs.put_paragraphs(builder, lines, self.spoken_at)


def _is_plain(line: Line) -> bool:
    """Whether a line can only be text or an item: most are, and need no closer look."""
    return line.indent < 2 and line.text[0].isalnum() and "://" not in line.text and "](" not in line.text
