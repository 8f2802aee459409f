"""Numbers: the value of an amount, and the key that all spellings of a number with its unit, currency or scale have.

Pure functions from a spelling to its key. Does not look for a number or its unit in a text: fact_finder.py does. The names of
scales and units are data: summarizing/text/language/languages_generated.toml.
"""

import re
from functools import cache

from summarizing.facts.script_letters import SPACE, currency_signs, folded
from summarizing.facts.token_shapes import Shape
from summarizing.facts.value_words import value_words
from summarizing.text.language.stemming import stem_of

_GROUPS = "|".join(rf"(?:{mark}\d{{3}}(?!\d))++" for mark in (",", r"\.", "['’]", "[ \u00a0\u2009\u202f]"))
AMOUNT = rf"(?:\d{{1,3}}(?:{_GROUPS})(?:[.,]\d++)?+|\d++(?:[.,]\d++)?+)"

_SPACES_AND_MARKS = re.compile(r"[\s'’]")
# A unit's letters stand in its name in the same order (km, kilometre; min, minutes). Shorter names are not compared.
_MIN_UNIT_NAME_CHARS = 4

# 1,250 and 1.250: the mark is a point in one language and groups digits in another.
_AMBIGUOUS = re.compile(r"(\d{1,3})[.,](\d{3})")


def value_of(amount: str) -> str:
    """Return an amount in digits with a decimal point: "1,250" is 1250, "1.250,5" is 1250.5, "1.250" is 1.250."""
    if amount.isdecimal():
        return amount if amount.isascii() else folded(amount)
    # Most others have a point and nothing else.
    if amount.isascii() and amount.replace(".", "", 1).isdecimal():
        return amount
    if not (amount.isascii() and amount.replace(",", "").replace(".", "").isdecimal()):
        amount = _SPACES_AND_MARKS.sub("", folded(amount))
    points, commas = amount.count("."), amount.count(",")
    if points and commas:
        is_point_last = amount.rfind(".") > amount.rfind(",")
        return amount.replace("," if is_point_last else ".", "").replace(",", ".")
    if points + commas > 1:
        return amount.replace(".", "").replace(",", "")
    whole, _, rest = amount.partition(",")
    is_grouped = len(rest) == 3 and len(whole) <= 3 and whole != "0"
    return whole + rest if is_grouped else amount.replace(",", ".")


def number_key(amount: str, unit: str = "", *, is_negative: bool = False) -> str:
    """Return a number's value with its unit: "1250", "1250 kg", "-5 °c", "5 usd"; equal for all usual spellings."""
    value = value_of(amount)
    scales = value_words().scales
    if scale := scales.get(unit) or scales.get(unit.casefold()):
        value, unit = _shifted(value, scale), ""
    return _key_of(value, unit_key(unit) if unit else "", is_negative=is_negative)


def _key_of(value: str, name: str, *, is_negative: bool) -> str:
    """Return the key of a value with the key of its unit, if it has one."""
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


def readings(amount: str) -> list[str]:
    """Return the values that an amount may have by other conventions: 1,250 is 1250 or 1.25; 12,5 may be two cells of a row."""
    if found := _AMBIGUOUS.fullmatch(amount):
        whole, decimals = found.groups()
        fraction = f"{whole}.{decimals}"
        return [value_of(amount), whole + decimals, fraction, fraction.rstrip("0").rstrip(".")]
    if "," in amount:
        return [value_of(amount), *amount.split(",")]
    if "." in amount and amount[-1] == "0":
        return [value_of(amount), amount.rstrip("0").rstrip(".")]
    return [value_of(amount)]


def wide_unit() -> str:
    """Return the pattern of the units of more than one word: "per cent"."""
    names = sorted(name for name in value_words().units if " " in name)
    return "(?i:" + "|".join(name.replace(" ", SPACE) for name in names) + ")"


# --- With what stands beside it -------------------------------------------------------------------------------

# Of the letters for powers of ten this one is no unit's: without a currency, "5m" are metres.
_THOUSAND = 3
_MINUS = frozenset("-−")


@cache
def _number_parts() -> re.Pattern[str]:
    return re.compile(rf"([-−+]?)([{currency_signs()}]?) ?({AMOUNT}) ?(.*)", re.DOTALL)


def number_shape(number: tuple[str, str]) -> Shape:
    """Return the key and signature of a number as it is spelled, with the unit or the word beside it."""
    raw, unit = number
    found = _number_parts().fullmatch(raw)
    if found is None:
        return folded(raw), "num"
    sign, currency, amount, attached = found.groups()
    is_bare = not (sign or currency or unit or attached)
    if is_bare and len(raw) == 4 and raw.isdecimal() and "1800" <= raw < "2100":
        return folded(raw), "date year"
    words = value_words()
    power = words.scale_signs.get(attached, 0)
    if power and (currency or power == _THOUSAND):
        amount, attached = scaled(amount, power), ""
    if is_scale(attached):
        amount, attached = number_key(amount, attached), ""
    unit = "th" if attached in words.ordinal_signs else currency or attached or unit
    if is_scale(unit):
        amount, unit = number_key(amount, unit), ""
    name = unit_key(unit) if unit else ""
    key = _key_of(value_of(amount), name, is_negative=sign in _MINUS)
    return key, f"num {name}" if unit else "num"
