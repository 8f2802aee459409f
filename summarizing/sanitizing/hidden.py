"""What a reader of the page would not see, dropped before any model reads it: invisible characters, then hidden markup."""

from summarizing.sanitizing.hidden_characters import Shown, without_controls, without_invisible
from summarizing.sanitizing.hidden_markup import without_markup


def drop_hidden(text: str) -> Shown:
    """Drop what is hidden; a text without anything hidden comes back as the same object."""
    dropped = 0
    for drop in (without_controls, without_invisible, without_markup):
        shown = drop(text)
        text, dropped = shown.text, dropped + shown.dropped
    return Shown(text, dropped)
