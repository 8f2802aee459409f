"""Diffs and patches: commits, files and hunks are headings; what was removed and added at one place is one change.

Pure; linear in the lines.
"""

import re
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import pairwise

from summarizing.text.blocks import logs_and_field_lists, paragraphs
from summarizing.text.document import SegmentKind
from summarizing.text.document_builder import Builder, groups
from summarizing.text.formats import source_code
from summarizing.text.lines import Line, parted, share

_DIFF = re.compile(r"diff --git |diff -|Index: |--- \S|\+\+\+ \S|@@ -\d")


# At least so large a part of the lines are changes, or indented as those around these are: else a diff is quoted in a text.
_MIN_CHANGES = 0.5


def is_diff(lines: Sequence[Line]) -> bool:
    """Whether lines are a diff, or the history of a repository, with diffs or without."""
    if sum(_diff_level(line) == 1 for line in lines[:200]) >= 2 and _diff_level(lines[0]) == 1:
        return True
    heads = [line for line in lines[:200] if line.indent == 0 and _DIFF.match(line.text)]
    is_any = any(line.text.startswith("@@ -") for line in heads) and len(heads) >= 3
    return is_any and share([line.indent or line.text[0] in "+-@" for line in lines]) >= _MIN_CHANGES


def put_diff(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add a diff: heads of commits, files and hunks are headings; lines removed and added at one place are one change."""
    heads = [number for number, line in enumerate(lines) if _diff_level(line)]
    _put_message(builder, lines[: heads[0]])
    for head, behind in pairwise([*heads, len(lines)]):
        level = _diff_level(lines[head])
        builder.put_heading(lines[head].span, level)
        (_put_message if level == 1 else _put_changes)(builder, lines[head + 1 : behind])


_DIFF_HEADS = (
    re.compile(r"(?:commit|From) [0-9a-f]{7,64}\b"),
    re.compile(r"diff |Index: "),
    re.compile(r"@@ "),
)


def _diff_level(line: Line) -> int:
    if line.indent:
        return 0
    return next((level for level, head in enumerate(_DIFF_HEADS, 1) if head.match(line.text)), 0)


def _put_message(builder: Builder, lines: Sequence[Line]) -> None:
    """Add what is said of a commit."""
    for group in groups(lines):
        if logs_and_field_lists.is_listing(group):
            builder.begin_block()
            logs_and_field_lists.put_listing(builder, group, builder.heading)
        else:
            paragraphs.put_paragraphs(builder, group)


def _put_changes(builder: Builder, lines: Sequence[Line]) -> None:
    """Add the lines of a file's head or of a hunk, with the sign before each; what has not changed weighs little."""
    for change in parted(lines, lambda first, line: not _joins(first, line)):
        # A blank before a line says that it has not changed: without it, an item would be a line that was removed.
        start = builder.text.rfind("\n", 0, change[0].start) + 1
        with nullcontext() if _is_change(change[0]) else builder.marginal():
            builder.put((start, change[-1].end), SegmentKind.CODE, builder.heading)


def _is_change(line: Line) -> bool:
    return line.indent == 0 and line.text[0] in "+-" and not line.text.startswith(("+++ ", "--- "))


def _joins(first: Line, line: Line) -> bool:
    """Whether a line is of the change that another one begins."""
    is_one = _is_change(first) and _is_change(line)
    return is_one and line.end - first.start <= source_code.MAX_WHOLE_CODE_CHARS
