"""The note over the summary of a tool's result: which tool, how long the result was, and how to get at the whole of it.

Where nothing in the result matches what was asked for, or too little, or names that were asked for stand nowhere in it, the note says that, too.
Summarizes nothing. The note stands in the same text block as the summary, since some clients keep only the first.
"""

from collections.abc import Sequence
from typing import NamedTuple

from summarizing.outcome import MOST_WORDS, Outcome, Summary, first_of
from summarizing.query import Query
from summarizing.relevance.missing_words import may_be_name
from summarizing.text.tokenizer import Tokenizer
from tools.original_pages import KeptOriginal

# Of focus areas that nothing matches: enough to tell which call they are of.
MAX_FOCUS_CHARS = 60


class NoteOver(NamedTuple):
    """A note, the same where nothing in the result matches or too little does, and how many tokens a summary may have below any of these."""

    text: str
    unmatched: str
    little: str
    room: int
    parts: tuple[str, str, str]
    """The note before and behind what it says of the query, and what it says where too little matches."""
    limit: int
    """Of the note and the summary, in tokens."""
    tokenizer: Tokenizer

    def over(self, summary: Summary) -> str:
        """Return a summary below its note, which names as many words as fit: the missing ones, or the few that were found."""
        outcome = summary.outcome
        begin, end, too_little = self.parts
        if outcome.matched != "none":
            least, words = self.text, words_to_name(outcome)
            says = [f"; nowhere in it: {', '.join(words[: at + 1])}" for at in range(len(words))]
        elif words := outcome.found_words or ():
            least, most = self.little, min(MOST_WORDS, len(words))
            says = [f"{too_little}: only {first_of(words, at + 1)}" for at in range(most)]
        else:
            least, says = self.unmatched, []
        room = self.limit - outcome.output_tokens
        notes = (f"{begin}{each}{end}" for each in reversed(says))
        return next((note for note in notes if self.tokenizer.count(note) <= room), least) + summary.text


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
    asked, part = _asked(query), "that part" if read else "it"
    unmatched, little = f"; nothing in {part} matches {asked}", f"; too little of {asked} is in {part}"
    short = "; nothing matches", "; too little matches"
    forms = (
        (f"[{name}: {tokens:,} tokens, summarized{read and f' from {read}'}", unmatched, little, kept.note),
        (f"[{name}: {size}", *short, where),
        (f"[{size}", *short, where),
    )
    notes = []
    for begin, *says, about in forms:
        end = f"; {about}]\n\n"
        plain, nothing, too_little = (
            f"{begin}{each}{end}" for each in ("", *(says if query.words else ("", "")))
        )
        room = limit - max(map(tokenizer.count, (plain, nothing, too_little)))
        notes.append(NoteOver(plain, nothing, too_little, room, (begin, end, says[1]), limit, tokenizer))
    return next((note for note in notes if 2 * note.room >= limit), notes[-1])


def _asked(query: Query) -> str:
    """Return what a note says that a summary was made for, in one short line."""
    focus = " ".join(query.focus_areas.split())
    if not focus:
        return "the user's newest message"
    return f'"{focus[:MAX_FOCUS_CHARS]}{"…" * (len(focus) > MAX_FOCUS_CHARS)}"'
