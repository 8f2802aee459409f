"""What texts say in place of the words that people ask with: to "what can go wrong" the answer is an error.

The rules are data: synonyms.txt. Does not weigh: a word of the text that stands for one of the query counts as that word does.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple

from summarizing.text.data_files import lines
from summarizing.text.language.stemming import stems_of


class _Rule(NamedTuple):
    asked: frozenset[frozenset[str]]
    """Words and phrases of queries, each as the stems of its words."""
    said: frozenset[str]
    """The stems that texts have in place of them."""


def said_instead(words: AbstractSet[str]) -> Mapping[str, frozenset[str]]:
    """Return the stems that texts have in place of words of a query, each with the stems of the query that it stands for.

    `words`: the stems of the query's words, those of grammar included, since a phrase may have them.
    """
    found: dict[str, frozenset[str]] = {}
    for rule in _rules():
        asking = frozenset[str]().union(*(phrase for phrase in rule.asked if phrase <= words))
        if asking:
            for word in rule.said:
                found.setdefault(word, asking)
    return found


@cache
def _rules() -> tuple[_Rule, ...]:
    rules = (line.partition("=>") for line in lines("relevance/synonyms.txt"))
    return tuple(_Rule(_phrases(asked), frozenset().union(*_phrases(said))) for asked, _, said in rules)


def _phrases(text: str) -> frozenset[frozenset[str]]:
    return frozenset(map(stems_of, text.split(",")))
