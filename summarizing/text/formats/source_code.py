"""Source code: statements that hang on one another by indentation.

A line hangs on the nearest line above it that is indented less. Pure; knows no single language: indentation and brackets are enough.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import NamedTuple

from summarizing.text.blocks.wrapped_lines import parts_of
from summarizing.text.document import NO_SEGMENT, SegmentKind
from summarizing.text.document_builder import MAX_ITEM_CHARS, Builder, Outline, groups, span_of
from summarizing.text.formats.comments import CLOSING, COMMENT, end_of_comment
from summarizing.text.formats.config_trees import has_groups, is_config, put_config
from summarizing.text.formats.here_documents import end_of_here_document
from summarizing.text.lines import (
    FIELD,
    Line,
    item_mark,
    looks_like_code,
    looks_like_prose,
    share,
)

# A function of at most this many characters is one segment.
MAX_WHOLE_CODE_CHARS = 500
# A statement over several lines is one segment up to this size.
MAX_STATEMENT_CHARS = 2_000
# Where this share of the lines ends with a semicolon, statements end with one.
_MIN_SEMICOLONS = 0.15
# At least this share of the lines of an example in a docstring looks like code.
_MIN_CODE_OF_EXAMPLE = 0.5
# In XML at least this share of the lines are elements.
MIN_TAGS = 0.7
# A docstring is recognized up to this size.
_MAX_STRING_CHARS = 20_000

# What goes on with a statement that is indented as far: its other branches, in any language that has such words, and a second bracket.
_BRANCH = re.compile(
    r"[)\]}]++[,:]?\s?[({\[]|(?:\}\s?)?(?:else|elif|elsif|elseif|except|catch|finally|rescue|ensure)\b|(?:then|do)\Z|(?:case\b.{1,150}|default\s?):\Z"
)
_LICENCE = re.compile(r"[Cc]opyright|[Ll]icen[cs]e|SPDX-|\u00a9|\([Cc]\) \d{4}")
# What may stand before a long string; in SQL two quotation marks are one within a string, which a third ends.
_BEFORE_STRING = re.compile(r"(?:^|[^\w)\]])[rRbBuUfF]{0,2}\Z")
_BRACKETS = re.compile(r"\"(?:[^\"\\\n]|\\.){0,200}+\"|'(?:[^'\\\n]|\\.){0,200}+'|([(\[])|([)\]])")


class _Unit(NamedTuple):
    """Lines that belong together: a statement over several lines, a comment with what it is about."""

    first: int
    last: int
    indent: int
    closes: bool
    """Whether its first line only closes what is open."""
    is_branch: bool
    """Whether it goes on with a statement above it that is indented as far."""
    is_note: bool = False
    """Whether it is a part of a long comment over the next statement."""


def put_code(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add source code: a small function whole; of a larger one the signature, with the body's statements hanging on it."""
    builder.begin_block()
    if lines[-1].end - lines[0].start <= MAX_WHOLE_CODE_CHARS and not any(line.gap for line in lines[1:]):
        builder.put(span_of(lines), SegmentKind.CODE, parent)
        return
    units = _units(lines)
    _put_units(builder, lines, units, parent)


def is_markup(lines: Sequence[Line]) -> bool:
    """Whether lines are XML: what begins with no tag is text there."""
    return lines[0].text.startswith("<?xml") or share([_is_tag(line.text) for line in lines]) >= MIN_TAGS


def _is_tag(text: str) -> bool:
    return text[0] == "<" and text[-1] == ">"


def _units(lines: Sequence[Line]) -> list[_Unit]:
    """Join lines to statements: until brackets and long strings are closed, comments with what they stand over."""
    units: list[_Unit] = []
    has_tags = is_markup(lines)
    number = 0
    has_ends = sum(line.tail[-1] == ";" for line in lines) >= max(2, _MIN_SEMICOLONS * len(lines))
    comments = _long_comments(lines)
    # subtle: up to here brackets are known to stay open; looking again for each line would be quadratic.
    tried = 0
    while number < len(lines):
        statement = comments.get(number, number)
        units += _parts_of_comment(lines, number, statement)
        number = statement
        if lines[number].text.startswith(">>> "):
            last = _end_of_dialogue(lines, number)
        else:
            last = statement = end_of_comment(lines, number)
            last, tried = (
                _end_of_statement(lines, last, has_ends=has_ends) if last >= tried else (last, tried)
            )
            last = max(last, _end_of_prose(lines, number, has_tags=has_tags))
        closes = CLOSING.match(lines[number].text) is not None
        is_branch = _BRANCH.match(lines[statement].text) is not None
        units.append(_Unit(number, last, lines[number].indent, closes, is_branch))
        end = end_of_here_document(lines, last)
        if end > last:
            units += _here_document(lines, last + 1, end, lines[number].indent)
        number = end + 1
    return units


def _here_document(lines: Sequence[Line], first: int, end: int, indent: int) -> Iterator[_Unit]:
    """Yield the lines of a here-document, however far they are indented, as what hangs on the statement before it, and the word that ends it."""
    at = first
    while at < end:
        last = min(_end_of_prose(lines, at, has_tags=False), end - 1)
        yield _Unit(at, last, indent + 1 + lines[at].indent, closes=False, is_branch=False)
        at = last + 1
    yield _Unit(end, end, indent, closes=True, is_branch=False)


def _long_comments(lines: Sequence[Line]) -> dict[int, int]:
    """Return where comments begin that stand directly over a statement and are too long for one segment, with the line of each statement.

    No licence: it is about no statement.
    """
    found: dict[int, int] = {}
    first = 0
    for number, line in enumerate(lines):
        if line.gap:
            first = number
        if COMMENT.match(line.text):
            continue
        is_long = number > first and line.end - lines[first].start > MAX_ITEM_CHARS
        # A branch goes on with what is above the comment: it would hang on a part of that.
        is_branch = CLOSING.match(line.text) or _BRANCH.match(line.text)
        is_over = is_long and line.indent == lines[first].indent and not is_branch
        if is_over and not any(_LICENCE.search(each.text) for each in lines[first:number]):
            found[first] = number
        first = number + 1
    return found


def _parts_of_comment(lines: Sequence[Line], first: int, statement: int) -> Iterator[_Unit]:
    """Yield the parts of a long comment over a statement."""
    at = first
    while at < statement:
        last = min(end_of_comment(lines, at), statement - 1)
        yield _Unit(at, last, lines[at].indent, closes=False, is_branch=False, is_note=True)
        at = last + 1


def _end_of_prose(lines: Sequence[Line], number: int, *, has_tags: bool) -> int:
    """Return the last line of a paragraph that stands in markup or between statements; a line that is no sentence alone."""
    line = lines[number]
    at = number
    is_prose = (
        line.text[0] != "<" if has_tags else looks_like_prose(line.text) and not looks_like_code(line.text)
    )
    if not is_prose:
        return number
    while at + 1 < len(lines) and lines[at + 1].end - line.start <= MAX_STATEMENT_CHARS:
        following = lines[at + 1]
        if (
            following.gap
            or following.indent != line.indent
            or _begins_anew(following.text, has_tags=has_tags)
        ):
            break
        at += 1
    return at


def _begins_anew(text: str, *, has_tags: bool) -> bool:
    """Whether a line cannot go on with the sentence above it."""
    if has_tags:
        return text[0] == "<" or item_mark(text) > 0
    is_code = looks_like_code(text) and not looks_like_prose(text)
    return is_code or text[0] == "<" or FIELD.match(text) is not None or COMMENT.match(text) is not None


def _end_of_dialogue(lines: Sequence[Line], number: int) -> int:
    """Return the last line of the output below a statement at Python's prompt."""
    at = number + 1
    while at < len(lines) and not lines[at].gap and not lines[at].text.startswith(">>> "):
        at += 1
    return at - 1


def _end_of_statement(lines: Sequence[Line], number: int, *, has_ends: bool) -> tuple[int, int]:
    """Return the line where the brackets and long strings that open at a line are closed, or that line; and how far was searched."""
    quote = _open_quote(lines[number].text)
    limit = lines[number].start + (_MAX_STRING_CHARS if quote else MAX_STATEMENT_CHARS)
    depth = 0
    for at in range(number, len(lines)):
        text = lines[at].text
        if lines[at].end > limit:
            return number, at
        depth += 0 if quote else _depth_of(text)
        if quote:
            is_end = at > number and quote in text
        else:
            is_end = depth <= 0 and not _opens_below(lines, at) and not (has_ends and _goes_on(lines, at))
        if is_end:
            return at, at
    return number, len(lines)


def _opens_below(lines: Sequence[Line], number: int) -> bool:
    """Whether the bracket that a statement opens stands on the next line, in any language."""
    if number + 1 == len(lines) or lines[number].tail[-1] in ";{}:,":
        return False
    following = lines[number + 1]
    return following.text == "{" and not following.gap and following.indent == lines[number].indent


def _goes_on(lines: Sequence[Line], number: int) -> bool:
    """Whether a statement continues, in a text whose statements end with semicolons or braces, as SQL over equally indented lines."""
    if number + 1 == len(lines) or lines[number].tail[-1] in ";{}:" or COMMENT.match(lines[number].text):
        return False
    following = lines[number + 1]
    return (
        not following.gap and following.indent >= lines[number].indent and not COMMENT.match(following.text)
    )


def _open_quote(text: str) -> str:
    for quote in ('"""', "'''"):
        if quote in text and text.count(quote) % 2 and _BEFORE_STRING.search(text[: text.rindex(quote)]):
            return quote
    return ""


def _depth_of(text: str) -> int:
    if not ("(" in text or ")" in text or "[" in text or "]" in text):
        return 0
    return sum((mark[1] is not None) - (mark[2] is not None) for mark in _BRACKETS.finditer(text))


def _put_units(builder: Builder, lines: Sequence[Line], units: Sequence[_Unit], parent: int) -> None:
    """Add units that hang on one another by indentation: small trees whole, large ones by their statements."""
    ends = _subtree_ends(units)
    open_trees = [(len(units), parent)]
    # The parts of a long comment, until the statement that it stands over is put.
    notes: list[int] = []
    at = 0
    while at < len(units):
        while at >= open_trees[-1][0]:
            open_trees.pop()
        unit, end, above = units[at], ends[at], open_trees[-1][1]
        whole = lines[unit.first].start, lines[units[end - 1].last].end
        is_whole = whole[1] - whole[0] <= MAX_WHOLE_CODE_CHARS and end > at + 1
        if is_whole:
            index = builder.put(whole, SegmentKind.CODE, above)
        else:
            index = _put_unit(
                builder, lines[unit.first : unit.last + 1], unit, above, is_inner=above != parent
            )
        if unit.is_note:
            notes.append(index)
        else:
            for note in notes:
                builder.anchor(note, index)
            notes.clear()
        if end > at + 1 and not is_whole:
            open_trees.append((end, index))
        at = end if is_whole else at + 1


def _put_unit(builder: Builder, lines: Sequence[Line], unit: _Unit, above: int, *, is_inner: bool) -> int:
    """Add a unit that is no tree, or the first of one; `is_inner`: whether it hangs on another unit."""
    if not (unit.closes and len(lines) == 1):
        return _put_statement(builder, lines, SegmentKind.CODE, above)
    if is_inner and not _is_note(builder, above):
        return builder.enclose(above, lines[0].span)
    return builder.put(lines[0].span, SegmentKind.FRAME, above)


def _is_note(builder: Builder, index: int) -> bool:
    """Whether a segment is a comment, without a statement that opens a bracket."""
    segment = builder.segments[index]
    return (
        COMMENT.match(builder.text, segment.start) is not None and builder.text[segment.end - 1] not in "([{"
    )


def _put_statement(builder: Builder, lines: Sequence[Line], kind: SegmentKind, parent: int) -> int:
    """Add a statement or comment; a long comment or string by what is in it, which hangs on its first line."""
    span = span_of(lines)
    is_comment = _is_comment(lines)
    if not is_comment and span[1] - span[0] <= MAX_STATEMENT_CHARS:
        return builder.put(span, kind, parent)
    if len(lines) > 1 and _open_quote(lines[0].text):
        return _put_string(builder, lines, kind, parent)
    is_licence = is_comment and len(builder.segments) < 3 and _LICENCE.search(builder.text, *span) is not None
    first = NO_SEGMENT
    with builder.marginal() if is_licence else nullcontext():
        for group in groups(lines):
            index = builder.put_item(span_of(group), kind, parent if first == NO_SEGMENT else first)
            first = index if first == NO_SEGMENT else first
    return first


def _put_string(builder: Builder, lines: Sequence[Line], kind: SegmentKind, parent: int) -> int:
    """Add a docstring or another string over several lines: keys and values as these, else its paragraphs and items."""
    if is_config(lines[1:]) and not has_groups(lines[1:]):
        first = builder.put(span_of(lines[:1]), kind, parent)
        put_config(builder, lines[1:], first)
        return first
    *inner, last = lines
    is_closed = CLOSING.match(last.text) is not None
    first = NO_SEGMENT
    outline = Outline()
    for part in _parts_of_string(inner if is_closed else lines):
        above = outline.above(part[0].indent, first)
        index = builder.put_item(span_of(part), kind, parent if first == NO_SEGMENT else above)
        if first == NO_SEGMENT:
            first = index
        else:
            outline.add(part[0].indent, index)
    if is_closed:
        builder.enclose(first, last.span)
    return first


def _parts_of_string(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Yield the paragraphs and items of a string, and whole examples of code."""
    for group in groups(lines):
        is_short = group[-1].end - group[0].start <= MAX_WHOLE_CODE_CHARS
        if is_short and share([looks_like_code(line.text) for line in group]) >= _MIN_CODE_OF_EXAMPLE:
            yield group
        else:
            yield from parts_of(group)


def _is_comment(lines: Sequence[Line]) -> bool:
    """Whether all lines are comments, or a docstring."""
    text = lines[0].text
    if text[0] in "\"'rRbBuU" and _open_quote(text):
        return True
    if COMMENT.match(text) is None:
        return False
    return text.startswith("/*") or all(COMMENT.match(line.text) for line in lines)


def _subtree_ends(units: Sequence[_Unit]) -> list[int]:
    """Return for each unit the number after the last one that is indented more; branches and closing brackets belong to what they go on with."""
    ends = [len(units)] * len(units)
    open_units: list[tuple[float, int]] = []
    for number, unit in enumerate(units):
        depth = unit.indent + 0.5 * (unit.closes or unit.is_branch)
        while open_units and open_units[-1][0] >= depth:
            ends[open_units.pop()[1]] = number
        open_units.append((depth, number))
    return ends
