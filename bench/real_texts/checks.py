"""Finds what a summary says wrongly, compared with its source: lines under a wrong heading, sentences that are cut or spliced.

Everything is judged from the two texts alone, by bench/real_texts/source_layout/'s reading of the source. What is cut, whole_sentences.py
says; summaries of JSON are judged in json_checks.py.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bench.real_texts.source_layout.code_blocks import FENCE
from bench.real_texts.source_layout.layout import Source
from bench.real_texts.source_layout.source_lines import (
    UNDERLINE,
    indent_of,
    is_wide_rule,
    signs_of_quotation,
)
from bench.real_texts.whole_sentences import is_whole

# The mark for sentences that were left out.
GAP = "[...]"

ONLY_MARK = re.compile(r"^[\W_]*\[(?:…|\.\.\.|[^\[\]\n]{0,80}left out)\][\W_]*$")
# Before the first sentence of a line or behind its last one.
_MARK_AT_EDGE = re.compile(r"^(\s*+)\[\.\.\.\] (?=\S)|(?<=\S) \[\.\.\.\]$")
_SENTENCES = re.compile(
    r"(?:(?<=[.!?…])|(?<=[.!?…][\"'”’»)\]])|(?<=[.!?…][\"'”’»)\]]{2}))\s+|(?<=[。！？])[」』”]?|\s*\[(?:…|\.\.\.|[^\[\]\n]{0,80}left out)\]\s*"
)
_SECTION = re.compile(r"^ {0,3}(\d+(?:\.\d+)*)\.?\s+[\"'“„«‘]?[^\W\d]")
_SECTION_KEY = re.compile(r"^(\d+(?:\.\d+)*\.?)")
_NUMBER = re.compile(r"^\s*(?:>\s*)*\d+[.)]\s+")
_SIGNS_OF_ITEMS = frozenset("*-+\u2022")
_WORD = re.compile(r"[^\W_]")


@dataclass
class Faults:
    """What was found wrong, in words."""

    attributions: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Kept:
    """A line of the summary, and where it stands in the source."""

    indent: int
    spans: Sequence[tuple[int, int]] = ()
    """The numbers of its first and last line, for each place where it occurs; without any, it may stand anywhere."""


@dataclass
class _Reader:
    """What a reader has above the line that is read: headings, the head of the table, less indented lines."""

    source: Source
    found: Faults
    at: int = 0
    """The number of the source's line that was read last: a summary keeps the source's order."""
    headings: list[tuple[int, str]] = field(default_factory=list)
    above: list[_Kept] = field(default_factory=list)
    table: str | None = None
    signs: int = 0
    """How many signs of a quotation stand before the line: what one says is never below what another one says."""

    def read(self, line: str, below: str) -> None:
        """Read the next line; `below`: the one after it."""
        if self.signs != (signs := signs_of_quotation(line)) and line.strip():
            self.signs = signs
            self.above.clear()
        if not line.strip():
            self.table = None
        elif ONLY_MARK.match(line):
            self.above.clear()
        elif is_wide_rule(line):
            lines, headings = self.source.lines, self.source.headings
            self.headings = [one for one in self.headings if not lines[headings[one[1]][0]].is_unmarked]
            self.above.clear()
        elif not _WORD.search(line):
            self._hang(_Kept(indent_of(line)))
        elif not self._is_heading(line, is_marked=line.startswith("#") or bool(UNDERLINE.match(below))):
            self._content(line)

    def _is_heading(self, line: str, *, is_marked: bool) -> bool:
        """Whether the line is a heading, which is then open; `is_marked`: whether a sign says so in the summary, too."""
        key = self.source.skeleton(line)
        own = self.source.headings.get(key)
        if own is None:
            return False
        # Titles of several levels may say the same.
        exact = [at for at in own if self.source.lines[at].text.split() == line.split()]
        alike = exact or own
        number = next((number for number in alike if number >= self.at), alike[0])
        if (sign := line.lstrip()[:1]) in _SIGNS_OF_ITEMS and not self.source.lines[
            number
        ].text.lstrip().startswith(sign):
            return False  # an entry of a list
        plain = [
            place
            for place in self.source.plain_lines.get(key, ())
            if self.source.lines[place].text.split() == line.split() and not self._is_under_another(place)
        ]
        is_plain = any((self.at or -1) < place and (place < number or number < self.at) for place in plain)
        if is_plain and not (exact and is_marked):
            return False  # an entry of the contents, a comment, or the like
        level = self.source.lines[number].heading
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        self.headings.append((level, self.source.title(number)))
        self.above.clear()
        self.at = number
        return True

    def _is_under_another(self, number: int) -> bool:
        """Whether a line of the source stands under a heading that is not open: it is none of the contents of one that is."""
        own = [self.source.title(heading) for heading in self.source.lines[number].headings]
        return bool(self.headings) and own[-1:] not in [[key] for _, key in self.headings]

    def _content(self, line: str) -> None:
        parts = _located(self.source, line, self.found)
        if not parts:
            self.above.clear()
            return
        first, self.at = next((span for span in parts[0].spans if span[0] >= self.at), (-1, self.at))
        self._close_numbered(line)
        if ends := self.source.lines[first].ends if first >= 0 else 0:
            self.headings = [one for one in self.headings if one[0] < ends]
        if not_own := next(filter(None, map(self._not_own, parts)), ""):
            self._wrong(f"under {not_own[:60]!r}", line)
        self._judge_quotation(line, parts)
        self._judge_table(line, parts)
        self._judge_indent(line, parts)

    def _close_numbered(self, line: str) -> None:
        """Close the headings that a numbered paragraph ends: "3. Term. This ..." comes after "2. Title", not under it."""
        if number := _SECTION.match(line):
            depth = number[1].count(".")
            for place, (_, key) in enumerate(self.headings):
                own = _SECTION_KEY.match(key)
                is_other = own and depth and not number[1].startswith(own[1].rstrip(".") + ".")
                if own and (is_other or own[1].rstrip(".").count(".") >= depth):
                    del self.headings[place:]
                    return

    def _not_own(self, part: _Kept) -> str:
        """Return an open heading that the part does not stand under in the source; "" where there is none."""
        wrong = ""
        for first, _ in part.spans:
            own = {self.source.title(heading) for heading in self.source.lines[first].headings}
            wrong = next((key for _, key in self.headings if key not in own), "")
            if not wrong:
                return ""
        return wrong or (self.headings[-1][1] if self.headings and not part.spans else "")

    def _judge_quotation(self, line: str, parts: Sequence[_Kept]) -> None:
        """Find what a mail quotes and its writer does not say, or the other way round."""
        signs = {
            signs_of_quotation(self.source.lines[first].text) for part in parts for first, _ in part.spans
        }
        if self.source.has_mails and signs and signs_of_quotation(line) not in signs:
            self._wrong("with the signs of another quotation", line)

    def _judge_table(self, line: str, parts: Sequence[_Kept]) -> None:
        if not line.lstrip().startswith("|"):
            self.table = None
            return
        key = self.source.skeleton(line)
        if self.table is None or key in self.source.table_heads:
            self.table = key
            return
        rows = {row for part in parts for first, last in part.spans for row in range(first, last + 1)}
        heads = [head for row in rows if (head := self.source.lines[row].table_head) is not None]
        is_own = any(self.source.title(head) == self.table for head in heads)
        if self.table in self.source.table_heads and not is_own:
            self._wrong(f"under the table head {self.table[:60]!r}", line)

    def _judge_indent(self, line: str, parts: Sequence[_Kept]) -> None:
        kept, lines = parts[0], self.source.lines
        behind = [lines[min(first + 1, last)].indent for first, last in kept.spans]
        if behind and max(behind) < kept.indent:  # as the first line of a paragraph may be
            self._hang(_Kept(max(behind), kept.spans))
            return
        # Lines indented below a line hang on any of its sentences.
        parent = self._hang(_Kept(kept.indent, [span for part in parts for span in part.spans]))
        if parent is None or not parent.spans or not self.source.has_indents:
            return
        is_own = any(
            any(begin <= number <= end for begin, end in parent.spans)
            for first, _ in kept.spans
            for number in self.source.above_by_indent(first)
        )
        if not is_own:
            self._wrong("indented under another line", line)

    def _hang(self, kept: _Kept) -> _Kept | None:
        """Put a line below the nearest less indented one, and return that."""
        while self.above and self.above[-1].indent >= kept.indent:
            self.above.pop()
        parent = self.above[-1] if self.above else None
        self.above.append(kept)
        return parent

    def _wrong(self, where: str, line: str) -> None:
        self.found.attributions.append(f"{where}: {line.strip()[:120]}")


def faults(source: Source, summary: str) -> Faults:
    """Return what a summary that is text says wrongly."""
    found = Faults()
    reader = _Reader(source, found)
    for line, below in pairwise([*_joined(source, summary.split("\n")), ""]):
        reader.read(_MARK_AT_EDGE.sub(r"\1", line), below)
    return found


def _joined(source: Source, lines: Sequence[str]) -> Iterator[str]:
    """Yield a summary's lines; a sentence that is wrapped as in the source is one line."""
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        while at < len(lines) and lines[at].strip() and _runs_on(source, last := line.rpartition(GAP)[2]):
            # Sentences may be left out behind the end of this one.
            following = lines[at].strip()
            begin = following.partition(GAP)[0].rstrip()
            if not begin or not source.places(f"{last} {begin}", 1):
                break
            line = f"{line} {following}"
            at += 1
        yield line


def _runs_on(source: Source, line: str) -> bool:
    """Whether a line ends where a line of the source is wrapped."""
    if not _WORD.search(line) or source.skeleton(line) in source.headings or FENCE.match(line):
        return False
    for _, end in source.places(line):
        own = source.lines[source.line_at(end - 1)]
        if own.runs_on and not _WORD.search(source.text[end : own.start + len(own.text)]):
            return True
    return False


def _located(source: Source, line: str, found: Faults) -> list[_Kept]:
    """Return where the parts of a line occur; parts that occur nowhere, or are only parts of sentences, are faults."""
    # The numbers of a list in HTML are not in its text.
    if source.is_html and not source.places(line, 1):
        line = _NUMBER.sub("", line)
    places = source.places(line)
    whole = _whole(source, places)
    if source.is_lines and places and all(map(source.has_break, places)):
        found.broken.append(f"lines joined: {line.strip()[:160]}")
    if whole or (places and not line.lstrip().startswith("|")):
        if not whole:
            found.broken.append(f"cut: {line.strip()[:160]}")
        return [_kept(source, line, whole or places)]
    parts = []
    for part in _parts(source, line):
        places = source.places(part)
        whole = _whole(source, places)
        if source.skeleton(part) and not whole:
            found.broken.append(f"{'cut' if places else 'not there'}: {part.strip()[:160]}")
        parts.append(_kept(source, line, whole))
    return [part for part in parts if part.spans]


def _whole(source: Source, places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    return [place for place in places if is_whole(source, *place)]


def _kept(source: Source, line: str, places: Sequence[tuple[int, int]]) -> _Kept:
    spans = [(source.line_at(start), source.line_at(end - 1)) for start, end in places]
    return _Kept(indent_of(line), spans)


def _parts(source: Source, line: str) -> Iterator[str]:
    """Yield the parts of a line: the cells of a row, since a cell over several rows is repeated in each; runs of sentences."""
    is_row = line.lstrip().startswith("|")
    for cell in line.split("|") if is_row else [line]:
        if is_row and source.places(cell, 1):
            yield cell
        else:
            yield from _runs(source, [part for part in _SENTENCES.split(cell) if part and part.strip()])


def _runs(source: Source, parts: Sequence[str]) -> Iterator[str]:
    """Yield the longest runs of neighbouring parts that the source has word for word."""
    at = 0
    while at < len(parts):
        behind = at + 1
        run = parts[at]
        while behind < len(parts) and source.places(longer := f"{run} {parts[behind]}", 1):
            run = longer
            behind += 1
        yield run
        at = behind
