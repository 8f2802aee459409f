"""A text's analysis, called its reading: the parsed document, the facts that it states, the words of each segment, each found once.

Shared by everything that works on the text afterwards: the summary without a model, the search for lost facts, the check of a model's
answer. A part of a reading is cut out of it instead of being read again: that costs a tenth, and what only the whole text shows (its
form, the width it is wrapped at, its abbreviations and names) holds for the part too. Does not judge what is relevant or true.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from math import fsum, log
from operator import attrgetter, itemgetter

from summarizing.facts.fact import Fact, FactKey
from summarizing.facts.fact_finder import find_facts
from summarizing.facts.fact_index import FactIndex
from summarizing.text.document import Document
from summarizing.text.excerpt import stretch
from summarizing.text.language.stemming import Stems, inverted_index, terms_of, terms_of_each
from summarizing.text.parsing import parse

# Bounds of the time: what is like a text is looked up by this many of its rarest terms, each at this many places.
PROBES = 6
MAX_PLACES = 50

_start = attrgetter("start")

# Makes a fact of its fields in order: a text has many, and this is the quickest way.
_new = tuple.__new__
_key_of = partial(_new, FactKey)
_signature_and_key = itemgetter(3, 2)


class Reading:
    """A document with its facts and terms."""

    def __init__(
        self,
        document: Document,
        facts: Sequence[Fact] | None = None,
        stems: Stems | None = None,
        shift: int = 0,
    ) -> None:
        """`facts` and `stems`: of the document, where they are known already; each fact stands `shift` characters further in it."""
        self.document = document
        self._found: Sequence[Fact] | None = find_facts(document.text) if facts is None else facts
        self._shift = shift
        self.stems = stems or Stems()

    @classmethod
    def of(cls, text: str) -> "Reading":
        """Read a text."""
        return cls(parse(text))

    @property
    def facts(self) -> Sequence[Fact]:
        """All of them, in the order in which they stand; found again where only the keys were kept."""
        if self._found is None:
            self._found = find_facts(self.document.text)
        self._found, self._shift = _moved(self._found, self._shift), 0
        return self._found

    def index(self) -> FactIndex:
        """Return what the text states, to look up facts of another one."""
        return FactIndex(self.document.text, self._found, self.stems, self._shift)

    @cached_property
    def facts_of(self) -> Sequence[Sequence[Fact]]:
        """The facts that begin in each segment."""
        facts = self.facts
        return [facts[first:last] if first < last else () for first, last in self._stretches_of_facts()]

    @cached_property
    def keys_of(self) -> Sequence[Sequence[FactKey]]:
        """The keys of the facts that begin in each segment."""
        found = list(map(_key_of, map(_signature_and_key, self.facts)))
        same: dict[FactKey, FactKey] = {}
        keys = tuple(map(same.setdefault, found, found))
        return [keys[first:last] for first, last in self._stretches_of_facts()]

    def _stretches_of_facts(self) -> Iterator[tuple[int, int]]:
        """Yield for each segment the number of its first fact and that behind its last one."""
        starts, at = [*map(_start, self.facts), len(self.document.text)], 0
        for segment in self.document.segments:
            while starts[at] < segment.start:
                at += 1
            first, end = at, segment.end
            while starts[at] < end:
                at += 1
            yield first, at

    def forget_places(self) -> None:
        """Forget where each fact stands, which takes more memory than the text; the keys are kept."""
        _ = self.keys_of
        self._found = None
        self.__dict__.pop("facts_of", None)

    @cached_property
    def terms_of(self) -> list[list[str]]:
        """The terms of each segment, in the order in which they stand."""
        return list(self._found_terms())

    def each_terms(self) -> Iterable[list[str]]:
        """Return `terms_of` for those who need it once: it is not kept for that."""
        return self.__dict__.get("terms_of") or self._found_terms()

    def _found_terms(self) -> Iterator[list[str]]:
        stretches = [(segment.start, segment.end) for segment in self.document.segments]
        return terms_of_each(self.document.text, stretches, self.stems)

    @cached_property
    def term_sets(self) -> list[frozenset[str]]:
        """The different terms of each segment."""
        return list(map(frozenset, self.terms_of))

    @cached_property
    def segments_with(self) -> dict[str, list[int]]:
        """The segments that have each term."""
        return inverted_index(self.term_sets)

    @cached_property
    def rarity(self) -> dict[str, float]:
        """The weight of each term: the fewer segments have it, the more."""
        total = len(self.document.segments)
        return {term: log(1 + total / len(segments)) for term, segments in self.segments_with.items()}

    def near(self, terms: Iterable[str], having: Mapping[str, Sequence[int]]) -> set[int]:
        """Return where texts stand that may be alike: some of those that have one of the rarest of some terms."""
        rarity = self.rarity
        rarest = sorted(terms, key=lambda term: (-rarity[term], term))[:PROBES]
        return {at for term in rarest for at in having[term][:MAX_PLACES]}

    def weight_of(self, terms: Iterable[str]) -> float:
        """Return the weight of some of its terms together: to the last bit the same for every order, since a set has none."""
        return fsum(map(self.rarity.__getitem__, terms))

    def part(self, start: int, end: int, lead: str = "") -> "Reading":
        """Return the reading of a stretch of the text, after a lead that is repeated from before; what crosses its edges is cut."""
        above = Reading(parse(lead), stems=self.stems)
        document = stretch(self.document, start, end, above.document)
        first = bisect_left(self.facts, start, key=_start)
        last = bisect_left(self.facts, end, lo=first, key=_start)
        while first < last and self.facts[last - 1].end > end:
            last -= 1
        shift = len(lead) - start
        facts = [*_moved(above.facts, -shift), *self.facts[first:last]]
        part = Reading(document, facts, self.stems, shift)
        number = len(document.segments) - len(above.document.segments)
        stop = self.document.between(0, end).stop
        part.terms_of = [*above.terms_of, *self.terms_of[stop - number : stop]]
        part.term_sets = [*above.term_sets, *self.term_sets[stop - number : stop]]
        # Those at the edges may be cut.
        for at in {-number, -1} if number else ():
            part.terms_of[at] = terms_of(document.of(len(document.segments) + at), self.stems)
            part.term_sets[at] = frozenset(part.terms_of[at])
        return part


def _moved(facts: Sequence[Fact], shift: int) -> Sequence[Fact]:
    """Return facts that stand so many characters further."""
    if not shift:
        return facts
    return [_new(Fact, (start + shift, end + shift, key, signature)) for start, end, key, signature in facts]
