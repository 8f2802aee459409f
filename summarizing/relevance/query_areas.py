"""A brief as what it asks for: each kind of thing, and what is to be told of each ("errors: code, cause").

Pure, in a few languages' words for "with" and "their". Refuses to know what a text says: that is summarizing/relevance/scoring.py's.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from summarizing.text.stemming import Stems, terms_of

# Words of a brief that say nothing about what is asked for.
FILLERS = (
    "the a an of and or for in on to with all any each every them they were was been their its is are be about from by "
    "as at that this which what how list extract includ such etc pleas information info detail data fact focu "
    "summary summariz only also other return json yaml der die das und oder von mit fur aller alle ihr ihre deren les des la le et "
    "ou du de leur avec pour los las el y con sus"
)

# What is not asked for has the same words as what is: "pods that are not Running".
NEGATED = re.compile(r"\b(?:not|non|without|except|nicht|ohne|sans)\s+(\w+)", re.IGNORECASE)

# Behind these something else is asked for.
_STATEMENT_END = re.compile(r"[;()\[\]{}\n|/\u2022\u3002]+")
_MARKS = ",:\u3001\uff0c\uff1a"
_PIECE_END = re.compile(rf"([{_MARKS}]\s*+(?:(?:and|und|et|y)\s)?|\s(?:and|und|et|y|&)\s)", re.IGNORECASE)
_COLONS = (":", "\uff1a")

# "and their weakness", "and how to migrate", "and the port they listen on": of what was named before.
_OF_IT = re.compile(
    r"(?:their|its|his|her|how|what|which|whom?|whose|when|where|why|ihre?n?|deren|dessen|wie|was|wer|wann|wo"
    r"|leurs?|ses|sus?|comment|quand|combien|cu\u00e1ndo|cu\u00e1nto)\b",
    re.IGNORECASE,
)
_THE = re.compile(r"(?:the|der|die|das|den|le|la|les|el|los|las)\s", re.IGNORECASE)

# After a colon stands what is to be told of one kind of thing, or a list of kinds: that is longer, or in the plural.
MAX_QUALITIES = 3
_PLURAL = re.compile(r"\w[^\W\dsui]s\s*$", re.IGNORECASE)


class _Piece(NamedTuple):
    """A part of a brief, and the mark or the word that leads to it."""

    led: str
    text: str

    @property
    def is_of_it(self) -> bool:
        """Whether it says what is to be told of what stands before it."""
        return _OF_IT.match(self.text) is not None


Terms = tuple[str, ...]


def areas_of(brief: str) -> dict[Terms, Terms]:
    """Return what a brief asks for, each area as its telling terms; with each the area it tells more of, () for none."""
    areas: dict[Terms, Terms] = {}
    for statement in _STATEMENT_END.split(NEGATED.sub("", brief)):
        parts = ["", *_PIECE_END.split(statement)]
        pieces = [
            _Piece(led.strip().casefold(), text.strip())
            for led, text in zip(parts[::2], parts[1::2], strict=True)
        ]
        subject: Terms = ()
        for piece, is_quality in zip(pieces, _qualities(pieces), strict=True):
            terms = _telling(piece.text)
            subject = subject if is_quality else ()
            if terms and (terms not in areas or not subject):
                areas[terms] = subject
            if not is_quality:
                subject = terms
    return areas


def _telling(text: str) -> Terms:
    fillers = set(FILLERS.split())
    return tuple(term for term in dict.fromkeys(terms_of(text, Stems())) if term not in fillers)


def _qualities(pieces: Sequence[_Piece]) -> Iterator[bool]:
    """Say of each piece whether it is what is to be told of one before it."""
    after_colon = 0
    for at, piece in enumerate(pieces):
        if piece.led.startswith(_COLONS):
            after_colon = _qualities_from(pieces, at)
        yield after_colon > 0 or _is_of_the_last(pieces, at)
        after_colon -= 1


def _qualities_from(pieces: Sequence[_Piece], start: int) -> int:
    """Return how many of the pieces after a colon are what is to be told of the one before it; 0 where they are a list."""

    def is_quality(at: int) -> bool:
        is_head = at + 1 < len(pieces) and pieces[at + 1].led.startswith(_COLONS)
        piece = pieces[at]
        return piece.is_of_it or _is_of_the_last(pieces, at) or not (is_head or _PLURAL.search(piece.text))

    number = sum(1 for _ in takewhile(is_quality, range(start, len(pieces))))
    return number if number <= MAX_QUALITIES else 0


def _is_of_the_last(pieces: Sequence[_Piece], at: int) -> bool:
    """Whether a piece tells of the one before: "and how to migrate", "and the votes" after what has no article.

    Questions in a row ("who leads, where, since when") ask for as many things.
    """
    if at == 0:
        return False
    piece, before = pieces[at], pieces[at - 1]
    if piece.is_of_it:
        return not pieces[0].is_of_it
    return piece.led not in _MARKS and bool(_THE.match(piece.text) and not _THE.match(before.text))
