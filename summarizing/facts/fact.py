"""A fact: a stretch of a text that states a value.

Data alone: summarizing/facts/fact_finder.py finds them.
"""

from typing import NamedTuple


class FactKey(NamedTuple):
    """A fact, whatever its spelling and wherever it stands: `signature` and `key` as in Fact."""

    signature: str
    key: str


class Fact(NamedTuple):
    """A stretch of a text that states something: equal keys mean the same value, equal signatures the same kind of value."""

    start: int
    end: int
    key: str
    signature: str

    @property
    def kind(self) -> str:
        """The first word of the signature, as `num` of `num day`."""
        return self.signature.partition(" ")[0]

    @property
    def value(self) -> str:
        """The key; of a number without what it counts, which may have another name."""
        return self.key.partition(" ")[0] if self.kind == "num" else self.key
