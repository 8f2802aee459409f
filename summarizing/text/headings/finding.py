"""Which lines are headings. How high each stands is decided in levels.py.

Each reader yields candidates (candidates.py): lines, and what they look like. The surest comes first, and later ones leave its
lines alone; what all of them found is put in order here.

1. marked.py: signs are taken at their word (Markdown, underlines, AsciiDoc, wiki and org signs, heads of changelogs).
2. releases.py: titles of releases, found by their numbers, which rise or fall; the wording does not matter.
3. unmarked.py, where no hashes mark headings: short lines over body text that are not sentences, and whose look recurs. What
   look a line has (numbered, in capitals, with a colon, set apart) is said in looks.py; which numbers only count the items of
   a list, in sequences.py.
4. parted_titles.py: titles below a rule that recurs. They stand above all others.

Manual pages have their own (manual_pages.py). Not here: titles in the comments of a configuration (comment_titles.py), and what recurs
on each page (running_heads.py).

Pure; linear in the lines.
"""

from bisect import bisect
from collections.abc import Collection, Sequence

from summarizing.text.headings.candidates import RELEASE, Candidate, Heading
from summarizing.text.headings.levels import levelled
from summarizing.text.headings.manual_pages import manual_headings
from summarizing.text.headings.marked import marked_headings, signs_of
from summarizing.text.headings.parted_titles import parted_titles
from summarizing.text.headings.releases import names_release, releases_by_line
from summarizing.text.headings.unmarked import unmarked_headings
from summarizing.text.lines import Line, item_mark

# In a text with this many marked headings, a line that is only set apart is not one.
_MIN_MARKED = 3


def headings_by_line(
    lines: Sequence[Line], opaque: bytearray, *, is_manual: bool = False
) -> dict[int, Heading]:
    """Return the headings by the number of their first line; lines marked in `opaque` are none."""
    if is_manual:
        return levelled(lines, manual_headings(lines, opaque))
    signs = signs_of(lines, opaque)
    marked = marked_headings(lines, opaque, signs)
    taken = {number for one in marked for number in range(one.first, one.last + 1)}
    releases = releases_by_line(lines, opaque, taken, marked)
    if signs.hashes:
        # A text that marks headings with hashes marks all of its headings so, but for those of releases above them.
        return levelled(lines, sorted([*_over_hashes(lines, releases.values(), marked, taken), *marked]))
    others = [one for one in marked if one.heading not in releases]
    over = [one.first for one in others if one.level and one.last + 1 not in releases]
    level = RELEASE if _are_above(releases, over) else 0
    heads = [one._replace(level=one.level or level) for one in releases.values()]
    plain = unmarked_headings(lines, opaque, taken, is_marked=len(marked) >= _MIN_MARKED)
    parted = {one.first: one for one in parted_titles(lines, opaque)}
    if not releases.keys().isdisjoint(parted):
        parted = {}  # the rules stand between releases
    plain = [one for one in plain if one.first not in releases]
    rest = [one for one in (*heads, *others, *plain) if one.first not in parted]
    return levelled(lines, sorted([*rest, *parted.values()]))


def _over_hashes(
    lines: Sequence[Line],
    releases: Collection[Candidate],
    marked: Sequence[Candidate],
    taken: Collection[int],
) -> Sequence[Candidate]:
    """Return the titles of releases, which are no items, if most stand directly above marked headings, and these name no releases themselves.

    What ends sections ("Defaults to: 5") stands above the next one's heading, too, but the first section's heads it.
    """
    titles = [one._replace(level=RELEASE) for one in releases if not item_mark(lines[one.first].text)]
    above = {one.last + 1 for one in titles if one.last + 1 in taken and one.first - 1 not in taken}
    named = sum(names_release(lines[one.heading]) for one in marked)
    if 2 * len(above) <= len(titles) or 2 * named >= len(marked):
        return ()
    highest = min(one.level for one in marked if one.first in above)
    first = min(one.first for one in titles)
    return () if any(one.level >= highest for one in marked if one.first < first) else titles


def _are_above(releases: Collection[int], others: Sequence[int]) -> bool:
    """Whether other headings stand between most neighbouring ones of releases: these are above them."""
    between = {bisect(found, other) for found in [sorted(releases)] for other in others}
    return 2 * len(between - {0, len(releases)}) >= len(releases) > 0
