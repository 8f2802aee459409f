"""A text and a query to passages: stretches of the text, the most telling first, each with its place.

Words count as they do in BM25 (Robertson and Zaragoza, 2009), in any script, across endings; what a query names exactly (a
phrase, an id, a number, a path) comes before what it only has words of. Pure. Refuses to rewrite: a passage is
`content[start:end]`, and to shorten: whoever asks says how many.
"""

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from math import log
from typing import NamedTuple

from summarizing.text.blocks import Block, Kind, blocks, title_of
from summarizing.text.sentences import after_space, sentences
from summarizing.text.stemming import Stems, terms_of

# About 200 tokens of English: a few sentences, a dozen lines of a log.
MAX_PASSAGE_CHARS = 800

# A block this short (an item of a list, a line of a menu) goes together with the next.
SMALL_BLOCK_CHARS = 200
# In a large text small sections go together too, so that there are not many more passages than this.
MANY_PASSAGES = 200_000

# A place grows over passages beside it that are found too, up to so many.
MAX_PASSAGES_PER_PLACE = 2

# BM25: how soon a word that is repeated says no more, and how far long passages are held against.
SATURATION = 1.2
LENGTH_SHARE = 0.75

# A word that stands in a heading above counts so much of one in the passage.
HEADING_SHARE = 0.3

# What scores less than this part of the best is a word or two by chance.
LEAST_OF_BEST = 0.2

# Of a long query so many ids and quotations are looked for exactly.
MAX_EXACT = 16


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a content that was found, and the headings it stands under, the outermost first."""

    start: int
    end: int
    headings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The places that answer a query, the best first, and the query's words that stand nowhere in the content."""

    places: tuple[Place, ...]
    missing: tuple[str, ...]


class _Heading(NamedTuple):
    start: int
    end: int
    level: int
    parent: "_Heading | None"


class _Passage(NamedTuple):
    start: int
    end: int
    heading: _Heading | None


class _Hit(NamedTuple):
    """What orders the hits: exact matches first, then words, then the order of the text; all are negative."""

    exact: float
    score: float
    at: int


def search(content: str, query: str, max_results: int) -> Found:
    """Return at most so many places of a content that a query may mean."""
    passages = list(_passages(content))
    asked = _Query(query)
    hits = _by_words(content, passages, asked) or _by_letters(content, passages, query)
    # Neighbours and repeats share a place, so that more hits than places are looked at.
    best = nsmallest(max_results * (MAX_PASSAGES_PER_PLACE + 2), hits)
    return Found(tuple(_places(content, passages, best, max_results)), asked.missing)


# --- Passages --------------------------------------------------------------------------------------------------


def _passages(content: str) -> Iterator[_Passage]:
    """Yield the passages of a content in order, each with the heading that its start stands under."""
    least_section = len(content) // MANY_PASSAGES
    start = end = 0
    above: _Heading | None = None  # what the open passage stands under, and the last heading read
    under: _Heading | None = None
    has_text = False
    for block in blocks(content):
        is_heading = block.kind is Kind.HEADING
        size, least = end - start, least_section if is_heading else SMALL_BLOCK_CHARS
        # A heading goes with what stands below it, however long that is.
        if has_text and (size >= least or block.end - start > MAX_PASSAGE_CHARS):
            yield from _closed(content, start, end, above, under)
            start, above, has_text = block.start, under, False
        if is_heading:
            under = _below(under, block)
            above = under.parent if start == block.start else above
        else:
            has_text = True
        end = block.end
    yield from _closed(content, start, end, above, under)


def _closed(
    content: str, start: int, end: int, above: _Heading | None, under: _Heading | None
) -> Iterator[_Passage]:
    """Yield a stretch's passages: the first has the stretch's own heading in it, the others stand under that."""
    for a, b in _pieces(content, start, end):
        yield _Passage(a, b, above)
        above = under


def _below(heading: _Heading | None, block: Block) -> _Heading:
    """Return the heading that a block is, under the last one before it that is of a higher level."""
    while heading and heading.level >= block.level:
        heading = heading.parent
    return _Heading(block.start, block.end, block.level, heading)


def _chain(heading: _Heading | None) -> Iterator[_Heading]:
    """Yield a heading and those above it, at most six."""
    while heading:
        yield heading
        heading = heading.parent


def _title(content: str, heading: _Heading) -> str:
    return title_of(content, Block(heading.start, heading.end, Kind.HEADING, heading.level))


def _pieces(content: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a stretch without the white space around it, in pieces that end where a line or a sentence does."""
    end = start + len(content[start:end].rstrip())
    while (start := after_space(content, start, end)) < end:
        stop = end if end - start <= MAX_PASSAGE_CHARS else _cut(content, start, start + MAX_PASSAGE_CHARS)
        yield start, start + len(content[start:stop].rstrip())
        start = stop


def _cut(content: str, start: int, limit: int) -> int:
    """Return where to end a piece of at most the limit: at a line end, else a sentence's, else a word's."""
    line_end = content.rfind("\n", start + MAX_PASSAGE_CHARS // 2, limit) + 1
    if line_end:
        return line_end
    spans = list(sentences(content, start, limit))
    # The last sentence is cut off by the limit.
    return spans[-2][1] if len(spans) > 1 else limit


# --- The query -------------------------------------------------------------------------------------------------

_QUOTED = re.compile(r"[\"“„«「]([^\"”“„«»「」]{2,}+)[\"”“»」]")
_EDGES = "\"'“”„«»「」()[]{}<>,;:!?。、，"
_NAME_LIKE = re.compile(r"\d|\w[._/\\:@#+=-]+\w|^[/~.]")


class _Query:
    """What is asked: the words as stems, each with the form it was written in, and what must stand exactly so."""

    def __init__(self, query: str) -> None:
        self._stems = Stems()
        # summarizing/text/stemming.py passes over the targets of links: they repeat the link's words, unless an address is asked for.
        self._reads_addresses = "/" in query
        self.words: dict[str, str] = {}
        for word in query.split():
            for term in self.terms(word):
                self.words.setdefault(term, word.strip(_EDGES))
        self.exact = [_Exact(_as_written(text), frozenset(self.terms(text))) for text in _wanted(query)]
        self.missing: tuple[str, ...] = ()

    def terms(self, text: str) -> list[str]:
        """Return a text's terms, as the query's own are made."""
        return terms_of(text.replace("](", "] ") if self._reads_addresses else text, self._stems)

    def note_missing(self, frequency: Counter[str]) -> None:
        """Remember which words stand nowhere: those of which no part does."""
        there = {word for term, word in self.words.items() if frequency[term]}
        self.missing = tuple(dict.fromkeys(word for word in self.words.values() if word not in there))


class _Exact(NamedTuple):
    """Something to be found as it is written, and the terms without which it cannot be there."""

    pattern: re.Pattern[str]
    terms: frozenset[str]


def _wanted(query: str) -> list[str]:
    """Return what a query wants exactly: itself, what it quotes, and its ids, numbers and paths."""
    names = (word.strip(_EDGES).rstrip(".") for word in query.split())
    wanted = [query, *_QUOTED.findall(query), *(name for name in names if _NAME_LIKE.search(name))]
    unique = dict.fromkeys(" ".join(text.strip(_EDGES + " ").split()) for text in wanted)
    return [text for text in unique if text][:MAX_EXACT]


def _as_written(text: str) -> re.Pattern[str]:
    """Return what finds a text in capitals or not, over any white space, and not inside a longer word or number."""
    body = r"\s+".join(map(re.escape, text.split()))
    before = r"(?<![A-Za-z0-9])" if text[0].isascii() and text[0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if text[-1].isascii() and text[-1].isalnum() else ""
    return re.compile(before + body + after, re.IGNORECASE)


# --- Weighing --------------------------------------------------------------------------------------------------


def _by_words(content: str, passages: Sequence[_Passage], asked: _Query) -> list[_Hit]:
    """Weigh every passage that has a word of the query."""
    matches: dict[int, Counter[str]] = {}
    lengths = array("l")
    wanted = asked.words.keys()
    for index, passage in enumerate(passages):
        terms = asked.terms(content[passage.start : passage.end])
        lengths.append(len(terms))
        if not wanted.isdisjoint(terms):
            matches[index] = Counter(term for term in terms if term in wanted)
    frequency = Counter(term for counts in matches.values() for term in counts)
    asked.note_missing(frequency)
    weights = {term: _rarity(frequency[term], len(lengths)) for term in wanted}
    inherited = _Inherited(content, weights, asked)
    mean = sum(lengths) / max(len(lengths), 1)
    hits: list[_Hit] = []
    for index, counts in matches.items():
        passage = passages[index]
        score = _bm25(counts, weights, lengths[index] / mean) + inherited.worth(passage.heading, counts)
        hits.append(_Hit(-_exact_hits(content, passage, counts, asked.exact), -score, index))
    return _worth_showing(hits)


def _rarity(frequency: int, passages: int) -> float:
    return log(1 + (passages - frequency + 0.5) / (frequency + 0.5))


def _bm25(counts: Counter[str], weights: dict[str, float], relative_length: float) -> float:
    slowing = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relative_length)
    return sum(weights[term] * count * (SATURATION + 1) / (count + slowing) for term, count in counts.items())


def _exact_hits(content: str, passage: _Passage, counts: Counter[str], exact: Sequence[_Exact]) -> int:
    """Count what stands in a passage as it was asked for; the whole query counts more than all of its parts."""
    hits = 0
    for rank, each in enumerate(exact):
        if each.terms <= counts.keys() and each.pattern.search(content, passage.start, passage.end):
            hits += 1 if rank else len(exact)
    return hits


def _worth_showing(hits: list[_Hit]) -> list[_Hit]:
    """Drop what has a common word of the query and no more."""
    best = min((hit.score for hit in hits), default=0.0)
    return [hit for hit in hits if hit.exact or hit.score <= best * LEAST_OF_BEST]


class _Inherited:
    """What the headings above a passage add: words of the query that it does not repeat itself."""

    def __init__(self, content: str, weights: dict[str, float], asked: _Query) -> None:
        self._content = content
        self._weights = weights
        self._asked = asked
        self._terms: dict[_Heading, frozenset[str]] = {}

    def worth(self, heading: _Heading | None, counts: Counter[str]) -> float:
        """Return what a heading and those above it add to a passage."""
        above = frozenset[str]().union(*map(self._own, _chain(heading)))
        return HEADING_SHARE * sum(self._weights[term] for term in above if term not in counts)

    def _own(self, heading: _Heading) -> frozenset[str]:
        if heading not in self._terms:
            terms = self._asked.terms(_title(self._content, heading))
            self._terms[heading] = frozenset(terms) & self._weights.keys()
        return self._terms[heading]


def _by_letters(content: str, passages: Sequence[_Passage], query: str) -> list[_Hit]:
    """Find the query's letters anywhere, as part of a word too; for what has no word, and for the start of one."""
    letters = query.split()
    if not letters:
        return []
    pattern = re.compile(r"\s+".join(map(re.escape, letters)), re.IGNORECASE)
    return [
        _Hit(0.0, 0.0, index)
        for index, passage in enumerate(passages)
        if pattern.search(content, passage.start, passage.end)
    ]


# --- Places ----------------------------------------------------------------------------------------------------


def _places(
    content: str, passages: Sequence[_Passage], best: Sequence[_Hit], max_results: int
) -> Iterator[Place]:
    """Put neighbours together and leave repeats out."""
    runs: list[list[int]] = []
    seen: set[str] = set()
    for hit in best:
        text = content[passages[hit.at].start : passages[hit.at].end]
        beside = next((run for run in runs if run[0] - 1 <= hit.at <= run[-1] + 1), None)
        if text in seen:
            continue
        seen.add(text)
        if beside is None and len(runs) < max_results:
            runs.append([hit.at])
        elif beside is not None and len(beside) < MAX_PASSAGES_PER_PLACE:
            beside.append(hit.at)
            beside.sort()
    for run in runs:
        first, last = passages[run[0]], passages[run[-1]]
        titles = [_title(content, heading) for heading in _chain(first.heading)]
        yield Place(first.start, last.end, tuple(reversed(titles)))
