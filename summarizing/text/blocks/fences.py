"""Fenced blocks: where each begins and ends in Markdown, org and AsciiDoc.

Pure; linear in the lines. What stands inside is read by parsing.py.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import islice, takewhile

from summarizing.text.lines import Line, item_mark, mark_lines

# The shortest fence of Markdown; an underline is seldom so short.
MIN_FENCE = 3

# What is indented so far is code in Markdown, and no fence outside of items.
INDENTED_CODE = 4

# A fence directly below a short line is distinguished from an underline by its closing line among so many lines below it.
MAX_LINES_BELOW = 100

# A line of tildes as wide as wrapped text is a rule.
_FENCE = re.compile(
    r"(?:(?:[-*+]|\d{1,3}[.)])[ \t]{1,9}+)?(?:(`{3,199}+)(?!.*`)|(~{3,49}+)(?!~))|(?i:(\#\+begin_)(src|example|quote"
    r"|verse))|(-{4,199}+|\|={3,199}+)\Z"
)

# What the opening line of a fenced block begins with; a digit, too, where that is an item.
_BEGINNINGS = frozenset("`~#|-*+")


def fences_by_line(lines: Sequence[Line], first: int, listings: Mapping[int, int]) -> dict[int, int]:
    """Return the first and last line of each fenced block.

    One of backticks or tildes that is never closed runs to the end (CommonMark 4.5).
    """
    last = {_closing(line.text): number for number, line in enumerate(lines) if line.text[0] in "-|`~"}
    found: dict[int, int] = {}
    opening = ""
    begin = 0
    for number in range(first, len(lines)):
        text = lines[number].text
        if opening:
            if closes_fence(opening, text):
                found[begin] = number
                opening = ""
        elif number in listings or (
            (text[0] in _BEGINNINGS or text[0].isdigit())
            and _opens_block(lines, number)
            and _may_close(lines[number], number, last)
        ):
            opening, begin = text, number
    if opening and opening[0] != "-":
        found[begin] = len(lines) - 1
    return found


def lines_outside(lines: Sequence[Line], first: int, fences: Mapping[int, int]) -> Sequence[Line]:
    """Return the lines outside of fenced blocks, which show what the text as a whole is. A block that is never closed does not count."""
    inside = bytearray(len(lines))
    closed = {a: b for a, b in fences.items() if closes_fence(lines[a].text, lines[b].text)}
    mark_lines(inside, closed)
    return [line for number, line in enumerate(lines) if number >= first and not inside[number]]


def _closing(text: str) -> str:
    if text[0] in "`~":
        return text[0] if len(text) >= MIN_FENCE and not text.strip(text[0]) else ""
    return text


def _may_close(line: Line, number: int, last: Mapping[str, int]) -> bool:
    """Whether a block may begin at a line: between dashes or bars only where a later line closes it.

    So may one that is indented further than CommonMark's fences (4.5), as those in items are: there a drawing has such signs, too.
    """
    text = line.text
    if text[0] in "`~":
        return line.indent < INDENTED_CODE or last.get(text[0], number) > number
    if text[0] not in "-|" or item_mark(text):
        return True
    return last.get(text, number) > number


def _opens_block(lines: Sequence[Line], number: int) -> bool:
    """Whether a line opens a block in which nothing is a heading; AsciiDoc's begin under a line of attributes or a title."""
    line = lines[number]
    text = line.text
    if not _FENCE.match(text):
        return False
    is_under = number > 0 and not line.gap
    if text[0] == "-" and text[-1] == "-" and not (is_under and lines[number - 1].text[0] in "[."):
        return False
    return not (is_under and (_is_underline(lines, number) or _marks_place(lines, number)))


def _marks_place(lines: Sequence[Line], number: int) -> bool:
    """Whether a line of one sign shows what of the line above is meant, as compilers do: it is indented as code is, below no item."""
    line, above = lines[number], lines[number - 1]
    is_deeper = line.indent >= above.indent + INDENTED_CODE and not item_mark(above.text)
    return is_deeper and not line.text.strip(line.text[0])


def _is_underline(lines: Sequence[Line], number: int) -> bool:
    """Whether a fence underlines the title above it (reStructuredText): no later line of its paragraph closes it."""
    line = lines[number]
    text = line.text
    title = lines[number - 1].length
    # A title of three letters, too, is seldom as long as a fence.
    is_short = line.length <= MIN_FENCE and title != line.length
    if is_short or text.strip(text[0]) or title > line.length + 2:
        return False
    below = takewhile(lambda later: not later.gap, islice(lines, number + 1, number + 1 + MAX_LINES_BELOW))
    return not any(closes_fence(text, later.text) for later in below)


def closes_fence(opening: str, text: str) -> bool:
    """Whether a line closes the block that another one opens."""
    fence = _FENCE.match(opening)
    if fence is None:
        return False
    if fence[3]:
        return text.lower() == "#+end_" + fence[4].lower()
    if fence[5]:
        return text == fence[5]
    sign = (fence[1] or fence[2])[0]
    return text[0] == sign and len(text) >= len(fence[1] or fence[2]) and not text.strip(sign)


def closing_line(opening: str) -> str:
    """Return the line that closes the block which a line opens, as far indented as that one; "" where it opens none.

    Lines of dashes or bars are left alone: a rule looks the same.
    """
    fence = _FENCE.match(opening)
    if fence is None or fence[5]:
        return ""
    if fence[3]:
        return ("#+END_" if fence[3].isupper() else "#+end_") + fence[4]
    return " " * fence.start(fence.lastindex or 0) + (fence[1] or fence[2])
