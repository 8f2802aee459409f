"""What Markdown folds away: `<summary>` is the title of the lines up to `</details>`, and titles in them stand below it.

Marks the lines it is given, whose other headings are known.
"""

import re
from collections.abc import Sequence
from math import inf

from bench.real_texts.source_layout.source_lines import Line

_OPENS = re.compile(r"\s*<details\b")
_TITLE = re.compile(r"<summary\b.*?(?:</summary>|$)")
_CLOSES = re.compile(r"</details>\s*$")


def mark_folded_parts(lines: Sequence[Line]) -> None:
    """Mark the titles of the parts that are folded away, and where these end."""
    open_at: list[int] = []
    for number, line in enumerate(lines):
        if line.is_code:
            continue
        if _OPENS.match(line.text):
            open_at.append(number)
        if open_at and _CLOSES.search(line.text):
            _mark(lines, open_at.pop(), number)


def _mark(lines: Sequence[Line], first: int, last: int) -> None:
    inside = range(first, last + 1)
    number = next((one for one in inside if not lines[one].heading and _TITLE.search(lines[one].text)), None)
    if number is None:
        return
    above = _level_above(lines, first)
    inner = [lines[one] for one in inside if lines[one].heading or lines[one].ends]
    lower = max(0, above + 2 - min((line.heading or line.ends for line in inner), default=above + 2))
    for line in inner:
        line.heading += lower if line.heading else 0
        line.ends += lower if line.ends else 0
    title = _TITLE.search(lines[number].text)
    lines[number].heading, lines[number].title = above + 1, title[0] if title else ""
    # What stands before the tag on its line is still inside.
    end = last + bool(_CLOSES.sub("", lines[last].text).strip())
    if end < len(lines) and not lines[end].heading:
        lines[end].ends = above + 1


def _level_above(lines: Sequence[Line], number: int) -> int:
    """Return the level of the title that is open above a line; 0 where none is."""
    closed = inf
    for line in reversed(lines[:number]):
        if 0 < line.heading < closed:
            return line.heading
        closed = min(closed, line.ends or closed)
    return 0
