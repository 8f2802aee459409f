"""Fenced blocks: where each begins and ends in Markdown, org and AsciiDoc.

Pure; linear in the lines. What stands inside is read by parsing.py.
"""

import re
from collections.abc import Mapping, Sequence

from summarizing.text.lines import Line

# The shortest fence of Markdown; an underline is seldom so short.
MIN_FENCE = 3

_FENCE = re.compile(
    r"(?:(?:[-*+]|\d{1,3}[.)])[ \t]{1,9}+)?(?:(`{3,199}+)(?!.*`)|(~{3,199}+))|(?i:(\#\+begin_)(src|example|quote|verse))|(-{4,199}+|\|={3,199}+)\Z|(\{\{\{)(?:\#!.{0,80})?\Z"
)


def fences_by_line(lines: Sequence[Line], first: int, listings: Mapping[int, int]) -> dict[int, int]:
    """Return the first and last line of each fenced block; one that is never closed runs to the end (CommonMark 4.5), unless it is a line of dashes."""
    found: dict[int, int] = {}
    opening = ""
    begin = 0
    for number in range(first, len(lines)):
        text = lines[number].text
        if opening:
            if closes_fence(opening, text):
                found[begin] = number
                opening = ""
        elif number in listings or _opens_block(lines, number):
            opening, begin = text, number
    if opening and opening[0] != "-":
        found[begin] = len(lines) - 1
    return found


def lines_outside(lines: Sequence[Line], first: int, fences: Mapping[int, int]) -> Sequence[Line]:
    """Return the lines outside of fenced blocks, which show what the text as a whole is. A block that is never closed does not count."""
    inside = bytearray(len(lines))
    for begin, end in fences.items():
        if closes_fence(lines[begin].text, lines[end].text):
            inside[begin : end + 1] = b"\1" * (end + 1 - begin)
    return [line for number, line in enumerate(lines) if number >= first and not inside[number]]


def _opens_block(lines: Sequence[Line], number: int) -> bool:
    """Whether a line opens a block in which nothing is a heading; AsciiDoc's begin under a line of attributes or a title."""
    line = lines[number]
    text = line.text
    if not (text[0] in "`~#|-*+{" or text[0].isdigit()) or not _FENCE.match(text):
        return False
    is_under = number > 0 and not line.gap
    if text[0] == "-" and text[-1] == "-" and not (is_under and lines[number - 1].text[0] in "[."):
        return False
    # In reStructuredText it may underline the title above it.
    is_line = line.length > MIN_FENCE and not text.strip(text[0])
    return not (is_under and is_line and lines[number - 1].length <= line.length + 2)


def closes_fence(opening: str, text: str) -> bool:
    """Whether a line closes the block that another one opens."""
    fence = _FENCE.match(opening)
    if fence is None:
        return False
    if fence[3]:
        return text.lower() == "#+end_" + fence[4].lower()
    if fence[5]:
        return text == fence[5]
    if fence[6]:
        return text.startswith("}}}")
    sign = (fence[1] or fence[2])[0]
    return text[0] == sign and len(text) >= len(fence[1] or fence[2]) and not text.strip(sign)
