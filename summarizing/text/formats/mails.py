"""Mails in one text: mailboxes, archives of lists, digests. Each message is a section below its head.

Author, date and subject come with whatever is told of a message. By themselves all fields but the subject are marginal, and so are greetings,
closings (also quoted ones), signatures and the foot that a list adds. What a single mail says is read as any text is. Pure; linear in the
lines. Does not decode what mails encode.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import groupby, pairwise
from typing import NamedTuple

from summarizing.text.blocks.logs_and_field_lists import put_listing
from summarizing.text.document import SegmentKind
from summarizing.text.document_builder import Builder, span_of
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.language.sentence_ties import is_title
from summarizing.text.lines import COLONS, Line, is_of_words, item_mark, looks_like_prose, parted

# RFC 4155, appendix A: each message begins with "From ", an address and a time. RFC 5322, 2.2: a field's name is printable ASCII.
_SEPARATOR = re.compile(r"From \S.{0,150}\s\d\d:\d\d(?::\d\d)?\s.{0,12}\b\d{4}\b")
_FIELD = re.compile(r"([!-9;-~]{1,76}+):")
_AUTHOR = "from"
# A mail that another one has in it may have "Sent" for "Date".
_TIMES = frozenset({"date", "sent"})
_OF_MAIL = frozenset({"subject", "to", "message-id"})
_SUBJECT = "subject"
_NAMED = _TIMES | {_AUTHOR, _SUBJECT}
_LEAST_MESSAGES = 2

# Above all other headings; a message within another one is below that.
_MESSAGE = -3
_INNER_MESSAGE = -2

# RFC 3676, 4.3: "-- " on a line by itself separates the body from the signature.
_SIGNATURE = "--"
# A list adds a rule, which Mailman draws with underscores, and a few lines; Outlook draws a shorter one over the mail that is answered.
_RULE = re.compile(r"([-_=*])\1{31,199}\Z")
_MOST_FOOT_LINES = 12

_DIGIT = re.compile(r"\d")


class Mail(NamedTuple):
    """A message: the lines of its head, of its text, and of its signature and a list's foot."""

    head: Sequence[Line]
    """Empty for what stands before the first message."""
    level: int
    body: Sequence[Line]
    foot: Sequence[Line]


def messages_of(lines: Sequence[Line]) -> list[Mail]:
    """Return the messages of a text, in order; none where it has fewer than two and does not begin with one."""
    # Most texts have none, and that is seen quickly.
    if not any(line.text[:5].lower() == "from:" for line in lines):
        return []
    heads = dict(_heads(lines))
    outer = {first for first in heads if _SEPARATOR.match(lines[first].text)} or set(heads)
    if len(outer) < _LEAST_MESSAGES and 0 not in outer:
        return []
    levels = {first: _MESSAGE if first in outer else _INNER_MESSAGE for first in heads}
    begins = sorted(heads)
    bodies = [(0, 0, begins[0])] if begins[0] else []
    bodies += [(first, heads[first] + 1, behind) for first, behind in pairwise([*begins, len(lines)])]
    found: list[Mail] = []
    for first, body, behind in bodies:
        foot = _begin_of_foot(lines, body, behind)
        found.append(Mail(lines[first:body], levels.get(first, 0), lines[body:foot], lines[foot:behind]))
    # Where most have no text, they are other records of fields.
    return found if 2 * sum(bool(one.body) for one in found) > len(found) else []


def _heads(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each head: fields up to a blank line, with an author and a time."""
    at = 0
    while at < len(lines):
        has_separator = lines[at].indent == 0 and _SEPARATOR.match(lines[at].text) is not None
        is_below_rule = at > 0 and (lines[at - 1].text.startswith(_SIGNATURE) or _is_rule(lines[at - 1]))
        may_begin = has_separator or lines[at].gap or is_below_rule
        end, names = _fields(lines, at + has_separator) if may_begin else (at, set[str]())
        is_ended = end == len(lines) or lines[end].gap
        is_of_mail = has_separator or not names.isdisjoint(_OF_MAIL)
        if is_ended and is_of_mail and _AUTHOR in names and not names.isdisjoint(_TIMES):
            yield at, end - 1
        at = max(at + 1, end)


def _fields(lines: Sequence[Line], first: int) -> tuple[int, set[str]]:
    """Return where the fields end that begin at a line, and their names."""
    names: set[str] = set()
    at = first
    while at < len(lines) and (at == first or not lines[at].gap):
        field = _FIELD.match(lines[at].text) if lines[at].indent == 0 else None
        if field:
            names.add(field[1].lower())
        elif not (names and lines[at].indent):
            break
        at += 1
    return at, names


def _begin_of_foot(lines: Sequence[Line], body: int, behind: int) -> int:
    """Return where a message's signature, or the foot that a list adds, begins; the end of the message where it has neither."""
    last = range(max(body, behind - _MOST_FOOT_LINES), behind)
    return next((number for number in last if _begins_foot(lines[number:behind])), behind)


def _begins_foot(lines: Sequence[Line]) -> bool:
    """Whether lines, up to the end of a message, are its foot; a rule that is not Mailman's may stand around a title: no paragraph may follow."""
    first, *below = lines
    # "-----Original Message-----" stands over the next one.
    if first.text == _SIGNATURE or (not below and first.text.startswith(_SIGNATURE)):
        return first.indent == 0
    is_alone = first.gap and not any(line.gap and not _is_rule(line) for line in below)
    return _is_rule(first) and (is_alone or first.text.startswith("_"))


def _is_rule(line: Line) -> bool:
    return line.indent == 0 and _RULE.match(line.text) is not None


def put_head(builder: Builder, message: Mail) -> None:
    """Add a message's head, and let its text hang on who wrote it, when and about what."""
    if not message.head:
        return
    title, *fields = _whole_fields(message.head)
    parent = builder.put_heading(span_of(title), message.level)
    for field in fields:
        # A block of its own, so that no mark counts the fields that are left out.
        builder.begin_block()
        span = span_of(field)
        mark = _FIELD.match(field[0].text)
        name = mark[1].lower() if mark else ""
        with nullcontext() if name == _SUBJECT else builder.marginal():
            if name in _NAMED:
                parent = builder.put_item(span, SegmentKind.ITEM, parent)
            else:
                builder.put_item(span, SegmentKind.LINE, parent)
    builder.hang_section_on(parent)


def put_foot(builder: Builder, message: Mail) -> None:
    """Add a message's signature and the foot of a list, line by line."""
    if message.foot:
        builder.begin_block()
        with builder.marginal():
            put_listing(builder, message.foot, builder.heading)


def _whole_fields(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Return fields, each with the lines that it is folded over (RFC 5322, 2.2.3)."""
    return parted(lines, lambda _, line: not line.indent)


class _Block(NamedTuple):
    """Lines between which no line is blank."""

    first: int
    lines: Sequence[Line]
    depth: int
    """How many signs of a quotation stand before it."""

    @property
    def says_nothing(self) -> bool:
        """Whether it is a few words that may greet, name a writer or end a letter; below these may stand where the writer is found."""
        first = self.lines[:2] if len(self.lines) == 3 else self.lines
        return all(map(_says_nothing, first)) and not any(map(_is_sentence, self.lines[2:]))

    @property
    def is_signature(self) -> bool:
        return self.lines[0].text == _SIGNATURE


def formulas(text: str, lines: Sequence[Line], *, is_mail: bool) -> set[int]:
    """Return the first lines of greetings, closings and signatures, in the text and in what it quotes; where it is no mail, only if it quotes one."""
    begins = [number for number, line in enumerate(lines) if line.gap or line.text == _SIGNATURE]
    blocks = [
        _Block(first, lines[first:end], _depth(text, lines[first]))
        for first, end in pairwise([*begins, len(lines)])
    ]
    quoting = {one.first for one, following in pairwise(blocks) if _announces(one, following)}
    if not (is_mail or quoting):
        return set()
    letters = groupby(blocks, lambda block: (block.depth, block.first in quoting))
    return {first for _, letter in letters for first in _formulas_of(list(letter))}


def _depth(text: str, line: Line) -> int:
    return text.count(">", text.rfind("\n", 0, line.start) + 1, line.start)


def _announces(block: _Block, following: _Block) -> bool:
    """Whether a block says who wrote, and when, what the next one quotes."""
    is_over = following.depth > block.depth and block.lines[-1].tail[-1] in COLONS
    return is_over and any(_DIGIT.search(line.text) for line in block.lines)


def _formulas_of(letter: Sequence[_Block]) -> Iterator[int]:
    """Yield where a letter greets, and where it ends; nothing where it says nothing else."""
    saying = [number for number, one in enumerate(letter) if not (one.says_nothing or one.is_signature)]
    if not saying:
        return
    if saying[0] == 1:
        yield letter[0].first
    near = letter[-1].first - _MOST_FOOT_LINES
    signatures = (at for at, one in enumerate(letter) if one.is_signature and one.first > near)
    end = next(signatures, saying[-1] + 1)
    while end > saying[0] + 1 and letter[end - 1].says_nothing:
        end -= 1
    yield from (one.first for one in letter[end:])


def _says_nothing(line: Line) -> bool:
    """Whether a line is a title, or a few words before a comma: "Dear Ingrid,", "Ingrid Solberg"."""
    is_short = is_title(line.text) or (line.tail[-1] == "," and not looks_like_prose(line.text))
    is_open = not (_is_sentence(line) or item_mark(line.text))
    return is_short and is_open and is_of_words([line], 1)


def _is_sentence(line: Line) -> bool:
    return ends_sentence(line.tail) or line.tail[-1] in COLONS or looks_like_prose(line.text)
