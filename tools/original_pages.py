"""What can be done with a kept original: read a page of it, search it, or have its text again.

Between the tools and the store. Nothing here shortens: a page is a stretch of the original, character for character, as long as
was asked for. Large texts are worked on off the event loop.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

from storage.originals import Originals, StoreSize
from summarizing.offload import Claim, Offload
from summarizing.text.sentences import is_sentence_end, sentences
from summarizing.text.tokenizer import Tokenizer
from tools.original_search import Found, search

# A page ends at a line or sentence only in this last part of it: an earlier end would make reading on cost more calls.
NEAR_END = 0.2

# No token of cl100k_base is longer (summarizing/text/tokenizer.py, cut): a page needs no more of the text.
MOST_CHARS_PER_TOKEN = 128

# A token is at least one byte, and a character in UTF-8 at most four.
MOST_TOKENS_PER_CHAR = 4


class Page(NamedTuple):
    """A stretch of an original of `total` characters."""

    text: str
    start: int
    total: int

    @property
    def end(self) -> int:
        """The offset behind the last character: the next page's, where there is one."""
        return self.start + len(self.text)


class Recall:
    """Kept originals, each for the caller who asked to keep it."""

    def __init__(
        self,
        originals: Originals,
        tokenizer: Tokenizer,
        offload: Offload,
        default_tokens: int,
        *,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """A page has `default_tokens` unless told, and a call so many seconds; 0: all the time it takes.

        `clock` counts seconds as the event loop's does.
        """
        self._originals = originals
        self._tokenizer = tokenizer
        self._offload = offload
        self._default_tokens = default_tokens
        self._seconds = seconds
        self._clock = clock

    @property
    def size(self) -> StoreSize:
        """How many originals are kept, and the room they take."""
        return self._originals.size

    async def keep(self, content: str, owner: str) -> str:
        """Keep a content and return its result_id. Raises NotStored."""
        return await self._originals.keep(content, owner)

    async def text(self, result_id: str, owner: str) -> str:
        """Return an original whole. Raises OriginalUnavailable."""
        return await self._originals.read(result_id, owner)

    async def page(
        self, content: str, offset: int, max_tokens: int, owner: str, *, arrived: float | None = None
    ) -> Page:
        """Return what stands at an offset, in at most so many tokens; 0 is the default. Raises OutOfTime.

        `arrived`: since when the caller waits; None: since now.
        """
        limit = max_tokens or self._default_tokens
        claim = self._claim(owner, min(len(content), limit * MOST_CHARS_PER_TOKEN), arrived)
        page: Page = await claim(read_page, content, offset, limit, self._tokenizer)
        return page

    async def search(
        self, content: str, query: str, max_results: int, owner: str, *, arrived: float | None = None
    ) -> Found:
        """Return the places that answer a query. Raises OutOfTime."""
        claim = self._claim(owner, len(content), arrived)
        found: Found = await claim(search, content, query, max_results)
        return found

    def _claim(self, owner: str, chars: int, arrived: float | None) -> Claim:
        since = self._clock() if arrived is None else arrived
        return self._offload.claim(owner, chars, since + self._seconds if self._seconds else None)


def read_page(content: str, offset: int, max_tokens: int, tokenizer: Tokenizer) -> Page:
    """Return the longest stretch from an offset within the tokens; before the end, one that ends where a line or sentence does."""
    max_tokens = min(max_tokens, MOST_TOKENS_PER_CHAR * len(content))
    ahead = content[offset : offset + max_tokens * MOST_CHARS_PER_TOKEN]
    text = tokenizer.cut(ahead, max_tokens)
    if offset + len(text) < len(content):
        whole = _to_line_or_sentence(text)
        # subtle: a word cut off from its line end may take a token more.
        text = whole if tokenizer.count(whole) <= max_tokens else text
    return Page(text, offset, len(content))


def _to_line_or_sentence(text: str) -> str:
    """Return a text up to its last line end, else its last sentence end, where that is near its end; else all of it."""
    near = len(text) - int(len(text) * NEAR_END)
    line_end = text.rfind("\n", near) + 1
    if line_end:
        return text[:line_end]
    ends = [end for start, end in sentences(text, near, len(text)) if is_sentence_end(text[start:end])]
    # subtle: a mark at the very end is none where the text goes on behind it ("3." of "3.5").
    ends = [end for end in ends if end < len(text)]
    return text[: ends[-1]] if ends else text
