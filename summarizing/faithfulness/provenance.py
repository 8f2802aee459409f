"""Says which place of its source each line of a summary comes from, and which facts of the source it keeps and loses.

For a reader who wants to see for himself: judges nothing, and changes nothing. A line that stands in the source word for word comes from
there; any other from the segment that has most of what the line says, its words weighted by how rare they are in the source.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import log
from operator import attrgetter
from typing import Any, NamedTuple

from summarizing.extractive.json_rendering import GAP
from summarizing.extractive.scored_text import ScoredText
from summarizing.facts.fact import FactKey
from summarizing.facts.fact_index import FactIndex
from summarizing.facts.text_reading import Reading
from summarizing.text.document import Document
from summarizing.text.language.stemming import terms_of
from summarizing.text.lines import read_lines
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer

# A segment with less than this share of what a line says is not where the line comes from.
LEAST_SHARE = 0.5

# Facts are listed for the reader of a page, who looks through no more than this.
MOST_FACTS = 5_000

# What counts the parts that are left out comes from nowhere.
_MARK = re.compile(r"\[[0-9]++ (?:other )?+\w+(?: like this)?+ left out\]")


class Origin(NamedTuple):
    """A line of a summary, and the stretch of the source that it comes from. Offsets in Unicode characters, from 0."""

    start: int
    end: int
    source_start: int
    source_end: int
    verbatim: bool
    """Whether the line is that stretch, but for white space."""


class StatedFact(NamedTuple):
    """A fact of the source that was asked for, where it stands, and whether the summary still states it."""

    start: int
    end: int
    kept: bool


class Provenance(NamedTuple):
    """Where a summary comes from."""

    lines: tuple[Origin, ...]
    """Those whose origin was found, in the summary's order."""
    facts: tuple[StatedFact, ...]
    """The first MOST_FACTS, in the source's order, each time that they are stated."""

    def members(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "lines": [line._asdict() for line in self.lines],
            "facts": [fact._asdict() for fact in self.facts],
        }


def trace(source: str, summary: str, query: str, tokenizer: Tokenizer) -> Provenance:
    """Return where a summary comes from; `query` in plain words, "" where nothing was asked for.

    Takes about twice the time of a summary without a model.
    """
    reading = Reading.of(source)
    return Provenance(_origins(reading, parse(summary)), _facts(reading, summary, query, tokenizer))


def _facts(reading: Reading, summary: str, query: str, tokenizer: Tokenizer) -> tuple[StatedFact, ...]:
    index = FactIndex(summary, stems=reading.stems)
    kept: dict[FactKey, bool] = {}
    found: list[StatedFact] = []
    for at in sorted(ScoredText(reading, query, tokenizer).met):
        for fact in reading.facts_of[at]:
            key = FactKey(fact.signature, fact.key)
            if key not in kept:
                kept[key] = index.keeps(fact)
            found.append(StatedFact(fact.start, fact.end, kept[key]))
            if len(found) == MOST_FACTS:
                return tuple(found)
    return tuple(found)


# --- Lines -----------------------------------------------------------------------------------------------------


def _origins(reading: Reading, summary: Document) -> tuple[Origin, ...]:
    """Return the origins of a summary's lines. Of equal places that one counts which comes next in the source's order."""
    document = reading.document
    places: dict[str, list[int]] = defaultdict(list)
    for at in range(len(document.segments)):
        places[_folded(document.of(at))].append(at)
    unknown = log(1 + len(document.segments))
    origins: list[Origin] = []
    last = -1
    for stretch in _stretches(summary, places):
        start, end = _without_marks(summary.text, *stretch)
        line = summary.text[start:end]
        if _MARK.fullmatch(line):
            continue
        same = places.get(_folded(line))
        source = _next(same, last) if same else _most_alike(reading, line, unknown, last)
        if source is None:
            continue
        last = source
        place = document.segments[source]
        origins.append(Origin(start, end, place.start, place.end, verbatim=bool(same)))
    return tuple(origins)


def _stretches(summary: Document, places: Mapping[str, Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a summary that each come from one place of the source: `places`, by the folded texts of its segments.

    Those are the summary's segments. But lines of a log, the last one cut, may look like a wrapped paragraph: its lines are stretches
    where a sentence goes over a line end and stands nowhere, and one of the lines does.
    """
    for _, block in groupby(summary.segments, attrgetter("block")):
        spans = [(segment.start, segment.end) for segment in block]
        if any("\n" in summary.text[a:b] and _folded(summary.text[a:b]) not in places for a, b in spans):
            first, last = spans[0][0], spans[-1][1]
            lines = [(first + line.start, first + line.end) for line in read_lines(summary.text[first:last])]
            spans = lines if any(_folded(summary.text[a:b]) in places for a, b in lines) else spans
        yield from spans


def _without_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a stretch without the marks of what is left out before and after it."""
    if text.startswith(GAP, start, end):
        start += len(GAP)
    if text.endswith(GAP, start, end):
        end -= len(GAP)
    return start, end


def _folded(text: str) -> str:
    return " ".join(text.split())


def _next(places: Sequence[int], last: int) -> int:
    """Return the first place after the last one; the first of all where none is."""
    after = bisect_right(places, last)
    return places[after] if after < len(places) else places[0]


def _most_alike(reading: Reading, line: str, unknown: float, last: int) -> int | None:
    """Return the segment that has most of a line's words by weight, if that is enough, of several the next one after `last`.

    `unknown` is the weight of a word that the source has not.
    """
    terms = frozenset(terms_of(line, reading.stems))
    known = terms & reading.rarity.keys()
    least = LEAST_SHARE * (reading.weight_of(known) + unknown * len(terms - known))
    near = reading.near(known, reading.segments_with)
    if not near:
        return None
    best = max(near, key=lambda at: (reading.weight_of(known & reading.term_sets[at]), at > last, -at))
    return best if reading.weight_of(known & reading.term_sets[best]) >= least else None
