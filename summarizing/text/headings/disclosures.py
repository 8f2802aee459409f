"""What a text folds away with HTML's tags (`<details>`, HTML 4.11.1), as Markdown may: the words of `<summary>` are its title.

Pure; linear in the lines. A page that is HTML as a whole has a reader of its own: html/page_text.py.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from summarizing.text.headings.candidates import MAX_HEADING_LINES, Heading
from summarizing.text.lines import LOOK_CHARS, Line, mark_lines

# What stands deeper is part of the title above it: a section hangs on all those that it is part of.
MAX_NESTED = 8

_OPENING, _TITLE, _END_OF_TITLE, _CLOSING = "<details", "<summary", "</summary>", "</details>"
_TAG = re.compile(r"<(?:details|summary)\b[^<>]{0,200}+>|</(?:details|summary)>", re.IGNORECASE)
_IS_CLOSED = re.compile(_CLOSING, re.IGNORECASE)


class Disclosure(NamedTuple):
    """The lines of a part that is folded away: where it opens, its title, and the line that closes it."""

    opening: int
    first: int
    last: int
    closing: int


class Sections(NamedTuple):
    """A text's headings with the titles of what it folds away, and where the parts of these end."""

    headings: dict[int, Heading]
    ends: dict[int, int]
    """The level that ends at a line, which closes a part."""
    openings: frozenset[int]


def with_tags_apart(text: str, lines: Sequence[Line], fences: Mapping[int, int]) -> Sequence[Line]:
    """Return the lines with the tags of what is folded away on lines of their own, each title between its tags."""
    if not _IS_CLOSED.search(text):
        return lines
    inside = bytearray(len(lines))
    mark_lines(inside, fences)
    found: list[Line] = []
    for number, line in enumerate(lines):
        is_tagged = not inside[number] and (line.text[0] == "<" or _ends(line, _CLOSING))
        found += _parts(text, line) if is_tagged else [line]
    return found


def _parts(text: str, line: Line) -> list[Line]:
    cuts = [line.start]
    for tag in _TAG.finditer(text, line.start, line.end):
        if tag[0].lower() != _END_OF_TITLE:
            cuts.append(tag.start())
        if not _is_title_tag(tag[0]):
            cuts.append(tag.end())
    found: list[Line] = []
    for begin, end in zip(cuts, [*cuts[1:], line.end], strict=True):
        if part := text[begin:end].strip():
            start = text.index(part[0], begin)
            # A paragraph begins below a title.
            gap = _ends(found[-1], _END_OF_TITLE) if found else line.gap
            first, last = part[:LOOK_CHARS], part[-LOOK_CHARS:]
            found.append(line._replace(start=start, end=start + len(part), text=first, tail=last, gap=gap))
    return found


def _is_title_tag(text: str) -> bool:
    """Whether a text begins with the tag of a title."""
    return _begins(text, _TITLE)


def _begins(text: str, tag: str) -> bool:
    return text[: len(tag)].lower() == tag


def _ends(line: Line, tag: str) -> bool:
    return line.tail[-len(tag) :].lower() == tag


def disclosures(lines: Sequence[Line], opaque: bytearray) -> list[Disclosure]:
    """Return what is folded away, in the order of its titles: with a title, and closed."""
    found: list[Disclosure] = []
    opened: list[tuple[int, range]] = []
    for number, line in enumerate(lines):
        if line.text[0] != "<" or opaque[number]:
            continue
        if _begins(line.text, _OPENING):
            opened.append((number, range(0)))
        elif _is_title_tag(line.text) and opened and not opened[-1][1]:
            opened[-1] = opened[-1][0], _title(lines, number)
        elif _begins(line.text, _CLOSING) and opened:
            opening, title = opened.pop()
            if title and len(opened) < MAX_NESTED:
                found.append(Disclosure(opening, title[0], title[-1], number))
    return sorted(found)


def _title(lines: Sequence[Line], number: int) -> range:
    """Return the lines of a title; none where it is not closed."""
    for last in range(number, min(number + MAX_HEADING_LINES, len(lines))):
        if _ends(lines[last], _END_OF_TITLE):
            return range(number, last + 1)
    return range(0)


def with_titles(
    lines: Sequence[Line], headings_at: Mapping[int, Heading], folded: Sequence[Disclosure]
) -> Sections:
    """Return the headings with the titles of what is folded away, each a level below the heading above it, and those inside below that title."""
    tags = {
        number for one in folded for number in (one.opening, *range(one.first, one.last + 1), one.closing)
    }
    found = {
        first: heading
        for first, heading in headings_at.items()
        if tags.isdisjoint(range(first, heading.last + 1))
    }
    highest = _highest_inside(found, folded)
    ends: dict[int, int] = {}
    starts = {one.first: one for one in folded}
    closings = {one.closing: one for one in folded}
    level, inner, outer = 0, 0, list[tuple[int, int]]()
    for number in sorted({*found, *starts, *closings}):
        if one := starts.get(number):
            outer.append((level, inner))
            level = max(level + 1, 1)
            inner = max(level + 1 - highest.get(one, level + 1), 0)
            found[number] = _heading(lines, one, level)
        elif one := closings.get(number):
            ends[number] = found[one.first].level
            level, inner = outer.pop()
        else:
            level = found[number].level + inner
            found[number] = found[number]._replace(level=level)
    return Sections(dict(sorted(found.items())), ends, frozenset(one.opening for one in folded))


def _highest_inside(
    headings_at: Mapping[int, Heading], folded: Sequence[Disclosure]
) -> dict[Disclosure, int]:
    """Return the level of the highest heading inside of each part that is folded away, but for those inside of an inner one."""
    highest: dict[Disclosure, int] = {}
    starts = {one.first: one for one in folded}
    opened: list[Disclosure] = []
    for number in sorted({*headings_at, *starts}):
        while opened and opened[-1].closing < number:
            opened.pop()
        if number in starts:
            opened.append(starts[number])
        elif opened:
            highest[opened[-1]] = min(
                highest.get(opened[-1], headings_at[number].level), headings_at[number].level
            )
    return highest


def _heading(lines: Sequence[Line], one: Disclosure, level: int) -> Heading:
    start, end = lines[one.first].start, lines[one.last].end
    return Heading(one.first, one.last, start, end, level, is_statement=False, is_marked=True)
