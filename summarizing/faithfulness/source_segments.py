"""The segments of a source as words: looks up where words and values stand, and what stands around them.

Pure. Knows nothing of facts, and judges nothing: altered_copies.py and single_passage.py say what a sentence or an answer makes of the
words. Words are compared by their stems, in scripts without spaces by pairs of letters; what is only grammar is known of English, German,
French and Spanish.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache, cached_property
from itertools import islice
from math import fsum, log

from summarizing.facts.fact_index import FactIndex
from summarizing.facts.text_reading import Reading
from summarizing.facts.value_words import value_words
from summarizing.text.document import NO_SEGMENT, SENTENCES, SegmentKind
from summarizing.text.language.stemming import stem_of, terms_of

# What a value belongs to stands at most this far before it, in prose or in the lines of a listing.
NEAR_CHARS = 600

# At most this many segments below a heading are looked at.
MAX_BELOW = 200

# Of the places of a word or value, at most this many are looked at; the best of them are looked for among this many.
MAX_PLACES = 20
MAX_SEEN = 5_000

# Japanese writes particles and endings in hiragana: a pair of letters that ends with one is of the same word as the pair before it,
# or of none.
_HIRAGANA = re.compile("[\u3041-\u309f]")


class SourceSegments:
    """A source's segments, each as its terms."""

    def __init__(self, reading: Reading, context_terms: frozenset[str] = frozenset()) -> None:
        """`context_terms`: of the query and the headings above; an answer may have them, and what is said of them is not compared."""
        self.reading, self.context_terms = reading, context_terms
        self.document, self.stems = reading.document, reading.stems
        self._segments, self._terms = self.document.segments, reading.term_sets
        self._having = reading.segments_with
        self.frequency = {term: len(segments) for term, segments in self._having.items()}
        """How many segments have each term."""
        # Filled on demand: few of the segments are compared with answers.
        self._around: dict[int, AbstractSet[str]] = {}
        self._with_above: dict[int, frozenset[str]] = {}

    @cached_property
    def index(self) -> FactIndex:
        """What the source states."""
        return self.reading.index()

    def with_term(self, term: str) -> Sequence[int]:
        """Return the segments that have a term."""
        return self._having.get(term, ())

    def with_any(self, terms: AbstractSet[str]) -> list[int]:
        """Return the segments that have one of some terms."""
        return sorted(set[int]().union(*map(self.with_term, terms)))

    def rarity(self, term: str) -> float:
        """Return the weight of a term of the text: the fewer segments have it, the more."""
        return log(1 + len(self._segments) / self.frequency[term])

    @cached_property
    def _starts(self) -> list[int]:
        """Where each begins: quicker to search than the segments."""
        return [segment.start for segment in self._segments]

    def at(self, place: int) -> int:
        """Return the segment at a place of the text, or before it."""
        return max(bisect_right(self._starts, place) - 1, 0)

    def likely(self, indices: Sequence[int], term: str) -> list[int]:
        """Return a few of the given segments, first those that have the term, or follow one that has it."""
        if len(indices) <= MAX_PLACES:
            return list(indices)
        terms = self._terms
        near = (at for at in indices[:MAX_SEEN] if term in terms[at] or (at and term in terms[at - 1]))
        return list(dict.fromkeys([*islice(near, MAX_PLACES), *indices[:MAX_PLACES]]))

    def with_above(self, index: int) -> frozenset[str]:
        """Return the terms of a segment and of what it hangs on."""
        known = self._with_above.get(index)
        if known is None:
            above = map(self._terms.__getitem__, self.document.requirements(index))
            known = self._with_above[index] = self._terms[index].union(*above)
        return known

    def around(self, index: int) -> AbstractSet[str]:
        """Return the terms near the values of a segment: its own, those of what it hangs on and, in prose, of the segment before."""
        known = self._around.get(index)
        if known is None:
            known = self._around[index] = self._terms_around(index)
        return known

    def _terms_around(self, index: int) -> AbstractSet[str]:
        segment = self._segments[index]
        near = self.with_above(index)
        start = segment.start
        if segment.kind in SENTENCES and index:
            start = max(self._segments[index - 1].start, start - NEAR_CHARS)
        elif segment.kind is SegmentKind.CODE and segment.parent == NO_SEGMENT:
            start = max(0, start - NEAR_CHARS)
        if start < segment.start:
            is_whole = start == self._segments[index - 1].start
            if is_whole and self.document.text[self._segments[index - 1].end : segment.start].isspace():
                near = near | self._terms[index - 1]
            else:
                near = near.union(terms_of(self.document.text[start : segment.end], self.stems))
        if segment.kind is SegmentKind.HEADING:
            # A heading applies to everything under it.
            stop = min(index + 1 + MAX_BELOW, len(self._segments))
            below = (at for at in range(index + 1, stop) if index in self.document.above(at))
            near = near.union(*map(self._terms.__getitem__, below))
        return near

    def meet(self, query: frozenset[str]) -> list[float]:
        """Return for each segment how many of a query's terms it has with what it hangs on, by their rarity."""
        terms = {term: self.rarity(term) for term in query - grammar() if term in self.frequency}
        wanted = frozenset(terms)
        met: list[frozenset[str]] = []
        for segment, own in zip(self._segments, self._terms, strict=True):
            above = met[segment.parent] if segment.parent != NO_SEGMENT else frozenset[str]()
            met.append(above.union(own & wanted))
        return [fsum(weight for term, weight in terms.items() if term in each) for each in met]


@cache
def grammar() -> frozenset[str]:
    """Return the stems of function words."""
    return frozenset(map(stem_of, value_words().function_words))


def is_ending(term: str) -> bool:
    """Whether a term is of a particle or an ending of Japanese."""
    return _HIRAGANA.match(term[-1]) is not None
