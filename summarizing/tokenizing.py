"""A content's tokens and layout, found beside its cleaning if it is large: encoding hardly holds the interpreter's lock.

Knows nothing of what they are used for.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import chunking
from chunking import Layout
from summarizing.offload import SHORT_CHARS
from summarizing.text_work import TextWork

T = TypeVar("T")

# Splitting so much into words takes a few milliseconds of the event loop; the words of most targets are in it.
MAX_BEGINNING_CHARS = 200_000


class Tokenizing:
    """The tokens and the layout of one content. Whoever makes it must `stop` it."""

    def __init__(self, content: str, work: TextWork) -> None:
        self._content = content
        self._work = work
        self._is_large = len(content) > SHORT_CHARS
        self._counting: asyncio.Task[int] | None = None
        self._measuring: asyncio.Task[Layout] | None = None

    async def exceeds(self, target: int) -> bool:
        """Return whether the content has more tokens than a target. Raises OutOfTime."""
        if self._is_large and has_more_words(self._content, target):
            self._counting = _begin(self._work.on_tokenizing_lane.count(self._content))
            return True
        self._counting = _begin(self._work.count(self._content))
        return await self._counting > target

    def begin_measuring(self, limit: int) -> None:
        """Find the layout for chunks of at most `limit` tokens, while other work goes on."""
        if self._is_large:
            lane, count_each = self._work.on_tokenizing_lane, self._work.tokenizer.count_each
            self._measuring = _begin(
                lane.run(len(self._content), chunking.measure, self._content, limit, count_each)
            )

    async def tokens(self) -> int:
        """Return the content's tokens, once `exceeds` was asked. Raises OutOfTime."""
        return await self._counting if self._counting else 0

    @property
    def tokens_so_far(self) -> int:
        """The content's tokens, 0 while they are not known."""
        task = self._counting
        is_known = task is not None and task.done() and not task.cancelled() and not task.exception()
        return task.result() if task is not None and is_known else 0

    async def layout_of(self, text: str) -> Layout | None:
        """Return the layout if it was begun and is that of a text: the content as it came. Raises OutOfTime."""
        return await self._measuring if self._measuring and text is self._content else None

    def stop(self) -> None:
        """Wait for nothing any more."""
        for task in (self._counting, self._measuring):
            if task is not None:
                task.cancel()
        # A task that failed holds its traceback, and that this object: a cycle, with the content in it.
        self._counting = self._measuring = None


def has_more_words(text: str, tokens: int) -> bool:
    """Return whether the beginning of a text has more words than a number of tokens, and so more tokens: no token spans two words."""
    # A target may be any number; more words than characters there are not.
    return len(text[:MAX_BEGINNING_CHARS].split(maxsplit=min(tokens, MAX_BEGINNING_CHARS))) > tokens


def _begin(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    task = asyncio.create_task(work)
    # Else asyncio logs what it raises if nobody awaits it.
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return task
