"""Full-text search in one text: ranks its passages by a query and returns the best with their offsets.

Words are stemmed, in any script, and ranked by BM25 (Robertson and Zaragoza, 2009); passages with an exact phrase, id, number
or path of the query come first. Pure. Rewrites and shortens nothing: a match is `content[start:end]`.
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

# A block this short (a list item, a line of a menu) is joined with the next.
SMALL_BLOCK_CHARS = 200
# In a large text small sections are joined too, so that there are not many more passages than this.
TARGET_PASSAGES = 200_000

# A match is extended by adjacent passages that match too, up to this many.
MAX_PASSAGES_PER_MATCH = 2

# BM25's parameters k1 and b: the saturation of repeated words, and the normalization by passage length.
SATURATION = 1.2
LENGTH_NORMALIZATION = 0.75

# The weight of a query word in a heading above, relative to one in the passage.
HEADING_WEIGHT = 0.3

# A passage with a lower share of the best score has only a common word or two of the query.
MIN_SCORE_SHARE = 0.2

# At most this many ids and quotations of a query are matched exactly.
MAX_EXACT = 16


@dataclass(frozen=True, slots=True)
class Match:
    """A part of a content that matches, and the headings above it, the outermost first."""

    start: int
    end: int
    headings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The matches of a query, the best first, and the query's words that the content does not have."""

    matches: tuple[Match, ...]
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
    """A matching passage. Sorts by exact matches, then score, then position; both scores are negative."""

    exact: float
    score: float
    position: int


def search(content: str, query: str, max_results: int) -> SearchResult:
    """Return the best matches of a query in a content, at most `max_results`."""
    passages = list(_passages(content))
    parsed = _SearchQuery(query)
    hits = _word_hits(content, passages, parsed) or _substring_hits(content, passages, query)
    # Adjacent passages share a match and duplicates are dropped, so more hits than matches are needed.
    best = nsmallest(max_results * (MAX_PASSAGES_PER_MATCH + 2), hits)
    return SearchResult(tuple(_matches(content, passages, best, max_results)), parsed.missing)


# --- Passages --------------------------------------------------------------------------------------------------


def _passages(content: str) -> Iterator[_Passage]:
    """Yield the passages of a content in order, each with the heading above its start."""
    min_section_chars = len(content) // TARGET_PASSAGES
    start = end = 0
    above: _Heading | None = None  # the heading above the open passage's start
    last: _Heading | None = None  # the last heading read
    has_text = False
    for block in blocks(content):
        is_heading = block.kind is Kind.HEADING
        size, min_chars = end - start, min_section_chars if is_heading else SMALL_BLOCK_CHARS
        # A heading stays with the block below it, however long that is.
        if has_text and (size >= min_chars or block.end - start > MAX_PASSAGE_CHARS):
            yield from _section_passages(content, start, end, above, last)
            start, above, has_text = block.start, last, False
        if is_heading:
            last = _nested(last, block)
            above = last.parent if start == block.start else above
        else:
            has_text = True
        end = block.end
    yield from _section_passages(content, start, end, above, last)


def _section_passages(
    content: str, start: int, end: int, above: _Heading | None, own: _Heading | None
) -> Iterator[_Passage]:
    """Yield the passages of a section: the first contains the section's own heading, the others are under it."""
    for piece_start, piece_end in _split(content, start, end):
        yield _Passage(piece_start, piece_end, above)
        above = own


def _nested(last: _Heading | None, block: Block) -> _Heading:
    """Return a heading block as a child of the nearest earlier heading of a higher level."""
    while last and last.level >= block.level:
        last = last.parent
    return _Heading(block.start, block.end, block.level, last)


def _with_ancestors(heading: _Heading | None) -> Iterator[_Heading]:
    """Yield a heading and its ancestors, at most six."""
    while heading:
        yield heading
        heading = heading.parent


def _title(content: str, heading: _Heading) -> str:
    return title_of(content, Block(heading.start, heading.end, Kind.HEADING, heading.level))


def _split(content: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a section in pieces that end at a line or sentence end, without white space around them."""
    end = start + len(content[start:end].rstrip())
    while (start := after_space(content, start, end)) < end:
        is_last = end - start <= MAX_PASSAGE_CHARS
        stop = end if is_last else _split_point(content, start, start + MAX_PASSAGE_CHARS)
        yield start, start + len(content[start:stop].rstrip())
        start = stop


def _split_point(content: str, start: int, limit: int) -> int:
    """Return where to end a piece, at most at the limit: at a line end, else a sentence end, else a word's end."""
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


class _SearchQuery:
    """A parsed query: its stems, each with the word as written, and its exact phrases."""

    def __init__(self, query: str) -> None:
        self._stems = Stems()
        # summarizing/text/stemming.py skips the targets of links, which repeat the link's words; a query for a URL needs them.
        self._reads_addresses = "/" in query
        self.words: dict[str, str] = {}
        for word in query.split():
            for term in self.terms(word):
                self.words.setdefault(term, word.strip(_EDGES))
        self.exact = [
            _ExactPhrase(_phrase_pattern(text), frozenset(self.terms(text))) for text in _exact_phrases(query)
        ]
        self.missing: tuple[str, ...] = ()

    def terms(self, text: str) -> list[str]:
        """Return a text's terms, stemmed as the query's are."""
        return terms_of(text.replace("](", "] ") if self._reads_addresses else text, self._stems)

    def set_missing(self, frequency: Counter[str]) -> None:
        """Set the missing words: those of which no term occurs."""
        present = {word for term, word in self.words.items() if frequency[term]}
        self.missing = tuple(dict.fromkeys(word for word in self.words.values() if word not in present))


class _ExactPhrase(NamedTuple):
    """A phrase to find as it is written, and the terms that every passage with it must have."""

    pattern: re.Pattern[str]
    terms: frozenset[str]


def _exact_phrases(query: str) -> list[str]:
    """Return the phrases to match exactly: the whole query, its quotations, and its ids, numbers and paths."""
    names = (word.strip(_EDGES).rstrip(".") for word in query.split())
    phrases = [query, *_QUOTED.findall(query), *(name for name in names if _NAME_LIKE.search(name))]
    unique = dict.fromkeys(" ".join(text.strip(_EDGES + " ").split()) for text in phrases)
    return [text for text in unique if text][:MAX_EXACT]


def _phrase_pattern(text: str) -> re.Pattern[str]:
    """Return a pattern for a phrase: in either case, with any white space, and not inside a longer word or number."""
    body = r"\s+".join(map(re.escape, text.split()))
    before = r"(?<![A-Za-z0-9])" if text[0].isascii() and text[0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if text[-1].isascii() and text[-1].isalnum() else ""
    return re.compile(before + body + after, re.IGNORECASE)


# --- Ranking ---------------------------------------------------------------------------------------------------


def _word_hits(content: str, passages: Sequence[_Passage], query: _SearchQuery) -> list[_Hit]:
    """Score every passage that has a word of the query."""
    matches: dict[int, Counter[str]] = {}
    lengths = array("l")
    query_terms = query.words.keys()
    for index, passage in enumerate(passages):
        terms = query.terms(content[passage.start : passage.end])
        lengths.append(len(terms))
        if not query_terms.isdisjoint(terms):
            matches[index] = Counter(term for term in terms if term in query_terms)
    frequency = Counter(term for counts in matches.values() for term in counts)
    query.set_missing(frequency)
    weights = {term: _idf(frequency[term], len(lengths)) for term in query_terms}
    headings = _HeadingScores(content, weights, query)
    mean = sum(lengths) / max(len(lengths), 1)
    hits: list[_Hit] = []
    for index, counts in matches.items():
        passage = passages[index]
        score = _bm25(counts, weights, lengths[index] / mean) + headings.score(passage.heading, counts)
        hits.append(_Hit(-_exact_score(content, passage, counts, query.exact), -score, index))
    return _without_weak(hits)


def _idf(frequency: int, passages: int) -> float:
    """Return a term's inverse document frequency."""
    return log(1 + (passages - frequency + 0.5) / (frequency + 0.5))


def _bm25(counts: Counter[str], weights: dict[str, float], relative_length: float) -> float:
    saturation = SATURATION * (1 - LENGTH_NORMALIZATION + LENGTH_NORMALIZATION * relative_length)
    return sum(
        weights[term] * count * (SATURATION + 1) / (count + saturation) for term, count in counts.items()
    )


def _exact_score(content: str, passage: _Passage, counts: Counter[str], exact: Sequence[_ExactPhrase]) -> int:
    """Count the exact phrases in a passage; the first, the whole query, counts more than all its parts."""
    score = 0
    for rank, phrase in enumerate(exact):
        if phrase.terms <= counts.keys() and phrase.pattern.search(content, passage.start, passage.end):
            score += 1 if rank else len(exact)
    return score


def _without_weak(hits: list[_Hit]) -> list[_Hit]:
    """Drop the hits that have no more than a common word of the query."""
    best = min((hit.score for hit in hits), default=0.0)
    return [hit for hit in hits if hit.exact or hit.score <= best * MIN_SCORE_SHARE]


class _HeadingScores:
    """The scores that passages get for query words in the headings above them."""

    def __init__(self, content: str, weights: dict[str, float], query: _SearchQuery) -> None:
        self._content = content
        self._weights = weights
        self._query = query
        self._terms: dict[_Heading, frozenset[str]] = {}

    def score(self, heading: _Heading | None, counts: Counter[str]) -> float:
        """Return the score for the query words in a heading and its ancestors that the passage does not have itself."""
        above = frozenset[str]().union(*map(self._query_terms, _with_ancestors(heading)))
        return HEADING_WEIGHT * sum(self._weights[term] for term in above if term not in counts)

    def _query_terms(self, heading: _Heading) -> frozenset[str]:
        if heading not in self._terms:
            terms = self._query.terms(_title(self._content, heading))
            self._terms[heading] = frozenset(terms) & self._weights.keys()
        return self._terms[heading]


def _substring_hits(content: str, passages: Sequence[_Passage], query: str) -> list[_Hit]:
    """Find the query as a substring, also within words: for queries without words, and for the start of a word."""
    parts = query.split()
    if not parts:
        return []
    pattern = re.compile(r"\s+".join(map(re.escape, parts)), re.IGNORECASE)
    return [
        _Hit(0.0, 0.0, index)
        for index, passage in enumerate(passages)
        if pattern.search(content, passage.start, passage.end)
    ]


# --- Matches ---------------------------------------------------------------------------------------------------


def _matches(
    content: str, passages: Sequence[_Passage], best: Sequence[_Hit], max_results: int
) -> Iterator[Match]:
    """Join adjacent passages and drop duplicates."""
    runs: list[list[int]] = []
    seen: set[str] = set()
    for hit in best:
        text = content[passages[hit.position].start : passages[hit.position].end]
        adjacent = next((run for run in runs if run[0] - 1 <= hit.position <= run[-1] + 1), None)
        if text in seen:
            continue
        seen.add(text)
        if adjacent is None and len(runs) < max_results:
            runs.append([hit.position])
        elif adjacent is not None and len(adjacent) < MAX_PASSAGES_PER_MATCH:
            adjacent.append(hit.position)
            adjacent.sort()
    for run in runs:
        first, last = passages[run[0]], passages[run[-1]]
        titles = [_title(content, heading) for heading in _with_ancestors(first.heading)]
        yield Match(first.start, last.end, tuple(reversed(titles)))
