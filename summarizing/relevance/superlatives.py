"""Which rows a superlative asks for: those with the greatest values, or the least, of the columns that a query names or may mean.

The words are data: superlatives.toml. What is worth a value is the inverse document frequency of one at least as great: the tenth of a hundred
rows counts as a word that ten of them have. Pure; does not score.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import fsum
from pathlib import Path
from statistics import fmean, pstdev
from typing import NamedTuple

from summarizing.relevance.bm25 import inverse_document_frequency
from summarizing.relevance.exclusions import split_query
from summarizing.relevance.number_columns import NumberColumn, number_columns
from summarizing.relevance.query_terms import FAMILY_WEIGHT, QueryTerms
from summarizing.text.document import NO_SEGMENT, Document
from summarizing.text.stemming import stem_of, stems_of, words_of

# Asks for a limit, and for no row.
_AT_MOST = re.compile(r"\bat most\b", re.IGNORECASE)

WORDS = Path(__file__).with_name("superlatives.toml")

# A head is short for a word that it begins (MEM, displ.), if it has so many letters.
MIN_SHORT_CHARS = 3

# How well a column fits that a superlative means and the query does not name, where one that it names fits by 1.
LEAST_FIT = 0.1


class Superlative(NamedTuple):
    """What a query asks for of a column."""

    is_least: bool
    names: frozenset[str]
    """What the column may be called where the query does not name it, as stems."""
    words: frozenset[str]
    """The stems of the query's words that ask for it."""


class Extremes(NamedTuple):
    """The rows with the greatest or the least values."""

    worth: Mapping[int, float]
    """How much each is worth for its value, by its segment."""
    meant: Mapping[int, int]
    """The heads that are short for a word of the query, by their segments: the number of its term."""
    words: frozenset[str]
    """The stems of the words that ask for them; none where no row is."""
    is_named: bool
    """Whether a column is called so that the query may mean it."""


NO_EXTREMES = Extremes({}, {}, frozenset(), is_named=False)


def superlative_of(query: str) -> Superlative | None:
    """Return what a query asks for of a column; None where it has no superlative."""
    stems = stems_of(_AT_MOST.sub(" ", split_query(query).wanted))
    for is_least, names, phrases in _table():
        for phrase in phrases:
            if phrase <= stems:
                return Superlative(is_least, names, phrase)
    return None


def extremes(document: Document, query: str, terms: QueryTerms) -> Extremes:
    """Return the rows that a query asks for with a superlative."""
    asked = superlative_of(query)
    columns = list(number_columns(document)) if asked else []
    if asked is None or not columns:
        return NO_EXTREMES
    named, meant = _named(columns, terms, asked)
    # A table may be read in parts, each of which is a block of its own: what is largest is the largest of all.
    values: dict[int, float] = {}
    for column in named or _widest(columns):
        values |= column.values
    worth = dict(_worth(values, is_least=asked.is_least))
    return Extremes(worth, meant, asked.words if worth else frozenset(), is_named=bool(named))


def _named(
    columns: Iterable[NumberColumn], terms: QueryTerms, asked: Superlative
) -> tuple[list[NumberColumn], dict[int, int]]:
    """Return the columns that a query names best, and the heads among theirs that are short for a word of it."""
    matches = terms.matches({word for column in columns for word in words_of(column.name)})
    best, chosen, meant = 0.0, list[NumberColumn](), dict[int, int]()
    for column in columns:
        words = words_of(column.name)
        met = {match.term: match.weight for word in words for match in matches.get(word, ())}
        short = {term for word in words for term in _short_for(word, terms) if term not in met}
        # "Highest" is no name of a column, but says which of two that the query names.
        names = any(terms.terms[term] not in asked.words for term in (*met, *short))
        fits = fsum(met.values()) + FAMILY_WEIGHT * len(short) if names else 0.0
        if not names and not asked.names.isdisjoint(map(stem_of, words)):
            fits = LEAST_FIT
        if fits > best:
            best, chosen, meant = fits, [], {}
        if fits and fits == best:
            chosen.append(column)
            meant.update((column.head, term) for term in short if column.head != NO_SEGMENT)
    return chosen, meant


def _short_for(word: str, terms: QueryTerms) -> Iterator[int]:
    """Yield the terms whose words a head is short for."""
    beginning = word.casefold()
    if len(beginning) >= MIN_SHORT_CHARS:
        for term, asked in enumerate(terms.words):
            if len(asked) > len(beginning) and asked.casefold().startswith(beginning):
                yield term


def _widest(columns: Iterable[NumberColumn]) -> list[NumberColumn]:
    """Return of each block the column whose numbers differ most, where it has no names, or no other column."""
    blocks: dict[int, list[NumberColumn]] = defaultdict(list)
    for column in columns:
        if column.block != NO_SEGMENT and not _counts(column.values.values()):
            blocks[column.block].append(column)
    return [
        max(found, key=lambda column: _spread(column.values.values()))
        for found in blocks.values()
        if len(found) == 1 or not any(column.name for column in found)
    ]


def _counts(numbers: Collection[float]) -> bool:
    """Whether numbers count the rows."""
    return all(after - before == 1 for before, after in pairwise(numbers))


def _spread(numbers: Collection[float]) -> float:
    """Return the coefficient of variation."""
    mean = fmean(numbers)
    return pstdev(numbers, mean) / abs(mean) if mean else 0.0


def _worth(values: Mapping[int, float], *, is_least: bool) -> Iterator[tuple[int, float]]:
    """Yield for each row the inverse document frequency of a value at least as great, or as small."""
    ordered = sorted(values.values(), reverse=not is_least)
    last = {value: rank for rank, value in enumerate(ordered, 1)}
    for index, value in values.items():
        yield index, inverse_document_frequency(len(ordered), last[value])


@cache
def _table() -> Sequence[tuple[bool, frozenset[str], Sequence[frozenset[str]]]]:
    tables: Mapping[str, Mapping[str, str]] = tomllib.loads(WORDS.read_text("utf-8"))
    return [
        (direction == "least", stems_of(names), [stems_of(phrase) for phrase in phrases.split()])
        for direction, table in tables.items()
        for names, phrases in table.items()
    ]
