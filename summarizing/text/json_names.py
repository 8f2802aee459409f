"""What names the records of a JSON text, so that their other members can hang on it.

A record is known by what names it (the blocking keys of record linkage, Fellegi and Sunter 1969: here a member called name, title or
id, or else the first whose value no sibling has). Refuses to read: json_records.py does, and tells of each member and container.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from summarizing.text.document import NONE

# A longer value names nothing; of the members of a record without a name, the first that are short, up to a number, are tried as one.
MAX_NAME_CHARS = 240
MAX_TRIED_CHARS = 80
MAX_TRIED_MEMBERS = 8

_NAME = re.compile(r"(?i:name|title)\Z")
_KEY = re.compile(r"(?:\A|[_. -])(?i:id|key|label)\Z|(?<=[a-z])(?:Id|ID|Key|Label)\Z")
_NO_NAME = 2


@dataclass(slots=True)
class Record:
    """What is known of the name of an object or array. `frame`, `anchor` and `nested_anchor` are numbers of segments."""

    frame: int
    is_array: bool
    rank: int = _NO_NAME
    anchor: int = NONE
    nested_anchor: int = NONE
    """What names an object in this one, as in "metadata": {"name": "x"}."""
    scalars: tuple[tuple[str, str, int], ...] = ()
    """The first members of an object whose name is not known yet: key, value, segment."""
    nameless: list["Record"] | None = None
    """Of an array: its items without a name."""


class RecordNames:
    """The names of the records of one text."""

    def __init__(self) -> None:
        self.anchors: dict[int, int] = {}
        """By the frame of a record, the segment that names it."""
        self._ranks: dict[str, int] = {}

    def note_member(self, record: Record, key: str, value: str, size: int, segment: int) -> bool:
        """Note a member that was added; return whether it names its object. One called name comes before other keys."""
        rank = self._rank(key)
        is_name = (
            value[0] in '"-0123456789' and size <= MAX_NAME_CHARS and value != '""' and rank < record.rank
        )
        if is_name:
            record.rank, record.anchor = rank, segment
        is_tried = record.rank == _NO_NAME and size <= MAX_TRIED_CHARS
        if is_tried and len(record.scalars) < MAX_TRIED_MEMBERS:
            record.scalars += ((key, value, segment),)
        return is_name

    def note_item(self, array: Record, item: Record) -> None:
        """Note an object that stays in parts: in an array, one without a name may get it by comparison with the others."""
        if array.is_array and not item.is_array and item.frame not in self.anchors:
            array.nameless = array.nameless or []
            array.nameless.append(item)

    def note_nested(self, outer: Record, inner: Record, segment: int) -> None:
        """Note the segment that names an object in another one."""
        if inner.anchor != NONE and not inner.is_array and outer.nested_anchor == NONE:
            outer.nested_anchor = segment

    def settle(self, record: Record, *, is_root: bool) -> None:
        """Settle what names a container that stays in parts, and those of its items that have no name of their own."""
        nameless, record.nameless = record.nameless or [], None
        key = _naming_key(nameless)
        for item in nameless:
            own = next((at for name, _, at in item.scalars if name == key), item.nested_anchor)
            if own != NONE:
                self.anchors[item.frame] = own
        anchor = record.anchor
        if anchor == NONE and is_root and not record.is_array:
            anchor = record.nested_anchor
        if anchor != NONE:
            self.anchors[record.frame] = anchor

    def _rank(self, key: str) -> int:
        rank = self._ranks.get(key)
        if rank is None:
            word = key[-24:-1].removeprefix('"')
            rank = self._ranks[key] = 0 if _NAME.search(word) else 1 if _KEY.search(word) else _NO_NAME
        return rank


def _naming_key(items: Sequence[Record]) -> str | None:
    """Return the first key that all items have, each with another value; None for a single item."""
    values: dict[str, set[str]] = {}
    for item in items:
        for key, value, _ in item.scalars:
            values.setdefault(key, set()).add(value)
    return next((key for key, several in values.items() if len(several) == len(items) > 1), None)
