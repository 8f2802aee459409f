"""Runs one document's trials: every question at every ratio, for ours and for the other methods. Not here: tables."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.real_texts import baselines
from bench.real_texts.causes import Cause, causes
from bench.real_texts.checks import Faults, faults
from bench.real_texts.documents import Document, text_of
from bench.real_texts.gold import Gold, checked, kept
from bench.real_texts.json_checks import json_faults
from bench.real_texts.ours import summarize
from bench.real_texts.source_layout.layout import Source, read
from summarizing.text.tokenizer import Tokenizer, load_tokenizer, read_vocabulary

OURS = "ours"
CEILING = "ceiling"
RATIOS = (5, 10, 20)

# Questions about something else are asked at this one.
UNRELATED_RATIO = 10


@dataclass(frozen=True)
class Trial:
    """One summary, and what it is worth."""

    document: str
    part: str
    kind: str
    system: str
    ratio: int
    wording: str
    """`literal`, `everyday`, `vague`, or `unrelated`."""
    recall: float
    target: int
    tokens: int
    matched: bool | None = None
    seconds: float = 0.0
    chars: int = 0
    attributions: Sequence[str] = field(default_factory=list)
    broken: Sequence[str] = field(default_factory=list)
    facts: int = 0
    missing: Sequence[Cause] = field(default_factory=list)
    """Of ours: why each fact is missing that is."""


class _Judged:
    """A document's text, its facts, and a simple reading of it to judge summaries by."""

    def __init__(self, document: Document, tokenizer: Tokenizer) -> None:
        self.document = document
        self.tokenizer = tokenizer
        self.text = text_of(document)
        self.gold: Gold = checked(document, self.text)
        self.source: Source = read(
            self.text,
            is_html=document.is_html,
            is_lines=document.is_lines,
            is_manual=document.convert == "man",
        )
        # Of HTML, what a reader sees: tags are no text to shorten.
        self.tokens = tokenizer.count(self.source.text if document.is_html else self.text)
        self.json: Any = _json_of(self.text)

    def faults(self, summary: str) -> Faults:
        """Return what a summary says wrongly."""
        return faults(self.source, summary) if self.json is None else json_faults(self.json, summary)

    def trial(self, system: str, ratio: int, wording: str, summary: str, **more: Any) -> Trial:
        """Return what a summary is worth."""
        keeps = kept(self.gold, summary)
        document = self.document
        return Trial(
            *(document.id, document.part, document.kind, system, ratio, wording),
            recall=sum(keeps) / len(keeps),
            target=self.tokens // ratio,
            tokens=self.tokenizer.count(summary),
            chars=len(self.text),
            facts=len(keeps),
            **more,
        )


def _json_of(text: str) -> Any:
    if text[:1] not in {"{", "["}:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def run(
    document: Document, tokenizer: Tokenizer, ratios: Sequence[int], methods: Sequence[str]
) -> list[Trial]:
    """Return every trial of a document: ours, and these methods beside it."""
    judged = _Judged(document, tokenizer)
    trials = [
        _ours(judged, ratio, wording, query)
        for wording, query in document.questions.items()
        for ratio in ratios
    ]
    trials += [_ours(judged, UNRELATED_RATIO, "unrelated", query) for query in document.unrelated]
    return trials + (_beside(judged, ratios, methods) + _ceiling(judged, ratios) if methods else [])


def run_alone(document: Document, methods: Sequence[str]) -> list[Trial]:
    """Return every trial of a document, in a process that has no tokenizer yet."""
    return run(document, load_tokenizer(read_vocabulary()), RATIOS, methods)


def _ours(judged: _Judged, ratio: int, wording: str, query: str) -> Trial:
    started = time.process_time()
    summary, matched = summarize(judged.text, judged.tokens // ratio, query, judged.tokenizer)
    seconds = time.process_time() - started
    found = judged.faults(summary)
    return judged.trial(
        *(OURS, ratio, wording, summary),
        matched=matched,
        seconds=seconds,
        attributions=found.attributions,
        broken=found.broken,
        missing=_causes(judged, query, summary, matched=matched),
    )


def _causes(judged: _Judged, query: str, summary: str, *, matched: bool | None) -> list[Cause]:
    words = baselines.words_of(judged.document.language)
    return causes(judged.gold, judged.source, query, summary, words, matched=matched)


def _ceiling(judged: _Judged, ratios: Sequence[int]) -> list[Trial]:
    """Return what could be kept at best: the lines with facts, those with most facts per token first, as many as fit."""
    units = [line.text for line in judged.source.lines if line.text.strip()]
    sizes = judged.tokenizer.count_each(units)
    held = [_held(judged.gold, unit) for unit in units]
    order = sorted(
        (place for place, count in enumerate(held) if count), key=lambda place: sizes[place] / held[place]
    )
    return [
        judged.trial(CEILING, ratio, wording, baselines.fill(units, sizes, order, judged.tokens // ratio))
        for wording in judged.document.questions
        for ratio in ratios
    ]


def _held(gold: Gold, unit: str) -> int:
    plain = " ".join(unit.split())
    return sum(part in plain for part in {part for fact in gold.facts for part in fact})


def _beside(judged: _Judged, ratios: Sequence[int], methods: Sequence[str]) -> list[Trial]:
    units = [line.text for line in judged.source.lines if line.text.strip()]
    sizes = judged.tokenizer.count_each(units)
    words = baselines.words_of(judged.document.language)
    trials = []
    for method in methods:
        order = baselines.METHODS[method]
        asked = list(judged.document.questions.items())
        # The other methods know no question: one order serves for all questions.
        orders = {
            query: order(units, query, words) for _, query in (asked if method == "BM25" else asked[:1])
        }
        for wording, query in asked:
            best = orders.get(query) or next(iter(orders.values()))
            for ratio in ratios:
                summary = baselines.fill(units, sizes, best, judged.tokens // ratio)
                trials.append(judged.trial(method, ratio, wording, summary))
    return trials
