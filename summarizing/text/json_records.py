"""JSON to a document: its members, items and records become segments that hang on their containers.

Every segment is one or more whole members or items, as written; commas, closing brackets and white space are between
segments. A record is known by what names it (the blocking keys of record linkage, Fellegi and Sunter 1969: here
a member called name, title or id, or else the first whose value no sibling has). `parse_json` reads one JSON value,
`parse_nearly_json` JSON Lines and JSON with slips, too; `split_further` takes segments apart that are too large for an answer. Refuses to decode strings and numbers: duplicate keys and escapes stay as they are.

One pass with a stack of its own, so that nesting costs no recursion; each pattern is possessive, and bounded where it
repeats a group.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from summarizing.text.document import NONE, Document, Segment, SegmentKind
from summarizing.text.sentence_spans import SentenceFinder, ends_sentence

# An object or array of at most this many characters, white space not counted, is one segment: as a row of a table, up to about 80
# tokens. Larger records are split into members, so that an answer need not pay for hashes and links.
MAX_WHOLE_CHARS = 240

# Short items of one array share a segment up to this; so 500,000 characters have fewer than 50,000 segments.
MAX_RUN_CHARS = 240
SHORT_ITEM_CHARS = 40

# Members share one only if they are tiny, or a number or version follows at once what names the record ("name": "x", "version": "1.2").
MAX_MEMBERS_CHARS = 80
TINY_CHARS = 16

# What is nested deeper is not split: no text that is meant to be read goes this deep.
MAX_DEPTH = 48

# A slip in what is nested deeper than this is not passed over; of a container there, only its bracket is remembered.
MAX_NESTING = 400

# A text nested deeper than this is not read as JSON. RFC 8259, 9: "An implementation may set limits on the maximum depth of nesting."
MAX_BRACKETS = 100_000

# In a record without a name, the first members, up to this many, are tried as one.
MAX_NAMING_MEMBERS = 8

# A longer string is a text of its own: it is split into sentences, and short ones are joined.
MAX_STRING_CHARS = 600
MIN_SENTENCE_CHARS = 20

# Wrapped lines are longer; a shorter line without a full stop at its end was not wrapped.
MIN_WRAPPED_CHARS = 45

WHITE_SPACE = " \t\n\r"
_STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_BYTE_ORDER_MARK = "\ufeff"
_SPACE = r"[ \t\n\r]*+"
# json.loads refuses whole numbers of more than 4,300 digits.
_NUMBER = r"-?+(?:0|[1-9][0-9]{0,4000}+)(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+"
_SHORT_NUMBER = r"-?+(?:0|[1-9][0-9]{0,5}+)(?:\.[0-9]{1,6}+)?+"
_NUMBERS = rf"\[{_SPACE}(?:{_SHORT_NUMBER}{_SPACE},{_SPACE}){{0,15}}+{_SHORT_NUMBER}{_SPACE}\]"
_SCALAR = rf"{_STRING}|{_NUMBER}|true|false|null|\[{_SPACE}\]|\{{{_SPACE}\}}|{_NUMBERS}"
_COMMA = rf"(?P<comma>,{_SPACE})?+"
_VALUE = rf"(?:(?P<scalar>{_SCALAR}){_SPACE}{_COMMA}|(?P<opening>[\[{{]){_SPACE})"
_MEMBER = re.compile(rf"(?P<key>{_STRING}){_SPACE}:{_SPACE}{_VALUE}")
_ITEM = re.compile(_VALUE)
_ROOT = re.compile(rf"(?P<opening>[\[{{]){_SPACE}")
_RUN = re.compile(rf"(?:{_SHORT_NUMBER}{_SPACE},{_SPACE}){{2,16}}+")
_CLOSING = re.compile(rf"(?P<bracket>[\]}}]){_SPACE}{_COMMA}")

_LINE_BREAK = re.compile(r"(?P<breaks>(?:\\[nr][ ]*+)++)|\\.")
_NEW_LINE = re.compile(r"[-*#|>\[\u2022]|[0-9]")
_SLIP = re.compile(rf"(?:,{_SPACE}|//[^\n]*+{_SPACE}|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/{_SPACE})++")
_VALUE_SIGNS = ('"', "{", "[")
# A text with more slips than this is something else; between values that stand one after the other each missing comma is one, and a value
# with what is around it seldom has fewer characters than CHARS_PER_VALUE.
MAX_SLIPS = 1_000
CHARS_PER_VALUE = 8
# The rest of a text that is cut off in a member is no longer.
MAX_CUT_CHARS = 2_000
_NUMBER_SIGNS = frozenset("-0123456789")

_NAME = re.compile(r"(?i:name|title)\Z")
_KEY = re.compile(r"(?:\A|[_. -])(?i:id|key|label)\Z|(?<=[a-z])(?:Id|ID|Key|Label)\Z")
_NO_NAME = 2


@dataclass(slots=True)
class _Piece:
    """A segment in the making; one joined of parts has the end of the last part."""

    start: int
    end: int
    kind: SegmentKind
    parent: int


@dataclass(slots=True)
class _Container:
    """An object or array that is open."""

    frame: int
    is_array: bool
    start: int
    ink: int
    """The characters before it, without white space."""
    key: str = ""
    run: int = 0
    """The length of the last segment in it, if another part may join it."""
    follows_name: bool = False
    """Whether that segment names the object, and nothing else has joined it."""
    rank: int = _NO_NAME
    has_slip: bool = False
    """Whether what stands between its members is not JSON, so that it cannot be kept as it stands."""
    anchor: int = NONE
    nested_anchor: int = NONE
    """What names an object in this one, as in "metadata": {"name": "x"}."""
    scalars: tuple[tuple[str, str, int], ...] = ()
    """The first members of an object whose name is not known yet: key, value, segment."""
    nameless: list["_Container"] | None = None
    """Of an array: its items without a name."""
    is_deep: bool = False
    """Whether it stands for any container that is nested too deep, of which nothing else is known."""


def parse_json(text: str) -> Document | None:
    """Return a text's segments if the whole of it is one JSON object or array; anything else is None."""
    return _parsed(_Reader(text))


def parse_nearly_json(text: str) -> Document | None:
    """Return the segments of JSON, or of what a reader of JSON would understand: values one after the other, slips, a cut-off end."""
    if not text.lstrip(WHITE_SPACE + _BYTE_ORDER_MARK).startswith(("[", "{")):
        return None
    return (
        parse_json(text)
        # A number at the end of a text that is cut off may lack its last digits.
        or _parsed(_Reader(text.rstrip("0123456789+-.eE"), slips=MAX_SLIPS))
        or _parsed(_Values(text, slips=MAX_SLIPS + len(text) // CHARS_PER_VALUE))
    )


def _parsed(reader: "_Reader") -> Document | None:
    return Document(reader.text, list(reader.segments()), is_json=True) if reader.reads() else None


class _Reader:
    """Reads one JSON value from its first character to its last.

    So many `slips` are passed over: spare and missing commas, comments, a text that is cut off before its brackets are closed.
    """

    def __init__(self, text: str, *, slips: int = 0, is_fine: bool = False) -> None:
        """`is_fine`: every member and item is a segment of its own, however small."""
        self.text = text
        self.slips = slips
        self.max_whole = 0 if is_fine else MAX_WHOLE_CHARS
        self.is_fine = is_fine
        self.at = len(text) - len(text.lstrip(WHITE_SPACE + _BYTE_ORDER_MARK))
        self.end = len(text.rstrip(WHITE_SPACE + _BYTE_ORDER_MARK))
        self.pieces: list[_Piece] = []
        self.open: list[_Container] = []
        # One for all containers of a kind that are nested too deep: they are parts of a segment further up.
        self.deep = {
            is_array: _Container(NONE, is_array, start=0, ink=0, is_deep=True) for is_array in (False, True)
        }
        self.anchors: dict[int, int] = {}
        self.ink = 0
        self.expects_value = True
        self.allows_closing = True
        self.ranks: dict[str, int] = {}
        self.finder: SentenceFinder | None = None

    def reads(self) -> bool:
        """Read the text; False if it is not one object or array and nothing else."""
        root = _ROOT.match(self.text, self.at)
        if not root:
            return False
        self._take(root, "")
        while self.open:
            if len(self.open) > MAX_BRACKETS or not (self._reads_next() or self._passes_slip()):
                return False
        return self.at >= self.end and self.allows_closing

    def _passes_slip(self) -> bool:
        """Pass over what JSON does not have here; what stands around it is not kept as it is written."""
        if not self.slips or self.open[-1].is_deep:
            return False
        self.slips -= 1
        self.open[-1].has_slip, self.open[-1].run = True, 0
        sign = self.text[self.at : self.at + 1]
        if slip := _SLIP.match(self.text, self.at):
            self.at = slip.end()
        elif sign in ("]", "}") and not self.allows_closing:
            self.allows_closing = True
        elif sign in _VALUE_SIGNS and not self.expects_value:
            self.expects_value = True
        else:
            return self._is_cut_off()
        return True

    def _is_cut_off(self) -> bool:
        """Close what is open at the end of a text that is cut off: at most a part of one member is left to read."""
        rest = self.text[self.at : self.end]
        if len(rest) > MAX_CUT_CHARS or len(rest) * 2 > self.at or "\n" in rest:
            return False
        self.at, self.allows_closing = self.end, True
        while self.open:
            self.open[-1].has_slip = True
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
        self.expects_value = closing["comma"] is not None
        self.allows_closing = not self.expects_value
        return True

    def _reads_value(self) -> bool:
        is_array = self.open[-1].is_array
        may_run = is_array and not self.is_fine and self.text[self.at : self.at + 1] in _NUMBER_SIGNS
        if may_run and (run := _RUN.match(self.text, self.at)):
            self._take_run(run)
            return True
        found = _ITEM.match(self.text, self.at) if is_array else _MEMBER.match(self.text, self.at)
        if found:
            self._take(found, "" if is_array else found["key"])
        return found is not None

    def _take_run(self, run: re.Match[str]) -> None:
        """Add short numbers: each has a comma after it, so one more item must follow."""
        end = run.start() + len(run[0].rstrip(WHITE_SPACE + ","))
        size = sum(map(len, run[0].split()))
        self.at = run.end()
        self._add(run.start(), end, size, is_short=True)
        self.allows_closing = False

    def _take(self, found: re.Match[str], key: str) -> None:
        """Add a member or an item, or open the container that it is."""
        start, self.at = found.start(), found.end()
        if found["opening"]:
            self._open(start, found.end("opening"), key, is_array=found["opening"] == "[")
            return
        container = self.open[-1]
        size = len(key) + 1 + len(found["scalar"])
        may_split = size > MAX_STRING_CHARS and not container.is_deep
        sentences = self._sentences(*found.span("scalar")) if may_split else []
        if container.is_deep:
            self.ink += size + 1
        elif len(sentences) > 1:
            self._add_text(start, sentences, size)
        elif container.is_array:
            self._add(start, found.end("scalar"), size, is_short=size <= SHORT_ITEM_CHARS)
        else:
            is_numbered = container.follows_name and found["scalar"].strip('"v')[:1].isdecimal()
            container.follows_name = False
            is_short = size <= (SHORT_ITEM_CHARS if is_numbered else TINY_CHARS)
            self._add(start, found.end("scalar"), size, is_short=is_short)
            self._name(container, key, found["scalar"], size)
        self.expects_value = found["comma"] is not None
        self.allows_closing = not self.expects_value

    def _open(self, start: int, end: int, key: str, *, is_array: bool) -> None:
        if len(self.open) >= MAX_NESTING:
            self.open.append(self.deep[is_array])
        else:
            parent = self.open[-1].frame if self.open else NONE
            self.open.append(_Container(len(self.pieces), is_array, start, self.ink, key))
            self.pieces.append(_Piece(start, end, SegmentKind.FRAME, parent))
        self.ink += len(key) + 1
        self.expects_value = self.allows_closing = True

    def _close(self, end: int) -> None:
        """Make a small container one segment; keep the parts of a larger one."""
        inner = self.open.pop()
        self.ink += 1
        if inner.is_deep:
            return
        if not self.open:
            self._settle(inner)
            return
        size = self.ink - inner.ink
        outer = self.open[-1]
        outer.has_slip = outer.has_slip or inner.has_slip
        if not inner.has_slip and (size <= self.max_whole or len(self.open) > MAX_DEPTH):
            del self.pieces[inner.frame :]
            kind = SegmentKind.ROW if outer.is_array and not inner.is_array else SegmentKind.LINE
            is_short = size <= (SHORT_ITEM_CHARS if outer.is_array and inner.is_array else TINY_CHARS)
            self.ink = inner.ink
            self._add(inner.start, end, size, is_short=is_short, kind=kind)
            named_by = len(self.pieces) - 1
        else:
            outer.run = 0
            self._settle(inner)
            named_by = inner.anchor
            if outer.is_array and not inner.is_array and inner.frame not in self.anchors:
                outer.nameless = outer.nameless or []
                outer.nameless.append(inner)
        if inner.anchor != NONE and not inner.is_array and outer.nested_anchor == NONE:
            outer.nested_anchor = named_by

    def _add(
        self, start: int, end: int, size: int, *, is_short: bool, kind: SegmentKind = SegmentKind.LINE
    ) -> None:
        """Add a segment to the container that is open, or let it join the last one there."""
        container = self.open[-1]
        if container.is_deep:
            self.ink += size + 1
            return
        is_short = is_short and not self.is_fine
        longest = MAX_RUN_CHARS if container.is_array else MAX_MEMBERS_CHARS
        self.ink += size + 1
        if is_short and container.run and container.run + size + 1 <= longest:
            container.run += size + 1
            self.pieces[-1].end = end
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

    def _sentences(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the spans of a string's sentences, from quote to quote; of a number none."""
        if self.text[start] != '"':
            return []
        self.finder = finder = self.finder or SentenceFinder(self.text)
        at, found = start + 1, list[tuple[int, int]]()
        for line_break in _LINE_BREAK.finditer(self.text, at, end - 1):
            if line_break["breaks"] and self._ends_line(at, line_break):
                found += finder.spans(at, line_break.start())
                at = line_break.end()
        found += finder.spans(at, end - 1)
        joined = list(_joined(found))
        if joined:
            joined[0] = start + 1, joined[0][1]
            joined[-1] = joined[-1][0], end - 1
        return joined

    def _ends_line(self, start: int, line_break: re.Match[str]) -> bool:
        """Whether no sentence continues over a line's end."""
        before = self.text[max(start, line_break.start() - MIN_WRAPPED_CHARS) : line_break.start()]
        is_short = len(before) < MIN_WRAPPED_CHARS
        is_blank = line_break["breaks"].count("\\n") > 1
        starts_anew = _NEW_LINE.match(self.text, line_break.end()) is not None
        return is_short or is_blank or starts_anew or ends_sentence(before)

    def _name(self, container: _Container, key: str, value: str, size: int) -> None:
        """Note whether a member just added names its object; a member called name comes before other keys."""
        rank = self._rank(key)
        last = len(self.pieces) - 1
        is_name = value[0] in '"-0123456789' and size <= MAX_RUN_CHARS and value != '""'
        if is_name and rank < container.rank:
            container.rank, container.anchor = rank, last
            container.run = container.run or size
            container.follows_name = True
        tried = len(container.scalars)
        if container.rank == _NO_NAME and size <= MAX_MEMBERS_CHARS and tried < MAX_NAMING_MEMBERS:
            container.scalars += ((key, value, last),)

    def _rank(self, key: str) -> int:
        rank = self.ranks.get(key)
        if rank is None:
            word = key[-24:-1].removeprefix('"')
            rank = self.ranks[key] = 0 if _NAME.search(word) else 1 if _KEY.search(word) else _NO_NAME
        return rank

    def _settle(self, container: _Container) -> None:
        """Settle what names a container that stays in parts, and those of its items that have no name of their own."""
        nameless, container.nameless = container.nameless or [], None
        key = _naming_key(nameless)
        for item in nameless:
            own = next((at for name, _, at in item.scalars if name == key), item.nested_anchor)
            if own != NONE:
                self.anchors[item.frame] = own
        anchor = container.anchor
        if anchor == NONE and not self.open and not container.is_array:
            anchor = container.nested_anchor
        if anchor != NONE:
            self.anchors[container.frame] = anchor

    def segments(self) -> Iterator[Segment]:
        inherited: dict[int, int] = {}
        """Of each frame, what names the record that it stands in."""
        blocks = {NONE: 0}
        for number, piece in enumerate(self.pieces):
            above = inherited.get(piece.parent, NONE)
            anchor = self.anchors.get(piece.parent, above)
            if anchor == number:
                anchor = above if above != number else NONE
            if piece.kind is SegmentKind.FRAME:
                inherited[number], blocks[number] = anchor, len(blocks)
            block = blocks[piece.parent]
            yield Segment(piece.start, piece.end, piece.kind, piece.parent, block, anchor=anchor)


class _Values(_Reader):
    """Reads JSON values one after the other (JSON Lines, https://jsonlines.org) as the items of an array without brackets."""

    is_array = True

    def reads(self) -> bool:
        """Read the text; False if it is anything else than values."""
        self._open(0, 0, "", is_array=self.is_array)
        while self.at < self.end or len(self.open) > 1:
            if (
                len(self.open) > MAX_BRACKETS
                or not (self._reads_next() or self._passes_slip())
                or not self.open
            ):
                return False
        self._close(self.end)
        return True

    def _is_cut_off(self) -> bool:
        return False


class _Parts(_Values):
    """Reads a segment of a document that was parsed: the members or items that it has, each as a segment of its own."""

    def __init__(self, document: Document, number: int) -> None:
        super().__init__(document.text, is_fine=True)
        segment = document.segments[number]
        self.at, self.end = segment.start, segment.end
        self.is_array = document.of(segment.parent)[-1:] in ("[", "")


def split_further(document: Document, numbers: Iterable[int]) -> Document:
    """Return a document with some of its segments taken apart: every member and item in them is one of its own."""
    parts = {number: found for number in numbers if len(found := _parts(document, number)) > 1}
    if not parts:
        return document
    # The new number of each segment; of one that was taken apart, of its first part.
    lengths = (len(parts[number]) if number in parts else 1 for number in range(len(document.segments)))
    moved = [0, *accumulate(lengths)]
    blocks = 1 + max(segment.block for segment in document.segments)
    segments: list[Segment] = []
    for number, segment in enumerate(document.segments):
        parent, anchor = (one if one == NONE else moved[one] for one in (segment.parent, segment.anchor))
        outer = segment._replace(parent=parent, anchor=anchor)
        if number in parts:
            segments += _in_place_of(outer, parts[number], len(segments), blocks)
            blocks += len(parts[number])
        else:
            segments.append(outer)
    return Document(document.text, segments, is_json=True)


def _parts(document: Document, number: int) -> list[Segment]:
    """Return the members or items of a segment; their parent 0 is its parent, others are counted from 1."""
    segment = document.segments[number]
    if segment.kind in (SegmentKind.FRAME, SegmentKind.SENTENCE) or segment.parent == NONE:
        return []
    reader = _Parts(document, number)
    return list(reader.segments())[1:] if reader.reads() else []


def _in_place_of(outer: Segment, parts: Sequence[Segment], first: int, blocks: int) -> Iterator[Segment]:
    """Yield a segment's parts as the document's: the first has the number `first`, their own blocks begin at `blocks`."""
    for part in parts:
        yield part._replace(
            parent=part.parent - 1 + first if part.parent else outer.parent,
            anchor=part.anchor - 1 + first if part.anchor != NONE else outer.anchor,
            block=blocks + part.block if part.parent else outer.block,
        )


def _joined(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the spans; a very short one is joined to the next."""
    first = None
    end = 0
    for start, end in spans:
        first = start if first is None else first
        if end - first >= MIN_SENTENCE_CHARS:
            yield first, end
            first = None
    if first is not None:
        yield first, end


def _naming_key(items: Sequence[_Container]) -> str | None:
    """Return the first key that all items have, each with another value; None for a single item."""
    values: dict[str, set[str]] = {}
    for item in items:
        for key, value, _ in item.scalars:
            values.setdefault(key, set()).add(value)
    return next((key for key, several in values.items() if len(several) == len(items) > 1), None)
