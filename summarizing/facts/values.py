"""Finds the facts of a text by their shape: numbers, dates, versions, ids, paths, addresses, identifiers, quotations, names.

A fact is a stretch of a text with a key and a signature. The key is equal for equal values, however they are spelled. The signature is
equal for values of one kind ("num day", "ERR_*", "name 2"), so that the kind of value that is asked for can be learnt from the document
itself. One pattern passes over plain words and stops at what may be a fact; for each kind of stop a method decides what it is. Names are
found by their capitals, as in truecasing (Lita et al. 2003): the first word of a sentence counts by how it is spelled elsewhere.

Refuses to know languages and trades, and to weigh facts. summarizing/facts/fact_index.py tells whether another text states a fact.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from summarizing.facts.spelling import (
    AMOUNT,
    CAPITALS,
    CJK_DATE,
    CLOCK,
    CURRENCY,
    DAY_FIRST,
    IN_WORD,
    ISO,
    LETTER,
    MONTH_FIRST,
    SMALL,
    SPACE,
    UNSPACED,
    date_key,
    folded,
    is_scale,
    number_key,
    unit_key,
)
from summarizing.facts.tokens import NO_FACT, Shape, pair_of, shape_of


class Fact(NamedTuple):
    """A stretch of a text that states something: equal keys mean the same value, equal signatures the same kind of value."""

    start: int
    end: int
    key: str
    signature: str


def find_facts(text: str, start: int = 0, end: int | None = None) -> list[Fact]:
    """Return the facts of a stretch of a text, in their order; none overlap."""
    return _Finder(text, start, len(text) if end is None else end).read()


def marks_nouns(text: str) -> bool:
    """Whether a text capitalizes its nouns, as German does, or all words: then a single capitalized word need not be a name."""
    sample = text[:NOUN_SAMPLE_CHARS]
    nouns = _noun().findall(sample)
    return len(nouns) * CHARS_PER_NOUN > len(sample) and len(set(nouns)) >= MIN_NOUNS


# A longer quotation is speech: it is searched for facts and is not a fact itself.
MAX_QUOTED_CHARS = 60
MAX_QUOTED_WORDS = 4

# A long row of numbers is data: only its first numbers are facts.
MAX_LISTED = 50

# Where a text has more than one fact per this many characters (data), some are left out, evenly.
CHARS_PER_FACT = 12
MIN_FACTS = 500

# A longer run of capitalised words is a title in capitals.
MAX_NAME_WORDS = 6

# With at least one capitalised word inside a sentence per this many characters, capitals mark nouns (as in German) or titles.
CHARS_PER_NOUN = 60
# Fewer different capitalised words prove nothing.
MIN_NOUNS = 6
# How much of a text is looked at for that.
NOUN_SAMPLE_CHARS = 100_000

# A label stands at most this many characters before its value.
_LABEL_CHARS = 32

# Function words: beside a number they are no unit, and at the start of a sentence no name.
FUNCTION_WORDS = frozenset(
    """a about above after again all also an and are as at be been before below between both but by can did do does each for from had has
    have he her his how however if in into is it its may more most must near no nor not of on one only or other our over per same see she
    should since so some such than that the their them then there therefore these they this those thus to too under until up was we were what when
    where which while who will with within without would you your der die das den dem des ein eine einen einem einer und oder für mit
    von zu im am auf bei bis ist le la les de du des un une et ou pour avec dans sur est el los las del y o con por para en es
    que auch aussi también""".split()  # noqa: SIM905, a list of so many words would be a page
)

# --- The pattern -------------------------------------------------------------------------------------------

_TOKEN_END = rf"(?!{IN_WORD}|[-/@+\\]{IN_WORD}|\.{IN_WORD})"
_NUMBER = rf"{AMOUNT}(?:%|°[CF]?|[^\W\d_{UNSPACED}]{{1,5}}+)?+{_TOKEN_END}(?!:\d)"
_JOINT = r"(?:[-._/@+~\\]{1,3}+|::)"
_TOKEN = rf"{IN_WORD}++(?:{_JOINT}{IN_WORD}++)*+(?::\d{{1,5}}+(?![\w:]))?+(?:\(\))?+"
_NAME_WORD = rf"[{CAPITALS}](?:\.(?={SPACE}?[{CAPITALS}])|{LETTER}*+(?:['’\-‑]{LETTER}++){{0,4}}+(?!{IN_WORD}|[@/\\=(]|::|[.+:-]{IN_WORD}))"
_TITLE = "(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Sra|Hr|Fr|Mme|Mlle|Rev|Gen|Col|Capt|Lt|Sen|Rep|Gov|Hon)"
_PARTICLE = r"(?:of|the|de|la|las|del|der|den|von|van|zu|da|di|du|des|dos|le|al|bin|ibn|&)"
_NAME = rf"(?:{_TITLE}\. )?{_NAME_WORD}(?:[ \u00a0](?:{_PARTICLE} ){{0,2}}{_NAME_WORD}){{0,9}}+"


def _quotation(opening: str, closing: str) -> str:
    """Write a pattern for a few words between two marks."""
    word = rf"[^\s{opening}{closing}]{{1,{MAX_QUOTED_CHARS}}}+"
    return rf"{opening} ?{word}(?: {word}){{0,{MAX_QUOTED_WORDS - 1}}}+ ?{closing}"


_QUOTED = "|".join(
    [
        rf'(?<!\w)"(?=[^\s,;:)\]}}])[^\s"]{{1,{MAX_QUOTED_CHARS}}}+(?: [^\s"]{{1,{MAX_QUOTED_CHARS}}}+){{0,{MAX_QUOTED_WORDS - 1}}}+"(?!\w)',
        rf"(?<!\w)'(?=[\w/.$@#~<*-])[^\s']{{1,{MAX_QUOTED_CHARS}}}+(?: [^\s']{{1,{MAX_QUOTED_CHARS}}}+){{0,{MAX_QUOTED_WORDS - 1}}}+'(?!\w)",
        r"``(?!`)[^`\n]{1,100}+``|`(?!`)[^`'\n]{1,60}+'(?!\w)|`(?!`)[^`\n]{1,100}+`",
        rf"「[^「」\n]{{1,{MAX_QUOTED_CHARS}}}+」|『[^『』\n]{{1,{MAX_QUOTED_CHARS}}}+』|《[^《》\n]{{1,{MAX_QUOTED_CHARS}}}+》",
        *(_quotation(*marks) for marks in ("«»", "»«", "“”", "„“", "„”", "‘’", "‚‘")),
    ]
)
_STOP_SIGNS = rf"\"'`«»“„‘‚「『《{CURRENCY}§#$@~/\\−+.-"
# Plain words and what is between them: nothing to stop at. Where this fails, reading resumes at the last word.
_PLAIN = (
    rf"(?:{SMALL}++(?:['’-]{SMALL}++){{0,4}}+(?![\w({CURRENCY}@/\\]|::|:\d|://|[.+~-]{IN_WORD})|[^\w{_STOP_SIGNS}]++"
    rf"|[\u3041-\u309f\u3005-\u3007\u3400-\u7b2b\u7b2d-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]++"
    rf"|\.(?!\.?/)|[-−+](?!-?\w)|/(?!\.?{IN_WORD}))*+"
)
_STOPS_AT_DIGIT = {
    "column": r"\d++(?=\n)(?:\n\d++(?=\n)){8,}+",
    # subtle: what follows is looked at behind each number; behind the last alone, each number of a run would be the start of a try.
    "list": r"\d{1,6}+(?:(?:,?[ \t]|[,;|])\d{1,6}+(?![\w.])){7,}+",
    "count": r"\d++(?=[\n)\]}\"|;,](?!\d)|  )",
    "date": rf"(?:{ISO})|(?=\d{{1,4}}(?:[:aApP년年月.]|st|nd|rd|th|er|{SPACE}|-[A-Za-z]))(?:{DAY_FIRST}|{CJK_DATE}|{CLOCK})",
    "number": _NUMBER,
    "digits_of_cell": r"\d++(?:\.\d++)?+(?=,)",
    "token": _TOKEN,
    "digits": r"\d++",
}
_STOPS_AT_LETTER = {
    "url": r"(?:[a-z][a-z0-9+.]{0,15}+://|www\.)[^\s<>\"'`|\\^{}«»“”「」，。、）]++",
    "call": rf"(?={SMALL})[a-z_]\w{{2,40}}+(?=\()(?!\((?:s|es|e|n|en)\))(?:\(\)|\(\d[a-z]?\))?+",
    "token_of_small": rf"(?={SMALL}){_TOKEN}",
    "path_of_drive": r"[A-Z]:\\[^\s\"<>|]++",
    "date_of_month": MONTH_FIRST,
    "name": _NAME,
    "token_of_letters": rf"(?![{UNSPACED}]){_TOKEN}",
    "katakana": "[\u30a1-\u30fa\u30fc-\u30ff]++(?:[・＝][\u30a1-\u30ff]++)*+",
    "article": r"第 ?[\d〇零一二三四五六七八九十百千]{1,8}+[\u3400-\u9fff]",
}
_STOPS_AT_SIGN = {
    "quoted": _QUOTED,
    "money": rf"(?<!\d)(?:(?<![\w)])[-−+])?(?:[{CURRENCY}]|(?<!\d )[{CURRENCY}] ){AMOUNT}(?: ?(?:k|K|M|m|bn|million|billion)\b)?+",
    "signed": rf"(?<![\w)])[-−+]{_NUMBER}",
    "flag": r"(?<![\w/-])--[A-Za-z0-9][\w-]*+|(?<![\w/.+*-])-[A-Za-z][\w-]*+(?![/.@])",
    "path": rf"(?<![\w<])(?:~|\.{{1,2}})?/\.?{IN_WORD}[\w.@+~/%*-]*+",
    "variable": r"\$\{?[A-Za-z_]\w*+\}?",
    "scope": r"@[a-z][\w-]*+(?:[/.]\w[\w.-]*+)?",
    "section": r"§§? ?\d+\w?|#\d+\b",
    # A run of one character is skipped at once, except for its end, which may belong to what follows.
    "other": rf"(?s:第|[{UNSPACED}]++|\w++|(?P<mark>.)(?:(?P=mark)(?=(?P=mark){{2}}))*+)|\Z",
}


def _named(patterns: dict[str, str]) -> str:
    return "|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items())


@cache
def _stop() -> re.Pattern[str]:
    # Compiled for the first text, as that takes a while.
    return re.compile(
        rf"{_PLAIN}(?:(?=\d)(?:{_named(_STOPS_AT_DIGIT)})|(?=[^\W\d])(?:{_named(_STOPS_AT_LETTER)})|{_named(_STOPS_AT_SIGN)})"
    )


# --- The finder --------------------------------------------------------------------------------------------

# Makes a fact of its fields in order: a text has many, and this is the quickest way.
_new = tuple.__new__

_NUMBER_PARTS = re.compile(rf"([-−+]?)([{CURRENCY}]?) ?({AMOUNT}) ?(.*)", re.DOTALL)
_AFTER_NUMBER = re.compile(
    rf"{SPACE}?(?P<sign>[%％]|°[CF]?|[{CURRENCY}℃℉](?!\d)|[{UNSPACED}])|{SPACE}(?P<word>{LETTER}{{1,24}}+(?:/{LETTER}{{1,4}})?)(?![\w:=/@\\]|[.-]\w)"
)
_BEFORE_VALUE = re.compile(rf"(?P<label>{LETTER}{{2,24}}+)(?P<is_key>[\]\"'`*_)]{{0,3}}+ ?[:=#])? ?[\"'`]?\Z")
_COUNTED = re.compile(rf"(\d+(?:[.,]\d+)?)-({LETTER}{{2,20}})")
_BEFORE_LABELLED = frozenset(" \"':=#`")
_SCALE_SIGNS = {"k": "thousand", "K": "thousand", "m": "million", "M": "million"}
_SENTENCE_ENDS = frozenset(".!?:…\n\r>#*-+•|\"'“„«»()[]。！？「")
_TITLED = re.compile(rf"({_TITLE})\. ")
_CAMEL = re.compile(rf"{SMALL}[{CAPITALS}]|[{CAPITALS}]{{2}}{SMALL}")
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_MINUS = frozenset("-−")
_POSSESSIVE = re.compile(r"['’]s?\Z")
# This much is split into words at a time: the words of a whole text would take many times its memory.
_BLOCK_CHARS = 65_536


class _Finder:
    """One reading of a stretch: what was found, what is known of each spelling, which names wait for the end."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text, self.start, self.end = text, start, end
        self.facts: list[Fact] = []
        self._shapes: dict[str, Shape] = {}
        self._numbers: dict[tuple[str, str], Shape] = {}
        self._units: dict[str, str] = {}  # what each is called beside a whole number
        self._names: dict[str, tuple[int, int, str, str]] = {}
        self._at_start: list[int] = []  # places in `facts` of names that may only begin a sentence
        self._singles: list[int] = []  # places of single capitalised words inside a sentence
        self._taken = start  # where the last fact ends

    def read(self) -> list[Fact]:
        """Return what the stretch states, in order."""
        handlers = _handlers()
        for match in _stop().finditer(self.text, self.start, self.end):
            group = match.lastindex or 0
            handler = handlers[group]
            if handler is None:
                continue
            start = match.start(group)
            is_full = len(self.facts) > MIN_FACTS + (start - self.start) // CHARS_PER_FACT
            if start >= self._taken and not is_full:
                handler(self, match[group], start)
        self._drop_what_is_no_name()
        return self.facts

    def _add(self, start: int, end: int, shape: Shape) -> None:
        if shape[0]:
            self._taken = end
            self.facts.append(_new(Fact, (start, end, *shape)))

    def _shape(self, token: str) -> Shape:
        found = self._shapes.get(token)
        if found is None:
            found = self._shapes[token] = shape_of(token)
        return found

    # The handlers of stops: each has the name of its stop, up to "_of_".

    def _url(self, raw: str, start: int) -> None:
        url = raw.rstrip(".,;:!?*_)]…'")
        if url.count("(") > url.count(")"):
            url = raw[: len(url) + 1]
        self._add(start, start + len(url), (folded(url).rstrip("/"), "url"))

    def _date(self, raw: str, start: int) -> None:
        key = date_key(raw)
        signature = "date" if key.count("-") > 1 else "date month" if "-" in key else "time"
        if key:
            self._add(start, start + len(raw), (key, signature))
        else:
            digits = next((at for at, sign in enumerate(raw) if not sign.isdecimal()), len(raw))
            self._number(raw[:digits], start)

    def _number(self, raw: str, start: int) -> None:
        """Take a number with what stands beside it: a unit, or a word for what is counted."""
        end = start + len(raw)
        after = None if raw[-1].isalpha() else _AFTER_NUMBER.match(self.text, end, self.end)
        if after and after["word"] and is_scale(after["word"]):
            raw, end = self.text[start : after.end()], after.end()
            after = _AFTER_NUMBER.match(self.text, end, self.end)
        if after is None or raw[0] in CURRENCY:
            self._add_number(raw, start, end, self._label(start))
        elif after["sign"]:
            self._add_number(raw, start, after.end(), after["sign"])
        elif label := self._label(start, is_sure=True):
            self._add_number(raw, start, end, label)
        elif after["word"] in FUNCTION_WORDS:
            self._add_number(raw, start, end, self._label(start))
        else:
            self._add_number(raw, start, after.end(), after["word"])

    def _count(self, raw: str, start: int) -> None:
        """Take a whole number that nothing follows."""
        self._add_number(raw, start, start + len(raw), self._label(start))

    _money = _signed = _digits = _number

    def _add_number(self, raw: str, start: int, end: int, unit: str) -> None:
        if not unit and raw.isascii() and raw.replace(".", "", 1).isdecimal():
            is_year = len(raw) == 4 and "1800" <= raw < "2100" and raw.isdecimal()
            self._add(start, end, (raw, "date year" if is_year else "num"))
            return
        shape = self._numbers.get((raw, unit))
        if shape is None:
            shape = self._numbers[raw, unit] = self._number_shape(raw, unit)
        self._add(start, end, shape)

    def _number_shape(self, raw: str, unit: str) -> Shape:
        """Return the key and signature of a number; what its unit is called is found out once for all of its numbers."""
        if not (unit and raw.isascii() and raw.isdecimal()):
            return number_shape(raw, unit)
        name = self._units.get(unit)
        if name is None:
            name = self._units[unit] = "" if is_scale(unit) else unit_key(unit)
        return (f"{raw} {name}", f"num {name}") if name else number_shape(raw, unit)

    def _label(self, start: int, *, is_sure: bool = False) -> str:
        """Return what a value stands under: "Port 8007", "retries: 3", "license": "MIT"; `is_sure`: even where a word follows it."""
        if self.text[start - 1 : start] not in _BEFORE_LABELLED or start <= self.start:
            return ""
        first = max(start - _LABEL_CHARS, self.start)
        found = _BEFORE_VALUE.search(self.text[first:start])
        label = found["label"] if found else ""
        if found is None or label.casefold() in FUNCTION_WORDS:
            return ""
        if found["is_key"] or (
            label[0].isupper() and not (is_sure and self._begins_sentence(first + found.start()))
        ):
            return label
        return ""

    def _column(self, raw: str, start: int) -> None:
        """Take the first of a column of numbers, one a line."""
        self._list(raw, start)

    def _list(self, raw: str, start: int) -> None:
        """Take the first numbers of a row."""
        for found in re.finditer(r"\d+", raw[: MAX_LISTED * 8]):
            self._add(start + found.start(), start + found.end(), (found[0], "num"))
        self._taken = start + len(raw)

    def _token(self, raw: str, start: int) -> None:
        shape = self._shape(raw)
        if shape[0]:
            self._add(start, start + len(raw), shape)
        elif counted := _COUNTED.fullmatch(raw):
            self._add(start, start + len(raw), number_shape(counted[1], counted[2]))
        elif ends := pair_of(raw):
            for part, at in ((ends[0], start), (ends[1], start + len(raw) - len(ends[1]))):
                self._add_number(part, at, at + len(part), "")

    def _call(self, raw: str, start: int) -> None:
        self._add(start, start + len(raw), (folded(raw).removesuffix("()"), "ident call"))

    def _flag(self, raw: str, start: int) -> None:
        self._add(start, start + len(raw), (raw, "flag"))

    def _path(self, raw: str, start: int) -> None:
        path = raw.rstrip(".,*")
        last, dot, extension = path.rpartition("/")[2].rpartition(".")
        signature = f"path .{extension}" if last and dot and len(extension) < 6 else "path"
        self._add(start, start + len(path), (folded(path).rstrip("/"), signature))

    def _variable(self, raw: str, start: int) -> None:
        self._add(start, start + len(raw), (folded(raw.strip("${}")), "env"))

    def _scope(self, raw: str, start: int) -> None:
        self._add(start, start + len(raw.rstrip(".")), (folded(raw.rstrip(".")), "ident @"))

    def _section(self, raw: str, start: int) -> None:
        self._add(start, start + len(raw), (folded(raw.replace(" ", "")), f"num {raw[0]}"))

    def _article(self, raw: str, start: int) -> None:
        self._add(start, start + len(raw), (folded(raw.replace(" ", "")), f"num {raw[-1]}"))

    def _katakana(self, raw: str, start: int) -> None:
        if len(raw) > 2:
            self._add(start, start + len(raw), (folded(raw), "name katakana"))

    def _quoted(self, raw: str, start: int) -> None:
        """Take what is quoted or marked as code; what is only the key of a record is the label of its value."""
        marks = 2 if raw[:2] == "``" else 1
        inner = raw[marks:-marks].strip()
        if not inner or (raw[0] in "\"'" and self.text[start + len(raw) : start + len(raw) + 1] == ":"):
            return
        at = start + raw.index(inner)
        shape = self._shape(inner) if " " not in inner else NO_FACT
        if shape == NO_FACT and inner.replace(".", "", 1).isdecimal():
            shape = self._number_shape(inner, self._label(start))
        elif shape == NO_FACT:
            label = self._label(start)
            sort = "code" if raw[0] == "`" else "quote"
            shape = (
                " ".join(folded(inner).split()).rstrip(",;:!?…"),
                f"{sort} {unit_key(label)}" if label else sort,
            )
        self._add(at, at + len(inner), shape)
        self._taken = start + len(raw)

    def _name(self, raw: str, start: int) -> None:
        """Take a run of capitalised words."""
        known = self._names.get(raw)
        if known is None:
            known = self._names[raw] = _read_name(raw)
        skip, chars, key, signature = known
        if not key:
            return
        place = len(self.facts)
        if not skip and self._begins_sentence(start):
            if signature.startswith("name "):
                self._at_start.append(place)
        elif signature == "name 1":
            self._singles.append(place)
        self._add(start + skip, start + skip + chars, (key, signature))

    def _begins_sentence(self, start: int) -> bool:
        at = start - 1
        while at > start - 4 and at >= 0 and self.text[at] in " \t":
            at -= 1
        return at < 0 or self.text[at] in _SENTENCE_ENDS

    def _drop_what_is_no_name(self) -> None:
        """Drop single words at sentence starts that stand nowhere else as names, and all single ones where capitals mark nouns."""
        names = {self.facts[place].key for place in self._singles}
        are_nouns = len(names) >= MIN_NOUNS and len(self._singles) * CHARS_PER_NOUN > self.end - self.start
        names = set() if are_nouns else names
        firsts = {self.facts[place].key.partition(" ")[0] for place in self._at_start}
        lower = self._in_lower_case(firsts)
        dropped = set(self._singles) if are_nouns else set()
        for place in self._at_start:
            fact = self.facts[place]
            first, _, rest = fact.key.partition(" ")
            if fact.signature == "name 1" and first not in names:
                dropped.add(place)
            elif first in lower:
                self._shorten(place, rest, are_nouns, dropped)
        if dropped:
            self.facts = [fact for place, fact in enumerate(self.facts) if place not in dropped]

    def _shorten(self, place: int, rest: str, are_nouns: bool, dropped: set[int]) -> None:  # noqa: FBT001
        """Leave the first word of a sentence out of a name."""
        fact = self.facts[place]
        spelled = self.text[fact.start : fact.end]
        cut = len(spelled) - len(spelled.partition(" ")[2]) if " " in spelled else len(spelled)
        words = rest.count(" ") + 1
        if not rest or (words == 1 and are_nouns):
            dropped.add(place)
        else:
            self.facts[place] = Fact(fact.start + cut, fact.end, rest, f"name {words}")

    def _in_lower_case(self, words: set[str]) -> set[str]:
        """Return those that stand somewhere in the stretch without a capital."""
        found: set[str] = set()
        for at in range(self.start, self.end if words else self.start, _BLOCK_CHARS):
            found |= words.intersection(self.text[at : min(at + _BLOCK_CHARS, self.end)].split())
        return found


def number_shape(raw: str, unit: str) -> Shape:
    """Return the key and signature of a number as it is spelled, with the unit or the word beside it."""
    found = _NUMBER_PARTS.fullmatch(raw)
    if found is None:
        return folded(raw), "num"
    sign, currency, amount, attached = found.groups()
    is_bare = not (sign or currency or unit or attached)
    if is_bare and len(raw) == 4 and raw.isdecimal() and "1800" <= raw < "2100":
        return folded(raw), "date year"
    if attached in _SCALE_SIGNS and (currency or attached in "kK"):
        attached = _SCALE_SIGNS[attached]
    if is_scale(attached):
        amount, attached = number_key(amount, attached), ""
    unit = "th" if attached in _ORDINALS else currency or attached or unit
    if is_scale(unit):
        amount, unit = number_key(amount, unit), ""
    key = number_key(amount, unit, is_negative=sign in _MINUS)
    return key, f"num {unit_key(unit)}" if unit else "num"


def _read_name(raw: str) -> tuple[int, int, str, str]:
    """Return the name in a run of capitalised words: what comes before it, its length, its key, its signature."""
    skip, run = 0, raw
    while run and run.partition(" ")[0].casefold() in FUNCTION_WORDS:
        skip += len(run.split(" ")[0]) + 1
        run = raw[skip:]
    run = _POSSESSIVE.sub("", run)
    title = _TITLED.match(run)
    words = folded(run[title.end() :] if title else run).split()
    if len(run) < 2 or not 0 < len(words) <= MAX_NAME_WORDS:
        return skip, 0, "", ""
    signature = _single_signature(run) if len(words) == 1 else f"name {len(words)}"
    return skip, len(run), " ".join(words), f"name {title[1]}" if title else signature


def _single_signature(word: str) -> str:
    if "-" in word:
        return "ident header"
    if word.isupper():
        return "acronym"
    return "ident camel" if _CAMEL.search(word) else "name 1"


@cache
def _noun() -> re.Pattern[str]:
    return re.compile(rf"{SMALL} ([{CAPITALS}]{SMALL}++)(?![ -][{CAPITALS}])")


@cache
def _handlers() -> list[Callable[[_Finder, str, int], None] | None]:
    # By the number of the stop's group.
    pattern = _stop()
    handlers: list[Callable[[_Finder, str, int], None] | None] = [None] * (pattern.groups + 1)
    for name, group in pattern.groupindex.items():
        handlers[group] = getattr(_Finder, f"_{name.partition('_of_')[0]}", None)
    return handlers
