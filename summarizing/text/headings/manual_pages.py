"""Manual pages as `man` prints them: their first and last lines, and their headings, which their indentation alone tells.

Pure; linear in the lines. Refuses texts without a page's first line ("LS(1)   User Commands   LS(1)").
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from summarizing.text.headings.candidates import MAX_HEADING_CHARS, Candidate
from summarizing.text.lines import TAB_WIDTH, Line, columns_in

_NAME = re.compile(r"[^\s()]{1,80}+\(\w{1,9}\)\Z")
_GAP = re.compile(r" {2,}+[ \t]*+| ?\t[ \t]*+")
_TAB = re.compile(r"\t[ \t]*+")
# Words of justified text are less far from each other.
_MIN_COLUMNS_OF_GAP = 3
_PARTS_OF_FOOT = 3
_SECTION, _SUBSECTION = 1, 2


def lines_around_pages(lines: Sequence[Line]) -> set[int]:
    """Return the numbers of the first and last lines of manual pages; none where the text is no manual page."""
    if not lines or not _is_head(lines[0]):
        return set()
    heads = [number for number, line in enumerate(lines) if _is_head(line)]
    names = {_GAP.split(lines[number].text)[-1] for number in heads}
    feet = {number - 1 for number in (*heads[1:], len(lines)) if _is_foot(lines[number - 1], names)}
    found = {*heads, *feet}
    return found if len(found) < len(lines) else set()


def _is_head(line: Line) -> bool:
    if not line.gap or line.indent or line.tail[-1] != ")":
        return False
    name, *others = _GAP.split(line.text)
    return others[-1:] == [name] and _NAME.match(name) is not None


def _is_foot(line: Line, names: Collection[str]) -> bool:
    """Whether a line has what stands below a page: its version, its date and its name, far from each other; a page without a version begins with the date."""
    parts = _GAP.split(line.text)
    is_dated = len(parts) == _PARTS_OF_FOOT - 1 and line.indent > 0 and parts[-1] in names
    return line.gap and (is_dated or (line.indent == 0 and len(parts) == _PARTS_OF_FOOT))


def without_tabs_in_text(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with blanks for tabs that stand between words, as `col` puts them where there is a tab stop; those between columns are wider."""
    return [
        _without_tabs(line) if "\t" in line.text and line.length == len(line.text) else line for line in lines
    ]


def _without_tabs(line: Line) -> Line:
    parts: list[str] = []
    column, at = line.indent, 0
    for tab in _TAB.finditer(line.text):
        word = line.text[at : tab.start()].rstrip(" ")
        gap = line.text[at + len(word) : tab.end()]
        begin = column + columns_in(word)
        past_stop = begin % TAB_WIDTH
        column = begin - past_stop + len((" " * past_stop + gap).expandtabs(TAB_WIDTH))
        is_column = column - begin >= _MIN_COLUMNS_OF_GAP
        parts += [word, gap if is_column else " " * len(gap)]
        at = tab.end()
    text = "".join([*parts, line.text[at:]])
    return line._replace(text=text, tail=text)


def manual_headings(lines: Sequence[Line], opaque: bytearray) -> list[Candidate]:
    """Return the headings of manual pages: lines at the margin, and lines that are indented less than the text below sections.

    One of the text below a section may stand directly below that one's.
    """
    over = [
        number
        for number in range(len(lines) - 1)
        if lines[number].gap and not opaque[number] and _is_over_text(lines, number)
    ]
    first = Counter(lines[number + 1].indent for number in over if lines[number].indent == 0)
    body = max(first, key=lambda indent: (first[indent], indent), default=0)
    found: list[Candidate] = []
    for number, line in enumerate(lines[:-1]):
        is_below_another = bool(found) and found[-1].first == number - 1
        may_begin = (line.gap or is_below_another) and line.indent < body and not opaque[number]
        if may_begin and _is_over_text(lines, number):
            level = _SUBSECTION if line.indent else _SECTION
            found.append(Candidate(number, number, number, level, ("manual", level)))
    return found


def _is_over_text(lines: Sequence[Line], number: int) -> bool:
    line, following = lines[number], lines[number + 1]
    return line.length <= MAX_HEADING_CHARS and line.indent < following.indent
