"""Looks for many literals in a text at one pass, a tenth of the time of a search for each: with the engine of tiktoken.

For it the literals are a vocabulary, and its pattern matches nothing else: what stands between them gives no tokens. Knows nothing
of what the literals mean.
"""

import re
from collections.abc import Collection, Iterator

import tiktoken


class LiteralSearch:
    """A search for literals. Immutable, safe to share between threads; other threads run while it searches."""

    def __init__(self, literals: Collection[str]) -> None:
        self._literals = list(literals)
        self._encoding = tiktoken.Encoding(
            "literals",
            # The engine of this pattern has no escape for a space, and needs none.
            pat_str="|".join(re.escape(literal).replace(r"\ ", " ") for literal in self._literals),
            mergeable_ranks={literal.encode(): number for number, literal in enumerate(self._literals)},
            special_tokens={},
        )

    def found(self, text: str) -> frozenset[str]:
        """Return the literals that a text has."""
        met = {self._literals[number] for number in self._encoding.encode_ordinary(text)}
        # What begins inside of a match is passed over.
        hidden = {other for one in met for other in self._overlapping(one) if other in text}
        return frozenset(met | hidden)

    def _overlapping(self, literal: str) -> Iterator[str]:
        ends = [literal[at:] for at in range(len(literal))]
        for other in self._literals:
            if any(end.startswith(other) or other.startswith(end) for end in ends):
                yield other
