"""Here-documents of scripts and of files that build images: `<<EOF` up to a line that is EOF (POSIX.1, Shell Command Language, 2.7.4).

Pure; finds where they end. How they are read stands in source_code.py.
"""

import re
from collections.abc import Iterator, Sequence

from summarizing.text.lines import Line

_OPENING = re.compile(r"(?<!<)<<[-~]? ?([\"'\\]?)([A-Za-z_]\w{0,40}+)")
# The word that ends one is looked for in so many lines.
_MAX_LINES = 200


def end_of_here_document(lines: Sequence[Line], number: int) -> int:
    """Return the line that ends the last here-document that a line begins; the line itself where it begins none."""
    words = (
        [found[2] for found in _OPENING.finditer(lines[number].text)] if "<<" in lines[number].text else ()
    )
    if not words:
        return number
    later = range(number + 1, min(number + _MAX_LINES, len(lines)))
    return next((at for at in later if lines[at].text == words[-1]), number)


def outside_of_here_documents(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines that stand in no here-document."""
    end = -1
    for number, line in enumerate(lines):
        if number > end:
            end = end_of_here_document(lines, number)
            yield line
