"""The note over the summary of a tool's result: which tool, how long the result was, and how to get at the whole of it.

Where nothing in the result matches what was asked for, or names that were asked for stand nowhere in it, the note says that, too.
Summarizes nothing. The note stands in the same text block as the summary, since some clients keep only the first.
"""

from collections.abc import Sequence
from typing import NamedTuple

from summarizing.outcome import Outcome, Summary
from summarizing.query import Query
from summarizing.relevance.missing_words import may_be_name
from summarizing.text.tokenizer import Tokenizer
from tools.original_pages import KeptOriginal

# Of focus areas that nothing matches: enough to tell which call they are of.
MAX_FOCUS_CHARS = 60


class NoteOver(NamedTuple):
    """A note, the same where nothing in the result matches, and how many tokens a summary may have below either."""

    text: str
    unmatched: str
    room: int
    parts: tuple[str, str]
    """The note before and behind what it says of the query."""
    limit: int
    """Of the note and the summary, in tokens."""
    tokenizer: Tokenizer

    def over(self, summary: Summary) -> str:
        """Return a summary below its note, which names as many missing words as fit."""
        if summary.outcome.matched == "none":
            return self.unmatched + summary.text
        words, room = words_to_name(summary.outcome), self.limit - summary.outcome.output_tokens
        for count in range(len(words), 0, -1):
            note = f"{self.parts[0]}; nowhere in it: {', '.join(words[:count])}{self.parts[1]}"
            if self.tokenizer.count(note) <= room:
                return note + summary.text
        return self.text + summary.text


def words_to_name(outcome: Outcome) -> Sequence[str]:
    """Return the missing words that a reader is told of: names, which no text has in other words, or all that was asked for."""
    words = outcome.missing_words or ()
    return words if outcome.matched == "unclear" else [word for word in words if may_be_name(word)]


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
        room = limit - max(map(tokenizer.count, pair))
        notes.append(NoteOver(*pair, room, (begin, f"{end}\n\n"), limit, tokenizer))
    return next((note for note in notes if 2 * note.room >= limit), notes[-1])


def _asked(query: Query) -> str:
    """Return what a note says that a summary was made for, in one short line."""
    focus = " ".join(query.focus_areas.split())
    if not focus:
        return "the user's newest message"
    return f'"{focus[:MAX_FOCUS_CHARS]}{"…" * (len(focus) > MAX_FOCUS_CHARS)}"'
