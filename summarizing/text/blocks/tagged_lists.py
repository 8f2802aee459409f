"""Lists of terms with descriptions: which lines begin with a term and go on with its description, at the column of the others.

Pure; linear in the lines. Terms on lines of their own are read in paragraphs.py, lines in columns without a list around them in tables.py.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from summarizing.text.blocks.option_lists import option_lines
from summarizing.text.blocks.wrapped_lines import describes_page, ends_inside
from summarizing.text.lines import COLUMN_GAP, TAB_WIDTH, Line, has_wide_gap, item_mark, looks_like_prose

# Where descriptions begin, by the indentation of their terms.
Columns = Mapping[int, Collection[int]]

# One line that is indented further than the one above it shows no list.
MIN_LINES = 2


def description_columns(lines: Sequence[Line]) -> Columns:
    """Return the columns of descriptions: lines below a term are indented so far, or several terms have text there."""
    seen: Counter[tuple[int, int]] = Counter()
    for line, following in pairwise(lines):
        if following.gap or following.indent < line.indent:
            continue
        if following.indent > line.indent:
            seen[line.indent, following.indent] += 1
        elif (has_wide_gap(line) or has_wide_gap(following)) and (
            column := _column_behind_gap(line)
        ) == _column_behind_gap(following):
            seen[line.indent, column] += 1
    columns: dict[int, set[int]] = {}
    for (indent, column), count in seen.items():
        if count >= MIN_LINES and column > indent:
            columns.setdefault(indent, set()).add(column)
    return columns


def tagged_lines(lines: Sequence[Line], columns: Columns) -> frozenset[int]:
    """Return where lines begin that have a term, and behind it text at the column where descriptions begin, or what a manual page is about."""
    tagged = {line.start for line in lines if describes_page(line)} | set(option_lines(lines))
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if (
            line.indent in columns
            and _is_tagged(lines, number, columns, tagged)
            and not (
                item_mark(line.text) or _closes_bracket(lines, number) or _goes_on(lines, number, columns)
            )
        ):
            tagged.add(line.start)
    return frozenset(tagged)


def _closes_bracket(lines: Sequence[Line], number: int) -> bool:
    """Whether a line ends what stands in brackets at the end of the line above, which is indented alike: the term began there."""
    line, before = lines[number], lines[number - 1]
    if number == 0 or line.gap or line.indent != before.indent:
        return False
    behind, ahead = before.tail.rpartition("("), line.text.partition(")")
    return bool(behind[1] and ahead[1]) and ")" not in behind[2] and "(" not in ahead[0]


def _goes_on(lines: Sequence[Line], number: int, columns: Columns) -> bool:
    """Whether a line goes on with the sentence above it: below the first line of a paragraph, or one indented alike that has no description."""
    line, before = lines[number], lines[number - 1]
    if number == 0 or line.gap or not ends_inside(before, line):
        return False
    if before.indent == line.indent:
        return _column_behind_gap(before) not in columns[line.indent]
    return before.gap and before.indent > line.indent


def _is_tagged(lines: Sequence[Line], number: int, columns: Columns, tagged: Collection[int]) -> bool:
    """Whether a line has a term and its description. The last line of a paragraph is not justified: its gaps are those of columns."""
    line = lines[number]
    following = lines[number + 1] if number + 1 < len(lines) and not lines[number + 1].gap else None
    if following and following.indent > line.indent:
        is_at_column = following.indent in (_column_behind_word(line), _column_behind_gap(line))
        return is_at_column and following.indent in columns[line.indent]
    is_over_another = following is not None and following.indent == line.indent
    if is_over_another and not (lines[number + 1].start in tagged or _is_term(lines, number + 1, columns)):
        return False
    # An option as wide as its column has a single blank behind it.
    column = _column_behind_word(line) if line.text[0] == "-" else -1
    return column in columns[line.indent] or _column_behind_gap(line) in columns[line.indent]


def _column_behind_word(line: Line) -> int:
    """Return the column of the text behind the first blank of a line; -1 where that is another name of the option: "-g, --gid"."""
    at = line.text.find(" ") + 1
    return -1 if line.text.startswith("-", at) else line.indent + at


def _is_term(lines: Sequence[Line], number: int, columns: Columns) -> bool:
    """Whether a line is a term whose description begins on the next line."""
    line, *others = lines[number : number + 2]
    return (
        bool(others)
        and not others[0].gap
        and others[0].indent in columns.get(line.indent, ())
        and not looks_like_prose(line.text)
    )


def _column_behind_gap(line: Line) -> int:
    """Return the column of the text behind the first gap of a line; -1 where it has none."""
    if "  " not in line.text and "\t" not in line.text:
        return -1
    gap = COLUMN_GAP.search(line.text)
    return len((" " * line.indent + line.text[: gap.end()]).expandtabs(TAB_WIDTH)) if gap else -1
