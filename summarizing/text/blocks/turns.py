"""Chats and terminal sessions: turns, each of which begins with who speaks or with a command, and goes on up to the next one.

What else is said or printed in a turn hangs on its first line: nobody could tell whose it is without it. Refuses dialogues in paragraphs,
which dialogues.py reads, and texts that quote commands. Pure; linear in the lines.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from summarizing.text.blocks import tables
from summarizing.text.blocks.logs_and_field_lists import put_entry, put_listing
from summarizing.text.document import SegmentKind
from summarizing.text.document_builder import Builder, span_of
from summarizing.text.format_words import format_words
from summarizing.text.lines import Line, sample_of

_TIME = r"[\[(]?(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4},?\s)?\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?[\])]?"
_NAME = r"[^\W\d_][\w.'\u2019|()+@ -]{0,47}"
_BETWEEN = r"[\s\u2013\u2014-]{1,5}"
# "12/03/21, 10:32 - Alice: No.", "[10:32] <bob> No."; on a line of its own, "Alice  10:32 AM".
_SAID = re.compile(rf"{_TIME}{_BETWEEN}(?:<(?P<nick>[^<>\s]{{1,40}})>|(?P<name>{_NAME}):)(?=\s|\Z)")
_SPEAKER = re.compile(rf"(?P<name>{_NAME}?){_BETWEEN}{_TIME}:?\Z")
# Of shells on Unix, of PowerShell and cmd.exe, of clients of databases.
_PROMPT = re.compile(
    r"(?:\([\w.-]{1,40}\)\s)?(?:\$(?!\s\d)|\[?[\w.-]{1,40}@[\w.-]{1,60}[^$#%>]{0,100}[$#%>]"
    r"|(?:PS\s)?[A-Z]:\\[^>]{0,100}>|[a-z]{2,20}(?:=[#>]|>))(?:\s|\Z)"
)
# A command goes on behind these.
_GOES_ON = "\\`"

# A chat has two speakers, and so many of the lines at its margin say who speaks: where fewer do, paragraphs are what is said.
_MIN_SPEAKERS = 2
_MIN_SAID = 0.25
# A session has so many commands.
_MIN_COMMANDS = 2


def is_chat(lines: Sequence[Line]) -> bool:
    """Whether many lines at the margin begin with a time and a name, and one name comes again."""
    outer = [line for line in sample_of(lines) if not line.indent]
    names = Counter(filter(None, map(_speaker_of, outer)))
    return len(names) >= _MIN_SPEAKERS and len(names) < names.total() >= _MIN_SAID * len(outer)


def _speaker_of(line: Line) -> str:
    """Return who speaks in a line and those below it; "" where the line does not say, or has the level of a log there."""
    if line.indent or ":" not in line.text:
        return ""
    found = _SAID.match(line.text) or (_SPEAKER.match(line.text) if line.text[0].isalpha() else None)
    name = (found["name"] or found["nick"]) if found else ""
    return "" if name.upper() in format_words().log_levels else name


def is_session(lines: Sequence[Line]) -> bool:
    """Whether lines begin with a command behind a prompt, and more of them follow."""
    return _is_command(lines[0]) and sum(map(_is_command, lines)) >= _MIN_COMMANDS


def _is_command(line: Line) -> bool:
    return not line.indent and _PROMPT.match(line.text) is not None


def put_chat(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add the messages."""
    builder.begin_block()
    for message in _turns(lines, [bool(_speaker_of(line)) for line in lines]):
        put_entry(builder, message, parent)


def put_session(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add the commands, and below each what it prints."""
    for turn in _turns(lines, list(map(_is_command, lines))):
        last = next(at for at, line in enumerate(turn) if line.tail[-1] not in _GOES_ON or line is turn[-1])
        printed = turn[last + 1 :]
        builder.begin_block()
        kind = SegmentKind.FRAME if printed else SegmentKind.LINE
        command = builder.put(span_of(turn[: last + 1]), kind, parent)
        if tables.is_columns(builder.text, printed):
            tables.put_columns(builder, printed, command)
        else:
            put_listing(builder, printed, command)


def _turns(lines: Sequence[Line], begins: Sequence[bool]) -> Iterator[Sequence[Line]]:
    """Yield the lines of each turn, and before them those that stand before the first one."""
    starts = [number for number, begin in enumerate(begins) if begin or number == 0]
    for first, end in pairwise([*starts, len(lines)]):
        yield lines[first:end]
