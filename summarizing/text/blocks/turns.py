"""Chats and terminal sessions: turns, each of which begins with who speaks or with a command, and goes on up to the next one.

What else is said or printed in a turn hangs on its first line: nobody could tell whose it is without it. Refuses dialogues in paragraphs,
which dialogues.py reads, and texts that quote commands. Pure; linear in the lines.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import cache
from itertools import pairwise, zip_longest
from typing import NamedTuple

from summarizing.text.blocks import tables
from summarizing.text.blocks.dialogues import CLOCK
from summarizing.text.blocks.logs_and_field_lists import put_entry, put_listing
from summarizing.text.document import SegmentKind
from summarizing.text.document_builder import Builder, span_of
from summarizing.text.format_words import format_words
from summarizing.text.language.sentence_ties import is_fragment
from summarizing.text.lines import QUESTIONS, SAMPLE_LINES, Line

# Unlike those of dialogues, exports' times have dates, AM and PM, and their names have signs.
_MOMENT = rf"[\[(]?(?:\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}},?\s)?{CLOCK}(?:\s?[AaPp]\.?[Mm]\.?)?[\])]?"
# "Today at".
_DAY = r"(?:[^\W\d_][\w.,'\u2019 ]{0,24}\s)?"
# Of whom nobody knows the name, the number, or with a tilde what they call themselves.
_NICKNAME = r"(?:~\s?|\+(?=\d)|(?=[^\W\d_]))[\w.'\u2019|()+@ -]{1,48}"
# On a line of its own a name may have signs beside it: "Alice :palm_tree:".
_SHOWN = r"(?=[^\W\d_]|[\u2600-\U0001faff]).{1,60}"
_BETWEEN = r"[\s\u2013\u2014-]{1,5}"
# "12/03/21, 10:32 - Alice: No.", "[10:32] <bob> No."; on a line of its own, "Alice  10:32 AM", "Alice, [12.03.21 10:32]".
_SAID = re.compile(rf"{_MOMENT}{_BETWEEN}(?:<(?P<nick>[^<>\s]{{1,40}})>|(?P<name>{_NICKNAME}):)(?=\s|\Z)")
_SPEAKER = re.compile(
    rf"(?P<name>{_SHOWN}?)(?P<between>,\s|{_BETWEEN})(?:(?<=[,\s\u2013\u2014-]\s){_DAY})?{_MOMENT}:?\Z"
)
_STAMP = re.compile(rf"(?=[\[(]|\d{{1,4}}[-/.]){_MOMENT}{_BETWEEN}(?=\S)")
# What changes from one time to the next.
_DIGITS = re.compile(r"\d+|[AaPp](?=\.?[Mm]\b)")
_WHEN = re.compile(rf"{_DAY}{_MOMENT}\Z")
# Of shells on Unix, of PowerShell and cmd.exe, of clients of databases; in mail, who is quoted may stand so before each line, too.
_PROMPT = re.compile(
    r"(?:\([\w.-]{1,40}\)\s)?(?:\$(?!\s\d)|\[?[\w.-]{1,40}@[\w.-]{1,60}[^$#%>]{0,100}[$#%>]"
    r"|(?:PS\s)?[A-Z]:\\[^>]{0,100}>|(?P<client>[a-z]{2,20}(?:=[#>]|>)))(?:\s|\Z)"
)
# "+1" agrees, and tells no number.
_NUMBER = re.compile(r"(?<!\+)\d")
# A command goes on behind these.
_GOES_ON = "\\`"

# A chat has two speakers, and so many of the lines at its margin say who speaks: where fewer do, paragraphs are what is said.
_MIN_SPEAKERS = 2
_MIN_SAID = 0.25
# So many messages may stand between a question and a bare answer to it, as answers to it do.
_MAX_ANSWERS = 8
# A session has so many commands.
_MIN_COMMANDS = 2


class _Head(NamedTuple):
    """Who speaks."""

    name: str
    size: int
    """How many lines it takes; 0 where what is said begins in its line."""
    form: str
    """What stands between the name and the time, and behind this."""


class _Message(NamedTuple):
    """What is said at once."""

    lines: Sequence[Line]
    size: int
    """How many lines come with what is said, and say nothing alone."""
    said: Sequence[str]
    is_named: bool
    """Whether it is known who says it; else a program does."""

    @property
    def is_bare(self) -> bool:
        """Whether it has two words at most."""
        return len(self.said) == 1 and is_fragment(self.said[0])

    @property
    def asks(self) -> bool:
        """Whether a question is in it."""
        # In an address a question mark stands within a word.
        words = (word.rstrip("\"')*_") for line in self.said for word in line.split())
        return any(word[-1:] in QUESTIONS for word in words if word)

    @property
    def tells(self) -> bool:
        """Whether it says something: more than two words, or a number, and is no notice of a program."""
        if not self.said or (self.is_bare and not _NUMBER.search(self.said[0])):
            return False
        notice = _notice().match(self.said[0]) if len(self.said) == 1 else None
        return not notice or (self.is_named and bool(notice["whose"]))


def is_chat(lines: Sequence[Line]) -> bool:
    """Whether many lines at the margin have a time and a name, one name comes again, and something is said below most of them."""
    first = lines[:SAMPLE_LINES]
    heads = _heads(first)
    names = Counter(head.name for at, head in heads.items() if not head.size or at + head.size not in heads)
    said = sum(max(1, head.size) for head in heads.values())
    return (
        len(names) >= _MIN_SPEAKERS
        and len(names) < names.total()
        and names.total() * 2 > len(heads)
        and said >= _MIN_SAID * sum(not line.indent for line in first)
    )


def _heads(lines: Sequence[Line]) -> dict[int, _Head]:
    """Return the heads, each by the number of its first line: those of the form in which names come again most often.

    What somebody says may end with a time ("down since 8:55") or stand above that of their next message: that is no name, and does not come again.
    """
    found = {
        number: head
        for number, (line, below) in enumerate(zip_longest(lines, lines[1:]))
        if not line.indent and (head := _head_of(line, below))
    }
    names: dict[str, list[str]] = {}
    for head in found.values():
        names.setdefault(head.form, []).append(head.name)
    usual = max(names, key=lambda form: len(names[form]) - len(set(names[form])), default="")
    return {number: head for number, head in found.items() if head.form == usual}


def _head_of(line: Line, below: Line | None) -> _Head | None:
    """Return who speaks in a line and those below it; None where it does not say, or has the level of a log there."""
    head = None
    if ":" in line.text and (said := _SAID.match(line.text)):
        head = _Head(said["name"] or said["nick"], int(said.end() == line.length), "")
    elif ":" in line.text and (speaker := _SPEAKER.match(line.text)):
        head = _Head(speaker["name"], 1, speaker["between"] + _end_of(line))
    elif below and ":" in below.text and not below.gap and _WHEN.match(below.text):
        speaker = _SPEAKER.match(f"{line.text}, {below.text}")
        head = _Head(speaker["name"], 2, f"\n{below.indent}" + _end_of(below)) if speaker else None
    return head if head and head.name.upper() not in format_words().log_levels else None


def _end_of(line: Line) -> str:
    return "0" if line.text[-1].isdigit() else line.text[-1].upper()


def is_session(lines: Sequence[Line]) -> bool:
    """Whether lines begin with a command behind a prompt, and several go on in the next line: a text that quotes commands has a blank line there.

    Where lines begin as quoted ones do, some have something else below them.
    """
    if not (first := _command(lines[0])):
        return False
    is_quoting = first["client"] is not None
    going_on = sum(
        _is_command(line) and not (below.gap or (is_quoting and _is_command(below)))
        for line, below in pairwise(lines)
    )
    return going_on >= _MIN_COMMANDS


def _is_command(line: Line) -> bool:
    return _command(line) is not None


def _command(line: Line) -> re.Match[str] | None:
    return None if line.indent else _PROMPT.match(line.text)


def put_chat(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add the messages; a head that stands above what is said comes with that alone.

    A question and the bare answers directly below it ("No") come together; notices of the program and other bare answers are marginal.
    """
    builder.begin_block()
    asked: tuple[int, int] | None = None
    for turn in _messages(lines):
        first = len(builder.segments)
        is_answer = asked is not None and turn.is_bare and first - asked[0] <= _MAX_ANSWERS
        with nullcontext() if is_answer or turn.tells else builder.marginal():
            _put_message(builder, turn, parent)
        last = len(builder.segments) - 1
        if asked and is_answer:
            # In a ring: each requires all others.
            builder.anchor(asked[0], last)
            builder.anchor(last, asked[1])
            asked = asked[0], last
        elif not builder.segments[last].is_marginal:
            asked = (first, last) if turn.asks else None


def _put_message(builder: Builder, turn: _Message, parent: int) -> None:
    if turn.size:
        head = builder.put(span_of(turn.lines[: turn.size]), SegmentKind.FRAME, parent)
        put_listing(builder, turn.lines[turn.size :], head)
    else:
        put_entry(builder, turn.lines, parent)


def _messages(lines: Sequence[Line]) -> Iterator[_Message]:
    """Yield what each one says, and what nobody says behind a time that is written as theirs are; other lines belong to the message above them."""
    heads = _heads(lines)
    forms = {_stamp(lines[number])[1] for number in heads}
    stamps = {number: _stamp(line) for number, line in enumerate(lines) if not line.indent}
    nobodys = {number: size for number, (size, form) in stamps.items() if size and form in forms}
    for first, end in _turns(sorted({*heads, *nobodys}), len(lines)):
        turn = lines[first:end]
        head = heads.get(first)
        size = head.size if head else 0
        said = [line.text for line in turn[size:]]
        if said and not size:
            begun = _SAID.match(said[0]) if head else None
            said[0] = said[0][begun.end() if begun else nobodys.get(first, 0) :].strip()
        if head and len(said) > 1 and said[0].startswith(format_words().chat_replies):
            # What a reply quotes says nothing without the reply below it.
            size, said = size + 1, said[1:]
        yield _Message(turn, size, said, head is not None)


def _stamp(line: Line) -> tuple[int, str]:
    """Return how long a date, or a time in brackets, at a line's beginning is, and how it is written: "[0:0] "."""
    found = _STAMP.match(line.text)
    return (found.end(), _DIGITS.sub("0", found[0])) if found else (0, "")


@cache
def _notice() -> re.Pattern[str]:
    """Return the form of notices, behind whose they are: in quotation marks several words stand for any, elsewhere one does."""
    forms = "|".join(map(re.escape, format_words().chat_notices))
    forms = forms.replace(r'"\*"', '"[^\n]{1,200}"').replace(r"\*", r"\S{1,60}")
    return re.compile(rf"(?P<whose>(?:\S{{1,40}}\s){{0,4}}?)(?:{forms})\.?\Z")


def put_session(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add the commands, and below each what it prints."""
    commands = [number for number, line in enumerate(lines) if _is_command(line)]
    for first, end in _turns(commands, len(lines)):
        turn = lines[first:end]
        last = next(at for at, line in enumerate(turn) if line.tail[-1] not in _GOES_ON or line is turn[-1])
        printed = turn[last + 1 :]
        builder.begin_block()
        kind = SegmentKind.FRAME if printed else SegmentKind.LINE
        command = builder.put(span_of(turn[: last + 1]), kind, parent)
        if tables.is_columns(builder.text, printed):
            tables.put_columns(builder, printed, command)
        else:
            put_listing(builder, printed, command)


def _turns(begins: Iterable[int], end: int) -> Iterator[tuple[int, int]]:
    """Yield where each turn begins and ends, and before them what stands before the first one."""
    return pairwise([*dict.fromkeys([0, *begins]), end])
