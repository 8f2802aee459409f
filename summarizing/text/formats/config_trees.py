"""Keys and values: YAML, INI, TOML, properties, lists of fields with blank lines between the records.

A line hangs on the nearest line above it that is indented less, and in a record on the member that names it. Pure; does not
interpret values.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter

from summarizing.text.document import NO_SEGMENT, SegmentKind
from summarizing.text.document_builder import MAX_ITEM_CHARS, Builder, Outline, groups
from summarizing.text.format_words import format_words
from summarizing.text.formats.comment_titles import CommentTitle, comment_titles
from summarizing.text.formats.comments import CLOSING, COMMENT, MAX_COMMENT_CHARS, end_of_comment
from summarizing.text.formats.config_scalars import KEY, end_of_scalar
from summarizing.text.lines import COLONS, Line, looks_like_prose, share

# What a line of data begins with: a key with a value, a section, a mark between records.
_DATA = re.compile(
    r"(?:-\s{1,9}+)?[\"']?[\w./@$-]{1,80}[\"']?\s{0,30}+[:=](?:\s|$)|\[{1,2}[\w.\" -]{1,80}\]{1,2}$|---$"
    r"|[\w.-]{1,60}=\S?|[A-Z][A-Z\d-]{1,40}(?:[:;]\S|:$)"
    r"|\w[\w./-]{0,40}+(?: [\w./-]{1,40}+){1,3}+\s{1,30}+:(?:\s|$)"
)
_NOTE = re.compile(r"[#;]|//|/\*|\*")
# A scalar that is short, or has so many lines of prose, is one value; of another one, such as a script, each line stands by itself.
_MIN_PROSE_OF_SCALAR = 0.5
# Several numbers in brackets are a row of a matrix.
_SECTION = re.compile(
    r"\[{1,2}(?!\s{0,9}+[\d.+-]{1,30}+[\s,][\s\d.,e+-]{0,100}+\])([^\[\]]{1,100}+)\]{1,2}\s{0,9}+(?:[#;].*)?\Z"
)
# TOML 1.0, Array: strings, and what closes it.
_IN_ARRAY = re.compile(r"(?:\"[^\"]*+\"|'[^']*+'),?\Z|[\])}],?\Z")
# TOML 1.0, Keys: a dot in quotes is part of a name, and divides no names.
_QUOTED = re.compile(r"\"[^\"]*+\"|'[^']*+'")
# No line is indented as far: what stands between BEGIN: and END: is one step deeper, whatever its indentation.
LONGEST_INDENT = 1_000
# vCard and iCalendar objects nest at most three deep. The cost of choosing among lines grows with what they hang on.
MAX_CARD_DEPTH = 16
# A text with fewer keys than this is not one of keys and values, however they are nested,
MIN_NESTED_KEYS = 0.25
# nor one where fewer lines are keys or entries of lists.
MIN_DATA_LINES = 0.6
# With so many keys and so little prose it is one, nested or not.
MIN_KEYS = 0.4
MAX_PROSE = 0.3
# Where they are nested, this many lines must be keys over other lines.
MIN_KEYS_OVER_OTHERS = 0.1

# So many records at least have a key in common with another one.
MIN_RECORDS = 3


@dataclass
class _Record:
    """A record: the members that hang on one line, or stand between two lines of dashes or blanks."""

    is_named: bool = False
    """Whether its members need a name: those of an entry of a list, or of one of several documents."""
    members: list[int] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)


def is_config(lines: Sequence[Line]) -> bool:
    """Whether nearly all lines are keys with values, comments aside, and few are sentences; or keys stand over more keys."""
    plain = [line for line in lines if not _NOTE.match(line.text)]
    # Below sections, what an array has on lines of its own is data, too (TOML).
    has_sections = any(_SECTION.match(line.text) for line in plain)
    is_entry, least = (_is_entry_of_array, MIN_NESTED_KEYS) if has_sections else (_is_key_or_entry, MIN_KEYS)
    keys = share([_is_key(line.text) for line in plain])
    if (
        len(plain) < 2
        or keys < MIN_NESTED_KEYS
        or share([is_entry(line.text) for line in plain]) < MIN_DATA_LINES
    ):
        return False
    return (
        keys >= least and share([looks_like_prose(line.text) for line in plain]) < MAX_PROSE
    ) or _is_nested(plain)


def has_groups(lines: Sequence[Line]) -> bool:
    """Whether round brackets hold lines together, as in `const (` of Go or a call of Python: that is source code."""
    opened: list[int] = []
    for line in lines:
        while opened and opened[-1] > line.indent:
            opened.pop()
        if opened and opened[-1] == line.indent and line.text[0] == ")":
            return True
        if line.tail[-1] == "(":
            opened.append(line.indent)
    return False


def _is_key(text: str) -> bool:
    return _DATA.match(text) is not None


def _is_key_or_entry(text: str) -> bool:
    return text.startswith("- ") or _is_key(text)


def _is_entry_of_array(text: str) -> bool:
    return _is_key_or_entry(text) or _IN_ARRAY.match(text) is not None


def _is_nested(lines: Sequence[Line]) -> bool:
    """Whether keys without a value stand over lines that are indented more: YAML that holds sentences."""
    over = sum(
        line.tail[-1] == ":" and _is_key(line.text) and following.indent > line.indent
        for line, following in pairwise(lines)
    )
    return over >= max(3, MIN_KEYS_OVER_OTHERS * len(lines))


def put_config(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add keys and values, with comments where they stand over one."""
    builder.begin_block()
    _Config(builder, lines, parent).put()


class _Config:
    """Reads the lines of a configuration."""

    def __init__(self, builder: Builder, lines: Sequence[Line], parent: int) -> None:
        self._builder = builder
        self._lines = lines
        self._top = self._base = parent
        self._over_boxes = self._over_titles = parent
        self._fields = _fields_over_others(lines)
        self._titles = comment_titles(lines)
        self._over_sections = _titles_over_sections(lines, self._titles)
        self._open = Outline()
        self._records: dict[tuple[int, int], _Record] = {}
        self._part = 0
        self._depth = 0
        has_marks = any(line.text == "---" for line in lines)
        self._parts_by_blank = not has_marks and _are_records(lines)
        self._is_many = self._parts_by_blank or has_marks

    def put(self) -> None:
        """Add all lines, then let the members of each record hang on what names it."""
        number = 0
        while number < len(self._lines):
            number = self._put_line(number)
        for record in self._records.values():
            if record.is_named:
                self._name(record)

    def _put_line(self, number: int) -> int:
        """Add a line with its comment, and return the number of the next one."""
        if number in self._titles:
            return self._put_title(number)
        line = self._lines[number]
        section = _SECTION.match(line.text) if line.text[0] == "[" else None
        is_mark = line.text == "---"
        if section or is_mark or (self._parts_by_blank and line.gap and line.indent == 0):
            self._open.clear()
            self._part += 1
            self._builder.begin_block()
        if is_mark:
            # The next document is told apart from the one above it, and counted where it is left out, but ends no section of a text around it.
            self._base = (
                self._builder.put_heading(line.span, 1)
                if self._top == NO_SEGMENT
                else self._builder.put(line.span, SegmentKind.FRAME, self._top)
            )
            self._over_boxes = self._over_titles = self._base
        if section:
            depth = 1 + _QUOTED.sub("", section[1]).count(".") + bool(self._over_sections)
            self._base = self._builder.put_heading(line.span, depth)
            self._over_boxes = self._over_titles = self._base
            self._is_many = self._is_many or line.text.startswith("[[")
        if section or is_mark or self._closes(line):
            return number + 1
        return self._put_member(number)

    def _closes(self, line: Line) -> bool:
        """Add a line that closes what a line above it opened, which is indented as far; False where it is no such line."""
        if not CLOSING.match(line.text):
            return False
        above = self._open.above(line.indent + 0.25, NO_SEGMENT)
        if above == NO_SEGMENT or not self._open.has_last_at(line.indent):
            return False
        builder = self._builder
        opening = builder.segments[above]
        if builder.text[opening.end - 1] not in "([{":
            return False
        before = builder.text[opening.start : opening.end - 1].rstrip()
        builder.enclose(above, line.span, is_bare=not before or before[-1] in COLONS)
        return True

    def _put_title(self, number: int) -> int:
        """Add a title in comments, which what follows hangs on up to the next one, and return the number of the line after it."""
        first, last, end, is_box = self._titles[number]
        span = self._lines[first].start, self._lines[last].end
        self._open.clear()
        if number in self._over_sections:
            self._base = self._over_boxes = self._over_titles = self._builder.put_heading(span, 1)
            return end + 1
        self._base = self._builder.put(
            span, SegmentKind.FRAME, self._over_boxes if is_box else self._over_titles
        )
        if is_box:
            self._over_titles = self._base
        return end + 1

    def _put_member(self, number: int) -> int:
        """Add a member with its comment, and return the number of the line after it."""
        line = self._lines[number]
        is_comment = COMMENT.match(line.text) is not None
        keyed = self._end_of_note(number) if is_comment or line.tail.endswith("*/") else number
        last = _end_of_value(self._builder.text, self._lines, keyed)
        # iCalendar and vCard nest by "BEGIN:" and "END:" (RFC 5545, 3.6).
        ends = line.text.startswith("END:")
        self._depth = max(0, self._depth - ends)
        # An entry of a list may stand below its key without being indented more (YAML 1.2, 8.2.1).
        indent = line.indent + self._depth * LONGEST_INDENT + 0.5 * line.text.startswith("- ")
        above = self._open.above(indent, self._base)
        is_frame = ends or (line.text in self._fields and last == number)
        kind = SegmentKind.FRAME if is_frame else SegmentKind.LINE
        span = line.start, self._lines[last].end
        if is_comment and span[1] - span[0] <= MAX_COMMENT_CHARS:
            index = self._builder.put(span, kind, above)
        else:
            index = self._builder.put_item(span, kind, above)
        self._open.add(indent, index)
        if line.text.startswith("BEGIN:"):
            self._depth = min(self._depth + 1, MAX_CARD_DEPTH)
            self._records[index, 0] = _Record(is_named=True)
        self._note(index, above, self._lines[keyed].text)
        return last + 1

    def _end_of_note(self, number: int) -> int:
        """Return the line that the comment at a line stands over; a comment over a section or a title is alone."""
        last = end_of_comment(self._lines, number)
        below = range(number + 1, last + 1)
        return next(
            (at - 1 for at in below if at in self._titles or _SECTION.match(self._lines[at].text)), last
        )

    def _note(self, index: int, above: int, text: str) -> None:
        """Remember a line as a member of the record that it is in."""
        key = KEY.match(text)
        record = self._record_below(above)
        record.members.append(index)
        if text == "{":
            self._records[index, 0] = _Record(is_named=True)
        if key is None:
            return
        record.keys.setdefault(key[1].lower(), index)
        if text.startswith("- "):
            self._records[index, 0] = _Record(is_named=True, members=[index], keys={key[1].lower(): index})

    def _record_below(self, above: int) -> _Record:
        """Return the record whose members hang on a line; a new one where this is its first member."""
        is_top = above == self._base
        place = above, self._part if is_top else 0
        record = self._records.get(place)
        if record is None:
            record = self._records[place] = _Record(is_top and self._is_many)
        return record

    def _name(self, record: _Record) -> None:
        """Let a record's members hang on the one that names it."""
        name = self._name_of(record)
        segments = self._builder.segments
        for member in record.members:
            if name not in (NO_SEGMENT, member, segments[member].parent):
                self._builder.anchor(member, name)

    def _name_of(self, record: _Record) -> int:
        """Return the member that names a record: its own, or one within a member where that has a better key; its own comes with it then."""
        if self._parts_by_blank:
            return record.members[0]
        own, rank = _best_name(record)
        inner = (self._records[at, 0] for at in record.members if (at, 0) in self._records)
        within, better = min(map(_best_name, inner), key=itemgetter(1), default=(NO_SEGMENT, rank))
        if better >= rank:
            return own
        if own != NO_SEGMENT:
            self._builder.anchor(within, own)
        return within


def _best_name(record: _Record) -> tuple[int, int]:
    """Return the member of a record that has the best key to name it, and how good that is, the less the better; NO_SEGMENT where none has."""
    keys = format_words().naming_keys
    found = ((record.keys[key], rank) for rank, key in enumerate(keys) if key in record.keys)
    return next(found, (NO_SEGMENT, len(keys)))


def _fields_over_others(lines: Sequence[Line]) -> frozenset[str]:
    """Return the keys without a value that recur over other lines, as `extensions:` does: fields of records, which say nothing alone."""
    over = Counter(
        line.text
        for line, following in pairwise(lines)
        if line.tail.endswith(":") and _is_below(line, following)
    )
    return frozenset(text for text, times in over.items() if times >= MIN_RECORDS)


def _is_below(line: Line, following: Line) -> bool:
    """Whether a line is below a key: the entries of its list need not be indented (YAML 1.2, 8.2.1)."""
    is_entry = following.text.startswith("- ")
    return following.indent > line.indent or (is_entry and following.indent == line.indent)


def _titles_over_sections(lines: Sequence[Line], titles: Mapping[int, CommentTitle]) -> frozenset[int]:
    """Return the titles, by their first lines, behind which a section begins before any key."""
    found: set[int] = set()
    is_over_section = False
    for number in reversed(range(len(lines))) if titles else ():
        text = lines[number].text
        if number in titles and is_over_section:
            found.add(number)
        elif not _NOTE.match(text):
            is_over_section = _SECTION.match(text) is not None
    return frozenset(found)


def _end_of_value(text: str, lines: Sequence[Line], number: int) -> int:
    """Return the last line of the wrapped text that a line of a configuration begins."""
    first = lines[number]
    at = end_of_scalar(lines, number)
    if at > number:
        prose = share([looks_like_prose(line.text) for line in lines[number + 1 : at + 1]])
        is_one = lines[at].end - first.start <= MAX_ITEM_CHARS or prose >= _MIN_PROSE_OF_SCALAR
        return at if is_one else number
    # What is indented further than an entry that has no key is part of it (YAML 1.2, 7.3.3, Plain Style), whatever it says.
    is_entry = first.text.startswith("- ") and not _is_key(first.text)
    while at + 1 < len(lines):
        line = lines[at + 1]
        is_open = text[lines[at].end - 1] == "\\"
        if not is_open:
            may_go_on = looks_like_prose(lines[at].text) or (is_entry and line.indent > first.indent)
            if line.gap or line.indent < first.indent or not may_go_on:
                break
            is_within = line.indent > first.indent or not _is_key_or_entry(first.text)
            if not is_within or _begins_anew(line.text):
                break
        at += 1
    return at


def _begins_anew(text: str) -> bool:
    return _is_key_or_entry(text) or COMMENT.match(text) is not None


def _are_records(lines: Sequence[Line]) -> bool:
    """Whether blank lines stand between records: the same key comes first after most of them, or keys recur from one to another."""
    firsts = [key[1] for line in lines if line.gap and line.indent == 0 and (key := KEY.match(line.text))]
    if len(firsts) >= 2 and firsts.count(firsts[0]) * 2 > len(firsts):
        return True
    if any(_SECTION.match(line.text) for line in lines):
        return False
    parts = [
        {key[1] for line in part if line.indent == 0 and (key := KEY.match(line.text))}
        for part in groups(lines)
    ]
    times = Counter(key for keys in parts for key in keys)
    recurring = sum(any(times[key] > 1 for key in keys) for keys in parts)
    return recurring >= MIN_RECORDS and recurring * 2 >= sum(map(bool, parts))
