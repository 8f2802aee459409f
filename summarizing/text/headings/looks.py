"""What a line without signs looks like: numbered, in capitals, ending with a colon, or only set apart.

Pure. A line that may be a heading by its look is one only if the look recurs, which unmarked.py decides.
"""

import re
from collections.abc import Sequence

from summarizing.text.blocks.wrapped_lines import ends_inside
from summarizing.text.headings.candidates import (
    MAX_HEADING_CHARS,
    MAX_HEADING_LINES,
    MAX_PLAIN_HEADING_WORDS,
    Look,
    is_underline,
    width_at,
)
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.lines import COLONS, FIELD, MIN_WIDTH, Line, is_full, item_mark, looks_like_code

# Headings that are indented this far or further are centred: how far exactly means nothing.
CENTERED = 10

# A title that ends with a colon has at most so many words; what is longer introduces the next lines.
MAX_WORDS_BEFORE_COLON = 5
# Of Chinese and Japanese so many letters count as one word.
LETTERS_OF_A_WORD = 2

_NUMBER = re.compile(
    r"(\d{1,3}(?:\.\d{1,3}){0,5})(\.|\))?[ \t\xa0\u3000]{1,9}+(?![<>=]\s)\S|([A-Z]|[IVXLC]{1,6})\.[ \t\xa0\u3000]{1,9}+\S"
)
# Looks of lines that may be what the line above announces with a colon.
_MAY_BE_ANNOUNCED = frozenset({"alone", "capitals", "word"})

_WORD_NUMBER = re.compile(
    r"(?:(\u00a7+)\s?\d{1,4}\w?|([^\W\d_a-z\u3041-\u3096\u4e00-\u9fff]\w{2,14}|[\u7ae0\u7bc0\u8282]|[\u4e00-\u9fff]{2})\s(?:\d{1,4}[a-z]?(?:\.\d{1,3}){0,3}"
    r"|[IVXLC]{1,6}|[A-Z]))(?=[.:)\s\u2013\u2014-]|\Z)"
    r"|\u7b2c\s?[\d\u4e00-\u9fff]{1,6}?\s?([\u7ae0\u7bc0\u8282\u6761\u6761\u689d\u7de8\u7f16\u90e8\u56de\u7bc7\u5377])"
)

# A title in a rule: "----- Installation -----".
_IN_RULE = re.compile(
    r"(?:(-)-{1,99}+|([=*#+_])\2{2,99}+)\s?(?=[^-=*#+_]*[^\W_])[^-=*#+_].{0,100}?\s?(?:\1|\2){2,99}\Z"
)
# What is left of the rule where the title fills the line: "_ test_pumps[of any kind] _".
_FILLING_RULE = re.compile(r"([=_]) [^\s=_].{1,300} \1\Z")
# So many; one may be part of a long string.
MIN_RULED = 2
# A name with an initial looks like a word with a number, too: "Forrest J. Cavalier".
_INITIAL = re.compile(r"[^\W\d_]+\s[B-HJ-Z](?![^\W_])")

_DEFINITION = re.compile(
    r"(?:class|def|function|interface|struct|module|package|enum|trait)\s[\w.:]{1,90}+[^;=]{0,100}\Z"
)


def look_of(lines: Sequence[Line], number: int, taken: set[int]) -> Look | None:
    """Return what kind of heading a line may be; None where it cannot be one, whatever else the text has."""
    line = lines[number]
    following = lines[number + 1] if number + 1 < len(lines) else None
    is_apart = line.gap or number - 1 in taken or is_ruled(line) or is_underline(lines[number - 1].text)
    if following is None or not is_apart:
        return None
    if look := _look_by_place(lines, number):
        return look
    is_deeper = following.indent > line.indent
    if not (following.gap or is_deeper or is_capitals(line.text) or _is_numbered(line.text)):
        return None
    defines = is_deeper and _DEFINITION.match(line.text)
    if not following.gap and not defines and _goes_on(lines, number):
        return None
    if not (may_be_heading(line.text) or is_long_title(lines, number)):
        return None
    look = _kind_of_heading(line, is_deeper=is_deeper and not following.gap)
    is_other = (look and look[0] in _MAY_BE_ANNOUNCED and _is_announced(lines, number)) or (
        look and look[0] == "colon" and _is_lead_in(lines, number)
    )
    return None if is_other else look


def _is_numbered(text: str) -> bool:
    """Whether a text is a number behind a word, or begins with the number of a section behind its sign."""
    number = _WORD_NUMBER.fullmatch(text) or _WORD_NUMBER.match(text)
    return number is not None and (number[1] is not None or number.end() == len(text))


def _is_announced(lines: Sequence[Line], number: int) -> bool:
    """Whether a line is indented, and the one above it announces it with a colon."""
    if number == 0:
        return False
    above = lines[number - 1]
    return above.indent <= lines[number].indent > 0 and above.tail[-1] in COLONS


def _is_lead_in(lines: Sequence[Line], number: int) -> bool:
    """Whether a line that ends with a colon stands in the midst of indented text, and what it introduces directly below it."""
    line, following = lines[number], lines[number + 1]
    is_inside = number > 0 and lines[number - 1].indent == line.indent > 0
    return is_inside and not following.gap and following.indent > line.indent


def _look_by_place(lines: Sequence[Line], number: int) -> Look | None:
    """Return the look of a heading by what is around it: in a rule, over several lines."""
    line = lines[number]
    if (line.gap and is_in_rule(line.text)) or is_ruled(line):
        return "ruled", line.text[0]
    if end_of_numbered_title(lines, number) >= number:
        return numbered_look(line, is_deeper=False)
    return None


def is_in_rule(text: str) -> bool:
    """Whether a text is a title with a rule before and behind it."""
    return text[0] in "-=*#+_" and _IN_RULE.match(text) is not None


def is_ruled(line: Line) -> bool:
    """Whether a line is a title in a rule as wide as a page: it needs no blank line above it, and begins with no sign of a comment."""
    if line.text[0] not in "=_" or line.indent or line.length < MIN_WIDTH:
        return False
    return is_in_rule(line.text) or _FILLING_RULE.match(line.text) is not None


def has_ruled_titles(lines: Sequence[Line]) -> bool:
    """Whether titles in rules part the lines, as what programs print of their work on source code."""
    return sum(map(is_ruled, lines)) >= MIN_RULED


def _goes_on(lines: Sequence[Line], number: int) -> bool:
    """Whether the next line continues with a line's sentence, or with the contents that it is an entry of."""
    line, following = lines[number], lines[number + 1]
    if _is_entry(line.text) and _is_entry(following.text):
        return True
    return line.length >= MIN_WIDTH / 2 and is_full(line, following, width_at(lines, number))


def _is_entry(text: str) -> bool:
    """Whether a line begins with a number as entries of contents do; a bare one before a small letter or a sign counts something: "37 of 92 hosts"."""
    number = _NUMBER.match(text)
    if number is None:
        return False
    first = text[number.end() - 1]
    return bool(number[2] or number[3]) or "." in number[1] or (first.isalpha() and not first.islower())


def counts(text: str) -> bool:
    """Whether what stands behind a line's first word is the number of a part, even if no other line begins with that word."""
    return not _INITIAL.match(text)


def goes_on_below(lines: Sequence[Line], number: int) -> bool:
    """Whether a line is the first of a sentence that goes on directly below it."""
    following = lines[number + 1] if number + 1 < len(lines) else None
    if following is None or following.gap or item_mark(following.text) or ends_sentence(lines[number].tail):
        return False
    if FIELD.match(lines[number].text) and FIELD.match(following.text):
        return False
    return _goes_on(lines, number) or ends_inside(lines[number], following)


# No title ends with one.
_GOES_ON = ",;\u3001\uff0c{}|"


def may_be_heading(text: str) -> bool:
    return _ends_as_title(text) and len(text.split()) <= MAX_PLAIN_HEADING_WORDS


def is_long_title(lines: Sequence[Line], number: int) -> bool:
    """Whether a line stands alone in capitals, and is no sentence: no other line without a sign may be so long a title."""
    line = lines[number]
    is_alone = line.gap and number + 1 < len(lines) and lines[number + 1].gap
    is_short = line.length <= MAX_HEADING_CHARS
    return is_alone and is_short and is_capitals(line.text) and _ends_as_title(line.text)


def _ends_as_title(text: str) -> bool:
    return not (ends_sentence(text) or text.endswith("::") or text[-1] in _GOES_ON)


_CALLS = "?!\uff1f\uff01\u2026"
# The number of a title that may end as a sentence does; in the first group: that of a section.
_TITLE_NUMBER = re.compile(
    r"(?:(\d{1,3}\.\d[\d.]{0,12})|\d{1,3}[.)]|(?P<chapter>[^\W\d_a-z]\w{2,14}\s\d{1,3}[.:])|\u7b2c\s?\d{1,3}\s?\u7ae0)[ \t\xa0\u3000]{1,9}+\S"
    r"|(?P<lettered>[^\W\d_a-z]{3,15}\s(?:[A-Z]|[IVXLC]{1,6}))(?:[.:]|\s?[\u2013\u2014-])\s?\w"
)


def end_of_numbered_title(lines: Sequence[Line], number: int) -> int:
    """Return the last line of a paragraph that is no longer than a title and begins with a number, whatever it ends with; -1 of any other.

    A line that is longer than any title begins the text below it, even directly.
    """
    line, last = lines[number], number
    mark = _TITLE_NUMBER.match(line.text) if line.gap else None
    if mark is None:
        return -1
    while last + 1 < len(lines) and not (lines[last + 1].gap or lines[last + 1].length > MAX_HEADING_CHARS):
        last += 1
        if last - number == MAX_HEADING_LINES or item_mark(lines[last].text):
            return -1
    end = lines[last]
    if last + 1 == len(lines) or end.tail[-1] in _GOES_ON + COLONS or end.length > line.length:
        return -1
    # A title of a chapter has few words and may end with a full stop, but is no item that goes on below, indented further.
    is_short = last == number and len(line.text.split()) <= MAX_PLAIN_HEADING_WORDS
    if ends_sentence(end.tail) and end.tail[-1] not in _CALLS and not end.tail.endswith(".."):
        return last if is_short and (mark["lettered"] or lines[last + 1].indent <= line.indent) else -1
    is_wrapped = mark["chapter"] and is_full(line, lines[last], width_at(lines, number))
    return last if is_short or mark[1] or is_wrapped or end.tail[-1] in _CALLS else -1


def is_capitals(text: str) -> bool:
    """Whether a text is in capitals: most of its letters, not only the few that have any."""
    return text.isupper() and sum(map(str.isupper, text)) >= max(3, sum(map(str.isalpha, text)) / 2)


def _kind_of_heading(line: Line, *, is_deeper: bool) -> Look | None:
    return numbered_look(line, is_deeper=is_deeper) or _worded_look(line, is_deeper=is_deeper)


def numbered_look(line: Line, *, is_deeper: bool) -> Look | None:
    """Return the look of a heading that begins with its number: "3.2.1 Scope", "IV. Terms", "Article 5", "class X"."""
    word = _WORD_NUMBER.match(line.text)
    # Of a word of Chinese it may count what follows: "以下 3 个文件："
    if word and not (word[0][0] >= "\u4e00" and line.tail[-1] in COLONS):
        is_caption = "." in word[0].rstrip(".")
        return ("colon", line.indent) if is_caption else ("word", (word[1] or word[2] or word[3]).lower())
    if _DEFINITION.match(line.text):
        return ("definition", line.indent) if is_deeper else None
    number = _NUMBER.match(line.text)
    if number is None or line.tail[-1] in COLONS:
        return None
    if number[3]:
        return "numbered", "A", line.indent
    if "." in number[1] or number[2]:
        return "numbered", number[1].count(".") + 1
    # "2 directories, 4 files" counts something.
    is_count = line.text[number.end() - 1].islower()
    return None if is_deeper or is_count else ("numbered", "1", line.indent)


def _worded_look(line: Line, *, is_deeper: bool) -> Look | None:
    """Return the look of a heading of words alone: in capitals, with a colon, or only set apart."""
    text = line.text
    first = text[0]
    is_word = (first.isalpha() and not first.islower()) or first in "[\u3010\u300a(\"'"
    if item_mark(text) or not is_word or "  " in text or looks_like_code(text):
        return None
    if is_capitals(text):
        return "capitals", min(line.indent, CENTERED)
    if text[-1] in COLONS:
        words = len(text.split()) + line.wide // LETTERS_OF_A_WORD
        return ("colon", line.indent) if words <= MAX_WORDS_BEFORE_COLON else None
    return None if ": " in text else ("alone", min(line.indent, CENTERED), is_deeper)
