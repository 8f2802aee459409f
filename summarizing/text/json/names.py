"""What names the records of a JSON text, so that their other members can hang on it: a member called name, title, id, key or label.

Does not read: reader.py does, and tells of each member and container.
"""

import re
from dataclasses import dataclass

from summarizing.text.document import NO_SEGMENT

# A longer value names nothing.
MAX_NAME_CHARS = 240

_NAME = re.compile(r"(?i:name|title)\Z")
_KEY = re.compile(r"(?:\A|[_. -])(?i:id|key|label)\Z|(?<=[a-z])(?:Id|ID|Key|Label)\Z")
_NO_NAME = 2


@dataclass(slots=True)
class Record:
    """What is known of the name of an object or array. `frame` and `anchor` are numbers of segments."""

    frame: int
    is_array: bool
    rank: int = _NO_NAME
    anchor: int = NO_SEGMENT


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
        return is_name

    def inherit(self, record: Record, segment: int) -> None:
        """Note a segment that names a part of an object: it names the whole where nothing else does."""
        if record.anchor == NO_SEGMENT:
            record.anchor = segment

    def settle(self, record: Record) -> None:
        """Settle what names an object that stays in parts."""
        if record.anchor != NO_SEGMENT:
            self.anchors[record.frame] = record.anchor

    def _rank(self, key: str) -> int:
        rank = self._ranks.get(key)
        if rank is None:
            word = key[-24:-1].removeprefix('"')
            rank = self._ranks[key] = 0 if _NAME.search(word) else 1 if _KEY.search(word) else _NO_NAME
        return rank
