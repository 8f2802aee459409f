"""Dialogues: which names lines begin with, and what each speaker says; questions and answers behind a letter are speeches, too.

Pure. Knows nothing of what a speech is about.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise, zip_longest

from summarizing.text.document import NO_SEGMENT, SegmentKind
from summarizing.text.document_builder import Builder, span_of
from summarizing.text.lines import QUESTIONS, Line

_BOLD = "**"
_NAME = r"[^\W\d_][\w.'\u2019-]{0,24}(?: [\w.'\u2019()-]{1,24}){0,3}"
CLOCK = r"\d{1,2}:\d\d(?::\d\d)?"
_TIME = rf"[\[(]?{CLOCK}[\])]?"
# "Alice: No.", "[00:12] **Bob:** No.", "**Bob** (00:12): No."; on a line of its own, "**Alice**".
_SPEAKER = re.compile(
    rf"(?:{_TIME}\s{{0,3}}-?\s?)?\*{{0,2}}({_NAME})(?:\*\*)?(?:\s{_TIME})?:\*{{0,2}}(?=\s|\Z)|\*\*({_NAME})\*\*\Z"
)

# The longest such head: a time on either side of a name of four words.
MAX_HEAD_CHARS = 150
# What a question or an answer begins with: "Q. May I?", "A1: No.", "- F) Darf ich?"
_LETTER = re.compile(r"(?:[-*+\u2022]\s)?([^\W\d_])\d{0,3}[.:)]\s")
# So many letters show that two of them come by turns.
_MIN_LETTERS = 4

# So large a part of the speeches follow one of the other speaker, and of the first speaker's so many are questions.
MIN_TURNS = 0.9
MIN_ASKED = 0.5
# Three or more names that follow each other in one order so often are fields of records, and no speakers.
MIN_IN_ORDER = 0.8

# A longer question is a speech like any other.
MAX_QUESTION_CHARS = 1_000


def speeches(lines: Sequence[Line]) -> dict[int, bool]:
    """Return where the speeches of a dialogue begin, each with its speaker's name; nothing where the text is not a dialogue.

    Of each, whether it is a question that the next one answers.
    """
    speakers = {line.start: name for line in lines if (name := _speaker_of(line.text))}
    if lettered := _lettered(lines):
        others = {start: name for start, name in speakers.items() if start not in lettered}
        # One name alone may be a note's: "Note: ...".
        return lettered | dict.fromkeys(others if len(set(others.values())) > 1 else (), False)
    names = Counter(speakers.values())
    recurring = {name for name, times in names.items() if times >= 2}
    paragraphs = sum(line.gap for line in lines)
    spoken = sum(names[name] for name in recurring)
    is_dialogue = len(recurring) >= 2 and spoken >= 0.4 * min(paragraphs, len(lines))
    if not is_dialogue or spoken < 0.15 * len(lines):
        return {}
    spoken_by = {start: name for start, name in speakers.items() if name in recurring}
    if len(recurring) > 2 and _come_in_one_order(list(spoken_by.values())):
        return {}
    asking = _who_asks(lines, spoken_by)
    # Who speaks once is another speaker all the same.
    apart = {line.start for line in lines if line.gap or line.text.startswith(_BOLD)}
    return {start: name == asking for start, name in speakers.items() if name in recurring or start in apart}


def _lettered(lines: Sequence[Line]) -> dict[int, bool]:
    """Return where questions and answers begin with two letters that do not follow each other in the alphabet, as those of items do."""
    letters = {line.start: letter[1] for line in lines if (letter := _LETTER.match(line.text))}
    both = sorted(map(ord, set(letters.values())))
    if len(letters) < _MIN_LETTERS or len(both) != 2 or both[0] + 1 == both[1]:
        return {}
    asking = _who_asks(lines, letters)
    return {start: letter == asking for start, letter in letters.items()} if asking else {}


def _come_in_one_order(names: Sequence[str]) -> bool:
    """Whether each name is nearly always followed by the same one, as fields of records are."""
    following = Counter(pairwise(names))
    most: dict[str, int] = {}
    for (name, _), times in following.items():
        most[name] = max(times, most.get(name, 0))
    return sum(most.values()) >= MIN_IN_ORDER * (len(names) - 1)


def _who_asks(lines: Sequence[Line], spoken_by: Mapping[int, str]) -> str:
    """Return who asks where one of two speakers does so by turns with the other, who answers; "" where nobody does."""
    names = list(spoken_by.values())
    turns = sum(one != other for one, other in pairwise(names))
    if len(set(names)) != 2 or turns < MIN_TURNS * (len(names) - 1):
        return ""
    asked = Counter[str]()
    speaker = ""
    for line, following in zip_longest(lines, lines[1:]):
        speaker = spoken_by.get(line.start, "" if line.gap else speaker)
        is_last = following is None or following.gap or following.start in spoken_by
        asked[speaker] += is_last and line.tail[-1] in QUESTIONS
    first, other = names[0], next(name for name in names if name != names[0])
    is_asking = asked[first] >= MIN_ASKED * names.count(first) and asked[other] < asked[first] / 2
    return first if is_asking else ""


def _speaker_of(text: str) -> str:
    """Return the name that a line begins with as a speech does; "" where it has none."""
    name = _SPEAKER.match(text) if ":" in text[:MAX_HEAD_CHARS] or text.startswith(_BOLD) else None
    return name[1] or name[2] if name else ""


def put_speech(builder: Builder, lines: Sequence[Line], *, is_question: bool) -> None:
    """Add a speech: the first sentence keeps the speaker's name, and the others and further paragraphs hang on it; an answer on its question."""
    stretch, indent = span_of(lines), lines[0].indent
    # Nobody's words stand behind another's on one line.
    builder.begin_block()
    parent = builder.parent_at(-1)
    if is_question and stretch[1] - stretch[0] <= MAX_QUESTION_CHARS:
        builder.asked(builder.put(stretch, SegmentKind.FRAME, parent), indent - 0.75)
        return
    parent = builder.take_question(parent)
    first = NO_SEGMENT
    for span in builder.sentence_spans(stretch):
        if first == NO_SEGMENT:
            first = builder.put(span, SegmentKind.SENTENCE, parent)
        else:
            builder.put(span, SegmentKind.SENTENCE, first, follows=builder.ties(span))
    builder.hang_below(indent - 0.75, first)
