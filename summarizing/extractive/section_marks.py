"""Marks for sections that are left out whole: counted where each stood, only marked there, or one count for all at the end.

Pure. How many are left out where is counted in summarizing/text/left_out_sections.py; which form there is room for is decided in scored_text.py.
"""

from collections.abc import Callable, Mapping

SectionMarks = Callable[[Mapping[int, int], int], Mapping[int, str]]
"""Returns marks by their place: before which of the segments that are kept; how many of these there are stands for the end.

It takes how many sections are left out at each place, and the place of the end.
"""

# One at the end, with the blank line before it: "[123 sections left out]".
SECTION_MARK_TOKENS = 7


def counted_between(left_out: Mapping[int, int], end: int) -> Mapping[int, str]:
    """Return a mark with a count at each place."""
    return {place: _count(count) for place, count in left_out.items()}


def between(left_out: Mapping[int, int], end: int) -> Mapping[int, str]:
    """Return a mark without a count at each place."""
    return dict.fromkeys(left_out, "[...]")


def at_end(left_out: Mapping[int, int], end: int) -> Mapping[int, str]:
    """Return one mark that counts all."""
    return {end: _count(sum(left_out.values()))} if left_out else {}


# What says most stands first.
SECTION_MARKS: tuple[SectionMarks, ...] = (counted_between, between, at_end)


def _count(sections: int) -> str:
    return f"[{sections} {'section' if sections == 1 else 'sections'} left out]"
