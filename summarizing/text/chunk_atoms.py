"""The pieces of a text that chunks are packed from: small blocks joined, large ones cut, and how good a place each is to begin a chunk at.

The blocks are found in chunk_blocks.py. Counts no tokens and makes no chunks: that is chunking.py's part.
"""

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from summarizing.text.chunk_blocks import Block, Kind
from summarizing.text.language.graphemes import is_inside_grapheme, last_grapheme_boundary

# Greedy dots backtrack from the end, so the match is the last line, sentence or word end. A line end counts only before a
# character that is not white space: several line ends may be one token. Lines end as for str.splitlines.
_LAST_LINE_END = re.compile(
    r"(?s:.*)[\n\r\v\f\x1c-\x1e\x85\u2028\u2029](?=[^\S\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*+\S)"
)
_LAST_SENTENCE = re.compile(r"(?s:.*)(?:[.!?…][\"'”’)\]]*+(?=\s)|[。！？｡][」』”）]*+)")
_LAST_WORD = re.compile(r"(?s:.*)(?<=\S)(?=\s)")


class Cut(IntEnum):
    """How good a place is to begin a chunk at: the lower the better. Headings are 1 to 6."""

    RULE = 2
    BLOCK = 7
    LINE = 9
    AFTER_HEADING = 11
    SENTENCE = 12
    WORD = 13
    CHARACTER = 14
    # Used only where there is no other place: inside a grapheme, or inside a block that fits into one chunk.
    NEVER = 99


class Atom(NamedTuple):
    """The smallest stretch that packing moves: a block, or a piece of a large one. `block` is its block's index."""

    start: int
    end: int
    cut: int
    block: int


def atoms_of(text: str, found: list[Block], size: int) -> Iterator[Atom]:
    """Yield small blocks joined and long ones in pieces, each atom of at most `size` characters."""
    start, end, cut, first = 0, 0, int(Cut.BLOCK), 0
    previous = None
    for index, block in enumerate(found):
        here = _cut_before(block, previous)
        # A block that is joined can no longer begin a chunk. So it is not joined if it is a better place to begin than the atom, or
        # if it is a heading and the atom is more than tiny.
        if block.end - start > size or here < cut or (here < Cut.BLOCK and end - start > size // 8):
            yield from _pieces(text, Atom(start, end, cut, first), size)
            start, cut, first = block.start, here, index
        end, previous = block.end, block
    yield from _pieces(text, Atom(start, end, cut, first), size)


def _pieces(text: str, atom: Atom, size: int) -> list[Atom]:
    """Return an atom in pieces of at most `size` characters."""
    if 0 < atom.end - atom.start <= size:
        return [atom]
    pieces: list[Atom] = []
    at, cut = atom.start, atom.cut
    while at < atom.end:
        end, next_cut = _piece_end(text, at, atom.end, size)
        pieces.append(Atom(at, end, cut, atom.block))
        at, cut = end, next_cut
    return pieces


def _cut_before(block: Block, previous: Block | None) -> int:
    if block.kind is Kind.HEADING:
        return block.level
    if previous is not None and previous.kind is Kind.HEADING:
        return Cut.AFTER_HEADING
    return Cut.RULE if block.kind is Kind.RULE else Cut.BLOCK


def _piece_end(text: str, start: int, stop: int, size: int) -> tuple[int, int]:
    """Find the best end for a piece of at most `size` characters: line, sentence, word, character.

    Returns the end and how good it is to cut there.
    """
    last = start + size
    if last >= stop:
        return stop, Cut.BLOCK
    line_end = _LAST_LINE_END.match(text, start, last + 1)
    if line_end and line_end.end() <= last:
        return line_end.end(), Cut.LINE
    sentence = _LAST_SENTENCE.match(text, start, last)
    if sentence and not is_inside_grapheme(text, start, sentence.end()):
        return sentence.end(), Cut.SENTENCE
    word = _LAST_WORD.match(text, start, last)
    if word and word.end() > start:
        return word.end(), Cut.WORD
    end = last_grapheme_boundary(text, start, last)
    return end, Cut.NEVER if is_inside_grapheme(text, start, end) else Cut.CHARACTER


def adds_up(text: str, atom: Atom) -> bool:
    """Whether an atom's tokens and those of the text before it, counted apart, are as many as counted together."""
    before = text[atom.start - 1 : atom.start]
    if atom.cut < Cut.SENTENCE:
        # A form feed or U+2028 may be one token with the word behind it.
        return atom.cut != Cut.LINE or before in "\r\n"
    return text[atom.start] in (" ", "\t") and not before.isspace()
