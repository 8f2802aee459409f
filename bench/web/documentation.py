"""A page of HTML documentation as its text blocks, with the links in them and the anchors before them.

For making questions alone, and independent of what is measured: of the standard library, and no main content is looked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "dt"})

# Where a block begins or ends; an unclosed <p> ends with the next of them.
_BLOCKS = HEADINGS | {
    "p",
    "li",
    "dd",
    "dl",
    "ul",
    "ol",
    "td",
    "th",
    "tr",
    "table",
    "pre",
    "div",
    "section",
    "blockquote",
    "body",
}
_UNSEEN = frozenset({"script", "style", "title", "svg"})


@dataclass(frozen=True)
class Link:
    """A link in a block."""

    target: str
    begin: int
    """Where its text begins in the block's."""


@dataclass(frozen=True)
class Block:
    """A paragraph, heading, list item or cell."""

    element: str
    text: str
    links: tuple[Link, ...]
    anchors: tuple[str, ...]
    """What links to this place may name: ids and names of elements since the block before."""

    @property
    def is_heading(self) -> bool:
        """Whether it names what comes after it."""
        return self.element in HEADINGS


def blocks(html: str) -> list[Block]:
    """Return the blocks of a page in their order."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    reader.end_block()
    return reader.found


@dataclass
class _Open:
    element: str = "body"
    parts: list[str] = field(default_factory=list)
    length: int = 0
    links: list[Link] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Block] = []
        self._open = _Open()
        self._anchors: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN:
            self._unseen += 1
        if tag in _BLOCKS:
            self.end_block()
            self._open = _Open(tag)
        given = dict(attrs)
        self._anchors += [
            name for name in (given.get("id"), given.get("name") if tag == "a" else None) if name
        ]
        if tag == "a" and given.get("href"):
            self._open.links.append(Link(str(given["href"]), self._open.length))

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen = max(self._unseen - 1, 0)
        if tag in _BLOCKS:
            self.end_block()

    def handle_data(self, data: str) -> None:
        if self._unseen:
            return
        # White space as a browser shows it; the sign after a heading is a link to itself.
        text = " ".join(data.replace("\N{PILCROW SIGN}", "").split())
        if data[:1].isspace() and self._open.length and not self._ends_with_space():
            text = f" {text}"
        if data[-1:].isspace() and text.strip():
            text += " "
        if text and (text.strip() or self._open.length):
            self._open.parts.append(text)
            self._open.length += len(text)

    def _ends_with_space(self) -> bool:
        return bool(self._open.parts) and self._open.parts[-1].endswith(" ")

    def end_block(self) -> None:
        """Note the block that is open, if it has any text."""
        text = "".join(self._open.parts).rstrip()
        if text:
            self.found.append(Block(self._open.element, text, tuple(self._open.links), tuple(self._anchors)))
            self._anchors = []
        self._open = _Open(self._open.element if not text else "body")
