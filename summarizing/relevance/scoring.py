"""Scores how well a unit answers a brief.

A brief is read as areas of a few words each; a unit answers with its own words, with those of what it hangs on, with
the names that the text itself lists as the kind asked for ("Faction" above a column makes its cells factions), and
with what can be seen without a word (a date, a full name; summarizing/relevance/value_shapes.py). Which words tell of what was asked for without naming
it ("flood" of disasters) stands in summarizing/relevance/kinds.py. Refuses to know how much an answer is worth beside the
rest of a unit: that is summarizing/relevance/weights.py's.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from heapq import nlargest
from math import log
from typing import NamedTuple

from summarizing.relevance.kinds import Kind, by_asked, kinds
from summarizing.relevance.listed_names import Listed, Match, Names, raise_match
from summarizing.relevance.query_areas import FILLERS, NEGATED, Terms, areas_of
from summarizing.relevance.value_shapes import QUESTION_WORDS, Shape, shapes, without_digits
from summarizing.text.segments import NONE, Units
from summarizing.text.stemming import (
    MAX_INFLECTION_CHARS,
    MIN_PREFIX_CHARS,
    Stems,
    camel_parts,
    stem_of,
    terms_of,
)

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

# A word that tells of the kind asked for ("flood" of disasters), and another by which one may ask for it.
TOLD_WEIGHT = 0.55
SAME_KIND_WEIGHT = 0.4

# What stands above a unit (its headings, its table's head row) speaks for it, a little less than its own
# words.
INHERITED = 0.85
INHERITED_BY_SENTENCE = 0.5

# "Errors: code, cause": what has neither code nor cause keeps so much of its relevance, and so does a cause of no error.
WITHOUT_QUALITY = 0.8
WITHOUT_HEAD = 0.8

# An area of several words is met by one of them and this much of another: a whole sentence is never met word by word.
SECOND_WORD = 0.7

# From here on a match is the asked word itself, in one of its forms, rather than one of its kind.
LITERAL = 0.79

# A value that often stands beside an answer, but was not asked for (the date of a disaster), shows it so much less surely.
BESIDE = 0.6

# Where a kind of value was asked for ("how much", "error codes"), a unit without one answers so much less.
WITHOUT_VALUE = 0.45

# What the areas that a unit meets beside its best one add.
MORE_AREAS = 0.5


# How far an area of common words only stands behind one of rare words.
AREA_EXPONENT = 1.5

# Several words of an area that are met at once (who and of what faction) are worth more than one by one.
TOGETHER = 0.8
PART = 0.4
INHERITED_PART = 0.5
MAX_RELEVANCE = 1.5

# Where a text lists so many names of the kind asked for, the bare word says this much less.
MIN_NAMES = 4
BARE_WORD = 0.6
# Under a heading that is asked for, a unit in which nothing of the kind is to be seen counts so much.
WITHOUT_SIGHT = 0.5

# A brief of hundreds of areas has many that one word, one value or one heading answers: these many are answered, those that it
# answers most surely. A brief of a few areas never has so many; without a bound, time would grow by areas times units.
MAX_ANSWERED = 8
MAX_INHERITED = 16

# Longer texts are seldom the same but for their digits; so many shorter ones are remembered.
MAX_ALIKE_CHARS = 300
MAX_SEEN = 10_000

# What a unit that says what is not wanted ("not Running") keeps of its relevance.
UNWANTED = 0.3


class Found(NamedTuple):
    """What of a unit answers anything: words, each alone (NONE) or as the number of a name that begins with it; kinds of values."""

    words: tuple[tuple[str, int], ...]
    values: tuple[int, ...]


class Met(NamedTuple):
    """What a unit meets with what it hangs on, what by itself, and the areas that ask for a value which it has."""

    whole: Match
    own: Match
    valued: set[int]


class Asked:
    """What is asked for, as areas of a few stems each, and how far a unit meets them."""

    def __init__(
        self,
        text: str,
        stems: Stems,
        frequency: dict[str, int],
        units: int,
        *,
        sample: Sequence[str],
        content: str,
    ) -> None:
        """`frequency`: in how many of the units of `content` each stem is; `sample`: some of them, to see what is rare."""
        self._stems, self._frequency = stems, frequency
        self._fillers = set(FILLERS.split())
        areas = areas_of(text)
        self._kinds = [[stem_of(word) for word in kind.split()] for kind in _KINDS]
        self._kinds_of = cache(_Kinds(self._kinds).of)
        self._knowledge = by_asked(kinds())
        self._companion: tuple[int, str] | None = None
        self._who = NONE  # the area of bare words for people and groups
        self._areas = self._with_who_together(list(areas))
        self._told = self._told_of(areas)
        self._heads = set(self._told.values())
        self._unwanted = {term for found in NEGATED.finditer(text) for term in terms_of(found[1], Stems())}
        self._keys = self._numbered()
        self._area_of = {key: area for (area, _), key in self._keys.items()}
        self._asked = self._all_asked()
        self._values = self._all_values()
        self._visible = {key for _, answers in self._values for key in answers}
        self._expecting = {
            self._area_of[key]
            for shape, answers in self._values
            for key, weight in answers.items()
            if weight >= shape.sure
        }
        self._hits = self._all_hits()
        self._listed: dict[str, list[Listed]] = {}
        self._other = {
            word for kind in self._kinds if not any(word in self._asked for word in kind) for word in kind
        }
        self._asking = {
            shape: {self._area_of[key] for key, weight in answers.items() if weight >= shape.sure}
            for shape, answers in self._values
        }
        needs = list(dict.fromkeys(shape.need for shape, _ in self._values))
        self._need_of = [needs.index(shape.need) for shape, _ in self._values]
        self._needs = [need.of_parts_in(content) for need in needs]
        self._seen: dict[str, tuple[int, ...]] = {}
        self._sampled: dict[str, tuple[int, ...]] = {}
        self._weights = self._weigh(frequency, units, sample)
        self._hits = {stem: self._strongest(match, MAX_ANSWERED) for stem, match in self._hits.items()}
        self._values = [(shape, self._strongest(answers, MAX_ANSWERED)) for shape, answers in self._values]
        self._alone = self._asked_alone()
        self._norms = [self._norm(number) for number in range(len(self._areas))]
        self._says = self._shares_of_areas()

    def __bool__(self) -> bool:
        return bool(self._hits)

    def _told_of(self, areas: dict[Terms, Terms]) -> dict[int, int]:
        """Return the numbers of the areas that tell of others, each with that of the one it tells of."""
        numbers = {area: number for number, area in enumerate(self._areas)}
        who = 0 if self._who != NONE else NONE
        return {
            numbers[area]: head
            for area, of in areas.items()
            if of and area in numbers and (head := numbers.get(of, who)) not in (NONE, numbers[area])
        }

    def _asked_alone(self) -> set[int]:
        """Return the words that are all that is asked for in their areas, but for those whose answers are names."""
        of_area = Counter(area for key, area in self._area_of.items() if self._weights[key])
        named = {
            key
            for (_, term), key in self._keys.items()
            if any(self._kinds[kind][0] in _NAMED for kind in self._kinds_of(term))
        }
        return {key for key, area in self._area_of.items() if of_area[area] == 1} - named

    def _with_who_together(self, areas: list[Terms]) -> list[Terms]:
        """Read bare words for people and groups as one area, as "NPCs with factions" is: who, and of which."""
        who = {
            term: self._kinds[kind][0] for (term, *more) in areas if not more for kind in self._kinds_of(term)
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
        return [tuple(together), *rest]

    def _numbered(self) -> dict[tuple[int, str], int]:
        """Number the asked words; words of one kind in an area are one ("faction allegiances")."""
        keys: dict[tuple[int, str], int] = {}
        for number, area in enumerate(self._areas):
            of_kind: dict[int, int] = {}
            for term in area:
                kind = next(iter(self._kinds_of(term)), NONE)
                key = of_kind.setdefault(kind, len(keys)) if kind != NONE else len(keys)
                keys[number, term] = key
        return keys

    def _all_asked(self) -> dict[str, Match]:
        """Return what a stem answers: itself, a longer word that it begins, a word of the same kind."""
        asked: dict[str, Match] = {}
        for (_, term), key in self._keys.items():
            shortest = max(MIN_PREFIX_CHARS, len(term) - MAX_INFLECTION_CHARS)
            same_kind = {other for kind in self._kinds_of(term) for other in self._kinds[kind]}
            weights = dict[str, float]()
            for kind in self._known(term):
                weights |= dict.fromkeys(kind.asked, SAME_KIND_WEIGHT) | dict.fromkeys(kind.told, TOLD_WEIGHT)
            weights |= dict.fromkeys(same_kind, KIND_WEIGHT)
            weights |= {term[:end]: 0.8 for end in range(shortest, len(term))} | {term: 1.0}
            for other, weight in weights.items():
                raise_match(asked.setdefault(other, {}), {key: weight}, 1.0)
        for word in QUESTION_WORDS.split():
            asked.pop(stem_of(word), None)
        return {stem: self._best_of_areas(match) for stem, match in asked.items()}

    def _known(self, term: str) -> list[Kind]:
        """Return what is known of the kinds that a word asks for."""
        return self._knowledge.get(term, [])

    def _all_values(self) -> list[tuple[Shape, Match]]:
        """Return which asked words each kind of value answers, and how surely."""
        known = shapes()
        answers: dict[str, Match] = {}
        for (_, term), key in self._keys.items():
            for kind in self._known(term):
                for name, shape in known.items():
                    if name in kind.values:
                        raise_match(answers.setdefault(name, {}), {key: shape.sure * BESIDE}, 1.0)
            for name, shape in known.items():
                if shape.is_asked_by(term):
                    raise_match(answers.setdefault(name, {}), {key: shape.sure}, 1.0)
        return [(known[name], answers[name]) for name in sorted(answers)]

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
                    raise_match(hits.setdefault(stem, {}), match, 1.0)
        return hits

    def _hit(self, stem: str) -> Match:
        if stem in self._asked:
            return self._asked[stem]
        shortest = max(MIN_PREFIX_CHARS, len(stem) - MAX_INFLECTION_CHARS)
        starts = (stem[:end] for end in range(len(stem) - 1, shortest - 1, -1))
        return next((self._asked[start] for start in starts if start in self._asked), {})

    def _weigh(self, frequency: dict[str, int], units: int, sample: Sequence[str]) -> dict[int, float]:
        """Weigh an asked word the more, the fewer units have it, or tell of it where none has the word itself.

        What is in more units than that, says less: its matches are lowered.
        """
        said: Counter[int] = Counter()
        told: Counter[int] = Counter()
        for stem, match in self._hits.items():
            for key, weight in match.items():
                (said if weight >= LITERAL else told)[key] += frequency.get(stem, 0)
        self._sampled = {text: tuple(self._see(text, set())) for text in sample}
        samples = Counter(number for text in sample for number in self._sampled[text])
        seen = [units * (1 + samples[number]) / (1 + len(sample)) for number in range(len(self._values))]
        values: dict[int, float] = {}
        for (_, answers), times in zip(self._values, seen, strict=True):
            for key in answers:
                values[key] = min(values.get(key, units), times)
        found = {key: said[key] or told[key] or values.get(key, 0) for key in self._area_of}
        weights = {key: _rarity(units, times) if times else 0.0 for key, times in found.items()}
        for stem, match in self._hits.items():
            _lower(match, weights, _rarity(units, frequency.get(stem, 0)))
        for (_, answers), times in zip(self._values, seen, strict=True):
            _lower(answers, weights, _rarity(units, times))
        return weights

    def _strongest(self, match: Match, most: int) -> Match:
        """Return what of a match says most, at most so many words of it, in the order of the match."""
        if len(match) <= most:
            return match
        strength = {key: weight * self._weights[key] for key, weight in match.items()}
        strongest = set(nlargest(most, strength, key=strength.__getitem__))
        return {key: weight for key, weight in match.items() if key in strongest}

    def inherited(self, match: Match) -> Match:
        """Return what those that hang on a unit inherit of what it meets."""
        return self._strongest(match, MAX_INHERITED)

    def _norm(self, number: int) -> float:
        """Return what two words of an area come to."""
        weights = sorted(weight for key, weight in self._weights.items() if self._area_of[key] == number)
        first, second = [0.0, 0.0, *weights][-1], [0.0, 0.0, *weights][-2]
        return first + SECOND_WORD * second or 1.0

    def _shares_of_areas(self) -> list[float]:
        """Return what each area says beside the one that says most: "name" alone says little where every record has one.

        What only tells of another ("errors: code, cause") does not set the measure.
        """
        best = [0.0] * len(self._areas)
        for key, area in self._area_of.items():
            best[area] = max(best[area], self._weights[key])
        heads = [weight for number, weight in enumerate(best) if number not in self._told]
        most = max(heads, default=0.0) or max(best, default=0.0) or 1.0
        return [min(1.0, weight / most) ** AREA_EXPONENT for weight in best]

    def learn(self, content: str, units: Units) -> None:
        """Take in the names under the headings, labels and column heads that are asked for."""
        names = Names(self._stems, self._frequency, self._hits, self._other, self._alone)
        self._listed = {
            term: [Listed(name.terms, self._best_of_areas(name.match)) for name in found]
            for term, found in names.find(content, units).items()
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

    # --- What a unit answers ---

    def find(self, terms: Sequence[str], text: str) -> Found:
        """Return what of a unit answers anything: its words, the names that are listed, the values that can be seen."""
        words: list[tuple[str, int]] = []
        named: set[str] = set()
        own: frozenset[str] | None = None
        for term in terms:
            if term in self._hits:
                words.append((term, NONE))
            for number, listed in enumerate(self._listed.get(term, ())):
                own = frozenset(terms) if own is None else own
                if listed.terms <= own:
                    words.append((term, number))
                    named |= listed.terms
        return Found(tuple(words), tuple(self._see(text, named)))

    def match(self, found: Found, inherited: Match, share: float) -> Met:
        """Return which asked words a unit meets that has these, and how surely."""
        own: Match = {}
        for term, number in found.words:
            raise_match(own, self._hits[term] if number == NONE else self._listed[term][number].match, 1.0)
        valued: set[int] = set()
        for number in found.values:
            shape, answers = self._values[number]
            raise_match(own, answers, 1.0)
            valued |= self._asking[shape]
        whole = own.copy()
        for key, weight in inherited.items():
            # Under "People", a line without a name is about people less surely.
            sure = 1.0 if key in own or key not in self._visible else WITHOUT_SIGHT
            if weight * share * sure > whole.get(key, 0.0):
                whole[key] = weight * share * sure
        return Met(whole, own, valued)

    def _see(self, text: str, named: set[str]) -> Iterator[int]:
        """Yield the numbers of the kinds of value that can be seen without a word for them, apart from names that were known."""
        sampled = self._sampled.get(text)
        for number in self._may_see(text) if sampled is None else sampled:
            shape = self._values[number][0]
            if named:
                is_seen = self._has_other(shape, text, named)
            else:
                is_seen = sampled is not None or shape.is_blind or shape.pattern.search(text) is not None
            if is_seen:
                yield number

    def _has_other(self, shape: Shape, text: str, named: set[str]) -> bool:
        """Whether a text has a value that is more than names: one that is known to be of another kind is not a person's."""
        return any(
            not named.issuperset(terms_of(found[0], self._stems)) for found in shape.pattern.finditer(text)
        )

    def _may_see(self, text: str) -> tuple[int, ...]:
        """Return the kinds of value that a text may have by all but its digits; looked for once in texts that differ in these."""
        like = without_digits(text)
        seen = self._seen.get(like)
        if seen is None:
            has = like.__contains__
            # Written out, since a call for each need would be half of the time.
            may_have = [
                any(map(has, need.parts)) or (need.pattern is not None and need.pattern.search(like))
                for need in self._needs
            ]
            seen = tuple(
                number
                for number, need in enumerate(self._need_of)
                if may_have[need] and self._values[number][0].like.search(like)
            )
            if len(self._seen) >= MAX_SEEN:
                self._seen.clear()
            if len(like) <= MAX_ALIKE_CHARS:
                self._seen[like] = seen
        return seen

    def is_unwanted(self, terms: Iterable[str]) -> bool:
        """Whether a unit says what the brief excepts."""
        return not self._unwanted.isdisjoint(terms)

    def relevance(self, match: Match, own: Match, valued: set[int]) -> dict[int, float]:
        """Return for each area that is met how far it is, in the order of the areas: 1 by two of its words, or by the only one.

        `own` is the part of the match that stands in the unit itself, `valued` the areas of which it has a value.
        """
        # Once for each unit of a long text: written out, since calls would be half of the time.
        area_of, weights, own_of = self._area_of, self._weights, own.get
        scores: dict[int, float] = {}
        parts: dict[int, float] = {}
        for key, weight in match.items():
            area = area_of[key]
            scores[area] = scores.get(area, 0.0) + weight * weights[key]
            if weight >= PART:
                parts[area] = parts.get(area, 0.0) + (1.0 if own_of(key, 0.0) >= PART else INHERITED_PART)
        met: dict[int, float] = {}
        for area in sorted(scores):
            sure = 1.0 if area in valued or area not in self._expecting else WITHOUT_VALUE
            more = parts.get(area, 0.0) - 1
            together = 1.0 if more <= 0 else 1 + TOGETHER * min(1.0, more)
            share = scores[area] / self._norms[area] * together
            met[area] = sure * self._says[area] * min(MAX_RELEVANCE, share)
        return self._with_what_is_told(met) if self._told else met

    def _with_what_is_told(self, met: dict[int, float]) -> dict[int, float]:
        """Lower areas of which more is to be told ("errors: code, cause") where none of that is met, and that where they are not."""
        heads = self._heads & met.keys()
        shares = {area: min(1.0, met[area] / (self._says[area] or 1.0)) for area in heads}
        told: dict[int, float] = {}
        for area in self._told.keys() & met.keys():
            head = self._told[area]
            share = min(1.0, met[area] / (self._says[area] or 1.0))
            told[head] = max(told.get(head, 0.0), share)
            met[area] *= WITHOUT_HEAD + (1 - WITHOUT_HEAD) * shares.get(head, 0.0)
        for head in heads:
            met[head] *= WITHOUT_QUALITY + (1 - WITHOUT_QUALITY) * told.get(head, 0.0)
        return met


class _Kinds:
    """The kinds by their words, to ask of which one a term is a word, in any of its endings."""

    def __init__(self, kinds: Sequence[Sequence[str]]) -> None:
        # Words that begin each other have their first letters in common.
        self._by_start: dict[str, list[tuple[int, str]]] = {}
        for number, kind in enumerate(kinds):
            for word in kind:
                self._by_start.setdefault(word[:MIN_STEM_CHARS], []).append((number, word))

    def of(self, term: str) -> list[int]:
        """Return the numbers of the kinds, in their order."""
        alike = self._by_start.get(term[:MIN_STEM_CHARS], ())
        return sorted({number for number, word in alike if term == word or _is_form_of(term, word)})


def _is_form_of(one: str, other: str) -> bool:
    if min(len(one), len(other)) < MIN_STEM_CHARS or abs(len(one) - len(other)) > MAX_ENDING_CHARS:
        return False
    return one.startswith(other) or other.startswith(one)


def _rarity(units: int, times: float) -> float:
    return log(1 + units / max(times, 1.0))


def _lower(match: Match, weights: dict[int, float], rarity: float) -> None:
    for key in match:
        if weights[key]:
            match[key] *= min(1.0, rarity / weights[key])
