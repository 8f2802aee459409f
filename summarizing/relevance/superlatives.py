"""Which rows a superlative asks for: those with the greatest values, or the least, of the columns that a query names or may mean.

The words are data: superlatives.toml. What is worth a value is the inverse document frequency of one at least as great: the tenth of a hundred
rows counts as a word that ten of them have. Pure; does not score.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import fsum
from statistics import fmean, pstdev
from typing import NamedTuple

from summarizing.relevance.bm25 import inverse_document_frequency
from summarizing.relevance.cell_values import AGO
from summarizing.relevance.exclusions import split_query
from summarizing.relevance.number_columns import NumberColumn, number_columns
from summarizing.relevance.query_terms import FAMILY_WEIGHT, MAX_TERMS, Counts, QueryTerms
from summarizing.text.data_files import table
from summarizing.text.document import NO_SEGMENT, Document
from summarizing.text.language.stemming import camel_parts, stem_of, stems_of, words_of

WORDS = "relevance/superlatives.toml"

# A head is short for a word that it begins (MEM, displ.), if it has so many letters.
MIN_SHORT_CHARS = 3

# How well a column fits that a superlative means and the query does not name, where one that it names fits by 1.
LEAST_FIT = 0.1
# How well one fits that means what the query names, and is called otherwise (RSS).
MEANT_FIT = 0.3
# The weight of a word behind "by", where another one has 1: more than all other words of a query.
BY_WEIGHT = float(MAX_TERMS)


class Superlative(NamedTuple):
    """What a query asks for of a column."""

    names: Mapping[bool, frozenset[str]]
    """What a column may be called of which the least values are asked for (True), or the greatest, where the query does not name it; as stems."""
    words: frozenset[str]
    """The stems of the query's words that ask for it."""

    def directions(self, column: NumberColumn, *, is_named: bool) -> Iterator[bool]:
        """Yield whether the least values are asked for of a column; nothing where that cannot be told, or it is another one.

        `is_named`: whether the query names the column. Of dates only what asks for a time does: none is the largest.
        """
        stems = stems_of(column.name)
        for is_least, names in self.names.items():
            is_meant = not names.isdisjoint(stems) or (is_named and len(self.names) == 1)
            if stem_of(AGO) in names if column.has_dates else is_meant:
                yield is_least


class Extremes(NamedTuple):
    """The rows with the greatest or the least values."""

    worth: Mapping[int, float]
    """How much each is worth for its value, by its segment."""
    meant: Mapping[int, int]
    """The heads that are short for a word of the query, by their segments: the number of its term."""
    words: frozenset[str]
    """The stems of the words that ask for them; none where no row is."""
    naming: frozenset[int]
    """The terms of the query that name the column: they are no words to look for in its rows."""
    is_named: bool
    """Whether a column is called so that the query may mean it."""

    def answered(self, terms: QueryTerms) -> frozenset[str]:
        """Return the stems of the query's words that a column answers which the query may mean."""
        return self.words.union(terms.terms[term] for term in self.naming) if self.is_named else frozenset()


NO_EXTREMES = Extremes({}, {}, frozenset(), frozenset(), is_named=False)


class _Ranked(NamedTuple):
    """Values that are compared with one another, of columns that have no row in common."""

    is_least: bool
    values: dict[int, float]


def superlative_of(query: str, names: Collection[str] = ()) -> Superlative | None:
    """Return what a query asks for of a column; None where it has no superlative. `names`: of columns, which tell "most funding" from "most charming"."""
    named = {stem for name in names for stem in stems_of(name)}

    def wanted_of(found: re.Match[str]) -> str:
        return " " if named.isdisjoint(stems_of(found[0])) else found[0]

    return _superlative_in(_phrases_without_rank().sub(wanted_of, split_query(query).wanted.casefold()))


def _superlative_in(words: str) -> Superlative | None:
    stems = stems_of(words)
    phrases = _superlatives()
    return next((Superlative(names, phrase) for phrase, names in phrases.items() if phrase <= stems), None)


def extremes(document: Document, query: str, terms: QueryTerms) -> Extremes:
    """Return the rows that a query asks for with a superlative."""
    columns = _quantities(document, terms) if _superlative_in(query.casefold()) else []
    asked = superlative_of(query, {column.name for column in columns}) if columns else None
    if asked is None:
        return NO_EXTREMES
    chosen, meant, naming = _named(columns, terms, asked, _ranking_by(query))
    is_named = bool(chosen)
    if not chosen and len(asked.names) == 1:
        (is_least,) = asked.names
        chosen = [(column, is_least) for column in _widest(columns)]
    worth: dict[int, float] = {}
    for is_least, values in _ranked(chosen):
        for index, value in _worth(values, is_least=is_least):
            worth[index] = max(value, worth.get(index, 0.0))
    return Extremes(worth, meant, asked.words if worth else frozenset(), naming, is_named)


def _quantities(document: Document, terms: QueryTerms) -> list[NumberColumn]:
    """Return the columns of numbers but for those of identifiers, which only a query ranks that says so ("the highest id")."""
    identifiers = stems_of(table(WORDS)["identifiers"]).difference(terms.terms)
    return [
        column
        for column in number_columns(document)
        if identifiers.isdisjoint(
            stem_of(part) for word in words_of(column.name) for part in (word, *camel_parts(word))
        )
    ]


def _ranking_by(query: str) -> frozenset[str]:
    """Return the stems of the words of a query that say by what rows are ranked: "by the unit price"."""
    return stems_of(" ".join(_by().findall(query.casefold())))


def without_naming(
    document: Document,
    found: Extremes,
    own: Sequence[Counts],
    values: Sequence[Collection[str]],
) -> tuple[Sequence[Counts], Sequence[Collection[str]]]:
    """Return what the segments have of a query's terms and kinds of value: rows that are ranked without what names the column ("files")."""
    if not found.naming:
        return own, values
    blocks = {document.segments[index].block for index in found.worth}
    own, values = list(own), list(values)
    for index, segment in enumerate(document.segments):
        if segment.block in blocks and index not in found.meant:
            own[index] = {term: count for term, count in own[index].items() if term not in found.naming}
            if values:
                values[index] = ()
    return own, values


def _ranked(chosen: Iterable[tuple[NumberColumn, bool]]) -> list[_Ranked]:
    """Return the values of columns: those of the parts of a table, each of which is a block of its own, are compared with one another."""
    found: list[_Ranked] = []
    for column, is_least in chosen:
        for ranked in found:
            if ranked.is_least is is_least and ranked.values.keys().isdisjoint(column.values):
                ranked.values.update(column.values)
                break
        else:
            found.append(_Ranked(is_least, {**column.values}))
    return found


def _named(
    columns: Iterable[NumberColumn], terms: QueryTerms, asked: Superlative, by: Collection[str]
) -> tuple[list[tuple[NumberColumn, bool]], dict[int, int], frozenset[int]]:
    """Return the columns that a query names best, each with whether its least values are asked for.

    Also the heads among theirs that are short for a word of the query or stand for it, and the terms that name them. `by`: the stems of what rows
    are ranked by, which name a column before all other words.
    """
    matches = terms.matches({word for column in columns for word in words_of(column.name)})
    best, chosen, meant, naming = 0.0, list[tuple[NumberColumn, bool]](), dict[int, int](), set[int]()
    for column in columns:
        words = words_of(column.name)
        met = {match.term: match.weight for word in words for match in matches.get(word, ())}
        short = {term: weight for term, weight in _standing_for(words, terms) if term not in met}
        # "Highest" is no name of a column, but says which of two that the query names.
        names = any(terms.terms[term] not in asked.words for term in (*met, *short))
        directions = list(asked.directions(column, is_named=names))
        weights = (
            weight * (BY_WEIGHT if terms.terms[term] in by else 1.0)
            for term, weight in (*met.items(), *short.items())
        )
        fits = (fsum(weights) if names else LEAST_FIT) if directions else 0.0
        if fits > best:
            best, chosen, meant, naming = fits, [], {}, set()
        if fits and fits == best:
            chosen += ((column, is_least) for is_least in directions)
            naming.update(met, short)
            meant.update((column.head, term) for term in short if column.head != NO_SEGMENT)
    return chosen, meant, frozenset(naming)


def _standing_for(words: Iterable[str], terms: QueryTerms) -> Iterator[tuple[int, float]]:
    """Yield the terms that the words of a head are short for, or mean, with how well that fits."""
    means = _columns()
    for word in words:
        for term in _short_for(word, terms):
            yield term, FAMILY_WEIGHT
        for term, stem in enumerate(terms.terms):
            if stem in means.get(stem_of(word), ()):
                yield term, MEANT_FIT


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
        if column.block != NO_SEGMENT and not column.has_dates and not _counts(column.values.values()):
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
def _columns() -> Mapping[str, frozenset[str]]:
    """Return what heads stand for, by their stems."""
    return {stem_of(head): stems_of(words) for head, words in table(WORDS)["columns"].items()}


@cache
def _phrases_without_rank() -> re.Pattern[str]:
    """Return what phrases look like that ask for a limit, or for what no number tells ("most elegant")."""
    words = table(WORDS)
    limits = "|".join(words["limits"].replace("-", r"\s").split())
    endings = "|".join(words["adjectives_end_with"].split())
    return re.compile(rf"\b(?:{limits}|most\s\w{{1,30}}(?:{endings}))\b")


@cache
def _by() -> re.Pattern[str]:
    """Return the pattern of up to three words behind "by"."""
    return re.compile(rf"\b(?:{table(WORDS)['by'].replace(' ', '|')})\s((?:[\w-]{{1,30}}\s?){{1,3}})")


@cache
def _superlatives() -> Mapping[frozenset[str], Mapping[bool, frozenset[str]]]:
    """Return the superlatives as stems, the longest first, with the names of columns."""
    words = table(WORDS)
    found: dict[frozenset[str], dict[bool, frozenset[str]]] = defaultdict(dict)
    for direction in ("greatest", "least"):
        for names, phrases in words[direction].items():
            for phrase in phrases.split():
                found[stems_of(phrase)][direction == "least"] = stems_of(names)
    return dict(sorted(found.items(), key=lambda item: -len(item[0])))
