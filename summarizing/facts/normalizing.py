"""What makes two spellings one fact: the key of a number, a date, a name, a literal.

Pure functions from a spelling to its key. Refuses to find facts in a text, and to know which kinds there are.
"""

import re
import unicodedata

from summarizing.facts.patterns import AMOUNT, CURRENCY, GAP, IN_WORD, LETTER, UNSPACED, any_of
from summarizing.facts.vocabulary import MEASURES, MONTHS, SCALES, UNITS
from summarizing.text.stemming import stem_of

_DIGITS = re.compile(r"\d+")
WORD = re.compile(rf"[^\W_{UNSPACED}]+|[{UNSPACED}]+")
_POSSESSIVE = re.compile(r"['’]s\b|['’](?!\w)")

# --- Keys -------------------------------------------------------------------------------------------------

_NUMBER_PARTS = re.compile(
    rf"(?P<sign>[-−+]?)(?:US)?(?P<currency>{CURRENCY}?)(?P<amount>{AMOUNT})"
    rf"(?:{GAP}?(?P<scale>(?i:{any_of(SCALES)})\b)\.?)?(?:{GAP}?(?P<unit>{LETTER}{{1,15}}(?:/{LETTER})?|%|°[CF]|{CURRENCY}))?"
)
# Most numbers have neither sign nor unit.
_PLAIN_AMOUNT = re.compile(r"[0-9]+[.,][0-9]+")
_SPACES_AND_MARKS = re.compile(r"[\s'’]")
_DAY = re.compile(
    rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th|er)?\.?\s(?:of |de )?(?P<m>{LETTER}+)\.?(?:,?\s(?:de )?(?P<y>\d{{4}}))?"
    rf"|(?P<m2>{LETTER}+)\.?\s(?:(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s(?P<y2>\d{{4}}))?|(?P<y3>\d{{4}}))"
)
_MINUS = ("-", "−")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?\s?([ap])\.?m", re.IGNORECASE)
_AFTER_NUMBER = re.compile(rf"{GAP}({LETTER}{{1,15}}+(?:/h)?(?!{IN_WORD}|[:=])|%|°[CF]|{CURRENCY})")
_GAPS = frozenset(" \u00a0\u202f")


def nfkc(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


_INFLECTED = re.compile("[аеёиоуыэюяйьαεηιουωάέήίόύώς]{1,2}(?:м|х|в|ми)?\\Z")


def word_stem(word: str) -> str:
    """Return words.stem_of, and of Russian and Greek words what stays across most endings."""
    stem = stem_of(word)
    if word.isascii() or len(stem) < 4 or not "\u0370" <= stem[0] <= "\u052f":
        return stem
    short = _INFLECTED.sub("", stem)
    return short if len(short) >= 3 else stem


def stems(text: str) -> str:
    """Return the words of a text as stems, without possessives and whatever joins them."""
    text = nfkc(text)
    if text.isascii() and text.isalpha():
        return word_stem(text)
    if "'" in text or "’" in text:
        text = _POSSESSIVE.sub("", text)
    return " ".join(map(word_stem, WORD.findall(text)))


def literal(text: str) -> str:
    if text.isascii() and text[-1:].isalnum():
        return text.lower().lstrip()
    return nfkc(text).casefold().strip().rstrip(".,;:!?…")


def _value(amount: str, *, comma_decimal: bool) -> str:
    """Return an amount as digits with a point: "1,250" is 1250, "1.250,5" is 1250.5."""
    amount = _SPACES_AND_MARKS.sub("", amount)
    marks = [mark for mark in amount if mark in ",."]
    if not marks:
        return amount
    last = marks[-1]
    if len(set(marks)) > 1:
        return amount.replace("," if last == "." else ".", "").replace(",", ".")
    whole, _, rest = amount.rpartition(last)
    is_group = len(marks) > 1 or (len(rest) == 3 and 1 <= len(whole) <= 3 and whole != "0")
    if is_group and (len(marks) > 1 or (last == ".") == comma_decimal):
        return amount.replace(last, "")
    return amount.replace(",", ".")


def _shift(value: str, places: int) -> str:
    """Move the point to the right: 1.5 by three places is 1500."""
    whole, _, rest = value.partition(".")
    return (whole + rest[:places].ljust(places, "0") + "." + rest[places:]).strip(".").lstrip("0") or "0"


def number_key(text: str, *, comma_decimal: bool) -> str:
    """Return a number's value, with its unit where it has one: "1250", "1250 kg", "-5 °c", "5 usd"."""
    if text.isdecimal():
        return nfkc(text)
    if _PLAIN_AMOUNT.fullmatch(text):
        return _value(text, comma_decimal=comma_decimal)
    found = _NUMBER_PARTS.fullmatch(nfkc(text).replace("℃", "°C"))
    if found is None:
        return literal(text)
    value = _value(found["amount"], comma_decimal=comma_decimal)
    if scale := found["scale"]:
        value = _shift(value, SCALES[scale.casefold()])
    name = found["currency"] or found["unit"] or ""
    unit = UNITS.get(name) or UNITS.get(name.casefold(), "")
    if unit and "." in value:
        value = value.rstrip("0").rstrip(".")
    return f"{'-' * (found['sign'] in _MINUS)}{value} {unit}".rstrip()


def is_measured(raw: str) -> bool:
    """Whether what follows the digits is a unit or a scale."""
    found = _NUMBER_PARTS.fullmatch(nfkc(raw))
    name = (found["unit"] or "") if found else "-"
    return not name or name in UNITS or name.casefold() in UNITS


def date_key(text: str) -> str:
    """Return a date as ISO writes it, as far as it is given: 2026-03-03, --03-03, 2026-03, 15:30; "" of no date."""
    text = nfkc(text)
    if clock := _CLOCK.fullmatch(text.rstrip(".")):
        hour = int(clock[1]) % 12 + (12 if clock[3] in "pP" else 0)
        return f"{hour:02}:{clock[2] or '00'}"
    if ":" in text:
        return text.rstrip("Z").zfill(5)
    found = _DAY.fullmatch(text)
    if found is None:
        numbers = [part.zfill(2) for part in _DIGITS.findall(text)]
        return "-".join(numbers if len(numbers[0]) == 4 else ["", "", *numbers])
    year = found["y"] or found["y2"] or found["y3"]
    month = MONTHS.get((found["m"] or found["m2"]).casefold(), 0)
    if not month:
        return ""
    day = found["d"] or found["d2"]
    return f"{year or '-'}-{month:02}" + (f"-{int(day):02}" if day else "")


def written_date(token: str) -> str:
    """Return a date written in digits as ISO; one that may be read in two ways stays as it is."""
    parts = _DIGITS.findall(token)
    if len(parts[0]) == 4:
        return "-".join(part.zfill(2) for part in parts)
    first, second, year = parts
    if "." in token or int(first) > 12:
        return f"{year}-{second.zfill(2)}-{first.zfill(2)}"
    if int(second) > 12 or first == second:
        return f"{year}-{first.zfill(2)}-{second.zfill(2)}"
    return token


def word_after(text: str, end: int) -> tuple[str, int]:
    """Return the word or sign after a number, and where it ends if it is a unit or a scale, else 0."""
    found = _AFTER_NUMBER.match(text, end) if text[end] in _GAPS else None
    if found is None:
        return "", 0
    word = found[1]
    is_unit = word in MEASURES or (len(word) > 2 and word.casefold() in MEASURES)
    return word, found.end() if is_unit else 0
