"""A content cut into passages to search in: a few sentences, a dozen lines of a log, a small section with its headings.

The passages are cut along the content's structure, and are at the same time a `Document` whose segments are what they consist of, for
summarizing/relevance/bm25f.py to score. Pure; time linear in the content. Knows nothing of queries.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from summarizing.text.chunk_blocks import Block, Kind, blocks, title_of
from summarizing.text.document import NO_SEGMENT, Document, Segment, SegmentKind
from summarizing.text.language.sentence_spans import SentenceFinder
from summarizing.text.lines import COLONS

# About 200 tokens of English: a few sentences, a dozen lines of a log.
MAX_PASSAGE_CHARS = 800

# A block this short (a list item, a line of a menu) is joined with the next.
SMALL_BLOCK_CHARS = 200
# In a large text small sections are joined too, so that there are not many more passages than this.
TARGET_PASSAGES = 200_000

# The last sign of a stretch stands among so many characters, behind it white space alone.
MAX_END_CHARS = 40

_SPACE = re.compile(r"\s*+")


class Passage(NamedTuple):
    """A stretch of a content, the heading above it, and the numbers of the segments that it consists of."""

    start: int
    end: int
    heading: "_Heading | None"
    segments: range


class PassageList:
    """The passages of a content, in order."""

    def __init__(self, content: str) -> None:
        builder = _Builder(content)
        self.passages = [passage for section in _sections(content) for passage in builder.passages(section)]
        self.document = Document(content, builder.segments)
        """What the passages consist of: their headings, and what stands between these."""

    def headings_above(self, passage: Passage) -> tuple[str, ...]:
        """Return the titles above a passage, the outermost first."""
        titles = [title_of(self.document.text, each.block) for each in _with_ancestors(passage.heading)]
        return tuple(reversed(titles))


class _Heading(NamedTuple):
    block: Block
    parent: "_Heading | None"


class _Section(NamedTuple):
    """Some blocks that are one passage, or several if they are long."""

    start: int
    end: int
    above: _Heading | None
    """The heading above its start."""
    own: _Heading | None
    """The heading above its end, which may stand in the section itself."""


# --- Sections --------------------------------------------------------------------------------------------------


def _sections(content: str) -> Iterator[_Section]:
    """Yield the sections of a content in order; joined, they are the content."""
    min_section_chars = len(content) // TARGET_PASSAGES
    start = end = 0
    above: _Heading | None = None  # the heading above the open section's start
    last: _Heading | None = None  # the last heading read
    has_text = False
    for block in blocks(content):
        is_heading = block.kind is Kind.HEADING
        size, min_chars = end - start, min_section_chars if is_heading else SMALL_BLOCK_CHARS
        is_full = size >= min_chars or block.end - start > MAX_PASSAGE_CHARS
        # A heading stays with the block below it, however long that is, and so does what introduces one.
        if has_text and is_full and (is_heading or not _introduces(content, start, end)):
            yield _Section(start, end, above, last)
            start, above, has_text = block.start, last, False
        if is_heading:
            last = _nested(last, block)
            above = last.parent if start == block.start else above
        else:
            has_text = True
        end = block.end
    yield _Section(start, end, above, last)


def _introduces(content: str, start: int, end: int) -> bool:
    """Whether a stretch ends with a colon: what comes next says what it announces."""
    return content[max(start, end - MAX_END_CHARS) : end].rstrip().endswith(tuple(COLONS))


def _nested(last: _Heading | None, block: Block) -> _Heading:
    """Return a heading block as a child of the nearest earlier heading of a higher level."""
    while last and last.block.level >= block.level:
        last = last.parent
    return _Heading(block, last)


def _with_ancestors(heading: _Heading | None) -> Iterator[_Heading]:
    """Yield a heading and its ancestors, at most six."""
    while heading:
        yield heading
        heading = heading.parent


# --- Passages and segments -------------------------------------------------------------------------------------


class _Builder:
    """Adds passages, and the segments of each."""

    def __init__(self, content: str) -> None:
        self.segments: list[Segment] = []
        self._content = content
        self._sentences = SentenceFinder(content)
        self._numbers: dict[int, int] = {}  # of a heading's segment, by the heading's start

    def passages(self, section: _Section) -> Iterator[Passage]:
        """Yield the passages of a section: the first contains the section's own headings, the others are under them."""
        above = section.above
        for start, end in self._split(section.start, section.end):
            first = len(self.segments)
            self._add(start, end, section.own)
            yield Passage(start, end, above, range(first, len(self.segments)))
            above = section.own

    def _add(self, at: int, end: int, own: _Heading | None) -> None:
        """Add a passage: those of the headings above its end that stand in it, and the text between them."""
        for heading in reversed(list(_with_ancestors(own))):
            block = heading.block
            if at <= block.start < end:
                self._add_segment(at, block.start, heading.parent)
                self._numbers[block.start] = len(self.segments)
                at = min(block.end, end)
                self._add_segment(block.start, at, heading.parent, block.level)
        self._add_segment(at, end, own)

    def _add_segment(self, start: int, end: int, above: _Heading | None, level: int = 0) -> None:
        """Add a heading if it has a level, else text. Each is a block by itself: passages do not answer for their neighbours."""
        start = _after_space(self._content, start, end)
        if start < end:
            kind = SegmentKind.HEADING if level else SegmentKind.LINE
            parent = self._number_of(above)
            self.segments.append(Segment(start, end, kind, parent, block=len(self.segments), level=level))

    def _number_of(self, above: _Heading | None) -> int:
        """Return the segment of the nearest heading that has one; of several tiny sections in one passage only the last headings have."""
        numbers = (self._numbers.get(each.block.start, NO_SEGMENT) for each in _with_ancestors(above))
        return next((number for number in numbers if number != NO_SEGMENT), NO_SEGMENT)

    def _split(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield a section in pieces that end at a line or sentence end, without white space around them."""
        content = self._content
        end = start + len(content[start:end].rstrip())
        while (start := _after_space(content, start, end)) < end:
            is_last = end - start <= MAX_PASSAGE_CHARS
            stop = end if is_last else self._split_point(start, start + MAX_PASSAGE_CHARS)
            yield start, start + len(content[start:stop].rstrip())
            start = stop

    def _split_point(self, start: int, limit: int) -> int:
        """Return where to end a piece, at most at the limit: at a line end, else a sentence end, else a word's end."""
        line_end = self._content.rfind("\n", start + MAX_PASSAGE_CHARS // 2, limit) + 1
        if line_end:
            return line_end
        spans = list(self._sentences.spans(start, limit))
        # The last sentence is cut off by the limit.
        if len(spans) > 1:
            return spans[-2][1]
        word_end = self._content.rfind(" ", start + MAX_PASSAGE_CHARS // 2, limit)
        return word_end if word_end > start else limit


def _after_space(content: str, start: int, end: int) -> int:
    """Return where the white space at the start of a span ends."""
    space = _SPACE.match(content, start, end)
    return space.end() if space else start
