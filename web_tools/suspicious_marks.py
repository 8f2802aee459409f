"""Marks what looks like instructions to a model in what the web tools return, so that none of it comes unmarked. CPU work; pure.

What looks so: summarizing/sanitizing/suspicious.py. Removes nothing: whoever reads decides.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from protocol.messages import Message
from summarizing.sanitizing.suspicious import find_suspicious
from web_tools.pages import PagePassage

# The JSON Pointers of the marks of one value have so many characters together at most: each of many texts can be under a long name.
# Those of 50 results have about 30 each.
MAX_POINTER_CHARS = 100_000


class MarksInJson(NamedTuple):
    """The marks of a JSON value: of a mark, `at` is the JSON Pointer (RFC 6901) of its text."""

    marks: list[Message]
    left_out: int
    """How many more there are, for whose pointers there was no room."""


class _Place(NamedTuple):
    """Where a value is: in what, under which name as a pointer spells it, and how long its pointer is. Names are not copied for each member."""

    within: "_Place | None"
    name: str
    pointer_chars: int

    def member(self, name: str) -> "_Place":
        return _Place(self, name, self.pointer_chars + 1 + len(name))

    def pointer(self) -> str:
        names, place = list[str](), self
        while place.within is not None:
            names.append(place.name)
            place = place.within
        return "".join(f"/{name}" for name in reversed(names))


def marks_in_fields(objects: Sequence[Mapping[str, str]]) -> list[list[Message]]:
    """Return the marks of each object of texts: of a mark, `in` is the name of its text."""
    return [[mark for name, text in each.items() for mark in _marks(text, {"in": name})] for each in objects]


def marks_in_passages(passages: Sequence[PagePassage]) -> list[list[Message]]:
    """Return the marks of each passage: of one in its section path, `heading` is the heading's number, from 0 on."""
    return [[*_marks(each.text, {}), *_marks_in_headings(each)] for each in passages]


def marks_in_json(value: Any) -> MarksInJson:
    """Return the marks of a JSON value in its order, but for those whose pointers would be more than MAX_POINTER_CHARS with the ones before."""
    shown, left_out, room = list[Message](), 0, MAX_POINTER_CHARS
    for place, text in _texts_in(value):
        for mark in find_suspicious(text):
            if place.pointer_chars > room:
                left_out += 1
            else:
                room -= place.pointer_chars
                shown.append({"at": place.pointer(), **mark._asdict()})
    return MarksInJson(shown, left_out)


def _marks(text: str, place: Mapping[str, str | int]) -> list[Message]:
    return [{**place, **mark._asdict()} for mark in find_suspicious(text)]


def _marks_in_headings(passage: PagePassage) -> Iterator[Message]:
    for number, heading in enumerate(passage.section_path):
        yield from _marks(heading, {"heading": number})


def _texts_in(value: Any) -> Iterator[tuple[_Place, str]]:
    """Yield the texts of a JSON value in its order, each with its place. Not by recursion: it may be nested as deep as Python calls."""
    waiting: list[tuple[_Place, Any]] = [(_Place(None, "", 0), value)]
    while waiting:
        place, current = waiting.pop()
        match current:
            case str():
                yield place, current
            case list():
                waiting += reversed([(place.member(str(at)), each) for at, each in enumerate(current)])
            case dict():
                waiting += reversed([(place.member(_escaped(name)), each) for name, each in current.items()])


def _escaped(name: str) -> str:
    """RFC 6901, 3: "~" and "/" stand for something else in a pointer."""
    return name.replace("~", "~0").replace("/", "~1")
