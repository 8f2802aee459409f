"""A text's lines: where each begins, how far it is indented, what it looks like.

Pure; time linear in the text. What lines mean together is decided in wrapped_lines.py, headings/finding.py and their neighbours.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

# A tab indents up to the next multiple of this.
TAB_WIDTH = 8

# What introduces something ends with one.
COLONS = ":\uff1a"
# And what asks, with one of these.
QUESTIONS = "?\uff1f"

# What a line looks like is judged by its beginning and its end; a line of megabytes is not scanned.
LOOK_CHARS = 200

# A single percent sign may stand for something else.
MIN_SEPARATORS = 2

# Makes a line of its fields in order: a text has many, and this is the quickest way.
_new = tuple.__new__

# This many lines, evenly spread, are a sample that shows what a text is.
SAMPLE_LINES = 400


_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]+"
)


class Line(NamedTuple):
    """A line that is not blank, without the white space around it."""

    start: int
    end: int
    indent: int
    text: str
    """Its beginning, at most LOOK_CHARS characters."""
    gap: bool
    """Whether blank lines (or nothing) stand before it."""
    tail: str
    """Its end, at most LOOK_CHARS characters."""
    wide: int = 0
    """How many letters of `text` take two columns: those of Chinese, Japanese and Korean (Unicode Annex 11, "wide")."""
    word: int = 0
    """How many columns its first word takes where no word is divided; 0 where lines may end between any two of those letters."""

    @property
    def span(self) -> tuple[int, int]:
        """Return where it begins and ends."""
        return self.start, self.end

    @property
    def length(self) -> int:
        """Return how many characters it has."""
        return self.end - self.start

    @property
    def reach(self) -> int:
        """Return the column where it ends."""
        return self.indent + self.end - self.start + self.wide

    @property
    def width(self) -> int:
        """Return how many columns it takes without its indentation."""
        return self.end - self.start + self.wide


def wide_letters(text: str) -> int:
    return 0 if text.isascii() else sum(map(len, _WIDE.findall(text)))


def columns_in(text: str) -> int:
    """Return how many columns a text takes."""
    return len(text) + wide_letters(text)


def read_lines(text: str) -> list[Line]:
    """Return the lines of a text that are not blank."""
    newline = "\n" if "\n" in text else "\r"
    found: list[Line] = []
    at, gap, is_ascii = 0, True, text.isascii()
    for raw in text.split(newline):
        stripped = raw.strip()
        if not stripped:
            gap = True
        else:
            indent = lead = raw.find(stripped[0]) if raw[0] != stripped[0] else 0
            if lead and "\t" in raw[:lead]:
                indent = len(raw[:lead].expandtabs(TAB_WIDTH))
            start = at + lead
            end = start + len(stripped)
            first, last = stripped[:LOOK_CHARS], stripped[-LOOK_CHARS:]
            wide = 0 if is_ascii or first.isascii() else wide_letters(first)
            found.append(_new(Line, (start, end, indent, first, gap, last, wide, 0)))
            gap = False
        at += len(raw) + 1
    return found


def without_separators(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines without those that part others as a blank line does.

    A percent sign alone, which begins no other line, parts the records of a file as `strfile` reads it; an indented full stop alone
    the paragraphs of a field in Debian's control files (Debian Policy, 5.6.13).
    """
    signs = [line.text for line in lines if line.text[0] == "%"]
    is_fortunes = len(signs) >= MIN_SEPARATORS and set(signs) == {"%"}
    parts = [(line.text == "." and line.indent == 1) or (is_fortunes and line.text == "%") for line in lines]
    if not any(parts):
        return lines
    return [
        line._replace(gap=line.gap or is_below)
        for line, is_one, is_below in zip(lines, parts, [is_fortunes, *parts], strict=False)
        if not is_one
    ]


def mark_lines(marked: bytearray, blocks: Mapping[int, int]) -> None:
    """Mark the lines of blocks, each of which has a first line and a last one."""
    for first, last in blocks.items():
        marked[first : last + 1] = b"\1" * (last + 1 - first)


def parted(lines: Sequence[Line], begins: Callable[[Line, Line], bool]) -> Iterator[Sequence[Line]]:
    """Yield lines in stretches. `begins`: whether a line begins the next one, by the first line of the last one, and the line."""
    first = 0
    for number in range(1, len(lines)):
        if begins(lines[first], lines[number]):
            yield lines[first:number]
            first = number
    if lines:
        yield lines[first:]


def sample_of(lines: Sequence[Line]) -> Sequence[Line]:
    """Return lines evenly spread over all of them."""
    return lines[:: max(1, len(lines) // SAMPLE_LINES)]


def share(results: Sequence[object]) -> float:
    """Return the share of results that are true; 0 of none."""
    return sum(map(bool, results)) / len(results) if results else 0.0


_ITEM = re.compile(
    r"(?:\*{2,5}|(?:--|>{1,2}|[.!]|o(?=[ \t]{1,9}(?:[^\w\s]|[^\W\d_a-z])))(?=[ \t])"
    r"|[-*+\u2022\u2023\u2043\u30fb\u2013\u00b7\u25a0-\u25ff\u2700-\u27bf]|(?:\d{1,3}\.){2,5}(?=[ \t])|\(?(?:\d{1,4}|([a-zA-Z])\1{0,2}|[ivxIVX]{1,6})[.)]|\[\d{1,4}\]|#\."
    # In a GNU change log: what of the file above has changed.
    r"|\([^()]{1,150}+\):)"
    r"(?:[ \t]{1,9}(?:\[[ xX]\][ ])?|\Z)"
)


def item_mark(text: str) -> int:
    """Return how long the sign of a list item at the start of a line is, with its space; 0 where there is none."""
    # Most lines begin with a word: of those signs only Roman numbers, and a letter three times, have so many letters.
    if text[:3].isalpha() and text[0] not in "ivxIVX" and text[:3] != 3 * text[0]:
        return 0
    mark = _ITEM.match(text)
    return mark.end() if mark else 0


# What only code begins with, in any language with brackets or assignments, and the keywords that most of them share.
_CODE = re.compile(
    r"""(?:[})\]]{1,9}+[;,]?$ | \#!|\#include|\#define|@\w|/\*|\*/|//|>>>[ ]|\$[ ]
    | [\w.\[\]"'$*]{1,60}+\s?(?::|[-+*/|&])?=\s?[^=\s] | [\w.:>]{1,80}\([^)]{0,120}\)[:;]?$
    | (?:import|from|return|def|class|fn|func|function|var|let|const|elif|else:|try:|except|package|use|export|static|public|private
       |struct|enum|interface|impl|if\b.{1,90}[:{]$|for\b.{1,90}[:{]$|while\b.{1,90}[:{]$|raise|with\b.{1,80}:$)(?=[ ]|:|$)[^.?!]{0,150}$)""",
    re.VERBOSE,
)
_CODE_ENDS = tuple(";{}([\\")
_OPERATOR = re.compile(r"[\w)\]>]\s?(?:->|=>|::|&&|\|\|)\s?[\w(\[{~$]")
_CODE_SIGNS = ("->", "=>", "::", "&&", "||")


def looks_like_code(text: str) -> bool:
    """Whether a line has signs at places where only code has them; reStructuredText's own, ".. image:: x", are no code."""
    if text.startswith(".. "):
        return False
    if text.endswith(_CODE_ENDS) or _CODE.match(text):
        return True
    return any(map(text.__contains__, _CODE_SIGNS)) and _OPERATOR.search(text) is not None


# A name of one word, and its value.
FIELD = re.compile(r"[\w-]{1,40}+:[ \t]{1,40}+\S")

_WORDS = re.compile(r"[^\W\d_]{2,30}+[,;:]?[ ](?:\(?[^\W\d_]{1,30}+[,;:)]{0,2}[ ]?){4}")


def looks_like_prose(text: str) -> bool:
    """Whether a line has at least five words in a row."""
    return text.count(" ") >= 4 and _WORDS.search(text) is not None


# A word as sentences have them, with the signs around it.
_WORD = re.compile(
    r"(?<!\S)[(\"'\u201c\u2018\[*_`\u00ab\u00bf\u00a1]*+[^\W\d_]++(?:['\u2019-][^\W\d_]++)*+[)\"'\u201d\u2019\]*_`\u00bb]*+"
    r"[.,;:!?\u2026]*+(?!\S)"
)


def begins_with_word(text: str) -> bool:
    """Whether a line begins with a word as sentences have them."""
    return _WORD.match(text) is not None


def is_of_words(lines: Sequence[Line], least: float) -> bool:
    """Whether so large a part of what stands between blanks is words: of sentences most, of paths, numbers and codes few.

    What has a letter of Chinese, Japanese or Korean counts as a word, and two such letters as one more: no blanks part them.
    """
    parts = words = 0
    for line in lines:
        of_line = len(line.text.split())
        of_wide_letters = line.wide // 2
        parts += of_line + of_wide_letters
        words += of_wide_letters
        # Of most lines all signs are letters, but for the blanks.
        words += of_line if line.text.replace(" ", "").isalpha() else _words_in(line)
    return words >= least * parts


def _words_in(line: Line) -> int:
    if not line.wide:
        return len(_WORD.findall(line.text))
    return sum(bool(_WIDE.search(part) or _WORD.match(part)) for part in line.text.split())


# So many lines show that they all end at one column; so large a part of them are words.
MIN_JUSTIFIED = 3
MIN_WORDS_OF_JUSTIFIED = 0.6

# No writer wraps lines of words narrower than this,
MIN_WIDTH = 50
# or wider.
_MAX_WIDTH = 100


# What a line break does not divide: a word, or a letter of a script without spaces.
_FIRST_WORD = re.compile(r"[^\s\u2e80-\uabff\ud7a4-\uffef]+|\S")
_CLOSING = "\uff0c\u3002\u3001\uff1b\uff1a\uff1f\uff01\u201d\u2019\uff09\u300b\u300d\u300f\u3011\u3015"


def is_full(line: Line, following: Line, width: int) -> bool:
    """Whether the next line's first word would not have fitted on a line; closing marks belong to the line above."""
    first = following.text[0]
    if first > "\x7f" and first in _CLOSING:
        return True
    if following.word:
        needed = 1 + following.word
    elif following.text.isascii():
        word = following.text.find(" ")
        needed = 1 + (word if word > 0 else following.length)
    else:
        word_end = _FIRST_WORD.match(following.text)
        needed = 1 + (columns_in(word_end[0]) if word_end else 0)
    return line.reach + needed >= min(width, _MAX_WIDTH) - 2


# What the rows of a drawn table begin with.
_EDGES_OF_TABLES = "|+\u2502\u251c\u250c\u2514"


def margin_of(lines: Sequence[Line]) -> int:
    """Return the column that wrapped lines of a text reach: nine of ten lines with another one directly below end before it.

    A line that is one word was not wrapped, however long it is, nor is the row of a table that is drawn.
    """
    ends = sorted(
        line.reach
        for line, following in pairwise(lines)
        if not following.gap
        and not (line.word and line.word == line.width)
        and line.text[0] not in _EDGES_OF_TABLES
    )
    return min(ends[len(ends) * 9 // 10], _MAX_WIDTH) if ends else 0


def width_of(lines: Iterable[Line]) -> int:
    """Return the column where the longest line ends."""
    return max([line.reach for line in lines], default=0)


def is_justified(lines: Sequence[Line]) -> bool:
    """Whether lines are words that were spread so that all lines but the last end at one column."""
    first = lines[0].reach
    if len(lines) < MIN_JUSTIFIED or first < MIN_WIDTH or any(line.reach != first for line in lines[1:-1]):
        return False
    return lines[-1].reach <= first and is_of_words(lines, MIN_WORDS_OF_JUSTIFIED)


# Two blanks behind a full stop may be those between sentences, and between words those of justified text.
COLUMN_GAP = re.compile(r"(?:(?<![\s.!?:])(?: {2}| ?\t)|(?<!\s) {3})[ \t]*+(?=\S)")


def has_wide_gap(line: Line) -> bool:
    """Whether a line has text in columns: justified text has two blanks here and there, columns have more."""
    return "   " in line.text or "\t" in line.text


def columns_of(line: Line) -> set[int]:
    """Return where text begins on a line behind two blanks or more: what is indented so far goes on with it."""
    lead = " " * line.indent
    return {
        len((lead + line.text[: gap.end()]).expandtabs(TAB_WIDTH)) for gap in COLUMN_GAP.finditer(line.text)
    }
