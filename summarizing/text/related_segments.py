"""What segments are to each other, once a whole text is read: which come together, which are one list, and which are marginal.

Of a commit, what else is said of it comes with its message, of a term with the first sentence of its description; a table of contents
is marginal, and so are tags alone. Reads no lines, and adds or drops no segment.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from summarizing.text.blocks.navigation import Titles
from summarizing.text.document import NO_SEGMENT, Segment, SegmentKind
from summarizing.text.headings.marked import COMMIT
from summarizing.text.lines import COLONS, FIELD

# Tags that say where something is on a page, and nothing else: HTML's for its layout and its images, whatever their attributes, others with a name
# at most.
_LAYOUT = (
    r"</?(?:a|b|br|center|details|div|em|h[1-6]|hr|i|img|p|picture|source|span|strong|su[bp]|summary|t(?:able|body|d|h|head|r))"
    r"(?:\s[^<>]{0,2000}+)?+/?>"
)
_TAG = re.compile(
    rf"""{_LAYOUT}|&nbsp;|</?\w{{1,40}}+(?:\s++(?:id|name|class)=(?:"[^"<>]{{0,200}}+"|'[^'<>]{{0,200}}+'))?+\s*+/?>"""
)
_LAYOUT_TAG = re.compile(_LAYOUT)
# Where a link begins, with its address, and where it ends, without one.
_LINK_ENDS = re.compile(r"<a\s[^<>]{0,2000}?href=([^<>\s])|</a>")

_NO_TAGS = (SegmentKind.HEADING, SegmentKind.FRAME, SegmentKind.CODE)

# Of tables of contents: the least number of entries, the longest, and what they are.
MIN_ENTRIES = 2
MAX_ENTRY_CHARS = 400
_OF_CONTENTS = (SegmentKind.ITEM, SegmentKind.LINE, SegmentKind.SENTENCE, SegmentKind.ROW)

# A sentence in capitals that is as long calls out what a licence excludes; where most are, capitals mean nothing.
MIN_DISCLAIMER_CHARS = 150
_DISCLAIMER = re.compile("WARRANT|LIABLE|LIABILITY")

# Records have fields; this many with the same first one are of one kind.
_FIELDS = (SegmentKind.LINE, SegmentKind.SENTENCE)
_MIN_RECORDS = 3

# git indents messages, and nothing else after a blank line.
_MESSAGE = "\n\n    "


def with_messages(text: str, segments: Sequence[Segment]) -> Sequence[Segment]:
    """Let what else is said of a commit come with the beginning of its message, which names it."""
    if _MESSAGE not in text:
        return segments
    found = list(segments)
    for index, segment in enumerate(segments):
        if segment.kind is SegmentKind.HEADING and COMMIT.match(text, segment.start, segment.end):
            members = [at for at in _below(segments, index) if segments[at].parent == index]
            message = next(
                (at for at in members if text.startswith(_MESSAGE, segments[at].start - len(_MESSAGE))),
                NO_SEGMENT,
            )
            for at in members:
                if at != message:
                    found[at] = segments[at]._replace(anchor=message)
    return found


def _below(segments: Sequence[Segment], heading: int) -> Iterator[int]:
    """Yield what stands below a heading, up to the next one of its level or a higher one."""
    for at in range(heading + 1, len(segments)):
        if segments[at].kind is SegmentKind.HEADING and segments[at].level <= segments[heading].level:
            return
        yield at


def with_records(text: str, segments: Sequence[Segment]) -> Sequence[Segment]:
    """Let the fields of a record come with the first one, which says what it is about, where several begin with that: "Files: boat.c"."""
    firsts: dict[int, int] = {}
    fields: list[tuple[int, int]] = []
    for index, segment in enumerate(segments):
        first = firsts.setdefault(segment.block, index)
        is_line = segment.kind in _FIELDS and segment.parent == segments[first].parent
        if is_line and FIELD.match(text, segment.start, segment.end):
            fields.append((first, index))
    inner = {first for first, index in fields if index != first}
    keys = Counter(
        _key(text, segments[first]) for first, index in fields if index == first and first in inner
    )
    if max(keys.values(), default=0) < _MIN_RECORDS:
        return segments
    found = list(segments)
    for first, index in fields:
        is_record = first in inner and keys[_key(text, segments[first])] >= _MIN_RECORDS
        if is_record and index != first and segments[index].anchor == NO_SEGMENT:
            found[index] = segments[index]._replace(anchor=first)
    return found


def _key(text: str, segment: Segment) -> str:
    return text[segment.start : segment.end].partition(":")[0]


def with_whole_lists(segments: Sequence[Segment]) -> Sequence[Segment]:
    """Return the segments with each list as one block, be there blank lines between its items or not; nested lists are part of it."""
    if not any(segment.kind is SegmentKind.ITEM for segment in segments):
        return segments
    found: list[Segment] = []
    last: dict[int, int] = {}
    """Of each parent, the last segment that hangs on it."""
    for index, segment in enumerate(segments):
        beside = last.get(segment.parent, segment.parent)
        if segment.kind is not SegmentKind.CONTINUATION:
            last[segment.parent] = index
        goes_on = (
            segment.kind is SegmentKind.ITEM
            and beside != NO_SEGMENT
            and segments[beside].kind is SegmentKind.ITEM
        )
        block = found[beside].block if goes_on else segment.block
        found.append(segment if block == segment.block else segment._replace(block=block))
    return found


def with_descriptions(text: str, segments: Sequence[Segment]) -> list[Segment]:
    """Let what else is said of a term (an option, a variable) come with the first sentence below it, which says what it is, or with what that announces."""
    found = list(segments)
    first: dict[int, int] = {}
    announced: dict[int, int] = {}
    for index, segment in enumerate(segments):
        parent = segment.parent
        if parent == NO_SEGMENT:
            continue
        if text[segments[parent].end - 1] in COLONS:
            announced.setdefault(parent, index)
        if segment.kind is SegmentKind.SENTENCE:
            described = first.setdefault(parent, index)
            is_term = segments[parent].kind is SegmentKind.LINE
            if is_term and described < index and segment.anchor == NO_SEGMENT:
                found[index] = segment._replace(anchor=announced.get(described, described))
    return found


def with_marginal(text: str, segments: Sequence[Segment]) -> Sequence[Segment]:
    """Mark tables of contents, disclaimers and links between tags as marginal, and tags alone, which are frames too: no heading comes with these alone.

    On tags of a page's layout nothing hangs, though it is indented further.
    """
    contents, disclaimers = _contents(text, segments), _disclaimers(text, segments)
    if not contents and not disclaimers and "<" not in text and "&nbsp;" not in text:
        return segments
    without_tags = _TAG.sub(lambda tag: " " * len(tag[0]), text)
    found: list[Segment] = []
    above_layout: dict[int, int] = {}
    linked = NO_SEGMENT
    """The block in which a link is open, where a tag alone opens it: what it says is of where it leads."""
    said = NO_SEGMENT
    """The last segment that is no tag."""
    for index, segment in enumerate(segments):
        one = segment
        if segment.parent in above_layout:
            one = one._replace(parent=above_layout[segment.parent])
        if segment.follows and said < index - 1:
            is_title = said == NO_SEGMENT or segments[said].kind is SegmentKind.HEADING
            one = one._replace(follows=False, anchor=one.anchor if is_title else said)
        if segment.kind not in _NO_TAGS and without_tags[segment.start : segment.end].isspace():
            one = one._replace(is_marginal=True, kind=SegmentKind.FRAME)
            if ends := _LINK_ENDS.findall(text, segment.start, segment.end):
                linked = segment.block if ends[-1] else NO_SEGMENT
            if _LAYOUT_TAG.match(text, segment.start):
                above_layout[index] = one.parent
        else:
            said = index
            if segment.block == linked or segment.block in contents or index in disclaimers:
                one = one._replace(is_marginal=True)
        found.append(one)
    return found


def _disclaimers(text: str, segments: Sequence[Segment]) -> set[int]:
    """Return the long sentences in capitals in which licences disclaim what they can."""
    long = [
        (index, bool(_DISCLAIMER.search(text, one.start, one.end)) and text[one.start : one.end].isupper())
        for index, one in enumerate(segments)
        if one.end - one.start >= MIN_DISCLAIMER_CHARS and one.kind is SegmentKind.SENTENCE
    ]
    found = {index for index, is_upper in long if is_upper}
    return found if 2 * len(found) < len(long) else set()


def _contents(text: str, segments: Sequence[Segment]) -> set[int]:
    """Return the blocks that are tables of contents: most of their lines are titles of the text, and they have two or more; or they stand between such."""
    titles = Titles(
        [text[segment.start : segment.end] for segment in segments if segment.kind is SegmentKind.HEADING]
    )
    if not titles:
        return set()
    entries = [segment for segment in segments if segment.kind in _OF_CONTENTS]
    lines = Counter(entry.block for entry in entries)
    named = Counter(
        entry.block
        for entry in entries
        # Most blocks are one line.
        if lines[entry.block] >= MIN_ENTRIES
        and entry.end - entry.start <= MAX_ENTRY_CHARS
        and text[entry.start : entry.end] in titles
    )
    found = {block for block, count in named.items() if count >= MIN_ENTRIES and count * 2 > lines[block]}
    # Entries may be wrapped, and some have no part in the text.
    return found | {block for block in named if {block - 1, block + 1} <= found}
