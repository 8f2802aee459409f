"""Paragraphs, headings, lists, tables and code to Markdown, in the order in which they come.

Knows no HTML: summarizing/text/html/page_text.py calls it. A table is held back until it ends, since only then is it known whether it holds
data or lays out a page; so is a list, which is a menu where nearly all of it are links within the site. A menu is one line.
"""

import re
from collections import deque
from dataclasses import dataclass
from io import StringIO

from summarizing.text.html.boilerplate import (
    MAX_TAIL,
    MENU_SIGN,
    PIECE_CHARS,
    PageBlock,
    as_menu,
    end_of_text,
    letters_in,
)
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

# A list is a menu if it has so many links within the site, and they are so large a share of it (Kohlschütter, Fankhauser and Nejdl,
# "Boilerplate Detection using Shallow Text Features", 2010).
MIN_MENU_LINKS = 5
MIN_LINK_SHARE = 0.8


@dataclass(slots=True)
class Level:
    """A list item, a definition or a quotation that is open, in others or not."""

    bullet: str
    """What stands before its first line."""
    indent: str
    """What stands before its other lines."""
    is_begun: bool = False


class MarkdownWriter:
    """Writes Markdown."""

    def __init__(self, size: int) -> None:
        self.written = StringIO()
        self.held: StringIO | None = None
        """What was written since the outermost list or menu began that is open."""
        self.holds = 0
        """How many of those are open."""
        self.holding_cell: tuple[Cell, int] | None = None
        """The cell that the outermost one stands in, and how many blocks stand there before it."""
        self.links = self.linked_letters = 0
        """How many links lead elsewhere within the site, since then, and how many letters they have."""
        self.before_main: str | None = None
        """What stands before the main part that is open."""
        self.main_letters = 0
        self.inline: list[str] = []
        """The last pieces of the paragraph that is open; what is before them stands in `begun`."""
        self.begun: list[str] = []
        self.levels: list[Level] = []
        self.tables: list[Table] = []
        self.repeatable = Repeatable(size)
        self.layout_table = Table(self.repeatable, is_layout=True)
        """The one object for every table that lays out a page: tables may be nested by the thousand."""
        self.was_in_list = False
        self.tail = deque[PageBlock](maxlen=MAX_TAIL)
        """The last blocks that were written."""
        self.linked_in_block = 0
        """How many letters of the block that is open are links within the site."""
        self.has_main = False
        self.paragraphs = 0
        """How many paragraphs were begun."""

    def text(self) -> str:
        self.end_block()
        self.holds = min(self.holds, 1)
        self.release(is_menu=False)
        text = self.written.getvalue()
        end = None if self.has_main else end_of_text(self.tail)
        if end is not None and letters_in(text[end:]) <= letters_in(text[:end]):
            text = text[:end] + as_menu(text[end:])
        return text.strip("\n")

    def hold(self) -> None:
        """Begin what may be a menu: it is written once it ends."""
        self.end_block()
        self.holds += 1
        if self.holds == 1:
            cell = self._cell()
            self.held = StringIO() if cell is None else None
            self.holding_cell = None if cell is None else (cell, len(cell.parts))
            self.links = self.linked_letters = 0

    def add_link(self, text: str) -> None:
        """Count a link within the site."""
        self.links += 1
        letters = letters_in(text)
        self.linked_letters += letters
        self.linked_in_block += letters

    def release(self, *, is_menu: bool) -> None:
        """Write what was held back once the outermost of what may be a menu ends: as one line if it is one."""
        self.end_block()
        self.holds = max(0, self.holds - 1)
        if self.holds:
            return
        if self.holding_cell is not None:
            cell, first = self.holding_cell
            if is_menu or self._is_of_links("".join(cell.parts[first:])):
                cell.join(first, MENU_SIGN)
        elif self.held is not None:
            text, self.held = self.held.getvalue(), None
            self._note(text)
            self.written.write(as_menu(text) if is_menu or self._is_of_links(text) else text)

    def _note(self, text: str, *, is_heading: bool = False) -> None:
        """Remember a block that is about to be written at the end of what was."""
        words = len(text[:PIECE_CHARS].split())
        share = self.linked_in_block / max(1, letters_in(text)) if self.linked_in_block else 0.0
        self.tail.append(PageBlock(self.written.tell(), words, share, is_heading))
        self.linked_in_block = 0

    def _is_of_links(self, text: str) -> bool:
        return self.links >= MIN_MENU_LINKS and self.linked_letters >= MIN_LINK_SHARE * letters_in(text)

    def begin_main(self) -> None:
        """Begin the main part of a page; what stands before it is written once it ends."""
        self.end_block()
        self.has_main = True
        if self.held is None and not self.tables:
            self.before_main = self.written.getvalue()
            self.written = StringIO()

    def end_main(self) -> None:
        """Write what stands before the main part, as one line unless it says more than that; hold back what comes after it."""
        self.end_block()
        if self.before_main is not None:
            before, main = self.before_main, self.written.getvalue()
            self.main_letters = letters_in(main)
            self.before_main, self.written = None, StringIO()
            self.written.write(as_menu(before) if self._is_less(before) else before)
            self.written.write(main)
        self.hold()

    def end_aftermath(self) -> None:
        """Write what comes after the main part, as one line unless it says more than that."""
        self.end_block()
        self.release(is_menu=self.held is not None and self._is_less(self.held.getvalue()))

    def _is_less(self, text: str) -> bool:
        return letters_in(text) <= self.main_letters

    def add_inline(self, text: str) -> None:
        """Add to the paragraph that is open."""
        self.inline.append(text)
        if len(self.inline) >= MAX_PIECES:
            self.begun.append("".join(self.inline))
            self.inline.clear()
            self.paragraphs += 1  # a link that is open keeps no address

    def break_line(self) -> None:
        """End the line of code that is open, if it has anything."""
        pieces = self.inline or self.begun
        if pieces and not pieces[-1].endswith("\n"):
            self.add_inline("\n")

    def add_gap(self) -> None:
        self.add_inline(" ")

    def end_block(self) -> None:
        """Write the paragraph that is open, if it says anything."""
        if not self.inline and not self.begun:
            return
        joined = self._take()
        if RAISED in joined:
            joined = _EXPONENT.sub("^", joined).replace(RAISED, "")
        lines = [line for line in map(str.strip, joined.split("\n")) if line]
        if lines:
            self._write_text("\n".join(map(with_single_spaces, lines)))

    def end_heading(self, level: int) -> bool:
        """Write what is open as a heading; return whether it has words."""
        joined = with_single_spaces(self._take().replace(RAISED, "")).strip()
        if not joined:
            return False
        if self.levels:
            self.levels[-1].is_begun = True
        self.spill()
        self._append(f"{'#' * level} {joined}", is_tight=False, is_heading=True)
        self.was_in_list = False
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
        joined = "".join((*self.begun, *self.inline))
        self.begun.clear()
        self.inline.clear()
        self.paragraphs += 1
        return joined

    def open_level(self, bullet: str, indent: str) -> None:
        self.end_block()
        # Of those nested too deep, the first stands for all.
        is_deep = len(self.levels) > MAX_LEVELS
        above = self.levels[-1].indent if self.levels else ""
        self.levels.append(self.levels[MAX_LEVELS] if is_deep else Level(above + bullet, above + indent))

    def close_level(self) -> None:
        self.end_block()
        self.levels.pop()

    def _write_text(self, block: str) -> None:
        """Write a block that has no heading, whatever its lines begin with or consist of."""
        if self._cell() is None:
            block = _BEFORE_RULE.sub("\n\n", block) if "\n" in block else block
            block = _HASHES.sub(r"\\\g<0>", block) if "#" in block else block
        self._write(block)

    def _write(self, block: str) -> None:
        """Write a block after its bullet or indent, or into the cell that is open."""
        cell = self._cell()
        if cell is not None:
            cell.add(block)
            return
        levels = self.levels[:MAX_LEVELS]
        rest = levels[-1].indent if levels else ""
        is_item = bool(levels) and not levels[-1].is_begun
        first = levels[-1].bullet if is_item else rest
        for level in levels:
            level.is_begun = True
        is_tight = self.was_in_list and is_item
        self._append(first + block.replace("\n", "\n" + rest), is_tight=is_tight)
        self.was_in_list = bool(levels)

    def write_term(self) -> None:
        """Write what is open as a term: its definition follows on the next line."""
        self.end_block()
        self.was_in_list = True

    def _append(self, block: str, *, is_tight: bool, is_heading: bool = False) -> None:
        out = self.written if self.held is None else self.held
        if self.held is None:
            self._note(block, is_heading=is_heading)
        out.write(("\n" if is_tight else "\n\n") + block)

    def _cell(self) -> Cell | None:
        return self.tables[-1].cell if self.tables else None

    def open_table(self) -> None:
        self.end_block()
        self.spill()
        self.tables.append(Table(self.repeatable))

    def open_row(self) -> None:
        self.end_block()
        if self.tables:
            self._add_row(self.tables[-1])

    def _add_row(self, table: Table) -> None:
        if table.is_full:
            self._end_rows(table)
        table.add_row()

    def open_cell(self, *, is_head: bool, columns: int, rows: int) -> None:
        self.end_block()
        if not self.tables:
            return
        table = self.tables[-1]
        if not table.has_room_in_row:
            self._add_row(table)
        table.add_cell(is_head=is_head, columns=columns, rows=rows)

    def spill(self) -> None:
        """Write what the table holds like any other content: it lays out a page."""
        if not self.tables or self.tables[-1].is_layout:
            return
        lines, blocks = self.tables[-1].as_layout()
        if lines:
            self._write("\n".join(lines))
        for block in blocks:
            self._write_text(block)
        self.tables[-1] = self.layout_table

    def close_table(self) -> None:
        self.end_block()
        if not self.tables:
            return
        table = self.tables[-1]
        self._end_rows(table)
        self.tables.pop()
        if table.lines:
            self._write("\n".join(table.lines))

    def _end_rows(self, table: Table) -> None:
        """Keep the rows that are held as lines of the table, or write what is in them if it lays out a page."""
        if table.lays_out_page:
            self.spill()
        else:
            table.add_lines()
        table.forget_rows()
