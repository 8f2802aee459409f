"""A part of a text that is too long to be summarized in any time: a few lines of each kind, or stretches of it. Pure; linear.

Lines are of a kind if they differ only in words with digits, as in a log: thousands of one kind say little more than a few. Lines that have
a word of what is asked for come first, then rare kinds. Marks count what is missing.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from gateway.compaction.line_templates import VALUE
from gateway.compaction.whole_lines import mark

# A text with more kinds of lines is not made of rows.
MAX_KINDS = 5_000
# Of one kind so many lines from its beginning, and its last one.
FIRST_LINES = 3
# Lines that have a word of what is asked for.
MAX_ASKED_LINES = 2_000
MIN_WORD_CHARS = 3

# While a block is read, no other thread runs: 10 ms.
BLOCK_CHARS = 256 * 1024
STRETCHES = 32


class Condensed(NamedTuple):
    """Lines or stretches of a text, and how much of it that is."""

    text: str
    share: str
    """Such as `412 of its 1,052,632 lines`."""


class _Line(NamedTuple):
    number: int
    start: int
    end: int


@dataclass(slots=True)
class _Kind:
    count: int = 0
    first: list[_Line] = field(default_factory=list)
    last: _Line | None = None

    def add(self, line: _Line) -> None:
        """Count a line, and remember it if it is one of the first, or as the last."""
        self.count += 1
        if self.count <= FIRST_LINES:
            self.first.append(line)
        else:
            self.last = line

    def lines(self) -> list[_Line]:
        """Return the lines that stand for it."""
        return [*self.first, self.last] if self.last else self.first


def condensed(text: str, chars: int, asked: str = "") -> Condensed | None:
    """Return lines of a text in at most `chars` characters, marks aside; None where it is not made of rows.

    `asked`: what is needed from it, in a few words.
    """
    words = {word for word in asked.lower().split() if len(word) >= MIN_WORD_CHARS}
    kinds: dict[str, _Kind] = {}
    found: list[_Line] = []
    lines = 0
    for line, kind, has_word in _lines(text, words):
        lines += 1
        kinds.setdefault(kind, _Kind()).add(line)
        if len(kinds) > MAX_KINDS:
            return None
        if has_word and len(found) < MAX_ASKED_LINES:
            found.append(line)
    rarest = sorted(kinds.values(), key=lambda kind: kind.count)
    chosen = _fitting([*found, *(line for kind in rarest for line in kind.lines())], chars)
    if not chosen:
        return None
    return Condensed("\n".join(_marked(text, chosen, lines)), f"{len(chosen):,} of its {lines:,} lines")


def _lines(text: str, words: Collection[str]) -> Iterator[tuple[_Line, str, bool]]:
    """Yield a text's lines, the kind of each, and whether it has one of the words."""
    number = at = 0
    while at < len(text):
        end = text.find("\n", at + BLOCK_CHARS) + 1 or len(text)
        block = text[at:end].removesuffix("\n")
        # No value has a line's end in it.
        kinds = VALUE.sub("", block).split("\n")
        lowered = block.lower()
        present = [word for word in words if word in lowered]
        for line, kind in zip(block.split("\n"), kinds, strict=True):
            has_word = bool(present) and any(word in line.lower() for word in present)
            yield _Line(number, at, at + len(line)), kind, has_word
            number += 1
            at += len(line) + 1
        at = end


def _fitting(lines: Iterable[_Line], chars: int) -> list[_Line]:
    """Return those of the lines that fit, the first ones first, in the order of the text."""
    chosen: set[_Line] = set()
    for line in lines:
        length = line.end - line.start + 1
        if line not in chosen and length <= chars:
            chosen.add(line)
            chars -= length
    return sorted(chosen)


def _marked(text: str, chosen: Iterable[_Line], lines: int) -> Iterator[str]:
    """Yield the lines, and marks for those between them."""
    next_number = 0
    for line in chosen:
        if line.number > next_number:
            yield mark(line.number - next_number)
        yield text[line.start : line.end]
        next_number = line.number + 1
    if next_number < lines:
        yield mark(lines - next_number)


def stretches(text: str, chars: int) -> Condensed:
    """Return stretches of a text at even distances, the beginning and the end among them, in `chars` characters, marks aside."""
    length = chars // STRETCHES
    starts = [number * (len(text) - length) // (STRETCHES - 1) for number in range(STRETCHES)]
    if starts[1] <= length:
        return Condensed(text, f"{len(text):,} of its {len(text):,} characters")
    parts = [text[:length]]
    for before, start in pairwise(starts):
        parts += (f"\n[{start - before - length:,} characters left out]\n", text[start : start + length])
    return Condensed("".join(parts), f"{STRETCHES * length:,} of its {len(text):,} characters")
