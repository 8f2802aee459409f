"""A page's text to passages: what is found, scored, embedded and returned as one.

A section, with the sections below it, is one passage where it fits the limit; else its own text is chunked (chunking.py), and each
section below it is looked at in the same way. So the passages of a section depend on that section alone, and a changed section leaves
those of all others as they are. Only where a paragraph is cut does a passage repeat the end of the one before.

Pure; CPU work, so callers put it on a worker thread. Laws (tests/web_tools/test_passages.py): the passages cover the text, none is over
the limit, no two have one text.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import accumulate, pairwise
from typing import NamedTuple

from chunking import ChunkTokenizer, measure, pack
from summarizing.text.chunk_blocks import Block, Kind, blocks, title_of
from web_tools.pages import PagePassage

# Of a passage's tokens, at most so many are repeated where a paragraph is cut; at least a tenth, since pieces of a text are a twentieth.
OVERLAP_SHARE = 0.15

# Between the headings of a section path where an id is made of it.
PATH_SIGN = " > "


class Section(NamedTuple):
    """A stretch of the text that is chunked alone, and the headings that it stands under, its own included."""

    start: int
    end: int
    path: tuple[str, ...]


class Piece(NamedTuple):
    """A passage before its tokens are counted."""

    path: tuple[str, ...]
    text: str


def passages_of(url: str, text: str, tokens: int, tokenizer: ChunkTokenizer) -> tuple[PagePassage, ...]:
    """Return the passages of a page's text, in its order, each of at most `tokens` tokens; of equal texts the first."""
    found: dict[str, Piece] = {}
    for piece in _pieces(text, tokens, tokenizer):
        found.setdefault(piece.text, piece)
    counts = tokenizer.count_each(list(found))
    return tuple(
        PagePassage(passage_id(url, piece.path, piece.text), piece.text, piece.path, count)
        for piece, count in zip(found.values(), counts, strict=True)
    )


def passage_id(url: str, path: Sequence[str], text: str) -> str:
    """Return the id of a passage: the same for as long as its page, its section path and its text are."""
    return sha256(f"{url}|{PATH_SIGN.join(path)}|{text}".encode("utf-8", "surrogatepass")).hexdigest()


def _pieces(text: str, limit: int, tokenizer: ChunkTokenizer) -> Iterator[Piece]:
    for section in sections(text, limit, tokenizer):
        layout = measure(text[section.start : section.end], limit, tokenizer.count_each)
        for chunk in pack(layout, int(limit * OVERLAP_SHARE), tokenizer.count_each):
            piece = _without_blank_lines(chunk.lead + chunk.text)
            if piece:
                yield Piece(section.path, piece)


def _without_blank_lines(text: str) -> str:
    """Return a text without white space around it; the indent of its first line, as of code, stays."""
    stripped = text.rstrip()
    indented = stripped[stripped.rfind("\n", 0, len(stripped) - len(stripped.lstrip())) + 1 :]
    return indented if indented.startswith(("  ", "\t")) else indented.lstrip()


def sections(text: str, limit: int, tokenizer: ChunkTokenizer) -> list[Section]:
    """Return the largest sections that fit the limit with all below them, and what is left between those; joined, they are the text."""
    headings = [block for block in blocks(text) if block.kind is Kind.HEADING]
    if not headings:
        return [Section(0, len(text), ())]
    starts = [heading.start for heading in headings]
    bounds = [0, *starts, len(text)]
    own = tokenizer.count_each([text[start:end] for start, end in pairwise(bounds)])
    before = [0, *accumulate(own[1:])]
    found = [Section(0, starts[0], ())] if text[: starts[0]].strip() else []
    at, begin, trail = 0, found[-1].end if found else 0, list[Block]()
    ends = _section_ends(headings)
    while at < len(headings):
        trail = [heading for heading in trail if heading.level < headings[at].level] + [headings[at]]
        stop = ends[at] if before[ends[at]] - before[at] <= limit else at + 1
        end = bounds[stop + 1]
        # A heading that has no text of its own, but sections below it, goes with the first of these.
        is_bare = stop < ends[at] and not text[headings[at].end : end].strip()
        if not is_bare:
            found.append(Section(begin, end, tuple(title_of(text, heading) for heading in trail)))
            begin = end
        at = stop
    return found


def _section_ends(headings: Sequence[Block]) -> list[int]:
    """Return, for each heading, the number of the next one that is not below it."""
    ends = [len(headings)] * len(headings)
    open_ones: list[int] = []
    for number, heading in enumerate(headings):
        while open_ones and headings[open_ones[-1]].level >= heading.level:
            ends[open_ones.pop()] = number
        open_ones.append(number)
    return ends
