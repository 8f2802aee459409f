"""The sentences of an answer, as they are judged: each stays as it is, or goes.

Pure. Does not judge them: summarizing/faithfulness/answer_check.py does.
"""

import re
from collections.abc import Iterable, Iterator

from summarizing.text.blocks.tables import is_delimiter
from summarizing.text.language.sentence_spans import SentenceFinder

_LINE = re.compile(r"[^\n]+")
# What is left of a list item when all of its sentences are taken out.
_EMPTY_ITEM = re.compile(r"[ \t]*+(?:[-*+\u2022]|\d{1,3}[.)])[ \t]*+")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences of each line; a number alone says nothing, and belongs to the one before ("tel. 07 31 90")."""
    finder = SentenceFinder(text)
    for line in _LINE.finditer(text):
        found: list[tuple[int, int]] = []
        for start, end in finder.spans(*line.span()):
            is_rest = found and not any(map(str.isalpha, text[start:end]))
            found.append((found.pop()[0] if is_rest else start, end))
        yield from found


def without_spans(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text without some of its sentences, in their order; list items of which nothing is left go, too."""
    kept: list[str] = []
    last = 0
    for start, end in spans:
        kept.append(text[last:start].rstrip(" \t"))
        last = end
    left = "".join(kept) + text[last:]
    return "\n".join(line for line in left.splitlines() if not _EMPTY_ITEM.fullmatch(line)).strip()


def is_frame(text: str, start: int, end: int) -> bool:
    """Whether a line is a heading, or a table's head row or the rule below it."""
    line = text[start:end].lstrip()
    if not line.startswith("|"):
        return line.startswith("#")
    following = text[end:].lstrip().partition("\n")[0]
    return is_delimiter((following or line).rstrip())
