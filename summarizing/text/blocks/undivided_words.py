"""Whether the lines of a Chinese or Japanese text end at blanks alone, and which word of each would have had to fit on the line above.

Browsers and editors break lines between any two letters of these scripts; what prints manual pages only at blanks, which CSS Text 3 calls
`word-break: keep-all`. Its lines are short or too long without that anything is to be read from it. Pure; linear in the lines.
"""

from collections.abc import Sequence
from itertools import pairwise

from summarizing.text.lines import Line, columns_in, is_full, margin_of

# So few lines show nothing.
MIN_LINES = 10
# Of lines that end at blanks alone, the next word would not have fitted on nearly all; the next letter would have on many. In manual pages
# it was 92 to 100 % and 31 to 74 % of the lines; where lines end between letters both shares are the same.
LEAST_WITHOUT_ROOM = 0.9
MOST_WITHOUT_ROOM_FOR_LETTERS = 0.8


def with_undivided_words(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines, each with the columns of its first word where the text's lines end at blanks alone."""
    if not any(line.wide for line in lines):
        return lines
    words = [line._replace(word=_first_word(line)) for line in lines]
    width = margin_of([line for line in words if "  " not in line.text])
    pairs = [
        (number, number + 1)
        for number, (line, following) in enumerate(pairwise(lines))
        if following.wide and not following.gap and line.indent == following.indent and "  " not in line.text
    ]
    if len(pairs) < MIN_LINES:
        return lines
    for_words = sum(is_full(words[one], words[other], width) for one, other in pairs) / len(pairs)
    for_letters = sum(is_full(lines[one], lines[other], width) for one, other in pairs) / len(pairs)
    is_undivided = for_words >= LEAST_WITHOUT_ROOM and for_letters <= MOST_WITHOUT_ROOM_FOR_LETTERS
    return words if is_undivided else lines


def _first_word(line: Line) -> int:
    end = line.text.find(" ")
    return columns_in(line.text if end < 0 else line.text[:end])
