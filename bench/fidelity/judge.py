"""Says how good a summary is: which facts of the document it kept, and what it says that the document does not.

Pure, and without a word of the service: it reads with patterns of its own, so that the two cannot share a mistake.
"""

import re
from collections.abc import Sequence

from bench.fidelity.claims import Source, claims
from bench.fidelity.folding import fold, places
from bench.fidelity.gold import Document

# What says how much is left out ("[8 items and 20 members left out]") is about the summary: not a claim.
_LEFT_OUT = re.compile(r"\[\d+ (?:other )?[a-z]+(?: like this)?(?: and \d+ [a-z]+)? left out\]")

# From here on characters are not parted by spaces: a word may stand anywhere.
_FIRST_CJK = "\u2e80"


def recall(document: Document, summary: str) -> float:
    """Return the share of the facts asked for that the summary has; 1 where none were."""
    found = kept(document, summary)
    return sum(found) / len(found) if found else 1.0


def kept(document: Document, summary: str) -> list[bool]:
    """Say of each fact asked for whether all its parts stand together somewhere in the summary."""
    where = list(dict.fromkeys(places(summary)))
    return [_stands(fact.parts, where) for fact in document.gold]


def unsupported(document: Document, summary: str, invented: Sequence[str] = ()) -> list[str]:
    """Return what the summary says and the document does not: figures, dates, addresses, ids, names; lines known as invented."""
    source = Source(document.text, document.schema_hint)
    summary = _LEFT_OUT.sub("", summary)
    wrong = [claim.text for claim in claims(summary, document.language) if not source.supports(claim)]
    folded = fold(summary)
    return list(dict.fromkeys([*wrong, *(line for line in invented if fold(line) in folded)]))


def _stands(parts: Sequence[str], where: Sequence[str]) -> bool:
    folded = sorted(map(fold, parts), key=len, reverse=True)
    # A part that has but one spelling is looked for as it is first, which is many times faster than the pattern alone.
    plain = next((part for part in folded if not _THOUSANDS.search(part)), "")
    found = [place for place in where if plain in place]
    patterns = [_pattern(part) for part in folded] if found else []
    return any(all(pattern.search(place) for pattern in patterns) for place in found)


# A number that is written with marks between its thousands, or may be; the digits of an id are not.
_THOUSANDS = re.compile(r"(?<![\d.,])(?<![\w-]-)(?<!\w)(?:\d{1,3}(?:[,.' ]\d{3})+(?!\d)|\d{4,}(?!\d))")


def _pattern(part: str) -> re.Pattern[str]:
    """Return what finds a folded part as a whole: 3 is not in 30 nor in 3.5, 4.2 is not in 4.2.1; 30000 is in 30,000."""
    before = "" if part[0] >= _FIRST_CJK else r"(?<!\w)"
    behind = "" if part[-1] >= _FIRST_CJK else r"(?!\w)"
    if part[0].isdigit():
        before += r"(?<!\d[.,])"
    if part[-1].isdigit():
        behind += r"(?![.,]\d)"
    if any(map(str.isdigit, part)) and "-" in part:
        behind += r"(?!-\w)"
    pieces, at = [], 0
    for number in _THOUSANDS.finditer(part):
        pieces += [re.escape(part[at : number.start()]), _any_spelling(number[0])]
        at = number.end()
    return re.compile(before + "".join([*pieces, re.escape(part[at:])]) + behind)


def _any_spelling(number: str) -> str:
    digits = re.sub(r"\D", "", number)
    first = len(digits) % 3 or 3
    groups = [digits[:first], *(digits[at : at + 3] for at in range(first, len(digits), 3))]
    return "[,.' ]?".join(groups)
