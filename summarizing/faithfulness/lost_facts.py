"""Finds the facts that a summary lost, in the segments that meet the query, and puts them back in the source's own words.

Whole segments come back, under their own headings, in what room the target leaves. Pure, and without a model; refuses to rewrite, and
to judge what is true: summarizing/faithfulness/answer_check.py does that. `had` and `kept` count distinct facts in the segments that
answer the query (in all segments where nothing is asked for, in none where nothing matches).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from heapq import nlargest
from itertools import chain
from math import log
from typing import NamedTuple

from summarizing.extractive.choice import Candidates, Chooser, longest_fitting
from summarizing.extractive.concepts import WEIGHT_BESIDE_FACTS
from summarizing.extractive.scored_text import OFF_TOPIC_SHARE, ScoredText
from summarizing.facts.fact import Fact, FactKey
from summarizing.facts.fact_index import FactIndex
from summarizing.facts.reading import Reading
from summarizing.relevance.query_terms import QueryTerms
from summarizing.text.document import SegmentKind
from summarizing.text.parsing import parse
from summarizing.text.stemming import Stems, inverted_index, terms_of
from summarizing.text.tokenizer import Tokenizer

# The empty line between the summary and what is put back: at most this many tokens. What is joined is counted all the same.
SEPARATOR_TOKENS = 2

# The shares below are not learnt: docs/evaluation.md says how little or much half and double of each change on real texts.

# A line that has this share of what a segment says (its words, weighted by rarity) says the same.
SAID_SHARE = 0.5

# Bounds of the time: a line's source is looked up by this many of its rarest words, each in at most this many segments.
PROBES = 4
MAX_SEGMENTS_OF_TERM = 50

# Of more lost segments than this, or than the room has tokens, only those that say most for their length are compared.
MIN_COMPARED = 2_000

_FRAMES = (SegmentKind.HEADING, SegmentKind.FRAME)
_HEADING = re.compile(r"^#", re.MULTILINE)


class Guarded(NamedTuple):
    """A summary after the guard, and its facts: how many the source had, it kept, and of these were put back.

    `stated`: the facts that were asked for.
    """

    text: str
    had: int
    kept: int
    put_back: int
    stated: frozenset[FactKey] = frozenset()


class Unwritten(NamedTuple):
    """A stretch of a text that the model did not summarize, and the tokens that were planned for it."""

    start: int
    end: int
    tokens: int


class _Check(NamedTuple):
    """What a summary keeps of the facts that were asked for, and the segments of which it lost something, with what that is."""

    kept: frozenset[FactKey]
    lost: dict[int, list[FactKey]]


class Survey:
    """A source's segments that matter for a query, and the facts in them."""

    def __init__(self, reading: Reading, query: str, tokenizer: Tokenizer) -> None:
        """`query` in plain words; "" makes every segment matter."""
        self._reading = reading
        self._document = document = reading.document
        self._scored = scored = ScoredText(reading, query, tokenizer)
        self._rendering = scored.rendering
        self._relevance = scored.relevance
        self.matched = scored.matched
        """Whether the source meets the query; True where there is none."""
        contents = [index for index, segment in enumerate(document.segments) if segment.kind not in _FRAMES]
        self._asks = bool(QueryTerms(query)) and scored.matched
        # Headings and head rows do not count: one may have all the words of the query, and what hangs on it none.
        self._best = max((self._relevance[index] for index in contents), default=0.0)
        # Candidates are relevant enough to come back; the facts of those that meet the query are counted (had, kept).
        self._candidates = self._reaching(OFF_TOPIC_SHARE, contents)
        met = frozenset(scored.met)
        self._met = [index for index in contents if index in met]
        self._stems = reading.stems
        self._cost: dict[int, int] = {}
        self._weights: dict[int, float] = {}
        self._keys = [[(fact.signature, fact.key) for fact in facts] for facts in scored.facts]
        self.stated = frozenset(chain.from_iterable(map(self._keys.__getitem__, self._met)))
        """The facts that were asked for."""

    @cached_property
    def _terms(self) -> list[frozenset[str]]:
        """The terms of each segment."""
        return list(map(frozenset, self._reading.terms_of))

    @cached_property
    def _having(self) -> dict[str, list[int]]:
        """The segments that have each term."""
        return inverted_index(self._terms)

    @cached_property
    def _rarity(self) -> dict[str, float]:
        """The weight of each term: the fewer segments have it, the more."""
        return {term: log(1 + len(self._terms) / len(segments)) for term, segments in self._having.items()}

    def _reaching(self, share: float, among: Iterable[int]) -> list[int]:
        """Return the segments with at least a share of the best relevance: all of them without a query, none where nothing answers it."""
        if not self.matched:
            return []
        least = share * self._best if self._asks else 0.0
        return [index for index in among if self._relevance[index] >= least]

    def put_back(
        self,
        summary: str,
        target: int,
        share: float,
        tokenizer: Tokenizer,
        unwritten: Sequence[Unwritten] = (),
    ) -> Guarded:
        """Put back what a summary lost: adds at most a share of `target`, and the result has at most `target` tokens.

        What is `unwritten` comes first, each stretch in the tokens planned for it. A summary that is over the target already is returned
        as it is.
        """
        check = self._check(summary)
        left = target - tokenizer.count(summary) - SEPARATOR_TOKENS
        room = min(left, int(target * share))
        added = self._back(check.lost, room, unwritten, tokenizer)
        return self._completed(summary, check, added, target, tokenizer)

    # --- What is lost ---

    def _check(self, summary: str) -> _Check:
        """Find out what of the source a summary keeps."""
        index = FactIndex(summary, stems=self._stems)
        asked = self.stated.union(*map(self._keys.__getitem__, self._candidates))
        kept = {key for key in asked if _keeps(index, key)}
        lost: dict[int, list[FactKey]] = {}
        for segment in self._candidates:
            gone = [key for key in self._keys[segment] if key not in kept]
            if gone:
                lost[segment] = gone
        if self._asks:
            # With a query, a segment without any fact can be an answer too, and be lost.
            lines = _Lines(summary, self._stems)
            lost.update(
                (segment, [])
                for segment in self._candidates
                if not self._keys[segment] and not self._is_said(segment, lines)
            )
        return _Check(self.stated & kept, lost)

    def _is_said(self, segment: int, lines: "_Lines") -> bool:
        """Whether a line has enough of a segment's words, by weight, to say the same."""
        weight = self._weights.get(segment)
        if weight is None:
            weight = self._weights[segment] = sum(map(self._rarity.__getitem__, self._terms[segment]))
        return lines.say(self._terms[segment], SAID_SHARE * weight, self._rarity)

    # --- What comes back ---

    def _completed(
        self, summary: str, check: _Check, added: str, target: int, tokenizer: Tokenizer
    ) -> Guarded:
        """Return a summary with what comes back, if that is at most `target` tokens, and count the facts."""
        had, kept = len(self.stated), len(check.kept)
        longer = _joined(summary, added)
        if longer == summary or tokenizer.count(longer) > target:
            return Guarded(summary, had, kept, 0, stated=self.stated)
        index = FactIndex(added, stems=self._stems)
        put_back = sum(_keeps(index, key) for key in self.stated - check.kept)
        return Guarded(longer, had, kept + put_back, put_back, stated=self.stated)

    def _back(
        self, lost: dict[int, list[FactKey]], room: int, unwritten: Sequence[Unwritten], tokenizer: Tokenizer
    ) -> str:
        """Return what was lost in the source's own segments, those first that gain most for their tokens; "" where none fits the room."""
        if room <= 0 or not lost:
            return ""
        order = self._choose(self._most_telling(lost, room), room, unwritten, tokenizer)
        fitting = longest_fitting(
            len(order), lambda number: tokenizer.count(self._written(order[:number])) <= room
        )
        return self._written(order[:fitting])

    def _written(self, chosen: Iterable[int]) -> str:
        """Return segments as text, without marks, with the headings, head row, name of the record and sentence they depend on."""
        kept = {part for index in chosen for part in (index, *self._document.requirements(index))}
        return self._rendering.render(kept, marks=False)

    def _most_telling(self, lost: dict[int, list[FactKey]], room: int) -> dict[int, list[FactKey]]:
        """Return the lost segments that say most for their length, many more than a room has place for: not all are counted in tokens."""
        most = max(MIN_COMPARED, room)
        if len(lost) <= most:
            return lost
        times = Counter(chain.from_iterable(lost.values()))
        own = WEIGHT_BESIDE_FACTS if self._asks else 0.0
        worth = {
            index: self._relevance[index]
            * (own + sum([1 / times[key] for key in gone]))
            / (self._document.segments[index].end - self._document.segments[index].start)
            for index, gone in lost.items()
        }
        chosen = sorted(nlargest(most, worth, key=worth.__getitem__))
        return {index: lost[index] for index in chosen}

    def _choose(
        self, lost: dict[int, list[FactKey]], room: int, unwritten: Sequence[Unwritten], tokenizer: Tokenizer
    ) -> list[int]:
        """Return the lost segments that come back: those of each unwritten stretch, then the best of all others."""
        candidates, costs = self._candidates_among(lost), partial(self._costs, tokenizer)
        segments, order, left = self._document.segments, list[int](), room
        for stretch in unwritten:
            inside = [index for index in lost if stretch.start <= segments[index].start < stretch.end]
            chooser = Chooser(self._document, candidates, costs)
            order += chooser.choose(min(stretch.tokens, left), inside)
            left -= chooser.tokens
        chooser = Chooser(self._document, candidates, costs)
        chooser.keep(order)
        return order + chooser.choose(room, [index for index in lost if index not in chooser.kept])

    def _candidates_among(self, lost: dict[int, list[FactKey]]) -> Candidates:
        """Return the lost segments as candidates: each lost fact is a concept, to be covered once."""
        kinds = self._scored.signature_weights if self._asks else {}
        numbers: dict[object, int] = {}
        weights: list[float] = []
        concepts: list[list[int]] = [[] for _ in self._document.segments]
        for index, gone in lost.items():
            own = WEIGHT_BESIDE_FACTS if self._asks else 0.0
            # The segment itself counts as a concept that no other segment has.
            for concept, weight in [*((key, kinds.get(key[0], 1.0)) for key in gone), (index, own)]:
                if concept not in numbers:
                    numbers[concept] = len(weights)
                    weights.append(weight)
                concepts[index].append(numbers[concept])
        return Candidates(self._relevance, concepts, weights, diversity=0.0)

    def _costs(self, tokenizer: Tokenizer, indices: Sequence[int]) -> list[int]:
        """Return the tokens of some segments, each with the white space before it; each is counted once."""
        new = [index for index in indices if index not in self._cost]
        counts = tokenizer.count_each(list(map(self._rendering.text_of, new)))
        self._cost.update((index, 1 + count) for index, count in zip(new, counts, strict=True))
        return list(map(self._cost.__getitem__, indices))


class _Lines:
    """The lines of a summary as terms, each with those of its headings and of the line before: does one of them say what a segment says?"""

    def __init__(self, summary: str, stems: Stems) -> None:
        document = parse(summary)
        own = [frozenset(terms_of(document.of(index), stems)) for index in range(len(document.segments))]
        self._terms: list[frozenset[str]] = []
        for index, terms in enumerate(own):
            # A summary may use two sentences for one of the source.
            before = own[index - 1] if index else frozenset[str]()
            self._terms.append(terms.union(before, *(own[above] for above in document.above(index))))
        self._having = inverted_index(self._terms)

    def say(self, terms: frozenset[str], least: float, rarity: Mapping[str, float]) -> bool:
        """Whether a line has some of these words, of at least this weight together."""
        known = terms & self._having.keys()
        if sum(map(rarity.__getitem__, known)) < least:
            return False
        rarest = sorted(known, key=lambda term: (-rarity[term], term))[:PROBES]
        near = {index for term in rarest for index in self._having[term][:MAX_SEGMENTS_OF_TERM]}
        return not least or any(
            sum(map(rarity.__getitem__, known & self._terms[index])) >= least for index in near
        )


def _keeps(index: FactIndex, key: FactKey) -> bool:
    """Whether a text still states a fact, in any usual spelling, a short number only with what it counts (facts/fact_index.py)."""
    return index.keeps(Fact(0, 0, key[1], key[0]))


def _joined(summary: str, added: str) -> str:
    """Return a summary with what was put back; it stands under no heading of the summary: before the first one, or at the end."""
    if not added:
        return summary
    heading = _HEADING.search(summary)
    first, rest = (summary[: heading.start()], summary[heading.start() :]) if heading else (summary, "")
    return "\n\n".join(part for part in (first.rstrip(), added, rest) if part)
