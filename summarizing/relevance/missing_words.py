"""The words of a query that a text has nowhere: a caller may ask in other words, and is not misled by what came in their place.

Pure. Does not judge whether a text meets a query: words_found.py does.
"""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from summarizing.relevance.asked_values import asked_values
from summarizing.relevance.query_numbers import numbers_as_in, stretches
from summarizing.relevance.query_terms import QueryTerms
from summarizing.relevance.words_found import EDGES
from summarizing.text.language.stemming import words_of

# The first word of a sentence, of a line or of a quotation.
_SENTENCE_START = re.compile(r"(?:(?<=[.!?:]\s)|(?<=[\n\"“„«])|\A)\w+")

_PART = re.compile(r"[^\W_]++")
# With which the parts of an identifier are joined.
_JOINING = ("-", "_", " ", ".", "")

# So many identifiers are looked for whole, since each takes a search of the text; more are judged by their parts, as other words are.
MAX_IDENTIFIERS = 16


class Missing(NamedTuple):
    """Words of a query that a text has nowhere, and whether it has none of its words."""

    words: tuple[str, ...]
    are_all: bool


NOTHING_MISSING = Missing((), are_all=False)


def missing_words(query: str, text: str, answered: Collection[str] | None = None) -> Missing:
    """Return the words of a query of which no term occurs in a text, as they are written; of identifiers those that do not occur whole.

    `answered`: words that the text has a value for ("dates"), as WordsFound knows them; None: it is not known, and any that names a kind
    of value may be. Of a JSON Schema none is missing: its words are names of fields.
    """
    query = numbers_as_in(text, query)
    terms = QueryTerms(query)
    if "{" in query or not terms:
        return NOTHING_MISSING
    present = _answered_terms(query, terms, answered)
    identifiers = _identifiers(query)
    for stretch in stretches(text):
        present.update(
            match.term for found in terms.matches(set(words_of(stretch))).values() for match in found
        )
        if identifiers:
            folded = stretch.casefold()
            identifiers = {word: forms for word, forms in identifiers.items() if not _has_any(folded, forms)}
        if len(present) == len(terms.terms) and not identifiers:
            return NOTHING_MISSING
    absent = tuple(dict.fromkeys((*words_without(query, terms, present), *identifiers)))
    return Missing(absent, are_all=set(absent).issuperset(words_without(query, terms, ())))


def _answered_terms(query: str, terms: QueryTerms, answered: Collection[str] | None) -> set[int]:
    """Return the numbers of the terms that a text has a value for, or may have."""
    if answered is not None:
        return {number for number, word in enumerate(terms.in_words) if word in answered}
    naming = frozenset[str]().union(*asked_values(query).values())
    return {number for number, stem in enumerate(terms.terms) if stem in naming}


def _identifiers(query: str) -> dict[str, Collection[str]]:
    """Return the paths of a query and its words of letters and digits in several parts, each with how it may be written: a text has all of it or nothing."""
    written = dict.fromkeys(word.strip(EDGES) for word in query.split())
    identifiers = [word for word in written if _is_identifier(word)][:MAX_IDENTIFIERS]
    return {word: _forms(word.casefold()) for word in identifiers}


def _forms(word: str) -> frozenset[str]:
    """Return how texts may write an identifier: as it is, or with its parts joined otherwise (sha256 for SHA-256)."""
    parts = _PART.findall(word)
    return frozenset({word.strip("/"), *(sign.join(parts) for sign in _JOINING)})


def _is_identifier(word: str) -> bool:
    """Whether a word is a path, or of letters and digits in several parts."""
    has_both = any(map(str.isdecimal, word)) and any(map(str.isalpha, word))
    return (has_both or _is_path(word)) and len(_PART.findall(word)) > 1


def _is_path(word: str) -> bool:
    """Whether a word is a path: "/etc/passwd", "src/app.py"; "and/or" is none."""
    return "/" in word and (word[0] in "/~" or "." in word)


def _has_any(text: str, forms: Iterable[str]) -> bool:
    """Whether one of some forms stands in a text as a word of its own."""
    for form in forms:
        at = text.find(form)
        while at >= 0:
            around = text[max(0, at - 1) : at] + text[at + len(form) : at + len(form) + 1]
            if not any(map(str.isalnum, around)):
                return True
            at = text.find(form, at + 1)
    return False


def words_without(query: str, terms: QueryTerms, present: Collection[int]) -> tuple[str, ...]:
    """Return the words of a query that have none of the terms which are present; `present`: their numbers in `terms`, the query's."""
    stems = frozenset(terms.terms)
    found = {terms.terms[number] for number in present}
    words = {word.strip(EDGES): stems.intersection(QueryTerms(word).terms) for word in query.split()}
    return tuple(word for word, own in words.items() if own and found.isdisjoint(own))


def may_be_name(word: str) -> bool:
    """Whether a word of a query may be a name, which no text has in other words."""
    return not word.islower() and any(map(str.isalpha, word))


def names_in_message(words: Collection[str], message: str) -> tuple[str, ...]:
    """Return those words of a user's message that may be names: with a capital that no sentence begins with, and of letters alone."""
    begun = {match[0] for match in _SENTENCE_START.finditer(message)}
    return tuple(
        word
        for word in words
        if word.isalpha() and may_be_name(word) and not (word.istitle() and word in begun)
    )
