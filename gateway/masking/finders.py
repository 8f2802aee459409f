"""What looks for secrets, each with the words without which a text has nothing that it would find. Pure; knows no secret."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from gateway.masking.secret import Secret
from gateway.masking.stretches import FEW_CHARS, SEARCHED_CHARS, words_in
from gateway.masking.visible_text import visible


class Finder(NamedTuple):
    """A search for one kind of secrets."""

    find: Callable[[str], Iterator[Secret]]
    """Yields the secrets of a visible text, in the order of their starts."""
    words: tuple[str, ...] = ()
    """In lower case: without one of these a text is not searched. None: it always is."""


class Finders:
    """Some searches, of which a text is put to those alone that may find something."""

    def __init__(self, finders: Iterable[Finder]) -> None:
        self._finders = tuple(finders)
        self._words = frozenset(word for finder in self._finders for word in finder.words)

    def found(self, text: str) -> list[Iterator[Secret]]:
        """Return what is found in a visible text, of each search in the order of its starts."""
        return [finder.find(text) for finder in self._useful(words_in(text, self._words))]

    def for_short_texts_in(self, value: Any) -> "Finders":
        """Return those that may find something in the short texts of a JSON value: so no word is looked for in each of many."""
        if not self._words:
            return self
        present = set[str]()
        for piece in _joined(filter(is_short, _texts(value))):
            present |= words_in(piece, self._words - present)
        return Finders(
            finder._replace(words=tuple(present.intersection(finder.words)))
            for finder in self._useful(present)
        )

    def _useful(self, present: set[str]) -> Iterator[Finder]:
        return (
            finder for finder in self._finders if not finder.words or not present.isdisjoint(finder.words)
        )


def is_short(text: str) -> bool:
    """Whether a text is one of those that `for_short_texts_in` looks at: a longer one is worth a search of its own."""
    return len(text) < FEW_CHARS


def _texts(value: Any) -> Iterator[str]:
    """Yield the strings of a JSON value, and the names in it, in any order."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case list() as items:
                waiting.extend(items)
            case dict() as members:
                waiting.extend(members)
                waiting.extend(members.values())


def _joined(texts: Iterable[str]) -> Iterator[str]:
    """Yield texts as a reader sees them, line by line, in pieces of about SEARCHED_CHARS."""
    lines, length = list[str](), 0
    for text in texts:
        lines.append(visible(text))
        length += len(text)
        if length >= SEARCHED_CHARS:
            yield "\n".join(lines)
            lines, length = [], 0
    yield "\n".join(lines)
