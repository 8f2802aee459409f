"""Cuts long JSON into parts that are each parsed by themselves, as JSON: brackets that are open at an edge are repeated.

Pure; linear in the text. A part ends behind an item or member, where as few containers as possible are open. Only finds where: what
stands in a part is read by records.py, and decides whether it is JSON at all.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

# A single string may be as long as several parts: a part may have so many times the size that is asked for.
MOST_SIZES = 4

# A part ends where at most so many containers are open, if there is such a place; and nowhere where the brackets to repeat, with their keys,
# are longer than the part.
MAX_OPEN = 40

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
# A short container without another one in it; of others what they hold is read.
_FLAT = rf'[\[{{](?:[^\[\]{{}}"]{{1,200}}+|{_STRING}){{0,99}}+[\]}}]'
_NESTED = rf'[\[{{](?:[^\[\]{{}}"]{{1,200}}+|{_STRING}|{_FLAT}){{0,20}}+[\]}}]'
_PART = rf'(?:[^\[\]{{}}",]++|{_STRING}|{_NESTED})'
_ONE_OPENING = rf"(?:{_STRING}\s*+:\s*+)?+[\[{{]"
_OPENINGS = rf"(?P<openings>(?:{_ONE_OPENING}\s*+){{1,99}}+)"
_OTHER = rf'{_STRING}|[^\[\]{{}}",]++|,'
# Items or members with the comma after each; and values one after the other, which no bracket holds.
_INSIDE = re.compile(
    rf"(?P<run>(?:{_PART}{{1,9}}+,){{1,9}}+)|{_OPENINGS}|(?P<closings>(?:[\]}}]\s*+){{1,99}}+,?+)|{_OTHER}",
    re.DOTALL,
)
_OUTSIDE = re.compile(
    rf"(?P<run>(?:{_NESTED}[\s,]*+){{1,9}}+)|{_OPENINGS}|(?P<closings>[\]}}])|{_OTHER}", re.DOTALL
)

_END = re.compile(r"\s*+\Z")

_OPENING = re.compile(rf"({_ONE_OPENING})\s*+", re.DOTALL)
_CLOSING = {"[": "]", "{": "}"}


class JsonPart(NamedTuple):
    """A stretch `start` to `end` of JSON, with what is open before it and what is open after it, as they are written."""

    start: int
    end: int
    open_before: tuple[str, ...] = ()
    open_after: tuple[str, ...] = ()
    is_one_of_several: bool = False
    """Whether the whole text is JSON values one after the other, as JSON Lines."""

    @property
    def above(self) -> str:
        """The brackets that are open before it, with their keys."""
        return "".join(self.open_before)

    def text_in(self, text: str) -> str:
        """Return the stretch as JSON that can be read by itself."""
        below = "".join(_CLOSING[one[-1]] for one in reversed(self.open_after))
        stretch = text[self.start : self.end]
        return self.above + (stretch.rstrip().removesuffix(",") if below else stretch) + below


@dataclass(slots=True)
class _Cutter:
    """Decides where parts end."""

    size: int
    start: int = 0
    open_before: tuple[str, ...] = ()
    best: int = 0
    best_open: tuple[str, ...] = ()
    is_too_deep: bool = False
    """Whether too much is open for a part to end."""
    parts: list[JsonPart] = field(default_factory=list)
    are_several: bool = False
    """Whether a value has ended that another one follows."""

    def end_of_value(self, at: int, open_ones: list[str]) -> None:
        """Note that a part may end here; end it where it has its size."""
        is_near = at - self.start >= self.size // 2
        if (
            is_near
            and len(open_ones) <= MAX_OPEN
            and (not self.best or len(open_ones) <= len(self.best_open))
        ):
            self.best, self.best_open = at, tuple(open_ones)
        if at - self.start < self.size:
            return
        if self.best:
            self.end_part(self.best, self.best_open)
        elif not self.is_too_deep:
            self.is_too_deep = sum(map(len, open_ones)) > self.size
            if not self.is_too_deep:
                self.end_part(at, tuple(open_ones))

    def end_part(self, end: int, open_after: tuple[str, ...]) -> None:
        """Let a part end."""
        self.parts.append(JsonPart(self.start, end, self.open_before, open_after))
        self.start, self.open_before, self.best = end, open_after, 0


def json_parts(text: str, size: int) -> list[JsonPart] | None:
    """Return consecutive parts of about `size` characters that cover a whole text; None where it cannot be cut, as what is no JSON."""
    cutter, open_ones, most = _Cutter(size), list[str](), MOST_SIZES * size
    for at, is_end in _steps(text, open_ones, most):
        if at < 0 or at - cutter.start > most:
            return None
        if is_end:
            cutter.are_several = cutter.are_several or (not open_ones and not _END.match(text, at))
            cutter.end_of_value(at, open_ones)
    if len(text) - cutter.start > most:
        return None
    if cutter.start < len(text):
        cutter.end_part(len(text), ())
    return [part._replace(is_one_of_several=cutter.are_several) for part in cutter.parts]


def _steps(text: str, open_ones: list[str], most: int) -> Iterator[tuple[int, bool]]:
    """Yield the places between the parts of a text, each of at most `most` characters, and whether a value or member ends there.

    The place is -1 where a bracket closes none that is open.
    """
    at = 0
    while found := (_INSIDE.match(text, at, at + most) if open_ones else _OUTSIDE.match(text, at, at + most)):
        at, is_end = found.end(), found["run"] is not None
        if found["openings"]:
            open_ones += _each_opening(found["openings"])
        elif closings := found["closings"]:
            if not _closes(closings, open_ones):
                yield -1, False
                return
            is_end = closings[-1] == "," or not open_ones
        yield at, is_end


def _each_opening(openings: str) -> Iterator[str]:
    """Yield the brackets, with their keys, that a text consists of."""
    at = 0
    while found := _OPENING.match(openings, at):
        yield found[1]
        at = found.end()


def _closes(closings: str, open_ones: list[str]) -> bool:
    """Close containers; False where a bracket closes none that is open."""
    for sign in closings:
        if sign in "]}" and (not open_ones or _CLOSING[open_ones.pop()[-1]] != sign):
            return False
    return True
