"""A content's number of tokens and its layout, found in the background while a large content is cleaned.

The layout (`Layout` in chunking.py) is the text's structure with the tokens of its parts: what chunks are cut by.

Encoding hardly holds the interpreter's lock, so it costs the cleaning little time. Knows nothing of what the figures are used for.
"""

import asyncio

import chunking
from chunking import Layout
from summarizing.cpu_work import CpuWork, in_background
from summarizing.offload import SHORT_CHARS

# Splitting this much into words takes a few milliseconds of the event loop, and is enough for most targets.
MAX_BEGINNING_CHARS = 200_000


class ContentTokens:
    """The number of tokens and the layout of one content. `stop` must be called at the end."""

    def __init__(self, content: str, work: CpuWork) -> None:
        self._content = content
        self._work = work
        self._is_large = len(content) > SHORT_CHARS
        self._counting: asyncio.Task[int] | None = None
        self._measuring: asyncio.Task[Layout] | None = None

    async def measure_against(self, target: int, chunk_size: int = 0) -> bool:
        """Return whether the content has more tokens than a target. Raises OutOfTime.

        This begins the count: of a large content it goes on in the background, and if that has more, so does the search for its layout,
        for chunks of at most `chunk_size` tokens; 0: no layout is needed.
        """
        if self._is_large and has_more_words(self._content, target):
            # The layout first: the tokenizing lane (offload.py) runs one piece at a time. The model's calls wait for the layout,
            # only the outcome for the count.
            self._begin_measuring(chunk_size)
            self._counting = in_background(self._work.on_tokenizing_lane.count(self._content))
            return True
        # A task although it is awaited at once: so what several calls count is counted in one turn of the event loop, which is 7 to 9 %
        # cheaper than to count each at once.
        self._counting = in_background(self._work.count(self._content))
        is_over = await self._counting > target
        if is_over:
            self._begin_measuring(chunk_size)
        return is_over

    def _begin_measuring(self, chunk_size: int) -> None:
        if self._is_large and chunk_size:
            lane, count_each = self._work.on_tokenizing_lane, self._work.tokenizer.count_each
            self._measuring = in_background(
                lane.run(len(self._content), chunking.measure, self._content, chunk_size, count_each)
            )

    async def tokens(self) -> int:
        """Return the content's number of tokens, once the count that `measure_against` has begun is done. Raises OutOfTime."""
        return await self._counting if self._counting else 0

    @property
    def tokens_so_far(self) -> int:
        """The content's number of tokens, 0 while it is not known."""
        task = self._counting
        is_known = task is not None and task.done() and not task.cancelled() and not task.exception()
        return task.result() if task is not None and is_known else 0

    async def layout_of(self, text: str) -> Layout | None:
        """Return the layout, if it was begun and the text is the unchanged content; else None. Raises OutOfTime."""
        return await self._measuring if self._measuring and text is self._content else None

    def stop(self) -> None:
        """Cancel what is still under way."""
        for task in (self._counting, self._measuring):
            if task is not None:
                task.cancel()
        # A task that failed holds its traceback, and that this object: a cycle, with the content in it.
        self._counting = self._measuring = None


def has_more_words(text: str, tokens: int) -> bool:
    """Return whether the beginning of a text has more words than a number of tokens, and so more tokens: no token spans two words."""
    # Of words of one character, and what is between them, no more would fit; a target may be any number.
    if tokens >= (min(len(text), MAX_BEGINNING_CHARS) + 1) // 2:
        return False
    return len(text[:MAX_BEGINNING_CHARS].split(maxsplit=tokens)) > tokens
