"""Finds answers that only repeat one passage of a long source, as a model does that obeys an instruction in it.

Pure. Whether such an answer may stand is answer_check.py's to say.
"""

from summarizing.faithfulness.source_segments import SourceSegments, grammar
from summarizing.text.document import NO_SEGMENT

# If one passage holds this share of an answer's words, and a share of them that stands nowhere else, the answer is an excerpt and no
# summary. Judged for sources of this many segments or more; a passage is a segment and this many after it.
NARROW_SHARE = 0.9
OWN_SHARE = 0.5
NARROW_SEGMENTS = 20
NARROW_REACH = 4


class Passages:
    """The passages of a source."""

    def __init__(self, segments: SourceSegments) -> None:
        self._text, self._segments = segments.document.text, segments.document.segments
        self._context_terms = segments.context_terms
        self._terms = segments.reading.term_sets
        self._frequency = segments.frequency

    def only_passage_with(self, words: frozenset[str]) -> tuple[int, int]:
        """Return the first and last segment of the one passage of a long text that an answer of these words only repeats.

        (NO_SEGMENT, NO_SEGMENT) for any other answer.
        """
        # Function words stand in every passage.
        words = words - self._context_terms - grammar()
        said = words & self._frequency.keys()
        if len(self._segments) < NARROW_SEGMENTS or not said:
            return NO_SEGMENT, NO_SEGMENT
        first = self._passage_with_most(said)
        window = self._terms[first : first + 1 + NARROW_REACH]
        beside = said.intersection(frozenset[str]().union(*window))
        if len(beside) < NARROW_SHARE * len(words):
            return NO_SEGMENT, NO_SEGMENT
        # In a uniform text every passage has these words: what counts are words that occur in this passage alone.
        alone = {term for term in beside if self._frequency[term] == sum(term in terms for terms in window)}
        if len(alone) < OWN_SHARE * len(words):
            return NO_SEGMENT, NO_SEGMENT
        having = [number for number, terms in enumerate(window) if terms & alone]
        return first + having[0], first + having[-1]

    def _passage_with_most(self, terms: frozenset[str]) -> int:
        """Return the first segment of the passage that has most of the terms; it is sought around the segment that has most of them."""
        counts = [len(terms & own) for own in self._terms]
        best = counts.index(max(counts))
        starts = range(best, max(best - NARROW_REACH, 0) - 1, -1)
        return max(
            starts,
            key=lambda at: len(terms & frozenset[str]().union(*self._terms[at : at + 1 + NARROW_REACH])),
        )

    def without(self, first: int, last: int) -> str:
        """Return the text without some segments that stand in a row."""
        return self._text[: self._segments[first].start] + self._text[self._segments[last].end :]
