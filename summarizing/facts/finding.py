"""Finds what must survive in a text of any kind: numbers, dates, versions, places, ids, errors, terms, names.

Pure functions and no model. Refuses to know what matters to a brief, to put anything back, and to understand: a fact
here is a spelling, and two spellings of one fact share a key (summarizing/facts/normalizing.py).

The story: one pattern (summarizing/facts/patterns.py) passes over plain words and stops at what may be a fact; a method for each
kind of stop says what it is; names at sentence starts, which any word may look like, wait until the whole text has
been read; then whole lines give their heads and errors (summarizing/facts/lines.py). What a text states, summarizing/facts/index.py says.
"""

from collections.abc import Callable
from enum import Enum
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from summarizing.facts.lines import Columns, error_lines
from summarizing.facts.names import (
    German,
    Run,
    counted_word,
    is_german,
    is_sentence_start,
    plain_beginnings,
    read_run,
)
from summarizing.facts.normalizing import date_key, literal, nfkc, number_key, stems, word_after
from summarizing.facts.patterns import LINE_START, stop
from summarizing.facts.shapes import MAX_TOKEN_CHARS, PAIRS, amount_of, quoted_shape, shape_of


class Kind(Enum):
    """What a fact is; each is compared in its own way."""

    NUMBER = "number"
    DATE = "date"
    VERSION = "version"
    URL = "url"
    PATH = "path"
    ID = "id"
    ERROR = "error"
    TERM = "term"
    NAME = "name"


class Fact(NamedTuple):
    """A stretch of a text that states something; equal keys state the same."""

    kind: Kind
    start: int
    end: int
    key: str
    label: str = ""  # of a number or a date: the stems of what it counts or stands under


def find(text: str, *, german: bool | None = None) -> list[Fact]:
    """Return what a text states, in order of start; nothing overlaps but error lines and what they hold.

    The key of a record that comes again and again is given where it comes first. `german`: whether nouns have capitals and
    decimals a comma, where the text is too short to tell.
    """
    facts = _Finder(text, is_german(text) if german is None else german).read()
    errors = [Fact(Kind.ERROR, *line) for line in error_lines(text)]
    return sorted([*errors, *facts], key=itemgetter(1)) if errors else facts


_KINDS = {kind.value: kind for kind in Kind}
_LABELLED = (Kind.NUMBER, Kind.DATE)

# A value stands so close to its key.
_LABEL_REACH_CHARS = 2
_COUNTED_REACH_CHARS = 24

# A longer row of numbers without a space is data.
MAX_LISTED = 100

# A fact by its fields in order: a text has many, and this is the quickest way to make one.
_new = tuple.__new__


# What a spelling is wherever it stands: its kind and its key, which is empty where it is no fact.
_Known = tuple[Kind, str]


class _Finder:
    """One reading of a text: what was found, what has been seen, what waits for the end."""

    def __init__(self, text: str, german: bool) -> None:  # noqa: FBT001, what it is stands in its name
        # Every line starts after a line feed and ends before one, the first and the last too.
        self.text = f"\n{text}\n"
        self.facts: list[Fact] = []
        self._is_german = german
        self._german = German(self.text) if self._is_german else None
        self._label, self._label_end = "", -1
        self._columns = Columns(self.text)
        self._taken = 0  # where a number ends whose unit has capitals
        self._seen_keys: set[str] = set()
        self._labels: dict[str, str] = {}
        self._runs: dict[str, Run] = {}
        self._tokens: dict[str, _Known] = {}
        self._numbers: dict[str, _Known] = {}
        self._quotes: dict[str, _Known] = {}
        self._dates: dict[str, str] = {}
        self._counts: dict[tuple[str, str], str] = {}
        self._stems: dict[str, str] = {}
        self._waiting: list[int] = []
        self._names: set[str] = set()

    def read(self) -> list[Fact]:
        """Return what the text states, in order."""
        handlers = _handlers()
        for match in stop().finditer(self.text):
            group = match.lastindex or 0
            handler = handlers[group]
            if handler is not None:
                handler(self, match[group], match.start(group))
        self._resolve()
        return self.facts

    def _add(self, kind: Kind, start: int, end: int, key: str, label: str = "") -> None:
        if key:
            self.facts.append(_new(Fact, (kind, start - 1, end - 1, key, label if kind in _LABELLED else "")))

    def _stems_of(self, text: str) -> str:
        found = self._stems.get(text)
        if found is None:
            found = self._stems[text] = stems(text)
        return found

    def _known(self, token: str) -> _Known:
        found = self._tokens.get(token)
        if found is None:
            shape, key = shape_of(token, comma_decimal=self._is_german)
            found = self._tokens[token] = _KINDS[shape], key
        return found

    def _label_at(self, start: int) -> str:
        """Return what a number or date stands under: a key right before it, or the head of its column."""
        if start - _LABEL_REACH_CHARS <= self._label_end <= start:
            return self._label
        if start <= self._columns.start or self.text[start - 1] in ":=" or self.text[start - 2] in ":=":
            return ""
        return self._columns.head(start)

    # What follows is called by the name of the stop in summarizing/facts/patterns.py.

    def _line_key(self, raw: str, start: int) -> None:
        """Take the key of a line like `- **Max retries**: 3`."""
        self._label_end = start + len(raw)
        label = self._labels.get(raw)
        if label is not None:
            self._label = label
            return
        opening = LINE_START.match(raw)
        first = opening.end() if opening else 0
        key = raw[first:].rstrip(":= \t*_`\"'")
        self._labels[raw] = self._take_key(start + first, key, is_record=True)

    def _key(self, raw: str, start: int) -> None:
        self._label_end = start + len(raw)
        label = self._labels.get(raw)
        if label is None:
            self._labels[raw] = self._take_key(start, raw[:-1], is_record=raw[-1] == "=")
        else:
            self._label = label

    def _take_key(self, start: int, key: str, *, is_record: bool) -> str:
        """Remember what a value that follows stands under; the key of a record is a fact where it comes first."""
        label = self._label = self._stems_of(key)
        kind, known = self._known(key)
        if known:
            self._add(kind, start, start + len(key), known)
        elif is_record and label not in self._seen_keys:
            self._seen_keys.add(label)
            self._add(Kind.NAME, start, start + len(key), label)
        return label

    def _url(self, raw: str, start: int) -> None:
        url = raw.rstrip(".,;:!?*_)]…")
        if url.count("(") > url.count(")"):
            url = raw[: len(url) + 1]
        self._add(Kind.URL, start, start + len(url), literal(url))

    def _stamp(self, raw: str, start: int) -> None:
        """Take a day with its time, to the second."""
        key = f"{raw[:10]}t{raw[11:19]}"
        self._add(Kind.DATE, start, start + len(raw), nfkc(key), self._label_at(start))

    def _date(self, raw: str, start: int) -> None:
        key = self._dates.get(raw)
        if key is None:
            key = self._dates[raw] = date_key(raw)
        if key:
            self._add(Kind.DATE, start, start + len(raw), key, self._label_at(start))
        elif raw[0].isdecimal():
            digits = next((at for at, mark in enumerate(raw) if not mark.isdecimal()), len(raw))
            self._number(raw[:digits], start)

    def _number(self, raw: str, start: int) -> None:
        """Take a number with the unit that follows it."""
        end = start + len(raw)
        word, unit_end = word_after(self.text, end)
        if unit_end:
            raw, end = self.text[start:unit_end], unit_end
            self._taken = end
        label = self._label_at(start)
        if not label and not unit_end:
            label = self._counted(start, word)
        found = self._numbers.get(raw)
        if found is None:
            shape, key = amount_of(raw, comma_decimal=self._is_german)
            found = self._numbers[raw] = _KINDS[shape], key
        kind, key = found
        if key:
            self.facts.append(_new(Fact, (kind, start - 1, end - 1, key, label if kind in _LABELLED else "")))

    def _list(self, raw: str, start: int) -> None:
        """Take the numbers of a row like 12,5,8."""
        numbers = raw.split(",")
        if len(numbers) > MAX_LISTED:
            return
        for number in numbers:
            self._count(number, start)
            start += len(number) + 1

    def _count(self, raw: str, start: int) -> None:
        """Take a whole number that nothing follows."""
        label = self._label_at(start)
        if not label:
            label = self._counted(start, "")
        kind = Kind.DATE if len(raw) == 4 and "1800" <= raw < "2100" else Kind.NUMBER
        self.facts.append(_new(Fact, (kind, start - 1, start + len(raw) - 1, nfkc(raw), label)))

    def _counted(self, start: int, after: str) -> str:
        """Return the stem of the word that a number belongs to: "Port 8007", "12 apples"."""
        text = self.text
        is_after_word = text[start - 1] == " " and (after or text[start - 2].isalpha())
        if not is_after_word and not after:
            return ""
        reach = max(start - _COUNTED_REACH_CHARS, 0)
        space = text.rfind(" ", reach, start - 1)
        # Where no space is near, nothing is taken: what stands before may be the whole text.
        word = text[space + 1 : start - 1] if is_after_word and space >= 0 else ""
        known = self._counts.get((word, after))
        if known is None:
            known = self._counts[word, after] = self._stems_of(counted_word(word.rstrip("#:"), after))
        return known

    def _name(self, raw: str, start: int) -> None:
        """Take a run of capitalised words without what only begins a sentence."""
        run = self._runs.get(raw)
        if run is None:
            run = self._runs[raw] = read_run(raw, self._stems_of)
        skip, chars, key, is_term, may_begin = run
        if not key or start < self._taken:
            return
        if may_begin and is_sentence_start(self.text, start):
            self._waiting.append(len(self.facts))
        elif not is_term:
            name = raw[skip : skip + chars]
            if self._german and " " not in name and not self._german.is_name(start + skip, name):
                return
            self._names.add(name)
        start += skip - 1
        self.facts.append(_new(Fact, (Kind.TERM if is_term else Kind.NAME, start, start + chars, key, "")))

    def _quoted(self, raw: str, start: int) -> None:
        """Take what is quoted or marked as code; the key of a JSON record is a label too."""
        end = start + len(raw)
        if raw[0] == '"' and self.text[end] == ":":
            self._label_end = end + 1
            label = self._labels.get(raw)
            if label is None:
                label = self._labels[raw] = self._take_key(start + 1, raw[1:-1], is_record=True)
            self._label = label
            return
        marks = 2 if raw[:2] == "``" else 1
        marks += raw[marks].isspace()
        found = self._quotes.get(raw)
        if found is None:
            shape, key = quoted_shape(raw[marks:-marks], comma_decimal=self._is_german)
            found = self._quotes[raw] = _KINDS[shape], key
        kind, key = found
        self._add(kind, start + marks, end - marks, key, self._label_at(start) if kind in _LABELLED else "")

    def _flag(self, raw: str, start: int) -> None:
        self._add(Kind.TERM, start, start + len(raw), literal(raw))

    def _path(self, raw: str, start: int) -> None:
        path = raw.rstrip(".")
        self._add(Kind.PATH, start, start + len(path), literal(path))

    def _token(self, raw: str, start: int) -> None:
        if raw[-1] == "_" or raw[0] == "_":
            start += len(raw) - len(raw.lstrip("_"))
            raw = raw.strip("_")
        found = self._tokens.get(raw)
        kind, key = found or self._known(raw)
        if key:
            label = self._label_at(start) if kind in _LABELLED else ""
            self.facts.append(_new(Fact, (kind, start - 1, start + len(raw) - 1, key, label)))
        elif raw[:1].isdigit() and len(raw) <= MAX_TOKEN_CHARS and PAIRS.fullmatch(raw):
            self._pair(raw, start)

    def _pair(self, raw: str, start: int) -> None:
        """Take the ends of a range like 10-20."""
        first, _, last = raw.partition("-")
        for part, at in ((first, start), (last, start + len(first) + 1)):
            key = number_key(part, comma_decimal=self._is_german)
            self._add(Kind.NUMBER, at, at + len(part), key, self._label_at(start))

    def _resolve(self) -> None:
        """Drop from sentence starts what nothing else in the text shows to be a name."""
        if not self._waiting:
            return
        spans = [(self.facts[index].start + 1, self.facts[index].end + 1) for index in self._waiting]
        dropped: set[int] = set()
        plain = plain_beginnings(self.text, spans, self._names)
        for index, skip in zip(self._waiting, plain, strict=True):
            fact = self.facts[index]
            if skip == fact.end - fact.start:
                dropped.add(index)
            elif skip:
                rest = self.text[fact.start + 1 + skip : fact.end + 1]
                self.facts[index] = fact._replace(start=fact.start + skip, key=self._stems_of(rest))
        self.facts = [fact for index, fact in enumerate(self.facts) if index not in dropped]


@cache
def _handlers() -> list[Callable[[_Finder, str, int], None] | None]:
    # By the number of the stop's group: looked up once, since a model's answer is read a sentence at a time.
    pattern = stop()
    handlers: list[Callable[[_Finder, str, int], None] | None] = [None] * (pattern.groups + 1)
    for name, group in pattern.groupindex.items():
        handlers[group] = getattr(_Finder, f"_{name.partition('_of_')[0]}", None)
    return handlers
