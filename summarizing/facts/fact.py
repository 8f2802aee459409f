"""A fact: a stretch of a text that states a value.

Data alone: summarizing/facts/fact_finder.py finds them.
"""

from typing import NamedTuple


class Fact(NamedTuple):
    """A stretch of a text that states something: equal keys mean the same value, equal signatures the same kind of value."""

    start: int
    end: int
    key: str
    signature: str
