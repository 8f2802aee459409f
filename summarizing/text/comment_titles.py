"""Titles in the comments of a configuration: between signs (`# - Memory -`), or in a box of rules.

Pure. Knows only texts of keys and values: config_trees.py puts what it finds.
"""

from collections.abc import Sequence
from typing import NamedTuple

from summarizing.text.lines import Line

# What comments begin with, and what stands around their titles.
_SIGNS = "#;/-=*~_+ \t"
# Between more signs a title needs no blanks: "#--Network--".
_MIN_SIGNS_WITHOUT_BLANK = 2
_MIN_RULE_CHARS = 8
# A longer line is no title, but a note.
_MAX_TITLE_CHARS = 70
# A single one may stand over anything.
_MIN_TITLES = 2


class CommentTitle(NamedTuple):
    """A title: its last line, and whether it stands in a box, over those that do not."""

    last: int
    is_box: bool


def comment_titles(lines: Sequence[Line]) -> dict[int, CommentTitle]:
    """Return the titles by their first lines; none where there is only one."""
    found: dict[int, CommentTitle] = {}
    at = 0
    while at < len(lines):
        title = _box(lines, at) or _between_signs(lines, at)
        if title:
            found[at] = title
        at = (title.last if title else at) + 1
    return found if len(found) >= _MIN_TITLES else {}


def _is_comment(line: Line) -> bool:
    return line.indent == 0 and line.text.startswith(("#", ";", "//"))


def _is_rule(line: Line) -> bool:
    return _is_comment(line) and len(line.text) >= _MIN_RULE_CHARS and not line.text.strip(_SIGNS)


def _box(lines: Sequence[Line], at: int) -> CommentTitle | None:
    """Return the title of one line that stands between two rules from a line on."""
    if at + 2 >= len(lines) or not (_is_rule(lines[at]) and _is_rule(lines[at + 2])):
        return None
    title = lines[at + 1]
    is_title = _is_comment(title) and len(title.text) <= _MAX_TITLE_CHARS and title.text.strip(_SIGNS)
    return CommentTitle(at + 2, is_box=True) if is_title else None


def _between_signs(lines: Sequence[Line], at: int) -> CommentTitle | None:
    """Return the title that a line is between signs of one kind, behind a blank line or at the start."""
    line = lines[at]
    if not (_is_comment(line) and (line.gap or at == 0) and len(line.text) <= _MAX_TITLE_CHARS):
        return None
    title = line.text.strip(_SIGNS)
    before, _, after = line.text.partition(title) if title else ("", "", "")
    marks = after.strip()
    is_even = len(set(marks)) == 1 and before.rstrip().endswith(marks[0]) and len(before.strip()) > 1
    has_blanks = before[-1:].isspace() and after[:1].isspace()
    is_set_off = is_even and (has_blanks or len(marks) >= _MIN_SIGNS_WITHOUT_BLANK)
    return CommentTitle(at, is_box=False) if is_set_off and any(map(str.isalpha, title)) else None
