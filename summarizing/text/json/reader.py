"""Reads JSON sign by sign: its members, items and records become segments that hang on their containers.

Every segment is one or more whole members or items, as written; commas, closing brackets and white space are between
segments. What names a record is found in names.py, long strings are split in strings.py. Passes over no slips, which
slips.py has mended. Does not decode strings and numbers: duplicate keys and escapes stay as they are.

One pass with a stack of its own, so that nesting costs no recursion; each pattern is possessive, and bounded where it
repeats a group.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from summarizing.text.document import NO_SEGMENT, Segment, SegmentKind
from summarizing.text.json.brackets import COMMENT, SPACE, Brackets, first_slip, ink_of, is_json
from summarizing.text.json.names import Record, RecordNames
from summarizing.text.json.strings import StringSentences
from summarizing.text.segment_limits import CHARS_PER_SEGMENT

# An object or array of at most this many characters, white space not counted, is one segment: as a row of a table, up to about 80
# tokens. Larger records are split into members, so that an answer need not pay for hashes and links.
MAX_WHOLE_CHARS = 240

# Short items of one array share a segment up to this; so 500,000 characters have fewer than 50,000 segments.
MAX_RUN_CHARS = 240
SHORT_ITEM_CHARS = 40

# Members share one only if they are tiny, or a number or version follows at once what names the record ("name": "x", "version": "1.2").
MAX_MEMBERS_CHARS = 80
TINY_CHARS = 16

# What is nested deeper is split only where it is long: as many times longer as it is deeper. So brackets alone make few segments.
MAX_DEPTH = 24

# What is nested deeper than this is not split.
MAX_NESTING = 128

# A container of more characters than this times those of a segment is read sign by sign: most of it may be white space.
MOST_SPACE = 2

# A text nested deeper than this is not read as JSON. RFC 8259, 9: "An implementation may set limits on the maximum depth of nesting."
MAX_BRACKETS = 100_000

# A longer string is a text of its own: it is split into sentences (strings.py).
MAX_STRING_CHARS = 600

WHITE_SPACE = " \t\n\r"
_STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_BYTE_ORDER_MARK = "\ufeff"
# json.loads refuses whole numbers of more than 4,300 digits.
_NUMBER = r"-?+(?:0|[1-9][0-9]{0,4000}+)(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+"
_SHORT_NUMBER = r"-?+(?:0|[1-9][0-9]{0,5}+)(?:\.[0-9]{1,6}+)?+"
_NUMBERS = rf"\[{SPACE}(?:{_SHORT_NUMBER}{SPACE},{SPACE}){{0,15}}+{_SHORT_NUMBER}{SPACE}\]"
# Not in RFC 8259; Python's json and JSON5 write them.
_NON_FINITE = "NaN|-?Infinity"
_SCALAR = rf"{_STRING}|{_NUMBER}|true|false|null|{_NON_FINITE}|\[{SPACE}\]|\{{{SPACE}\}}|{_NUMBERS}"
_COMMA = rf"(?P<comma>,{SPACE})?+"
_VALUE = rf"(?:(?P<scalar>{_SCALAR}){SPACE}{_COMMA}|(?P<opening>[\[{{]){SPACE})"
_MEMBER = re.compile(rf"(?P<key>{_STRING}){SPACE}:{SPACE}{_VALUE}")
_ITEM = re.compile(_VALUE)
_AFTER_VALUE = re.compile(rf"{SPACE}{_COMMA}")
_ROOT = re.compile(rf"(?P<opening>[\[{{]){SPACE}")
_OPENING_MEMBER = re.compile(rf"(?P<key>{_STRING}){SPACE}:{SPACE}(?P<opening>[\[{{]){SPACE}")
_CLOSING = re.compile(rf"(?P<bracket>[\]}}]){SPACE}{_COMMA}")

# What may stand above JSON in a file, lines that a script or a person has written over it; it is looked for in so many characters, since a
# match holds the interpreter.
MAX_COMMENTS_CHARS = 10_000
_COMMENTS = re.compile(rf"(?:(?:(?://|#)[^\n]*+|{COMMENT}\*/){SPACE})*+")
_VALUE_SIGNS = ('"', "{", "[")
# The rest of a text that is cut off in a member is no longer, and has no other member behind it.
MAX_CUT_CHARS = 2_000
_REST = re.compile(r'(?:[^",\n]++|"(?:[^"\\\n]++|\\.?+){0,999}+"?+){0,9}+\Z')


@dataclass(slots=True)
class _Piece:
    """A segment in the making; one joined of parts has the end of the last part."""

    start: int
    end: int
    kind: SegmentKind
    parent: int
    parts: int = 1


@dataclass(slots=True)
class _Container(Record):
    """An object or array that is open."""

    start: int = 0
    ink: int = 0
    """The characters before it, without white space."""
    run: int = 0
    """The length of the last segment in it, if another part may join it."""
    follows_name: bool = False
    """Whether that segment names the object, and nothing else has joined it."""


def after_comments(text: str) -> int:
    """Return the place after the comments and the white space that a text begins with."""
    start = after_space(text)
    found = _COMMENTS.match(text, start, start + MAX_COMMENTS_CHARS)
    return found.end() if found else start


def after_space(text: str) -> int:
    """Return the place after the white space, or the byte order mark, that a text begins with."""
    return len(text) - len(text.lstrip(WHITE_SPACE + _BYTE_ORDER_MARK))


class JsonReader:
    """Reads one JSON value from its first character to its last; if `may_be_cut_off`, also one that ends before its brackets are closed."""

    def __init__(
        self,
        text: str,
        brackets: Brackets,
        *,
        may_be_cut_off: bool = False,
        is_fine: bool = False,
        above: int = 0,
        last_closings: int | None = None,
    ) -> None:
        """Of a part of a text: what opens in its first `above` characters is open before it, what is closed from `last_closings` on after it.

        A container that begins or ends outside of the part is no segment where it is nested too deep for a frame: `left_out` counts it.
        """
        self.text = text
        self.may_be_cut_off = may_be_cut_off and brackets.is_cut_off
        self.max_whole = 0 if is_fine else MAX_WHOLE_CHARS
        self.is_fine = is_fine
        self.at = after_comments(text)
        self.end = len(text.rstrip(WHITE_SPACE + _BYTE_ORDER_MARK))
        self.pieces: list[_Piece] = []
        self.open: list[_Container] = []
        self.names = RecordNames()
        self.brackets = brackets
        # A place that is known to be no JSON, so that no container around it is read in one step.
        self.slip = -1
        self.ink = 0
        self.expects_value = True
        self.allows_closing = True
        self.is_cut_off = False
        self.sentences = StringSentences(text)
        self.above = above
        self.left_out = Counter[int]()
        self.last_closings = len(text) + 1 if last_closings is None else last_closings

    def reads(self) -> bool:
        """Read the text; False if it is not one object or array and nothing else."""
        root = _ROOT.match(self.text, self.at)
        if not root or self.brackets.depth > MAX_BRACKETS:
            return False
        self._takes(root, "")
        while self.open:
            if not (self._reads_next() or self._closes_what_is_cut_off()):
                return False
        return self.at >= self.end and self.allows_closing

    def _closes_what_is_cut_off(self) -> bool:
        """Close what is open at the end of a text that is cut off: at most a part of one member is left to read."""
        rest = self.text[self.at : self.end]
        is_much = len(rest) > MAX_CUT_CHARS or len(rest) * 2 > self.at or not _REST.match(rest)
        if not self.may_be_cut_off or is_much:
            return False
        self.at, self.allows_closing, self.is_cut_off = self.end, True, True
        while self.open:
            self._close(self.end)
        return True

    def _reads_next(self) -> bool:
        if self.expects_value and self._reads_value():
            return True
        closing = _CLOSING.match(self.text, self.at) if self.allows_closing else None
        if not closing or (closing["bracket"] == "]") != self.open[-1].is_array:
            return False
        self.at = closing.end()
        self._close(closing.end("bracket"))
        self._expect(has_comma=closing["comma"] is not None)
        return True

    def _reads_value(self) -> bool:
        is_array = self.open[-1].is_array
        found = _ITEM.match(self.text, self.at) if is_array else _MEMBER.match(self.text, self.at)
        if found and not found["opening"] and self._is_at_edge(self.at, found.end("scalar")):
            found = _ROOT.match(self.text, self.at) if is_array else _OPENING_MEMBER.match(self.text, self.at)
        return found is not None and self._takes(found, "" if is_array else found["key"])

    def _takes_whole(self, start: int, bracket: int, key: str) -> bool:
        """Add a container that is one segment in one step, to the same segments as its signs one by one."""
        end = self.brackets.closings[bracket]
        if not end:
            return False
        outer, most = self.open[-1], self._most_whole()
        is_array = self.text[bracket] == "["
        may_name = not is_array and self._is_record() and outer.anchor == NO_SEGMENT
        is_long = end - bracket > max(most, MAX_WHOLE_CHARS * MOST_SPACE)
        if is_long or may_name or bracket <= self.slip < end or self._is_at_edge(start, end):
            return False
        value = self.text[bracket:end]
        size = len(key) + bool(key) + ink_of(value)
        if size > most:
            return False
        if (slip := first_slip(value)) is not None:
            self.slip = bracket + slip
            return False
        self._add_container(start, end, size, is_array=is_array)
        self._end_value(end)
        return True

    def _takes_deep(self, start: int, bracket: int, key: str) -> bool:
        """Add a container that is nested too deep for a frame as one segment; at the edge of a part only count it. False if it is no JSON."""
        end = self.brackets.closings[bracket]
        if not end or not is_json(self.text, self.brackets, bracket):
            return False
        if self._is_at_edge(start, end):
            self.open[-1].run = 0
            self.left_out[self.open[-1].frame] += start >= self.above
        else:
            size = len(key) + bool(key) + ink_of(self.text[bracket:end])
            self._add_container(start, end, size, is_array=self.text[bracket] == "[")
        self._end_value(end)
        return True

    def _end_value(self, end: int) -> None:
        """Go on after a value that ends here."""
        if after := _AFTER_VALUE.match(self.text, end):
            self.at = after.end()
            self._expect(has_comma=after["comma"] is not None)

    def _most_whole(self) -> int:
        """Return how many characters a container has at most that is one segment, where the reader stands."""
        return max(self.max_whole, MAX_WHOLE_CHARS * (len(self.open) - MAX_DEPTH))

    def _is_record(self) -> bool:
        """Whether what is open is an object in an array."""
        return len(self.open) > 1 and self.open[-2].is_array and not self.open[-1].is_array

    def _expect(self, *, has_comma: bool) -> None:
        """Note what may follow a value."""
        self.expects_value, self.allows_closing = has_comma, not has_comma

    def _is_at_edge(self, start: int, end: int) -> bool:
        """Whether what stands here, and looks like one value, is a container that is open before a part of a text or after it."""
        return start < self.above or end > self.last_closings

    def _takes(self, found: re.Match[str], key: str) -> bool:
        """Add a member or an item, or open the container that it is; False if that is no JSON."""
        if not found["opening"]:
            self._take_scalar(found, key)
            return True
        start, bracket = found.start(), found.start("opening")
        if len(self.open) == MAX_NESTING:
            return self._takes_deep(start, bracket, key)
        if not (self.open and self._takes_whole(start, bracket, key)):
            self.at = found.end()
            self._open(start, found.end("opening"), key, is_array=found["opening"] == "[")
        return True

    def _take_scalar(self, found: re.Match[str], key: str) -> None:
        """Add a member or an item that is no container."""
        start, self.at, container = found.start(), found.end(), self.open[-1]
        size = len(key) + bool(key) + len(found["scalar"])
        sentences = self.sentences.spans(*found.span("scalar")) if size > MAX_STRING_CHARS else []
        if len(sentences) > 1:
            self._add_text(start, sentences, size)
        elif container.is_array:
            self._add(start, found.end("scalar"), size, is_short=size <= SHORT_ITEM_CHARS)
        else:
            is_numbered = container.follows_name and found["scalar"].strip('"v')[:1].isdecimal()
            container.follows_name = False
            is_short = size <= (SHORT_ITEM_CHARS if is_numbered else TINY_CHARS)
            self._add(start, found.end("scalar"), size, is_short=is_short)
            if self.names.note_member(container, key, found["scalar"], size, len(self.pieces) - 1):
                container.run, container.follows_name = container.run or size, True
        self._expect(has_comma=found["comma"] is not None)

    def _open(self, start: int, end: int, key: str, *, is_array: bool) -> None:
        parent = self.open[-1].frame if self.open else NO_SEGMENT
        self.open.append(_Container(len(self.pieces), is_array, start=start, ink=self.ink))
        self.pieces.append(_Piece(start, end, SegmentKind.FRAME, parent))
        self.ink += len(key) + bool(key) + 1
        self.expects_value = self.allows_closing = True

    def _close(self, end: int) -> None:
        """Make a small container one segment; keep the parts of a larger one."""
        inner = self.open.pop()
        if not self.open:
            self.names.settle(inner)
            return
        outer = self.open[-1]
        size = self.ink - inner.ink
        is_at_edge = self._is_at_edge(inner.start, end)
        is_whole = not (is_at_edge or self.is_cut_off)
        if is_whole and size <= self._most_whole():
            del self.pieces[inner.frame :]
            self.ink = inner.ink
            self._add_container(inner.start, end, size, is_array=inner.is_array)
            self._name_record_by(inner, len(self.pieces) - 1)
        else:
            outer.run = 0
            self.ink += 1
            self.names.settle(inner)
            self._name_record_by(inner, inner.anchor)

    def _name_record_by(self, inner: _Container, segment: int) -> None:
        """Have an item of an array that has no name of its own take that of an object in it: {"metadata": {"name": "x"}, ...}."""
        if self._is_record() and inner.anchor != NO_SEGMENT and not inner.is_array:
            self.names.inherit(self.open[-1], segment)

    def _add_container(self, start: int, end: int, size: int, *, is_array: bool) -> None:
        """Add a container that is whole."""
        outer = self.open[-1]
        kind = SegmentKind.ROW if outer.is_array and not is_array else SegmentKind.LINE
        most = TINY_CHARS
        if outer.is_array:
            # With a segment for each shorter record a text would have too many (segment_limits.py).
            most = SHORT_ITEM_CHARS if is_array else CHARS_PER_SEGMENT
        self._add(start, end, size, is_short=size <= most, kind=kind)

    def _add(
        self, start: int, end: int, size: int, *, is_short: bool, kind: SegmentKind = SegmentKind.LINE
    ) -> None:
        """Add a segment to the container that is open, or let it join the last one there."""
        container = self.open[-1]
        longest = MAX_RUN_CHARS if container.is_array else MAX_MEMBERS_CHARS
        self.ink += size + 1
        if is_short and not self.is_fine and container.run and container.run + size + 1 <= longest:
            container.run += size + 1
            self.pieces[-1].end = end
            self.pieces[-1].parts += 1
            return
        container.run = size if is_short else 0
        self.pieces.append(_Piece(start, end, kind, container.frame))

    def _add_text(self, start: int, sentences: list[tuple[int, int]], size: int) -> None:
        """Add a long string: its key and opening quote, and the sentences that hang on these."""
        container, frame = self.open[-1], len(self.pieces)
        container.run = 0
        self.ink += size + 1
        self.pieces.append(_Piece(start, sentences[0][0], SegmentKind.FRAME, container.frame))
        self.pieces += (_Piece(first, last, SegmentKind.SENTENCE, frame) for first, last in sentences)

    def segments(self) -> Iterator[Segment]:
        inherited: dict[int, int] = {}
        """Of each frame, what names the record that it stands in."""
        blocks = {NO_SEGMENT: 0}
        for number, piece in enumerate(self.pieces):
            above = inherited.get(piece.parent, NO_SEGMENT)
            anchor = self.names.anchors.get(piece.parent, above)
            if anchor == number:
                anchor = above if above != number else NO_SEGMENT
            if piece.kind is SegmentKind.FRAME:
                inherited[number], blocks[number] = anchor, len(blocks)
            block = blocks[piece.parent]
            yield Segment(piece.start, piece.end, piece.kind, piece.parent, block, anchor=anchor)


class Values(JsonReader):
    """Reads JSON values one after the other (JSON Lines, https://jsonlines.org) as the items of an array without brackets."""

    def reads(self) -> bool:
        """Read the text; False if it is anything else than values."""
        self._open(0, 0, "", is_array=True)
        while self.at < self.end or len(self.open) > 1:
            is_read = self._reads_next() or self._needs_no_comma()
            if self.brackets.depth > MAX_BRACKETS or not (is_read and self.open):
                return False
        self._close(self.end)
        return True

    def _needs_no_comma(self) -> bool:
        """Expect another one of the outermost values, if one begins here after the last."""
        begins_value = self.text.startswith(_VALUE_SIGNS, self.at)
        if self.expects_value or len(self.open) > 1 or not begins_value:
            return False
        self.expects_value = True
        return True
