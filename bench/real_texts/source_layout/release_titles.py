"""Titles of releases in a source: paragraphs that recur but for a number, names with days, titles in boxes, and underlines that take each other's place.

Independent of the service's own parser on purpose, since that one is judged by this. Pure; marks the lines it is given.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from bench.real_texts.source_layout.source_headings import (
    LOWEST,
    MIN_MARKED,
    OUTLINE,
)
from bench.real_texts.source_layout.source_lines import ITEM, MOST_TITLE_LINES, UNDERLINE, Line

_COUNTED = re.compile(r"^[(\[]?(?:[^\W_a-z]\w{0,11}\s?)?[\d.]+[.)\]:]?(?:\s|$)|^[-*+•(\[]\s?\w{0,3}[)\]]?\s")
_VALUE = re.compile(r"\S*\d\S*")
# It counts nothing, and begins another part even where a sentence goes on behind it.
_DAY = re.compile(r"^\d{4}([./-])\d\d\1\d\d\s")
# The version of something, with its day at most, as over what is new in it: "Version 1.2 - 8-Jul-2012".
_VERSION = re.compile(r"^[^\W\d_]\w*\s\d+(?:\.\d+)+(?:\s-\s[\w-]{0,20}\d{4})?:?$")
# What is said of no section and no step: a version, a date.
_NUMBERS_OF_RELEASE = re.compile(r"\d+(?:\.\d+)+|\d{4}-\d\d-\d\d")
# Who changed something on a day, as in a history of git that is told as news: "Ada Ash (8 Nov 2018)"; what was released on one.
_WITH_DAY = r" \(\d\d? [^\W\d_]{3,9} \d{4}\)$"
_NAME_WITH_DAY = re.compile(r"^(?!.*\d\.\d)[^\W\d_][^()<>:;]{0,60}" + _WITH_DAY)
_VERSION_WITH_DAY = re.compile(r"^(?:[^\W\d_]\w* )?v?\d+(?:\.\d+)+" + _WITH_DAY)
# The number of a page stands at the end of a foot, and a form feed begins the next page.
_FOOT = re.compile(r"\b[Pp]age\s\d+\W?\s*$")
_FORM_FEED = "\f"
_LEAST_BOX_WIDTH = 10


def mark_names(lines: Sequence[Line]) -> None:
    """Mark names with days that stand alone over items or other names, as titles below versions with days; where signs mark titles, none."""
    if any(line.heading and not line.is_unmarked for line in lines):
        return
    texts = [
        (number, line.text) for number, line in enumerate(lines) if line.text.strip() and not line.is_code
    ]
    names, versions = list[Line](), list[Line]()
    for (above, _), (number, text), (below, other) in zip([(-2, ""), *texts], texts, texts[1:], strict=False):
        if not above + 1 < number < below - 1:
            continue
        if _VERSION_WITH_DAY.match(text):
            versions.append(lines[number])
        elif _NAME_WITH_DAY.match(text) and (ITEM.match(other) or _NAME_WITH_DAY.match(other)):
            names.append(lines[number])
    for line in [*names, *versions] if len(names) >= MIN_MARKED else ():
        line.heading, line.title, line.is_unmarked = 1, line.text, True
    for line in names if len(names) >= MIN_MARKED and versions else ():
        line.heading = 2


def mark_releases(lines: Sequence[Line]) -> None:
    """Mark the first lines of paragraphs that recur but for a number which rises or falls: each begins another part.

    Where signs mark titles, such paragraphs end them only if all of them name a version or a day.
    """
    has_signs = any(line.heading and not line.is_unmarked and not OUTLINE.match(line.text) for line in lines)
    for group in _recurring(lines):
        pairs = list(pairwise(numbers for _, numbers in group))
        against, ordered = sorted(
            [sum(one < other for one, other in pairs), sum(one > other for one, other in pairs)]
        )
        if len(group) < MIN_MARKED or not ordered * 2 >= len(pairs) >= against * 4:
            continue
        found = [lines[number] for number, _ in group]
        below = sum(_is_below_title(lines, number) for number, _ in group)
        if has_signs and (
            below * 2 > len(group) or not all(_NUMBERS_OF_RELEASE.search(line.text) for line in found)
        ):
            continue
        ends = _level_of_parts(lines[group[0][0] : group[-1][0]]) if has_signs else 1
        for line in found:
            line.ends = line.ends or (0 if line.heading else ends)


def _recurring(lines: Sequence[Line]) -> list[list[tuple[int, list[int]]]]:
    """Return first lines of paragraphs that begin alike up to a number, with their numbers."""
    groups: dict[str, list[tuple[int, list[int]]]] = {}
    before = ""
    for number, line in enumerate(lines):
        begins = not before.strip() or UNDERLINE.match(before)
        before = line.text
        if not begins or line.is_code or not line.text[:1].strip():
            continue
        if _FOOT.search(line.text) or _FORM_FEED in lines[min(number + 1, len(lines) - 1)].text:
            continue
        is_day = _DAY.match(line.text) is not None
        if _COUNTED.match(line.text) and not (is_day or _VERSION.match(line.text.rstrip())):
            continue
        if (line.text.rstrip()[-1] in ".,;" and not is_day) or line.text[0] == "#":
            continue
        if value := _VALUE.search(line.text):
            numbers = [int(one) for one in re.findall(r"\d+", value[0])]
            key = line.text[: value.start()] or re.sub(r"\d+", "0", value[0])
            groups.setdefault(key, []).append((number, numbers))
    return list(groups.values())


def _is_below_title(lines: Sequence[Line], number: int) -> bool:
    """Whether a line is the first below a marked title, as the day of a release below its name."""
    above = (line for line in lines[number - 1 :: -1] if line.text.strip() and not UNDERLINE.match(line.text))
    title = next(above, None) if number else None
    return title is not None and title.heading > 0 and not title.is_unmarked


def _level_of_parts(lines: Sequence[Line]) -> int:
    """Return the highest level of the titles between releases, which each release ends; below all others where there are none."""
    return min((line.heading for line in lines if line.heading), default=LOWEST)


def mark_boxes(lines: Sequence[Line]) -> None:
    """Mark the first of some lines between two equal rules, with nothing directly below them, as a title above all others.

    One line that is as long as the rule below it is a title already.
    """
    found: list[tuple[int, int]] = []
    for number, rule in enumerate(lines):
        sign = rule.text.strip()
        above = lines[number - 1].text.strip() if number else ""
        is_rule = len(sign) >= _LEAST_BOX_WIDTH and sign[0] != "#" and UNDERLINE.match(sign)
        if rule.is_code or not is_rule or (above and not UNDERLINE.match(above)):
            continue
        last = next(
            (
                at
                for at in range(number + 1, min(number + MOST_TITLE_LINES + 2, len(lines)))
                if not lines[at].text.strip() or UNDERLINE.match(lines[at].text.strip())
            ),
            number,
        )
        is_apart = last + 1 == len(lines) or not lines[last + 1].text.strip()
        is_box = lines[last].text == rule.text and last > number + 1 and is_apart
        below = next((lines[at] for at in range(last + 1, len(lines)) if lines[at].text.strip()), rule)
        if rule.indent and below.indent >= rule.indent:
            continue  # in the midst of indented text
        if is_box and not any(line.heading and not line.is_unmarked for line in lines[number:last]):
            found.append((number + 1, last))
    for line in lines if len(found) >= MIN_MARKED else ():
        line.heading += line.heading > 0
    for number, last in found if len(found) >= MIN_MARKED else ():
        lines[number].heading, lines[number].is_unmarked = 1, False
        lines[number].title = " ".join(line.text.strip() for line in lines[number:last])


def join_styles(lines: Sequence[Line]) -> None:
    """Raise titles of releases to the level of those before them which were underlined in another way.

    All of them stand below the last one of these, and the first has the version that comes next: the writer changed the sign.
    """
    marked = [
        line for line in lines if line.heading and not line.is_unmarked and not OUTLINE.match(line.text)
    ]
    if any(line.text[0] in "#=" for line in marked):
        return
    for upper, lower in pairwise(sorted({line.heading for line in marked})):
        older = [line for line in marked if line.heading == lower]
        newer = [line for line in marked if line.heading == upper]
        is_below = newer[-1].start < older[0].start
        versions = [_version(line) for line in (*newer[-2:], older[0])]
        if is_below and len(newer) > 1 and all(versions) and versions == sorted(versions, reverse=True):
            for line in older:
                line.heading = upper
            return


def _version(line: Line) -> list[int]:
    found = _NUMBERS_OF_RELEASE.search(line.text)
    return list(map(int, re.findall(r"\d+", found[0]))) if found else []
