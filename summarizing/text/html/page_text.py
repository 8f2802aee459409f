"""HTML to the text that a reader sees, as Markdown: headings, lists, tables, code; links to elsewhere keep their address.

Elements are opened and closed as the HTML standard has it (open_elements.py). Not shown and so not written: scripts, styles, templates,
controls, and elements that are hidden by an attribute or their own style. What a style sheet hides cannot be known here. What the others
are written as: shown_elements.py. Never raises; linear in time and memory.
"""

import re
from threading import Lock

from summarizing.text.html.elements import BLOCKS, HEADINGS, HIDDEN, IN_HEAD, VOID
from summarizing.text.html.layout import RAISED, MarkdownWriter
from summarizing.text.html.open_elements import OpenElements
from summarizing.text.html.shown_elements import ShownElements
from summarizing.text.html.tokens import Tag, Tokens, with_single_spaces

# No piece of a title is longer.
MAX_TITLE_CHARS = 300

_HIDING_STYLE = re.compile(r"(?i)(?:display\s*+:\s*+none|visibility\s*+:\s*+hidden)\b")
_MAY_HIDE = re.compile("(?i)hidden|display")
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
        """Read on to a place, and to the end of the tag there."""
        page, tokens, is_all = self._page, self._tokens, end >= self._size
        with self._lock:
            while (tokens.at < end or is_all) and (token := next(self._unread, None)) is not None:
                text, tag = token
                if text:
                    page.add_text(text)
                if tag is None:
                    continue
                if tag.is_end:
                    page.close(tag.name)
                else:
                    page.open(tag)

    def text(self) -> str:
        """Return the text of what was read, as Markdown; nothing can be read after that."""
        with self._lock:
            return self._page.text()


class _Page:
    """The elements that are open, and the text so far."""

    def __init__(self, size: int) -> None:
        self._elements = OpenElements()
        self._layout = MarkdownWriter(size)
        self._shown = ShownElements(self._layout, self._elements.counts)
        self._hidden_from: int | None = None
        """At which of the open elements hidden content began."""
        self._title: list[str] = []

    def text(self) -> str:
        self._close_to(0)
        self._shown.end_aftermath()
        body = self._layout.text()
        title = " ".join("".join(self._title).split())
        if title and not _FIRST_HEADING.search(body):
            return f"# {title}\n\n{body}".rstrip("\n")
        return body

    def add_text(self, text: str) -> None:
        if self._hidden_from is not None:
            if self._elements.names[-1] == "title" and not self._elements.counts["svg"]:
                self._title.append(text[:MAX_TITLE_CHARS])
            return
        if self._shown.people_level and not text.isspace():
            self._shown.end_people(is_heading=True)
        self._layout.add_inline(text if self._elements.counts["pre"] else with_single_spaces(text))

    def open(self, tag: Tag) -> None:
        name, elements = tag.name, self._elements
        if self._shown.people_level and name in BLOCKS:
            self._shown.end_people(is_heading=name not in HEADINGS and name != "hr")
        if elements.names and elements.names[-1] == "head" and name not in IN_HEAD:
            self._close_to(len(elements.names) - 1)
        self._close_to(elements.first_ended_by(name))
        if self._hidden_from is None and (name in HIDDEN or (tag.source and _hides(tag))):
            if name in VOID:
                return
            self._hidden_from = len(elements.names)
        if name in VOID:
            if self._hidden_from is None:
                self._shown.add_void(tag)
        else:
            elements.push(name, self._shown.begin(tag) if self._hidden_from is None else None)

    def close(self, name: str) -> None:
        """Close an element and what is open in it; an end tag without an open element is ignored."""
        if name == "br":
            self._layout.add_inline("\n")
        self._close_to(self._elements.first_closed_by(name))

    def _close_to(self, count: int) -> None:
        """Close elements until so many are open."""
        elements, shown = self._elements, self._shown
        while len(elements.names) > count:
            if shown.people_level and elements.names[-1] in BLOCKS:
                shown.end_people(is_heading=False)
            if (at_end := elements.pop()) is not None:
                at_end()
            if self._hidden_from is not None and len(elements.names) <= self._hidden_from:
                self._hidden_from = None


def _hides(tag: Tag) -> bool:
    """Whether attributes hide their element."""
    if not _MAY_HIDE.search(tag.source):
        return False
    found = tag.attributes()
    is_hidden = "hidden" in found or found.get("aria-hidden") == "true"
    return is_hidden or _HIDING_STYLE.search(found.get("style", "")) is not None
