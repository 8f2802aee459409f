"""Which lines are headings. How high each stands is decided in heading_levels.py.

Each reader yields candidates (heading_candidates.py): lines, and what they look like. The surest comes first, and later ones leave its
lines alone; what all of them found is put in order here.

1. marked_headings.py: signs are taken at their word (Markdown, underlines, AsciiDoc, wiki and org signs, heads of changelogs).
2. release_headings.py: titles of releases, found by their numbers, which rise or fall; the wording does not matter.
   change_log_entries.py: a day and a person.
3. unmarked_headings.py, where no hashes mark headings: short lines over body text that are not sentences, and whose look recurs. What
   look a line has (numbered, in capitals, with a colon, set apart) is said in heading_looks.py; which numbers only count the items of
   a list, in heading_sequences.py.
4. parted_titles.py: titles below a rule that recurs. They stand above all others.

Manual pages have their own (manual_pages.py). Not here: titles in the comments of a configuration (comment_titles.py), and what recurs
on each page (running_heads.py).

Pure; linear in the lines.
"""

from bisect import bisect
from collections.abc import Collection, Mapping, Sequence

from summarizing.text.change_log_entries import entries_by_line, names_version
from summarizing.text.heading_candidates import RELEASE, UNSTATED, Candidate, Heading, Look
from summarizing.text.heading_levels import levelled
from summarizing.text.lines import Line
from summarizing.text.manual_pages import manual_headings
from summarizing.text.marked_headings import marked_headings, signs_of
from summarizing.text.parted_titles import parted_titles
from summarizing.text.release_headings import releases_by_line
from summarizing.text.unmarked_headings import unmarked_headings

# In a text with this many marked headings, a line that is only set apart is not one.
_MIN_MARKED = 3

_ENTRY_LOOK: Look = ("entry",)

# Where there are this many times as many entries of a change log as headings with hashes, these are lines beside them.
_MANY_ENTRIES = 4


def headings_by_line(
    lines: Sequence[Line], opaque: bytearray, *, is_manual: bool = False
) -> dict[int, Heading]:
    """Return the headings by the number of their first line; lines marked in `opaque` are none."""
    if is_manual:
        return levelled(lines, manual_headings(lines, opaque))
    signs = signs_of(lines, opaque)
    marked = marked_headings(lines, opaque, signs)
    taken = {number for one in marked for number in range(one.first, one.last + 1)}
    entries = entries_by_line(lines, opaque, taken)
    releases = releases_by_line(lines, opaque, taken, marked) | entries
    others = [one for one in marked if one.heading not in releases]
    stated = [one for one in others if one.level]
    over = [one.first for one in stated if one.last + 1 not in releases]
    level = RELEASE if _are_above(releases, over) else 0
    # A text that marks headings with hashes marks all of its headings so, but for releases above headings that recur.
    is_hashed = signs.hashes and len(entries) < _MANY_ENTRIES * len(marked)
    if is_hashed and not (level and _recur(lines, stated)):
        return levelled(lines, marked)
    plain = (
        [] if signs.hashes else unmarked_headings(lines, opaque, taken, is_marked=len(marked) >= _MIN_MARKED)
    )
    unversioned = {first for first in releases if not names_version(lines[first])}
    are_of_people = not unversioned.isdisjoint(entries)
    # What is indented below a day and a name is said of what was changed: "Closes #12" is no heading there.
    plain = [
        one for one in plain if one.first not in releases and not (are_of_people and lines[one.first].indent)
    ]
    parted = {one.first: one for one in parted_titles(lines, opaque)}
    if not releases.keys().isdisjoint(parted):
        parted = {}  # the rules stand between releases
    heads = _below_versions(releases, unversioned) if are_of_people and not level else releases.values()
    heads = [one._replace(level=one.level or level) for one in heads]
    rest = [one for one in (*heads, *others, *plain) if one.first not in parted]
    return levelled(lines, sorted([*rest, *parted.values()]))


def _below_versions(releases: Mapping[int, Candidate], unversioned: Collection[int]) -> list[Candidate]:
    """Put headings without a version, as those of a day and a person, below the versions that stand among them, if any do."""
    if len(unversioned) == len(releases):
        return list(releases.values())
    return [
        one._replace(level=UNSTATED + 1, look=_ENTRY_LOOK)
        if first in unversioned
        else one._replace(level=UNSTATED)
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
