"""Text as orders to a model are looked for in it: folded to its words, whatever its dress.

Pure. Yields more than one reading where digits stand for letters or letters stand apart. Refuses to judge what it reads.
"""

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import NamedTuple
from unicodedata import is_normalized, normalize

from summarizing.sanitizing.injection_rules import COMPACT
from summarizing.sanitizing.injection_wording import Rule

_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
)
_ACCENTS = re.compile("[\u0300-\u036f]")
_LATIN_LETTERS = re.compile("[\u00c0-\u024f]")
_UNDERLINE = re.compile(r"_(?:(?<!\w_)|(?!\w))")

# Letters of other scripts that look like Latin ones, where they stand among Latin ones.
_ALIKE = str.maketrans("асеорхуіјѕԁһκοανρτιԛԝɡ", "aceopxyijsdhkoavptiqwg")
_MIXED_WORD = re.compile(r"\b(?=\w*[a-z])(?=\w*[\u0370-\u052f])\w{2,40}\b")
_MIXED = re.compile("[a-z][\u0370-\u052f]|[\u0370-\u052f][a-z]")

_DIGITS_AS_LETTERS = (str.maketrans("013457@$!|", "oieastasil"), str.maketrans("013457@$!|", "oleastasll"))
_LEET_WORD = re.compile(
    r"\b(?=\w{0,20}[a-z])[a-z013457@$!|]{0,20}[a-z][013457@$!|][a-z013457@$!|]{0,20}|\b[013457@$][a-z013457@$!|]{3,20}"
)
# Digits are looked through where one of these shows behind them.
_LEET_SIGN = re.compile("ignor|disreg|forget|previous|instruct|prompt|rep[li]y|respon|answer|summar|revea")
# Where such a word may be: each sign has an "r", for which no digit stands, so a letter and a digit meet in it, and not far off.
_LEET_PLACE = re.compile(r"[013457@$!|](?:(?<=[a-z].)|(?=[a-z]))")
LEET_REACH_CHARS = 22
# An underline is a gap and no letter: as either, a long line to write on could be read in more ways than there is time for.
_APART = re.compile(r"(?<![^\W_])(?:[^\W_][ \t.\-_*·|/]{1,3}(?=[^\W_](?![^\W_]))){5,}+[^\W_]")
# The cheap question before it: its second to fifth letter, each between gaps.
_MAYBE_APART = re.compile(r"[ \t.\-_*·|/]\w(?:[ \t.\-_*·|/]{1,3}\w){3}[ \t.\-_*·|/]")
_NOT_A_LETTER = re.compile(r"[\W_]+")


def folded(text: str) -> str:
    """Return a text in lower case, without what changes its look and not its words."""
    if not text.isascii():
        text = _UNSEEN.sub("", text)
        text = text if is_normalized("NFKC", text) else normalize("NFKC", text)
        if _LATIN_LETTERS.search(text):
            text = _LATIN_LETTERS.sub(lambda letter: _ACCENTS.sub("", normalize("NFD", letter[0])), text)
        text = text.replace("ß", "ss").replace("’", "'").replace("ё", "е").replace("Ё", "Е")
    text = (unescape(text) if "&#" in text else text).lower()
    if not text.isascii() and _MIXED.search(text):
        text = _MIXED_WORD.sub(lambda word: word[0].translate(_ALIKE), text)
    text = text.replace("*", "").replace("~", "")
    return _UNDERLINE.sub("", text) if "_" in text else text


class Reading(NamedTuple):
    """One way to read a text: its pieces put together, and the rules that apply."""

    text: str
    ends: Sequence[int]
    rules: tuple[Rule, ...]


def readings(pieces: Sequence[str], rules: tuple[Rule, ...]) -> Iterator[Reading]:
    """Yield each way to read the pieces of a text: as it is, digits as letters, letters put together."""
    plain_pieces = [folded(piece) for piece in pieces]
    plain = "".join(plain_pieces)
    yield _reading(plain_pieces, rules)
    if _has_digits_as_letters(plain):
        for table in _DIGITS_AS_LETTERS:
            yield _reading([piece.translate(table) for piece in plain_pieces], rules)
    raw = [piece.lower() for piece in pieces]
    if any(_MAYBE_APART.search(piece) and _APART.search(piece) for piece in raw):
        yield _reading(
            [_APART.sub(lambda run: _NOT_A_LETTER.sub("", run[0]), piece) for piece in raw], COMPACT
        )


def _has_digits_as_letters(plain: str) -> bool:
    """Whether a word has a sign in it once its digits are read as letters."""
    return _has_sign("|".join(_near_places(plain))) and _has_sign("|".join(_LEET_WORD.findall(plain)))


def _near_places(plain: str) -> Iterator[str]:
    """Yield the stretches where such a word may be, those that touch as one: else they could be longer than the text together."""
    start = end = 0
    for place in _LEET_PLACE.finditer(plain):
        at = place.start()
        if at - LEET_REACH_CHARS > end:
            yield plain[start:end]
            start = at - LEET_REACH_CHARS
        end = at + LEET_REACH_CHARS
    yield plain[start:end]


def _has_sign(words: str) -> bool:
    return any(_LEET_SIGN.search(words.translate(table)) for table in _DIGITS_AS_LETTERS)


def _reading(pieces: Sequence[str], rules: tuple[Rule, ...]) -> Reading:
    ends: list[int] = []
    end = 0
    for piece in pieces:
        end += len(piece)
        ends.append(end)
    text = "".join(pieces)
    return Reading(text, ends, tuple(rule for rule in rules if any(need in text for need in rule.needs)))
