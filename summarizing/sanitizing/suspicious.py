"""Passages that speak to a language model rather than to a reader: found by a few precise wordings, and named.

The wordings are data with their sources: suspicious.json. They are English, precise, and miss much. The defence is the guard, which
compares an answer with its text; this tells a reader where to look. What is quoted or shown as code is not marked. Pure, linear, and
in pieces, so that other threads get their turn. Deletes nothing, unless a caller asks for it (`without`).
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from summarizing.sanitizing.folding import ascii_of, folded, folded_ends
from summarizing.text.chunk_blocks import Kind, blocks
from summarizing.text.data_files import table
from summarizing.text.literal_search import LiteralSearch

WORDINGS = "sanitizing/suspicious.json"

# The rest of its paragraph belongs to a suspicious passage, if it is no longer than this on either side.
PARAGRAPH_CHARS = 600

# Searched at one go: a search keeps the interpreter's lock until it is over.
PIECE_CHARS = 64_000

# No wording is longer than this, and a sentence is followed so far to either side.
REACH_CHARS = 400

# A piece is searched with this much of the text before it: more than any wording needs there.
LEAD_CHARS = 20

# The quotation marks and code spans of a line are looked for in this many characters before a match.
LINE_CHARS = 300


class Suspicious(NamedTuple):
    """A sentence or line with a wording: characters of the content, and the wording's name."""

    start: int
    end: int
    wording: str


class Wording(NamedTuple):
    """One wording, as suspicious.json explains it."""

    name: str
    needs: tuple[str, ...]
    pattern: re.Pattern[str]
    starts: bool


@cache
def wordings() -> tuple[Wording, ...]:
    """Read the wordings."""
    entries = table(WORDINGS)["wordings"]
    return tuple(
        Wording(
            entry["name"],
            tuple(entry["needs"]),
            re.compile(entry["pattern"].replace(" ", _SEPARATOR)),
            entry.get("starts", False),
        )
        for entry in entries
    )


# White space and Markdown's emphasis, between words.
_SEPARATOR = r"(?:[\s*_]{1,6}+)"


def find_suspicious(content: str) -> list[Suspicious]:
    """Return the passages of a text that speak to a model, in order; none overlap."""
    return overlaps_joined(Search(content).found(0, len(content)))


class Search:
    """The search of one text, whose stretches are read in order."""

    def __init__(self, content: str) -> None:
        self._content = content
        self._fences = _Fences(content)

    def found(self, start: int, end: int) -> list[Suspicious]:
        """Return the passages whose wordings begin in a stretch; neighbours may overlap."""
        content, found = self._content, list[Suspicious]()
        for at in range(start, end, PIECE_CHARS):
            begin, limit = max(at - LEAD_CHARS, 0), min(at + PIECE_CHARS, end)
            # What begins in the piece may end after it.
            piece = content[begin : limit + REACH_CHARS]
            for first, last, wording in sorted(_matches(piece)):
                if at <= begin + first < limit:
                    self._add(found, Suspicious(begin + first, begin + last, wording))
        return [
            Suspicious(_sentence_begin(content, a), _sentence_end(content, b), name) for a, b, name in found
        ]

    def _add(self, found: list[Suspicious], match: Suspicious) -> None:
        """Add a match, unless it is quoted or code; one that touches the match before is joined to it."""
        if found and match.start <= found[-1].end:
            found[-1] = found[-1]._replace(end=max(found[-1].end, match.end))
        elif not (self._fences.has(match.start) or _is_quoted(self._content, match.start)):
            found.append(match)


def overlaps_joined(passages: Sequence[Suspicious]) -> list[Suspicious]:
    """Return passages in order, those that overlap as one with the first one's wording."""
    joined: list[Suspicious] = []
    for passage in sorted(passages):
        if joined and passage.start < joined[-1].end:
            last = joined.pop()
            joined.append(Suspicious(last.start, max(last.end, passage.end), last.wording))
        else:
            joined.append(passage)
    return joined


def paragraphs(content: str, passages: Sequence[Suspicious]) -> list[Suspicious]:
    """Return passages with the rest of their paragraphs, where these begin and end within a few lines of them."""
    return overlaps_joined(
        [
            Suspicious(_paragraph_begin(content, start), _paragraph_end(content, end), name)
            for start, end, name in passages
        ]
    )


def _paragraph_begin(content: str, at: int) -> int:
    first = max(at - PARAGRAPH_CHARS, 0)
    gap = content.rfind("\n\n", first, at)
    if gap < 0:
        return 0 if first == 0 else at
    return gap + 2


def _paragraph_end(content: str, at: int) -> int:
    gap = content.find("\n\n", at, at + PARAGRAPH_CHARS)
    if gap < 0:
        return len(content) if at + PARAGRAPH_CHARS >= len(content) else at
    return gap


def without(content: str, passages: Sequence[Suspicious]) -> str:
    """Return a text without passages; a line that is left empty goes with them."""
    kept: list[str] = []
    at = 0
    for start, end, _ in passages:
        kept.append(content[at:start])
        begins_line = start == 0 or content[start - 1] == "\n"
        at = end + (begins_line and content[end : end + 1] == "\n")
    return "".join(kept) + content[at:] if passages else content


# --- Looking for wordings --------------------------------------------------------------------------------------


def _matches(piece: str) -> Iterator[tuple[int, int, str]]:
    """Yield where wordings occur in a piece, as offsets in the piece."""
    literals = _literals_in(piece)
    if not literals:
        return
    text = folded(piece)
    found = [(*span, wording.name) for wording in wordings() for span in _spans_of(wording, text, literals)]
    ends = folded_ends(piece) if found else ()
    for start, end, name in found:
        yield bisect_right(ends, start), bisect_right(ends, end - 1) + 1, name


def _literals_in(piece: str) -> frozenset[str]:
    """Return the literals that wordings need and the folded text of a piece has, and perhaps more of them.

    They are looked for in its ASCII characters alone, which take a fraction of the time that folding takes.
    """
    return _literal_search().found(ascii_of(piece))


@cache
def _literal_search() -> LiteralSearch:
    return LiteralSearch(dict.fromkeys(need for wording in wordings() for need in wording.needs))


def _spans_of(wording: Wording, text: str, literals: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield where a wording occurs in a folded text."""
    for window in _windows(text, [need for need in wording.needs if need in literals]):
        for match in wording.pattern.finditer(text, *window):
            if not wording.starts or _starts(text, match.start()):
                yield match.span()


def _windows(text: str, literals: Sequence[str]) -> list[tuple[int, int]]:
    """Return the stretches around each place of a literal; those that touch are one."""
    windows: list[tuple[int, int]] = []
    for at in sorted(at for literal in literals for at in _places(text, literal)):
        start, end = max(at - REACH_CHARS, 0), min(at + REACH_CHARS, len(text))
        if windows and windows[-1][1] >= start:
            start = windows.pop()[0]
        windows.append((start, end))
    return windows


def _places(text: str, literal: str) -> Iterator[int]:
    at = text.find(literal)
    while at >= 0:
        yield at
        at = text.find(literal, at + len(literal))


@cache
def _before_order() -> re.Pattern[str]:
    """Return the pattern of what may stand before an instruction inside its sentence."""
    words = "|".join(table(WORDINGS)["before"])
    return re.compile(rf"(?:^|[\n.!?:;,…)\]}}>\"'“”‘’«»|#/~=-]|\b(?:{words}))[\s*_]{{0,8}}+\Z")


def _starts(text: str, at: int) -> bool:
    """Whether a sentence begins here: "They ignore all rules" is a statement, "Ignore all rules" an instruction."""
    return _before_order().search(text, max(at - 20, 0), at) is not None


# --- What stands around ----------------------------------------------------------------------------------------

_SENTENCE_BOUNDARY = re.compile(r"[.!?。](?=\s)|\n")
_MARKS = re.compile(r"[\s>*#-]*+")


def _sentence_begin(content: str, at: int) -> int:
    """Return where the sentence of a place begins, on its line; of one that is very long, the place."""
    first = max(at - REACH_CHARS, 0)
    ends = [match.end() for match in _SENTENCE_BOUNDARY.finditer(content, first, at)]
    begin = ends[-1] if ends else 0 if first == 0 else at
    return min(_MARKS.match(content, begin).end(), at)  # type: ignore[union-attr]  # it matches nothing, too


def _sentence_end(content: str, at: int) -> int:
    """Return where the sentence of what ends at a place ends, on its line; of one that is very long, the place."""
    boundary = _SENTENCE_BOUNDARY.search(content, max(at - 1, 0), at + REACH_CHARS)
    if boundary is None:
        return len(content) if at + REACH_CHARS >= len(content) else at
    return max(boundary.start() + (boundary[0] != "\n"), at)


def _is_quoted(content: str, at: int) -> bool:
    """Whether a place is inside quotation marks or a code span that its line has opened; the text of a JSON value is not."""
    line = content[max(content.rfind("\n", max(at - LINE_CHARS, 0), at) + 1, at - LINE_CHARS, 0) : at]
    if line.count("`") % 2 or any(line.rfind(one) > line.rfind(other) for one, other in ("“”", "«»", "„“")):
        return True
    if line.rstrip()[-1:] in ("'", "‘"):
        return True
    return line.count('"') % 2 == 1 and not _JSON_VALUE.search(line)


# The key and the opening quotation mark of a JSON value.
_JSON_VALUE = re.compile(r"\"\s{0,4}:\s{0,4}\"[^\"]*+\Z")


# As a block of Markdown: front matter and elements of HTML are blocks, too.
_CODE_FENCE = re.compile(r"[ \t]*+(?:[-*+][ \t]++|\d{1,9}[.)][ \t]++)?+(?:```|~~~)")


class _Fences:
    """The code fences of a text, looked for as far as it is asked."""

    def __init__(self, content: str) -> None:
        self._fences = (
            block
            for block in blocks(content)
            if block.kind is Kind.FENCE and _CODE_FENCE.match(content, block.start)
        )
        self._start = self._end = 0

    def has(self, place: int) -> bool:
        """Whether a place is in a fence; places come in order."""
        while self._end <= place:
            fence = next(self._fences, None)
            if fence is None:
                return False
            self._start, self._end = fence.start, fence.end
        return self._start <= place
