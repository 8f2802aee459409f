"""Where a sentence, a line, an item or a row of a source begins and ends. Knows no summaries."""

import re

from bench.real_texts.source_layout.layout import Source

_ENDS_SENTENCE = re.compile(r"(?:[.!?…。！？][\"'”’»)\]*_`」』]*)\s*$")
# Whatever comes next, a name with a full stop before it or a small letter.
_ENDS_WIDE = re.compile(r"[。！？][」』”]?\s")
_OPENING = re.compile(r"(?:[^\w.!?…。！？]|_)+$")
_WORD = re.compile(r"[^\W_]")
_HIDDEN = re.compile(r"<!--.{0,500}?-->")


def is_whole(source: Source, start: int, end: int) -> bool:
    """Whether a stretch of the source begins and ends where a sentence, a line, an item or a row does."""
    return _begins(source, start) and _ends(source, end)


def _begins(source: Source, start: int) -> bool:
    number = source.line_at(start)
    # What a comment of HTML or XML says is hidden.
    before = _HIDDEN.sub("", source.text[source.lines[number].start : start])
    is_first = not _WORD.search(before) or _is_marker(before)
    if is_first and (number == 0 or not source.lines[number - 1].runs_on):
        return True
    return is_sentence_end(before, source.text[start : start + 1])


def _is_marker(before: str) -> bool:
    """Whether there is only an item's number or letter before a place."""
    return bool(re.fullmatch(r"\s*[#>*-]*\s*[(\[]?\w{1,4}[.)\]:]\s*[*_`]*", before))


def _ends(source: Source, end: int) -> bool:
    number = source.line_at(end - 1)
    line = source.lines[number]
    behind = source.text[end : line.start + len(line.text)]
    if not _WORD.search(behind):
        return not line.runs_on
    gap = re.match(r"[\W_]*", behind)
    skipped = gap[0] if gap else ""
    if "|" in skipped or _ENDS_WIDE.search(source.text[max(end - 2, 0) : end] + skipped):
        return True
    return is_sentence_end(
        source.text[max(end - 4, 0) : end] + skipped, behind[len(skipped) : len(skipped) + 1]
    )


def is_sentence_end(before: str, behind: str) -> bool:
    """Whether a sentence or a cell ends with what stands before a place; `behind`: the character there."""
    stripped = _OPENING.sub("", before)
    if "|" in before[len(stripped) :]:
        return True  # a cell begins
    if not _ENDS_SENTENCE.search(stripped):
        return False
    # "e.g. this": the sentence continues; "~/this" may begin one.
    is_word = before[len(stripped) :].strip(" \t\"'“‘«(*_`「『") == ""
    return not (stripped.endswith(".") and behind.islower() and is_word)
