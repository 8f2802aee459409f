"""What the elements of a page that a reader sees are written as: how each begins, and what is to be done at its end.

Menus are written as one line each, which parsing.py takes for what it is; so is what stands outside of the main part of a page (HTML standard,
13.4.14, "main"), if it says less than that. Which elements are open, and which end, is decided in open_elements.py.
"""

import re
from collections.abc import Mapping
from functools import partial

from summarizing.text.format_words import format_words
from summarizing.text.html.elements import (
    BESIDE,
    BESIDE_ROLES,
    BLOCKS,
    HEADINGS,
    IN_CODE,
    LISTS,
    MENU_ROLES,
)
from summarizing.text.html.layout import RAISED, MarkdownWriter
from summarizing.text.html.open_elements import AtEnd
from summarizing.text.html.tables import MAX_SPAN
from summarizing.text.html.tokens import Tag, with_single_spaces

# Longer addresses hold data or session keys.
MAX_ADDRESS_CHARS = 300

_MAY_BE_GRID = re.compile("col-|-table")
_ROLE = re.compile(r"""(?i)\srole\s*+=\s*+["']?+([a-z]{1,20})\b""")
_ELLIPSES = ("...", "\u2026")
# Shorter ones belong to what is said: "[a]", "[sic]".
MIN_VIEW_SIGNS = len("[docs]")
_ADDRESS = re.compile(r"https?://[^\s<>()]++\Z", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,6}+\Z")

# The parts of a page, by their elements' names or roles.
_PARTS = BESIDE | MENU_ROLES | BESIDE_ROLES | {"main"}

_LEVELS = {"li": ("- ", "  "), "dd": ("    ", "    "), "blockquote": ("> ", "> ")}


class ShownElements:
    """Begins the elements that are shown. `counts`: how many of each name are open."""

    def __init__(self, layout: MarkdownWriter, counts: Mapping[str, int]) -> None:
        self._layout = layout
        self._counts = counts
        self._heading_level = 0
        """Of the heading that is open, while none of its words are written; 0 otherwise."""
        self.people_level = 0
        """Of a heading that names the document's authors, or stands over what is for authors: what comes next tells."""
        self._numbers: list[int | None] = []
        """Of each list that is open, its next number; None where it has none."""
        self._margins = 0
        """How many open elements are parts beside the text."""
        self._ends_of_beside: list[AtEnd] = []
        """What else is to be done at the end of each of them."""
        self._open_mains = 0
        self._is_after_main = False
        self._begins = {
            **dict.fromkeys(HEADINGS, self._begin_heading),
            **dict.fromkeys(LISTS, self._begin_list),
            **dict.fromkeys(_LEVELS, self._begin_level),
            **dict.fromkeys(("td", "th"), self._begin_cell),
            "tr": self._begin_row,
            "table": self._begin_table,
            "div": self._begin_div,
        }
        # One object for each end, since a page may open millions of elements.
        self._end_of_block: AtEnd = self._end_block
        self._end_of_heading: AtEnd = self._end_heading
        self._end_of_beside: AtEnd = self._end_beside
        self._end_of_menu: AtEnd = self._end_menu
        self._end_of_list: AtEnd = self._end_list
        self._end_of_level: AtEnd = layout.close_level
        self._end_of_table: AtEnd = layout.close_table
        self._end_of_line: AtEnd = layout.break_line
        self._end_of_word: AtEnd = layout.add_gap
        self._ends = {"dt": layout.write_term, "pre": layout.end_code}
        self._ends_of_people = {name: partial(self._await_text, level) for name, level in HEADINGS.items()}

    def begin(self, tag: Tag) -> AtEnd | None:
        """Begin an element, and return what is to be done at its end."""
        name = tag.name
        if name not in BLOCKS:
            return self._begin_link(tag) if name == "a" else self._begin_inline(name)
        if name in IN_CODE and self._counts["pre"]:
            self._layout.break_line()
            return self._end_of_line
        self._end_block()
        if tag.source or name in _PARTS:
            found = _ROLE.search(tag.source)
            role = found[1].lower() if found else name
            if role in _PARTS or name in _PARTS:
                return self._begin_part(tag, role)
        return self._begin_content(tag)

    def add_void(self, tag: Tag) -> None:
        """Add an element without content."""
        if tag.name == "br":
            self._layout.add_inline("\n")
        elif tag.name == "img" and "alt" in tag.source.lower():
            alt = tag.attributes().get("alt", "")
            self._layout.add_inline(with_single_spaces(f" {alt} ") if alt.strip() else "")
        elif tag.name == "hr":
            self._layout.end_block()

    def _begin_inline(self, name: str) -> AtEnd | None:
        if name == "sup":
            self._layout.add_inline(RAISED)
        elif "-" in name:
            self._layout.add_inline(" ")
            return self._end_of_word
        return None

    def _begin_content(self, tag: Tag) -> AtEnd:
        begin = self._begins.get(tag.name)
        return begin(tag) if begin else self._ends.get(tag.name, self._end_of_block)

    def _begin_part(self, tag: Tag, role: str) -> AtEnd:
        """Begin what is a part of a page by its name or role: of the text, or beside it."""
        name = tag.name
        is_menu = role in MENU_ROLES or name == "nav"
        is_beside = is_menu or name in BESIDE or role in BESIDE_ROLES
        self._margins += is_beside
        if name in HEADINGS or name in LISTS:
            at_end = self._begin_content(tag)
        elif is_menu:
            self._layout.hold()
            at_end = self._end_of_menu
        elif role == "main" and not self._open_mains:
            at_end = self._begin_main()
        else:
            at_end = self._begin_content(tag)
        if not is_beside:
            return at_end
        self._ends_of_beside.append(at_end)
        return self._end_of_beside

    def _end_beside(self) -> None:
        self._ends_of_beside.pop()()
        self._margins -= 1

    def _end_menu(self) -> None:
        self._layout.release(is_menu=True)

    def _begin_main(self) -> AtEnd:
        self._open_mains += 1
        if self._is_after_main:
            self.end_aftermath()
        else:
            self._layout.begin_main()
        return self._end_main

    def _end_main(self) -> None:
        """What comes after the main part of a page is beside the text."""
        self._open_mains -= 1
        self._is_after_main = True
        self._layout.end_main()

    def end_aftermath(self) -> None:
        """Write what comes after the main part of the page, if that has ended."""
        if self._is_after_main:
            self._layout.end_aftermath()
            self._is_after_main = False

    def _end_block(self) -> None:
        """Write the words that are open: in a heading the first ones are its title, whatever blocks they stand in."""
        if not self._heading_level:
            self._layout.end_block()
        elif self._layout.end_heading(self._heading_level):
            self._heading_level = 0

    def _begin_heading(self, tag: Tag) -> AtEnd:
        # In a definition it is the title of a box, such as "Note": the next term does not stand below it.
        if self._margins or self._counts["dd"]:
            return self._end_of_block
        # A document's authors, perhaps.
        if tag.source and not tag.classes().isdisjoint(format_words().people):
            return self._ends_of_people[tag.name]
        self._heading_level = HEADINGS[tag.name]
        return self._end_of_heading

    def _end_heading(self) -> None:
        self._end_block()
        self._heading_level = 0

    def _await_text(self, level: int) -> None:
        self.people_level = level

    def end_people(self, *, is_heading: bool) -> None:
        """Write what may name the document's authors; over a text of its own it is a heading like any other."""
        level, self.people_level = self.people_level, 0
        if is_heading:
            self._layout.end_heading(level)
        else:
            self._layout.end_block()

    def _begin_table(self, _: Tag) -> AtEnd:
        self._layout.open_table()
        return self._end_of_table

    def _begin_row(self, _: Tag) -> AtEnd:
        self._layout.open_row()
        return self._end_of_block

    def _begin_cell(self, tag: Tag) -> AtEnd:
        columns = rows = 1
        if "span" in tag.source.lower():
            found = tag.attributes()
            columns, rows = _span(found.get("colspan", "")), _span(found.get("rowspan", ""))
        self._layout.open_cell(is_head=tag.name == "th", columns=columns, rows=rows)
        return self._end_of_block

    def _begin_div(self, tag: Tag) -> AtEnd:
        """Open a table that a style sheet lays out, or a cell of it, or any other block."""
        if not _MAY_BE_GRID.search(tag.source):
            return self._end_of_block
        classes, words = tag.classes(), format_words()
        if not classes.isdisjoint(words.tables):
            self._layout.open_table()
            return self._end_of_table
        if not classes.isdisjoint(words.cells):
            if not classes.isdisjoint(words.first_cells):
                self._layout.open_row()
            self._layout.open_cell(is_head=not classes.isdisjoint(words.head_cells), columns=1, rows=1)
        return self._end_of_block

    def _begin_list(self, tag: Tag) -> AtEnd:
        start = tag.attributes().get("start", "") if tag.source else ""
        first = int(start) if _NUMBER.match(start) else 1
        self._numbers.append(first if tag.name == "ol" else None)
        self._layout.hold()
        return self._end_of_list

    def _end_list(self) -> None:
        self._layout.release(is_menu=False)
        self._numbers.pop()

    def _begin_level(self, tag: Tag) -> AtEnd:
        bullet, indent = _LEVELS[tag.name]
        number = self._numbers[-1] if self._numbers and tag.name == "li" else None
        if number is not None:
            self._numbers[-1] = number + 1
            bullet, indent = f"{number}. ", "   "
        self._layout.open_level(bullet, indent)
        return self._end_of_level

    def _begin_link(self, tag: Tag) -> AtEnd | None:
        """Note where a link begins; at its end its address is written, if the link has a text and leads elsewhere."""
        address = tag.attributes().get("href", "").strip()
        if not address or self._counts["a"]:
            return None
        is_in_code = bool(self._counts["pre"])
        inline = self._layout.inline
        begin, paragraph = len(inline), self._layout.paragraphs

        def end() -> None:
            if paragraph != self._layout.paragraphs or begin >= len(inline):
                return
            text = "".join(inline[begin:]).strip()
            is_elsewhere = self._is_elsewhere(address)
            if _is_sign(text, address) and not is_elsewhere:
                del inline[begin:]
            elif is_in_code:
                return
            elif text and not is_elsewhere:
                self._layout.add_link(text)
                if self._counts["nav"]:
                    self._layout.add_inline("\n")
            elif text and not _is_same(text, address):
                inline.insert(begin, "[")
                inline.append(f"]({address})")

        return end

    def _is_elsewhere(self, address: str) -> bool:
        if self._margins or self._counts["header"] or len(address) > MAX_ADDRESS_CHARS:
            return False
        return _ADDRESS.match(address) is not None


def _span(value: str) -> int:
    """Return how many columns or rows a cell spans."""
    return max(1, min(int(value), MAX_SPAN)) if _NUMBER.match(value) else 1


def _is_sign(text: str, address: str) -> bool:
    """Whether a link is no part of the text: a sign beside a heading that leads to itself, or a word that leads to more of it ("[source]", "More...")."""
    if address.startswith("#") and len(text) == 1:
        return not text.isalnum()
    is_view = text[:1] + text[-1:] == "[]" and text[1:-1].isalpha() and text.islower()
    leads_on = text.endswith(_ELLIPSES) and text.rstrip("".join(_ELLIPSES)).isalpha()
    return "#" in address if leads_on else is_view and len(text) >= MIN_VIEW_SIGNS and address[0] != "#"


def _is_same(text: str, address: str) -> bool:
    """Whether a link's text is its address."""
    return text.rstrip("/").endswith(address.rstrip("/").removeprefix("https://").removeprefix("http://"))
