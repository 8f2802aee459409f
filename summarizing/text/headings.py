"""Which lines are headings, and how high each stands.

Each reader yields candidates (heading_candidates.py): lines, and what they look like. The surest comes first, and later ones leave its
lines alone; what all of them found is put in order, and gets its levels, here.

1. marked_headings.py: signs are taken at their word (Markdown, underlines, AsciiDoc, wiki and org signs, heads of changelogs).
2. release_headings.py: titles of releases, in any wording, for their numbers are in order; change_log_entries.py: a day and a person.
3. unmarked_headings.py, where no hashes mark headings: short lines over body text that are not sentences, and whose look recurs. What
   look a line has (numbered, in capitals, with a colon, set apart) is said in heading_looks.py; which numbers only count the items of
   a list, in heading_sequences.py.
4. parted_titles.py: titles below a rule that recurs. They stand above all others.

Manual pages have their own (manual_pages.py). Not here: titles in the comments of a configuration (comment_titles.py), and what recurs
on each page (running_heads.py).

A sign may state a level. As in reStructuredText, another look is one level below the heading under which it is first met, and keeps
that level (https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#sections). Pure; linear in the lines.
"""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from summarizing.text.change_log_entries import is_entry_head, names_version
from summarizing.text.heading_candidates import (
    LOWEST,
    RELEASE,
    UNCERTAIN,
    UNSTATED,
    WEAK_LOOKS,
    Candidate,
    Heading,
    Look,
    is_underline,
)
from summarizing.text.lines import Line
from summarizing.text.manual_pages import manual_headings
from summarizing.text.marked_headings import marked_headings, signs_of
from summarizing.text.parted_titles import parted_titles
from summarizing.text.release_headings import RELEASE_LOOK, releases_by_line
from summarizing.text.unmarked_headings import unmarked_headings

# In a text with this many marked headings, a line that is only set apart is not one.
_MIN_MARKED = 3

_WEAK_BESIDE_NUMBERS = WEAK_LOOKS | {"outer"}

# Headings with a sign that states no level, beside those that are underlined.
_MARKED_LOOKS = frozenset({"bold"})

# Headings that may continue over several lines.
_WHOLE_LOOKS = frozenset({"word", "numbered", "capitals", "release", "entry"})

_ENTRY_LOOK: Look = ("entry",)

# Where there are this many times as many entries of a change log as headings with hashes, these are lines beside them.
_MANY_ENTRIES = 4

_SECTION_NUMBER = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,5})\.?\s")
_FIRST_NUMBER = re.compile(r"(\d{1,4})")
# "Appendix A", "EXHIBIT B".
_LETTERED = re.compile(r"\w{1,15}\s[A-Z](?!\w)")


def headings_by_line(
    lines: Sequence[Line], opaque: bytearray, *, is_manual: bool = False
) -> dict[int, Heading]:
    """Return the headings by the number of their first line; lines marked in `opaque` are none."""
    if is_manual:
        return _levelled(lines, manual_headings(lines, opaque))
    signs = signs_of(lines, opaque)
    marked = marked_headings(lines, opaque, signs)
    taken = {number for one in marked for number in range(one.first, one.last + 1)}
    releases = releases_by_line(lines, opaque, taken, marked)
    entries = [first for first in releases if is_entry_head(lines[first])]
    others = [one for one in marked if one.heading not in releases]
    stated = [one for one in others if one.level]
    over = [one.first for one in stated if one.last + 1 not in releases]
    level = RELEASE if _are_above(releases, over) else 0
    # A text that marks headings with hashes marks all of its headings so, but for releases above headings that recur.
    is_hashed = signs.hashes and len(entries) < _MANY_ENTRIES * len(marked)
    if is_hashed and not (level and _recur(lines, stated)):
        return _levelled(lines, marked)
    plain = (
        [] if signs.hashes else unmarked_headings(lines, opaque, taken, is_marked=len(marked) >= _MIN_MARKED)
    )
    days = {first for first in releases if not names_version(lines[first])}
    are_of_people = not days.isdisjoint(entries)
    # What is indented below a day and a name is said of what was changed: "Closes #12" is no heading there.
    plain = [
        one for one in plain if one.first not in releases and not (are_of_people and lines[one.first].indent)
    ]
    parted = {one.first: one for one in parted_titles(lines, opaque)}
    if not releases.keys().isdisjoint(parted):
        parted = {}  # the rules stand between releases
    heads = _with_days_below(releases, days) if are_of_people and not level else releases.values()
    heads = [one._replace(level=one.level or level) for one in heads]
    rest = [one for one in (*heads, *others, *plain) if one.first not in parted]
    return _levelled(lines, sorted([*rest, *parted.values()]))


def _with_days_below(releases: Mapping[int, Candidate], days: Collection[int]) -> list[Candidate]:
    """Put the headings of a day and who changed something on it below the versions that stand among them, if any do."""
    if len(days) == len(releases):
        return list(releases.values())
    return [
        one._replace(level=UNSTATED + 1, look=_ENTRY_LOOK) if first in days else one._replace(level=UNSTATED)
        for first, one in releases.items()
    ]


def _are_above(releases: Collection[int], others: Sequence[int]) -> bool:
    """Whether other headings stand between most neighbouring ones of releases: these are above them."""
    between = {bisect(found, other) for found in [sorted(releases)] for other in others}
    return 2 * len(between - {0, len(releases)}) >= len(releases) > 0


def _recur(lines: Sequence[Line], found: Sequence[Candidate]) -> bool:
    """Whether the highest of some headings are mostly the same few."""
    highest = min(one.level for one in found)
    titles = [lines[one.heading].text for one in found if one.level == highest]
    return len(set(titles)) * 2 <= len(titles)


def _levelled(lines: Sequence[Line], found: Sequence[Candidate]) -> dict[int, Heading]:
    """Give each heading its level: what its sign states, or what its look got when it was first met."""
    levels: dict[Look, int] = {}
    open_level = strong_level = UNSTATED - 1
    weak, inside = _weak_looks(lines, found), _looks_between_releases(found)
    chapters = _looks_of_chapters(lines, found)
    # Words with a number that come first in a numbered section, as "Example 1" does, end no deeper section.
    within = set[Look]()
    chapter, level_of_chapter = "", 0
    result: dict[int, Heading] = {}
    for one in found:
        if one.look[0] == UNCERTAIN:
            line = lines[one.first]
            result[one.first] = Heading(one.first, one.last, line.start, line.end, LOWEST, is_statement=True)
            continue
        is_word = one.look[0] == "word" and one.look not in chapters
        if weak and is_word and one.look not in levels and strong_level >= UNSTATED:
            within.add(one.look)
        is_inner = one.look[0] in weak or one.look in within or (one.look in inside and not one.level)
        level = one.level or levels.get(one.look)
        is_below_open = is_inner or not (weak or inside)
        above = open_level if is_below_open else strong_level
        level = level or _new_level(one.look, levels, above, is_chapter=one.look in chapters)
        levels.setdefault(one.look, level)
        level = max(level, strong_level + 1) if is_inner else level
        # "10.1" stands below an underlined "10. Versions", whatever the look of its number had before.
        number = _SECTION_NUMBER.match(lines[one.heading].text)
        if one.look[0] == "under" and number:
            chapter, level_of_chapter = number[1], level
        elif chapter and number and number[1].startswith(f"{chapter}."):
            level = max(level, level_of_chapter + number[1].count(".") - chapter.count("."))
        open_level = max(level, UNSTATED - 1)
        strong_level = strong_level if is_inner else open_level
        line = lines[one.heading]
        is_underlined = is_underline(lines[one.last].text)
        is_whole = one.look[0] in _WHOLE_LOOKS
        end = lines[one.last - is_underlined].end if is_whole or is_underlined else line.end
        end = lines[one.last].end if one.is_statement else end
        is_marked = one.level != 0 or one.look[0] in _MARKED_LOOKS or is_underlined
        result[one.first] = Heading(one.first, one.last, line.start, end, level, one.is_statement, is_marked)
    return result


def _weak_looks(lines: Sequence[Line], found: Sequence[Candidate]) -> frozenset[str | int]:
    """Return the looks of headings that end no section of a stronger one.

    Those are words where headings are numbered through, or marked by underlines or rules.
    """
    underlined = sum(one.look[0] == "under" for one in found)
    if underlined >= _MIN_MARKED:
        return _WEAK_BESIDE_NUMBERS | {"capitals", "bold"}
    if _numbers_run_on(lines, found):
        return _WEAK_BESIDE_NUMBERS
    return WEAK_LOOKS if any(one.look[0] == "ruled" for one in found) else frozenset()


def _looks_between_releases(found: Sequence[Candidate]) -> frozenset[Look]:
    """Return the looks of headings that end no release's part: they stand between two releases, and not directly above most of them."""
    places = [number for number, one in enumerate(found) if one.look == RELEASE_LOOK]
    between = found[places[0] : places[-1]] if places else ()
    above = Counter(
        before.look
        for before, one in pairwise(found)
        if one.look == RELEASE_LOOK and before.last + 1 == one.first
    )
    return frozenset(one.look for one in between if 2 * above[one.look] <= len(places)) - {RELEASE_LOOK}


def _numbers_run_on(lines: Sequence[Line], found: Sequence[Candidate]) -> bool:
    """Whether numbered headings count through the text: then no heading without a number ends their sections.

    A table of contents counts once more.
    """
    numbers = [
        int(number[1])
        for one in found
        if one.look[0] in ("word", "numbered") and (number := _FIRST_NUMBER.search(lines[one.heading].text))
    ]
    restarts = sum(later < earlier for earlier, later in pairwise(numbers))
    return len(numbers) > 1 and restarts * 4 <= max(len(numbers), 4)


def _looks_of_chapters(lines: Sequence[Line], found: Sequence[Candidate]) -> set[Look]:
    """Return the looks of words with a number that is the first part of the numbers below, "Chapter 3" over "3.1"; or a letter, at the margin: "Appendix A"."""
    looks: set[Look] = set()
    chapter: tuple[Look, str] | None = None
    above = ""
    for one in found:
        line = lines[one.heading]
        number = _FIRST_NUMBER.search(line.text)
        if one.look[0] == "word":
            # An example within "1.1" is no chapter of what comes next.
            chapter = (one.look, number[1]) if number and number[1] != above else None
            if line.indent == 0 and _LETTERED.match(line.text):
                looks.add(one.look)
        elif number and one.look[0] == "numbered":
            above = number[1]
            if chapter and _depth_of(one.look) > 1 and above == chapter[1]:
                looks.add(chapter[0])
    return looks


def _new_level(look: Look, levels: dict[Look, int], open_level: int, *, is_chapter: bool) -> int:
    """Return the level of a look that was not met before: one below the open heading; among numbers by how many parts they have."""
    depth = 1 if is_chapter else _depth_of(look)
    known = next(((level, other) for one, level in levels.items() if (other := _depth_of(one))), None)
    if known is None and depth > 1:
        # The first part of "7.1" is the number of a chapter, which is not the version on the first page.
        known = next(((levels[one], 1) for one in reversed(levels) if one[0] == "word"), None)
    if look[0] == "word" and known and known[1] > 1 and not any(_depth_of(one) == 1 for one in levels):
        # In a text that begins within a chapter, the next chapter's heading comes after those of sections.
        depth = 1
    if depth and known:
        return max(known[0] + depth - known[1], UNSTATED)
    return open_level + max(depth, 1)


def _depth_of(look: Look) -> int:
    """Return how many parts the numbers of a look have; 0 where it has none."""
    if look[0] != "numbered" or look[1] == "A":
        return 0
    return look[1] if isinstance(look[1], int) else 1
