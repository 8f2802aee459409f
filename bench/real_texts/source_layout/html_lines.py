"""HTML as lines: one for each block of text, a table's row as one.

Independent of the service's own parser on purpose, since that one is judged by this. What stands above a line is found in layout.py.
"""

import re
from html.parser import HTMLParser

from bench.real_texts.source_layout.source_lines import Line

_BLOCK_TAG_NAMES = (
    "address article aside blockquote body br caption dd div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody td tfoot th thead "
    "title tr ul"
)
_BLOCK_TAGS = frozenset(_BLOCK_TAG_NAMES.split())
_UNSEEN_TAGS = frozenset({"button", "script", "style", "template", "noscript", "svg"})


class _Blocks(HTMLParser):
    """Reads HTML into lines: one for each block of text, a table's row as one."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[Line] = []
        self._parts: list[str] = []
        self._heading = 0
        self._unseen = 0
        self._pre = 0
        self._rows = 0
        self._tables: list[int | None] = []
        self._definitions = [False]
        """Of each list of terms that is open, whether a definition is; the first stands for none."""
        self._start = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN_TAGS:
            self._unseen += 1
        if tag in _BLOCK_TAGS:
            self._begin_block(tag)
        if tag == "table":
            self._tables.append(None)
        if tag == "img":
            self._parts.append(f" {dict(attrs).get('alt') or ''} ")
        self._rows += tag == "tr"
        self._pre += tag == "pre"
        if tag == "dl":
            self._definitions.append(False)
        elif tag in {"dt", "dd"} and len(self._definitions) > 1:
            self._definitions[-1] = tag == "dd"
        if tag == "title" and not self._unseen:
            self._heading = 1
        elif re.fullmatch("h[1-6]", tag) and not self._rows and not any(self._definitions):
            # The title of the page is above them. One in a definition is that of a box there: the next term is not below it.
            self._heading = int(tag[1]) + 1

    def _begin_block(self, tag: str) -> None:
        if self._rows and re.fullmatch("table|pre|h[1-6]", tag):
            self._rows = 0  # the table lays out the page
        if self._rows and tag != "tr":
            self._parts.append(" | ")
        else:
            self.flush()

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN_TAGS:
            self._unseen = max(self._unseen - 1, 0)
        if tag == "tr":
            self._end_row()
        elif tag in _BLOCK_TAGS and not self._rows:
            self.flush()
        elif tag in _BLOCK_TAGS:
            self._parts.append(" | ")
        if tag == "table" and self._tables:
            self._tables.pop()
        if tag == "dl" and len(self._definitions) > 1:
            self._definitions.pop()
        elif tag == "dd":
            self._definitions[-1] = False
        if tag == "pre":
            self._pre = max(self._pre - 1, 0)

    def _end_row(self) -> None:
        before = len(self.lines)
        self.flush()
        self._rows = max(self._rows - 1, 0)
        if self._tables and len(self.lines) > before:
            self.lines[-1].table_head = self._tables[-1]
            if self._tables[-1] is None:
                self._tables[-1] = before

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self._parts.append(data)

    def flush(self) -> None:
        """End the line that was being read."""
        text = "".join(self._parts)
        self._parts = []
        pieces = text.split("\n") if self._pre else [" ".join(text.split())]
        for piece in pieces:
            if piece.strip():
                self.lines.append(Line(piece, self._start, heading=self._heading))
                self._start += len(piece) + 1
        self._heading = 0


def html_lines(text: str) -> list[Line]:
    """Return the blocks of a page that a reader sees."""
    parser = _Blocks()
    parser.feed(text)
    parser.close()
    parser.flush()
    return parser.lines
