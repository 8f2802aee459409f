"""A page's text to passages: what is found, scored, embedded and returned as one.

A section, with the sections below it, is one passage where it fits the limit; else its own text is chunked (chunking.py), and each
section below it is looked at in the same way. So the passages of a section depend on that section alone, and a changed section leaves
those of all others as they are. Only where a paragraph is cut does a passage repeat the end of the one before.

A page of very many sections has small neighbouring ones joined, and no page has more than MAX_PASSAGES: each is stored, embedded, ranked.

Pure; CPU work in steps, so callers put each on a worker thread. Laws (tests/web_tools/test_passages.py): the passages cover the text, none
is over the limit, no two have one text.
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

# About five times those of the longest text that is read, in English and at the default size.
MAX_PASSAGES = 10_000

# A small section answers more exactly than several joined; hardly any page that people write has more of them.
MANY_SECTIONS = 1_000

# The passages of so many characters are cut in one step: in about a quarter of a second of a core.
STEP_CHARS = 250_000


class Section(NamedTuple):
    """A stretch of the text that is chunked alone, the headings that it stands under, its own included, and its tokens."""

    start: int
    end: int
    path: tuple[str, ...]
    tokens: int


class Piece(NamedTuple):
    """A passage before its tokens are counted, and where in the text it ends."""

    path: tuple[str, ...]
    text: str
    end: int


class CutPart(NamedTuple):
    """The passages of one step, and how much of the text, in characters, is cut after it."""

    passages: list[PagePassage]
    end: int


def cut(url: str, text: str, tokens: int, tokenizer: ChunkTokenizer) -> Iterator[CutPart]:
    """Yield the passages of a page's text, in its order, each of at most `tokens` tokens; of equal texts the first.

    Each part is one step of the work, of which the first ones find the sections. Only where there are MAX_PASSAGES does the last one leave
    a rest of the text uncut.
    """
    headings = headings_of(text)
    yield CutPart([], 0)
    own_tokens = tokens_between(text, headings, tokenizer)
    yield CutPart([], 0)
    seen: set[str] = set()
    step: list[Piece] = []
    chars = end = 0
    for piece in _pieces(text, sections(text, headings, own_tokens, tokens), tokens, tokenizer):
        end = piece.end
        if piece.text and piece.text not in seen:
            seen.add(piece.text)
            step.append(piece)
        chars += len(piece.text)
        if len(seen) == MAX_PASSAGES:
            break
        if chars >= STEP_CHARS:
            yield CutPart(_counted(url, step, tokenizer), end)
            step, chars = [], 0
    yield CutPart(_counted(url, step, tokenizer), end)


def _counted(url: str, pieces: Sequence[Piece], tokenizer: ChunkTokenizer) -> list[PagePassage]:
    counts = tokenizer.count_each([piece.text for piece in pieces])
    return [
        PagePassage(passage_id(url, piece.path, piece.text), piece.text, piece.path, count)
        for piece, count in zip(pieces, counts, strict=True)
    ]


def passage_id(url: str, path: Sequence[str], text: str) -> str:
    """Return the id of a passage: the same for as long as its page, its section path and its text are."""
    return sha256(f"{url}|{PATH_SIGN.join(path)}|{text}".encode("utf-8", "surrogatepass")).hexdigest()


def _pieces(text: str, found: Sequence[Section], limit: int, tokenizer: ChunkTokenizer) -> Iterator[Piece]:
    for section in found:
        part = text[section.start : section.end]
        if section.tokens <= limit:
            yield Piece(section.path, _without_blank_lines(part), section.end)
            continue
        layout = measure(part, limit, tokenizer.count_each)
        for chunk in pack(layout, int(limit * OVERLAP_SHARE), tokenizer.count_each):
            piece = _without_blank_lines(chunk.lead + chunk.text)
            yield Piece(section.path, piece, section.start + chunk.end)


def _without_blank_lines(text: str) -> str:
    """Return a text without white space around it; the indent of its first line, as of code, stays."""
    stripped = text.rstrip()
    indented = stripped[stripped.rfind("\n", 0, len(stripped) - len(stripped.lstrip())) + 1 :]
    return indented if indented.startswith(("  ", "\t")) else indented.lstrip()


def headings_of(text: str) -> list[Block]:
    """Return the headings of a text."""
    return [block for block in blocks(text) if block.kind is Kind.HEADING]


def tokens_between(text: str, headings: Sequence[Block], tokenizer: ChunkTokenizer) -> list[int]:
    """Return the tokens of what stands before the first heading, and of each heading with what follows up to the next one."""
    return tokenizer.count_each([text[start:end] for start, end in pairwise(_bounds(text, headings))])


def _bounds(text: str, headings: Sequence[Block]) -> list[int]:
    return [0, *(heading.start for heading in headings), len(text)]


def sections(text: str, headings: Sequence[Block], own_tokens: Sequence[int], limit: int) -> list[Section]:
    """Return the largest sections that fit the limit with all below them, and what is left between those; joined, they are the text."""
    bounds = _bounds(text, headings)
    before = [0, *accumulate(own_tokens)]  # up to the bound of the same number
    found = [Section(0, bounds[1], (), own_tokens[0])] if text[: bounds[1]].strip() or not headings else []
    at, first, trail = 0, 1 if found else 0, list[Block]()
    ends = _section_ends(headings)
    while at < len(headings):
        trail = [heading for heading in trail if heading.level < headings[at].level] + [headings[at]]
        stop = ends[at] if before[ends[at] + 1] - before[at + 1] <= limit else at + 1
        # A heading that has no text of its own, but sections below it, goes with the first of these.
        is_bare = stop < ends[at] and not text[headings[at].end : bounds[stop + 1]].strip()
        if not is_bare:
            path = tuple(title_of(text, heading) for heading in trail)
            tokens = before[stop + 1] - before[first]
            found.append(Section(bounds[first], bounds[stop + 1], path, tokens))
            first = stop + 1
        at = stop
    return found if len(found) <= MANY_SECTIONS else list(_joined(found, limit))


def _joined(found: Sequence[Section], limit: int) -> Iterator[Section]:
    """Yield sections, with neighbours of one parent, and a parent's own text with what stands below it, joined up to the limit."""
    group = found[0]
    for section in found[1:]:
        parent = section.path[:-1]
        is_related = bool(section.path) and parent in (group.path, group.path[:-1])
        if is_related and group.tokens + section.tokens <= limit:
            group = Section(group.start, section.end, parent, group.tokens + section.tokens)
        else:
            yield group
            group = section
    yield group


def _section_ends(headings: Sequence[Block]) -> list[int]:
    """Return, for each heading, the number of the next one that is not below it."""
    ends = [len(headings)] * len(headings)
    open_ones: list[int] = []
    for number, heading in enumerate(headings):
        while open_ones and headings[open_ones[-1]].level >= heading.level:
            ends[open_ones.pop()] = number
        open_ones.append(number)
    return ends
