"""Titles of releases and days: paragraphs that recur but for a number which only rises or falls.

Pure; linear in the lines.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from summarizing.text.heading_candidates import MAX_TITLE_CHARS, MAX_TITLE_LINES, is_underline
from summarizing.text.heading_looks import numbered_look
from summarizing.text.lines import Line, item_mark

_TOKEN_WITH_DIGIT = re.compile(r"\S{0,30}\d\S{0,30}")
_INTEGER = re.compile(r"\d{1,9}")
# Titles that recur fewer times show no order.
_MIN_RELEASES = 3
# At least this share of neighbouring release titles has numbers that rise, or that fall, and at most this one the other way.
_MIN_ORDERED = 0.5
_MAX_AGAINST = 0.25


def releases_by_line(lines: Sequence[Line], opaque: bytearray, taken: set[int]) -> dict[int, int]:
    """Return paragraphs that recur but for a number which only rises or falls: over what changed in a release, or on a day."""
    groups: dict[str, list[tuple[int, int, list[int]]]] = {}
    for number, line in enumerate(lines):
        is_apart = line.gap or is_underline(lines[number - 1].text)
        if not is_apart or line.indent or opaque[number] or number in taken or item_mark(line.text):
            continue
        if numbered_look(line, is_deeper=False) or not any(map(str.isalpha, line.text)):
            continue
        value = _TOKEN_WITH_DIGIT.search(line.text)
        last = _end_of_paragraph(lines, number)
        if value is None or last < 0:
            continue
        key = line.text[: value.start()].casefold() or _INTEGER.sub("0", value[0])
        groups.setdefault(key, []).append((number, last, list(map(int, _INTEGER.findall(value[0])))))
    return {first: last for group in groups.values() if _is_ordered(group) for first, last, _ in group}


def _end_of_paragraph(lines: Sequence[Line], number: int) -> int:
    """Return the last line of a paragraph of few lines; its first where deeper ones follow; -1 where it is longer than a title."""
    length = 0
    for last in range(number, min(number + MAX_TITLE_LINES, len(lines) - 1)):
        length += lines[last].length
        if length > MAX_TITLE_CHARS:
            return -1
        following = lines[last + 1]
        if following.gap or following.indent > lines[number].indent:
            return last
    return -1


def _is_ordered(group: Sequence[tuple[int, int, list[int]]]) -> bool:
    pairs = list(pairwise(value for _, _, value in group))
    rising = sum(later > earlier for earlier, later in pairs)
    falling = sum(later < earlier for earlier, later in pairs)
    is_ordered = max(rising, falling) >= _MIN_ORDERED * len(pairs)
    # Consecutive paragraphs head no text.
    stand_over = sum(later > last + 1 for (_, last, _), (later, _, _) in pairwise(group))
    is_over_text = stand_over >= _MIN_ORDERED * len(pairs)
    return (
        len(group) >= _MIN_RELEASES
        and is_ordered
        and is_over_text
        and min(rising, falling) <= _MAX_AGAINST * len(pairs)
    )
