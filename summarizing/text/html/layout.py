"""Paragraphs, headings, lists, tables and code to Markdown, in the order in which they come.

Knows no HTML: summarizing/text/html/shown_elements.py calls it. A table is held back until it ends, since only then is it known whether it
holds data or lays out a page; lists and menus are held back in page_output.py.
"""

import re
from dataclasses import dataclass

from summarizing.text.html.page_output import PageOutput
from summarizing.text.html.tables import Cell, Repeatable, Table
from summarizing.text.html.tokens import with_single_spaces

# What is nested deeper is written as if at this depth, so that indents do not outgrow the text.
MAX_LEVELS = 6

RAISED = "\x02"
"""Stands where raised text begins, until it is known whether that is an exponent."""

_EXPONENT = re.compile(r"(?<=[\w)])\x02(?=[-+\u2212\u2013]?\d)")
# The prompt of a shell or a comment: in Markdown a heading, but for a backslash (CommonMark 2.4, "Backslash escapes").
_HASHES = re.compile(r"^#{1,6}+(?=\s|\Z)", re.MULTILINE)
# A rule of signs, which would make a title of the line directly above it.
_BEFORE_RULE = re.compile(r"\n(?=(?:[-=]++|([~^*+.:])\1{2,}+)$)", re.MULTILINE)
_TICKS = re.compile(r"`{3,}+")

# At most this many pieces of a text are held one by one: each takes far more memory than its characters.
MAX_PIECES = 4_000


@dataclass(slots=True)
class Level:
    """A list item, a definition or a quotation that is open, in others or not."""

    bullet: str
    """What stands before its first line."""
    indent: str
    """What stands before its other lines."""
    is_begun: bool = False


class MarkdownWriter:
    """Writes Markdown. What begins, begins behind a paragraph that was ended; what ends, ends that, too."""

    def __init__(self, size: int) -> None:
        self.inline: list[str] = []
        """The last pieces of the paragraph that is open; what is before them stands in `_begun`."""
        self.paragraphs = 0
        """How many paragraphs were begun."""
        self._begun: list[str] = []
        self._levels: list[Level] = []
        self._tables: list[Table] = []
        self._repeatable = Repeatable(size)
        # The one object for every table that lays out a page: tables may be nested by the thousand.
        self._layout_table = Table(self._repeatable, is_layout=True)
        self._was_in_list = False
        self._output = PageOutput()

    def text(self) -> str:
        """Return all that was written."""
        self.end_block()
        return self._output.text()

    def hold(self) -> None:
        """Begin what may be a menu: it is written once it ends."""
        self._output.hold(self._cell())

    def add_link(self, text: str) -> None:
        """Count a link within the site."""
        self._output.add_link(text)

    def release(self, *, is_menu: bool) -> None:
        """Write what was held back, as one line if it is a menu."""
        self.end_block()
        self._output.release(is_menu=is_menu)

    def begin_main(self) -> None:
        """Begin the main part of a page."""
        self._output.begin_main(is_in_table=bool(self._tables))

    def end_main(self) -> None:
        """End the main part of a page, and hold back what comes after it."""
        self.end_block()
        self._output.end_main()
        self._output.hold(self._cell())

    def end_aftermath(self) -> None:
        """Write what comes after the main part of a page."""
        self.end_block()
        self._output.end_aftermath()

    def add_inline(self, text: str) -> None:
        """Add to the paragraph that is open."""
        self.inline.append(text)
        if len(self.inline) >= MAX_PIECES:
            self._begun.append("".join(self.inline))
            self.inline.clear()
            self.paragraphs += 1  # a link that is open keeps no address

    def break_line(self) -> None:
        """End the line of code that is open, if it has anything."""
        pieces = self.inline or self._begun
        if pieces and not pieces[-1].endswith("\n"):
            self.add_inline("\n")

    def add_gap(self) -> None:
        self.add_inline(" ")

    def end_block(self) -> None:
        """Write the paragraph that is open, if it says anything."""
        if not self.inline and not self._begun:
            return
        joined = self._take()
        if RAISED in joined:
            joined = _EXPONENT.sub("^", joined).replace(RAISED, "")
        lines = filter(None, map(str.strip, joined.split("\n"))) if "\n" in joined else [joined.strip()]
        if block := "\n".join(map(with_single_spaces, lines)):
            self._write_text(block)

    def end_heading(self, level: int) -> bool:
        """Write what is open as a heading; return whether it has words."""
        joined = with_single_spaces(self._take().replace(RAISED, "")).strip()
        if not joined:
            return False
        if self._levels:
            self._levels[-1].is_begun = True
        is_over_rows = bool(self._tables) and self._tables[-1].begins_title_row
        if is_over_rows:
            self.close_table()
        else:
            self.spill()
        self._output.append(f"{'#' * level} {joined}", is_tight=False, is_heading=True)
        if is_over_rows:
            self._tables.append(Table(self._repeatable))
        self._was_in_list = False
        return True

    def end_code(self) -> None:
        """Write what is open as it stands, in a fence."""
        code = self._take().replace(RAISED, "").strip("\n").rstrip()
        cell = self._cell()
        if cell is not None and "\n" not in code:
            cell.add(code.strip())
        elif code.strip():
            self.spill()
            fence = "`" * max((len(run) + 1 for run in _TICKS.findall(code)), default=3)
            self._write(f"{fence}\n{code}\n{fence}")

    def _take(self) -> str:
        joined = "".join(self.inline)
        self.inline.clear()
        if self._begun:
            joined = "".join((*self._begun, joined))
            self._begun.clear()
        self.paragraphs += 1
        return joined

    def open_level(self, bullet: str, indent: str) -> None:
        """Begin an item, a definition or a quotation."""
        # Of those nested too deep, the first stands for all.
        is_deep = len(self._levels) > MAX_LEVELS
        above = self._levels[-1].indent if self._levels else ""
        self._levels.append(self._levels[MAX_LEVELS] if is_deep else Level(above + bullet, above + indent))

    def close_level(self) -> None:
        self.end_block()
        self._levels.pop()

    def _write_text(self, block: str) -> None:
        """Write a block that has no heading, whatever its lines begin with or consist of."""
        if ("\n" in block or "#" in block) and self._cell() is None:
            block = _HASHES.sub(r"\\\g<0>", _BEFORE_RULE.sub("\n\n", block))
        self._write(block)

    def _write(self, block: str) -> None:
        """Write a block after its bullet or indent, or into the cell that is open."""
        cell = self._cell()
        if cell is not None:
            cell.add(block)
            return
        is_item, levels = False, self._levels[:MAX_LEVELS]
        if levels:
            last = levels[-1]
            is_item = not last.is_begun
            block = (last.bullet if is_item else last.indent) + block.replace("\n", "\n" + last.indent)
            for level in levels:
                level.is_begun = True
        self._output.append(block, is_tight=self._was_in_list and is_item)
        self._was_in_list = bool(levels)

    def write_term(self) -> None:
        """Write what is open as a term: its definition follows on the next line."""
        self.end_block()
        self._was_in_list = True

    def _cell(self) -> Cell | None:
        return self._tables[-1].cell if self._tables else None

    def open_table(self) -> None:
        """Begin a table."""
        self.spill()
        self._tables.append(Table(self._repeatable))

    def open_row(self) -> None:
        """Begin a row of the table that is open."""
        if self._tables:
            self._add_row(self._tables[-1])

    def _add_row(self, table: Table) -> None:
        if table.is_full:
            self._end_rows(table)
        table.add_row()

    def open_cell(self, *, is_head: bool, columns: int, rows: int) -> None:
        """Begin a cell of the row that is open."""
        if not self._tables:
            return
        table = self._tables[-1]
        if not table.has_room_in_row:
            self._add_row(table)
        table.add_cell(is_head=is_head, columns=columns, rows=rows)

    def spill(self) -> None:
        """Write what the table holds like any other content: it lays out a page."""
        if not self._tables or self._tables[-1].is_layout:
            return
        lines, blocks = self._tables[-1].as_layout()
        if lines:
            self._write("\n".join(lines))
        for block in blocks:
            self._write_text(block)
        self._tables[-1] = self._layout_table

    def close_table(self) -> None:
        self.end_block()
        if not self._tables:
            return
        table = self._tables[-1]
        self._end_rows(table)
        self._tables.pop()
        if table.lines:
            self._write("\n".join(table.lines))

    def _end_rows(self, table: Table) -> None:
        """Keep the rows that are held as lines of the table, or write what is in them if it lays out a page."""
        if table.lays_out_page:
            self.spill()
        else:
            table.add_lines()
        table.forget_rows()
