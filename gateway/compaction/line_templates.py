"""Lines that differ in a few words alone, as in logs: the words that they share once, as a template; of each line its own. Pure.

    #1 = {} {} status installed {} {}
    #1 2026-11-20 06:25:01 libc6:amd64 2.36-9

A template is a line with a sign in place of each value: each word that has a digit, and the one word in which templates of equal length
differ otherwise. A line that shares its words with few others is written as it is. The order is that of the text, blanks stay, and every
line can be read back.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

# Fewer lines are as short without a template.
MIN_LINES = 3
# A text whose lines have more templates is none of rows; and a line with more words is not looked at for the one that varies.
MAX_TEMPLATES = 2_000
MAX_WORDS = 40

# A longer text takes seconds, and is too long in any form.
MAX_CHARS = 4_000_000

# Rows begin at the left: where many lines do not, the indentation says what belongs together, which a list of values would hide.
MAX_INDENTED = 0.1

_DELIMITERS = r"\s\"'=,;()\[\]<>{}|"
# From the beginning of a word, so that each is looked at once.
VALUE = re.compile(rf"(?<![^{_DELIMITERS}])[^{_DELIMITERS}\d]*+\d[^{_DELIMITERS}]*+")

PLACES = ("{}", "<>", "\u2039\u203a")
"""What may stand for a value: the first that does not occur in the text."""
SIGNS = ("#", "~", "%", "\u00a7")
"""What may begin a line with a template's number: the first that no line begins with."""


class Templates(NamedTuple):
    """Lines in the form above."""

    text: str
    templates: int
    """How many lines at the beginning are templates."""
    rows: int
    """How many lines have one."""
    place: str
    """What stands in them for a value."""


class _Shape(NamedTuple):
    """A line's words with a place for each value; the word of that number is one value."""

    template: str
    varying: int | None = None


def with_templates(text: str) -> Templates | None:
    """Return a text's lines with templates; None where that is not shorter."""
    lines = text.split("\n") if len(text) <= MAX_CHARS else []
    signs = _signs(text, lines)
    if signs is None or len(lines) < MIN_LINES:
        return None
    place, sign = signs
    given = [VALUE.sub(place, line) for line in lines]
    counts = Counter(given)
    if len(counts) > MAX_TEMPLATES:
        return None
    shapes = _merged(counts, place)
    used = Counter[_Shape]()
    for template, count in counts.items():
        used[shapes[template]] += count
    worth = [shape for shape, count in used.items() if count >= MIN_LINES and place in shape.template]
    if not worth:
        return None
    tables = {shape: _Table(f"{sign}{number}", shape) for number, shape in enumerate(worth, 1)}
    shaped = [(line, tables.get(shapes[template])) for line, template in zip(lines, given, strict=True)]
    for line, table in shaped:
        if table is not None:
            table.add(line)
    head = [table.header(place) for table in tables.values()]
    rows = [table.next_row() if table else line for line, table in shaped]
    written = "\n".join([*head, *rows])
    if len(written) >= len(text):
        return None
    return Templates(written, len(head), sum(used[shape] for shape in worth), place)


class _Table:
    """The values of the lines that have one template."""

    def __init__(self, name: str, shape: _Shape) -> None:
        self._name = name
        self._shape = shape
        self._rows: list[list[str]] = []
        self._varying: list[int] = []
        self._written = 0

    def add(self, line: str) -> None:
        """Take a line's values."""
        self._rows.append(_values(line, self._shape.varying))

    def header(self, place: str) -> str:
        """Return the template once all lines are there, with the values in it that all of them have."""
        parts = self._shape.template.split(place)
        first = self._rows[0]
        self._varying = [
            number for number, values in enumerate(zip(*self._rows, strict=True)) if len(set(values)) > 1
        ]
        signs = [place if number in self._varying else value for number, value in enumerate(first)]
        return f"{self._name} = {''.join(map(str.__add__, parts, [*signs, '']))}"

    def next_row(self) -> str:
        """Return the values of the next line, in the order of their adding."""
        row = self._rows[self._written]
        self._written += 1
        return " ".join([self._name, *(row[number] for number in self._varying)])


def _signs(text: str, lines: Sequence[str]) -> tuple[str, str] | None:
    """Return the sign for a value and that for a template's number; None where none is free, or the lines are no rows."""
    place = next((each for each in PLACES if each not in text), None)
    indented = sum(line[:1] in (" ", "\t") for line in lines)
    begins = {line[:1] for line in lines}
    sign = next((each for each in SIGNS if each not in begins), None)
    if place is None or sign is None or indented > MAX_INDENTED * len(lines):
        return None
    return place, sign


def _merged(counts: Counter[str], place: str) -> dict[str, _Shape]:
    """Return the shape of each template: that of all which differ from it in the same one word, if there are some."""
    totals = Counter[bytes]()
    kinds = Counter[bytes]()
    digests = {template: [_digest(shape) for shape in _candidates(template, place)] for template in counts}
    for template, own in digests.items():
        for digest in own:
            totals[digest] += counts[template]
            kinds[digest] += 1

    def shape_of(template: str) -> _Shape:
        own = digests[template]
        shared = (number for number, digest in enumerate(own) if kinds[digest] > 1)
        best = max(shared, key=lambda number: totals[own[number]], default=None)
        return _Shape(template) if best is None else next(islice(_candidates(template, place), best, None))

    return {template: shape_of(template) for template in counts}


def _digest(shape: _Shape) -> bytes:
    """Return what stands for a shape where there are many: one for each word of a template would be forty times the text."""
    return blake2b(
        f"{shape.varying} {shape.template}".encode("utf-8", "surrogatepass"), digest_size=16
    ).digest()


def _candidates(template: str, place: str) -> Iterator[_Shape]:
    """Yield a template with each of its words as one that varies."""
    words = template.split(" ")
    if len(words) > MAX_WORDS:
        return
    for number, word in enumerate(words):
        if word and word != place:
            yield _Shape(" ".join([*words[:number], place, *words[number + 1 :]]), number)


def _values(line: str, varying: int | None) -> list[str]:
    """Return the values of a line, in their order."""
    if varying is None:
        return VALUE.findall(line)
    words = line.split(" ")
    before, after = " ".join(words[:varying]), " ".join(words[varying + 1 :])
    return [*VALUE.findall(before), words[varying], *VALUE.findall(after)]
