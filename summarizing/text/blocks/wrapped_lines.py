"""Which lines belong together: where a paragraph or an item begins, and whether its lines were wrapped or each say something.

A line was wrapped if the next word would not have fitted on it, or if its sentence goes on in the next one. Pure; does not read titles,
tables or code, and knows no segments.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from summarizing.text.blocks.comment_lines import comment_goes_on, is_comment_line
from summarizing.text.blocks.list_items import begins_item, lines_that_count
from summarizing.text.document_builder import MAX_ITEM_CHARS
from summarizing.text.format_words import format_words
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.lines import (
    COLONS,
    FIELD,
    MIN_WIDTH,
    MIN_WORDS_OF_JUSTIFIED,
    Line,
    begins_with_word,
    columns_of,
    has_wide_gap,
    is_full,
    is_justified,
    is_of_words,
    item_mark,
    looks_like_prose,
    mark_lines,
    width_of,
)

_COMMAS = ",\u3001\uff0c"

# Lines of prose have so many characters on average, if it is not wrapped very narrow.
_MIN_PROSE_CHARS = 20
# At least this share of prose is words; names and numbers have fewer.
_MIN_WORDS = 0.3

# Lines have so many words at the same places, and so large a share of all, if they are of one kind.
_MIN_SAME = 2
_MIN_SHARE_OF_SAME = 1 / 3

# A field with more lines is no longer read as one of a record.
_MOST_LINES_OF_FIELD = 20

_BRACKET = re.compile(r"[()\[\]]")
_CALL = re.compile(r"[a-zA-Z_0-9]{1,60}+\([^\s)]{2}")

_NAME = re.compile(
    r"\w[\w.+-]{0,60}+(?<=\w)(?:\s++(?:[<>=\u2264\u2265](?![^\W\d_])|\([a-zA-Z]{2}[^()]{0,80}+\)(?:,|\Z))|\Z)",
    re.ASCII,
)

_PAGE = re.compile(r"[^\s(),]{1,80}+(?:, [^\s(),]{1,80}+){0,9}+\(\d\w{0,8}\) [-\u2013\u2014] \S")

# A name of up to four words, and its value: "Expiry Date: 2023-06-12".
_FIELD_OF_WORDS = re.compile(r"[^\W\d_][\w-]{0,30}+(?: [\w-]{1,30}+){0,3}+:[ \t]{1,40}+\S")


class Paragraph(NamedTuple):
    """Lines that belong together; `mark` is the length of the list sign before them, 0 where there is none."""

    lines: Sequence[Line]
    mark: int

    @property
    def span(self) -> tuple[int, int]:
        return self.lines[0].start, self.lines[-1].end


def paragraphs_of(
    lines: Sequence[Line], width: int, spoken_at: Collection[int], tagged: Collection[int]
) -> Iterator[Paragraph]:
    """Yield paragraphs: a new one begins at a list sign, a speaker, a term, and where the indentation changes.

    `tagged`: where lines begin that have a term with its description.
    """
    first, mark = 0, item_mark(lines[0].text)
    counted = lines_that_count(lines) if len(lines) > 1 else ()
    for number in range(1, len(lines)):
        line = lines[number]
        new_mark = item_mark(line.text)
        is_apart = line.indent != lines[number - 1].indent
        is_inner = (
            _begins_behind_field(lines[number - 1], line, width)
            or _is_label(lines, number, width)
            or _is_next_field(lines, number)
        )
        # Most lines of most texts.
        if not (new_mark or is_apart or tagged or spoken_at or is_inner):
            continue
        is_item = new_mark > 0 and (number in counted or begins_item(lines, first, number, mark))
        if (
            is_item
            or is_inner
            or line.start in spoken_at
            or line.start in tagged
            or (lines[first].start in tagged and _ends_description(lines[first], line))
            or (is_apart and _begins_paragraph(lines, first, number, mark, width))
        ):
            yield Paragraph(lines[first:number], mark)
            first, mark = number, new_mark if is_item else 0
    yield Paragraph(lines[first:], mark)


def _is_label(lines: Sequence[Line], number: int, width: int) -> bool:
    """Whether a line names the items below it, no less indented, or what is deeper, and does not go on with the line above it.

    That had room for it, is indented further, or is no prose.
    """
    line, before = lines[number], lines[number - 1]
    if line.tail[-1] not in COLONS or number + 1 == len(lines) or ends_inside(before, line):
        return False
    below = lines[number + 1]
    if below.indent > line.indent and line.text[0].isupper() and not looks_like_prose(before.text):
        return line.indent <= before.indent
    if below.indent < line.indent or not item_mark(below.text) or item_mark(line.text):
        return False
    return line.indent < before.indent or not is_full(before, line, max(width, MIN_WIDTH))


def describes_page(line: Line) -> bool:
    """Whether a line says what a manual page is about, as `apropos` and indexes of pages do: "ls(1) - list files"."""
    return "(" in line.text and _PAGE.match(line.text) is not None


def _ends_description(term: Line, line: Line) -> bool:
    """Whether a line is no part of the description of a term above it: but for that of a manual page it is indented further."""
    return line.indent < term.indent or (line.indent == term.indent and not describes_page(term))


def _begins_behind_field(before: Line, line: Line, width: int) -> bool:
    """Whether a line comes after a field, and begins a sentence that the field's short line had room for."""
    if ":" not in before.text or not FIELD.match(before.text) or FIELD.match(line.text):
        return False
    is_apart = before.width < MIN_WIDTH and line.indent <= before.indent and line.text[0].isupper()
    return is_apart and before.tail[-1] not in _COMMAS and not is_full(before, line, width)


def _is_next_field(lines: Sequence[Line], number: int) -> bool:
    """Whether a line is the next field of a record: only what is said of the field above it, which is indented alike, stands between them."""
    line = lines[number]
    if ":" not in line.text or not FIELD.match(line.text):
        return False
    before = reversed(lines[max(0, number - _MOST_LINES_OF_FIELD) : number])
    above = next((one for one in before if one.indent <= line.indent), line)
    return above is not line and above.indent == line.indent and FIELD.match(above.text) is not None


def parts_of(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Yield the paragraphs and items of lines between which no line is blank, and each line by itself where they are not wrapped."""
    width = width_of(lines)
    for paragraph in paragraphs_of(lines, width, (), ()):
        if paragraph.mark or is_wrapped(paragraph.lines, width):
            yield paragraph.lines
        else:
            yield from ([line] for line in paragraph.lines)


def ends_inside(line: Line, following: Line) -> bool:
    """Whether a line ends in the middle of a sentence, as a comma, or its words and those of the next line tell."""
    if ends_with_comma(line):
        return True
    return (
        following.text[0].islower()
        and looks_like_prose(line.text)
        and not ends_sentence(line.tail)
        and begins_with_word(following.text)
        and not _are_alike(line, following)
    )


def ends_with_comma(line: Line) -> bool:
    """Whether a line as long as wrapped ones ends with a comma: it says nothing without the next one."""
    return line.tail[-1] in _COMMAS and line.width >= MIN_WIDTH


def _begins_paragraph(lines: Sequence[Line], first: int, number: int, mark: int, width: int) -> bool:
    """Whether a line's indentation, against that of the lines before it, begins something new."""
    # Below a term even a word for which there would have been no room begins its description.
    line, before = lines[number]._replace(word=0), lines[number - 1]
    if line.indent > before.indent:
        if mark and number - 1 == first:
            return False
        ends = ")" + COLONS if number - 1 == first else COLONS
        if before.tail[-1] in ends and not ends_inside(before, line):
            return True
        return (
            not ends_inside(before, line)
            and not is_full(before, line, max(width, MIN_WIDTH))
            and line.indent not in columns_of(lines[first])
        )
    if number - 1 == first:
        is_remark = before.text[0] == "(" and before.tail[-1] == ")"
        is_example = first > 0 and lines[first - 1].tail[-1] in COLONS and not looks_like_prose(before.text)
        is_short = not is_full(before, line, max(width, MIN_WIDTH))
        is_short_item = mark > 0 and is_short
        is_back = (
            first > 0 and lines[first - 1].indent == line.indent and (is_short or ends_sentence(before.tail))
        )
        return is_short_item or is_remark or is_example or is_back
    return line.indent < lines[first].indent or (line.indent == lines[first].indent and number - first > 1)


def _at_least(least: int, results: Iterable[object], total: int) -> bool:
    """Whether so many of `total` results are true; no more of them are computed than tell."""
    hits, misses, most_misses = 0, 0, total - least
    for result in results:
        if result:
            hits += 1
        else:
            misses += 1
        if misses > most_misses or hits >= least:
            break
    return hits >= least


def is_wrapped(lines: Sequence[Line], width: int) -> bool:
    """Whether lines are one text, wrapped by hand, rather than lines that each say something."""
    if len(lines) == 1:
        return True
    breaks = len(lines) - 1
    if len(set(map(_is_comment, lines))) > 1 or _each_says_something(lines):
        return False
    is_hanging = all(line.indent > lines[0].indent for line in lines[1:])
    if is_hanging or _at_least(len(lines) // 2 + 1, map(has_wide_gap, lines), len(lines)):
        return is_hanging
    if is_justified(lines):
        return True
    if lines[0].text[0] < "\u2fff":
        width = max(width, MIN_WIDTH)
    if _at_least(breaks // 2 + 1, map(_is_call, lines[1:]), breaks):
        return False
    return _has_words_going_on(lines, width) or _mostly_go_on(lines, width) or _is_one_sentence(lines)


def _has_words_going_on(lines: Sequence[Line], width: int) -> bool:
    """Whether lines are long and of words, and a fifth of them begins with a small one, or a bracket and one.

    Where the first one does, too, that tells nothing of lines that end no sentence: commands have small letters.
    """
    tail = lines[-1].tail
    if lines[0].text[0].islower() and not (ends_sentence(tail) or tail[-1] in COLONS):
        return False
    if any(before.tail[-1] in COLONS and 2 * before.width < width for before in lines[:-1]):
        return False  # nothing goes on there
    lower = sum(
        line.text.lstrip("(")[:1].islower() and begins_with_word(line.text) and not has_wide_gap(line)
        for line in lines[1:]
    )
    is_long = sum(line.length for line in lines) >= _MIN_PROSE_CHARS * len(lines)
    return lower * 5 >= len(lines) - 1 and is_long and is_of_words(lines, _MIN_WORDS)


def _mostly_go_on(lines: Sequence[Line], width: int) -> bool:
    """Whether six tenths of the lines go on in the next one; between two sentences a line that is not full tells nothing."""
    telling = [
        (before, line)
        for before, line in pairwise(lines)
        if not (ends_sentence(before.tail) and line.text[0].isupper()) or is_full(before, line, width)
    ]
    goes_on = (_goes_on(before, line, width) for before, line in telling)
    return bool(telling) and _at_least(-(len(telling) * -6 // 10), goes_on, len(telling))


def _each_says_something(lines: Sequence[Line]) -> bool:
    """Whether the first lines are fields, or all with names of several words, or code, or most begin alike or are names, or nearly all end a sentence."""
    total = len(lines)
    if ":" in lines[0].text and (
        all(FIELD.match(line.text) for line in lines[:2])
        or all(_FIELD_OF_WORDS.match(line.text) for line in lines)
    ):
        return True
    if lines[0].text.startswith("#include ") or all(map(is_comment_line, lines)):
        return True
    return (
        _at_least((total - 1) // 2 + 1, map(_begin_alike, lines, lines[1:]), total - 1)
        or _at_least((total - 1) // 2 + 1, map(_are_alike, lines, lines[1:]), total - 1)
        or _at_least(total // 2 + 1, map(_is_name, lines), total)
        or _at_least(total * 9 // 10 + 1, (ends_sentence(line.tail) for line in lines), total)
    )


def joined_lines(lines: Sequence[Line], width: int) -> Iterator[Line]:
    """Yield lines that each say something; a line that continues over the next ones comes with these, and a comment with the command below it."""
    first, inside = 0, inside_brackets(lines)
    for number in range(1, len(lines) + 1):
        before = lines[number - 1]
        following = lines[number] if number < len(lines) else None
        is_open = following is not None and following.indent >= before.indent and _is_open(before, following)
        is_inside = following is not None and (
            ends_with_comma(before) or inside[number] or comment_goes_on(before, following, width)
        )
        is_about = following is not None and _is_about(before, following)
        if following and (is_inside or is_about or (is_open and _goes_on(before, following, width))):
            continue
        yield before if number - first == 1 else lines[first]._replace(end=before.end, tail=before.tail)
        first = number


def _is_about(comment: Line, line: Line) -> bool:
    """Whether a comment says of the line directly below it what that does."""
    return _is_comment(comment) and not _is_comment(line) and line.indent == comment.indent


def inside_brackets(lines: Sequence[Line]) -> bytearray:
    """Return the lines, marked, that begin in a bracket which is closed behind that, no further than an item is long: "[-e", "salt]"."""
    inside = bytearray(len(lines))
    opened: list[int] = []
    for number, line in enumerate(lines):
        # The number of an item closes nothing: "1) Boats".
        for sign in _BRACKET.findall(line.text, item_mark(line.text)):
            if sign in "([":
                opened.append(number)
            elif opened and line.end - lines[first := opened.pop()].start <= MAX_ITEM_CHARS:
                mark_lines(inside, {first + 1: number})
    return inside


def _is_open(line: Line, following: Line) -> bool:
    """Whether the words of a line end in the midst of a sentence."""
    if line.width < MIN_WIDTH and not looks_like_prose(line.text):
        return False
    if _are_alike(line, following) or _is_call(following):
        return False
    if has_wide_gap(line) and has_wide_gap(following):
        return False
    if ends_sentence(line.tail) or (_is_name(following) and (line.tail[-1] == ")" or _is_name(line))):
        return False
    is_long = line.width >= MIN_WIDTH and not _begin_alike(line, following)
    return (is_long and is_of_words([line], MIN_WORDS_OF_JUSTIFIED)) or looks_like_prose(line.text)


def _is_name(line: Line) -> bool:
    """Whether a line is a name alone, or one with a sign behind it: "glibc >= 2.16", "libcap", "dracut (optional)"."""
    return _NAME.match(line.text) is not None


def _begin_alike(line: Line, following: Line) -> bool:
    """Whether two lines begin with the same word, as those of a log do."""
    if line.text[0] != following.text[0]:
        return False
    word = line.text.partition(" ")[0]
    return following.text.startswith(word + " ")


def _are_alike(line: Line, following: Line) -> bool:
    """Whether two lines have as many words, some of them the same at the same places."""
    words, others = line.text.split(), following.text.split()
    same = sum(map(str.__eq__, words, others)) if len(words) == len(others) else 0
    return same >= max(_MIN_SAME, len(words) * _MIN_SHARE_OF_SAME)


def _is_call(line: Line) -> bool:
    """Whether a line begins with a call, as those that trace a program do: "openat(3, ..."."""
    return _CALL.match(line.text) is not None


def _is_one_sentence(lines: Sequence[Line]) -> bool:
    """Whether only the last of some lines ends a sentence, and none of them but the first begins one.

    Where blanks are rare, lines are not full: of Chinese and Japanese ones it tells enough that the last ends a sentence.
    """
    if not ends_sentence(lines[-1].tail):
        return False
    if all(line.wide for line in lines):
        return not any(item_mark(line.text) for line in lines)
    if any(ends_sentence(line.tail) for line in lines[:-1]):
        return False
    begins_one = any(_is_capitalized(line) or item_mark(line.text) for line in lines[1:])
    return lines[0].text[0].isupper() and not begins_one


def _is_capitalized(line: Line) -> bool:
    """Whether a line begins as a sentence does: with a capital letter, but no word in capitals."""
    return line.text[0].isupper() and not (line.text[:2].isalpha() and line.text[:2].isupper())


def _is_comment(line: Line) -> bool:
    return line.text.startswith("# ")


@cache
def _report() -> re.Pattern[str]:
    levels = "|".join(format_words().log_levels)
    return re.compile(rf"\d[\d:.,TZ/+-]{{4,30}}+(?: [\d:.,]{{4,20}}+)?+ \[?+(?:{levels})\b")


def _is_report(line: Line) -> bool:
    """Whether a line is one of a log, with a time and a severity: the next one does not continue it."""
    return line.text[0].isdecimal() and _report().match(line.text) is not None


def _goes_on(line: Line, following: Line, width: int) -> bool:
    """Whether a sentence seems to continue over a line's end."""
    is_command = line.text.startswith("$ ")
    is_over_columns = has_wide_gap(following) and not has_wide_gap(line)
    if is_command or is_over_columns or _is_comment(line) is not _is_comment(following) or _is_report(line):
        return False
    if is_full(line, following, width):
        return True
    return (
        line.width >= max(width / 2, MIN_WIDTH)
        and (not _is_capitalized(following) or ends_sentence(following.tail))
        and is_of_words([line], MIN_WORDS_OF_JUSTIFIED)
        and not ends_sentence(line.tail)
    )
