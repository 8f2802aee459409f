"""A text's analysis, called its reading: the parsed document, the facts that it states, the words of each segment, each found once.

Shared by everything that works on the text afterwards: the summary without a model, the search for lost facts, the check of a model's
answer. A part of a reading is cut out of it instead of being read again: that costs a tenth, and what only the whole text shows (its
form, the width it is wrapped at, its abbreviations and names) holds for the part too. Does not judge what is relevant or true.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import fsum, log
from operator import attrgetter

from summarizing.facts.fact import Fact, FactKey
from summarizing.facts.fact_finder import find_facts
from summarizing.text.document import Document
from summarizing.text.excerpt import stretch
from summarizing.text.parsing import parse
from summarizing.text.stemming import Stems, inverted_index, terms_of, terms_of_each

_start = attrgetter("start")

# Makes a fact of its fields in order: a text has many, and this is the quickest way.
_new = tuple.__new__


class Reading:
    """A document with its facts and terms."""

    def __init__(
        self, document: Document, facts: Sequence[Fact] | None = None, stems: Stems | None = None
    ) -> None:
        """`facts` and `stems`: of the document, where they are known already."""
        self.document = document
        self.facts = find_facts(document.text) if facts is None else facts
        self.stems = stems or Stems()

    @classmethod
    def of(cls, text: str, document: Document | None = None) -> "Reading":
        """Read a text; `document`: its segments, where it has been parsed already."""
        return cls(parse(text) if document is None else document)

    @cached_property
    def facts(self) -> Sequence[Fact]:
        """All of them, in the order in which they stand; found again where only the keys were kept."""
        return find_facts(self.document.text)

    @cached_property
    def facts_of(self) -> Sequence[Sequence[Fact]]:
        """The facts that begin in each segment."""
        return list(self._facts_by_segment())

    def _facts_by_segment(self) -> Iterator[Sequence[Fact]]:
        facts, at = self.facts, 0
        starts = [*map(_start, facts), len(self.document.text)]
        for start, end, _, _, _, _, _, _, _ in self.document.segments:
            while starts[at] < start:
                at += 1
            first = at
            while starts[at] < end:
                at += 1
            yield facts[first:at] if first < at else ()

    @cached_property
    def keys_of(self) -> Sequence[Sequence[FactKey]]:
        """The keys of the facts that begin in each segment."""
        same: dict[FactKey, FactKey] = {}
        found: list[Sequence[FactKey]] = []
        for facts in self.__dict__.get("facts_of") or self._facts_by_segment():
            keys = [_new(FactKey, (signature, key)) for _, _, key, signature in facts] if facts else ()
            found.append(tuple(map(same.setdefault, keys, keys)))
        return found

    def forget_places(self) -> None:
        """Forget where each fact stands, which takes more memory than the text; the keys are kept."""
        _ = self.keys_of
        self.__dict__.pop("facts", None)
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

    def weight_of(self, terms: Iterable[str]) -> float:
        """Return the weight of some of its terms together: to the last bit the same for every order, since a set has none."""
        return fsum(map(self.rarity.__getitem__, terms))

    def part(self, start: int, end: int, lead: str = "") -> "Reading":
        """Return the reading of a stretch of the text, after a lead that is repeated from before; what crosses its edges is cut."""
        above = Reading(parse(lead), stems=self.stems)
        document = stretch(self.document, start, end, above.document)
        shift = len(lead) - start
        first = bisect_left(self.facts, start, key=_start)
        last = bisect_left(self.facts, end, lo=first, key=_start)
        facts = [
            _new(Fact, (at + shift, stop + shift, key, signature))
            for at, stop, key, signature in self.facts[first:last]
            if stop <= end
        ]
        part = Reading(document, [*above.facts, *facts], self.stems)
        number = len(document.segments) - len(above.document.segments)
        stop = self.document.between(0, end).stop
        part.terms_of = [*above.terms_of, *self.terms_of[stop - number : stop]]
        part.term_sets = [*above.term_sets, *self.term_sets[stop - number : stop]]
        # Those at the edges may be cut.
        for at in {-number, -1} if number else ():
            part.terms_of[at] = terms_of(document.of(len(document.segments) + at), self.stems)
            part.term_sets[at] = frozenset(part.terms_of[at])
        return part
