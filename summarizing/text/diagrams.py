"""Diagrams that are drawn with the signs of Unicode's block "Box Drawing": boxes and what leads from one to another.

Pure; linear in the lines. A line of one says nothing without the others. Trees (drawn_trees.py), tables and single boxes are none.
"""

import re
from collections.abc import Sequence

from summarizing.text.drawn_trees import with_depths
from summarizing.text.lines import Line

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
