"""Titles between equals signs, over texts that were joined to one: "===== name =====".

Independent of the service's own parser on purpose, since that one is judged by this. Pure; marks the lines it is given.
"""

import re
from collections.abc import Sequence

from bench.real_texts.source_layout.source_lines import Line

_BETWEEN = re.compile(r"^(={3,})\s+\S.*\s\1$")
_LEAST = 2


def mark_joined_files(lines: Sequence[Line]) -> None:
    """Put titles between so many equals signs above all others, where no other titles begin with such signs."""
    signed = [line for line in lines if line.heading and line.text.startswith("=")]
    found = [line for line in signed if _BETWEEN.match(line.text)]
    signs = {line.text.split()[0] for line in signed}
    if len(found) < _LEAST or len(found) < len(signed) or len(signs) > 1:
        return
    for line in lines:
        line.heading += line.heading > 0
    for line in found:
        line.heading = 1
