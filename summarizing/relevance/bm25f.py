"""How relevant each segment of a document is to a query, and whether the document is about it at all.

Relevance is a power of the score of BM25F (scored_fields.py). How well the sections answer that a segment stands in raises its relevance, not its
score. Does not choose.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from summarizing.relevance.asked_keys import members_under_other_keys
from summarizing.relevance.query_numbers import numbers_in, with_numbers
from summarizing.relevance.query_terms import Counts, QueryTerms
from summarizing.relevance.scored_fields import MOST_HAVING, NOTHING, Fields
from summarizing.relevance.words_found import (
    AskedWords,
    WordsFound,
    asked_words_of,
    nothing_found,
    words_found,
)
from summarizing.text.document import Document, Segment, SegmentKind
from summarizing.text.language.stemming import Stems

# Relevance is a power of the score: one segment that answers the whole query is worth several that answer a part of it. From 1 to 2, and with
# .1 or .2 of the best score added, recall on 200 documents is the same within a point.
EXPONENT = 1.5

# This share of the best score is added to every score, so that other segments may fill the room once every answer is kept: of a log, rare kinds of
# lines before common ones.
LEAST_SHARE_OF_BEST = 0.1

# No rare line gets more than half of the best score in this way: what answers comes first. By half and double recall changes by .2 points at most.
MOST_PRIOR = 5.0

# So much more is relevant in the section that answers best as a whole; elsewhere by the square of what it has of that section's score.
SECTION_GAIN = 2.0

# Front matter, navigation and licence headers may answer, but seldom do.
MARGINAL_WEIGHT = 0.3

# Where a query names a key of records ("titles"), what stands under their other keys comes after it.
OTHER_KEY_WEIGHT = 0.5


class Scorer:
    """The relevance of a document's segments to a query."""

    def __init__(
        self,
        document: Document,
        query: str,
        values: Sequence[Collection[str]] = (),
        rarity_of: Callable[[str], float] = lambda _: 1.0,
        stems: Stems | None = None,
        *,
        priors: Mapping[int, float] | None = None,
        is_part: bool = False,
    ) -> None:
        """`values`: of each segment, which kinds of value that the query names it has; `rarity_of`: how seldom a word is used anywhere.

        `stems`: of the document's words, as far as they are known. `priors`: how much some segments matter whatever is asked for, where others have
        1. `is_part`: the rest of the text may have more words of the query; this is scored by those that it has.
        """
        written = numbers_in(document.text, query)
        self.terms = QueryTerms(with_numbers(query, written))
        asked = AskedWords(QueryTerms(query) if written else self.terms, rarity_of)
        self.found = nothing_found(asked)
        """The words of the query that the document has."""
        self.is_met = False
        """Whether the document has anything of the query and, unless it is a part, cannot be said to be about something else; False without a query."""
        self.tells_apart = self.are_ranked = False
        """Whether the scores tell segments apart: a term stands in few of them, the query excludes something or ranks rows; taken as true of a part."""
        self.meeting: Sequence[int] = ()
        """The segments that meet the query: they have a word of it, or hang on what has; none where the document does not."""
        self.relevance = [0.0] * len(document.segments)
        """Of each segment; all 0 where the query is not met and ranks no rows."""
        self.scores = [0.0] * len(document.segments)
        """The BM25F score of each segment, whether or not the query is met: for search_original, which judges for itself."""
        self.ranked: Collection[int] = ()
        """The rows that a superlative of the query ranks."""
        self.own: Sequence[Counts] = [NOTHING] * len(document.segments)
        """How often each segment has each term in its own words, by the term's number."""
        if not self.terms or not document.segments:
            return
        fields = Fields(document, self.terms, values, stems, query)
        self.ranked, self.own, self.scores = fields.ranked.worth.keys(), fields.own, fields.scores()
        of_terms = asked_words_of(self.terms, asked, written)
        found = words_found(
            asked, of_terms, fields.own, fields.above, named=fields.named, by_value=fields.by_value
        )
        # A superlative and the column that it is about stand together as two words do.
        self.found = found = replace(found, are_together=True) if fields.ranked.is_named else found
        if around := " ".join(document.presented).strip():
            words = Document(around, [Segment(0, len(around), SegmentKind.LINE)])
            self.found = found.with_those_in(Scorer(words, query, rarity_of=rarity_of).found)
        self._judge(fields, found, is_part=is_part)
        if self.is_met or self.tells_apart:
            self.relevance = self._relevance_of(document, fields, priors or {})

    def _judge(self, fields: Fields, found: WordsFound, *, is_part: bool) -> None:
        """Note whether the document meets the query, which of its segments do, and whether these can be told apart; `found`: what they have of it."""
        # Of a listing the greatest rows are told though it has no word for what they are.
        self.tells_apart = self.are_ranked = len(self.ranked) > MOST_HAVING * len(self.own)
        self.is_met = found.occur and (is_part or not self.found.is_unrelated)
        if self.is_met:
            # What is excluded tells segments apart as well.
            self.tells_apart |= is_part or bool(self.terms.excluded or self.ranked) or fields.tell_apart()
            self.meeting = fields.meeting()

    def _relevance_of(self, document: Document, fields: Fields, priors: Mapping[int, float]) -> list[float]:
        least = LEAST_SHARE_OF_BEST * max(self.scores)
        if fields.excluded:
            priors = {index: prior for index, prior in priors.items() if not fields.excluded[index]}
        relevance = [
            (score + least * min(priors.get(index, 1.0), MOST_PRIOR)) ** EXPONENT
            * (1 + SECTION_GAIN * share**2)
            for index, (score, share) in enumerate(
                zip(self.scores, fields.shares_of_sections(document), strict=True)
            )
        ]
        for index, segment in enumerate(document.segments):
            if segment.is_marginal:
                relevance[index] *= MARGINAL_WEIGHT
        for index in members_under_other_keys(document, fields.own, fields.met):
            relevance[index] *= OTHER_KEY_WEIGHT
        return relevance
