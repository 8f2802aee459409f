"""Sections that are left out whole of a choice of segments, or of an excerpt before: how many, and where.

Pure; linear in the segments. A section is left out if its heading is. Those within it are not counted, nor is what a slice repeats of the
headings before it. Does not write the marks: summarizing/extractive/section_marks.py.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from summarizing.text.document import Document, HeadingLeftOut, SegmentKind


@dataclass(slots=True)
class _Section:
    place: int
    level: int
    is_kept: bool
    above: "_Section | None" = None

    @property
    def is_counted(self) -> bool:
        return not self.is_kept and (self.above is None or self.above.is_kept)


def with_repeated(document: Document, chars: int) -> Document:
    """Return a slice whose first `chars` characters repeat headings of the text before it."""
    segments = document.segments
    within = document.between(0, chars)
    return replace(
        document, repeated=frozenset(at for at in within if segments[at].kind is SegmentKind.HEADING)
    )


def headings_left_out(document: Document, order: Sequence[int]) -> list[HeadingLeftOut]:
    """Return the headings that are left out, now or before, where `order` are the kept segments."""
    kept = set(order)
    return [
        HeadingLeftOut(bisect_left(order, place), level, is_repeated)
        for place, is_segment, level, is_repeated in _headings(document)
        if not is_segment or place not in kept
    ]


def sections_left_out(document: Document, order: Sequence[int]) -> Counter[int]:
    """Return how many sections are left out whole, now or before, by their place: before which of the kept segments, `order`.

    How many these are stands for the end.
    """
    kept = set(order)
    found: list[_Section] = []
    open_ones: list[_Section] = []
    for place, is_segment, level, is_repeated in _headings(document):
        is_kept = is_segment and place in kept
        if is_repeated and (known := _of_level(open_ones, level)):
            known.is_kept = known.is_kept or is_kept
            continue
        while open_ones and open_ones[-1].level >= level:
            open_ones.pop()
        open_ones.append(_Section(place, level, is_kept, open_ones[-1] if open_ones else None))
        found.append(open_ones[-1])
    return Counter(bisect_left(order, one.place) for one in found if one.is_counted)


def _of_level(sections: Iterable[_Section], level: int) -> _Section | None:
    return next((one for one in sections if one.level == level), None)


def _headings(document: Document) -> list[tuple[int, bool, int, bool]]:
    """Return all headings in their order: the place of each, whether it is that of a segment, its level, and whether it is repeated."""
    before = [(place, False, level, is_repeated) for place, level, is_repeated in document.headings_left_out]
    own = [
        (index, True, segment.level, index in document.repeated)
        for index, segment in enumerate(document.segments)
        if segment.kind is SegmentKind.HEADING
    ]
    # Of one place what was left out before comes first: it stood before the segment.
    return sorted([*before, *own], key=itemgetter(0))
