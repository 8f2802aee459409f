"""Marks for sections that are left out whole: counted where each stood, only marked there, or one count for all at the end.

A text that would have no mark of any kind has one where something was left out last. How many are left out where is counted in
summarizing/text/left_out_sections.py; which form there is room for is decided in scored_text.py.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping

from summarizing.extractive.json_rendering import GAP, counted
from summarizing.text.document import Document, SegmentKind
from summarizing.text.left_out_sections import sections_left_out

SectionMarks = Mapping[int, str]
"""Marks by the place that they stand at: before which of the segments that are kept; the number of these stands for the end."""

# One at the end, with the blank line before it: "[123 sections left out]".
SECTION_MARK_TOKENS = 7
# "[...]", with the blank line before it.
ONLY_MARK_TOKENS = 3

_MARK = re.compile(r"\[\.\.\.\]| left out\]")
_OF_OTHERS = (SegmentKind.HEADING, SegmentKind.FRAME)


def section_marks(
    document: Document, kept: Collection[int]
) -> tuple[SectionMarks, SectionMarks, SectionMarks]:
    """Return the marks where some segments are kept, in each form; what says most stands first."""
    left_out = sections_left_out(document, sorted(kept))
    at_end = {len(kept): _mark(sum(left_out.values()))} if left_out else {}
    return (
        {place: _mark(count) for place, count in left_out.items()},
        dict.fromkeys(left_out, GAP),
        at_end,
    )


def has_mark(text: str) -> bool:
    """Whether a rendered text says anywhere that something is left out."""
    return _MARK.search(text) is not None


def only_mark(document: Document, kept: Collection[int]) -> SectionMarks:
    """Return a mark where something that says anything by itself was left out last; none where all of it is kept."""
    order = sorted(kept)
    for at in range(len(document.segments) - 1, -1, -1):
        segment = document.segments[at]
        if at not in kept and segment.kind not in _OF_OTHERS and not segment.is_marginal:
            return {bisect_left(order, at): GAP}
    return {}


def _mark(sections: int) -> str:
    return f"[{counted(sections, 'section')} left out]"
