"""Cleans a content before any model reads it: hidden parts go and, for an extraction, repeats; a page in HTML becomes its text.

Passages that look like instructions to a model go only with SUSPICIOUS_PASSAGES=drop; marking them is suspicious.py's work.
Does not judge what is relevant: that depends on the query.
"""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from summarizing.sanitizing.hidden import drop_hidden
from summarizing.sanitizing.repeats import Repeats
from summarizing.sanitizing.suspicious import find_suspicious, without
from summarizing.text.html.detection import is_html
from summarizing.text.html.page_text import text_of_html


class Note(NamedTuple):
    """What was done to a number of parts, in words: of one, and of several."""

    one: str
    several: str

    def of(self, count: int) -> str:
        """Return the note for so many."""
        return f"{count} {self.one if count == 1 else self.several}"


HIDDEN_DROPPED = Note("hidden stretch dropped", "hidden stretches dropped")
PAGE_READ = Note("HTML page read as its text", "HTML pages read as their text")
REPEATS_DROPPED = Note("repeated paragraph dropped", "repeated paragraphs dropped")
SUSPICIOUS_DROPPED = Note(
    "passage that looks like instructions to a model dropped",
    "passages that look like instructions to a model dropped",
)


class Cleaned(NamedTuple):
    """The text that is left, and notes of what was dropped; without notes it is the text that was given, the same object."""

    text: str
    notes: tuple[str, ...]


class Stretch(NamedTuple):
    """A part of a text after its cleaning, and how much of each kind was dropped."""

    text: str
    dropped: Counter[Note]


CleaningStep = Callable[[str], tuple[str, int]]
"""Returns the text that is left, and how many parts were dropped."""


class Cleaning:
    """Cleans one text, a stretch at a time and in order: what one stretch has is a repeat in the next.

    Before that, hidden text is dropped from the whole content at once, since a script may be longer than a stretch; HTML is read
    from its start.
    """

    def __init__(self, *, for_extraction: bool, drops_suspicious: bool = False) -> None:
        self._steps: list[tuple[CleaningStep, Note]] = []
        if drops_suspicious:
            self._steps.append((_without_suspicious, SUSPICIOUS_DROPPED))
        if for_extraction:
            self._steps.append((Repeats().drop, REPEATS_DROPPED))
        self._dropped = Counter[Note]()
        self._kept: list[str] = []

    def without_hidden(self, content: str) -> str:
        """Return a text without what is hidden; all of it where nothing would be left."""
        return _after(drop_hidden, HIDDEN_DROPPED, content, self._dropped, is_all=True)

    def text_for(self, page: str, text: str) -> str:
        """Return the text of a page in its place; the page where that has none."""
        if not text.strip():
            return page
        self._dropped[PAGE_READ] += 1
        return text

    def read(self, stretch: str, *, is_all: bool) -> Stretch:
        """Clean the next stretch of the shown text. Where it is the whole text (`is_all`), a step that would leave nothing is not taken."""
        dropped = Counter[Note]()
        for step, note in self._steps:
            stretch = _after(step, note, stretch, dropped, is_all=is_all)
        return Stretch(stretch, dropped)

    def keep(self, stretch: Stretch) -> None:
        """Add a cleaned stretch to the result. Separate from `read`: a thread may still be reading when the time is over."""
        self._kept.append(stretch.text)
        self._dropped += stretch.dropped

    def result(self, content: str) -> Cleaned:
        """Return what is left of a content after its last stretch.

        The content itself where nothing was dropped, or nothing would be left.
        """
        text = "".join(self._kept).strip() if self._dropped else content
        if not text:
            return Cleaned(content, ())
        return Cleaned(text, tuple(note.of(count) for note, count in self._dropped.items()))


def clean_whole(content: str, *, for_extraction: bool, drops_suspicious: bool = False) -> Cleaned:
    """Drop what is hidden and, for an extraction, repeats. A step that would leave nothing is not taken.

    For tests and the bench: the service cleans a slice at a time (work_in_slices.py).
    """
    cleaning = Cleaning(for_extraction=for_extraction, drops_suspicious=drops_suspicious)
    shown = cleaning.without_hidden(content)
    if is_html(shown):
        shown = cleaning.text_for(shown, text_of_html(shown))
    cleaning.keep(cleaning.read(shown, is_all=True))
    return cleaning.result(content)


def _after(step: CleaningStep, note: Note, text: str, dropped: Counter[Note], *, is_all: bool) -> str:
    left, count = step(text)
    if not count or (is_all and not left.strip()):
        return text
    dropped[note] += count
    return left


def _without_suspicious(text: str) -> tuple[str, int]:
    passages = find_suspicious(text)
    return without(text, passages), len(passages)
