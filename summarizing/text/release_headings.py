"""Headings of releases and days: paragraphs that recur but for a number which only rises or falls, at any length or number of stars.

An underlined heading may be one, too. Where some releases are told of in a paragraph that begins as the headings of others do, it ends
the part above it. Pure; linear in the lines.
"""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, starmap
from operator import gt, lt
from typing import NamedTuple

from summarizing.text.heading_candidates import (
    MAX_GOING_ON,
    MAX_HEADING_CHARS,
    MAX_HEADING_LINES,
    MAX_PLAIN_HEADING_CHARS,
    Candidate,
    end_of_paragraph,
    is_underline,
    width_at,
)
from summarizing.text.heading_looks import goes_on_below, numbered_look
from summarizing.text.lines import Line, is_full, item_mark, looks_like_prose
from summarizing.text.sentence_spans import ends_sentence

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
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
# Of Chinese and Japanese: no title has it, as some of other languages have a full stop.
_END_OF_SENTENCE = "\u3002"
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
    is_run_in: bool = False
    """Whether it is a paragraph of sentences: it heads what follows, and says something by itself."""


class Releases(NamedTuple):
    """Where the parts of releases begin: the first line of each, with its last one."""

    headings: dict[int, int]
    paragraphs: dict[int, int]
    """Those that say something by themselves."""


def releases_by_line(
    lines: Sequence[Line],
    opaque: bytearray,
    taken: Collection[int],
    starred: Collection[int],
    underlined: Mapping[int, Candidate],
) -> Releases:
    """Return paragraphs that recur but for a number which only rises or falls: over what changed in a release, or on a day.

    Lines in `taken` are none, but for headings with stars, `starred`, and `underlined` ones, by the lines of their texts.
    """
    groups: dict[str, list[tuple[int, re.Match[str]]]] = {}
    for number, (_, _, indent, text, gap, tail, _, _) in enumerate(lines):
        # Where titles are underlined, a star that marks none is that of an item.
        is_starred = text[0] == "*" and (number in starred or not underlined or _is_bare(text))
        begins = gap or is_underline(lines[number - 1].text)
        is_inside = indent or not begins or (number in taken and number not in starred)
        if (is_inside and number not in underlined) or opaque[number] or not _DIGIT.search(text):
            continue
        if (item_mark(text) and not is_starred) or tail.endswith(_END_OF_SENTENCE):
            continue
        value = _TOKEN_WITH_DIGIT.search(text)
        is_worded = any(map(str.isalpha, text)) or _DAY.search(text)
        if value is None or "://" in value[0] or not is_worded:
            continue
        key = text[: value.start()].casefold() or _STAGED.sub("0", value[0])
        groups.setdefault(key, []).append((number, value))
    likely = (group for group in groups.values() if _may_be_ordered(lines, group))
    alike = [_ordered(lines, list(_releases(lines, group, underlined))) for group in likely]
    found = [one for group in _over_text([*filter(None, alike)]) for one in group]
    missed = _missed(lines, opaque, taken, sorted(one.first for one in found))
    return Releases(
        {one.first: one.last for one in found if not one.is_run_in} | {number: number for number in missed},
        {one.first: one.last for one in found if one.is_run_in},
    )


def _missed(
    lines: Sequence[Line], opaque: bytearray, taken: Collection[int], releases: Sequence[int]
) -> Iterator[int]:
    """Yield lines over text with a version between those of the releases around them, however they are worded."""
    versions = [_version_of(lines[number].text) for number in releases]
    pairs = [(one, other) for one, other in pairwise(versions) if one and other]
    if len(pairs) < len(releases) - 1 or not pairs:
        return
    falls = sum(one > other for one, other in pairs) > sum(one < other for one, other in pairs)
    for number in range(releases[0] + 1, len(lines)):
        line = lines[number]
        if line.indent or opaque[number] or number in taken or not _begins_paragraph(lines, number):
            continue
        at = bisect(releases, number)
        own = _version_of(line.text)
        before, behind = versions[at - 1], versions[at] if at < len(releases) else ()
        first, last = (behind, before) if falls else (before, behind)
        is_between = own and first < own and (not last or own < last)
        if is_between and item_mark(line.text) == 0 and _is_apart(lines, number):
            yield number


def _is_apart(lines: Sequence[Line], number: int) -> bool:
    """Whether a line is short, no sentence, and does not go on in the next one."""
    line = lines[number]
    if line.length > MAX_PLAIN_HEADING_CHARS or number + 1 == len(lines) or ends_sentence(line.tail):
        return False
    if looks_like_prose(line.text):
        return False
    return _is_bare(line.text) or (line.tail[-1] not in ",;" and not goes_on_below(lines, number))


def _is_bare(text: str) -> bool:
    """Whether a line is a version, alone or with its date."""
    return _BARE.match(text) is not None


def _version_of(text: str) -> tuple[int, ...]:
    """Return the first version or date in a text as numbers; () where it has none."""
    found = _PARTS.search(text)
    return tuple(map(int, _INTEGER.findall(found[0]))) if found else ()


def _begins_paragraph(lines: Sequence[Line], number: int) -> bool:
    return lines[number].gap or is_underline(lines[number - 1].text)


def _over_text(groups: Sequence[Sequence[_Release]]) -> Iterator[Sequence[_Release]]:
    """Yield the groups but for those that mostly stand directly below headings of one that begins before, as the date below a name."""
    above = {one.last + 1: group[0].first for group in groups for one in group}
    for group in groups:
        first = group[0].first
        if 2 * sum(above.get(one.first, first) < first for one in group) <= len(group):
            yield group


def _names_release(line: Line) -> bool:
    """Whether a line has a version, a date or a year."""
    return bool(_version_of(line.text) or _YEAR.search(line.text))


def _may_be_ordered(lines: Sequence[Line], group: Sequence[tuple[int, re.Match[str]]]) -> bool:
    """Whether paragraphs are enough to show an order, have more than one number, and are in order: all of them, or some where others are long."""
    if len(group) < _MIN_RELEASES:
        return False
    numbers = [_numbers(lines[number].text) for number, _ in group]
    if _rise_or_fall(numbers):
        return True
    are_long = any(_end_of_title(lines, number) < 0 for number, _ in group)
    return are_long and any(one != numbers[0] for one in numbers)


def _numbers(text: str) -> Numbers:
    return [tuple(map(int, version.split("."))) for version in _VERSION.findall(text)]


def _releases(
    lines: Sequence[Line], group: Iterable[tuple[int, re.Match[str]]], underlined: Mapping[int, Candidate]
) -> Iterator[_Release]:
    """Yield those paragraphs that are no longer than a heading, lines over text, and longer ones that recur but for their numbers."""
    ends = {
        number: underlined[number].last if number in underlined else _end_of_title(lines, number)
        for number, _ in group
    }
    are_long = {number for number, last in ends.items() if last < 0 and not _is_over_text(lines, number)}
    # Each paragraph is read once, from its first line.
    firsts = (number for number in ends if _begins_paragraph(lines, number))
    wholes = {number: _whole(lines, number) for number in firsts} if are_long else {}
    times = Counter(shape for _, shape in wholes.values())
    for number, value in group:
        line = lines[number]
        last, is_run_in = ends[number], False
        if number in are_long:
            last, shape = wholes.get(number, (number, ""))
            is_run_in = times[shape] < _MIN_RELEASES
            if is_run_in and not goes_on_below(lines, number):
                continue
        is_bare = _is_bare(line.text)
        shape = "0" if is_bare else _WORD.sub("a", _STAGED.sub("0", line.text.rstrip(_RULE_SIGNS)))
        is_dated = _is_dated(line, value)
        is_underlined = number in underlined
        end = max(last, number)
        yield _Release(number, end, shape, _numbers(line.text), is_dated, last < 0, is_underlined, is_run_in)


def _is_dated(line: Line, value: re.Match[str]) -> bool:
    """Whether a line says more than the number of a section: another number, or the version of something and nothing else ("Boat 1.2")."""
    look = numbered_look(line, is_deeper=False)
    if look is None or _INTEGER.search(line.text, value.end()):
        return True
    return look[0] == "colon" and value.end() == len(line.text)


def _whole(lines: Sequence[Line], number: int) -> tuple[int, str]:
    """Return the last line of a paragraph, and what recurs of the whole."""
    last = end_of_paragraph(lines, number)
    shapes = (_TOKEN_WITH_DIGIT.sub("0", line.text) for line in lines[number : last + 1])
    return last, " ".join(shapes)


def _alike(group: Sequence[_Release]) -> Sequence[_Release]:
    """Return a group without lines over text whose shape does not recur; nothing where most have only the number of a section."""
    if sum(one.is_dated for one in group) * 2 <= len(group):
        return ()
    shapes = Counter(one.shape for one in group)
    whole = {one.shape for one in group if one.last == one.first}
    return [
        one._replace(last=one.first) if one.shape in whole else one
        for one in group
        if not one.is_over_text or shapes[one.shape] >= _MIN_RELEASES
    ]


def _is_over_text(lines: Sequence[Line], number: int) -> bool:
    """Whether a line is no part of the sentences directly below it."""
    line = lines[number]
    if line.length > MAX_PLAIN_HEADING_CHARS or number + 1 == len(lines) or ends_sentence(line.tail):
        return False
    if _is_bare(line.text):
        return True
    following = lines[number + 1]
    is_ruled = line.tail[-1] in _RULE_SIGNS
    is_open = not is_ruled and is_full(line, following, width_at(lines, number))
    is_new = not (following.text[0].islower() or is_open)
    return is_new and line.tail[-1] not in ",;:"


def _end_of_title(lines: Sequence[Line], number: int) -> int:
    """Return the last line of a title of few lines; its first where deeper ones follow; -1 where it is longer than a heading."""
    length = 0
    for last in range(number, min(number + MAX_HEADING_LINES, len(lines) - 1)):
        length += lines[last].length
        if length > MAX_HEADING_CHARS:
            return -1
        following = lines[last + 1]
        if following.gap or following.indent > lines[number].indent or item_mark(following.text):
            return last
    return -1


def _ordered(lines: Sequence[Line], group: Sequence[_Release]) -> Sequence[_Release]:
    """Return what of a group heads the parts of releases, in order; nothing where that is no part or in no order."""
    short = _alike([one for one in group if not one.is_run_in])
    going_on = {one.first for one in short if _goes_on(lines, one)}
    if len(going_on) <= MAX_GOING_ON * len(short):
        going_on = set()
    heads = [one for one in short if one.first not in going_on]
    longer = [one for one in group if one.is_run_in or one.first in going_on]
    if not _is_ordered(heads):
        return ()
    are_releases = all(_names_release(lines[one.first]) for one in heads)
    if are_releases and all(goes_on_below(lines, first) for first in going_on):
        return _with_run_in(lines, heads, longer)
    return () if going_on else heads


def _goes_on(lines: Sequence[Line], one: _Release) -> bool:
    is_apart = one.is_underlined or _is_bare(lines[one.first].text)
    return not is_apart and goes_on_below(lines, one.last)


def _is_ordered(group: Sequence[_Release]) -> bool:
    if len(group) < _MIN_RELEASES or not _rise_or_fall([one.numbers for one in group]):
        return False
    # Consecutive paragraphs head no text.
    stand_over = sum(later.first > one.last + 1 for one, later in pairwise(group))
    return stand_over >= _MIN_ORDERED * (len(group) - 1)


def _with_run_in(
    lines: Sequence[Line], heads: Sequence[_Release], longer: Sequence[_Release]
) -> Sequence[_Release]:
    """Return headings with those paragraphs that begin with a number between those of the releases around them."""
    first, last = heads[0].numbers[0], heads[-1].numbers[0]
    if first == last:
        return heads
    in_order = gt if first > last else lt
    places = [one.first for one in heads]
    found: list[_Release] = []
    for one in sorted([*heads, *longer]):
        at = bisect(places, one.first)
        behind = [head.numbers[0] for head in heads[at : at + 1]]
        before = [other.numbers[0] for other in found[-1:]]
        numbers = [*before, one.numbers[0], *behind]
        if one.first in places[at - 1 : at]:
            found.append(one)
        elif all(starmap(in_order, pairwise(numbers))):
            found.append(one._replace(last=end_of_paragraph(lines, one.first), is_run_in=True))
    return found


def _rise_or_fall(numbers: Sequence[Numbers]) -> bool:
    pairs = list(pairwise(numbers))
    rising = sum(later > earlier for earlier, later in pairs)
    falling = sum(later < earlier for earlier, later in pairs)
    return max(rising, falling) >= _MIN_ORDERED * len(pairs) and min(rising, falling) <= _MAX_AGAINST * len(
        pairs
    )
