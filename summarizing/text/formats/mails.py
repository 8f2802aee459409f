"""Mails in one text: mailboxes, archives of lists, digests. Each message is a section below its head.

Who wrote it, when and about what are told with whatever is told of a message; but for what it is about, the fields of its head are marginal, as are
its signature and the foot that a list adds. What a single mail says is read as any text is. Pure; linear in the lines. Does not decode what mails encode.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import NamedTuple

from summarizing.text.blocks.logs_and_field_lists import put_listing
from summarizing.text.document import SegmentKind
from summarizing.text.document_builder import Builder, span_of
from summarizing.text.lines import Line, parted

# RFC 4155, appendix A: each message begins with "From ", an address and a time. RFC 5322, 2.2: a field's name is printable ASCII.
_SEPARATOR = re.compile(r"From \S.{0,150}\s\d\d:\d\d(?::\d\d)?\s.{0,12}\b\d{4}\b")
_FIELD = re.compile(r"([!-9;-~]{1,76}+):")
_AUTHOR = "from"
# A mail that another one has in it may have "Sent" for "Date".
_TIMES = frozenset({"date", "sent"})
_OF_MAIL = frozenset({"subject", "to", "message-id"})
_NAMED = _TIMES | {_AUTHOR, "subject"}
_TOLD = frozenset({"subject"})
_LEAST_MESSAGES = 2

# Above all other headings; a message within another one is below that.
_MESSAGE = -3
_INNER_MESSAGE = -2

# RFC 3676, 4.3: "-- " on a line by itself separates the body from the signature.
_SIGNATURE = "--"
# A list adds a rule, which Mailman draws with underscores, and a few lines.
_RULE = re.compile(r"([-_=*])\1{39,199}\Z")
_MOST_FOOT_LINES = 12


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
    found = [Mail((), 0, lines[: begins[0]], ())] if begins[0] else []
    for first, behind in zip(begins, [*begins[1:], len(lines)], strict=True):
        body = heads[first] + 1
        foot = _begin_of_foot(lines, body, behind)
        found.append(Mail(lines[first:body], levels[first], lines[body:foot], lines[foot:behind]))
    # Where most have no text, they are other records of fields.
    return found if 2 * sum(bool(one.body) for one in found) > len(found) else []


def _heads(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each head: fields up to a blank line, with an author and a time."""
    at = 0
    while at < len(lines):
        has_separator = lines[at].indent == 0 and _SEPARATOR.match(lines[at].text) is not None
        may_begin = has_separator or lines[at].gap or lines[at - 1].text.startswith(_SIGNATURE)
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
    if first.text == _SIGNATURE:
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
        # Nobody wants to know how many others there are.
        builder.begin_block()
        span = span_of(field)
        mark = _FIELD.match(field[0].text)
        name = mark[1].lower() if mark else ""
        with nullcontext() if name in _TOLD else builder.marginal():
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
