"""Titles over texts that were joined to one: between equals signs, "===== name =====", or alone below a rule that recurs.

Independent of the service's own parser on purpose, since that one is judged by this. Pure; marks the lines it is given.
"""

import re
from collections.abc import Sequence

from bench.real_texts.source_layout.source_lines import ATX, Line

_BETWEEN = re.compile(r"^(={3,})\s+\S.*\s\1$")
_LEAST = 2

_RULE = re.compile(r"([-=_*~])\1{2,}\s*$")
_NAME = re.compile(r"(?=.*[^\W\d_])\S.{0,79}(?<![.!?\s])\s*$")
_LEAST_RULES = 3


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


def mark_below_recurring_rules(lines: Sequence[Line]) -> None:
    """Put titles that stand alone below the same rule above all others; those below a rule that comes first within them are next.

    A sign before a title says how high it stands: no rule does.
    """
    texts = [line.text.strip() for line in lines]
    below: dict[str, list[int | None]] = {}
    for number, line in enumerate(lines):
        if _RULE.match(line.text) and not any(texts[number - 1 : number] + texts[number + 1 : number + 2]):
            below.setdefault(texts[number], []).append(_name_behind(lines, texts, number + 1))
    parts = [
        found
        for found in below.values()
        if len(found) >= _LEAST_RULES and found.count(None) * 5 <= len(found)
    ]
    for line in lines:
        line.heading += len(parts) * (line.heading > 0)
    for level, found in enumerate(parts, 1):
        for name in found:
            if name is not None:
                lines[name].heading, lines[name].is_unmarked, lines[name].title = level, False, ""


def _name_behind(lines: Sequence[Line], texts: Sequence[str], number: int) -> int | None:
    """Return the next line with text if it stands alone as a name does."""
    at = next((at for at in range(number, min(number + 4, len(texts))) if texts[at]), len(texts))
    is_alone = at + 1 < len(texts) and not texts[at + 1]
    return at if is_alone and _NAME.match(lines[at].text) and not ATX.match(lines[at].text) else None
