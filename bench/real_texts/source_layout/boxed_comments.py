"""Titles of a configuration that stand in a box of empty comments, over the sections below them.

Independent of the service's own parser on purpose, since that one is judged by this. Pure; marks the lines it is given.
"""

from collections.abc import Sequence

from bench.real_texts.source_layout.source_lines import Line

_EMPTY = frozenset(["#", "##", ";"])
_MOST_LINES = 4


def mark_boxed_comments(lines: Sequence[Line]) -> None:
    """Make titles of those over sections, and put these below them."""
    titles = [number for number in range(1, len(lines)) if _is_title(lines, number)]
    if not titles:
        return
    for line in lines:
        line.heading += line.heading > 0
    for number in titles:
        lines[number].heading = 1


def _is_title(lines: Sequence[Line], number: int) -> bool:
    """Whether a line is the first of a few comments between two empty ones, with blank lines around them and a section below."""
    if lines[number - 1].text.strip() not in _EMPTY or not _is_comment(lines[number]):
        return False
    end = number
    while end < len(lines) and _is_comment(lines[end]):
        end += 1
    below = end
    while below < len(lines) and lines[below].text.strip() in _EMPTY:
        below += 1
    if end - number > _MOST_LINES or end == below or (below < len(lines) and lines[below].text.strip()):
        return False
    others = range(below, len(lines))
    data = (lines[at] for at in others if lines[at].text.strip()[:1] not in {"", "#", ";"})
    return next((line.heading > 0 for line in data), False)


def _is_comment(line: Line) -> bool:
    return line.text[:1] in {"#", ";"} and any(map(str.isalpha, line.text)) and "=" not in line.text
