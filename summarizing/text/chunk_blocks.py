"""The block structure of a text: headings, fences, rules, and what stands between blank lines.

CommonMark's (https://spec.commonmark.org/0.31.2/, sections 4 and 5) with GFM tables, found by line and only as far as
cutting and weighing texts needs it; inline markup is left alone. Pure; time linear in the text.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from summarizing.text.blocks.tables import is_delimiter

# A title is shown with at most this many characters; a line over dashes that is twice as long is none.
MAX_TITLE_CHARS = 120


# A search is one step that no other thread can interrupt: this much takes some milliseconds.
STEP_CHARS = 50_000


class Kind(Enum):
    """What a block is, as far as chunking treats it differently."""

    HEADING = "heading"
    FENCE = "fence"  # also HTML blocks that run to a closing tag: nothing inside is structure
    RULE = "rule"
    TEXT = "text"  # paragraphs, lists, tables, quotes: whatever stands between blank lines


class Block(NamedTuple):
    """A stretch of the content, with the blank lines after it. `level` is a heading's, 1 to 6."""

    start: int
    end: int
    kind: Kind
    level: int = 0


# What follows a line end and may be structure. Alternatives start with different literals: most lines are
# refused by their first character, and the search for the line end itself runs at memchr's speed.
# Rules and underlines are at most a thousand characters long: a match is one step that no other thread can interrupt, and a line of
# megabytes is not a rule.
_LINE_START = r"""
    (?P<indent>[ \t]*+)
    (?: (?P<blank>\r?\n(?:\s*[\r\n])?)
      | (?P<hashes>\#{1,6}) (?=[ \t\r\n]|\Z)
      | (?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?+ (?P<fence>`{3,}+(?=[^`\n]*+(?:\n|\Z))|~{3,}+)
      | (?P<underline>={1,1000}+|-{1,1000}+) (?=[ \t]*+(?:\r?\n|\Z))
      | (?P<rule>(?:\*[ \t]*+){3,1000}+|(?:_[ \t]*+){3,1000}+|(?:-[ \t]*+){3,1000}+) (?=\r?\n|\Z)
      | <(?P<html>!--|(?i:pre|script|style|textarea)\b)
    )"""
_FIRST_LINE = re.compile(_LINE_START, re.VERBOSE)
_NEXT_LINE = re.compile(r"\n" + _LINE_START, re.VERBOSE)

_BLANK_LINES = re.compile(r"\s*[\r\n]")
_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(?:[^\n]*\n){0,99}?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_NOT_A_PARAGRAPH = re.compile(r"[ \t]*(?:[>|#]|(?:[-*+]|\d{1,9}[.)])[ \t])")
# The list item of an indented fence is looked for this far back; items are rarely longer, and a whole document may be indented.
_MAX_ITEM_LINES = 50


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a text in order; joined, they are the text."""
    open_at = look_at = 0
    unclosed: set[str] = set()
    front_matter = _FRONT_MATTER.match(text)
    if front_matter:
        open_at = look_at = _after_blank_lines(text, front_matter.end())
        yield Block(0, open_at, Kind.FENCE)
    while mark := _next_mark(text, look_at):
        if mark.lastgroup == "blank":  # nine of ten blocks: not worth a call
            look_at = mark.end()
            yield Block(open_at, look_at, Kind.TEXT)
            open_at = look_at
            continue
        block = _read_block(text, mark, open_at, unclosed)
        if block is None:
            look_at = mark.end()
            continue
        if block.start > open_at:
            yield Block(open_at, block.start, Kind.TEXT)
        yield block
        open_at = look_at = block.end
    if open_at < len(text):
        yield Block(open_at, len(text), Kind.TEXT)


def _next_mark(text: str, at: int) -> re.Match[str] | None:
    """Find the next line at or after the line start `at` that may be more than text."""
    if at == 0 and (first := _FIRST_LINE.match(text)):
        return first
    look_at = at - 1 if at else 0
    while look_at < len(text):
        # Whole lines with their ends: what a line is does not depend on what follows. A match may go on behind them.
        line_end = text.find("\n", look_at + STEP_CHARS)
        end = line_end + 1 or len(text)
        found = _NEXT_LINE.search(text, look_at, end)
        if found and found.end() == end:
            return _NEXT_LINE.match(text, found.start())
        if found or line_end < 0:
            return found
        look_at = line_end
    return None


def _read_block(text: str, mark: re.Match[str], open_at: int, unclosed: set[str]) -> Block | None:
    """Read the block that the marked line ends or starts; None where the line is text after all.

    `unclosed` remembers which HTML tags are not closed any more.
    """
    what = mark.lastgroup
    if what == "fence":
        return _read_fence(text, mark)
    # CommonMark 4.4: four spaces of indentation (or a tab) make a line code, whatever it looks like.
    if len(mark["indent"]) > 3 or "\t" in mark["indent"]:
        return None
    if what == "hashes":
        return Block(mark.start("indent"), _after_line(text, mark.end()), Kind.HEADING, len(mark["hashes"]))
    if what == "html":
        return _read_html(text, mark, unclosed)
    return _read_underline(text, mark, open_at)


def _read_fence(text: str, mark: re.Match[str]) -> Block | None:
    """Read a fenced code block (CommonMark 4.5); one that is never closed runs to the end of the document."""
    line, indent, fence = mark.start("indent"), mark["indent"], mark["fence"]
    if (len(indent) > 3 or "\t" in indent) and not _in_list_item(text, line, indent):
        return None
    # "The closing code fence may be preceded by up to three spaces of indentation", in a list by its item's too.
    closing = re.compile(
        rf"\n[ \t]{{0,{mark.start('fence') - line + 3}}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*(?=\r?\n|\Z)"
    )
    closed = closing.search(text, mark.end("fence"))
    return Block(line, _after_line(text, closed.end()) if closed else len(text), Kind.FENCE)


def _in_list_item(text: str, line: int, indent: str) -> bool:
    """Whether the line at offset `line` is indented because a list item above it is (CommonMark 5.2)."""
    width = len(indent.expandtabs(4))
    for _ in range(_MAX_ITEM_LINES):
        if line == 0 or width == 0:
            return False
        below, line = line, text.rfind("\n", 0, line - 1) + 1
        row = text[line:below].rstrip()
        row_width = len(row.expandtabs(4)) - len(row.lstrip().expandtabs(4))
        if row and row_width < width:
            if _LIST_ITEM.match(text, line):
                return True
            width = row_width
    return False


def _read_html(text: str, mark: re.Match[str], unclosed: set[str]) -> Block | None:
    """Read an HTML block of the kinds that end at a closing tag (CommonMark 4.6, kinds 1 and 2)."""
    tag = mark["html"].lower()
    if tag in unclosed:
        return None
    closing = re.compile(r"-->" if tag == "!--" else rf"</{tag}>", re.IGNORECASE)
    closed = closing.search(text, mark.end())
    # Unlike CommonMark: a tag that is never closed, common in crawled text, does not swallow the document.
    if closed is None:
        unclosed.add(tag)
        return None
    if "\n" not in text[mark.end() : closed.end()]:
        return None
    return Block(mark.start("indent"), _after_line(text, closed.end()), Kind.FENCE)


def _read_underline(text: str, mark: re.Match[str], open_at: int) -> Block | None:
    """Read a thematic break (CommonMark 4.1) or the underline of a setext heading (4.3)."""
    line = mark.start("indent")
    underline = mark["underline"] or ""
    title = text[open_at : min(line, open_at + 2 * MAX_TITLE_CHARS)]
    if underline and title.count("\n") == 1 and title.strip() and not _NOT_A_PARAGRAPH.match(title):
        return Block(open_at, _after_line(text, mark.end()), Kind.HEADING, 1 if underline[0] == "=" else 2)
    if mark["rule"] or (len(underline) >= 3 and underline[0] == "-"):
        return Block(line, _after_line(text, mark.end()), Kind.RULE)
    return None


def _after_line(text: str, at: int) -> int:
    """Return the offset after the line that `at` is in, and after the blank lines that follow it."""
    end = text.find("\n", at) + 1
    return _after_blank_lines(text, end) if end else len(text)


def _after_blank_lines(text: str, at: int) -> int:
    blank = _BLANK_LINES.match(text, at)
    return blank.end() if blank else at


def title_of(text: str, heading: Block) -> str:
    """Return the words of a heading block, without its marks."""
    title = text[heading.start : heading.end].strip().partition("\n")[0].lstrip("#").strip()
    # CommonMark 4.2: the closing sequence of hashes "must be preceded by spaces or tabs".
    unclosed = title.rstrip("#")
    if not unclosed or unclosed[-1] in " \t":
        title = unclosed.rstrip()
    return title[:MAX_TITLE_CHARS]


def table_head(text: str, block: Block) -> str:
    """Return the head and delimiter rows of the table that a block is, or "" where it is none (GFM 4.10)."""
    first_row_end = text.find("\n", block.start, block.end)
    if first_row_end < 0 or "|" not in text[block.start : first_row_end]:
        return ""
    end = _after_line(text, first_row_end + 1)
    return text[block.start : end] if is_delimiter(text[first_row_end:end].strip()) else ""
