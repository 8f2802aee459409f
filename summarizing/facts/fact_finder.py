"""Finds the facts of a text by their shape: numbers, dates, versions, ids, paths, addresses, identifiers, quotations, names.

A fact is a stretch of a text with a key and a signature. The key is equal for equal values, however they are spelled. The signature is
equal for values of one kind ("num day", "ERR_*", "name 2"), so that the kind of value that is asked for can be learnt from the document
itself. One pattern (value_patterns.py) passes over plain words and stops at what may be a fact; for each kind of stop a method decides what
it is. Names are found by their capitals (names.py).

Knows nothing of languages and trades, and does not weigh facts. summarizing/facts/fact_index.py tells whether another text states a fact.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import ClassVar, NamedTuple, TypeVar

from summarizing.facts.date_keys import date_key
from summarizing.facts.fact import Fact
from summarizing.facts.names import CapitalizedWords, name_in
from summarizing.facts.number_keys import is_scale, is_unit, number_shape, unit_key, wide_unit
from summarizing.facts.script_letters import LETTER, SPACE, UNSPACED_SIGNS, currency_signs, folded
from summarizing.facts.token_shapes import NO_FACT, Shape, pair_of, shape_of
from summarizing.facts.value_patterns import stop_pattern
from summarizing.facts.value_words import value_words


def find_facts(text: str) -> list[Fact]:
    """Return the facts of a text, in their order; none overlap."""
    return _Finder(text).read()


# A long row of numbers is data: only its first numbers are facts.
MAX_LISTED = 50

# Where a text has more than one fact per this many characters (data), some are left out, evenly. A table of 455 KB of values has 23,000
# facts with 20, read and indexed in 0.38 s of a core, and 38,000 with 12, in 0.51 s; recall on the real texts is the same.
CHARS_PER_FACT = 20
MIN_FACTS = 500

_YEAR_DIGITS = 4

# A label stands at most this many characters before its value.
_LABEL_CHARS = 32

# Makes a fact of its fields in order: a text has many, and this is the quickest way.
_new = tuple.__new__

_COUNTED = re.compile(rf"(\d+(?:[.,]\d+)?)-({LETTER}{{2,20}})")
_BEFORE_LABELLED = frozenset(" \"':=#`")

# What may stand before a fraction without its zero: " .5", not "v.5" or "1.2.5".
_BEFORE_FRACTION = frozenset(" \t\n([=:|<>~")

_SENTENCE_ENDS = frozenset(".!?:…\n\r>#*-+•|\"'“„«»()[]。！？「")


@cache
def _after_number() -> re.Pattern[str]:
    word = rf"(?:{wide_unit()}|{LETTER}{{1,24}}+(?:/{LETTER}{{1,4}})?)(?![\w:=/@\\]|[.-]\w)"
    return re.compile(
        rf"{SPACE}?(?P<sign>[%％]|°[CF]?|[{currency_signs()}℃℉](?!\d)|[{UNSPACED_SIGNS}])|{SPACE}(?P<word>{word})"
    )


@cache
def _before_value() -> re.Pattern[str]:
    # What stands before a value, from its end to its beginning: one match instead of a search that tries every letter.
    return re.compile(rf"[\"'`]? ?(?P<is_key>[:=#] ?[\]\"'`*_)]{{0,3}}+)?(?P<label>{LETTER}{{2,24}}+)")


class _Role(NamedTuple):
    """What a word may be behind a number: what makes it larger, a unit, a word of grammar."""

    is_scale: bool
    is_unit: bool
    is_grammar: bool


def _role_of(word: str) -> _Role:
    return _Role(is_scale(word), is_unit(word), word in value_words().function_words)


A = TypeVar("A")
V = TypeVar("V")


class _Known(dict[A, V]):
    """What a function returns for each argument, found once: in a text the same spellings come again and again."""

    def __init__(self, function: Callable[[A], V]) -> None:
        self._function = function

    def __missing__(self, argument: A) -> V:
        found = self[argument] = self._function(argument)
        return found


class _Finder:
    """One reading of a text: what was found, what is known of each spelling, which names wait for the end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.facts: list[Fact] = []
        self._shapes = _Known(shape_of)
        self._roles = _Known(_role_of)
        self._dates = _Known(_date_shape)
        self._numbers = _Known(number_shape)
        self._quotations = _Known(_quotation_shape)
        self._names = _Known(name_in)
        self._capitalized = CapitalizedWords()
        self._taken = 0  # where the last fact ends

    def read(self) -> list[Fact]:
        """Return what the text states, in order."""
        handlers, facts = _handlers(), self.facts
        for match in stop_pattern().finditer(self.text):
            group = match.lastindex or 0
            handler = handlers[group]
            if handler is None:
                continue
            start = match.start(group)
            if start >= self._taken and len(facts) <= MIN_FACTS + start // CHARS_PER_FACT:
                handler(self, match[group], start)
        return self._capitalized.without_false_names(self.facts, self.text)

    def add(self, start: int, end: int, shape: Shape) -> None:
        """Add what stands there, if its shape is a fact's."""
        key, signature = shape
        if key:
            self._taken = end
            self.facts.append(_new(Fact, (start, end, key, signature)))

    # The handlers of stops.

    def _url(self, raw: str, start: int) -> None:
        url = raw.rstrip(".,;:!?*_)]…'")
        if url.count("(") > url.count(")"):
            url = raw[: len(url) + 1]
        self.add(start, start + len(url), (folded(url).rstrip("/"), "url"))

    def _date(self, raw: str, start: int) -> None:
        shape = self._dates[raw]
        if shape[0]:
            self.add(start, start + len(raw), shape)
        else:
            digits = next((at for at, sign in enumerate(raw) if not sign.isdecimal()), len(raw))
            self._number(raw[:digits], start)

    def _number(self, raw: str, start: int) -> None:
        """Take a number with what stands beside it: a unit, or a word for what is counted."""
        end = start + len(raw)
        after = None if raw[-1].isalpha() else _after_number().match(self.text, end)
        sign, word = after.groups() if after else ("", "")
        if after and word and self._roles[word].is_scale:
            raw, end = self.text[start : after.end()], after.end()
            after = _after_number().match(self.text, end)
            sign, word = after.groups() if after else ("", "")
        if after is None or raw[0] in currency_signs():
            self._add_number(raw, start, end, self._label(start))
        elif sign:
            self._add_number(raw, start, after.end(), sign)
        else:
            self._add_number(raw, *self._counted(start, end, word, after.end()))

    def _counted(self, start: int, end: int, word: str, end_of_word: int) -> tuple[int, int, str]:
        """Return where a number with a word behind it begins and ends, and its unit: the word, or what it stands under."""
        role = self._roles[word]
        if not role.is_unit and (label := self._label(start, is_sure=True)):
            return start, end, label
        if role.is_grammar:
            return start, end, self._label(start)
        return start, end_of_word, word

    def _count(self, raw: str, start: int) -> None:
        """Take a whole number that nothing follows."""
        label = self._label(start)
        if label or len(raw) == _YEAR_DIGITS or not raw.isascii() or self.text[start - 1 : start] == ".":
            self._add_number(raw, start, start + len(raw), label)
        else:
            self.add(start, start + len(raw), (raw, "num"))

    def _add_number(self, raw: str, start: int, end: int, unit: str) -> None:
        if self.text[start - 1 : start] == "." and raw[0].isdecimal() and self._begins_word(start - 1):
            raw, start = f"0.{raw}", start - 1
        if not unit and raw.isascii() and raw.replace(".", "", 1).isdecimal():
            is_year = len(raw) == _YEAR_DIGITS and "1800" <= raw < "2100" and raw.isdecimal()
            self.add(start, end, (raw, "date year" if is_year else "num"))
            return
        self.add(start, end, self._numbers[raw, unit])

    def _label(self, start: int, *, is_sure: bool = False) -> str:
        """Return what a value stands under: "Port 8007", "retries: 3", "license": "MIT"; `is_sure`: even where a word follows it."""
        text = self.text
        if start == 0 or text[start - 1] not in _BEFORE_LABELLED:
            return ""
        # Before a blank only a letter or the sign of a key can end a label.
        before = text[start - 2 : start - 1]
        if text[start - 1] == " " and before not in ":=#" and (before.isdecimal() or not before.isalnum()):
            return ""
        first = max(start - _LABEL_CHARS, 0)
        found = _before_value().match(text[first:start][::-1])
        label = found["label"][::-1] if found else ""
        if found is None or label.casefold() in value_words().function_words:
            return ""
        if found["is_key"] or (
            label[0].isupper() and not (is_sure and self._begins_sentence(start - found.end()))
        ):
            return label
        return ""

    def _list(self, raw: str, start: int) -> None:
        """Take the first numbers of a row, or of a column of one number a line."""
        for found in re.finditer(r"\d+", raw[: MAX_LISTED * 8]):
            self.add(start + found.start(), start + found.end(), (found[0], "num"))
        self._taken = start + len(raw)

    def _token(self, raw: str, start: int) -> None:
        shape = self._shapes[raw]
        if shape[0]:
            self.add(start, start + len(raw), shape)
        elif counted := _COUNTED.fullmatch(raw):
            self.add(start, start + len(raw), self._numbers[counted[1], counted[2]])
        elif ends := pair_of(raw):
            for part, at in ((ends[0], start), (ends[1], start + len(raw) - len(ends[1]))):
                self._add_number(part, at, at + len(part), "")

    def _path(self, raw: str, start: int) -> None:
        path = raw.rstrip(".,*")
        last, dot, extension = path.rpartition("/")[2].rpartition(".")
        signature = f"path .{extension}" if last and dot and len(extension) < 6 else "path"
        self.add(start, start + len(path), (folded(path).rstrip("/"), signature))

    def _scope(self, raw: str, start: int) -> None:
        self.add(start, start + len(raw.rstrip(".")), (folded(raw.rstrip(".")), "ident @"))

    def _quoted(self, raw: str, start: int) -> None:
        """Take what is quoted or marked as code; what is only the key of a record is the label of its value."""
        marks = 2 if raw[:2] == "``" else 1
        inner = raw[marks:-marks].strip()
        if not inner or (raw[0] in "\"'" and self.text[start + len(raw) : start + len(raw) + 1] == ":"):
            return
        at = start + raw.index(inner)
        shape = self._shapes[inner] if " " not in inner else NO_FACT
        if shape == NO_FACT and inner.replace(".", "", 1).isdecimal():
            shape = self._numbers[inner, self._label(start)]
        elif shape == NO_FACT:
            shape = self._quotations[inner, "code" if raw[0] == "`" else "quote", self._label(start)]
        self.add(at, at + len(inner), shape)
        self._taken = start + len(raw)

    def _name(self, raw: str, start: int) -> None:
        """Take a run of capitalised words."""
        skip, chars, key, signature = self._names[raw]
        if not key:
            return
        place = len(self.facts)
        if not skip and self._begins_sentence(start):
            if signature.startswith("name "):
                self._capitalized.add_at_start(place)
        elif signature == "name 1":
            self._capitalized.add_single(place)
        self.add(start + skip, start + skip + chars, (key, signature))

    def _begins_word(self, start: int) -> bool:
        return start == 0 or self.text[start - 1] in _BEFORE_FRACTION

    def _begins_sentence(self, start: int) -> bool:
        at = start - 1
        while at > start - 4 and at >= 0 and self.text[at] in " \t":
            at -= 1
        return at < 0 or self.text[at] in _SENTENCE_ENDS

    HANDLERS: ClassVar[Mapping[str, "_Handler"]] = {
        "column": _list,
        "list": _list,
        "count": _count,
        "date": _date,
        "number": _number,
        "digits_of_cell": _number,
        "token": _token,
        "digits": _number,
        "url": _url,
        "token_of_small": _token,
        "path_of_drive": _path,
        "date_of_month": _date,
        "name": _name,
        "token_of_letters": _token,
        "quoted": _quoted,
        "money": _number,
        "signed": _number,
        "path": _path,
        "scope": _scope,
    }
    """What takes each stop that is not of SHAPES, by its name in value_patterns.py."""


_Handler = Callable[[_Finder, str, int], None]

# The key and signature of what is a fact as it stands, whatever is beside it.
SHAPES: Mapping[str, Callable[[str], Shape]] = {
    "call": lambda raw: (folded(raw).removesuffix("()"), "ident call"),
    # Words with colons between them, as commands, scopes and elements with a namespace are named: "db:migrate".
    "command": lambda raw: (raw, "ident colon"),
    "flag": lambda raw: (raw, "flag"),
    "variable": lambda raw: (folded(raw.strip("${}")), "env"),
    "section": lambda raw: (folded(raw.replace(" ", "")), f"num {raw[0]}"),
    "article": lambda raw: (folded(raw.replace(" ", "")), f"num {raw[-1]}"),
    "katakana": lambda raw: (folded(raw), "name katakana") if len(raw) > 2 else NO_FACT,
}

PASSED_OVER = frozenset(("pause", "other", "mark"))


def _date_shape(raw: str) -> Shape:
    key = date_key(raw)
    return key, "date" if key.count("-") > 1 else "date month" if "-" in key else "time"


def _quotation_shape(quotation: tuple[str, str, str]) -> Shape:
    """Return the key and signature of what is quoted: of its words, its kind, and its label."""
    inner, kind, label = quotation
    key = " ".join(folded(inner).split()).rstrip(",;:!?…")
    return key, f"{kind} {unit_key(label)}" if label else kind


@cache
def _handlers() -> list[_Handler | None]:
    # By the number of the stop's group.
    pattern = stop_pattern()
    handlers: list[_Handler | None] = [None] * (pattern.groups + 1)
    for name, group in pattern.groupindex.items():
        if name not in PASSED_OVER:
            handlers[group] = _taking(SHAPES[name]) if name in SHAPES else _Finder.HANDLERS[name]
    return handlers


def _taking(shape: Callable[[str], Shape]) -> _Handler:
    def take(finder: _Finder, raw: str, start: int) -> None:
        finder.add(start, start + len(raw), shape(raw))

    return take
