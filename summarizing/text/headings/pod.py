"""Perl's documentation (perlpod): the terms of its lists stand over their descriptions, until the next term or the end of the list.

Its headings are read in marked.py with those of other signs. Pure; linear in the lines.
"""

import re
from collections.abc import Sequence

from summarizing.text.headings.candidates import (
    MAX_HEADING_CHARS,
    UNSTATED,
    Candidate,
    Look,
    end_of_paragraph,
)
from summarizing.text.lines import Line

_COMMAND = re.compile(r"=(head|over|item|back)\w*+[ \t]*+")
# An item with a bullet or a number, or with nothing, is no term.
_TERM = re.compile(r"(?!\*|\d{1,4}\.?(?:\s|\Z))\S")
# Headings have up to six levels.
_OUTERMOST = 7
_LOOK: Look = ("pod",)


def terms_of_pod(lines: Sequence[Line], opaque: bytearray) -> list[Candidate]:
    """Return the terms as headings, and the ends of their lists: what comes next describes none of them."""
    found: list[Candidate] = []
    has_terms: list[bool] = []
    for number, line in enumerate(lines):
        is_command = line.text[0] == "=" and line.gap and not (line.indent or opaque[number])
        command = _COMMAND.match(line.text) if is_command else None
        if command is None:
            continue
        level = min(_OUTERMOST + max(0, len(has_terms) - 1), UNSTATED - 1)
        if command[1] == "head":
            has_terms.clear()
        elif command[1] == "over":
            has_terms.append(False)
        elif command[1] == "item" and has_terms and _TERM.match(line.text, command.end()):
            has_terms[-1] = True
            last = end_of_paragraph(lines, number)
            # A term of which nothing is said tells something by itself.
            is_bare = last + 1 == len(lines) or _COMMAND.match(lines[last + 1].text) is not None
            is_statement = is_bare or last > number or line.length > MAX_HEADING_CHARS
            found.append(Candidate(number, last, number, level, _LOOK, is_statement=is_statement))
        elif command[1] == "back" and has_terms and has_terms.pop():
            found.append(Candidate(number, number, number, level, _LOOK))
    return found
