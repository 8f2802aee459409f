"""Values as Python and JavaScript write them as JSON: single quotes, keys without quotes (JSON5), None and True, tuples, calls such as `date(2024, 5, 1)`.

Pure; linear in the text. JSON stays as it is. Does not judge whether what comes of it is JSON: reader.py does.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from summarizing.text.json.brackets import COMMENT

_SINGLE = r"'[^'\\]*+(?:\\.[^'\\]*+)*+"
_DOUBLE = r'"[^"\\]*+(?:\\.[^"\\]*+)*+'
# pprint writes a long string in pieces, one below the other; a string at the end of a text that is cut off may be open.
_BREAK = r"[ \t]*+\r?\n[ \t]*+"
_STRING = rf"(?:(?:{_SINGLE}'{_BREAK}(?=['\"])|{_DOUBLE}\"{_BREAK}(?=['\"])){{1,99}}+){{0,9999}}+(?:{_SINGLE}'?+|{_DOUBLE}\"?+)"
_INNER = rf"[^()'\"\n]++|{_SINGLE}'|{_DOUBLE}\""
_CALL = rf"\((?:{_INNER}|\((?:{_INNER}|\((?:{_INNER}){{0,9}}+\)){{0,9}}+\)){{0,9}}+\)"
# What JSON writes in the same way: most of what is read here.
_SAME = (
    rf'[ \t\r\n,:\[\]{{}}]++|"[^"\\\t]*+(?:\\["\\/bfnrtu][^"\\\t]*+)*+"(?!{_BREAK}[\'"])'
    r"|-?+\d++(?:\.\d++)?+(?![\w$.]|[ \t]*+:)|(?:true|false|null)(?![\w$.(])"
)
# Numbers of JSON5 (6): hexadecimal, with a plus sign, without digits on one side of the point.
_NUMBER = (
    r"[+-]?+(?:0[xX][\da-fA-F]{1,99}+|(?:\d++\.?+\d*+|\.\d++)(?:[eE][+-]?+\d++)?+)(?=\s*+(?:[,\]}]|/[/*]))"
)
_TOKEN = re.compile(
    rf"(?:{_SAME}){{1,99}}+|(?P<string>{_STRING})|//[^\n]*+|{COMMENT}(?:\*/|\Z)|(?P<number>{_NUMBER})"
    rf"|(?P<word>(?:b(?:{_SINGLE}'|{_DOUBLE}\")|(?:[^\W\d]|\$)[\w$.]*+(?:{_CALL})?+|<\w[^<>\n]{{1,200}}+>)(?=\s*+[,:\])}}])|\d++(?=[ \t]*+:))|[\w$.]++|\d[\w.+-]*+|(?P<round>[()])",
    re.DOTALL,
)
_PIECE = re.compile(rf"{_SINGLE}(?P<single>')?+|{_DOUBLE}(?P<double>\")?+", re.DOTALL)
# Escapes of Python and JavaScript that JSON does not have, and a quotation mark between single quotes.
_SIGN = re.compile(
    r"\\(?:x(?P<two>[0-9a-fA-F]{2})|U(?P<eight>[0-9a-fA-F]{8})|(?P<same>[\"\\/bfnrtu])|(?P<plain>['\n]))|[\"\\\t]"
)
_JOINT = re.compile(rf"['\"]{_BREAK}['\"]")

_WORDS = {
    "None": "null",
    "True": "true",
    "False": "false",
    "undefined": "null",
    "nan": "NaN",
    "inf": "Infinity",
}
_OF_JSON = frozenset(("true", "false", "null", "NaN", "Infinity"))
_SQUARE = {"(": "[", ")": "]"}
_PLAIN = {'"': '\\"', "\\": "\\\\", "\t": "\\t"}

_Edit = tuple[int, int, str]
"""What stands from one place to another, and what JSON writes there."""


class Rewritten(NamedTuple):
    """A text in another notation as JSON, and how places in it are found in the text."""

    text: str
    ends: list[int]
    """The places behind what was rewritten;"""
    originals: list[int]
    """and where each of them is in the text."""

    def original(self, place: int) -> int:
        """Return where the text has a place of the JSON."""
        at = bisect_right(self.ends, place)
        here = self.originals[at - 1] + place - self.ends[at - 1] if at else place
        return min(here, self.originals[at]) if at < len(self.ends) else here


def rewritten(text: str) -> Rewritten:
    """Return a text as JSON, with its places."""
    parts, ends, originals, at, size = list[str](), list[int](), list[int](), 0, 0
    for start, end, new in _edits(text):
        parts += [text[at:start], new]
        size += start - at + len(new)
        at = end
        ends.append(size)
        originals.append(at)
    return Rewritten("".join([*parts, text[at:]]), ends, originals)


def as_json(text: str) -> str:
    """Return a stretch of a text in another notation, after which a value ends, as JSON."""
    return rewritten(text + ",").text[:-1]


def within_string(signs: str) -> str:
    """Return what stands in a string of another notation as JSON writes it."""
    return _SIGN.sub(_as_json, _JOINT.sub("", signs))


def _edits(text: str) -> Iterator[_Edit]:
    for token in _TOKEN.finditer(text):
        word = token["word"]
        if token["string"]:
            yield from _edits_of_string(text, *token.span())
        elif word and word not in _OF_JSON:
            yield *token.span(), _WORDS.get(word) or json.dumps(word, ensure_ascii=False)
        elif token["number"]:
            yield *token.span(), _number(token["number"])
        elif token["round"]:
            yield *token.span(), _SQUARE[token["round"]]


def _number(written: str) -> str:
    """Return a number as JSON writes it."""
    sign, digits = "-" * written.startswith("-"), written.lstrip("+-")
    if digits[:2] in ("0x", "0X"):
        return f"{sign}{int(digits, 16)}"
    whole, point, rest = digits.partition(".")
    return sign + (whole or "0") + (point if rest[:1].isdecimal() else "") + rest


def _edits_of_string(text: str, start: int, end: int) -> Iterator[_Edit]:
    """Yield what a string, be it in pieces or not, needs to be one in double quotes; it is open where it was."""
    last = start
    for piece in _PIECE.finditer(text, start, end):
        first, after = piece.span()
        quote = text[first]
        if first > start:
            yield last - 1, first + 1, ""
        elif quote == "'":
            yield first, first + 1, '"'
        is_closed = bool(piece["single"] or piece["double"])
        for sign in _SIGN.finditer(text, first + 1, after - is_closed):
            if not sign["same"]:
                yield *sign.span(), _as_json(sign)
        if after == end and piece["single"]:
            yield after - 1, after, '"'
        last = after


def _as_json(sign: re.Match[str]) -> str:
    if code := sign["two"] or sign["eight"]:
        point = int(code, 16)
        return json.dumps(chr(point))[1:-1] if point <= 0x10FFFF else "\\" + sign[0]
    if sign["plain"]:
        return sign["plain"].strip("\n")
    return _PLAIN.get(sign[0], sign[0])
