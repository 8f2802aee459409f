"""What a brief asks for, and how far a unit is it.

A brief is read as areas of a few words each; a unit answers with its own words, with those of what it hangs on, with
the names that the text itself lists as the kind asked for ("Faction" above a column makes its cells factions), and
with what can be seen without a word (a date, a full name). Refuses to know how much an answer is worth beside the
rest of a unit: that is weighing.py's.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log, sqrt
from typing import NamedTuple

from units import NONE, Form, Units
from words import MAX_INFLECTION_CHARS, MIN_PREFIX_CHARS, Stems, camel_parts, stem_of, terms_of

# Words of a brief that say nothing about what is asked for.
_FILLERS = (
    "the a an of and or for in on to with all any each every their its is are be about from by as at "
    "that this which what who how list extract includ such etc pleas information info detail data fact focu "
    "summary summariz only also other der die das und oder von mit fur aller alle ihr ihre deren les des la le et "
    "ou du de leur avec pour los las el y con sus"
)
_AREA_END = re.compile(r"[,;:()\[\]{}\n\u3001\u3002\uff0c\uff1b|/\u2022]+|\s(?:and|und|et|y)\s")
# What is not asked for has the same words as what is: "pods that are not Running".
_NEGATED = re.compile(r"\b(?:not|non|without|except|nicht|ohne|sans)\s+(\w+)", re.IGNORECASE)

# What people call the same kind of thing. A brief's "NPCs" means the page's "Characters", only less surely.
_KINDS = (
    "npc character person people inhabitant member staff author attendee participant user figur personnage personne",
    "date time year day month deadline due jahr jahreszahl datum zeitpunkt ann\u00e9e a\u00f1o fecha",
    "event history timeline chronology schedule ereignis geschichte chronik \u00e9v\u00e9nement histoire evento",
    "leader chief ruler chair president director master meister ma\u00eetre",
    "hierarchy rank succession",
    "place location zone area region coordinates map address ort lieu lugar",
    "price cost fee value amount budget",
    "decision decide agree resolve approve vote",
    "task action todo assign owner deadline due",
    "error exception fail failure fatal crash panic warn bug issue incident",
    "version release changelog",
    "break remove removed removal drop deprecate incompatible",
    "change add fix migrate",
    "option parameter argument flag setting default field",
    "limit quota maximum minimum max min timeout threshold",
    "status state phase condition ready",
    "item equipment weapon loot drop product",
    "faction guild organization organisation alliance allegiance ally rival group zunft gilde guilde confr\u00e9rie",
)
# Kinds of which a text says who belongs to which. Asked for by bare words ("NPCs, factions"), they are one area; and
# where one stands alone, names of the other kind beside its own tell an answer from a remark.
_WHO = frozenset({"npc", "leader", "faction"})
_COMPANION = {"npc": "faction", "faction": "npc"}
# A companion's bare word was not asked for, and says so much.
COMPANION_WORD = 0.3
# Kinds whose members have names: "places" asks for names of places, while "leaders" asks who leads.
_NAMED = frozenset({stem_of(word) for word in ("npc", "place", "item", "faction")})
KIND_WEIGHT = 0.75
# A word of a kind is known with other endings than English ones, if it is long enough.
MIN_STEM_CHARS = 5
MAX_ENDING_CHARS = 3

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

# What can be seen is in one of so many units, at a guess.
UNITS_WITH_SHAPE = 10

# An area of several words is met by one of them and this much of another: a whole sentence is never met word by word.
SECOND_WORD = 0.7

# Several words of an area that are met at once (who and of what faction) are worth more than one by one.
TOGETHER = 0.5
PART = 0.4
INHERITED_PART = 0.5
MAX_RELEVANCE = 1.5

# A name that the text lists as one of the kind asked for ("Faction: Oarsmen") is nearly as good as the word.
LISTED = 0.9
LISTED_ALONE = 0.4
# ... and where there are so many names, the bare word says this much less.
MIN_NAMES = 4
BARE_WORD = 0.6
# Names are short, and so are the labels and column heads that say of what kind they are.
MAX_NAME_TERMS = 5
MAX_NAME_CHARS = 60
MAX_LABEL_TERMS = 4

# Under a heading that is asked for, a unit in which nothing of the kind is to be seen counts so much.
WITHOUT_SIGHT = 0.5

# What a unit that says what is not wanted ("not Running") keeps of its relevance.
UNWANTED = 0.3

_LABEL = re.compile(r"[\s\-*+\u2022>]*+([^\s:|][^:|\n]{1,40}+):[*_]*+[ \t]++([^\s\[{][^\n]*)")
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

    def __init__(self, text: str, stems: Stems, frequency: dict[str, int], units: int) -> None:
        self._stems, self._frequency = stems, frequency
        self._fillers = set(_FILLERS.split())
        areas = (terms_of(area, Stems()) for area in _AREA_END.split(_NEGATED.sub("", text)))
        areas = ([term for term in dict.fromkeys(area) if term not in self._fillers] for area in areas)
        self._kinds = [[stem_of(word) for word in kind.split()] for kind in _KINDS]
        self._companion: tuple[int, str] | None = None
        self._who = NONE  # the area of bare words for people and groups
        self._areas = self._with_who_together([area for area in areas if area])
        self._unwanted = {term for found in _NEGATED.finditer(text) for term in terms_of(found[1], Stems())}
        self._keys = self._numbered()
        self._area_of = {key: area for (area, _), key in self._keys.items()}
        self._asked = self._all_asked()
        self._visible = {key for term, _, _ in _SHAPES for key in self._asked.get(term, {})}
        self._hits = self._all_hits()
        self._listed: dict[str, list[_Listed]] = {}
        self._times: Counter[frozenset[str]] = Counter()
        self._other = {
            word for kind in self._kinds if not any(word in self._asked for word in kind) for word in kind
        }
        self._weights = self._weigh(frequency, units)
        self._alone = self._asked_alone()
        self._norms = [self._norm(number) for number in range(len(self._areas))]

    def __bool__(self) -> bool:
        return bool(self._hits)

    def _asked_alone(self) -> set[int]:
        """Return the words that are all that is asked for in their areas, but for those whose answers are names."""
        of_area = Counter(area for key, area in self._area_of.items() if self._weights[key])
        kinds = [kind for kind in self._kinds if kind[0] in _NAMED]
        named = {key for (_, term), key in self._keys.items() if any(_in(term, kind) for kind in kinds)}
        return {key for key, area in self._area_of.items() if of_area[area] == 1} - named

    def _with_who_together(self, areas: list[list[str]]) -> list[list[str]]:
        """Read bare words for people and groups as one area, as "NPCs with factions" is: who, and of which."""
        who = {
            term: kind[0] for (term, *more) in areas if not more for kind in self._kinds if _in(term, kind)
        }
        together = [term for term, kind in who.items() if kind in _WHO]
        if not together:
            return areas
        rest = [area for area in areas if area[0] not in together or len(area) > 1]
        companion = _COMPANION.get(who[together[0]]) if len(set(map(who.get, together))) == 1 else None
        if companion:
            self._companion = (0, companion)
            together.append(companion)
        self._who = 0
        return [together, *rest]

    def _numbered(self) -> dict[tuple[int, str], int]:
        """Number the asked words; words of one kind in an area are one ("faction allegiances")."""
        keys: dict[tuple[int, str], int] = {}
        for number, area in enumerate(self._areas):
            of_kind: dict[int, int] = {}
            for term in area:
                kind = next((at for at, kind in enumerate(self._kinds) if _in(term, kind)), NONE)
                key = of_kind.setdefault(kind, len(keys)) if kind != NONE else len(keys)
                keys[number, term] = key
        return keys

    def _all_asked(self) -> dict[str, Match]:
        """Return what a stem answers: itself, a longer word that it begins, a word of the same kind."""
        asked: dict[str, Match] = {}
        for (_, term), key in self._keys.items():
            shortest = max(MIN_PREFIX_CHARS, len(term) - MAX_INFLECTION_CHARS)
            same_kind = {other for kind in self._kinds if _in(term, kind) for other in kind}
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

    def _all_hits(self) -> dict[str, Match]:
        """Return what each word of the text answers."""
        hits: dict[str, Match] = {}
        for word, stem in self._stems.known.items():
            for part in {stem, *map(stem_of, camel_parts(word))}:
                if match := self._hit(part):
                    _raise(hits.setdefault(stem, {}), match, 1.0)
        return hits

    def _hit(self, stem: str) -> Match:
        if stem in self._asked:
            return self._asked[stem]
        shortest = max(MIN_PREFIX_CHARS, len(stem) - MAX_INFLECTION_CHARS)
        starts = (stem[:end] for end in range(len(stem) - 1, shortest - 1, -1))
        return next((self._asked[start] for start in starts if start in self._asked), {})

    def _weigh(self, frequency: dict[str, int], units: int) -> dict[int, float]:
        """Weigh an asked word the more, the fewer units have it."""
        found: Counter[int] = Counter()
        for stem, match in self._hits.items():
            for key, weight in match.items():
                found[key] += int(frequency.get(stem, 0) * weight) + 1
        for key in self._visible - found.keys():
            found[key] = units // UNITS_WITH_SHAPE + 1
        return {key: sqrt(log(2 + units / found[key])) if key in found else 0.0 for key in self._area_of}

    def _norm(self, number: int) -> float:
        weights = [weight for key, weight in self._weights.items() if self._area_of[key] == number and weight]
        share = 1 + SECOND_WORD if len(weights) > 1 else 1.0
        return share * sum(weights) / len(weights) if weights else 1.0

    # --- Names that the text lists as the kind asked for ---

    def learn(self, content: str, units: Units) -> None:
        """Take in the names under the headings, labels and column heads that are asked for."""
        columns: dict[int, list[Match | None]] = {}
        for index, form in enumerate(units.form):
            above = units.parent[index]
            if form is Form.ROW and above != NONE:
                if above not in columns:
                    columns[above] = self._columns(
                        units.text(content, above), self._above(content, units, above)
                    )
                if columns[above].count(None) < len(columns[above]):
                    cells = _cells_of(units.text(content, index))
                    for cell, match in zip(cells, columns[above], strict=False):
                        self._list(cell, match)
            elif form is Form.HEADING:
                self._list(
                    units.text(content, index).lstrip("# "), self._above(content, units, index) or None
                )
            elif form is not Form.SENTENCE and (label := _LABEL.match(units.text(content, index))):
                self._list(label[2], self._of_label(label[1]))
        self._listed = {
            term: [
                _Listed(name.terms, self._best_of_areas(name.match))
                for name in names
                if self._is_listed(name)
            ]
            for term, names in self._listed.items()
        }
        self._prefer_names()

    def _prefer_names(self) -> None:
        """Let the bare word ("factions") say less than a name, where the text lists names of the kind."""
        names = Counter(key for found in self._listed.values() for name in found for key in name.match)
        common = {key for key, times in names.items() if times >= MIN_NAMES and key not in self._alone}
        if any(self._area_of[key] == self._who for key in common):
            common |= {key for key, area in self._area_of.items() if area == self._who}
        shares = dict.fromkeys(common, BARE_WORD)
        if self._companion:
            shares[self._keys[self._companion]] = COMPANION_WORD
        self._hits = {
            stem: {key: weight * shares.get(key, 1.0) for key, weight in match.items()}
            for stem, match in self._hits.items()
        }

    def _above(self, content: str, units: Units, index: int) -> Match:
        """Return what the headings above a unit answer."""
        found: Match = {}
        above = units.parent[index]
        while above != NONE:
            if units.form[above] is Form.HEADING:
                _raise(found, self._of_label(units.text(content, above)) or {}, 1.0)
            above = units.parent[above]
        return found

    def _columns(self, head: str, above: Match) -> list[Match | None]:
        cells = _cells_of(head.partition("\n")[0])
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
            _raise(found, self._hits.get(term, {}), 1.0)
        return found if found or not self._other.isdisjoint(terms) else None

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
        if known is None:
            known = _Listed(terms, {})
            names.append(known)
        for key, weight in match.items():
            # "Leaders" asks who they are; that a line has the name of one says less.
            _raise(known.match, {key: weight}, LISTED_ALONE if key in self._alone else LISTED)

    def _is_listed(self, listed: _Listed) -> bool:
        """Whether a name may be known by: a single word that is no name elsewhere must be listed twice."""
        return (
            len(listed.terms) > 1
            or self._times[listed.terms] > 1
            or listed.terms.isdisjoint(self._stems.lower)
        )

    # --- What a unit answers ---

    def match(self, terms: Sequence[str], text: str, inherited: Match, share: float) -> tuple[Match, Match]:
        """Return which asked words a unit meets, and how surely: with what it hangs on, and by itself."""
        found: Match = {}
        named: set[str] = set()
        for term in terms:
            if term in self._hits:
                _raise(found, self._hits[term], 1.0)
            for listed in self._listed.get(term, ()):
                if listed.terms.issubset(terms):
                    _raise(found, listed.match, 1.0)
                    named |= listed.terms
        seen = self._seen(text, named)
        _raise(found, seen, 1.0)
        own = found.copy()
        for key, weight in inherited.items():
            # Under "People", a line without a name is about people less surely.
            sure = 1.0 if key in own or key not in self._visible else WITHOUT_SIGHT
            found[key] = max(found.get(key, 0.0), weight * share * sure)
        return found, own

    def _seen(self, text: str, named: set[str]) -> Match:
        """Return what can be seen without a word for it, apart from the names that were known."""
        seen: Match = {}
        for term, pattern, weight in _SHAPES:
            answers = self._asked.get(term)
            if not answers or not (first := pattern.search(text)):
                continue
            # A name that is known to be of another kind is not seen as a person's.
            if not named or any(
                not named.issuperset(terms_of(shape[0], self._stems))
                for shape in pattern.finditer(text, first.start())
            ):
                _raise(seen, answers, weight / max(answers.values()))
        return seen

    def is_unwanted(self, terms: Iterable[str]) -> bool:
        """Whether a unit says what the brief excepts."""
        return not self._unwanted.isdisjoint(terms)

    def relevance(self, match: Match, own: Match) -> list[float]:
        """Return for each area how far it is met: 1 by two of its words, or by the only one.

        `own` is the part of the match that stands in the unit itself.
        """
        scores = [0.0] * len(self._areas)
        parts = [0.0] * len(self._areas)
        for key, weight in match.items():
            area = self._area_of[key]
            scores[area] += weight * self._weights[key]
            if weight >= PART:
                parts[area] += 1.0 if own.get(key, 0.0) >= PART else INHERITED_PART
        return [
            min(MAX_RELEVANCE, score / norm * (1 + TOGETHER * min(1.0, max(0.0, found - 1))))
            for score, norm, found in zip(scores, self._norms, parts, strict=True)
        ]


def _in(term: str, kind: list[str]) -> bool:
    """Whether a term is a word of a kind, in any of its endings."""
    return any(
        term == word or (min(len(term), len(word)) >= MIN_STEM_CHARS and _begins(term, word)) for word in kind
    )


def _begins(one: str, other: str) -> bool:
    return (one.startswith(other) or other.startswith(one)) and abs(len(one) - len(other)) <= MAX_ENDING_CHARS


def _cells_of(row: str) -> list[str]:
    if "|" in row:
        return row.strip().strip("|").split("|")
    return _COLUMN_GAP.split(row) if _COLUMN_GAP.search(row) else row.split(",")


def _raise(found: Match, more: Match, share: float) -> None:
    for key, weight in more.items():
        found[key] = max(found.get(key, 0.0), weight * share)
