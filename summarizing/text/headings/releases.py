"""Titles of releases and days: a number in them only rises or falls from each to the next.

First come titles that recur but for that number, at any number of stars. Their versions show which other lines begin a release, too:
those with a version between the ones around them, if they are titles, or begin as titles of releases do and tell of the release at once.
Pure; linear in the lines.
"""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from summarizing.text.blocks.logs_and_field_lists import names_place
from summarizing.text.headings.candidates import (
    MAX_GOING_ON,
    MAX_HEADING_CHARS,
    MAX_HEADING_LINES,
    MAX_PLAIN_HEADING_CHARS,
    RELEASE_LOOK,
    YEAR,
    Candidate,
    end_of_paragraph,
    is_underline,
)
from summarizing.text.headings.looks import goes_on_below, numbered_look
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.lines import COLONS, Line, item_mark, looks_like_prose

_TOKEN_WITH_DIGIT = re.compile(r"\S{0,30}\d\S{0,30}")
_DIGIT = re.compile(r"\d")
_INTEGER = re.compile(r"\d{1,9}")
# "1.3" comes before "1.3.1": what is compared is the whole, as numbers.
_VERSION = re.compile(r"\d{1,9}(?:\.\d{1,9})*+")
_PARTS = re.compile(r"(?<![\w.])[vV]?\d{1,9}(?:[./-]\d{1,9}){1,9}+")
# A version, with a date or a note in brackets at most: it goes on in no text below it, whatever that begins with.
_BARE = re.compile(
    r"(?:\*[ ])?(?:(?:version|release)[ ])?v?\d{1,9}(?:\.\d{1,9}){1,9}+\w{0,8}"
    r"(?:\s{0,9}(?:\([^()]{1,60}\)|[-\u2013\u2014,:]\s[^.;]{0,20}\d{4}(?:-\d\d){0,2}))?:?\Z",
    re.IGNORECASE,
)
# The same with the stage of its development: "5.3beta", "2.0rc1", "0.9.0c".
_STAGED = re.compile(r"\d{1,9}(?:\.\d{1,9})*+(?:[a-z]{1,5}(?:\d{1,3}|\b))?")
# A day may head what changed on it without any word.
_DAY = re.compile(r"(?<![\w.])(?:\d{4}([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2\d{4})(?!\w)")
_WORD = re.compile(r"[^\W\d_]+")
# Of Chinese and Japanese: no title has it, as some of other languages have a full stop.
_END_OF_SENTENCE = "\u3002"
# What a field begins with in reStructuredText, ":date: 2019-03-31", what is no text, and what is quoted.
_SIGNS_OF_OTHERS = (":", ".. ", "'", '"', "`", "\u2018", "\u201c")
# Of a section of an appendix: "B.2 Oars".
_LETTERED_SECTION = re.compile(r"[A-Z](?:\.\d{1,3}){1,5}+[ \t]")
# A rule may fill the rest of a heading's line.
_RULE_SIGNS = "=-~* "
# Headings that recur fewer times show no order.
_MIN_RELEASES = 3
# At least this share of neighbouring release headings has numbers that rise, or that fall, and at most this one the other way.
_MIN_ORDERED = 0.5
_MAX_AGAINST = 0.25


Numbers = list[tuple[int, ...]]
"""The numbers of a line, each with the parts that dots divide it into."""


class _Release(NamedTuple):
    """A paragraph that may be the heading of a release, or its first line alone, with text directly below."""

    first: int
    last: int
    shape: str
    """What recurs: "3.1 (23 May 1993)" is "0 (0 a 0)"."""
    numbers: Numbers
    is_dated: bool
    is_over_text: bool
    is_underlined: bool
    is_sentence: bool
    """Whether it is some words in a row, and names no version."""


def releases_by_line(
    lines: Sequence[Line], opaque: bytearray, taken: Collection[int], marked: Sequence[Candidate]
) -> dict[int, Candidate]:
    """Return what begins the parts of releases, and of days, by the line with its text: titles, and paragraphs that stand as one.

    Lines in `taken`, those of `marked` headings, are none, but for those with stars and underlined ones.
    """
    starred = {one.first for one in marked if one.look[0] == "*"}
    underlined = {one.heading: one for one in marked if one.look[0] == "under" and not one.level}
    found = _recurring(lines, opaque, taken, starred, underlined)
    between = list(_between(lines, opaque, taken, sorted(found)))
    titles = {number: number for number in between if _is_title(lines, number)}
    titles |= found
    paragraphs = {
        first: Candidate(first, end_of_paragraph(lines, first), first, 0, RELEASE_LOOK, is_statement=True)
        for first in between
    }
    return paragraphs | {
        first: underlined[first]._replace(look=RELEASE_LOOK)
        if first in underlined
        else Candidate(first, last, first, 0, RELEASE_LOOK)
        for first, last in titles.items()
    }


def _recurring(
    lines: Sequence[Line],
    opaque: bytearray,
    taken: Collection[int],
    starred: Collection[int],
    underlined: Mapping[int, Candidate],
) -> dict[int, int]:
    """Return the paragraphs that recur but for a number which only rises or falls, each with its last line."""
    groups: dict[str, list[tuple[int, re.Match[str]]]] = {}
    for number, line in enumerate(lines):
        text = line.text
        # Where titles are underlined, a star that marks none is that of an item.
        is_starred = text[0] == "*" and (number in starred or not underlined or _is_bare(text))
        is_inside = (
            line.indent or (number in taken and number not in starred) or not _begins_paragraph(lines, number)
        )
        if (is_inside and number not in underlined) or opaque[number] or not _DIGIT.search(text):
            continue
        is_item = item_mark(text) and not is_starred
        if is_item or text.startswith(_SIGNS_OF_OTHERS) or line.tail.endswith(_END_OF_SENTENCE):
            continue
        value = _TOKEN_WITH_DIGIT.search(text)
        if _is_sentence(line) and ends_sentence(line.tail):
            continue
        is_worded = any(map(str.isalpha, text)) or _DAY.search(text)
        if value is None or "://" in value[0] or not is_worded or names_place(text):
            continue
        groups.setdefault(_beginning(value), []).append((number, value))
    many = (group for group in groups.values() if len(group) >= _MIN_RELEASES)
    alike = [_ordered(lines, list(_releases(lines, group, underlined))) for group in many]
    return {one.first: one.last for group in _over_text([*filter(None, alike)]) for one in group}


def _between(
    lines: Sequence[Line], opaque: bytearray, taken: Collection[int], releases: Sequence[int]
) -> Iterator[int]:
    """Yield titles, however they are worded, and paragraphs that begin as titles of releases do, with a version between those around them."""
    versions = [_version_of(lines[number].text) for number in releases]
    if not versions or not all(versions):
        return
    falls = versions[0] > versions[-1]
    values = (_TOKEN_WITH_DIGIT.search(lines[number].text) for number in releases)
    beginnings = {_beginning(value) for value in values if value}
    latest, version = 0, versions[0]
    for number in range(releases[0] + 1, len(lines)):
        line = lines[number]
        if line.indent or opaque[number] or number in taken or not _begins_paragraph(lines, number):
            continue
        own = _version_of(line.text)
        if not own:
            continue
        at = bisect(releases, number)
        before = version if latest > releases[at - 1] else versions[at - 1]
        behind = versions[at] if at < len(releases) else ()
        first, last = (behind, before) if falls else (before, behind)
        is_between = first < own and (not last or own < last)
        value = _TOKEN_WITH_DIGIT.search(line.text)
        if is_between and value and (_is_title(lines, number) or _beginning(value) in beginnings):
            latest, version = number, own
            yield number


def _beginning(value: re.Match[str]) -> str:
    """Return what stands before the first number of a line; the form of that number where it comes first."""
    return value.string[: value.start()].casefold() or _STAGED.sub("0", value[0])


def _is_bare(text: str) -> bool:
    """Whether a line is a version, alone or with its date."""
    return _BARE.match(text) is not None


def _version_of(text: str) -> tuple[int, ...]:
    """Return the first version or date in a text as numbers; () where it has none."""
    found = _PARTS.search(text)
    return tuple(map(int, _INTEGER.findall(found[0]))) if found else ()


def _begins_paragraph(lines: Sequence[Line], number: int) -> bool:
    return number == 0 or lines[number].gap or is_underline(lines[number - 1].text)


def _over_text(groups: Sequence[Sequence[_Release]]) -> Iterator[Sequence[_Release]]:
    """Yield the groups but for those that mostly stand directly below headings of one that begins before, as the date below a name."""
    above = {one.last + 1: group[0].first for group in groups for one in group}
    for group in groups:
        first = group[0].first
        if 2 * sum(above.get(one.first, first) < first for one in group) <= len(group):
            yield group


def names_release(line: Line) -> bool:
    """Whether a line has a version, a date or a year."""
    return bool(_version_of(line.text) or YEAR.search(line.text))


def _numbers(text: str) -> Numbers:
    return [tuple(map(int, version.split("."))) for version in _VERSION.findall(text)]


def _releases(
    lines: Sequence[Line], group: Iterable[tuple[int, re.Match[str]]], underlined: Mapping[int, Candidate]
) -> Iterator[_Release]:
    """Yield those paragraphs that are no longer than a heading, and lines over text."""
    for number, value in group:
        line = lines[number]
        last = underlined[number].last if number in underlined else _end_of_title(lines, number)
        if last < 0 and not _is_over_text(lines, number):
            continue
        is_bare = _is_bare(line.text)
        shape = "0" if is_bare else _WORD.sub("a", _STAGED.sub("0", line.text.rstrip(_RULE_SIGNS)))
        yield _Release(
            number,
            max(last, number),
            shape,
            _numbers(line.text),
            is_dated=_is_dated(line, value),
            is_over_text=last < 0,
            is_underlined=number in underlined,
            is_sentence=_is_sentence(line),
        )


def _is_sentence(line: Line) -> bool:
    return looks_like_prose(line.text) and not names_release(line)


def _is_dated(line: Line, value: re.Match[str]) -> bool:
    """Whether a line says more than the number of a section: another number, or the version of something and nothing else ("Boat 1.2")."""
    if _LETTERED_SECTION.match(line.text):
        return False
    look = numbered_look(line, is_deeper=False)
    if look is None or _INTEGER.search(line.text, value.end()):
        return True
    return look[0] == "colon" and value.end() == len(line.text)


def _alike(group: Sequence[_Release]) -> Sequence[_Release]:
    """Return a group without lines over text, and sentences without a version, whose shape does not recur.

    Nothing where most have only the number of a section.
    """
    if sum(one.is_dated for one in group) * 2 <= len(group):
        return ()
    shapes = Counter(one.shape for one in group)
    whole = {one.shape for one in group if one.last == one.first}
    return [
        one._replace(last=one.first) if one.shape in whole else one
        for one in group
        if not (one.is_over_text or one.is_sentence) or shapes[one.shape] >= _MIN_RELEASES
    ]


def _is_title(lines: Sequence[Line], number: int) -> bool:
    text = lines[number].text
    return not (item_mark(text) or looks_like_prose(text)) and _is_over_text(lines, number)


def _is_over_text(lines: Sequence[Line], number: int) -> bool:
    """Whether a line is no part of the sentences directly below it."""
    line = lines[number]
    if line.length > MAX_PLAIN_HEADING_CHARS or number + 1 == len(lines) or ends_sentence(line.tail):
        return False
    if _is_bare(line.text):
        return True
    is_new = not lines[number + 1].text[0].islower() or line.tail[-1] in ":" + _RULE_SIGNS
    return is_new and line.tail[-1] not in ",;" and not goes_on_below(lines, number)


def _end_of_title(lines: Sequence[Line], number: int) -> int:
    """Return the last line of a title of few lines; its first where deeper ones follow; -1 where it is longer than a heading."""
    length = 0
    for last in range(number, min(number + MAX_HEADING_LINES, len(lines) - 1)):
        length += lines[last].length
        if length > MAX_HEADING_CHARS:
            return -1
        following = lines[last + 1]
        is_label = following.tail[-1] in COLONS and lines[number].tail[-1] not in COLONS
        if following.gap or following.indent > lines[number].indent or item_mark(following.text) or is_label:
            return last
    return -1


def _ordered(lines: Sequence[Line], group: Sequence[_Release]) -> Sequence[_Release]:
    """Return what of a group heads the parts of releases, in order; nothing where that is no part or in no order."""
    short = _alike(group)
    going_on = {one.first for one in short if _goes_on(lines, one)}
    if len(going_on) <= MAX_GOING_ON * len(short):
        going_on = set()
    heads = [one for one in short if one.first not in going_on]
    # Where titles name releases, paragraphs may begin as they do.
    may_go_on = not going_on or all(names_release(lines[one.first]) for one in heads)
    return heads if may_go_on and _is_ordered(heads) else ()


def _goes_on(lines: Sequence[Line], one: _Release) -> bool:
    is_apart = one.is_underlined or _is_bare(lines[one.first].text)
    return not is_apart and goes_on_below(lines, one.last)


def _is_ordered(group: Sequence[_Release]) -> bool:
    if len(group) < _MIN_RELEASES or not _rise_or_fall([one.numbers for one in group]):
        return False
    # Consecutive paragraphs head no text.
    stand_over = sum(later.first > one.last + 1 for one, later in pairwise(group))
    return stand_over >= _MIN_ORDERED * (len(group) - 1)


def _rise_or_fall(numbers: Sequence[Numbers]) -> bool:
    pairs = list(pairwise(numbers))
    rising = sum(later > earlier for earlier, later in pairs)
    falling = sum(later < earlier for earlier, later in pairs)
    return max(rising, falling) >= _MIN_ORDERED * len(pairs) and min(rising, falling) <= _MAX_AGAINST * len(
        pairs
    )
