"""What each segment of a document has of a query's terms, by field, and how well it answers: BM25F.

After Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3.6: a term's counts in several fields are
weighted and added before they saturate. The fields of a segment are its own words; what it hangs on (headings, head row, lead-in, the anchor of
its record); its two neighbours in the block. Pure; does not judge whether the document is about the query: bm25f.py does.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from math import fsum, log

from summarizing.relevance.asked_flags import with_denied_cells, without_false_flags
from summarizing.relevance.asked_values import asked_values
from summarizing.relevance.bm25 import inverse_document_frequency, saturated
from summarizing.relevance.query_terms import FAMILY_WEIGHT, Counts, Match, QueryTerms, counted
from summarizing.relevance.superlatives import extremes, without_naming
from summarizing.relevance.surroundings import surroundings
from summarizing.relevance.whole_identifiers import whole_identifiers, with_whole
from summarizing.text.document import NO_SEGMENT, Document, Segment, SegmentKind
from summarizing.text.language.stemming import Stems, words_of_each

# BM25's normalization by length, at its usual value.
B = 0.75

# The weight of a term in what a segment hangs on and in a neighbour, where one of its own words has 1.
ABOVE_WEIGHT = 0.9
NEIGHBOUR_WEIGHT = 0.3
# The same for a term in another member of its record: "type: prose" says of which languages the extensions are asked for.
RECORD_WEIGHT = 0.4
# What has more members is a list, not a record.
MAX_MEMBERS = 20
# A term that a larger share of the records has tells none of them apart.
MOST_RECORDS = 0.2

# The weight of a value of a kind that the query names ("when": a date), where a word has 1.
VALUE_WEIGHT = 1.0

# What a query excludes, or stands under that, comes after all else.
EXCLUDED_WEIGHT = 0.1

# A query whose every word stands in more than this share of the segments tells none of them apart: "tests" asks nothing of a list of tests.
MOST_HAVING = 0.5

# A row that is ranked meets the query if its value is greater than the median.
LEAST_EXTREME = log(2)

# A word of the query that no more ranked rows have names these.
MAX_NAMED_ROWS = 3

# A heading over this share of a document or more names the whole of it: its words do not count for the segments under it.
MOST_BELOW = 0.5

NOTHING: Counts = {}
# What the members of a record hang on: its key or its name, or its bracket.
_OWNERS = (SegmentKind.LINE, SegmentKind.FRAME)
_NO_TERMS: frozenset[int] = frozenset()


class Fields:
    """What each segment has of the query's terms, by field."""

    def __init__(
        self,
        document: Document,
        terms: QueryTerms,
        values: Sequence[Collection[str]],
        stems: Stems | None,
        query: str,
    ) -> None:
        self._segments = document.segments
        words, distinct = _words_of(document)
        matches = terms.matches(distinct, stems)
        self.met = matches.keys()
        """The words of the document that match the query."""
        self.ranked = ranked = extremes(document, query, terms)
        """The rows that a superlative of the query ranks."""
        self.own = [
            *with_denied_cells(document, _counts(document, words, matches, terms), matches, terms, query)
        ]
        for head, term in ranked.meant.items():
            self.own[head] = {**self.own[head], term: FAMILY_WEIGHT}
        present = {match.term for found in matches.values() for match in found}
        absent = {term: stem for term, stem in enumerate(terms.terms) if term not in present}
        self.by_value = _by_value(absent, asked_values(query), values)
        """Of each segment, the terms that no word of the text matches, but that name a kind of value that it has; empty where none is asked for."""
        answered = ranked.answered(terms)
        self.named = {term for term, stem in absent.items() if stem in answered}.union(*self.by_value)
        """These terms, and those that a column answers ("heaviest")."""
        self.above = _above(document.segments, self.own)
        whole = whole_identifiers(query, terms)
        self.boosts = [*_boosts(terms, ranked.words), *[1.0] * len(whole)]
        """The weight of each term, and behind them of each identifier as a whole."""
        self._own = with_whole(document, self.own, whole, len(terms.terms))
        self._own, values = without_naming(document, ranked, self._own, values)
        self._own = without_false_flags(document, self._own, matches, query)
        self._above = _above(document.segments, self._own) if whole else self.above
        self.excluded = _excluded(document.segments, words, terms) if terms.excluded else None
        """Of each segment, whether the query excludes it; None where it excludes nothing."""
        self._lengths = list(map(len, words))
        self._values = values
        self._value_rarity = _rarity_of_values(values)
        self._rarity = _rarity(self._own, self.boosts)

    def scores(self) -> list[float]:
        """Return the BM25F score of each segment."""
        mean = sum(self._lengths) / max(1, sum(map(bool, self._lengths))) or 1.0
        # Segments without terms of their own score as what they hang on: computed once.
        known: dict[int, float] = {}
        near = {at for index, own in enumerate(self._own) if own for at in (index - 1, index, index + 1)}
        near.update(index for index, values in enumerate(self._values) if values)
        scores: list[float] = []
        for index, above in enumerate(self._above):
            if index in near:
                own, beside = self._own[index], self._beside(index)
                values = self._values[index] if self._values else ()
                if own or beside or values:
                    score = self._score(own, above, beside, 1 - B + B * self._lengths[index] / mean)
                    scores.append(score + fsum(map(self._value_rarity.__getitem__, values)))
                    continue
            if id(above) not in known:
                known[id(above)] = self._score(NOTHING, above, _NO_TERMS, 1.0)
            scores.append(known[id(above)])
        for index, worth in self._worth_of_rows():
            scores[index] += worth
        if self.excluded is None:
            return scores
        return [
            score * EXCLUDED_WEIGHT if is_excluded else score
            for score, is_excluded in zip(scores, self.excluded, strict=True)
        ]

    def _worth_of_rows(self) -> Iterator[tuple[int, float]]:
        """Yield what each ranked row is worth; the few that have a word of the query ("is host5 the largest?") as much as the greatest."""
        # What only belongs to the family of a word ("host0006" to "host0005") counts less than 1.
        words = {
            index: {term for term, count in self._own[index].items() if count >= 1}
            for index in self.ranked.worth
        }
        having = Counter(chain.from_iterable(words.values()))
        greatest = max(self.ranked.worth.values(), default=0.0)
        for index, worth in self.ranked.worth.items():
            is_named = any(having[term] <= MAX_NAMED_ROWS for term in words[index])
            yield index, greatest if is_named else worth

    def shares_of_sections(self, document: Document) -> list[float]:
        """Return for each segment how well the sections answer that it stands in, as a share of the best.

        What is excluded or marginal does not speak for its section.
        """
        own = [
            NOTHING if segment.is_marginal or (self.excluded and self.excluded[index]) else counts
            for index, (segment, counts) in enumerate(zip(document.segments, self._own, strict=True))
        ]
        shares = surroundings(document, own, self._lengths, self.boosts)
        # Rows that are ranked are compared by their values, wherever they stand.
        return [1.0 if index in self.ranked.worth else share for index, share in enumerate(shares)]

    def meeting(self) -> list[int]:
        """Return the segments that have a term, hang on what has one and is not over most of the document, or are ranked high; none that is excluded.

        Where none has a term, those with a value that stands for one.
        """
        if any(self.own):
            least = ABOVE_WEIGHT * (1 - MOST_BELOW)
            having = [
                index
                for index, (own, above) in enumerate(zip(self.own, self.above, strict=True))
                if own
                or (above and max(above.values()) > least)
                or self.ranked.worth.get(index, 0.0) > LEAST_EXTREME
            ]
        else:
            having = [index for index, kinds in enumerate(self._values) if kinds]
        return [index for index in having if not (self.excluded and self.excluded[index])]

    def tell_apart(self) -> bool:
        """Whether a term or a kind of value that the query names stands in no more than MOST_HAVING of the segments."""
        terms = Counter(chain.from_iterable(self._own))
        kinds = Counter(chain.from_iterable(self._values))
        return min(chain(terms.values(), kinds.values()), default=0) <= MOST_HAVING * len(self._own)

    def _beside(self, index: int) -> set[int]:
        """Return the terms of a segment's two neighbours in its block, but for what it hangs on, which counts by itself."""
        block, parent = self._segments[index].block, self._segments[index].parent
        found: set[int] = set()
        for at in (index - 1, index + 1):
            if (
                0 <= at < len(self._own)
                and self._own[at]
                and at != parent
                and self._segments[at].block == block
            ):
                found.update(self._own[at])
        return found

    def _score(self, own: Counts, above: Counts, beside: AbstractSet[int], length: float) -> float:
        score = 0.0
        for term in {*own, *above, *beside}:
            count = own.get(term, 0.0) / length + above.get(term, 0.0) + NEIGHBOUR_WEIGHT * (term in beside)
            score += self._rarity[term] * saturated(count)
        return score


def _words_of(document: Document) -> tuple[list[tuple[str, ...]], Collection[str]]:
    """Return the words of each segment, and all distinct ones."""
    stretches = [(segment.start, segment.end) for segment in document.segments]
    # Of each word one string: as those of the segments they take ten times as much memory as the text.
    same: dict[str, str] = {}
    words = [tuple(map(same.setdefault, each, each)) for each in words_of_each(document.text, stretches)]
    return words, same.keys()


def _counts(
    document: Document,
    words: Iterable[Sequence[str]],
    matches: Mapping[str, tuple[Match, ...]],
    terms: QueryTerms,
) -> list[Counts]:
    met = matches.keys()
    return [
        NOTHING if met.isdisjoint(each) else counted(document.of(index), each, matches, terms)
        for index, each in enumerate(words)
    ]


def _boosts(terms: QueryTerms, superlatives: Collection[str]) -> Iterable[float]:
    """Return the weight of each term: what ranks rows is no word to look for."""
    return (
        0.0 if stem in superlatives else boost for stem, boost in zip(terms.terms, terms.boosts, strict=True)
    )


def _rarity_of_values(values: Sequence[Collection[str]]) -> Mapping[str, float]:
    having = Counter(chain.from_iterable(values))
    return {
        value: VALUE_WEIGHT * inverse_document_frequency(len(values), count)
        for value, count in having.items()
    }


def _by_value(
    absent: Mapping[int, str],
    asked: Mapping[str, Collection[str]],
    values: Iterable[Collection[str]],
) -> list[Collection[int]]:
    """Return for each segment the absent terms that name a kind of value which it has ("percentages")."""
    naming = {kind: {term for term, stem in absent.items() if stem in stems} for kind, stems in asked.items()}
    return [set[int]().union(*(naming.get(kind, ()) for kind in kinds)) if kinds else () for kinds in values]


def _excluded(segments: Sequence[Segment], words: Sequence[Sequence[str]], terms: QueryTerms) -> list[bool]:
    """Return for each segment whether it, what names it or what it hangs on has a word that the query excludes."""
    having = {word for word in set[str]().union(*words) if terms.excludes(word)}
    own = [not having.isdisjoint(each) for each in words]
    found: list[bool] = []
    for segment, is_excluded in zip(segments, own, strict=True):
        is_below = segment.parent != NO_SEGMENT and found[segment.parent]
        found.append(is_excluded or is_below or (segment.anchor != NO_SEGMENT and own[segment.anchor]))
    return found


def _rarity(own: Sequence[Counts], boosts: Sequence[float]) -> list[float]:
    """Return each term's weight times its inverse document frequency over segments."""
    having = Counter(chain.from_iterable(own))
    return [boost * inverse_document_frequency(len(own), having[term]) for term, boost in enumerate(boosts)]


def _above(segments: Sequence[Segment], own: Sequence[Counts]) -> list[Counts]:
    """Return for each segment the terms of what it hangs on, weighted less the more of the document that covers.

    A title over the whole document distinguishes nothing.
    """
    sizes = _sizes_below(segments)
    records = _terms_of_records(segments, own)
    passed_on: list[Counts] = []
    above: list[Counts] = []
    for index, segment in enumerate(segments):
        inherited = passed_on[segment.parent] if segment.parent != NO_SEGMENT else NOTHING
        if segment.anchor != NO_SEGMENT and own[segment.anchor]:
            inherited = {**inherited, **dict.fromkeys(own[segment.anchor], ABOVE_WEIGHT)}
        above.append(inherited)
        below = _with(inherited, own[index], ABOVE_WEIGHT * (1 - sizes[index] / len(segments)))
        passed_on.append(_with(below, records.get(index, ()), RECORD_WEIGHT))
    return above


def _terms_of_records(segments: Sequence[Segment], own: Sequence[Counts]) -> dict[int, set[int]]:
    """Return the terms that the members of few records have, by the segment that the members of each record hang on."""
    members = Counter(
        one.parent
        for one in segments
        if one.kind is SegmentKind.LINE and one.parent != NO_SEGMENT and segments[one.parent].kind in _OWNERS
    )
    found: dict[int, set[int]] = {}
    for segment, counts in zip(segments, own, strict=True):
        if counts and segment.kind is SegmentKind.LINE and 1 < members[segment.parent] <= MAX_MEMBERS:
            found.setdefault(segment.parent, set()).update(counts)
    having = Counter(chain.from_iterable(found.values()))
    most = MOST_RECORDS * sum(1 < count <= MAX_MEMBERS for count in members.values())
    return {record: {term for term in terms if having[term] <= most} for record, terms in found.items()}


def _with(inherited: Counts, own: Collection[int], weight: float) -> Counts:
    if not own:
        return inherited
    return {**inherited, **{term: max(weight, inherited.get(term, 0.0)) for term in own}}


def _sizes_below(segments: Sequence[Segment]) -> list[int]:
    """Return how many segments hang on each, directly or not."""
    sizes = [0] * len(segments)
    for index in range(len(segments) - 1, -1, -1):
        parent = segments[index].parent
        if parent != NO_SEGMENT:
            sizes[parent] += sizes[index] + 1
    return sizes
