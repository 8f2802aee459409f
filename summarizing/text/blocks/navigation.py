"""What leads the reader elsewhere: menus, tables of contents, lists of links.

Pure; looks at a few lines at a time. What is read this way is marginal: parsing.py says so.
"""

import re
from collections.abc import Iterable, Sequence

from summarizing.text.document import SegmentKind
from summarizing.text.document_builder import MAX_ITEM_CHARS, Builder
from summarizing.text.html.boilerplate import MENU_SIGN
from summarizing.text.lines import Line

_LINK = re.compile(r"!?\[[^\[\]\n]{0,300}+\]\([^()\n]{0,1000}+\)|<?https?://[^<>\s]{1,1000}+>?")
# "link reference definitions", CommonMark 4.7; "hyperlink targets", and images that are named, reStructuredText.
_TARGET = re.compile(
    r"\[[^\]^][^\]]{0,200}+\]:(?:\s\S|\Z)|<?https?://\S{1,300}+\Z|__ https?://"
    r"|\.\. (?:_(?:`[^`]{1,200}+`|[^:`]{1,200}+):(?:\s|\Z)|\|[^|]{1,80}+\| image:: )"
)
_ADDRESS = re.compile(r"(?<=\])\([^()\n]{0,1000}+\)")
_WORD = re.compile(r"[^\W\d_][\w.]*+|(?<=[.\w])\d++")


def title_words(text: str) -> str:
    """Return the words of a title, or of the entry that leads to it: without numbers before them, signs and the address of a link."""
    text = _ADDRESS.sub("", text) if "](" in text else text
    return " ".join(_WORD.findall(text)).lower()


class Titles:
    """The titles of a text, by their words."""

    def __init__(self, titles: Iterable[str]) -> None:
        self._titles = {title_words(title) for title in titles}
        self._first_words = {title.partition(" ")[0] for title in self._titles}

    def __bool__(self) -> bool:
        return bool(self._titles)

    def __contains__(self, text: str) -> bool:
        """Return whether a text has the words of a title, and no others."""
        # Most begin with another word.
        first = _WORD.search(text) if "](" not in text else None
        if first is not None and first[0].lower() not in self._first_words:
            return False
        return title_words(text) in self._titles


def put_menu(builder: Builder, line: Line) -> None:
    """Add a menu in one line: as many entries together as are no longer than an item."""
    builder.begin_block()
    parent = builder.parent_at(line.indent)
    start = line.start
    while line.end - start > MAX_ITEM_CHARS:
        sign = builder.text.rfind(MENU_SIGN, start, start + MAX_ITEM_CHARS)
        sign = sign if sign >= 0 else builder.text.find(MENU_SIGN, start, line.end)
        if sign < 0:
            break
        end = sign + len(MENU_SIGN)
        builder.put((start, end - 1), SegmentKind.SENTENCE, parent)
        start = end
    builder.put((start, line.end), SegmentKind.SENTENCE, parent)


def has_buttons(lines: Sequence[Line]) -> bool:
    """Whether a paragraph ends with a line of links, of which some lead nowhere: the reader of a page is to press one of several."""
    last = lines[-1].text
    return len(lines) > 1 and "](#)" in last and last.count("](") > 1 and is_navigation(lines[-1:])


def is_navigation(lines: Sequence[Line]) -> bool:
    """Whether lines are only links with separators, or link targets."""
    if not any("](" in line.text or "://" in line.text or line.text[0] in "[." for line in lines):
        return False
    if all(_TARGET.match(line.text) for line in lines):
        return True
    text = "\n".join(line.text for line in lines)
    outside, links = _LINK.subn("", text)
    least = 1 if len(lines) == 1 and "](" in text else 2
    if links < least or links < len(lines) * 0.8:
        return False
    return sum(map(str.isalnum, outside)) <= 0.15 * sum(map(str.isalnum, text))
