"""What a text claims that can be looked up: figures with units, dates, addresses, paths, ids, versions, names. Pure.

Words alone are no claims: another wording is what a summary is for. A claim is supported if the document has it in any
spelling: 1,000 for 1000, 4 March 2026 for 2026-03-04, three for 3.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from bench.fidelity.folding import fold, places, sentences

MONTHS = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}
_MONTH = {
    name: str(number)
    for names in MONTHS.values()
    for number, whole in enumerate(names.split(), 1)
    for name in (whole, whole[:3])
}
_NUMBER_WORDS = {
    word: str(value)
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze",
    )
    for value, word in enumerate(words.split())
}
_UNITS = {
    spelling: spellings.split()[0]
    for spellings in (
        "s sec secs second seconds sekunde sekunden seconde secondes",
        "min mins minute minutes minuten",
        "h hr hrs hour hours stunde stunden heure heures",
        "d day days tag tage tagen jour jours",
        "week weeks woche wochen semaine semaines",
        "month months monat monate monaten mois",
        "ms millisecond milliseconds",
        "% percent prozent pourcent",
        "eur € euro euros",
        "$ usd dollar dollars",
        "kb kilobyte kilobytes",
        "mb megabyte megabytes",
        "gb gigabyte gigabytes",
        "gold",
        "kg kilogram kilograms kilogramm",
        "km kilometre kilometres kilometer kilometern kilomètres",
        "m metre metres meter mètres",
        "mm millimetre millimetres",
        "v volt volts",
        "w watt watts",
        "a ampere amperes",
        "bar",
        "db decibel decibels",
        "rpm",
        "°c",
        "hz hertz",
        "kpa",
        "l litre litres liter",
    )
    for spelling in spellings.split()
}

_MONTH_WORDS = "|".join(sorted(_MONTH, key=len, reverse=True))
_ADDRESS = re.compile(r"\b[a-z][a-z+]*://[^\s<>\"')\]|]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w/.])(?:~|\.{1,2})?/[\w.-]+(?:/[\w.{}-]+)+")
_DATES = (
    (re.compile(r"(?<![\w-])(\d{4})-(\d\d?)-(\d\d?)(?=\D|$)"), "ymd"),
    (
        re.compile(
            rf"(?<!\w)(\d\d?)\.?(?:st|nd|rd|th|er)? (?:of )?({_MONTH_WORDS})\.?(?:,? (\d{{4}}))?(?!\w)"
        ),
        "dmy",
    ),
    (re.compile(rf"(?<!\w)({_MONTH_WORDS})\.? (\d\d?)(?:st|nd|rd|th)?(?:,? (\d{{4}}))?(?![\w.])"), "mdy"),
    (re.compile(r"(?<![\w.])(\d\d?)\. ?(\d\d?)\. ?(\d{4})(?!\w)"), "dmy"),
    (re.compile(r"(?<![\w/])(\d\d?)/(\d\d?)/(\d{4})(?![\w/])"), "dmy"),
)
_ID = re.compile(
    r"(?<![\w.-])(?=[\w.:/@#-]*\d)(?=[\w.:/@#-]*[^\W\d])\w+(?:[-_.:/@]\w+)*|(?<![\w.])\w+_\w+|(?<![\w.])\d+(?:\.\d+){2,}"
)
_FIGURE = re.compile(r"(?<![\w.,])\d+(?:[.,' ]\d{3})*(?:[.,]\d+)?(?![\w])(?: ?([^\W\d_]+|[%€$]|°[cf]))?")
_WORTH_READING = re.compile(r"[\d/@_]")
_HYPHENED = re.compile(r"\d+-[^\W\d_]+(?:-[^\W\d_]+)*")
_BEGINNING = re.compile(r"^\s*(?:#{1,6}\s+|>\s*|[-*+•]\s+(?:\[.\]\s*)?|\d{1,3}[.)]\s+)*")
_NAME = re.compile(
    r"[^\W\d_a-zß-öø-ÿ][^\W\d_]+(?:[ -](?:(?:of|the|de|von|van|der) ){0,2}[^\W\d_a-zß-öø-ÿ][^\W\d_]+)*"
)

# Words that summaries begin a sentence with, or head a list with, whatever the document says.
_FRAME = frozenset(
    (  # noqa: SIM905 - a hundred words in quotes are harder to read
        "a an the this that these those it its he she they we you i in on at by for from to of with as and or but if when"
        " while after before during since until however also both each all some many most no not none other others there"
        " here key main fact facts summary overview details note notes list item items total date dates name names yes"
        " der die das ein eine im am für le la les un une des du au aux en il elle et pour par"
    ).split()
)


class Claim(NamedTuple):
    """Something that can be looked up: what kind, as it was written, and in the one spelling of its kind."""

    kind: str
    text: str
    value: str


def claims(text: str, language: str = "en") -> Iterator[Claim]:
    """Yield the claims of a text, in the order of its lines."""
    for line in text.splitlines():
        body = _BEGINNING.sub("", line, count=1)
        yield from _figures(fold(body))
        is_heading = line.lstrip().startswith("#")
        yield from (
            Claim("title" if is_heading else "name", name, fold(name)) for name in _names(body, language)
        )


def _figures(line: str) -> Iterator[Claim]:
    """Yield what has digits or is an address; each is taken out before the next kind is looked for."""
    if not _WORTH_READING.search(line):
        return
    for kind, pattern in (("address", _ADDRESS), ("path", _PATH)):
        for match in pattern.finditer(line):
            written = match[0].rstrip(".,;:")
            yield Claim(kind, written, written)
        line = pattern.sub(" ; ", line)
    for pattern, order in _DATES:
        for match in pattern.finditer(line):
            yield Claim("date", match[0], _date(match, order))
        line = pattern.sub(" ; ", line)
    for match in _ID.finditer(line):
        if not _HYPHENED.fullmatch(match[0]):
            yield Claim("id", match[0], match[0])
    line = _ID.sub(lambda match: match[0].replace("-", " ") if _HYPHENED.fullmatch(match[0]) else " ; ", line)
    for match in _FIGURE.finditer(line):
        unit = _UNITS.get(match[1] or "", "")
        number = _number(match[0].removesuffix(match[1] or ""))
        yield Claim(
            "figure",
            match[0].removesuffix("" if unit else match[1] or "").strip(),
            f"{number} {unit}".strip(),
        )


def _date(match: re.Match[str], order: str) -> str:
    """Return a date as year-month-day, with no year where it has none."""
    part = dict(zip(order, match.groups(), strict=True))
    month = _MONTH.get(part["m"], part["m"].lstrip("0"))
    return f"{part['y'] or ''}-{month}-{part['d'].lstrip('0')}"


def _number(text: str) -> str:
    """Return a number in one spelling: 1,000 and 1.000 as 1000, 3,50 as 3.5."""
    text = text.strip()
    whole = re.sub(r"(?<=\d)[.,' ](?=\d{3}(?:\D|$))", "", text)
    decimal = whole.replace(",", ".")
    return decimal.rstrip("0").rstrip(".") if "." in decimal else decimal


def _names(line: str, language: str) -> Iterator[str]:
    """Yield runs of capitalised words; one alone only inside a sentence, and in German, where nouns have capitals too, not at all."""
    for sentence in sentences(re.sub(r"[*`_]+", "", line)):
        for cell in re.split(r"[|;:\t]| - | – ", sentence):
            for match in _NAME.finditer(_ADDRESS.sub(";", cell)):
                words = match[0].split()
                is_first = not cell[: match.start()].strip(" \"'(")
                if is_first and words[0].casefold() in _FRAME:
                    words = words[1:]
                if len(words) > 1 or (words and not is_first and language != "de"):
                    yield " ".join(words)


class Source:
    """A document as claims are looked up in it."""

    def __init__(self, text: str, hint: str = "") -> None:
        self._folded = fold(text)
        self._lines = text
        self._hint = set(re.findall(r"\w+", fold(hint)))

    def supports(self, claim: Claim) -> bool:
        """Whether the document has it, in whatever spelling."""
        if _contains(self._folded, fold(claim.text)) or (claim.kind, claim.value) in self._claims:
            return True
        match claim.kind:
            case "figure":
                return self._has_figure(claim)
            case "date":
                return self._has_date(claim.value)
            case "name" | "title":
                return self._has_name(claim)
            case _:
                return False

    def _has_figure(self, claim: Claim) -> bool:
        """Whether the number is there with this unit, or with none: "timeout_ms | 30000" has 30000 ms."""
        number, _, unit = claim.value.partition(" ")
        if unit:
            return number in self._bare_numbers
        return number in self._numbers or number in self._bare_numbers

    def _has_date(self, value: str) -> bool:
        """Whether the date is there, with its year or without."""
        year, month, day = value.split("-")
        dates = {value for kind, value in self._claims if kind == "date"}
        return any(
            found.endswith(f"-{month}-{day}") and (not year or found.startswith("-")) for found in dates
        )

    def _has_name(self, claim: Claim) -> bool:
        """Whether the words of a name stand together; a heading may also be made of words of the hint."""
        words = [word for word in re.findall(r"[^\W_]+", claim.value) if word not in _FRAME]
        if claim.kind == "title":
            words = [word for word in words if not self._hint & _forms(word)]
        if len(words) < 2:
            return all(_forms(word) & self._words for word in words)
        proper = [word not in self._lower for word in words]
        joined = [pair for at, pair in enumerate(pairwise(words)) if proper[at] and proper[at + 1]]
        if not all(pair in self._neighbours or pair[::-1] in self._neighbours for pair in joined):
            return False
        return any(all(word in place for word in words) for place in self._places)

    @cached_property
    def _claims(self) -> set[tuple[str, str]]:
        """What the document claims itself; needed only for what it does not say in the same letters, and slow."""
        return {(claim.kind, claim.value) for claim in claims(self._lines)}

    @cached_property
    def _words(self) -> set[str]:
        return set(re.findall(r"[^\W\d_]+", self._folded))

    @cached_property
    def _lower(self) -> set[str]:
        """Words that the document has without a capital somewhere: they are no names, whoever writes them with one."""
        return set(re.findall(r"(?<![^\W_])[^\W\d_A-ZÀ-Þ]{2,}(?![^\W_])", self._lines))

    @cached_property
    def _neighbours(self) -> set[tuple[str, str]]:
        """What follows what: Marla Voss and Tomas Brandt do not make a Marla Brandt."""
        return set(pairwise(re.findall(r"[^\W_]+", self._folded)))

    @cached_property
    def _places(self) -> list[str]:
        return list(places(self._lines))

    @cached_property
    def _numbers(self) -> set[str]:
        return {value.split()[0] for kind, value in self._claims if kind == "figure"}

    @cached_property
    def _bare_numbers(self) -> set[str]:
        """Numbers that stand without a unit, in words, or inside an id."""
        bare = {value for kind, value in self._claims if kind == "figure" and " " not in value}
        inside = {
            number
            for kind, value in self._claims
            if kind in {"id", "date"}
            for number in re.findall(r"\d+", value)
        }
        return bare | inside | {_NUMBER_WORDS[word] for word in self._words & _NUMBER_WORDS.keys()}


# What may stand before a value and behind it: 3 is not in 30 nor in 3.5.
_BEFORE, _BEHIND = re.compile(r"(?<!\w)(?<!\d[.,])"), re.compile(r"(?!\w)(?![.,]\d)")


def _contains(folded: str, value: str) -> bool:
    """Whether a value stands in a text as a whole. A pattern for each value would take some hundred times as long."""
    at = folded.find(value) if value else -1
    while at >= 0:
        if _BEFORE.match(folded, at) and _BEHIND.match(folded, at + len(value)):
            return True
        at = folded.find(value, at + 1)
    return False


def _forms(word: str) -> set[str]:
    """Return a word and what it is in the singular or the plural."""
    return {
        word,
        word + "s",
        word + "es",
        word.removesuffix("s"),
        word.removesuffix("es"),
        word.removesuffix("ies") + "y",
    }
