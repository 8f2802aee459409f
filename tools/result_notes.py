"""The note over the summary of a tool's result: which tool, how long the result was, and how to get at the whole of it.

Summarizes nothing. The note stands in the same text block as the summary, since some clients keep only the first.
"""

from typing import NamedTuple

from storage.originals import NotStored
from summarizing.text.tokenizer import Tokenizer
from tools.original_pages import OriginalAccess

# Less is no summary; a note that leaves less is not counted within the limit.
LEAST_SUMMARY_TOKENS = 16


class Kept(NamedTuple):
    """What became of an original: its id, None where it was not kept, and how to get at it, or why it cannot be got at."""

    result_id: str | None
    note: str

    @property
    def outcome(self) -> dict[str, str]:
        """What the outcome of a result says of it."""
        return {"result_id": self.result_id} if self.result_id else {}


async def keep(originals: OriginalAccess, text: str, owner: str) -> Kept:
    """Keep an original."""
    try:
        result_id = await originals.keep(text, owner)
    except NotStored as problem:
        return Kept(None, f"the original was not kept: {problem}")
    return Kept(result_id, f'result_id="{result_id}" for read_original, search_original, summarize_original')


def note_over(name: str, tokens: int, kept: str, read: str = "") -> str:
    """Return the note; `name` is the tool's, `kept` says how to get at the original, `read` of what part of it the summary is."""
    return f"[{name}: {tokens:,} tokens, summarized{read and f' from {read}'}; {kept}]\n\n"


def tokens_below(note: str, limit: int, tokenizer: Tokenizer) -> int:
    """Return how many tokens a summary may have below its note, of a limit for both."""
    room = limit - tokenizer.count(note)
    return room if room >= LEAST_SUMMARY_TOKENS else limit
