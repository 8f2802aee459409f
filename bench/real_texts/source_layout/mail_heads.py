"""The heads of mails in a source: each begins the part of its message, and a mail has no other titles.

Independent of the service's own parser on purpose, since that one is judged by this. Pure; marks the lines it is given.
"""

import re
from collections.abc import Sequence

from bench.real_texts.source_layout.source_lines import Line

# RFC 4155: "From ", who sent it, and when, as `date` prints it.
_ENVELOPE = re.compile(r"^From \S.* \d\d:\d\d(?::\d\d)? .*\d{4}")
_FIELD = re.compile(r"^([!-9;-~]+):")
_OF_EACH = frozenset({"from", "date"})
_LEAST_MAILS = 2


def mark_mails(lines: Sequence[Line]) -> bool:
    """Make titles of the first lines of heads, and of nothing else; return whether there are any."""
    heads = [number for number in range(len(lines)) if _is_head(lines, number)]
    envelopes = [number for number in heads if _ENVELOPE.match(lines[number].text)]
    heads = envelopes or heads
    if len(heads) < _LEAST_MAILS:
        return False
    for line in lines:
        line.heading, line.ends, line.title, line.is_unmarked, line.is_code = 0, 0, "", False, False
    for number in heads:
        lines[number].heading = 1
    return True


def _is_head(lines: Sequence[Line], number: int) -> bool:
    """Whether a line is the first of fields, of which one names who wrote it and another when, up to a blank line."""
    is_envelope = _ENVELOPE.match(lines[number].text) is not None
    if not is_envelope and number > 0 and lines[number - 1].text.strip():
        return False
    names: set[str] = set()
    for at in range(number + is_envelope, len(lines)):
        line = lines[at]
        if not line.text.strip():
            return names >= _OF_EACH
        if field := _FIELD.match(line.text):
            names.add(field[1].lower())
        elif not (names and line.text[0] in " \t"):
            return False
    return False
