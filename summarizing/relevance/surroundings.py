"""How well the sections that a segment stands in answer a query: BM25 with each section, and all below it, as one document.

The answers to one question stand near each other, but each has only some of its words. Linear in the segments. Does not score these:
bm25f.py.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from summarizing.relevance.bm25 import inverse_document_frequency, saturated
from summarizing.text.document import NO_SEGMENT, Document, SegmentKind

# BM25's normalization by length is weaker than usual: a section that has others below it is long by nature.
B = 0.5

# Segments under no heading are grouped by so many.
SEGMENTS_TOGETHER = 25

# Headings below more than so many others begin no section of their own: as in Markdown and HTML. Each section counts the terms of all below it.
MAX_LEVELS = 6

# The section of JSON, and of rows under no heading: which of them stand together says nothing.
_RECORDS = NO_SEGMENT

_Counts = Mapping[int, Mapping[int, float]]
_Parents = Mapping[int, int | None]


def surroundings(
    document: Document, own: Sequence[Mapping[int, float]], lengths: Sequence[int], boosts: Sequence[float]
) -> list[float]:
    """Return for each segment the mean score of the sections that it stands in, as a share of the best there is.

    `own`: the terms of each segment, how often; `lengths`: its words; `boosts`: the weight of each term.
    """
    sections, parents = _sections(document)
    counts: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    sizes = Counter(dict.fromkeys(parents, 0))
    for section, terms, length in zip(sections, own, lengths, strict=True):
        sizes[section] += length
        _add(counts[section], terms)
    # What stands below has the higher number.
    for section in sorted(parents, reverse=True):
        if (above := parents[section]) is not None:
            sizes[above] += sizes[section]
            _add(counts[above], counts[section])
    means = _means(parents, _scores(counts, sizes, boosts))
    best = max(means.values(), default=0.0) or 1.0
    return [means[section] / best for section in sections]


def _sections(document: Document) -> tuple[list[int], _Parents]:
    """Return the number of each segment's section, which is that of its heading or of its group, and what each section stands in."""
    count = len(document.segments)
    found: list[int] = []
    parents: dict[int, int | None] = {}
    levels: dict[int | None, int] = {}
    for index, segment in enumerate(document.segments):
        above = found[segment.parent] if segment.parent != NO_SEGMENT else None
        level = levels.get(above, 0)
        if segment.kind is SegmentKind.HEADING and level < MAX_LEVELS:
            parents[index], levels[index] = above if level else None, level + 1
            found.append(index)
        elif above is not None and level:
            found.append(above)
        else:
            is_record = document.is_json or segment.kind is SegmentKind.ROW
            found.append(_RECORDS if is_record else count + index // SEGMENTS_TOGETHER)
            parents[found[-1]] = None
    return found, parents


def _add(counts: dict[int, float], others: Mapping[int, float]) -> None:
    for term, count in others.items():
        counts[term] += count


def _scores(counts: _Counts, sizes: Mapping[int, int], boosts: Sequence[float]) -> dict[int, float]:
    """Return the BM25 score of each section."""
    having = Counter(term for terms in counts.values() for term in terms)
    weights = {
        term: boosts[term] * inverse_document_frequency(len(sizes), count) for term, count in having.items()
    }
    mean = sum(sizes.values()) / max(1, len(sizes)) or 1.0
    return {
        section: sum(
            weights[term] * saturated(count / (1 - B + B * size / mean))
            for term, count in counts[section].items()
        )
        for section, size in sizes.items()
    }


def _means(parents: _Parents, scores: Mapping[int, float]) -> dict[int, float]:
    """Return the mean score of each section and those that it stands in."""
    sums: dict[int | None, tuple[float, int]] = {None: (0.0, 0)}
    for section in sorted(parents):
        total, depth = sums[parents[section]]
        sums[section] = (total + scores[section], depth + 1)
    return {section: sums[section][0] / sums[section][1] for section in parents}
