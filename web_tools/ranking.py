"""Which passages of a page answer a query: by their words, and how rankings by words and by meaning become one. Pure.

By words with the project's one scorer, BM25F (summarizing/relevance/bm25f.py): each passage is a segment under the headings of its
section. By meaning the page store ranks (web_tools/page_store). Knows nothing of how a page came here.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from summarizing.relevance.bm25f import Scorer
from summarizing.text.document import NO_SEGMENT, Document, Segment, SegmentKind
from summarizing.text.language.stemming import Stems, words_of
from web_tools.pages import PagePassage, ScoredPassage

# A passage with a lower share of the best score has only a common word or two of the query.
MIN_SCORE_SHARE = 0.2

# The constant of reciprocal rank fusion at its published value: Cormack, Clarke and Buettcher, SIGIR 2009.
RANK_CONSTANT = 60

# Of each ranking, so many passages take part in the fusion; further down every one has nearly the same share.
RANKED_PASSAGES = 100


class PassageIndex:
    """The passages of a page as one document, which is read once for all queries."""

    def __init__(self, passages: Sequence[PagePassage]) -> None:
        """CPU work: linear in the passages' text."""
        self.passages = passages
        self._numbers: list[int] = []
        self._stems = Stems()
        self._document = self._read(passages)

    def ranked(self, query: str) -> list[ScoredPassage]:
        """Return the passages that have words of a query, the best first; equally good ones in the order of the page. CPU work."""
        scorer = Scorer(self._document, query, stems=self._stems)
        scored = [
            ScoredPassage(passage, scorer.scores[number])
            for passage, number in zip(self.passages, self._numbers, strict=True)
        ]
        least = MIN_SCORE_SHARE * max((each.score for each in scored), default=0.0)
        return best_first(each for each in scored if each.score > 0 and each.score >= least)

    def _read(self, passages: Sequence[PagePassage]) -> Document:
        """Return a document of the headings, each before what stands under it, and the passages."""
        texts: list[str] = []
        segments: list[Segment] = []
        headings: dict[tuple[str, ...], int] = {(): NO_SEGMENT}
        at = 0

        def put(text: str, kind: SegmentKind, parent: int, level: int = 0) -> int:
            nonlocal at
            segments.append(Segment(at, at + len(text), kind, parent, len(segments), level))
            texts.append(text)
            at += len(text) + 1
            return len(segments) - 1

        for passage in passages:
            path = passage.section_path
            for depth in range(1, len(path) + 1):
                if path[:depth] not in headings:
                    parent = headings[path[: depth - 1]]
                    headings[path[:depth]] = put(path[depth - 1], SegmentKind.HEADING, parent, depth)
            self._numbers.append(put(passage.text, SegmentKind.LINE, headings[path]))
        document = Document("\n".join(texts), segments)
        for word in set(words_of(document.text)):
            self._stems.add(word)
        return document


def best_first(scored: Iterable[ScoredPassage]) -> list[ScoredPassage]:
    """Return passages by their scores; equally good ones stay in their order."""
    return sorted(scored, key=lambda each: -each.score)


def fused(rankings: Sequence[Sequence[str]], passages: Mapping[str, PagePassage]) -> list[ScoredPassage]:
    """Join rankings of passages' ids by reciprocal rank fusion; what is first in all of them has the score 1."""
    shares: defaultdict[str, float] = defaultdict(float)
    for ranking in rankings:
        for rank, passage_id in enumerate(ranking[:RANKED_PASSAGES]):
            shares[passage_id] += (RANK_CONSTANT + 1) / (RANK_CONSTANT + 1 + rank) / len(rankings)
    return best_first(ScoredPassage(passages[each], share) for each, share in shares.items())
