"""Drawings of signs: trees, as `tree` and package managers print them, and diagrams in Unicode's block "Box Drawing".

Of a tree it is told how deep each name stands; a line of a diagram says nothing without the others. Pure; linear in the lines. Tables and
single boxes are neither.
"""

import re
from collections.abc import Sequence

from summarizing.text.lines import Line

_BRANCH = re.compile(
    # Of a quoted option, the sign before it is closed behind it: "`--all'".
    r"(?:[|\u2502][ \xa0]{1,99}+)*+"
    r"((?:[|+\\]-{1,3}|`-{1,3}(?![^`'\u00b4]{1,60}[`'\u00b4])|[\u251c\u2514\u2570]\u2500{1,3}\u252c?)(?=[ \xa0>\w./\"']))"
)
# One line that begins so may be an option or a row.
_LEAST_BRANCHES = 2


def with_depths(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines of a tree indented as far as their names; other lines as they are."""
    if len(lines) < _LEAST_BRANCHES:
        return lines
    branches = [_BRANCH.match(line.text) for line in lines]
    if sum(branch is not None for branch in branches) < max(_LEAST_BRANCHES, len(lines) / 2):
        return lines
    return [
        line._replace(indent=line.indent + branch.end()) if branch else line
        for line, branch in zip(lines, branches, strict=True)
    ]


# Uprights, corners and joints; a level line alone is a rule.
_PART = re.compile("[\u2502-\u2503\u2506-\u2507\u250a-\u254b\u254e-\u2573]")
_MIN_LINES = 4
_LEAST_SHARE = 2 / 3


def is_diagram(lines: Sequence[Line]) -> bool:
    """Whether most lines have a part of a box, and these begin at different columns."""
    if len(lines) < _MIN_LINES:
        return False
    parts = [(line.indent, _PART.search(line.text)) for line in lines if not line.text.isascii()]
    columns = [indent + part.start() for indent, part in parts if part]
    if len(columns) < _LEAST_SHARE * len(lines) or len(set(columns)) < 2:
        return False
    return with_depths(lines) is lines
