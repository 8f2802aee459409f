"""HTML to the text that a reader sees, as Markdown: headings, lists, tables, code; links to elsewhere keep their address.

Elements are opened and closed by the rules of the HTML standard (13.2.6, "Tree construction") as far as text needs them:
an end tag closes what is open in its element, a new item, cell or paragraph ends the last one. Menus are written as one line
each, which parsing.py takes for what it is; so is what stands outside of the main part of a page (13.4.14, "main"), if it
says less than that. Not shown and so not written: scripts, styles, templates, controls, and elements that are hidden by an attribute or their own style. What
a style sheet hides cannot be known here. Never raises; linear in time and memory.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import NamedTuple

from summarizing.text.format_words import format_words
from summarizing.text.html.elements import (
    BESIDE,
    BESIDE_ROLES,
    BLOCKS,
    CELLS,
    ENDED_BY,
    ENDED_BY_BLOCK,
    HEADINGS,
    HIDDEN,
    IN_CODE,
    IN_HEAD,
    INLINE,
    LISTS,
    MENU_ROLES,
    TABLE,
    VOID,
)
from summarizing.text.html.layout import RAISED, MarkdownWriter
from summarizing.text.html.tokens import Tag, Tokens, with_single_spaces

# Longer addresses hold data or session keys.
MAX_ADDRESS_CHARS = 300

# How far up to look for an element that a new one ends, as a new paragraph ends a paragraph.
MAX_STEPS_UP = 16

_HIDING_STYLE = re.compile(r"(?i)(?:display\s*+:\s*+none|visibility\s*+:\s*+hidden)\b")
_MAY_HIDE = re.compile("(?i)hidden|display")
_MAY_BE_GRID = re.compile("col-|-table")
_ROLE = re.compile(r"""(?i)\srole\s*+=\s*+["']?+([a-z]{1,20})\b""")
_ADDRESS = re.compile(r"https?://[^\s<>()]++\Z", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,6}+\Z")
_FIRST_HEADING = re.compile("(?m)^# ")


def text_of_html(content: str) -> str:
    """Return the text of a page as Markdown."""
    reader = PageReader(content)
    reader.read_to(len(content))
    return reader.text()


class PageReader:
    """Reads a page a stretch at a time, so that other work gets its turn and what was read in time can be used."""

    def __init__(self, content: str) -> None:
        self._size = len(content)
        self._page = _Page(self._size)
        self._tokens = Tokens(content.replace(RAISED, ""))
        self._unread = iter(self._tokens)
        # A caller whose time is over asks for the text while a thread still reads.
        self._lock = Lock()

    def read_to(self, end: int) -> None:
        """Read on to a place, and to the end of the tag or text there."""
        page = self._page
        with self._lock:
            # The place is after the next tag already when what stands before that comes.
            while (self._tokens.at < end or end >= self._size) and (
                token := next(self._unread, None)
            ) is not None:
                if isinstance(token, str):
                    page.add_text(token)
                elif token.is_end:
                    page.close(token.name)
                else:
                    page.open(token)

    def text(self) -> str:
        """Return the text of what was read, as Markdown; nothing can be read after that."""
        with self._lock:
            return self._page.text()


class Element(NamedTuple):
    """An element that is open. `is_beside`: it is a part beside the text."""

    name: str
    at_end: Callable[[], None] | None
    is_beside: bool


class _Page:
    """The elements that are open, and the text so far."""

    def __init__(self, size: int) -> None:
        self.layout = MarkdownWriter(size)
        self.elements: list[Element] = []
        self.same: dict[Element, Element] = {}
        """One object for equal elements: a page may open millions."""
        self.heading_level = 0
        """Of the heading that is open, while none of its words are written; 0 otherwise."""
        self.block_ends = {
            "table": self.layout.close_table,
            "dt": self.layout.write_term,
            "pre": self.layout.end_code,
        }
        """What is to be done at the end of some blocks."""
        self.people_ends = {name: partial(self._await_text, level) for name, level in HEADINGS.items()}
        self.people_level = 0
        """Of a heading that names the document's authors, or stands over what is for authors: what comes next tells."""
        self.counts: Counter[str] = Counter()
        self.hidden_from: int | None = None
        """At which of the open elements hidden content began."""
        self.margins = 0
        """How many open elements are parts beside the text."""
        self.open_mains = 0
        self.is_after_main = False
        self.title: list[str] = []
        self.numbers: list[int | None] = []
        """Of each list that is open, its next number; None where it has none."""

    def text(self) -> str:
        while self.elements:
            self._pop()
        self._end_aftermath()
        body = self.layout.text()
        title = " ".join("".join(self.title).split())
        if title and not _FIRST_HEADING.search(body):
            return f"# {title}\n\n{body}".rstrip("\n")
        return body

    def add_text(self, text: str) -> None:
        if self.hidden_from is not None:
            if self.elements[-1].name == "title" and not self.counts["svg"]:
                self.title.append(text[:MAX_ADDRESS_CHARS])
            return
        if self.people_level and not text.isspace():
            self._end_people(is_heading=True)
        self.layout.add_inline(text if self.counts["pre"] else with_single_spaces(text))

    def open(self, tag: Tag) -> None:
        name = tag.name
        if self.people_level and name in BLOCKS:
            self._end_people(is_heading=name not in HEADINGS and name != "hr")
        if self.elements and self.elements[-1].name == "head" and name not in IN_HEAD:
            self._pop()
        self._end_what_it_ends(name)
        if self.hidden_from is None and self._is_hidden(tag):
            if name in VOID:
                return
            self.hidden_from = len(self.elements)
        if self.hidden_from is not None:
            self._push(name, None)
        elif name in VOID:
            self._add_void(tag)
        else:
            self._show(tag)

    def _show(self, tag: Tag) -> None:
        """Begin an element that a reader sees."""
        name = tag.name
        if name == "a":
            self._push(name, self._link(tag))
        elif name in IN_CODE and self.counts["pre"]:
            self.layout.break_line()
            self._push(name, self.layout.break_line)
        elif name in BLOCKS:
            self._end_block()
            found = _ROLE.search(tag.source) if tag.source else None
            role = found[1].lower() if found else name
            is_menu = role in MENU_ROLES or name == "nav"
            is_beside = is_menu or name in BESIDE or role in BESIDE_ROLES
            self.margins += is_beside
            at_end = self._part(role, is_menu=is_menu) if name not in HEADINGS and name not in LISTS else None
            self._push(name, at_end or self._block(tag), is_beside=is_beside)
        else:
            self._push(name, self._inline(name))

    def _part(self, role: str, *, is_menu: bool) -> Callable[[], None] | None:
        """Begin a menu or the main part of the page, and return what is to be done at its end; None for any other part."""
        if is_menu:
            self.layout.hold()
            return self._end_menu
        if role != "main" or self.open_mains:
            return None
        self.open_mains += 1
        if self.is_after_main:
            self._end_aftermath()
        else:
            self.layout.begin_main()
        return self._end_main

    def _end_menu(self) -> None:
        self.layout.release(is_menu=True)

    def _end_main(self) -> None:
        """What comes after the main part of a page is beside the text."""
        self.open_mains -= 1
        self.is_after_main = True
        self.layout.end_main()

    def _end_aftermath(self) -> None:
        if self.is_after_main:
            self.layout.end_aftermath()
            self.is_after_main = False

    def _push(self, name: str, at_end: Callable[[], None] | None, *, is_beside: bool = False) -> None:
        if name in VOID:
            return
        element = Element(name, at_end, is_beside)
        is_link = name == "a" and at_end is not None  # it has an action of its own at its end
        self.elements.append(element if is_link else self.same.setdefault(element, element))
        self.counts[name] += 1

    def _pop(self) -> None:
        element = self.elements.pop()
        self.counts[element.name] -= 1
        if self.people_level and element.name in BLOCKS:
            self._end_people(is_heading=False)
        if element.at_end is not None:
            element.at_end()
        self.margins -= element.is_beside
        if self.hidden_from is not None and len(self.elements) <= self.hidden_from:
            self.hidden_from = None

    def _end_block(self) -> None:
        """Write the words that are open: in a heading the first ones are its title, whatever blocks they stand in."""
        if not self.heading_level:
            self.layout.end_block()
        elif self.layout.end_heading(self.heading_level):
            self.heading_level = 0

    def _end_heading(self) -> None:
        self._end_block()
        self.heading_level = 0

    def _await_text(self, level: int) -> None:
        self.people_level = level

    def _end_people(self, *, is_heading: bool) -> None:
        """Write what may name the document's authors; over a text of its own it is a heading like any other."""
        level, self.people_level = self.people_level, 0
        if is_heading:
            self.layout.end_heading(level)
        else:
            self.layout.end_block()

    def close(self, name: str) -> None:
        """Close an element and what is open in it; an end tag without an open element is ignored."""
        if name == "br":
            self.layout.add_inline("\n")
        if not self.counts[name] or not self._may_close(name):
            return
        while self.elements[-1].name != name:
            self._pop()
        self._pop()

    def _may_close(self, name: str) -> bool:
        """Whether an element is open in the block that is open, or in the cell: "</b>" ends no paragraph, "</div>" no table."""
        limits = BLOCKS if name in INLINE else frozenset() if name in TABLE else CELLS
        for element in self.elements[: -MAX_STEPS_UP - 1 : -1]:
            if element.name == name:
                return True
            if element.name in limits:
                return False
        return name not in INLINE

    def _end_what_it_ends(self, name: str) -> None:
        """Close the paragraph, item or cell that a new element puts an end to."""
        if name in BLOCKS and self.counts["p"]:
            self._end(ENDED_BY_BLOCK)
        if name in ENDED_BY:
            self._end(ENDED_BY[name])

    def _end(self, ended: tuple[frozenset[str], frozenset[str]]) -> None:
        names, limits = ended
        for steps, element in enumerate(self.elements[: -MAX_STEPS_UP - 1 : -1], 1):
            if element.name in names:
                for _ in range(steps):
                    self._pop()
                return
            if element.name in limits:
                return

    def _is_hidden(self, tag: Tag) -> bool:
        if tag.name in HIDDEN:
            return True
        if not tag.source or not _MAY_HIDE.search(tag.source):
            return False
        found = tag.attributes()
        is_hidden = "hidden" in found or found.get("aria-hidden") == "true"
        return is_hidden or _HIDING_STYLE.search(found.get("style", "")) is not None

    def _add_void(self, tag: Tag) -> None:
        if tag.name == "br":
            self.layout.add_inline("\n")
        elif tag.name == "img" and "alt" in tag.source.lower():
            alt = tag.attributes().get("alt", "")
            self.layout.add_inline(with_single_spaces(f" {alt} ") if alt.strip() else "")
        elif tag.name == "hr":
            self.layout.end_block()

    def _inline(self, name: str) -> Callable[[], None] | None:
        """Write what an element in a line begins with, and return what is to be done at its end."""
        if name == "sup":
            self.layout.add_inline(RAISED)
        elif "-" in name:
            self.layout.add_inline(" ")
            return self.layout.add_gap
        return None

    def _block(self, tag: Tag) -> Callable[[], None]:
        name, layout = tag.name, self.layout
        # In a definition it is the title of a box, such as "Note": the next term does not stand below it.
        if name in HEADINGS and not self.margins and not self.counts["dd"]:
            # A document's authors, perhaps.
            if not tag.classes().isdisjoint(format_words().people):
                return self.people_ends[name]
            self.heading_level = HEADINGS[name]
            return self._end_heading
        if name in LISTS:
            return self._list(tag)
        if name in _LEVELS:
            return self._level(name)
        if name == "div" and _MAY_BE_GRID.search(tag.source) and (end := self._grid(tag.classes())):
            return end
        if name == "table":
            layout.open_table()
        elif name == "tr":
            layout.open_row()
        elif name in ("td", "th"):
            self._open_cell(tag)
        return self.block_ends.get(name, self._end_block)

    def _grid(self, classes: frozenset[str]) -> Callable[[], None] | None:
        """Open a table that a style sheet lays out, or a cell of it, and return what is to be done at its end; None for any other block."""
        layout, words = self.layout, format_words()
        if not classes.isdisjoint(words.tables):
            layout.open_table()
            return layout.close_table
        if classes.isdisjoint(words.cells):
            return None
        if not classes.isdisjoint(words.first_cells):
            layout.open_row()
        layout.open_cell(is_head=not classes.isdisjoint(words.head_cells), columns=1, rows=1)
        return self._end_block

    def _open_cell(self, tag: Tag) -> None:
        spans = [1, 1]
        if "span" in tag.source.lower():
            found = tag.attributes()
            values = [found.get("colspan", ""), found.get("rowspan", "")]
            spans = [int(value) if _NUMBER.match(value) else 1 for value in values]
        self.layout.open_cell(is_head=tag.name == "th", columns=spans[0], rows=spans[1])

    def _list(self, tag: Tag) -> Callable[[], None]:
        start = tag.attributes().get("start", "") if tag.source else ""
        first = int(start) if _NUMBER.match(start) else 1
        self.numbers.append(first if tag.name == "ol" else None)
        self.layout.hold()
        return self._end_list

    def _end_list(self) -> None:
        self.layout.release(is_menu=False)
        self.numbers.pop()

    def _level(self, name: str) -> Callable[[], None]:
        bullet, indent = _LEVELS[name]
        number = self.numbers[-1] if name == "li" and self.numbers else None
        if number is not None:
            self.numbers[-1] = number + 1
            bullet, indent = f"{number}. ", "   "
        self.layout.open_level(bullet, indent)
        return self.layout.close_level

    def _link(self, tag: Tag) -> Callable[[], None] | None:
        """Note where a link begins; at its end its address is written, if the link has a text and leads elsewhere."""
        address = tag.attributes().get("href", "").strip()
        if not address or self.counts["a"] or self.counts["pre"]:
            return None
        inline = self.layout.inline
        begin, paragraph = len(inline), self.layout.paragraphs

        def end() -> None:
            if paragraph != self.layout.paragraphs or begin >= len(inline):
                return
            text = "".join(inline[begin:]).strip()
            if address.startswith("#") and len(text) == 1 and not text.isalnum():
                del inline[begin:]  # the sign beside a heading that links to itself
            elif text and not self._is_elsewhere(address):
                self.layout.add_link(text)
            elif text and not _is_same(text, address):
                inline.insert(begin, "[")
                inline.append(f"]({address})")

        return end

    def _is_elsewhere(self, address: str) -> bool:
        if self.margins or self.counts["header"] or len(address) > MAX_ADDRESS_CHARS:
            return False
        return _ADDRESS.match(address) is not None


def _is_same(text: str, address: str) -> bool:
    """Whether a link's text is its address."""
    return text.rstrip("/").endswith(address.rstrip("/").removeprefix("https://").removeprefix("http://"))


_LEVELS = {"li": ("- ", "  "), "dd": ("    ", "    "), "blockquote": ("> ", "> ")}
