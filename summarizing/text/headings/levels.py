"""How high each heading stands.

A sign may state a level. As in reStructuredText, another look is one level below the heading under which it is first met, and keeps
that level (https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#sections); among numbers, the number of their parts
decides. Pure; linear in the headings.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from summarizing.text.headings.candidates import (
    LOWEST,
    RELEASE_LOOK,
    UNCERTAIN,
    UNSTATED,
    WEAK_LOOKS,
    Candidate,
    Heading,
    Look,
    is_underline,
)
from summarizing.text.lines import Line

# With this many underlined headings, those end no section of others.
_MIN_UNDERLINED = 3

_WEAK_BESIDE_NUMBERS = WEAK_LOOKS | {"outer"}

# Where no heading looks like another, each would stand below the one before, thousands deep: the sections of so many levels are enough.
_DEEPEST = UNSTATED + 15

# Headings with a sign that states no level, beside those that are underlined.
_MARKED_LOOKS = frozenset({"bold"})

# Headings that may continue over several lines.
_WHOLE_LOOKS = frozenset({"word", "numbered", "capitals", "release", "entry"})

_FIRST_NUMBER = re.compile(r"(\d{1,4})")
# "Appendix A", "EXHIBIT B".
_LETTERED = re.compile(r"\w{1,15}\s[A-Z](?!\w)")


def levelled(lines: Sequence[Line], found: Sequence[Candidate]) -> dict[int, Heading]:
    """Give each heading its level: what its sign states, or what its look got when it was first met."""
    levels = _Levels(lines, found)
    return {
        one.first: _uncertain(lines, one)
        if one.look[0] == UNCERTAIN
        else _heading(lines, one, levels.next(one))
        for one in found
    }


def _uncertain(lines: Sequence[Line], one: Candidate) -> Heading:
    line = lines[one.first]
    return Heading(one.first, one.last, line.start, line.end, LOWEST, is_statement=True)


def _heading(lines: Sequence[Line], one: Candidate, level: int) -> Heading:
    line = lines[one.heading]
    is_underlined = is_underline(lines[one.last].text)
    is_whole = one.look[0] in _WHOLE_LOOKS
    end = lines[one.last - is_underlined].end if is_whole or is_underlined else line.end
    end = lines[one.last].end if one.is_statement else end
    is_marked = one.level != 0 or one.look[0] in _MARKED_LOOKS or is_underlined
    return Heading(one.first, one.last, line.start, end, level, one.is_statement, is_marked)


class _Levels:
    """The levels of a text's headings, from the first one on."""

    def __init__(self, lines: Sequence[Line], found: Sequence[Candidate]) -> None:
        self._lines = lines
        self._weak, self._inside = _weak_looks(lines, found), _looks_between_releases(found)
        self._look: Look = ()
        """Of the heading above."""
        self._chapters = _looks_of_chapters(lines, found)
        self._open = self._strong = UNSTATED - 1
        """The levels of the heading above, and of the last one that ends the sections of others."""
        self._by_look: dict[Look, int] = {}
        # Words with a number that come first in a numbered section, as "Example 1" does, end no deeper section.
        self._within = set[Look]()
        self._first_parts: tuple[int, int] | None = None
        """The level, and how many parts the number has, of the look with a number that was met first."""
        self._last_word: int | None = None
        """The level of the word with a number that was met last."""
        self._has_one_part = False

    def next(self, one: Candidate) -> int:
        """Return the level of the next heading."""
        is_inner = self._is_inner(one)
        level = one.level or self._by_look.get(one.look) or self._new_level(one.look, is_inner=is_inner)
        self._note(one.look, level)
        level = max(level, self._strong + 1) if is_inner else level
        self._open = max(level, UNSTATED - 1)
        self._strong = self._strong if is_inner else self._open
        self._look = one.look
        return level

    def _is_inner(self, one: Candidate) -> bool:
        """Whether a heading ends no section of a stronger one."""
        look = one.look
        is_word = look[0] == "word" and look not in self._chapters
        if self._weak and is_word and look not in self._by_look and self._strong >= UNSTATED:
            self._within.add(look)
        if look[0] == "under" and look not in self._by_look and self._look in self._inside:
            self._inside.add(look)
        return look[0] in self._weak or look in self._within or (look in self._inside and not one.level)

    def _new_level(self, look: Look, *, is_inner: bool) -> int:
        """Return the level of a look that was not met before: one below the open heading; among numbers by how many parts they have."""
        depth = 1 if look in self._chapters else _depth_of(look)
        known = self._first_parts
        if known is None and depth > 1 and self._last_word is not None:
            # The first part of "7.1" is the number of a chapter, which is not the version on the first page.
            known = (self._last_word, 1)
        if look[0] == "word" and known and known[1] > 1 and not self._has_one_part:
            # In a text that begins within a chapter, the next chapter's heading comes after those of sections.
            depth = 1
        if depth and known:
            return max(known[0] + depth - known[1], UNSTATED)
        is_below_open = is_inner or not (self._weak or self._inside)
        return min((self._open if is_below_open else self._strong) + max(depth, 1), _DEEPEST)

    def _note(self, look: Look, level: int) -> None:
        """Keep the level of a look that was not met before."""
        if look in self._by_look:
            return
        self._by_look[look] = level
        depth = _depth_of(look)
        if depth and self._first_parts is None:
            self._first_parts = (level, depth)
        self._has_one_part |= depth == 1
        if look[0] == "word":
            self._last_word = level


def _weak_looks(lines: Sequence[Line], found: Sequence[Candidate]) -> frozenset[str | int]:
    """Return the looks of headings that end no section of a stronger one.

    Those are words where headings are numbered through, or marked by underlines or rules.
    """
    underlined = sum(one.look[0] == "under" for one in found)
    if underlined >= _MIN_UNDERLINED:
        return _WEAK_BESIDE_NUMBERS | {"capitals", "bold"}
    if _numbers_run_on(lines, found):
        return _WEAK_BESIDE_NUMBERS
    return WEAK_LOOKS if any(one.look[0] == "ruled" for one in found) else frozenset()


def _looks_between_releases(found: Sequence[Candidate]) -> set[Look]:
    """Return the looks of headings that end no release's part: they stand between two releases, and not directly above most of them."""
    places = [number for number, one in enumerate(found) if one.look == RELEASE_LOOK]
    between = found[places[0] : places[-1]] if places else ()
    above = Counter(
        before.look
        for before, one in pairwise(found)
        if one.look == RELEASE_LOOK and before.last + 1 == one.first
    )
    return {one.look for one in between if 2 * above[one.look] <= len(places)} - {RELEASE_LOOK}


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


def _depth_of(look: Look) -> int:
    """Return how many parts the numbers of a look have; 0 where it has none."""
    if look[0] != "numbered" or look[1] == "A":
        return 0
    return look[1] if isinstance(look[1], int) else 1
