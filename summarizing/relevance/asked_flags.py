"""Which records and rows a query does not ask for: a key that it names is false there and true in others ("archived repositories"), or a cell is
what it denies ("which pods do not run").

Pure; linear in the text. Does not weigh them: scored_fields.py does.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product, zip_longest

from summarizing.relevance.query_terms import Counts, Match, QueryTerms
from summarizing.text.blocks.cells import BETWEEN_CELLS, cells_of
from summarizing.text.document import Document, SegmentKind
from summarizing.text.language.language_words import language_words
from summarizing.text.language.stemming import stems_of, words_of

# So much of a record is looked at.
MAX_ROW_CHARS = 2_000

# What so many cells of a column have is what a query may deny; a rarer one names a row.
MIN_SHARE_DENIED = 0.5

_WORD = re.compile(r"[^\W\d_]+(?:'t)?")
_FLAG = re.compile(r'"(\w{1,60})":[ ]{0,9}(true|false)\b')


def without_false_flags(
    document: Document, own: Sequence[Mapping[int, float]], matches: Mapping[str, Sequence[Match]], query: str
) -> Sequence[Mapping[int, float]]:
    """Return what the segments have of a query's terms: records without what names a key that is false there, where it is true in others.

    `matches`: the terms that the words of the document match.
    """
    if not document.is_json or _denies(query):
        return own
    flags: dict[str, dict[int, bool]] = defaultdict(dict)
    for index, segment in enumerate(document.segments):
        if own[index] and segment.kind is SegmentKind.ROW:
            for flag in _FLAG.finditer(
                document.text, segment.start, min(segment.end, segment.start + MAX_ROW_CHARS)
            ):
                flags[flag[1]][index] = flag[2] == "true"
    found = list(own)
    for key, values in flags.items():
        terms = {match.term for word in words_of(key) for match in matches.get(word, ())}
        if terms and any(values.values()):
            for index in (index for index, is_set in values.items() if not is_set):
                found[index] = {term: count for term, count in found[index].items() if term not in terms}
    return found


def with_denied_cells(
    document: Document,
    own: Sequence[Counts],
    matches: Mapping[str, Sequence[Match]],
    terms: QueryTerms,
    query: str,
) -> Sequence[Counts]:
    """Return what the segments have of a query's terms: where it denies a cell, rows with another one in that column have its term, and no others.

    A cell is denied by one word that half of a column has or more: further words behind a negation say of what.
    """
    stems = stems_of(_denied(query))
    denied = [term for term, stem in enumerate(terms.terms) if stem in stems]
    columns = [*_columns(document)] if denied else []
    for term, column in product(denied, columns):
        having = {
            index
            for index, cell in column.items()
            if any(match.term == term for match in matches.get(cell, ()))
        }
        if len(column) > len(having) >= len(column) * MIN_SHARE_DENIED:
            found = list(own)
            for index in column:
                others = {one: count for one, count in own[index].items() if one != term}
                found[index] = others if index in having else {**others, term: 1.0}
            return found
    return own


def _columns(document: Document) -> Iterator[dict[int, str]]:
    """Yield the columns of tables, each with its cells by the rows that have one."""
    tables: dict[int, dict[int, list[str]]] = defaultdict(dict)
    for index, segment in enumerate(document.segments):
        if segment.kind is SegmentKind.ROW and not document.is_json:
            row = document.text[segment.start : min(segment.end, segment.start + MAX_ROW_CHARS)]
            tables[segment.block][index] = cells_of(row, BETWEEN_CELLS)
    for rows in tables.values():
        for column in zip_longest(*rows.values(), fillvalue=""):
            yield {index: cell for index, cell in zip(rows, column, strict=True) if cell}


def _denied(query: str) -> str:
    """Return what stands behind the first negation of a query."""
    words = _WORD.finditer(query.replace("\u2019", "'"))
    return next((query[word.end() :] for word in words if _is_negation(word[0].lower())), "")


def _denies(query: str) -> bool:
    """Whether a query asks for records in which a key is false, perhaps: it has a negation."""
    return any(map(_is_negation, _WORD.findall(query.lower().replace("\u2019", "'"))))


def _is_negation(word: str) -> bool:
    return word.endswith("n't") or word in language_words().denying
