"""Marks what looks like instructions to a model in what the web tools return, so that none of it comes unmarked. CPU work; pure.

What looks so: summarizing/sanitizing/suspicious.py. Removes nothing: whoever reads decides.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protocol.messages import Message
from summarizing.sanitizing.suspicious import find_suspicious
from web_tools.pages import PagePassage

# The path of what a value is in, and its name there; () for the whole. Long names are not copied for each of their members.
_Path = tuple[()] | tuple["_Path", str]


def marks_in_fields(objects: Sequence[Mapping[str, str]]) -> list[list[Message]]:
    """Return the marks of each object of texts: of a mark, `in` is the name of its text."""
    return [[mark for name, text in each.items() for mark in _marks(text, {"in": name})] for each in objects]


def marks_in_passages(passages: Sequence[PagePassage]) -> list[list[Message]]:
    """Return the marks of each passage: of one in its section path, `heading` is the heading's number, from 0 on."""
    return [[*_marks(each.text), *_marks_in_headings(each)] for each in passages]


def marks_in_json(value: Any) -> list[Message]:
    """Return the marks of a JSON value: of a mark, `at` is the JSON Pointer (RFC 6901) of its text."""
    return [
        {"at": _pointer(path), **mark._asdict()}
        for path, text in _texts_in(value)
        for mark in find_suspicious(text)
    ]


def _marks_in_headings(passage: PagePassage) -> Iterator[Message]:
    for number, heading in enumerate(passage.section_path):
        yield from _marks(heading, {"heading": number})


def _marks(text: str, place: Mapping[str, Any] | None = None) -> Iterator[Message]:
    for mark in find_suspicious(text):
        yield {**(place or {}), **mark._asdict()}


def _texts_in(value: Any) -> Iterator[tuple[_Path, str]]:
    """Yield the texts of a JSON value in its order, each with its path. Not by recursion: it may be nested as deep as Python calls."""
    waiting: list[tuple[_Path, Any]] = [((), value)]
    while waiting:
        path, current = waiting.pop()
        match current:
            case str():
                yield path, current
            case list():
                waiting += reversed([((path, str(at)), each) for at, each in enumerate(current)])
            case dict():
                waiting += reversed([((path, name), each) for name, each in current.items()])


def _pointer(path: _Path) -> str:
    names: list[str] = []
    while path:
        path, name = path
        names.append(_escaped(name))
    return "".join(f"/{name}" for name in reversed(names))


def _escaped(name: str) -> str:
    """RFC 6901, 3: "~" and "/" stand for something else in a pointer."""
    return name.replace("~", "~0").replace("/", "~1")
