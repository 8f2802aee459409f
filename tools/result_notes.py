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
    """A note above a summary. What it says of the query depends on the outcome."""

    begin: str
    end: str
    asked: str
    """What the summary was made for; "" in a short note, which does not say so."""
    part: str
    """What of the result the summary is made of."""
    limit: int
    """Of the note and the summary, in tokens."""
    tokenizer: Tokenizer
    has_query: bool

    @property
    def room(self) -> int:
        """How many tokens a summary may have below it, whatever it says of the query."""
        read = self._what_was_read()
        says = ("", self._nothing_in(read), self._little_in(read)) if self.has_query else ("",)
        return self.limit - max(self.tokenizer.count(self._saying(each)) for each in says)

    def over(self, summary: Summary) -> str:
        """Return a summary below its note, which names as many words as fit: the missing ones, or the few that were found."""
        outcome, room = summary.outcome, self.limit - summary.outcome.output_tokens
        least, *more = map(self._saying, self._says_of(outcome))
        return (
            next((note for note in reversed(more) if self.tokenizer.count(note) <= room), least)
            + summary.text
        )

    def _says_of(self, outcome: Outcome) -> list[str]:
        """Return what the note may say of the query, the shortest first."""
        if outcome.matched != "none":
            words = words_to_name(outcome)
            return [
                "",
                *(f"; nowhere in {self.part}: {', '.join(words[: at + 1])}" for at in range(len(words))),
            ]
        read = self._what_was_read() if outcome.read_in_part else self.part
        if not (words := outcome.found_words or ()):
            return [self._nothing_in(read)]
        little, most = self._little_in(read), min(MOST_WORDS, len(words))
        return [little, *(f"{little}: only {first_of(words, at + 1)}" for at in range(most))]

    def _what_was_read(self) -> str:
        return f"what was read of {self.part}"

    def _nothing_in(self, read: str) -> str:
        return f"; nothing in {read} matches {self.asked}" if self.asked else "; nothing matches"

    def _little_in(self, read: str) -> str:
        return f"; too little of {self.asked} is in {read}" if self.asked else "; too little matches"

    def _saying(self, what: str) -> str:
        return f"{self.begin}{what}{self.end}"


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
    part = "that part" if read else "it"
    forms = (
        (f"[{name}: {tokens:,} tokens, summarized{read and f' from {read}'}", _asked(query), kept.note),
        (f"[{name}: {size}", "", where),
        (f"[{size}", "", where),
    )
    notes = [
        NoteOver(begin, f"; {about}]\n\n", asked, part, limit, tokenizer, bool(query.words))
        for begin, asked, about in forms
    ]
    return next((note for note in notes if 2 * note.room >= limit), notes[-1])


def _asked(query: Query) -> str:
    """Return what a note says that a summary was made for, in one short line."""
    focus = " ".join(query.focus_areas.split())
    if not focus:
        return "the user's newest message"
    return f'"{focus[:MAX_FOCUS_CHARS]}{"…" * (len(focus) > MAX_FOCUS_CHARS)}"'
