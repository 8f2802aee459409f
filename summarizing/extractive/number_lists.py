"""Many short lists of numbers in two arrays: as lists they take ten times as much memory.

Knows nothing of what the numbers are.
"""

from array import array
from collections.abc import Iterable, Sequence


class NumberLists:
    """Lists of numbers from 0 to 4 billion, one after the other."""

    def __init__(self, lists: Iterable[Iterable[int]] = ()) -> None:
        self._numbers = array("I")
        self._ends = array("I", [0])
        for numbers in lists:
            self.add(numbers)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, index: int) -> Sequence[int]:
        """Return a copy of one of the lists, by its number from 0 on."""
        return self._numbers[self._ends[index] : self._ends[index + 1]]

    def add(self, numbers: Iterable[int]) -> None:
        """Add one more list."""
        self._numbers.extend(numbers)
        self._ends.append(len(self._numbers))
