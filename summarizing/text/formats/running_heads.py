"""Running heads and feet of printed pages: found, taken out while a text is read, and put back as segments that say nothing alone.

A sentence that continues over a page's end becomes two segments, each of which comes only with the other. Pure; linear in the lines.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from summarizing.text.document import NO_SEGMENT, Segment, SegmentKind
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.lines import Line

_FOOT = re.compile(r"(?:.{0,90}\s)?\[?[Pp]age\s\d{1,4}\]?\Z|-\s?\d{1,4}\s?-\Z")
# The number of a page, far right of the title of the text: three that count on are no coincidence.
_WIDE_FOOT = re.compile(r"(\S.{0,90}?)\s{3,99}+(\d{1,4})\Z")
_MIN_COUNTED = 3
_NUMBERS = re.compile(r"\d{1,9}")
_MIN_PAGES = 2
# A page has at most this many running lines above its text, and below it.
_LINES_AROUND = 2


def page_lines(text: str, lines: Sequence[Line]) -> set[int]:
    """Return the numbers of the lines around page breaks that recur, digits aside."""
    has_feeds = "\f" in text
    counting = _counting_feet(lines)
    breaks = [
        number
        for number, (before, line) in enumerate(pairwise(lines), 1)
        # A page ends with its number or with a form feed.
        if number - 1 in counting
        or (before.gap and _may_be_foot(before.text[-1]) and _FOOT.match(before.text))
        or (has_feeds and line.gap and "\f" in text[before.end : line.start])
    ]
    if len(breaks) < _MIN_PAGES:
        return set()
    around = [
        number
        for at in breaks
        for number in range(max(0, at - _LINES_AROUND), min(len(lines), at + _LINES_AROUND))
    ]
    looks: dict[str, list[int]] = {}
    for number in sorted(set(around)):
        looks.setdefault(_NUMBERS.sub("0", " ".join(lines[number].text.split())), []).append(number)
    found = {
        number
        for alike in looks.values()
        if len(alike) >= _MIN_PAGES and _is_running([lines[number].text for number in alike])
        for number in alike
    }
    return found if len(found) * 2 < len(lines) else set()


def _counting_feet(lines: Sequence[Line]) -> set[int]:
    """Return the numbers of the lines that stand alone, end with a number, and count on from each to the next: feet of pages."""
    feet: dict[str, list[tuple[int, int]]] = {}
    for number, (line, following) in enumerate(pairwise(lines)):
        is_alone = line.gap and following.gap and line.text[-1].isdecimal()
        if is_alone and (foot := _WIDE_FOOT.match(line.text)):
            feet.setdefault(foot[1], []).append((int(foot[2]), number))
    return {
        number
        for alike in feet.values()
        if len(alike) >= _MIN_COUNTED and all(page == alike[0][0] + at for at, (page, _) in enumerate(alike))
        for _, number in alike
    }


def _may_be_foot(last: str) -> bool:
    return last.isdigit() or last in "]-"


def _is_running(texts: Sequence[str]) -> bool:
    """Whether lines differ in nothing but the number of a page, which mostly rises; the titles of releases have other numbers, too."""
    numbers = [list(map(int, _NUMBERS.findall(text))) for text in texts]
    changing = [column for column in zip(*numbers, strict=True) if len(set(column)) > 1]
    falling = sum(later < earlier for column in changing for earlier, later in pairwise(column))
    return len(changing) <= 1 and falling * 2 < len(texts)


def without_pages(lines: Sequence[Line], pages: set[int]) -> list[Line]:
    """Return the other lines; a sentence that a page's end interrupts continues without a blank line."""
    result: list[Line] = []
    gap = False
    for number, line in enumerate(lines):
        if number in pages:
            gap = True
            continue
        is_inside = line.text[0].islower() or line.text[0] == "("
        goes_on = gap and bool(result) and is_inside and not ends_sentence(result[-1].tail)
        is_apart = not goes_on and (gap or line.gap)
        result.append(line if line.gap == is_apart else line._replace(gap=is_apart))
        gap = False
    return result


def with_pages(text: str, segments: Sequence[Segment], pages: Sequence[Line]) -> list[Segment]:
    """Put the lines around page breaks back between the segments, and cut in two what continues over a break."""
    merged = _Merged(text)
    at = 0
    for segment in segments:
        while at < len(pages) and pages[at].end <= segment.start:
            merged.add_page(pages[at])
            at += 1
        first = at
        while at < len(pages) and pages[at].start < segment.end:
            at += 1
        merged.add(segment, pages[first:at])
    for line in pages[at:]:
        merged.add_page(line)
    return merged.segments


class _Merged:
    """Segments and lines of pages in one order, with the numbers of the segments in it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._new: list[int] = []
        self._last = NO_SEGMENT
        self.segments: list[Segment] = []

    def add_page(self, line: Line) -> None:
        self.segments.append(Segment(line.start, line.end, SegmentKind.FRAME, is_marginal=True))

    def add(self, segment: Segment, pages: Sequence[Line]) -> None:
        """Add a segment; where running lines stand in it, in pieces that hang on one another."""
        first = len(self.segments)
        self._new.append(first)
        parent = self._new[segment.parent] if segment.parent != NO_SEGMENT else NO_SEGMENT
        # subtle: "the segment before" is a running line now, so what the sentence refers to becomes its anchor.
        is_apart = segment.follows and self._last != first - 1
        anchor = self._last if is_apart else segment.anchor
        whole = segment._replace(parent=parent, anchor=anchor, follows=segment.follows and not is_apart)
        if not pages:
            self.segments.append(whole)
            self._last = first
            return
        start = segment.start
        for line in pages:
            self._add_piece(whole, start, line.start, first)
            self.add_page(line)
            start = line.end
        self._add_piece(whole, start, segment.end, first)

    def _add_piece(self, whole: Segment, start: int, end: int, first: int) -> None:
        piece = self._text[start:end]
        start += len(piece) - len(piece.lstrip())
        end = start + len(piece.strip())
        index = len(self.segments)
        if start == end:
            return
        if index == first:
            self.segments.append(whole._replace(start=start, end=end))
        else:
            self.segments.append(
                whole._replace(start=start, end=end, parent=first, anchor=NO_SEGMENT, follows=False)
            )
            self.segments[self._last] = self.segments[self._last]._replace(anchor=index)
        self._last = index
