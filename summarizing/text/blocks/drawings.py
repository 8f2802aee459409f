"""Trees drawn with signs, as `tree` and package managers print them: how deep each name stands. Pure; linear in the lines."""

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
