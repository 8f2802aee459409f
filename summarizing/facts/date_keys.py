"""Dates and times: the patterns of their spellings, and the key that all spellings of one have.

Pure functions from a spelling to its key. Does not find dates in a text. The names of months are data:
summarizing/text/language/languages_generated.toml.
"""

import re

from summarizing.facts.script_letters import IN_WORD, LETTER, folded
from summarizing.facts.value_words import value_words

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
_DIGITS_OR_WORD = re.compile(rf"\d+|{LETTER}+")
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
    if text[4:5] == "-" and text[:4].isdecimal():
        return f"{text[:10]}t{text[11:19].rstrip('z')}"[: 19 if text[16:17] == ":" else 16].rstrip("t")
    if ":" in text or text.rstrip(".").endswith("m"):
        return _clock_key(text)
    if not text.isascii() and ("年" in text or "년" in text or "月" in text):
        digits = _DIGITS.findall(text)
        return "-".join(["", ""] * (len(digits[0]) < 4) + [part.zfill(2) for part in digits])
    return _key_with_month(text)


def _key_with_month(text: str) -> str:
    """Return the key of a date with the name of a month; "" where it has none."""
    months = value_words().months
    year, month, day = "", 0, ""
    for part in _DIGITS_OR_WORD.findall(text):
        if not part.isdecimal():
            month = month or months.get(part, 0)
        elif len(part) == 4:
            year = year or part
        elif len(part) < 4:
            day = day or part
    if not month:
        return ""
    return f"{year or '-'}-{month:02}" + (f"-{int(day):02}" if day else "")


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


def date_parts(key: str) -> list[str]:
    """Return a date with what it states besides: its year, its month, its day in any year, its time without seconds."""
    parts = [key]
    day, _, clock = key.partition("t")
    if clock:
        parts += (clock, clock[:5])
    elif ":" in key:
        parts.append(key[:5])
    if day[:4].isdecimal() and day[4:5] == "-":
        parts += (day, day[:4], day[:7])
        if len(day) == 10:
            parts += (f"--{day[5:]}", f"--{day[5:7]}")
    return parts
