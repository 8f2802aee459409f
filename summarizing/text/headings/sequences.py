"""Numbers that count on from one part of a text to the next: either all of them are headings, or none.

Where a paragraph has the number that comes after a heading's, the heading's text ends there, whatever the paragraph looks like. Pure;
linear in the lines.
"""

import re
from collections.abc import Collection, Sequence

from summarizing.text.lines import Line

_NUMBER = re.compile(r"((?:\d{1,3}\.){0,5})(\d{1,3})([.)]?)[ \t\xa0\u3000]{1,9}+\S")

_Key = tuple[int, str, str]


def mixed_sequences(
    lines: Sequence[Line], opaque: bytearray, headings: Collection[int]
) -> tuple[set[int], dict[int, int]]:
    """Return which headings are items of a list, and which paragraphs end a heading's text, each with a heading of their sequence.

    Headings that are at most half of their sequence are items.
    """
    items: set[int] = set()
    ends: dict[int, int] = {}
    for sequence in _sequences(lines, opaque, headings):
        own = [number for number in sequence if number in headings]
        others = [number for number in sequence if number not in headings]
        if len(own) <= len(others):
            items.update(own)
        elif others:
            ends.update(dict.fromkeys(others, own[0]))
    return items, ends


def _sequences(lines: Sequence[Line], opaque: bytearray, headings: Collection[int]) -> list[list[int]]:
    """Return the lines whose numbers count on; where two sequences wait for one number, a heading goes on with a heading's."""
    waiting: dict[tuple[_Key, int, bool], list[int]] = {}
    found: list[list[int]] = []
    for number, line in enumerate(lines):
        mark = (
            _NUMBER.match(line.text) if line.gap and line.text[0].isdecimal() and not opaque[number] else None
        )
        if mark is None:
            continue
        key, value, is_heading = (line.indent, mark[1], mark[3]), int(mark[2]), number in headings
        sequence = waiting.pop((key, value, is_heading), None) or waiting.pop(
            (key, value, not is_heading), None
        )
        if sequence is None:
            sequence = []
            found.append(sequence)
        sequence.append(number)
        waiting[key, value + 1, is_heading] = sequence
    return found
