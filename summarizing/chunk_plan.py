"""A job's chunks: how many give the first complete set of answers, within what the prompts may add to the content.

Where to cut is chunking.py's to say, how long the answers may be budgets.py's. No calls are made here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import chunking
from chunking import Chunk, Layout
from summarizing.budgets import chunk_count, fewest_chunks
from summarizing.prompt_templates import Prompts, Query
from summarizing.text.tokenizer import Tokenizer

# Any length will do: what is counted are the instructions around the content.
A_LENGTH = "100 words"


@dataclass(frozen=True, slots=True)
class Prices:
    """What smaller chunks cost: `tokens_of` counts a prompt without its content, by the headings above the chunk.

    `percent` is what all prompts may add to the content for the sake of speed.
    """

    tokens_of: Callable[[Sequence[tuple[str, ...]]], int]
    percent: int

    @classmethod
    def of(cls, prompts: Prompts, query: Query, tokenizer: Tokenizer, percent: int) -> "Prices":
        """Return the prices of a query's prompts."""

        def tokens_of(breadcrumbs: Sequence[tuple[str, ...]]) -> int:
            asked = [prompts.map("", breadcrumb, query, A_LENGTH) for breadcrumb in breadcrumbs]
            return sum(tokenizer.count_each([part for prompt in asked for part in prompt]))

        return cls(tokens_of, percent)

    def allowed(self, tokens: int) -> int:
        """Return how many tokens may be added to a content of so many."""
        return tokens * self.percent // 100

    def added(self, chunks: Sequence[Chunk], tokens: int) -> int:
        """Return how many tokens the prompts of these chunks add to a content: instructions, headings, leads."""
        leads = sum(chunk.tokens for chunk in chunks) - tokens
        return self.tokens_of([chunk.breadcrumb for chunk in chunks]) + leads


def plan_chunks(
    layout: Layout, overlap: int, tokenizer: Tokenizer, *, written: int, concurrency: int, prices: Prices
) -> list[Chunk]:
    """Cut a measured text so that the last answer comes as soon as possible; `written` tokens are written in all.

    Where the prompts add more than they may, there are fewer chunks, down to the fewest that keep the layout's limit; those are
    even too, unless that makes more of them than may be added for.
    """
    tokens = layout.tokens
    allowed, fewest = prices.allowed(tokens), fewest_chunks(tokens, layout.limit)
    affordable = allowed // max(1, prices.tokens_of([()]))
    wanted = chunk_count(tokens, written, layout.limit, concurrency, affordable)
    while wanted > fewest:
        chunks = chunking.pack(layout, overlap, tokenizer.count_each, wanted)
        added = prices.added(chunks, tokens)
        if added <= allowed:
            return chunks
        wanted = max(fewest, min(wanted - 1, wanted * allowed // added))
    even = chunking.pack(layout, overlap, tokenizer.count_each, fewest)
    if len(even) <= fewest or prices.added(even, tokens) <= allowed:
        return even
    return min(even, chunking.pack(layout, overlap, tokenizer.count_each), key=len)
