"""What makes two spellings one value: the key of a number, a date, a name.

Pure functions from a spelling to its key. Refuses to find values in a text. The names of months, scales and units are data:
summarizing/text/languages_generated.toml.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import chain

from summarizing.facts.value_words import value_words
from summarizing.text.normalization import normalized
from summarizing.text.stemming import stem_of

# --- The signs of the world's scripts ----------------------------------------------------------------------

# Scripts without spaces between words: their characters never belong to the same token as a neighbour of another script.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
IN_WORD = rf"[^\W{UNSPACED}]"
LETTER = rf"[^\W\d_{UNSPACED}]"
SPACE = "[ \u00a0\u2009\u202f]"


@cache
def currency_signs() -> str:
    """Return the signs of currencies, as they stand in a pattern's brackets."""
    return "".join(sign for sign in value_words().units if unicodedata.category(sign[0]) == "Sc")


@cache
def capitals() -> str:
    """Return the capital letters, as they stand in a pattern's brackets."""
    codes = chain(range(0xC0, 0x590), range(0x1E00, 0x2000))
    return "A-Z" + "".join(letter for letter in map(chr, codes) if letter.isupper())


@cache
def small() -> str:
    """Return the pattern of a letter that is no capital."""
    return rf"[^\W\d_{capitals()}{UNSPACED}]"


# --- Numbers -----------------------------------------------------------------------------------------------

_GROUPS = "|".join(rf"(?:{mark}\d{{3}}(?!\d))++" for mark in (",", r"\.", "['’]", "[ \u00a0\u2009\u202f]"))
AMOUNT = rf"(?:\d{{1,3}}(?:{_GROUPS})(?:[.,]\d++)?+|\d++(?:[.,]\d++)?+)"

_SPACES_AND_MARKS = re.compile(r"[\s'’]")
# A unit's letters stand in its name in the same order (km, kilometre; min, minutes). Shorter names are not compared.
_MIN_UNIT_NAME_CHARS = 4

# 1,250 and 1.250: the mark is a point in one language and groups digits in another.
_AMBIGUOUS = re.compile(r"(\d{1,3})[.,](\d{3})")


def folded(text: str) -> str:
    """Return a text without case, width and shape of its letters."""
    return text.lower() if text.isascii() else normalized("NFKC", text).casefold()


def value_of(amount: str) -> str:
    """Return an amount in digits with a decimal point: "1,250" is 1250, "1.250,5" is 1250.5, "1.250" is 1.250."""
    if amount.isdecimal():
        return amount if amount.isascii() else folded(amount)
    # Most others have a point and nothing else.
    if amount.isascii() and amount.replace(".", "", 1).isdecimal():
        return amount
    amount = _SPACES_AND_MARKS.sub("", folded(amount))
    marks = [mark for mark in amount if mark in ",."]
    if not marks:
        return amount
    last = marks[-1]
    if len(set(marks)) > 1:
        return amount.replace("," if last == "." else ".", "").replace(",", ".")
    whole, _, rest = amount.rpartition(last)
    is_grouped = last == "," and len(rest) == 3 and len(whole) <= 3 and whole != "0"
    if len(marks) > 1 or is_grouped:
        return amount.replace(last, "")
    return amount.replace(",", ".")


def number_key(amount: str, unit: str = "", *, is_negative: bool = False) -> str:
    """Return a number's value with its unit: "1250", "1250 kg", "-5 °c", "5 usd"; equal for all usual spellings."""
    value = value_of(amount)
    scales = value_words().scales
    if scale := scales.get(unit) or scales.get(unit.casefold()):
        value, unit = _shifted(value, scale), ""
    name = unit_key(unit) if unit else ""
    if name and "." in value:
        value = value.rstrip("0").rstrip(".")
    return f"{'-' if is_negative else ''}{value} {name}".rstrip()


def unit_key(unit: str) -> str:
    """Return the same for all spellings of a unit or of a word that is counted: "days" and "day", "%" and "percent"."""
    units = value_words().units
    if known := units.get(unit) or units.get(folded(unit)):
        return known
    name = stem_of(unit) if len(unit) > 2 else folded(unit)
    return units.get(name, name)


def is_unit(word: str) -> bool:
    """Whether a word is a unit of the list, and never what is counted: "percent", "euro"."""
    units = value_words().units
    return word in units or folded(word) in units


def is_scale(word: str) -> bool:
    """Whether a word makes a number larger: "million"."""
    scales = value_words().scales
    return word in scales or word.casefold() in scales


def scaled(amount: str, power: int) -> str:
    """Return an amount times a power of ten."""
    return _shifted(value_of(amount), power)


def _shifted(value: str, places: int) -> str:
    """Move the point to the right: 1.5 by three places is 1500."""
    whole, _, rest = value.partition(".")
    return (whole + rest[:places].ljust(places, "0") + "." + rest[places:]).strip(".").lstrip("0") or "0"


def is_short_for(unit: str, name: str) -> bool:
    """Whether a unit's sign is short for a name: "km" for "kilometre", "min" for "minutes", in any language that spells so."""
    unit, name = sorted((unit, name), key=len)
    if not unit or len(name) < max(_MIN_UNIT_NAME_CHARS, 2 * len(unit) - 2) or unit[0] != name[0]:
        return False
    rest = iter(name)
    return all(letter in rest for letter in unit)


def readings(amount: str) -> Iterator[str]:
    """Yield the values that an amount may have by other conventions: 1,250 is 1250 or 1.25; 12,5 may be two cells of a row."""
    yield value_of(amount)
    found = _AMBIGUOUS.fullmatch(amount)
    if found:
        yield found[1] + found[2]
        yield f"{found[1]}.{found[2]}"
        yield f"{found[1]}.{found[2]}".rstrip("0").rstrip(".")
    elif "," in amount:
        yield from amount.split(",")
    elif "." in amount and amount[-1] == "0":
        yield amount.rstrip("0").rstrip(".")


def wide_unit() -> str:
    """Return the pattern of the units of more than one word: "per cent"."""
    names = sorted(name for name in value_words().units if " " in name)
    return "(?i:" + "|".join(name.replace(" ", SPACE) for name in names) + ")"


# --- Dates -------------------------------------------------------------------------------------------------

_YEAR = r"\d{4}"
_YEAR_BEHIND = rf"(?=\.?,?(?:[ \u00a0-]| de ){_YEAR}(?!\w))"
_DAY_FIRST = r"\d{{1,2}}(?:{ordinal})?\.?[ \u00a0-](?:of |de )?{month}(?:,?(?:[ \u00a0-]| de ){year}(?!\w))?"
_MONTH_FIRST = (
    r"{month}[ \u00a0](?:\d{{1,2}}(?:{ordinal})?(?![\w:])(?:,?[ \u00a0]{year}(?!\w))?|{year}(?!\w))"
)
CJK_DATE = r"\d{4} ?[年년] ?\d{1,2} ?[月월](?: ?\d{1,2} ?[日일])?|\d{1,2}月\d{1,2}日"
CLOCK = rf"\d{{1,2}}:\d\d(?::\d\d(?:[.,]\d{{1,9}})?)?(?: ?[aApP]\.?[mM]\b)?(?!{IN_WORD}|:)|\d{{1,2}} ?[aApP]\.?[mM]\b"
ISO = r"\d{4}-\d\d-\d\d(?:[T_ ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?: ?[-+]\d\d:?\d\d(?!\d)|Z)?)?(?![\w-])"

_DIGITS = re.compile(r"\d+")
_WORD = re.compile(rf"{LETTER}+")
_CLOCK_PARTS = re.compile(r"(\d{1,2})(?::(\d\d))?(:\d\d)?\S*? ?(?:([ap])\.?m)?", re.IGNORECASE)


def ordinal() -> str:
    """Return the pattern of the letters that make a number an ordinal."""
    return "|".join(value_words().ordinal_signs)


def day_first() -> str:
    """Return the pattern of a date like "3 March 2026"."""
    return _DAY_FIRST.format(ordinal=ordinal(), month=_month(), year=_YEAR)


def month_first() -> str:
    """Return the pattern of a date like "March 3, 2026"."""
    return _MONTH_FIRST.format(ordinal=ordinal(), month=_month(), year=_YEAR)


def _month() -> str:
    words = value_words()
    months = sorted(words.months, key=len, reverse=True)
    firsts = "".join(sorted({letter for name in months for letter in (name[0], name[0].upper())}))
    plain = "|".join(name for name in months if name not in words.capital_months)
    others = sorted(words.capital_months)
    capital = "|".join(form for name in others for form in (name.capitalize(), name.upper()))
    dated = rf"(?:{'|'.join(others)})\b{_YEAR_BEHIND}"
    return rf"(?=[{firsts}])(?:(?i:{plain})|{capital}|{dated})\b\.?+"


def date_key(text: str) -> str:
    """Return a date as ISO 8601 writes it, as far as it is given: 2026-03-03, --03-03, 2026-03, 15:30; "" of no date."""
    text = folded(text)
    digits = _DIGITS.findall(text)
    if text[4:5] == "-" and text[:4].isdecimal():
        return f"{text[:10]}t{text[11:19].rstrip('z')}"[: 19 if text[16:17] == ":" else 16].rstrip("t")
    if ":" in text or text.rstrip(".").endswith("m"):
        return _clock_key(text)
    if "年" in text or "년" in text or "月" in text:
        return "-".join(["", ""] * (len(digits[0]) < 4) + [part.zfill(2) for part in digits])
    months = value_words().months
    month = next((months[word] for word in _WORD.findall(text) if word in months), 0)
    if not month:
        return ""
    year = next((part for part in digits if len(part) == 4), "-")
    day = next((part for part in digits if len(part) < 4), "")
    return f"{year}-{month:02}" + (f"-{int(day):02}" if day else "")


def _clock_key(text: str) -> str:
    found = _CLOCK_PARTS.match(text)
    if found is None or not found[4]:
        return text.partition(".")[0].partition(",")[0].zfill(5 if text.count(":") == 1 else 8)
    hour = int(found[1]) % 12 + (12 if found[4] == "p" else 0)
    return f"{hour:02}:{found[2] or '00'}{found[3] or ''}"


def slashed_date_key(text: str) -> str:
    """Return a date in digits as ISO; one that may be read in two ways stays as it is."""
    parts = _DIGITS.findall(text)
    if len(parts[0]) == 4:
        return "-".join(part.zfill(2) for part in parts)
    first, second, year = parts
    if "." in text or int(first) > 12:
        return f"{year}-{second.zfill(2)}-{first.zfill(2)}"
    if int(second) > 12 or first == second:
        return f"{year}-{first.zfill(2)}-{second.zfill(2)}"
    return text


def date_parts(key: str) -> Iterator[str]:
    """Yield what a date states besides itself: its year, its month, its day in any year, its time without seconds."""
    yield key
    day, _, clock = key.partition("t")
    if clock:
        yield from (clock, clock[:5])
    elif ":" in key:
        yield key[:5]
    if day[:4].isdecimal() and day[4:5] == "-":
        yield from (day, day[:4], day[:7])
        if len(day) == 10:
            yield f"--{day[5:]}"
            yield f"--{day[5:7]}"
