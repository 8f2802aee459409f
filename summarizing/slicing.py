"""Cuts a long text into slices that are processed one at a time, each in about a second of a core.

Pure. A slice begins where chunking.py would begin a chunk, and carries its context: the headings above it, the head row of its
table. Knows nothing of what is done with the slices.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chunking import Chunk, measure, pack
from summarizing.text.chunk_blocks import Block, Kind
from summarizing.text.document import Document
from summarizing.text.json_records import parse_nearly_json
from summarizing.text.segment_limits import is_dense

# About a second of a core: as long as another owner's long text may have to wait.
SLICE_CHARS = 500_000

# JSON of this many characters takes some seconds of a core.
MOST_JSON_CHARS = 4_000_000


class Slice(NamedTuple):
    """A stretch `start` to `end` of a text, and its context: the headings above it, a table's head row."""

    start: int
    end: int
    above: str
    document: Document | None = None
    """Its segments, where it had to be parsed to learn where to cut."""

    def with_context(self, text: str) -> str:
        """Return the slice of the text after its context."""
        return self.above + text[self.start : self.end]


def slices_or_whole_json(text: str) -> list[Slice]:
    """Return the slices of a text. JSON up to a size is one slice: a part of it is not JSON."""
    document = parse_nearly_json(text) if SLICE_CHARS < len(text) <= MOST_JSON_CHARS else None
    return slices(text) if document is None else [Slice(0, len(text), "", document)]


def slices(text: str, size: int = SLICE_CHARS) -> list[Slice]:
    """Return consecutive slices of at most `size` characters that cover the whole text."""
    if len(text) <= size:
        return [Slice(0, len(text), "")]
    if is_dense(text):
        return list(_at_line_ends(text, size))
    layout = measure(text, size, _lengths)
    chunks = pack(layout, 0, _lengths)
    above = _headings_above(text, layout.blocks, chunks)
    return [
        Slice(chunk.start, chunk.end, headings + chunk.lead)
        for chunk, headings in zip(chunks, above, strict=True)
    ]


def _at_line_ends(text: str, size: int) -> Iterator[Slice]:
    """Yield slices of a text of short lines, which is read without its structure: to find that would take more than all the rest."""
    start, newline = 0, "\n" if "\n" in text else "\r"
    while len(text) - start > size:
        end = text.rfind(newline, start, start + size) + 1 or start + size
        yield Slice(start, end, "")
        start = end
    yield Slice(start, len(text), "")


def _lengths(texts: Sequence[str]) -> list[int]:
    return list(map(len, texts))


def _headings_above(text: str, blocks: Sequence[Block], chunks: Sequence[Chunk]) -> Iterator[str]:
    """Yield for each chunk the headings under which it begins, as written in the text."""
    trail: list[Block] = []
    headings = iter([block for block in blocks if block.kind is Kind.HEADING])
    following = next(headings, None)
    for chunk in chunks:
        while following is not None and following.start < chunk.start:
            trail = [*(block for block in trail if block.level < following.level), following]
            following = next(headings, None)
        kept = trail
        if following is not None and following.start == chunk.start:
            kept = [block for block in trail if block.level < following.level]
        yield "".join(text[block.start : block.end] for block in kept)
