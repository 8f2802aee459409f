"""A text as the judge reads it: spellings folded, and cut into the places where the parts of a fact stand together. Pure."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

# Written differently, meant alike.
_SAME = str.maketrans(
    {"‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-", "’": "'", "‘": "'", "“": '"', "”": '"'}
)
_MARKS = re.compile(r"[*`]+|\\(?=[_*|#\[\]-])|\u00ad|\u200b")


def fold(text: str) -> str:
    """Return a text in one spelling: NFKC, no case, no marks of Markdown, white space as single spaces."""
    text = _MARKS.sub("", unicodedata.normalize("NFKC", text).translate(_SAME))
    return " ".join(text.casefold().split())


_HEADING = re.compile(r"\s*(#{1,6})\s+(.*)")
_RULE_OF_A_TABLE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*\|?\s*")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]*]*\s+(?=[^\W_a-zß-öø-ÿ]|[\"'(`*])|(?<=[。！？])")

# A line like "Errors:", `"checkout": {` or **Errors** is a heading for what follows it.
_LABEL_ENDS = (":", ":**", "{", "[")

# Headings of Markdown have levels 1 to 6; a label stands below them all, deeper by its indentation.
LABEL_LEVEL = 7


@dataclass(slots=True)
class _Reader:
    """Where a reading stands: the headings above the line, the head of the table it is in, the sentence before."""

    above: list[tuple[int, str]] = field(default_factory=list)
    head: str = ""
    before: str = ""

    def rise(self, level: int, title: str = "") -> None:
        """Leave what is as deep as a heading, and go under it."""
        self.above = [entry for entry in self.above if entry[0] < level]
        if title:
            self.above.append((level, title))
        self.head = self.before = ""

    def places(self, sentence: str) -> Iterator[str]:
        """Yield the places that end with a sentence: it with all above it, and it with the one before."""
        titles = [title for _, title in self.above]
        yield " | ".join([*titles, self.head, sentence])
        if self.before:
            yield f"{self.before} {sentence}"
        self.before = sentence


def places(text: str) -> Iterator[str]:
    """Yield, folded, what may be read together: a sentence under its headings, and two neighbours of a paragraph."""
    reader = _Reader()
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if heading := _HEADING.match(line):
            reader.rise(len(heading[1]), fold(heading[2]))
            yield from reader.places(fold(heading[2]))
        elif not line.strip():
            # subtle: "Errors:" may be followed by an empty line, and is still what the list is about.
            if not _is_label(_line_before(lines, number)):
                reader.rise(LABEL_LEVEL)
            reader.head = reader.before = ""
        elif _RULE_OF_A_TABLE.fullmatch(line):
            reader.head = fold(_line_before(lines, number)) if "|" in line else ""
        else:
            yield from _places_of(line, reader)


def _places_of(line: str, reader: _Reader) -> Iterator[str]:
    for sentence in sentences(line):
        yield from reader.places(fold(sentence))
    level = LABEL_LEVEL + len(line) - len(line.lstrip())
    if _is_label(line):
        before = fold(line)
        reader.rise(level, before)
        reader.before = before
    elif reader.above and reader.above[-1][0] > level:
        reader.above = [entry for entry in reader.above if entry[0] <= level]


def sentences(line: str) -> Sequence[str]:
    """Cut a line into its sentences."""
    return [sentence for sentence in _SENTENCE_END.split(line) if sentence.strip()]


def _is_label(line: str) -> bool:
    bare = _BULLET.sub("", line.strip(), count=1) if line else ""
    is_bold = bare.startswith("**") and bare.endswith("**") and bare.count("**") == 2
    return bool(bare) and (bare.endswith(_LABEL_ENDS) or is_bold)


def _line_before(lines: Sequence[str], number: int) -> str:
    return lines[number - 1] if number else ""
