"""Heads of the entries of a change log: a day and who changed something on it, over what was changed.

As GNU's ("2022-07-11  Ada Ash  <ada@boats.example>", https://www.gnu.org/prep/standards/html_node/Style-of-Change-Logs.html), those
of rpm ("* Fri Aug 23 2013 Ada Ash <ada@boats.example> 1.7-3") and of git's history as news ("Ada Ash (8 Nov 2018)"). The versions of
releases are found in release_headings.py. Pure; linear in the lines.
"""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from summarizing.text.heading_candidates import (
    MAX_HEADING_CHARS,
    MAX_HEADING_LINES,
    RELEASE_LOOK,
    YEAR,
    Candidate,
)
from summarizing.text.lines import Line, item_mark

_WORD = r"[^\W\d_]{2,12}+\.?"
_TIME = r"(?:\s\d\d?:\d\d(?::\d\d)?(?:\s?[AP]M)?(?:\s[+-]\d{4}|\s[A-Z]{3,5})?)?"
_DAY = (
    rf"(?:\d{{4}}[-/]\d\d[-/]\d\d{_TIME}"
    rf"|(?:{_WORD},?\s{{1,2}})?+(?:\d{{1,2}}\s{_WORD}|{_WORD}\s{{1,2}}\d{{1,2}}),?{_TIME}\s\d{{4}}{_TIME})"
)
_NAME = r"[^\W\d_a-z][^\s<>()@:;,]{0,40}+(?:\s[^\s<>()@:;]{1,40}+){0,4}"
_MAIL = r"<[^<>\s]{1,40}(?:@|\sat\s)[^<>\s]{1,60}>"
_NOTE = r"(?:\s{1,4}\([^()]{1,40}\))?"
_DAY_AND_MAIL = re.compile(
    rf"(?:\*\s)?{_DAY}\s{{1,4}}(?:[^\s<>][^<>]{{0,60}}\s)?{_MAIL}(?:{_NOTE}|[\s-]{{1,3}}\S{{1,30}})\Z"
)
_DAY_AND_NAME = re.compile(rf"(?:\*\s)?{_DAY}\s{{1,4}}{_NAME}{_NOTE}\Z")
_NAME_AND_DAY = re.compile(rf"(?:[a-z][\w-]{{0,40}}+|{_NAME})\s\({_DAY}\)\Z")
_ANOTHER_NAME = re.compile(rf"{_NAME}\s{{1,4}}{_MAIL}\Z")
_VERSION = re.compile(r"(?<![\w.@-])v?\d{1,4}\.\d")
# Two years are always in order.
_MIN_ENTRIES = 3
# At most this share of the years that differ from the one before is in the other order.
_MAX_AGAINST = 0.25


def entries_by_line(lines: Sequence[Line], opaque: bytearray, taken: Collection[int]) -> dict[int, Candidate]:
    """Return the heads of entries by their first lines; none where there are few, or most lack an address and the years have no order."""
    found: dict[int, Candidate] = {}
    for number, line in enumerate(lines[:-1]):
        if line.gap and not line.indent and not opaque[number] and number not in taken and _is_head(line):
            last = _last_of_names(lines, number)
            if has_mail(line) or _is_over_changes(lines, last, line):
                found[number] = Candidate(number, last, number, 0, RELEASE_LOOK)
    heads = [lines[number] for number in found]
    have_mails = 2 * sum(map(has_mail, heads)) > len(heads)
    return found if len(heads) >= _MIN_ENTRIES and (have_mails or _have_order(heads)) else {}


def names_version(line: Line) -> bool:
    """Whether a line has the number of a version."""
    return _VERSION.search(line.text) is not None


def _is_head(line: Line) -> bool:
    """Whether a line is a day and a name, and nothing else but a version."""
    text = line.text
    if line.length > MAX_HEADING_CHARS or not YEAR.search(text):
        return False
    return any(form.match(text) for form in (_DAY_AND_MAIL, _DAY_AND_NAME, _NAME_AND_DAY))


def has_mail(line: Line) -> bool:
    """Whether a line is a day and an address, with or without a name, a note or a version."""
    return _DAY_AND_MAIL.match(line.text) is not None


def _last_of_names(lines: Sequence[Line], number: int) -> int:
    """Return the last line of a head: further people may stand below the first one, each on a line."""
    last = number
    for other in range(number + 1, min(number + MAX_HEADING_LINES, len(lines) - 1)):
        line = lines[other]
        if line.gap or not line.indent or not _ANOTHER_NAME.match(line.text):
            break
        last = other
    return last


def _is_over_changes(lines: Sequence[Line], last: int, head: Line) -> bool:
    """Whether items or deeper lines stand below a head, or another head."""
    if last + 1 == len(lines):
        return False
    below = lines[last + 1]
    return below.indent > head.indent or item_mark(below.text) > 0 or _is_head(below)


def _have_order(heads: Sequence[Line]) -> bool:
    """Whether years rise or fall from head to head: those of a list of people do not."""
    years = [int(year[0]) for head in heads if (year := YEAR.search(head.text))]
    rising = sum(later > earlier for earlier, later in pairwise(years))
    falling = sum(later < earlier for earlier, later in pairwise(years))
    return min(rising, falling) <= _MAX_AGAINST * (rising + falling)
