"""Perl's documentation, POD: which lines are commands to its formatter (perlpod, "Command Paragraph").

Titles ("=head1 NAME") are read in marked_headings.py. Pure; reads pages of documentation alone: in a program POD is a comment.
"""

import re
from collections.abc import Sequence

from summarizing.text.lines import Line

_COMMAND = re.compile(r"=(?:pod|head[1-6]|encoding|over|item|begin|for)\b")
# A list begins or ends; a list's sign that stands alone, a paragraph of another format.
_SIGN = re.compile(r"=(?:(?:pod|encoding|over|back|cut|begin|end|for)\b|item[ \t]{1,9}(?:\*|\d{1,4}\.?)\Z)")


def is_pod(lines: Sequence[Line]) -> bool:
    """Whether a text is a page of POD, which begins with a command."""
    return bool(lines) and _COMMAND.match(lines[0].text) is not None


def is_sign(line: Line) -> bool:
    """Whether a line shows nothing: it tells the formatter where a list begins or ends, or what the page is written in."""
    return line.text[0] == "=" and _SIGN.match(line.text) is not None


def verbatim(lines: Sequence[Line]) -> dict[int, int]:
    """Return the first and last line of each example: paragraphs whose first line is indented (perlpod, "Verbatim Paragraph")."""
    found: dict[int, int] = {}
    first = -1
    for number, line in enumerate(lines):
        if line.gap:
            first = (number if first < 0 else first) if line.indent else -1
        if first >= 0:
            found[first] = number
    return found
