"""A text to its words, as stems that meet across endings: "quests" and "quest", "rated" and "rating".

Any script; where a script has no spaces, two letters stand for a word. Refuses stop lists and grammars of single
languages beyond English endings, and to weigh: that is summarizing/relevance/bm25f.py's work.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator

# Scripts without spaces between words: kana, Han, Thai, Lao, Burmese, Khmer. Two letters stand for a word
# there.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
_FIRST_UNSPACED = UNSPACED[0]
# Otherwise a word is what stands between spaces and punctuation, in any script.
_PUNCTUATION = (
    "\x00-/:-@\\[-`{-\xbf\u2000-\u206f\u2190-\u2bff\u3000-\u303f\u30fb"
    "\uff00-\uff0f\uff1a-\uff20\ufe30-\ufe4f\ud800-\udfff"
)
_WORD = re.compile(rf"[{UNSPACED}]+|[^\s{_PUNCTUATION}{UNSPACED}]+")
_UNSPACED_START = re.compile(rf"[{UNSPACED}]")
# The signs of ASCII, none of which is in a word.
SIGNS = bytes(code for code in range(128) if not chr(code).isalnum())
# From the first letter beyond ASCII to the end of its word, with the words behind it that begin with one.
_FOREIGN = re.compile(r"[^\x00-\x7f](?:[^ ]| (?=[^\x00-\x7f]))*+")
# In no more characters the letters beyond ASCII are not looked for first.
FEW_WORDS_CHARS = 80
# Nor where a character takes more bytes than this on average: most of them are beyond ASCII then.
FOREIGN_BYTES = 1.5
LINK_TARGET = re.compile(r"\]\([^()\s]{0,1000}+\)")
_CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

# Queries are often typed without accents, and a German plural may add one; Latin letters only. ASCII is in the table, too: what is
# missing from it takes long.
_ACCENTED = re.compile("[\u00e0-\u017f]")
_WITHOUT_ACCENTS = {
    code: base
    for code in range(0x180)
    if (base := unicodedata.normalize("NFD", chr(code))[0]) and base.isascii()
}

# The last letters of the endings that stem_of takes off; most words end in another one.
_LAST_LETTERS = frozenset("sgde")


def stem_of(word: str) -> str:
    """Return a word without its English ending, so that "quests" and "quest", "rated" and "rating" meet."""
    word = word.casefold()
    if not word.isascii() and _ACCENTED.search(word):
        word = word.translate(_WITHOUT_ACCENTS)
    if len(word) <= 3 or not word.isascii():
        return word[:-1] if len(word) == 3 and word.endswith("s") and not word.endswith("ss") else word
    if word[-1] not in _LAST_LETTERS:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            return word[:-1] if word[-1] == word[-2] and word[-1] not in "ls" else word
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def has_digit(term: str) -> bool:
    """Whether a term is a number, or has one in it."""
    return not term.isalpha() and any(map(str.isdigit, term))


def is_unspaced(character: str) -> bool:
    """Whether a character is of a script that has no spaces between words."""
    return _UNSPACED_START.match(character) is not None


def camel_parts(word: str) -> list[str]:
    """Return the parts of a name like maxRetryPolicy."""
    return _CAMEL_PART.findall(word)


class Stems:
    """The stem of every word seen so far.

    `known` is a dict of its own, not this class: the garbage collector passes over a dict of strings.
    """

    def __init__(self) -> None:
        self.known: dict[str, str] = {}

    def add(self, word: str) -> str:
        """Remember a word and return its stem."""
        if word.isdecimal() and word.isascii():
            self.known[word] = word
            return word
        stem = stem_of(word)
        if stem == word:
            stem = word  # the same object: of most words it would be a second one
        self.known[word] = stem
        return stem


def blanks_for(signs: bytes) -> bytes:
    """Return the table for `blanked` that has a blank for each of some signs of ASCII, and for its white space."""
    signs += bytes(code for code in range(128) if chr(code).isspace())
    return bytes.maketrans(signs, b" " * len(signs))


_BLANKS = blanks_for(SIGNS)


def words_of(text: str) -> list[str]:
    """Return the words of a text as they stand; a run of a script without spaces is one word."""
    return parts_of(blanked(text, _BLANKS), _WORD)


def stems_of(text: str) -> frozenset[str]:
    """Return the distinct stems of a text's words."""
    return frozenset(map(stem_of, words_of(text)))


def words_of_each(text: str, stretches: Iterable[tuple[int, int]]) -> Iterator[list[str]]:
    """Yield the words of each stretch of a text, as `words_of` does."""
    text = blanked(text, _BLANKS)
    yield from (parts_of(text[start:end], _WORD) for start, end in stretches)


def blanked(text: str, blanks: bytes) -> str:
    """Return a text with blanks for some signs, each character at its place: as bytes that takes a tenth of the time."""
    return text.encode("utf-8", "surrogatepass").translate(blanks).decode("utf-8", "surrogatepass")


def parts_of(text: str, pattern: re.Pattern[str]) -> list[str]:
    """Return what stands between the blanks of a text without other white space of ASCII.

    Of what is not all ASCII, what a pattern finds in it: that takes four times as long, but for a few words, or where most letters are
    beyond ASCII, it is the quickest way.
    """
    if text.isascii():
        return text.split()
    if len(text) <= FEW_WORDS_CHARS or len(text.encode("utf-8", "surrogatepass")) > FOREIGN_BYTES * len(text):
        return pattern.findall(text)
    parts: list[str] = []
    at = 0
    for foreign in _FOREIGN.finditer(text):
        start = text.rfind(" ", at, foreign.start()) + 1 or at
        parts += text[at:start].split()
        at = foreign.end()
        parts += pattern.findall(text, start, at)
    return parts + text[at:].split()


def inverted_index(texts: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    """Return the numbers of the texts that have each term; a text is its distinct terms."""
    having: dict[str, list[int]] = defaultdict(list)
    for number, terms in enumerate(texts):
        for term in terms:
            having[term].append(number)
    return having


def terms_of(text: str, stems: Stems) -> list[str]:
    """Return a text's words as stems, and as pairs of letters where a script has no spaces."""
    if "](" in text:
        text = LINK_TARGET.sub("]", text)
    if text.isascii():
        known, add = stems.known, stems.add
        return [known.get(word) or add(word) for word in words_of(text)]
    return _terms_of_words(words_of(text), stems)


def _terms_of_words(words: Iterable[str], stems: Stems) -> list[str]:
    known, add = stems.known, stems.add
    terms: list[str] = []
    for word in words:
        stem = known.get(word)
        if stem:
            terms.append(stem)
        elif len(word) > 2 and word[0] >= _FIRST_UNSPACED and _UNSPACED_START.match(word):
            # These letters have no case and no endings: a pair is its own stem.
            pairs = list(map(str.__add__, word, word[1:]))
            terms += map(known.setdefault, pairs, pairs)
        else:
            terms.append(add(word))
    return terms


def terms_of_each(text: str, stretches: Iterable[tuple[int, int]], stems: Stems) -> Iterator[list[str]]:
    """Yield the terms of each stretch of a text, as `terms_of` does."""
    known, add = stems.known, stems.add
    words, has_links = blanked(text, _BLANKS), "](" in text
    for start, end in stretches:
        part = words[start:end]
        if has_links and "](" in text[start:end]:
            yield terms_of(text[start:end], stems)
        elif part.isascii():
            yield [known.get(word) or add(word) for word in part.split()]
        else:
            yield _terms_of_words(parts_of(part, _WORD), stems)
