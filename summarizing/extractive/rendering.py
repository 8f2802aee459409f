"""Chosen segments as text: in their order, as they stand in the document, with marks for what was left out beside them.

Refuses to choose, and to write a word of its own beside the marks. JSON is written by summarizing/extractive/json_rendering.py.
"""

import re
from collections import Counter
from collections.abc import Collection

from summarizing.extractive.json_rendering import compact, render_json
from summarizing.text.document import Document, SegmentKind

# Between sentences of one paragraph.
GAP = "[...]"

_NAMES = {
    SegmentKind.ITEM: "items",
    SegmentKind.ROW: "rows",
    SegmentKind.LINE: "lines",
    SegmentKind.CODE: "parts",
}
_BLANK_LINE = re.compile(r"\n[ \t\r]*+\n")
_WRAP = re.compile(r"\s*\n\s*")


def render(document: Document, kept: Collection[int]) -> str:
    """Return kept segments as one text: JSON where the document is that."""
    if document.is_json:
        return render_json(document, kept)
    parts: list[str] = []
    order = sorted(kept)
    left_out = _left_out(document, kept)
    last = None
    for position, index in enumerate(order):
        if last is not None:
            parts.append(_separator(document, last, index))
        parts.append(text_of(document, index))
        block = document.segments[index].block
        is_last = position + 1 == len(order) or document.segments[order[position + 1]].block != block
        if is_last and block in left_out:
            parts.append(f"\n{left_out[block]}")
        last = index
    return "".join(parts)


def text_of(document: Document, index: int) -> str:
    """Return a segment as it is rendered: a sentence in one line, JSON without white space, anything else with its own lines and indentation."""
    segment, text = document.segments[index], document.of(index)
    if document.is_json:
        return text if segment.kind is SegmentKind.SENTENCE else compact(text)
    if segment.kind in (SegmentKind.SENTENCE, SegmentKind.HEADING):
        return _WRAP.sub(" ", text)
    line_start = document.text.rfind("\n", 0, segment.start) + 1
    indent = document.text[line_start : segment.start]
    return indent + text if indent.isspace() else text


def _left_out(document: Document, kept: Collection[int]) -> dict[int, str]:
    """Return for each block of rows, items or lines that has some kept and some not how many are missing."""
    kinds = {
        segment.block: _NAMES[segment.kind]
        for segment in map(document.segments.__getitem__, kept)
        if segment.kind in _NAMES
    }
    missing = Counter({block: count for block, count in document.left_out.items() if block in kinds})
    missing.update(
        segment.block
        for index, segment in enumerate(document.segments)
        if segment.block in kinds and index not in kept
    )
    return {
        block: f"[{count} {kinds[block] if count > 1 else kinds[block][:-1]} left out]"
        for block, count in missing.items()
    }


def _separator(document: Document, last: int, index: int) -> str:
    """Return what stands between two segments: as much white space as in the document, and a mark inside a paragraph."""
    one, other = document.segments[last], document.segments[index]
    gap = document.text[one.end : other.start]
    if one.block == other.block and other.kind is one.kind is SegmentKind.SENTENCE:
        return " " if index == last + 1 and index not in document.gaps else f" {GAP} "
    if SegmentKind.HEADING in (one.kind, other.kind) or _BLANK_LINE.search(gap):
        return "\n\n" if other.kind is SegmentKind.HEADING or _BLANK_LINE.search(gap) else "\n"
    return "\n" if "\n" in gap else " "
