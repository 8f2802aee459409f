"""The note over the summary of a tool's result: which tool, how long the result was, and how to get at the whole of it.

Summarizes nothing. The note stands in the same text block as the summary, since some clients keep only the first.
"""

from typing import NamedTuple

from summarizing.text.tokenizer import Tokenizer
from tools.original_pages import KeptOriginal


class NoteOver(NamedTuple):
    """A note, and how many tokens a summary may have below it."""

    text: str
    room: int


def note_within(
    limit: int, tokenizer: Tokenizer, name: str, tokens: int, kept: KeptOriginal, *, read: str = ""
) -> NoteOver:
    """Return the note that says most and leaves a summary half of `limit`, which is in tokens and for both; else the shortest.

    `name` is the tool's, `tokens` the size of its result; `read` says of what part of that the summary is, "" for all.
    """
    size = f"{tokens:,} tokens{', in part' if read else ''}"
    where = f'result_id="{kept.result_id}"' if kept.result_id else "not kept"
    notes = (
        f"[{name}: {tokens:,} tokens, summarized{read and f' from {read}'}; {kept.note}]\n\n",
        f"[{name}: {size}; {where}]\n\n",
        f"[{size}; {where}]\n\n",
    )
    rooms = [NoteOver(note, limit - tokenizer.count(note)) for note in notes]
    return next((note for note in rooms if 2 * note.room >= limit), rooms[-1])
