"""JSON to a document: of one JSON value, of several (JSON Lines), and of JSON with slips; or of a part of one of these.

How it is read: reader.py, what becomes of slips: slips.py. Where a long text is cut into parts: cutting.py.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from summarizing.text.document import Document, Segment, Spelling
from summarizing.text.json.brackets import COMMENT, brackets_of
from summarizing.text.json.cutting import JsonPart
from summarizing.text.json.notations import Rewritten, rewritten
from summarizing.text.json.reader import (
    MAX_BRACKETS,
    MAX_NESTING,
    JsonReader,
    Values,
    after_comments,
    after_space,
)
from summarizing.text.json.slips import with_commas, without_comments

_BEGINNING = re.compile(
    r'\[[ \t\n\r]*+(?:["\[\]{,/0-9-]|true|false|null|NaN|Infinity|\Z)|\{[ \t\n\r]*+(?:["},/]|\Z)'
)
# What presents JSON has so many characters at most, and so large a share of the text: it is told whatever the room.
MAX_PRESENTING_CHARS = 200
MAX_SHARE_PRESENTING = 1 / 40
FENCES_AROUND = 2
# What begins the rest of JSON that is cut off, and ends what stands before a piece from its midst.
_IN_JSON = re.compile(r"[ \t\n\r]*+(?:,|[\"'][^\n]*+[\"'][ \t]*+:)")
_OPEN_IN_JSON = (",", "{", "[", '":', "':")
_LINE_OF_JSON = re.compile(r"\n[ \t]*+(?=[\[{])")
_GAP = rf"(?:[ \t\n\r]++|//[^\n]*+|{COMMENT}\*/){{0,99}}+"
_OTHER_BEGINNING = re.compile(
    rf"[\[(]{_GAP}(?:['\"({{\[<+.\d-]|None\b|True\b|False\b|b['\"]|[A-Za-z_][\w.]{{0,60}}+\()"
    rf"|\{{{_GAP}(?:['\"]|[\w$]{{1,60}}+[ \t]{{0,9}}+:)"
)


def parse_json(text: str) -> Document | None:
    """Return a text's segments if the whole of it is one JSON object or array; anything else is None."""
    reader = JsonReader(text, brackets_of(text))
    return _document(text, reader) if text.startswith(("[", "{"), after_space(text)) else None


def parse_nearly_json(text: str, *, is_fine: bool = False) -> Document | None:
    """Return the segments of JSON, or of what a reader of JSON would understand: values one after the other, slips, a cut-off end, another notation.

    `is_fine`: every member and item is a segment of its own, however small.
    """
    for found in written_as_json(text):
        as_json = found if found.ends else None
        if document := _parse(_MendedText(text, as_json), is_fine=is_fine):
            return document
    return None


def parse_presented_json(text: str) -> Document | None:
    """Return the segments of JSON between a few words that present it: "The tool returned:", a fence. These are no segments, and always told."""
    found = presented_json(text)
    document = parse_nearly_json(found.text) if found else None
    return replace(document, text=text, presented=found.words) if found and document else None


class PresentedJson(NamedTuple):
    """What may be JSON, with spaces in place of the words before it and behind it, so that each sign keeps its place; and these words."""

    text: str
    words: tuple[str, str] = ("", "")


def presented_json(text: str) -> PresentedJson | None:
    """Return what stands between a few words that may present JSON; None where no such words are."""
    opening = _LINE_OF_JSON.search(text, 0, MAX_PRESENTING_CHARS)
    if opening is None or begins_as_json(text):
        return None
    start, end = opening.end(), max(text.rfind("]"), text.rfind("}")) + 1
    if _IN_JSON.match(text, end):
        end = len(text)  # cut off
    around = text[:start] + text[end:] if end > start else text
    # Where another example is shown, it is a text.
    has_others = around.count("```") > FENCES_AROUND or text[:start].rstrip().endswith(_OPEN_IN_JSON)
    if has_others or len(around) > min(MAX_PRESENTING_CHARS, MAX_SHARE_PRESENTING * len(text)):
        return None
    inner = " " * start + text[start:end] + " " * (len(text) - end)
    return PresentedJson(inner, (text[:start].lstrip(), text[end:].rstrip()))


def written_as_json(text: str) -> Iterator[Rewritten]:
    """Yield what a text with the beginning of JSON, or of another notation, is as JSON; none of any other text."""
    if begins_as_json(text):
        yield Rewritten(text, [], [])
    if _OTHER_BEGINNING.match(text, after_comments(text)) and (as_json := rewritten(text)).ends:
        yield as_json


def _parse(read: "_MendedText", *, is_fine: bool) -> Document | None:
    for reader in read.readers(is_fine=is_fine):
        if found := read.read_by(reader):
            return found
        if reader.brackets.depth > MAX_BRACKETS or reader.open:
            return None  # another reader gets no further
    return None


def parse_part(text: str, part: JsonPart) -> Document | None:
    """Return the segments of a part of a JSON text; None where it is no JSON.

    The containers that it is in the midst of stay containers, however little of them it has.
    """
    stretch = _MendedText(part.text_in(text))
    # Values one after the other stand in a container without brackets.
    more = int(part.is_one_of_several)
    kind = Values if part.is_one_of_several else JsonReader
    reader = kind(
        stretch.mended,
        stretch.brackets,
        may_be_cut_off=not stretch.is_strict,
        above=len(part.above),
        last_closings=len(stretch.mended) - len(part.open_after),
    )
    document = stretch.read_by(reader)
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
    """Whether a text begins with a bracket and what may stand behind it, or with comments above that."""
    return _BEGINNING.match(text, after_comments(text)) is not None


class _MendedText:
    """A text beside the same without slips. Below a heading of Markdown nothing is mended: what stands there only resembles JSON."""

    def __init__(self, text: str, as_json: Rewritten | None = None) -> None:
        """`as_json`: the text if it is in another notation."""
        self.text = text
        self.is_strict = text.startswith("#", after_space(text))
        self._as_json = as_json
        text = as_json.text if as_json else text
        start = after_comments(text)
        self.mended = text if self.is_strict else " " * start + without_comments(text[start:])
        self.brackets = brackets_of(self.mended)
        self.added: list[int] = []
        if not self.is_strict:
            self.mended, self.added = with_commas(self.mended, self.brackets.ends)
        if self.added:
            self.brackets = brackets_of(self.mended)

    def readers(self, *, is_fine: bool) -> Iterator[JsonReader]:
        """Yield what may read the text."""
        if self.is_strict:
            yield JsonReader(self.mended, self.brackets, is_fine=is_fine)
            return
        # A number at the end of a text that is cut off may lack its last digits.
        begun = self.mended.rstrip("0123456789+-.eE") if self.brackets.is_cut_off else self.mended
        yield JsonReader(begun, self.brackets, may_be_cut_off=True, is_fine=is_fine)
        yield Values(self.mended, self.brackets, is_fine=is_fine)

    def read_by(self, reader: JsonReader) -> Document | None:
        """Return what a reader makes of it: segments of the text as it is written."""
        document = _document(self.text, reader)
        if document and (self.added or self._as_json):
            document = replace(document, segments=list(map(self._as_written, document.segments)))
        return document and replace(document, spelling=self._spelling())

    def _spelling(self) -> Spelling:
        if self._as_json:
            return Spelling.OTHER
        return Spelling.JSON if self.mended == self.text else Spelling.SLIPS

    def _as_written(self, segment: Segment) -> Segment:
        """Return a segment where it stands in the text, without the commas that were added before it."""
        start, end = (place - bisect_left(self.added, place) for place in (segment.start, segment.end))
        if self._as_json:
            start, end = self._as_json.original(start), self._as_json.original(end)
        return segment._replace(start=start, end=end)


def _document(text: str, reader: JsonReader) -> Document | None:
    if not reader.reads():
        return None
    parts = [piece.parts for piece in reader.pieces]
    return Document(text, list(reader.segments()), is_json=True, parts=parts)
