"""The names that a text lists as something: under a heading, in a labelled line, in a column of a table.

Pure. Refuses to know what was asked for: it is given what each word answers.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from summarizing.relevance.query_areas import FILLERS
from summarizing.text.segments import NONE, Form, Units
from summarizing.text.stemming import Stems, stem_of, terms_of

# A name that the text lists as one of the kind asked for ("Faction: Oarsmen") is nearly as good as the word.
LISTED = 0.9
LISTED_ALONE = 0.4
# Names are short, and so are the labels and column heads that say of what kind they are.
MAX_NAME_TERMS = 5
MAX_NAME_CHARS = 60
MAX_LABEL_TERMS = 4

# So many names with the same rarest word are remembered: each is looked for wherever that word is.
MAX_NAMES_OF_WORD = 50

_LABEL = re.compile(r"[\s\-*+\u2022>]*+([^\s:|][^:|\n]{1,40}+):[*_]*+[ \t]++([^\s\[{][^\n]*)")
_NAME_END = re.compile(r"[,;(\u00b7\n\u2014]")
_LINK = re.compile(r"\[([^\[\]\n]{0,100}+)\]\([^()\s]{0,1000}+\)")
_COLUMN_GAP = re.compile(r" {2,}+|\t")
# Heads of the column in which each row says what it is about.
_NAME_HEADS = frozenset({"name", "nom", "nam", "nombre"})

# Number of an asked word in its area, and how surely it is met.
Match = dict[int, float]


class Listed(NamedTuple):
    """A name as its words, and what it answers."""

    terms: frozenset[str]
    match: Match


class Names:
    """Finds the names of one text; `hits`: what each word answers, `others`: words for kinds that nobody asked for."""

    def __init__(
        self,
        stems: Stems,
        frequency: Mapping[str, int],
        hits: Mapping[str, Match],
        others: set[str],
        alone: set[int],
    ) -> None:
        """`alone`: the asked words that are all that is asked for in their areas."""
        self._stems, self._frequency = stems, frequency
        self._hits, self._others, self._alone = hits, others, alone
        self._fillers = set(FILLERS.split())
        self._listed: dict[str, list[Listed]] = {}
        self._times: Counter[frozenset[str]] = Counter()

    def find(self, content: str, units: Units) -> dict[str, list[Listed]]:
        """Return the names by their rarest word."""
        columns: dict[int, list[Match | None]] = {}
        for index, form in enumerate(units.form):
            above = units.parent[index]
            if form is Form.ROW and above != NONE:
                if above not in columns:
                    columns[above] = self._columns(
                        units.text(content, above), self._above(content, units, above)
                    )
                if columns[above].count(None) < len(columns[above]):
                    # Of rows that were read as one, the first stands for them.
                    cells = cells_of(units.text(content, index).partition("\n")[0])
                    for cell, match in zip(cells, columns[above], strict=False):
                        self._list(cell, match)
            elif form is Form.HEADING:
                self._list(
                    units.text(content, index).lstrip("# "), self._above(content, units, index) or None
                )
            elif form is not Form.SENTENCE and (label := _LABEL.match(units.text(content, index))):
                self._list(label[2], self._of_label(label[1]))
        return {
            term: [name for name in names if self._is_listed(name)] for term, names in self._listed.items()
        }

    def _above(self, content: str, units: Units, index: int) -> Match:
        """Return what the headings above a unit answer."""
        found: Match = {}
        above = units.parent[index]
        while above != NONE:
            if units.form[above] is Form.HEADING:
                raise_match(found, self._of_label(units.text(content, above)) or {}, 1.0)
            above = units.parent[above]
        return found

    def _columns(self, head: str, above: Match) -> list[Match | None]:
        cells = cells_of(head.partition("\n")[0])
        return [
            (above or None) if cell.strip().casefold() in _NAME_HEADS else self._of_label(cell)
            for cell in cells
        ]

    def _of_label(self, text: str) -> Match | None:
        """Return what the names under a label answer; None where it says nothing of their kind."""
        terms = terms_of(text, self._stems)
        found: Match = {}
        if len(terms) > MAX_LABEL_TERMS:
            return None
        for term in terms:
            raise_match(found, self._hits.get(term, {}), 1.0)
        return found if found or not self._others.isdisjoint(terms) else None

    def _list(self, text: str, match: Match | None) -> None:
        """Remember that a name answers what its label does, or nothing that is asked for."""
        if match is None:
            return
        name = _NAME_END.split(_LINK.sub(r"\1", text.strip(" *_`|\"'")), maxsplit=1)[0]
        terms = frozenset(terms_of(name, self._stems)) - self._fillers
        is_name = all(word[0].isupper() for word in name.split() if stem_of(word) not in self._fillers)
        if not is_name or len(name) > MAX_NAME_CHARS or not 0 < len(terms) <= MAX_NAME_TERMS:
            return
        rarest = min(terms, key=lambda term: (self._frequency.get(term, 0), term))
        if rarest in self._stems.numbers:
            return
        self._times[terms] += 1
        names = self._listed.setdefault(rarest, [])
        known = next((listed for listed in names if listed.terms == terms), None)
        if known is None and len(names) >= MAX_NAMES_OF_WORD:
            return
        if known is None:
            known = Listed(terms, {})
            names.append(known)
        for key, weight in match.items():
            # "Leaders" asks who they are; that a line has the name of one says less.
            raise_match(known.match, {key: weight}, LISTED_ALONE if key in self._alone else LISTED)

    def _is_listed(self, listed: Listed) -> bool:
        """Whether a name may be known by: a single word that is no name elsewhere must be listed twice."""
        return (
            len(listed.terms) > 1
            or self._times[listed.terms] > 1
            or listed.terms.isdisjoint(self._stems.lower)
        )


def cells_of(row: str) -> list[str]:
    """Return the cells of a row of a table, of columns or of comma-separated values."""
    if "|" in row:
        return row.strip().strip("|").split("|")
    return _COLUMN_GAP.split(row) if _COLUMN_GAP.search(row) else row.split(",")


def raise_match(found: Match, more: Match, share: float) -> None:
    """Let words be met as surely as one of two matches says, the second by a share."""
    for key, weight in more.items():
        if weight * share > found.get(key, 0.0):
            found[key] = weight * share
