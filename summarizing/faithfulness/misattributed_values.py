"""Values that an answer gives to something else than the source does: each value of a sentence must stand near its words in the source.

Pure. Does not say whether a source has a value at all: summarizing/faithfulness/unsupported_facts.py does. What belongs to what is
judged by the words around it, in scripts without spaces by pairs of letters.
"""

from collections.abc import Sequence
from itertools import islice
from math import fsum

from summarizing.facts.fact import Fact
from summarizing.facts.fact_finder import find_facts
from summarizing.facts.fact_index import NO_VALUES
from summarizing.faithfulness.source_segments import SourceSegments, is_ending
from summarizing.text.language.stemming import has_digit, terms_of

# This share of a line's other words, weighted by rarity, must stand near its values in the source.
TOGETHER = 0.7

# Each different value of a sentence is compared with each other one; a sentence with more of them is a run of numbers.
MAX_VALUES = 100


class ValuePlaces:
    """Where each value stands in a source, and what stands near it."""

    def __init__(self, segments: SourceSegments) -> None:
        self._segments, self._stems = segments, segments.stems
        self._known: dict[str, list[int]] = {}

    def has_together(self, sentence: str, facts: Sequence[Fact]) -> bool:
        """Whether each part of a sentence (parts end at semicolons) gives its values to what the text gives them to."""
        if ";" not in sentence:
            return self._is_part_together(sentence, facts)
        return all(self._is_part_together(part, find_facts(part)) for part in sentence.split(";"))

    def _is_part_together(self, sentence: str, facts: Sequence[Fact]) -> bool:
        """Whether each value of a sentence stands in the text near what the sentence gives it to.

        That is, near most of the sentence's words, weighted by rarity, and near half of its other values.
        """
        known = {
            key: fact
            for fact in facts
            if fact.kind not in NO_VALUES and self._segments_with(key := fact.value)
        }
        found = list(islice(known.items(), MAX_VALUES))
        values = [self._own_terms(sentence[fact.start : fact.end]) for _, fact in found]
        words = set(terms_of(sentence, self._stems)).difference(self._segments.context_terms, *values)
        weights = {
            term: self._segments.rarity(term)
            for term in words
            if term in self._segments.frequency and not is_ending(term)
        }
        least = TOGETHER * fsum(weights.values())
        rarest = max(weights, key=lambda term: (weights[term], term), default="")
        return all(
            self._stands_beside(key, rarest, weights, least, [other for other in values if not own & other])
            for (key, _), own in zip(found, values, strict=True)
        )

    def _segments_with(self, value: str) -> list[int]:
        """Return the segments in which a value stands."""
        known = self._known.get(value)
        if known is None:
            known = self._known[value] = list(map(self._segments.at, self._segments.index.places(value)))
        return known

    def _own_terms(self, value: str) -> frozenset[str]:
        """Return the terms of a value; for one with digits only the digits, since its unit may have another name."""
        terms = frozenset(terms_of(value, self._stems))
        return frozenset(filter(has_digit, terms)) or terms

    def _stands_beside(
        self, key: str, rarest: str, weights: dict[str, float], least: float, others: list[frozenset[str]]
    ) -> bool:
        """Whether one of a value's places has enough of some words, by their weights, and half of the other values.

        Places of the rarest word are looked at first.
        """
        for index in self._segments.likely(self._segments_with(key), rarest):
            near = self._segments.around(index)
            has_most = fsum([weights[term] for term in weights.keys() & near]) >= least
            if has_most and 2 * sum([other <= near for other in others]) >= len(others):
                return True
        return False
