"""A source as a reader sees it: lines, what stands above each, and where a sentence runs on into the next line.

Independent of the service's own parser on purpose, since that one is judged by this. It is a simple reading; where the two differ,
look at the text. Not here: summaries.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from bench.real_texts.source_layout.boxed_comments import mark_boxed_comments
from bench.real_texts.source_layout.code_blocks import mark_code
from bench.real_texts.source_layout.folded_parts import mark_folded_parts
from bench.real_texts.source_layout.html_lines import html_lines
from bench.real_texts.source_layout.joined_files import mark_below_recurring_rules, mark_joined_files
from bench.real_texts.source_layout.line_wraps import mark_wraps
from bench.real_texts.source_layout.mail_heads import mark_mails
from bench.real_texts.source_layout.release_titles import (
    join_styles,
    mark_boxes,
    mark_names,
    mark_releases,
)
from bench.real_texts.source_layout.source_headings import (
    data_level,
    mark_below_rules,
    mark_headings,
)
from bench.real_texts.source_layout.source_lines import Line, is_wide_rule

_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")
_LETTER = re.compile(r"[^\W_]")

_LAYOUT_CHARS = re.compile(r"[\u2010\xad\u200b-\u200f\u2060\ufeff\s\x00-\x1f\x7f#*_`|>~=•·\\-]+")
_NO_LETTERS = re.compile(r"[\W_]+")

# What a terminal shows in colours: no reader sees the signs for them (ECMA-48, "SGR").
_COLOURS = re.compile(r"\x1b\[[\d;]*[mK]")

_BORDER = re.compile(r"^\s*\+[-=+]+\+\s*$")
# Of a table in Markdown: below its head.
_DELIMITERS = re.compile(r"^[\s|:]*-[\s|:-]*$")

_LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*\)")


class Source:
    """A document's lines, and where a string stands in them whatever its layout is."""

    def __init__(
        self, lines: Sequence[Line], *, letters_only: bool, is_lines: bool = False, has_mails: bool = False
    ) -> None:
        """`letters_only`: compare letters and digits alone, as of HTML, whose text anyone may punctuate in their way."""
        self.is_lines = is_lines
        """Whether each line says something by itself, so that none may be joined to another."""
        self.has_mails = has_mails
        """Whether signs before lines say that another writer is quoted."""
        self.lines = lines
        self.is_html = letters_only
        self.has_indents = any(line.indent for line in lines) and not letters_only
        """Whether what is indented hangs on what is not; in HTML indents mean nothing."""
        self.text = "".join(f"{line.text}\n" for line in lines)
        self._noise = _NO_LETTERS if letters_only else _LAYOUT_CHARS
        self._starts = [line.start for line in lines]
        kept = [at for at, char in enumerate(self.text) if not self._noise.fullmatch(char)]
        self._offsets = kept
        self._skeleton = "".join(self.text[at] for at in kept)
        self._above_by_bracket = _open_brackets(lines)
        self.headings: dict[str, list[int]] = {}
        """The numbers of the lines that are headings, by their skeletons."""
        self.plain_lines: dict[str, list[int]] = {}
        """Those of all others."""
        for number, line in enumerate(lines):
            kinds = self.headings if line.heading else self.plain_lines
            for key in {self.skeleton(line.text), self.title(number)}:
                kinds.setdefault(key, []).append(number)
        heads = {line.table_head for line in lines if line.table_head is not None}
        self.table_heads = {self.title(head) for head in heads}

    def skeleton(self, text: str) -> str:
        """Return a text without white space and layout, as it is looked up here."""
        return self._noise.sub("", _LINK.sub(r"\1", text) if self._noise is _NO_LETTERS else text)

    def title(self, number: int) -> str:
        """Return the skeleton of a heading, all of it."""
        line = self.lines[number]
        return self.skeleton(line.title or line.text)

    def places(self, text: str, limit: int = 5_000) -> list[tuple[int, int]]:
        """Return where a text stands: the offsets of its first sign and after its last one."""
        key = self.skeleton(text)
        found: list[tuple[int, int]] = []
        at = self._skeleton.find(key) if key else -1
        while at >= 0 and len(found) < limit:
            first, last = self._offsets[at], self._offsets[at + len(key) - 1]
            if not (_is_in_number(self.text, first) or _is_in_number(self.text, last + 1)):
                found.append((first, last + 1))
            at = self._skeleton.find(key, at + 1)
        return found

    def has_break(self, place: tuple[int, int]) -> bool:
        """Whether a stretch is over several lines."""
        return self.line_at(place[0]) < self.line_at(place[1] - 1)

    def line_at(self, offset: int) -> int:
        """Return the number of the line that an offset is in."""
        return bisect_right(self._starts, offset) - 1

    def above_by_indent(self, number: int) -> Iterator[int]:
        """Yield the lines above one that are less indented, each less than the one before it, and those whose bracket it stands in."""
        yield from self._above_by_bracket[number]
        indent = self.lines[number].indent
        for above in range(number - 1, -1, -1):
            line = self.lines[above]
            if line.indent < indent and _LETTER.search(line.text):
                yield above
                indent = line.indent
            if not indent:
                return


def _is_in_number(text: str, at: int) -> bool:
    """Whether a place is between two digits of one number."""
    return text[at - 1 : at].isdecimal() and text[at : at + 1].isdecimal()


def _open_brackets(lines: Sequence[Line]) -> list[tuple[int, ...]]:
    """Return for each line those above it that end with a bracket which a line indented alike closes below it.

    What is in a string may stand further left.
    """
    found: list[tuple[int, ...]] = [()] * len(lines)
    opened: dict[int, int] = {}
    for number, line in enumerate(lines):
        text = line.text.strip()
        if text[:1] in _CLOSING and (first := opened.pop(line.indent, None)) is not None:
            for inside in range(first + 1, number):
                found[inside] += (first,)
        if text[-1:] in _OPENING:
            opened[line.indent] = number
    return found


def read(text: str, *, is_html: bool = False, is_lines: bool = False, is_manual: bool = False) -> Source:
    """Return a source's lines."""
    if is_html:
        lines = html_lines(text)
        _hang(lines)
        return Source(lines, letters_only=True)
    lines = _lines(_COLOURS.sub("", text).split("\n"))
    has_mails = False
    if is_lines:
        for line in lines:
            line.heading = data_level(line.text)
        mark_boxed_comments(lines)
    else:
        mark_code(lines)
        mark_headings(lines, is_manual=is_manual)
        if not is_manual:
            mark_below_rules(lines)
            mark_boxes(lines)
            join_styles(lines)
            mark_names(lines)
        mark_releases(lines)
        mark_joined_files(lines)
        if not is_manual:
            mark_below_recurring_rules(lines)
        mark_folded_parts(lines)
        has_mails = mark_mails(lines)
        mark_wraps(lines, is_manual=is_manual)
    _mark_tables(lines)
    _hang(lines)
    return Source(lines, letters_only=False, is_lines=is_lines, has_mails=has_mails)


def _lines(texts: Iterable[str]) -> list[Line]:
    lines, start = [], 0
    for text in texts:
        lines.append(Line(text, start))
        start += len(text) + 1
    return lines


def _mark_tables(lines: Sequence[Line]) -> None:
    """Mark the rows below the head of a table, which ends with a bar, too, or has delimiters below it: a bar alone may begin a line of code."""
    head: int | None = None
    for number, (line, behind) in enumerate(pairwise([*lines, Line("", 0)])):
        if _BORDER.match(line.text):
            continue
        if not line.text.lstrip().startswith("|"):
            head = None
        elif head is not None:
            line.table_head = head
        elif line.text.rstrip().endswith("|") or _DELIMITERS.match(behind.text):
            head = number


def _hang(lines: Sequence[Line]) -> None:
    open_headings: list[int] = []
    for number, line in enumerate(lines):
        if level := line.heading or line.ends:
            while open_headings and lines[open_headings[-1]].heading >= level:
                open_headings.pop()
        if is_wide_rule(line.text) and not (number and lines[number - 1].text.strip()):
            open_headings = [heading for heading in open_headings if not lines[heading].is_unmarked]
        line.headings = tuple(open_headings)
        if line.heading:
            open_headings.append(number)
