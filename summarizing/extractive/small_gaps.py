"""What a choice leaves out though it is hardly longer than the mark that stands for it: "[1 line left out]" says less than "0: success".

Pure. Does not choose or render; not for JSON, whose marks are counted for each container.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from summarizing.text.document import SENTENCES, Document
from summarizing.text.excerpt import COUNTED, block_sizes, left_out
from summarizing.text.lines import COLONS

# A segment with more characters is longer than any mark, in any language that is written with an alphabet.
MAX_CHARS = 40
# In tokens: "[1 line left out]" with its line end, and "[...]".
MARK_TOKENS = 7
GAP_TOKENS = 3


def small_gaps(document: Document, kept: Collection[int]) -> Iterator[tuple[Sequence[int], int]]:
    """Yield what may stand in place of each mark, as segments that require nothing that is not kept, and the tokens of the mark."""
    for gap in _all_of_blocks(document, kept):
        if _may_stand(document, gap, kept):
            yield gap, MARK_TOKENS
    for gap in _sentences(document, kept):
        if _may_stand(document, gap, kept):
            yield gap, GAP_TOKENS


def _may_stand(document: Document, gap: Sequence[int], kept: Collection[int]) -> bool:
    """Whether some segments are short, hang on one another and on what is kept alone, and introduce nothing that stays left out."""
    chars = sum(document.segments[index].end - document.segments[index].start for index in gap)
    introduces = document.text[document.segments[gap[-1]].end - 1] in COLONS
    return (
        chars <= MAX_CHARS
        and not introduces
        and all(need in kept or need in gap for index in gap for need in document.requirements(index))
    )


def _all_of_blocks(document: Document, kept: Collection[int]) -> Iterator[Sequence[int]]:
    """Yield for each block with a mark all that it counts."""
    missing = left_out(document, kept, block_sizes(document))
    of_block: dict[int, list[int]] = defaultdict(list)
    for index, segment in enumerate(document.segments):
        if segment.block in missing and segment.kind in COUNTED and index not in kept:
            of_block[segment.block].append(index)
    for block, gap in of_block.items():
        if block not in document.left_out:
            yield gap


def _sentences(document: Document, kept: Collection[int]) -> Iterator[Sequence[int]]:
    """Yield the sentences of a paragraph that are left out behind one that is kept."""
    gap: list[int] = []
    for index, segment in enumerate(document.segments):
        if index in kept or segment.kind not in SENTENCES:
            if gap:
                yield gap
            gap = []
        elif (gap or index - 1 in kept) and document.segments[index - 1].block == segment.block:
            gap.append(index)
        elif gap:
            yield gap
            gap = []
    if gap:
        yield gap
