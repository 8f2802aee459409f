"""The summarizer without a model: the segments of a document that answer a query, or say most, within a budget of tokens.

Pure. Segments are kept whole or not at all: none is rewritten, reordered or invented. Refuses to know models, chunks and tasks.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, cached_property
from heapq import nlargest
from itertools import chain
from math import log
from typing import NamedTuple

from summarizing.extractive.choice import Candidates, Chooser, longest_fitting, sections_of
from summarizing.extractive.json_rendering import least_mark
from summarizing.extractive.rendering import Rendering
from summarizing.facts.fact import Fact
from summarizing.facts.reading import Reading
from summarizing.relevance.bm25f import Scorer
from summarizing.relevance.value_signatures import asked_beginnings
from summarizing.text.document import NONE, Document, Segment, SegmentKind
from summarizing.text.excerpt import excerpt, joined
from summarizing.text.json_splitting import split_further
from summarizing.text.tokenizer import Tokenizer

# The weight of a signature: the relevance of its facts over that of the whole document, between these bounds.
LEAST_SIGNATURE_WEIGHT = 0.1
MOST_SIGNATURE_WEIGHT = 4.0

# A value of the shape that the query names.
ASKED_WEIGHT = 2.2

# The weight of what a segment says beside its facts, where each fact has 1.
OWN_WEIGHT = 2.0

# The weight of a section of the text: entries of a reference or a history are asked for together, and one line says of an entry that it is there.
SECTION_WEIGHT = 2.0

# Without a query: what a word weighs, a fact, and anything that has neither; a word of more than this share of the segments weighs nothing.
TERM_WEIGHT = 0.1
FACT_WEIGHT = 0.3
LEAST_WEIGHT = 0.05
MOST_COMMON = 0.25

# The opening of a text sums up much of the rest (lead, a baseline that is hard to beat), as does that of a section; front matter and
# navigation say little.
LEAD_SEGMENTS = 3
LEAD_IMPORTANCE = 3.0
FIRST_IMPORTANCE = 1.5
MARGINAL_IMPORTANCE = 0.2

# Spreading over sections matters where nothing is asked for, and little where something is.
DIVERSITY = 1.0
DIVERSITY_WITH_QUERY = 0.1

# What segments cost together is known only once they are rendered: marks come to it, shared signs go. So often is the room filled up.
MAX_FILLINGS = 2

# Few texts have more characters per token: a text that is longer than this allows is not counted first, even if it would fit.
MAX_CHARS_PER_TOKEN = 8

# A segment with less than this share of the best relevance is off topic: a quarter of the best score, since relevance is its cube. The room
# that rendering leaves stays empty rather than hold a line that only fits.
OFF_TOPIC_SHARE = 0.016

# Where JSON fills less of the target than this, the best segments, up to this many, are taken apart, so that some of each fits.
LEAST_FILLED = 0.75
MOST_SPLIT = 16

_WORDS = re.compile(r"\w.*+", re.DOTALL)

Key = tuple[str, str]
"""A fact, whatever its spelling: its signature and its key."""


class Extract(NamedTuple):
    """An extractive summary, and what is known about it."""

    text: str
    stated: AbstractSet[Key]
    """The distinct facts of the segments that meet the query: of all where there is none, of none where nothing meets it."""
    kept: frozenset[Key]
    """Those of them that the summary has."""
    matched: bool
    """Whether the document meets the query; True where there is none."""


class ScoredText:
    """A text read for a query: what each segment is worth, to be chosen from once or more."""

    def __init__(self, reading: Reading, query: str, tokenizer: Tokenizer) -> None:
        self._reading = reading
        self._tokenizer = tokenizer
        self.document = document = reading.document
        self.rendering = Rendering(document)
        self.facts = reading.facts_of
        asked = asked_beginnings(query)
        values = _asked_values(self.facts, asked) if asked else ()
        scorer = Scorer(document, query, values, tokenizer.rarity)
        is_met = scorer.is_met
        self.matched = is_met or not scorer.terms
        self.relevance = scorer.relevance if is_met else _importance(document)
        self._words = query
        self._query = query if is_met else ""
        self._asked = scorer.asked_fields.asked if is_met else set[int]()
        self._unasked = scorer.asked_fields.unasked if is_met else set[int]()
        self._together = scorer.asked_fields.together() if is_met else {}
        self._frames = _frames(document)
        self.met = self._segments_met(scorer)
        """The segments that meet the query, but for headings and head rows; all where there is no query, none where nothing meets it."""

    @cached_property
    def candidates(self) -> Candidates:
        """What there is to choose from; computed on demand, since some callers need the relevance alone."""
        if self._query:
            return _with_query(self._reading, self.relevance, self._frames, self._query, self._asked)
        return _without_query(self._reading, self.relevance, self._frames)

    def _segments_met(self, scorer: Scorer) -> Sequence[int]:
        if not scorer.terms:
            return range(len(self.facts))
        return [index for index in scorer.meeting if index not in self._frames]

    def choose(self, target: int) -> set[int]:
        """Return the best segments, with what they require, whose text has at most `target` tokens."""
        chooser = Chooser(self.document, self.candidates, self._costs, self._required)
        size = cache(
            lambda chosen: self._tokenizer.count(self.rendering.render(chooser.with_required(chosen)))
        )
        # What nobody asked for takes no room from the same records' asked members, not even the last few tokens.
        order = chooser.choose(target, (at for at in range(len(self.facts)) if at not in self._unasked))
        if self._unasked and chooser.tokens < target * LEAST_FILLED:
            order += chooser.choose(target, self._unasked)
        least = OFF_TOPIC_SHARE * max(self.relevance, default=0.0) if self._query else 0.0
        for _ in range(MAX_FILLINGS):
            fitting = _fitting(order, target, size)
            if len(fitting) < len(order):
                chooser.restart(fitting)
            added = chooser.fill(chooser.tokens + target - size(tuple(fitting)), least)
            order = [*fitting, *added]
            if not added:
                break
        return chooser.with_required(_fitting(order, target, size))

    def _required(self, index: int) -> Collection[int]:
        """Return what must be kept for a segment to be true, and what the query asks for of the same record."""
        needed = self.document.requirements(index)
        if index not in self._together:
            return needed
        together = self._together[index]
        return {*needed, *together, *chain.from_iterable(map(self.document.requirements, together))} - {index}

    def summary(self, target: int, stated: AbstractSet[Key] | None = None) -> Extract:
        """Return the best segments in at most `target` tokens: of the best one a part at least.

        `stated`: the facts that are to be kept, where this is the excerpt of a longer text.
        """
        stated = self.stated if stated is None else stated
        found = self.best_within(target, stated)
        has_room = self.document.is_json and self._tokenizer.count(found.text) < target * LEAST_FILLED
        if has_room and (finer := self._split_further()) is not self:
            found = max(found, finer.best_within(target, stated), key=_length)
        return found if found.text else found._replace(text=self._beginning_of_best(target))

    def best_within(self, target: int, stated: AbstractSet[Key]) -> Extract:
        """Return the best segments; without a text if none fits."""
        kept = self.choose(target)
        text = self.rendering.render(kept) if kept else ""
        return Extract(text, stated, self._facts_in(kept) & stated, self.matched)

    def _split_further(self) -> "ScoredText":
        """Return the same JSON, of which the best segments have been taken apart into members and items."""
        numbers = filter(self.relevance.__getitem__, range(len(self.relevance)))
        best = nlargest(MOST_SPLIT, numbers, key=self.relevance.__getitem__)
        reading = self._reading
        document = split_further(self.document, best)
        if document is self.document:
            return self
        return ScoredText(Reading(document, reading.facts, reading.stems), self._words, self._tokenizer)

    def excerpt(self, budget: int) -> Document:
        """Return a document of the best segments in at most `budget` tokens: of the best one a part at least."""
        if kept := self.choose(budget):
            return excerpt(self.document, kept, self.rendering.leads)
        beginning = self._beginning_of_best(budget)
        return Document(beginning, [Segment(0, len(beginning), SegmentKind.LINE)] if beginning else ())

    def whole(self) -> Extract:
        """Return the whole text as its own summary: every fact is kept."""
        stated = self.stated
        return Extract(self.document.text, stated, stated, self.matched)

    @property
    def stated(self) -> frozenset[Key]:
        """The distinct facts of the segments that meet the query."""
        return self._facts_in(self.met)

    def _facts_in(self, among: Iterable[int]) -> frozenset[Key]:
        return frozenset((fact.signature, fact.key) for index in among for fact in self.facts[index])

    def _costs(self, indices: Sequence[int]) -> list[int]:
        # One more for the white space before it; the commas of JSON are one token with the quotes beside them.
        more = not self.document.is_json
        return [
            more + count for count in self._tokenizer.count_each(list(map(self.rendering.text_of, indices)))
        ]

    def _beginning_of_best(self, target: int) -> str:
        """Return the start of the best segment, cut at the end of a word or, where there is none, of a character; of JSON its marks."""
        if self.document.is_json:
            marks = (self.rendering.render(()), least_mark(self.document))
            if fitting := next((mark for mark in marks if self._tokenizer.count(mark) <= target), None):
                return fitting
        text = self._text_of_best()
        kept = self._tokenizer.cut(text, target)
        end = max(kept.rfind(" "), kept.rfind("\n"))
        whole = kept[:end].rstrip() if end > 0 and len(kept) < len(text) else kept
        # subtle: a character that is cut off from its line end may take one token more.
        return whole if self._tokenizer.count(whole) <= target else kept

    def _text_of_best(self) -> str:
        """Return the best segment; of JSON its text from the first word on, which a bracket alone is not."""
        document, relevance = self.document, self.relevance
        numbers = range(len(relevance))
        if document.is_json:
            numbered = [at for at in numbers if document.segments[at].kind is not SegmentKind.FRAME]
            best = max(numbered, key=lambda at: (relevance[at], -at), default=0)
            words = _WORDS.search(document.of(best))
            return words[0] if words else document.of(best)
        best = max(numbers, key=lambda at: (relevance[at], -at), default=NONE)
        return document.of(best) if best != NONE else document.text.strip()


def _length(found: Extract) -> int:
    return len(found.text)


def extract(text: str, target: int, query: str, tokenizer: Tokenizer) -> Extract:
    """Return an extractive summary of a text in at most `target` tokens; of one that fits, the text itself."""
    scored = ScoredText(Reading.of(text), query, tokenizer)
    if len(text) <= target * MAX_CHARS_PER_TOKEN and tokenizer.count(text) <= target:
        return scored.whole()
    return scored.summary(target)


def whole(text: str, query: str, tokenizer: Tokenizer) -> Extract:
    """Return the whole text as its own summary."""
    return ScoredText(Reading.of(text), query, tokenizer).whole()


def _fitting(order: Sequence[int], target: int, size: Callable[[tuple[int, ...]], int]) -> Sequence[int]:
    """Return the first of an order, as many as have at most `target` tokens together."""
    return order[: longest_fitting(len(order), lambda number: size(tuple(order[:number])) <= target)]


class Offer(NamedTuple):
    """The best of one slice of a text, for the summary to be chosen from."""

    document: Document
    stated: frozenset[Key]
    matched: bool


def offer(text: str, budget: int, query: str, tokenizer: Tokenizer) -> Offer:
    """Return the best segments of a slice, in at most `budget` tokens."""
    scored = ScoredText(Reading.of(text), query, tokenizer)
    return Offer(scored.excerpt(budget), scored.stated, scored.matched)


def choose_from(offers: Sequence[Offer], target: int, query: str, tokenizer: Tokenizer) -> Extract:
    """Return the best of what slices offer, in at most `target` tokens; where some meet the query, of those alone."""
    matching = [one for one in offers if one.matched] or offers
    stated: set[Key] = set()
    # One after the other: a union of all in one step holds the interpreter for long.
    for one in matching:
        stated |= one.stated
    scored = ScoredText(Reading(joined([one.document for one in matching])), query, tokenizer)
    chosen = scored.summary(target, stated)
    # Each slice was found to meet the query; that is not judged again for the excerpts together, which may have fewer of its words.
    matched = any(one.matched for one in offers)
    return chosen._replace(matched=matched)


def _asked_values(facts: Sequence[Sequence[Fact]], asked: Sequence[str]) -> list[set[str]]:
    """Return for each segment which kinds of value that the query names it has."""
    signatures = {fact.signature for found in facts for fact in found}
    kinds = {
        signature: [beginning for beginning in asked if signature.startswith(beginning)]
        for signature in signatures
    }
    return [{kind for fact in found for kind in kinds[fact.signature]} for found in facts]


class _Concepts:
    """Concepts, by number: those of each segment, and the weight of each."""

    def __init__(self) -> None:
        self.of: list[list[int]] = []
        self.weights: list[float] = []
        self._numbers: dict[object, int] = {}

    def number(self, key: object, weight: float) -> int:
        """Return a concept's number; it keeps the first weight that it is given."""
        number = self._numbers.setdefault(key, len(self.weights))
        if number == len(self.weights):
            self.weights.append(weight)
        return number

    def of_terms(self, terms: Sequence[Iterable[str]]) -> dict[str, int]:
        """Return the terms that occur in several segments, but not in too many, each with its number."""
        having = Counter[str]()
        for each in terms:  # one at a time: all of them in one step would keep other threads waiting
            having.update(iter(each))
        total = len(terms)
        return {
            term: self.number(term, log(count) * log(total / count) * TERM_WEIGHT)
            for term, count in having.items()
            if 1 < count <= total * MOST_COMMON
        }


def _with_query(
    reading: Reading,
    relevance: Sequence[float],
    frames: Collection[int],
    query: str,
    asked: Collection[int],
) -> Candidates:
    """Concepts: each distinct fact, weighted by how much its signature is asked for, each segment's own text, and each section."""
    document, facts = reading.document, reading.facts_of
    weights = _signature_weights(facts, relevance, query)
    concepts = _Concepts()
    sections = sections_of(document)
    for index, segment in enumerate(document.segments):
        own: list[int] = []
        if index not in frames and relevance[index] > 0:
            # The licence of one package says nothing of another's, even if it is the same.
            record = _holder(segment) if index in asked else NONE
            own = [
                concepts.number((fact.signature, fact.key, record), weights[fact.signature])
                for fact in facts[index]
            ]
            # The same line in another record ("default: no") is about something else.
            own.append(concepts.number((_holder(segment), " ".join(document.of(index).split())), OWN_WEIGHT))
            if sections[index] != NONE:
                own.append(concepts.number(sections[index], SECTION_WEIGHT))
        concepts.of.append(own)
    return Candidates(relevance, concepts.of, concepts.weights, DIVERSITY_WITH_QUERY)


def _frames(document: Document) -> set[int]:
    """Return the segments that say nothing without those under them: headings, head rows, introductory lines."""
    parents = {segment.parent for segment in document.segments}
    return {
        index
        for index, segment in enumerate(document.segments)
        if segment.kind in (SegmentKind.HEADING, SegmentKind.FRAME)
        or (
            document.text[segment.end - 1] in ":\uff1a"
            and (segment.kind is SegmentKind.SENTENCE or index in parents)
        )
    }


def _holder(segment: Segment) -> int:
    """Return what a segment is about: the anchor of its record, or else what it hangs on."""
    return segment.anchor if segment.anchor != NONE else segment.parent


def _signature_weights(
    facts: Sequence[Sequence[Fact]], relevance: Sequence[float], query: str
) -> dict[str, float]:
    """Return the weight of each signature's facts: which kind of value is asked for is learnt from the document itself."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for found, score in zip(facts, relevance, strict=True):
        for fact in found:
            total = totals[fact.signature]
            total[0] += score
            total[1] += 1
    mean = sum(relevance) / max(1, len(relevance)) or 1.0
    asked = asked_beginnings(query)
    return {
        signature: min(MOST_SIGNATURE_WEIGHT, max(LEAST_SIGNATURE_WEIGHT, total / count / mean))
        * (ASKED_WEIGHT if asked and signature.startswith(asked) else 1.0)
        for signature, (total, count) in totals.items()
    }


def _importance(document: Document) -> list[float]:
    """Return how much each segment matters by itself: the opening of the text and of each section more, marginal ones little."""
    importance: list[float] = []
    opened: set[int] = set()
    openings = LEAD_SEGMENTS
    for segment in document.segments:
        if segment.is_marginal or segment.kind is SegmentKind.HEADING:
            importance.append(MARGINAL_IMPORTANCE)
            continue
        is_first = segment.parent not in opened
        opened.add(segment.parent)
        importance.append(LEAD_IMPORTANCE if openings > 0 else FIRST_IMPORTANCE if is_first else 1.0)
        openings -= 1
    return importance


def _without_query(reading: Reading, relevance: Sequence[float], frames: Collection[int]) -> Candidates:
    """Concepts: words that occur in several segments of the document, and its facts.

    After Gillick and Favre, "A Scalable Global Model for Summarization" (2009): a concept's weight is the number of segments that have it.
    """
    document, facts = reading.document, reading.facts_of
    terms = [dict.fromkeys(each) for each in reading.terms_of]
    concepts = _Concepts()
    known = concepts.of_terms(terms)
    for index, segment in enumerate(document.segments):
        own: list[int] = []
        if index not in frames:
            own = [known[term] for term in terms[index] if term in known]
            own += [concepts.number((fact.signature, fact.key), FACT_WEIGHT) for fact in facts[index]]
            own.append(
                concepts.number((_holder(segment), " ".join(document.of(index).split())), LEAST_WEIGHT)
            )
        concepts.of.append(own)
    return Candidates(relevance, concepts.of, concepts.weights, DIVERSITY)
