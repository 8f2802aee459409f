"""Which members of records a query asks for: those whose key has a word of it ("version" in "names and versions").

A key counts once it recurs, so that it tells of a form that several records fill in. Does not weigh.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from summarizing.relevance.query_terms import Match
from summarizing.text.document import NO_SEGMENT, Document, Segment, SegmentKind
from summarizing.text.stemming import words_of

# What the asked members of one record may have together in order to be kept together, in characters, and how many they may be.
MAX_TOGETHER_CHARS = 400
MAX_TOGETHER = 8

# Strings of a parsed document are closed; the pattern also lets one end with the text, which keeps it linear on any input.
_JSON_STRING = re.compile(r'"((?:[^"\\]++|\\.)*+)"?+([ \t\r\n]*+:)?+', re.DOTALL)
_KEY = re.compile(r"(?:-[ \t]{1,9}+)?+[\"']?+([\w./@$ -]{1,60}+)[\"']?+[:=;](?=\s|\Z|[^\s:/])")


class AskedFields:
    """The members of a document's records, and which of them a query asks for by their keys."""

    def __init__(self, document: Document, matches: Mapping[str, Sequence[Match]]) -> None:
        """`matches`: the words of the document that match a term of the query."""
        self._document = document
        self._names = _names(document) if matches else set[int]()
        self.members: set[int] = set()
        """Members with a key that recurs."""
        self.asked: set[int] = set()
        """Members whose key, or the key of what they stand in, has a word of the query."""
        self.unasked: set[int] = set()
        """Members with other keys, but for those that name a record; none where no key is asked for."""
        if self._names:
            self._read(matches)
        if self.asked:
            self.unasked = self._with_inner(self.members - self.asked) - self.asked - self._names

    def _read(self, matches: Mapping[str, Sequence[Match]]) -> None:
        keys = {index: list(self._keys(index)) for index in self._members()}
        recurring = Counter(found[0] for found in keys.values() if found)
        self.members = {index for index, found in keys.items() if found and recurring[found[0]] > 1}
        for index in self.members:
            if any(not matches.keys().isdisjoint(words_of(key)) for key in keys[index]):
                self.asked.add(index)
        self.asked = self._with_inner(self.asked)

    def _members(self) -> Iterator[int]:
        for index, segment in enumerate(self._document.segments):
            is_member = segment.anchor != NO_SEGMENT or index in self._names or segment.parent in self._names
            if is_member and segment.kind in (SegmentKind.LINE, SegmentKind.FRAME):
                yield index

    def _keys(self, index: int) -> Iterator[str]:
        """Yield the keys of a member, the outermost first."""
        text, segment = self._document.text, self._document.segments[index]
        if self._document.is_json:
            strings = _JSON_STRING.finditer(text, segment.start, segment.end)
            yield from (string[1] for string in strings if string[2])
        elif key := _KEY.match(text, segment.start, segment.end):
            yield key[1]

    def _with_inner(self, members: set[int]) -> set[int]:
        """Return members with what stands in them; not the members of a record that stands in one."""
        segments, found = self._document.segments, set(members)
        for index, segment in enumerate(segments):
            above = segment.parent
            is_within = above in found and above not in self._names
            if is_within and segment.anchor in (NO_SEGMENT, segments[above].anchor):
                found.add(index)
        return found

    def together(self) -> dict[int, tuple[int, ...]]:
        """Return of each asked member the others of its record, unless they are too long to come together."""
        records: dict[int, list[int]] = defaultdict(list)
        for index in sorted(self.asked):
            segment = self._document.segments[index]
            if segment.kind is SegmentKind.LINE:
                records[self._record(index, segment)].append(index)
        return {
            index: tuple(members)
            for name, members in records.items()
            if self._is_short(members)
            for index in {name, *members}
        }

    def _is_short(self, members: Sequence[int]) -> bool:
        segments = self._document.segments
        sizes = (segments[index].end - segments[index].start for index in members)
        return len(members) <= MAX_TOGETHER and sum(sizes) <= MAX_TOGETHER_CHARS

    def _record(self, index: int, segment: Segment) -> int:
        """Return what names the record that a member is in, or the member itself."""
        if index in self._names:
            return index
        if segment.anchor != NO_SEGMENT:
            return segment.anchor
        return next((above for above in self._document.above(index) if above in self._names), index)


def _names(document: Document) -> set[int]:
    """Return what names a record: the anchors, and the line that begins an entry of a list."""
    segments, text = document.segments, document.text
    entries = {
        segment.parent
        for segment in segments
        if segment.parent != NO_SEGMENT and segments[segment.parent].kind is SegmentKind.LINE
    }
    return {segment.anchor for segment in segments if segment.anchor != NO_SEGMENT} | {
        index for index in entries if text.startswith("- ", segments[index].start)
    }
