"""The note over the summary of a tool's result: which tool, how long the result was, and how to get at the whole of it.

Where nothing in the result matches what was asked for, the note says that, too. Summarizes nothing. The note stands in the same text
block as the summary, since some clients keep only the first.
"""

from typing import NamedTuple

from summarizing.outcome import Summary
from summarizing.query import Query
from summarizing.text.tokenizer import Tokenizer
from tools.original_pages import KeptOriginal

# Of focus areas that nothing matches: enough to tell which call they are of.
MAX_FOCUS_CHARS = 60


class NoteOver(NamedTuple):
    """A note, the same where nothing in the result matches, and how many tokens a summary may have below either."""

    text: str
    unmatched: str
    room: int

    def over(self, summary: Summary) -> str:
        """Return a summary below its note."""
        return (self.unmatched if summary.outcome.matched == "none" else self.text) + summary.text


def note_within(
    limit: int,
    tokenizer: Tokenizer,
    name: str,
    tokens: int,
    kept: KeptOriginal,
    *,
    query: Query,
    read: str = "",
) -> NoteOver:
    """Return the note that says most and leaves a summary half of `limit`, which is in tokens and for both; else the shortest.

    `name` is the tool's, `tokens` the size of its result; `read` says of what part of that the summary is, "" for all. The note shows
    the focus areas of `query`, which must be masked.
    """
    size = f"{tokens:,} tokens{', in part' if read else ''}"
    where = f'result_id="{kept.result_id}"' if kept.result_id else "not kept"
    unmatched = f"; nothing in {'that part' if read else 'it'} matches {_asked(query)}"
    forms = (
        (f"[{name}: {tokens:,} tokens, summarized{read and f' from {read}'}", unmatched, f"; {kept.note}]"),
        (f"[{name}: {size}", "; nothing matches", f"; {where}]"),
        (f"[{size}", "; nothing matches", f"; {where}]"),
    )
    notes = []
    for begin, says, end in forms:
        pair = f"{begin}{end}\n\n", f"{begin}{says if query.words else ''}{end}\n\n"
        notes.append(NoteOver(*pair, limit - max(map(tokenizer.count, pair))))
    return next((note for note in notes if 2 * note.room >= limit), notes[-1])


def _asked(query: Query) -> str:
    """Return what a note says that a summary was made for, in one short line."""
    focus = " ".join(query.focus_areas.split())
    if not focus:
        return "the user's newest message"
    return f'"{focus[:MAX_FOCUS_CHARS]}{"…" * (len(focus) > MAX_FOCUS_CHARS)}"'
