"""Writes chosen segments of a JSON document as JSON again: what was kept stays where it stood, with marks for what was left out.

The last item of an array says what is missing from it and from the records in it: "[8 items and 20 members left out]". An object has a
last member "[3 members left out]": true, unless it is inside an array: then the mark of that array counts what it lacks, too. So an
array has one mark of at most a dozen tokens and its records none: a list of fifty names does not pay for fifty marks. A container that
is left out counts as one item or member, whatever it holds.

In a long string, which is split into sentences, "[...]" stands for those left out. Nothing else is added, and values keep their spelling,
escapes and order; the white space between them goes. Each item of an array begins a line, and so does each member of the two outermost
objects.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from summarizing.text.document import NO_SEGMENT, Document, SegmentKind, Spelling
from summarizing.text.json.brackets import STRING, without_space
from summarizing.text.json.notations import as_json, within_string
from summarizing.text.json.slips import with_commas, without_comments

# The members of objects nested no deeper than this have lines of their own.
DEPTH_OF_LINES = 2

# How JSON writes what opens a container in another notation.
_AS_JSON = {"(": "[", "'": '"'}
# Between sentences of one string.
GAP = "[...]"

# What may be the end of one value and the beginning of the next one, in JSON Lines; a string may look like it, too.
_NEXT_VALUE = re.compile(r'[\]}"][ \t\n\r]*+[\[{"]')
# A string, a container without others in it, or a single sign.
_PART = re.compile(rf'{STRING}|[\[{{](?:[^\[\]{{}}"]++|{STRING}){{0,99}}+[\]}}]|[\[{{\]}},]', re.DOTALL)


@dataclass(slots=True)
class _Container:
    """An object or array of which something is shown."""

    number: int
    closing: str
    depth: int
    is_in_array: bool
    in_lines: bool
    marker: "_Container | None" = None
    """The one whose mark counts what is missing here; None if that is its own."""
    items: int = 0
    members: int = 0
    is_empty: bool = True

    @property
    def is_array(self) -> bool:
        """Whether it has items: an array, or the values of a text that has several (JSON Lines), which no bracket closes."""
        return self.closing in ("]", "")

    @property
    def is_text(self) -> bool:
        """Whether it is a string that was split into sentences."""
        return self.closing == '"'

    def mark(self) -> str:
        """Return the mark that says how much is left out, "" where nothing is."""
        counts = [counted(self.items, "item"), counted(self.members, "member")]
        told = " and ".join(filter(None, counts))
        if not told:
            return ""
        return f'"[{told} left out]"' + (":true" if self.closing == "}" else "")

    def separator(self) -> str:
        """Return what stands before the next item or member."""
        comma = "" if self.is_empty or not self.closing else ","
        is_first = self.is_empty
        self.is_empty = False
        return f"{comma}\n" if self.in_lines and not (is_first and not self.closing) else comma

    def end(self) -> str:
        """Return the mark, if there is one, and the closing bracket."""
        mark = self.mark()
        return (self.separator() + mark if mark else "") + self.closing


class KnownTexts:
    """How segments of one document are written, as its renderings have found out."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._texts: dict[int, str] = {}

    def text_of(self, number: int) -> str:
        """Return a segment without the white space between its signs."""
        text = self._texts.get(number)
        if text is None:
            text = self._texts[number] = compact(self._document, number)
        return text


def render_json(document: Document, kept: Collection[int], known: KnownTexts | None = None) -> str:
    """Return kept segments of a JSON document, with all that they require, as one JSON value, between the words that present it.

    `known`: what earlier renderings of this document have found out.
    """
    known = known or KnownTexts(document)
    shown = _with_requirements(document, kept)
    containers = _containers(document, shown)
    _count_left_out(document, shown, containers)
    before, behind = document.presented
    return before + "".join(_parts(document, shown, containers, known)) + behind


def least_mark(document: Document) -> str:
    """Return JSON that says only that something is left out: for an answer that has no room for how much."""
    outermost = _container(0, compact(document, 0)[-1:], None)
    if outermost.is_array:
        return f'["{GAP}"]' if outermost.closing else f'"{GAP}"'
    return f'{{"{GAP}":true}}'


def compact(document: Document, number: int) -> str:
    """Return a segment without the white space and the slips between its signs, but for a sentence of a string; values without commas in lines."""
    segment, text = document.segments[number], document.of(number)
    if segment.kind is SegmentKind.SENTENCE:
        return within_string(text) if document.spelling is Spelling.OTHER else text
    if document.spelling is Spelling.OTHER:
        text = as_json(text)
    if document.spelling:
        text = without_comments(text)
    # Only the container of values one after the other has no bracket.
    are_values = segment.parent != NO_SEGMENT and not document.of(segment.parent)
    ends = _ends_of_values(text) if are_values else []
    values = [text[start:end].strip() for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]
    return "\n".join(
        [without_space(with_commas(value)[0] if document.spelling else value) for value in values]
    )


def _with_requirements(document: Document, kept: Collection[int]) -> list[int]:
    """Return what is kept and what it requires, in order; the outermost container always."""
    seen = {0, *kept}
    waiting = list(seen)
    while waiting:
        segment = document.segments[waiting.pop()]
        for needed in (segment.parent, segment.anchor):
            if needed != NO_SEGMENT and needed not in seen:
                seen.add(needed)
                waiting.append(needed)
    return sorted(seen)


def _containers(document: Document, shown: Collection[int]) -> dict[int, _Container]:
    containers: dict[int, _Container] = {}
    for number in shown:
        segment = document.segments[number]
        if segment.kind is SegmentKind.FRAME:
            outer = containers.get(segment.parent)
            opening = _opening_of(document, number)
            containers[number] = _container(number, _AS_JSON.get(opening, opening), outer)
    return containers


def _opening_of(document: Document, number: int) -> str:
    """Return the bracket, or the quotation mark, that a container begins with; "" of values one after the other."""
    segment = document.segments[number]
    return document.text[segment.end - 1] if segment.end > segment.start else ""


def _container(number: int, opening: str, outer: _Container | None) -> _Container:
    """Return a container, and whether it has lines and a mark, by where it stands."""
    is_array = opening in ("[", "")
    depth = outer.depth + 1 if outer else 0
    is_in_array = outer is not None and (outer.is_in_array or outer.is_array)
    in_lines = not is_in_array and (is_array or depth < DEPTH_OF_LINES)
    marker = None if is_array or not is_in_array or outer is None else outer.marker or outer
    closing = {"[": "]", "{": "}"}.get(opening, opening)
    return _Container(number, closing, depth, is_in_array, in_lines, marker)


def _count_left_out(document: Document, shown: Collection[int], containers: dict[int, _Container]) -> None:
    """Add up what is not shown of each shown container, where its mark stands."""
    is_shown = set(shown)
    for number, parts in document.left_out.items():
        if number in containers:
            _add_left_out(containers[number], parts)
    for number, segment in enumerate(document.segments):
        container = containers.get(segment.parent)
        if container is None or container.is_text or number in is_shown:
            continue
        _add_left_out(container, document.parts[number])


def _add_left_out(container: _Container, parts: int) -> None:
    if container.is_array:
        container.items += parts
    else:
        (container.marker or container).members += parts


def _ends_of_values(text: str) -> list[int]:
    """Return where values end that have another one after them without a comma, as in JSON Lines."""
    if not _NEXT_VALUE.search(text):
        return []
    ends: list[int] = []
    depth = end = 0
    for part in _PART.finditer(text):
        if (
            depth == 0
            and end
            and text[part.start()] in '"[{'
            and text[end - 1] != ","
            and not text[end : part.start()].strip()
        ):
            ends.append(end)
        depth += _step(part[0])
        end = part.end()
    return ends


def _step(part: str) -> int:
    """Return 1 where a container opens, -1 where one is closed."""
    return (part in ("[", "{")) - (part in ("]", "}"))


def _parts(
    document: Document, shown: Collection[int], containers: dict[int, _Container], known: KnownTexts
) -> Iterator[str]:
    """Yield the text of what is shown, with commas, marks and closing brackets."""
    open_ones: list[_Container] = []
    last = NO_SEGMENT
    for number in shown:
        segment = document.segments[number]
        while open_ones and open_ones[-1].number != segment.parent:
            yield from _ending(document, open_ones.pop(), last)
        if open_ones and open_ones[-1].is_text:
            yield _gap(document, last, number)
            yield known.text_of(number)
        else:
            yield open_ones[-1].separator() if open_ones else ""
            yield known.text_of(number)
        if number in containers:
            open_ones.append(containers[number])
        last = number
    while open_ones:
        yield from _ending(document, open_ones.pop(), last)


def _gap(document: Document, last: int, number: int) -> str:
    """Return what stands before a sentence of a string: what stood there, or a mark."""
    if number == last + 1 and number not in document.gaps:
        between = document.text[document.segments[last].end : document.segments[number].start]
        return within_string(between) if document.spelling is Spelling.OTHER else between
    return f"{GAP} " if document.segments[number].parent == last else f" {GAP} "


def _ending(document: Document, container: _Container, last: int) -> Iterator[str]:
    """Yield the end of a container, given its last segment that is shown."""
    is_cut = last in document.cut_ends or (
        last + 1 < len(document.segments) and document.segments[last + 1].parent == container.number
    )
    if container.is_text and is_cut:
        yield GAP if last == container.number else f" {GAP}"
    yield container.end()


def counted(number: int, noun: str) -> str:
    """Return a number with its noun; "" of none."""
    return f"{number} {noun}{'s' * (number != 1)}" if number else ""
