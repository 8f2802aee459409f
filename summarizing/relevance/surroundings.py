"""How well the sections that a segment stands in answer a query: BM25 over each of them as one text.

Answers to one question stand together, and seldom have all of its words each. Linear in the segments. Does not score these: bm25f.py.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import log

from summarizing.text.document import NO_SEGMENT, Document, SegmentKind

# BM25's saturation at its usual value; its normalization by length is weaker, since a section over others is long by nature.
K1 = 1.2
B = 0.5

# What stands under no heading is taken together with its like in so many segments; with half as many recall is the same within half a point.
SEGMENTS_TOGETHER = 25


def surroundings(
    document: Document, own: Sequence[Mapping[int, float]], lengths: Sequence[int], boosts: Sequence[float]
) -> list[float]:
    """Return for each segment the mean score of the sections that it stands in, as a share of the best there is.

    `own`: the terms of each segment, how often; `lengths`: its words; `boosts`: the weight of each term.
    """
    stretches = _stretches(document)
    counts: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    sizes = Counter[int]()
    for stretch, terms, length in zip(stretches, own, lengths, strict=True):
        sizes[stretch] += length
        for term, count in terms.items():
            counts[stretch][term] += count
    above = {stretch: _above(document, stretches, stretch) for stretch in sizes}
    for stretch in sorted(sizes, reverse=True):
        if above[stretch] != NO_SEGMENT:
            sizes[above[stretch]] += sizes[stretch]
            for term, count in counts[stretch].items():
                counts[above[stretch]][term] += count
    means = _means(above, _scores(counts, sizes, boosts))
    best = max(means.values(), default=0.0) or 1.0
    return [means[stretch] / best for stretch in stretches]


def _stretches(document: Document) -> list[int]:
    """Return for each segment the number of its heading, or that of the segments that it is taken together with."""
    count = len(document.segments)
    return [
        section
        if section != NO_SEGMENT or document.is_json or segment.kind is SegmentKind.ROW
        else count + index // SEGMENTS_TOGETHER
        for index, (section, segment) in enumerate(zip(document.sections(), document.segments, strict=True))
    ]


def _above(document: Document, stretches: Sequence[int], stretch: int) -> int:
    """Return the heading that a heading stands under; NO_SEGMENT where there is none."""
    if not 0 <= stretch < len(stretches):
        return NO_SEGMENT
    parent = document.segments[stretch].parent
    is_under = parent != NO_SEGMENT and stretches[parent] < len(stretches)
    return stretches[parent] if is_under else NO_SEGMENT


def _scores(
    counts: Mapping[int, Mapping[int, float]], sizes: Mapping[int, int], boosts: Sequence[float]
) -> dict[int, float]:
    """Return the BM25 score of each stretch of the text."""
    having = Counter(term for terms in counts.values() for term in terms)
    mean = sum(sizes.values()) / max(1, len(sizes)) or 1.0
    scores: dict[int, float] = {}
    for stretch, size in sizes.items():
        length = 1 - B + B * size / mean
        scores[stretch] = sum(
            boosts[term]
            * log(1 + (len(sizes) - having[term] + 0.5) / (having[term] + 0.5))
            * count
            * (K1 + 1)
            / (K1 * length + count)
            for term, count in counts[stretch].items()
        )
    return scores


def _means(above: Mapping[int, int], scores: Mapping[int, float]) -> dict[int, float]:
    """Return the mean score of each stretch and those that it stands in."""
    sums: dict[int, tuple[float, int]] = {NO_SEGMENT: (0.0, 0)}
    for stretch in sorted(above):
        total, depth = sums[above[stretch]] if stretch != NO_SEGMENT else (0.0, 0)
        sums[stretch] = (total + scores[stretch], depth + 1)
    return {stretch: sums[stretch][0] / sums[stretch][1] for stretch in above}
