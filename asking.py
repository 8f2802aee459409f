"""What a brief asks for, and how far a unit is it.

A brief is read as areas of a few words each; a unit answers with its own words, with those of what it hangs on, with
the names that the text itself lists as the kind asked for ("Faction" above a column makes its cells factions), and
with what can be seen without a word (a date, a full name). Refuses to know how much an answer is worth beside the
rest of a unit: that is weighing.py's.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log
from typing import NamedTuple

from units import NONE, Form, Units
from words import MAX_INFLECTION_CHARS, MIN_PREFIX_CHARS, Stems, camel_parts, stem_of, terms_of

# Words of a brief that say nothing about what is asked for.
_FILLERS = (
    "the a an of and or for in on to with all any each every their its is are be about from by as at "
    "that this which what who how list extract includ such etc pleas information info detail data fact focu "
    "summary summariz only also other der die das und oder von mit f\u00fcr aller alle les des la le et ou du de "
    "los las el y"
)
_AREA_END = re.compile(r"[,;:()\[\]{}\n\u3001\u3002\uff0c\uff1b|/\u2022]+|\s(?:and|und|et|y)\s")
# What is not asked for has the same words as what is: "pods that are not Running".
_NEGATED = re.compile(r"\b(?:not|non|without|except|nicht|ohne|sans)\s+(\w+)", re.IGNORECASE)

# What people call the same kind of thing. A brief's "NPCs" means the page's "Characters", only less surely.
_KINDS = (
    "npc character person people inhabitant member leader role staff author attendee participant user",
    "date time year day month timeline chronology history event schedule deadline duration",
    "place location zone area region coordinates map address",
    "price cost fee value amount budget",
    "decision decide agree resolve approve vote",
    "task action todo assign owner deadline due",
    "error exception fail failure fatal crash panic warn bug issue incident",
    "version release changelog",
    "change add remove deprecate fix break migrate",
    "option parameter argument flag setting default field",
    "limit quota maximum minimum max min timeout threshold",
    "status state phase condition ready",
    "item equipment weapon loot drop product",
    "faction guild organization organisation alliance allegiance ally rival group",
)
KIND_WEIGHT = 0.5

_DATE = re.compile(
    r"\b(?:1\d|20)\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\d\s?[\u5e74\u6708\u65e5]|\b\d{1,2}:\d\d\b"
    r"|\b(?i:year|jahr|a\u00f1o)\s\d|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? \d"
)
_FULL_NAME = re.compile(r"\b[^\W\d_a-z]\w+ (?:(?:of|von|de|van|the) (?:\w+ )?)?[^\W\d_a-z]\w+")
# Some kinds can be seen in a unit that has no word for them.
_SHAPES = (("npc", _FULL_NAME, 0.5), ("date", _DATE, 0.9))

# What stands above a unit (its headings, its table's head row) speaks for it, a little less than its own
# words.
INHERITED = 0.85
INHERITED_BY_SENTENCE = 0.5

# An area is met by its rarest word and this much of the next: a whole sentence is never met word by word.
SECOND_WORD = 0.9

# A name that the text lists as one of the kind asked for ("Faction: Oarsmen") is nearly as good as the word.
LISTED = 0.8
# Names are short, and so are the labels and column heads that say of what kind they are.
MAX_NAME_TERMS = 5
MAX_NAME_CHARS = 60
MAX_LABEL_TERMS = 4

# What a unit that says what is not wanted ("not Running") keeps of its relevance.
UNWANTED = 0.3

_LABEL = re.compile(r"[\s\-*+\u2022>]*+([^\s:|][^:|\n]{1,40}+):[*_]*+\s++(\S[^\n]*)")
_NAME_END = re.compile(r"[,;(\u00b7\n\u2014]")
_LINK = re.compile(r"\[([^\[\]\n]{0,100}+)\]\([^()\s]{0,1000}+\)")
_COLUMN_GAP = re.compile(r" {2,}+|\t")
# Heads of the column in which each row says what it is about.
_NAME_HEADS = frozenset({"name", "nom", "nam", "nombre"})

# Number of an asked word in its area, and how surely it is met.
Match = dict[int, float]


class _Listed(NamedTuple):
    """A name of several words, and what it answers."""

    terms: frozenset[str]
    match: Match


class Asked:
    """What is asked for, as areas of a few stems each, and how far a unit meets them."""

    def __init__(self, text: str, stems: Stems, frequency: Counter[str], units: int) -> None:
        self._stems = stems
        self._fillers = set(_FILLERS.split())
        areas = (terms_of(area, Stems()) for area in _AREA_END.split(_NEGATED.sub("", text)))
        areas = ([term for term in dict.fromkeys(area) if term not in self._fillers] for area in areas)
        self._areas = [area for area in areas if area]
        self._unwanted = {term for found in _NEGATED.finditer(text) for term in terms_of(found[1], Stems())}
        self._area_of = [number for number, area in enumerate(self._areas) for _ in area]
        self._asked = self._all_asked()
        self._hits: dict[str, Match] = {}
        for word, stem in stems.items():
            for part in {stem, *map(stem_of, camel_parts(word))}:
                if match := self._hit(part):
                    _raise(self._hits.setdefault(stem, {}), match, 1.0)
        self._listed: dict[str, list[_Listed]] = {}
        self._weights = self._weigh(frequency, units)
        self._norms = [self._norm(number) for number in range(len(self._areas))]

    def __bool__(self) -> bool:
        return bool(self._hits)

    def _all_asked(self) -> dict[str, Match]:
        """Return what a stem answers: itself, a longer word that it begins, a word of the same kind."""
        asked: dict[str, Match] = {}
        kinds = [set(map(stem_of, kind.split())) for kind in _KINDS]
        for key, term in enumerate(term for area in self._areas for term in area):
            shortest = max(MIN_PREFIX_CHARS, len(term) - MAX_INFLECTION_CHARS)
            same_kind = {other for kind in kinds if term in kind for other in kind}
            weights = dict.fromkeys(same_kind, KIND_WEIGHT)
            weights |= {term[:end]: 0.8 for end in range(shortest, len(term))} | {term: 1.0}
            for other, weight in weights.items():
                _raise(asked.setdefault(other, {}), {key: weight}, 1.0)
        return {stem: self._best_of_areas(match) for stem, match in asked.items()}

    def _best_of_areas(self, match: Match) -> Match:
        """Let one word answer one word of an area: "faction" is not "allegiance" as well."""
        best: dict[int, int] = {}
        for key, weight in match.items():
            rival = best.setdefault(self._area_of[key], key)
            if weight > match[rival]:
                best[self._area_of[key]] = key
        return {key: match[key] for key in best.values()}

    def _hit(self, stem: str) -> Match:
        if stem in self._asked:
            return self._asked[stem]
        shortest = max(MIN_PREFIX_CHARS, len(stem) - MAX_INFLECTION_CHARS)
        starts = (stem[:end] for end in range(len(stem) - 1, shortest - 1, -1))
        return next((self._asked[start] for start in starts if start in self._asked), {})

    def _weigh(self, frequency: Counter[str], units: int) -> list[float]:
        """Weigh an asked word the more, the fewer units have it."""
        found: Counter[int] = Counter()
        for stem, match in self._hits.items():
            for key, weight in match.items():
                found[key] += int(frequency[stem] * weight) + 1
        return [log(2 + units / found[key]) if key in found else 0.0 for key in range(len(self._area_of))]

    def _norm(self, number: int) -> float:
        weights = sorted(
            (weight for weight, area in zip(self._weights, self._area_of, strict=True) if area == number),
            reverse=True,
        )
        return sum(weights[:1]) + SECOND_WORD * sum(weights[1:2]) or 1.0

    # --- Names that the text lists as the kind asked for ---

    def learn(self, content: str, units: Units) -> None:
        """Take in the names under the headings, labels and column heads that are asked for."""
        columns: dict[int, list[Match]] = {}
        for index, form in enumerate(units.form):
            above = units.parent[index]
            if form is Form.ROW and above != NONE:
                if above not in columns:
                    columns[above] = self._columns(
                        units.text(content, above), self._above(content, units, above)
                    )
                if any(columns[above]):
                    cells = _cells_of(units.text(content, index))
                    for cell, match in zip(cells, columns[above], strict=False):
                        self._list(cell, match)
            elif form is Form.HEADING:
                self._list(units.text(content, index).lstrip("# "), self._above(content, units, index))
            elif form is not Form.SENTENCE and (label := _LABEL.match(units.text(content, index))):
                self._list(label[2], self._of_label(label[1]))

    def _above(self, content: str, units: Units, index: int) -> Match:
        """Return what the headings above a unit answer."""
        found: Match = {}
        above = units.parent[index]
        while above != NONE:
            if units.form[above] is Form.HEADING:
                _raise(found, self._of_label(units.text(content, above)), 1.0)
            above = units.parent[above]
        return found

    def _columns(self, head: str, above: Match) -> list[Match]:
        cells = _cells_of(head.partition("\n")[0])
        return [above if cell.strip().casefold() in _NAME_HEADS else self._of_label(cell) for cell in cells]

    def _of_label(self, text: str) -> Match:
        terms = terms_of(text, self._stems)
        found: Match = {}
        if len(terms) <= MAX_LABEL_TERMS:
            for term in terms:
                _raise(found, self._hits.get(term, {}), 1.0)
        return found

    def _list(self, text: str, match: Match) -> None:
        """Remember that a name answers what its label does."""
        if not match or not text:
            return
        name = _NAME_END.split(_LINK.sub(r"\1", text.strip(" *_`|\"'")), maxsplit=1)[0]
        terms = frozenset(terms_of(name, self._stems)) - self._fillers
        rare = [term for term in terms if term not in self._stems.lower and term not in self._stems.numbers]
        if len(name) > MAX_NAME_CHARS or len(terms) > MAX_NAME_TERMS or not rare:
            return
        names = self._listed.setdefault(min(rare), [])
        known = next((listed for listed in names if listed.terms == terms), None)
        if known is None:
            known = _Listed(terms, {})
            names.append(known)
        _raise(known.match, match, LISTED)

    # --- What a unit answers ---

    def match(self, terms: Sequence[str], text: str, inherited: Match, share: float) -> Match:
        """Return which asked words a unit meets, by itself or by what it hangs on, and how surely."""
        found: Match = {}
        _raise(found, inherited, share)
        named: set[str] = set()
        for term in terms:
            if term in self._hits:
                _raise(found, self._hits[term], 1.0)
            for listed in self._listed.get(term, ()):
                if listed.terms.issubset(terms):
                    _raise(found, listed.match, 1.0)
                    named |= listed.terms
        for term, pattern, weight in _SHAPES:
            answers = self._asked.get(term)
            if answers and any(
                not named.issuperset(terms_of(shape[0], self._stems)) for shape in pattern.finditer(text)
            ):
                _raise(found, answers, weight)
        return found

    def relevance(self, match: Match, terms: Iterable[str]) -> list[float]:
        """Return for each area how far it is met, from 0 to 1."""
        scores = [0.0] * len(self._areas)
        for key, weight in match.items():
            scores[self._area_of[key]] += weight * self._weights[key]
        share = UNWANTED if not self._unwanted.isdisjoint(terms) else 1.0
        return [share * min(1.0, score / norm) for score, norm in zip(scores, self._norms, strict=True)]


def _cells_of(row: str) -> list[str]:
    if "|" in row:
        return row.strip().strip("|").split("|")
    return _COLUMN_GAP.split(row) if _COLUMN_GAP.search(row) else row.split(",")


def _raise(found: Match, more: Match, share: float) -> None:
    for key, weight in more.items():
        found[key] = max(found.get(key, 0.0), weight * share)
