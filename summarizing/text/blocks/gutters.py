"""Signs in the gutter before lines: those of a quotation ("> "), and the margin of bars that pydoc prints ("|  ").

Pure; linear in the lines. A quotation's lines are read as the text that they are; how they are written again is rendering.py's part.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from summarizing.text.lines import Line, wide_letters

# RFC 4155: in a mailbox, a line of a mail that begins with "From " is written with a sign before it.
_ESCAPED = re.compile(r">{1,9}From ")
_GUTTER = re.compile(r"(?:>[ \t]?){1,9}+|\|(?:[ \t]{1,2}|\Z)")


def _without_gutter(line: Line) -> Line | None:
    """Return a line without the signs of a quotation before it ("> ", "|  "); None where nothing else is there."""
    mark = _GUTTER.match(line.text)
    if mark is None:
        return line
    rest = line.text[mark.end() :].lstrip()
    if not rest:
        return None
    lead = len(line.text) - len(rest) if line.text.endswith(rest) else mark.end()
    # A column less than an item's text: a quotation after a list is not part of its last item.
    start, indent = line.start + lead, line.indent + max(1, lead - 1)
    return line._replace(start=start, indent=indent, text=rest, wide=wide_letters(rest))


def _is_in_margin(before: Line, line: Line) -> bool:
    """Whether a line is one of a margin of bars alone, and the one above or below it is text in the same margin."""
    if line.indent != before.indent or "|" not in (line.text, before.text):
        return False
    other = before if line.text == "|" else line
    return other.text[0] == "|" and other.tail[-1] != "|"


def _has_quotations(lines: Sequence[Line]) -> bool:
    """Whether signs before lines are those of quotations: an item has its sign on the first line alone, the next are indented.

    In the midst of a paragraph one begins a line by chance.
    """
    signs = [line.text[0] == ">" for line in lines]
    if not any(signs):
        return False
    quoted = hanging = 0
    for number, (line, following) in enumerate(pairwise(lines)):
        if not signs[number]:
            continue
        is_inside = not line.gap and number > 0 and not signs[number - 1]
        if following.gap:
            # A command goes on: "sed -e s/1/2/ old \\", ">new".
            hanging += is_inside and line.indent > lines[number - 1].indent
        elif signs[number + 1]:
            quoted += 1
        else:
            hanging += is_inside or following.indent > line.indent
    return quoted >= hanging


def _escaped(lines: Sequence[Line]) -> set[int]:
    """Return the lines with a sign that escapes "From " and quotes nothing: alone, in a mail whose quotations have a blank behind the sign."""
    signed = {number for number, line in enumerate(lines) if line.text[0] == ">"}
    found = {number for number in signed if _ESCAPED.match(lines[number].text)}
    others = (lines[number].text for number in signed if number not in found)
    if not found or not all(text[1:2] in {"", " ", ">"} for text in others):
        return set()
    return found - {one for one in signed if one - 1 in signed or one + 1 in signed}


def lines_without_gutters(lines: Sequence[Line], fences: dict[int, int]) -> Sequence[Line]:
    """Return the lines without quotation signs and pydoc's margins; lines of nothing else count as blank.

    So does the place where another one is quoted, or nobody is any more.
    """
    has_bars = any(line.text == "|" for line in lines)
    has_margin = has_bars and sum(_is_in_margin(before, line) for before, line in pairwise(lines)) >= 2
    has_quotations = _has_quotations(lines)
    if not has_margin and not has_quotations:
        return lines
    escaped = _escaped(lines)
    result: list[Line] = []
    gap, fence_end, depth = False, -1, 0
    for number, line in enumerate(lines):
        fence_end = fences.get(number, fence_end)
        is_margin = (has_quotations and line.text[0] == ">" and not line.text.startswith(">>>")) or (
            has_margin and line.text[0] == "|"
        )
        is_margin = is_margin and number > fence_end and number not in escaped
        mark = _GUTTER.match(line.text) if is_margin else None
        bare = _without_gutter(line) if mark else line
        last_depth, depth = depth, mark[0].count(">") if mark else 0
        gap = gap or depth != last_depth
        if bare is None:
            gap = True
            continue
        result.append(bare._replace(gap=True) if gap and not bare.gap else bare)
        gap = False
    return result or lines
