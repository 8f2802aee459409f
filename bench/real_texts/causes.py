"""What stood in the way of the facts that a summary lacks: the words of the question, or what else the text has.

Judged by words alone, with the simple reading of source_layout/. Not here: whether a summary has a fact (gold.py).
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from bench.real_texts.baselines import Words
from bench.real_texts.gold import Fact, Gold, kept
from bench.real_texts.source_layout.layout import Source
from summarizing.text.language.language_words import language_words

# A fact's neighbours: what stands in so many lines above and below it.
NEIGHBOURS = 2


class Cause(StrEnum):
    """Why a fact is not in a summary; the first that applies."""

    UNMATCHED = "the text seems not to meet the question"
    TORN = "a part of it is kept, the rest is not"
    NO_WORD = "no word of the question is near it"
    OUTDONE = "words of the question are near it, other lines were preferred"


def causes(
    gold: Gold, source: Source, query: str, summary: str, words: Words, *, matched: bool | None
) -> list[Cause]:
    """Return the cause of each fact that a summary lacks, in their order. `matched`: whether it says that the question was met."""
    asked = _content_words(query, words)
    whole = " ".join(summary.split())
    return [
        _cause(fact, source, asked, whole, words, matched=matched)
        for fact, is_kept in zip(gold.facts, kept(gold, summary), strict=True)
        if not is_kept
    ]


def _cause(
    fact: Fact, source: Source, asked: set[str], summary: str, words: Words, *, matched: bool | None
) -> Cause:
    if matched is False:
        return Cause.UNMATCHED
    if len(fact) > 1 and any(part in summary for part in fact):
        return Cause.TORN
    near = _text_near(source, _lines_of(fact, source))
    return Cause.OUTDONE if asked & set(words(near)) else Cause.NO_WORD


def _content_words(query: str, words: Words) -> set[str]:
    return set(words(query)) - {stem for word in language_words().grammar for stem in words(word)}


def _lines_of(fact: Fact, source: Source) -> tuple[int, ...]:
    """Return the lines of a fact's parts where these stand nearest to one another: its name's, and its value's."""
    names, values = _lines_with(fact[0], source), _lines_with(fact[-1], source)
    pairs = ((name, value) for name in names for value in values)
    return min(pairs, key=lambda pair: abs(pair[1] - pair[0]), default=tuple(names[:1] or values[:1]))


def _lines_with(part: str, source: Source) -> list[int]:
    return [source.line_at(start) for start, _ in source.places(part)]


def _text_near(source: Source, numbers: Sequence[int]) -> str:
    """Return the lines of a fact, those beside them, and the headings and head rows above."""
    return "\n".join(source.lines[number].text for number in sorted(set(_numbers_near(source, numbers))))


def _numbers_near(source: Source, numbers: Iterable[int]) -> Iterable[int]:
    for number in numbers:
        line = source.lines[number]
        yield from range(max(0, number - NEIGHBOURS), min(len(source.lines), number + NEIGHBOURS + 1))
        yield from line.headings
        if line.table_head is not None:
            yield line.table_head
