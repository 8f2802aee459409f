"""The words of a query that a text has nowhere: a caller may ask in other words, and is not misled by what came in their place.

Pure. Does not judge whether a text meets a query: bm25f.py does.
"""

from collections.abc import Collection

from summarizing.relevance.asked_values import asked_beginnings
from summarizing.relevance.query_terms import QueryTerms
from summarizing.text.stemming import words_of

# A text is read so much at a time, for less than two milliseconds: other threads wait while it is. Stretches overlap by more than a word.
STRETCH_CHARS = 50_000
OVERLAP_CHARS = 200

# What stands around a word of a query, and is none of its own.
EDGES = "\"'“”„«»「」()[]{}<>,;:!?。、，"


def missing_words(query: str, text: str) -> tuple[str, ...]:
    """Return the words of a query of which no term occurs in a text, as they are written.

    Without those that name a kind of value, which a text has in figures ("dates"). Of a JSON Schema none: its words are names of fields.
    """
    terms = QueryTerms(query)
    if "{" in query or not terms:
        return ()
    present: set[int] = set()
    for start in range(0, len(text), STRETCH_CHARS):
        words = set(words_of(text[start : start + STRETCH_CHARS + OVERLAP_CHARS]))
        present.update(match.term for found in terms.matches(words).values() for match in found)
        if len(present) == len(terms.terms):
            return ()
    return tuple(word for word in words_without(query, terms, present) if not asked_beginnings(word))


def words_without(query: str, terms: QueryTerms, present: Collection[int]) -> tuple[str, ...]:
    """Return the words of a query that have none of the terms which are present; `present`: their numbers in `terms`, the query's."""
    stems = frozenset(terms.terms)
    found = {terms.terms[number] for number in present}
    words = {word.strip(EDGES): stems.intersection(QueryTerms(word).terms) for word in query.split()}
    return tuple(word for word, own in words.items() if own and found.isdisjoint(own))
