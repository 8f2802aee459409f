"""The values in Kubernetes' Secrets, and values beside the name of a secret, in YAML and in JSON, wherever in a text. Pure; linear.

Of a Secret all that stands under `data` and `stringData`; of a container's `env`, of AWS's tags and the like the `value` beside a `name` or
`Key` that means a secret.

Reads lines and JSON's tokens alone, so that a manifest is found in a log, and half of one too.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from gateway.masking.named_secrets import WORDS, means_secret, stands_for_a_secret
from gateway.masking.secret import Secret

NAME = "kubernetes-secret"

HOLDERS = frozenset({"data", "stringData"})

# What is longer is no name.
MAX_NAME_CHARS = 200

# subtle: a string that is not closed matches, too, up to the end of its line; else each of many quotes would be read to there.
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|[{}\[\]:,]')
_ESCAPED_SECRET = re.compile(r'\\"kind\\":\s{0,4}\\"Secret\\"')

# One after the other, since a list of all lines takes more memory than the text.
_WHOLE_LINE = re.compile(r"[^\r\n]++(?:\r\n?|\n|\Z)")

_LINE = re.compile(
    r"(?P<indent>[ \t]*+)(?P<dashes>(?:-[ \t]+)*+)(?P<quote>[\"']?)(?P<name>[A-Za-z0-9_./-]{1,253}+)(?P=quote):(?:[ \t]++(?P<value>\S.*+))?[ \t\r]*+\Z"
)


def values_of_secrets(text: str) -> Iterator[Secret]:
    """Yield the values, in the order of their starts."""
    if "Secret" not in text and "alue" not in text:
        return
    spans = {*_in_json(text), *_in_yaml(text)}
    yield from (Secret(start, end, NAME) for start, end in sorted(spans))


def has_name(member: str) -> bool:
    """Whether a member of an object says what another one is the value of: `name`, `Key`, `ParameterKey`."""
    lowered = member.lower()
    return lowered in _name_members() or lowered.endswith(("name", "key"))


def has_value(member: str) -> bool:
    """Whether a member of an object is the value of what another one names: `value`, `ParameterValue`."""
    return member.endswith(("value", "Value"))


@cache
def _name_members() -> frozenset[str]:
    return frozenset(tomllib.loads(WORDS.read_text("utf-8"))["name_members"])


Span = tuple[int, int]


# --- JSON ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Value:
    """An object or array that is open."""

    is_object: bool
    secret: "_Value | None" = None
    """The object whose `data` this is a part of."""
    key: str = ""
    is_key_next: bool = True
    is_secret: bool = False
    values: list[Span] = field(default_factory=list)
    named_by: str = ""
    """The member that names a secret."""
    variables: list[Span] = field(default_factory=list)
    """Where the values stand of what it names."""


def _in_json(text: str) -> Iterator[Span]:
    opened: list[_Value] = []
    for found in _TOKEN.finditer(text):
        sign = found[0]
        if sign in "{[":
            opened.append(_Value(sign == "{", _secret_around(opened)))
        elif not opened:
            continue
        elif sign in "}]":
            yield from _secrets_in(opened.pop(), text)
        elif sign in ":,":
            opened[-1].is_key_next = sign == ","
        elif opened[-1].is_object and opened[-1].is_key_next:
            opened[-1].key = text[slice(*_inside(found))]
        else:
            yield from _json_string(text, _inside(found), opened[-1])
    for unfinished in opened:
        yield from _secrets_in(unfinished, text)


def _secret_around(opened: list[_Value]) -> _Value | None:
    if not opened:
        return None
    around = opened[-1]
    return around if around.is_object and around.key in HOLDERS else around.secret


def _inside(string: re.Match[str]) -> Span:
    """Return where the text of a string stands, between its quotes; the closing one may be missing."""
    start, end = string.span()
    is_closed = end - start > 1 and string[0].endswith('"')
    return start + 1, end - is_closed


def _json_string(text: str, inside: Span, current: _Value) -> Iterator[Span]:
    """Note a string that is a value, and yield it if it is a whole manifest, as the last applied configuration is."""
    if current.is_object and has_value(current.key):
        current.variables.append(inside)
    elif current.is_object and has_name(current.key) and means_secret(text[slice(*inside)][:MAX_NAME_CHARS]):
        current.named_by = current.key
    if current.is_object and current.key == "kind" and text[slice(*inside)] == "Secret":
        current.is_secret = True
    elif current.secret is not None and inside[0] < inside[1]:
        current.secret.values.append(inside)
    elif _ESCAPED_SECRET.search(text, *inside):
        yield inside


# --- YAML ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Mapping:
    """A mapping whose members stand at one column."""

    column: int
    is_secret: bool = False
    is_holding: bool = False
    """Whether the lines below are under `data` or `stringData`."""
    values: list[Span] = field(default_factory=list)
    named_by: str = ""
    variables: list[Span] = field(default_factory=list)


class _Line:
    """A line of YAML: where it stands, and the member that it begins, if it does."""

    def __init__(self, text: str, start: int) -> None:
        self.start = start
        stripped = text.rstrip()
        self.is_blank = not stripped
        self.is_separator = stripped.startswith("---")
        self.indent = len(text) - len(text.lstrip(" \t"))
        member = _LINE.match(stripped)
        self.is_item = bool(member and member["dashes"])
        self.column = member.end("dashes") if member else self.indent
        self.name = member["name"] if member else ""
        self.is_json = bool(member and member["quote"] == '"')
        self.value = (member["value"] or "") if member else stripped[self.indent :]
        self.value_end = start + len(stripped)

    @property
    def value_span(self) -> Span | None:
        """Where its value stands; None where it has none, or the value stands in the lines below."""
        is_below = not self.value or (self.name and self.value[0] in "|>")
        return None if is_below else (self.value_end - len(self.value), self.value_end)


def _in_yaml(text: str) -> Iterator[Span]:
    opened: list[_Mapping] = []
    for found in _WHOLE_LINE.finditer(text):
        line = _Line(found[0], found.start())
        if line.is_blank:
            continue
        while opened and _ends(opened[-1], line):
            yield from _secrets_in(opened.pop(), text)
        holder = next((each for each in opened if each.is_holding and each.column < line.column), None)
        if holder is None:
            _note_member(opened, line)
        elif line.value_span is not None:
            holder.values.append(line.value_span)
    for unfinished in opened:
        yield from _secrets_in(unfinished, text)


def _ends(mapping: _Mapping, line: _Line) -> bool:
    """Whether a mapping has ended before a line: at one further left, at the next item of its list, at the next document."""
    is_next_item = line.is_item and mapping.column > line.indent
    return line.is_separator or is_next_item or mapping.column > line.column


def _note_member(opened: list[_Mapping], line: _Line) -> None:
    """Note what a member says of its mapping: that it is a Secret, that its data follow."""
    if not line.name:
        return
    if not opened or opened[-1].column < line.column:
        opened.append(_Mapping(line.column))
    # In JSON, which is read above, the quotation marks of a value would go with it.
    if line.is_json:
        pass
    elif has_value(line.name):
        opened[-1].variables = [line.value_span] if line.value_span else []
    elif has_name(line.name) and means_secret(line.value[:MAX_NAME_CHARS].strip("\"' ")):
        opened[-1].named_by = line.name
    elif line.name == opened[-1].named_by:  # the next one of a list without dashes
        opened[-1].named_by = ""
    opened[-1].is_holding = line.name in HOLDERS and not line.value
    if line.name == "kind" and line.value.strip("\"' ") == "Secret":
        opened[-1].is_secret = True


def _secrets_in(done: _Value | _Mapping, text: str) -> Iterator[Span]:
    """Yield the secrets of an object or a mapping that is complete."""
    if done.is_secret:
        yield from done.values
    for variable in done.variables if done.named_by else ():
        if not stands_for_a_secret(text[slice(*variable)].strip("\"' ")):
            yield variable
