"""What a single token is, by its shape alone: a version, a path, an id, an identifier, an address; its key and signature.

Pure. Does not look at what stands around a token: summarizing/facts/fact_finder.py does.
"""

import re
from functools import cache

from summarizing.facts.date_keys import slashed_date_key
from summarizing.facts.script_letters import LETTER, capital_inside, capitals, folded
from summarizing.facts.value_words import value_words

# A longer token is data (base64, minified code), not something a reader looks for.
MAX_TOKEN_CHARS = 200

# A token's key and signature; both are empty where it is no fact.
Shape = tuple[str, str]
NO_FACT: Shape = ("", "")

_SHORT = rf"(?=(?s:.){{0,{MAX_TOKEN_CHARS}}}+\Z)"
_IPV4 = r"(?:\d{1,3}\.){3}\d{1,3}"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_DIGIT_SHAPES = {
    "uuid": _UUID,
    "ip": rf"{_IPV4}(?::\d+|/\d+)?",
    "slashed": r"\d{4}/\d\d?/\d\d?|\d\d?/\d\d?/\d{4}|\d\d?\.\d\d?\.\d{4}",
    "version": r"\d+(?:\.\d+){2,}(?:[-+.~][\w.+~-]+)?|\d+(?:\.\d+)+-?(?:a|b|alpha|beta|rc|dev|post)[.-]?\d+",
    "hex": r"0x[0-9a-fA-F]+|(?=\d*[a-fA-F])[0-9a-fA-F]{7,}",
}


def _letter_shapes() -> dict[str, str]:
    return {
        "uuid": _UUID,
        "email": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
        "version": r"[vV]\d+(?:\.\d+)*(?:-?(?:alpha|beta|rc|dev|b|a)[.-]?\d*)?(?:[-+.][\w.-]+)?",
        "hex": r"(?=[a-f]*\d)[0-9a-f]{7,}",
        "constant": r"[A-Z][A-Z0-9]*(?:_+[A-Z0-9]+)+",
        "snake": r"__\w+__|_*\w*[^\W_]_+[^\W_]\w*",
        "header": rf"[{capitals()}]{LETTER}*(?:-[{capitals()}]{LETTER}*)+",
        "call": r"[\w.:]+\(\)",
        "camel": rf"\w*(?:{capital_inside()})\w*",
    }


def _other_shapes() -> dict[str, str]:
    return {
        "host": r"[\w.-]+:\d{1,5}",
        "scoped": r"@[\w-]+/[\w.-]+",
        "path": (
            rf"(?:[\w.+~@-]+[/\\])*[\w.+~@-]*\.(?P<ext>{'|'.join(value_words().file_endings)})(?::\d+)?"
            rf"|[\w.+~@-]+(?:[/\\]+[\w.+~@-]+){{2,}}"
        ),
        "slash": r"[\w.+~@*-]{2,}/[\w.+~@*-]{3,}",
        "dotted": rf"(?=[\w.:]*{LETTER}{{2}})\w+(?:(?:\.|::)\w+)+",
        "id": rf"(?=\D*\d)(?=[\W\d]*{LETTER}|\d+-)\w+(?:[-.:/+~@]+\w+)*",
    }


def any_of(patterns: dict[str, str]) -> str:
    """Return the pattern of any of some, each with its name."""
    return "|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items())


# A token of letters and digits alone, as most are, has one of these shapes.
_UNJOINED = ("version", "hex", "camel", "id")


# Compiled for the first text: the service starts sooner. No shape is tried on data.
@cache
def _pattern(*, of_digit: bool, is_joined: bool) -> re.Pattern[str]:
    shapes = (_DIGIT_SHAPES if of_digit else _letter_shapes()) | _other_shapes()
    possible = shapes if is_joined else {name: shapes[name] for name in _UNJOINED if name in shapes}
    return re.compile(rf"{_SHORT}(?:{any_of(possible)})")


_RUN_OF_DIGITS = re.compile(r"\d+")
_RUN_OF_LETTERS = re.compile(rf"{LETTER}+")
_PREFIX = re.compile(rf"{LETTER}*")
# 10-20 are two numbers, 30-day is one with its unit.
_RANGE = re.compile(rf"\d+(?:[.,]\d+)?-(?:\d+(?:[.,]\d+)?|{LETTER}+)")
_PAIR = re.compile(r"(\d+(?:[.,]\d+)?)-(\d+(?:[.,]\d+)?)")


def shape_of(token: str) -> Shape:
    """Return what a token is by itself."""
    is_joined = not token.isalnum()
    found = _pattern(of_digit=token[0].isdecimal(), is_joined=is_joined).fullmatch(token)
    if found is None or ("-" in token and _RANGE.fullmatch(token)):
        return NO_FACT
    shape = found.lastgroup or ""
    if shape == "slashed":
        return slashed_date_key(token), "date"
    key = folded(token).rstrip(".").removesuffix("()")
    return key, _signature(shape, token, found["ext"] if shape == "path" else None)


def _signature(shape: str, token: str, extension: str | None) -> str:
    """Name a shape so that equal sorts of values share it."""
    if shape == "path":
        return f"path .{extension}" if extension else "path"
    if shape == "hex":
        return f"hex {len(token)}"
    if shape == "constant":
        return token.partition("_")[0] + "_*"
    if shape == "id":
        return id_form(token)
    return shape if shape in ("uuid", "email", "version", "ip", "host") else f"ident {shape}"


def id_form(token: str) -> str:
    """Return an id's prefix and form: "CVE-#-#", "PROJ-#", "E#"; letters after its first sign or digit are "a"."""
    form = _RUN_OF_DIGITS.sub("#", token)
    prefix = _PREFIX.match(form)
    first = prefix[0] if prefix else ""
    return f"id {first}{_RUN_OF_LETTERS.sub('a', form[len(first) :])[:12]}"


def pair_of(token: str) -> tuple[str, str] | None:
    """Return the ends of a range like 10-20."""
    found = _PAIR.fullmatch(token)
    return (found[1], found[2]) if found else None
