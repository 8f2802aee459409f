"""The summarizer without a model: the segments of a document that answer a query, or say most, within a budget of tokens.

Pure. Segments are kept whole or not at all: none is rewritten, reordered or invented. Refuses to know models, chunks and tasks.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import log
from typing import NamedTuple

from summarizing.extractive.choice import Candidates, Chooser
from summarizing.extractive.rendering import Rendering
from summarizing.facts.values import Fact, find_facts
from summarizing.relevance.bm25f import Scorer
from summarizing.relevance.value_signatures import asked_signatures
from summarizing.text.document import NONE, Document, Segment, SegmentKind
from summarizing.text.parsing import parse
from summarizing.text.stemming import Stems, terms_of
from summarizing.text.tokenizer import Tokenizer

# A signature weighs as much as the relevance of its facts exceeds the document's, between these bounds.
LEAST_SIGNATURE_WEIGHT = 0.1
MOST_SIGNATURE_WEIGHT = 4.0

# A value of the shape that the query names.
ASKED_WEIGHT = 2.2

# What a segment says beside its facts, in facts.
OWN_WEIGHT = 2.0

# Spreading over sections matters where nothing is asked for, and little where something is.
DIVERSITY = 1.0
DIVERSITY_WITH_QUERY = 0.1

# A text of more characters a token than this is rare, and may be summarized although it would fit.
MAX_CHARS_PER_TOKEN = 8

# A segment answers the query where it has this share of the best one's relevance.
MET_SHARE = 0.5

Key = tuple[str, str]
"""A fact, whatever its spelling: its signature and its key."""


class Extract(NamedTuple):
    """An extractive summary, and what there is to say of it."""

    text: str
    stated: frozenset[Key]
    """The distinct facts of the segments that answer the query; of all segments where there is none."""
    kept: frozenset[Key]
    """Those of them that the summary has."""
    matched: bool
    """Whether the document meets the query; True where there is none."""


class Extraction:
    """A document read for a query: what each segment is worth, to be chosen from once or more."""

    def __init__(self, document: Document, query: str) -> None:
        self.document = document
        self._rendering = Rendering(document)
        self.facts = facts_by_segment(document)
        scorer = Scorer(document, query)
        is_met = scorer.is_met
        self.matched = is_met or not scorer.terms
        self.relevance = scorer.relevance if is_met else _importance(document)
        self._met = MET_SHARE * max(self.relevance, default=0.0) if is_met else 0.0
        candidates = _with_query if is_met else _without_query
        self.candidates = candidates(document, self.facts, self.relevance, query)

    def choose(self, target: int, tokenizer: Tokenizer) -> set[int]:
        """Return the best segments, with what they require, whose text has at most `target` tokens."""
        cost = partial(self._cost, tokenizer)
        order = Chooser(self.document, self.candidates, cost).choose(
            target, range(len(self.document.segments))
        )
        while order:
            kept = {part for index in order for part in (index, *self.document.requirements(index))}
            if tokenizer.count(self._rendering.render(kept)) <= target:
                return kept
            order.pop()
        return set()

    def summary(self, target: int, tokenizer: Tokenizer) -> Extract:
        """Return the best segments in at most `target` tokens: of the best one a part at least."""
        kept = self.choose(target, tokenizer)
        text = self._rendering.render(kept) if kept else self._beginning_of_best(target, tokenizer)
        stated = frozenset(self._stated(range(len(self.facts))))
        return Extract(text, stated, stated & frozenset(self._stated(kept)), self.matched)

    def whole(self) -> Extract:
        """Return the text as the summary of itself: it keeps what it states."""
        stated = frozenset(self._stated(range(len(self.facts))))
        return Extract(self.document.text, stated, stated, self.matched)

    def _cost(self, tokenizer: Tokenizer, index: int) -> int:
        # One more for the white space before it; the commas of JSON are one token with the quotes beside them.
        return (not self.document.is_json) + tokenizer.count(self._rendering.text_of(index))

    def _stated(self, among: Iterable[int]) -> Iterator[Key]:
        """Yield the facts of the segments that answer the query."""
        for index in among:
            if self.relevance[index] >= self._met:
                yield from ((fact.signature, fact.key) for fact in self.facts[index])

    def _beginning_of_best(self, target: int, tokenizer: Tokenizer) -> str:
        """Return the start of the best segment, cut at the end of a word or, where there is none, of a character; of JSON its marks."""
        if self.document.is_json and tokenizer.count(marks := self._rendering.render(())) <= target:
            return marks
        best = max(range(len(self.relevance)), key=lambda at: (self.relevance[at], -at), default=NONE)
        text = self.document.of(best) if best != NONE else self.document.text.strip()
        kept = tokenizer.cut(text, target)
        end = max(kept.rfind(" "), kept.rfind("\n"))
        whole = kept[:end].rstrip() if end > 0 and len(kept) < len(text) else kept
        # subtle: a sign cut off from its line end may take a token more.
        return whole if tokenizer.count(whole) <= target else kept


def extract(text: str, target: int, query: str, tokenizer: Tokenizer) -> Extract:
    """Return an extractive summary of a text in at most `target` tokens; of one that fits, the text itself."""
    extraction = Extraction(parse(text), query)
    if len(text) <= target * MAX_CHARS_PER_TOKEN and tokenizer.count(text) <= target:
        return extraction.whole()
    return extraction.summary(target, tokenizer)


def facts_by_segment(document: Document) -> list[list[Fact]]:
    """Return the facts that begin in each segment."""
    found: list[list[Fact]] = [[] for _ in document.segments]
    at = 0
    for fact in find_facts(document.text):
        while at < len(found) and document.segments[at].end <= fact.start:
            at += 1
        if at < len(found) and document.segments[at].start <= fact.start:
            found[at].append(fact)
    return found


def _with_query(
    document: Document, facts: Sequence[Sequence[Fact]], relevance: Sequence[float], query: str
) -> Candidates:
    numbers: dict[object, int] = {}
    weights: list[float] = []
    concepts: list[list[int]] = []
    signature_weights = _signature_weights(facts, relevance, query)

    def number(key: object, weight: float) -> int:
        if key not in numbers:
            numbers[key] = len(weights)
            weights.append(weight)
        return numbers[key]

    for index, segment in enumerate(document.segments):
        own: list[int] = []
        if segment.kind not in (SegmentKind.HEADING, SegmentKind.FRAME) and relevance[index] > 0:
            own = [
                number((fact.signature, fact.key), signature_weights[fact.signature]) for fact in facts[index]
            ]
            # The same line in another record ("default: no") says something else.
            own.append(number((_holder(segment), " ".join(document.of(index).split())), OWN_WEIGHT))
        concepts.append(own)
    return Candidates(relevance, concepts, weights, DIVERSITY_WITH_QUERY)


def _holder(segment: Segment) -> int:
    """Return what a segment is said of: its record's anchor, else what it hangs on."""
    return segment.anchor if segment.anchor != NONE else segment.parent


def _signature_weights(
    facts: Sequence[Sequence[Fact]], relevance: Sequence[float], query: str
) -> dict[str, float]:
    """Return how much each signature's facts weigh: what kind of value is asked for is learnt from the document itself."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for found, score in zip(facts, relevance, strict=True):
        for fact in found:
            total = totals[fact.signature]
            total[0] += score
            total[1] += 1
    mean = sum(relevance) / max(1, len(relevance)) or 1.0
    asked = asked_signatures(query)
    return {
        signature: min(MOST_SIGNATURE_WEIGHT, max(LEAST_SIGNATURE_WEIGHT, total / count / mean))
        * (ASKED_WEIGHT if asked(signature) else 1.0)
        for signature, (total, count) in totals.items()
    }


def _importance(document: Document) -> list[float]:
    """Return how much each segment matters by itself: marginal ones little, the first of a section more."""
    return [0.2 if segment.is_marginal else 1.0 for segment in document.segments]


def _without_query(
    document: Document, facts: Sequence[Sequence[Fact]], relevance: Sequence[float], _query: str
) -> Candidates:
    """Concepts are the words of the document by how many segments have them (Gillick and Favre, 2009), and its facts."""
    stems = Stems()
    terms = [set(terms_of(document.of(index), stems)) for index in range(len(document.segments))]
    having: dict[str, int] = defaultdict(int)
    for each in terms:
        for term in each:
            having[term] += 1
    numbers: dict[str, int] = {}
    weights: list[float] = []
    total = len(terms)
    for term, count in having.items():
        if 1 < count <= total / 4:
            numbers[term] = len(weights)
            weights.append(log(count) * log(total / count) / 10)
    concepts = [[numbers[term] for term in each if term in numbers] for each in terms]
    for index, found in enumerate(facts):
        for fact in found:
            if fact.key not in numbers:
                numbers[fact.key] = len(weights)
                weights.append(0.3)
            concepts[index].append(numbers[fact.key])
        if document.segments[index].kind in (SegmentKind.HEADING, SegmentKind.FRAME):
            concepts[index] = []
    return Candidates(relevance, concepts, weights, DIVERSITY)
