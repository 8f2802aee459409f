"""Letters and spaces of the world's scripts, as patterns are made of them, and a text without the case and width of its letters.

Data and pure functions. Knows nothing of values: number_keys.py and date_keys.py do.
"""

import unicodedata
from functools import cache
from itertools import chain

from summarizing.facts.value_words import value_words
from summarizing.text.language.normalization import normalized
from summarizing.text.language.stemming import UNSPACED

# The letters of scripts without spaces between words, and the signs among them at which words end (々, 〆, 〇, ・), but tokens do not: none of
# these belongs to the same token as a neighbour of another script.
UNSPACED_SIGNS = f"{UNSPACED}\u3005-\u3007\u30fb"
IN_WORD = rf"[^\W{UNSPACED_SIGNS}]"
LETTER = rf"[^\W\d_{UNSPACED_SIGNS}]"
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
    return rf"[^\W\d_{capitals()}{UNSPACED_SIGNS}]"


def capital_inside() -> str:
    """Return the pattern of a capital in the midst of a word that has small letters, too: "camelCase", "HTTPServer"."""
    return rf"{small()}[{capitals()}]|[{capitals()}]{{2}}{small()}"


def folded(text: str) -> str:
    """Return a text without case, width and shape of its letters."""
    return text.lower() if text.isascii() else normalized("NFKC", text).casefold()
