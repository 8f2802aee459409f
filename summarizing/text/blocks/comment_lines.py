"""Comments in a text that is neither configuration nor code: which of their lines go on in the next one.

Pure; looks at two lines. A comment is told in whole lines, so that none loses its sign.
"""

import re

from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.lines import (
    COLONS,
    MIN_WIDTH,
    MIN_WORDS_OF_JUSTIFIED,
    Line,
    begins_with_word,
    has_wide_gap,
    is_full,
    is_of_words,
    item_mark,
)

# Those of configurations, of Lisp, TeX, Texinfo and M4; what follows directly is what was commented out.
_SIGN = re.compile(r"(?:#{1,4}|;{1,4}|//|%{1,4}|@c|dnl)[ \t]{1,9}(?=\S)")


def is_comment_line(line: Line) -> bool:
    """Whether a line is part of a comment."""
    return _SIGN.match(line.text) is not None


def comment_goes_on(line: Line, following: Line, width: int) -> bool:
    """Whether both lines are of a comment, and a sentence goes on from the one to the other."""
    one, other = _without_sign(line), _without_sign(following)
    if one is None or other is None or one.indent != other.indent or item_mark(other.text):
        return False
    if ends_sentence(one.tail) or one.tail[-1] in COLONS or has_wide_gap(one) or has_wide_gap(other):
        return False
    goes_on = other.text[0].islower() and begins_with_word(other.text)
    return (goes_on or is_full(one, other, max(width, MIN_WIDTH))) and is_of_words(
        [one], MIN_WORDS_OF_JUSTIFIED
    )


def _without_sign(line: Line) -> Line | None:
    sign = _SIGN.match(line.text)
    if sign is None:
        return None
    length = sign.end()
    return line._replace(start=line.start + length, indent=line.indent + length, text=line.text[length:])
