"""Literal blocks: indented lines that stand as they are since the line above ends with "::" (reStructuredText) or ">" (Vim's help).

Pure; linear in the lines. Refuses AsciiDoc, where "::" ends a term. What stands inside is put by parsing.py.
"""

from collections.abc import Sequence
from itertools import pairwise

from summarizing.text.lines import Line, item_mark

# reStructuredText's directives whose content is no text: docutils, "Code" and "Parsed Literal Block"; Sphinx, "Showing code examples".
_DIRECTIVES = (".. code", ".. parsed-literal::", ".. sourcecode::", ".. prompt::", ".. highlight::")

# A line that ends with ">" means nothing by itself where others do not: in Vim's help files examples recur.
MIN_EXAMPLES = 2


def literal_blocks(lines: Sequence[Line], opaque: bytearray) -> dict[int, int]:
    """Return the first and last line of each literal block; lines marked in `opaque` are in none, and announce none."""
    over = [
        number
        for number, (above, line) in enumerate(pairwise(lines), 1)
        # Most lines are indented no further than the one above.
        if line.indent > above.indent and not opaque[number] and _is_over(above, line)
    ]
    examples = sum(_announces_example(lines[number - 1]) for number in over)
    found: dict[int, int] = {}
    last = -1
    for number in over:
        is_example = _announces_example(lines[number - 1])
        if number > last and (not is_example or examples >= MIN_EXAMPLES):
            last = _last(lines, number, opaque, is_example=is_example)
            found[number] = last
    return found


def _is_over(above: Line, line: Line) -> bool:
    """Whether a line is the first of a block that the line above announces."""
    # Most lines end with another sign.
    if above.tail[-1] not in ":>" and above.text[0] != ".":
        return False
    if line.indent <= _indent_of_text(above):
        return False
    return (line.gap and _announces_literal(above)) or _announces_example(above)


def _announces_literal(line: Line) -> bool:
    if line.text.startswith(".. "):
        return line.text.startswith(_DIRECTIVES)
    return line.tail.endswith("::")


def _announces_example(line: Line) -> bool:
    return line.tail.endswith(" >") or line.tail == ">"


def _indent_of_text(line: Line) -> int:
    """Return how far the text of a line is indented, behind the sign of an item."""
    return line.indent + item_mark(line.text)


def _last(lines: Sequence[Line], first: int, opaque: bytearray, *, is_example: bool) -> int:
    """Return the last line of a block: it ends where a line is not indented further than what announces it; Vim ends one with "<", too."""
    outer, last = _indent_of_text(lines[first - 1]), first
    while last + 1 < len(lines) and not opaque[last + 1]:
        line = lines[last + 1]
        if is_example and line.text[0] == "<" and line.indent == 0:
            return last + 1 if line.length == 1 else last
        if line.indent <= outer:
            break
        last += 1
    return last
