"""What a query excludes: "licenses other than MIT" asks for licenses, and for none that are MIT.

The phrases are data: exclusion_phrases.txt. What stands behind one is excluded up to a sign or the next word of grammar. Does not weigh.
"""

import re
from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from summarizing.text.data_files import lines
from summarizing.text.language.language_words import function_words_of
from summarizing.text.language.stemming import words_of

PHRASES = "relevance/exclusion_phrases.txt"

# What is excluded stands in the same clause, and has few words.
_CLAUSE_END = re.compile(r"[,;.:!?\n](?=\s|\Z)")
MAX_CLAUSE_CHARS = 200


class SplitQuery(NamedTuple):
    """A query without what it excludes, and the words that it excludes."""

    wanted: str
    excluded: tuple[str, ...]


def split_query(query: str) -> SplitQuery:
    """Return what a query asks for, and the words that it excludes; time is linear in the query."""
    phrases = [*_phrases().finditer(query)]
    if not phrases:
        return SplitQuery(query, ())
    grammar, is_in_capitals = function_words_of(words_of(query.casefold())), query.isupper()
    wanted, excluded, at = list[str](), list[str](), 0
    for phrase in phrases:
        if phrase.start() < at:
            continue
        wanted.append(query[at : phrase.start()])
        words, at = _excluded(query, phrase.end(), grammar, is_in_capitals=is_in_capitals)
        excluded += words
    return SplitQuery("".join([*wanted, query[at:]]), tuple(excluded))


def _excluded(
    query: str, start: int, grammar: Collection[str], *, is_in_capitals: bool
) -> tuple[list[str], int]:
    """Return the words behind a phrase that it excludes, and where the last of them ends."""
    clause = _CLAUSE_END.split(query[start : start + MAX_CLAUSE_CHARS], maxsplit=1)[0]
    found, end, at = list[str](), start, start
    for word in words_of(clause):
        at = query.index(word, at) + len(word)
        if word.casefold() in _joining():
            continue
        # "MIT" is the German for "with", but written in capitals among small letters it is a name.
        if word.casefold() in grammar and (is_in_capitals or not word.isupper()):
            break
        found.append(word)
        end = at
    return found, end


@cache
def _joining() -> frozenset[str]:
    return frozenset(word for line in lines(PHRASES) if line[0] == "+" for word in line[1:].split())


@cache
def _phrases() -> re.Pattern[str]:
    phrases = sorted((line for line in lines(PHRASES) if line[0] != "+"), key=len, reverse=True)
    spaced = [r"\s{1,9}+".join(map(re.escape, phrase.split())) for phrase in phrases]
    begun = [phrase if phrase[0] == "," else rf"(?<!\w){phrase}" for phrase in spaced]
    return re.compile(rf"(?:{'|'.join(begun)})(?!\w)", re.IGNORECASE)
