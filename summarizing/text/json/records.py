"""JSON to a document: of one JSON value, of several (JSON Lines), and of JSON with slips; or of a part of one of these.

How it is read: reader.py. Where a long text is cut into parts: cutting.py.
"""

from collections.abc import Iterator
from dataclasses import replace

from summarizing.text.document import Document
from summarizing.text.json.cutting import JsonPart
from summarizing.text.json.reader import (
    CHARS_PER_VALUE,
    MAX_BRACKETS,
    MAX_NESTING,
    MAX_SLIPS,
    JsonReader,
    Values,
    after_comments,
    after_space,
)


def parse_json(text: str) -> Document | None:
    """Return a text's segments if the whole of it is one JSON object or array; anything else is None."""
    return _parsed(JsonReader(text)) if text.startswith(("[", "{"), after_space(text)) else None


def parse_nearly_json(text: str, *, is_fine: bool = False) -> Document | None:
    """Return the segments of JSON, or of what a reader of JSON would understand: values one after the other, slips, a cut-off end.

    `is_fine`: every member and item is a segment of its own, however small.
    """
    if not begins_as_json(text):
        return None
    for reader in _readers(text, is_fine=is_fine):
        if found := _parsed(reader):
            return found
        if reader.depth > MAX_BRACKETS or (reader.open and reader.open[-1].is_deep):
            return None  # another reader gets no further
    return None


def parse_part(text: str, part: JsonPart) -> Document | None:
    """Return the segments of a part of a JSON text; None where it is no JSON.

    The containers that it is in the midst of stay containers, however little of them it has.
    """
    stretch = part.text_in(text)
    # Values one after the other stand in a container without brackets.
    more = int(part.is_one_of_several)
    kind = Values if part.is_one_of_several else JsonReader
    # A heading of Markdown may stand above what only resembles JSON.
    slips = 0 if stretch.startswith("#") else MAX_SLIPS + more * (len(stretch) // CHARS_PER_VALUE)
    reader = kind(
        stretch, slips=slips, above=len(part.above), last_closings=len(stretch) - len(part.open_after)
    )
    document = _parsed(reader)
    is_last = part.end == len(text)
    # What is nested deeper is no segment.
    open_before, open_after = (
        min(len(open_ones) + more, MAX_NESTING) for open_ones in (part.open_before, part.open_after)
    )
    return document and replace(
        document,
        open_before=open_before if part.start else 0,
        open_after=0 if is_last else open_after,
        left_out=dict(reader.left_out),
    )


def begins_as_json(text: str) -> bool:
    """Whether a text begins with a bracket, or with comments above one."""
    return text.startswith(("[", "{"), after_comments(text))


def _readers(text: str, *, is_fine: bool) -> Iterator[JsonReader]:
    """Yield what may read a text: the first of them reads JSON without slips, too, and then passes over none."""
    if text.startswith("#", after_space(text)):
        yield JsonReader(text, is_fine=is_fine)  # a heading of Markdown stands above what only resembles JSON
        return
    # A number at the end of a text that is cut off may lack its last digits.
    yield JsonReader(text.rstrip("0123456789+-.eE"), slips=MAX_SLIPS, is_fine=is_fine)
    yield Values(text, slips=MAX_SLIPS + len(text) // CHARS_PER_VALUE, is_fine=is_fine)


def _parsed(reader: JsonReader) -> Document | None:
    if not reader.reads():
        return None
    parts = [piece.parts for piece in reader.pieces]
    return Document(reader.text, list(reader.segments()), is_json=True, parts=parts)
