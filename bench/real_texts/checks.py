"""What a summary says wrongly: lines under another's heading, sentences that are cut or spliced. Compared with the source.

Everything is judged from the two texts alone, by bench/real_texts/layout.py's reading of the source.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.real_texts.layout import Source

_MARK = re.compile(r"[\[(]?(?:…|\.\.\.|\[?\d[\d,.]* [^\[\]\n]{0,60}left out\]?|…)[\])]?")
# What stands in a string of JSON for the sentences that were left out.
GAP = "[...]"

_ONLY_MARK = re.compile(r"^[\W_]*\[(?:…|\.\.\.|[^\[\]\n]{0,80}left out)\][\W_]*$")
_PARTS = re.compile(
    r"(?<=[.!?…])[\"'”’»)\]]*\s+|(?<=[。！？])[」』”]?|\s*\[(?:…|\.\.\.|[^\[\]\n]{0,80}left out)\]\s*"
)
_ENDS_SENTENCE = re.compile(r"(?:[.!?…。！？][\"'”’»)\]*_`」』]*)\s*$")
_WORD = re.compile(r"\w")


@dataclass
class Faults:
    """What was found wrong, in words."""

    attributions: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Kept:
    """A line of the summary that stands in the source."""

    indent: int
    spans: Sequence[tuple[int, int]]
    """The numbers of its first and last line, for each place where it stands."""


def faults(source: Source, summary: str) -> Faults:
    """Return what a summary that is text says wrongly."""
    found = Faults()
    stack: list[tuple[int, str]] = []
    above: list[_Kept] = []
    table: str | None = None
    for line in _joined(source, summary.split("\n")):
        if not line.strip() or _ONLY_MARK.match(line):
            if _ONLY_MARK.match(line):
                above.clear()
            table = table if line.strip() else None
            continue
        key = source.skeleton(line)
        if not key:
            continue
        level = source.headings.get(key)
        if level is not None:
            while stack and stack[-1][0] >= level:
                stack.pop()
            stack.append((level, key))
            above.clear()
            continue
        kept = _located(source, line, found)
        if kept is None:
            continue
        _judge_headings(source, line, kept, stack, found)
        if not line.lstrip().startswith("|"):
            table = None
        elif table is None:
            table = key
        else:
            _judge_table(source, line, kept, table, found)
        _judge_indent(source, line, kept, above, found)
    return found


def _joined(source: Source, lines: Sequence[str]) -> Iterator[str]:
    """Yield a summary's lines; a sentence that is broken over several as the source breaks it is one."""
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        while at < len(lines) and lines[at].strip() and _runs_on(source, line):
            if not source.places(longer := f"{line} {lines[at].strip()}", 1):
                break
            line = longer
            at += 1
        yield line


def _runs_on(source: Source, line: str) -> bool:
    places = source.places(line)
    return bool(places) and all(not _ends(source, end) for _, end in places)


def _located(source: Source, line: str, found: Faults) -> _Kept | None:
    """Return where a line stands; its parts that stand nowhere, or are parts of sentences, are faults."""
    places = source.places(line)
    whole = [place for place in places if is_whole(source, *place)]
    if places:
        if not whole:
            found.broken.append(f"cut: {line.strip()[:160]}")
        return _kept(source, line, whole or places)
    spans: list[tuple[int, int]] = []
    for part in _runs(source, _split(line)):
        places = source.places(part)
        whole = [place for place in places if is_whole(source, *place)]
        if source.skeleton(part) and not whole:
            found.broken.append(f"{'cut' if places else 'not there'}: {part.strip()[:160]}")
        spans = spans or whole
    return _kept(source, line, spans) if spans else None


def _kept(source: Source, line: str, places: Sequence[tuple[int, int]]) -> _Kept:
    wide = line.expandtabs()
    spans = [(source.line_at(start), source.line_at(end - 1)) for start, end in places]
    return _Kept(len(wide) - len(wide.lstrip()), spans)


def _split(line: str) -> list[str]:
    return [part for part in _PARTS.split(line) if part and part.strip()]


def _runs(source: Source, parts: Sequence[str]) -> Iterator[str]:
    """Yield the longest runs of neighbouring parts that stand in the source as they are."""
    at = 0
    while at < len(parts):
        behind = at + 1
        run = parts[at]
        while behind < len(parts) and source.places(longer := f"{run} {parts[behind]}", 1):
            run = longer
            behind += 1
        yield run
        at = behind


def is_whole(source: Source, start: int, end: int) -> bool:
    """Whether a stretch of the source begins and ends where a sentence, a line, an item or a row does."""
    return _begins(source, start) and _ends(source, end)


def _begins(source: Source, start: int) -> bool:
    number = source.line_at(start)
    before = source.text[source.lines[number].start : start]
    if not _WORD.search(before) or _is_marker(before):
        return number == 0 or not source.lines[number - 1].runs_on
    return _is_sentence_end(before, source.text[start : start + 1])


def _is_marker(before: str) -> bool:
    """Whether all that stands before is the number or letter of an item."""
    return bool(re.fullmatch(r"\s*[#>*-]*\s*[(\[]?\w{1,4}[.)\]:]\s*[*_`]*", before))


def _ends(source: Source, end: int) -> bool:
    number = source.line_at(end - 1)
    line = source.lines[number]
    behind = source.text[end : line.start + len(line.text)]
    if not _WORD.search(behind):
        return not line.runs_on
    gap = re.match(r"[\W_]*", behind)
    skipped = gap[0] if gap else ""
    return _is_sentence_end(
        source.text[max(end - 4, 0) : end] + skipped, behind[len(skipped) : len(skipped) + 1]
    )


def _is_sentence_end(before: str, behind: str) -> bool:
    stripped = before.rstrip(" \t\"'“‘«([*_`|-#>「『")
    if not _ENDS_SENTENCE.search(stripped) and not before.rstrip().endswith("|"):
        return False
    # "e.g. this": the sentence goes on.
    return not (stripped.endswith(".") and behind.islower())


def _judge_headings(
    source: Source, line: str, kept: _Kept, stack: Sequence[tuple[int, str]], found: Faults
) -> None:
    def stands_under_all(number: int) -> bool:
        own = {source.skeleton(source.lines[heading].text) for heading in source.lines[number].headings}
        return all(key in own for _, key in stack)

    if stack and not any(stands_under_all(first) for first, _ in kept.spans):
        found.attributions.append(f"under {stack[-1][1][:60]!r}: {line.strip()[:120]}")


def _judge_table(source: Source, line: str, kept: _Kept, table: str, found: Faults) -> None:
    heads = {
        source.skeleton(source.lines[row.table_head].text)
        for row in source.lines
        if row.table_head is not None
    }
    if table not in heads:
        return
    own = (source.lines[first].table_head for first, _ in kept.spans)
    if not any(head is not None and source.skeleton(source.lines[head].text) == table for head in own):
        found.attributions.append(f"under the table head {table[:60]!r}: {line.strip()[:120]}")


def _judge_indent(source: Source, line: str, kept: _Kept, above: list[_Kept], found: Faults) -> None:
    while above and above[-1].indent >= kept.indent:
        above.pop()
    if above:
        parents = above[-1].spans
        is_own = any(
            any(begin <= number <= end for begin, end in parents)
            for first, _ in kept.spans
            for number in source.above_by_indent(first)
        )
        if not is_own:
            found.attributions.append(f"indented under another line: {line.strip()[:120]}")
    above.append(kept)


def json_faults(source: Any, summary: str) -> Faults:
    """Return what a summary of JSON says wrongly: it must be JSON, and the source with some of its members left out."""
    found = Faults()
    try:
        value = json.loads(summary)
    except ValueError:
        found.broken.append("not JSON")
        return found
    if not _is_part(value, source):
        found.attributions.append("a member that the source does not have there")
    return found


def _is_mark(value: Any) -> bool:
    return isinstance(value, str) and bool(_ONLY_MARK.match(value))


def _is_part(value: Any, source: Any) -> bool:
    """Whether a value is another one with members left out, in their order."""
    if isinstance(value, dict) and isinstance(source, dict):
        members = [(key, member) for key, member in value.items() if not _is_mark(key)]
        return all(
            key in source and (_is_mark(member) or _is_part(member, source[key])) for key, member in members
        )
    if isinstance(value, list) and isinstance(source, list):
        rest = iter(source)
        return all(
            any(_is_part(member, candidate) for candidate in rest) for member in value if not _is_mark(member)
        )
    if isinstance(value, str) and isinstance(source, str) and GAP in value:
        return _is_part_of_text(value, source)
    return type(value) is type(source) and bool(value == source)


def _is_part_of_text(value: str, source: str) -> bool:
    """Whether what stands between the marks of a string stands in the source, in that order."""
    at = 0
    for part in map(str.strip, value.split(GAP)):
        at = source.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True
