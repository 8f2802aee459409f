"""What ties a sentence to the one before it: it refers to that, is announced by it, or says nothing alone.

Pure. The words that refer or announce are data: languages_by_hand.toml. How many sentences come together is decided in document_builder.py.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from summarizing.text.language.language_words import language_words
from summarizing.text.lines import COLONS, QUESTIONS

_COLONS = tuple(COLONS)
_EMPHASIS = "*_"
# A line of text, and half of the next one.
ANNOUNCING_CHARS = 120

# A sentence with fewer words, and no more characters, is a fragment of what stands before it.
MIN_WORDS = 3
MAX_FRAGMENT_CHARS = 40

# Words of titles in English that may begin with a small letter have so many letters at most.
MAX_SMALL_WORD_CHARS = 3
# Chinese and Japanese, which do not part their words, begin here.
WIDE = "\u2e80"

# So much of a sentence is looked at to see what it refers to: three words, and behind a function word one more ("The price of this").
OPENING_CHARS = 32
OPENING_WORDS = 3

_NOT_WORDS = " \t\n\"'“”„«»‘’([*_¿¡"

_STOPS = ",;:.)]"


def is_question(text: str, start: int, end: int) -> bool:
    """Whether a stretch of a text asks, be it in bold or not: "**Does it fly?**"."""
    while end > start and text[end - 1] in _EMPHASIS:
        end -= 1
    return end > start and text[end - 1] in QUESTIONS


def is_tied(sentence: str, before: str) -> bool:
    """Whether a sentence comes only with the one before it: it refers to that, or that announces it.

    One in parentheses or brackets says something of the one before: who said it, where it stands, since when it is so.
    """
    return (
        sentence[0] in "(\uff08"
        or (sentence[0] == "[" and sentence.endswith(("]", "].")))
        or refers_back(sentence)
        or announces(before)
        or _points_elsewhere(sentence)
    )


def refers_back(text: str) -> bool:
    """Whether a sentence begins with words that refer to the one before it, has such a word right behind ("Previously it", "To do this"), or ends with one.

    `text`: the sentence; of its beginning only so many characters are looked at, and half a word at their end is none.
    """
    first = text[:OPENING_CHARS].lstrip(_NOT_WORDS)
    known = language_words()
    if first[:1] > "\u2fff":
        return first.startswith(known.referring_unspaced)
    opening = first.split()
    edge = text[OPENING_CHARS - 1 : OPENING_CHARS + 1]
    is_cut = len(edge) > 1 and not any(map(str.isspace, edge))
    words = _plain_words(opening[: min(OPENING_WORDS + 1, len(opening) - is_cut)])
    if not words:
        return False
    words = words[: OPENING_WORDS + (words[0] in known.grammar)]
    if words[0] in known.referring or " ".join(words[:2]) in known.referring_phrases:
        return True
    if not words[0].isalpha():
        return False
    if not known.pronouns.isdisjoint(words[1:2]):
        return True
    last = _plain_words(text[-OPENING_CHARS:].split()[-1:])
    return not known.demonstratives.isdisjoint(words[1:] + last)


def _plain_words(words: Iterable[str]) -> list[str]:
    """Return words in small letters, without the signs behind them and what is contracted with them: "that" of "That's"."""
    return [
        # Most are letters alone.
        word if word.isalpha() else word.replace("\u2019", "'").rstrip(_STOPS).partition("'")[0]
        for word in map(str.lower, words)
    ]


def _points_elsewhere(text: str) -> bool:
    """Whether a sentence says nothing but where in the same text more is said: "See Types below."; it is short, as what announces is.

    The word of place is its last or its second one. Behind a second one ("See above 40 euros a month") no number stands but at the end.
    """
    if len(text) > ANNOUNCING_CHARS:
        return False
    text, known = text.lstrip(_NOT_WORDS).lower(), language_words()
    # Most sentences begin with another word.
    if not text or text.split(None, 1)[0].rstrip(_STOPS) not in known.pointing:
        return False
    words = [word.rstrip(_STOPS) for word in text.split()]
    if words[-1] in known.places:
        return True
    return not known.places.isdisjoint(words[1:2]) and not any(map(str.isdigit, "".join(words[:-1])))


def is_fragment(text: str) -> bool:
    """Whether a sentence has so few words that it says nothing without those before it: "See Types.", "Thanks."."""
    return len(text) <= MAX_FRAGMENT_CHARS and max(text) < WIDE and len(text.split()) < MIN_WORDS


def is_title(text: str) -> bool:
    """Whether a sentence is a title: a fragment, or each word begins with a capital, a digit or a sign, but for short ones ("of", "and")."""
    words = text.split()
    has_plain_word = any(word[0].islower() for word in words if len(word) > MAX_SMALL_WORD_CHARS)
    return is_fragment(text) or (max(text) < WIDE and not has_plain_word)


def announces(text: str) -> bool:
    """Whether a sentence or line announces the next one, which says something else without it: "Print the following sentence."."""
    if text.endswith(_COLONS):
        return True
    end = text[-ANNOUNCING_CHARS:]
    if end[-1:] > "\u2fff":
        return any(word in end for word in language_words().announcing_unspaced)
    end = end.lower()
    # Most sentences have none of them anywhere.
    if not any(map(end.__contains__, _announcing())):
        return False
    return not language_words().announcing.isdisjoint(word.strip(",;.!?") for word in end.split())


@cache
def _announcing() -> Sequence[str]:
    """Return the shortest of the words that announce: each of the others has one of them in it."""
    words = language_words().announcing
    return [word for word in words if not any(other in word for other in words - {word})]
