"""Access to kept originals: keeps them, reads pages, searches, or returns the whole text.

Between the tools and the store. Shortens nothing: a page is a part of the original, character for character, of the size that
was asked for. Large texts are processed off the event loop.
"""

from typing import NamedTuple

from protocol.context import Context
from storage.originals import NotStored, Originals, StoreSize
from summarizing.offload import JobThreads, Offload
from summarizing.text.language.sentence_spans import SentenceFinder, ends_sentence
from summarizing.text.tokenizer import Tokenizer
from tools.original_search import SearchResult, search

# A page ends at a line or sentence end if there is one in this last part of it: ending earlier would cost more calls.
MAX_SHORTENING = 0.2

# No token of cl100k_base is longer (summarizing/text/tokenizer.py, cut), so a page needs at most this much text per token.
MAX_CHARS_PER_TOKEN = 128

# A token is at least one byte, and a character in UTF-8 at most four.
MAX_TOKENS_PER_CHAR = 4


class OriginalPage(NamedTuple):
    """A part of an original of `total` characters."""

    text: str
    start: int
    total: int

    @property
    def end(self) -> int:
        """The offset after the last character: the next page's, if there is one."""
        return self.start + len(self.text)


class KeptOriginal(NamedTuple):
    """What became of an original: its id, None where it was not kept, and how to get at it, or why it cannot be got at."""

    result_id: str | None
    note: str

    @property
    def outcome(self) -> dict[str, str]:
        """What the outcome of a result says of it."""
        return {"result_id": self.result_id} if self.result_id else {}


class OriginalAccess:
    """The kept originals, each readable by its owner."""

    def __init__(
        self,
        originals: Originals,
        tokenizer: Tokenizer,
        offload: Offload,
        default_tokens: int,
        *,
        seconds: float,
    ) -> None:
        """A page has `default_tokens` by default. `seconds`: how long a call may take from its arrival; 0: no limit."""
        self._originals = originals
        self._tokenizer = tokenizer
        self._offload = offload
        self._default_tokens = default_tokens
        self._seconds = seconds

    @property
    def size(self) -> StoreSize:
        """How many originals are stored, and their bytes."""
        return self._originals.size

    async def keep(self, content: str, owner: str) -> str:
        """Store content and return its result_id. Raises NotStored."""
        return await self._originals.keep(content, owner)

    async def keep_if_possible(self, content: str, owner: str) -> KeptOriginal:
        """Store content; a result is not lost for want of that."""
        try:
            result_id = await self.keep(content, owner)
        except NotStored as problem:
            return KeptOriginal(None, f"the original was not kept: {problem}")
        note = f'result_id="{result_id}" for read_original, search_original, summarize_original'
        return KeptOriginal(result_id, note)

    async def text(self, result_id: str, owner: str) -> str:
        """Return the whole original. Raises OriginalUnavailable."""
        return await self._originals.read(result_id, owner)

    async def page(self, content: str, offset: int, max_tokens: int, context: Context) -> OriginalPage:
        """Return the page at an offset, of at most `max_tokens`; 0 is the default. Raises OutOfTime."""
        limit = max_tokens or self._default_tokens
        threads = self._threads(context, min(len(content), limit * MAX_CHARS_PER_TOKEN))
        return await threads.run(read_page, content, offset, limit, self._tokenizer)

    async def search(self, content: str, query: str, max_results: int, context: Context) -> SearchResult:
        """Return the passages that match a query. Raises OutOfTime."""
        return await self._threads(context, len(content)).run(search, content, query, max_results)

    def _threads(self, context: Context, chars: int) -> JobThreads:
        return self._offload.threads_for(context.owner, chars, context.deadline(self._seconds))


def read_page(content: str, offset: int, max_tokens: int, tokenizer: Tokenizer) -> OriginalPage:
    """Return the longest page within the tokens; unless it is the last, ended at a line or sentence end if there is one."""
    max_tokens = min(max_tokens, MAX_TOKENS_PER_CHAR * len(content))
    ahead = content[offset : offset + max_tokens * MAX_CHARS_PER_TOKEN]
    text = tokenizer.cut(ahead, max_tokens)
    if offset + len(text) < len(content):
        shorter = _cut_to_line_or_sentence(text)
        # subtle: a word that is cut off from its line end may take one more token.
        text = shorter if tokenizer.count(shorter) <= max_tokens else text
    return OriginalPage(text, offset, len(content))


def _cut_to_line_or_sentence(text: str) -> str:
    """Return a text up to the last line end in its last part, else up to the last sentence end there; else all of it."""
    earliest = len(text) - int(len(text) * MAX_SHORTENING)
    line_end = text.rfind("\n", earliest) + 1
    if line_end:
        return text[:line_end]
    found = SentenceFinder(text).spans(earliest, len(text))
    ends = [end for start, end in found if ends_sentence(text[start:end])]
    # subtle: a full stop at the very end may not end a sentence, as in "3." of "3.5".
    ends = [end for end in ends if end < len(text)]
    return text[: ends[-1]] if ends else text
