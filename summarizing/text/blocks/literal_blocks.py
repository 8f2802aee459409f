"""Literal blocks: indented lines that stand as they are since the line above ends with "::" (reStructuredText), and doctests.

Pure; linear in the lines. Refuses AsciiDoc, where "::" ends a term. What stands inside is put by parsing.py.
"""

from collections.abc import Sequence
from itertools import pairwise

from summarizing.text.lines import Line, item_mark, mark_lines

# reStructuredText's directives whose content is no text: docutils, "Code" and "Parsed Literal Block"; Sphinx, "Showing code examples".
# docutils, "Doctest Blocks": they begin with Python's prompt, and end with a blank line.
_PROMPT = ">>> "
_DIRECTIVES = (".. code", ".. parsed-literal::", ".. sourcecode::", ".. prompt::", ".. highlight::")


def literal_blocks(lines: Sequence[Line], opaque: bytearray) -> dict[int, int]:
    """Return the first and last line of each literal block; lines marked in `opaque` are in none, and announce none."""
    found: dict[int, int] = {}
    last = -1
    for number, (above, line) in enumerate(pairwise(lines), 1):
        # Most lines are indented no further than the one above.
        if not line.gap or opaque[number] or number <= last:
            continue
        if line.indent > above.indent and _is_over(above, line):
            found[number] = last = _last(lines, number, opaque)
        elif line.text.startswith(_PROMPT):
            found[number] = last = _last_of_doctest(lines, number, opaque)
    return found


def outside_of_literals(text: str, lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines of a text that are in no literal block: the others are examples, and do not show what the text is."""
    if "::" not in text and _PROMPT not in text:
        return lines
    inside = bytearray(len(lines))
    mark_lines(inside, literal_blocks(lines, inside))
    return [line for line, is_inside in zip(lines, inside, strict=True) if not is_inside]


def _is_over(above: Line, line: Line) -> bool:
    """Whether a line announces the block that begins with the next one."""
    is_announced = above.text.startswith(_DIRECTIVES) or (
        above.tail.endswith("::") and not above.text.startswith(".. ")
    )
    return is_announced and line.indent > _indent_of_text(above)


def _indent_of_text(line: Line) -> int:
    """Return how far the text of a line is indented, behind the sign of an item."""
    return line.indent + item_mark(line.text)


def _last(lines: Sequence[Line], first: int, opaque: bytearray) -> int:
    """Return the last line of a block: it ends where a line is not indented further than what announces it."""
    outer, last = _indent_of_text(lines[first - 1]), first
    while last + 1 < len(lines) and not opaque[last + 1] and lines[last + 1].indent > outer:
        last += 1
    return last


def _last_of_doctest(lines: Sequence[Line], first: int, opaque: bytearray) -> int:
    last = first
    while last + 1 < len(lines) and not (opaque[last + 1] or lines[last + 1].gap):
        last += 1
    return last
