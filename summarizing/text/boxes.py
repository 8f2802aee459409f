"""Text in a frame of signs, as licences and notices have it, without the frame: boxes of asterisks, hashes or bars.

Pure; linear in the text. Refuses code, where the signs make a comment, tables (a box has no bars inside, and no border but the first
and the last) and diagrams (a box has a line of prose).
"""

import re
from collections.abc import Iterator
from textwrap import dedent

from summarizing.text.blocks.fences import fences_by_line
from summarizing.text.format_detection import form_of
from summarizing.text.lines import looks_like_prose, read_lines

_BORDER = re.compile(r"^([ \t]{0,40})(?:([*#])\2{19,199}+|\+-{18,198}+\+)(?=[ \t]{0,40}\r?$)", re.MULTILINE)


def without_boxes(text: str) -> tuple[str, int]:
    """Return a text with the boxes in it read as their text, and how many these are."""
    found = list(_boxes(text))
    if found:
        lines = read_lines(text)
        fences = [
            (lines[first].start, lines[last].end) for first, last in fences_by_line(lines, 0, {}).items()
        ]
        found = [box for box in found if not any(start < box[0] < end for start, end in fences)]
        found = [] if form_of(text, lines) else found
    parts: list[str] = []
    done = 0
    for start, end in found:
        parts += [text[done:start], _inside(text[start:end])]
        done = end
    return ("".join([*parts, text[done:]]) if found else text), len(found)


def _boxes(text: str) -> Iterator[tuple[int, int]]:
    """Yield where boxes begin and end."""
    for border in _BORDER.finditer(text):
        # The lower border of a box begins none: a row of the box stands above it.
        if end := _end_of_box(text, border):
            yield border.start(), end


def _end_of_box(text: str, border: re.Match[str]) -> int:
    """Return where the box below a border ends; 0 where there is none, or no prose in it."""
    top, left = border[0], len(border[1])
    above = text.rfind("\n", 0, max(0, border.start() - 1)) + 1
    if border.start() and text.startswith((border[2] or "|", "|"), above + left):
        return 0
    at, has_prose = text.find("\n", border.end()) + 1, False
    # Between borders of asterisks or hashes, too, bars may stand at the sides.
    side = "|" if text.startswith("|", at + left) else border[2] or ""
    while at:
        end = text.find("\n", at)
        line = text[at : end if end >= 0 else len(text)].rstrip()
        if line == top:
            goes_on = end >= 0 and text.startswith(side, end + 1 + left)
            return at + len(line) if has_prose and not goes_on else 0
        inner = line[left + 1 : -1]
        is_framed = len(line) == len(top) and line[left] == line[-1] == side
        if not is_framed or not inner[0] == inner[-1] == " " or (side == "|" and side in inner):
            return 0
        has_prose = has_prose or looks_like_prose(inner)
        at = end + 1
    return 0


def _inside(box: str) -> str:
    """Return the lines between the borders of a box without the signs at both ends, from the margin on."""
    return dedent("\n".join(line.strip()[1:-1].rstrip() for line in box.split("\n")[1:-1]))
