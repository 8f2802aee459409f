"""Finds the facts that a summary lost, in the segments relevant to the query, and puts them back in the source's own words.

Whole segments come back, under their own headings, in what room the target leaves. Pure, and without a model; does not rewrite, or
judge what is true: summarizing/faithfulness/answer_check.py does that. `had` and `kept` count distinct facts in the segments that
meet the query (in all segments where nothing is asked for, in none where nothing matches).
"""

import re
from collections import Counter
from collections.abc import Sequence
from heapq import nlargest
from itertools import chain
from typing import NamedTuple

from summarizing.extractive.choice import Candidates, Chooser, longest_fitting, parts_of, requirements_of
from summarizing.extractive.concepts import WEIGHT_BESIDE_FACTS, Concepts
from summarizing.extractive.rendering import ChosenText
from summarizing.extractive.scored_text import OFF_TOPIC_SHARE, ScoredText
from summarizing.facts.fact import FactKey
from summarizing.facts.fact_index import FactIndex
from summarizing.facts.text_reading import Reading
from summarizing.relevance.query_terms import QueryTerms
from summarizing.text.document import FRAMES
from summarizing.text.language.stemming import Stems, inverted_index, terms_of
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import CountedText, Tokenizer

# The empty line between the summary and what is put back: at most this many tokens. What is joined is counted all the same.
MAX_SEPARATOR_TOKENS = 2

# The shares below are not learnt: docs/experiments.md says how little or much half and double of each change on real texts.

# A line that has this share of what a segment says (its words, weighted by rarity) says the same.
SAID_SHARE = 0.5

# Of more lost segments than this, or than the room has tokens, only those that say most for their length are compared.
MIN_COMPARED = 2_000

_HEADING = re.compile(r"^#", re.MULTILINE)


class Restored(NamedTuple):
    """A summary with lost facts put back, and counts of the facts that were asked for.

    `had`: in the source; `kept`: in the text, with those put back; `put_back`: only since they were put back.
    """

    text: str
    tokens: int
    """Of the text."""
    had: int
    kept: int
    put_back: int


class Unwritten(NamedTuple):
    """A stretch of a text that the model did not summarize, and the tokens that were planned for it."""

    start: int
    end: int
    tokens: int


class _Losses(NamedTuple):
    """Which of the facts that were asked for a summary keeps, and what it lost: the facts by segment.

    With a query, a segment without facts whose words the summary does not say is lost too: its list is empty.
    """

    kept: frozenset[FactKey]
    lost: dict[int, list[FactKey]]


class Survey:
    """A source's segments that matter for a query, and the facts in them."""

    def __init__(self, reading: Reading, query: str, tokenizer: Tokenizer) -> None:
        """`query` in plain words; "" makes every segment matter. The source may be a part: whether it has enough of the query is not judged."""
        self._reading = reading
        self._document = document = reading.document
        self._scored = scored = ScoredText(reading, query, tokenizer, is_part=True)
        self._rendering = scored.rendering
        self._relevance = scored.relevance
        self.found = scored.found
        """The words of the query that the source has."""
        contents = [index for index, segment in enumerate(document.segments) if segment.kind not in FRAMES]
        self._has_matching_query = bool(QueryTerms(query)) and scored.is_met
        # Headings and head rows do not count: one may have all the words of the query, and what hangs on it none.
        best = max((self._relevance[index] for index in contents), default=0.0)
        least = OFF_TOPIC_SHARE * best if self._has_matching_query else 0.0
        # Relevant enough to come back; only the facts of those that meet the query are counted (had, kept).
        self._relevant = [at for at in contents if scored.is_met and self._relevance[at] >= least]
        matching = frozenset(scored.met)
        self._matching = [index for index in contents if index in matching]
        self._tokenizer = tokenizer
        self._keys_of = scored.facts
        self.stated = frozenset(chain.from_iterable(map(self._keys_of.__getitem__, self._matching)))
        """The facts that were asked for."""

    def put_back(
        self,
        summary: CountedText,
        target: int,
        share: float,
        unwritten: Sequence[Unwritten] = (),
    ) -> Restored:
        """Put back what a summary lost: adds at most a share of `target`, and the result has at most `target` tokens.

        What is `unwritten` comes first, each stretch in the tokens planned for it. A summary that is over the target already is returned
        as it is.
        """
        losses = self._losses_of(summary.text)
        left = target - summary.tokens - MAX_SEPARATOR_TOKENS
        room = min(left, int(target * share))
        added = self._text_to_put_back(losses.lost, room, unwritten)
        return self._with_added(summary, losses, added, target)

    # --- What is lost ---

    def _losses_of(self, summary: str) -> _Losses:
        """Return which facts a summary keeps, and which segments it lost something of."""
        index = FactIndex(summary, stems=self._reading.stems)
        relevant_keys = self.stated.union(*map(self._keys_of.__getitem__, self._relevant))
        kept = set(filter(index.keeps, relevant_keys))
        lost: dict[int, list[FactKey]] = {}
        for segment in self._relevant:
            lost_keys = [key for key in self._keys_of[segment] if key not in kept]
            if lost_keys:
                lost[segment] = lost_keys
        if self._has_matching_query:
            # With a query, a segment without any fact can be an answer too, and be lost.
            lines = _Lines(summary, self._reading.stems)
            lost.update(
                (segment, [])
                for segment in self._relevant
                if not self._keys_of[segment] and not self._is_said(segment, lines)
            )
        return _Losses(self.stated & kept, lost)

    def _is_said(self, segment: int, lines: "_Lines") -> bool:
        """Whether a line has enough of a segment's words, by weight, to say the same."""
        terms = self._reading.term_sets[segment]
        return lines.say(terms, SAID_SHARE * self._reading.weight_of(terms), self._reading)

    # --- What comes back ---

    def _with_added(self, summary: CountedText, losses: _Losses, added: str, target: int) -> Restored:
        """Return a summary with what comes back, if that is at most `target` tokens, and count the facts."""
        had, kept = len(self.stated), len(losses.kept)
        longer = self._tokenizer.counted(_joined(summary.text, added)) if added else summary
        if longer is summary or longer.tokens > target:
            return Restored(*summary, had, kept, 0)
        index = FactIndex(added, stems=self._reading.stems)
        put_back = sum(map(index.keeps, self.stated - losses.kept))
        return Restored(*longer, had, kept + put_back, put_back)

    def _text_to_put_back(
        self, lost: dict[int, list[FactKey]], room: int, unwritten: Sequence[Unwritten]
    ) -> str:
        """Return what was lost in the source's own segments, those first that gain most for their tokens; "" where none fits the room."""
        if room <= 0 or not lost:
            return ""
        order = self._choose(self._most_informative(lost, room), room, unwritten)
        required = requirements_of(self._document, order)
        as_text = ChosenText(self._rendering, required, self._tokenizer, marks=False)
        return as_text.text(longest_fitting(order, room, as_text.tokens))

    def _most_informative(self, lost: dict[int, list[FactKey]], room: int) -> dict[int, list[FactKey]]:
        """Return the lost segments that say most for their length, many more than a room has place for: not all are counted in tokens."""
        most = max(MIN_COMPARED, room)
        if len(lost) <= most:
            return lost
        times = Counter(chain.from_iterable(lost.values()))
        segment_weight = WEIGHT_BESIDE_FACTS if self._has_matching_query else 0.0
        worth = {
            index: self._relevance[index]
            * (segment_weight + sum([1 / times[key] for key in lost_keys]))
            / (self._document.segments[index].end - self._document.segments[index].start)
            for index, lost_keys in lost.items()
        }
        chosen = sorted(nlargest(most, worth, key=worth.__getitem__))
        return {index: lost[index] for index in chosen}

    def _choose(self, lost: dict[int, list[FactKey]], room: int, unwritten: Sequence[Unwritten]) -> list[int]:
        """Return the lost segments that come back: those of each unwritten stretch, then the best of all others."""
        candidates = self._candidates_among(lost)
        worthy = candidates.worthy(lost)
        required = requirements_of(self._document, worthy)
        costs = self._scored.costs_of(parts_of(required))
        segments, order, left = self._document.segments, list[int](), room
        for stretch in unwritten:
            inside = [index for index in required if stretch.start <= segments[index].start < stretch.end]
            chooser = Chooser(self._document, candidates, required, costs)
            order += chooser.choose(min(stretch.tokens, left), inside)
            left -= chooser.tokens
        chooser = Chooser(self._document, candidates, required, costs)
        chooser.keep(order)
        return order + chooser.choose(room, [index for index in required if index not in chooser.kept])

    def _candidates_among(self, lost: dict[int, list[FactKey]]) -> Candidates:
        """Return the lost segments as candidates: each lost fact is a concept, to be covered once."""
        signature_weights = self._scored.signature_weights if self._has_matching_query else {}
        segment_weight = WEIGHT_BESIDE_FACTS if self._has_matching_query else 0.0
        concepts = Concepts()
        for index in range(len(self._document.segments)):
            own = [
                concepts.number(key, signature_weights.get(key.signature, 1.0)) for key in lost.get(index, ())
            ]
            if index in lost:
                # The segment itself counts as a concept that no other segment has.
                own.append(concepts.number(index, segment_weight))
            concepts.add(own)
        return Candidates(self._relevance, concepts.of, concepts.weights, diversity=0.0)


class _Lines:
    """The lines of a summary as terms, each with those of its headings and of the line before: does one of them say what a segment says?"""

    def __init__(self, summary: str, stems: Stems) -> None:
        document = parse(summary)
        line_terms = [
            frozenset(terms_of(document.of(index), stems)) for index in range(len(document.segments))
        ]
        self._terms: list[frozenset[str]] = []
        for index, terms in enumerate(line_terms):
            # A summary may use two sentences for one of the source.
            before = line_terms[index - 1] if index else frozenset[str]()
            self._terms.append(terms.union(before, *(line_terms[above] for above in document.above(index))))
        self._lines_with = inverted_index(self._terms)

    def say(self, terms: frozenset[str], least: float, source: Reading) -> bool:
        """Whether a line has some of these words of a source, of at least this weight together."""
        known = terms & self._lines_with.keys()
        if source.weight_of(known) < least:
            return False
        near = source.near(known, self._lines_with)
        return not least or any(source.weight_of(known & self._terms[index]) >= least for index in near)


def _joined(summary: str, added: str) -> str:
    """Return a summary with what was put back; it stands under no heading of the summary: before the first one, or at the end."""
    heading = _HEADING.search(summary)
    first, rest = (summary[: heading.start()], summary[heading.start() :]) if heading else (summary, "")
    return "\n\n".join(part for part in (first.rstrip(), added, rest) if part)
