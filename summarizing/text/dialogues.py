"""Dialogues: which names lines begin with, and what each speaker says.

Pure. Knows nothing of what a speech is about.
"""

import re
from collections import Counter
from collections.abc import Sequence

from summarizing.text.document import NO_SEGMENT, SegmentKind
from summarizing.text.document_builder import Builder, span_of
from summarizing.text.lines import Line

_SPEAKER = re.compile(
    r"(?:[\[(]?\d{1,2}:\d\d(?::\d\d)?[\])]?\s{0,3}-?\s?)?\*{0,2}([^\W\d_][\w.'\u2019-]{0,24}(?: [\w.'\u2019()-]{1,24}){0,3}):\*{0,2}(?=\s|\Z)"
)


def speeches(lines: Sequence[Line]) -> frozenset[int]:
    """Return where the speeches of a dialogue begin, each with its speaker's name; nothing where the text is not a dialogue."""
    speakers = {line.start: name for line in lines if (name := _speaker_of(line.text))}
    names = Counter(speakers.values())
    recurring = {name for name, times in names.items() if times >= 2}
    paragraphs = sum(line.gap for line in lines)
    spoken = sum(names[name] for name in recurring)
    is_dialogue = len(recurring) >= 2 and spoken >= 4 and spoken >= 0.4 * min(paragraphs, len(lines))
    if not is_dialogue or spoken < 0.15 * len(lines):
        return frozenset()
    return frozenset(start for start, name in speakers.items() if name in recurring)


def _speaker_of(text: str) -> str:
    """Return the name that a line begins with as a speech does; "" where it has none."""
    name = _SPEAKER.match(text) if ":" in text[:60] else None
    return name[1] if name else ""


def put_speech(builder: Builder, lines: Sequence[Line]) -> None:
    """Add a speech: the first sentence keeps the speaker's name, and the others and further paragraphs hang on it."""
    start, end = span_of(lines)
    indent = lines[0].indent
    parent = builder.parent_at(-1)
    first = NO_SEGMENT
    for span in builder.sentence_spans(start, end):
        index = builder.put(span, SegmentKind.SENTENCE, parent if first == NO_SEGMENT else first)
        first = index if first == NO_SEGMENT else first
    builder.hang_below(indent - 0.75, first)
