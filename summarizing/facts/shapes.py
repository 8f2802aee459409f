"""What a single token is, by its shape: a date in digits, an address, a pod, a version, a path, an id.

Pure. Refuses to look at what stands around a token: summarizing/facts/finding.py does.
A kind of fact is called as in facts.Kind.
"""

import re
from functools import cache

from summarizing.facts.normalizing import date_key, is_measured, literal, number_key, written_date
from summarizing.facts.patterns import CAPITALS, DAY_FIRST, LETTER, MONTH_FIRST, NUMBER, SMALL, named

# A longer token is data (base64, minified code), not something that a reader would look for.
MAX_TOKEN_CHARS = 300

_IPV4 = r"(?:\d{1,3}\.){3}\d{1,3}"
_FILES = (
    "py js ts tsx jsx json jsonl yaml yml md rst txt log sh conf cfg ini toml xml html css csv tsv sql go rs java c h "
    "cpp rb php tar gz zip png jpg jpeg svg gif pdf docx xlsx service lock env exe dll so bak tmp pem key crt"
)
# What a token is, by its shape; the first that fits all of it.
_DIGIT_SHAPES = {
    "month": r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])",
    "iso": r"\d{4}-\d\d-\d\d(?:[T_]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[-+]\d\d:?\d\d)?)?",
    "ip": rf"{_IPV4}(?::\d+|/\d+)?",
    "counted": r"(?:\d+[smhdwy]){2,}|\d+/\d+",
    "slashed": r"\d{4}/\d\d?/\d\d?|\d\d?/\d\d?/\d{4}|\d\d?\.\d\d?\.\d{4}",
    "adjective": rf"\d+(?:[.,]\d+)?-{LETTER}+(?:-{LETTER}+)*",
    "number_version": r"\d+(?:\.\d+){2,}(?:[-+.][\w.-]+)?|\d+\.\d+(?:-?(?:a|b|alpha|beta|rc)[.-]?\d+)",
}
_LETTER_SHAPES = {
    "pod": r"[a-z][a-z0-9.]*(?:-[a-z0-9.]+)*-[bcdfghjklmnpqrstvwxz2-9]{5}",
    "mail": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "ticket": r"CVE-\d{4}-\d+|[A-Z][A-Z0-9]{1,9}-\d+",
    "letter_version": r"[vV]\d+(?:\.\d+)*(?:-?(?:alpha|beta|rc|dev|b|a)[.-]?\d*)?(?:[-+.][\w.-]+)?",
}
_OTHER_SHAPES = {
    "hex": (
        r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|0x[0-9a-fA-F]+"
        r"|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}"
    ),
    "file": rf"(?:[\w.+~@-]+[/\\])*[\w.+~@-]*\.(?:{'|'.join(_FILES.split())})",
    "path": (
        r"[\w.+~@-]+(?:[/\\][\w.+~@-]+){2,}"
        r"|(?=[^/]*[\d_.-][^/]*/|[^/]*/[^/]*[\d_.-])[\w.+~@-]+/[\w.+~@-]+"
    ),
    "joined": r"(?=[\w.-]*\d)\w+(?:[-.]+\w+)+",
    "term": (
        rf"(?=\w*{LETTER})\w*[^\W_]_+[^\W_][\w.-]*|{LETTER}{{2,}}(?:\.\w*{LETTER}\w*)+"
        rf"|\w*{SMALL}[{CAPITALS}]\w*|(?=\w*\d)\w+"
    ),
}


@cache
def _shape() -> re.Pattern[str]:
    # Compiled for the first text, as fact_patterns.stop() is.
    shapes = rf"(?=\d)(?:{named(_DIGIT_SHAPES)})|(?!\d)(?:{named(_LETTER_SHAPES)})|{named(_OTHER_SHAPES)}"
    return re.compile(rf"(?=(?s:.){{0,{MAX_TOKEN_CHARS}}}\Z)(?:{shapes})")


PAIRS = re.compile(r"\d+(?:\.\d+)?-\d+(?:\.\d+)?")


@cache
def _whole() -> tuple[re.Pattern[str], re.Pattern[str]]:
    # A number and a date that are all of a text.
    return re.compile(NUMBER), re.compile(f"{DAY_FIRST}|{MONTH_FIRST}")


_KIND_OF_SHAPE = {
    "month": "date",
    "ip": "id",
    "counted": "number",
    "number_version": "version",
    "pod": "id",
    "mail": "id",
    "ticket": "id",
    "letter_version": "version",
    "hex": "id",
    "file": "path",
    "path": "path",
    "joined": "id",
    "term": "term",
}


# The kind of fact that a token is, and its key, which is empty where it is none.
Shape = tuple[str, str]

NO_FACT: Shape = ("term", "")


def shape_of(token: str, *, comma_decimal: bool) -> Shape:
    """Return what a token is by itself."""
    found = _shape().fullmatch(token) if len(token) <= MAX_TOKEN_CHARS else None
    if found is None or (found.lastgroup == "joined" and PAIRS.fullmatch(token)):
        return NO_FACT
    shape = found.lastgroup or ""
    if shape == "adjective":
        return "number", number_key(token.replace("-", " ", 1), comma_decimal=comma_decimal)
    if shape == "iso":
        clock = token[11:19] if token[16:17] == ":" else token[11:16]
        return "date", f"{token[:10]}t{clock}" if clock else token[:10]
    if shape == "slashed":
        return "date", written_date(token)
    return _KIND_OF_SHAPE[shape], token.lower() if token.isascii() else literal(token)


def amount_of(raw: str, *, comma_decimal: bool) -> Shape:
    """Return what digits with a sign, a currency or a unit are: a number, a year, or what only starts with digits."""
    if raw[-1].isalpha() and " " not in raw and not is_measured(raw):
        return shape_of(raw, comma_decimal=comma_decimal)
    key = number_key(raw, comma_decimal=comma_decimal)
    is_year = len(raw) == 4 and raw.isdecimal() and "1800" <= key < "2100"
    return "date" if is_year else "number", key


def quoted_shape(inner: str, *, comma_decimal: bool) -> Shape:
    """Return what quoted text is: a single number, date, place or id, or a term."""
    found = NO_FACT
    number, date = _whole()
    if number.fullmatch(inner) and is_measured(inner):
        found = amount_of(inner, comma_decimal=comma_decimal)
    elif date.fullmatch(inner) and (key := date_key(inner)):
        found = ("date", key)
    elif "://" in inner:
        found = ("url", literal(inner)) if " " not in inner else NO_FACT
    elif inner[:1] in "/~.":
        found = ("path", literal(inner)) if "/" in inner and " " not in inner else NO_FACT
    else:
        found = shape_of(inner, comma_decimal=comma_decimal)
    return found if found[1] else ("term", literal(inner))
