"""Which lines of a source are code: those between fences of Markdown, and in blocks of AsciiDoc.

Independent of the service's own parser on purpose, since that one is judged by this. Pure; marks the lines it is given.
"""

import re
from collections.abc import Sequence

from bench.real_texts.source_layout.source_lines import (
    MOST_TITLE_LINES,
    Line,
    columns,
    is_as_long,
    is_wide_rule,
)

LONGEST_LISTING_LINES = 200
SHORTEST_FENCE = 3

FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^`]*$")
_LISTING = re.compile(r"^(?:-{4,}|\.{4,})$")
# Of one with a label above it.
_EXAMPLE = re.compile(r"^={4,}$")
_ATTRIBUTES = re.compile(r"^\[[^\[\]]*\]$")
_ADMONITION = re.compile(r"^\[(?:NOTE|TIP|IMPORTANT|CAUTION|WARNING)\]$")


def mark_code(lines: Sequence[Line]) -> None:
    fence = ""
    before = ""
    for number, line in enumerate(lines):
        text = line.text.strip()
        if fence:
            line.is_code = True
            if text.startswith(fence) and not text.strip(fence[0]):
                fence = ""
        elif (begins := FENCE.match(line.text)) and not (
            not text.strip(text[0])
            and (is_as_long(before, text) or len(text) > columns(before) > 0)
            and len(text) > (SHORTEST_FENCE if columns(before) != len(text) else 0)
        ):
            fence = begins[1]
            line.is_code = True
        elif _begins_listing(lines, number, before):
            fence = text
            line.is_code = True
            lines[number - 1].is_code |= _ADMONITION.match(before) is not None
        before = text


def _begins_listing(lines: Sequence[Line], number: int, before: str) -> bool:
    """Whether a line of signs begins a block of AsciiDoc that ends anywhere; else it is a rule. One of 50 signs or more is a rule, too, but around commands."""
    text = lines[number].text
    behind = lines[number + 1].text.strip() if number + 1 < len(lines) else ""
    end = _recurrence(lines, number)
    if not end or not (_LISTING.match(text) or (_EXAMPLE.match(text) and _ATTRIBUTES.match(before))):
        return False
    if end == number + 2 and behind and lines[number + 1].text[0] == " " and is_as_long(behind, text):
        return False  # a centred title
    if is_wide_rule(text) and before != "+" and not _is_around(lines, number, end):
        return False
    is_labelled = before == "+" or (
        _ATTRIBUTES.match(before) and (_ADMONITION.match(before) or not is_as_long(before, text.strip()))
    )
    return bool(is_labelled) or (before == "" and behind != "")


def _is_around(lines: Sequence[Line], first: int, last: int) -> bool:
    """Whether two rules stand directly around lines, and apart from all others: no title, which has few lines and no end of a command."""
    inside = lines[first + 1 : last]
    is_apart = last + 1 == len(lines) or lines[last + 1].text.strip() in {"", "+"}
    is_close = bool(inside) and bool(inside[0].text.strip()) and bool(inside[-1].text.strip())
    return is_apart and is_close and (len(inside) > MOST_TITLE_LINES or inside[-1].text.rstrip()[-1] in ";{}")


def _recurrence(lines: Sequence[Line], number: int) -> int:
    """Return the number of the next line that says the same; 0 where it is far or there is none."""
    later = range(number + 1, min(number + LONGEST_LISTING_LINES, len(lines)))
    return next((at for at in later if lines[at].text == lines[number].text), 0)
