"""List items, and what introduces a list.

Pure. Where an item begins is decided by its sign and by what stands above it; its lines are joined in wrapped_lines.py.
"""

import re
from collections.abc import Sequence

from summarizing.text.document import SegmentKind
from summarizing.text.document_builder import Builder, span_of
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.lines import COLONS, Line, item_mark

# A line that introduces what comes next is short.
MAX_LEAD_IN_CHARS = 300

_FIRST_NUMBER = re.compile(r"\(?(?:0?1|[aAiI])[.)]|\[1\]|#\.")
_NUMBER = re.compile(r"\d+")
_COUNT = re.compile(r"([0-9]{1,4}+)([.)])\s++\S")


def begins_item(lines: Sequence[Line], first: int, number: int, mark: int) -> bool:
    """Whether a list sign begins an item. CommonMark 5.2: "only lists starting with 1" interrupt a paragraph."""
    line, text, before = lines[number], lines[number].text, lines[number - 1]
    is_open = not ends_sentence(before.tail) and before.tail[-1] not in COLONS + ";"
    own_mark = text[: item_mark(text)].rstrip()
    if mark and len(own_mark) == line.length and (is_open or line.indent > lines[first].indent):
        return False  # a number that ends the item's sentence
    if own_mark.endswith("):") and before.tail[-1] in ",)":
        return False  # more names of what has changed
    is_number_in_text = text[0].isdigit() and not lines[first].text[0].isdigit()
    # "on the road to polkit", "1.0. The API may change."
    is_version = not mark and own_mark.count(".") > 1 and not _is_over_item(lines, number)
    if is_open and (is_version or (mark and is_number_in_text and not _FIRST_NUMBER.match(text))):
        return False
    if mark and is_open and own_mark.count(".") > 1 and line.indent > lines[first].indent:
        return own_mark.startswith(lines[first].text[:mark].rstrip())  # else it is a version
    if not (text[0].isalnum() or text[0] in "(["):
        return line.length > 1
    return mark > 0 or _FIRST_NUMBER.match(text) is not None


def _is_over_item(lines: Sequence[Line], number: int) -> bool:
    return number + 1 < len(lines) and item_mark(lines[number + 1].text) > 0


def lines_that_count(lines: Sequence[Line]) -> set[int]:
    """Return the lines that begin with a number one more or one less than that of the next such line: they are items."""
    last: dict[tuple[int, str], tuple[int, int]] = {}
    found: set[int] = set()
    for number, line in enumerate(lines):
        if count := _COUNT.match(line.text) if line.text[0].isdecimal() else None:
            key, value = (line.indent, count[2]), int(count[1])
            before, number_before = last.get(key, (value, number))
            if abs(value - before) == 1:
                found |= {number_before, number}
            last[key] = value, number
    return found


def is_lead_in(text: str, start: int, end: int) -> bool:
    """Whether a stretch of a text introduces what comes next: it is short and ends with a colon."""
    return text[end - 1] in COLONS and end - start <= MAX_LEAD_IN_CHARS


def put_item(builder: Builder, lines: Sequence[Line], mark_length: int) -> None:
    """Add an item; items with another sign, and what is indented further, hang on it where it introduces them."""
    line = lines[0]
    mark = _class_of_mark(line.text[:mark_length].strip())
    parent = builder.parent_of_item(line.indent, mark)
    start, end = span_of(lines)
    index = builder.put_item((start, end), SegmentKind.ITEM, parent)
    if is_lead_in(builder.text, start, end) or _is_over_items(line, builder.next_line):
        builder.hang_items_below(line.indent, index, mark)
    builder.hang_below_item(line.indent, index, mark)
    last = len(builder.segments) - 1
    if last > index and is_lead_in(builder.text, builder.segments[last].start, end):
        builder.hang_below(lines[-1].indent, last)


def _is_over_items(line: Line, following: Line | None) -> bool:
    """Whether a starred line stands directly over items with a dash, as rpm's changes do below who made them and when."""
    if following is None or following.gap or following.indent != line.indent:
        return False
    return line.text.startswith("* ") and following.text.startswith("- ")


def _class_of_mark(mark: str) -> str:
    """Return what the marks of a list have in common: "12." and "3." are both "1.", "b)" is "a)"."""
    return "a" + mark[-1] if mark.strip("(.)").isalpha() else _NUMBER.sub("1", mark)
