"""One job's CPU work on texts: done at once where a text is small, off the event loop where it is large."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from summarizing.extractive import selection
from summarizing.joining import has_facts, join, within
from summarizing.offload import Claim
from summarizing.prompt_templates import Query
from summarizing.text.tokenizer import Tokenizer

T = TypeVar("T")

# Counting this much takes about a millisecond: cheaper than handing it to a worker and back.
INLINE_CHARS = 10_000


class TextWork:
    """What summarizing does to texts, awaited."""

    def __init__(self, worker: Claim, tokenizer: Tokenizer) -> None:
        """`worker(function, *arguments)` runs CPU work off the event loop, or raises OutOfTime."""
        self.worker = worker
        self.tokenizer = tokenizer

    @property
    def on_tokenizing_lane(self) -> "TextWork":
        """The same work beside the lanes, for what is nearly all encoding."""
        return TextWork(self.worker.on(self.worker.tokenizing), self.tokenizer)

    def ending(self, until: float | None) -> "TextWork":
        """Return the same work with another end, on the event loop's clock."""
        return TextWork(self.worker.ending(until), self.tokenizer)

    async def run(self, size: int, function: Callable[..., T], *arguments: Any) -> T:
        """Return what a function makes of texts with so many characters."""
        if size <= INLINE_CHARS:
            return function(*arguments)
        result: T = await self.worker(function, *arguments)
        return result

    async def finish(self, size: int, function: Callable[..., T], *arguments: Any) -> T:
        """Return what a function makes of texts with so many characters, though the time is over."""
        if size <= INLINE_CHARS:
            return function(*arguments)
        result: T = await self.worker.at_once(function, *arguments)
        return result

    async def within(self, texts: Sequence[str], target: int) -> str:
        """Return texts as one in at most the target's tokens, though the time is over; longer ones in even shares."""
        return await self.finish(sum(map(len, texts)), within, texts, target, self.tokenizer)

    async def count(self, text: str) -> int:
        """Return a text's tokens."""
        return await self.run(len(text), self.tokenizer.count, text)

    async def count_each(self, texts: list[str]) -> list[int]:
        """Return the tokens of each text."""
        return await self.run(sum(map(len, texts)), self.tokenizer.count_each, texts)

    async def joined(self, parts: Sequence[str], query: Query) -> str:
        """Return the parts as one text; facts under their headings, each once."""
        return await self.run(sum(map(len, parts)), join, parts, query)

    async def has_facts(self, text: str) -> bool:
        """Whether an extraction's answer has a fact."""
        return await self.run(len(text), has_facts, text)

    async def extract(self, text: str, target: int, query: Query) -> str:
        """Summarize a text without the model, in at most the target's tokens."""
        summary: str = await self.worker(selection.summarize, text, target, query.words, self.tokenizer)
        return summary
