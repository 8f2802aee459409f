"""Titles in the comments of a configuration: between signs (`# - Memory -`), or in a box of rules or empty comments.

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
_MAX_TITLE_CHARS = 80
# With more lines between its sides, or as a side, it is no box, but a note.
_MAX_TITLE_LINES = 2
_MAX_FRAME_LINES = 2
# A single one may stand over anything.
_MIN_TITLES = 2


class CommentTitle(NamedTuple):
    """A title: its first and last line, and the last line of the box around it, if it has one. Titles in boxes stand over the others."""

    first: int
    last: int
    end: int
    is_box: bool


def comment_titles(lines: Sequence[Line]) -> dict[int, CommentTitle]:
    """Return the titles by their first lines; none where there is only one."""
    found: dict[int, CommentTitle] = {}
    at = 0
    for number, line in enumerate(lines):
        if (
            number >= at
            and _is_comment(line)
            and (title := _box(lines, number) or _between_signs(lines, number))
        ):
            found[number] = title
            at = title.end + 1
    return found if len(found) >= _MIN_TITLES else {}


def _is_comment(line: Line) -> bool:
    return line.indent == 0 and line.text.startswith(("#", ";", "//"))


def _is_rule(line: Line) -> bool:
    return _is_frame(line) and len(line.text) >= _MIN_RULE_CHARS


def _is_frame(line: Line) -> bool:
    """Whether a line is a side of a box: a comment that is empty or a rule."""
    return _is_comment(line) and not line.text.strip(_SIGNS)


def _box(lines: Sequence[Line], at: int) -> CommentTitle | None:
    """Return the title in the box that begins at a line, if one does; a box of empty comments must stand between blank lines."""
    first = _end_of_frame(lines, at)
    last = _end_of_title(lines, first)
    end = _end_of_frame(lines, last)
    if not at < first < last < end:
        return None
    is_set_off = (at == 0 or lines[at].gap) and (end == len(lines) or lines[end].gap > 0)
    are_rules = _is_rule(lines[first - 1]) and _is_rule(lines[last])
    return CommentTitle(first, last - 1, end - 1, is_box=True) if are_rules or is_set_off else None


def _end_of_frame(lines: Sequence[Line], at: int) -> int:
    end = at
    while end < min(at + _MAX_FRAME_LINES, len(lines)) and _is_frame(lines[end]):
        end += 1
    return end


def _end_of_title(lines: Sequence[Line], at: int) -> int:
    end = at
    while end < min(at + _MAX_TITLE_LINES, len(lines)) and _is_title(lines[end]):
        end += 1
    return end


def _is_title(line: Line) -> bool:
    text = line.text
    is_of_words = any(map(str.isalpha, text)) and "=" not in text.strip(_SIGNS)
    return _is_comment(line) and not line.gap and len(text) <= _MAX_TITLE_CHARS and is_of_words


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
    return CommentTitle(at, at, at, is_box=False) if is_set_off and any(map(str.isalpha, title)) else None
