"""Long stretches to sentences and pieces: finds where a text may be cut so that each part can be read alone.

Pure functions from a span to spans, which together are the span without the white space between them. Refuses to know
what a stretch is (paragraph, row, data): chunking.py and the guard cut with it, summarizing/text/sentence_spans.py parses with rules of its own.
"""

import re
from collections.abc import Iterator

# A run longer than any sentence is cut into pieces of at least this many characters.
MAX_WHOLE_CHARS = 320

# Longer than any sentence that is meant to be read; what is longer is cut at commas and words.
MAX_SENTENCE_CHARS = 600

# subtle: without the look behind, a run of a million full stops would be tried from each of them.
_SENTENCE_END = re.compile(
    r"(?<![.!?\u2026])[.!?\u2026]++[\"'\u201d\u2019)\]*_]*+(?=\s)"
    r"|[\u3002\uff01\uff1f\uff61]++[\u300d\u300f\u201d\uff09]*+"
)
_ENDS = tuple(".!?\u2026\u3002\uff01\uff1f\uff61")
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|e\.g|i\.e|z\.B|u\.a|d\.h|p\.ex|etc|vs|cf|ca|approx|Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|No|Nr|"
    r"Fig|Sec|Vol|vol|bzw|Bd|Hr|Fr|Mme|Mlle|Inc|Ltd|Co|Corp|Gen|Col|Capt|Lt|Rev|Hon|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec))\Z"
)
_ORDINAL_DATE = re.compile(r"\s(?:Jan|Feb|M\u00e4r|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)")
_BREAKS = (
    re.compile(r".*[;\u3001\uff0c,](?=\s|[^\x00-\u02ff])", re.DOTALL),
    re.compile(r".*\S(?=\s)", re.DOTALL),
)
_SPACE = re.compile(r"\s*+")


def sentences(content: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences of a stretch, without the white space between them."""
    at = start
    for mark in _SENTENCE_END.finditer(content, start, end):
        if _ends_sentence(content, mark):
            yield from _pieces(content, at, mark.end())
            at = mark.end()
    yield from _pieces(content, at, end)


def _ends_sentence(content: str, mark: re.Match[str]) -> bool:
    if content[mark.start()] != ".":
        return True
    behind = content[mark.end() : mark.end() + 6]
    if behind.lstrip()[:1].islower():
        return False
    before = content[max(mark.start() - 8, 0) : mark.start()]
    if before[-1:].isdigit():
        return not _ORDINAL_DATE.match(behind)
    return not _ABBREVIATION.search(before)


def is_sentence_end(text: str) -> bool:
    """Whether a text ends as a sentence does."""
    return text.rstrip("\"'\u201d\u2019)]*_\u300d\u300f\uff09").endswith(_ENDS)


def _pieces(content: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a stretch without white space around it; a long one is cut at commas, words or characters."""
    while start < end:
        start = after_space(content, start, end)
        stop = end
        if end - start > MAX_SENTENCE_CHARS:
            found = (
                pattern.match(content, start + MAX_WHOLE_CHARS, start + MAX_SENTENCE_CHARS)
                for pattern in _BREAKS
            )
            stop = next((match.end() for match in found if match), start + MAX_SENTENCE_CHARS)
        length = len(content[start:stop].rstrip())
        if length:
            yield start, start + length
        start = stop


def after_space(content: str, start: int, end: int) -> int:
    """Return where the white space at the start of a span ends."""
    space = _SPACE.match(content, start, end)
    return space.end() if space else start
