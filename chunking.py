"""Text to chunks that a model can read one at a time: by structure, or by a fixed number of tokens.

A pure algorithm. It knows nothing of models, requests or tiktoken: the token counter is an argument.
summarizing/text/chunk_blocks.py finds the structure, summarizing/text/chunk_atoms.py the places where it may be cut and how good each
is, summarizing/text/language/graphemes.py where a grapheme ends.

Laws, for both strategies (tests/test_chunking.py holds them on arbitrary text):

- the chunks' texts, joined, are the content: nothing is lost, doubled or reordered;
- no chunk, with what it repeats from before (its lead), is over the limit;
- no grapheme is cut: no emoji, no accent from its letter;
- a block (fence, table, list, paragraph) is cut only when it alone exceeds the limit, or, where a number of chunks is asked for, the
  smaller size that makes so many chunks even.

Top to bottom: `measure` finds the structure and counts it in one pass, `pack` joins what it counted into
chunks of even size. `by_tokens` is the other strategy.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Protocol

from summarizing.text.chunk_atoms import Atom, Cut, adds_up, atoms_of
from summarizing.text.chunk_blocks import Block, Kind, blocks, table_head, title_of
from summarizing.text.language.graphemes import last_grapheme_boundary

# A character is at most four UTF-8 bytes, so at most four tokens: eight leave room for a lead.
MIN_LIMIT_TOKENS = 8

# Larger pieces only make the packing coarser, and it is even within a few per cent at this size.
MAX_ATOM_CHARS = 1_000

# A head row or overlap above this share of a chunk is worth less than the text that it displaces.
MAX_LEAD_SHARE = 1 / 4

# A longer lead is always over that share, and counting it for each chunk would take quadratic time.
MAX_LEAD_CHARS_PER_TOKEN = 4

# A chunk may be this much larger or smaller than the even size to end at a better place.
PACKING_SLACK = 0.25

# A cut inside a word or between two ideographs adds one token or two to the sum, rarely more.
MAX_CUT_TOKENS = 4

CountEach = Callable[[Sequence[str]], list[int]]


class ChunkTokenizer(Protocol):
    """The part of a tokenizer that chunking uses: `Tokenizer` (summarizing/text/tokenizer.py) has it."""

    def count_each(self, texts: Sequence[str], /) -> list[int]:
        """Return the number of tokens of each text."""
        ...

    def starts(self, text: str, /) -> list[int]:
        """Return, for each token of the text, the offset of the character it starts at."""
        ...


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece of the content.

    `text` is `content[start:end]`. `lead` is repeated from earlier so that the text makes sense alone: an open
    fence's first line, a table's head rows, or the overlap. `breadcrumb` holds the titles of the headings above
    the start, outermost first. `tokens` counts lead and text together.
    """

    text: str
    start: int
    end: int
    lead: str
    breadcrumb: tuple[str, ...]
    tokens: int


# --- Measure ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Layout:
    """A content's structure with its tokens counted: all that packing needs.

    `ends[i]` is the number of tokens up to and with atom i. Counts of atoms add up to the count of the whole where atoms
    end at a place where a vocabulary like cl100k_base always starts a new token: behind a line end, before a space.
    A stretch longer than an atom may have neither: there the sum is an estimate, and `pack` counts such chunks again.
    """

    content: str
    limit: int
    blocks: list[Block]
    atoms: list[Atom]
    ends: list[int]

    @property
    def tokens(self) -> int:
        """The content's number of tokens."""
        return self.ends[-1] if self.ends else 0


def measure(content: str, limit: int, count_each: CountEach) -> Layout:
    """Find the content's structure and count its tokens, in one pass.

    `limit` is the chunk size, in the units that `count_each` counts. Raises ValueError where it is under MIN_LIMIT_TOKENS.
    """
    _check_limit(limit)
    # A character has at most four tokens, so an atom has at most half of the limit.
    atom_chars = min(limit // 8, MAX_ATOM_CHARS)
    found = list(blocks(content))
    atoms = list(atoms_of(content, found, atom_chars))
    counts = count_each([content[atom.start : atom.end] for atom in atoms])
    atoms, counts = _rejoin_estimated_blocks(content, limit, atoms, counts, count_each)
    return Layout(content, limit, found, atoms, list(accumulate(counts)))


def _check_limit(limit: int) -> None:
    if limit < MIN_LIMIT_TOKENS:
        raise ValueError(f"chunk size: expected at least {MIN_LIMIT_TOKENS} tokens, got {limit}")


def _rejoin_estimated_blocks(
    text: str, limit: int, atoms: list[Atom], counts: list[int], count_each: CountEach
) -> tuple[list[Atom], list[int]]:
    """Make one atom of each block that is over the limit by its estimate alone, and within it when counted as a whole."""
    estimated = {atom.block for atom in atoms if not adds_up(text, atom)}
    if not estimated:
        return atoms, counts
    kept: list[tuple[Atom, int]] = []
    for block, group in groupby(zip(atoms, counts, strict=True), key=lambda pair: pair[0].block):
        pieces = list(group)
        tokens = sum(count for _, count in pieces)
        if block in estimated and limit < tokens <= limit + MAX_CUT_TOKENS * len(pieces):
            whole = pieces[0][0]._replace(end=pieces[-1][0].end)
            tokens = count_each([text[whole.start : whole.end]])[0]
            if tokens <= limit:
                pieces = [(whole, tokens)]
        kept += pieces
    return [atom for atom, _ in kept], [count for _, count in kept]


# --- Pack ------------------------------------------------------------------------------------------------------


def pack(layout: Layout, overlap: int, count_each: CountEach, wanted: int = 1) -> list[Chunk]:
    """Join the atoms into chunks of even size that begin at good places: about `wanted` of them.

    No chunk is over `even_limit`, unless an atom alone is. `overlap` is in tokens, for chunks of the layout's limit; smaller ones
    repeat less. Only a chunk that begins inside a paragraph repeats any; elsewhere the breadcrumb says what came before.
    """
    packer = _Packer(layout, overlap, count_each, even_limit(layout, wanted))
    chunks: list[Chunk] = []
    first = 0
    while first < len(layout.atoms):
        chunk, first = packer.chunk_from(first, wanted - len(chunks))
        chunks.append(chunk)
    return chunks


def even_limit(layout: Layout, wanted: int) -> int:
    """Return how large a chunk may be, in tokens, if `wanted` chunks are to be even: the answer to the largest comes last."""
    even = layout.tokens / max(wanted, 1)
    return max(MIN_LIMIT_TOKENS, min(layout.limit, int(even * (1 + PACKING_SLACK))))


class _Packer:
    """Packs the atoms of one layout; holds the sums and lookups that every chunk needs."""

    def __init__(self, layout: Layout, overlap: int, count_each: CountEach, limit: int) -> None:
        """`limit` is that of these chunks, in tokens; the layout's or less."""
        self._layout = layout
        self._limit = limit
        self._overlap = min(overlap * limit // layout.limit, int(limit * MAX_LEAD_SHARE))
        self._count_each = count_each
        self._before = [0, *layout.ends]
        self._cuts = [*self._allowed_cuts(), Cut.BLOCK]
        self._estimated = [
            index for index, atom in enumerate(layout.atoms) if not adds_up(layout.content, atom)
        ]
        self._trail: list[Block] = []
        self._blocks_read = 0
        self._table_heads: dict[int, str] = {}

    def _allowed_cuts(self) -> Iterator[int]:
        """Yield each atom's cut; inside a block that fits a chunk whole, never."""
        spans: dict[int, int] = {}
        for index, atom in enumerate(self._layout.atoms):
            spans[atom.block] = spans.get(atom.block, 0) + self._before[index + 1] - self._before[index]
        block = -1
        for atom in self._layout.atoms:
            inside = atom.block == block
            yield Cut.NEVER if inside and spans[block] <= self._limit else atom.cut
            block = atom.block

    def chunk_from(self, first: int, wanted: int) -> tuple[Chunk, int]:
        """Return the chunk that begins with an atom, and the atom after it; `wanted` chunks are to come, with this one."""
        layout = self._layout
        start = layout.atoms[first].start
        lead = self._lead(first)
        if len(lead) > self._limit * MAX_LEAD_CHARS_PER_TOKEN:
            lead = ""
        lead_tokens = self._tokens_of_lead(lead, first) if lead else 0
        if lead_tokens > self._limit * MAX_LEAD_SHARE:
            lead, lead_tokens = "", 0
        stop = self._best_stop(first, self._limit - lead_tokens, wanted)
        tokens = lead_tokens + self._before[stop] - self._before[first]
        if bisect_right(self._estimated, first) < bisect_left(self._estimated, stop):
            stop, tokens = self._recount(first, stop, lead)
        end = layout.atoms[stop - 1].end
        return Chunk(layout.content[start:end], start, end, lead, self._breadcrumb(first), tokens), stop

    def _best_stop(self, first: int, room: int, wanted: int) -> int:
        """Return the atom before which the chunk ends: near the even size, at the best place."""
        before, base = self._before, self._before[first]
        remaining = before[-1] - base
        number = max(wanted, -(-remaining // room))
        if number <= 1:
            return len(self._cuts) - 1
        even = remaining / number
        # What does not fit into the later chunks must be in this one, unless there are more chunks than wanted anyway.
        least = remaining - (number - 1) * room if number == wanted else 0
        low = bisect_left(before, base + max(even * (1 - PACKING_SLACK), least), lo=first + 1)
        high = bisect_right(before, base + min(even * (1 + PACKING_SLACK), room), lo=first + 1)
        candidates = [stop for stop in range(low, high) if self._cuts[stop] != Cut.NEVER]
        if candidates:
            # One step of Cut (a heading one level higher, a sentence end instead of a word's) outweighs a tenth of the even size.
            return min(
                candidates, key=lambda stop: self._cuts[stop] / 10 + abs(before[stop] - base - even) / even
            )
        return self._last_stop(first, bisect_right(before, base + room, lo=first + 1) - 1)

    def _last_stop(self, first: int, stop: int) -> int:
        """Return the last allowed stop up to `stop`; where there is none, `stop`."""
        return next(
            (at for at in range(stop, first, -1) if self._cuts[at] != Cut.NEVER), max(stop, first + 1)
        )

    def _recount(self, first: int, stop: int, lead: str) -> tuple[int, int]:
        """Count a chunk whose sum is an estimate, and shorten it while it is over the limit."""
        layout = self._layout
        start = layout.atoms[first].start
        while True:
            tokens = self._count_each([lead + layout.content[start : layout.atoms[stop - 1].end]])[0]
            if tokens <= self._limit or stop == first + 1:
                return stop, tokens
            without_excess = bisect_right(self._before, self._before[stop] - (tokens - self._limit)) - 1
            stop = self._last_stop(first, min(stop - 1, without_excess))

    def _lead(self, first: int) -> str:
        """Return what a chunk that begins inside a block repeats from the block's beginning or from just before."""
        layout = self._layout
        atom = layout.atoms[first]
        block = layout.blocks[atom.block]
        if atom.start == block.start:
            return ""
        if block.kind is Kind.FENCE:
            return layout.content[block.start : layout.content.find("\n", block.start) + 1]
        if atom.block not in self._table_heads:
            self._table_heads[atom.block] = table_head(layout.content, block)
        overlap = self._overlap_before(first) if atom.cut >= Cut.SENTENCE else ""
        return self._table_heads[atom.block] or overlap

    def _tokens_of_lead(self, lead: str, first: int) -> int:
        """Count what a lead adds. Counted with the atom behind it: the two may share a token."""
        atom = self._layout.atoms[first]
        together = self._count_each([lead + self._layout.content[atom.start : atom.end]])[0]
        return together - (self._before[first + 1] - self._before[first])

    def _overlap_before(self, first: int) -> str:
        layout = self._layout
        atom = layout.atoms[first]
        earliest = bisect_left(self._before, self._before[first] - self._overlap)
        while layout.atoms[earliest].block != atom.block:
            earliest += 1
        return layout.content[layout.atoms[earliest].start : atom.start]

    def _breadcrumb(self, first: int) -> tuple[str, ...]:
        """Return the titles above an atom. Chunks come in order, so each heading is read once."""
        layout = self._layout
        atom = layout.atoms[first]
        while self._blocks_read < atom.block:
            block = layout.blocks[self._blocks_read]
            if block.kind is Kind.HEADING:
                self._leave_level(block.level)
                self._trail.append(block)
            self._blocks_read += 1
        if layout.blocks[atom.block].kind is Kind.HEADING:
            self._leave_level(layout.blocks[atom.block].level)
        return tuple(title_of(layout.content, heading) for heading in self._trail)

    def _leave_level(self, level: int) -> None:
        while self._trail and self._trail[-1].level >= level:
            self._trail.pop()


# --- The token strategy ----------------------------------------------------------------------------------------


def by_tokens(content: str, limit: int, overlap: int, tokenizer: ChunkTokenizer) -> list[Chunk]:
    """Cut a content every `limit` tokens, each chunk repeating the last `overlap` tokens before it.

    Structure is not looked at and breadcrumbs are empty. Raises ValueError where the overlap is not smaller than the
    limit (the cut would never advance) or the limit is under MIN_LIMIT_TOKENS.
    """
    _check_limit(limit)
    if not 0 <= overlap < limit:
        raise ValueError(
            f"chunk overlap: expected 0 to {limit - 1} tokens (under the chunk size), got {overlap}"
        )
    starts = [*tokenizer.starts(content), len(content)]
    chunks: list[Chunk] = []
    begin = 0
    while begin < len(content):
        chunks.append(_chunk_of_tokens(content, starts, begin, tokenizer, limit=limit, overlap=overlap))
        begin = chunks[-1].end
    return chunks


def _chunk_of_tokens(
    content: str, starts: list[int], begin: int, tokenizer: ChunkTokenizer, *, limit: int, overlap: int
) -> Chunk:
    """Return the chunk whose own text begins at character `begin`. `starts` ends with the content's length."""
    at = bisect_right(starts, begin) - 1
    overlap = min(overlap, at)
    stop = min(at - overlap + limit, len(starts) - 1)
    while True:
        end = (
            starts[stop]
            if starts[stop] == len(content)
            else last_grapheme_boundary(content, begin, starts[stop])
        )
        lead = content[starts[at - overlap] : begin]
        tokens = tokenizer.count_each([lead + content[begin:end]])[0]
        excess = tokens - limit
        if excess <= 0 or (stop == at + 1 and overlap == 0):
            return Chunk(content[begin:end], begin, end, lead, (), tokens)
        # A substring may have a few tokens more than it had in its context: shorten the text first, then the lead.
        given = min(excess, stop - at - 1)
        stop -= given
        overlap = max(0, overlap - (excess - given))
