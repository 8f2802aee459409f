"""Where a grapheme ends: what a reader takes for one character, as an emoji or a letter with its accent.

A simplified form of Unicode's UAX #29: Hangul letters that are written apart are not joined. Pure.
"""

import unicodedata

# No script has graphemes of so many characters: longer ones are made to harm the software that displays them.
_MAX_JOINED = 32

# Regional indicators: two of them are a flag.
_FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))


def last_grapheme_boundary(text: str, start: int, at: int) -> int:
    """Return the last grapheme boundary up to `at` (after UAX #29)."""
    for end in range(at, max(start, at - _MAX_JOINED), -1):
        if not is_inside_grapheme(text, start, end):
            return end
    return at


def is_inside_grapheme(text: str, start: int, at: int) -> bool:
    """Return whether the characters before and after `at` are one grapheme; at `start` there is a boundary."""
    left, right = text[at - 1], text[at]
    if right.isascii():
        return left == "\r" and right == "\n"
    if right in _FLAG_LETTERS:
        letters = len(text[start:at]) - len(text[start:at].rstrip(_FLAG_LETTERS))
        return letters % 2 == 1
    return (
        unicodedata.category(right) in ("Mn", "Me", "Mc", "Cf")
        or left == "\u200d"  # zero-width joiner: what follows is one emoji with what came before
        or "\U0001f3fb" <= right <= "\U0001f3ff"  # skin tones
        or unicodedata.combining(left) == 9  # a virama makes one letter of two in the scripts of India
    )
