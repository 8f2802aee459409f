"""What stands between blank lines: paragraphs, lists, terms with their descriptions, speakers, lines that each say something.

Wrapped lines are joined before they are cut into sentences: a line was wrapped if the next word would not have fitted on it. What
is indented further hangs on the item, the term or the introductory line above it. Pure; refuses to read titles, tables and code.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from summarizing.text.document import NO_SEGMENT, Segment, SegmentKind
from summarizing.text.document_builder import MAX_ITEM_CHARS, Builder, announces, refers_back
from summarizing.text.html_layout import MENU_SIGN
from summarizing.text.lines import (
    COLUMN_GAP,
    MIN_WIDTH,
    MIN_WORDS_OF_JUSTIFIED,
    Line,
    columns_of,
    is_full,
    is_justified,
    is_of_words,
    item_mark,
    looks_like_prose,
    width_of,
)
from summarizing.text.sentence_spans import ends_sentence

# A line that introduces what comes next is short.
MAX_LEAD_IN_CHARS = 300
MAX_TERM_CHARS = 120
# So much of a segment's end tells whether it ends as a sentence does.
TAIL_CHARS = 20

# Fewer lines do not show where the writer's margin is: that of the whole text is used.
_MIN_LINES_OF_WIDTH = 4

# At this many returns to an indentation, each line there begins an entry.
_MIN_HANGING = 2

# Lines of prose have so many characters on average, if it is not wrapped very narrow.
_MIN_PROSE_CHARS = 20

_COLONS = ":\uff1a"
_FIRST_NUMBER = re.compile(r"\(?(?:0?1|[aAiI])[.)]|\[1\]|#\.")
_SPEAKER = re.compile(
    r"(?:[\[(]?\d{1,2}:\d\d(?::\d\d)?[\])]?\s{0,3}-?\s?)?\*{0,2}([^\W\d_][\w.'\u2019-]{0,24}(?: [\w.'\u2019()-]{1,24}){0,3}):\*{0,2}(?=\s|\Z)"
)
_LINK = re.compile(r"!?\[[^\[\]\n]{0,300}+\]\([^()\n]{0,1000}+\)|<?https?://[^<>\s]{1,1000}+>?")
# "link reference definitions", CommonMark 4.7
_TARGET = re.compile(r"\[[^\]^][^\]]{0,200}+\]:(?:\s\S|\Z)|<?https?://\S{1,300}+\Z")
_NAME = re.compile(r"\w[\w.+-]{0,60}+(?<=\w)(?:\s++[(<>=\u2264\u2265]|\Z)", re.ASCII)
_LEADERS = re.compile(r"(?<!\.)(?<!\. )(?:\.[ ]?){4,}+\s*+[\divx]{1,6}\Z")


class Paragraph(NamedTuple):
    """Lines that belong together; `mark` is the length of the list sign before them, 0 where there is none."""

    lines: Sequence[Line]
    mark: int

    @property
    def span(self) -> tuple[int, int]:
        return self.lines[0].start, self.lines[-1].end


def speakers(lines: Sequence[Line]) -> frozenset[str]:
    """Return the names that lines of a dialogue begin with; none where the text is not a dialogue."""
    names: Counter[str] = Counter()
    for line in lines:
        if ":" in line.text[:60] and (name := _SPEAKER.match(line.text)):
            names[name[1]] += 1
    recurring = {name for name, times in names.items() if times >= 2}
    paragraphs = sum(line.gap for line in lines)
    spoken = sum(names[name] for name in recurring)
    is_dialogue = len(recurring) >= 2 and spoken >= 4 and spoken >= 0.4 * min(paragraphs, len(lines))
    return frozenset(recurring) if is_dialogue and spoken >= 0.15 * len(lines) else frozenset()


def put_paragraphs(builder: Builder, lines: Sequence[Line], names: frozenset[str] = frozenset()) -> None:
    """Add the paragraphs, items and terms of lines between which no line is blank."""
    builder.begin_block()
    width = width_of(lines) if len(lines) > 1 else 0
    if len(lines) < _MIN_LINES_OF_WIDTH:
        width = max(width, builder.width)
    found = list(_split(lines, width, names))
    coming = builder.next_indent, builder.is_next_prose
    for number, paragraph in enumerate(found):
        line = paragraph.lines[0]
        following = found[number + 1].lines[0] if number + 1 < len(found) else None
        indent, is_prose = (following.indent, looks_like_prose(following.text)) if following else coming
        builder.look_ahead(indent, is_prose=is_prose)
        if names and _speaker_of(line.text) in names:
            _put_speech(builder, paragraph)
        elif paragraph.mark:
            _put_item(builder, paragraph)
        elif _is_wrapped(paragraph.lines, width):
            is_over_list = number + 1 < len(found) and found[number + 1].mark > 0
            _put_prose(builder, paragraph, is_over_list=is_over_list)
        else:
            put_lines(builder, list(_runs(paragraph.lines, width)))


def _runs(lines: Sequence[Line], width: int) -> Iterator[Line]:
    """Yield lines that each say something; a line that continues over the next ones comes with these."""
    first = 0
    for number in range(1, len(lines) + 1):
        before = lines[number - 1]
        following = lines[number] if number < len(lines) else None
        if following and _is_open(before, following) and _goes_on(before, following, width):
            continue
        yield before if number - first == 1 else lines[first]._replace(end=before.end, tail=before.tail)
        first = number


def _is_open(line: Line, following: Line) -> bool:
    """Whether the words of a line end in the midst of a sentence."""
    if ends_sentence(line.tail) or (_is_name(following) and (line.tail[-1] == ")" or _is_name(line))):
        return False
    is_long = line.width >= MIN_WIDTH and not _begin_alike(line, following)
    return (is_long and is_of_words([line], MIN_WORDS_OF_JUSTIFIED)) or looks_like_prose(line.text)


def parts_of(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Yield the paragraphs and items of lines between which no line is blank, and each line by itself where they are not wrapped."""
    width = width_of(lines)
    for paragraph in _split(lines, width, frozenset()):
        if paragraph.mark or _is_wrapped(paragraph.lines, width):
            yield paragraph.lines
        else:
            yield from ([line] for line in paragraph.lines)


def _speaker_of(text: str) -> str:
    name = _SPEAKER.match(text) if ":" in text[:60] else None
    return name[1] if name else ""


def _split(lines: Sequence[Line], width: int, names: frozenset[str]) -> Iterator[Paragraph]:
    """Yield paragraphs: a new one begins at a list sign, a speaker, and where the indentation changes."""
    first, mark = 0, item_mark(lines[0].text)
    hanging = _hanging(lines)
    for number in range(1, len(lines)):
        line = lines[number]
        new_mark = item_mark(line.text)
        is_item = new_mark > 0 and _begins_item(lines, first, number, mark)
        if (
            is_item
            or (line.indent in hanging and not ends_inside(lines[number - 1], line))
            or (names and _speaker_of(line.text) in names)
            or _begins_paragraph(lines, first, number, mark, width)
        ):
            yield Paragraph(lines[first:number], mark)
            first, mark = number, new_mark if is_item else 0
    yield Paragraph(lines[first:], mark)


def _hanging(lines: Sequence[Line]) -> set[int]:
    """Return the indentations at which each line begins something: what it says goes on in lines that are indented further."""
    times: Counter[int] = Counter()
    going_on: set[int] = set()
    open_indents: list[int] = []
    for before, line in zip((lines[0], *lines), lines, strict=False):
        is_back = bool(open_indents) and open_indents[-1] > line.indent
        while open_indents and open_indents[-1] > line.indent:
            open_indents.pop()
        if open_indents and open_indents[-1] == line.indent:
            times[line.indent] += is_back
            in_capitals = before.indent == line.indent and line.text[:12].isupper() and _is_open(before, line)
            if line.text[0].islower() or in_capitals:
                going_on.add(line.indent)
        else:
            open_indents.append(line.indent)
    return {indent for indent, count in times.items() if count >= _MIN_HANGING} - going_on


def _begins_item(lines: Sequence[Line], first: int, number: int, mark: int) -> bool:
    """Whether a list sign begins an item. CommonMark 5.2: "only lists starting with 1" interrupt a paragraph."""
    line, text = lines[number], lines[number].text
    if mark and item_mark(text) == line.length and line.indent > lines[first].indent:
        return False  # a number that ends the item's sentence
    if not (text[0].isalnum() or text[0] in "(["):
        return line.length > 1
    if mark or _FIRST_NUMBER.match(text):
        return line.indent <= lines[first].indent + mark + 3 or _FIRST_NUMBER.match(text) is not None
    before = lines[number - 1].text
    return before[-1] in _COLONS + ";" and lines[number - 1].length < 200


def ends_inside(line: Line, following: Line) -> bool:
    """Whether a line ends in the middle of a sentence, as its words and those of the next line tell."""
    return following.text[0].islower() and looks_like_prose(line.text) and not ends_sentence(line.tail)


def _begins_paragraph(lines: Sequence[Line], first: int, number: int, mark: int, width: int) -> bool:
    """Whether a line's indentation, against that of the lines before it, begins something new."""
    line, before = lines[number], lines[number - 1]
    if line.indent == before.indent:
        return False if mark else _is_next_row(lines[first], line)
    if line.indent > before.indent:
        if mark and number - 1 == first:
            return False
        ends = ")" + _COLONS if number - 1 == first else _COLONS
        if before.tail[-1] in ends and not ends_inside(before, line):
            return True
        return (
            not ends_inside(before, line)
            and not is_full(before, line, max(width, MIN_WIDTH))
            and line.indent not in columns_of(lines[first])
        )
    if number - 1 == first:
        is_remark = before.text[0] == "(" and before.tail[-1] == ")"
        is_example = first > 0 and lines[first - 1].tail[-1] in _COLONS and not looks_like_prose(before.text)
        is_short_item = mark > 0 and not is_full(before, line, max(width, MIN_WIDTH))
        return is_short_item or is_remark or is_example
    return line.indent < lines[first].indent or (line.indent == lines[first].indent and number - first > 1)


def _is_next_row(first: Line, line: Line) -> bool:
    """Whether a line is a term with what is said of it in the same column as another one."""
    if not (_has_wide_gap(first) and _has_wide_gap(line)):
        return False
    columns = columns_of(first)
    # Justified lines have several gaps.
    return len(columns) == 1 and columns == columns_of(line)


def _is_wrapped(lines: Sequence[Line], width: int) -> bool:
    """Whether lines are one text, wrapped by hand, rather than lines that each say something."""
    if len(lines) == 1:
        return True
    breaks = len(lines) - 1
    if sum(map(_begin_alike, lines, lines[1:])) * 2 > breaks or sum(map(_is_name, lines)) * 2 > len(lines):
        return False
    if all(line.indent > lines[0].indent for line in lines[1:]):
        return True
    if is_justified(lines):
        return True
    if sum(map(_has_wide_gap, lines)) * 2 > len(lines):
        return False
    lower = sum(line.text[0].islower() for line in lines[1:])
    if lines[0].text[0] < "\u2fff":
        width = max(width, MIN_WIDTH)
    goes_on = sum(_goes_on(lines[number], lines[number + 1], width) for number in range(breaks))
    is_long = sum(line.length for line in lines) >= _MIN_PROSE_CHARS * len(lines)
    return goes_on * 10 >= breaks * 6 or (is_long and lower * 5 >= breaks) or _is_one_sentence(lines)


def _is_name(line: Line) -> bool:
    """Whether a line is a name alone, or one with a sign behind it: "glibc >= 2.16", "libcap", "dracut (optional)"."""
    return _NAME.match(line.text) is not None


def _begin_alike(line: Line, following: Line) -> bool:
    """Whether two lines begin with the same word, as those of a log do."""
    word = line.text.partition(" ")[0]
    return following.text.startswith(word + " ")


def _is_one_sentence(lines: Sequence[Line]) -> bool:
    """Whether only the last of some lines ends a sentence, and none of them but the first begins one."""
    if not ends_sentence(lines[-1].tail) or any(ends_sentence(line.tail) for line in lines[:-1]):
        return False
    begins_one = any(_is_capitalized(line) or item_mark(line.text) for line in lines[1:])
    return lines[0].text[0].isupper() and not begins_one


def _is_capitalized(line: Line) -> bool:
    """Whether a line begins as a sentence does: with a capital letter, but no word in capitals."""
    return line.text[0].isupper() and not (line.text[:2].isalpha() and line.text[:2].isupper())


def _has_wide_gap(line: Line) -> bool:
    """Whether a line has text in columns: justified text has two blanks here and there, columns have more."""
    return "   " in line.text or "\t" in line.text


def _goes_on(line: Line, following: Line, width: int) -> bool:
    """Whether a sentence seems to continue over a line's end."""
    if is_full(line, following, width):
        return True
    return (
        line.width >= max(width / 2, MIN_WIDTH)
        and (not _is_capitalized(following) or ends_sentence(following.tail))
        and is_of_words([line], MIN_WORDS_OF_JUSTIFIED)
        and not ends_sentence(line.tail)
    )


def _announces(text: str, start: int, end: int) -> bool:
    return text[end - 1] in _COLONS and end - start <= MAX_LEAD_IN_CHARS


_NUMBER = re.compile(r"\d+")


def _class_of_mark(mark: str) -> str:
    """Return what the marks of a list have in common: "12." and "3." are both "1.", "b)" is "a)"."""
    return "a" + mark[-1] if mark.strip("(.)").isalpha() else _NUMBER.sub("1", mark)


def _put_item(builder: Builder, paragraph: Paragraph) -> None:
    line = paragraph.lines[0]
    mark = _class_of_mark(line.text[: paragraph.mark].strip())
    parent = builder.parent_of_item(line.indent, mark)
    start, end = paragraph.span
    follows = mark[0].isalnum() and _refers_to_last_item(builder, line.text[paragraph.mark :])
    index = builder.put_item(start, end, SegmentKind.ITEM, parent, follows=follows)
    if _announces(builder.text, start, end):
        builder.hang_items_below(line.indent, index, mark)
    builder.hang_below(line.indent + 1, index)


def _refers_to_last_item(builder: Builder, text: str) -> bool:
    """Whether a numbered item refers to the one before it ("2. This right ..."); where both do so, they are parallel."""
    last = builder.segments[-1] if builder.segments else None
    if last is None or last.kind is not SegmentKind.ITEM or not refers_back(text):
        return False
    above = builder.text[last.start : last.end]
    return not refers_back(above[item_mark(above) :])


def _put_prose(builder: Builder, paragraph: Paragraph, *, is_over_list: bool) -> None:
    """Add a paragraph's sentences; what follows hangs on a short line that is not a sentence, and on an introductory line."""
    line = paragraph.lines[0]
    start, end = paragraph.span
    indent = min(one.indent for one in paragraph.lines)
    is_term = len(paragraph.lines) == 1 and _is_term(line)
    is_over_example = builder.next_indent > indent and looks_like_prose(line.text)
    if is_term and line.tail[-1] not in _COLONS and not is_over_list and not is_over_example:
        index = builder.put((start, end), SegmentKind.LINE, builder.parent_of_block(indent))
        builder.hang_below(indent, index)
        return
    parent = builder.parent_at(indent - 0.5)
    if len(paragraph.lines) > 1 and all(one.indent > indent for one in paragraph.lines[1:]):
        _put_hanging(builder, paragraph, parent)
        return
    resumes = _resumes(builder, parent, start)
    found = builder.put_sentences(start, end, parent, continues=_continues(builder, parent), resumes=resumes)
    last = builder.segments[found[-1]]
    is_over = is_over_list or builder.next_indent > indent
    is_open = is_over and not _ends_as_a_sentence(builder, last)
    if is_open or _announces(builder.text, last.start, last.end):
        builder.hang_below(indent - 0.5, found[-1])
    elif builder.next_indent > indent and not builder.is_next_prose:
        # An indented example belongs to the sentence before it.
        builder.hang_below(indent, found[-1])


def _put_hanging(builder: Builder, paragraph: Paragraph, parent: int) -> None:
    """Add a paragraph with a hanging indent: the first line names a term, the others describe it."""
    start, end = paragraph.span
    kind = SegmentKind.LINE if COLUMN_GAP.search(paragraph.lines[0].text) else SegmentKind.SENTENCE
    first = builder.put_item(start, end, kind, parent)
    builder.hang_below(paragraph.lines[0].indent, first)
    last = len(builder.segments) - 1
    if last > first and _announces(builder.text, builder.segments[last].start, end):
        builder.hang_below(paragraph.lines[1].indent - 0.5, last)


def _is_term(line: Line) -> bool:
    """Whether a line is a term that a description may follow: a word, an option, a signature, but no sentence."""
    return line.length <= (
        MAX_LEAD_IN_CHARS if line.tail[-1] == ")" else MAX_TERM_CHARS
    ) and not ends_sentence(line.tail)


def _continues(builder: Builder, parent: int) -> bool:
    """Whether the segment before the next one is a sentence under the same heading."""
    if not builder.segments:
        return False
    last = builder.segments[-1]
    return last.kind is SegmentKind.SENTENCE and last.parent == parent


def _resumes(builder: Builder, parent: int, start: int) -> bool:
    """Whether a sentence, or the line that begins it, goes on below the example in the midst of it."""
    if not builder.segments or not builder.text[start].islower():
        return False
    last = builder.segments[-1]
    if last.parent == NO_SEGMENT:
        return False
    above = builder.segments[last.parent]
    is_example = above.kind in (SegmentKind.SENTENCE, SegmentKind.LINE) and above.parent == parent
    return is_example and not _ends_as_a_sentence(builder, above)


def _ends_as_a_sentence(builder: Builder, segment: Segment) -> bool:
    return ends_sentence(builder.text[max(0, segment.end - TAIL_CHARS) : segment.end])


def _put_speech(builder: Builder, paragraph: Paragraph) -> None:
    """Add a speech: the first sentence keeps the speaker's name, and the others and further paragraphs hang on it."""
    start, end = paragraph.span
    indent = paragraph.lines[0].indent
    parent = builder.parent_at(-1)
    first = NO_SEGMENT
    for span in builder.sentence_spans(start, end):
        index = builder.put(span, SegmentKind.SENTENCE, parent if first == NO_SEGMENT else first)
        first = index if first == NO_SEGMENT else first
    builder.hang_below(indent - 0.75, first)


def put_lines(builder: Builder, lines: Sequence[Line]) -> None:
    """Add lines that each say something; the lines after one that ends with a colon hang on it, and what a line announces."""
    parent = builder.parent_of_block(min(line.indent for line in lines))
    above, announcing = parent, NO_SEGMENT
    for line in lines:
        span = line.start, line.end
        if line.tail[-1] in _COLONS and line.length <= MAX_LEAD_IN_CHARS and line is not lines[-1]:
            above, announcing = builder.put(span, SegmentKind.LINE, parent), NO_SEGMENT
        else:
            index = builder.put_item(
                *span, SegmentKind.LINE, above if announcing == NO_SEGMENT else announcing
            )
            builder.hang_below(line.indent, index)
            announcing = index if announces(builder.text[line.start : line.end]) else NO_SEGMENT


def put_menu(builder: Builder, line: Line) -> None:
    """Add a menu in one line: as many entries together as are no longer than an item."""
    builder.begin_block()
    parent = builder.parent_at(line.indent)
    start = line.start
    while line.end - start > MAX_ITEM_CHARS:
        sign = builder.text.rfind(MENU_SIGN, start, start + MAX_ITEM_CHARS)
        sign = sign if sign >= 0 else builder.text.find(MENU_SIGN, start, line.end)
        if sign < 0:
            break
        end = sign + len(MENU_SIGN)
        builder.put((start, end - 1), SegmentKind.SENTENCE, parent)
        start = end
    builder.put((start, line.end), SegmentKind.SENTENCE, parent)


def is_contents(lines: Sequence[Line]) -> bool:
    """Whether lines are a table of contents: dots that lead to the number of a page."""
    if sum("..." in line.text or ". . ." in line.text for line in lines) * 2 <= len(lines):
        return False
    return len(lines) > 1 and sum(_LEADERS.search(line.text) is not None for line in lines) * 2 > len(lines)


def is_navigation(lines: Sequence[Line]) -> bool:
    """Whether lines are only links with separators, or link targets."""
    if not any("](" in line.text or "://" in line.text or line.text[0] == "[" for line in lines):
        return False
    if all(_TARGET.match(line.text) for line in lines):
        return True
    text = "\n".join(line.text for line in lines)
    outside, links = _LINK.subn("", text)
    letters = sum(map(str.isalnum, outside))
    return links >= 2 and links >= len(lines) * 0.8 and letters <= 0.15 * sum(map(str.isalnum, text))
