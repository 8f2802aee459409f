"""Full-text search in one text: ranks its passages by a query and returns the best with their offsets.

Ranked by the project's one scorer, BM25F (summarizing/relevance/bm25f.py), in any script; passages with an exact phrase, id, number
or path of the query come first. Pure. Rewrites and shortens nothing: a match is `content[start:end]`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import NamedTuple

from summarizing.relevance.bm25f import Scorer
from summarizing.relevance.missing_words import words_without
from summarizing.relevance.query_terms import QueryTerms
from summarizing.relevance.words_found import EDGES
from summarizing.text.language.stemming import words_of
from tools.original_passages import Passage, PassageList
from tools.placeholders import masked_texts

# A match is extended by adjacent passages that match too, up to this many.
MAX_PASSAGES_PER_MATCH = 2

# A passage with a lower share of the best score has only a common word or two of the query.
MIN_SCORE_SHARE = 0.2

# At most this many ids and quotations of a query are matched exactly.
MAX_EXACT = 16


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A part of a content that matches, and the headings above it, the outermost first."""

    start: int
    end: int
    headings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The matches of a query, the best first, and the query's words that the content does not have.

    `masked`: where words are missing, how many places of the content are masked, and cannot be found.
    """

    matches: tuple[FoundPassage, ...]
    missing: tuple[str, ...]
    masked: int = 0


class _Hit(NamedTuple):
    """A matching passage. Sorts by exact matches, then score, then position; both scores are negative."""

    exact: float
    score: float
    position: int


def search(content: str, query: str, max_results: int) -> SearchResult:
    """Return the best matches of a query in a content, at most `max_results`."""
    found = PassageList(content)
    scorer = Scorer(found.document, query)
    hits = _word_hits(found, scorer, query) or _substring_hits(found, query)
    # Adjacent passages share a match and duplicates are dropped, so more hits than matches are needed.
    best = nsmallest(max_results * (MAX_PASSAGES_PER_MATCH + 2), hits)
    matches = tuple(_matches(found, best, max_results))
    missing = words_without(query, scorer.terms, {term for counts in scorer.own for term in counts})
    return SearchResult(matches, missing, masked_texts(content) if missing or not matches else 0)


# --- The query -------------------------------------------------------------------------------------------------

_QUOTED = re.compile(r"[\"“„«「]([^\"”“„«»「」]{2,}+)[\"”“»」]")
_NAME_LIKE = re.compile(r"\d|\w[._/\\:@#+=-]+\w|^[/~.]")


class _ExactPhrase(NamedTuple):
    """A phrase to find as it is written, and the terms that every passage with it must have."""

    pattern: re.Pattern[str]
    terms: frozenset[int]


def _exact_phrases(query: str, terms: QueryTerms) -> list[_ExactPhrase]:
    """Return the exact phrases of a query, each with its terms' numbers."""
    phrases: list[_ExactPhrase] = []
    for text in _exact_texts(query):
        # In small letters: "maxretry" has not the parts of "maxRetry".
        matches = terms.matches(words_of(text.lower()))
        numbers = frozenset(match.term for of_word in matches.values() for match in of_word)
        phrases.append(_ExactPhrase(_phrase_pattern(text), numbers))
    return phrases


def _exact_texts(query: str) -> list[str]:
    """Return the phrases to match exactly: the whole query, its quotations, and its ids, numbers and paths."""
    names = (word.strip(EDGES).rstrip(".") for word in query.split())
    phrases = [query, *_QUOTED.findall(query), *(name for name in names if _NAME_LIKE.search(name))]
    unique = dict.fromkeys(" ".join(text.strip(EDGES + " ").split()) for text in phrases)
    return [text for text in unique if text][:MAX_EXACT]


def _phrase_pattern(text: str) -> re.Pattern[str]:
    """Return a pattern for a phrase: in either case, with any white space, and not inside a longer word or number."""
    body = r"\s+".join(map(re.escape, text.split()))
    before = r"(?<![A-Za-z0-9])" if text[0].isascii() and text[0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if text[-1].isascii() and text[-1].isalnum() else ""
    return re.compile(before + body + after, re.IGNORECASE)


# --- Ranking ---------------------------------------------------------------------------------------------------


def _word_hits(found: PassageList, scorer: Scorer, query: str) -> list[_Hit]:
    """Score every passage that has a term or an exact phrase of the query."""
    exact = _exact_phrases(query, scorer.terms)
    # Phrases of words like "to be or not to be" have no terms to find them by.
    looks_everywhere = any(not phrase.terms for phrase in exact)
    hits: list[_Hit] = []
    for position, passage in enumerate(found.passages):
        terms = _terms_of(passage, scorer)
        if terms or looks_everywhere:
            score = max(scorer.scores[number] for number in passage.segments) if terms else 0.0
            hits.append(_Hit(-_exact_score(found.document.text, passage, terms, exact), -score, position))
    return _without_weak(hits)


def _terms_of(passage: Passage, scorer: Scorer) -> frozenset[int]:
    """Return the terms that a passage has in its own words."""
    return frozenset(term for number in passage.segments for term in scorer.own[number])


def _exact_score(content: str, passage: Passage, terms: frozenset[int], exact: Sequence[_ExactPhrase]) -> int:
    """Count the exact phrases in a passage; the first, the whole query, counts more than all its parts."""
    score = 0
    for rank, phrase in enumerate(exact):
        if phrase.terms <= terms and phrase.pattern.search(content, passage.start, passage.end):
            score += 1 if rank else len(exact)
    return score


def _without_weak(hits: list[_Hit]) -> list[_Hit]:
    """Drop the hits that have no more than a common word of the query."""
    best = min((hit.score for hit in hits), default=0.0)
    return [hit for hit in hits if hit.exact or (hit.score and hit.score <= best * MIN_SCORE_SHARE)]


def _substring_hits(found: PassageList, query: str) -> list[_Hit]:
    """Find the query as a substring, also within words: for queries without words, and for the start of a word."""
    parts = query.split()
    if not parts:
        return []
    pattern = re.compile(r"\s+".join(map(re.escape, parts)), re.IGNORECASE)
    return [
        _Hit(0.0, 0.0, position)
        for position, passage in enumerate(found.passages)
        if pattern.search(found.document.text, passage.start, passage.end)
    ]


# --- Matches ---------------------------------------------------------------------------------------------------


def _matches(found: PassageList, best: Sequence[_Hit], max_results: int) -> Iterator[FoundPassage]:
    """Join adjacent passages and drop duplicates."""
    content, passages = found.document.text, found.passages
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
        yield FoundPassage(first.start, last.end, found.headings_above(first))
