"""Where the containers of a JSON text end, and whether a short stretch is one JSON value: each found in a few steps of compiled code.

Pure. Does not say what becomes of a container: reader.py does.
"""

import json
import re
from array import array
from collections.abc import Set as AbstractSet
from typing import NamedTuple

# Strings of what is looked at here may be open at the end of the text, which keeps the patterns linear.
STRING = r'"(?:[^"\\]++|\\.)*+"?+'
_BRACKETS = re.compile(
    rf'(?:[^\[\]{{}}"]++|{STRING}){{0,99}}+(?:(?P<opening>[\[{{]++)|(?P<closing>[\]}}]++)|(?<=.))', re.DOTALL
)
_INK = re.compile(rf'(?:[^ \t\n\r"]++|{STRING}){{1,99}}+', re.DOTALL)
_ANY_SPACE = re.compile(r"[ \t\n\r]")

# The interpreter reads about as many containers within each other as this; a text of fewer characters has no more.
SURE_NESTING = 400


class Brackets(NamedTuple):
    """The brackets of a text, those in strings aside."""

    closings: "array[int]"
    """Of each opening bracket the place after its closing one, 0 of what has none and of any other sign."""
    depth: int
    """How deep they nest."""
    ends: AbstractSet[int]
    """The places after the outermost containers."""


def brackets_of(text: str) -> Brackets:
    """Return where the containers of a text end."""
    deepest, ends = 0, set[int]()
    places = array("i", bytes(4 * len(text)))
    open_ones: list[int] = []
    for found in _BRACKETS.finditer(text):
        if found["opening"]:
            open_ones += range(*found.span("opening"))
            deepest = max(deepest, len(open_ones))
        elif found["closing"]:
            first, last = found.span("closing")
            for end in range(first + 1, min(last, first + len(open_ones)) + 1):
                places[open_ones.pop()] = end
            if not open_ones:
                ends.add(last)
    return Brackets(places, deepest, ends)


def without_space(text: str) -> str:
    """Return JSON without the white space between its signs."""
    return "".join(_INK.findall(text)) if _ANY_SPACE.search(text) else text


def ink_of(text: str) -> int:
    """Return how many characters JSON has without the white space between its signs."""
    return len(without_space(text)) if '"' in text else len(text) - sum(map(text.count, " \t\n\r"))


def first_slip(text: str) -> int | None:
    """Return a place in a text that is no JSON value, at which or soon after which a reader gets stuck; None of one that is JSON."""
    try:
        _, end = _DECODER.raw_decode(text)
    except json.JSONDecodeError as error:
        return min(error.pos, len(text) - 1)
    except (ValueError, RecursionError):
        return min(SURE_NESTING, len(text) - 1)
    return None if end == len(text) else end


def _refused(constant: str) -> None:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_constant=_refused)
