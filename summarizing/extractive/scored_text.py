"""A text scored for a query: how relevant each segment is, and the best of them within a budget of tokens.

Pure. Segments are kept whole or not at all: none is rewritten, reordered or invented. Knows nothing of models, chunks and tasks.
"""

import re
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from heapq import nsmallest
from itertools import chain
from typing import NamedTuple

from summarizing.extractive.choice import (
    MAX_MISSES,
    SHARE_OF_ANSWERS,
    Candidates,
    Chooser,
    longest_fitting,
    parts_of,
    requirements_of,
)
from summarizing.extractive.concepts import (
    concepts_with_query,
    concepts_without_query,
    frames,
    signature_weights,
)
from summarizing.extractive.importance import importance
from summarizing.extractive.json_excerpts import json_excerpt
from summarizing.extractive.json_rendering import least_mark
from summarizing.extractive.line_kinds import NO_KINDS, LineKinds, line_kinds
from summarizing.extractive.rendering import ChosenText, Rendering
from summarizing.extractive.section_marks import (
    ONLY_MARK_TOKENS,
    SECTION_MARK_TOKENS,
    has_mark,
    only_mark,
    section_marks,
)
from summarizing.extractive.small_gaps import small_gaps
from summarizing.facts.fact import FactKey
from summarizing.facts.fact_sets import FactSet
from summarizing.facts.text_reading import Reading
from summarizing.relevance.asked_values import asked_values, is_asked
from summarizing.relevance.bm25f import EXPONENT, Scorer
from summarizing.relevance.words_found import WordsFound
from summarizing.text.document import NO_SEGMENT, Document, Segment, SegmentKind
from summarizing.text.excerpt import excerpt
from summarizing.text.json.records import parse_nearly_json
from summarizing.text.left_out_sections import headings_left_out
from summarizing.text.tokenizer import Tokenizer

# A segment with less than this share of the best relevance is off topic: in the same section, one with a quarter of the best score or about that.
OFF_TOPIC_SHARE = 0.25**EXPONENT

# In a smaller target than this allows, a section that is left out is marked only where there is room: with room kept for a mark in every
# summary, .2 and .3 points of recall at 10:1 and 20:1 were lost on 200 documents.
MAX_SHARE_OF_MARK = 0.04

# JSON up to this size is read a second time where nothing of it fits.
MAX_FINE_CHARS = 500_000

# Of so many segments the tokens are counted to estimate those of all.
MAX_SAMPLE = 500

# The values that tell when something was (asked_values.toml).
TIMES = frozenset({"date", "time"})

# What the signatures of numbers begin with, with and without a unit.
_NUMBERS = "num"
_NO_VALUES: frozenset[str] = frozenset()

_WORDS = re.compile(r"\w.*+", re.DOTALL)


class Extract(NamedTuple):
    """An extractive summary, and what is known about it."""

    text: str
    had: int
    """How many distinct facts the segments have that meet the query: all where there is none, none where nothing meets it."""
    kept: frozenset[FactKey]
    """Those of them that the summary has."""
    found: WordsFound
    """The words of the query that the document has."""
    has_marks_alone: bool = False
    """Whether it is JSON that only says how much is left out: no value fits with the brackets around it, or all are nested too deep."""

    @property
    def matched(self) -> bool:
        """False where the document can be said to be about something else than the query."""
        return not self.found.is_unrelated


class ScoredText:
    """A text whose segments are scored for a query once, to choose from for one or more targets."""

    def __init__(
        self,
        reading: Reading,
        query: str,
        tokenizer: Tokenizer,
        *,
        is_part: bool = False,
        kinds: LineKinds | None = None,
    ) -> None:
        """`is_part`: of a longer text, which is judged as a whole: this is scored by whatever words of the query it has.

        `kinds`: of its lines, where they are known already.
        """
        self._reading = reading
        self._tokenizer = tokenizer
        self.document = document = reading.document
        self.facts = reading.keys_of
        asked = asked_values(query)
        values = _asked_values(self.facts, asked) if asked else ()
        self._all_kinds = kinds = line_kinds(document) if kinds is None else kinds
        scorer = Scorer(
            document, query, values, tokenizer.rarity, reading.stems, priors=kinds.priors, is_part=is_part
        )
        is_met = scorer.is_met
        self.is_met = is_met or not scorer.terms
        self.found = scorer.found
        # Where the query tells segments apart, it and not the kind of a line says what is told; rare kinds only come first in what room is left.
        self._kinds = NO_KINDS if scorer.tells_apart else kinds
        self.relevance = scorer.relevance if scorer.tells_apart else importance(document, self._kinds)
        self._words, self._is_part = query, is_part
        self._query = query if scorer.tells_apart else ""
        # Of ranked rows the greatest are told, however much they have in common.
        self._part_for_answers = (1.0 if scorer.are_ranked else SHARE_OF_ANSWERS) if self._query else 0.0
        self._excludes = bool(scorer.terms.excluded)
        # Of an excerpt nobody knows any more how many lines of each kind there were.
        self.rendering = Rendering(document, {} if document.left_out else self._kinds.templates)
        self._frames = frames(document, self.facts, _perhaps_asked(scorer, asked, values, self.facts))
        self.met = self._segments_met(scorer)
        """The segments that meet the query, but for headings and head rows; all where there is no query, none where nothing meets it."""
        if self._query:
            told_apart = frozenset(self.met).union(scorer.ranked)
            self.relevance = _without_plain_rows(document, self.relevance, told_apart, kinds)

    def without_query(self) -> "ScoredText":
        """Return the same text, scored for no query."""
        return ScoredText(self._reading, "", self._tokenizer, kinds=self._all_kinds)

    @cached_property
    def candidates(self) -> Candidates:
        """What there is to choose from; computed on demand, since some callers need the relevance alone."""
        if self._query:
            return concepts_with_query(
                self._reading,
                self.relevance,
                self._frames,
                self.signature_weights,
                asks_when=not TIMES.isdisjoint(asked_values(self._query)),
            )
        return concepts_without_query(self._reading, self.relevance, self._frames, self._kinds)

    @cached_property
    def signature_weights(self) -> dict[str, float]:
        """How much each kind of fact is asked for."""
        return signature_weights(self.facts, self.relevance, self._query)

    def _segments_met(self, scorer: Scorer) -> Sequence[int]:
        if not scorer.terms:
            return range(len(self.facts))
        return [index for index in scorer.meeting if index not in self._frames]

    def choose(self, target: int) -> set[int]:
        """Return the best segments, with what they require, whose text has at most `target` tokens."""
        has_room = target * MAX_SHARE_OF_MARK >= SECTION_MARK_TOKENS and not self.document.is_json
        mark = SECTION_MARK_TOKENS if self._has_sections else ONLY_MARK_TOKENS
        return (has_room and self._choose(target - mark)) or self._choose(target)

    @cached_property
    def _has_sections(self) -> bool:
        has_headings = any(one.kind is SegmentKind.HEADING for one in self.document.segments)
        return has_headings or bool(self.document.headings_left_out)

    def _choose(self, target: int) -> set[int]:
        worthy = self.candidates.worthy(range(len(self.facts)))
        required = requirements_of(self.document, worthy)
        chooser = Chooser(self.document, self.candidates, required, self.costs_of(parts_of(required)))
        order = chooser.choose(target, required, self._share_of_answers(target))
        as_text = ChosenText(self.rendering, required, self._tokenizer)
        fitting = longest_fitting(order, target, as_text.tokens)
        if len(fitting) < len(order):
            chooser.restart(fitting)
        # What segments cost together is known only once they are rendered: marks are added, shared signs left out.
        budget = chooser.tokens + target - as_text.tokens(fitting)
        order = [*fitting, *chooser.fill(budget, self._share_of_answers(budget))]
        kept = as_text.with_required(longest_fitting(order, target, as_text.tokens, len(fitting)))
        return kept if self.document.is_json or self._excludes else self._with_small_gaps(kept, target)

    def _share_of_answers(self, target: int) -> int:
        return int(target * self._part_for_answers)

    def _with_small_gaps(self, kept: set[int], target: int) -> set[int]:
        """Return what is kept with what is left out of it though a mark takes as much room, if all of that fits; not where a query excludes something."""
        found = list(small_gaps(self.document, kept))
        costs = self.costs_of({index for gap, _ in found for index in gap})
        small = {index for gap, mark in found if sum(map(costs.__getitem__, gap)) <= mark for index in gap}
        if not small or self._tokenizer.count(self.rendering.render(kept | small)) > target:
            return kept
        return kept | small

    def summary(self, target: int, stated: FactSet | None = None) -> Extract:
        """Return the best segments in at most `target` tokens: of the best one a part at least.

        `stated`: the facts that are to be kept, where this is the excerpt of a longer text.
        """
        among = self.stated if stated is None else stated
        found = self.best_within(target, among)
        if not found.text and self._may_have_smaller_parts():
            found = self._in_single_members().best_within(target, among)
        if found.text:
            return found
        marks = self._marks_within(target) if self.document.is_json else ""
        return found._replace(text=marks or self._beginning_of_best(target), has_marks_alone=bool(marks))

    def _may_have_smaller_parts(self) -> bool:
        """Whether a part of a segment may say something: of segments that say nothing, such as empty strings, none does."""
        is_short = len(self.document.text) <= MAX_FINE_CHARS
        return self.document.is_json and is_short and bool(self.candidates.worthy(range(len(self.facts))))

    def _in_single_members(self) -> "ScoredText":
        """Return the same JSON with each member and item as a segment of its own: of a record that does not fit, some may."""
        is_excerpt = bool(self.document.left_out)
        document = (not is_excerpt and parse_nearly_json(self.document.text, is_fine=True)) or self.document
        reading = Reading(document, self._reading.facts, self._reading.stems)
        return ScoredText(reading, self._words, self._tokenizer, is_part=self._is_part)

    def best_within(self, target: int, stated: AbstractSet[FactKey] | FactSet) -> Extract:
        """Return the best segments; without a text if none fits."""
        kept = self.choose(target)
        text = self._text_of(kept, target) if kept else ""
        kept_facts = frozenset(key for key in self._facts_in(kept) if key in stated)
        return Extract(text, len(stated), kept_facts, self.found)

    def _text_of(self, kept: set[int], target: int) -> str:
        """Return kept segments as text, with those marks for whole sections that say most of all that there is room for; else with one, if it has none."""
        plain = self.rendering.render(kept)
        if self.document.is_json:
            return plain
        forms = [*section_marks(self.document, kept)]
        if not has_mark(plain):
            forms.append(only_mark(self.document, kept))
        texts = (self.rendering.render(kept, of_sections=form) for form in forms if form)
        return next((text for text in texts if self._tokenizer.count(text) <= target), plain)

    def excerpt(self, budget: int) -> Document:
        """Return a document of the best segments in about `budget` tokens, for a summary to be chosen from: of the best one a part at least."""
        worthy = self.candidates.worthy(range(len(self.facts)))
        required = requirements_of(self.document, worthy)
        chooser = Chooser(self.document, self.candidates, required, self._estimated_costs(parts_of(required)))
        chooser.choose(budget, required, self._share_of_answers(budget))
        if self.document.is_json:
            return json_excerpt(self.document, chooser.kept)
        if chooser.kept:
            return excerpt(self.document, chooser.kept, self.rendering.leads)
        beginning = self._beginning_of_best(budget)
        segments = [Segment(0, len(beginning), SegmentKind.LINE)] if beginning else ()
        headings = headings_left_out(self.document, [self._best_within(budget)] if beginning else ())
        return Document(beginning, segments, headings_left_out=headings)

    def whole(self) -> Extract:
        """Return the whole text as its own summary: every fact is kept."""
        stated = self.stated
        return Extract(self.document.text, len(stated), stated, self.found)

    @property
    def stated(self) -> frozenset[FactKey]:
        """The distinct facts of the segments that meet the query."""
        return self._facts_in(self.met)

    def _facts_in(self, among: Iterable[int]) -> frozenset[FactKey]:
        return frozenset(chain.from_iterable(map(self.facts.__getitem__, among)))

    def costs_of(self, parts: Iterable[int]) -> dict[int, int]:
        """Return the tokens of some segments as they are rendered."""
        parts = list(parts)
        # One more for the white space before it; the commas of JSON are one token with the quotes beside them.
        more = not self.document.is_json
        counts = self._tokenizer.count_each(self.rendering.texts_of(parts))
        return {part: more + count for part, count in zip(parts, counts, strict=True)}

    def _estimated_costs(self, parts: Iterable[int]) -> Sequence[int]:
        """Return about how many tokens each segment has, by its characters: of `parts` a sample is counted."""
        segments, parts = self.document.segments, list(parts)
        sample = self.costs_of(parts[:: max(1, len(parts) // MAX_SAMPLE)])
        chars = sum(segments[part].end - segments[part].start for part in sample)
        tokens_per_char = sum(sample.values()) / max(1, chars)
        return array("I", [max(1, round((one.end - one.start) * tokens_per_char)) for one in segments])

    def _marks_within(self, target: int) -> str:
        """Return JSON that says what is left out, "" where not even that fits."""
        marks = (self.rendering.render(()), least_mark(self.document))
        return next((mark for mark in marks if self._tokenizer.count(mark) <= target), "")

    def _beginning_of_best(self, target: int) -> str:
        """Return the best segment that fits without what it requires; where none does, the start of the best.

        That is cut at the end of a word or, where there is none, of a character.
        """
        text = self._text_of_best(target)
        kept = self._tokenizer.cut(text, target)
        end = max(kept.rfind(" "), kept.rfind("\n"))
        whole = kept[:end].rstrip() if end > 0 and len(kept) < len(text) else kept
        # subtle: a character that is cut off from its line end may take one token more.
        return whole if self._tokenizer.count(whole) <= target else kept

    def _text_of_best(self, target: int) -> str:
        """Return the best segment, one that fits if there is one; of JSON its text from the first word on, which a bracket alone is not."""
        document, relevance = self.document, self.relevance
        numbers = range(len(relevance))
        if document.is_json:
            numbered = [at for at in numbers if document.segments[at].kind is not SegmentKind.FRAME]
            best = max(numbered, key=lambda at: (relevance[at], -at), default=0)
            words = _WORDS.search(document.of(best))
            return words[0] if words else document.of(best)
        return document.of(self._best_within(target)) if numbers else document.text.strip()

    def _best_within(self, target: int) -> int:
        """Return the most relevant segment that fits whole and may stand alone, else of all; NO_SEGMENT where there is none."""
        relevance = self.relevance
        best = nsmallest(MAX_MISSES, range(len(relevance)), key=lambda at: (-relevance[at], at))
        whole = (at for at in best if relevance[at] > 0 and self._fits_alone(at, target))
        return next(whole, best[0] if best else NO_SEGMENT)

    def _fits_alone(self, index: int, target: int) -> bool:
        segment = self.document.segments[index]
        is_statement = segment.kind not in (SegmentKind.FRAME, SegmentKind.HEADING) and not segment.follows
        return is_statement and self._tokenizer.count(self.document.of(index)) <= target


def _perhaps_asked(
    scorer: Scorer,
    asked: Mapping[str, frozenset[str]],
    values: Sequence[Collection[str]],
    facts: Sequence[Sequence[FactKey]],
) -> Sequence[int]:
    """Return the segments that may answer without what is said of them: those that have a value of a kind that the query names and meet the rest of it.

    `values`: which of the kinds in `asked` each has, empty where it names none. Where the query names no kind, a number may answer; an option's
    bare name does not.
    """
    if not scorer.is_met:
        return ()
    if not values:
        return [
            index
            for index, found in enumerate(facts)
            if any(key.signature.startswith(_NUMBERS) for key in found)
        ]
    is_kind_alone = any(naming.issuperset(scorer.terms.terms) for naming in asked.values())
    among = range(len(values)) if is_kind_alone else scorer.meeting
    return [index for index in among if values[index]]


def _without_plain_rows(
    document: Document, relevance: list[float], told_apart: AbstractSet[int], kinds: LineKinds
) -> list[float]:
    """Return the relevance, none of rows that nobody could tell from others in a table that has some that are told apart.

    `told_apart`: what meets the query, or is ranked by it. Rows of rare kinds are told apart, too.
    """
    segments = document.segments
    tables = {segments[index].block for index in told_apart if segments[index].kind is SegmentKind.ROW}
    if not tables:
        return relevance
    rare = {index for index, rarity in kinds.rarity.items() if rarity > 1 and index not in kinds.templates}
    plain = {
        index
        for index, segment in enumerate(segments)
        if segment.kind is SegmentKind.ROW and segment.block in tables
    }.difference(told_apart, rare)
    return [0.0 if index in plain else score for index, score in enumerate(relevance)]


def _asked_values(facts: Sequence[Sequence[FactKey]], asked: Iterable[str]) -> list[AbstractSet[str]]:
    """Return for each segment which kinds of value that the query names it has."""
    signatures = {signature for found in facts for signature, _ in found}
    kinds = {
        signature: [beginning for beginning in asked if is_asked(signature, beginning)]
        for signature in signatures
    }
    return [
        {kind for signature, _ in found for kind in kinds[signature]} if found else _NO_VALUES
        for found in facts
    ]
