"""Block scalars of YAML: values over several lines. What stands in them is one value, be it like keys or not.

Pure; linear in the lines. What a value means is not looked at, and which lines are keys is decided in config_trees.py.
"""

import re
from collections.abc import Sequence

from summarizing.text.lines import Line

# A key, and behind it what parts it from its value.
KEY = re.compile(
    r"(?:-[ \t]{1,9}+)?[\"']?([\w.-]{1,60}+|\w[\w./-]{0,40}+(?: [\w./-]{1,40}+){1,3}+(?=\s{1,30}+:))[\"']?[ \t]{0,30}+[:=;](?=\s|\Z|[^\s:])"
)
# Opens a block scalar (YAML 1.2, 8.1): the lines below it that are indented more are text, be they keys or not.
_SCALAR = re.compile(r"(?:^-|:)[ \t]{1,9}[|>][-+\d]{0,2}\Z")


def without_scalars(lines: Sequence[Line]) -> list[Line]:
    """Return the lines that are not the text of a block scalar."""
    found: list[Line] = []
    at = 0
    for number, line in enumerate(lines):
        if number >= at:
            found.append(line)
            at = end_of_scalar(lines, number) + 1 if may_open_scalar(line.tail[-3:]) else 0
    return found


def may_open_scalar(end: str) -> bool:
    return "|" in end or ">" in end


def end_of_scalar(lines: Sequence[Line], number: int) -> int:
    """Return the last line of the block scalar that a line opens; that line where it opens none."""
    last, indent = number, lines[number].indent
    if may_open_scalar(lines[number].tail[-3:]) and _SCALAR.search(lines[number].tail):
        while last + 1 < len(lines) and lines[last + 1].indent > indent:
            last += 1
    return last
