"""The numbers of a query as a text writes them: 2,024 where the text has 2024, and the other way round.

Pure; linear in the text. Does not compare other values: summarizing/facts does.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

# A text is read so much at a time, for less than two milliseconds: other threads wait while it is. Stretches overlap by more than a word.
STRETCH_CHARS = 50_000
OVERLAP_CHARS = 200

# A whole number, with marks between its thousands or without them.
_NUMBER = re.compile(r"(?<!\d)(?:\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3}){1,6}|\d{4,21})(?!\d)")


def numbers_as_in(text: str, query: str) -> str:
    """Return a query with those of its numbers that a text has only with marks between their thousands, or only without, written so."""
    return with_numbers(query, numbers_in(text, query))


def numbers_in(text: str, query: str) -> dict[str, str]:
    """Return those numbers of a query that a text has only with marks between their thousands, or only without: as the text has them."""
    asked = set(_NUMBER.findall(query))
    sought = set(map(_digits, asked))
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for stretch in stretches(text) if sought else ():
        for number in _NUMBER.findall(stretch):
            if (digits := _digits(number)) in sought:
                found[digits][number] = None
    written = {number: _as_one_of(found[_digits(number)], number) for number in asked}
    return {number: other for number, other in written.items() if other != number}


def with_numbers(query: str, written: Mapping[str, str]) -> str:
    """Return a query with its numbers written otherwise."""
    return _NUMBER.sub(lambda match: written.get(match[0], match[0]), query) if written else query


def stretches(text: str) -> Iterator[str]:
    """Yield a text in stretches that overlap."""
    return (text[at : at + STRETCH_CHARS + OVERLAP_CHARS] for at in range(0, len(text), STRETCH_CHARS))


def _digits(number: str) -> str:
    return "".join(filter(str.isdecimal, number))


def _as_one_of(written: Collection[str], number: str) -> str:
    """Return a number as it is if one of those that are written has marks where it has them; else the first of these."""
    if any(other.isdecimal() is number.isdecimal() for other in written):
        return number
    return next(iter(written), number)
