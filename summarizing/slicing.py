"""Cuts a long text into slices that are processed one at a time, each in about half a second of a core.

Pure. A slice begins where chunking.py would begin a chunk, and carries its context: the headings above it, the head row of its
table. Knows nothing of what is done with the slices.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from chunking import Chunk, measure, pack
from summarizing.text.chunk_blocks import Block, Kind
from summarizing.text.dense_texts import MAX_MATCH_CHARS, bytes_of, context_of_each, head_of_rows, is_dense
from summarizing.text.document import Document
from summarizing.text.json.cutting import MOST_SIZES, JsonPart, json_parts
from summarizing.text.json.notations import Rewritten
from summarizing.text.json.records import PresentedJson, parse_part, presented_json, written_as_json
from summarizing.text.json.slips import without_comments
from summarizing.text.left_out_sections import with_repeated
from summarizing.text.parsing import parse

# About half a second of a core: as long as another owner's long text may have to wait, with what memory that takes.
SLICE_CHARS = 250_000

# A text of at most this many bytes is one slice: the best of the whole is better than the best of what slices offer.
WHOLE_BYTES = 500_000


class JsonSlice(NamedTuple):
    """A part of a JSON text, as JSON writes it whatever its notation, and the words that present the text where they stand beside it."""

    text: str
    part: JsonPart
    presented: tuple[str, str] = ("", "")
    is_rewritten: bool = False
    """Whether the text is in another notation, so that places in it are others than in the text as it was given."""

    def parsed(self) -> Document | None:
        """Return the part, parsed; None where it is no JSON."""
        document = parse_part(self.text, self.part)
        return document and replace(document, presented=self.presented)


class Slice(NamedTuple):
    """A stretch `start` to `end` of a text, and its context: the headings above it, a table's head row, of JSON the open brackets."""

    start: int
    end: int
    above: str
    json: JsonSlice | None = None

    def with_context(self, text: str) -> str:
        """Return the slice of the text with its context."""
        return (
            self.json.part.text_in(self.json.text) if self.json else self.above + text[self.start : self.end]
        )

    def parsed(self, text: str) -> Document:
        """Return the slice of the text with its context, parsed."""
        found = self.json.parsed() if self.json else None
        return with_repeated(parse(self.with_context(text)), len(self.above)) if found is None else found


def slices_of(text: str, size: int = SLICE_CHARS, whole: int = WHOLE_BYTES) -> list[Slice]:
    """Return the slices of a text, JSON in parts that are JSON; a slice of letters that take several bytes has as many fewer."""
    length = bytes_of(text)
    if length <= whole:
        return [Slice(0, len(text), "")]
    size = max(1, size * len(text) // length)
    return _json_slices(text, size // 2) or slices(text, size)


def _json_slices(text: str, size: int) -> list[Slice]:
    """Return the slices of a JSON text, or of one in another notation, as they are in JSON; none of any other, as its beginning shows."""
    for source in filter(None, (PresentedJson(text), presented_json(text))):
        # To write all of a text as JSON takes long: the beginning is looked at first.
        beginning = source.text[: MOST_SIZES * size]
        if any(_parts_of(one.text, size) for one in written_as_json(beginning)):
            for as_json in written_as_json(source.text):
                if parts := _parts_of(as_json.text, size):
                    return list(_slices_of_parts(as_json, parts, source.words))
    return []


def _parts_of(text: str, size: int) -> Sequence[JsonPart]:
    """Return the parts of a JSON text; none where the first one is no JSON."""
    # Brackets and quotes in comments are none; each sign keeps its place without them.
    parts = json_parts(without_comments(text), size)
    return parts if parts and parse_part(text, parts[0]) is not None else ()


def _slices_of_parts(
    as_json: Rewritten, parts: Sequence[JsonPart], presented: tuple[str, str]
) -> Iterator[Slice]:
    before, behind = presented
    for part in parts:
        words = ("" if part.start else before), (behind if part is parts[-1] else "")
        start, end = as_json.original(part.start), as_json.original(part.end)
        yield Slice(start, end, part.above, JsonSlice(as_json.text, part, words, bool(as_json.ends)))


def slices(text: str, size: int) -> list[Slice]:
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
    """Yield slices of a text of short lines: to find its blocks would take more than all the rest."""
    newline = "\n" if "\n" in text else "\r"
    starts, end = [0], 0
    while len(text) - end > size:
        end = text.rfind(newline, end, end + size) + 1 or end + size
        starts.append(end)
    for start, end, above in zip(
        starts, [*starts[1:], len(text)], context_of_each(text, starts), strict=True
    ):
        yield Slice(start, end, above)


def _lengths(texts: Sequence[str]) -> list[int]:
    return list(map(len, texts))


def _headings_above(text: str, blocks: Sequence[Block], chunks: Sequence[Chunk]) -> Iterator[str]:
    """Yield for each chunk the headings under which it begins, as written in the text; one as long as a page is left out. Of CSV the head row."""
    if head := head_of_rows(text):
        yield from (head if chunk.start else "" for chunk in chunks)
        return
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
        yield "".join(
            text[block.start : block.end] for block in kept if block.end - block.start <= MAX_MATCH_CHARS
        )
