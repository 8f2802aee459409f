"""A job's chunks, and the limits of what is written of them: as many chunks as bring the last answer soonest, or as their prompts may cost.

How many would be soonest, and how long answers may be, is decided in budgets.py; where to cut, in chunking.py; here, what the
prompts may add to the content. Pure; makes no calls.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import chunking
from chunking import Chunk, Layout
from summarizing.budgets import Window, chunk_count, fewest_chunks
from summarizing.prompt_templates import LengthUnit, Prompts, length_unit_for
from summarizing.query import Query
from summarizing.text.tokenizer import Tokenizer

# Any length: only the instructions around the content are counted.
ANY_LENGTH = "100 words"


@dataclass(frozen=True, slots=True)
class LengthLimits:
    """What the prompts leave of the context window, the unit in which lengths are stated, and how many tokens the model may write in all."""

    window: Window
    unit: LengthUnit
    tokens_to_write: int


@dataclass(frozen=True, slots=True)
class Cutting:
    """How one job's text is to be cut: sizes in tokens, `concurrency` calls to the model at once."""

    query: Query
    window: Window
    strategy: str
    """`token`: at fixed sizes; else along the text's structure."""
    size: int
    """Of a chunk, at most."""
    overlap: int
    overhead_percent: int
    """What prompts may add to the content for the sake of speed."""
    tokens_to_write: int
    concurrency: int


@dataclass(frozen=True, slots=True)
class PromptCosts:
    """What smaller chunks cost: `tokens_of_prompts` counts prompts without their content, one for each breadcrumb.

    `percent` of the content's tokens may be added by all prompts for the sake of speed.
    """

    tokens_of_prompts: Callable[[Sequence[tuple[str, ...]]], int]
    percent: int

    @classmethod
    def of(cls, prompts: Prompts, query: Query, tokenizer: Tokenizer, percent: int) -> "PromptCosts":
        """Return the costs of a query's prompts."""

        def tokens_of_prompts(breadcrumbs: Sequence[tuple[str, ...]]) -> int:
            filled = [prompts.map("", breadcrumb, query, ANY_LENGTH) for breadcrumb in breadcrumbs]
            return sum(tokenizer.count_each([part for prompt in filled for part in prompt]))

        return cls(tokens_of_prompts, percent)

    def allowed(self, tokens: int) -> int:
        """Return how many tokens may be added to a content of `tokens` tokens."""
        return tokens * self.percent // 100

    def added(self, chunks: Sequence[Chunk], tokens: int) -> int:
        """Return how many tokens the prompts of these chunks add to a content: instructions, headings, leads."""
        leads = sum(chunk.tokens for chunk in chunks) - tokens
        return self.tokens_of_prompts([chunk.breadcrumb for chunk in chunks]) + leads


def plan_chunks(
    layout: Layout,
    overlap: int,
    tokenizer: Tokenizer,
    *,
    tokens_to_write: int,
    concurrency: int,
    costs: PromptCosts,
) -> list[Chunk]:
    """Cut a measured text so that the last answer comes as soon as possible; `tokens_to_write` tokens are written in all.

    Chunks are of nearly even size. Where their prompts add more tokens than is allowed, fewer are made, but no chunk is larger than the
    layout's limit. Where even ones are then more than the fewest possible, and their prompts still add too many, chunks are filled up
    to that limit instead, if that makes fewer of them.
    """
    tokens = layout.tokens
    allowed, fewest = costs.allowed(tokens), fewest_chunks(tokens, layout.limit)
    one_prompt = costs.tokens_of_prompts([()])  # without headings
    affordable = allowed // max(1, one_prompt)
    wanted = chunk_count(tokens, tokens_to_write, layout.limit, concurrency, affordable)
    while wanted > fewest:
        chunks = chunking.pack(layout, overlap, tokenizer.count_each, wanted)
        added = costs.added(chunks, tokens)
        if added <= allowed:
            return chunks
        wanted = max(fewest, min(wanted - 1, wanted * allowed // added))
    even = chunking.pack(layout, overlap, tokenizer.count_each, fewest)
    if len(even) <= fewest or costs.added(even, tokens) <= allowed:
        return even
    return min(even, chunking.pack(layout, overlap, tokenizer.count_each), key=len)


def limits_and_chunks(
    text: str, layout: Layout | None, cutting: Cutting, prompts: Prompts, tokenizer: Tokenizer
) -> tuple[LengthLimits, list[Chunk]]:
    """Return the length limits for a text, and its chunks. `layout` None: it is still to be measured."""
    unit = length_unit_for(text, tokenizer.count)
    limits = LengthLimits(cutting.window, unit, cutting.tokens_to_write)
    # A larger overlap would multiply the calls.
    overlap = min(cutting.overlap, cutting.size // 2)
    if cutting.strategy == "token":
        return limits, chunking.by_tokens(text, cutting.size, overlap, tokenizer)
    return limits, plan_chunks(
        layout or chunking.measure(text, cutting.size, tokenizer.count_each),
        overlap,
        tokenizer,
        tokens_to_write=cutting.tokens_to_write,
        concurrency=cutting.concurrency,
        costs=PromptCosts.of(prompts, cutting.query, tokenizer, cutting.overhead_percent),
    )
