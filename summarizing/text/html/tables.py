"""Tables of a page: the rows and cells that are held while one is open, and its rows as lines of Markdown.

Knows no HTML and writes nothing: layout.py does. A cell that spans rows or columns is repeated, so that every row can be read alone.
"""

from dataclasses import dataclass, field

# A cell that spans rows is repeated in each, within reason.
MAX_SPAN = 50
MAX_REPEATED_CHARS = 100

# At most this many rows and cells of a table are held back; a row with more cells continues as a new one.
MAX_HELD = 10_000
MAX_CELLS = 1_000

CELL_SIGN = " | "

_SENTENCE_SIGNS = tuple(".,;:!?\u3002\uff0c\uff1b\uff1a\uff01\uff1f")


@dataclass(slots=True)
class Cell:
    """A cell of a table: its blocks, each a line or several."""

    is_head: bool
    columns: int
    rows: int
    parts: list[str] = field(default_factory=list)

    def add(self, block: str) -> None:
        """Add a block."""
        self.parts.append(block)

    def join(self, first: int, sign: str) -> None:
        """Make one block of those from one on, with a sign between them."""
        self.parts[first:] = [sign.join(self.parts[first:])]

    def text(self) -> str:
        """Return the cell as one line."""
        joined = ""
        for line in filter(None, map(str.strip, "\n".join(self.parts).split("\n"))):
            gap = "" if not joined else " " if joined.endswith(_SENTENCE_SIGNS) else "; "
            joined += gap + line.removeprefix("- ")
        return joined.replace("|", "\\|")


@dataclass(slots=True)
class Repeatable:
    """How many characters may still be repeated in the rows of a page's tables, so that its text stays within its size."""

    chars: int


@dataclass(slots=True)
class Table:
    """A table that is open. Once it is known to lay out a page, its content is written like any other."""

    repeatable: Repeatable
    rows: list[list[Cell]] = field(default_factory=list)
    is_layout: bool = False
    lines: list[str] = field(default_factory=list)
    """The rows that were written already: the table is known to hold data."""
    cell: Cell | None = None
    """The cell that is open."""
    _held: int = 0
    """How many rows and cells are held."""
    _spanning: dict[int, tuple[int, str]] = field(default_factory=dict)
    """For each column into which a cell of a row above reaches: for how many more rows, and its text."""

    @property
    def begins_title_row(self) -> bool:
        """Whether its last row has one cell as yet, empty and over several columns: a heading there stands over the rows below."""
        cell = self.cell
        return cell is not None and len(self.rows[-1]) == 1 and cell.columns > 1 and not cell.parts

    @property
    def is_full(self) -> bool:
        """Whether it holds as much as it may."""
        return self._held >= MAX_HELD

    @property
    def has_room_in_row(self) -> bool:
        """Whether its last row may have one more cell."""
        return bool(self.rows) and len(self.rows[-1]) < MAX_CELLS

    @property
    def lays_out_page(self) -> bool:
        """Whether it holds too few rows or cells for one with data."""
        rows = self._filled_rows()
        return bool(rows) and not self.lines and (len(rows) < 2 or max(map(len, rows)) < 2)

    def add_row(self) -> None:
        """Begin a row."""
        self.rows.append([])
        self.cell = None
        self._held += 1

    def add_cell(self, *, is_head: bool, columns: int, rows: int) -> None:
        """Begin a cell of the last row, which spans so many columns and rows."""
        cell = Cell(is_head, columns, rows)
        self.rows[-1].append(cell)
        self._held += 1
        self.cell = None if self.is_layout else cell

    def as_layout(self) -> tuple[list[str], list[str]]:
        """Return its lines and the blocks that it holds, and hold no lines any more: it lays out a page."""
        self.is_layout, self.cell = True, None
        lines, self.lines = self.lines, []
        return lines, [part for row in self.rows for cell in row for part in cell.parts]

    def forget_rows(self) -> None:
        """Forget the rows that are held."""
        self.rows.clear()
        self._held, self.cell = 0, None

    def add_lines(self) -> None:
        """Add the rows that are held to its lines; behind a first one of heads a row of dashes."""
        rows = self._filled_rows()
        if not rows:
            return
        texts = list(map(self._texts_of, rows))
        lines = [f"| {CELL_SIGN.join(row)} |" for row in texts]
        if not self.lines and all(cell.is_head for cell in rows[0]):
            lines.insert(1, "|" + " --- |" * len(texts[0]))
        self.lines.append("\n".join(lines))

    def _filled_rows(self) -> list[list[Cell]]:
        return [row for row in self.rows if any(cell.parts for cell in row)]

    def _texts_of(self, row: list[Cell]) -> list[str]:
        """Return the texts of a row, with those of the cells above that span it."""
        texts: list[str] = []
        for cell in row:
            self._add_spanning(texts)
            text = cell.text()
            if cell.rows > 1:
                most = min(MAX_REPEATED_CHARS, self.repeatable.chars)
                self._spanning[len(texts)] = (cell.rows - 1, text if len(text) <= most else "")
            texts.append(text)
            for _ in range(cell.columns - 1):
                self._repeat("", texts)
        self._add_spanning(texts)
        return texts

    def _add_spanning(self, texts: list[str]) -> None:
        """Add the cells of rows above that reach down to the next column of this one."""
        while len(texts) in self._spanning:
            left, text = self._spanning.pop(len(texts))
            if left > 1:
                self._spanning[len(texts)] = (left - 1, text)
            if not self._repeat(text, texts):
                return

    def _repeat(self, text: str, texts: list[str]) -> bool:
        """Add a cell to a row that stands there since another one spans it; return whether there was room for one."""
        has_room = self.repeatable.chars > 0
        if has_room:
            self.repeatable.chars -= len(CELL_SIGN) + len(text)
            texts.append(text if self.repeatable.chars >= 0 else "")
        return has_room
