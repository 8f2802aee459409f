"""Where the containers of a JSON text end, and whether a short stretch is one JSON value: each found in a few steps of compiled code.

Pure. Does not say what becomes of a container: reader.py does.
"""

import json
import re
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

# White space between signs (RFC 8259, section 2).
SPACE = r"[ \t\n\r]*+"
# Strings of what is looked at here may be open at the end of the text, which keeps the patterns linear.
STRING = r'"(?:[^"\\]++|\\.)*+"?+'
# A comment in JSON5 and JSONC, but for its end.
COMMENT = r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+"
_BRACKETS = re.compile(
    rf'(?:[^\[\]{{}}"]++|{STRING}){{0,99}}+(?:(?P<opening>[\[{{]++)|(?P<closing>[\]}}]++)|(?<=.))', re.DOTALL
)
_INK = re.compile(rf'(?:[^ \t\n\r"]++|{STRING}){{1,99}}+', re.DOTALL)
_ANY_SPACE = re.compile(r"[ \t\n\r]")

# The interpreter reads about as many containers within each other as this; a text of fewer characters has no more.
SURE_NESTING = 400

# So many levels apart, a container that nests at least half as deep itself is read by itself.
_LEVELS = 200
_HALF = _LEVELS // 2


class Brackets(NamedTuple):
    """The brackets of a text, those in strings aside."""

    closings: "array[int]"
    """Of each opening bracket the place after its closing one, 0 of what has none and of any other sign."""
    depth: int
    """How deep they nest."""
    ends: AbstractSet[int]
    """The places after the outermost containers."""
    cuts: Sequence[int]
    """The opening brackets of some containers, so few levels apart that the interpreter reads what stands between them."""
    is_cut_off: bool
    """Whether a container has no end."""


def brackets_of(text: str) -> Brackets:
    """Return where the containers of a text end."""
    deepest, ends, cuts = 0, set[int](), dict[int, None]()
    places = array("i", bytes(4 * len(text)))
    open_ones: list[int] = []
    for found in _BRACKETS.finditer(text):
        if found["opening"]:
            above = len(open_ones)
            open_ones += range(*found.span("opening"))
            deepest = max(deepest, len(open_ones))
            if len(open_ones) >= _HALF:
                reached = range(above + 1 + (_HALF - above - 1) % _LEVELS, len(open_ones) + 1, _LEVELS)
                cuts.update(dict.fromkeys(open_ones[depth - _HALF] for depth in reached))
        elif found["closing"]:
            first, last = found.span("closing")
            for end in range(first + 1, min(last, first + len(open_ones)) + 1):
                places[open_ones.pop()] = end
            if not open_ones:
                ends.add(last)
    return Brackets(places, deepest, ends, list(cuts), is_cut_off=bool(open_ones))


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


def is_json(text: str, brackets: Brackets, start: int) -> bool:
    """Whether a container that begins at a place, and is closed, is JSON, however deep it nests."""
    first, last = (bisect_left(brackets.cuts, place) for place in (start + 1, brackets.closings[start]))
    read: list[tuple[int, int]] = []
    """The containers that were read and in none of those, from the last to the first."""
    for cut in (*reversed(brackets.cuts[first:last]), start):
        at, end, parts = cut, brackets.closings[cut], list[str]()
        while read and read[-1][0] < end:
            opening, closing = read.pop()
            parts += [text[at:opening], "0"]
            at = closing
        if first_slip("".join([*parts, text[at:end]])) is not None:
            return False
        read.append((cut, end))
    return True


_DECODER = json.JSONDecoder()
