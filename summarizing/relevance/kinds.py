"""What kinds of things there are, and which words are instances of them: a brief asks for "disasters", a text tells of a flood.

General knowledge as a dictionary has it, in English first, with German, French and Spanish words for what is usual.
Words stand alone and meet as stems. Refuses sentences, weights and patterns of values: of those it knows only names.

Kinds are nouns ("disasters") and, in the last tables, states by which a brief selects ("unpaid", "offline", "renamed").
The words of the opposite state are not in a state. A word also meets longer ones that it begins ("down" and "download"),
so short beginnings of common words are left out where the state has other words.

The tables stand beside (summarizing/relevance/kinds_in_life.py and its neighbours), and are read like this: flush left the words by which a brief asks for a kind, indented those by which a
text tells of one, after "=" the shapes of values that a line has which answers; an empty line ends a kind. A word
that is in every text ("make", "get", the German "war") is no instance, however good its meaning fits; "now" and "instead"
are, of changes, since that is how texts tell of them.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from summarizing.relevance import (
    kinds_in_business,
    kinds_in_computing,
    kinds_in_life,
    kinds_in_the_world,
    kinds_of_states,
)
from summarizing.text.stemming import stem_of


class Kind(NamedTuple):
    """One kind of thing: stems by which a brief asks for it and a text tells of one, and what an answer looks like."""

    asked: frozenset[str]
    told: frozenset[str]
    values: frozenset[str]


# --- Reading the tables -----------------------------------------------------------------------------------

_TABLES = (
    *kinds_in_life.TABLES,
    *kinds_in_business.TABLES,
    *kinds_in_computing.TABLES,
    *kinds_in_the_world.TABLES,
    *kinds_of_states.TABLES,
)


@cache
def kinds() -> tuple[Kind, ...]:
    """Return every kind. The tables are constant, and reading them takes about 15 ms: once is enough."""
    return tuple(_kind(entry) for table in _TABLES for entry in table.strip().split("\n\n"))


def by_asked(known: Iterable[Kind]) -> dict[str, list[Kind]]:
    """Return for each stem that a brief may ask with the kinds that it can mean, in the order of the tables."""
    meant: defaultdict[str, list[Kind]] = defaultdict(list)
    for kind in known:
        for stem in kind.asked:
            meant[stem].append(kind)
    return dict(meant)


def _kind(entry: str) -> Kind:
    asked: set[str] = set()
    told: set[str] = set()
    values: set[str] = set()
    for line in entry.splitlines():
        if line.startswith("="):
            values.update(line[1:].split())
        else:
            (told if line.startswith(" ") else asked).update(map(stem_of, line.split()))
    return Kind(frozenset(asked), frozenset(told), frozenset(values))
