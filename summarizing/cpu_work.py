"""One job's CPU work on texts: on small ones on the event loop, on large ones in worker threads.

offload.py decides which job's text is next, concurrency/worker_threads.py has the threads. Knows no outcomes and no models.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from summarizing.answer_joining import join, within
from summarizing.extractive import extractive_summary
from summarizing.facts.answer_records import has_facts
from summarizing.offload import JobThreads, OutOfTime
from summarizing.query import Query
from summarizing.slicing import Slice, slices_of
from summarizing.text.tokenizer import CountedText, Tokenizer

T = TypeVar("T")

# Counting this much takes about a millisecond: cheaper than handing it to a worker and back.
INLINE_CHARS = 10_000


def in_background(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Start work whose result may never be awaited, even if it raises."""
    task = asyncio.create_task(work)
    # The exception is retrieved: asyncio would log one that nobody awaits.
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return task


class CpuWork:
    """Runs one job's CPU work in a worker thread where texts exceed INLINE_CHARS; `in_thread` and `extractive_summary` always."""

    def __init__(
        self,
        threads: JobThreads,
        tokenizer: Tokenizer,
        slices: dict[str, list[Slice]] | None = None,
    ) -> None:
        """`slices`: of the last text that was cut."""
        self._threads = threads
        self.tokenizer = tokenizer
        self._slices = {} if slices is None else slices

    @property
    def on_tokenizing_lane(self) -> "CpuWork":
        """The same work in the tokenizing lane, for what is nearly all encoding."""
        return CpuWork(self._threads.on_tokenizing_lane, self.tokenizer, self._slices)

    def with_deadline(self, until: float | None) -> "CpuWork":
        """Return the same work with another deadline, on the service's clock."""
        return CpuWork(self._threads.with_deadline(until), self.tokenizer, self._slices)

    async def in_thread(self, function: Callable[..., T], *arguments: Any) -> T:
        """Return the result of a function that runs in a worker thread, at this job's turn. Raises OutOfTime."""
        return await self._threads.run(function, *arguments)

    async def run(self, size: int, function: Callable[..., T], *arguments: Any) -> T:
        """Return the result of a function of texts with `size` characters; over INLINE_CHARS it runs in a thread.

        Raises OutOfTime.
        """
        if size <= INLINE_CHARS:
            return function(*arguments)
        return await self._threads.run(function, *arguments)

    async def run_past_deadline(self, size: int, function: Callable[..., T], *arguments: Any) -> T:
        """Return the result of a function of texts with `size` characters, even after the deadline."""
        if size <= INLINE_CHARS:
            return function(*arguments)
        return await self._threads.run_without_turn(function, *arguments)

    async def slices(self, text: str) -> list[Slice]:
        """Return the slices of a text; of the last one again, those found before. Raises OutOfTime."""
        if text not in self._slices:
            found = await self.run(len(text), slices_of, text)
            self._slices.clear()
            self._slices[text] = found
        return self._slices[text]

    async def within(self, texts: Sequence[str], target: int) -> str:
        """Join texts in at most `target` tokens, even after the deadline; longer ones are cut to even shares."""
        return await self.run_past_deadline(sum(map(len, texts)), within, texts, target, self.tokenizer)

    async def count(self, text: str) -> int:
        """Return a text's tokens."""
        return await self.run(len(text), self.tokenizer.count, text)

    async def count_past_deadline(self, text: str, counting: Awaitable[int]) -> int:
        """Return the tokens of a text that are being counted; where the deadline passes, count them all the same."""
        try:
            return await counting
        except OutOfTime:
            return await self.run_past_deadline(len(text), self.tokenizer.count, text)

    async def counted(self, text: str) -> CountedText:
        """Return a text with its tokens."""
        return CountedText(text, await self.count(text))

    async def count_each(self, texts: list[str]) -> list[int]:
        """Return the tokens of each text."""
        return await self.run(sum(map(len, texts)), self.tokenizer.count_each, texts)

    async def joined(self, parts: Sequence[str], query: Query) -> str:
        """Return the parts as one text; facts under their headings, each once."""
        return await self.run(sum(map(len, parts)), join, parts, query)

    async def has_facts(self, text: str) -> bool:
        """Whether an extraction's answer has a fact."""
        return await self.run(len(text), has_facts, text)

    async def extractive_summary(self, text: str, target: int, query: Query) -> str:
        """Summarize a text without the model, in at most the target's tokens."""
        extract = await self._threads.run(
            extractive_summary.extract, text, target, query.words, self.tokenizer
        )
        return extract.text
