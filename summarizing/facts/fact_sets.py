"""The distinct facts of many parts of a text, eight bytes for each: as sets of keys they take more than the text itself.

Only hashes are kept, 64 bits of each: of a million facts no two have the same one, but once in tens of millions of texts. So the facts can
be counted and looked up, but not named.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise

from summarizing.facts.fact import FactKey

# The hashes of several parts are counted a share at a time: one set of all would take five times as much memory as they do.
SHARES = 16
_SHARE_BITS = 64 - SHARES.bit_length() + 1
_LEAST = -(1 << 63)


class FactSet:
    """The distinct facts of one part of a text, or of several together."""

    def __init__(self, hashes: Sequence["array[int]"] = ()) -> None:
        """`hashes`: those of each part, sorted and each once."""
        self.hashes = hashes

    @classmethod
    def of(cls, keys: Iterable[FactKey]) -> "FactSet":
        """Return the facts of one part."""
        return cls([array("q", sorted(set(map(hash, keys))))])

    @classmethod
    def together(cls, parts: Iterable["FactSet"]) -> "FactSet":
        """Return the facts of several parts."""
        return cls([hashes for part in parts for hashes in part.hashes])

    def __contains__(self, key: FactKey) -> bool:
        sought = hash(key)
        places = ((hashes, bisect_left(hashes, sought)) for hashes in self.hashes)
        return any(at < len(hashes) and hashes[at] == sought for hashes, at in places)

    def __len__(self) -> int:
        edges = [_LEAST + (number << _SHARE_BITS) for number in range(1, SHARES)]
        shares = [_cut(hashes, edges) for hashes in self.hashes]
        return sum(len(set[int]().union(*share)) for share in zip(*shares, strict=True))


def _cut(hashes: "array[int]", edges: Sequence[int]) -> list["array[int]"]:
    places = [0, *(bisect_left(hashes, edge) for edge in edges), len(hashes)]
    return [hashes[start:end] for start, end in pairwise(places)]
