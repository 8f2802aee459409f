"""The leads of a document's segments: white space, signs of a quotation or a margin ("> ", "|  ") before their first lines.

Pure; one pass over the segments. Does not judge what an indentation means.
"""

import re

from summarizing.text.document import Document

_LEAD = re.compile(r"[^\S\n]*+(?:[>|][^\S\n]*+)*+")
_SIGNS = str.maketrans(">|\xa0", "   ")


def leads_of(document: Document) -> list[str]:
    """Return for each segment what stands before the text of the line that it begins on."""
    leads: list[str] = []
    # Most leads come again: of each there is one string.
    same: dict[str, str] = {}
    text, lead, end = document.text, "", 0
    for segment in document.segments:
        start, stop = segment.start, segment.end
        newline = text.rfind("\n", end, start)
        if newline >= 0 or end == 0:
            # Most lines begin at the margin.
            lead = _lead(text, max(newline + 1, end), start) if newline + 1 < start else ""
            lead = same.setdefault(lead, lead)
        leads.append(lead)
        newline = text.rfind("\n", start, stop)
        if newline >= 0:
            lead = _lead(text, newline + 1, stop)
        end = stop
    return leads


def _lead(text: str, start: int, end: int) -> str:
    mark = _LEAD.match(text, start, end) if start < end else None
    return mark[0] if mark else ""


def lead_of(line: str) -> str:
    """Return what stands before a line's text."""
    return _lead(line, 0, len(line))


def blank(lead: str) -> str:
    """Return the white space that a lead stands for."""
    return lead.translate(_SIGNS) if lead else ""
