"""Which lines of a source were broken because the next word had no room: their sentence goes on in the next line.

Independent of the service's own parser on purpose, since that one is judged by this. Pure; marks the lines it is given.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bench.real_texts.source_layout.source_lines import (
    ITEM,
    NUMBERED_ENTRY,
    UNDERLINE,
    Line,
    columns,
    is_wide,
)

# Lines are wrapped somewhere here, in columns: shorter ones are a list of short lines, longer ones are paragraphs of one line.
WRAP_COLUMNS = range(50, 121)

MIN_HANGING = 2
MAX_FIRST_INDENT = 8
MIN_ALIKE = 5

# Paragraphs are wrapped at one width all over a text, give or take the length of a word.
WIDTH_TOLERANCE = 15

_COLUMN_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")

# A word far right of a line's others, as the targets of links in Vim's manual stand.
_TAG_AT_END = re.compile(r"\t\*\S+\*$")

_SENTENCE_ENDS = ".!?:;。！？：；…"

# A variable of a shell ("$file") and where its output goes (">file") are no words.
_WORDY = re.compile(r"[^\w\s$>]*[^\W\d_]+(?:['’-][^\W\d_]+)*[^\w\s]*")

_FIELD = re.compile(r"\s*[\w-]+:\s+\S")
# Where a link of Markdown leads (CommonMark 4.7, "link reference definitions").
_LINK_TARGET = re.compile(r"\s{0,3}\[[^\[\]]+\]:\s*\S")
# The address of a page that a line ends with.
_ENDS_WITH_ADDRESS = re.compile(r"\shttps?://\S+$")
_CLOSING_TAG = re.compile(r"(?<=\S)</\w+>$")
# A tag of XML, or a command at a prompt that no sign says goes on: the next line is something else.
_WHOLE = re.compile(r"\s*(?:<[^<>]+>|\$ .*[^\\])$")
_LETTER = re.compile(r"[^\W_]")
_NAME = re.compile(r"\s*(?:- )?[\w.-]+(?: [\w.-]+){0,3} ?:(?:\s|$)")
# What `apropos` and indexes of manual pages say of each: "ls(1) - list files".
_PAGE = re.compile(r"\s*[^\s()][^()]{0,200}\(\d\w*\) [-–—] \S")
_ROW_OF_NUMBERS = re.compile(r"\s*\d+(?:\s+\d+)+\s*$")
_SETTING = re.compile(r"\s*[\w.-]+\s?=\s")


def mark_wraps(lines: Sequence[Line], *, is_manual: bool = False) -> None:
    """Mark the lines that run on; in a manual page a line over a deeper one may be a term: it is full as others are, not as its block is."""
    blocks = [
        (first, behind, max(columns(line.text.rstrip()) for line in lines[first:behind]))
        for first, behind in _blocks(lines)
        if behind - first > 1
    ]
    widths = sorted(width for *_, width in blocks if width in WRAP_COLUMNS)
    usual = widths[len(widths) * 3 // 4] if widths else 0
    least = usual - WIDTH_TOLERANCE
    for first, behind, width in blocks:
        block = lines[first:behind]
        if width not in WRAP_COLUMNS or width < least or not _has_words(block) or _is_listed(block):
            continue
        begins = -1 if ITEM.match(lines[first].text) else first
        full = [
            number
            for number in range(first, behind - 1)
            if _runs_on(lines[number].text.rstrip(), lines[number + 1].text, width)
            and not (is_manual and _is_term(lines[number], lines[number + 1], usual))
            # Only a paragraph's first line may be indented further than the next one.
            and (
                lines[number].indent <= lines[number + 1].indent
                or (number == begins and lines[number].indent <= lines[number + 1].indent + MAX_FIRST_INDENT)
            )
        ]
        ended = sum(_ends_sentence(line.text, width) for line in lines[first : behind - 1])
        # Where most lines have room for the next word, the longest is not full either.
        if len(full) * 2 >= behind - 1 - first - ended:
            for number in full:
                lines[number].runs_on = True


def _ends_sentence(text: str, width: int) -> bool:
    """Whether a sentence ends with a line; a short one with a colon has room for more, and was not wrapped."""
    end = text.rstrip()[-1:]
    return end in _SENTENCE_ENDS and not (end == ":" and columns(text) * 2 < width)


def _has_words(lines: Sequence[Line]) -> bool:
    """Whether lines may be sentences: half of what stands between blanks, at least, are words; else it is paths, numbers, codes."""
    parts = [part for line in lines for part in line.text.split()]
    words = sum(bool(_WORDY.fullmatch(part)) or any(map(is_wide, part)) for part in parts)
    return words * 2 >= len(parts)


def _is_listed(lines: Sequence[Line]) -> bool:
    """Whether all lines begin with a name and a colon, or half of them have columns: each says something by itself."""
    if all(_FIELD.match(line.text) for line in lines):
        return True
    return sum("   " in line.text.expandtabs().strip() for line in lines) * 2 > len(lines)


def _blocks(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield the paragraphs: neighbouring lines of text; an item begins one of its own, and so does what stands below a comment."""
    first = None
    begun = _begun_by_indent(lines)
    for number, line in enumerate([*lines, Line("", 0)]):
        is_text = (
            bool(line.text.strip())
            and not line.is_code
            and not line.heading
            and not UNDERLINE.match(line.text)
        )
        is_row = line.text.lstrip().startswith(("|", "+-"))
        is_below_comment = lines[number - 1].text.lstrip().startswith("# ")
        begins = number in begun or is_below_comment or ITEM.match(line.text) or _PAGE.match(line.text)
        if first is not None and (not is_text or is_row or begins):
            yield first, number
            first = None
        if first is None and is_text and not is_row:
            first = number


def _begun_by_indent(lines: Sequence[Line]) -> set[int]:
    """Return the lines that begin something since what they say goes on indented.

    Between blank lines, those as far left as the first one, if lines come back to there twice.
    """
    found: set[int] = set()
    own: list[int] = []
    for number, line in enumerate([*lines, Line("", 0)]):
        if line.text.strip():
            own.append(number)
            continue
        least = lines[own[0]].indent if own else 0
        indents = [lines[one].indent for one in own]
        if sum(before > after == least for before, after in pairwise(indents)) >= MIN_HANGING:
            found.update(one for one in own if lines[one].indent == least)
        own = []
    return found


def _runs_on(text: str, behind: str, width: int) -> bool:
    """Whether a line was broken because the next word had no room, in the middle of a sentence."""
    is_border = not _LETTER.search(text)  # of a table, or a rule
    if is_border or _WHOLE.match(text) or (_LINK_TARGET.match(text) and _LINK_TARGET.match(behind)):
        return False
    text = _CLOSING_TAG.sub("", text)
    word = re.match(r"\s*([\w(\[\"'“„»«‘`*]\S*)", behind)
    if (
        not (word and _LETTER.search(behind))
        or text[-1] in _SENTENCE_ENDS
        or text.rstrip("\"')]»”’").endswith(tuple(_SENTENCE_ENDS))
    ):
        return False
    if _ENDS_WITH_ADDRESS.search(text) and word[1][0].isupper():
        return False
    if (
        _TAG_AT_END.search(text)
        or _are_rows(text, behind)
        or _are_alike(text, behind)
        or _ROW_OF_NUMBERS.match(behind)
    ):
        return False
    first = word[1][:1] if is_wide(word[1][0]) else word[1]
    return columns(text) + 1 + columns(first) > width


def _is_term(line: Line, behind: Line, usual: int) -> bool:
    """Whether a line stands over a deeper one that it had room for: no item whose text begins at the column of that one."""
    begun = {gap.end() for gap in _COLUMN_GAP.finditer(line.text.expandtabs())}
    is_over = behind.indent > line.indent and behind.indent not in begun and not ITEM.match(line.text)
    return is_over and not _runs_on(line.text.rstrip(), behind.text, usual)


def _are_alike(text: str, behind: str) -> bool:
    """Whether two lines begin with the same two words, or long one, or each with a name and a colon or an equals sign, or a number.

    Then each says something by itself.
    """
    first, second = text.split()[:2], behind.split()[:2]
    is_same = first == second if len(first[0]) < MIN_ALIKE else first[0] == second[0]
    return (len(first) > 1 and is_same) or any(
        one.match(text) and one.match(behind) for one in (_NAME, _SETTING, NUMBERED_ENTRY)
    )


def _are_rows(text: str, behind: str) -> bool:
    """Whether two lines are rows without signs: a column begins at the same place of both, after a gap."""
    begun = {gap.end() for gap in _COLUMN_GAP.finditer(text.expandtabs())}
    return any(gap.end() in begun for gap in _COLUMN_GAP.finditer(behind.expandtabs()))
